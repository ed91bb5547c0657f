"""moderncl.pyopencl: PyOpenCL's algorithms, scans and reductions, beside NumPy."""

import numpy
import pytest

cl = pytest.importorskip("pyopencl")
pytest.importorskip("mako")
array = pytest.importorskip("pyopencl.array")
ours = pytest.importorskip("moderncl.pyopencl")

COUNTS = (1, 5, 1000, 70003)


@pytest.fixture(scope="module")
def theirs(queue):
    """A queue of PyOpenCL's on the tests' device."""
    if queue.context.info()["backend"] != "opencl":
        pytest.skip("not an OpenCL device")
    name = queue.context.info()["name"]
    devices = [d for platform in cl.get_platforms() for d in platform.get_devices() if d.name.strip() == name]
    if not devices:
        pytest.skip("PyOpenCL does not see this device")
    return cl.CommandQueue(cl.Context(devices[:1]))


def numbers(count, high=1000, dtype=numpy.int32):
    return numpy.random.default_rng(count).integers(0, high, count).astype(dtype)


def same(found, expected):
    numpy.testing.assert_array_equal(found.get() if hasattr(found, "get") else found, expected)


@pytest.mark.parametrize("count", COUNTS)
def test_what_keeps_some(theirs, count):
    data = numbers(count)
    x = array.to_device(theirs, data)
    limit = [("limit", numpy.int32(300))]
    out, kept, event = ours.copy_if(x, "ary[i] > limit && i % 3 != 1", limit)
    event.wait()
    keep = (data > 300) & (numpy.arange(count) % 3 != 1)
    assert kept.shape == () and kept.dtype == numpy.uint32
    same(out.get()[:int(kept.get())], data[keep])
    out, kept, _ = ours.remove_if(x, "ary[i] > limit", limit)
    same(out.get()[:int(kept.get())], data[data <= 300])
    yes, no, kept, _ = ours.partition(x, "is_large(ary[i])", preamble="bool is_large(int k) { return k > 300; }")
    same(yes.get()[:int(kept.get())], data[data > 300])
    same(no.get()[:count - int(kept.get())], data[data <= 300])
    data.sort()
    out, kept, _ = ours.unique(array.to_device(theirs, data), "a / 10 == b / 10")
    same(out.get()[:int(kept.get())], data[numpy.concatenate([[0], 1 + numpy.flatnonzero(numpy.diff(data // 10))])])


@pytest.mark.parametrize("count", COUNTS)
def test_radix_sort(theirs, count):
    keys, values, wide = numbers(count, 2**20), numbers(count), numbers(count, dtype=numpy.float64)
    on_device = [array.to_device(theirs, one) for one in (keys, values, wide)]
    (found,), _ = ours.RadixSort(theirs.context, "int *k", "k[i]", ["k"])(on_device[0])
    same(found, numpy.sort(keys))
    by_12_bits = numpy.argsort(keys & 4095, kind="stable")
    sort = ours.RadixSort(theirs.context, "int *k, int *v", "k[i]", ["k", "v"], bits_at_a_time=3)
    (found, moved), event = sort(*on_device[:2], key_bits=11)
    event.wait()
    same(found, keys[by_12_bits])
    same(moved, values[by_12_bits])
    backwards = numpy.argsort(2**20 - keys, kind="stable")
    sort = ours.RadixSort(theirs.context, "int *k, int *v, double *w, int top", "top - k[i]", ["k", "v", "w"])
    found, _ = sort(*on_device, numpy.int32(2**20))
    for one, data in zip(found, (keys, values, wide)):
        same(one, data[backwards])


@pytest.mark.parametrize("count", COUNTS)
def test_scans(theirs, count):
    data = numbers(count, 10)
    x = array.to_device(theirs, data)
    same(ours.InclusiveScanKernel(theirs.context, numpy.int32, "a+b", "0")(x, "new"), numpy.cumsum(data))
    greatest = ours.ExclusiveScanKernel(theirs.context, numpy.int32, "max(a, b)", "-1")(x, "new")
    same(greatest, numpy.concatenate([[-1], numpy.maximum.accumulate(data)[:-1]]))
    # What is neutral on one side alone is stored all the same.
    same(ours.ExclusiveScanKernel(theirs.context, numpy.int32, "b", "77")(x, "new"), numpy.concatenate([[77], data[:-1]]))
    ours.ExclusiveScanKernel(theirs.context, numpy.int32, "a+b", "0")(x)
    same(x, numpy.cumsum(data) - data)
    # The statement stores where the scan cannot, and looks at both ends.
    scan = ours.GenericScanKernel(
        theirs.context, numpy.int32, "int *x, int *out", "x[i] * weight(i)", "a+b", "0",
        "out[N - 1 - i] = last_item - prev_item;", preamble="#define weight(k) (k % 2)")
    x, out = array.to_device(theirs, data), array.empty(theirs, count, numpy.int32)
    scan(x, out).wait()
    sums = numpy.cumsum(data * (numpy.arange(count) % 2))
    same(out, (sums[-1] - numpy.concatenate([[0], sums[:-1]]))[::-1])


@pytest.mark.parametrize("statement", ["out[i] = item;", "out[i] = prev_item", "x[i] = item;"])
def test_segmented_scan(theirs, statement):
    count = 3001
    data, flags = numbers(count, 10), (numbers(count, 9) == 0)
    scan = ours.GenericScanKernel(
        theirs.context, numpy.int32, "int *x, char *starts, int *out", "x[i]", "across_seg_boundary ? b : a + b", "0",
        statement, is_segment_start_expr="starts[i]")
    x, out = array.to_device(theirs, data), array.empty(theirs, count, numpy.int32)
    scan(x, array.to_device(theirs, flags.astype(numpy.int8)), out)
    expected = numpy.empty_like(data)
    total = 0
    for k in range(count):
        total = data[k] if flags[k] else total + data[k]
        expected[k] = total - data[k] if "prev_item" in statement else total
    same(x if statement.startswith("x") else out, expected)


def test_segmented_scan_of_structs(theirs):
    """The scan stores to another array than it reads, then to the same one, which the statement does."""
    from pyopencl.tools import get_or_register_dtype, match_dtype_to_c_struct

    count = 1000
    kind, text = match_dtype_to_c_struct(theirs.device, "triple", numpy.dtype([(name, "i4") for name in "abc"]))
    kind = get_or_register_dtype("triple", kind)
    data = numpy.zeros(count, kind)
    data["b"] = numbers(count, 10)
    expected = numpy.concatenate([numpy.cumsum(part) for part in numpy.split(data["b"], range(100, count, 100))])
    text += "triple plus(triple p, triple q) { q.b += p.b; return q; } triple none() { triple t = {0, 0, 0}; return t; }"
    for source in ("x[i]", "x[i + 0]"):
        x, out = array.to_device(theirs, data), array.to_device(theirs, data)
        scan = ours.GenericScanKernel(
            theirs.context, kind, "triple *x, triple *out", source, "across_seg_boundary ? b : plus(a, b)", "none()",
            "out[i] = item;", is_segment_start_expr="i % 100 == 0", preamble=text)
        scan(x, out)
        same(out.get()["b"], expected)
        scan(x, x)
        same(x.get()["b"], expected)


def test_arrays_with_offsets(theirs):
    data = numbers(100)
    x = array.to_device(theirs, data)
    ours.InclusiveScanKernel(theirs.context, numpy.int32, "a+b", "0")(x[10:50])
    data[10:50] = numpy.cumsum(data[10:50])
    same(x, data)
    # Element i is replaced while element i - 1 is read: the scan cannot store at once.
    scan = ours.GenericScanKernel(theirs.context, numpy.int32, "int *x", "i ? before : 7", "a+b", "0", "x[i] = item;",
                                  input_fetch_exprs=[("before", "x", -1)])
    scan(x)
    same(x, numpy.cumsum(numpy.concatenate([[7], data[:-1]])))


def test_reductions(theirs):
    data = numbers(5000, dtype=numpy.float64)
    x = array.to_device(theirs, data)
    dot = ours.ReductionKernel(theirs.context, numpy.float64, "0", "a+b", "w * x[i] * x[i]", "double w, double *x")
    assert dot(2, x).get() == 2 * (data * data).sum()
    assert dot(2, x, slice=slice(3, 4000, 7)).get() == 2 * (data[3:4000:7] ** 2).sum()
    assert dot(2, x, range=slice(0, 0)).get() == 0
    greatest = ours.ReductionKernel(theirs.context, numpy.float64, "-INFINITY", "fmax(a, b)", arguments="double *in")
    out = array.zeros(theirs, 3, numpy.float64)
    found, event = greatest(x, out=out[1], return_event=True)
    event.wait()
    same(out, [0, data.max(), 0])
    shifted = ours.ReductionKernel(theirs.context, numpy.complex64, "cfloat_new(0, 0)", "cfloat_add(a, b)",
                                   "cfloat_add(in[i], by)", "cfloat_t *in, cfloat_t by")
    numpy.testing.assert_allclose(shifted(array.zeros(theirs, 10, numpy.complex64), numpy.complex64(2 + 1j)).get(), 20 + 10j)
    z = array.to_device(theirs, (data + 1j).astype(numpy.complex64))
    total = ours.ReductionKernel(theirs.context, numpy.complex64, "cfloat_new(0, 0)", "cfloat_add(a, b)",
                                 arguments="cfloat_t *in")(z).get()
    numpy.testing.assert_allclose(total, data.sum() + 5000j, rtol=1e-6)


def test_lists(theirs):
    keys, values = numbers(3000, 50), numbers(3000)
    starts, lists, _ = ours.KeyValueSorter(theirs.context)(
        theirs, array.to_device(theirs, keys), array.to_device(theirs, values), 60, numpy.int32)
    order = numpy.argsort(keys, kind="stable")
    same(starts, numpy.searchsorted(keys[order], numpy.arange(61)))
    same(lists, values[order])
    text = "void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) { for (int k = 0; k < i % 4; ++k) APPEND_one(i); }"
    builder = ours.ListOfListsBuilder(theirs.context, [("one", numpy.int32)], text, arg_decls=[],
                                      eliminate_empty_output_lists=["one"])
    found, _ = builder(theirs, 1000)
    same(found["one"].lists, numpy.repeat(numpy.arange(1000), numpy.arange(1000) % 4))
    same(found["one"].nonempty_indices, numpy.flatnonzero(numpy.arange(1000) % 4))


def test_what_the_library_cannot_serve(theirs):
    x = array.to_device(theirs, numbers(10))
    with pytest.raises(NotImplementedError, match="the options are .*; PyOpenCL's own class of the same name serves it"):
        ours.ReductionKernel(theirs.context, numpy.int32, "0", "a+b", arguments="int *in", options=["-DX"])
    with pytest.raises(NotImplementedError, match="the library says: mcl_reduce"):
        ours.ReductionKernel(theirs.context, numpy.int32, "0", "unknown(a, b)", arguments="int *in")(x)
    with pytest.raises(NotImplementedError, match="sort_arg_names has another order"):
        ours.RadixSort(theirs.context, "int *k, int *v", "k[i]", ["v", "k"])


@pytest.fixture
def own_serves_the_rest(monkeypatch):
    """PyOpenCL's modules after install(falls_back=True), until the test ends."""
    import pyopencl.algorithm
    import pyopencl.reduction
    import pyopencl.scan

    for module in (pyopencl.algorithm, pyopencl.reduction, pyopencl.scan):
        for name in ours.__all__:
            if hasattr(module, name):
                monkeypatch.setattr(module, name, getattr(module, name))
    assert "pyopencl.scan.GenericScanKernel" in ours.install(falls_back=True)
    ours.not_served.clear()
    yield pyopencl
    ours.not_served.clear()


def test_own_code_serves_what_the_library_cannot(theirs, own_serves_the_rest):
    algorithm, reduction, scan = (getattr(own_serves_the_rest, name) for name in ("algorithm", "reduction", "scan"))
    data = numbers(1000, 9)
    x = array.to_device(theirs, data)
    # What the library serves is still its own.
    same(scan.InclusiveScanKernel(theirs.context, numpy.int32, "a+b", "0")(x, "new"), data.cumsum())
    same(reduction.ReductionKernel(theirs.context, numpy.int32, "0", "a+b", arguments="int *in")(x), data.sum())
    same(algorithm.RadixSort(theirs.context, "int *k", "k[i]", ["k"])(x)[0][0], numpy.sort(data))
    assert ours.not_served == []
    # When an object is made, and when it is called.
    options = ["-DONE=1"]
    same(scan.InclusiveScanKernel(theirs.context, numpy.int32, "a+b*ONE", "0", options=options)(x, "new"), data.cumsum())
    same(scan.ExclusiveScanKernel(theirs.context, numpy.int32, "a+b", "0", options=options)(x, "new"), data.cumsum() - data)
    made = reduction.ReductionKernel(theirs.context, numpy.int32, "0", "a+b*ONE", arguments="int *in", options=options)
    same(made(x), data.sum())
    same(algorithm.RadixSort(theirs.context, "int *k", "k[i]", ["k"], options=options)(x)[0][0], numpy.sort(data))
    text = "is_word(ary[i], get_global_id(0) + 1)"
    names = [name for name, _ in ours.not_served]
    assert names == ["GenericScanKernel", "GenericScanKernel", "ReductionKernel", "RadixSort"]
    assert all("the options are" in reason for _, reason in ours.not_served)
    with pytest.raises(cl.RuntimeError):
        algorithm.copy_if(x, text)
    assert ours.not_served[-1][0] == "copy_if" and "the library says: mcl_compact" in ours.not_served[-1][1]


def test_own_code_serves_wide_elements(theirs, own_serves_the_rest):
    dtype = numpy.dtype([(f"sum{k}", numpy.int64) for k in range(9)])
    dtype, declared = cl.tools.match_dtype_to_c_struct(theirs.device, "nine_sums", dtype)
    dtype = cl.tools.get_or_register_dtype("nine_sums", dtype)
    zeros = "{ " + ", ".join("0" for _ in range(9)) + " }"
    sums = " ".join(f"c.sum{k} = a.sum{k} + b.sum{k};" for k in range(9))
    preamble = (f"{declared}\nnine_sums none(void) {{ nine_sums c = {zeros}; return c; }}\n"
                f"nine_sums both(nine_sums a, nine_sums b) {{ nine_sums c; {sums} return c; }}")
    scan = own_serves_the_rest.scan.InclusiveScanKernel(theirs.context, dtype, "both(a, b)", "none()", preamble=preamble)
    data = numpy.zeros(100, dtype)
    data["sum8"] = numpy.arange(100)
    found = scan(array.to_device(theirs, data), "new").get()
    same(found["sum8"], data["sum8"].cumsum())
    same(found["sum0"], data["sum0"])
    assert [(name, "72 bytes" in reason) for name, reason in ours.not_served] == [("GenericScanKernel", True)]


def test_out_of_order_queue_and_events(theirs):
    queue = cl.CommandQueue(theirs.context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    x = array.to_device(theirs, numbers(1000))
    gate = cl.UserEvent(theirs.context)
    out, kept, event = ours.copy_if(x, "ary[i] >= 0", queue=queue, wait_for=[gate])
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    event.wait()
    same(out, x.get())
