/* handles.c: checks of contexts; their references, their loss and their end. */
#include "device/device.h"

#include <stdio.h>

/* ---- checks ------------------------------------------------------------------------------------------------- */

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

void mcl__context_lose(mcl_context *context, const char *function, const char *error)
{
    int expected = MCL__LOST_NOT;
    if (!atomic_compare_exchange_strong(&context->lost, &expected, MCL__LOST_NOW)) return;
    (void)snprintf(context->lost_cause, sizeof context->lost_cause, "%.100s gave %.40s", function, error);
    atomic_store(&context->lost, MCL__LOST_SAID);
}

/* ---- references --------------------------------------------------------------------------------------------- */

void mcl__context_destroy(mcl_context *context)
{
    if (context->forget) context->forget(context);
    mcl__cache_close(context);
    mcl__mutex_destroy(&context->lock);
    mcl__mutex_destroy(&context->memory_lock);
    mcl__mutex_destroy(&context->probing);
    context->backend->context_close(context);
}

mcl_status mcl_context_retain(mcl_context *context)
{
    MCL__TRY(mcl__check_reference("mcl_context_retain", context));
    atomic_fetch_add(&context->references, 1);
    return MCL_OK;
}

void mcl_context_release(mcl_context *context)
{
    /* In a forked child the driver's threads are gone: nothing may be asked of it. */
    if (!context || mcl__process_is_forked()) return;
    if (atomic_fetch_sub(&context->references, 1) == 1) mcl__context_destroy(context);
}
