"""The site's page of the module has everything that the module has."""

import inspect
import pathlib
import subprocess
import sys

import moderncl
from moderncl import _functions, _host, _makers

FOLDER = pathlib.Path(__file__).parents[1]


def test_page(tmp_path):
    page = tmp_path / "pages" / "python.md"
    subprocess.run([sys.executable, "-B", FOLDER / "reference.py", FOLDER.parent / "include", page], check=True)
    text = page.read_text()
    assert text.startswith("# The Python module {#python_reference}\n")
    for name in _functions.names():
        function = getattr(moderncl, name)
        shown = str(inspect.signature(function)).replace("=Ellipsis", "=...")
        assert f"- `{name}{shown}`<br>" in text, name
    for name in _makers.__all__ + _host.__all__ + ["Context", "Map", "Array.get", "Queue.from_dlpack", "Array.nbytes"]:
        assert f"`{name}" in text or f"### {name}" in text, name
    assert "`sort(queue, keys, out, before, **options)`<br>Sorts keys. Shapes: keys (n,), out (n,). In C: mcl_sort()." in text


def test_wrong_command_line():
    run = subprocess.run([sys.executable, "-B", FOLDER / "reference.py"], capture_output=True)
    assert run.returncode == 2 and run.stderr and not run.stdout
