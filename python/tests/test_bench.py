"""bench.py --compare numpy: every operation, results that are compared, and a reason where ours is slower."""

import importlib.util
import os
import pathlib

import pytest

SPEC = importlib.util.spec_from_file_location("bench", pathlib.Path(__file__).parents[1] / "bench.py")
bench = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench)


def test_compare(capsys):
    bench.compare(os.environ.get("MCL_TEST_DEVICE", "opencl:portable"), [2000], 5)
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines[2:] if not line.startswith("    slower: ")]
    for name in ("sort", "cumsum", "bincount", "unique", "partition", "searchsorted", "histogram", "lexsort"):
        assert any(row.startswith(name + ",") for row in rows), name
    for row, following in zip(lines[2:], lines[3:] + [""]):
        if not row.startswith("    slower"):
            ratios = [float(part.split()[-1]) for part in row.split("(")[:-1]]
            assert len(ratios) == 2 and row.count(" to ") >= 2, row
            assert (min(ratios) < 0.995) <= following.startswith("    slower: "), row


def test_reasons():
    assert "load 9.0" in bench.why("cumsum", 1.2, 9, 2)
    assert bench.why("sort, int32", 0.6, 0, 2) == bench.SIMD_SORT
    assert bench.why("cumsum", 1.2, 0, 2) == bench.why("cumsum", 0.9, 9, 2) == bench.TWO_THREADS


def test_a_wrong_result_is_told():
    import numpy

    with pytest.raises(AssertionError):
        bench.same("sort", numpy.int32([1, 2]), numpy.int32([2, 1]))
