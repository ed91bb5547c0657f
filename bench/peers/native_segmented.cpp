// native_segmented.cpp: peers that add up segments and runs of equal keys, or multiply a sparse matrix by a vector.
#include "native.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <execution>
#include <numeric>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// ---- segments: body(s) does segment s --------------------------------------------------------------------------

// Returns the first segment of share k. All shares have equal numbers of elements.
inline int64_t first_segment(const int32_t *offsets, int64_t segments, int k, int all)
{
    const int64_t place = share(offsets[segments], k, all);
    return k == all ? segments : std::lower_bound(offsets, offsets + segments, place) - offsets;
}

template <class Body> void offer_segments(const int32_t *offsets, int64_t segments, Body body, candidates &list)
{
    using range = tbb::blocked_range<int64_t>;
    add(list, "loop", [=] {
        for (int64_t s = 0; s < segments; s++) body(s);
    });
    add(list, "tbb", [=] {
        tbb::parallel_for(range(0, segments), [=](const range &r) {
            for (int64_t s = r.begin(); s < r.end(); s++) body(s);
        });
    });
    add(list, "openmp by segments", [=] {
#pragma omp parallel for schedule(static) num_threads(native_threads)
        for (int64_t s = 0; s < segments; s++) body(s);
    });
    add(list, "openmp by elements", [=] {
        const int all = native_threads;
        for_each_share(all, [&](int k) {
            const int64_t end = first_segment(offsets, segments, k + 1, all);
            for (int64_t s = first_segment(offsets, segments, k, all); s < end; s++) body(s);
        });
    });
}

template <class T> void offer_sums(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    const int32_t *offsets = input<int32_t>(p, 1);
    T *out = result<T>(p, 0);
    offer_segments(
        offsets, p.out[0].count,
        [=](int64_t s) {
            const plus_wrapping<T> plus;
            T sum = 0;
            for (int32_t k = offsets[s]; k < offsets[s + 1]; k++) sum = plus(sum, in[k]);
            out[s] = sum;
        },
        list);
}

template <class T> void offer_spmv(const bench_problem &p, candidates &list)
{
    const int32_t *offsets = input<int32_t>(p, 0);
    const int32_t *columns = input<int32_t>(p, 1);
    const T *values = input<T>(p, 2);
    const T *x = input<T>(p, 3);
    T *out = result<T>(p, 0);
    offer_segments(
        offsets, p.out[0].count,
        [=](int64_t s) {
            T sum = 0;
            for (int32_t k = offsets[s]; k < offsets[s + 1]; k++) sum += values[k] * x[columns[k]];
            out[s] = sum;
        },
        list);
}

// ---- runs ------------------------------------------------------------------------------------------------------

// Does the runs that begin in [begin, end). The first has number run. Returns the number after the last run.
template <class K, class T> struct run_sums {
    const K *keys;
    const T *in;
    K *out_keys;
    T *out;
    int64_t n;

    int64_t heads(int64_t begin, int64_t end) const
    {
        int64_t count = 0;
        for (int64_t k = begin; k < end; k++) count += k == 0 || keys[k] != keys[k - 1];
        return count;
    }

    int64_t store(int64_t begin, int64_t end, int64_t run) const
    {
        const plus_wrapping<T> plus;
        int64_t k = begin;
        while (k > 0 && k < end && keys[k] == keys[k - 1]) k++;
        while (k < end) {
            const K key = keys[k];
            T sum = in[k];
            for (k++; k < n && keys[k] == key; k++) sum = plus(sum, in[k]);
            out_keys[run] = key;
            out[run++] = sum;
        }
        return run;
    }
};

template <class T> void offer_runs(const bench_problem &p, candidates &list)
{
    using K = value_of<T>;
    const run_sums<K, T> runs{ input<K>(p, 0), input<T>(p, 1), result<K>(p, 0), result<T>(p, 1), p.n };
    int64_t *count = result<int64_t>(p, 2);
    add(list, "loop", [=] { *count = runs.store(0, runs.n, 0); });
    add(list, "openmp", [=] {
        const int all = native_threads;
        std::vector<int64_t> before(static_cast<size_t>(all) + 1);
        for_each_share(all, [&](int k) {
            before[static_cast<size_t>(k) + 1] = runs.heads(share(runs.n, k, all), share(runs.n, k + 1, all));
        });
        std::partial_sum(before.begin(), before.end(), before.begin());
        for_each_share(all, [&](int k) {
            (void)runs.store(share(runs.n, k, all), share(runs.n, k + 1, all), before[static_cast<size_t>(k)]);
        });
        *count = before.back();
    });
}

static void segments(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_sums<decltype(zero)>(p, list); });
}
static void runs(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_runs<decltype(zero)>(p, list); });
}

static const register_op segments_10("segreduce_sum_avg10", segments);
static const register_op segments_100("segreduce_sum_avg100", segments);
static const register_op segments_1000("segreduce_sum_avg1000", segments);
static const register_op segments_100000("segreduce_sum_avg100000", segments);
static const register_op runs_10("reduce_by_key_avg10", runs);
static const register_op runs_1000("reduce_by_key_avg1000", runs);
static const register_op spmv("spmv_rmat", [](const bench_problem &p, candidates &list) {
    with_type<float, double>(p, [&](auto zero) { offer_spmv<decltype(zero)>(p, list); });
});

} // namespace
} // namespace peers
