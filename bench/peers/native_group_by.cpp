// native_group_by.cpp: peers that add up the values of equal keys in any order, or find the distinct keys. Groups come
// in ascending order.
#include "native.hpp"

#include <tbb/parallel_sort.h>

#include <unordered_map>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

using sums_type = int64_t;

struct group {
    int32_t key;
    sums_type sum;
    bool operator<(const group &other) const { return key < other.key; }
};

// A table with open addressing, at most half full, for keys of 0 and more.
class table
{
public:
    table() : slots(size_t{ 1 } << bits, group{ -1, 0 }) {}

    void add(int32_t key, sums_type value)
    {
        size_t slot = first(key);
        while (slots[slot].key != key && slots[slot].key >= 0) slot = (slot + 1) & (slots.size() - 1);
        if (slots[slot].key == key) {
            slots[slot].sum += value;
        } else if (2 * (used + 1) > slots.size()) {
            grow();
            add(key, value);
        } else {
            slots[slot] = { key, value };
            ++used;
        }
    }

    std::vector<group> sorted() const
    {
        std::vector<group> found;
        found.reserve(used);
        for (const group &g : slots)
            if (g.key >= 0) found.push_back(g);
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    size_t first(int32_t key) const { return static_cast<uint32_t>(key) * 0x9e3779b1u >> (32 - bits); }

    void grow()
    {
        const std::vector<group> old = std::move(slots);
        slots.assign(size_t{ 1 } << ++bits, group{ -1, 0 });
        used = 0;
        for (const group &g : old)
            if (g.key >= 0) add(g.key, g.sum);
    }

    int bits = 10;
    size_t used = 0;
    std::vector<group> slots;
};

// Adds the values of a share of the elements to a table. Without values only the keys are entered.
void fill(table &to, const int32_t *keys, const int32_t *values, int64_t begin, int64_t end)
{
    for (int64_t k = begin; k < end; k++) to.add(keys[k], values ? values[k] : 0);
}

struct outputs {
    int32_t *keys;
    sums_type *sums; // sums of the groups; nullptr where only distinct keys are asked for
    int64_t *count;
};

void store(const std::vector<group> &groups, const outputs &out)
{
    for (size_t g = 0; g < groups.size(); g++) {
        out.keys[g] = groups[g].key;
        if (out.sums) out.sums[g] = groups[g].sum;
    }
    *out.count = static_cast<int64_t>(groups.size());
}

void by_table(const int32_t *keys, const int32_t *values, int64_t n, const outputs &out)
{
    table all;
    fill(all, keys, values, 0, n);
    store(all.sorted(), out);
}

void by_tables(const int32_t *keys, const int32_t *values, int64_t n, const outputs &out)
{
    std::vector<table> own(static_cast<size_t>(native_threads));
    for_each_share(native_threads, [&](int k) {
        fill(own[static_cast<size_t>(k)], keys, values, share(n, k, native_threads), share(n, k + 1, native_threads));
    });
    table all;
    for (const table &t : own)
        for (const group &g : t.sorted()) all.add(g.key, g.sum);
    store(all.sorted(), out);
}

void by_unordered_map(const int32_t *keys, const int32_t *values, int64_t n, const outputs &out)
{
    std::unordered_map<int32_t, sums_type> map;
    std::vector<group> groups;
    for (int64_t k = 0; k < n; k++) map[keys[k]] += values ? values[k] : 0;
    for (const auto &entry : map) groups.push_back({ entry.first, entry.second });
    std::sort(groups.begin(), groups.end());
    store(groups, out);
}

void by_sort(const int32_t *keys, const int32_t *values, int64_t n, const outputs &out)
{
    std::vector<group> all(static_cast<size_t>(n));
    for (int64_t k = 0; k < n; k++) all[static_cast<size_t>(k)] = { keys[k], values ? values[k] : 0 };
    tbb::parallel_sort(all.begin(), all.end());
    size_t groups = 0;
    for (const group &g : all) {
        if (groups > 0 && all[groups - 1].key == g.key) all[groups - 1].sum += g.sum;
        else all[groups++] = g;
    }
    all.resize(groups);
    store(all, out);
}

void offer_groups(const bench_problem &p, candidates &list)
{
    const int32_t *keys = input<int32_t>(p, 0);
    const int32_t *values = p.in_count > 1 ? input<int32_t>(p, 1) : nullptr;
    const int64_t n = p.n;
    const outputs out = { result<int32_t>(p, 0), values ? result<sums_type>(p, 1) : nullptr,
                          result<int64_t>(p, values ? 2 : 1) };
    add(list, "open addressing, one thread", [=] { by_table(keys, values, n, out); });
    add(list, "open addressing, openmp", [=] { by_tables(keys, values, n, out); });
    add(list, "std::unordered_map", [=] { by_unordered_map(keys, values, n, out); });
    add(list, "tbb sort and fold", [=] { by_sort(keys, values, n, out); });
}

const register_op few("group_by_1e3", offer_groups);
const register_op many("group_by_1e6", offer_groups);
const register_op keys_alone("distinct", offer_groups);

} // namespace
} // namespace peers
