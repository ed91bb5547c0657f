/* block_cache.c: keeps released blocks, by size, for later requests. Blocks are freed in a weighted least-recently-used
 * order, as in Modern GPU's default allocator (S. Baxter, 2013). The device may still use a block when it is released.
 * So the block waits for a mark on each queue that has work, and is given out again once all its marks are passed. */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* The number of size classes from each power of two to the next is STEPS: a block is at most an eighth larger than
 * requested. */
enum { STEPS = 8, OCTAVES = 48, SMALLEST = 256, CLASS_COUNT = STEPS * OCTAVES };

/* The number of size classes that a request searches. So a block is at most half as large again as requested. */
enum { CLASSES_TRIED = 4 };

/* A mark: the point after all work that a queue had when a block was released. All blocks that wait for this point
 * share the mark. A block may stay in the cache long after that. So the driver's event is closed as soon as the point
 * has been passed. */
struct mcl__mark {
    int references;
    int waiters;   /* threads that wait for event without the lock; event must stay meanwhile */
    int64_t queue; /* number of the queue (mcl_queue.number) */
    mcl_queue *of; /* the queue whose list has the mark, or NULL */
    mcl__mark *older;
    mcl__mark *newer;
    mcl_event *event; /* NULL once the mark is passed */
};

typedef struct cached_block {
    struct cached_block *older; /* block of this size released before; in a list of blocks to free: the next block */
    struct cached_block *newer;
    uintptr_t block;
    size_t bytes;
    int size_class;
    int64_t rank; /* order of freeing: the block with the lowest rank is freed first */
    int mark_count;
    mcl__mark *marks[];
} cached_block;

struct mcl__block_cache {
    cached_block *oldest[CLASS_COUNT];
    cached_block *newest[CLASS_COUNT];
    int64_t releases; /* number of releases so far, used as a clock */
};

/* ---- sizes -------------------------------------------------------------------------------------------------- */

static uint64_t class_bytes(int size_class)
{
    return ((uint64_t)SMALLEST << (size_class / STEPS)) / STEPS * (uint64_t)(STEPS + size_class % STEPS);
}

/* Returns the smallest size class with room for bytes, or CLASS_COUNT where none has room. */
static int class_of(uint64_t bytes)
{
    int octave = 0;
    while (octave < OCTAVES && ((uint64_t)SMALLEST << octave) * 2 < bytes) ++octave;
    const uint64_t base = (uint64_t)SMALLEST << octave;
    const uint64_t step = base / STEPS;
    const int size_class = octave * STEPS + (bytes > base ? (int)((bytes - base + step - 1) / step) : 0);
    return size_class < CLASS_COUNT ? size_class : CLASS_COUNT;
}

/* ---- marks, under context->memory_lock ---------------------------------------------------------------------- */

static void mark_unlink(mcl__mark *mark)
{
    if (!mark->of) return;
    *(mark->older ? &mark->older->newer : &mark->of->oldest_mark) = mark->newer;
    *(mark->newer ? &mark->newer->older : &mark->of->newest_mark) = mark->older;
    mark->of = NULL;
}

static void mark_close(mcl_context *context, mcl__mark *mark)
{
    mark_unlink(mark);
    if (mark->event) context->backend->event_close(mark->event);
    mark->event = NULL;
}

static void mark_drop(mcl_context *context, mcl__mark *mark)
{
    if (!mark || --mark->references > 0) return;
    mark_close(context, mark);
    free(mark);
}

static int mark_passed(mcl_context *context, mcl__mark *mark)
{
    if (mark->event && !context->backend->event_done(mark->event)) return 0;
    if (mark->waiters == 0) mark_close(context, mark);
    return 1;
}

/* Closes the marks that the queue has passed. A queue passes its marks in the order in which they were made. */
static void marks_collect(mcl_queue *queue)
{
    mcl__mark *mark = queue->oldest_mark;
    while (mark) {
        mcl__mark *const newer = mark->newer;
        if (!mark_passed(queue->context, mark)) break;
        mark = newer;
    }
    if (!queue->mark || queue->mark->event) return;
    mark_drop(queue->context, queue->mark);
    queue->mark = NULL;
}

