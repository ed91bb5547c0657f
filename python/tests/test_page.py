"""The Python programs of docs/bindings.md print what the page says."""

import contextlib
import io
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "bindings.md"
PROGRAMS = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE.read_text(), re.M | re.S)


@pytest.mark.parametrize("program,text", PROGRAMS)
def test_page(program, text):
    if "pyopencl" in program:
        pytest.importorskip("pyopencl")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(program, str(PAGE), "exec"), {})
    assert said.getvalue() == text


def test_the_page_has_programs():
    assert len(PROGRAMS) >= 2
