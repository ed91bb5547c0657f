// cub_histogram.cu: CUB's counts in even bins over all that an element can be.
#include "cub.cuh"

#include <cub/device/device_histogram.cuh>

#include <limits>

namespace peers
{
namespace
{ // other operations have functions of the same names

template <class T> void offer_counts(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *in = arrays.input<T>(0);
    int *out = arrays.result<int>(0);
    const int64_t n = p.n;
    const int levels = static_cast<int>(p.out[0].count) + 1;
    const int64_t low = std::numeric_limits<T>::min();
    const int64_t high = static_cast<int64_t>(std::numeric_limits<T>::max()) + 1;
    offer_cub(list, "cub", [=](void *temporary, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(temporary, bytes, in, out, levels, low, high, n, cub_stream);
    });
}

static void offer_histogram(const bench_problem &p, candidates &list)
{
    with_type<int32_t, uint32_t>(p, [&](auto zero) { offer_counts<decltype(zero)>(p, list); });
}

static const register_op few("histogram_256", offer_histogram);
static const register_op skewed("histogram_256_skewed", offer_histogram);
static const register_op thousands("histogram_4096", offer_histogram);
static const register_op many("histogram_65536", offer_histogram);

} // namespace
} // namespace peers
