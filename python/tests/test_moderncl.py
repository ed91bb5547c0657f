"""The package on one device: MCL_TEST_DEVICE, else POCL."""

import os

import numpy
import pytest

import moderncl
from moderncl import _functions

random = numpy.random.default_rng(1)


def same(found, expected):
    numpy.testing.assert_array_equal(found, expected)


# ---- results ------------------------------------------------------------------------------------------------------


def test_reduce(queue):
    x = random.integers(-50, 50, 1000, numpy.int32)
    assert moderncl.reduce(queue, x, moderncl.ADD) == x.sum()
    assert moderncl.reduce(queue, x, moderncl.ADD, numpy.int64, initial=7) == x.sum() + 7
    large = numpy.full(4, 2000000000, numpy.int32)
    assert moderncl.reduce(queue, large, moderncl.ADD) == large.sum() == 8000000000
    assert moderncl.reduce(queue, large, moderncl.ADD, initial=-1) == 7999999999
    assert moderncl.reduce(queue, large.astype(numpy.uint32), moderncl.ADD).dtype == numpy.uint64
    assert moderncl.reduce(queue, numpy.full(300, 127, numpy.int8), moderncl.ADD) == 300 * 127
    assert moderncl.reduce(queue, large, moderncl.MIN).dtype == numpy.int32
    assert moderncl.reduce(queue, large.astype(numpy.float32), moderncl.ADD).dtype == numpy.float32
    most = moderncl.reduce(queue, queue.array(x), moderncl.MAX_INDEX)
    assert (most["value"], most["index"]) == (x.max(), x.argmax())
    ends = moderncl.min_max(queue, x)
    assert (ends["least"], ends["greatest"]) == (x.min(), x.max())
    assert moderncl.count_if(queue, x, moderncl.test("x > limit", {"limit": numpy.int32(5)})) == (x > 5).sum()


def test_result_in_a_slot_counts_the_next_call(queue):
    x = numpy.array([5, 5, 7, 7, 7, 9], numpy.int32)
    kept, count = queue.empty(6, numpy.int32), queue.empty(1, numpy.uint32)
    assert moderncl.unique(queue, x, kept, moderncl.EQUAL, count.slot()) is None
    assert moderncl.reduce(queue, moderncl.with_count(kept, count.slot()), moderncl.ADD) == 21
    assert count.get()[0] == 3
    first, rejected = queue.empty(6, numpy.int32), queue.empty(6, numpy.int32)
    counts = numpy.zeros(2, numpy.int64)
    moderncl.partition(queue, x, first, rejected, moderncl.test("x == 7"), counts)
    same(counts, [3, 3])


def test_scan_and_a_fold_of_ones_own(queue):
    x = random.integers(0, 9, 1000, numpy.int32)
    sums = queue.empty(1000, numpy.int64)
    moderncl.scan(queue, x, sums, moderncl.ADD, moderncl.INCLUSIVE)
    same(sums.get(), x.cumsum())
    point = moderncl.struct("point", numpy.dtype([("x", "f4"), ("n", "i4")], align=True))
    points = numpy.array([(1.5, 1), (2.5, 2)], point)
    add = moderncl.fold("together(p, q)", identity="nothing()", source="""
        static inline point together(point p, point q) { p.x += q.x; p.n += q.n; return p; }
        static inline point nothing(void) { point p; p.x = 0; p.n = 0; return p; }""")
    assert moderncl.reduce(queue, points, add).tolist() == (4.0, 3)


# ---- operations ---------------------------------------------------------------------------------------------------


def test_sorts(queue):
    keys = random.random(1000, numpy.float32)
    out = queue.empty(1000, numpy.float32)
    moderncl.sort(queue, keys, out, moderncl.GREATER)
    same(out.get(), numpy.sort(keys)[::-1])
    best = queue.empty(3, numpy.float32)
    moderncl.top_k(queue, keys, 3, best, moderncl.LESS, count=None)
    same(best.get(), numpy.sort(keys)[:3])
    rows = queue.empty(4, numpy.int32)
    first, second = queue.array(numpy.int32([1, 0, 1, 0])), queue.array(numpy.float32([1, 2, 3, 4]))
    moderncl.sort_columns_indices(queue, [(first, moderncl.LESS), (second, moderncl.GREATER)], rows)
    same(rows.get(), [3, 1, 2, 0])
    moderncl.segmented_sort(queue, keys, moderncl.segments_from_rows(2, 500), out, moderncl.LESS, moderncl.STABLE)
    same(out.get(), numpy.sort(keys.reshape(2, 500)).ravel())


