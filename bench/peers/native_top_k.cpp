// native_top_k.cpp: peers for the smallest k keys in order, of all keys or of each row, and for the median. They have
// keys alone, since the standard library has no pairs.
#include "native.hpp"

#include <memory>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

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

// Offers the smallest k keys of each row.
template <class T> void offer_rows(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    const int32_t *offsets = input<int32_t>(p, 1);
    T *out = result<T>(p, 0);
    const int64_t rows = p.in[1].count - 1;
    const int64_t k = rows > 0 ? p.out[0].count / rows : 0;
    const auto row = [=](int64_t r) {
        std::partial_sort_copy(in + offsets[r], in + offsets[r + 1], out + r * k, out + (r + 1) * k);
    };
    add(list, "std::partial_sort_copy", [=] {
        for (int64_t r = 0; r < rows; r++) row(r);
    });
    add(list, "std::partial_sort_copy, openmp", [=] {
#pragma omp parallel for schedule(dynamic) num_threads(native_threads)
        for (int64_t r = 0; r < rows; r++) row(r);
    });
}

// Offers the lower median of each row.
template <class T> void offer_medians(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    const int32_t *offsets = input<int32_t>(p, 1);
    T *out = result<T>(p, 0);
    const int64_t rows = p.in[1].count - 1;
    add(list, "std::nth_element", [=] {
        std::vector<T> work;
        for (int64_t r = 0; r < rows; r++) {
            work.assign(in + offsets[r], in + offsets[r + 1]);
            const auto middle = work.begin() + (offsets[r + 1] - offsets[r] - 1) / 2;
            std::nth_element(work.begin(), middle, work.end());
            out[r] = *middle;
        }
    });
}

static void medians(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_medians<decltype(zero)>(p, list); });
}

static void rows(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_rows<decltype(zero)>(p, list); });
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
static const register_op long_rows("topk_rows_100000_k64", rows);
static const register_op short_rows("topk_rows_1000_k8", rows);
static const register_op median_rows("median_rows_1000", medians);

} // namespace
} // namespace peers
