// cub_sort.cu: the merge and radix sorts of CUB, and Thrust's sorts, which choose one of the two.
#include "cub.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

template <class T> struct less_than {
    __host__ __device__ bool operator()(const T &p, const T &q) const { return p < q; }
};

// Copies the input for sorts in place, which are timed with this copy.
template <class T> void copy(const T *from, T *to, int64_t n)
{
    check(cudaMemcpyAsync(to, from, static_cast<size_t>(n) * sizeof(T), cudaMemcpyDeviceToDevice, cub_stream), "copy");
}

template <class T> void offer_merge_keys(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *in = arrays.input<T>(0);
    T *out = arrays.result<T>(0);
    const int64_t n = p.n;
    offer_cub(list, "cub merge", [=](void *temporary, size_t &bytes) {
        return cub::DeviceMergeSort::SortKeysCopy(temporary, bytes, in, out, n, less_than<T>(), cub_stream);
    });
    add(list, "thrust merge", [=] {
        kept_memory memory;
        copy(in, out, n);
        thrust::stable_sort(thrust::cuda::par_nosync(memory).on(cub_stream), out, out + n, less_than<T>());
    });
}

template <class T> void offer_merge_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const device_arrays &arrays = arrays_of(p);
    const T *in = arrays.input<T>(0);
    const V *in_values = arrays.input<V>(1);
    T *out = arrays.result<T>(0);
    V *values = arrays.result<V>(1);
    const int64_t n = p.n;
    offer_cub(list, "cub merge", [=](void *temporary, size_t &bytes) {
        return cub::DeviceMergeSort::SortPairsCopy(temporary, bytes, in, in_values, out, values, n, less_than<T>(),
                                                   cub_stream);
    });
    add(list, "thrust merge", [=] {
        kept_memory memory;
        copy(in, out, n);
        copy(in_values, values, n);
        thrust::stable_sort_by_key(thrust::cuda::par_nosync(memory).on(cub_stream), out, out + n, values,
                                   less_than<T>());
    });
}

template <class T> void offer_radix_keys(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *in = arrays.input<T>(0);
    T *out = arrays.result<T>(0);
    const int64_t n = p.n;
    offer_cub(list, "cub radix", [=](void *temporary, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(temporary, bytes, in, out, n, 0, static_cast<int>(8 * sizeof(T)),
                                              cub_stream);
    });
}

template <class T> void offer_radix_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const device_arrays &arrays = arrays_of(p);
    const T *in = arrays.input<T>(0);
    const V *in_values = arrays.input<V>(1);
    T *out = arrays.result<T>(0);
    V *values = arrays.result<V>(1);
    const int64_t n = p.n;
    offer_cub(list, "cub radix", [=](void *temporary, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(temporary, bytes, in, out, in_values, values, n, 0,
                                               static_cast<int>(8 * sizeof(T)), cub_stream);
    });
}

static void merge_keys(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_merge_keys<decltype(zero)>(p, list); });
}

static void merge_pairs(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_merge_pairs<decltype(zero)>(p, list); });
}

static void radix_keys(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_radix_keys<decltype(zero)>(p, list); });
    with_type<int8_t, int16_t>(p, [&](auto zero) { offer_radix_keys<decltype(zero)>(p, list); });
}

static void radix_pairs(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_radix_pairs<decltype(zero)>(p, list); });
}

static void all_keys(const bench_problem &p, candidates &list)
{
    merge_keys(p, list);
    radix_keys(p, list);
}

static void all_pairs(const bench_problem &p, candidates &list)
{
    merge_pairs(p, list);
    radix_pairs(p, list);
}

static const register_op mergesort_keys("mergesort_keys", merge_keys);
static const register_op mergesort_pairs("mergesort_pairs", merge_pairs);
static const register_op radixsort_keys("radixsort_keys", radix_keys);
static const register_op radixsort_pairs("radixsort_pairs", radix_pairs);
static const register_op sort_keys("sort_keys", all_keys);
static const register_op sort_pairs("sort_pairs", all_pairs);

} // namespace
} // namespace peers
