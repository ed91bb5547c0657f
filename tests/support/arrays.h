/* arrays.h: short ways for tests that use a handful of numbers. Each checks its own status. */
#ifndef TEST_ARRAYS_H
#define TEST_ARRAYS_H

#include "devices.h"

/* A buffer of the device's context with these bytes. */
mcl_buffer *array_of(int device, const void *data, size_t bytes);
/* The same without content. */
mcl_buffer *array_empty(int device, size_t bytes);
mcl_buffer *array_of_copies(int device, int32_t number, int count); /* at most 8000 */
void array_read(int device, mcl_buffer *buffer, void *data, size_t bytes);

/* Data is an array: its bytes travel. */
#define ARRAY_OF(device, data) array_of((device), (data), sizeof(data))
#define ARRAY_READ(device, buffer, data) array_read((device), (buffer), (data), sizeof(data))

/* count elements of an int32 array from its start. */
mcl_input ints(mcl_buffer *buffer, int64_t count);
mcl_output ints_out(mcl_buffer *buffer, int64_t count);
mcl_input ints_counting(int64_t count); /* 0, 1, 2 ... */

/* count random numbers in [0, span), sorted where asked. */
void random_ints(int32_t *out, int64_t count, int32_t span, uint64_t seed, int sorted);
/* For qsort: int32 that ascend. */
int compare_ints(const void *p, const void *q);

#endif
