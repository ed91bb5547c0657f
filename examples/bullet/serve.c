/* serve.c: the calls of moderncl. It knows Bullet's command queues and buffers, and nothing else of Bullet. */
#include "serve.h"
#include <moderncl/moderncl.h>
#include <moderncl/opencl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* A command queue of Bullet's that has been seen. It is retained, so that no other queue gets its address. */
typedef struct known_queue {
    cl_command_queue own;
    mcl_context *context;
    mcl_queue *queue;
    struct known_queue *next;
} known_queue;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static known_queue *known_queues;
static int64_t calls[SERVED_COUNT];

int64_t moderncl_bullet_calls(served which)
{
    pthread_mutex_lock(&turn);
    const int64_t count = calls[which];
    pthread_mutex_unlock(&turn);
    return count;
}

static void give_up(const char *sentence)
{
    fprintf(stderr, "moderncl_bullet: %s\n", sentence);
    abort();
}

static void must(mcl_status status)
{
    if (status != MCL_OK) give_up(mcl_last_error());
}

/* The context of a queue that is known already on the same OpenCL context and device, or a new one. */
static mcl_context *wrap_context(cl_context context, cl_device_id device)
{
    mcl_context *wrapped = NULL;
    for (const known_queue *known = known_queues; known; known = known->next)
        if (mcl_opencl_context(known->context) == context && mcl_opencl_device(known->context) == device)
            return known->context;
    must(mcl_opencl_context_wrap(context, device, &wrapped));
    return wrapped;
}

static known_queue *know(cl_command_queue own)
{
    for (known_queue *known = known_queues; known; known = known->next)
        if (known->own == own) return known;

    cl_context context = NULL;
    cl_device_id device = NULL;
    known_queue *known = calloc(1, sizeof *known);
    if (!known) give_up("out of memory");
    if (clGetCommandQueueInfo(own, CL_QUEUE_CONTEXT, sizeof context, &context, NULL) != CL_SUCCESS ||
        clGetCommandQueueInfo(own, CL_QUEUE_DEVICE, sizeof device, &device, NULL) != CL_SUCCESS ||
        clRetainCommandQueue(own) != CL_SUCCESS)
        give_up("this is no command queue");
    known->own = own;
    known->context = wrap_context(context, device);
    must(mcl_opencl_queue_wrap(known->context, own, &known->queue));
    known->next = known_queues;
    known_queues = known;
    return known;
}

/* Between begin and end one call has the queue for itself. */
static known_queue *begin(served which, cl_command_queue own)
{
    pthread_mutex_lock(&turn);
    ++calls[which];
    return know(own);
}

static void end(void)
{
    pthread_mutex_unlock(&turn);
}

/* Buffers are wrapped for one call: Bullet makes new ones while it grows, perhaps at the old addresses. */
static mcl_buffer *wrap(const known_queue *known, cl_mem memory)
{
    mcl_buffer *buffer = NULL;
    must(mcl_opencl_buffer_wrap(known->context, memory, &buffer));
    return buffer;
}

static void sort(cl_command_queue own, cl_mem memory, const mcl_type *type, size_t count, int bits)
{
    enum { DIGIT = 4, KEY_BITS = 32 };
    const int whole_digits = (bits + DIGIT - 1) / DIGIT * DIGIT;
    if (count == 0 || bits <= 0) return;

    const mcl_options options = { .size = sizeof options,
                                  .sort_method = MCL_SORT_RADIX,
                                  .end_bit = whole_digits < KEY_BITS ? whole_digits : KEY_BITS };
    const known_queue *known = begin(SERVED_SORT, own);
    mcl_buffer *buffer = wrap(known, memory);
    must(mcl_sort(known->queue, mcl_from_buffer(type, buffer, 0, (int64_t)count),
                  mcl_to_buffer(type, buffer, 0, (int64_t)count), MCL_LESS, &options));
    mcl_buffer_release(buffer);
    end();
}

void serve_sort_keys(cl_command_queue queue, cl_mem keys, size_t count, int bits)
{
    sort(queue, keys, MCL_UINT32, count, bits);
}

