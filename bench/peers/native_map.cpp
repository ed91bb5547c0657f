// native_map.cpp: peers with a hash map that has room for twice its keys. They enter keys, or add values to existing
// keys. Each run first empties the table, which is timed, but allocation is not.
#include "native.hpp"

#include <atomic>
#include <memory>
#include <unordered_map>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// A slot of an open-addressing table. Keys are 0 and more. An empty slot has key -1 and value 0.
template <class T> struct shared_slot {
    std::atomic<T> key{ -1 };
    std::atomic<T> value{ 0 };
};

template <class T> struct shared_table {
    int bits = 1;
    std::unique_ptr<shared_slot<T>[]> slots;

    explicit shared_table(int64_t least)
    {
        while ((int64_t{ 1 } << bits) < least) ++bits;
        slots = std::make_unique<shared_slot<T>[]>(size_t{ 1 } << bits);
    }
};

template <class T> int64_t size_of(const shared_table<T> &table)
{
    return int64_t{ 1 } << table.bits;
}

template <class T> void clear(shared_table<T> &table, int64_t begin, int64_t end)
{
    for (int64_t k = begin; k < end; k++) {
        table.slots[static_cast<size_t>(k)].key.store(-1, std::memory_order_relaxed);
        table.slots[static_cast<size_t>(k)].value.store(0, std::memory_order_relaxed);
    }
}

// Returns the slot where the search for a key begins, by the finaliser of MurmurHash3.
template <class T> size_t first_of(const shared_table<T> &table, T key)
{
    uint64_t h = static_cast<uint64_t>(key);
    h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53;
    return static_cast<size_t>((h ^ h >> 33) >> (64 - table.bits));
}

// Returns the key's slot, and makes one if there is none. shared: other threads do the same meanwhile.
template <bool shared, class T> shared_slot<T> &find(shared_table<T> &table, T key, bool &is_new)
{
    const size_t mask = (size_t{ 1 } << table.bits) - 1;
    for (size_t k = first_of(table, key);; k = (k + 1) & mask) {
        shared_slot<T> &slot = table.slots[k];
        T seen = slot.key.load(std::memory_order_relaxed);
        if (seen == key) return slot;
        if (seen >= 0) continue;
        is_new = !shared || slot.key.compare_exchange_strong(seen, key, std::memory_order_relaxed);
        if (!shared) slot.key.store(key, std::memory_order_relaxed);
        if (is_new || seen == key) return slot;
    }
}

template <bool shared, class T> void enter(shared_table<T> &table, T key, T value)
{
    bool is_new = false;
    shared_slot<T> &slot = find<shared>(table, key, is_new);
    if (is_new) slot.value.store(value, std::memory_order_relaxed);
}

template <bool shared, class T> void add_value(shared_table<T> &table, T key, T value)
{
    bool is_new = false;
    shared_slot<T> &slot = find<shared>(table, key, is_new);
    const T old = slot.value.load(std::memory_order_relaxed);
    if (shared) slot.value.fetch_add(value, std::memory_order_relaxed);
    else slot.value.store(plus_wrapping<T>()(old, value), std::memory_order_relaxed);
}

// Enters all keys: by threads at the same time where shared is set, else one share after the other.
template <class T, bool adds, bool shared> void fill(shared_table<T> &table, const T *keys, const T *values, int64_t n)
{
    const int all = shared ? native_threads : 1;
    for_each_share(all, [&](int k) { clear(table, share(size_of(table), k, all), share(size_of(table), k + 1, all)); });
    for_each_share(all, [&](int k) {
        for (int64_t i = share(n, k, all); i < share(n, k + 1, all); i++) {
            if (adds) add_value<shared>(table, keys[i], values[i]);
            else enter<shared>(table, keys[i], values[i]);
        }
    });
}

template <class T, bool adds> void offer_maps(const bench_problem &p, candidates &list)
{
    const T *keys = input<T>(p, 0), *values = input<T>(p, 1);
    T *out = result<T>(p, 0);
    const int64_t n = p.n;
    const auto table = std::make_shared<shared_table<T>>(2 * n);
    const auto nodes = std::make_shared<std::unordered_map<T, T>>(static_cast<size_t>(n));
    const auto look = [=] {
        bool is_new = false;
        for (int64_t k = 0; k < n; k++) out[k] = find<false>(*table, keys[k], is_new).value.load();
    };
    add(list, "open addressing, one thread", [=] { fill<T, adds, false>(*table, keys, values, n); }, look);
    add(list, "open addressing, openmp", [=] { fill<T, adds, true>(*table, keys, values, n); }, look);
    add(
        list, "std::unordered_map",
        [=] {
            nodes->clear();
            for (int64_t k = 0; k < n; k++) {
                if (adds) (*nodes)[keys[k]] = plus_wrapping<T>()((*nodes)[keys[k]], values[k]);
                else nodes->emplace(keys[k], values[k]);
            }
        },
        [=] {
            for (int64_t k = 0; k < n; k++) out[k] = (*nodes)[keys[k]];
        });
}

template <bool adds> void offer(const bench_problem &p, candidates &list)
{
    if (std::strcmp(p.type, "int64") == 0) offer_maps<int64_t, adds>(p, list);
    else offer_maps<int32_t, adds>(p, list);
}

const register_op insert("map_insert", offer<false>);
const register_op upsert("map_upsert", offer<true>);

} // namespace
} // namespace peers
