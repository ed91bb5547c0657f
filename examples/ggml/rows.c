/* rows.c: the calls of moderncl. It knows OpenCL's handles, and nothing of ggml. */
#include "rows.h"

#include <moderncl/moderncl.h>
#include <moderncl/opencl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A queue of ggml's, wrapped. */
typedef struct known_queue {
    cl_command_queue own;
    mcl_context *context;
    mcl_queue *queue;
    struct known_queue *next;
} known_queue;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static known_queue *known_queues;
static int64_t served;

static const char *setting(void)
{
    const char *const text = getenv("MODERNCL_GGML");
    return text ? text : "";
}

int rows_are_served(void)
{
    return strcmp(setting(), "off") != 0;
}

static void tell_served(void)
{
    if (strcmp(setting(), "count") == 0) fprintf(stderr, "moderncl: %lld operations served\n", (long long)served);
}

static mcl_status know(const rows_work *work, known_queue **out)
{
    known_queue *known = known_queues;
    while (known && known->own != work->queue) known = known->next;
    if (!known) {
        known = calloc(1, sizeof *known);
        if (!known) return MCL_ERROR_MEMORY;
        mcl_status status = mcl_opencl_context_wrap(work->context, work->device, &known->context);
        if (status == MCL_OK) status = mcl_opencl_queue_wrap(known->context, work->queue, &known->queue);
        if (status != MCL_OK) {
            mcl_context_release(known->context);
            free(known);
            return status;
        }
        if (!known_queues) (void)atexit(tell_served);
        clRetainCommandQueue(work->queue);
        known->own = work->queue;
        known->next = known_queues;
        known_queues = known;
    }
    *out = known;
    return MCL_OK;
}

/* A shorter row is sorted by one launch, which is sooner done on processors. */
enum { LONG_ROW = 1 << 15 };

/* ggml's tensors share few buffers, so in and out are often one: overlap is then found by their ranges. */
typedef struct operands {
    mcl_queue *queue;
    mcl_buffer *in, *out;
    mcl_input keys;
    int is_sequence; /* one long row: calls on sequences share it out to all of the device */
    mcl_segments rows;
    int64_t in_offset, out_offset; /* elements */
} operands;

static mcl_status take(const rows_work *work, operands *taken)
{
    known_queue *known = NULL;
    mcl_status status = know(work, &known);
    if (status == MCL_OK) status = mcl_opencl_buffer_wrap(known->context, work->in.memory, &taken->in);
    if (status == MCL_OK && work->out.memory != work->in.memory)
        status = mcl_opencl_buffer_wrap(known->context, work->out.memory, &taken->out);
    if (status != MCL_OK) return status;
    taken->queue = known->queue;
    taken->in_offset = (int64_t)(work->in.offset / sizeof(float));
    taken->out_offset = (int64_t)(work->out.offset / sizeof(float));
    taken->keys = mcl_from_buffer(MCL_FLOAT, taken->in, taken->in_offset, work->rows * work->length);
    taken->is_sequence = work->rows == 1 && work->length >= LONG_ROW;
    taken->rows = mcl_segments_from_rows(work->rows, work->length);
    return MCL_OK;
}

typedef mcl_status (*rows_call)(const operands *taken, mcl_buffer *out, int64_t count, int64_t number);

/* number: what the call needs besides. count: elements of the output. */
static const char *serve(const rows_work *work, rows_call call, int64_t count, int64_t number)
{
    operands taken = { 0 };
    pthread_mutex_lock(&turn);
    mcl_status status = take(work, &taken);
    if (status == MCL_OK) status = call(&taken, taken.out ? taken.out : taken.in, count, number);
    served += status == MCL_OK;
    mcl_buffer_release(taken.out);
    mcl_buffer_release(taken.in);
    pthread_mutex_unlock(&turn);
    return status == MCL_OK ? NULL : mcl_last_error();
}

static mcl_status argsort(const operands *taken, mcl_buffer *out, int64_t count, int64_t descending)
{
    const mcl_op *const order = descending ? MCL_GREATER : MCL_LESS;
    const mcl_output indices = mcl_to_buffer(MCL_INT32, out, taken->out_offset, count);
    if (taken->is_sequence) return mcl_sort_indices(taken->queue, taken->keys, indices, order, NULL);
    return mcl_segmented_sort_indices(taken->queue, taken->keys, taken->rows, (mcl_output){ 0 }, indices,
                                      MCL_INDEX_IN_SEGMENT, order, MCL_UNSTABLE, NULL, NULL);
}

const char *rows_argsort(const rows_work *work, int descending)
{
    return serve(work, argsort, work->rows * work->length, descending);
}

static mcl_status top_k(const operands *taken, mcl_buffer *out, int64_t count, int64_t k)
{
    const mcl_output indices = mcl_to_buffer(MCL_INT32, out, taken->out_offset, count);
    if (taken->is_sequence)
        return mcl_top_k_indices(taken->queue, taken->keys, mcl_amount_of(k), indices, MCL_GREATER, mcl_to_nowhere(),
                                 NULL);
    return mcl_segmented_top_k_indices(taken->queue, taken->keys, taken->rows, mcl_amount_of(k), indices,
                                       (mcl_output){ 0 }, MCL_GREATER, NULL);
}

const char *rows_top_k(const rows_work *work, int64_t k)
{
    return serve(work, top_k, work->rows * k, k);
}

static mcl_status cumulative_sum(const operands *taken, mcl_buffer *out, int64_t count, int64_t unused)
{
    (void)unused;
    return mcl_segmented_scan(taken->queue, taken->keys, taken->rows,
                              mcl_to_buffer(MCL_FLOAT, out, taken->out_offset, count), MCL_ADD, MCL_INCLUSIVE, NULL);
}

const char *rows_cumulative_sum(const rows_work *work)
{
    return serve(work, cumulative_sum, work->rows * work->length, 0);
}