def test_relations(queue):
    a, b = numpy.int32([100, 101, 103, 103]), numpy.int32([100, 100, 102, 103])
    out_a, out_b = queue.empty(16, numpy.int32), queue.empty(16, numpy.int32)
    count = moderncl.join(queue, moderncl.JOIN_OUTER, a, b, out_a, out_b, moderncl.LESS)
    same(out_a.get()[:count], [0, 0, 1, 2, 3, -1])
    same(out_b.get()[:count], [0, 1, -1, 3, 3, 2])
    keys, values = numpy.int32([2, 1, 2, 3, 1, 2]), queue.array(numpy.float32([1, 2, 3, 4, 5, 6]))
    groups, sums, least = queue.empty(6, numpy.int32), queue.empty(6, numpy.float32), queue.empty(6, numpy.float32)
    aggregates = [(values, moderncl.ADD, sums), (values, moderncl.MIN, least)]
    count = moderncl.group_by(queue, keys, groups, aggregates)
    same(groups[:count].get(), [1, 2, 3])
    same(sums[:count].get(), [7, 10, 4])
    same(least[:count].get(), [2, 1, 4])
    assert moderncl.distinct(queue, keys, None) == 3
    bins = queue.empty(2, numpy.float32)
    moderncl.histogram(queue, keys, moderncl.index("x - 1"), values, bins)
    same(bins.get(), [7, 10])


def test_map(queue):
    found = moderncl.Map(queue.context, numpy.int32, numpy.float32)
    moderncl.map_insert(queue, found, numpy.int32([5, 6, 7]), numpy.float32([0.5, 0.25, 2]))
    moderncl.map_insert_or_apply(queue, found, numpy.int32([5]), numpy.float32([0.5]), moderncl.ADD)
    values = queue.empty(3, numpy.float32)
    moderncl.map_find(queue, found, numpy.int32([7, 8, 5]), values, -1, None)
    same(values.get(), [2, -1, 1])
    assert moderncl.map_size(queue, found) == 3


def test_multimap(queue):
    found = moderncl.Multimap(queue.context, numpy.int32, numpy.float32)
    moderncl.multimap_insert(queue, found, numpy.int32([7, 3, 7]), numpy.float32([0.5, 0.25, 2]))
    rows = queue.empty(4, numpy.int32)
    values = queue.empty(4, numpy.float32)
    count = moderncl.multimap_retrieve(queue, found, numpy.int32([3, 5, 7]), rows, values, None)
    same(rows[:count].get(), [0, 2, 2])
    same(values[:count].get(), [0.25, 0.5, 2])
    assert moderncl.multimap_size(queue, found) == 3


def test_inputs(queue):
    x = queue.array(numpy.int32([1, 3, 6, 10]))
    out = queue.empty(4, numpy.int32)

    def stored(made):
        moderncl.transform(queue, made, out[: made.count])
        return out[: made.count].get()

    same(stored(moderncl.from_reversed(x)), [10, 6, 3, 1])
    same(stored(moderncl.from_rotated(x, 1)), [3, 6, 10, 1])
    same(stored(moderncl.from_differences(x)), [1, 2, 3, 4])
    same(stored(moderncl.from_neighbours(numpy.int32, "p[i] + q[i]", x)), [4, 9, 16])
    same(numpy.sort(stored(moderncl.from_shuffled(x, 1))), [1, 3, 6, 10])
    same(stored(moderncl.from_step(numpy.int32, 2, 3, 4)), [2, 5, 8, 11])
    same(stored(moderncl.from_counting(numpy.int32, 2, 3)), [2, 3, 4])
    same(stored(moderncl.from_constant(numpy.int32, 7, 2)), [7, 7])
    bound = {"v": x, "k": numpy.int32(2)}
    same(stored(moderncl.from_expression(numpy.int32, "v[i] * k", 4, bound)), [2, 6, 12, 20])
    moderncl.random(queue, out, 1, 0, -2, 2)
    assert (abs(out.get()) <= 2).all()


def test_recording_events_and_preparing(queue):
    x, total = queue.array(numpy.int32([1, 2, 3])), queue.empty(1, numpy.int32)
    moderncl.record_begin(queue)
    moderncl.reduce(queue, x, moderncl.ADD, total.slot())
    recording = moderncl.record_end(queue)
    x.set([4, 5, 6])
    moderncl.replay(queue, recording)
    done = moderncl.event_record(queue)
    moderncl.event_wait(done)
    moderncl.queue_wait(queue, [done])
    moderncl.reduce(queue, x, moderncl.MAX, total.slot(), wait=[done])
    same(total.get(), [6])
    preparing = moderncl.Queue(queue.context, preparing=True)
    moderncl.sort(preparing, x, x, moderncl.GREATER)
    same(x.get(), [4, 5, 6])


def test_kernel_of_ones_own(queue):
    x, out = queue.array(numpy.float32([1, 2, 3])), queue.empty(3, numpy.float32)
    kernel = {
        "name": "twice.cl",
        "text": open(os.path.join(os.path.dirname(__file__), "../../tests/consumer/twice.cl")).read(),
        "passes": [("twice", "in out")],
        "inputs": [("in", numpy.float32)],
        "outputs": [("out", numpy.float32)],
    }
    tile = moderncl.kernel_tile(queue, kernel)
    launch = {"groups": moderncl.tile_groups(tile, 3),
              "arguments": [moderncl.argument_input(x), moderncl.argument_output(out)]}
    moderncl.kernel_launch(queue, kernel, [launch], [])
    same(out.get(), [2, 4, 6])


