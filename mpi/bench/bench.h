/* bench.h: the operations that moderncl-mpi-bench times. */
#ifndef MPI_BENCH_H
#define MPI_BENCH_H

#include "moderncl/moderncl.h"
#include "moderncl/mpi.h"

typedef struct bench {
    mcl_context *context;
    mcl_queue *queue;
    mcl_mpi *mpi;
    int rank, size;
    const mcl_type *type;
    const char *keys; /* uniform, equal, zipf, sorted, reversed */
    int64_t count;    /* of all ranks */
    int uneven;       /* rank 0 has them all at first */
    mcl_buffer *in, *values, *out, *out_values;
    mcl_mpi_map *map;
    uint64_t sum; /* of all elements, for the check */
} bench;

typedef struct operation {
    const char *name;
    int bytes_moved; /* in elements of the type, read and written once each: for GB/s */
    void (*fill)(bench *b);
    mcl_status (*run)(bench *b);
    int (*is_right)(bench *b);
} operation;

extern const operation operations[];
const operation *operation_named(const char *name);

void bench_drop(bench *b);

/* Ends the job with the sentence. */
void must(mcl_status status, const char *what, const char *sentence);

#endif
