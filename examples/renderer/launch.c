/* launch.c: the renderer's launches and the library's calls on one queue, and the times of both. */
#include "device.h"

/* Where the times of a launch or call go; NULL: nowhere. */
static timed *time_next(device *of)
{
    if (!of->is_timed || of->is_preparing || of->time_count == TIMES_MAX) return NULL;
    timed *const next = &of->times[of->time_count++];
    *next = (timed){ .of = of->now };
    return next;
}

int device_launch(device *of, int kernel, int64_t items, const argument *arguments, int count)
{
    if (of->is_preparing) return 0;
    ++of->launches;
    return of->by->launch(of, kernel, ((size_t)items + GROUP_ITEMS - 1) / GROUP_ITEMS, arguments, count, time_next(of));
}

/* ---- calls of the library ------------------------------------------------------------------------------------- */

mcl_queue *device_calls(device *of)
{
    return of->is_preparing ? of->preparing : of->queue;
}

const mcl_options *device_options(device *of, mcl_options *options)
{
    timed *const time = time_next(of);
    options->size = sizeof *options;
    options->done = time ? &time->call : NULL;
    return options;
}

int device_called(device *of, mcl_status status)
{
    const size_t bytes = of->is_preparing ? mcl_queue_scratch_bytes(of->preparing) : 0;
    if (bytes > of->scratch_bytes) of->scratch_bytes = bytes;
    if (!of->is_preparing) ++of->calls;
    return device_status(status);
}

/* ---- times ---------------------------------------------------------------------------------------------------- */

static double call_milliseconds(mcl_event *event)
{
    double milliseconds = 0;
    if (mcl_event_milliseconds(event, &milliseconds) != MCL_OK) milliseconds = 0;
    mcl_event_release(event);
    return milliseconds;
}

times device_times(device *of)
{
    times sum = { .launches = of->launches, .calls = of->calls };
    for (int k = 0; k < of->time_count; ++k) {
        timed *const time = &of->times[k];
        const double call = time->call ? call_milliseconds(time->call) : 0;
        const double launch = time->end ? of->by->milliseconds(time) : 0;
        sum.library_milliseconds[time->of] += call;
        sum.milliseconds[time->of] += call + launch;
    }
    of->time_count = of->launches = of->calls = 0;
    return sum;
}
