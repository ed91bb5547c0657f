/* runs.h: sorted runs on one device, and their merge. */
#ifndef MCL_MPI_RUNS_H
#define MCL_MPI_RUNS_H

#include "ranks.h"

/* Keys in order, with their values where values.type is given. Both are buffer ranges. Values may also be an
 * expression, of the type of the output. */
typedef struct mcl__run_of {
    mcl_input keys, values;
} mcl__run_of;

/* Merges runs into the outputs, stable: equal keys come in the order of runs. runs is used up. Levels before the last
 * one lie in ROOM_MERGED and ROOM_CAME in turn, so that runs may lie in ROOM_CAME but not in ROOM_MERGED. */
mcl_status mcl__merge_runs(mcl_mpi *mpi, mcl__run_of *runs, int run_count, mcl_output out_keys, mcl_output out_values,
                           const mcl_op *before, const mcl_options *options);

/* Merges runs of a piece in the same way. The levels in ROOM_CAME and ROOM_CAME_VALUES begin at elements keys_at and
 * values_at, where there is room for all of the piece. */
mcl_status mcl__merge_piece(mcl_mpi *mpi, mcl__run_of *runs, int run_count, int64_t keys_at, int64_t values_at,
                            mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                            const mcl_options *options);

#endif
