/* serve.h: OpenMM's sorts by moderncl, on OpenMM's own contexts, command queues and buffers. Functions that can fail
 * return NULL or a sentence, which lives until the thread's next call. Any thread may call; calls take turns. */
#ifndef SERVE_H
#define SERVE_H

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What OpenMM says of the elements that a sorter sorts: OpenCL's names of types, and an expression of value. */
typedef struct sort_trait {
    const char *data_type;
    size_t data_bytes;
    const char *key_type;
    size_t key_bytes;
    const char *key;
} sort_trait;

/* What sorts the arrays of one sorter of OpenMM's. */
typedef struct served_sorter served_sorter;

/* Makes a sorter for at most count elements. Its first sort compiles its programs. */
const char *serve_create(cl_context context, cl_device_id device, const sort_trait *trait, size_t count,
                         served_sorter **out);
void serve_release(served_sorter *sorter);

/* Sorts count elements in place, stable. The call enqueues its work and does not wait. */
const char *serve_sort(served_sorter *sorter, cl_command_queue queue, cl_mem data, size_t count);

/* How many sorts were served since the process began. Programs find this function by its name. */
#define SERVED_CALLS_NAME "moderncl_openmm_calls"
int64_t moderncl_openmm_calls(void);

#ifdef __cplusplus
}
#endif
#endif
