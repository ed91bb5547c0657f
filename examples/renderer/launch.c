/* launch.c: the renderer's launches and the library's calls on one queue, recordings of them, and their times. */
#include "device.h"

#include <string.h>

/* Where the times of a launch or call go; NULL: nowhere. */
static timed *time_next(device *of)
{
    if (!of->is_timed || of->is_preparing || of->is_recording || of->time_count == TIMES_MAX) return NULL;
    timed *const next = &of->times[of->time_count++];
    *next = (timed){ .of = of->now };
    return next;
}

/* ---- launches -------------------------------------------------------------------------------------------------- */

/* A driver may make the code of a kernel at its first launch. This is that launch, before the first frame: all values
 * are 0, so there are no pixels and no triangles, and nothing is done. */
static int launch_nothing(device *of, int kernel, size_t groups, const argument *arguments, int count)
{
    static const char zeros[1024];
    argument empty[ARGUMENTS_MAX];
    memcpy(empty, arguments, (size_t)count * sizeof *arguments);
    for (int k = 0; k < count; ++k)
        if (!arguments[k].view) empty[k].value = zeros;
    return of->by->launch(of, kernel, groups, empty, count, NULL);
}

static int record_launch(device *of, int kernel, size_t groups, const argument *arguments, int count)
{
    mcl_driver_argument passed[ARGUMENTS_MAX];
    for (int k = 0; k < count; ++k)
        passed[k] = arguments[k].view
                        ? (mcl_driver_argument){ .buffer = arguments[k].view }
                        : (mcl_driver_argument){ .value = arguments[k].value, .bytes = arguments[k].bytes };
    return device_status(of->by->record(of, kernel, groups, passed, count));
}

int device_launch(device *of, int kernel, int64_t items, const argument *arguments, int count)
{
    const size_t groups = ((size_t)items + GROUP_ITEMS - 1) / GROUP_ITEMS;
    if (count > ARGUMENTS_MAX) return device_failed("the number of arguments of a kernel", count);
    if (of->is_preparing) return launch_nothing(of, kernel, groups, arguments, count);
    if (of->is_recording) return record_launch(of, kernel, groups, arguments, count);
    ++of->launches;
    return of->by->launch(of, kernel, groups, arguments, count, time_next(of));
}

/* ---- calls of the library ------------------------------------------------------------------------------------- */

mcl_queue *device_calls(device *of)
{
    return of->is_preparing ? of->preparing : of->queue;
}

const mcl_options *device_options(device *of, mcl_options *options)
{
    timed *const time = of->call = time_next(of);
    options->size = sizeof *options;
    if (!time) return options;
    time->is_call = 1;
    if (of->by->mark)
        of->by->mark(of, &time->begin);
    else
        options->done = &time->call;
    return options;
}

int device_called(device *of, mcl_status status)
{
    const size_t bytes = of->is_preparing ? mcl_queue_scratch_bytes(of->preparing) : 0;
    if (bytes > of->scratch_bytes) of->scratch_bytes = bytes;
    if (of->call && of->by->mark) of->by->mark(of, &of->call->end);
    of->call = NULL;
    if (!of->is_preparing && !of->is_recording) ++of->calls;
    return device_status(status);
}

/* ---- recordings ------------------------------------------------------------------------------------------------ */

int device_record(device *of)
{
    if (device_status(mcl_record_begin(of->queue))) return -1;
    of->is_recording = 1;
    return device_status(mcl_queue_reserve(of->queue, of->scratch_bytes));
}

int device_recorded(device *of, mcl_recording **made)
{
    of->is_recording = 0;
    return device_status(mcl_record_end(of->queue, made));
}

int device_replay(device *of, mcl_recording *recording)
{
    return device_called(of, mcl_replay(of->queue, recording, NULL));
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
        const double by_library = time->call ? call_milliseconds(time->call) : 0;
        const double taken = time->end ? of->by->milliseconds(time) : by_library;
        if (time->is_call) sum.library_milliseconds[time->of] += taken;
        sum.milliseconds[time->of] += taken;
    }
    of->time_count = of->launches = of->calls = 0;
    return sum;
}
