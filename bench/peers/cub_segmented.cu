// cub_segmented.cu: CUB's sums and scans of segments and of runs of equal keys.
#include "cub.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>
#if CUB_VERSION >= 300600
#include <cub/device/device_segmented_scan.cuh>
#endif
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

template <class T> struct sum_of {
    __host__ __device__ T operator()(const T &p, const T &q) const { return p + q; }
};

template <class T> struct product {
    const int32_t *columns;
    const T *values, *x;
    __host__ __device__ T operator()(int64_t k) const { return values[k] * x[columns[k]]; }
};

void offer_segments(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        const device_arrays &arrays = arrays_of(p);
        const T *in = arrays.input<T>(0);
        const int32_t *offsets = arrays.input<int32_t>(1);
        T *out = arrays.result<T>(0);
        const int64_t segments = p.out[0].count;
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceSegmentedReduce::Sum(temporary, bytes, in, out, segments, offsets, offsets + 1,
                                                   cub_stream);
        });
    });
}

void offer_runs(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        using K = value_of<T>;
        const device_arrays &arrays = arrays_of(p);
        const K *keys = arrays.input<K>(0);
        const T *in = arrays.input<T>(1);
        K *out_keys = arrays.result<K>(0);
        T *out = arrays.result<T>(1);
        int64_t *count = arrays.result<int64_t>(2);
        const int n = static_cast<int>(p.n); // a count of 64 bits is slower
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceReduce::ReduceByKey(temporary, bytes, keys, out_keys, in, out, count, sum_of<T>(), n,
                                                  cub_stream);
        });
    });
}

#if CUB_VERSION >= 300600
void offer_segment_scans(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        const device_arrays &arrays = arrays_of(p);
        const T *in = arrays.input<T>(0);
        const int32_t *offsets = arrays.input<int32_t>(1);
        T *out = arrays.result<T>(0);
        const int64_t segments = p.in[1].count - 1;
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceSegmentedScan::InclusiveSegmentedSum(temporary, bytes, in, out, offsets, offsets + 1,
                                                                   segments, cub_stream);
        });
    });
}

static const register_op segment_scans("segscan_sum_avg100", offer_segment_scans);
#endif

void offer_run_scans(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        using K = value_of<T>;
        const device_arrays &arrays = arrays_of(p);
        const K *keys = arrays.input<K>(0);
        const T *in = arrays.input<T>(1);
        T *out = arrays.result<T>(0);
        const int n = static_cast<int>(p.n);
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceScan::InclusiveSumByKey(temporary, bytes, keys, in, out, n, cuda::std::equal_to<>{},
                                                      cub_stream);
        });
    });
}

void offer_spmv(const bench_problem &p, candidates &list)
{
    with_type<float, double>(p, [&](auto zero) {
        using T = decltype(zero);
        const device_arrays &arrays = arrays_of(p);
        const int32_t *offsets = arrays.input<int32_t>(0);
        const auto in = thrust::make_transform_iterator(
            thrust::counting_iterator<int64_t>(0),
            product<T>{ arrays.input<int32_t>(1), arrays.input<T>(2), arrays.input<T>(3) });
        T *out = arrays.result<T>(0);
        const int64_t segments = p.out[0].count;
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceSegmentedReduce::Sum(temporary, bytes, in, out, segments, offsets, offsets + 1,
                                                   cub_stream);
        });
    });
}

static const register_op segments_10("segreduce_sum_avg10", offer_segments);
static const register_op segments_100("segreduce_sum_avg100", offer_segments);
static const register_op segments_1000("segreduce_sum_avg1000", offer_segments);
static const register_op segments_100000("segreduce_sum_avg100000", offer_segments);
static const register_op runs_10("reduce_by_key_avg10", offer_runs);
static const register_op runs_1000("reduce_by_key_avg1000", offer_runs);
static const register_op run_scans("scan_by_key_avg100", offer_run_scans);
static const register_op spmv("spmv_rmat", offer_spmv);

} // namespace
} // namespace peers
