/* balance.h: common steps of operations that balance the work units of objects: checks, scratch and the first pass. */
#ifndef MODERNCL_BALANCE_H
#define MODERNCL_BALANCE_H

#include "call/call.h"

#include "moderncl/load_balance.h"

/* Numbers of the operands, passes, scratch and scalars that all these operations have. An operation's own ones begin at
 * OTHERS, OTHER_SCRATCH and OTHER_SCALARS. */
enum { OFFSETS = 1, WORK, OTHERS };
enum { PARTITION, TILES };
enum { SPLIT, OTHER_SCRATCH };
enum { SPLITS, OTHER_SCALARS };

/* The first arguments of both passes. */
#define MCL__BALANCE_ARGUMENTS MCL__ENVIRONMENT, OPERAND(OFFSETS), OPERAND(WORK), SCRATCH(SPLIT)

/* Bytes of work-group memory for bits and counts: per element, per work-item, and per tile. */
enum { MCL__BALANCE_ITEM_BYTES = 1, MCL__BALANCE_THREAD_BYTES = 8, MCL__BALANCE_FIXED_BYTES = 128 };

/* Returns an input whose count is the number of work units. Kernels use only this count, and read no element. */
mcl_input mcl__work_input(const mcl_work *work);

mcl_status mcl__validate_exclusive_offsets(mcl_queue *queue, const mcl_input *offsets, const mcl_options *options);

/* Asks for the scratch of the first pass. Call it after mcl__call_program. Returns the number of tiles. */
int64_t mcl__balance_need(mcl__call *call);
/* Launches both passes, or only the second under the serial mapping. Call it after mcl__call_begin. */
mcl_status mcl__balance_launch(mcl__call *call, int64_t tiles);

#endif
