"""The Python programs of docs/bindings.md, docs/pyopencl.md and docs/host_data.md print what the pages say."""

import contextlib
import io
import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PROGRAMS = [(page, *found) for page in ("bindings.md", "pyopencl.md", "host_data.md") for found in re.findall(
    r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", (DOCS / page).read_text(), re.M | re.S)]


@pytest.mark.parametrize("page,program,text", PROGRAMS)
def test_page(page, program, text):
    if "pyopencl" in program:
        pytest.importorskip("pyopencl")
    if "moderncl.pyopencl" in program:
        pytest.importorskip("mako")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(program, page, "exec"), {})
    assert said.getvalue() == text


def test_the_page_has_programs():
    assert len(PROGRAMS) >= 4
