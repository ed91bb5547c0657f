"""Calls on NumPy's arrays that may be larger than a device, beside NumPy's own."""

import numpy
import pytest

import moderncl

RANDOM = numpy.random.default_rng(7)
COUNT = 20000
SMALL = 1 << 18  # bytes of a device: several chunks


@pytest.fixture(params=[0, SMALL])
def devices(queue, request):
    return (queue, request.param)


@pytest.mark.parametrize("dtype", ["int32", "uint64", "float32", "float16", "uint8"])
def test_sort(devices, dtype):
    keys = RANDOM.integers(0, 200, COUNT).astype(dtype)
    given = keys.copy()
    assert numpy.array_equal(moderncl.host_sort(devices, keys), numpy.sort(keys))
    assert numpy.array_equal(keys, given)
    assert numpy.array_equal(moderncl.host_sort(devices, keys, before="p > q"), numpy.sort(keys)[::-1])
    same = moderncl.host_sort(devices, keys, keys, scratch=numpy.empty(keys.nbytes + 1024, numpy.uint8))
    assert same is keys and numpy.array_equal(keys, numpy.sort(given))


def test_sort_pairs(devices):
    keys = RANDOM.integers(0, 50, COUNT).astype(numpy.int16)
    sorted_keys, values = moderncl.host_sort_pairs(devices, keys, numpy.arange(COUNT))
    assert numpy.array_equal(sorted_keys, numpy.sort(keys))
    assert numpy.array_equal(values, numpy.argsort(keys, kind="stable"))
    assert moderncl.host_sort(devices, numpy.arange(10)[::-2]).tolist() == [1, 3, 5, 7, 9]


def test_group_by(devices):
    keys = RANDOM.integers(-3000, 3000, COUNT).astype(numpy.int32)
    values = RANDOM.integers(0, 100, COUNT).astype(numpy.int32)
    found, sums, counts, least, mean = moderncl.host_group_by(
        devices, keys, [(values, "p + q"), (None, moderncl.ADD), (values, moderncl.MIN), (values, "p + q", "float64")])
    expected, inverse = numpy.unique(keys, return_inverse=True)
    assert numpy.array_equal(found, expected) and sums.dtype == numpy.int64 and least.dtype == numpy.int32
    assert numpy.array_equal(sums, numpy.bincount(inverse, values).astype(numpy.int64))
    assert numpy.array_equal(counts, numpy.bincount(inverse))
    assert numpy.array_equal(mean, sums) and mean.dtype == numpy.float64
    assert numpy.array_equal(least, [values[keys == key].min() for key in expected])
    assert numpy.array_equal(moderncl.host_group_by(devices, keys)[0], expected)
    with pytest.raises(moderncl.Error, match="mcl_host_group_by") as caught:
        moderncl.host_group_by(devices, keys, capacity=5)
    assert caught.value.name == "MCL_ERROR_CAPACITY" and caught.value.results == [expected.size]


def test_join(devices):
    a, b = RANDOM.integers(0, 900, 3000), RANDOM.integers(0, 900, 2000)
    rows_a, rows_b = moderncl.host_join(devices, moderncl.JOIN_INNER, a, b)
    pairs = {(i, j) for i in range(a.size) for j in numpy.flatnonzero(b == a[i])}
    assert len(pairs) > 3000 and len(rows_a) == len(pairs) and set(zip(rows_a.tolist(), rows_b.tolist())) == pairs
    semi, none = moderncl.host_join(devices, moderncl.JOIN_SEMI, a, b)
    assert none.size == 0 and numpy.array_equal(numpy.sort(semi), numpy.flatnonzero(numpy.isin(a, b)))
    with pytest.raises(moderncl.Error, match="mcl_host_join") as caught:
        moderncl.host_join(devices, moderncl.JOIN_INNER, a, b, capacity=10)
    assert caught.value.results == [len(pairs)]


def test_wrong_arguments(queue):
    numbers = numpy.arange(8)
    for devices in (3, [3], "opencl:portable"):
        with pytest.raises(TypeError, match="Context|iterable"):
            moderncl.host_sort(devices, numbers)
    with pytest.raises(ValueError, match="2 dimensions"):
        moderncl.host_sort(queue, numbers.reshape(2, 4))
    with pytest.raises(ValueError, match="out is of float64"):
        moderncl.host_sort(queue, numbers, numpy.empty(8))
    with pytest.raises(TypeError, match="lie side by side"):
        moderncl.host_sort(queue, numbers, numpy.empty(16, numbers.dtype)[::2])
    with pytest.raises(ValueError, match="values has 7 elements; expected 8"):
        moderncl.host_sort_pairs(queue, numbers, numbers[1:])
    with pytest.raises(TypeError, match="keys of one dtype"):
        moderncl.host_join(queue, moderncl.JOIN_INNER, numbers, numbers.astype("int32"))
    with pytest.raises(TypeError, match="complex"):
        moderncl.host_sort(queue, numbers.astype(complex))
    with pytest.raises(moderncl.Error, match="mcl_host_sort"):
        moderncl.host_sort([], numbers)
    assert moderncl.host_sort(queue, []).size == 0
