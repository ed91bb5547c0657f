/* host_data.h: operations on arrays in host memory, which may be larger than the memory of any device. */
#ifndef MODERNCL_HOST_DATA_H
#define MODERNCL_HOST_DATA_H

#include "join.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The following holds for all calls of this header.
 *
 * Operands are arrays in host memory, given by their address, and counts are numbers on the host. Elements are copied
 * to the devices in chunks, each as large as a device has room for, and back. A call returns when its results are in
 * host memory. It uses three queues of its own per device. While one queue copies a chunk to the device, a second one
 * works, and a third one copies a chunk back.
 *
 * Data that fit in the memory that the first device may use are copied there and back once. Larger data are copied
 * twice. First each chunk is sorted, and cut at splitters that a sample of the keys gives. Then each bucket of keys
 * between two cuts is fetched from all chunks and sorted separately. A bucket that does not fit is cut again in the
 * same way. A key with more copies than a device has room for is a bucket of its own, which is copied without a sort.
 * So no distribution of keys is slow. (Distribution sort with samples: W. Frazer, A. McKellar, "Samplesort", 1970; D.
 * Knuth, The Art of Computer Programming, volume 3, 5.4, external sorting.)
 *
 * On GPUs, copies of memory that is not pinned are slow and do not overlap. Register operands and scratch with the
 * driver (cuMemHostRegister, or memory that clEnqueueMapBuffer has mapped).
 *
 * Memory of a device: the member bytes of mcl_host_device limits data and scratch. Each queue needs some 300 KiB more.
 *   Blocks are rounded up (device.h). All this memory is freed when the call ends, even where it fails.
 * Errors: MCL_ERROR_ARGUMENT (an array is NULL or overlaps another, a count is below 0, room is unusable or too small:
 *   the sentence says how). MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *   After a failure of the last two kinds the outputs are undefined. */

/* A device, and the part of its memory that a call may use. */
typedef struct mcl_host_device {
    mcl_context *context;
    int64_t bytes; /* most bytes; 0: three quarters of the memory that was free when the context was created, less the
                    * context's memory in use. If the driver does not report free memory, 0 means half of the device's
                    * memory */
} mcl_host_device;

/* The devices and the host memory that a call uses. A context may occur in several entries. Chunks go to the devices in
 * turn, so a slow device delays the other devices. */
typedef struct mcl_host_room {
    const mcl_host_device *devices;
    int device_count;     /* 1 to 64 */
    void *scratch;        /* host memory for data that do not fit at once; NULL: the call allocates it */
    size_t scratch_bytes; /* size of scratch; each function's comment says the size that it needs */
} mcl_host_room;

/* Sorts keys in host memory.
 *
 * out[0 .. count) receives the keys in the order of before. The sort is stable, like mcl_sort.
 *
 * type      type of the keys: any type
 * keys, out arrays of count elements; out may be exactly keys, and else may not overlap them
 * before    strict weak order, as mcl_sort takes it. With an order that contradicts itself, out receives some of the
 *           keys, as in mcl_sort
 *
 * Scratch on the host: an array of the size of keys, where they do not fit at once.
 * Cost: one copy of each key to a device and back, and one sort; two of each where they do not fit at once. Copies and
 * sorts overlap if the device can do both at the same time. */
MCL_API mcl_status mcl_host_sort(const mcl_host_room *room, const mcl_type *type, const void *keys, void *out,
                                 int64_t count, const mcl_op *before);

/* Does the same as mcl_host_sort, and moves the value of each key with it. values has any type, and as many elements as
 * keys. out_keys may be exactly keys, and out_values exactly values; nothing else may overlap. Scratch on the host: an
 * array of the size of keys and one of the size of values. Cost: as in mcl_host_sort, for keys and for values. */
MCL_API mcl_status mcl_host_sort_pairs(const mcl_host_room *room, const mcl_type *key_type, const void *keys,
                                       const mcl_type *value_type, const void *values, void *out_keys, void *out_values,
                                       int64_t count, const mcl_op *before);

