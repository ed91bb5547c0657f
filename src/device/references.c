/* references.c: counts the references of a context, and ends it. */
#include "device/device.h"

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
    /* A forked child has none of the driver's threads, so it must not call the driver. */
    if (!context || mcl__process_is_forked()) return;
    if (atomic_fetch_sub(&context->references, 1) == 1) mcl__context_destroy(context);
}
