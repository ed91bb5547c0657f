/* calls.h: calls whose programs moderncl-prebuild builds, from a list that a user writes. */
#ifndef PREBUILD_CALLS_H
#define PREBUILD_CALLS_H

#include "bench.h"

typedef struct prebuild_call {
    const bench_op *op;
    const bench_type *type;
    int64_t n;
    int in_place;
} prebuild_call;

typedef struct prebuild_calls {
    prebuild_call *list;
    int count;
    int capacity;
} prebuild_calls;

/* Reads all lines of a file before any call is made. Returns 0, or -1 after a sentence for the first wrong line. */
int prebuild_calls_read(const char *path, prebuild_calls *calls);
void prebuild_calls_free(prebuild_calls *calls);

/* Makes each call on a preparing queue, which runs nothing. Returns the number of calls that failed, each with a
 * sentence on stderr. */
int prebuild_calls_make(mcl_queue *queue, const mcl_device_info *info, const prebuild_calls *calls);

#endif
