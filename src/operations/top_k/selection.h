/* selection.h: shared parts of the functions that select. */
#ifndef MODERNCL_SELECTION_H
#define MODERNCL_SELECTION_H

#include "call/call.h"

#include "facts/top_k.h"
#include "moderncl/top_k.h"

/* Returns the numbers of an amount as an operand; NULL: the host has the number. */
static inline mcl_input *mcl__amount_numbers(mcl_amount *amount)
{
    amount->numbers.count_slot = NULL;
    return amount->numbers.type || amount->numbers.buffer || amount->numbers.expression ? &amount->numbers : NULL;
}
/* Checks that there is one. No more than most of them are of use, or one. name: the operand's. */
mcl_status mcl__amount_check(const char *name, mcl_input *numbers, int64_t most);

/* quantiles.c: 1: quantiles lie between two keys. */
static inline int mcl__interpolates(mcl_interpolation interpolation)
{
    return interpolation == MCL_INTERPOLATION_MIDPOINT || interpolation == MCL_INTERPOLATION_LINEAR;
}
mcl_status mcl__interpolation_check(mcl_interpolation interpolation);

/* Returns the options of a step that is a call of another operation. */
static inline mcl_options mcl__top_k_step_options(const mcl_options *options)
{
    mcl_options own = *options;
    own.flags &= ~(unsigned)MCL_UNORDERED;
    own.append = MCL_APPEND_AUTO;
    own.append_width = 0;
    return own;
}

/* selection.c: the operands of every way (top_k_operands.h), and the declaration of selection by rounds. */
extern mcl__operands mcl__top_k_operands;
extern const mcl__declaration mcl__selection;
/* The selection of a checked call of wanted elements, at most as many as the input has. The outputs are in
 * order where the elements are few (mcl__top_k_sorts), else in any order. */
mcl_status mcl__top_k_select(mcl__call *call, int64_t wanted);
/* 1: the selection itself sorts that number of elements. */
int mcl__top_k_sorts(const mcl__call *call, int64_t wanted);

/* Returns the tile of a selection in the call's first operand, and the elements that a work-group of it sorts. */
mcl__tile mcl__top_k_tile(mcl__call *call, int index_bits);
int64_t mcl__top_k_block(mcl__tile tile);
int64_t mcl__top_k_block_of(const mcl__call *call);
/* counted_rank.clh: elements that a work-group counts the ranks of together. */
static inline int mcl__top_k_counted(int threads)
{
    return threads < TOP_K_COUNTERS ? 1 : threads / TOP_K_COUNTERS * TOP_K_COUNTED_AT_ONCE;
}
/* Returns the bytes of a key with its index, at most. */
size_t mcl__top_k_ranked_bytes(const mcl_type *key, int index_bits);
/* Returns the bytes of the state of a selection, at most. */
size_t mcl__top_k_state_bytes(const mcl_type *key, int index_bits);
/* Returns the KEY_IMAGE of facts/top_k.h by which the keys of the call's input are compared in the call's order. */
int mcl__top_k_image(const mcl__call *call, const mcl_op *before, int index_bits);
/* Defines it for the program. */
void mcl__top_k_define_image(mcl__call *call, const mcl_op *before, int index_bits);
/* Returns the number of elements that all levels of count candidates have room for, until a block has room for them.
 * least: the fewest elements of a level. */
int64_t mcl__top_k_room(int64_t count, int64_t block, int64_t least);

/* top_k_few.c: 1: few elements are wanted of many, and their ranks are counted. The selection of these, in order. */
int mcl__top_k_is_few(const mcl__call *call, int64_t wanted);
mcl_status mcl__top_k_few(const mcl__call *checked, int64_t wanted);

/* top_k_by_sort.c: 1: sorting all keys is faster than a search of several rounds. wanted: k; without order, or for a
 * rank, any. The first k in order, or the key of rank wanted where the call has a result. */
int mcl__top_k_sorts_all(const mcl__call *call, int64_t wanted, int in_order);
mcl_status mcl__top_k_by_sort(mcl__call *call, int64_t wanted);

/* top_k_sorted.c: selects the first k in order where they are many. */
mcl_status mcl__top_k_sorted(mcl__call *call, int64_t wanted);

#endif
