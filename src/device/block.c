/* block.c: allocates and releases blocks of the driver's memory. */
#include "device/device.h"

mcl_status mcl_block_create(mcl_context *context, size_t bytes, uintptr_t *block)
{
    MCL__TRY(mcl__check_context("mcl_block_create", context));
    if (!block) return mcl__fail(MCL_ERROR_ARGUMENT, "block is NULL; expected where to put a block");
    if (bytes == 0) return mcl__fail(MCL_ERROR_ARGUMENT, "bytes is 0; expected 1 or more");
    MCL__TRY(context->backend->memory_allocate(context, bytes, block));
    mcl__mutex_lock(&context->memory_lock);
    ++context->memory.driver_calls;
    mcl__mutex_unlock(&context->memory_lock);
    return MCL_OK;
}

void mcl_block_release(mcl_context *context, uintptr_t block)
{
    if (!context || !block || mcl__process_is_forked()) return;
    context->backend->memory_release(context, block);
    mcl__mutex_lock(&context->memory_lock);
    ++context->memory.driver_releases;
    mcl__mutex_unlock(&context->memory_lock);
}
