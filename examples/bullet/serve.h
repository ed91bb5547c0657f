/* serve.h: Bullet's data-parallel primitives by moderncl, on Bullet's own command queues and buffers. Each call
 * enqueues its work and returns; a sum on the host alone is waited for. A call that fails says why on stderr and
 * aborts: Bullet's functions return nothing that could tell. Any thread may call; calls take turns. */
#ifndef SERVE_H
#define SERVE_H

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is served, in the order of SERVED_NAMES. */
typedef enum served { SERVED_SORT, SERVED_SCAN, SERVED_SCAN_FLOAT4, SERVED_SEARCH, SERVED_FILL, SERVED_COUNT } served;
#define SERVED_NAMES { "sort", "scan", "scan of float4", "bound search", "fill" }

/* How many calls of a primitive were served since the process began. Programs find this function by its name. */
#define SERVED_CALLS_NAME "moderncl_bullet_calls"
int64_t moderncl_bullet_calls(served which);

/* Sorts in place by the low bits of the keys, stable. Bullet's sort takes 4 bits at once, so bits is rounded up to a
 * multiple of 4. serve_sort_pairs: a key and a value that follows it, of 4 bytes each. */
void serve_sort_keys(cl_command_queue queue, cl_mem keys, size_t count, int bits);
void serve_sort_pairs(cl_command_queue queue, cl_mem pairs, size_t count, int bits);

/* Exclusive prefix sums, in place or not. sum: NULL, or receives the last of them, for which the call waits. */
void serve_scan(cl_command_queue queue, cl_mem in, cl_mem out, int count, unsigned *sum);
void serve_scan_float4(cl_command_queue queue, cl_mem in, cl_mem out, int count, float sum[4]);

/* Of the pairs with key k, sorted by key: out[k] becomes the index of the first one (lower), or the index after the
 * last one. Keys that do not occur leave their elements of out alone. */
void serve_bounds(cl_command_queue queue, cl_mem pairs, int count, cl_mem out, int out_count, int lower);
/* out[k] becomes how many pairs have key k. */
void serve_counts(cl_command_queue queue, cl_mem pairs, int count, cl_mem out, int out_count);

/* Elements offset .. offset + count - 1 become the 4 or 8 bytes at value. */
void serve_fill(cl_command_queue queue, cl_mem memory, const void *value, size_t value_bytes, int count, int offset);

#ifdef __cplusplus
}
#endif
#endif
