/* opencl_event.c: waits for events, and reads their times. */
#include "opencl_internal.h"

#include <stdlib.h>

mcl_status mcl__opencl_event_wait(mcl_event *event)
{
    return mcl__opencl_check(event->context, mcl__cl.WaitForEvents(1, &((opencl_event *)event)->last),
                             "clWaitForEvents");
}

int mcl__opencl_event_done(mcl_event *event)
{
    cl_int state = CL_QUEUED;
    const cl_int error = mcl__cl.GetEventInfo(((opencl_event *)event)->last, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof state, &state, NULL);
    return error != CL_SUCCESS || state <= CL_COMPLETE;
}

mcl_status mcl__opencl_event_milliseconds(mcl_event *event, double *milliseconds)
{
    const opencl_event *const own = (const opencl_event *)event;
    MCL__TRY(mcl__opencl_event_wait(event));
    cl_ulong start = 0;
    cl_ulong end = 0;
    cl_int error = CL_PROFILING_INFO_NOT_AVAILABLE;
    if (own->first)
        error = mcl__cl.GetEventProfilingInfo(own->first, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (error == CL_SUCCESS)
        error = mcl__cl.GetEventProfilingInfo(own->last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    if (error == CL_PROFILING_INFO_NOT_AVAILABLE)
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "event is of a queue without profiling; expected one made with "
                                                "MCL_QUEUE_PROFILING");
    MCL__TRY(mcl__opencl_check(event->context, error, "clGetEventProfilingInfo"));
    *milliseconds = end > start ? (double)(end - start) * 1e-6 : 0.0;
    return MCL_OK;
}

void mcl__opencl_event_close(mcl_event *event)
{
    opencl_event *const own = (opencl_event *)event;
    if (own->queue) {
        if (own->first) (void)mcl__cl.ReleaseEvent(own->first);
        (void)mcl__cl.ReleaseEvent(own->last);
        (void)mcl__cl.ReleaseCommandQueue(own->queue);
    }
    free(own);
}
