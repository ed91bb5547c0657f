/* packages_work.h: what the parts of packages.c share. */
#ifndef PACKAGES_WORK_H
#define PACKAGES_WORK_H

#include "packages_status.h"

#include <moderncl/moderncl.h>

enum { BUFFERS_MAX = 48 };

typedef struct work {
    mcl_context *context;
    mcl_queue *queue;     /* that of the call, of a TIMED */
    mcl_queue *preparing; /* builds programs and runs nothing */
    mcl_options options;  /* of a TIMED's call */
    mcl_event *done;
    double start, built;              /* milliseconds of a clock: the call's building began, and took */
    mcl_buffer *buffers[BUFFERS_MAX]; /* all that were made, to be released at the end */
    int buffer_count;
    const package_list *packages;
    int32_t *sizes; /* of each package, in KiB */
    int64_t *sums;  /* sizes up to and with each package, by the plain loop */
    mcl_buffer *device_sizes;
    mcl_op add; /* sums 32-bit sizes in 64 bits */
    int differences;
} work;

#define TRY(expression)                                                                                                \
    do {                                                                                                               \
        const mcl_status try_status = (expression);                                                                    \
        if (try_status != MCL_OK) return try_status;                                                                   \
    } while (0)

mcl_status make_buffer(work *at, size_t bytes, const void *data, mcl_buffer **out);

/* Makes a call twice, on at->queue with &at->options: what builds its programs and runs nothing, then what runs. Tells
 * the time of each. */
#define TIMED(at, what, call)                                                                                          \
    do {                                                                                                               \
        timing_start(at);                                                                                              \
        const mcl_status timed_status = (call);                                                                        \
        timing_built(at);                                                                                              \
        TRY(timed_status);                                                                                             \
        TRY(call);                                                                                                     \
        TRY(timing_show(at, what));                                                                                    \
    } while (0)
void timing_start(work *at); /* at->queue becomes the preparing one */
void timing_built(work *at); /* and the other again */
mcl_status timing_show(work *at, const char *what);
/* same: the device's result is that of the plain loop. */
void show_check(work *at, int same);

/* packages_sections.c: the size of each section, and its packages by size. */
mcl_status show_by_section(work *at);
mcl_status show_groups(work *at);

#endif
