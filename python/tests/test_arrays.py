"""Arrays as NumPy's users know them, and DLPack."""

import ctypes
import gc
import operator

import numpy
import pytest

import moderncl
from moderncl import _dlpack


def same(found, expected):
    numpy.testing.assert_array_equal(found, expected)


def test_facts(queue):
    x = queue.array(numpy.int32([3, 1, 4, 1, 5]))
    assert (x.shape, x.ndim, x.size, len(x), x.itemsize, x.nbytes) == ((5,), 1, 5, 5, 4, 20)
    assert (x[1:3].shape, x[1:3].nbytes, x[5:].shape) == ((2,), 8, (0,))
    assert repr(x) == "moderncl.Array([3, 1, 4, 1, 5], shape=(5,), dtype=int32)"
    assert repr(queue.array(numpy.arange(1000))) == \
        "moderncl.Array([0, 1, 2, ..., 997, 998, 999], shape=(1000,), dtype=int64)"
    assert repr(x.slot(2)) == "<moderncl.Slot 2 of 5 int32>"
    assert repr(moderncl.from_counting(numpy.int32, 0, 7)) == "<moderncl.Input of 7 int32>"
    assert len(moderncl.from_counting(numpy.int32, 0, 7)) == 7
    assert repr(queue).startswith("moderncl.Queue(moderncl.Context(") and queue.context.info()["name"] in repr(queue)
    pairs = [kind(queue.context, "i4", "f4") for kind in (moderncl.Map, moderncl.Multimap)]
    assert [repr(made) for made in pairs] == ["<moderncl.Map of int32 to float32>", "<moderncl.Multimap of int32 to float32>"]
    assert repr(moderncl.Map(queue.context, "i8")) == "<moderncl.Map of int64>"
    assert moderncl.__version__ == moderncl.version() and moderncl.__version__.count(".") == 2


def test_repr_while_the_queue_records(queue):
    x = queue.array(numpy.int32([1, 2]))
    moderncl.record_begin(queue)
    text = repr(x)
    moderncl.record_end(queue)
    assert text == "moderncl.Array(..., shape=(2,), dtype=int32)"


def test_numpy_takes_an_array(queue):
    x = queue.array(numpy.float32([1, 2, 4]))
    same(numpy.asarray(x), [1, 2, 4])
    assert numpy.asarray(x).dtype == numpy.float32
    assert numpy.asarray(x[1:], numpy.float64).tolist() == [2, 4]
    assert numpy.mean(x) == numpy.float32(7 / 3)
    with pytest.raises(ValueError, match="expected copy=None or True"):
        x.__array__(copy=False)
    assert list(x) == [1, 2, 4]


def test_elements(queue):
    values = numpy.array([(1.5, 1), (2.5, 2)], moderncl.struct("pair_of", numpy.dtype([("x", "f4"), ("n", "i4")])))
    x = queue.array(numpy.int16([3, 1, 4, 1, 5]))
    assert (x[0], x[-1], x[numpy.int64(2)], x[1:][1]) == (3, 5, 4, 4)
    assert isinstance(x[0], numpy.int16)
    assert queue.array(values)[1].tolist() == (2.5, 2)
    for index in (5, -6):
        with pytest.raises(IndexError, match=f"the index is {index}; expected -5 to 4"):
            x[index]
    with pytest.raises(TypeError, match="the step of a part is 2; expected 1"):
        x[::2]
    with pytest.raises(TypeError, match="an integer or a part a:b, not list"):
        x[[1, 2]]


def test_elements_are_set(queue):
    x = queue.array(numpy.int16([3, 1, 4, 1, 5]))
    x[0] = 9
    x[-1] = 7.0
    x[1:3] = [2, 6]
    same(x, [9, 2, 6, 1, 7])
    x[2:] = 8
    same(x, [9, 2, 8, 8, 8])
    x[5:] = 1  # no element
    same(x, [9, 2, 8, 8, 8])
    with pytest.raises(ValueError, match="3 elements for an array of 2"):
        x[:2] = [1, 2, 3]
    with pytest.raises(IndexError, match="the index is 5; expected -5 to 4"):
        x[5] = 1
    with pytest.raises(OverflowError):
        x[0] = 40000
    same(x, [9, 2, 8, 8, 8])


