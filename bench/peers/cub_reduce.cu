// cub_reduce.cu: CUB's sums.
#include "cub.cuh"

#include <cub/device/device_reduce.cuh>

namespace peers
{
namespace
{ // other operations have functions of the same names

static const register_op reduce("reduce_sum", [](const bench_problem &p, candidates &list) {
    with_cub_type(p, [&](auto zero) {
        using T = decltype(zero);
        const device_arrays &arrays = arrays_of(p);
        const T *in = arrays.input<T>(0);
        T *out = arrays.result<T>(0);
        const int64_t n = p.n;
        offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
            return cub::DeviceReduce::Sum(temporary, bytes, in, out, n, cub_stream);
        });
    });
});

} // namespace
} // namespace peers
