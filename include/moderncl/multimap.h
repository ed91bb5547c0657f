/* multimap.h: a multimap on the device, in which a key may have many values. Each call works on a whole sequence of
 * keys. */
#ifndef MODERNCL_MULTIMAP_H
#define MODERNCL_MULTIMAP_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A multimap from keys to values, or a multiset of keys. Every inserted pair is a separate entry.
 *
 * The entries are in an array, in the order of their keys' hashes. Different keys have different hashes, so the entries
 * of a key are neighbours. A table has the index at which hashes with the same upper bits begin. So finding a key takes
 * one access to the table and a binary search among the few entries with these bits. No key is slow, however many
 * entries it or another key has. In a hash table with probing, a key with n entries would fill n slots in a row.
 * Inserting them would take n * n / 2 steps. Insertions only append. The first call that needs the order sorts the new
 * entries and merges them with the others.
 *
 * The following holds for all functions here.
 *
 * Keys and values: keys have any type of 4 or 8 bytes, values any type, including your own types. Keys are equal where
 *   their bits are equal: the floats -0 and 0 differ, and a NaN equals itself. No key is reserved.
 * Multisets: a multiset is a multimap without values. For a multiset, pass (mcl_input){0} as the values to insert. An
 *   output for values is MCL_ERROR_ARGUMENT.
 * Order: the values of a key are in the order in which they were inserted, by earlier calls and within a call. Results
 *   are the same on every device and every run. Calls take effect in the order in which they are made. They must have
 *   this order on the device too: on one queue, or on several queues that events put in order. Only one thread at a
 *   time may use a multimap. Calls cannot be recorded (MCL_ERROR_UNSUPPORTED).
 * Memory: from the context's allocator, a key and a value for each entry, and 1 or 2 bytes for the table. A call that
 *   puts entries in order, or makes room, needs the same amount again while it runs. Without such memory the call fails
 *   with MCL_ERROR_MEMORY, and the multimap has all entries that it had before.
 * Putting in order: the entries inserted since the last time are sorted (mcl_sort_pairs, stable) and merged with the
 *   others (mcl_merge_pairs), and a search makes the table (mcl_sorted_search). A call that does so reads and writes
 *   all entries. Numerous small insertions are cheap, unless a search follows each of them.
 * Waiting: a call waits for a count on the host. A call that needs memory for more entries also waits if the host knows
 *   only a bound of their number. That is so after an insertion with a count slot, and after mcl_multimap_erase.
 * Counts: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or mcl_to_nowhere().
 * Overlap: no output may overlap what is read, or another output.
 * Errors: MCL_ERROR_ARGUMENT, MCL_ERROR_TYPE (keys or values are not of the multimap's type), MCL_ERROR_BUILD,
 *   MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
typedef struct mcl_multimap mcl_multimap;

/* Settings of a new multimap. The comment of a member says what 0 or NULL means. */
typedef struct mcl_multimap_config {
    const mcl_type *key;   /* a type of 4 or 8 bytes */
    const mcl_type *value; /* type of values; NULL makes a multiset */
    int64_t capacity;      /* number of entries with room at first; 0: 1024. Calls make more room when they need it */
} mcl_multimap_config;

/* Makes an empty multimap on the context's device. Nothing is enqueued. */
MCL_API mcl_status mcl_multimap_create(mcl_context *context, const mcl_multimap_config *config, mcl_multimap **out);
/* Releases a multimap. A multimap has one reference, which belongs to its creator. NULL does nothing. The memory is
 * freed once enqueued work is done. */
MCL_API void mcl_multimap_release(mcl_multimap *map);

/* Inserts every key with its value, including keys that the multimap has already.
 *
 * keys    any input of the multimap's key type
 * values  any input of the multimap's value type, with at least keys.count elements; its count slot is ignored
 *
 * Cost: reads and writes each key and value once. If there is no room for all keys (with a count slot: for its bound),
 * the entries that are not in order yet are copied. The new room is twice the old room, or as much as needed. */
MCL_API mcl_status mcl_multimap_insert(mcl_queue *queue, mcl_multimap *map, mcl_input keys, mcl_input values,
                                       const mcl_options *options);

/* Counts the entries of each key: counts[k] = the number of entries of the key keys[k].
 *
 * keys    any input of the multimap's key type
 * counts  MCL_INT32, MCL_UINT32 or MCL_INT64, as many as keys. A count that does not fit is the type's highest value
 *
 * Cost: per key one access to the table, and log2(m) accesses to keys of the multimap, if the table gives a range of m
 * entries. The call puts entries in order first. */
MCL_API mcl_status mcl_multimap_count(mcl_queue *queue, mcl_multimap *map, mcl_input keys, mcl_output counts,
                                      const mcl_options *options);

/* Finds all entries of each key. Each entry becomes a row, which has the index of the key in keys, and the entry's
 * value. Rows are in the order of keys, and rows of one key in the order in which the entries were inserted.
 *
 *   entries (7, 10) (3, 11) (7, 12), keys 3 5 7
 *   rows 0 2 2, values 11 10 12, offsets 0 1 1, count 3
 *
 * keys     any input of the multimap's key type
 * rows     MCL_INT32 or MCL_INT64; 4 bytes are enough for fewer than 2^31 keys
 * values   of the multimap's value type
 * offsets  MCL_INT32, MCL_UINT32 or MCL_INT64, as many as keys: the number of rows of all earlier keys. An offset that
 *          does not fit is the type's highest value
 * count    the number of rows
 *
 * Each output may be (mcl_output){0} if not wanted. The lower capacity of rows and values is the limit of both: nothing
 * is stored past it. Where the count goes to the host and is above the limit, the call fails with MCL_ERROR_CAPACITY.
 * It then stores the first rows, and writes the count. With capacity 0 rows are only counted, which is no failure.
 * Without a host count, take the count from its slot with mcl_with_count.
 *
 * Cost: as in mcl_multimap_count, then a scan of the counts. Each row is written once; groups have equal shares of the
 * rows, however unequal the counts are (mcl_load_balance_search, mcl_interval_gather). Scratch: also 16 bytes per key.
 * Further errors: MCL_ERROR_CAPACITY. */
MCL_API mcl_status mcl_multimap_retrieve(mcl_queue *queue, mcl_multimap *map, mcl_input keys, mcl_output rows,
                                         mcl_output values, mcl_output offsets, mcl_result count,
                                         const mcl_options *options);

/* Removes all entries of each key; keys that the multimap does not have are skipped. Cost: entries are put in order
 * first. Then come a sort of keys, a search of both sequences in each other (mcl_sorted_search), and a compaction of
 * all entries. Scratch: the keys' size, and one byte per entry. */
MCL_API mcl_status mcl_multimap_erase(mcl_queue *queue, mcl_multimap *map, mcl_input keys, const mcl_options *options);

/* Stores the keys and values of all entries. A key and its value have the same index. Entries of a key are neighbours,
 * in the order in which they were inserted; the order of keys is unspecified.
 *
 * keys, values  outputs of the multimap's types; either may be (mcl_output){0} if not wanted, and both if only the
 *               count is wanted
 * count         the number of entries; capacities are limits as in mcl_multimap_retrieve
 *
 * Cost: puts entries in order first; reads and writes each entry once. Further errors: MCL_ERROR_CAPACITY. */
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