def test_two_dimensions_are_refused(queue):
    table = numpy.zeros((3, 4), numpy.float32)
    sentence = r"has 2 dimensions, of shape \(3, 4\); expected 1: ravel\(\) makes"
    out = queue.empty((12,), numpy.float32)
    assert out.shape == (12,)
    for call in (
        lambda: queue.array(table),
        lambda: queue.array(table.tolist()),
        lambda: queue.empty((3, 4), numpy.float32),
        lambda: out.set(table),
        lambda: moderncl.sort(queue, table, out, moderncl.LESS),
        lambda: moderncl.reduce(queue, Shown((3, 4)), moderncl.ADD),
    ):
        with pytest.raises(ValueError, match=sentence):
            call()
    moderncl.segmented_sort(queue, table.ravel(), moderncl.segments_from_rows(3, 4), out, "p < q", moderncl.STABLE)
    assert queue.array(numpy.int32(7)).get().tolist() == [7]


class Shown:
    def __init__(self, shape):
        self.__cuda_array_interface__ = {"data": (256, False), "shape": shape, "typestr": "<f4", "version": 3}


def test_pyopencl_arrays_of_two_dimensions_are_refused(queue):
    pytest.importorskip("pyopencl")
    from pyopencl import array

    if queue.context.info()["backend"] != "opencl":
        pytest.skip("not an OpenCL device")
    theirs, ours = both(queue)
    with pytest.raises(ValueError, match="PyOpenCL has 2 dimensions"):
        moderncl.reduce(ours, array.to_device(theirs, numpy.ones((4, 4), numpy.float32)), moderncl.ADD)


def both(queue):
    """A queue of PyOpenCL's on the same device, and one of ours around it."""
    import pyopencl as cl

    name = queue.context.info()["name"]
    devices = [d for platform in cl.get_platforms() for d in platform.get_devices() if d.name.strip() == name]
    theirs = cl.CommandQueue(cl.Context(devices[:1]))
    return theirs, moderncl.Queue.from_opencl(moderncl.Context.from_opencl(theirs.context), theirs)


# ---- DLPack -------------------------------------------------------------------------------------------------------


