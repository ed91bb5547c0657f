// cub_join.cu: inner joins of tables in any order, put together from CUB's sort and Thrust's calls. Keys are sorted
// with their places, and the rows fetch the columns.
#include "cub.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

// A table's keys in order, and the row that each came from.
struct sorted_table {
    const int32_t *columns[2];
    int32_t *rows, *keys, *places;
    int64_t count;
    std::shared_ptr<void> memory;
    std::function<void()> sort;
};

sorted_table table_of(const bench_problem &p, int side)
{
    const device_arrays &arrays = arrays_of(p);
    sorted_table table;
    table.count = p.in[side].count;
    for (int c = 0; c < 2; c++) table.columns[c] = arrays.input<int32_t>(2 + 2 * side + c);
    table.memory = device_memory(3 * static_cast<size_t>(table.count) * sizeof(int32_t));
    table.rows = static_cast<int32_t *>(table.memory.get());
    table.keys = table.rows + table.count;
    table.places = table.keys + table.count;
    const int32_t *in = arrays.input<int32_t>(side);
    const sorted_table to = table;
    table.sort = cub_step("cub", [=](void *temporary, size_t &bytes) {
        if (temporary) {
            kept_memory memory;
            thrust::sequence(thrust::cuda::par_nosync(memory).on(cub_stream), to.rows, to.rows + to.count);
        }
        return cub::DeviceRadixSort::SortPairs(temporary, bytes, in, to.keys, to.rows, to.places, to.count, 0, 32,
                                               cub_stream);
    });
    return table;
}

// Makes row k of the result. Table a gives the last row whose results begin at k or before. Table b gives the row that
// is as far from its first match.
struct join_row {
    const int32_t *begins, *first, *places[2], *columns[2][2];
    int32_t *out[4], *out_places[2];
    int64_t a_count;

    __device__ void operator()(int64_t k) const
    {
        int64_t low = 0, high = a_count;
        while (high - low > 1) {
            const int64_t middle = (low + high) / 2;
            if (begins[middle] <= k)
                low = middle;
            else
                high = middle;
        }
        const int32_t rows[2] = { places[0][low], places[1][first[low] + (k - begins[low])] };
        for (int side = 0; side < 2; side++) {
            for (int c = 0; c < 2; c++) out[2 * side + c][k] = columns[side][c][rows[side]];
            if (out_places[side]) out_places[side][k] = rows[side];
        }
    }
};

struct matches {
    const int32_t *first, *end;
    __host__ __device__ int32_t operator()(int64_t k) const { return end[k] - first[k]; }
};

// Offers joins with the places as results, or without.
template <bool has_rows> void offer_join(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const sorted_table a = table_of(p, 0), b = table_of(p, 1);
    const size_t count = static_cast<size_t>(a.count);
    const std::shared_ptr<void> bounds = device_memory(3 * count * sizeof(int32_t));
    int32_t *first = static_cast<int32_t *>(bounds.get()), *end = first + count, *begins = end + count;
    join_row row = { begins, first, { a.places, b.places }, {}, {}, {}, a.count };
    for (int k = 0; k < 4; k++) row.out[k] = arrays.result<int32_t>(k);
    for (int side = 0; side < 2; side++) {
        for (int c = 0; c < 2; c++) row.columns[side][c] = (side ? b : a).columns[c];
        row.out_places[side] = has_rows ? arrays.result<int32_t>(4 + side) : nullptr;
    }
    const int64_t results = p.out[0].count;
    add(list, "cub sort and thrust bounds", [=] {
        (void)bounds; // kept as long as the candidate
        kept_memory memory;
        const auto policy = thrust::cuda::par_nosync(memory).on(cub_stream);
        const thrust::counting_iterator<int64_t> number(0);
        a.sort();
        b.sort();
        thrust::lower_bound(policy, b.keys, b.keys + b.count, a.keys, a.keys + a.count, first);
        thrust::upper_bound(policy, b.keys, b.keys + b.count, a.keys, a.keys + a.count, end);
        const auto counts = thrust::make_transform_iterator(number, matches{ first, end });
        thrust::exclusive_scan(policy, counts, counts + a.count, begins, int32_t(0));
        thrust::for_each(policy, number, number + results, row);
    });
}

static const register_op columns("join_columns_inner", offer_join<false>);
static const register_op rows("join_rows_gather", offer_join<true>);

} // namespace
} // namespace peers
