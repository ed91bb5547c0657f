// cub.cu: the module of CUB and Thrust. It runs beside our CUDA or OpenCL context on the same device, on copies of the
// problem's arrays, and times by CUDA events.
#include "cub.cuh"

#include <cub/version.cuh>

#include <cstdio>
#include <map>

namespace peers
{

cudaStream_t cub_stream;
static cudaEvent_t begin_event;
static cudaEvent_t end_event;
static const bench_problem *loaded;
static device_arrays loaded_arrays;

// ---- temporary memory of Thrust ---------------------------------------------------------------------------------

static std::multimap<size_t, std::shared_ptr<void>> free_blocks;
static std::map<char *, std::shared_ptr<void>> used_blocks;

char *kept_memory::allocate(std::ptrdiff_t count)
{
    const size_t bytes = static_cast<size_t>(count);
    const auto found = free_blocks.find(bytes);
    const std::shared_ptr<void> block = found != free_blocks.end() ? found->second : device_memory(bytes);
    if (found != free_blocks.end()) free_blocks.erase(found);
    char *address = static_cast<char *>(block.get());
    used_blocks[address] = block;
    return address;
}

void kept_memory::deallocate(char *address, size_t bytes)
{
    free_blocks.emplace(bytes, used_blocks[address]);
    used_blocks.erase(address);
}

// ---- the module -------------------------------------------------------------------------------------------------

// A device of another backend is found by its name; the first of that name is taken.
static int device_of(const mcl_device_info &info)
{
    int device = 0;
    int count = 0;
    if (std::sscanf(info.id, "cuda:%d", &device) == 1) return device;
    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    for (device = 0; device < count; device++) {
        cudaDeviceProp properties;
        check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
        if (std::strcmp(properties.name, info.name) == 0) return device;
    }
    throw std::runtime_error(std::string("CUDA has no device named ") + info.name);
}

static void cub_open(mcl_queue *, const mcl_device_info *info)
{
    check(cudaSetDevice(device_of(*info)), "cudaSetDevice");
    check(cudaStreamCreateWithFlags(&cub_stream, cudaStreamNonBlocking), "cudaStreamCreate");
    check(cudaEventCreate(&begin_event), "cudaEventCreate");
    check(cudaEventCreate(&end_event), "cudaEventCreate");
}

__global__ void keep_busy(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {}
}

static double cub_time(const std::function<void()> &run, bool queued)
{
    const long long cycles = 600000; // about 300 microseconds
    float milliseconds = 0;
    check(cudaStreamSynchronize(cub_stream), "cudaStreamSynchronize");
    if (queued) keep_busy<<<1, 1, 0, cub_stream>>>(cycles);
    check(cudaEventRecord(begin_event, cub_stream), "cudaEventRecord");
    run();
    check(cudaEventRecord(end_event, cub_stream), "cudaEventRecord");
    check(cudaEventSynchronize(end_event), "cudaEventSynchronize");
    check(cudaGetLastError(), "a kernel");
    check(cudaEventElapsedTime(&milliseconds, begin_event, end_event), "cudaEventElapsedTime");
    return milliseconds;
}

const device_arrays &arrays_of(const bench_problem &problem)
{
    if (loaded == &problem && !loaded_arrays.out.empty()) return loaded_arrays;
    loaded = &problem;
    loaded_arrays = {};
    for (int k = 0; k < problem.in_count; k++) {
        const bench_array &in = problem.in[k];
        const size_t bytes = static_cast<size_t>(in.count) * in.type->size;
        loaded_arrays.in.push_back(device_memory(bytes));
        check(cudaMemcpy(loaded_arrays.in.back().get(), in.host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    for (int k = 0; k < problem.out_count; k++)
        loaded_arrays.out.push_back(
            device_memory(static_cast<size_t>(problem.out[k].count) * problem.out[k].type->size));
    return loaded_arrays;
}

static void cub_fetch(const bench_problem &problem)
{
    for (int k = 0; k < problem.out_count; k++) {
        const bench_array &out = problem.out[k];
        check(cudaMemcpy(out.result, loaded_arrays.out[static_cast<size_t>(k)].get(),
                         static_cast<size_t>(out.count) * out.type->size, cudaMemcpyDeviceToHost),
              "cudaMemcpy");
    }
}

static void cub_end()
{
    loaded = nullptr;
    loaded_arrays = {};
    free_blocks.clear();
}

// "cub radix" is printed as "cub 3.6.0 radix": the version of the headers, which Thrust has too.
static std::string cub_named(const std::string &name)
{
    static const std::string version = " " + std::to_string(CUB_VERSION / 100000) + "." +
                                       std::to_string(CUB_VERSION / 100 % 1000) + "." +
                                       std::to_string(CUB_VERSION % 100);
    std::string printed = name;
    for (const char *library : { "thrust", "cub" }) {
        const size_t at = name.find(library);
        if (at == std::string::npos) continue;
        printed.insert(at + std::strlen(library), version);
        break;
    }
    return printed;
}

const module_functions &module()
{
    static const module_functions functions = { "cub", cub_open, cub_time, cub_fetch, cub_end, cub_named };
    return functions;
}

static void offer_copy(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const size_t bytes = static_cast<size_t>(p.n) * p.in[0].type->size;
    const void *from = arrays.in[0].get();
    void *to = arrays.out[0].get();
    add(list, "cudaMemcpyAsync",
        [=] { check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cub_stream), "cudaMemcpyAsync"); });
}

static const register_op copy("copy", offer_copy);

} // namespace peers

extern "C" BENCH_PEER_EXPORT const bench_peer *bench_peer_module(void)
{
    return peers::frame_peer();
}
