// native_reduce.cpp: sums.
#include "native.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <execution>
#include <numeric>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

template <class T> T sum_of(const T *first, const T *last)
{
    const plus_wrapping<T> plus;
    T sum = 0;
    for (; first != last; ++first) sum = plus(sum, *first);
    return sum;
}

template <class T> void offer_sums(const bench_problem &p, candidates &list)
{
    using range = tbb::blocked_range<const T *>;
    const T *in = input<T>(p, 0);
    const int64_t n = p.n;
    const T *end = in + n;
    T *out = result<T>(p, 0);
    add(list, "loop", [=] { *out = sum_of(in, end); });
    add(list, "std::par", [=] { *out = std::reduce(std::execution::par_unseq, in, end, T(0), plus_wrapping<T>()); });
    add(list, "tbb", [=] {
        *out = tbb::parallel_reduce(
            range(in, end), T(0),
            [](const range &r, T sum) { return plus_wrapping<T>()(sum, sum_of(r.begin(), r.end())); },
            plus_wrapping<T>());
    });
    add(list, "openmp", [=] {
        const int all = native_threads;
        std::vector<T> sums(static_cast<size_t>(all));
        for_each_share(all, [&](int k) {
            sums[static_cast<size_t>(k)] = sum_of(in + share(n, k, all), in + share(n, k + 1, all));
        });
        *out = sum_of(sums.data(), sums.data() + all);
    });
}

static void offer_reduce(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_sums<decltype(zero)>(p, list); });
}

static const register_op reduce("reduce_sum", offer_reduce);

} // namespace
} // namespace peers
