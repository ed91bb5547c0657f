// cub_select.cu: CUB's selections and partition; bulk remove and insert put together from CUB's and Thrust's parts.
#include "cub.cuh"

#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/scatter.h>
#include <thrust/tuple.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

// The lower half of uniform data.
template <class T> struct is_lower {
    __host__ __device__ bool operator()(T x) const { return x < (std::is_floating_point_v<T> ? T(0.5) : T(0)); }
};

static const register_op by_test("select_if_50", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        const device_arrays &arrays = arrays_of(p);
        const T *in = arrays.input<T>(0);
        T *out = arrays.result<T>(0);
        int64_t *count = arrays.result<int64_t>(1);
        const int64_t n = p.n;
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceSelect::If(temporary, bytes, in, out, count, n, is_lower<T>(), cub_stream);
        });
    });
});

static const register_op by_flags("select_flagged_50", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        const device_arrays &arrays = arrays_of(p);
        const T *in = arrays.input<T>(0);
        const uint8_t *flags = arrays.input<uint8_t>(1);
        T *out = arrays.result<T>(0);
        int64_t *count = arrays.result<int64_t>(1);
        const int64_t n = p.n;
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceSelect::Flagged(temporary, bytes, in, flags, out, count, n, cub_stream);
        });
    });
});

// Tells whether a pair's key is in the lower half.
template <class T> struct has_lower_key {
    template <class Pair> __host__ __device__ bool operator()(const Pair &pair) const
    {
        return is_lower<T>()(static_cast<T>(thrust::get<0>(pair)));
    }
};

template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const device_arrays &arrays = arrays_of(p);
    const T *keys = arrays.input<T>(0);
    const V *values = arrays.input<V>(1);
    T *out_keys = arrays.result<T>(0);
    V *out_values = arrays.result<V>(1);
    int64_t *count = arrays.result<int64_t>(2);
    const int64_t n = p.n;
    const auto in = thrust::make_zip_iterator(thrust::make_tuple(keys, values));
    const auto out = thrust::make_zip_iterator(thrust::make_tuple(out_keys, out_values));
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceSelect::If(temporary, bytes, in, out, count, n, has_lower_key<T>(), cub_stream);
    });
}

static const register_op pairs("compact_pairs_50", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
});

// CUB puts what it rejects after what it keeps, from the end on.
template <class T> void offer_partition(const bench_problem &p, candidates &list)
{
    const T *in = arrays_of(p).template input<T>(0);
    const int64_t n = p.n;
    const std::shared_ptr<void> memory = device_memory(static_cast<size_t>(n) * sizeof(T));
    const std::shared_ptr<void> number = device_memory(sizeof(int64_t));
    T *both = static_cast<T *>(memory.get());
    int64_t *count = static_cast<int64_t *>(number.get());
    const auto call = [=](void *temporary, size_t &bytes) {
        return cub::DevicePartition::If(temporary, bytes, in, both, count, n, is_lower<T>(), cub_stream);
    };
    size_t bytes = 0;
    check(call(nullptr, bytes), "cub");
    const std::shared_ptr<void> temporary = device_memory(bytes);
    add(
        list, "cub",
        [=] {
            size_t given = bytes;
            check(call(temporary.get(), given), "cub");
        },
        [=, &p] {
            (void)memory;
            int64_t *counts = result<int64_t>(p, 2);
            check(cudaMemcpy(counts, number.get(), sizeof *counts, cudaMemcpyDeviceToHost), "cudaMemcpy");
            counts[1] = n - counts[0];
            std::vector<T> all(static_cast<size_t>(n));
            check(cudaMemcpy(all.data(), both, all.size() * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
            std::copy(all.begin(), all.begin() + counts[0], result<T>(p, 0));
            std::reverse_copy(all.begin() + counts[0], all.end(), result<T>(p, 1));
        });
}

static const register_op both("partition_if_50", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) { offer_partition<decltype(zero)>(p, list); });
});

static auto thrust_policy(kept_memory &memory)
{
    return thrust::cuda::par_nosync(memory).on(cub_stream);
}

// Flags of what stays, then a selection.
template <class T> void offer_remove(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *in = arrays.input<T>(0);
    const int32_t *indices = arrays.input<int32_t>(1);
    T *out = arrays.result<T>(0);
    const int64_t n = p.n;
    const int64_t removed = p.in[1].count;
    const std::shared_ptr<void> flag_memory = device_memory(static_cast<size_t>(n));
    const std::shared_ptr<void> number = device_memory(sizeof(int64_t));
    uint8_t *flags = static_cast<uint8_t *>(flag_memory.get());
    int64_t *count = static_cast<int64_t *>(number.get());
    size_t bytes = 0;
    check(cub::DeviceSelect::Flagged(nullptr, bytes, in, flags, out, count, n, cub_stream), "cub");
    const std::shared_ptr<void> temporary = device_memory(bytes);
    add(list, "flags and cub", [=] {
        kept_memory memory;
        size_t given = bytes;
        (void)flag_memory;
        (void)number;
        check(cudaMemsetAsync(flags, 1, static_cast<size_t>(n), cub_stream), "cudaMemsetAsync");
        const auto zeros = thrust::constant_iterator<uint8_t>(0);
        thrust::scatter(thrust_policy(memory), zeros, zeros + removed, indices, flags);
        check(cub::DeviceSelect::Flagged(temporary.get(), given, in, flags, out, count, n, cub_stream), "cub");
    });
}

// A merge by the positions.
template <class T> void offer_insert(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *a = arrays.input<T>(0);
    const int32_t *indices = arrays.input<int32_t>(2);
    const T *b = arrays.input<T>(1);
    T *out = arrays.result<T>(0);
    const int64_t a_count = p.in[0].count;
    const int32_t b_count = static_cast<int32_t>(p.in[1].count);
    add(list, "thrust", [=] {
        kept_memory memory;
        const thrust::counting_iterator<int32_t> places(0);
        thrust::merge_by_key(thrust_policy(memory), indices, indices + a_count, places, places + b_count, a, b,
                             thrust::make_discard_iterator(), out);
    });
}

static void bulk_remove(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_remove<decltype(zero)>(p, list); });
}
static void bulk_insert(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_insert<decltype(zero)>(p, list); });
}
static const register_op removals[] = { { "bulk_remove_1", bulk_remove },
                                        { "bulk_remove_10", bulk_remove },
                                        { "bulk_remove_25", bulk_remove },
                                        { "bulk_remove_50", bulk_remove },
                                        { "bulk_remove_75", bulk_remove } };
static const register_op insertions[] = { { "bulk_insert_1", bulk_insert },
                                          { "bulk_insert_10", bulk_insert },
                                          { "bulk_insert_25", bulk_insert },
                                          { "bulk_insert_50", bulk_insert },
                                          { "bulk_insert_75", bulk_insert } };

} // namespace
} // namespace peers
