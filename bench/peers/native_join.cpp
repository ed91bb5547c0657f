// native_join.cpp: relational joins of sorted keys, as pairs of indices.
#include "native.hpp"

namespace peers
{
namespace
{ // other operations have functions of the same names

enum kind { INNER, LEFT, RIGHT, OUTER };

// The sorted merge join: calls pair(i, j) for each row of a's, in order, and alone(j) for each key of b without one.
template <class T, class Pair, class Single, class Alone>
void join(const T *a, const T *b, piece p, Pair pair, Single single, Alone alone)
{
    while (p.a < p.a_end && p.b < p.b_end) {
        if (a[p.a] < b[p.b]) {
            single(p.a++);
        } else if (b[p.b] < a[p.a]) {
            alone(p.b++);
        } else {
            const T key = a[p.a];
            int64_t end = p.b + 1;
            while (end < p.b_end && b[end] == key) end++;
            for (; p.a < p.a_end && a[p.a] == key; p.a++) pair(p.a, p.b, end);
            p.b = end;
        }
    }
    while (p.a < p.a_end) single(p.a++);
    while (p.b < p.b_end) alone(p.b++);
}

struct sums {
    int64_t rows = 0, rest = 0;
};

template <kind k, class T> sums count_rows(const T *a, const T *b, const piece &p)
{
    sums found;
    join(
        a, b, p, [&](int64_t, int64_t first, int64_t end) { found.rows += end - first; },
        [&](int64_t) { found.rows += k == LEFT || k == OUTER; }, [&](int64_t) { found.rest++; });
    return found;
}

// at: where the rows of the piece go, and those of its keys of b alone.
template <kind k, class T>
void store_rows(const T *a, const T *b, const piece &p, sums at, int32_t *to_a, int32_t *to_b)
{
    join(
        a, b, p,
        [&](int64_t i, int64_t first, int64_t end) {
            for (int64_t j = first; j < end; j++) {
                to_a[at.rows] = static_cast<int32_t>(i);
                to_b[at.rows++] = static_cast<int32_t>(j);
            }
        },
        [&](int64_t i) {
            if (k != LEFT && k != OUTER) return;
            to_a[at.rows] = static_cast<int32_t>(i);
            to_b[at.rows++] = -1;
        },
        [&](int64_t j) {
            if (k != RIGHT && k != OUTER) return;
            to_a[at.rest] = -1;
            to_b[at.rest++] = static_cast<int32_t>(j);
        });
}

template <kind k, class T> void offer_type(const bench_problem &p, candidates &list)
{
    const T *a = input<T>(p, 0);
    const T *b = input<T>(p, 1);
    int32_t *to_a = result<int32_t>(p, 0);
    int32_t *to_b = result<int32_t>(p, 1);
    const int64_t a_count = p.in[0].count;
    const int64_t b_count = p.in[1].count;
    // Without rows of b alone one thread need not count: the rows' places follow from each other.
    add(list, "loop", [=] {
        const piece whole = { 0, a_count, 0, b_count };
        sums at;
        if (k == RIGHT || k == OUTER) at.rest = count_rows<k>(a, b, whole).rows;
        store_rows<k>(a, b, whole, at, to_a, to_b);
    });
    // Split by merge path: each thread counts its rows, then stores them after those of the threads before it.
    add(list, "openmp", [=] {
        const int all = native_threads;
        std::vector<piece> pieces(static_cast<size_t>(all));
        std::vector<sums> counts(static_cast<size_t>(all));
        for_each_share(all, [&](int t) {
            piece &own = pieces[static_cast<size_t>(t)];
            own = piece_by_key(a, a_count, b, b_count, t, all);
            counts[static_cast<size_t>(t)] = count_rows<k>(a, b, own);
        });
        int64_t total = 0;
        for (const sums &each : counts) total += each.rows;
        for_each_share(all, [&](int t) {
            sums at = { 0, total };
            for (int before = 0; before < t; before++) {
                at.rows += counts[static_cast<size_t>(before)].rows;
                at.rest += counts[static_cast<size_t>(before)].rest;
            }
            store_rows<k>(a, b, pieces[static_cast<size_t>(t)], at, to_a, to_b);
        });
    });
}

template <kind k> void offer_each(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_type<k, decltype(zero)>(p, list); });
}

static const register_op registered_ops[] = {
    { "join_inner", offer_each<INNER> },
    { "join_left", offer_each<LEFT> },
    { "join_right", offer_each<RIGHT> },
    { "join_outer", offer_each<OUTER> },
};

} // namespace
} // namespace peers
