/* balance.h: shared parts of the operations that balance the work units of objects: checks, scratch and the first
 * pass. */
#ifndef MODERNCL_BALANCE_H
#define MODERNCL_BALANCE_H

#include "call/call.h"

#include "moderncl/load_balance.h"

/* What a declaration that balances work units has first; its own operands, scratch and scalars follow. */
enum { OFFSETS = 1, WORK, OTHERS };
enum { PARTITION, TILES };
enum { SPLIT, OTHER_SCRATCH };
enum { SPLITS, OTHER_SCALARS };

/* The arguments that both passes begin with. */
#define MCL__BALANCE_ARGUMENTS MCL__ENVIRONMENT, OPERAND(OFFSETS), OPERAND(WORK), SCRATCH(SPLIT)

/* The work-group memory of a tile: bits and counts. */
enum { MCL__BALANCE_ITEM_BYTES = 1, MCL__BALANCE_THREAD_BYTES = 8, MCL__BALANCE_FIXED_BYTES = 128 };

/* Kernels use the count of this input and nothing else. */
mcl_input mcl__work_input(const mcl_work *work);

mcl_status mcl__validate_exclusive_offsets(mcl_queue *queue, const mcl_input *offsets, const mcl_options *options);

/* Asks for the scratch of the first pass, after mcl__call_program. Returns the number of tiles. */
int64_t mcl__balance_need(mcl__call *call);
/* Launches, after mcl__call_begin, both passes, or under the serial mapping only the second. */
mcl_status mcl__balance_launch(mcl__call *call, int64_t tiles);

#endif
