/* table.h: a hash table of keys of 128 bits, which are hashes already, to numbers. */
#ifndef INTERLEAVINGS_TABLE_H
#define INTERLEAVINGS_TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct table_key {
    uint64_t low, high;
} table_key;

typedef struct table_entry {
    table_key key; /* both 0: none */
    double number;
} table_entry;

typedef struct table {
    table_entry *entries;
    size_t room, count; /* room: a power of two */
} table;

/* The number of a key, or NULL. It stays where it is until the next table_put. */
double *table_find(const table *t, table_key key);
void table_put(table *t, table_key key, double number); /* ends the program where memory is exhausted */
void table_free(table *t);

/* A key of some words. Different seeds give different keys. */
table_key table_key_of(uint64_t seed, const uint64_t *words, size_t count);

#endif
