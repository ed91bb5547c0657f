// native_select.cpp: keeps one half of the elements, or both halves apart.
#include "native.hpp"

#include <execution>
#include <numeric>

namespace peers
{
namespace
{ // other operations have functions of the same names

// The lower half of uniform data.
template <class T> struct is_lower {
    bool operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>)
            return x < T(0.5);
        else if constexpr (std::is_signed_v<T>)
            return x < 0;
        else
            return x < T(1) << (sizeof(T) * 8 - 1);
    }
};

// Stores every element where the next one that is kept goes, and steps on if it is kept: no branch to guess. Nothing is
// stored from out_end on.
template <class T, class Test> T *select_branch_free(const T *in, int64_t k, int64_t end, T *out, T *out_end, Test test)
{
    for (; k < end && out_end - out > 8; k++) {
        *out = in[k];
        out += test(k);
    }
    for (; k < end; k++)
        if (test(k)) *out++ = in[k];
    return out;
}

// test(k): whether element k is kept.
template <class T, class Test>
void offer_select(const T *in, int64_t n, T *out, int64_t *count, Test test, candidates &list)
{
    add(list, "loop", [=] {
        T *end = out;
        for (int64_t k = 0; k < n; k++)
            if (test(k)) *end++ = in[k];
        *count = end - out;
    });
    add(list, "loop, counted and branch-free", [=] {
        int64_t kept = 0;
        for (int64_t k = 0; k < n; k++) kept += test(k);
        *count = select_branch_free(in, 0, n, out, out + kept, test) - out;
    });
    add(list, "openmp", [=] { // the shares' counts, then the shares
        const int all = native_threads;
        std::vector<int64_t> before(static_cast<size_t>(all) + 1, 0);
        for_each_share(all, [&](int s) {
            int64_t kept = 0;
            for (int64_t k = share(n, s, all); k < share(n, s + 1, all); k++) kept += test(k);
            before[static_cast<size_t>(s) + 1] = kept;
        });
        for (size_t s = 1; s < before.size(); s++) before[s] += before[s - 1];
        for_each_share(all, [&](int s) {
            (void)select_branch_free(in, share(n, s, all), share(n, s + 1, all), out + before[static_cast<size_t>(s)],
                                     out + before[static_cast<size_t>(s) + 1], test);
        });
        *count = before.back();
    });
}

static const register_op by_test("select_if_50", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) {
        using T = decltype(zero);
        const T *in = input<T>(p, 0);
        T *out = result<T>(p, 0);
        int64_t *count = result<int64_t>(p, 1);
        const int64_t n = p.n;
        offer_select(
            in, n, out, count, [=](int64_t k) { return is_lower<T>()(in[k]); }, list);
        add(list, "std", [=] { *count = std::copy_if(in, in + n, out, is_lower<T>()) - out; });
        add(list, "std::par",
            [=] { *count = std::copy_if(std::execution::par_unseq, in, in + n, out, is_lower<T>()) - out; });
    });
});

static const register_op by_flags("select_flagged_50", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) {
        using T = decltype(zero);
        const uint8_t *flags = input<uint8_t>(p, 1);
        offer_select(
            input<T>(p, 0), p.n, result<T>(p, 0), result<int64_t>(p, 1), [=](int64_t k) { return flags[k] != 0; },
            list);
    });
});

// Keys with a value each; as offer_select does it.
template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const T *in = input<T>(p, 0);
    const V *values = input<V>(p, 1);
    T *out = result<T>(p, 0);
    V *out_values = result<V>(p, 1);
    int64_t *count = result<int64_t>(p, 2);
    const int64_t n = p.n;
    const auto test = [=](int64_t k) { return is_lower<T>()(in[k]); };
    add(list, "loop", [=] {
        int64_t kept = 0;
        for (int64_t k = 0; k < n; k++) {
            if (!test(k)) continue;
            out[kept] = in[k];
            out_values[kept++] = values[k];
        }
        *count = kept;
    });
    add(list, "openmp", [=] { // the shares' counts, then the shares
        const int all = native_threads;
        std::vector<int64_t> before(static_cast<size_t>(all) + 1, 0);
        for_each_share(all, [&](int s) {
            int64_t kept = 0;
            for (int64_t k = share(n, s, all); k < share(n, s + 1, all); k++) kept += test(k);
            before[static_cast<size_t>(s) + 1] = kept;
        });
        for (size_t s = 1; s < before.size(); s++) before[s] += before[s - 1];
        for_each_share(all, [&](int s) {
            const int64_t begin = before[static_cast<size_t>(s)], end = before[static_cast<size_t>(s) + 1];
            int64_t r = begin, k = share(n, s, all);
            for (; k < share(n, s + 1, all) && r + 8 < end; k++) {
                out[r] = in[k];
                out_values[r] = values[k];
                r += test(k);
            }
            for (; k < share(n, s + 1, all); k++) {
                if (!test(k)) continue;
                out[r] = in[k];
                out_values[r++] = values[k];
            }
        });
        *count = before.back();
    });
}

static const register_op pairs("compact_pairs_50", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
});

template <class T> void offer_partition(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    T *out = result<T>(p, 0);
    T *rejected = result<T>(p, 1);
    int64_t *counts = result<int64_t>(p, 2);
    const int64_t n = p.n;
    const auto counted = [=](const std::pair<T *, T *> &ends) {
        counts[0] = ends.first - out;
        counts[1] = ends.second - rejected;
    };
    add(list, "std", [=] { counted(std::partition_copy(in, in + n, out, rejected, is_lower<T>())); });
    add(list, "std::par",
        [=] { counted(std::partition_copy(std::execution::par_unseq, in, in + n, out, rejected, is_lower<T>())); });
    add(list, "openmp", [=] { // as offer_select; each element is stored once, where it belongs
        const int all = native_threads;
        std::vector<int64_t> before(static_cast<size_t>(all) + 1, 0);
        for_each_share(all, [&](int s) {
            int64_t kept = 0;
            for (int64_t k = share(n, s, all); k < share(n, s + 1, all); k++) kept += is_lower<T>()(in[k]);
            before[static_cast<size_t>(s) + 1] = kept;
        });
        for (size_t s = 1; s < before.size(); s++) before[s] += before[s - 1];
        for_each_share(all, [&](int s) {
            T *to = out + before[static_cast<size_t>(s)];
            T *to_rejected = rejected + (share(n, s, all) - before[static_cast<size_t>(s)]);
            for (int64_t k = share(n, s, all); k < share(n, s + 1, all); k++) {
                const bool kept = is_lower<T>()(in[k]);
                *(kept ? to : to_rejected) = in[k];
                to += kept;
                to_rejected += !kept;
            }
        });
        counts[0] = before.back();
        counts[1] = n - before.back();
    });
}

static const register_op both("partition_if_50", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_partition<decltype(zero)>(p, list); });
});

} // namespace
} // namespace peers
