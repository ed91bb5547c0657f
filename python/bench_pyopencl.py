"""Times moderncl.pyopencl beside PyOpenCL's own algorithms, scans and reductions, on one queue, and compares the results.
usage: bench_pyopencl.py [COUNT [ROUNDS [PLATFORM]]]: 10000000 elements, 5 rounds, the first platform with "Portable"
in its name

Each round times both by turns, until the queue is done. The figures are medians. Processor time is that of all threads,
which other programs beside this one change less than the clock."""

import statistics
import sys
import time

import numpy
import pyopencl as cl
import pyopencl.algorithm
import pyopencl.array as array
import pyopencl.reduction
import pyopencl.scan

import moderncl.pyopencl as ours


def cases(queue, count):
    """For each row: its name, and a function of the module to take, which returns a call."""
    context = queue.context
    random = numpy.random.default_rng(1)
    keys = array.to_device(queue, random.integers(0, 2**31, count).astype(numpy.int32))
    values = array.to_device(queue, numpy.arange(count, dtype=numpy.int32))
    small = array.to_device(queue, random.integers(0, 10, count).astype(numpy.int32))
    groups = array.to_device(queue, random.integers(0, count // 10, count).astype(numpy.int32))
    flags = array.to_device(queue, (random.integers(0, 100, count) == 0).astype(numpy.int8))
    out = array.empty_like(keys)
    limit = [("limit", numpy.int32(2**30))]

    def sort(made):
        kernel = made["RadixSort"](context, "int *k", "k[i]", ["k"])
        return lambda: kernel(keys)[0]

    def pairs(made):
        kernel = made["RadixSort"](context, "int *k, int *v", "k[i]", ["k", "v"])
        return lambda: kernel(keys, values)[0]

    def scan(made):
        kernel = made["InclusiveScanKernel"](context, numpy.int32, "a+b", "0")
        return lambda: (kernel(small, out),)

    def greatest(made):
        kernel = made["ExclusiveScanKernel"](context, numpy.int32, "max(a, b)", "-1")
        return lambda: (kernel(small, out),)

    def segmented(made):
        kernel = made["GenericScanKernel"](
            context, numpy.int32, "int *x, char *starts, int *out", "x[i]", "across_seg_boundary ? b : (a+b)", "0",
            "out[i] = item;", is_segment_start_expr="starts[i]")
        return lambda: (kernel(small, flags, out), out)[1:]

    def reduction(made):
        kernel = made["ReductionKernel"](context, numpy.int32, "0", "a+b", arguments="int *in")
        return lambda: (kernel(small),)

    def kept(made):
        return lambda: made["copy_if"](keys, "ary[i] < limit", limit)[1:2]

    def lists(made):
        kernel = made["KeyValueSorter"](context)
        return lambda: kernel(queue, groups, values, count // 10, numpy.int32)[:2]

    return [("RadixSort, int keys", sort), ("RadixSort, int keys and values", pairs), ("InclusiveScanKernel, a+b", scan),
            ("ExclusiveScanKernel, max", greatest), ("GenericScanKernel, segmented", segmented),
            ("ReductionKernel, a+b", reduction), ("copy_if, half kept", kept), ("KeyValueSorter", lists)]


def timed(queue, call):
    queue.finish()
    wall, processor = time.perf_counter(), time.process_time()
    result = call()
    queue.finish()
    return time.perf_counter() - wall, time.process_time() - processor, result


def main(count=10_000_000, rounds=5, platform="Portable"):
    device = next(d for p in cl.get_platforms() for d in p.get_devices() if platform in p.name)
    queue = cl.CommandQueue(cl.Context([device]))
    made = {"theirs": {}, "ours": vars(ours)}
    for module in (pyopencl.algorithm, pyopencl.scan, pyopencl.reduction):
        made["theirs"].update(vars(module))
    print(f"{device.name}, {count} elements, medians of {rounds} rounds")
    print("| Call | PyOpenCL's, ms | moderncl, ms | Ratio | Ratio of processor time |")
    print("|---|---|---|---|---|")
    for name, make in cases(queue, count):
        calls = {who: make(module) for who, module in made.items()}
        results = {who: [one.get() for one in timed(queue, call)[2]] for who, call in calls.items()}
        for theirs, mine in zip(results["theirs"], results["ours"]):
            numpy.testing.assert_array_equal(mine, theirs, err_msg=name)
        times = {who: [] for who in calls}
        for _ in range(rounds):
            for who, call in calls.items():
                times[who].append(timed(queue, call)[:2])
        wall, processor = ({who: statistics.median(one[k] for one in times[who]) for who in times} for k in (0, 1))
        print(f"| {name} | {1e3 * wall['theirs']:.2f} | {1e3 * wall['ours']:.2f} | {wall['ours'] / wall['theirs']:.2f} | "
              f"{processor['ours'] / processor['theirs']:.2f} |", flush=True)


if __name__ == "__main__":
    main(*(int(one) if one.isdigit() else one for one in sys.argv[1:]))
