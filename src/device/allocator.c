/* allocator.c: allocates a context's device memory, from its cache of blocks or with the caller's functions. */
#include "device/device.h"

/* ---- the choice of an allocator ----------------------------------------------------------------------------- */

static mcl_status simple_allocate(void *user, mcl_context *context, size_t bytes, uintptr_t *block)
{
    (void)user;
    return mcl_block_create(context, bytes, block);
}

static void simple_release(void *user, mcl_context *context, uintptr_t block, size_t bytes)
{
    (void)user;
    (void)bytes;
    mcl_block_release(context, block);
}

const mcl_allocator *mcl_allocator_simple(void)
{
    static const mcl_allocator simple = { NULL, simple_allocate, simple_release };
    return &simple;
}

mcl_status mcl_context_set_allocator(mcl_context *context, const mcl_allocator *allocator)
{
    MCL__TRY(mcl__check_context("mcl_context_set_allocator", context));
    if (allocator && !(allocator->allocate && allocator->release))
        return mcl__fail(MCL_ERROR_ARGUMENT, "allocator->%s is NULL; expected a function",
                         allocator->allocate ? "release" : "allocate");
    mcl__mutex_lock(&context->memory_lock);
    const int64_t blocks = context->memory.blocks_in_use;
    if (blocks == 0) context->allocator = allocator ? *allocator : (mcl_allocator){ 0 };
    mcl__mutex_unlock(&context->memory_lock);
    if (blocks > 0)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "context has %lld blocks of its present allocator; expected none while it is replaced",
                         (long long)blocks);
    if (allocator) mcl__cache_trim(context, 0);
    return MCL_OK;
}

mcl_status mcl_context_set_memory_cache(mcl_context *context, int64_t bytes)
{
    MCL__TRY(mcl__check_context("mcl_context_set_memory_cache", context));
    if (bytes < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "bytes is %lld; expected 0 or more", (long long)bytes);
    mcl__mutex_lock(&context->memory_lock);
    context->memory.cache_capacity = bytes;
    mcl__mutex_unlock(&context->memory_lock);
    mcl__cache_trim(context, bytes);
    return MCL_OK;
}

mcl_status mcl_context_trim_memory(mcl_context *context, int64_t bytes)
{
    MCL__TRY(mcl__check_context("mcl_context_trim_memory", context));
    if (bytes < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "bytes is %lld; expected 0 or more", (long long)bytes);
    mcl__cache_trim(context, bytes);
    return MCL_OK;
}

mcl_status mcl_context_memory(mcl_context *context, mcl_memory_statistics *statistics)
{
    MCL__TRY(mcl__check_context("mcl_context_memory", context));
    if (!statistics) return mcl__fail(MCL_ERROR_ARGUMENT, "statistics is NULL; expected where to put them");
    mcl__mutex_lock(&context->memory_lock);
    *statistics = context->memory;
    mcl__mutex_unlock(&context->memory_lock);
    return MCL_OK;
}

/* ---- a buffer's block --------------------------------------------------------------------------------------- */

/* Allocates a block with the caller's function. If that fails without an error sentence, writes one. */
static mcl_status foreign_allocate(mcl_context *context, const mcl_allocator *allocator, mcl_buffer *buffer)
{
    const int64_t before = mcl__failures();
    const mcl_status status = allocator->allocate(allocator->user, context, buffer->bytes, &buffer->block);
    if (status != MCL_OK) return mcl__fail_of_caller(status, before, "the context's allocator");
    if (!buffer->block)
        return mcl__fail(MCL_ERROR_MEMORY, "the context's allocator returned MCL_OK and block 0; expected a block");
    return MCL_OK;
}

/* Counts the block as in use before it is allocated, so that the allocator cannot be replaced meanwhile. */
mcl_status mcl__block_allocate(mcl_context *context, mcl_buffer *buffer)
{
    mcl_memory_statistics *const memory = &context->memory;
    mcl__mutex_lock(&context->memory_lock);
    const mcl_allocator allocator = context->allocator;
    const int countable = buffer->bytes <= (uint64_t)(INT64_MAX - memory->bytes_in_use);
    ++memory->allocations;
    if (countable) {
        ++memory->blocks_in_use;
        memory->bytes_in_use += (int64_t)buffer->bytes;
    }
    mcl__mutex_unlock(&context->memory_lock);
    if (!countable)
        return mcl__fail(MCL_ERROR_MEMORY, "a block has %zu bytes; expected no more than a device has", buffer->bytes);

    buffer->block_bytes = buffer->bytes;
    mcl__function_hold();
    const mcl_status status =
        allocator.allocate ? foreign_allocate(context, &allocator, buffer) : mcl__cache_allocate(context, buffer);
    mcl__function_let_go();

    mcl__mutex_lock(&context->memory_lock);
    if (status != MCL_OK) {
        --memory->blocks_in_use;
        memory->bytes_in_use -= (int64_t)buffer->bytes;
    } else if (memory->bytes_in_use > memory->bytes_peak) {
        memory->bytes_peak = memory->bytes_in_use;
    }
    mcl__mutex_unlock(&context->memory_lock);
    return status;
}

/* Releases a block with the caller's function. That function may give the block out again at once, so the queues are
 * finished first. Blocks of mcl_allocator_simple go to the driver, which keeps a block until the device has finished
 * with it. */
static void foreign_release(mcl_context *context, const mcl_allocator *allocator, const mcl_buffer *buffer)
{
    if (allocator->release != simple_release && !mcl__context_lost(context)) {
        mcl__mutex_lock(&context->memory_lock);
        for (mcl_queue *queue = context->queues; queue; queue = queue->next)
            (void)context->backend->queue_finish(queue);
        mcl__mutex_unlock(&context->memory_lock);
    }
    allocator->release(allocator->user, context, buffer->block, buffer->bytes);
}

void mcl__block_release(mcl_context *context, mcl_buffer *buffer)
{
    mcl__mutex_lock(&context->memory_lock);
    const mcl_allocator allocator = context->allocator;
    mcl__mutex_unlock(&context->memory_lock);

    if (allocator.release)
        foreign_release(context, &allocator, buffer);
    else
        mcl__cache_release(context, buffer);

    mcl__mutex_lock(&context->memory_lock);
    --context->memory.blocks_in_use;
    context->memory.bytes_in_use -= (int64_t)buffer->bytes;
    mcl__mutex_unlock(&context->memory_lock);
}
