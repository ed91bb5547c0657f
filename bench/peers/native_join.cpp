// native_join.cpp: relational joins, of sorted keys as pairs of indices, and of tables in any order with their columns.
#include "native_join.hpp"

#include <tbb/parallel_sort.h>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

enum kind { INNER, LEFT, RIGHT, OUTER };

// Joins sorted keys by a merge. It calls pair(i, j) for each row with a key of a, in order, and alone(j) for each key
// of b without a match.
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

// Stores the rows of a piece. at: the indices where the piece's rows go, and where the rows of its unmatched keys of b
// go.
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
    // Where there are no rows of b alone, one thread need not count: the index of each row follows from the previous
    // row.
    add(list, "loop", [=] {
        const piece whole = { 0, a_count, 0, b_count };
        sums at;
        if (k == RIGHT || k == OUTER) at.rest = count_rows<k>(a, b, whole).rows;
        store_rows<k>(a, b, whole, at, to_a, to_b);
    });
    // Splits by merge path. Each thread counts its rows, then stores them after the rows of the threads before it.
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

// ---- tables in any order: keys are sorted with their places, whose rows fetch the columns --------------------------

struct sorted_table {
    std::vector<int32_t> keys, places;
};

void sort_table(const table &of, int threads, sorted_table &to)
{
    const size_t count = static_cast<size_t>(of.count);
    std::vector<uint64_t> words(count);
    const auto each = [&](auto body) {
        for_each_share(threads, [&](int s) {
            const int64_t end = share(of.count, s + 1, threads);
            for (int64_t k = share(of.count, s, threads); k < end; k++) body(static_cast<size_t>(k));
        });
    };
    each([&](size_t k) { words[k] = static_cast<uint64_t>(static_cast<uint32_t>(of.keys[k])) << 32 | k; });
    if (threads == 1)
        std::sort(words.begin(), words.end());
    else
        tbb::parallel_sort(words.begin(), words.end());
    to.keys.resize(count);
    to.places.resize(count);
    each([&](size_t k) {
        to.keys[k] = static_cast<int32_t>(words[k] >> 32); // the conversion is safe, since keys are not negative
        to.places[k] = static_cast<int32_t>(words[k]);
    });
}

// Stores rows [first, end) of sorted keys: the indices of their rows in the table, and the columns of these rows.
void fetch_rows(const table &from, const sorted_table &by, int32_t *rows, int32_t *const *out, int64_t first,
                int64_t end)
{
    for (int64_t k = first; k < end; k++) {
        const int32_t place = by.places[static_cast<size_t>(rows[k])];
        rows[k] = place;
        for (int c = 0; c < 2; c++) out[c][k] = from.columns[c][place];
    }
}

// Joins tables. has_rows: the indices of rows are results too.
void join_tables(const bench_problem &p, int threads, bool has_rows)
{
    const table of[] = { table_of(p, 0), table_of(p, 1) };
    sorted_table by[2];
    for (int side = 0; side < 2; side++) sort_table(of[side], threads, by[side]);
    const int32_t *a = by[0].keys.data();
    const int32_t *b = by[1].keys.data();
    std::vector<piece> pieces(static_cast<size_t>(threads));
    std::vector<int64_t> begins(static_cast<size_t>(threads) + 1, 0);
    for_each_share(threads, [&](int t) {
        const size_t at = static_cast<size_t>(t);
        pieces[at] = piece_by_key(a, of[0].count, b, of[1].count, t, threads);
        begins[at + 1] = count_rows<INNER>(a, b, pieces[at]).rows;
    });
    for (size_t t = 0; t < pieces.size(); t++) begins[t + 1] += begins[t];
    std::vector<int32_t> own[2];
    int32_t *rows[2];
    for (int side = 0; side < 2; side++) {
        if (!has_rows) own[side].resize(static_cast<size_t>(begins.back()));
        rows[side] = has_rows ? result<int32_t>(p, 4 + side) : own[side].data();
    }
    int32_t *const out[] = { result<int32_t>(p, 0), result<int32_t>(p, 1), result<int32_t>(p, 2),
                             result<int32_t>(p, 3) };
    for_each_share(threads, [&](int t) {
        const size_t at = static_cast<size_t>(t);
        store_rows<INNER>(a, b, pieces[at], { begins[at], 0 }, rows[0], rows[1]);
        for (int side = 0; side < 2; side++)
            fetch_rows(of[side], by[side], rows[side], out + 2 * side, begins[at], begins[at + 1]);
    });
}

template <bool has_rows> void offer_tables(const bench_problem &p, candidates &list)
{
    const bench_problem *problem = &p;
    add(list, "std::sort, loop", [=] { join_tables(*problem, 1, has_rows); });
    add(list, "tbb::parallel_sort, openmp", [=] { join_tables(*problem, native_threads, has_rows); });
}

static const register_op registered_ops[] = {
    { "join_inner", offer_each<INNER> },
    { "join_left", offer_each<LEFT> },
    { "join_right", offer_each<RIGHT> },
    { "join_outer", offer_each<OUTER> },
    { "join_columns_inner", offer_tables<false> },
    { "join_columns_1e4", offer_tables<false> },
    { "join_rows_gather", offer_tables<true> },
};

} // namespace
} // namespace peers
