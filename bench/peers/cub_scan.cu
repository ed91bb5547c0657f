// cub_scan.cu: CUB's scans.
#include "cub.cuh"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

template <class T> struct first_larger {
    __host__ __device__ at<T> operator()(const at<T> &p, const at<T> &q) const
    {
        return q.value > p.value || (q.value == p.value && q.index < p.index) ? q : p;
    }
};

template <class T> struct element_at {
    const T *in;
    __host__ __device__ at<T> operator()(int64_t k) const { return { in[k], static_cast<value_of<T>>(k) }; }
};

template <class T> struct index_of {
    __host__ __device__ int32_t operator()(const at<T> &x) const { return static_cast<int32_t>(x.index); }
};

static const register_op sums("exclusive_scan_sum", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        const device_arrays &arrays = arrays_of(p);
        const T *in = arrays.input<T>(0);
        T *out = arrays.result<T>(0);
        const int64_t n = p.n;
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out, n, cub_stream);
        });
    });
});

static const register_op indices("scan_maxindex", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        const device_arrays &arrays = arrays_of(p);
        const auto in =
            thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0), element_at<T>{ arrays.input<T>(0) });
        const auto out = thrust::make_transform_output_iterator(arrays.result<int32_t>(0), index_of<T>());
        const int64_t n = p.n;
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceScan::InclusiveScan(temporary, bytes, in, out, first_larger<T>(), n, cub_stream);
        });
    });
});

static const register_op pairs("scan_maxpair", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        const device_arrays &arrays = arrays_of(p);
        const at<T> *in = arrays.input<at<T>>(0);
        at<T> *out = arrays.result<at<T>>(0);
        const int64_t n = p.n;
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceScan::InclusiveScan(temporary, bytes, in, out, first_larger<T>(), n, cub_stream);
        });
    });
});

} // namespace
} // namespace peers
