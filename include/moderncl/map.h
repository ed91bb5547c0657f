/* map.h: a hash map on the device that grows, worked on by whole sequences of keys at once. */
#ifndef MODERNCL_MAP_H
#define MODERNCL_MAP_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A map from keys to values, or a set of keys. It is a list of sub-maps, each an array of slots that hold a key and its
 * value side by side. It grows by one more sub-map, never by moving entries. Calls find keys by hashing them to a
 * bucket of slots, as large as what memory hands out at once. From there they go through neighbours, then by steps that
 * the hash gives (double hashing: D. Knuth, The Art of Computer Programming 3, 6.4, here within windows of 128 KiB).
 *
 * All functions here have this in common.
 *
 * Keys and values: keys of any type of 4 or 8 bytes, values of 1 to 16, your own too; keys are equal where their bits
 *   are (so that the floats -0 and 0 differ, and a NaN equals itself).
 * Sets: a map without values. Insertions take (mcl_input){0} for them; an output for values, and calls that change
 *   values, are MCL_ERROR_ARGUMENT.
 * Sentinels: two keys, the empty and the erased one, mark slots and cannot be entered. Where an insertion meets one it
 *   is skipped and counted (mcl_map_skipped); elsewhere it is a key that the map does not have. With MCL_VALIDATE both
 *   fail with MCL_ERROR_PRECONDITION, which names the first such key, and nothing is done.
 * Order: calls on a map take effect in the order in which they are made. They must be ordered so on the device too: on
 *   one queue, or on several where events say so. A map belongs to one thread at a time.
 * Inside a call the keys are worked on at the same time. Where a call has a key more than once, which of its
 *   elements comes first, and which last, is left open and may change from run to run.
 * Counts: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or mcl_to_nowhere(). A call waits only for a host
 *   count or for validation.
 * Memory: from the context's allocator. A slot takes 8 bytes where key and value take at most 4 each, else 16. Values
 *   of more than 8 bytes take 16 beside the key's slot, and a set's slot takes its key's bytes.
 * Overlap: no output may overlap what is read, or another output.
 * Index bits: slots are numbered with 64 bits where 32 do not suffice.
 * Errors: MCL_ERROR_ARGUMENT, MCL_ERROR_TYPE (keys or values are not of the map's type), MCL_ERROR_PRECONDITION,
 *   MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
typedef struct mcl_map mcl_map;

/* Settings of a new map. Zero members stand for what is said of each. */
typedef struct mcl_map_config {
    const mcl_type *key;    /* of 4 or 8 bytes */
    const mcl_type *value;  /* of 1 to 16 bytes; NULL: a set */
    const void *empty_key;  /* one key; NULL: all bits set (-1) */
    const void *erased_key; /* another; NULL: all bits but the lowest set (-2) */
    int64_t capacity;       /* slots of the first sub-map, rounded up to whole buckets of 32 bytes; 0: 1024 */
    double max_load;        /* the largest part of a sub-map's slots that is filled, to 1; 0: 0.5 */
} mcl_map_config;

/* Loads: with slots of 8 bytes a search for a key that is there looks at 1.05 buckets on average at a load of 0.5, at
 * 1.24 at 0.8 and 1.64 at 0.95; one for a key that is not there at 1.2, 2.3 and 7.8. With slots of 16 bytes these are
 * 1.2, 1.5, 2.2 and 1.6, 3.3, 12.6. */

/* Makes an empty map on the context's device. Enqueues nothing: the first call on the map, or mcl_map_clear, fills the
 * slots. Cost: a write of all slots.
 * Errors besides: MCL_ERROR_UNSUPPORTED for keys of 8 bytes where the device has no 64-bit atomics that groups may
 * share (keys of 4 bytes need 32-bit ones alone, which all devices have). */
MCL_API mcl_status mcl_map_create(mcl_context *context, const mcl_map_config *config, mcl_map **out);
/* A map has one reference, its maker's: calls change it, so that two owners could not both know what is in it. */
MCL_API void mcl_map_release(mcl_map *map); /* NULL does nothing; the memory goes back once work enqueued is done */

/* Makes room for entries entries in all: insertions up to there add no sub-map. Waits: it asks the device how many
 * slots are filled. The other way to make the map's bounds exact is mcl_map_size to the host.
 * Errors besides: MCL_ERROR_MEMORY: the map is as it was. */
MCL_API mcl_status mcl_map_reserve(mcl_queue *queue, mcl_map *map, int64_t entries, const mcl_options *options);

/* Enters keys that the map does not have yet, with their values; entries that are there stay as they are. Where the
 * call has a key more than once, the first to be worked on wins (see above).
 *
 * keys    any input of the map's key type
 * values  any input of the map's value type, as many as keys or more; its count slot is not looked at
 *
 * Growth: decided from what the host knows, without waiting as a rule: each insertion adds the count of its keys (with
 * a count slot: the bound) to what may be filled in the sub-map that they go to. Where no sub-map has that much room
 * one is added, as large as all before it together, or as the keys need. mcl_map_reserve and counts of mcl_map_size to
 * the host put the true numbers in place of the bounds. In three cases a call that would add a sub-map waits for the
 * true numbers first and adds none if these leave room: where the sub-maps may already hold 4 times the keys of the
 * call and those known before; where as many keys were to be erased as may be filled; and where there is no memory.
 * In the last case it fails with MCL_ERROR_MEMORY if they leave no room, the map being as it was.
 * The same keys, entered again and again, count as new ones until the true numbers are known. So a map of k keys that
 * calls enter c keys into has at most 8 * (k + c) / max_load slots and what it was made with, if all of them are
 * there: 1000 keys, entered by each of many calls, leave it at 24 thousand slots, and one call in ten or so waits.
 * A preparing queue does not ask the device: by the bounds it may say more scratch than the call then takes.
 * Erased entries: their slots are used again by insertions, but count as filled until mcl_map_clear, or until true
 * numbers are read and tell that all entries of a sub-map are erased. Searches go past them: with a max_load near 1 a
 * search for a key that is not there reads most of a sub-map whose slots are all filled or erased.
 * Cost: reads each key and value once and touches a bucket a key in each sub-map that may hold entries. Where the slots
 * are many times what the device's cache holds, and keys are as many as buckets, keys and values are parted first
 * (mcl_multisplit), so that neighbouring slots are filled at one time: see map.parted_bytes in docs/tuning.md. That
 * takes memory for a copy of both, for the time of the call; where there is none, keys stay as they are. Scratch: a
 * byte a key where sub-maps are more than one, and that of the parting. */
MCL_API mcl_status mcl_map_insert(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                  const mcl_options *options);

/* Inserts as mcl_map_insert does, but keys that are there get the new value. Where the call has a key more than once,
 * one of its elements wins; no value is ever mixed of two.
 * Cost: as mcl_map_insert. Values of more than 8 bytes, and of 8 where the device has no 64-bit atomics that groups may
 * share: a mcl_group_by of the keys besides, which leaves one element of each, and its memory. */
MCL_API mcl_status mcl_map_insert_or_assign(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                            const mcl_options *options);

/* Inserts as mcl_map_insert does, but keys that are there get the fold of their value and the new one: value =
 * op(value, new). Where the call has a key more than once, all of its elements are folded, each exactly once. The first
 * to be worked on enters the key with its value, if it is not there.
 *
 * op  any fold of the map's value type that is associative, commutative and marked so: MCL_ADD, MCL_MIN, MCL_MAX or
 *     your own. Its extract, if it has one, makes the new value of an element. It needs no identity and has no combine.
 *     For values of more than 8 bytes it has no extract (MCL_ERROR_UNSUPPORTED)
 *
 * Order: the elements of a key are folded in any order, which may change from run to run. So sums of floats may differ
 * in the last bits; with MCL_DETERMINISTIC values that are floats are MCL_ERROR_UNSUPPORTED.
 * Cost: as mcl_map_insert where the device has atomics of a slot's size (8 bytes: 64-bit ones; 16 bytes: NVIDIA's from
 *   sm_90 on), and for MCL_ADD, MCL_OR and MCL_XOR of integers; else folds touch a bucket twice for an element whose
 *   key is there. MCL_ADD of integers is one atomic addition an element. Other folds swap the value in, and try again
 *   where others changed it meanwhile: where a key has thousands of elements fold them before, by mcl_group_by. Values
 *   that are too wide for that (see mcl_map_insert_or_assign) are folded so by the call itself. An operator with
 *   extract is not parted. Scratch: as mcl_map_insert, or a byte a key.
 * Errors besides: MCL_ERROR_ARGUMENT (op does not commute, or has combine), MCL_ERROR_TYPE (op is not for the map's
 * value type). */
MCL_API mcl_status mcl_map_insert_or_apply(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                           const mcl_op *op, const mcl_options *options);

/* Looks keys up.
 *
 * keys     any input of the map's key type
 * values   of the map's value type, as many as keys: the value of each. Either of values and found may be
 *          (mcl_output){0}, not wanted; both is MCL_ERROR_ARGUMENT
 * missing  one value, stored where a key is not there; NULL: nothing is stored there
 * found    of MCL_UINT8 or MCL_INT8, as many as keys: 1 where the key is there, else 0
 *
 * Cost: as mcl_map_insert, sub-maps being looked through from the fullest on. Scratch: a byte a key where more than one
 * may hold entries. */
MCL_API mcl_status mcl_map_find(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output values, const void *missing,
                                mcl_output found, const mcl_options *options);

/* found[k] = 1 where keys[k] is there, else 0; as mcl_map_find. found cannot be left out. */
MCL_API mcl_status mcl_map_contains(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output found,
                                    const mcl_options *options);

/* Takes keys out; those that are not there are passed over. Cost: as mcl_map_find, but every sub-map is looked
 * through. */
MCL_API mcl_status mcl_map_erase(mcl_queue *queue, mcl_map *map, mcl_input keys, const mcl_options *options);

/* Stores the keys and values of all entries, in any order, a key and its value at the same index.
 *
 * keys, values  of the map's types; either may be (mcl_output){0}, not wanted, and both where the count alone is
 * count         how many entries there are
 *
 * The lower capacity of the two is the limit of both: nothing is stored past it. Where the count goes to the host and
 * is above the limit the call fails with MCL_ERROR_CAPACITY. As many entries as fit are stored then, and the count is
 * written. Capacity 0 only counts, which is no failure. Without a host count take the count from its slot with
 * mcl_with_count.
 *
 * options->append says how entries get their indices (mcl_append); 0: what was fastest on the device.
 * Cost: reads all slots once, writes each entry. Scratch: 4 bytes for each sub-map (or 2^30 slots).
 * Errors besides: MCL_ERROR_CAPACITY. */
MCL_API mcl_status mcl_map_retrieve_all(mcl_queue *queue, mcl_map *map, mcl_output keys, mcl_output values,
                                        mcl_result count, const mcl_options *options);

/* Counts the entries. */
MCL_API mcl_status mcl_map_size(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options);

/* Counts the keys equal to a sentinel that insertions have skipped since the map was made or cleared. */
MCL_API mcl_status mcl_map_skipped(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options);

/* Takes all entries out; the sub-maps stay. Does not wait. Cost: a write of all slots. */
MCL_API mcl_status mcl_map_clear(mcl_queue *queue, mcl_map *map, const mcl_options *options);

/* Slots of all sub-maps together, and how many sub-maps there are; 0 for NULL. */
MCL_API int64_t mcl_map_capacity(const mcl_map *map);
MCL_API int mcl_map_sub_map_count(const mcl_map *map);

#ifdef __cplusplus
}
#endif
#endif
