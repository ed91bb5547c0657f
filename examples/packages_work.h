/* packages_work.h: what the parts of packages.c share. */
#ifndef PACKAGES_WORK_H
#define PACKAGES_WORK_H

#include "packages_status.h"

#include <moderncl/moderncl.h>

enum { BUFFERS_MAX = 48 };

typedef struct work {
    mcl_context *context;
    mcl_queue *queue;
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
/* Tells what a call took on the device. */
mcl_status show_time(const char *what, mcl_event *done);
/* same: the device's result is that of the plain loop. */
void show_check(work *at, int same);

/* packages_sections.c: the size of each section, and its packages by size. */
mcl_status show_by_section(work *at);
mcl_status show_groups(work *at);

#endif