static mcl_status mark_make(mcl_queue *queue, mcl__mark **out)
{
    mcl__mark *const mark = calloc(1, sizeof *mark);
    if (!mark) return mcl__fail(MCL_ERROR_MEMORY, "host memory for a mark is exhausted");
    const mcl_status status = queue->context->backend->queue_mark(queue, &mark->event);
    if (status != MCL_OK) {
        free(mark);
        return status;
    }
    mark->references = 1;
    mark->queue = queue->number;
    mark->of = queue;
    mark->older = queue->newest_mark;
    *(mark->older ? &mark->older->newer : &queue->oldest_mark) = mark;
    queue->newest_mark = mark;
    *out = mark;
    return MCL_OK;
}

/* Gives a mark after all work that the queue has so far, or NULL where all this work is done. */
static mcl_status queue_mark(mcl_queue *queue, mcl__mark **out)
{
    const long long work = atomic_load(&queue->work); /* later commands only increase it */
    marks_collect(queue);
    *out = queue->mark;
    if (queue->marked_work == work) return MCL_OK;
    MCL__TRY(mark_make(queue, out));
    mark_drop(queue->context, queue->mark);
    queue->mark = *out;
    queue->marked_work = work;
    return MCL_OK;
}

static void block_unmark(mcl_context *context, cached_block *entry, int place)
{
    mark_drop(context, entry->marks[place]);
    entry->marks[place] = entry->marks[--entry->mark_count];
}

/* Returns 1 where nothing uses the block any more, apart from earlier work on the queue with this number (0: no
 * queue). */
static int block_idle(mcl_context *context, cached_block *entry, int64_t queue)
{
    for (int i = entry->mark_count - 1; i >= 0; --i) {
        if (entry->marks[i]->queue == queue) continue;
        if (!mark_passed(context, entry->marks[i])) return 0;
        block_unmark(context, entry, i);
    }
    return 1;
}

void mcl__queue_idle(mcl_queue *queue, long long work)
{
    mcl__mutex_lock(&queue->context->memory_lock);
    marks_collect(queue);
    mark_drop(queue->context, queue->mark);
    queue->mark = NULL;
    queue->marked_work = work;
    mcl__mutex_unlock(&queue->context->memory_lock);
}

void mcl__queue_forget(mcl_queue *queue)
{
    mcl_context *const context = queue->context;
    mcl__mutex_lock(&context->memory_lock);
    for (int k = 0; context->cache && k < CLASS_COUNT; ++k) {
        for (cached_block *entry = context->cache->oldest[k]; entry; entry = entry->newer) {
            for (int i = entry->mark_count - 1; i >= 0; --i)
                if (entry->marks[i]->queue == queue->number) block_unmark(context, entry, i);
        }
    }
    mark_drop(context, queue->mark);
    queue->mark = NULL;
    /* Blocks that other threads are freeing now still refer to them. */
    while (queue->oldest_mark) mark_unlink(queue->oldest_mark);
    mcl__mutex_unlock(&context->memory_lock);
}

/* ---- the order, under context->memory_lock ------------------------------------------------------------------ */

static void cache_unlink(mcl_context *context, cached_block *entry)
{
    mcl__block_cache *const cache = context->cache;
    *(entry->older ? &entry->older->newer : &cache->oldest[entry->size_class]) = entry->newer;
    *(entry->newer ? &entry->newer->older : &cache->newest[entry->size_class]) = entry->older;
    --context->memory.blocks_cached;
    context->memory.bytes_cached -= (int64_t)entry->bytes;
}

/* Ranks a block by its release, and one release earlier for each size class above the smallest. A block of twice the
 * bytes is eight classes higher. So of two blocks released together, the larger one is freed first. */
static void cache_link(mcl_context *context, cached_block *entry)
{
    mcl__block_cache *const cache = context->cache;
    const int size_class = entry->size_class;
    entry->rank = ++cache->releases - size_class;
    entry->newer = NULL;
    entry->older = cache->newest[size_class];
    *(entry->older ? &entry->older->newer : &cache->oldest[size_class]) = entry;
    cache->newest[size_class] = entry;
    ++context->memory.blocks_cached;
    context->memory.bytes_cached += (int64_t)entry->bytes;
}

