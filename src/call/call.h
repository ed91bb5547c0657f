/* call.h: the services that calls are made of: checks, scratch, arguments, launches and results. A primitive with a
 * declaration (run.h) uses few of them itself. */
#ifndef MODERNCL_CALL_H
#define MODERNCL_CALL_H

#include "context/context.h"

#include <string.h>

/* Elements that an operand may have, at most: more than fits any memory, and sums and bytes of it fit 64 bits. */
#define MCL__COUNT_MAX (INT64_C(1) << 48)

/* ---- operands.c: checks ------------------------------------------------------------------------------------- */

enum {
#define X(upper, lower, text, size, kind) MCL__BUILT_IN_##upper,
    MCL_TYPE_LIST(X)
#undef X
        MCL__BUILT_IN_TYPES
};
extern const mcl_type *const mcl__built_in_types[MCL__BUILT_IN_TYPES];

int mcl__is_identifier(const char *name); /* 0 for NULL too */
/* names.c. 1: a word of OpenCL C, CUDA C++ or the dialect, which callers may not name anything by. */
int mcl__is_reserved(const char *name);
int mcl__same_text(const char *a, const char *b); /* both may be NULL */
mcl_status mcl__check_type(const char *parameter, const mcl_context *context, const mcl_type *type);
mcl_status mcl__check_input(const char *parameter, const mcl_context *context, const mcl_input *input);
mcl_status mcl__check_output(const char *parameter, const mcl_context *context, const mcl_output *output);
/* Checks that an output that a call cannot leave out is not all zero. */
mcl_status mcl__check_wanted(const char *parameter, const mcl_output *output);
/* 0: the output is all zero. By that a caller says that it wants no such output. */
int mcl__is_wanted(const mcl_output *output);
/* 1: the call has left it out (run_check.c): it has a type, no buffer, and room for everything. */
int mcl__is_left_out(const mcl_output *output);
mcl_status mcl__check_result(const char *parameter, const mcl_context *context, const mcl_result *result);
/* 0: the result goes nowhere. A type alone is no place. */
static inline int mcl__is_asked(const mcl_result *result)
{
    return result->host || result->buffer;
}
static inline void mcl__adopt_slot(mcl_input *input, const mcl_input *from)
{
    input->count_slot = from->count_slot;
    input->count_slot_index = from->count_slot_index;
    input->count_slot_type = from->count_slot_type;
}
static inline void mcl__adopt_count(mcl_input *input, const mcl_input *from)
{
    input->count = from->count;
    mcl__adopt_slot(input, from);
}
/* Checks that an input has at least as many elements as another operand, which sentences call as_name. */
mcl_status mcl__check_as_many(const char *name, const mcl_input *input, const char *as_name, int64_t as);
mcl_status mcl__check_op_bindings(const char *parameter, const mcl_context *context, const mcl_op *op);
int mcl__same_type(const mcl_type *a, const mcl_type *b); /* by content */
int mcl__same_op(const mcl_op *a, const mcl_op *b);       /* by content; operators with bindings are never the same */
int mcl__is_integer(const mcl_type *type);
/* Returns the bytes of an element in work-group memory: half is float there. */
size_t mcl__staged_bytes(const mcl_type *type);

/* ---- calls -------------------------------------------------------------------------------------------------- */

static inline int64_t mcl__divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}
static inline int mcl__wants(const mcl_options *options, unsigned flag)
{
    return options && (options->flags & flag) != 0;
}
/* 1: floats have the same bits on every run, of a device or of all devices. */
static inline int mcl__wants_same_bits(const mcl_options *options)
{
    return mcl__wants(options, MCL_DETERMINISTIC | MCL_REPRODUCIBLE);
}
int mcl__validates(const mcl_options *options); /* MCL_VALIDATE by option or environment */

/* 32 or 64: 32 where every position up to bound, and a tile past it, fits. */
int mcl__index_bits(int64_t bound, const mcl_options *options);

/* Starts a call: reserves scratch and waits for the events of options->wait. Now the call must reach mcl__call_end;
 * only a failing driver may stop it. On a preparing queue this and what follows enqueue nothing. */
mcl_status mcl__call_begin(mcl_queue *queue, size_t scratch_bytes, const mcl_options *options);
/* Ends the call and makes the event of options->done. */
mcl_status mcl__call_end(mcl_queue *queue, const mcl_options *options);
/* Makes a whole call that enqueues nothing: only its events are wanted. */
mcl_status mcl__call_nothing(mcl_queue *queue, const mcl_options *options);

/* Returns the events that a call waits for, without the other options. */
mcl_options mcl__wait_options(const mcl_options *options);

/* The calls that one call is made of, its steps. options are those of a step: it is checked already, and neither waits
 * for events nor makes one. */
typedef mcl_status (*mcl__steps)(void *call, const mcl_options *options);
/* Runs the steps of a call, between its events. They use the same scratch, as much as the step that needs most. Where
 * the caller gives the scratch, they are measured before, as mcl_queue_create_preparing does; then release gives back
 * what they have made in call. */
mcl_status mcl__steps_run(mcl_queue *queue, const mcl_options *options, mcl__steps steps, void (*release)(void *call),
                          void *call);