/* A pair is a number of 64 bits on a little-endian device, whose low half is the key. */
void serve_sort_pairs(cl_command_queue queue, cl_mem pairs, size_t count, int bits)
{
    sort(queue, pairs, MCL_UINT64, count, bits);
}

static void scan(served which, cl_command_queue own, cl_mem in, cl_mem out, const mcl_type *type, const mcl_op *add,
                 int count, void *sum)
{
    if (count <= 0) return;
    const known_queue *known = begin(which, own);
    mcl_buffer *from = wrap(known, in);
    mcl_buffer *to = wrap(known, out);
    must(mcl_scan(known->queue, mcl_from_buffer(type, from, 0, count), mcl_to_buffer(type, to, 0, count), add,
                  MCL_EXCLUSIVE, mcl_to_nowhere(), NULL));
    if (sum) must(mcl_buffer_read(known->queue, to, ((size_t)count - 1) * type->size, type->size, sum));
    mcl_buffer_release(from);
    mcl_buffer_release(to);
    end();
}

void serve_scan(cl_command_queue queue, cl_mem in, cl_mem out, int count, unsigned *sum)
{
    scan(SERVED_SCAN, queue, in, out, MCL_UINT32, MCL_ADD, count, sum);
}

void serve_scan_float4(cl_command_queue queue, cl_mem in, cl_mem out, int count, float sum[4])
{
    static const mcl_op add = { .role = MCL_ROLE_FOLD,
                                .expression = "mcl_float4_add(p, q)",
                                .identity = "mcl_float4_of(0, 0, 0, 0)" };
    scan(SERVED_SCAN_FLOAT4, queue, in, out, MCL_FLOAT4, &add, count, sum);
}

void serve_bounds(cl_command_queue queue, cl_mem pairs, int count, cl_mem out, int out_count, int lower)
{
    if (count <= 0) return;
    const known_queue *known = begin(SERVED_SEARCH, queue);
    mcl_buffer *from = wrap(known, pairs);
    mcl_buffer *to = wrap(known, out);
    const mcl_binding bindings[] = { mcl_binding_buffer("pair", MCL_UINT2, from, 0),
                                     mcl_binding_value("last", MCL_INT32, &(int32_t){ count - 1 }) };
    const char *const edge = lower ? "i == 0 || pair[i].x != pair[i - 1].x" : "i == last || pair[i].x != pair[i + 1].x";
    const uint32_t first = lower ? 0 : 1;
    must(mcl_scatter_flagged(known->queue, mcl_from_counting(MCL_UINT32, &first, count),
                             mcl_from_expression(MCL_UINT32, "pair[i].x", NULL, bindings, 1, count),
                             mcl_from_expression(MCL_INT32, edge, NULL, bindings, lower ? 1 : 2, count),
                             mcl_to_buffer(MCL_UINT32, to, 0, out_count), NULL));
    mcl_buffer_release(from);
    mcl_buffer_release(to);
    end();
}

void serve_counts(cl_command_queue queue, cl_mem pairs, int count, cl_mem out, int out_count)
{
    static const mcl_op key = { .role = MCL_ROLE_INDEX, .expression = "x.x" };
    if (out_count <= 0) return;
    const known_queue *known = begin(SERVED_SEARCH, queue);
    mcl_buffer *from = wrap(known, pairs);
    mcl_buffer *to = wrap(known, out);
    must(mcl_histogram(known->queue, mcl_from_buffer(MCL_UINT2, from, 0, count), &key, NULL,
                       mcl_to_buffer(MCL_UINT32, to, 0, out_count), NULL));
    mcl_buffer_release(from);
    mcl_buffer_release(to);
    end();
}

void serve_fill(cl_command_queue queue, cl_mem memory, const void *value, size_t value_bytes, int count, int offset)
{
    const mcl_type *type = value_bytes == 8 ? MCL_UINT64 : MCL_UINT32;
    if (count <= 0) return;
    const known_queue *known = begin(SERVED_FILL, queue);
    mcl_buffer *buffer = wrap(known, memory);
    must(mcl_transform(known->queue, mcl_from_constant(type, value, count), mcl_to_buffer(type, buffer, offset, count),
                       NULL));
    mcl_buffer_release(buffer);
    end();
}
