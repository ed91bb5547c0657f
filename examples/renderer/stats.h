/* stats.h: times of frames. */
#ifndef RENDERER_STATS_H
#define RENDERER_STATS_H

#include "frame.h"

/* The first frames are rendered for their own times, by calls, and without events that take times. */
enum { WARM_FRAMES = 2 };

/* Sums over the frames that follow. */
typedef struct stats {
    int warm, counted;                                   /* frames that have ended */
    double warm_seconds[WARM_FRAMES], warm_host_seconds; /* of the host: the last of them */
    double begun, begun_host, host_seconds, seconds;
    double frame_host_seconds;
    int64_t rays, rays_before, allocations_before, allocations;
    times sum;
} stats;

void stats_begin(stats *of, const frame *at);
void stats_enqueued(stats *of);
/* What the host has waited for the device does not count as its own time, which is that of the enqueuing thread on a
 * processor. */
void stats_waited(stats *of, double seconds);
int stats_end(stats *of, const frame *at);
void stats_print(const stats *of, const frame *at);

#endif
