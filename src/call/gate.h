/* gate.h: the one gate of checks. A call lists its operands before it uses any of them. The gate checks the queue, the
 * options and each operand by itself; after it every type, count, range and text can be used. What operands have to do
 * with each other (counts that must fit, overlap) the call checks next. */
#ifndef MODERNCL_GATE_H
#define MODERNCL_GATE_H

#include "call/call.h"

/* Types that an operand may have. */
typedef enum mcl__types {
    MCL__ANY_TYPE,
    MCL__INTEGERS,  /* every built-in integer */
    MCL__INDICES,   /* MCL_INT32, MCL_INT64 */
    MCL__FLAGS,     /* MCL_UINT32, MCL_INT32 */
    MCL__COUNTS,    /* MCL_INT64 */
    MCL__BUILT_INS, /* every built-in type */
    MCL__BYTES      /* MCL_UINT8, MCL_INT8 */
} mcl__types;

/* What an operator is used as. */
typedef enum mcl__use {
    MCL__NO_OPERATOR,
    MCL__ORDER,    /* p sorts before q */
    MCL__EQUALITY, /* p equals q */
    MCL__TEST,     /* x passes */
    MCL__FOLD,     /* an associative operator */
    MCL__FUNCTION  /* any function of p and q */
} mcl__use;

/* An operand of a call: the one pointer that is set says what it is. A list ends with one without a name. */
typedef struct mcl__given {
    const char *name; /* as the caller knows it */
    const mcl_input *input;
    const mcl_output *output;
    const mcl_result *result;
    const mcl_op *op;
    mcl__use use;        /* of op, which may then be NULL by mistake */
    const mcl_input *of; /* operators: an input earlier in the list, whose elements they see; NULL: not looked at */
    mcl__types types;
    int optional; /* an output that is all zero and an operator that is NULL are left out */
} mcl__given;

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

/* takes: the options of the call, MCL__TAKES_... */
mcl_status mcl__gate(const char *function, const mcl_queue *queue, const mcl_options *options, unsigned takes,
                     const mcl__given *operands);

/* Parts of it, for runs (run.h) and calls whose operands are no list (mcl_kernel_launch). */
mcl_status mcl__check_options(const mcl_queue *queue, const mcl_options *options, unsigned takes);
mcl_status mcl__check_operand(const mcl_context *context, const mcl__given *operand);
/* element: what the operator sees; NULL: not looked at. */
mcl_status mcl__check_operator(const char *parameter, const mcl_context *context, mcl__use use, const mcl_op *op,
                               const mcl_type *element);

#endif
