// boost.cpp: the module of Boost.Compute, on our OpenCL queue and our buffers.
#define BOOST_COMPUTE_MAX_CL_VERSION 102
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "module.hpp"

#include <moderncl/opencl.h>

#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/merge.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/core.hpp>
#include <boost/compute/functional.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

#include <chrono>
#include <memory>

namespace peers
{

namespace compute = boost::compute;

static std::unique_ptr<compute::command_queue> queue;
static std::unique_ptr<compute::buffer> mark;
static bool is_gpu;

static void boost_open(mcl_queue *ours, const mcl_device_info *info)
{
    const cl_command_queue handle = mcl_opencl_queue(ours);
    if (!handle) throw std::runtime_error("Boost.Compute runs on OpenCL devices only");
    queue = std::make_unique<compute::command_queue>(handle);
    mark = std::make_unique<compute::buffer>(queue->get_context(), sizeof(cl_int));
    is_gpu = info->is_gpu != 0;
}

// Returns the time of a run: from the end of a fill before it to the start of a fill after it. Boost.Compute allocates
// and reads back inside its algorithms, so nothing can be queued ahead of the device.
static double device_time(const std::function<void()> &run)
{
    const cl_int zero = 0;
    const compute::event before = queue->enqueue_fill_buffer(*mark, &zero, sizeof zero, 0, sizeof zero);
    run();
    const compute::event after = queue->enqueue_fill_buffer(*mark, &zero, sizeof zero, 0, sizeof zero);
    queue->finish();
    const cl_ulong start = before.get_profiling_info<cl_ulong>(CL_PROFILING_COMMAND_END);
    const cl_ulong end = after.get_profiling_info<cl_ulong>(CL_PROFILING_COMMAND_START);
    return static_cast<double>(end - start) * 1e-6;
}

static double boost_time(const std::function<void()> &run, bool)
{
    using clock = std::chrono::steady_clock;
    queue->finish();
    if (is_gpu) return device_time(run);
    const clock::time_point start = clock::now();
    run();
    queue->finish();
    return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

static void boost_fetch(const bench_problem &problem)
{
    for (int k = 0; k < problem.out_count; k++) {
        const bench_array &out = problem.out[k];
        queue->enqueue_read_buffer(compute::buffer(mcl_opencl_buffer(out.device)), 0,
                                   static_cast<size_t>(out.count) * out.type->size, out.result);
    }
}

static void boost_end() {}

const module_functions &module()
{
    static const module_functions functions = { "boost", boost_open, boost_time, boost_fetch, boost_end, nullptr };
    return functions;
}

template <class T> compute::buffer_iterator<T> begin_of(const bench_array &array)
{
    return compute::make_buffer_iterator<T>(compute::buffer(mcl_opencl_buffer(array.device)), 0);
}

template <class T> compute::buffer_iterator<T> end_of(const bench_array &array)
{
    return begin_of<T>(array) + static_cast<std::ptrdiff_t>(array.count);
}

// Calls body with OpenCL's name for the element type, which Boost.Compute needs.
template <class F> void with_boost_type(const bench_problem &p, F body)
{
    const std::string type = p.type;
    if (type == "int32") body(cl_int());
    if (type == "int64") body(cl_long());
    if (type == "float32") body(cl_float());
    if (type == "float64") body(cl_double());
    if (type == "uint32") body(cl_uint());
    if (type == "uint64") body(cl_ulong());
}

static const register_op reduce("reduce_sum", [](const bench_problem &p, candidates &list) {
    with_boost_type(p, [&](auto zero) {
        using T = decltype(zero);
        add(list, "boost", [in = p.in[0], out = p.out[0]] {
            compute::reduce(begin_of<T>(in), end_of<T>(in), begin_of<T>(out), compute::plus<T>(), *queue);
        });
    });
});

static const register_op scan("exclusive_scan_sum", [](const bench_problem &p, candidates &list) {
    with_boost_type(p, [&](auto zero) {
        using T = decltype(zero);
        add(list, "boost", [in = p.in[0], out = p.out[0]] {
            compute::exclusive_scan(begin_of<T>(in), end_of<T>(in), begin_of<T>(out), *queue);
        });
    });
});

static const register_op merge("merge_keys", [](const bench_problem &p, candidates &list) {
    with_boost_type(p, [&](auto zero) {
        using T = decltype(zero);
        add(list, "boost", [a = p.in[0], b = p.in[1], out = p.out[0]] {
            compute::merge(begin_of<T>(a), end_of<T>(a), begin_of<T>(b), end_of<T>(b), begin_of<T>(out), *queue);
        });
    });
});

} // namespace peers

extern "C" BENCH_PEER_EXPORT const bench_peer *bench_peer_module(void)
{
    return peers::frame_peer();
}
