// cub.cuh: what the CUB and Thrust peers share: memory of their own on the device, one stream.
#pragma once
#include "module.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <memory>

namespace peers
{

extern cudaStream_t cub_stream;

inline void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    (void)cudaGetLastError();
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

// Device memory that goes back with its last owner.
inline std::shared_ptr<void> device_memory(size_t bytes)
{
    void *address = nullptr;
    check(cudaMalloc(&address, std::max<size_t>(bytes, 1)), "cudaMalloc");
    return std::shared_ptr<void>(address, [](void *p) { (void)cudaFree(p); });
}

// The problem's arrays on the device, made once for all candidates.
struct device_arrays {
    std::vector<std::shared_ptr<void>> in, out;

    template <class T> const T *input(int k) const { return static_cast<const T *>(in[static_cast<size_t>(k)].get()); }
    template <class T> T *result(int k) const { return static_cast<T *>(out[static_cast<size_t>(k)].get()); }
};
const device_arrays &arrays_of(const bench_problem &problem);

// CUB's calls ask for temporary memory first: call(nullptr, bytes) says how much. It is given before the timing.
template <class Call> auto cub_step(const char *name, Call call)
{
    size_t bytes = 0;
    check(call(nullptr, bytes), name);
    const std::shared_ptr<void> memory = device_memory(bytes);
    return [=] {
        size_t given = bytes;
        check(call(memory.get(), given), name);
    };
}

template <class Call> void offer_cub(candidates &list, const char *name, Call call)
{
    add(list, name, cub_step(name, call));
}

// Thrust's temporary memory: kept, so that no timed call allocates. Stream order makes reuse safe.
class kept_memory
{
  public:
    using value_type = char;
    char *allocate(std::ptrdiff_t bytes);
    void deallocate(char *address, size_t bytes);
};

// The types that are instantiated: each costs the build half a minute.
template <class F> void with_cub_type(const bench_problem &problem, F body)
{
    with_type<int32_t, int64_t, float, double>(problem, body);
}

} // namespace peers
