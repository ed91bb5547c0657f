/* arrays.c: small device arrays for tests. */
#include "arrays.h"

#include "cases/elements.h"

#include <stdlib.h>

mcl_buffer *array_of(int device, const void *data, size_t bytes)
{
    mcl_buffer *buffer = NULL;

    test_ok(mcl_buffer_create(test_device_at(device)->context, bytes, data, &buffer));
    return buffer;
}

mcl_buffer *array_empty(int device, size_t bytes)
{
    return array_of(device, NULL, bytes);
}

mcl_buffer *array_of_copies(int device, int32_t number, int count)
{
    static int32_t data[8000];

    for (int k = 0; k < count; k++) data[k] = number;
    return array_of(device, data, sizeof *data * (size_t)count);
}

void array_read(int device, mcl_buffer *buffer, void *data, size_t bytes)
{
    test_ok(mcl_buffer_read(test_device_at(device)->queue, buffer, 0, bytes, data));
}

mcl_input ints(mcl_buffer *buffer, int64_t count)
{
    return mcl_from_buffer(MCL_INT32, buffer, 0, count);
}

mcl_output ints_out(mcl_buffer *buffer, int64_t count)
{
    return mcl_to_buffer(MCL_INT32, buffer, 0, count);
}

mcl_input ints_counting(int64_t count)
{
    static const int32_t zero = 0;

    return mcl_from_counting(MCL_INT32, &zero, count);
}

int compare_ints(const void *p, const void *q)
{
    const int32_t a = *(const int32_t *)p;
    const int32_t b = *(const int32_t *)q;

    return (a > b) - (a < b);
}

void random_ints(int32_t *out, int64_t count, int32_t span, uint64_t seed, int sorted)
{
    for (int64_t k = 0; k < count; k++) out[k] = (int32_t)(test_random(seed, (uint64_t)k) % (uint64_t)span);
    if (sorted) qsort(out, (size_t)count, sizeof *out, compare_ints);
}
