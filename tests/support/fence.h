/* fence.h: memory in which an access outside is noticed, for tests of hostile operands.
 *
 * A fenced array ends where its buffer ends. On POCL, whose kernels run in this process, a page that nobody may touch
 * follows it and another precedes it: a load or a store there ends the test. The bytes between the first page and the
 * array have a pattern, which fence_check compares. On devices without such pages fence_check compares patterns too. */
#ifndef TEST_FENCE_H
#define TEST_FENCE_H

#include "devices.h"

typedef struct fence {
    mcl_buffer *buffer;
    unsigned char *made; /* copy of the whole buffer as it was made */
    size_t lead;         /* bytes of the buffer before the array */
    size_t bytes;        /* bytes of the array */
    void *map;           /* the mapped pages, or NULL */
    size_t map_bytes;
    void *memory; /* driver's object for the pages */
} fence;

/* Makes an array. Where data is NULL, the array is filled with a pattern. */
void fence_create(int device, size_t bytes, const void *data, fence *out);
void fence_free(fence *array);

/* Return the array as an operand of int32 or int64 elements. */
mcl_input fence_input(const fence *array, const mcl_type *type, int64_t count);
mcl_output fence_output(const fence *array, const mcl_type *type, int64_t capacity);

/* Checks that nothing was written before the array, and with may_change 0 nothing in it. */
void fence_check(int device, const fence *array, int may_change, const char *what);
/* Reads the array's bytes. */
void fence_read(int device, const fence *array, void *data);

/* Makes a call that must end within a minute. Its scratch has exactly the needed bytes, and a fence follows it. Any
 * status is accepted but MCL_ERROR_DEVICE, MCL_ERROR_BUILD and MCL_ERROR_MEMORY. what is printed where the call crashes
 * or hangs. */
typedef mcl_status (*fenced_call)(void *user, mcl_queue *queue, const mcl_options *options);
void fence_run(int device, fenced_call call, void *user, const mcl_options *options, const char *what);

#endif
