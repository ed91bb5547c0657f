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

extern const operation operations[], list_operations[], relation_operations[]; /* the last one has no name */

/* ---- data that rows share ---------------------------------------------------------------------------------- */

mcl_buffer *buffer_of(const bench *b, const mcl_type *type, int64_t count);
void transform_into(const bench *b, mcl_input in, const mcl_type *type, mcl_buffer *out);

/* The elements of count that are a rank's own, and how many a rank has at most. */
int64_t first_of(const bench *b, int64_t count);
int64_t own_of(const bench *b, int64_t count);
int64_t most_of(int64_t count, int size);

/* An eighth more than a rank's share, since equal keys stay together, and owners of keys go by a hash. */
int64_t room_of(const bench *b);

extern const mcl_op bench_sum; /* in 64 bits */

/* Elements alone, in in, and their sum. */
void fill_in(bench *b);
void add_up(bench *b);
mcl_input in_of(const bench *b);

/* A rank's part of two columns of rows keys. A key of the first is an odd multiple of its row's number, in 32 bits; the
 * second has the same keys, each once, in another order. */
void fill_columns(bench *b, int64_t rows);

/* A map of count keys, each with its row's number, half full. */
void fill_map(bench *b);

void bench_drop(bench *b);

/* Ends the job with the sentence. */
void must(mcl_status status, const char *what, const char *sentence);

#endif
