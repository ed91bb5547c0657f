// cub_merge.cu: the merges of CUB and of Thrust.
#include "cub.cuh"

#include <cub/device/device_merge.cuh>
#include <thrust/execution_policy.h>
#include <thrust/merge.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

template <class T> struct less_than {
    __host__ __device__ bool operator()(const T &p, const T &q) const { return p < q; }
};

static auto thrust_policy(kept_memory &memory)
{
    return thrust::cuda::par_nosync(memory).on(cub_stream);
}

template <class T> void offer_keys(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *a = arrays.input<T>(0);
    const T *b = arrays.input<T>(1);
    T *out = arrays.result<T>(0);
    const int64_t a_count = p.in[0].count;
    const int64_t b_count = p.in[1].count;
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceMerge::MergeKeys(temporary, bytes, a, a_count, b, b_count, out, less_than<T>(), cub_stream);
    });
    add(list, "thrust", [=] {
        kept_memory memory;
        thrust::merge(thrust_policy(memory), a, a + a_count, b, b + b_count, out);
    });
}

template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const device_arrays &arrays = arrays_of(p);
    const T *a = arrays.input<T>(0);
    const V *a_values = arrays.input<V>(2);
    const T *b = arrays.input<T>(1);
    const V *b_values = arrays.input<V>(3);
    T *out = arrays.result<T>(0);
    V *values = arrays.result<V>(1);
    const int64_t a_count = p.in[0].count;
    const int64_t b_count = p.in[1].count;
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceMerge::MergePairs(temporary, bytes, a, a_values, a_count, b, b_values, b_count, out, values,
                                            less_than<T>(), cub_stream);
    });
    add(list, "thrust", [=] {
        kept_memory memory;
        thrust::merge_by_key(thrust_policy(memory), a, a + a_count, b, b + b_count, a_values, b_values, out, values);
    });
}

static const register_op keys("merge_keys", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) { offer_keys<decltype(zero)>(p, list); });
});
static const register_op pairs("merge_pairs", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
});

} // namespace
} // namespace peers
