/* stats.c: adds the times of frames up and prints them as JSON. */
#include "stats.h"

#include "progress.h"

#include <stdio.h>

static int64_t allocations_of(const frame *at)
{
    mcl_memory_statistics taken = { 0 };
    return mcl_context_memory(at->on->context, &taken) == MCL_OK ? taken.allocations : 0;
}

void stats_begin(stats *of, const frame *at)
{
    (void)device_times(at->on);
    of->allocations_before = allocations_of(at);
    of->begun = seconds_now();
    of->begun_host = seconds_worked();
}

void stats_enqueued(stats *of)
{
    of->frame_host_seconds = seconds_worked() - of->begun_host;
}

void stats_waited(stats *of, double seconds)
{
    of->begun_host += seconds;
}

int stats_end(stats *of, const frame *at)
{
    const double seconds = seconds_now() - of->begun;
    const times taken = device_times(at->on);
    int64_t rays = 0;
    const int64_t allocations = allocations_of(at) - of->allocations_before;
    if (frame_rays(at, &rays)) return -1;
    const int64_t rays_now = rays - of->rays_before;
    of->rays_before = rays;
    if (of->warm < WARM_FRAMES) {
        of->warm_seconds[of->warm++] = seconds;
        of->warm_host_seconds = of->frame_host_seconds;
        return 0;
    }
    ++of->counted;
    of->host_seconds += of->frame_host_seconds;
    of->seconds += seconds;
    of->rays += rays_now;
    of->allocations += allocations;
    for (int k = 0; k < PARTS; ++k) {
        of->sum.milliseconds[k] += taken.milliseconds[k];
        of->sum.library_milliseconds[k] += taken.library_milliseconds[k];
    }
    of->sum.launches += taken.launches;
    of->sum.calls += taken.calls;
    return 0;
}

void stats_print(const stats *of, const frame *at)
{
    const double n = of->counted, all = of->sum.milliseconds[PART_BUILD] + of->sum.milliseconds[PART_PATHS];
    const double library = of->sum.library_milliseconds[PART_BUILD] + of->sum.library_milliseconds[PART_PATHS];
    printf("{\n");
    printf("    \"device\": \"%s\",\n", at->on->info.name);
    printf("    \"kind\": \"%s\",\n", at->has_megakernel ? "megakernel" : "wavefront");
    printf("    \"triangles\": %d,\n", at->set.triangle_count);
    printf("    \"width\": %d,\n    \"height\": %d,\n", at->set.width, at->set.height);
    printf("    \"frames_counted\": %d,\n", of->counted);
    printf("    \"first_frame_ms\": %.3f,\n", of->warm_seconds[0] * 1e3);
    printf("    \"second_frame_ms\": %.3f,\n", of->warm_seconds[1] * 1e3);
    printf("    \"frame_ms\": %.3f,\n", of->seconds * 1e3 / n);
    printf("    \"million_rays_per_second\": %.3f,\n", (double)of->rays / of->seconds * 1e-6);
    if (at->on->is_timed) {
        printf("    \"tree_build_ms\": %.3f,\n", of->sum.milliseconds[PART_BUILD] / n);
        printf("    \"library_share_of_device_time\": %.4f,\n", all > 0 ? library / all : 0);
    }
    printf("    \"launches_a_frame\": %.1f,\n", of->sum.launches / n);
    printf("    \"library_calls_a_frame\": %.1f,\n", of->sum.calls / n);
    printf("    \"host_us_a_frame\": %.1f,\n", of->warm_host_seconds * 1e6);
    printf("    \"host_us_a_%s_frame\": %.1f,\n", at->replays ? "replayed" : "timed", of->host_seconds * 1e6 / n);
    printf("    \"library_allocations\": %lld\n", (long long)of->allocations);
    printf("}\n");
}
