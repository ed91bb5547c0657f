// cub_group_by.cu: sums of equal keys that are not sorted, and the distinct keys: a sort, then CUB's calls on runs.
#include "cub.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/transform_iterator.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

struct widened {
    __host__ __device__ int64_t operator()(int32_t value) const { return value; }
};

struct sum_of {
    __host__ __device__ int64_t operator()(int64_t p, int64_t q) const { return p + q; }
};

// 64-bit sums of 32-bit values.
void offer_sums(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const int32_t *keys = arrays.input<int32_t>(0);
    const int32_t *values = arrays.input<int32_t>(1);
    int32_t *out = arrays.result<int32_t>(0);
    int64_t *sums = arrays.result<int64_t>(1);
    int64_t *count = arrays.result<int64_t>(2);
    const int n = static_cast<int>(p.n); // a count of 64 bits is slower
    const std::shared_ptr<void> memory = device_memory(2 * static_cast<size_t>(n) * sizeof(int32_t));
    int32_t *sorted = static_cast<int32_t *>(memory.get());
    int32_t *sorted_values = sorted + n;
    const auto sort = cub_step("cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, sorted, values, sorted_values, n, 0, 32,
                                               cub_stream);
    });
    const auto fold = cub_step("cub", [=](void *temporary, size_t &bytes) {
        const auto wide = thrust::make_transform_iterator(sorted_values, widened());
        return cub::DeviceReduce::ReduceByKey(temporary, bytes, sorted, out, wide, sums, count, sum_of(), n,
                                              cub_stream);
    });
    add(list, "cub sort and fold", [=] {
        (void)memory; // kept as long as the candidate
        sort();
        fold();
    });
}

void offer_distinct(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const int32_t *keys = arrays.input<int32_t>(0);
    int32_t *out = arrays.result<int32_t>(0);
    int64_t *count = arrays.result<int64_t>(1);
    const int n = static_cast<int>(p.n);
    const std::shared_ptr<void> memory = device_memory(static_cast<size_t>(n) * sizeof(int32_t));
    int32_t *sorted = static_cast<int32_t *>(memory.get());
    const auto sort = cub_step("cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, sorted, n, 0, 32, cub_stream);
    });
    const auto unique = cub_step("cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceSelect::Unique(temporary, bytes, sorted, out, count, n, cub_stream);
    });
    add(list, "cub sort and unique", [=] {
        (void)memory;
        sort();
        unique();
    });
}

static const register_op few("group_by_1e3", offer_sums);
static const register_op many("group_by_1e6", offer_sums);
static const register_op distinct("distinct", offer_distinct);

} // namespace
} // namespace peers
