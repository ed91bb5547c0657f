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
    const char *keys; /* distribution of the keys: uniform, equal, zipf, sorted, reversed */
    int64_t count;    /* number of elements of all ranks */
    int uneven;       /* 1 if rank 0 has all elements at first */
    mcl_buffer *in, *values, *out, *out_values;
    mcl_mpi_map *map;
    uint64_t sum; /* sum of all elements, with which results are compared */
} bench;

typedef struct operation {
    const char *name;
    int bytes_moved; /* elements read and written by the operation, for each element of the input; for GB/s */
    void (*fill)(bench *b);
    mcl_status (*run)(bench *b);
    int (*is_right)(bench *b);
} operation;

extern const operation operations[], list_operations[], relation_operations[]; /* the last operation has no name */

/* ---- data of several operations ---------------------------------------------------------------------------- */

mcl_buffer *buffer_of(const bench *b, const mcl_type *type, int64_t count);
void transform_into(const bench *b, mcl_input in, const mcl_type *type, mcl_buffer *out);

/* Return the first index of a rank's part of count elements, the part's size, and the size of the largest even part. */
int64_t first_of(const bench *b, int64_t count);
int64_t own_of(const bench *b, int64_t count);
int64_t most_of(int64_t count, int size);

/* Returns an eighth more than a rank's share. Shares may be uneven, since equal keys stay together and owners go by a
 * hash. */
int64_t room_of(const bench *b);

extern const mcl_op bench_sum; /* sum in 64 bits */

/* Make elements in b->in (fill_in), add them up to b->sum (add_up), and return them as an input (in_of). */
void fill_in(bench *b);
void add_up(bench *b);
mcl_input in_of(const bench *b);

/* Makes a rank's part of two columns, in and values, of rows keys each. A key of the first column is an odd constant
 * times its row number, in 32 bits. The second column has the same keys, each once, in another order. */
void fill_columns(bench *b, int64_t rows);

/* Makes a map with count keys and twice this capacity. The value of a key is its row number. */
void fill_map(bench *b);

void bench_drop(bench *b);

/* Ends the program with a sentence if status is a failure. */
void must(mcl_status status, const char *what, const char *sentence);

#endif
