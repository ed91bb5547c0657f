// native_hash_join.cpp: joins of tables by Abseil's hash map of the second table's keys. Rows come in the order of the
// first table. Before the check they are put in the order of keys, which is not timed.
#include "native_join.hpp"

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <numeric>
#include <vector>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

enum : int32_t { NONE = -1 };

// A join by a hash map. A row of b leads to the next row with the same key. Each thread has its own map, for a share of
// all hashes.
struct hash_join {
    table a, b;
    int32_t *out[4];
    int32_t *rows[2]; // rows for the result; nullptr where they are not asked for
    std::vector<absl::flat_hash_map<int32_t, int32_t>> first; // first row of b for each key
    std::vector<int32_t> next;                                // next row of b with the key of a row of b
    std::vector<int32_t> found;                               // first matching row of b for each row of a
    std::vector<int64_t> begins;                              // index where the rows of each share begin
};

int part_of(int32_t key, int all)
{
    return static_cast<int>(static_cast<uint64_t>(static_cast<uint32_t>(key) * 0x9E3779B1u) * all >> 32);
}

void enter_part(hash_join &j, int part, int all)
{
    auto &map = j.first[static_cast<size_t>(part)];
    map.clear();
    map.reserve(static_cast<size_t>(j.b.count / all));
    for (int64_t k = j.b.count - 1; k >= 0; k--) { // the last row first, so that chains are in the order of b
        if (all > 1 && part_of(j.b.keys[k], all) != part) continue;
        const auto [at, is_new] = map.try_emplace(j.b.keys[k], static_cast<int32_t>(k));
        j.next[static_cast<size_t>(k)] = is_new ? NONE : at->second;
        at->second = static_cast<int32_t>(k);
    }
}

// Returns how many rows of the result come from rows [begin, end) of a. Returns 0 where one thread does all and needs
// no number.
int64_t look(hash_join &j, int64_t begin, int64_t end, int all)
{
    int64_t rows = 0;
    for (int64_t i = begin; i < end; i++) {
        const auto &map = j.first[static_cast<size_t>(all > 1 ? part_of(j.a.keys[i], all) : 0)];
        const auto at = map.find(j.a.keys[i]);
        const int32_t first = at == map.end() ? NONE : at->second;
        j.found[static_cast<size_t>(i)] = first;
        for (int32_t k = first; all > 1 && k != NONE; k = j.next[static_cast<size_t>(k)]) rows++;
    }
    return rows;
}

void store(const hash_join &j, int64_t begin, int64_t end, int64_t row)
{
    for (int64_t i = begin; i < end; i++) {
        for (int32_t k = j.found[static_cast<size_t>(i)]; k != NONE; k = j.next[static_cast<size_t>(k)], row++) {
            for (int c = 0; c < 2; c++) {
                j.out[c][row] = j.a.columns[c][i];
                j.out[2 + c][row] = j.b.columns[c][k];
            }
            if (j.rows[0]) j.rows[0][row] = static_cast<int32_t>(i);
            if (j.rows[1]) j.rows[1][row] = k;
        }
    }
}

void run(hash_join &j, int all)
{
    const auto begin = [&](int s) { return share(j.a.count, s, all); };
    for_each_share(all, [&](int s) { enter_part(j, s, all); });
    for_each_share(all,
                   [&](int s) { j.begins[static_cast<size_t>(s) + 1] = look(j, begin(s), begin(s + 1), all); });
    std::partial_sum(j.begins.begin(), j.begins.end(), j.begins.begin());
    for_each_share(all, [&](int s) { store(j, begin(s), begin(s + 1), j.begins[static_cast<size_t>(s)]); });
}

// Puts the rows in the order of a's keys. Rows of equal keys keep their order.
void put_in_order(const hash_join &j)
{
    std::vector<int32_t> rows(static_cast<size_t>(j.a.count));
    std::iota(rows.begin(), rows.end(), 0);
    std::stable_sort(rows.begin(), rows.end(), [&](int32_t p, int32_t q) { return j.a.keys[p] < j.a.keys[q]; });
    int64_t to = 0;
    for (const int32_t row : rows) {
        store(j, row, row + 1, to);
        for (int32_t k = j.found[static_cast<size_t>(row)]; k != NONE; k = j.next[static_cast<size_t>(k)]) to++;
    }
}

template <bool has_rows> void offer(const bench_problem &p, candidates &list)
{
    const auto j = std::make_shared<hash_join>();
    j->a = table_of(p, 0);
    j->b = table_of(p, 1);
    for (int c = 0; c < 4; c++) j->out[c] = result<int32_t>(p, c);
    for (int side = 0; side < 2; side++) j->rows[side] = has_rows ? result<int32_t>(p, 4 + side) : nullptr;
    j->first.resize(static_cast<size_t>(native_threads));
    j->next.resize(static_cast<size_t>(j->b.count));
    j->found.resize(static_cast<size_t>(j->a.count));
    j->begins.resize(static_cast<size_t>(native_threads) + 1);
    add(list, "absl::flat_hash_map", [=] { run(*j, 1); }, [=] { put_in_order(*j); });
    add(list, "absl::flat_hash_map, openmp", [=] { run(*j, native_threads); }, [=] { put_in_order(*j); });
}

const register_op tables("join_columns_inner", offer<false>);
const register_op small_table("join_columns_1e4", offer<false>);
const register_op tables_with_rows("join_rows_gather", offer<true>);

} // namespace
} // namespace peers