# ---- failures -----------------------------------------------------------------------------------------------------


def test_failures(queue):
    x = queue.array(numpy.int32([1, 2, 3]))
    with pytest.raises(moderncl.Error, match="mcl_sort: ") as caught:
        moderncl.sort(queue, x, queue.empty(3, numpy.float32), moderncl.LESS)
    assert caught.value.name == "MCL_ERROR_TYPE"
    with pytest.raises(moderncl.Error) as caught:
        moderncl.compact(queue, x, queue.empty(1, numpy.int32), moderncl.test("1"))
    assert caught.value.name == "MCL_ERROR_CAPACITY" and caught.value.results == [3]
    with pytest.raises(moderncl.Error, match="no such"):
        moderncl.Context("opencl:no such platform")
    with pytest.raises(TypeError, match="queue.empty"):
        moderncl.sort(queue, x, numpy.empty(3, numpy.int32), moderncl.LESS)
    with pytest.raises(TypeError, match="no option"):
        moderncl.reduce(queue, x, moderncl.ADD, colour=3)
    with pytest.raises(TypeError, match="lacks its argument op"):
        moderncl.reduce(queue, x)
    with pytest.raises(TypeError, match="moderncl.struct"):
        queue.array([1j])


def test_every_function_is_there():
    missing = [name for name in _functions.names() if not getattr(moderncl, name).__doc__]
    assert not missing
    classes = "context queue buffer event recording map multimap opencl cuda allocator block binding to log status last".split()
    others = ["from_buffer", "with_count_of", "work_in_slot_of", "device_list"]  # Array, with_count, devices
    for name in _functions.by_hand():
        assert hasattr(moderncl, name) or name.split("_")[0] in classes or name in others, name
    assert moderncl.version() and moderncl.devices()
    assert moderncl.sort.__doc__.startswith("Sorts") or "stable" in moderncl.sort.__doc__


# ---- arrays of others ---------------------------------------------------------------------------------------------


def test_pyopencl_arrays_are_not_copied(queue):
    cl = pytest.importorskip("pyopencl")
    from pyopencl import array

    if queue.context.info()["backend"] != "opencl":
        pytest.skip("not an OpenCL device")
    name = queue.context.info()["name"]
    devices = [d for platform in cl.get_platforms() for d in platform.get_devices() if d.name.strip() == name]
    context = cl.Context(devices[:1])
    theirs = cl.CommandQueue(context)
    ours = moderncl.Queue.from_opencl(moderncl.Context.from_opencl(context), theirs)
    x = array.to_device(theirs, numpy.float32([3, 1, 2, 5, 4]))
    moderncl.sort(ours, x[1:4], x[1:4], moderncl.LESS)
    same(x.get(), [3, 1, 2, 5, 4])
    moderncl.sort(ours, x, x, moderncl.LESS)
    same(x.get(), [1, 2, 3, 4, 5])
    assert moderncl.reduce(ours, x[2:], moderncl.ADD) == 12
    with pytest.raises(ValueError, match="contiguous"):
        moderncl.reduce(ours, array.to_device(theirs, numpy.ones((4, 4), numpy.float32))[:, 1], moderncl.ADD)


class Exposed:
    def __init__(self, address, shape, typestr, strides=None, stream=None):
        self.__cuda_array_interface__ = {"data": (address, False), "shape": shape, "typestr": typestr,
                                         "strides": strides, "stream": stream, "version": 3}


def test_cuda_array_interface_elsewhere(queue):
    with pytest.raises(ValueError, match="contiguous"):
        moderncl.reduce(queue, Exposed(256, (4,), "<f4", (16,)), moderncl.ADD)
    if queue.context.info()["backend"] != "cuda":
        with pytest.raises(moderncl.Error, match="mcl_cuda_buffer_wrap"):
            moderncl.reduce(queue, Exposed(256, (4,), "<f4"), moderncl.ADD)


def test_cuda_array_interface():
    try:
        queue = moderncl.Queue(moderncl.Context("cuda"))
    except moderncl.Error:
        pytest.skip("no CUDA device")
    x = queue.array(numpy.float32([3, 1, 2, 5, 4]))
    address = int(moderncl.cuda_buffer(x.buffer))
    shown = Exposed(address, (5,), "<f4", stream=1)
    moderncl.sort(queue, shown, shown, moderncl.LESS)
    same(x.get(), [1, 2, 3, 4, 5])
    assert moderncl.reduce(queue, Exposed(address + 8, (3,), "<f4", (4,)), moderncl.ADD) == 12
