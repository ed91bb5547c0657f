/* enqueue.h: what a call enqueues: its beginning and end, its scratch, its arguments and launches. An operation with a
 * declaration (call.h) uses few of these functions itself. */
#ifndef MODERNCL_ENQUEUE_H
#define MODERNCL_ENQUEUE_H

#include "call/check/check.h"

/* ---- calls -------------------------------------------------------------------------------------------------- */

static inline int64_t mcl__divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}
int mcl__validates(const mcl_options *options); /* returns 1 where the options or the environment ask for it */

/* Returns the bits of indices: 32 where every position up to bound, and a tile past it, fits in 32 bits; else 64.
 * Options may ask for 64. */
int mcl__index_bits(int64_t bound, const mcl_options *options);

/* Starts a call: reserves scratch and waits for the events of options->wait. Now the call must reach mcl__enqueue_end;
 * only a failing driver may stop it. On a preparing queue neither this nor the rest of the call enqueues anything. */
mcl_status mcl__enqueue_begin(mcl_queue *queue, size_t scratch_bytes, const mcl_options *options);
/* Ends the call and makes the event of options->done. */
mcl_status mcl__enqueue_end(mcl_queue *queue, const mcl_options *options);
/* Makes a whole call without work, for its events alone. */
mcl_status mcl__enqueue_nothing(mcl_queue *queue, const mcl_options *options);

/* Returns the events that a call waits for, without the other options. */
mcl_options mcl__wait_options(const mcl_options *options);

/* Makes the calls that one call consists of, its steps. options are the options of a step. A step is checked already,
 * and neither waits for events nor makes one. */
typedef mcl_status (*mcl__steps)(void *plan, const mcl_options *options);
/* Runs the steps of a call, between the call's events. Buffers that steps hold (mcl__scratch_hold) stay at the
 * beginning of the scratch until the steps end. The rest of the scratch serves one step after another. The steps are
 * measured first, as on a preparing queue, where the caller gives the scratch, or where the queue's scratch is too
 * small. They are measured too where the queue has not seen the call's types and texts, since the program of a later
 * step may be refused. After the steps, measured or made, release releases the buffers in plan. */
mcl_status mcl__steps_run(mcl_queue *queue, const mcl_options *options, mcl__steps steps, void (*release)(void *plan),
                          void *plan);
/* Returns the options without the caller's tile, for a step that this tile is not meant for. */
mcl_options mcl__beside_options(const mcl_options *options);

/* A part of a buffer, given by its first byte. Kernels take an array as such a part. */
typedef struct mcl__span {
    mcl_buffer *buffer;
    size_t offset; /* bytes */
} mcl__span;

/* Returns the span of a result's slot on the device. Where the buffer is a part of scratch, the span has the whole
 * buffer, which outlives the part. */
static inline mcl__span mcl__result_span(const mcl_result *result)
{
    const size_t offset = (size_t)result->offset * result->type->size;
    mcl_buffer *const whole = result->buffer->whole;
    return whole ? (mcl__span){ whole, result->buffer->begin + offset } : (mcl__span){ result->buffer, offset };
}
/* Returns an output's span from its first element on. An output that is given later has no buffer yet. */
static inline mcl__span mcl__output_span(const mcl_output *output)
{
    if (!output->buffer) return (mcl__span){ NULL, 0 };
    return (mcl__span){ output->buffer, (size_t)output->offset * output->type->size };
}

/* Cuts the next bytes from the call's scratch. All sizes of a call, each rounded up by mcl__scratch_round, have the sum
 * that mcl__enqueue_begin was given. */
mcl__span mcl__scratch_take(mcl_queue *queue, size_t bytes);
static inline size_t mcl__scratch_round(size_t bytes)
{
    return (bytes + MCL__SCRATCH_ALIGNMENT - 1) / MCL__SCRATCH_ALIGNMENT * MCL__SCRATCH_ALIGNMENT;
}

/* Returns 1 where the call may use the queue's slots (mcl__slots_reserve). A call whose caller gives the scratch
 * allocates nothing, so it uses only slots that exist already. A preparing queue uses none, since it reports the most
 * scratch that a call takes. */
int mcl__uses_slots(const mcl_queue *queue, const mcl_options *options);

/* ---- arguments of a launch, in the order of the kernel's parameters -------------------------------------------- */

/* Begins the arguments of the queue's next launch. */
static inline mcl__args *mcl__args_of(mcl_queue *queue, int index_bits)
{
    queue->args.count = queue->args.number_count = 0;
    queue->args.local_bytes = 0;
    queue->args.index_bits = index_bits;
    return &queue->args;
}
void mcl__args_start(mcl__args *args, const mcl__spec *spec);  /* PARAMS_env: the operators' bindings */
void mcl__args_input(mcl__args *args, const mcl_input *input); /* PARAMS_name */
/* Adds PARAMS_name of an array at span, with the count of input. */
void mcl__args_array(mcl__args *args, mcl__span span, const mcl_input *input);
void mcl__args_output(mcl__args *args, const mcl_output *output);      /* PARAMS_name */
void mcl__args_span(mcl__args *args, mcl__span span);                  /* ARRAY_PARAM(type, name) */
void mcl__args_buffer(mcl__args *args, mcl_buffer *buffer);            /* __global T *name */
void mcl__args_index(mcl__args *args, int64_t value);                  /* index_type */
void mcl__args_int(mcl__args *args, int value);                        /* int */
void mcl__args_long(mcl__args *args, int64_t value);                   /* int64_t */
void mcl__args_value(mcl__args *args, const void *value, size_t size); /* *value must live until the launch */

/* The most groups that a launch may have. It is CUDA's limit; above it OpenCL drivers fail in different ways. Below it
 * no size of scratch that follows from the number of groups can overflow. */
#define MCL__GROUPS_MAX ((int64_t)INT32_MAX)
/* Checks that count elements in tiles of size make no more groups than a launch may have. Call it before scratch is
 * measured. */
mcl_status mcl__check_tiles(int64_t count, int64_t size);
/* Launches groups work-groups of a kernel. kernel: its index in the spec's list. threads: work-items of a group, as
 * many as the tile has unless the kernel says otherwise. */
mcl_status mcl__launch_groups(mcl_queue *queue, const mcl__kernels *kernels, int kernel, int64_t groups, int threads,
                              const mcl__args *args);
/* Work-items of a work-group that searches for the cuts between tiles: PARTITION_THREADS of the kernels. Searches
 * diverge, and small work-groups spread them over the device. */
enum { MCL__PARTITION_THREADS = 64 };

#endif
