/* map.h: a hash map on the device, which can grow. Each call works on a whole sequence of keys. */
#ifndef MODERNCL_MAP_H
#define MODERNCL_MAP_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A map from keys to values, or a set of keys. A map is a list of sub-maps, each an array of slots that hold a key and
 * its value side by side. A map grows by one more sub-map, never by moving entries. A call hashes a key to a bucket of
 * slots, which has as many bytes as one memory access fetches. After this bucket a search reads the neighbouring
 * buckets, then continues in steps that the hash gives, within windows of 128 KiB. (Double hashing: D. Knuth, The Art
 * of Computer Programming 3, 6.4.)
 *
 * The following holds for all functions here.
 *
 * Keys and values: keys have any type of 4 or 8 bytes, values any type of 1 to 16 bytes, including your own types. Keys
 *   are equal where their bits are equal: the floats -0 and 0 differ, and a NaN equals itself.
 * Sets: a set is a map without values. For a set, pass (mcl_input){0} as the values to insert. An output for values,
 *   and calls that change values, are MCL_ERROR_ARGUMENT.
 * Sentinels: two keys, called empty and erased, mark slots and cannot be inserted. Insertions skip and count a sentinel
 *   (mcl_map_skipped). For other calls a sentinel is a key that the map does not have. With MCL_VALIDATE all such calls
 *   fail with MCL_ERROR_PRECONDITION and do nothing. The sentence names the first such key.
 * Order: calls on a map take effect in the order in which they are made. They must have this order on the device too:
 *   on one queue, or on several queues that events put in order. Only one thread at a time may use a map. Within a call
 *   the keys are processed at the same time. If a key occurs several times in a call, the order of its elements is
 *   unspecified, and may change from run to run.
 * Counts: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or mcl_to_nowhere(). A call waits only for a host
 *   count or for validation.
 * Memory: from the context's allocator. A slot has 8 bytes if key and value have at most 4 bytes each, else 16. A value
 *   of more than 8 bytes has 16 bytes in addition to the key's slot. A slot of a set has the key's bytes.
 * Overlap: no output may overlap what is read, or another output.
 * Index bits: slots are numbered with 64 bits where 32 do not suffice.
 * Errors: MCL_ERROR_ARGUMENT, MCL_ERROR_TYPE (keys or values are not of the map's type), MCL_ERROR_PRECONDITION,
 *   MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
typedef struct mcl_map mcl_map;

/* Settings of a new map. The comment of a member says what 0 means. */
typedef struct mcl_map_config {
    const mcl_type *key;    /* a type of 4 or 8 bytes */
    const mcl_type *value;  /* a type of 1 to 16 bytes; NULL makes a set */
    const void *empty_key;  /* the empty key; NULL: all bits set (-1) */
    const void *erased_key; /* the erased key; NULL: all bits but the lowest set (-2) */
    int64_t capacity;       /* slots of the first sub-map, rounded up to whole buckets of 32 bytes; 0: 1024 */
    double max_load;        /* largest fraction of a sub-map's slots to fill, up to 1; 0: 0.5 */
} mcl_map_config;

/* The average number of buckets that a search reads, at loads of 0.5, 0.8 and 0.95. With 8-byte slots it is 1.05, 1.24
 * and 1.64 for a key of the map, and 1.2, 2.3 and 7.8 for a missing key. With 16-byte slots it is 1.2, 1.5 and 2.2 for
 * a key of the map, and 1.6, 3.3 and 12.6 for a missing key. */

/* Makes an empty map on the context's device. Nothing is enqueued: the first call on the map, or mcl_map_clear, fills
 * the slots. Cost: a write of all slots. Further errors: MCL_ERROR_UNSUPPORTED for 8-byte keys, if the device has no
 * 64-bit atomics that work between groups. (Keys of 4 bytes need only 32-bit atomics, which all devices have.) */
MCL_API mcl_status mcl_map_create(mcl_context *context, const mcl_map_config *config, mcl_map **out);
/* Releases a map. A map has one reference, which belongs to its creator. Calls change a map, so two owners could not
 * both know its entries. */
MCL_API void mcl_map_release(mcl_map *map); /* NULL does nothing; the memory is freed once enqueued work is done */

/* Makes room for entries entries in total: insertions up to this number add no sub-map. The call waits, since it asks
 * the device for the number of filled slots. mcl_map_size to the host makes the map's bounds exact too. After
 * MCL_ERROR_MEMORY the map is unchanged. */
MCL_API mcl_status mcl_map_reserve(mcl_queue *queue, mcl_map *map, int64_t entries, const mcl_options *options);

/* Inserts keys that the map does not have yet, with their values; existing entries do not change. If a key occurs
 * several times in the call, the element that is processed first is inserted (see Order above).
 *
 * keys    any input of the map's key type
 * values  any input of the map's value type, with at least keys.count elements; its count slot is ignored
 *
 * Growth: the host decides, usually without waiting. For each sub-map it keeps an upper bound of the filled slots. Each
 * insertion adds the count of its keys (with a count slot: the bound) to the bound of the sub-map for these keys. If no
 * sub-map has that much room, one is added: as large as all earlier sub-maps together, or as the keys need.
 * mcl_map_reserve, and mcl_map_size with a count on the host, replace the bounds by the true numbers. In three cases a
 * call that would add a sub-map waits for the true numbers first, and adds none if these leave room. First, if the
 * sub-maps have room for 4 times as many entries as the call's keys plus the slots filled at the last true numbers.
 * Second, if calls since then were to erase as many keys as there may be filled slots. Third, if memory is short. In
 * the third case, if the true numbers leave no room, the call fails with MCL_ERROR_MEMORY and the map is unchanged.
 * Keys that are inserted repeatedly count as new keys until the true numbers are known. For example, a map has k keys,
 * and each call inserts c keys that the map has already. Then the map has at most 8 * (k + c) / max_load slots more
 * than at its creation. So 1000 keys, inserted by each of many calls, leave the map at 24 thousand slots, and about one
 * call in ten waits. A preparing queue does not ask the device. It uses the bounds, so it may report more scratch than
 * the call later needs.
 * Erased entries: insertions reuse their slots. These slots count as filled until mcl_map_clear, or until the true
 * numbers say that all entries of a sub-map are erased. Searches do not stop at such slots. With a max_load near 1, a
 * search for a missing key reads most of a sub-map whose slots are all filled or erased.
 * Cost: reads each key and value once, and accesses one bucket per key in each sub-map that may hold entries. Keys and
 * values are first split by their buckets (mcl_multisplit) if the slots are many times larger than the device's cache
 * and keys are as many as buckets. Then neighbouring slots are filled at about the same time: see map.parted_bytes in
 * docs/tuning.md. During the call, the split needs memory for a copy of keys and values. Without such memory the keys
 * are not split. On processors, only one work-item changes a bucket, so no atomics are needed. Keys and values are
 * split in the same way if the slots have at least map.parted_bytes bytes. There must also be as many keys as buckets
 * in this number of bytes. Each group then has the keys and the buckets of one part. Otherwise, or without memory for
 * the split, one group inserts all keys. Folds with an extract use atomics. On processors, a call with values may first
 * fold the elements of equal keys in hash tables, as mcl_group_by does. It does so if the keys are in a buffer, are at
 * least group_by.table_least_serial, and at most half of them are distinct. Each key is then inserted once for each of
 * a few parts.
 * Scratch: a byte per key if there are several sub-maps, and the scratch of the split, or of the tables. On processors
 * also an index per key that is split. */
MCL_API mcl_status mcl_map_insert(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                  const mcl_options *options);

/* Inserts as mcl_map_insert does, but keys that the map has already get the new value. If a key occurs several times in
 * the call, it gets the value of one of its elements: a stored value never mixes two values.
 * Cost: as in mcl_map_insert. On GPUs some values also need an mcl_group_by, which keeps one element of each key, and
 * its memory. These are values of more than 8 bytes, and of 8 bytes if the device has no 64-bit atomics that work
 * between groups. */
MCL_API mcl_status mcl_map_insert_or_assign(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                            const mcl_options *options);

/* Inserts as mcl_map_insert does, but keys that the map has already get the fold of their value and the new one: value
 * = op(value, new). If a key occurs several times in the call, each of its elements is folded exactly once. If the map
 * does not have the key, the element that is processed first is inserted with its value.
 *
 * op  any fold of the map's value type that is associative, commutative and marked as commutative: MCL_ADD, MCL_MIN,
 *     MCL_MAX or your own. Its extract, if any, computes the new value from an element. The fold needs no identity and
 *     has no combine. For values of more than 8 bytes it has no extract (MCL_ERROR_UNSUPPORTED)
 *
 * Order: the elements of a key are folded in any order, which may change from run to run. So sums of floats may differ
 *   in the last bits. With MCL_DETERMINISTIC, float values are MCL_ERROR_UNSUPPORTED.
 * Cost: as in mcl_map_insert for MCL_ADD, MCL_OR and MCL_XOR of integers, and on devices with atomics of a slot's size.
 *   (For 8 bytes these are 64-bit atomics, for 16 bytes NVIDIA's from sm_90 on.) Otherwise a fold accesses a bucket
 *   twice if the map has the key already. MCL_ADD of integers is one atomic addition per element. Elements of few keys
 *   are first added to each other, so that the map gets one addition for thousands of them. Other folds replace the
 *   value by an atomic compare-and-swap, and retry if another work-item has changed it. If a key has thousands of
 *   elements, fold them with mcl_group_by before the call. Values too wide to be swapped (see mcl_map_insert_or_assign)
 *   are folded with mcl_group_by in the call itself. On processors, folds without extract need no atomics (see
 *   mcl_map_insert). With extract, keys are not split. Scratch: as in mcl_map_insert, or a byte per key.
 * Further errors: MCL_ERROR_ARGUMENT (op does not commute, or has combine), MCL_ERROR_TYPE (op is not for the map's
 *   value type). */
MCL_API mcl_status mcl_map_insert_or_apply(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_input values,
                                           const mcl_op *op, const mcl_options *options);

/* Finds keys in the map.
 *
 * keys     any input of the map's key type
 * values   output of the map's value type, as many as keys: the value of each key. One of values and found may be
 *          (mcl_output){0} if not wanted; leaving out both is MCL_ERROR_ARGUMENT
 * missing  one value, stored for keys that the map does not have; NULL: nothing is stored for them
 * found    output of MCL_UINT8 or MCL_INT8, as many as keys: 1 where the map has the key, else 0
 *
 * Cost: as in mcl_map_insert. The fullest sub-map is searched first. Scratch: a byte per key if several sub-maps may
 * hold entries. */
MCL_API mcl_status mcl_map_find(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output values, const void *missing,
                                mcl_output found, const mcl_options *options);

/* Stores found[k] = 1 where the map has keys[k], else 0, as mcl_map_find does. found cannot be left out. */
MCL_API mcl_status mcl_map_contains(mcl_queue *queue, mcl_map *map, mcl_input keys, mcl_output found,
                                    const mcl_options *options);

/* Erases keys with their values; keys that the map does not have are skipped. Cost: as in mcl_map_find, but every
 * sub-map is searched. */
MCL_API mcl_status mcl_map_erase(mcl_queue *queue, mcl_map *map, mcl_input keys, const mcl_options *options);

/* Stores the keys and values of all entries, in any order. A key and its value have the same index.
 *
 * keys, values  outputs of the map's types; either may be (mcl_output){0} if not wanted, and both if only the count is
 *               wanted
 * count         the number of entries
 *
 * The lower capacity of the two outputs is the limit of both: nothing is stored past it. Where the count goes to the
 * host and is above the limit the call fails with MCL_ERROR_CAPACITY. It then stores as many entries as fit, and writes
 * the count. With capacity 0 entries are only counted, which is no failure. Without a host count, take the count from
 * its slot with mcl_with_count.
 *
 * options->append says how entries get their indices (mcl_append); 0: the fastest method on this device.
 * Cost: reads all slots once, writes each entry. Scratch: 4 bytes for each 2^30 slots of a sub-map.
 * Further errors: MCL_ERROR_CAPACITY. */
MCL_API mcl_status mcl_map_retrieve_all(mcl_queue *queue, mcl_map *map, mcl_output keys, mcl_output values,
                                        mcl_result count, const mcl_options *options);

/* Counts the entries. */
MCL_API mcl_status mcl_map_size(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options);

/* Counts the keys equal to a sentinel that insertions have skipped since the map was made or cleared. */
MCL_API mcl_status mcl_map_skipped(mcl_queue *queue, mcl_map *map, mcl_result count, const mcl_options *options);

/* Removes all entries; the sub-maps keep their memory. The call does not wait. Cost: a write of all slots. */
MCL_API mcl_status mcl_map_clear(mcl_queue *queue, mcl_map *map, const mcl_options *options);

/* Return the number of slots in all sub-maps, and the number of sub-maps. Both return 0 for NULL. */
MCL_API int64_t mcl_map_capacity(const mcl_map *map);
MCL_API int mcl_map_sub_map_count(const mcl_map *map);

#ifdef __cplusplus
}
#endif
#endif
