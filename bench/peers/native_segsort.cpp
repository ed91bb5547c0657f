// native_segsort.cpp: peers that sort inside segments, and sorts to compare locality sort with.
#include "native.hpp"

#include <tbb/parallel_sort.h>

#include <execution>
#include <memory>
#include <numeric>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// A key with its value, the form that std:: sorts. Values are 0, 1, 2 and so on, so comparing values too keeps the
// order of equal keys.
template <class T> struct pair {
    T key;
    value_of<T> value;
};
template <class T> bool operator<(const pair<T> &x, const pair<T> &y)
{
    return x.key < y.key || (!(y.key < x.key) && x.value < y.value);
}

// A list of segments, one more than there are starts. Segment k begins at starts[k - 1] and ends at starts[k]. Rows
// have their offsets as starts. Each element after the last row is a segment of its own, so it stays.
struct segment_list {
    const int32_t *starts;
    int64_t count, n;
    bool are_rows;

    int64_t begin(int64_t k) const { return k > 0 ? starts[k - 1] : 0; }
    int64_t end(int64_t k) const { return k < count ? starts[k] : n; }
};

segment_list segments_of(const bench_problem &p)
{
    return { input<int32_t>(p, 1), p.in[1].count, p.n, are_rows(p) };
}

// Calls body for each segment. Threads take short segments by hundreds, so that they rarely wait at the counter.
template <class F> void for_each_segment(const segment_list &segments, F body)
{
    const int all = native_threads;
    const int64_t mean = segments.n / (segments.count + 1);
    const int chunk = static_cast<int>(std::max<int64_t>(1, 10000 / std::max<int64_t>(mean, 1)));
#pragma omp parallel for schedule(dynamic, chunk) num_threads(all)
    for (int64_t k = 0; k < segments.count; k++) body(segments.begin(k), segments.end(k));
    const int64_t last = segments.begin(segments.count);
    if (!segments.are_rows) body(last, segments.n);
    for (int64_t k = last; segments.are_rows && k < segments.n; k++) body(k, k + 1);
}

template <class T> void offer_segmented_keys(const bench_problem &p, candidates &list)
{
    const segment_list segments = segments_of(p);
    const T *keys = input<T>(p, 0);
    T *out = result<T>(p, 0);
    add(list, "openmp std::sort", [=] {
        for_each_segment(segments, [=](int64_t begin, int64_t end) {
            std::copy(keys + begin, keys + end, out + begin);
            std::sort(out + begin, out + end);
        });
    });
    add(list, "openmp std::stable_sort", [=] {
        for_each_segment(segments, [=](int64_t begin, int64_t end) {
            std::copy(keys + begin, keys + end, out + begin);
            std::stable_sort(out + begin, out + end);
        });
    });
}

template <class T> void offer_segmented_pairs(const bench_problem &p, candidates &list)
{
    const segment_list segments = segments_of(p);
    const T *keys = input<T>(p, 0);
    const value_of<T> *values = input<value_of<T>>(p, 2);
    T *out = result<T>(p, 0);
    value_of<T> *out_values = result<value_of<T>>(p, 1);
    const auto zipped = std::make_shared<std::vector<pair<T>>>(static_cast<size_t>(p.n));
    add(list, "openmp std::sort", [=] {
        pair<T> *const pairs = zipped->data();
        for_each_segment(segments, [=](int64_t begin, int64_t end) {
            for (int64_t k = begin; k < end; k++) pairs[k] = { keys[k], values[k] };
            std::sort(pairs + begin, pairs + end);
            for (int64_t k = begin; k < end; k++) {
                out[k] = pairs[k].key;
                out_values[k] = pairs[k].value;
            }
        });
    });
}

template <class T> void offer_segmented_indices(const bench_problem &p, candidates &list)
{
    const segment_list segments = segments_of(p);
    const T *keys = input<T>(p, 0);
    int32_t *out = result<int32_t>(p, 0);
    add(list, "openmp std::stable_sort", [=] {
        for_each_segment(segments, [=](int64_t begin, int64_t end) {
            std::iota(out + begin, out + end, static_cast<int32_t>(begin));
            std::stable_sort(out + begin, out + end, [=](int32_t x, int32_t y) { return keys[x] < keys[y]; });
        });
    });
}

template <class T> void offer_keys(const bench_problem &p, candidates &list)
{
    const T *keys = input<T>(p, 0);
    T *out = result<T>(p, 0);
    const int64_t n = p.n;
    add(list, "std::sort", [=] {
        std::copy(keys, keys + n, out);
        std::sort(out, out + n);
    });
    add(list, "std::par stable_sort", [=] {
        std::copy(keys, keys + n, out);
        std::stable_sort(std::execution::par, out, out + n);
    });
    add(list, "tbb", [=] {
        std::copy(keys, keys + n, out);
        tbb::parallel_sort(out, out + n);
    });
}

template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    const T *keys = input<T>(p, 0);
    const value_of<T> *values = input<value_of<T>>(p, 1);
    T *out = result<T>(p, 0);
    value_of<T> *out_values = result<value_of<T>>(p, 1);
    const auto zipped = std::make_shared<std::vector<pair<T>>>(static_cast<size_t>(p.n));
    const auto zip = [=] {
        for (size_t k = 0; k < zipped->size(); k++) (*zipped)[k] = { keys[k], values[k] };
    };
    const auto fetch = [=] {
        for (size_t k = 0; k < zipped->size(); k++) {
            out[k] = (*zipped)[k].key;
            out_values[k] = (*zipped)[k].value;
        }
    };
    add(
        list, "std::par sort",
        [=] {
            zip();
            std::sort(std::execution::par, zipped->begin(), zipped->end());
        },
        fetch);
    add(
        list, "tbb",
        [=] {
            zip();
            tbb::parallel_sort(zipped->begin(), zipped->end());
        },
        fetch);
}

static void segmented_keys(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_segmented_keys<decltype(zero)>(p, list); });
}
static void segmented_pairs(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_segmented_pairs<decltype(zero)>(p, list); });
}
static void segmented_indices(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_segmented_indices<decltype(zero)>(p, list); });
}
static void local_keys(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_keys<decltype(zero)>(p, list); });
}
static void local_pairs(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
}

static const register_op ops[] = {
    { "segsort_keys_avg10", segmented_keys },       { "segsort_keys_avg100", segmented_keys },
    { "segsort_keys_avg1000", segmented_keys },     { "segsort_keys_avg100000", segmented_keys },
    { "segsort_pairs_avg10", segmented_pairs },     { "segsort_pairs_avg100", segmented_pairs },
    { "segsort_pairs_avg1000", segmented_pairs },   { "segsort_pairs_avg100000", segmented_pairs },
    { "segsort_rows_8", segmented_keys },           { "segsort_rows_64", segmented_keys },
    { "segsort_rows_1000", segmented_keys },        { "argsort_rows_8", segmented_indices },
    { "argsort_rows_1000", segmented_indices },     { "argsort_rows_100000", segmented_indices },
    { "localitysort_keys", local_keys },            { "localitysort_keys_local", local_keys },
    { "localitysort_pairs", local_pairs },          { "localitysort_pairs_local", local_pairs },
};

} // namespace
} // namespace peers
