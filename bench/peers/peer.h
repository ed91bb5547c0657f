/* peer.h: the interface between moderncl-bench and the modules that hold its peers. It is C; modules may be C++.
 *
 * A module is a shared library beside the program, opened when --compare asks for it. So the program starts where a
 * peer's own libraries are missing. It exports bench_peer_module. One thread calls it, for one problem at a time. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <moderncl/device.h>
#include <moderncl/values.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_PEER_VERSION = 2, BENCH_ARRAYS_MAX = 10 };

typedef struct bench_array {
    const mcl_type *type;
    int64_t count;
    mcl_buffer *device;
    void *host;   /* elements of an input, or expected elements of an output */
    void *result; /* host memory of an output, which fetch fills */
} bench_array;

/* An operation on given data. */
typedef struct bench_problem {
    const char *op;
    const char *type;
    int64_t n;
    int in_count;
    int out_count;
    bench_array in[BENCH_ARRAYS_MAX];
    bench_array out[BENCH_ARRAYS_MAX];
} bench_problem;

/* The functions of a module. Those that return int return 0 or more, or -1 with a sentence in error(). */
typedef struct bench_peer {
    int version; /* BENCH_PEER_VERSION */
    const char *name;
    int (*open)(mcl_queue *queue, const mcl_device_info *info);
    /* Takes a problem, which stays valid until end. Returns the number of candidates that can do it, 0 if none. */
    int (*begin)(const bench_problem *problem);
    const char *(*candidate)(int index);
    /* Runs a candidate once on an idle device, waits, and gives the time. With queued, earlier work keeps the device
     * busy until everything is enqueued. A module that measures wall time ignores queued. */
    int (*run)(int index, int queued, double *milliseconds);
    int (*fetch)(int index); /* copies the outputs of the last run to out[].result */
    void (*end)(void);
    const char *(*error)(void);
} bench_peer;

typedef const bench_peer *(*bench_peer_entry)(void);
#define BENCH_PEER_ENTRY "bench_peer_module"

#ifdef __cplusplus
}
#endif
#endif
