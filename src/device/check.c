/* check.c: checks the handles that calls get, and marks a context's device as lost. */
#include "device/device.h"

#include <stdio.h>

mcl_status mcl__check_reference(const char *function, const mcl_context *context)
{
    mcl__function_is(function);
    if (!context) return mcl__fail(MCL_ERROR_ARGUMENT, "context is NULL; expected a context");
    return mcl__process_check();
}

mcl_status mcl__check_context(const char *function, const mcl_context *context)
{
    MCL__TRY(mcl__check_reference(function, context));
    const int lost = atomic_load(&context->lost);
    if (lost == MCL__LOST_NOT) return MCL_OK;
    return mcl__fail(MCL_ERROR_DEVICE, "the device of context is lost since %s; expected a new context",
                     lost == MCL__LOST_SAID ? context->lost_cause : "another thread's call");
}

mcl_status mcl__check_queue(const char *function, const mcl_queue *queue)
{
    mcl__function_is(function);
    if (!queue) return mcl__fail(MCL_ERROR_ARGUMENT, "queue is NULL; expected a queue");
    return mcl__check_context(function, queue->context);
}

mcl_status mcl__check_unrecorded(const mcl_queue *queue, const char *what, const char *expected)
{
    if (!queue->recording) return MCL_OK;
    return mcl__fail(MCL_ERROR_UNSUPPORTED, "queue is being recorded, and %s cannot be; expected %s", what, expected);
}

void mcl__context_lose(mcl_context *context, const char *function, const char *error)
{
    int expected = MCL__LOST_NOT;
    if (!atomic_compare_exchange_strong(&context->lost, &expected, MCL__LOST_NOW)) return;
    (void)snprintf(context->lost_cause, sizeof context->lost_cause, "%.100s gave %.40s", function, error);
    atomic_store(&context->lost, MCL__LOST_SAID);
}
