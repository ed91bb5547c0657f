// native_select.cpp: peers that keep one half of the elements, or store both halves separately.
#include "native.hpp"

#include <execution>
#include <numeric>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// Tells whether an element is in the lower half of uniform data.
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

// Stores every element at the index of the next kept element, and steps on if it is kept. So no branch is mispredicted.
// Nothing is stored from out_end on.
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

// Offers to keep elements. test(k) is true where element k is kept.
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
    add(list, "openmp", [=] { // first the shares' counts, then the shares
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

// Columns of values beside the keys: their input arrays and their output arrays.
template <class V, int Count> struct columns_of {
    const V *in[Count];
    V *out[Count];

    void move(int64_t from, int64_t to) const
    {
        for (int c = 0; c < Count; c++) out[c][to] = in[c][from];
    }
};

// Moves elements [k, end) of keys and columns, from result r on. It takes no branch until a few results before r_end.
template <class T, class V, int Count>
void move_columns(const T *in, T *out, const columns_of<V, Count> &columns, int64_t k, int64_t end, int64_t r,
                  int64_t r_end)
{
    for (; k < end && r + 8 < r_end; k++) {
        out[r] = in[k];
        columns.move(k, r);
        r += is_lower<T>()(in[k]);
    }
    for (; k < end; k++) {
        if (!is_lower<T>()(in[k])) continue;
        out[r] = in[k];
        columns.move(k, r++);
    }
}

// Offers the peers of offer_select for keys with Count values each.
template <class T, int Count> void offer_columns(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const T *in = input<T>(p, 0);
    T *out = result<T>(p, 0);
    int64_t *count = result<int64_t>(p, 1 + Count);
    const int64_t n = p.n;
    columns_of<V, Count> columns;
    for (int c = 0; c < Count; c++) {
        columns.in[c] = input<V>(p, 1 + c);
        columns.out[c] = result<V>(p, 1 + c);
    }
    const auto counted = [=](int64_t k, int64_t end) {
        int64_t kept = 0;
        for (; k < end; k++) kept += is_lower<T>()(in[k]);
        return kept;
    };
    add(list, "loop", [=] {
        int64_t kept = 0;
        for (int64_t k = 0; k < n; k++) {
            if (!is_lower<T>()(in[k])) continue;
            out[kept] = in[k];
            columns.move(k, kept++);
        }
        *count = kept;
    });
    add(list, "loop, counted and branch-free", [=] {
        *count = counted(0, n);
        move_columns(in, out, columns, 0, n, 0, *count);
    });
    add(list, "openmp", [=] { // first the shares' counts, then the shares
        const int all = native_threads;
        std::vector<int64_t> before(static_cast<size_t>(all) + 1, 0);
        for_each_share(
            all, [&](int s) { before[static_cast<size_t>(s) + 1] = counted(share(n, s, all), share(n, s + 1, all)); });
        for (size_t s = 1; s < before.size(); s++) before[s] += before[s - 1];
        for_each_share(all, [&](int s) {
            move_columns(in, out, columns, share(n, s, all), share(n, s + 1, all), before[static_cast<size_t>(s)],
                         before[static_cast<size_t>(s) + 1]);
        });
        *count = before.back();
    });
}

static const register_op pairs("compact_pairs_50", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_columns<decltype(zero), 1>(p, list); });
});

static const register_op eight("compact_columns_8_50", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_columns<decltype(zero), 8>(p, list); });
});

// Offers partitions of keys with a value each, as two outputs. Each element is stored once, in its output.
template <class T> void offer_partition_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const T *in = input<T>(p, 0);
    const V *values = input<V>(p, 1);
    T *const keys[] = { result<T>(p, 1), result<T>(p, 0) };
    V *const moved[] = { result<V>(p, 3), result<V>(p, 2) };
    int64_t *counts = result<int64_t>(p, 4);
    const int64_t n = p.n;
    add(list, "openmp", [=] { // first the shares' counts, then the shares
        const int all = native_threads;
        std::vector<int64_t> before(static_cast<size_t>(all) + 1, 0);
        for_each_share(all, [&](int s) {
            int64_t kept = 0;
            for (int64_t k = share(n, s, all); k < share(n, s + 1, all); k++) kept += is_lower<T>()(in[k]);
            before[static_cast<size_t>(s) + 1] = kept;
        });
        for (size_t s = 1; s < before.size(); s++) before[s] += before[s - 1];
        for_each_share(all, [&](int s) {
            const int64_t kept = before[static_cast<size_t>(s)];
            int64_t to[] = { share(n, s, all) - kept, kept };
            for (int64_t k = share(n, s, all); k < share(n, s + 1, all); k++) {
                const bool way = is_lower<T>()(in[k]);
                keys[way][to[way]] = in[k];
                moved[way][to[way]++] = values[k];
            }
        });
        counts[0] = before.back();
        counts[1] = n - before.back();
    });
}

static const register_op both_pairs("partition_pairs_50", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_partition_pairs<decltype(zero)>(p, list); });
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
    add(list, "openmp", [=] { // each element is stored once, in its output
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
