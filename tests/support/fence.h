/* fence.h: memory that a kernel cannot leave unseen, for tests of hostile operands.
 *
 * A fenced array ends where its buffer ends. On POCL, whose kernels run in this process, a page that nobody may touch
 * follows it and another precedes it: a load or a store there ends the test. What is between the first page and the
 * array is a pattern, which fence_check compares, as it does on devices without such pages. */
#ifndef TEST_FENCE_H
#define TEST_FENCE_H

#include "devices.h"

typedef struct fence {
    mcl_buffer *buffer;
    unsigned char *made; /* the whole buffer as it was made */
    size_t lead;         /* bytes of it before the array */
    size_t bytes;        /* of the array */
    void *map;           /* the pages, or NULL */
    size_t map_bytes;
    void *memory; /* the driver's name for the pages */
} fence;

/* data NULL: the array is filled with a pattern. */
void fence_create(int device, size_t bytes, const void *data, fence *out);
void fence_free(fence *array);

/* The array as an operand of int32 or int64 elements. */
mcl_input fence_input(const fence *array, const mcl_type *type, int64_t count);
mcl_output fence_output(const fence *array, const mcl_type *type, int64_t capacity);

/* Nothing was written before the array; with may_change 0, nor in it. */
void fence_check(int device, const fence *array, int may_change, const char *what);
/* The array's bytes. */
void fence_read(int device, const fence *array, void *data);

/* Makes a call that must end within a minute, with scratch of exactly what it needs before a fence. Any status will do
 * but MCL_ERROR_DEVICE, MCL_ERROR_BUILD and MCL_ERROR_MEMORY. what: printed where it crashes or hangs. */
typedef mcl_status (*fenced_call)(void *user, mcl_queue *queue, const mcl_options *options);
void fence_run(int device, fenced_call call, void *user, const mcl_options *options, const char *what);

#endif
