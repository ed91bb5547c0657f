/* balance.h: shared parts of the operations that balance the work units of objects: checks, scratch and the first
 * pass. */
#ifndef MODERNCL_BALANCE_H
#define MODERNCL_BALANCE_H

#include "call/call.h"

#include "moderncl/load_balance.h"

/* The first operands, passes, arrays of scratch and scalars of a declaration that balances work units. */
enum { MCL__BALANCE_OFFSETS = 1, MCL__BALANCE_WORK, MCL__BALANCE_OWN }; /* operands; the declaration's own follow */
enum { MCL__BALANCE_PARTITION, MCL__BALANCE_TILES };
enum { MCL__BALANCE_SPLIT, MCL__BALANCE_OWN_SCRATCH };
enum { MCL__BALANCE_SPLITS };

/* The arguments that both passes begin with, and the first pass of a .cl file's kernel NAME_partition. */
#define MCL__BALANCE_ARGUMENTS                                                                                         \
    MCL__ENVIRONMENT, OPERAND(MCL__BALANCE_OFFSETS), OPERAND(MCL__BALANCE_WORK), SCRATCH(MCL__BALANCE_SPLIT)
#define MCL__BALANCE_FIRST_PASS(name)                                                                                  \
    {                                                                                                                  \
        name, MCL__PARTITION_THREADS, "PARTITION_THREADS",                                                             \
        {                                                                                                              \
            MCL__BALANCE_ARGUMENTS, AS_INDEX(MCL__BALANCE_SPLITS)                                                      \
        }                                                                                                              \
    }

/* The names of the scratch and scalars. */
#define MCL__BALANCE_SCRATCH [MCL__BALANCE_SPLIT] = { "split", "index_type" }
#define MCL__BALANCE_SCALARS [MCL__BALANCE_SPLITS] = "splits"

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
