/* stats.h: times of frames. */
#ifndef RENDERER_STATS_H
#define RENDERER_STATS_H

#include "frame.h"

/* Sums over frames but the first, unless there is only one. */
typedef struct stats {
    int frames; /* that have ended */
    int counted;
    double begun, begun_host, host_seconds, seconds;
    double frame_host_seconds;
    int64_t rays, rays_before, allocations_before, allocations;
    times sum;
} stats;

void stats_begin(stats *of, const frame *at);
void stats_enqueued(stats *of);
/* What the host has waited for the device does not count as its own time. */
void stats_waited(stats *of, double seconds);
int stats_end(stats *of, const frame *at);
void stats_print(const stats *of, const frame *at);

#endif
