"""Measures the package.

usage: bench.py --compare numpy [--device NAME] [--counts 1e6,1e7] [--rounds 15]
       bench.py DEVICE CALLS   what a call takes of the calling thread, for bench_call.c's calls

--compare: the same work by NumPy and by moderncl, whose arrays lie on the device (default: MCL_DEVICE, else POCL). Both
run by turns. A ratio is NumPy's time by ours, so above 1 ours is faster: the median of the rounds, and in brackets the
middle half of them. wall is what a caller waits; cpu is the processor time of the process, of all its threads, which
tells more where the machine is busy. Slow rows take fewer rounds, but 5 at least. Results are compared first. A row
that is slower by either ratio says why."""

import argparse
import os
import time

import numpy

import moderncl


# ---- the cost of a call -------------------------------------------------------------------------------------------


def microseconds(call, queue, count):
    """Of one call, the best of five rounds."""
    best = float("inf")
    for _ in range(5):
        start = time.thread_time()
        for _ in range(count):
            call()
        best = min(best, (time.thread_time() - start) / count)
        queue.finish()
    return best * 1e6


def cost_of_calls(device, count):
    from moderncl._library import ffi, lib

    queue = moderncl.Queue(moderncl.Context(device))
    x, y = queue.empty(16, "float32"), queue.empty(16, "float32")
    output = lib.mcl_to_buffer(y.type, y.buffer.pointer, 0, 16)
    rows = [
        ("lib.mcl_transform, by cffi alone", lambda: lib.mcl_transform(queue.pointer, x.input, output, ffi.NULL)),
        ("moderncl.transform", lambda: moderncl.transform(queue, x, y)),
        ("moderncl.sort", lambda: moderncl.sort(queue, x, y, moderncl.LESS)),
        ('moderncl.sort, "p < q"', lambda: moderncl.sort(queue, x, y, "p < q")),
    ]
    for name, call in rows:
        call()
        queue.finish()
        print(f"{microseconds(call, queue, count):8.2f}  {name}")


# ---- NumPy --------------------------------------------------------------------------------------------------------


