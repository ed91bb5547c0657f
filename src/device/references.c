/* references.c: the references of a context, and its end. */
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
    /* In a forked child the driver's threads do not exist, so the driver must not be called. */
    if (!context || mcl__process_is_forked()) return;
    if (atomic_fetch_sub(&context->references, 1) == 1) mcl__context_destroy(context);
}
