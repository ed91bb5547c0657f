/* check.h: the checks of a call's options, operators, types and operands. check_call.c makes them in order: the
 * options, then each operand alone, then that operands agree. After these checks every type, count, range and text can
 * be used. */
#ifndef MODERNCL_CHECK_H
#define MODERNCL_CHECK_H

#include "context/probe.h"

#include <string.h>

/* The largest count of an operand. No memory holds more, and sums of such counts, also in bytes, fit in 64 bits. */
#define MCL__COUNT_MAX (INT64_C(1) << 48)

/* The sets of types that a declaration can demand of an operand. */
typedef enum mcl__types {
    MCL__ANY_TYPE,
    MCL__INTEGERS,  /* every built-in integer */
    MCL__INDICES,   /* MCL_INT32, MCL_INT64 */
    MCL__FLAGS,     /* MCL_UINT32, MCL_INT32 */
    MCL__COUNTS,    /* MCL_INT32, MCL_UINT32, MCL_INT64 */
    MCL__BUILT_INS, /* every built-in type */
    MCL__BYTES,     /* MCL_UINT8, MCL_INT8 */
    MCL__OFFSETS,   /* MCL_INT32, MCL_UINT32, MCL_INT64 */
    MCL__REALS      /* MCL_FLOAT, MCL_DOUBLE */
} mcl__types;

/* Returns 1 for a role that kernels know. */
static inline int mcl__is_role(mcl_role role)
{
    return role >= MCL_ROLE_FOLD && role <= MCL_ROLE_INDEX;
}

/* Options that only some calls take. */
enum {
    MCL__TAKES_INITIAL = 1,
    MCL__TAKES_SORT_METHOD = 2,
    MCL__TAKES_SORT_BITS = 4,
    MCL__TAKES_PASSES = 8,
    MCL__TAKES_APPEND = 16,
    MCL__TAKES_UNIQUE_KEYS = 32,
    MCL__TAKES_UNORDERED = 64,
    MCL__TAKES_ANY_ORDER = 128 /* MCL_UNORDERED in a call that appends to no list */
};

/* ---- types.c ----------------------------------------------------------------------------------------------- */

enum {
#define X(upper, lower, text, size, kind) MCL__BUILT_IN_##upper,
    MCL_TYPE_LIST(X)
#undef X
        MCL__BUILT_IN_TYPES
};
extern const mcl_type *const mcl__built_in_types[MCL__BUILT_IN_TYPES];

int mcl__is_identifier(const char *name);                 /* returns 0 for NULL too */
int mcl__same_text(const char *a, const char *b);         /* both may be NULL */
int mcl__same_type(const mcl_type *a, const mcl_type *b); /* compares the content */
/* Returns 1 where a is b, or where both have the same content and no bindings. */
int mcl__same_op(const mcl_op *a, const mcl_op *b);
int mcl__is_integer(const mcl_type *type);
/* Returns 1 where type is one of types. Call it after type has been checked. */
int mcl__is_of(const mcl_type *type, mcl__types types);
/* Returns the bytes of an element in work-group memory, where a half is stored as a float. */
size_t mcl__staged_bytes(const mcl_type *type);
/* names.c. Returns 1 for a word of OpenCL C, CUDA C++ or the dialect. Callers may not use such a word as a name. */
int mcl__is_reserved(const char *name);

/* ---- options, operators, operands -------------------------------------------------------------------------------- */

static inline int mcl__wants(const mcl_options *options, unsigned flag)
{
    return options && (options->flags & flag) != 0;
}
/* Returns 1 where options ask that floats have the same bits on every run, on one device or on all devices. */
static inline int mcl__wants_same_bits(const mcl_options *options)
{
    return mcl__wants(options, MCL_DETERMINISTIC | MCL_REPRODUCIBLE);
}
/* check_options.c. Checks a call's options. takes has the MCL__TAKES_... bits of the options that the call takes. */
mcl_status mcl__check_options(const mcl_queue *queue, const mcl_options *options, unsigned takes);
/* check_operator.c. Checks an operator. element is the type of the elements that it sees; if NULL, that type is not
 * checked. */
mcl_status mcl__check_operator(const char *parameter, const mcl_context *context, mcl_role use, const mcl_op *op,
                               const mcl_type *element);

/* check_operand.c. Check one operand, whose name in error sentences is parameter. Its type must be one of types. */
mcl_status mcl__check_type(const char *parameter, const mcl_context *context, const mcl_type *type);
mcl_status mcl__check_input(const char *parameter, const mcl_context *context, const mcl_input *input,
                            mcl__types types);
mcl_status mcl__check_output(const char *parameter, const mcl_context *context, const mcl_output *output,
                             mcl__types types);
mcl_status mcl__check_result(const char *parameter, const mcl_queue *queue, const mcl_result *result, mcl__types types);
mcl_status mcl__check_op_bindings(const char *parameter, const mcl_context *context, const mcl_op *op);
/* Fails where an output is all zero, for outputs that a call cannot leave out. */
mcl_status mcl__check_wanted(const char *parameter, const mcl_output *output);
/* Returns 0 where the output is all zero: the caller does not want it. */
int mcl__is_wanted(const mcl_output *output);
/* Returns 1 where the caller has left the output out. leave_out in check_call.c has then given it a type, and a
 * capacity without limit, but no buffer. */
int mcl__is_left_out(const mcl_output *output);
/* Returns 0 where the result is stored neither to the host nor to a buffer. A type alone does not count. */
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

/* ---- what must agree --------------------------------------------------------------------------------------------- */

/* Checks that an input has at least as elements. as_name is the operand with as elements, for the error sentence. */
mcl_status mcl__check_as_many(const char *name, const mcl_input *input, const char *as_name, int64_t as);
/* index_range.c. Returns the highest number that an integer type holds. */
int64_t mcl__count_highest(const mcl_type *type);
/* Fails with MCL_ERROR_TYPE where a type is too small for the indices, offsets or counts of count elements. */
mcl_status mcl__check_holds_indices(const char *parameter, const mcl_type *type, int64_t count);

/* ---- validate.c: preconditions, looked for on the device; each waits -------------------------------------------- */

/* Call these functions between a call's checks and its mcl__enqueue_begin. Each function makes a call of its own with
 * the queue's scratch, and waits for the events of options->wait first. On a preparing queue it only builds the
 * program. */

mcl_status mcl__validate_sorted(mcl_queue *queue, const char *parameter, const mcl_input *input, const mcl_op *before,
                                const mcl_options *options);
/* Checks that each element is greater than the one before. Elements are integers. */
mcl_status mcl__validate_increasing(mcl_queue *queue, const char *parameter, const mcl_input *input,
                                    const mcl_options *options);
/* Checks that all elements are in [low, high]. Elements are integers. */
mcl_status mcl__validate_range(mcl_queue *queue, const char *parameter, const mcl_input *input, int64_t low,
                               int64_t high, const mcl_options *options);
/* Checks that intervals, except empty ones, lie in target, which has room elements. Interval k begins at starts[k] in
 * target, and its length is the distance from offsets[k] to the next offset, or to the end of work. */
mcl_status mcl__validate_intervals(mcl_queue *queue, const char *parameter, const mcl_input *starts,
                                   const mcl_input *offsets, const mcl_input *work, const char *target, int64_t room,
                                   const mcl_options *options);
/* Checks that no element has the bits of empty or of erased. Elements have 4 or 8 bytes. */
mcl_status mcl__validate_keys(mcl_queue *queue, const char *parameter, const mcl_input *input, const void *empty,
                              const void *erased, const mcl_options *options);

#endif
