// native_scan.cpp: peers for prefix sums, and for the index of the largest element so far.
#include "native.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <execution>
#include <numeric>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// Offers a scan as all candidates except std's. scan writes the outputs of a range, given the fold before it, and
// returns the fold after it. sum returns that fold without writing. join folds two neighbours.
template <class V, class Sum, class Scan, class Join>
void offer_scan(int64_t n, V start, Sum sum, Scan scan, Join join, candidates &list)
{
    using range = tbb::blocked_range<int64_t>;
    add(list, "loop", [=] { (void)scan(int64_t(0), n, start); });
    add(list, "tbb", [=] {
        (void)tbb::parallel_scan(
            range(0, n), start,
            [=](const range &r, V before, bool is_final) {
                return is_final ? scan(r.begin(), r.end(), before) : join(before, sum(r.begin(), r.end()));
            },
            join);
    });
    add(list, "openmp",
        [=] { // first the shares' sums, then the shares
            const int all = native_threads;
            std::vector<V> before(static_cast<size_t>(all) + 1, start);
            for_each_share(
                all, [&](int k) { before[static_cast<size_t>(k) + 1] = sum(share(n, k, all), share(n, k + 1, all)); });
            for (size_t k = 1; k < before.size(); k++) before[k] = join(before[k - 1], before[k]);
            for_each_share(all, [&](int k) {
                (void)scan(share(n, k, all), share(n, k + 1, all), before[static_cast<size_t>(k)]);
            });
        });
}

template <class T> void offer_sums(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    T *out = result<T>(p, 0);
    const int64_t n = p.n;
    const plus_wrapping<T> plus;
    offer_scan(
        n, T(0),
        [=](int64_t k, int64_t end) {
            T total = 0;
            for (; k < end; k++) total = plus(total, in[k]);
            return total;
        },
        [=](int64_t k, int64_t end, T total) {
            for (; k < end; k++) {
                const T x = in[k];
                out[k] = total;
                total = plus(total, x);
            }
            return total;
        },
        plus, list);
    add(list, "std", [=] { std::exclusive_scan(in, in + n, out, T(0), plus); });
    add(list, "std::par", [=] { std::exclusive_scan(std::execution::par_unseq, in, in + n, out, T(0), plus); });
}

// Chooses the first of the largest elements. Index -1 stands for no element yet.
template <class T> struct later_if_larger {
    at<T> operator()(const at<T> &p, const at<T> &q) const
    {
        if (p.index < 0) return q;
        return q.index >= 0 && q.value > p.value ? q : p;
    }
};

template <class T> void offer_indices(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    int32_t *out = result<int32_t>(p, 0);
    const auto element = [=](int64_t k) { return at<T>{ in[k], static_cast<value_of<T>>(k) }; };
    const later_if_larger<T> join;
    offer_scan(
        p.n, at<T>{ T(0), -1 },
        [=](int64_t k, int64_t end) {
            at<T> best{ T(0), -1 };
            for (; k < end; k++) best = join(best, element(k));
            return best;
        },
        [=](int64_t k, int64_t end, at<T> best) {
            for (; k < end; k++) {
                best = join(best, element(k));
                out[k] = static_cast<int32_t>(best.index);
            }
            return best;
        },
        join, list);
}

template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    const at<T> *in = input<at<T>>(p, 0);
    at<T> *out = result<at<T>>(p, 0);
    const int64_t n = p.n;
    const later_if_larger<T> join;
    offer_scan(
        n, at<T>{ T(0), -1 },
        [=](int64_t k, int64_t end) {
            at<T> best{ T(0), -1 };
            for (; k < end; k++) best = join(best, in[k]);
            return best;
        },
        [=](int64_t k, int64_t end, at<T> best) {
            for (; k < end; k++) out[k] = best = join(best, in[k]);
            return best;
        },
        join, list);
    const auto larger = [](const at<T> &a, const at<T> &b) { return b.value > a.value ? b : a; };
    add(list, "std", [=] { std::inclusive_scan(in, in + n, out, larger); });
    add(list, "std::par", [=] { std::inclusive_scan(std::execution::par_unseq, in, in + n, out, larger); });
}

static const register_op sums("exclusive_scan_sum", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_sums<decltype(zero)>(p, list); });
});
static const register_op indices("scan_maxindex", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_indices<decltype(zero)>(p, list); });
});
static const register_op pairs("scan_maxpair", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
});

} // namespace
} // namespace peers