/* Takes blocks out of the cache until the others have at most bytes. Returns the list of these blocks for
 * blocks_free. */
static cached_block *cache_shrink(mcl_context *context, int64_t bytes)
{
    cached_block *list = NULL;
    while (context->memory.bytes_cached > bytes) {
        cached_block *first = NULL;
        for (int k = 0; k < CLASS_COUNT; ++k) {
            cached_block *const entry = context->cache->oldest[k]; /* the block of its size that was released first */
            if (entry && (!first || entry->rank < first->rank)) first = entry;
        }
        if (!first) break;
        cache_unlink(context, first);
        first->older = list;
        list = first;
    }
    return list;
}

/* ---- without the lock --------------------------------------------------------------------------------------- */

static void mark_await(mcl_context *context, mcl__mark *mark)
{
    mcl__mutex_lock(&context->memory_lock);
    mcl_event *const event = mark->event;
    if (event) ++mark->waiters;
    mcl__mutex_unlock(&context->memory_lock);
    if (!event) return;
    (void)context->backend->event_wait(event);
    mcl__mutex_lock(&context->memory_lock);
    --mark->waiters;
    mcl__mutex_unlock(&context->memory_lock);
}

/* Gives blocks back to the driver, which keeps each block until the device has finished with it. waits: 1 to wait for
 * the device first. */
static void blocks_free(mcl_context *context, cached_block *list, int waits)
{
    while (list) {
        cached_block *const entry = list;
        list = entry->older;
        const int awaited = waits && !mcl__context_lost(context) ? entry->mark_count : 0;
        for (int i = 0; i < awaited; ++i) mark_await(context, entry->marks[i]);
        mcl_block_release(context, entry->block);
        mcl__mutex_lock(&context->memory_lock);
        while (entry->mark_count > 0) block_unmark(context, entry, 0);
        mcl__mutex_unlock(&context->memory_lock);
        free(entry);
    }
}

static cached_block *cache_take(mcl_context *context, const mcl_buffer *buffer)
{
    const int first = class_of(buffer->bytes);
    for (int k = first; k < first + CLASSES_TRIED && k < CLASS_COUNT; ++k) {
        for (cached_block *entry = context->cache->newest[k]; entry; entry = entry->older) {
            if (!block_idle(context, entry, buffer->only_queue)) continue;
            cache_unlink(context, entry);
            ++context->memory.cache_hits;
            return entry;
        }
    }
    return NULL;
}

/* Makes a new block. It has the whole size of its class if the cache may keep it, else the bytes requested. If the
 * driver has no memory, the cache gives its blocks back, and the driver is asked again. */
static mcl_status cache_miss(mcl_context *context, mcl_buffer *buffer, int64_t capacity)
{
    const int size_class = class_of(buffer->bytes);
    const uint64_t rounded = size_class < CLASS_COUNT ? class_bytes(size_class) : UINT64_MAX;
    const size_t wanted = rounded <= (uint64_t)capacity ? (size_t)rounded : buffer->bytes;
    const mcl_status status = mcl_block_create(context, wanted, &buffer->block);
    if (status == MCL_OK) buffer->block_bytes = wanted;
    if (status != MCL_ERROR_MEMORY) return status;
    mcl__mutex_lock(&context->memory_lock);
    cached_block *const list = cache_shrink(context, 0);
    mcl__mutex_unlock(&context->memory_lock);
    if (!list && wanted == buffer->bytes) return status;
    blocks_free(context, list, 1);
    return mcl_block_create(context, buffer->bytes, &buffer->block);
}

/* Returns the bytes that may stay in the cache in addition to a request. Some drivers allocate at first use, and would
 * report only then that there is no room for both. */
static int64_t room_beside(const mcl_context *context, size_t bytes)
{
    const mcl_memory_statistics *const memory = &context->memory;
    const int64_t total = context->info.memory_total;
    const int64_t beside = memory->cache_capacity - (int64_t)bytes;
    /* Bytes_in_use already contains the request. */
    const int64_t free_bytes = total > 0 ? total - memory->bytes_in_use : beside;
    const int64_t room = beside < free_bytes ? beside : free_bytes;
    return room > 0 ? room : 0;
}

