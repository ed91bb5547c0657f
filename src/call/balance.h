/* balance.h: shared parts of the operations that balance the work units of objects: checks, scratch and the first
 * pass. */
#ifndef MODERNCL_BALANCE_H
#define MODERNCL_BALANCE_H

#include "call/call.h"

#include "moderncl/load_balance.h"

/* The first operands, passes, scratch and scalars of a declaration that balances work units. Its own ones follow from
 * OTHERS, OTHER_SCRATCH and OTHER_SCALARS on. */
enum { OFFSETS = 1, WORK, OTHERS };
enum { PARTITION, TILES };
enum { SPLIT, OTHER_SCRATCH };
enum { SPLITS, OTHER_SCALARS };

/* The arguments that both passes begin with. */
#define MCL__BALANCE_ARGUMENTS MCL__ENVIRONMENT, OPERAND(OFFSETS), OPERAND(WORK), SCRATCH(SPLIT)

/* Bytes of work-group memory of a tile, for bits and counts: for each element, for each work-item, and for the tile. */
enum { MCL__BALANCE_ITEM_BYTES = 1, MCL__BALANCE_THREAD_BYTES = 8, MCL__BALANCE_FIXED_BYTES = 128 };

/* Returns an input with the count of work. Kernels use nothing else of it. */
mcl_input mcl__work_input(const mcl_work *work);

mcl_status mcl__validate_exclusive_offsets(mcl_queue *queue, const mcl_input *offsets, const mcl_options *options);

/* Asks for the scratch of the first pass, after mcl__call_program. Returns the number of tiles. */
int64_t mcl__balance_need(mcl__call *call);
/* Launches, after mcl__call_begin, both passes, or under the serial mapping only the second. */
mcl_status mcl__balance_launch(mcl__call *call, int64_t tiles);

#endif
