/* host_data.h: operations on arrays in host memory, which may be larger than the memory of any device. */
#ifndef MODERNCL_HOST_DATA_H
#define MODERNCL_HOST_DATA_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All calls of this header have this in common.
 *
 * Operands are arrays in host memory, given by their address, and counts are numbers on the host. Elements go through
 * the devices in chunks, each as large as a device has room for, and come back. A call returns when its results are
 * there. It uses queues of its own: three for each device, so that a chunk is copied to the device while another is
 * worked on and a third is copied back.
 *
 * Data that fit in the memory that the first device may use are copied there and back once. Larger data go twice: each
 * chunk is sorted and cut at splitters, which a sample of the keys gives; then each bucket of keys between two cuts is
 * fetched from all chunks and sorted by itself. A bucket that does not fit is cut again in the same way. A key that has
 * more copies than a device has room for is a bucket of its own, which is copied and not sorted. So no distribution of
 * keys is slow.
 * (Distribution sort with samples: W. Frazer, A. McKellar, "Samplesort", 1970; D. Knuth, The Art of Computer
 * Programming, volume 3, 5.4, external sorting.)
 *
 * Copies of memory that is not pinned are slow on GPUs and wait for each other. Register operands and scratch with the
 * driver (cuMemHostRegister, or memory that clEnqueueMapBuffer has mapped).
 *
 * Memory of a device: what bytes of mcl_host_device says, for data and for the scratch of the calls, and some 300 KiB
 * besides for each queue. Blocks are rounded up (device.h). All of it goes back when the call ends, with a failure
 * too.
 * Errors: MCL_ERROR_ARGUMENT (an array is NULL or overlaps another, a count is below 0, room is unusable or too small:
 *   the sentence says how). MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *   After a failure of the last two kinds the outputs are undefined. */

/* A device, and how much of its memory a call may use. */
typedef struct mcl_host_device {
    mcl_context *context;
    int64_t bytes; /* 0: three quarters of what the device says is free, else half of its memory */
} mcl_host_device;

/* What a call works with. A context may stand in several entries. Chunks go to the devices in turn, so a device that is
 * slower than the others holds them up. */
typedef struct mcl_host_room {
    const mcl_host_device *devices;
    int device_count;     /* 1 to 64 */
    void *scratch;        /* host memory for data that do not fit at once; NULL: the call allocates it */
    size_t scratch_bytes; /* the function says how many are needed */
} mcl_host_room;

/* Sorts keys in host memory.
 *
 * out[0 .. count) gets the keys in the order of before. Stable, as mcl_sort is.
 *
 * type      of the keys: any type
 * keys, out arrays of count elements; out may be exactly keys, and else may not overlap them
 * before    strict weak order, as mcl_sort takes it. With an order that contradicts itself out gets some of the keys,
 *           as with mcl_sort
 *
 * Scratch on the host: an array of the size of keys, where they do not fit at once.
 * Cost: two copies of each key to a device and two back, where they do not fit at once; and two sorts, during these
 *   copies where the device copies and works at the same time. */
MCL_API mcl_status mcl_host_sort(const mcl_host_room *room, const mcl_type *type, const void *keys, void *out,
                                 int64_t count, const mcl_op *before);

/* Does the same as mcl_host_sort with keys that take their values with them. values are of any type, as many as keys.
 * out_keys may be exactly keys and out_values exactly values; nothing else may overlap. Scratch on the host: an array
 * of the size of keys and one of the size of values. Cost: of keys and values what mcl_host_sort says of keys. */
MCL_API mcl_status mcl_host_sort_pairs(const mcl_host_room *room, const mcl_type *key_type, const void *keys,
                                       const mcl_type *value_type, const void *values, void *out_keys, void *out_values,
                                       int64_t count, const mcl_op *before);

#ifdef __cplusplus
}
#endif
#endif
