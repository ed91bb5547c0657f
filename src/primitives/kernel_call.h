/* kernel_call.h: what kernel.c asks of kernel_check.c about a user's kernel. */
#ifndef MODERNCL_KERNEL_CALL_H
#define MODERNCL_KERNEL_CALL_H

#include "primitives/primitive.h"

#include "moderncl/kernel.h"

/* Every error of the kernel itself that can be known before it is built. */
mcl_status mcl__check_kernel(const char *function, const mcl_context *context, const mcl_kernel *kernel);

/* The program of the kernel with this tile. forms has room for MCL_OPERANDS_MAX inputs, which the spec points to. */
void mcl__kernel_describe(const mcl_kernel *kernel, const mcl_tile *tile, const mcl_options *options, mcl_input *forms,
                          mcl__spec *spec);

/* Elements that rows are chosen by. */
size_t mcl__kernel_element_bytes(const mcl_kernel *kernel);

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
    int length; /* 0: there are no more */
    mcl__word_kind kind;
    int place;            /* of an input or output in the kernel */
    const mcl_type *type; /* of a value */
} mcl__word;

/* A pass's words behind env, which *takes_env says whether it has: 0 or 1. */
const char *mcl__pass_words(const mcl_pass *pass, int *takes_env);

/* The word that *next begins with, which is moved behind it. */
mcl__word mcl__kernel_word(const mcl_kernel *kernel, const char **next);

/* 1: an argument has the form that the kernel's input at place is declared with. */
int mcl__kernel_takes(const mcl_kernel *kernel, int place, const mcl_input *input);

#endif
