// native_search.cpp: peers that find the lower bounds of sorted needles.
#include "native.hpp"

#include <algorithm>
#include <execution>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// Finds bounds by a pointer into the haystack that only moves forward.
template <class T>
void sweep(const T *needles, int64_t first, int64_t last, const T *haystack, int64_t place, int64_t count, int32_t *out)
{
    for (int64_t k = first; k < last; k++) {
        while (place < count && haystack[place] < needles[k]) place++;
        out[k] = static_cast<int32_t>(place);
    }
}

template <class T> void offer_lower(const bench_problem &p, candidates &list)
{
    const T *a = input<T>(p, 0);
    const T *b = input<T>(p, 1);
    int32_t *out = result<int32_t>(p, 0);
    const int64_t a_count = p.in[0].count;
    const int64_t b_count = p.in[1].count;
    add(list, "loop", [=] { sweep(a, 0, a_count, b, 0, b_count, out); });
    add(list, "openmp", [=] {
        const int all = native_threads;
        for_each_share(all, [=](int k) {
            const int64_t first = share(a_count + b_count, k, all);
            const int64_t last = share(a_count + b_count, k + 1, all);
            const int64_t a_first = merge_path(a, a_count, b, b_count, first);
            const int64_t a_last = merge_path(a, a_count, b, b_count, last);
            sweep(a, a_first, a_last, b, first - a_first, b_count, out);
        });
    });
    add(list, "std::par", [=] {
        std::transform(std::execution::par_unseq, a, a + a_count, out,
                       [=](T x) { return static_cast<int32_t>(std::lower_bound(b, b + b_count, x) - b); });
    });
}

static void offer(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_lower<decltype(zero)>(p, list); });
}

static const register_op quarter("sorted_search_lower_25_75", offer);
static const register_op halves("sorted_search_lower_50_50", offer);
static const register_op equal("sorted_search_lower_n_n", offer);

} // namespace
} // namespace peers
