/* kernel_check.h: a user's kernel as a call: kernel_check.c makes its declaration, kernel.c launches its passes. */
#ifndef MODERNCL_KERNEL_PLAN_H
#define MODERNCL_KERNEL_PLAN_H

#include "call/call.h"

/* One word of a pass's arguments. */
typedef struct mcl__word {
    const char *text;
    int length;
    const char *name; /* inside text: without its label */
    /* The kind of argument that it takes; NONE: there is no such word. A pointer takes BUFFER. An array takes SCRATCH,
     * and a buffer too. A type takes VALUE, and numbers too. */
    mcl_argument_kind kind;
    int operand;          /* of an input or output: its number in the declaration */
    const mcl_type *type; /* of a value */
} mcl__word;

typedef struct mcl__words {
    int count;
    mcl__word list[MCL_ARGUMENTS_MAX];
} mcl__words;

typedef struct mcl__kernel_plan {
    const mcl_kernel *kernel;
    mcl__declaration declaration;
    mcl__operand operands[MCL__DECLARED_MAX]; /* of the declaration */
    mcl__pass passes[MCL__KERNELS_MAX];       /* the same */
    mcl__call call;    /* its operands are at first the forms; then those of one launch after another */
    int operand_count; /* inputs, then outputs; operators come after them */
    int input_count;
    mcl_input inputs[MCL_OPERANDS_MAX]; /* the forms */
    mcl_output outputs[MCL_OPERANDS_MAX];
    mcl__words words[MCL_PASSES_MAX];
} mcl__kernel_plan;

/* Begins a call whose queue is checked. Checks for every error of the kernel itself that can be known before it is
 * built. */
mcl_status mcl__kernel_declare(mcl__kernel_plan *plan, const char *function, mcl_queue *queue, const mcl_kernel *kernel,
                               const mcl_options *options);

/* Describes the program's spec with this tile. */
void mcl__kernel_describe(mcl__kernel_plan *plan, const mcl_tile *tile);

/* Returns the bytes of the elements that rows are chosen by. */
size_t mcl__kernel_element_bytes(const mcl__kernel_plan *plan);

#endif
