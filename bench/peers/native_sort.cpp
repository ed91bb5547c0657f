// native_sort.cpp: sorts of keys and of pairs. A sort in place is timed together with the copy of its input.
#include "native_sort.hpp"

#include <tbb/parallel_sort.h>

#include <execution>
#include <numeric>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// Sorts rows by a rising number and a falling float.
static void sort_columns(const bench_problem &p, candidates &list)
{
    const int32_t *first = input<int32_t>(p, 0);
    const float *second = input<float>(p, 1);
    int32_t *out = result<int32_t>(p, 0);
    const int64_t n = p.n;
    const auto before = [=](int32_t x, int32_t y) {
        return first[x] != first[y] ? first[x] < first[y] : second[y] < second[x];
    };
    add(list, "std::stable_sort", [=] {
        std::iota(out, out + n, 0);
        std::stable_sort(out, out + n, before);
    });
    add(list, "std::par stable_sort", [=] {
        std::iota(out, out + n, 0);
        std::stable_sort(std::execution::par, out, out + n, before);
    });
}

// Counts the elements of a among the first diagonal elements of the merge.
template <class X, class Less>
int64_t merge_cut(const X *a, int64_t a_count, const X *b, int64_t b_count, int64_t diagonal, Less less)
{
    int64_t low = std::max<int64_t>(0, diagonal - b_count);
    int64_t high = std::min(diagonal, a_count);
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (less(b[diagonal - 1 - middle], a[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Merges two neighbouring runs by all threads, in equal pieces.
template <class X, class Less> void merge_runs(const X *a, int64_t a_count, int64_t b_count, X *to, Less less)
{
    const X *b = a + a_count;
    for_each_share(native_threads, [=](int k) {
        const int64_t first = share(a_count + b_count, k, native_threads);
        const int64_t last = share(a_count + b_count, k + 1, native_threads);
        const int64_t i = merge_cut(a, a_count, b, b_count, first, less);
        const int64_t i_end = merge_cut(a, a_count, b, b_count, last, less);
        std::merge(a + i, a + i_end, b + (first - i), b + (last - i_end), to + first, less);
    });
}

// Sorts by an OpenMP mergesort: each thread sorts its share, then pairs of runs are merged.
template <class X, class Less> void openmp_mergesort(X *data, X *spare, int64_t n, Less less)
{
    const int all = native_threads;
    for_each_share(all, [=](int k) { std::sort(data + share(n, k, all), data + share(n, k + 1, all), less); });
    X *from = data;
    X *to = spare;
    for (int width = 1; width < all; width *= 2) {
        for (int k = 0; k < all; k += 2 * width) {
            const int64_t begin = share(n, k, all);
            const int64_t middle = share(n, std::min(k + width, all), all);
            const int64_t end = share(n, std::min(k + 2 * width, all), all);
            merge_runs(from + begin, middle - begin, end - middle, to + begin, less);
        }
        std::swap(from, to);
    }
    if (from == data) return;
    for_each_share(
        all, [=](int k) { std::copy(from + share(n, k, all), from + share(n, k + 1, all), data + share(n, k, all)); });
}

// Offers the sorts of the standard library, TBB and OpenMP.
template <class X, class Less> void offer_sorts(candidates &list, const sorting<X, Less> &of)
{
    offer_sort(list, "std::sort", of, [](X *begin, X *end) { std::sort(begin, end, Less()); });
    offer_sort(list, "std::stable_sort", of, [](X *begin, X *end) { std::stable_sort(begin, end, Less()); });
    offer_sort(list, "std::par sort", of,
               [](X *begin, X *end) { std::sort(std::execution::par_unseq, begin, end, Less()); });
    offer_sort(list, "std::par stable_sort", of,
               [](X *begin, X *end) { std::stable_sort(std::execution::par, begin, end, Less()); });
    offer_sort(list, "tbb::parallel_sort", of, [](X *begin, X *end) { tbb::parallel_sort(begin, end, Less()); });
    const auto spare = std::make_shared<std::vector<X>>(static_cast<size_t>(of.n));
    offer_sort(list, "openmp mergesort", of,
               [spare](X *begin, X *end) { openmp_mergesort(begin, spare->data(), end - begin, Less()); });
}

// Offers sorts of indices, which then fetch keys and values.
template <class T> void offer_index_sort(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const T *in_keys = input<T>(p, 0);
    const V *in_values = input<V>(p, 1);
    T *keys = result<T>(p, 0);
    V *values = result<V>(p, 1);
    const int64_t n = p.n;
    const auto places = std::make_shared<std::vector<int32_t>>(static_cast<size_t>(n));
    add(list, "std::par index sort", [=] {
        std::iota(places->begin(), places->end(), 0);
        std::sort(std::execution::par_unseq, places->begin(), places->end(),
                  [=](int32_t i, int32_t j) { return in_keys[i] < in_keys[j] || (in_keys[i] == in_keys[j] && i < j); });
        for_each_share(native_threads, [=](int k) {
            const int64_t last = share(n, k + 1, native_threads);
            for (int64_t i = share(n, k, native_threads); i < last; i++) {
                keys[i] = in_keys[(*places)[static_cast<size_t>(i)]];
                values[i] = in_values[(*places)[static_cast<size_t>(i)]];
            }
        });
    });
}

static void keys(const bench_problem &p, candidates &list)
{
    with_keys(p, all_numbers(), [&](auto of) { offer_sorts(list, of); });
}

static void pairs(const bench_problem &p, candidates &list)
{
    with_pairs(p, all_numbers(), [&](auto of) { offer_sorts(list, of); });
    with_number(p, [&](auto zero) { offer_index_sort<decltype(zero)>(p, list); });
}

static const register_sorts sorts(sort_kind::BY_COMPARISON, keys, pairs);
static const register_op columns("sort_columns_2", sort_columns);

} // namespace
} // namespace peers
