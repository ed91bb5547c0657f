/* selection.h: common steps of the operations that select in one sequence. */
#ifndef MODERNCL_SELECTION_H
#define MODERNCL_SELECTION_H

#include "call/call.h"

#include "facts/top_k.h"
#include "moderncl/top_k.h"

/* Returns the numbers of an amount as an operand, or NULL where the host has the number. */
static inline mcl_input *mcl__amount_numbers(mcl_amount *amount)
{
    amount->numbers.count_slot = NULL;
    return amount->numbers.type || amount->numbers.buffer || amount->numbers.expression ? &amount->numbers : NULL;
}
/* Checks that numbers has an element, and limits its count to most, but at least to 1. name is the operand's name. */
mcl_status mcl__amount_check(const char *name, mcl_input *numbers, int64_t most);

/* quantiles.c. Returns 1 where quantiles may lie between two keys. */
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

/* selection.c. The operands of all selections (top_k_operands.h), and the declaration of selection by rounds. */
extern mcl__operands mcl__top_k_operands;
extern const mcl__declaration mcl__selection;
/* Selects by rounds for a checked call. wanted is the rank or k, at most the input's count. The outputs are in order
 * where wanted is small (mcl__top_k_sorts), else in any order. */
mcl_status mcl__top_k_select(mcl__call *call, int64_t wanted);
/* Returns 1 where the selection itself sorts this number of elements. */
int mcl__top_k_sorts(const mcl__call *call, int64_t wanted);

/* Return the tile of a selection in the call's input, and the number of elements that a work-group sorts with it. */
mcl__tile mcl__top_k_tile(mcl__call *call, int index_bits);
int64_t mcl__top_k_block(mcl__tile tile);
int64_t mcl__top_k_block_of(const mcl__call *call);
/* Returns the number of elements whose ranks a work-group counts together (counted_rank.clh). */
static inline int mcl__top_k_counted(int threads)
{
    return threads < TOP_K_COUNTERS ? 1 : threads / TOP_K_COUNTERS * TOP_K_COUNTED_AT_ONCE;
}
/* Returns the most bytes of a key with its index. */
size_t mcl__top_k_ranked_bytes(const mcl_type *key, int index_bits);
/* Returns the most bytes of a selection's state. */
size_t mcl__top_k_state_bytes(const mcl_type *key, int index_bits);
/* Returns the KEY_IMAGE of facts/top_k.h by which keys are compared in the call's order. */
int mcl__top_k_image(const mcl__call *call, const mcl_op *before, int index_bits);
/* Defines KEY_IMAGE and KEY_DESCENDING for the program. */
void mcl__top_k_define_image(mcl__call *call, const mcl_op *before, int index_bits);
/* Returns the room of all levels together, in elements. Each level holds fewer of the count candidates than the one
 * before, until a block has room for them. least is the least room of a level. */
int64_t mcl__top_k_room(int64_t count, int64_t block, int64_t least);

/* top_k_few.c. mcl__top_k_is_few returns 1 where few of many elements are wanted. mcl__top_k_few selects these, in
 * order, by counting their ranks. */
int mcl__top_k_is_few(const mcl__call *call, int64_t wanted);
mcl_status mcl__top_k_few(const mcl__call *checked, int64_t wanted);

/* top_k_by_sort.c. mcl__top_k_sorts_all returns 1 where sorting all keys is faster than selecting in several rounds. It
 * reads wanted, which is k, only with in_order. mcl__top_k_by_sort selects the first k in order or, where the call has
 * a result, the key of rank wanted. */
int mcl__top_k_sorts_all(const mcl__call *call, int64_t wanted, int in_order);
mcl_status mcl__top_k_by_sort(mcl__call *call, int64_t wanted);

/* top_k_sorted.c. Selects the first k in order, where k is large. */
mcl_status mcl__top_k_sorted(mcl__call *call, int64_t wanted);

#endif