mcl_status mcl__cache_allocate(mcl_context *context, mcl_buffer *buffer)
{
    mcl__mutex_lock(&context->memory_lock);
    const int64_t capacity = context->memory.cache_capacity;
    cached_block *const hit = cache_take(context, buffer);
    cached_block *const list = hit ? NULL : cache_shrink(context, room_beside(context, buffer->bytes));
    if (hit) {
        buffer->block = hit->block;
        buffer->block_bytes = hit->bytes;
        while (hit->mark_count > 0) block_unmark(context, hit, 0);
    }
    mcl__mutex_unlock(&context->memory_lock);
    free(hit);
    blocks_free(context, list, 0);
    return hit ? MCL_OK : cache_miss(context, buffer, capacity);
}

/* Makes the cache entry of a block, with a mark on each queue that may use the block. Returns NULL where the block
 * cannot be kept. */
static cached_block *entry_make(mcl_context *context, const mcl_buffer *buffer)
{
    const int size_class = class_of(buffer->block_bytes);
    size_t queues = 0;
    if (size_class >= CLASS_COUNT || class_bytes(size_class) != buffer->block_bytes) return NULL;
    for (const mcl_queue *queue = context->queues; queue; queue = queue->next) ++queues;
    cached_block *const entry = calloc(1, sizeof *entry + queues * sizeof *entry->marks);
    mcl_status status = entry ? MCL_OK : MCL_ERROR_MEMORY;
    for (mcl_queue *queue = context->queues; queue && status == MCL_OK; queue = queue->next) {
        mcl__mark *mark = NULL;
        if (buffer->only_queue && buffer->only_queue != queue->number) continue;
        status = queue_mark(queue, &mark);
        if (status != MCL_OK || !mark) continue;
        ++mark->references;
        entry->marks[entry->mark_count++] = mark;
    }
    if (status == MCL_OK) {
        entry->block = buffer->block;
        entry->bytes = buffer->block_bytes;
        entry->size_class = size_class;
        return entry;
    }
    while (entry && entry->mark_count > 0) block_unmark(context, entry, 0);
    free(entry);
    return NULL;
}

void mcl__cache_release(mcl_context *context, mcl_buffer *buffer)
{
    cached_block *entry = NULL;
    cached_block *list = NULL;
    mcl__mutex_lock(&context->memory_lock);
    /* A block whose handle was given out is not kept: queues that the library does not know may use it. */
    if (!atomic_load(&buffer->exposed) && !mcl__context_lost(context) &&
        (int64_t)buffer->block_bytes <= context->memory.cache_capacity)
        entry = entry_make(context, buffer);
    if (entry) {
        cache_link(context, entry);
        list = cache_shrink(context, context->memory.cache_capacity);
    }
    mcl__mutex_unlock(&context->memory_lock);
    if (!entry) mcl_block_release(context, buffer->block);
    blocks_free(context, list, 0);
}

void mcl__cache_trim(mcl_context *context, int64_t bytes)
{
    mcl__mutex_lock(&context->memory_lock);
    cached_block *const list = cache_shrink(context, bytes);
    mcl__mutex_unlock(&context->memory_lock);
    blocks_free(context, list, 0);
}

/* ---- its life ----------------------------------------------------------------------------------------------- */

mcl_status mcl__cache_open(mcl_context *context)
{
    /* The capacity is an eighth of the device's memory. If that size is unknown, the capacity suits any device.
     * Oclgrind gets no cache: it checks each access to a buffer, so a buffer must have exactly the bytes requested. */
    const int64_t share = 8;
    const int64_t unknown = (int64_t)256 << 20;
    const mcl_device_info *const info = &context->info;
    int64_t capacity = info->memory_total > 0 ? info->memory_total / share : unknown;
    if (strcmp(info->vendor, "Oclgrind") == 0) capacity = 0;
    capacity = mcl__feature_number("memory_cache", capacity);
    context->memory.cache_capacity = capacity > 0 ? capacity : 0;
    context->cache = calloc(1, sizeof *context->cache);
    return context->cache ? MCL_OK : mcl__fail(MCL_ERROR_MEMORY, "host memory for a context is exhausted");
}

void mcl__cache_close(mcl_context *context)
{
    if (context->cache) mcl__cache_trim(context, 0);
    free(context->cache);
}
