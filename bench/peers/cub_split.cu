// cub_split.cu: multisplit as CUB has it: a sort by the bits that say the bucket, then the buckets' bounds.
#include "cub.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace peers
{
namespace
{ // other operations have functions of the same names

// Bits of a key, read as unsigned.
struct bit_range {
    int first, end;
};

// A thread a bucket: where it begins, and how many elements it has. offsets has one more entry than there are buckets.
template <class U>
__global__ void bucket_bounds(const U *sorted, int64_t n, bit_range bits, int buckets, int32_t *offsets,
                              int32_t *counts)
{
    const int bucket = static_cast<int>(threadIdx.x);
    if (bucket > buckets) return;
    const auto lower_bound = [=](int of) {
        int64_t low = 0, high = n;
        while (low < high) {
            const int64_t middle = (low + high) / 2;
            const int at = static_cast<int>(sorted[middle] >> bits.first & ((U(1) << (bits.end - bits.first)) - 1));
            if (at < of)
                low = middle + 1;
            else
                high = middle;
        }
        return static_cast<int32_t>(low);
    };
    offsets[bucket] = lower_bound(bucket);
    if (bucket < buckets) counts[bucket] = lower_bound(bucket + 1) - offsets[bucket];
}

template <class U> void offer_split(const bench_problem &p, candidates &list, bit_range bits)
{
    const device_arrays &arrays = arrays_of(p);
    const int moved = p.in_count > 1 ? 2 : 1;
    if (moved == 2 && p.in[1].type->size != sizeof(U)) return;
    const U *keys = arrays.input<U>(0);
    const U *values = moved == 2 ? arrays.input<U>(1) : nullptr;
    U *out = arrays.result<U>(0);
    U *out_values = moved == 2 ? arrays.result<U>(1) : nullptr;
    int32_t *offsets = arrays.result<int32_t>(moved);
    int32_t *counts = arrays.result<int32_t>(moved + 1);
    const int buckets = 1 << (bits.end - bits.first);
    const int64_t n = p.n;
    const auto sort = cub_step("cub", [=](void *temporary, size_t &bytes) {
        if (!values)
            return cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, out, n, bits.first, bits.end, cub_stream);
        return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, out, values, out_values, n, bits.first, bits.end,
                                               cub_stream);
    });
    add(list, "cub radix sort of bits", [=] {
        sort();
        bucket_bounds<<<1, 512, 0, cub_stream>>>(out, n, bits, buckets, offsets, counts);
    });
}

// By the lowest three bits, or by the highest eight of 32.
template <int first, int end> void split(const bench_problem &p, candidates &list)
{
    if (p.in[0].type->size == sizeof(uint32_t)) offer_split<uint32_t>(p, list, { first, end });
    if (p.in[0].type->size == sizeof(uint64_t)) offer_split<uint64_t>(p, list, { first, end });
}

static const register_op keys_8("multisplit_keys_8", split<0, 3>);
static const register_op keys_256("multisplit_keys_256", split<24, 32>);
static const register_op pairs_8("multisplit_pairs_8", split<0, 3>);
static const register_op pairs_256("multisplit_pairs_256", split<24, 32>);

} // namespace
} // namespace peers
