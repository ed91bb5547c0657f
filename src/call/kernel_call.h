/* kernel_call.h: what kernel.c asks of kernel_check.c about a user's kernel. */
#ifndef MODERNCL_KERNEL_CALL_H
#define MODERNCL_KERNEL_CALL_H

#include "call/call.h"

#include "moderncl/kernel.h"

/* What one word of a pass's arguments stands for. */
typedef enum mcl__word_kind {
    MCL__WORD_UNKNOWN,
    MCL__WORD_INPUT,
    MCL__WORD_OUTPUT,
    MCL__WORD_ARRAY,
    MCL__WORD_POINTER,
    MCL__WORD_INDEX,
    MCL__WORD_VALUE
} mcl__word_kind;

typedef struct mcl__word {
    const char *text;
    int length;
    mcl__word_kind kind;
    int operand;          /* the number of an input or output in the kernel */
    const mcl_type *type; /* of a value */
} mcl__word;

typedef struct mcl__pass_words {
    int takes_env; /* 0 or 1 */
    int count;
    mcl__word list[MCL_ARGUMENTS_MAX];
} mcl__pass_words;

/* Checks for every error of the kernel itself that can be known before it is built. words gets the words of its passes,
 * and has room for MCL_PASSES_MAX. */
mcl_status mcl__check_kernel(const mcl_context *context, const mcl_kernel *kernel, mcl__pass_words *words);

/* The program of the kernel with this tile. forms has room for MCL_OPERANDS_MAX inputs, which the spec points to. */
void mcl__kernel_describe(const mcl_kernel *kernel, const mcl_tile *tile, const mcl_options *options, mcl_input *forms,
                          mcl__spec *spec);

/* Elements that rows are chosen by. */
size_t mcl__kernel_element_bytes(const mcl_kernel *kernel);

/* 1: an argument has the form that the kernel's input of this number is declared with. */
int mcl__kernel_takes(const mcl_kernel *kernel, int operand, const mcl_input *input);

#endif
