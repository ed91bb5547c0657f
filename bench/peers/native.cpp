// native.cpp: the module of peers that run on the host's processors: one thread, std::execution::par_unseq, TBB and
// OpenMP. They use as many threads as the device has compute units.
#include "native.hpp"

#include <tbb/global_control.h>

#include <chrono>
#include <memory>

namespace peers
{

int native_threads = 1;

static void native_open(mcl_queue *, const mcl_device_info *info)
{
    if (info->is_gpu) throw std::runtime_error("the native peers are for devices that are processors");
    native_threads = std::max(1, info->compute_units);
    static const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                             static_cast<size_t>(native_threads));
}

static double native_time(const std::function<void()> &run, bool)
{
    using clock = std::chrono::steady_clock;
    const clock::time_point start = clock::now();
    run();
    return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

static void native_fetch(const bench_problem &) {} // does nothing, since results are written to host memory
static void native_end() {}

const module_functions &module()
{
    static const module_functions functions = { "native", native_open, native_time, native_fetch, native_end, nullptr };
    return functions;
}

} // namespace peers

extern "C" BENCH_PEER_EXPORT const bench_peer *bench_peer_module(void)
{
    return peers::frame_peer();
}
