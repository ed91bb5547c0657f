// cub_segsort.cu: CUB's sorts by segments, of keys, pairs and indices, and its mergesort beside locality sort.
#include "cub.cuh"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <numeric>

namespace peers
{
namespace
{ // other operations have functions of the same names

struct less_than {
    template <class T> __host__ __device__ bool operator()(const T &p, const T &q) const { return p < q; }
};

static std::shared_ptr<void> device_copy(const std::vector<int32_t> &from)
{
    const size_t bytes = from.size() * sizeof(int32_t);
    const std::shared_ptr<void> memory = device_memory(bytes);
    check(cudaMemcpy(memory.get(), from.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    return memory;
}

// Begins of segments and, one entry further, their ends: CUB takes the two as arrays. Each element after the last row
// is a segment, so it stays.
struct segment_list {
    std::shared_ptr<void> memory;
    int64_t count;

    explicit segment_list(const bench_problem &p)
    {
        const int32_t *const starts = input<int32_t>(p, 1);
        std::vector<int32_t> offsets(are_rows(p) ? 0 : 1, 0);
        offsets.insert(offsets.end(), starts, starts + p.in[1].count);
        if (!are_rows(p)) offsets.push_back(static_cast<int32_t>(p.n));
        while (offsets.back() < p.n) offsets.push_back(offsets.back() + 1);
        count = static_cast<int64_t>(offsets.size()) - 1;
        memory = device_copy(offsets);
    }

    const int32_t *begins() const { return static_cast<const int32_t *>(memory.get()); }
    const int32_t *ends() const { return begins() + 1; }
};

template <class T> void offer_segmented_keys(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *keys = arrays.input<T>(0);
    T *out = arrays.result<T>(0);
    const int64_t n = p.n;
    const segment_list segments(p);
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceSegmentedSort::StableSortKeys(temporary, bytes, keys, out, n, segments.count,
                                                        segments.begins(), segments.ends(), cub_stream);
    });
}

template <class T> void offer_segmented_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const device_arrays &arrays = arrays_of(p);
    const T *keys = arrays.input<T>(0);
    const V *values = arrays.input<V>(2);
    T *out = arrays.result<T>(0);
    V *out_values = arrays.result<V>(1);
    const int64_t n = p.n;
    const segment_list segments(p);
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceSegmentedSort::StableSortPairs(temporary, bytes, keys, out, values, out_values, n,
                                                         segments.count, segments.begins(), segments.ends(),
                                                         cub_stream);
    });
}

// Pairs whose values are indices, which are there before the timing; sorted keys go nowhere else.
template <class T> void offer_segmented_indices(const bench_problem &p, candidates &list)
{
    const T *keys = arrays_of(p).template input<T>(0);
    int32_t *out = arrays_of(p).template result<int32_t>(0);
    const int64_t n = p.n;
    const segment_list segments(p);
    std::vector<int32_t> counting(static_cast<size_t>(n));
    std::iota(counting.begin(), counting.end(), 0);
    const std::shared_ptr<void> indices = device_copy(counting);
    const std::shared_ptr<void> sorted = device_memory(static_cast<size_t>(n) * sizeof(T));
    const auto operands = [=](auto call) {
        return call(keys, static_cast<T *>(sorted.get()), static_cast<const int32_t *>(indices.get()), out);
    };
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return operands([&](auto... arrays) {
            return cub::DeviceSegmentedSort::StableSortPairs(temporary, bytes, arrays..., n, segments.count,
                                                             segments.begins(), segments.ends(), cub_stream);
        });
    });
    offer_cub(list, "cub radix", [=](void *temporary, size_t &bytes) {
        return operands([&](auto... arrays) {
            return cub::DeviceSegmentedRadixSort::SortPairs(temporary, bytes, arrays..., n, segments.count,
                                                            segments.begins(), segments.ends(), 0,
                                                            static_cast<int>(8 * sizeof(T)), cub_stream);
        });
    });
}

template <class T> void offer_keys(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *keys = arrays.input<T>(0);
    T *out = arrays.result<T>(0);
    const int64_t n = p.n;
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceMergeSort::SortKeysCopy(temporary, bytes, keys, out, n, less_than(), cub_stream);
    });
}

template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const device_arrays &arrays = arrays_of(p);
    const T *keys = arrays.input<T>(0);
    const V *values = arrays.input<V>(1);
    T *out = arrays.result<T>(0);
    V *out_values = arrays.result<V>(1);
    const int64_t n = p.n;
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceMergeSort::SortPairsCopy(temporary, bytes, keys, values, out, out_values, n, less_than(),
                                                   cub_stream);
    });
}

static void segmented_keys(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_segmented_keys<decltype(zero)>(p, list); });
}
static void segmented_pairs(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_segmented_pairs<decltype(zero)>(p, list); });
}
static void segmented_indices(const bench_problem &p, candidates &list)
{
    with_type<int32_t, float>(p, [&](auto zero) { offer_segmented_indices<decltype(zero)>(p, list); });
}
static void local_keys(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_keys<decltype(zero)>(p, list); });
}
static void local_pairs(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
}

static const register_op ops[] = {
    { "segsort_keys_avg10", segmented_keys },     { "segsort_keys_avg100", segmented_keys },
    { "segsort_keys_avg1000", segmented_keys },   { "segsort_keys_avg100000", segmented_keys },
    { "segsort_pairs_avg10", segmented_pairs },   { "segsort_pairs_avg100", segmented_pairs },
    { "segsort_pairs_avg1000", segmented_pairs }, { "segsort_pairs_avg100000", segmented_pairs },
    { "segsort_rows_8", segmented_keys },         { "segsort_rows_64", segmented_keys },
    { "segsort_rows_1000", segmented_keys },      { "argsort_rows_8", segmented_indices },
    { "argsort_rows_1000", segmented_indices },   { "argsort_rows_100000", segmented_indices },
    { "localitysort_keys", local_keys },          { "localitysort_keys_local", local_keys },
    { "localitysort_pairs", local_pairs },        { "localitysort_pairs_local", local_pairs },
};

} // namespace
} // namespace peers
