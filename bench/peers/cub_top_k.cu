// cub_top_k.cu: CUB's top-k of all keys, of pairs and of rows, from version 3.6 on, and the n-th element by a sort.
// What CUB's top-k chooses comes in any order, and of equal keys any. It does less than ours, and is sorted for the
// check.
#include "cub.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>

#if CUB_VERSION >= 300600
#include <cub/device/device_batched_topk.cuh>
#include <cub/device/device_topk.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#endif

#include <numeric>

namespace peers
{
namespace
{ // other operations have functions of the same names

// The types that are instantiated.
template <class F> void with_top_k_type(const bench_problem &problem, F body)
{
    with_type<int32_t, int64_t, uint32_t, float>(problem, body);
}

#if CUB_VERSION >= 300600

template <class T> std::vector<T> fetched(const T *from, int64_t count)
{
    std::vector<T> to(static_cast<size_t>(count));
    check(cudaMemcpy(to.data(), from, to.size() * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return to;
}

static auto any_order()
{
    return cuda::std::execution::env{ cuda::stream_ref{ cub_stream },
                                      cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                               cuda::execution::output_ordering::unsorted) };
}

template <class T> void offer_keys(const bench_problem &p, candidates &list)
{
    const T *in = arrays_of(p).template input<T>(0);
    T *out = arrays_of(p).template result<T>(0);
    const int64_t n = p.n;
    const int64_t k = p.out[0].count;
    const auto step = cub_step("cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceTopK::MinKeys(temporary, bytes, in, out, n, k, any_order());
    });
    add(list, "cub unordered", step, [=, &p] {
        const std::vector<T> keys = fetched(out, k);
        std::partial_sort_copy(keys.begin(), keys.end(), result<T>(p, 0), result<T>(p, 0) + k);
    });
}

// Values count up, and so put equal keys in their order.
template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const device_arrays &arrays = arrays_of(p);
    const T *in = arrays.input<T>(0);
    const V *in_values = arrays.input<V>(1);
    T *out = arrays.result<T>(0);
    V *out_values = arrays.result<V>(1);
    const int64_t n = p.n;
    const int64_t k = p.out[0].count;
    const auto step = cub_step("cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceTopK::MinPairs(temporary, bytes, in, out, in_values, out_values, n, k, any_order());
    });
    add(list, "cub unordered", step, [=, &p] {
        const std::vector<T> keys = fetched(out, k);
        const std::vector<V> values = fetched(out_values, k);
        std::vector<size_t> order(keys.size());
        std::iota(order.begin(), order.end(), size_t{ 0 });
        std::sort(order.begin(), order.end(),
                  [&](size_t x, size_t y) { return keys[x] != keys[y] ? keys[x] < keys[y] : values[x] < values[y]; });
        for (size_t m = 0; m < order.size(); m++) {
            result<T>(p, 0)[m] = keys[order[m]];
            result<V>(p, 1)[m] = values[order[m]];
        }
    });
}

template <class T> struct row_at {
    T *data;
    int32_t length;
    __host__ __device__ T *operator()(int64_t row) const { return data + row * length; }
};

// Rows of columns elements; the many smallest of each come in their order.
template <int columns, int many, class T> void offer_rows_of(const bench_problem &p, candidates &list)
{
    const thrust::counting_iterator<int64_t> row(0);
    const int32_t length = static_cast<int32_t>(std::min<int64_t>(columns, p.n));
    const int64_t rows = p.in[1].count - 1;
    const auto in = thrust::make_transform_iterator(row, row_at<const T>{ arrays_of(p).template input<T>(0), length });
    const auto out = thrust::make_transform_iterator(
        row, row_at<T>{ arrays_of(p).template result<T>(0), static_cast<int32_t>(std::min<int32_t>(many, length)) });
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        const auto env =
            cuda::std::execution::env{ cuda::stream_ref{ cub_stream },
                                       cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                                cuda::execution::tie_break::unspecified,
                                                                cuda::execution::output_ordering::sorted) };
        return cub::DeviceBatchedTopK::MinKeys(temporary, bytes, in, out,
                                               cuda::args::immediate{ length, cuda::args::bounds<1, columns>() },
                                               cuda::args::constant<many>{}, cuda::args::immediate{ rows }, env);
    });
}

void keys(const bench_problem &p, candidates &list)
{
    with_top_k_type(p, [&](auto zero) { offer_keys<decltype(zero)>(p, list); });
}
void pairs(const bench_problem &p, candidates &list)
{
    with_top_k_type(p, [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
}
template <int columns, int many> void rows(const bench_problem &p, candidates &list)
{
    with_type<int32_t, float>(p, [&](auto zero) { offer_rows_of<columns, many, decltype(zero)>(p, list); });
}

static const register_op top_k[] = {
    { "topk_keys_k10", keys },
    { "topk_keys_k1000", keys },
    { "topk_keys_skewed_k1000", keys },
    { "topk_pairs_k1000", pairs },
    { "topk_pairs_k100000", pairs },
    { "topk_rows_100000_k64", rows<100000, 64> },
    { "topk_rows_1000_k8", rows<1000, 8> },
};

#endif

// CUB has no n-th element: the median of what is sorted.
template <class T> void offer_median(const bench_problem &p, candidates &list)
{
    const T *in = arrays_of(p).template input<T>(0);
    T *out = arrays_of(p).template result<T>(0);
    const int64_t n = p.n;
    const std::shared_ptr<void> sorted = device_memory(static_cast<size_t>(n) * sizeof(T));
    const auto sort = cub_step("cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(temporary, bytes, in, static_cast<T *>(sorted.get()), n, 0,
                                              static_cast<int>(8 * sizeof(T)), cub_stream);
    });
    add(list, "cub radix sort", [=] {
        sort();
        check(cudaMemcpyAsync(out, static_cast<T *>(sorted.get()) + n / 2, sizeof(T), cudaMemcpyDeviceToDevice,
                              cub_stream),
              "cudaMemcpyAsync");
    });
}

static const register_op median("nth_element", [](const bench_problem &p, candidates &list) {
    with_top_k_type(p, [&](auto zero) { offer_median<decltype(zero)>(p, list); });
});

} // namespace
} // namespace peers
