// cub_find.cu: the first element that passes a test, where none does, and how many of the lower half there are.
#include "cub.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#include <thrust/execution_policy.h>
#include <thrust/find.h>

#if CUB_VERSION >= 300600
#include <cub/device/device_find.cuh>
#endif

namespace peers
{
namespace
{ // other operations have functions of the same names

template <class T> struct is_above {
    T limit;
    __host__ __device__ bool operator()(T x) const { return limit < x; }
};

// The lower half of uniform data.
template <class T> struct one_if_lower {
    __host__ __device__ int64_t operator()(T x) const { return x < (std::is_floating_point_v<T> ? T(0.5) : T(0)); }
};

struct sum_of {
    __host__ __device__ int64_t operator()(int64_t p, int64_t q) const { return p + q; }
};

template <class T> void offer_find(const bench_problem &p, candidates &list)
{
    const T *in = arrays_of(p).template input<T>(0);
    const int64_t n = p.n;
    const is_above<T> above = { n > 0 ? *std::max_element(input<T>(p, 0), input<T>(p, 0) + n) : T(0) };
#if CUB_VERSION >= 300600
    int64_t *out = arrays_of(p).template result<int64_t>(0);
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceFind::FindIf(temporary, bytes, in, out, above, n, cub_stream);
    });
#endif
    const auto found = std::make_shared<int64_t>(0);
    add(
        list, "thrust",
        [=] {
            kept_memory memory;
            *found = thrust::find_if(thrust::cuda::par_nosync(memory).on(cub_stream), in, in + n, above) - in;
        },
        [=, &p] { *result<int64_t>(p, 0) = *found; });
}

template <class T> void offer_count(const bench_problem &p, candidates &list)
{
    const T *in = arrays_of(p).template input<T>(0);
    int64_t *out = arrays_of(p).template result<int64_t>(0);
    const int64_t n = p.n;
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceReduce::TransformReduce(temporary, bytes, in, out, n, sum_of(), one_if_lower<T>(), int64_t(0),
                                                  cub_stream);
    });
}

static const register_op none("find_if_none", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) { offer_find<decltype(zero)>(p, list); });
});
static const register_op lower("count_if_50", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) { offer_count<decltype(zero)>(p, list); });
});

} // namespace
} // namespace peers
