/* enqueue.h: begins and ends calls, cuts their scratch, collects arguments and launches kernels. Operations with a
 * declaration mostly use call.h instead. */
#ifndef MODERNCL_ENQUEUE_H
#define MODERNCL_ENQUEUE_H

#include "call/check/check.h"

/* ---- calls -------------------------------------------------------------------------------------------------- */

static inline int64_t mcl__divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}
/* Returns 1 where the options or the environment ask for MCL_VALIDATE. */
int mcl__validates(const mcl_options *options);

/* Returns the bits of indices: 32 where every position up to bound, and one tile past it, fits in 32 bits; else 64.
 * Options may ask for 64. */
int mcl__index_bits(int64_t bound, const mcl_options *options);

/* Starts a call: reserves scratch and waits for the events of options->wait. After it the call must reach
 * mcl__enqueue_end, unless the driver fails. On a preparing queue nothing of the call is enqueued. */
mcl_status mcl__enqueue_begin(mcl_queue *queue, size_t scratch_bytes, const mcl_options *options);
/* Ends the call and makes the event of options->done. */
mcl_status mcl__enqueue_end(mcl_queue *queue, const mcl_options *options);
/* Makes a call that has no work, but waits for its events and makes its event. */
mcl_status mcl__enqueue_nothing(mcl_queue *queue, const mcl_options *options);

/* Returns options that have only the events to wait for. */
mcl_options mcl__wait_options(const mcl_options *options);

/* Makes the calls that one call consists of: its steps. options are for the steps. A step has been checked already, and
 * neither waits for events nor makes one. */
typedef mcl_status (*mcl__steps)(void *plan, const mcl_options *options);
/* Runs the steps of a call, between the call's events. Buffers that steps hold (mcl__scratch_hold) stay at the
 * beginning of the scratch until the steps end. The rest of the scratch serves one step after another.
 *
 * The steps are measured first, as on a preparing queue, in three cases. The caller gives the scratch. The queue's
 * scratch is too small. Or the queue has not seen the call's types and texts, so that the program of a later step may
 * be refused. After each measuring or making of the steps, release releases the buffers in plan. */
mcl_status mcl__steps_run(mcl_queue *queue, const mcl_options *options, mcl__steps steps, void (*release)(void *plan),
                          void *plan);
/* Returns the options without the caller's tile, for a step that the tile is not meant for. */
mcl_options mcl__beside_options(const mcl_options *options);

/* A part of a buffer, given by its first byte. A kernel gets an array in this form. */
typedef struct mcl__span {
    mcl_buffer *buffer;
    size_t offset; /* bytes */
} mcl__span;

/* Returns the span of a result's slot on the device. If the buffer is a part of scratch, the span names the whole
 * scratch buffer, which lives longer than the part. */
static inline mcl__span mcl__result_span(const mcl_result *result)
{
    const size_t offset = (size_t)result->offset * result->type->size;
    mcl_buffer *const whole = result->buffer->whole;
    return whole ? (mcl__span){ whole, result->buffer->begin + offset } : (mcl__span){ result->buffer, offset };
}
/* Returns the span of an output, from its first element on. It is empty for an output that gets its buffer later. */
static inline mcl__span mcl__output_span(const mcl_output *output)
{
    if (!output->buffer) return (mcl__span){ NULL, 0 };
    return (mcl__span){ output->buffer, (size_t)output->offset * output->type->size };
}

/* Cuts the next bytes from the call's scratch. mcl__enqueue_begin was given the sum of all sizes, each rounded up by
 * mcl__scratch_round. */
mcl__span mcl__scratch_take(mcl_queue *queue, size_t bytes);
static inline size_t mcl__scratch_round(size_t bytes)
{
    return (bytes + MCL__SCRATCH_ALIGNMENT - 1) / MCL__SCRATCH_ALIGNMENT * MCL__SCRATCH_ALIGNMENT;
}

/* Returns 1 where the call may use the queue's slots (mcl__slots_reserve). A call with the caller's scratch allocates
 * nothing, so it uses slots only where they exist already. A preparing queue uses none: it must report the most scratch
 * that a call can take. */
int mcl__uses_slots(const mcl_queue *queue, const mcl_options *options);

/* ---- arguments of a launch, in the order of the kernel's parameters -------------------------------------------- */

/* Begins the list of arguments for the queue's next launch. */
static inline mcl__args *mcl__args_of(mcl_queue *queue, int index_bits)
{
    queue->args.count = queue->args.number_count = 0;
    queue->args.local_bytes = 0;
    queue->args.index_bits = index_bits;
    return &queue->args;
}
void mcl__args_start(mcl__args *args, const mcl__spec *spec);  /* adds PARAMS_env: the operators' bindings */
void mcl__args_input(mcl__args *args, const mcl_input *input); /* adds PARAMS_name */
/* Adds PARAMS_name for the array at span, with the count of input. */
void mcl__args_array(mcl__args *args, mcl__span span, const mcl_input *input);
void mcl__args_output(mcl__args *args, const mcl_output *output); /* adds PARAMS_name */
void mcl__args_span(mcl__args *args, mcl__span span);             /* adds ARRAY_PARAM(type, name) */
void mcl__args_buffer(mcl__args *args, mcl_buffer *buffer);       /* adds __global T *name */
void mcl__args_index(mcl__args *args, int64_t value);             /* adds an index_type */
void mcl__args_int(mcl__args *args, int value);                   /* adds an int */
void mcl__args_long(mcl__args *args, int64_t value);              /* adds an int64_t */
/* Adds a value; *value must live until the launch. */
void mcl__args_value(mcl__args *args, const void *value, size_t size);

/* The largest number of groups in a launch. It is CUDA's limit, and above it OpenCL drivers fail in different ways.
 * With this limit no size of scratch that depends on the number of groups can overflow. */
#define MCL__GROUPS_MAX ((int64_t)INT32_MAX)
/* Checks that count elements in tiles of size need no more groups than MCL__GROUPS_MAX. Call it before scratch is
 * measured. */
mcl_status mcl__check_tiles(int64_t count, int64_t size);
/* Launches groups work-groups of a kernel. kernel: its index in the spec's list. threads: work-items per group, usually
 * those of the tile. */
mcl_status mcl__launch_groups(mcl_queue *queue, const mcl__kernels *kernels, int kernel, int64_t groups, int threads,
                              const mcl__args *args);
/* Work-items of a work-group that searches for the cuts between tiles: PARTITION_THREADS in the kernels. Searches
 * diverge, so small work-groups spread them over the device. */
enum { MCL__PARTITION_THREADS = 64 };

#endif
