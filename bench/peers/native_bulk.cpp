// native_bulk.cpp: peers that remove and insert elements at sorted positions.
#include "native.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// A removal from elements [begin, end). It copies the elements between the indices.
template <class T> struct removal {
    const T *in;
    const int32_t *indices;
    int64_t index_count;
    T *out;

    const int32_t *from(int64_t position) const { return std::lower_bound(indices, indices + index_count, position); }

    void gaps(int64_t begin, int64_t end) const
    {
        const int32_t *index = from(begin);
        const int32_t *const last = from(end);
        T *to = out + (begin - (index - indices));
        for (int64_t k = begin; index < last; k = *index++ + 1) {
            to = std::copy(in + k, in + *index, to);
            if (index + 1 == last) to = std::copy(in + *index + 1, in + end, to);
        }
        if (from(begin) == last) std::copy(in + begin, in + end, to);
    }

    // Removes element by element, without a branch on whether an element is removed. An element is stored before the
    // removal is known, so the last few elements take a branch.
    void elements(int64_t begin, int64_t end) const
    {
        int64_t next = from(begin) - indices;
        const int64_t last = from(end) - indices;
        int64_t to = begin - next;
        const int64_t to_end = end - last;
        int64_t k = begin;
        for (; k < end && next < last && to < to_end; k++) {
            const bool removed = indices[next] == k;
            out[to] = in[k];
            to += !removed;
            next += removed;
        }
        for (; k < end; k++) {
            const bool removed = next < last && indices[next] == k;
            if (!removed) out[to++] = in[k];
            next += removed;
        }
    }
};

template <class T> void offer_remove(const bench_problem &p, candidates &list)
{
    const removal<T> remove = { input<T>(p, 0), input<int32_t>(p, 1), p.in[1].count, result<T>(p, 0) };
    const int64_t n = p.n;
    add(list, "loop", [=] { remove.gaps(0, n); });
    add(list, "loop, branch-free", [=] { remove.elements(0, n); });
    const auto shares = [=](auto body) {
        const int all = native_threads;
        for_each_share(all, [=](int s) { body(share(n, s, all), share(n, s + 1, all)); });
    };
    add(list, "openmp", [=] { shares([=](int64_t begin, int64_t end) { remove.gaps(begin, end); }); });
    add(list, "openmp, branch-free", [=] { shares([=](int64_t begin, int64_t end) { remove.elements(begin, end); }); });
    add(list, "tbb", [=] {
        tbb::parallel_for(tbb::blocked_range<int64_t>(0, n, 1 << 16),
                          [=](const auto &range) { remove.gaps(range.begin(), range.end()); });
    });
}

template <class T> struct insertion {
    const T *a;
    const int32_t *indices;
    int64_t a_count;
    const T *b;
    int64_t b_count;
    T *out;

    // Counts the elements of a that the output has before a position.
    int64_t inserted_before(int64_t position) const
    {
        int64_t low = 0;
        int64_t high = a_count;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            if (indices[middle] + middle < position)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    void gaps(int64_t begin, int64_t end) const
    {
        int64_t i = inserted_before(begin);
        const int64_t i_end = inserted_before(end);
        int64_t j = begin - i;
        T *to = out + begin;
        for (; i < i_end; i++) {
            to = std::copy(b + j, b + indices[i], to);
            *to++ = a[i];
            j = indices[i];
        }
        std::copy(b + j, b + (end - i_end), to);
    }

    void elements(int64_t begin, int64_t end) const
    {
        int64_t i = inserted_before(begin);
        int64_t j = begin - i;
        int64_t k = begin;
        for (; k < end && i < a_count && j < b_count; k++) {
            const bool from_a = indices[i] == j;
            out[k] = from_a ? a[i] : b[j];
            i += from_a;
            j += !from_a;
        }
        for (; k < end; k++) out[k] = i < a_count && indices[i] == j ? a[i++] : b[j++];
    }
};

template <class T> void offer_insert(const bench_problem &p, candidates &list)
{
    const insertion<T> insert = { input<T>(p, 0), input<int32_t>(p, 2), p.in[0].count,
                                  input<T>(p, 1), p.in[1].count,        result<T>(p, 0) };
    const int64_t n = p.n;
    add(list, "loop", [=] { insert.gaps(0, n); });
    add(list, "loop, branch-free", [=] { insert.elements(0, n); });
    const auto shares = [=](auto body) {
        const int all = native_threads;
        for_each_share(all, [=](int s) { body(share(n, s, all), share(n, s + 1, all)); });
    };
    add(list, "openmp", [=] { shares([=](int64_t begin, int64_t end) { insert.gaps(begin, end); }); });
    add(list, "openmp, branch-free", [=] { shares([=](int64_t begin, int64_t end) { insert.elements(begin, end); }); });
    add(list, "tbb", [=] {
        tbb::parallel_for(tbb::blocked_range<int64_t>(0, n, 1 << 16),
                          [=](const auto &range) { insert.gaps(range.begin(), range.end()); });
    });
}

static void bulk_remove(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_remove<decltype(zero)>(p, list); });
}
static void bulk_insert(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_insert<decltype(zero)>(p, list); });
}
static const register_op removals[] = { { "bulk_remove_1", bulk_remove },
                                        { "bulk_remove_10", bulk_remove },
                                        { "bulk_remove_25", bulk_remove },
                                        { "bulk_remove_50", bulk_remove },
                                        { "bulk_remove_75", bulk_remove } };
static const register_op insertions[] = { { "bulk_insert_1", bulk_insert },
                                          { "bulk_insert_10", bulk_insert },
                                          { "bulk_insert_25", bulk_insert },
                                          { "bulk_insert_50", bulk_insert },
                                          { "bulk_insert_75", bulk_insert } };

} // namespace
} // namespace peers