/* Returns the options without the caller's tile, for a step that this tile is not meant for. */
mcl_options mcl__beside_options(const mcl_options *options);

/* Part of a buffer by its first byte: what a kernel's array argument is. */
typedef struct mcl__span {
    mcl_buffer *buffer;
    size_t offset; /* bytes */
} mcl__span;

/* Returns an output's span from its first element on. An output that is given later has no buffer yet. */
static inline mcl__span mcl__output_span(const mcl_output *output)
{
    if (!output->buffer) return (mcl__span){ NULL, 0 };
    return (mcl__span){ output->buffer, (size_t)output->offset * output->type->size };
}

/* Cuts the next bytes from the call's scratch. The sum over a call, each rounded up by mcl__scratch_round, is what
 * mcl__call_begin was given. */
mcl__span mcl__scratch_take(mcl_queue *queue, size_t bytes);
static inline size_t mcl__scratch_round(size_t bytes)
{
    return (bytes + MCL__SCRATCH_ALIGNMENT - 1) / MCL__SCRATCH_ALIGNMENT * MCL__SCRATCH_ALIGNMENT;
}

/* 1: the call may use the queue's slots (mcl__slots_reserve). A call whose caller gives the scratch allocates nothing,
 * so it uses only slots that exist already. A preparing queue uses none, since it reports the most scratch that a
 * call takes. */
int mcl__uses_slots(const mcl_queue *queue, const mcl_options *options);

/* ---- arguments of a launch, in the order of the kernel's parameters -------------------------------------------- */

/* Begins the arguments of the queue's next launch. */
static inline mcl__args *mcl__args_of(mcl_queue *queue, int index_bits)
{
    queue->args.count = queue->args.number_count = 0;
    queue->args.index_bits = index_bits;
    return &queue->args;
}
void mcl__args_start(mcl__args *args, const mcl__spec *spec);  /* PARAMS_env: the operators' bindings */
void mcl__args_input(mcl__args *args, const mcl_input *input); /* PARAMS_name */
/* PARAMS_name of an array at span, with the count of input. */
void mcl__args_array(mcl__args *args, mcl__span span, const mcl_input *input);
void mcl__args_output(mcl__args *args, const mcl_output *output);      /* PARAMS_name */
void mcl__args_span(mcl__args *args, mcl__span span);                  /* ARRAY_PARAM(type, name) */
void mcl__args_buffer(mcl__args *args, mcl_buffer *buffer);            /* __global T *name */
void mcl__args_index(mcl__args *args, int64_t value);                  /* index_type */
void mcl__args_int(mcl__args *args, int value);                        /* int */
void mcl__args_long(mcl__args *args, int64_t value);                   /* int64_t */
void mcl__args_value(mcl__args *args, const void *value, size_t size); /* must live until the launch */

/* The most groups that a launch may have: CUDA's bound, past which OpenCL drivers fail in ways of their own. Scratch
 * whose size follows from the number of groups cannot overflow below it. */
#define MCL__GROUPS_MAX ((int64_t)INT32_MAX)
/* Checks that count elements in tiles of size make no more groups than a launch may have. Comes before scratch is
 * measured. */
mcl_status mcl__check_tiles(int64_t count, int64_t size);
/* kernel: its index in the spec's list. threads: the tile's, unless the kernel says otherwise. */
mcl_status mcl__launch_groups(mcl_queue *queue, const mcl__kernels *kernels, int kernel, int64_t groups, int threads,
                              const mcl__args *args);
/* Work-items of a work-group that searches for the cuts between tiles: PARTITION_THREADS of the kernels. Searches
 * diverge, and small work-groups spread them over the device. */
enum { MCL__PARTITION_THREADS = 64 };

/* ---- validate.c: preconditions, looked for on the device; each waits -------------------------------------------- */

/* Called between a call's checks and its mcl__call_begin. Each is a call of its own, in the queue's own scratch, and
 * waits for the events of options->wait too. On a preparing queue only the program is built. */

mcl_status mcl__validate_sorted(mcl_queue *queue, const char *parameter, const mcl_input *input, const mcl_op *before,
                                const mcl_options *options);
/* Checks that each element, of an integer type, is above the one before. */
mcl_status mcl__validate_increasing(mcl_queue *queue, const char *parameter, const mcl_input *input,
                                    const mcl_options *options);
/* Checks that elements, of an integer type, are in [low, high]. */
mcl_status mcl__validate_range(mcl_queue *queue, const char *parameter, const mcl_input *input, int64_t low,
                               int64_t high, const mcl_options *options);
/* Checks that intervals which are not empty lie in the room elements of target. starts has as many elements as offsets.
 * The last interval ends with the work. */
mcl_status mcl__validate_intervals(mcl_queue *queue, const char *parameter, const mcl_input *starts,
                                   const mcl_input *offsets, const mcl_input *work, const char *target, int64_t room,
                                   const mcl_options *options);
/* Checks that elements, of 4 or 8 bytes, have neither the bits of empty nor those of erased. */
mcl_status mcl__validate_keys(mcl_queue *queue, const char *parameter, const mcl_input *input, const void *empty,
                              const void *erased, const mcl_options *options);

#endif
