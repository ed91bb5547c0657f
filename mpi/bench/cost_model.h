/* cost_model.h: what calls on ranks cost, from constants that were fitted to runs. */
#ifndef MPI_COST_MODEL_H
#define MPI_COST_MODEL_H

#include <stdint.h>

/* Milliseconds of a call. all is less than the sum where phases overlap. What is read is of the merge. */
typedef struct mpi_cost {
    double local, splitters, exchange, merge, all;
} mpi_cost;

/* What joins the GPUs. A network's bandwidth is that of one GPU, one way. reads: ranks of one host read each other's
 * memory where their shares are large enough. */
typedef struct mpi_links {
    int gpus_of_host;
    double network_gb;
    int reads;
} mpi_links;

typedef struct mpi_cost_row mpi_cost_row;

/* NULL where the model does not have the operation; and the names of those that it has, NULL after the last. */
const mpi_cost_row *mpi_cost_named(const char *operation);
const char *mpi_cost_name(int index);

/* A call on count elements of all ranks together. One rank: the core's call. pieces: of each share, 0: as planned. */
mpi_cost mpi_cost_of(const mpi_cost_row *row, double count, int ranks, int pieces, const mpi_links *links);

#endif
