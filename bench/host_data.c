/* host_data.c: moderncl-bench-host times calls on arrays in host memory, beside the copies alone. Each byte goes to the
 * device twice and back twice, through three queues. On CUDA devices the arrays are pinned. */
#define _POSIX_C_SOURCE 200809L
#define MCL_CUDA_TYPES_DECLARED
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;
#include "command_line.h"

#include <moderncl/cuda.h>
#include <moderncl/moderncl.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUEUES = 3, REPEATS = 3 };

/* The arrays of a call: keys, sorted keys, scratch. */
enum { KEYS, OUT, SCRATCH, ARRAYS };

typedef struct host_bench {
    mcl_context *context;
    mcl_device_info info;
    mcl_queue *queues[QUEUES];
    mcl_buffer *buffers[QUEUES];
    int64_t count, bytes;
    size_t array_bytes, chunk_bytes;
    uint32_t *arrays[ARRAYS];
} host_bench;

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Pins the arrays, so that copies are as fast as the link. */
static int pin(const host_bench *b)
{
    enum { FOR_ALL_CONTEXTS = 1 };
    if (strcmp(b->info.backend, "cuda") != 0) return 0;
    void *const driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*push)(CUcontext) = NULL;
    int (*host_register)(void *, size_t, unsigned) = NULL;
    void *const symbols[] = { driver ? dlsym(driver, "cuCtxPushCurrent_v2") : NULL,
                              driver ? dlsym(driver, "cuMemHostRegister_v2") : NULL };
    memcpy(&push, &symbols[0], sizeof push);
    memcpy(&host_register, &symbols[1], sizeof host_register);
    if (!push || !host_register || push(mcl_cuda_context(b->context)) != 0) return 0;
    for (int k = 0; k < ARRAYS; k++)
        if (host_register(b->arrays[k], b->array_bytes, FOR_ALL_CONTEXTS) != 0) return 0;
    return 1;
}

/* Copies one array to the device and to another array, in chunks that take turns on the queues. */
static mcl_status copy_once(const host_bench *b, const uint32_t *from, uint32_t *to)
{
    const size_t chunks = (b->array_bytes + b->chunk_bytes - 1) / b->chunk_bytes;
    mcl_status status = MCL_OK;
    for (size_t step = 0; step < chunks + QUEUES - 1 && status == MCL_OK; step++) {
        /* each chunk comes back after the next chunks have been sent, as in the library's calls */
        for (int back = 0; back < 2 && status == MCL_OK; back++) {
            const size_t chunk = back ? step - (QUEUES - 1) : step, at = chunk * b->chunk_bytes;
            if ((back && step < QUEUES - 1) || chunk >= chunks) continue;
            const size_t left = b->array_bytes - at, bytes = left < b->chunk_bytes ? left : b->chunk_bytes;
            mcl_queue *const queue = b->queues[chunk % QUEUES];
            mcl_buffer *const buffer = b->buffers[chunk % QUEUES];
            status = back ? mcl_buffer_read_async(queue, buffer, 0, bytes, (char *)to + at, NULL)
                          : mcl_buffer_write_async(queue, buffer, 0, bytes, (const char *)from + at, NULL);
            if (status == MCL_OK) status = mcl_queue_flush(queue);
        }
    }
    for (int q = 0; q < QUEUES && status == MCL_OK; q++) status = mcl_queue_finish(b->queues[q]);
    return status;
}

static mcl_status copies(const host_bench *b)
{
    const mcl_status status = copy_once(b, b->arrays[KEYS], b->arrays[SCRATCH]);
    return status == MCL_OK ? copy_once(b, b->arrays[SCRATCH], b->arrays[OUT]) : status;
}

static mcl_status sort(const host_bench *b)
{
    const mcl_host_device device = { b->context, b->bytes };
    const mcl_host_room room = { &device, 1, b->arrays[SCRATCH], b->array_bytes };
    return mcl_host_sort(&room, MCL_UINT32, b->arrays[KEYS], b->arrays[OUT], b->count, MCL_LESS);
}

/* Returns the least time of a few runs, or a negative number after a failure. */
static double least(const host_bench *b, mcl_status (*run)(const host_bench *b))
{
    double found = -1.0;
    for (int k = 0; k < REPEATS; k++) {
        const double begin = seconds();
        if (run(b) != MCL_OK) return -1.0;
        const double took = seconds() - begin;
        if (found < 0.0 || took < found) found = took;
    }
    return found;
}

