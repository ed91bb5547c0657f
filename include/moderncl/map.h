/* map.h: a hash map on the device that grows, worked on by whole sequences of keys at once. */
#ifndef MODERNCL_MAP_H
#define MODERNCL_MAP_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A map from keys to values, or a set of keys. A map is a list of sub-maps, each an array of slots that hold a key and
 * its value side by side. A map grows by one more sub-map, never by moving entries. Calls find keys by hashing them to
 * a bucket of slots, which has as many bytes as one access to memory fetches. After this bucket a search looks at its
 * neighbours, then goes by steps that the hash gives, within windows of 128 KiB. (Double hashing: D. Knuth, The Art of
 * Computer Programming 3, 6.4.)
 *
 * All functions here have this in common.
 *
 * Keys and values: keys are of any type of 4 or 8 bytes, values of 1 to 16, your own too. Keys are equal where their
 *   bits are: the floats -0 and 0 differ, and a NaN equals itself.
 * Sets: a set is a map without values. Insertions take (mcl_input){0} for values; an output for values, and calls that
 *   change values, are MCL_ERROR_ARGUMENT.
 * Sentinels: two keys, the empty and the erased one, mark slots and cannot be entered. Insertions skip and count a
 *   sentinel (mcl_map_skipped); for other calls it is a key that the map does not have. With MCL_VALIDATE all such
 *   calls fail with MCL_ERROR_PRECONDITION and do nothing. The sentence names the first such key.
 * Order: calls on a map take effect in the order in which they are made. The calls must have this order on the device
 *   too: on one queue, or on several where events say so. A map belongs to one thread at a time.
 * Inside a call the keys are worked on at the same time. Where a call has a key more than once, it is unspecified which
 *   of the key's elements comes first, and which last. This may change from run to run.
 * Counts: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or mcl_to_nowhere(). A call waits only for a host
 *   count or for validation.
 * Memory: from the context's allocator. A slot takes 8 bytes where key and value take at most 4 each, else 16. Values
 *   of more than 8 bytes take 16 beside the key's slot, and a set's slot takes its key's bytes.
 * Overlap: no output may overlap what is read, or another output.
 * Index bits: slots are numbered with 64 bits where 32 do not suffice.
 * Errors: MCL_ERROR_ARGUMENT, MCL_ERROR_TYPE (keys or values are not of the map's type), MCL_ERROR_PRECONDITION,
 *   MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
typedef struct mcl_map mcl_map;

/* Settings of a new map. Each member says what 0 stands for. */
typedef struct mcl_map_config {
    const mcl_type *key;    /* a type of 4 or 8 bytes */
    const mcl_type *value;  /* a type of 1 to 16 bytes; NULL: a set */
    const void *empty_key;  /* one key; NULL: all bits set (-1) */
    const void *erased_key; /* another key; NULL: all bits but the lowest set (-2) */
    int64_t capacity;       /* slots of the first sub-map, rounded up to whole buckets of 32 bytes; 0: 1024 */
    double max_load;        /* largest fraction of a sub-map's slots that is filled, up to 1; 0: 0.5 */
} mcl_map_config;

/* A search looks at these numbers of buckets on average, at loads of 0.5, 0.8 and 0.95.
 * Slots of 8 bytes: 1.05, 1.24, 1.64 for a key of the map, 1.2, 2.3, 7.8 for another key.
 * Slots of 16 bytes: 1.2, 1.5, 2.2 for a key of the map, 1.6, 3.3, 12.6 for another key. */

/* Makes an empty map on the context's device. Nothing is enqueued: the first call on the map, or mcl_map_clear, fills
 * the slots. Cost: a write of all slots.
 * Errors besides: MCL_ERROR_UNSUPPORTED for keys of 8 bytes where the device has no 64-bit atomics that groups may
 * share. (Keys of 4 bytes need 32-bit atomics alone, which all devices have.) */
MCL_API mcl_status mcl_map_create(mcl_context *context, const mcl_map_config *config, mcl_map **out);
/* Releases a map. A map has one reference, which its maker owns. Calls change a map, so two owners could not both know
 * its entries. */
MCL_API void mcl_map_release(mcl_map *map); /* NULL does nothing; the memory goes back once work enqueued is done */

/* Makes room for entries entries in all: insertions up to this number add no sub-map. The call waits, since it asks the
 * device how many slots are filled. mcl_map_size to the host also makes the map's bounds exact.
 * After MCL_ERROR_MEMORY the map is as it was. */
MCL_API mcl_status mcl_map_reserve(mcl_queue *queue, mcl_map *map, int64_t entries, const mcl_options *options);

/* Enters keys that the map does not have yet, with their values; existing entries stay as they are. Where the call has
 * a key more than once, the first to be worked on wins (see above).
 *
 * keys    any input of the map's key type
 * values  any input of the map's value type, as many as keys or more; its count slot is not looked at
 *
 * Growth: the host decides, as a rule without waiting. The host keeps an upper bound of the filled slots of each
 * sub-map. Each insertion adds the count of its keys (with a count slot: the bound) to the bound of the sub-map that
 * they go to. Where no sub-map has that much room, one is added: as large as all sub-maps before it together, or as the
 * keys need. mcl_map_reserve and counts of mcl_map_size to the host put the true numbers in place of the bounds. In
 * three cases a call that would add a sub-map waits for the true numbers first, and adds none if these leave room.
 * First, where the sub-maps have room for 4 times as many entries as keys of the call and slots filled at the last true
 * numbers. Second, where calls since then were to erase as many keys as slots may be filled. Third, where memory is
 * short. In the last case, if the true numbers leave no room, the call fails with MCL_ERROR_MEMORY and the map is as it
 * was. The same keys, entered again and again, count as new ones until the true numbers are known. Take a map of k
 * keys, where each call enters c keys that the map has already. Then the map has at most 8 * (k + c) / max_load slots,
 * besides what it was made with. So 1000 keys, entered by each of many calls, leave the map at 24 thousand slots, and
 * about one call in ten waits. A preparing queue does not ask the device: by the bounds it may say more scratch than
 * the call then takes.
 * Erased entries: insertions use their slots again. These slots count as filled until mcl_map_clear, or until true
 * numbers tell that all entries of a sub-map are erased. Searches go past such slots. With a max_load near 1 a search
 * for a missing key reads most of a sub-map whose slots are all filled or erased.
 * Cost: reads each key and value once and touches a bucket a key in each sub-map that may hold entries. Where the slots
 * are many times what the device's cache holds, and keys are as many as buckets, keys and values are first split by
 * their buckets (mcl_multisplit). Then neighbouring slots are filled at one time: see map.parted_bytes in
 * docs/tuning.md. The split takes memory for a copy of keys and values, for the time of the call. Without such memory
 * the keys are not split.
 * On processors a work-item alone changes the buckets that it enters keys in, without atomics. From map.parted_bytes
 * bytes of slots on, if keys are as many as such bytes have buckets, keys and values are split in the same way. Each
 * group then has the keys and the buckets of a part. Else, or without memory for the split, one group enters all keys.
 * Folds with an extract are entered by atomics.
 * On processors a call with values may fold the elements of equal keys in hash tables first, as mcl_group_by does. It
 * does so where the keys lie in a buffer, are group_by.table_least_serial or more, and half of them or fewer are
 * distinct. The map then sees each key once for each of a few parts.
 * Scratch: a byte a key where sub-maps are more than one, and the scratch of the split, or of the tables. On processors
 * also an index a key that is split. */
MCL_API mcl_status mcl_map_insert(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                  const mcl_options *options);

/* Inserts as mcl_map_insert does, but keys that the map has get the new value. Where the call has a key more than once,
 * one of its elements wins: a stored value never mixes two values.
 * Cost: as mcl_map_insert. On GPUs some values also take an mcl_group_by, which keeps one element of each key, and its
 * memory. These are values of more than 8 bytes, and of 8 where the device has no 64-bit atomics that groups may
 * share. */
MCL_API mcl_status mcl_map_insert_or_assign(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                            const mcl_options *options);

/* Inserts as mcl_map_insert does, but keys that the map has get the fold of their value and the new one: value =
 * op(value, new). Where the call has a key more than once, all of its elements are folded, each exactly once. The first
 * to be worked on enters the key with its value, if the map does not have the key.
 *
 * op  any fold of the map's value type that is associative, commutative and marked so: MCL_ADD, MCL_MIN, MCL_MAX or
 *     your own. Its extract, if any, makes the new value of an element. The fold needs no identity and has no combine.
 *     For values of more than 8 bytes it has no extract (MCL_ERROR_UNSUPPORTED)
 *
 * Order: the elements of a key are folded in any order, which may change from run to run. So sums of floats may differ
 * in the last bits; with MCL_DETERMINISTIC values that are floats are MCL_ERROR_UNSUPPORTED.
 * Cost: as mcl_map_insert for MCL_ADD, MCL_OR and MCL_XOR of integers, and where the device has atomics of a slot's
 *   size. (For 8 bytes these are 64-bit atomics, for 16 bytes NVIDIA's from sm_90 on.) Else folds touch a bucket twice
 *   for an element whose key the map has. MCL_ADD of integers is one atomic addition an element; elements of few keys
 *   are added up first, so that the map sees a key once for thousands of them. Other folds swap the value in, and try
 *   again where others changed it meanwhile. Where a key has thousands of elements, fold them by mcl_group_by before
 *   the call. Values too wide to be swapped (see mcl_map_insert_or_assign) are folded by mcl_group_by in the call
 *   itself. On processors folds without extract are no atomics (see mcl_map_insert). With extract, keys are not split.
 *   Scratch: as mcl_map_insert, or a byte a key.
 * Errors besides: MCL_ERROR_ARGUMENT (op does not commute, or has combine), MCL_ERROR_TYPE (op is not for the map's
 * value type). */
MCL_API mcl_status mcl_map_insert_or_apply(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                           const mcl_op *op, const mcl_options *options);

/* Looks keys up.
 *
 * keys     any input of the map's key type
 * values   of the map's value type, as many as keys: the value of each key. Either of values and found may be
 *          (mcl_output){0}, not wanted; both are MCL_ERROR_ARGUMENT
 * missing  one value, stored for keys that the map does not have; NULL: nothing is stored for them
 * found    of MCL_UINT8 or MCL_INT8, as many as keys: 1 where the key is there, else 0
 *
 * Cost: as mcl_map_insert. Sub-maps are searched from the fullest one on. Scratch: a byte a key where more than one
 * sub-map may hold entries. */
MCL_API mcl_status mcl_map_find(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output values, const void *missing,
                                mcl_output found, const mcl_options *options);

/* Stores found[k] = 1 where the map has keys[k], else 0, as mcl_map_find does. found cannot be left out. */
MCL_API mcl_status mcl_map_contains(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output found,
                                    const mcl_options *options);

/* Erases keys with their values; keys that the map does not have are skipped. Cost: as mcl_map_find, but every sub-map
 * is searched. */
MCL_API mcl_status mcl_map_erase(mcl_queue *queue, mcl_map *map, mcl_input keys, const mcl_options *options);

/* Stores the keys and values of all entries, in any order, a key and its value at the same index.
 *
 * keys, values  of the map's types; either may be (mcl_output){0}, not wanted; so may both, where only the count is
 *               wanted
 * count         the number of entries
 *
 * The lower capacity of the two outputs is the limit of both: nothing is stored past it. Where the count goes to the
 * host and is above the limit the call fails with MCL_ERROR_CAPACITY. As many entries as fit are stored then, and the
 * count is written. Capacity 0 only counts, which is no failure. Without a host count take the count from its slot with
 * mcl_with_count.
 *
 * options->append says how entries get their indices (mcl_append); 0: the fastest method on this device.
 * Cost: reads all slots once, writes each entry. Scratch: 4 bytes for each 2^30 slots of a sub-map.
 * Errors besides: MCL_ERROR_CAPACITY. */
MCL_API mcl_status mcl_map_retrieve_all(mcl_queue *queue, mcl_map *map, mcl_output keys, mcl_output values,
                                        mcl_result count, const mcl_options *options);

/* Counts the entries. */
MCL_API mcl_status mcl_map_size(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options);

/* Counts the keys equal to a sentinel that insertions have skipped since the map was made or cleared. */
MCL_API mcl_status mcl_map_skipped(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options);

/* Removes all entries; the sub-maps keep their memory. The call does not wait. Cost: a write of all slots. */
MCL_API mcl_status mcl_map_clear(mcl_queue *queue, mcl_map *map, const mcl_options *options);

/* Return the slots of all sub-maps together, and the number of sub-maps; 0 for NULL. */
MCL_API int64_t mcl_map_capacity(const mcl_map *map);
MCL_API int mcl_map_sub_map_count(const mcl_map *map);

#ifdef __cplusplus
}
#endif
#endif
