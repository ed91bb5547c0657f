"""The wheel that python/test has built, named by MCL_TEST_WHEEL, where no compiler is."""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

WHEEL = os.environ.get("MCL_TEST_WHEEL", "")
PROGRAM = """
import numpy, moderncl
queue = moderncl.Queue()
numbers = queue.array(numpy.float32([3, 1, 2]))
moderncl.sort(queue, numbers, numbers, "p < q")
print(moderncl.__version__, numbers.get())
"""


@pytest.fixture
def wheel():
    if not WHEEL:
        pytest.skip("MCL_TEST_WHEEL names no wheel")
    if "linux" not in WHEEL:
        pytest.skip("not a wheel of Linux")
    return pathlib.Path(WHEEL)


def test_tag(wheel):
    if "-linux_" in wheel.name:
        pytest.skip("python/wheel had no zig or auditwheel")
    assert re.search(r"-py3-none-manylinux2014_\w+\.manylinux_2_17_\w+\.whl$", wheel.name), wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("__init__.pyi", "py.typed", "_api.py", "_dlpack.py", "libmoderncl.so"):
        assert "moderncl/" + name in names


def test_fresh_environment_without_a_compiler(wheel, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "fresh"], check=True)
    folder = tmp_path / "fresh" / "bin"
    prefixes = ("MCL_", "PIP_", "POCL_", "OCL_", "HOME", "SSL_")
    kept = {name: value for name, value in os.environ.items() if name.startswith(prefixes)}
    kept["PATH"] = str(folder)  # neither gcc nor cc
    for name, *rest in ("pip", "install", "-q", "--only-binary", ":all:", str(wheel)), ("python", "-c", PROGRAM):
        run = subprocess.run([folder / name, *rest], env=kept, capture_output=True, text=True, cwd=tmp_path)
        assert run.returncode == 0, run.stdout + run.stderr
    version = wheel.name.split("-")[1]
    assert run.stdout == f"{version} [1. 2. 3.]\n"