static int is_sorted(const host_bench *b)
{
    for (int64_t k = 1; k < b->count; k++)
        if (b->arrays[OUT][k - 1] > b->arrays[OUT][k]) return 0;
    return 1;
}

static int measure(host_bench *b)
{
    const int pinned = pin(b);
    const double copy = least(b, copies), sorting = copy < 0.0 ? -1.0 : least(b, sort);
    if (copy < 0.0 || sorting < 0.0) {
        fprintf(stderr, "moderncl-bench-host: %s\n", mcl_last_error());
        return EXIT_FAILURE;
    }
    printf("%s, %lld uint32 keys, %lld bytes of the device (0: its own choice), host memory %s\n", b->info.name,
           (long long)b->count, (long long)b->bytes, pinned ? "pinned" : "not pinned");
    printf("copies alone   %9.3f s  %7.2f GB/s each way\n", copy, 2e-9 * (double)b->array_bytes / copy);
    printf("mcl_host_sort  %9.3f s  %7.2f times the copies\n", sorting, sorting / copy);
    if (is_sorted(b)) return EXIT_SUCCESS;
    fprintf(stderr, "moderncl-bench-host: the keys are not sorted\n");
    return EXIT_FAILURE;
}

/* Makes queues, chunks as large as the call's, and keys. */
static mcl_status make(host_bench *b)
{
    enum { CHUNKS = 2 * QUEUES }; /* the scratch has the size of a chunk */
    mcl_status status = mcl_context_info(b->context, &b->info);
    const int64_t own = b->info.memory_free >= 0 ? b->info.memory_free / 4 * 3 : b->info.memory_total / 2;
    b->array_bytes = (size_t)b->count * sizeof(uint32_t);
    b->chunk_bytes = (size_t)((b->bytes > 0 ? b->bytes : own) / CHUNKS);
    if (b->chunk_bytes > b->array_bytes) b->chunk_bytes = b->array_bytes;
    for (int q = 0; q < QUEUES && status == MCL_OK; q++) {
        status = mcl_queue_create(b->context, 0, &b->queues[q]);
        if (status == MCL_OK) status = mcl_buffer_create(b->context, b->chunk_bytes, NULL, &b->buffers[q]);
    }
    for (int k = 0; k < ARRAYS; k++) {
        b->arrays[k] = malloc(b->array_bytes);
        if (!b->arrays[k]) exit(EXIT_FAILURE);
        memset(b->arrays[k], 0, b->array_bytes);
    }
    uint64_t random = 1;
    for (int64_t k = 0; k < b->count; k++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        b->arrays[KEYS][k] = (uint32_t)(random >> 32);
    }
    return status;
}

int main(int count, char **words)
{
    host_bench b = { .count = 0 };
    long long keys = 100000000, bytes = 0;
    char *device = NULL;
    const struct poptOption table[] = {
        OPTION("count", POPT_ARG_LONGLONG, &keys, "Keys of 4 bytes", "N"),
        OPTION("bytes", POPT_ARG_LONGLONG, &bytes, "Bytes of the device's memory to use", "N"),
        OPTION("device", POPT_ARG_STRING, &device, "The device, as MCL_DEVICE", "NAME"),
        OPTIONS_END,
    };
    if (command_line_read("moderncl-bench-host", table, count, (const char **)words, NULL, NULL) != 0)
        return COMMAND_LINE_WRONG;
    if (keys < 1 || bytes < 0) {
        fprintf(stderr, "moderncl-bench-host: expected 1 key or more, and 0 bytes or more\n");
        return COMMAND_LINE_WRONG;
    }
    if (mcl_context_create(device, &b.context) != MCL_OK) {
        fprintf(stderr, "moderncl-bench-host: %s\n", mcl_last_error());
        return COMMAND_LINE_WRONG;
    }
    b.count = keys;
    b.bytes = bytes;
    const mcl_status status = make(&b);
    if (status != MCL_OK) fprintf(stderr, "moderncl-bench-host: %s\n", mcl_last_error());
    const int failed = status == MCL_OK ? measure(&b) : EXIT_FAILURE;
    for (int q = 0; q < QUEUES; q++) {
        mcl_buffer_release(b.buffers[q]);
        mcl_queue_release(b.queues[q]);
    }
    mcl_context_release(b.context);
    for (int k = 0; k < ARRAYS; k++) free(b.arrays[k]);
    free(device);
    return command_line_end("moderncl-bench-host", failed);
}