/* One fold of the values of each group. */
typedef struct mcl_host_aggregate {
    const mcl_type *value_type; /* type of the values; NULL: each value is 1 of MCL_INT64, so that MCL_ADD counts, and
                                 * values is NULL */
    const void *values;         /* one value per key */
    const mcl_op *op;           /* a fold without combine, as in mcl_aggregate; MCL_MEAN is MCL_ERROR_UNSUPPORTED */
    const mcl_type *out_type;   /* type of out, as in mcl_aggregate */
    void *out;                  /* one result per group; NULL: the aggregate is not wanted */
} mcl_host_aggregate;

/* Folds the values of each group of equal keys in host memory. Equal keys need not be neighbours.
 *
 * Keys, their equality and the order of groups are as in mcl_group_by. Keys have 1 to 16 bytes, and are equal where
 * their bits are equal. Groups of integer keys ascend; groups of other keys ascend by the keys' bytes. A fold that does
 * not commute gets a group's elements in the order of their indices.
 *
 * key_type, keys  an array of count keys
 * aggregates      aggregate_count folds, 0 to 17. Without any fold the call finds the distinct keys
 * out_keys        one key of each group; NULL: not wanted
 * capacity        number of groups for which out_keys and each aggregate's out have room. The first groups are stored.
 *                 With capacity 0 groups are only counted
 * group_count     receives the number of groups; may be NULL. If there are more groups than a capacity other than 0,
 *                 the call is MCL_ERROR_CAPACITY
 *
 * Each chunk is reduced to its groups before it is copied back to host memory. So if keys repeat in a chunk, only the
 * input is copied in full. Sums of floats are rounded once more for each chunk, and depend on the size of chunks.
 * Compute a mean from a sum and a count, since MCL_MEAN is refused.
 * Scratch on the host: where the data do not fit at once, a key and an accumulator of each aggregate for each element.
 * Cost: a copy of the input to a device, and an mcl_group_by of each chunk. For the groups of all chunks: a copy back,
 *   a copy to a device, and another mcl_group_by. */
MCL_API mcl_status mcl_host_group_by(const mcl_host_room *room, const mcl_type *key_type, const void *keys,
                                     int64_t count, const mcl_host_aggregate *aggregates, int aggregate_count,
                                     void *out_keys, int64_t capacity, int64_t *group_count);

/* Joins two sequences of keys in host memory, in any order. The rows and their order are as in mcl_join_unsorted.
 *
 * kind          any mcl_join_kind
 * type          type of the keys: any type
 * a, b          arrays of a_count and b_count keys
 * before        strict weak order: keys are equal where neither sorts before the other. With any other order rows and
 *               count are unspecified
 * out_a, out_b  indices in a and in b, -1 for no partner. Either may be NULL if not wanted. With MCL_JOIN_SEMI and
 *               MCL_JOIN_ANTI out_b is ignored
 * capacity      number of rows for which each output has room. The first rows are stored. With capacity 0, or without
 *               outputs, rows are only counted
 * row_count     receives the number of rows; may be NULL. If there is an output, and there are more rows than a
 *               capacity other than 0, the call is MCL_ERROR_CAPACITY
 *
 * Keys of both sides are put into buckets by the same splitters, with their indices, and each bucket is joined
 * separately. If a key has more copies than fit, the host makes its rows.
 * Scratch on the host: a key and 8 bytes for each key of both sides, where they do not fit at once.
 * Cost, where keys do not fit at once: keys are copied to a device twice and back once, indices once each way. A sort
 *   of each chunk, and an mcl_join_columns of each bucket. A bucket with more rows than keys is joined again for each
 *   part of its rows. MCL_JOIN_RIGHT and MCL_JOIN_OUTER join a second time, for the keys of b without a partner. */
MCL_API mcl_status mcl_host_join(const mcl_host_room *room, mcl_join_kind kind, const mcl_type *type, const void *a,
                                 int64_t a_count, const void *b, int64_t b_count, const mcl_op *before, int64_t *out_a,
                                 int64_t *out_b, int64_t capacity, int64_t *row_count);

#ifdef __cplusplus
}
#endif
#endif
