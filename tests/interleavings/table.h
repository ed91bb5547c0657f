/* table.h: a hash table from keys of 128 bits to numbers. The keys are hashes already. */
#ifndef INTERLEAVINGS_TABLE_H
#define INTERLEAVINGS_TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct table_key {
    uint64_t low, high;
} table_key;

typedef struct table_entry {
    table_key key; /* key of the entry; both words are 0 where there is none */
    double number;
} table_entry;

typedef struct table {
    table_entry *entries;
    size_t room, count; /* size of the table, a power of two, and number of entries */
} table;

/* Returns the address of a key's number, or NULL. It is valid until the next table_put. */
double *table_find(const table *t, table_key key);
void table_put(table *t, table_key key, double number); /* ends the program where memory is exhausted */
void table_free(table *t);

/* Returns the key of some words. Different seeds give different keys. */
table_key table_key_of(uint64_t seed, const uint64_t *words, size_t count);

#endif
