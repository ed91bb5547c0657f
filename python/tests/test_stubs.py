"""The types that editors and type checkers read."""

import ast
import inspect
import pathlib
import subprocess
import sys

import pytest

import moderncl

FOLDER = pathlib.Path(moderncl.__file__).parent


def test_stub_is_of_the_module():
    assert (FOLDER / "py.typed").exists()
    tree = ast.parse((FOLDER / "__init__.pyi").read_text())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    names = set(functions)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.asname}
        if isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
    public = {name for name, value in vars(moderncl).items() if name[0] != "_" and not inspect.ismodule(value)}
    assert public - names == set()
    assert {name for name in names if not hasattr(moderncl, name) and not name.startswith("_")} == set()
    for name, node in functions.items():
        shown = [one.arg for one in node.args.args] + ([node.args.kwarg.arg] if node.args.kwarg else [])
        assert shown == list(inspect.signature(getattr(moderncl, name)).parameters), name


RIGHT = """
import numpy
import moderncl

queue = moderncl.Queue(moderncl.Context("opencl"))
numbers: moderncl.Array = queue.array(numpy.array([3, 1, 2], "f4"))
moderncl.sort(queue, numbers, numbers, "p < q", wait=[moderncl.event_record(queue)])
moderncl.sort(queue, numbers, numbers, moderncl.LESS, flags=moderncl.VALIDATE)
moderncl.nth_element(queue, numbers, 1, before=moderncl.LESS)
moderncl.group_by(queue, [1, 2], None, [(numbers, moderncl.ADD, numbers)])
part: moderncl.Array = numbers[1:2]
total = moderncl.reduce(queue, numbers[:2], moderncl.test("x > 3"), numpy.float64)
size: int = numbers.nbytes + numbers.shape[0]
"""
WRONG = """
import moderncl

queue = moderncl.Queue()
moderncl.sort(queue, queue.empty(3, "f4"), queue.empty(3, "f4"), 3)
moderncl.sort(queue, queue.empty(3, "f4"), queue.empty(3, "f4"), "p < q", colour=3)
moderncl.sorted(queue)
queue.empty(3)
"""


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", "right.py", "wrong.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    assert "right.py" not in said and ".pyi:" not in said, said
    assert [line.split(":")[1] for line in said.splitlines() if "wrong.py:" in line and "error" in line] == \
        ["5", "6", "7", "8"], said
