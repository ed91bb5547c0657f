/* gate.h: the checks of a call's options, operators and types. run_check.c makes them of a run, with those of operands
 * (call.h): after them every type, count, range and text can be used. */
#ifndef MODERNCL_GATE_H
#define MODERNCL_GATE_H

#include "call/call.h"

/* Types that an operand may have. */
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

/* 1: a role that kernels know. */
static inline int mcl__is_role(mcl_role role)
{
    return role >= MCL_ROLE_FOLD && role <= MCL_ROLE_INDEX;
}

/* Options that not every call takes. */
enum {
    MCL__TAKES_INITIAL = 1,
    MCL__TAKES_SORT_METHOD = 2,
    MCL__TAKES_SORT_BITS = 4,
    MCL__TAKES_PASSES = 8,
    MCL__TAKES_APPEND = 16,
    MCL__TAKES_UNIQUE_KEYS = 32,
    MCL__TAKES_UNORDERED = 64
};

/* operands.c. A checked type is one of types. */
int mcl__is_of(const mcl_type *type, mcl__types types);

mcl_status mcl__check_is_of(const char *parameter, const mcl_type *type, mcl__types types);

/* index_range.c. The highest whole number that an integer holds, or a struct's member index. */
int64_t mcl__count_highest(const mcl_type *type);
int64_t mcl__index_highest(const mcl_type *type);
/* MCL_ERROR_TYPE: a type that holds indices, offsets or counts cannot hold those of count elements. */
mcl_status mcl__check_holds_indices(const char *parameter, const mcl_type *type, int64_t count);

/* takes: the options of the call, MCL__TAKES_... */
mcl_status mcl__check_options(const mcl_queue *queue, const mcl_options *options, unsigned takes);
/* element: what the operator sees; NULL: not looked at. */
mcl_status mcl__check_operator(const char *parameter, const mcl_context *context, mcl_role use, const mcl_op *op,
                               const mcl_type *element);

#endif