def cases(queue, count):
    """(name, NumPy's call, ours, our result on the host) of each comparison."""
    random = numpy.random.default_rng(1)
    integers = random.integers(-(2**31), 2**31, count, numpy.int32)
    floats = random.random(count, numpy.float32)
    groups = random.integers(0, 1000, count, numpy.int32)
    many = random.integers(0, 10000, count, numpy.int32)
    weights = random.random(count)
    haystack = numpy.sort(integers)
    needles = numpy.sort(random.integers(-(2**31), 2**31, count, numpy.int32))
    few = random.integers(0, count // 4, count, numpy.int32)

    on = {name: queue.array(data) for name, data in (
        ("integers", integers), ("floats", floats), ("groups", groups), ("weights", weights), ("haystack", haystack),
        ("needles", needles), ("few", few), ("many", many))}
    out = {dtype: queue.empty(count, dtype) for dtype in ("i4", "i8", "f4", "f8")}
    bins, hundred, best = queue.empty(1000, "f8"), queue.empty(100, "i8"), queue.empty(10, "f4")
    counts, kept = queue.empty(1000, "i8"), queue.empty(count, "i4")
    many_bins, keys, sums = queue.empty(10000, "f8"), queue.empty(10000, "i4"), queue.empty(10000, "f8")

    def at_keys(found):
        """The sums at their groups' numbers, as bincount has them; few elements leave groups without one."""
        dense = numpy.zeros(10000)
        dense[keys[:found].get()] = sums[:found].get()
        return dense

    def unique():
        moderncl.sort(queue, on["few"], out["i4"], "p < q")
        return moderncl.unique(queue, out["i4"], kept, "p == q")

    yield ("sort, int32", lambda: numpy.sort(integers),
           lambda: moderncl.sort(queue, on["integers"], out["i4"], "p < q"), lambda _: out["i4"].get())
    yield ("sort, float32", lambda: numpy.sort(floats),
           lambda: moderncl.sort(queue, on["floats"], out["f4"], "p < q"), lambda _: out["f4"].get())
    yield ("sort, float64", lambda: numpy.sort(weights),
           lambda: moderncl.sort(queue, on["weights"], out["f8"], "p < q"), lambda _: out["f8"].get())
    yield ("cumsum, int32 to int64", lambda: numpy.cumsum(integers),
           lambda: moderncl.scan(queue, on["integers"], out["i8"], "p + q", moderncl.INCLUSIVE, None),
           lambda _: out["i8"].get())
    yield ("bincount, 1000 bins", lambda: numpy.bincount(groups, minlength=1000),
           lambda: moderncl.histogram(queue, on["groups"], "x", None, counts), lambda _: counts.get())
    yield ("bincount, weights", lambda: numpy.bincount(groups, weights, 1000),
           lambda: moderncl.histogram(queue, on["groups"], "x", on["weights"], bins), lambda _: bins.get())
    yield ("bincount, 10000 weights", lambda: numpy.bincount(many, weights, 10000),
           lambda: moderncl.histogram(queue, on["many"], "x", on["weights"], many_bins), lambda _: many_bins.get())
    yield ("group_by, 10000 groups", lambda: numpy.bincount(many, weights, 10000),
           lambda: moderncl.group_by(queue, on["many"], keys, [(on["weights"], "p + q", sums)]), at_keys)
    yield ("sum, int32 to int64", lambda: numpy.sum(integers), lambda: moderncl.reduce(queue, on["integers"], "p + q"),
           lambda sum: sum)
    yield ("unique, int32", lambda: numpy.unique(few), unique, lambda found: kept[:found].get())
    yield ("partition, 10 least", lambda: numpy.sort(numpy.partition(floats, 9)[:10]),
           lambda: moderncl.top_k(queue, on["floats"], 10, best, "p < q", None), lambda _: best.get())
    yield ("searchsorted, sorted", lambda: numpy.searchsorted(haystack, needles),
           lambda: moderncl.sorted_search_needles(queue, on["needles"], on["haystack"], moderncl.LOWER, out["i8"],
                                                  "p < q"),
           lambda _: out["i8"].get())
    yield ("histogram, 100 bins", lambda: numpy.histogram(weights, 100, (0, 1))[0],
           lambda: moderncl.histogram_even(queue, on["weights"], 0, 1, None, hundred), lambda _: hundred.get())
    yield ("lexsort, 2 columns", lambda: numpy.lexsort((integers, groups)),
           lambda: moderncl.sort_columns_indices(queue, [(on["groups"], "p < q"), (on["integers"], "p < q")],
                                                 out["i8"]),
           lambda _: out["i8"].get())


# Why NumPy is faster where it is by processor time.
EXACT_BINS = "our bins keep the rounding errors of their sums, in twice the memory; NumPy's sums are plain"
SIMD_SORT = "NumPy sorts by AVX2 or AVX-512, where it finds them; our radix sort moves a key once for each byte of it"
TWO_THREADS = "the work is so little that starting it on every core takes most of the time"
REASONS = {
    "sort, int32": SIMD_SORT,
    "sort, float32": SIMD_SORT,
    "sort, float64": SIMD_SORT,
    "bincount, weights": EXACT_BINS,
    "bincount, 10000 weights": EXACT_BINS,
    "group_by, 10000 groups": "each key is looked for in a table; NumPy's bincount takes it for an index",
}
BUDGET = 15  # seconds of a row after which no round begins


def why(name, cpu, load, cores):
    """What a row says in which ours is slower."""
    if cpu < 1:
        return REASONS.get(name, TWO_THREADS)
    if load > cores / 2:
        return f"our threads waited for cores that other programs had (load {load:.1f}); by cpu ours is faster"
    return TWO_THREADS


def timed(call, queue):
    """(wall, processor time of the process) of one call, to the end of its work."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    queue.finish()
    return time.perf_counter() - wall, time.process_time() - cpu


def same(name, theirs, ours):
    if theirs.dtype.kind == "f" and name.startswith(("bincount", "group_by")):
        numpy.testing.assert_allclose(ours, theirs, rtol=1e-9)
    else:
        numpy.testing.assert_array_equal(ours, theirs, name)


def spread(ratios):
    least, middle, greatest = numpy.quantile(ratios, [0.25, 0.5, 0.75])
    return f"{middle:6.2f} ({least:.2f} to {greatest:.2f})"


def compare(device, counts, rounds):
    queue = moderncl.Queue(moderncl.Context(device))
    info = queue.context.info()
    found = " ".join(numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])) or "none"
    print(f"NumPy {numpy.__version__}'s time by that of moderncl {moderncl.__version__} on {info['name']}, "
          f"{info['compute_units']} compute units. NumPy's vector instructions: {found}")
    print(f"{'':24} {'count':>6} {'NumPy ms':>9} {'ours ms':>9}   {'wall ratio':24} {'cpu ratio':24}")
    for count in counts:
        for name, theirs, ours, result in cases(queue, count):
            same(name, theirs(), result(ours()))
            times, start = [], time.perf_counter()
            while len(times) < rounds and (len(times) < 5 or time.perf_counter() - start < BUDGET):
                times.append((timed(theirs, queue), timed(ours, queue)))
            times = numpy.array(times)
            ratios = times[:, 0] / times[:, 1]
            milliseconds = numpy.median(times[:, :, 0], axis=0) * 1e3
            print(f"{name:24} {count:6.0e} {milliseconds[0]:9.2f} {milliseconds[1]:9.2f}   {spread(ratios[:, 0]):24} "
                  f"{spread(ratios[:, 1])}", flush=True)
            wall, cpu = numpy.median(ratios, axis=0)
            if min(wall, cpu) < 1:
                print(f"    slower: {why(name, cpu, os.getloadavg()[0], info['compute_units'])}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("of_calls", nargs="*", metavar="DEVICE CALLS")
    parser.add_argument("--compare", choices=["numpy"])
    parser.add_argument("--device", default=os.environ.get("MCL_DEVICE", "opencl:portable"))
    parser.add_argument("--counts", default="1e6,1e7")
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    if given.compare and not given.of_calls:
        compare(given.device, [int(float(count)) for count in given.counts.split(",")], given.rounds)
    elif not given.compare and len(given.of_calls) == 2:
        cost_of_calls(given.of_calls[0], int(given.of_calls[1]))
    else:
        parser.error("expected --compare numpy, or DEVICE CALLS")


if __name__ == "__main__":
    main()
