/* arrays.h: short functions for tests that use a handful of numbers. Each checks its own status. */
#ifndef TEST_ARRAYS_H
#define TEST_ARRAYS_H

#include "devices.h"

/* Makes a buffer on the device's context with a copy of these bytes. */
mcl_buffer *array_of(int device, const void *data, size_t bytes);
/* Makes a buffer without content. */
mcl_buffer *array_empty(int device, size_t bytes);
/* makes a buffer of count copies of a number, at most 8000 */
mcl_buffer *array_of_copies(int device, int32_t number, int count);
void array_read(int device, mcl_buffer *buffer, void *data, size_t bytes);

/* Take a C array, whose bytes are copied. */
#define ARRAY_OF(device, data) array_of((device), (data), sizeof(data))
#define ARRAY_READ(device, buffer, data) array_read((device), (buffer), (data), sizeof(data))

/* Return the first count elements of a buffer as an operand of int32. */
mcl_input ints(mcl_buffer *buffer, int64_t count);
mcl_output ints_out(mcl_buffer *buffer, int64_t count);
mcl_input ints_counting(int64_t count); /* returns the input 0, 1, 2 ... */

/* Makes count random numbers in [0, span), sorted if sorted is 1. */
void random_ints(int32_t *out, int64_t count, int32_t span, uint64_t seed, int sorted);
/* Compares two int32 for qsort, in ascending order. */
int compare_ints(const void *p, const void *q);

#endif
