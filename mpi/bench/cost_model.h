/* cost_model.h: a model of the time that calls on ranks take. Its constants were fitted to measured calls. */
#ifndef MPI_COST_MODEL_H
#define MPI_COST_MODEL_H

#include <stdint.h>

/* The times of a call's phases, in milliseconds. all is below their sum if phases overlap. Reading other GPUs' memory
 * counts as merge. */
typedef struct mpi_cost {
    double local, splitters, exchange, merge, all;
} mpi_cost;

/* The links between GPUs. network_gb is the bandwidth of one GPU in one direction, in GB/s. reads: 1 if ranks of one
 * host read each other's memory when shares are large enough. */
typedef struct mpi_links {
    int gpus_of_host;
    double network_gb;
    int reads;
} mpi_links;

typedef struct mpi_cost_row mpi_cost_row;

/* Return the model of an operation (NULL if it has none), and the name of operation index (NULL after the last one). */
const mpi_cost_row *mpi_cost_named(const char *operation);
const char *mpi_cost_name(int index);

/* Returns the time of a call on count elements of all ranks together. With one rank this is the core's call. pieces:
 * number of pieces of each share; 0: as the library plans it. */
mpi_cost mpi_cost_of(const mpi_cost_row *row, double count, int ranks, int pieces, const mpi_links *links);

#endif
