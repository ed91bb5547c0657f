// native_multimap.cpp: peers that put entries in the order of keys, or find the rows of keys. Entries of one key are in
// the order of insertion. The check compares counts and rows that are taken from the result of each run.
#include "native.hpp"

#include <memory>
#include <numeric>
#include <parallel/algorithm>
#include <unordered_map>
#include <vector>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

template <class T> struct entry {
    T key, value;
};

template <class T> bool before(const entry<T> &p, const entry<T> &q)
{
    return p.key < q.key;
}

template <class T> using entries = std::vector<entry<T>>;

template <class T> void fill(entries<T> &list, const T *keys, const T *values)
{
    for (size_t k = 0; k < list.size(); k++) list[k] = { keys[k], values[k] };
}

// Returns the entries of a key.
template <class T> auto range(const entries<T> &list, T key)
{
    return std::equal_range(list.begin(), list.end(), entry<T>{ key, T{} }, before<T>);
}

template <class T> void offer_inserts(const bench_problem &p, candidates &list)
{
    const T *keys = input<T>(p, 0), *values = input<T>(p, 1);
    int32_t *out = result<int32_t>(p, 0);
    const int64_t n = p.n;
    const auto sorted = std::make_shared<entries<T>>(static_cast<size_t>(n));
    const auto nodes = std::make_shared<std::unordered_multimap<T, T>>(static_cast<size_t>(n));
    const auto counts = [=] {
        for (int64_t k = 0; k < n; k++) {
            const auto found = range(*sorted, keys[k]);
            out[k] = static_cast<int32_t>(found.second - found.first);
        }
    };
    add(
        list, "std::stable_sort",
        [=] {
            fill(*sorted, keys, values);
            std::stable_sort(sorted->begin(), sorted->end(), before<T>);
        },
        counts);
    add(
        list, "__gnu_parallel::stable_sort",
        [=] {
            fill(*sorted, keys, values);
            __gnu_parallel::stable_sort(sorted->begin(), sorted->end(), before<T>);
        },
        counts);
    // The next candidate counts by walking along a key's entries. That is too slow for each entry where one key has all
    // entries.
    if (std::strcmp(p.op, "multimap_insert") != 0) return;
    add(
        list, "std::unordered_multimap",
        [=] {
            nodes->clear();
            for (int64_t k = 0; k < n; k++) nodes->emplace(keys[k], values[k]);
        },
        [=] {
            for (int64_t k = 0; k < n; k++) out[k] = static_cast<int32_t>(nodes->count(keys[k]));
        });
}

// Stores the rows of the keys from begin on.
template <class T>
void store_rows(const entries<T> &list, const T *asked, int64_t begin, int64_t end, int64_t row, int32_t *rows,
                T *values)
{
    for (int64_t k = begin; k < end; k++) {
        const auto found = range(list, asked[k]);
        for (auto at = found.first; at != found.second; ++at, ++row) {
            rows[row] = static_cast<int32_t>(k);
            values[row] = at->value;
        }
    }
}

template <class T> void offer_rows(const bench_problem &p, candidates &list)
{
    const T *asked = input<T>(p, 2);
    int32_t *rows = result<int32_t>(p, 0);
    T *values = result<T>(p, 1);
    const int64_t wanted = p.in[2].count;
    const auto sorted = std::make_shared<entries<T>>(static_cast<size_t>(p.n));
    fill(*sorted, input<T>(p, 0), input<T>(p, 1));
    std::stable_sort(sorted->begin(), sorted->end(), before<T>);
    add(list, "std::equal_range", [=] { store_rows(*sorted, asked, 0, wanted, 0, rows, values); });
    add(list, "std::equal_range, openmp", [=] {
        const int all = native_threads;
        std::vector<int64_t> first(static_cast<size_t>(all) + 1);
        for_each_share(all, [&](int s) {
            int64_t found = 0;
            for (int64_t k = share(wanted, s, all); k < share(wanted, s + 1, all); k++) {
                const auto in = range(*sorted, asked[k]);
                found += in.second - in.first;
            }
            first[static_cast<size_t>(s) + 1] = found;
        });
        std::partial_sum(first.begin(), first.end(), first.begin());
        for_each_share(all, [&](int s) {
            store_rows(*sorted, asked, share(wanted, s, all), share(wanted, s + 1, all), first[static_cast<size_t>(s)],
                       rows, values);
        });
    });
}

void inserts(const bench_problem &p, candidates &list)
{
    if (std::strcmp(p.type, "int64") == 0) offer_inserts<int64_t>(p, list);
    else offer_inserts<int32_t>(p, list);
}

void rows(const bench_problem &p, candidates &list)
{
    if (std::strcmp(p.type, "int64") == 0) offer_rows<int64_t>(p, list);
    else offer_rows<int32_t>(p, list);
}

const register_op insert("multimap_insert", inserts);
const register_op insert_one_key("multimap_insert_one_key", inserts);
const register_op retrieve("multimap_retrieve", rows);
const register_op retrieve_one_key("multimap_retrieve_one_key", rows);

} // namespace
} // namespace peers
