/* runs.h: the merge of sorted runs on one device. */
#ifndef MCL_MPI_RUNS_H
#define MCL_MPI_RUNS_H

#include "ranks.h"

/* Sorted keys, with their values if values.type is given. Both are buffer ranges. Values may also be an expression of
 * the output's type. */
typedef struct mcl__run_of {
    mcl_input keys, values;
} mcl__run_of;

/* Merges runs into the outputs. The merge is stable: equal keys are in the order of runs. runs is overwritten. Earlier
 * levels of the merge alternate between ROOM_MERGED and ROOM_CAME. So runs may lie in ROOM_CAME, but not in
 * ROOM_MERGED. */
mcl_status mcl__merge_runs(mcl_mpi *mpi, mcl__run_of *runs, int run_count, mcl_output out_keys, mcl_output out_values,
                           const mcl_op *before, const mcl_options *options);

/* Merges the runs of one piece in the same way. Levels in ROOM_CAME begin at element keys_at, levels in
 * ROOM_CAME_VALUES at element values_at. Both have space for the whole piece from there on. */
mcl_status mcl__merge_piece(mcl_mpi *mpi, mcl__run_of *runs, int run_count, int64_t keys_at, int64_t values_at,
                            mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                            const mcl_options *options);

#endif
