/* rows.h: ggml's operations on the rows of a matrix by moderncl, on ggml's own context, command queue and buffers. Each
 * call enqueues its work and does not wait. It returns NULL, or a sentence that lives until the thread's next call.
 * Any thread may call; calls take turns. What a queue needs is made at its first call, and kept as long as the process
 * lives, as ggml keeps its context. */
#ifndef ROWS_H
#define ROWS_H

#include <CL/cl.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rows_place {
    cl_mem memory;
    cl_ulong offset; /* bytes, a multiple of 4 */
} rows_place;

/* The work of one operation: rows of floats of one length, that lie one after the other. */
typedef struct rows_work {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    rows_place in, out;
    int64_t rows, length;
} rows_work;

/* Stores the order of each row as indices of 32 bits in the row. */
const char *rows_argsort(const rows_work *work, int descending);

/* Stores the indices in the row of the k largest elements of each row, the largest first. */
const char *rows_top_k(const rows_work *work, int64_t k);

/* Stores the sums of each row's beginnings. */
const char *rows_cumulative_sum(const rows_work *work);

/* 0: MODERNCL_GGML=off in the environment leaves all to ggml. */
int rows_are_served(void);

#ifdef __cplusplus
}
#endif

#endif
