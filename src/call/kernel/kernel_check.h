/* kernel_check.h: a user's kernel as a call. kernel_check.c makes its declaration, and kernel.c launches its passes. */
#ifndef MODERNCL_KERNEL_PLAN_H
#define MODERNCL_KERNEL_PLAN_H

#include "call/call.h"

/* One word of the text that lists a pass's arguments. */
typedef struct mcl__word {
    const char *text;
    int length;
    const char *name; /* a pointer into text, after the label */
    /* The kind of argument that the word takes, or MCL_ARGUMENT_NONE if the word is unknown. A pointer takes BUFFER. An
     * array takes SCRATCH or BUFFER. A type takes VALUE, INT32 or INT64. */
    mcl_argument_kind kind;
    int operand;          /* number of an input or output in the declaration, else 0 */
    const mcl_type *type; /* type of a by-value argument */
} mcl__word;

typedef struct mcl__words {
    int count;
    mcl__word list[MCL_ARGUMENTS_MAX];
} mcl__words;

typedef struct mcl__kernel_plan {
    const mcl_kernel *kernel;
    mcl__declaration declaration;
    mcl__operand operands[MCL__DECLARED_MAX]; /* operands of the declaration */
    mcl__pass passes[MCL__KERNELS_MAX];       /* passes of the declaration */
    mcl__call call;    /* a call with the declared forms as operands, which each launch replaces by its own */
    int operand_count; /* number of inputs and outputs, which come before operators */
    int input_count;
    mcl_input inputs[MCL_OPERANDS_MAX]; /* the declared forms of inputs */
    mcl_output outputs[MCL_OPERANDS_MAX];
    mcl__words words[MCL_PASSES_MAX];
} mcl__kernel_plan;

/* Makes the declaration of a kernel, and begins a call of it on a checked queue. It finds every error of the kernel
 * that can be found without a build. */
mcl_status mcl__kernel_declare(mcl__kernel_plan *plan, const char *function, mcl_queue *queue, const mcl_kernel *kernel,
                               const mcl_options *options);

/* Describes the program's spec for this tile. */
void mcl__kernel_describe(mcl__kernel_plan *plan, const mcl_tile *tile);

/* Returns the bytes of an element. They select the row of the tuning table for the kernel's tiles. */
size_t mcl__kernel_element_bytes(const mcl__kernel_plan *plan);

#endif
