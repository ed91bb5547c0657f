#include "table.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM_FIRST = 1 << 12 };

static table_entry *entry_of(const table *t, table_key key)
{
    size_t k = key.low & (t->room - 1);
    while (t->entries[k].key.low | t->entries[k].key.high) {
        if (t->entries[k].key.low == key.low && t->entries[k].key.high == key.high) break;
        k = (k + 1) & (t->room - 1);
    }
    return &t->entries[k];
}

static void grow(table *t)
{
    const table old = *t;
    t->room = old.room ? 2 * old.room : ROOM_FIRST;
    t->entries = calloc(t->room, sizeof *t->entries);
    if (!t->entries) {
        fputs("interleavings: memory is exhausted\n", stderr);
        exit(1);
    }
    for (size_t k = 0; k < old.room; k++)
        if (old.entries[k].key.low | old.entries[k].key.high) *entry_of(t, old.entries[k].key) = old.entries[k];
    free(old.entries);
}

double *table_find(const table *t, table_key key)
{
    if (t->room == 0) return NULL;
    table_entry *const entry = entry_of(t, key);
    return entry->key.low | entry->key.high ? &entry->number : NULL;
}

void table_put(table *t, table_key key, double number)
{
    if (2 * t->count >= t->room) grow(t);
    table_entry *const entry = entry_of(t, key);
    t->count += !(entry->key.low | entry->key.high);
    *entry = (table_entry){ key, number };
}

void table_free(table *t)
{
    free(t->entries);
    *t = (table){ 0 };
}

/* Mixes a number by the finaliser of MurmurHash3 (A. Appleby), which is one to one. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

table_key table_key_of(uint64_t seed, const uint64_t *words, size_t count)
{
    table_key key = { mixed(seed + 0x9e3779b97f4a7c15u), mixed(seed ^ 0xd6e8feb86659fd93u) };
    for (size_t k = 0; k < count; k++) {
        key.low = mixed(key.low * 0x9e3779b97f4a7c15u + words[k]);
        key.high = mixed(key.high * 0xcfee444d8b59a89bu ^ words[k]);
    }
    return key;
}
