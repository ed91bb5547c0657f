"""A plugin of pytest's: PyOpenCL's algorithms, scans and reductions are those of moderncl.pyopencl. At the end it prints
what moderncl served, so that no test passes by PyOpenCL's own code unseen. usage: pytest -p pyopencl_in_place"""

import collections

import moderncl
import moderncl.pyopencl

replaced = moderncl.pyopencl.install()
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


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line("served by moderncl: " + (
        ", ".join(f"{name} {count}" for name, count in sorted(calls.items())) or "nothing"))
