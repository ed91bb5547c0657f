// native_find.cpp: peers that look for the first element that passes a test where none does, or that count the lower
// half.
#include "native.hpp"

#include <execution>
#include <limits>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// Returns the largest element. No element is above it, but compilers do not know that.
template <class T> T largest(const T *in, int64_t n)
{
    return n > 0 ? *std::max_element(in, in + n) : T(0);
}

template <class T> void offer_find(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    int64_t *found = result<int64_t>(p, 0);
    const int64_t n = p.n;
    const T limit = largest(in, n);
    const auto above = [limit](T x) { return limit < x; };
    add(list, "std::find_if", [=] { *found = std::find_if(in, in + n, above) - in; });
    add(list, "std::par", [=] { *found = std::find_if(std::execution::par_unseq, in, in + n, above) - in; });
    add(list, "loop of blocks", [=] { // compilers make vectors of the tests of a block
        int64_t k = 0;
        for (int any = 0; k + 256 <= n && !any; k += any ? 0 : 256)
            for (int64_t j = k; j < k + 256; j++) any |= limit < in[j];
        *found = std::find_if(in + k, in + n, above) - in;
    });
}

template <class T> void offer_count(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    int64_t *count = result<int64_t>(p, 0);
    const int64_t n = p.n;
    const auto lower = [](T x) {
        if constexpr (std::is_floating_point_v<T>)
            return x < T(0.5);
        else if constexpr (std::is_signed_v<T>)
            return x < 0;
        else
            return x < T(1) << (sizeof(T) * 8 - 1);
    };
    add(list, "std::count_if", [=] { *count = std::count_if(in, in + n, lower); });
    add(list, "std::par", [=] { *count = std::count_if(std::execution::par_unseq, in, in + n, lower); });
    add(list, "openmp", [=] {
        const int all = native_threads;
        std::vector<int64_t> counts(static_cast<size_t>(all));
        for_each_share(all, [&](int k) {
            counts[static_cast<size_t>(k)] = std::count_if(in + share(n, k, all), in + share(n, k + 1, all), lower);
        });
        int64_t sum = 0;
        for (const int64_t part : counts) sum += part;
        *count = sum;
    });
}

static const register_op none("find_if_none", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_find<decltype(zero)>(p, list); });
});
static const register_op lower("count_if_50", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_count<decltype(zero)>(p, list); });
});

} // namespace
} // namespace peers
