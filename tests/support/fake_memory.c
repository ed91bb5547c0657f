/* fake_memory.c: the fake device of fake_memory.h. */
#include "fake_memory.h"

#include "context/context.h"

#include <pthread.h>
#include <stdlib.h>

fake_driver driver = { .limit = INT64_MAX };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct fake_event {
    mcl_event base;
    fake_queue *queue;
    long long work;
} fake_event;

static void context_close(mcl_context *context)
{
    driver.contexts--;
    free(context);
}

static mcl_status memory_allocate(mcl_context *context, size_t bytes, uintptr_t *block)
{
    size_t *made = malloc(sizeof *made);

    (void)context;
    pthread_mutex_lock(&lock);
    const int fits = made && driver.bytes + (int64_t)bytes <= driver.limit;
    if (fits) {
        *made = bytes;
        driver.bytes += (int64_t)bytes;
        driver.blocks++;
        driver.last_bytes = bytes;
        *block = (uintptr_t)made;
    }
    pthread_mutex_unlock(&lock);
    if (fits) return MCL_OK;
    free(made);
    return mcl__fail(MCL_ERROR_MEMORY, "fake: no room for %zu bytes", bytes);
}

static void memory_release(mcl_context *context, uintptr_t block)
{
    size_t *made = (size_t *)block;

    (void)context;
    pthread_mutex_lock(&lock);
    driver.bytes -= (int64_t)*made;
    driver.blocks--;
    pthread_mutex_unlock(&lock);
    free(made);
}

static void memory_place(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin)
{
    (void)context;
    *root = block;
    *origin = 0;
}

static mcl_status queue_open(mcl_context *context, int flags, mcl_queue **out)
{
    fake_queue *queue = calloc(1, sizeof *queue);

    (void)context;
    (void)flags;
    ck_assert_ptr_nonnull(queue);
    *out = &queue->base;
    return MCL_OK;
}

static void queue_close(mcl_queue *queue)
{
    free(queue);
}

static mcl_status queue_finish(mcl_queue *queue)
{
    ((fake_queue *)queue)->done = queue->work;
    return MCL_OK;
}

static mcl_status queue_mark(mcl_queue *queue, mcl_event **out)
{
    fake_event *event = calloc(1, sizeof *event);

    ck_assert_ptr_nonnull(event);
    event->queue = (fake_queue *)queue;
    event->work = queue->work;
    driver.events++;
    *out = &event->base;
    return MCL_OK;
}

static int event_done(mcl_event *event)
{
    const fake_event *own = (fake_event *)event;

    return own->queue->done >= own->work;
}

static mcl_status event_wait(mcl_event *event)
{
    const fake_event *own = (fake_event *)event;

    driver.waits++;
    if (own->queue->done < own->work) own->queue->done = own->work;
    return MCL_OK;
}

static void event_close(mcl_event *event)
{
    driver.events--;
    free(event);
}

static const mcl__backend fake = {
    .name = "fake",
    .context_close = context_close,
    .memory_allocate = memory_allocate,
    .memory_release = memory_release,
    .memory_place = memory_place,
    .queue_open = queue_open,
    .queue_close = queue_close,
    .queue_finish = queue_finish,
    .queue_mark = queue_mark,
    .event_done = event_done,
    .event_wait = event_wait,
    .event_close = event_close,
};

mcl_context *fake_context_open(int64_t memory)
{
    mcl_context *opened = calloc(1, sizeof *opened);
    mcl_context *context = NULL;

    ck_assert_ptr_nonnull(opened);
    opened->info.memory_total = memory;
    driver.limit = INT64_MAX;
    driver.contexts++;
    test_ok(mcl__context_adopt(&fake, opened, &context));
    return context;
}
