"""A plugin of pytest's: PyOpenCL's algorithms, scans and reductions are those of moderncl.pyopencl. At the end it prints
what moderncl served, so that no test passes by PyOpenCL's own code unseen. usage: pytest -p pyopencl_in_place
MODERNCL_FALLS_BACK=1: what moderncl cannot serve is PyOpenCL's own code's; the end has each reason and how often.
MCL_TEST_SAMPLE=10 takes every tenth test."""

import collections
import os

import pytest

import moderncl
import moderncl.pyopencl

replaced = moderncl.pyopencl.install(falls_back=os.environ.get("MODERNCL_FALLS_BACK") == "1")
calls = collections.Counter()


def _counted(name):
    function = getattr(moderncl, name)

    def call(*arguments, **members):
        calls[name] += 1
        return function(*arguments, **members)

    return call


for _name in ("compact", "partition", "reduce", "scan", "sort", "sort_indices", "sort_pairs", "sorted_search_needles",
              "transform", "unique"):
    setattr(moderncl, _name, _counted(_name))


@pytest.hookimpl(trylast=True)  # of the tests that the command line chooses
def pytest_collection_modifyitems(items):
    step = int(os.environ.get("MCL_TEST_SAMPLE", "1"))
    items[:] = items[step // 2::step]


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line("served by moderncl: " + (
        ", ".join(f"{name} {count}" for name, count in sorted(calls.items())) or "nothing"))
    for (name, reason), count in collections.Counter(moderncl.pyopencl.not_served).items():
        terminalreporter.write_line(f"served by PyOpenCL: {name} {count}: {reason}")
