// cub_balance.cu: CUB's batched copies of intervals; load balancing and expansion put together from Thrust's calls.
#include "cub.cuh"

#include <cub/device/device_copy.cuh>
#include <cub/device/device_memcpy.cuh>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

static auto thrust_policy(kept_memory &memory)
{
    return thrust::cuda::par_nosync(memory).on(cub_stream);
}

// Items of object k.
struct items_of {
    const int32_t *offsets;
    int32_t count, items;
    __host__ __device__ int32_t operator()(int32_t k) const
    {
        return (k + 1 < count ? offsets[k + 1] : items) - offsets[k];
    }
};

template <class T> struct place {
    T *data;
    __host__ __device__ T *operator()(int32_t k) const { return data + k; }
};
template <class T> struct untyped_place {
    T *data;
    __host__ __device__ void *operator()(int32_t k) const { return data + k; }
};
template <class T> struct repeated {
    const T *values;
    __host__ __device__ auto operator()(int32_t k) const { return thrust::constant_iterator<T>(values[k]); }
};
struct bytes_of {
    items_of items;
    int32_t size;
    __host__ __device__ int32_t operator()(int32_t k) const { return items(k) * size; }
};

// Makes an object's number of an upper bound.
struct object_before {
    __host__ __device__ int32_t operator()(int64_t k) const { return static_cast<int32_t>(k - 1); }
};

struct larger {
    __host__ __device__ int32_t operator()(int32_t a, int32_t b) const { return a < b ? b : a; }
};

void offer_search(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const int32_t *offsets = arrays.input<int32_t>(0);
    const int64_t count = p.in[0].count;
    int32_t *out = arrays.result<int32_t>(0);
    const auto item = thrust::make_counting_iterator<int32_t>(0);
    const int64_t n = p.n;
    const auto object = thrust::make_transform_output_iterator(out, object_before());
    add(list, "thrust upper_bound", [=] {
        kept_memory memory;
        thrust::upper_bound(thrust_policy(memory), offsets, offsets + count, item, item + n, object);
    });
}

template <class T> void offer_expand(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *values = arrays.input<T>(1);
    const int32_t *offsets = arrays.input<int32_t>(0);
    T *out = arrays.result<T>(0);
    const int32_t count = static_cast<int32_t>(p.in[0].count);
    const int64_t n = p.n;
    const auto number = thrust::make_counting_iterator<int32_t>(0);
    const auto items = thrust::make_transform_iterator(number, items_of{ offsets, count, static_cast<int32_t>(n) });
    const auto from = thrust::make_transform_iterator(number, repeated<T>{ values });
    const auto to = thrust::make_transform_iterator(offsets, place<T>{ out });
    offer_cub(list, "cub copy batched", [=](void *temporary, size_t &bytes) {
        return cub::DeviceCopy::Batched(temporary, bytes, from, to, items, count, cub_stream);
    });
    const std::shared_ptr<void> kept = device_memory(static_cast<size_t>(n) * sizeof(int32_t));
    add(list, "thrust scatter scan gather", [=] {
        kept_memory memory;
        int32_t *objects = static_cast<int32_t *>(kept.get());
        check(cudaMemsetAsync(objects, 0, static_cast<size_t>(n) * sizeof(int32_t), cub_stream), "cudaMemsetAsync");
        thrust::scatter_if(thrust_policy(memory), number, number + count, offsets, items, objects);
        thrust::inclusive_scan(thrust_policy(memory), objects, objects + n, objects, larger());
        thrust::gather(thrust_policy(memory), objects, objects + n, values, out);
    });
}

// The starts of sources and targets are inputs, or the offsets.
template <class T> void offer_move(const bench_problem &p, candidates &list, int gather, int scatter)
{
    const device_arrays &arrays = arrays_of(p);
    T *in = const_cast<T *>(arrays.input<T>(1));
    T *out = arrays.result<T>(0);
    const int32_t count = static_cast<int32_t>(p.in[0].count);
    const int32_t *starts = arrays.input<int32_t>(gather);
    const int32_t *targets = arrays.input<int32_t>(scatter);
    const items_of lengths = { arrays.input<int32_t>(0), count, static_cast<int32_t>(p.n) };
    const auto number = thrust::make_counting_iterator<int32_t>(0);
    const auto items = thrust::make_transform_iterator(number, lengths);
    const auto bytes = thrust::make_transform_iterator(number, bytes_of{ lengths, int32_t(sizeof(T)) });
    const auto from = thrust::make_transform_iterator(starts, place<T>{ in });
    const auto to = thrust::make_transform_iterator(targets, place<T>{ out });
    const auto untyped_from = thrust::make_transform_iterator(starts, untyped_place<T>{ in });
    const auto untyped_to = thrust::make_transform_iterator(targets, untyped_place<T>{ out });
    offer_cub(list, "cub copy batched", [=](void *temporary, size_t &needed) {
        return cub::DeviceCopy::Batched(temporary, needed, from, to, items, count, cub_stream);
    });
    offer_cub(list, "cub memcpy batched", [=](void *temporary, size_t &needed) {
        return cub::DeviceMemcpy::Batched(temporary, needed, untyped_from, untyped_to, bytes, count, cub_stream);
    });
}

// The types whose rows are recorded.
template <class F> void with_moved_type(const bench_problem &p, F body)
{
    with_type<int32_t, int64_t>(p, body);
}

void offer_expands(const bench_problem &p, candidates &list)
{
    with_moved_type(p, [&](auto zero) { offer_expand<decltype(zero)>(p, list); });
}
void offer_moves(const bench_problem &p, candidates &list)
{
    with_moved_type(p, [&](auto zero) { offer_move<decltype(zero)>(p, list, 2, 3); });
}
void offer_gathers(const bench_problem &p, candidates &list)
{
    with_moved_type(p, [&](auto zero) { offer_move<decltype(zero)>(p, list, 2, 0); });
}
void offer_scatters(const bench_problem &p, candidates &list)
{
    with_moved_type(p, [&](auto zero) { offer_move<decltype(zero)>(p, list, 0, 2); });
}

static const register_op registered_ops[] = {
    { "load_balance_search_avg10", offer_search },   { "load_balance_search_avg25", offer_search },
    { "load_balance_search_avg100", offer_search },  { "load_balance_search_avg1000", offer_search },
    { "load_balance_search_half", offer_search },    { "interval_expand_avg25", offer_expands },
    { "interval_expand_avg100", offer_expands },     { "interval_expand_avg1000", offer_expands },
    { "interval_expand_half", offer_expands },       { "interval_move_avg25", offer_moves },
    { "interval_move_avg100", offer_moves },         { "interval_move_avg1000", offer_moves },
    { "interval_move_half", offer_moves },           { "interval_gather_avg25", offer_gathers },
    { "interval_gather_avg100", offer_gathers },     { "interval_gather_avg1000", offer_gathers },
    { "interval_scatter_avg25", offer_scatters },    { "interval_scatter_avg100", offer_scatters },
    { "interval_scatter_avg1000", offer_scatters },
};

} // namespace
} // namespace peers
