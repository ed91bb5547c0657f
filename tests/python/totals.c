/* totals.c: the library's part of a Python program on PyOpenCL (test_pyopencl.py): one total for each key. The handles
 * belong to the Python program, which passes them as PyOpenCL's int_ptr. Functions return a status, and totals_error
 * returns the sentence. */
#include <moderncl/moderncl.h>
#include <moderncl/opencl.h>

#include <stdlib.h>

#if defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

typedef struct totals {
    mcl_context *context;
    mcl_queue *queue;
} totals;

EXPORT const char *totals_error(void)
{
    return mcl_last_error();
}

EXPORT void totals_close(totals *t)
{
    if (!t) return;
    mcl_queue_release(t->queue);
    mcl_context_release(t->context);
    free(t);
}

EXPORT int totals_open(cl_context context, cl_device_id device, cl_command_queue queue, totals **out)
{
    totals *t = calloc(1, sizeof *t);
    if (!t) return MCL_ERROR_MEMORY;
    mcl_status status = mcl_opencl_context_wrap(context, device, &t->context);
    if (status == MCL_OK) status = mcl_opencl_queue_wrap(t->context, queue, &t->queue);
    if (status != MCL_OK) {
        totals_close(t);
        t = NULL;
    }
    *out = t;
    return status;
}

/* Indices of one call's buffers, in the order of totals_by_key's parameters. */
enum { KEYS, VALUES, TOTAL_KEYS, TOTALS, COUNT, BUFFERS };

/* Sorts int32 keys with their int64 values in place, and stores each different key and the sum of its values. Their
 * number goes to count (one int64). The work starts when after has happened. The caller releases *done by
 * totals_event_release. Nothing here waits. */
EXPORT int totals_by_key(totals *t, const cl_mem memory[BUFFERS], int64_t n, cl_event after, mcl_event **done)
{
    mcl_buffer *buffer[BUFFERS] = { NULL };
    mcl_event *start = NULL, *sorted = NULL;
    mcl_status status = mcl_opencl_event_wrap(t->context, after, &start);
    for (int k = 0; k < BUFFERS && status == MCL_OK; ++k)
        status = mcl_opencl_buffer_wrap(t->context, memory[k], &buffer[k]);
    const mcl_input keys = mcl_from_buffer(MCL_INT32, buffer[KEYS], 0, n);
    const mcl_input values = mcl_from_buffer(MCL_INT64, buffer[VALUES], 0, n);
    if (status == MCL_OK) {
        const mcl_options options = { .wait = &start, .wait_count = 1, .done = &sorted };
        status = mcl_sort_pairs(t->queue, keys, values, mcl_to_buffer(MCL_INT32, buffer[KEYS], 0, n),
                                mcl_to_buffer(MCL_INT64, buffer[VALUES], 0, n), MCL_LESS, &options);
    }
    if (status == MCL_OK) {
        const mcl_options options = { .wait = &sorted, .wait_count = 1, .done = done };
        status = mcl_reduce_by_key(t->queue, keys, values, mcl_to_buffer(MCL_INT32, buffer[TOTAL_KEYS], 0, n),
                                   mcl_to_buffer(MCL_INT64, buffer[TOTALS], 0, n), MCL_ADD, MCL_EQUAL,
                                   mcl_to_slot(MCL_INT64, buffer[COUNT], 0), &options);
    }
    if (status == MCL_OK) status = mcl_queue_flush(t->queue);
    mcl_event_release(sorted);
    mcl_event_release(start);
    for (int k = 0; k < BUFFERS; ++k) mcl_buffer_release(buffer[k]);
    return status;
}

EXPORT cl_event totals_event(mcl_event *event)
{
    return mcl_opencl_event(event);
}

EXPORT void totals_event_release(mcl_event *event)
{
    mcl_event_release(event);
}
