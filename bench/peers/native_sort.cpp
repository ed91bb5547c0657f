// native_sort.cpp: sorts of keys and of pairs. What works in place is timed with the copy into its place.
#include "native.hpp"

#include <tbb/parallel_sort.h>

#include <execution>
#include <memory>
#include <numeric>

namespace peers
{
namespace
{ // other operations have functions of the same names

// The order of rows by a rising number and a falling float.
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

// How many of the first diagonal elements of the merge come from a.
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

// All threads merge two neighbouring runs, cut into equal pieces.
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

// A mergesort by OpenMP: each thread sorts its share, then pairs of runs are merged.
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

// Every way to sort an array of X; fetch brings the result to where it belongs.
template <class X, class Less>
void offer_sorts(candidates &list, const X *in, X *out, int64_t n, Less less, const std::function<void()> &fetch = {})
{
    const auto copied = [=] {
        std::copy(in, in + n, out);
        return out;
    };
    add(
        list, "std::sort", [=] { std::sort(copied(), out + n, less); }, fetch);
    add(
        list, "std::stable_sort", [=] { std::stable_sort(copied(), out + n, less); }, fetch);
    add(
        list, "std::par sort", [=] { std::sort(std::execution::par_unseq, copied(), out + n, less); }, fetch);
    add(
        list, "std::par stable_sort", [=] { std::stable_sort(std::execution::par, copied(), out + n, less); }, fetch);
    add(
        list, "tbb::parallel_sort", [=] { tbb::parallel_sort(copied(), out + n, less); }, fetch);
    const auto spare = std::make_shared<std::vector<X>>(static_cast<size_t>(n));
    add(
        list, "openmp mergesort", [=] { openmp_mergesort(copied(), spare->data(), n, less); }, fetch);
}

template <class T> void offer_keys(const bench_problem &p, candidates &list)
{
    offer_sorts(list, input<T>(p, 0), result<T>(p, 0), p.n, std::less<T>());
}

template <class T> struct pair {
    T key;
    value_of<T> value;
};

// Equal keys keep their order: values count up.
template <class T> struct pair_less {
    bool operator()(const pair<T> &x, const pair<T> &y) const
    {
        return x.key < y.key || (x.key == y.key && x.value < y.value);
    }
};

// Pairs as one array of structs, made before the timing; and by sorting indices of two arrays.
template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const T *in_keys = input<T>(p, 0);
    const V *in_values = input<V>(p, 1);
    T *keys = result<T>(p, 0);
    V *values = result<V>(p, 1);
    const int64_t n = p.n;
    const auto in = std::make_shared<std::vector<pair<T>>>(static_cast<size_t>(n));
    const auto out = std::make_shared<std::vector<pair<T>>>(static_cast<size_t>(n));
    for (int64_t k = 0; k < n; k++) (*in)[static_cast<size_t>(k)] = { in_keys[k], in_values[k] };
    const auto fetch = [=] {
        (void)in->data(); // kept as long as the candidates
        for (int64_t k = 0; k < n; k++) {
            keys[k] = (*out)[static_cast<size_t>(k)].key;
            values[k] = (*out)[static_cast<size_t>(k)].value;
        }
    };
    offer_sorts(list, static_cast<const pair<T> *>(in->data()), out->data(), n, pair_less<T>(), fetch);

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
    with_number(p, [&](auto zero) { offer_keys<decltype(zero)>(p, list); });
}

static void pairs(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
}

static const register_op mergesort_keys("mergesort_keys", keys);
static const register_op mergesort_pairs("mergesort_pairs", pairs);
static const register_op radixsort_keys("radixsort_keys", keys);
static const register_op radixsort_pairs("radixsort_pairs", pairs);
static const register_op sort_keys("sort_keys", keys);
static const register_op sort_pairs("sort_pairs", pairs);
static const register_op columns("sort_columns_2", sort_columns);

} // namespace
} // namespace peers
