/* plain.c: a sort by bytes and a hash table, as programs in plain C have them. */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

/* ---- a sort by bytes -------------------------------------------------------------------------------------------- */

#define PLAIN_SORT(bits)                                                                                               \
    static void sort_##bits(uint##bits##_t *keys, uint32_t *order, int64_t n)                                          \
    {                                                                                                                  \
        uint##bits##_t *const key_memory = sweep_memory((size_t)n * sizeof *keys), *from = keys, *to = key_memory;     \
        uint32_t *const order_memory = order ? sweep_memory((size_t)n * sizeof *order) : NULL;                         \
        uint32_t *order_from = order, *order_to = order_memory;                                                        \
        for (int shift = 0; shift < (bits); shift += 8) {                                                              \
            int64_t starts[257] = { 0 };                                                                               \
            for (int64_t k = 0; k < n; k++) starts[(from[k] >> shift & 255) + 1]++;                                    \
            for (int d = 0; d < 256; d++) starts[d + 1] += starts[d];                                                  \
            for (int64_t k = 0; k < n; k++) {                                                                          \
                const int64_t place = starts[from[k] >> shift & 255]++;                                                \
                to[place] = from[k];                                                                                   \
                if (order) order_to[place] = order_from[k];                                                            \
            }                                                                                                          \
            uint##bits##_t *const keys_done = to;                                                                      \
            uint32_t *const order_done = order_to;                                                                     \
            to = from, from = keys_done;                                                                               \
            order_to = order_from, order_from = order_done;                                                            \
        }                                                                                                              \
        if (from != keys) memcpy(keys, from, (size_t)n * sizeof *keys);                                                \
        if (order && order_from != order) memcpy(order, order_from, (size_t)n * sizeof *order);                        \
        free(key_memory);                                                                                              \
        free(order_memory);                                                                                            \
    }
PLAIN_SORT(8)
PLAIN_SORT(16)
PLAIN_SORT(32)
PLAIN_SORT(64)

void plain_sort(void *keys, uint32_t *order, int64_t n, int key_bytes)
{
    if (key_bytes == 1) sort_8(keys, order, n);
    if (key_bytes == 2) sort_16(keys, order, n);
    if (key_bytes == 4) sort_32(keys, order, n);
    if (key_bytes == 8) sort_64(keys, order, n);
}

/* ---- a table ---------------------------------------------------------------------------------------------------- */

plain_table plain_table_open(int64_t keys)
{
    plain_table table = { .mask = 15, .shift = 28 };
    while ((int64_t)table.mask + 1 < 2 * keys) table.mask = 2 * table.mask + 1, table.shift--;
    table.slots = sweep_memory((size_t)(table.mask + 1) * sizeof *table.slots);
    plain_table_clear(&table);
    return table;
}

void plain_table_clear(plain_table *table)
{
    for (uint64_t k = 0; k <= table->mask; k++) table->slots[k] = (plain_slot){ .key = PLAIN_NONE };
}

plain_table plain_table_chained(const uint32_t *keys, int64_t count, int64_t distinct, int32_t *next)
{
    plain_table table = plain_table_open(distinct);
    for (int64_t k = count; k-- > 0;) {
        plain_slot *const slot = plain_table_at(&table, keys[k]);
        next[k] = slot->key == PLAIN_NONE ? -1 : slot->count;
        *slot = (plain_slot){ .key = keys[k], .count = (int32_t)k };
    }
    return table;
}

void plain_table_close(plain_table *table)
{
    free(table->slots);
}