class Version0:
    """What gives the capsule of DLPack before version 1."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__(stream=stream)


@pytest.mark.parametrize("given", [lambda array: array, Version0])
def test_dlpack_shares_memory(queue, given):
    x = queue.array(numpy.float32([9, 3, 1, 2]))
    y = queue.from_dlpack(given(x[1:]))
    assert (y.dtype, y.shape) == (numpy.float32, (3,))
    moderncl.sort(queue, y, y, "p < q")
    same(x.get(), [9, 1, 2, 3])
    held = len(_dlpack._given)
    del y
    gc.collect()
    assert len(_dlpack._given) == held - 1
    assert x.__dlpack_device__()[0] == {"opencl": 4, "cuda": 2}[queue.context.info()["backend"]]


def test_dlpack_arrays_are_operands(queue):
    x = queue.array(numpy.int32([3, 1, 2]))
    moderncl.sort(queue, Version0(x), Version0(x), "p > q")
    same(x.get(), [3, 2, 1])


def test_dlpack_keeps_the_memory(queue):
    capsule = queue.array(numpy.int32([1, 2, 3])).__dlpack__(max_version=(1, 0))
    held = len(_dlpack._given)
    gc.collect()
    assert len(_dlpack._given) == held
    del capsule  # nobody has taken it
    other = queue.array(numpy.int32([4])).__dlpack__()
    assert len(_dlpack._given) == held
    del other


def test_dlpack_is_refused_by_a_sentence(queue):
    x = queue.array(numpy.int32([1, 2, 3]))
    with pytest.raises((RuntimeError, BufferError), match="device"):  # NumPy's own
        numpy.from_dlpack(x)
    held = len(_dlpack._given)
    y = queue.from_dlpack(x)
    assert len(_dlpack._given) == held  # that of y, and no longer the refused one
    same(y.get(), [1, 2, 3])


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?"])
def test_dlpack_types(queue, dtype):
    x = queue.array(numpy.array([1, 0, 1], dtype))
    y = queue.from_dlpack(x)
    assert y.dtype == x.dtype
    same(y.get(), x.get())


def test_dlpack_to_and_from_the_host(queue):
    x = queue.array(numpy.int32([3, 1, 2]))
    theirs = x.__dlpack__(dl_device=(1, 0))
    same(numpy.from_dlpack(Taken(theirs)), [3, 1, 2])
    same(queue.from_dlpack(numpy.int64([5, 6])).get(), [5, 6])
    copy = queue.from_dlpack(Copied(x))
    x.set([0, 0, 0])
    same(copy.get(), [3, 1, 2])


class Taken:
    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **_):
        return self.capsule


class Copied:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(copy=True, **options)


def test_numpy_takes_a_copy_by_dlpack(queue):
    if tuple(map(int, numpy.__version__.split(".")[:2])) < (2, 1):
        pytest.skip("NumPy before 2.1 asks for no copy")
    same(numpy.from_dlpack(queue.array(numpy.int32([3, 1, 2])), device="cpu"), [3, 1, 2])


def test_tensors_of_tvm(queue):
    """Another library that knows DLPack on these devices, which takes and gives memory without a copy."""
    tvm_ffi = pytest.importorskip("tvm_ffi")
    x = queue.array(numpy.float32([3, 1, 2]))
    theirs = tvm_ffi.from_dlpack(x)
    assert (tuple(theirs.shape), str(theirs.dtype)) == ((3,), "float32")
    moderncl.sort(queue, theirs, theirs, "p < q")
    same(x.get(), [1, 2, 3])
    ours = queue.from_dlpack(theirs)
    del theirs
    gc.collect()
    moderncl.sort(queue, ours, ours, "p > q")
    same(x.get(), [3, 2, 1])


class Other:
    """Memory that is given with other facts than ours."""

    def __init__(self, array, **facts):
        self.array, self.facts = array, facts

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        capsule = self.array.__dlpack__(max_version=(1, 0))
        made = _dlpack._Versioned.from_address(_dlpack._pointer(id(capsule), b"dltensor_versioned"))
        for name, value in self.facts.items():
            setattr(made if name == "flags" else made.tensor, name, value)
        return capsule


def test_dlpack_refuses(queue):
    x = queue.array(numpy.int32([1, 2, 3]))
    held = len(_dlpack._given)
    for facts, message in (
        ({"kind": 4}, "expected integers, floats or bool"),
        ({"lanes": 2}, "expected integers, floats or bool"),
        ({"byte_offset": 2}, "the offset is 2 bytes; expected a multiple of 4"),
        ({"strides": (ctypes.c_int64 * 1)(2)}, "expected a contiguous one"),
    ):
        with pytest.raises(BufferError, match=message):
            queue.from_dlpack(Other(x, **facts))
    with pytest.raises(TypeError, match="an array that may be written"):
        moderncl.sort(queue, x, Other(x, flags=1), "p < q")
    with pytest.raises(BufferError, match="expected this one, or"):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(BufferError, match="DLPack has no elements of type"):
        queue.empty(2, numpy.dtype([("x", "f4"), ("y", "f4")])).__dlpack__()
    with pytest.raises(BufferError, match="expected the host or a device of"):
        queue.from_dlpack(Elsewhere())
    gc.collect()
    assert len(_dlpack._given) == held


class Elsewhere:
    def __dlpack_device__(self):
        return 10, 0
