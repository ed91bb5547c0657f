/* multimap.h: a multimap on the device, in which a key may have many values. Each call works on a whole sequence of
 * keys. */
#ifndef MODERNCL_MULTIMAP_H
#define MODERNCL_MULTIMAP_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A multimap from keys to values, or a multiset of keys. Every pair that is inserted is an entry of its own.
 *
 * The entries lie in an array, in the order of their keys' hashes. No two keys have the same hash, so the entries of a
 * key are neighbours. A table says where hashes with the same upper bits begin. So a key is looked up by one access to
 * the table and a binary search among the few entries with these bits. No key is slow, however many entries it or
 * another key has. In a hash table with probing, a key with n entries would fill n slots in a row. Entering these
 * entries would take n * n / 2 steps. Insertions only append. The first call that needs the order sorts the new entries
 * and merges them with the others.
 *
 * All functions here have this in common.
 *
 * Keys and values: keys are of any type of 4 or 8 bytes, values of any type, your own too. Keys are equal where their
 *   bits are: the floats -0 and 0 differ, and a NaN equals itself. No key is reserved.
 * Multisets: a multiset is a multimap without values. Insertions take (mcl_input){0} for values; an output for values
 *   is MCL_ERROR_ARGUMENT.
 * Order: the values of a key come in the order in which they were inserted, by earlier calls and within a call. Results
 *   are the same on every device and every run. Calls take effect in the order in which they are made. The calls must
 *   have this order on the device too: on one queue, or on several where events say so. A multimap belongs to one
 *   thread at a time. Calls cannot be recorded (MCL_ERROR_UNSUPPORTED).
 * Memory: from the context's allocator, a key and a value for each entry, and 1 or 2 bytes for the table. A call that
 *   puts entries in order, or makes room, takes as much again while it runs. Without such memory the call fails with
 *   MCL_ERROR_MEMORY, and the multimap has all entries that it had before.
 * Putting in order: a stable radix sort of the entries inserted since the last time (mcl_sort_pairs). Then a merge with
 *   the others (mcl_merge_pairs), and a search for the table (mcl_sorted_search). A call that does so reads and writes
 *   all entries: many small insertions are cheap, but not where a look-up follows each of them.
 * Waiting: a call waits for a count on the host. A call that needs memory for more entries waits too, where the host
 *   knows only a bound of their number. The host knows only a bound after an insertion with a count slot, or after
 *   mcl_multimap_erase.
 * Counts: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or mcl_to_nowhere().
 * Overlap: no output may overlap what is read, or another output.
 * Errors: MCL_ERROR_ARGUMENT, MCL_ERROR_TYPE (keys or values are not of the multimap's type), MCL_ERROR_BUILD,
 *   MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
typedef struct mcl_multimap mcl_multimap;

/* Settings of a new multimap. Each member says what 0 stands for. */
typedef struct mcl_multimap_config {
    const mcl_type *key;   /* a type of 4 or 8 bytes */
    const mcl_type *value; /* NULL: a multiset */
    int64_t capacity;      /* number of entries that fit at first; 0: 1024. Calls make more room when they need it */
} mcl_multimap_config;

/* Makes an empty multimap on the context's device. Nothing is enqueued. */
MCL_API mcl_status mcl_multimap_create(mcl_context *context, const mcl_multimap_config *config, mcl_multimap **out);
/* Releases a multimap. A multimap has one reference, which its maker owns. NULL does nothing. The memory goes back once
 * work enqueued is done. */
MCL_API void mcl_multimap_release(mcl_multimap *map);

/* Inserts every key with its value, also keys that the multimap has already.
 *
 * keys    any input of the multimap's key type
 * values  any input of the multimap's value type, as many as keys or more; its count slot is not looked at
 *
 * Cost: reads and writes each key and value once. Where room for as many entries is missing (with a count slot: for its
 * bound), entries that wait to be put in order are copied. The new room is twice the old, or as much as is needed. */
MCL_API mcl_status mcl_multimap_insert(mcl_queue *queue, mcl_multimap *map, mcl_input keys, mcl_input values,
                                       const mcl_options *options);

/* Counts the entries of each key: counts[k] = the number of entries of the key keys[k].
 *
 * keys    any input of the multimap's key type
 * counts  MCL_INT32, MCL_UINT32 or MCL_INT64, as many as keys. A count that does not fit is the type's highest value
 *
 * Cost: for each key one access to the table, and log2(m) accesses to keys of the multimap, where the table names m
 * entries. The call puts entries in order first. */
MCL_API mcl_status mcl_multimap_count(mcl_queue *queue, mcl_multimap *map, mcl_input keys, mcl_output counts,
                                      const mcl_options *options);

/* Finds all entries of each key. Each entry makes a row, which has the index of the key in keys, and the entry's value.
 * Rows come in the order of keys, and rows of one key in the order in which the entries were inserted.
 *
 *   entries (7, 10) (3, 11) (7, 12), keys 3 5 7
 *   rows 0 2 2, values 11 10 12, offsets 0 1 1, count 3
 *
 * keys     any input of the multimap's key type
 * rows     MCL_INT32 or MCL_INT64; of 4 bytes where keys are fewer than 2^31
 * values   of the multimap's value type
 * offsets  MCL_INT32, MCL_UINT32 or MCL_INT64, as many as keys: the number of rows of all keys before. An offset that
 *          does not fit is the type's highest value
 * count    the number of rows
 *
 * Each output may be (mcl_output){0}, not wanted. The lower capacity of rows and values is the limit of both: nothing
 * is stored past it. Where the count goes to the host and is above the limit, the call fails with MCL_ERROR_CAPACITY.
 * The first rows are stored then, and the count is written. Capacity 0 only counts, which is no failure. Without a host
 * count take the count from its slot with mcl_with_count.
 *
 * Cost: as mcl_multimap_count, then a scan of the counts; each row is written once, in equal shares, however unequal
 * the counts are (mcl_load_balance_search, mcl_interval_gather). Scratch: 16 bytes a key besides.
 * Errors besides: MCL_ERROR_CAPACITY. */
MCL_API mcl_status mcl_multimap_retrieve(mcl_queue *queue, mcl_multimap *map, mcl_input keys, mcl_output rows,
                                         mcl_output values, mcl_output offsets, mcl_result count,
                                         const mcl_options *options);

/* Removes all entries of each key; keys that the multimap does not have are skipped. Cost: entries are put in order
 * first. Then come a sort of keys, a search of both sequences in each other (mcl_sorted_search), and a compaction of
 * all entries. Scratch: each key's bytes, and a byte for each entry. */
MCL_API mcl_status mcl_multimap_erase(mcl_queue *queue, mcl_multimap *map, mcl_input keys, const mcl_options *options);

/* Stores the keys and values of all entries, a key and its value at the same index. Entries of a key are neighbours, in
 * the order in which they were inserted; the order of keys is unspecified.
 *
 * keys, values  of the multimap's types; either may be (mcl_output){0}, not wanted; so may both, where only the count
 *               is wanted
 * count         the number of entries; capacities are limits as in mcl_multimap_retrieve
 *
 * Cost: puts entries in order first; reads and writes each entry once. Errors besides: MCL_ERROR_CAPACITY. */
MCL_API mcl_status mcl_multimap_retrieve_all(mcl_queue *queue, mcl_multimap *map, mcl_output keys, mcl_output values,
                                             mcl_result count, const mcl_options *options);

/* Counts the entries. The call puts nothing in order. */
MCL_API mcl_status mcl_multimap_size(mcl_queue *queue, mcl_multimap *map, mcl_result count, const mcl_options *options);

/* Removes all entries; the multimap keeps its memory. Nothing is enqueued. */
MCL_API mcl_status mcl_multimap_clear(mcl_queue *queue, mcl_multimap *map, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
