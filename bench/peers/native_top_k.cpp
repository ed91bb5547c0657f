// native_top_k.cpp: the smallest k keys in order, and the median. Keys alone: the standard library has no pairs.
#include "native.hpp"

#include <memory>

namespace peers
{
namespace
{ // other operations have functions of the same names

template <class T> void offer_keys(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    T *out = result<T>(p, 0);
    const int64_t n = p.n;
    const int64_t k = p.out[0].count;
    const auto work = std::make_shared<std::vector<T>>(static_cast<size_t>(n));
    add(list, "std::partial_sort_copy", [=] { std::partial_sort_copy(in, in + n, out, out + k); });
    add(list, "std::nth_element", [=] {
        std::copy(in, in + n, work->begin());
        std::nth_element(work->begin(), work->begin() + k, work->end());
        std::sort(work->begin(), work->begin() + k);
        std::copy(work->begin(), work->begin() + k, out);
    });
}

template <class T> void offer_median(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    T *out = result<T>(p, 0);
    const int64_t n = p.n;
    const auto work = std::make_shared<std::vector<T>>(static_cast<size_t>(n));
    add(list, "std::nth_element", [=] {
        std::copy(in, in + n, work->begin());
        std::nth_element(work->begin(), work->begin() + n / 2, work->end());
        *out = (*work)[static_cast<size_t>(n / 2)];
    });
}

static void keys(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_keys<decltype(zero)>(p, list); });
}

static void median(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_median<decltype(zero)>(p, list); });
}

static const register_op few("topk_keys_k10", keys);
static const register_op thousand("topk_keys_k1000", keys);
static const register_op skewed("topk_keys_skewed_k1000", keys);
static const register_op nth("nth_element", median);

} // namespace
} // namespace peers
