/* test_threads_stress.c: eight threads on one context, each with its own queue. For some seconds they make random calls
 * as fast as they can, and share all objects that the headers allow. The test is meant for ThreadSanitizer (preset
 * thread) too. */
#define _POSIX_C_SOURCE 200809L
#include "support/arrays.h"
#include "support/folder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { THREADS = 8, COUNT = 700, SECONDS = 8, SECONDS_SMALL = 3, TEXTS = 6 };

static const mcl_options tile = { .tile_threads = 1, .tile_items = 64 };

/* Work that one thread passes to another: all elements of buffer have value once event is complete. */
typedef struct letter {
    mcl_event *event;
    mcl_buffer *buffer;
    int32_t value;
} letter;

/* The state that all threads share. */
typedef struct crowd {
    mcl_context *context;
    mcl_buffer *shared; /* buffer of 0, 1, 2 ..., which is only read */
    const char *rows;   /* path of a file of tuning */
    struct timespec end;
    pthread_mutex_t lock; /* guards posted */
    letter posted;
    atomic_int stopped;
} crowd;

typedef struct worker {
    pthread_t thread;
    crowd *crowd;
    mcl_queue *queue;
    mcl_buffer *a;
    mcl_buffer *b;
    mcl_map *map;
    int64_t map_keys; /* number of keys entered so far: 0, 1, 2 ... */
    uint64_t random;
    int number;
    long calls;
    char wrong[512];
} worker;

/* ---- checks: they must not leave a thread by longjmp ----------------------------------------------------------- */

static int is_ok(worker *w, mcl_status status, const char *what)
{
    if (status != MCL_OK && !w->wrong[0])
        (void)snprintf(w->wrong, sizeof w->wrong, "thread %d, %s: %.400s", w->number, what, mcl_last_error());
    return status == MCL_OK;
}

static void expect(worker *w, int holds, const char *what)
{
    if (!holds && !w->wrong[0]) (void)snprintf(w->wrong, sizeof w->wrong, "thread %d: wrong %s", w->number, what);
}

#define DO(call)                                                                                                       \
    do {                                                                                                               \
        if (!is_ok(w, (call), #call)) return;                                                                          \
    } while (0)

static uint32_t draw(worker *w, uint32_t below)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(w->random >> 33) % below;
}

static mcl_input shared_ints(const worker *w)
{
    return ints(w->crowd->shared, COUNT);
}

/* Stores 0, step, 2 * step ... to a. */
static mcl_status fill_steps(const worker *w, int32_t step)
{
    const int32_t zero = 0;
    return mcl_transform(w->queue, mcl_from_step(MCL_INT32, &zero, &step, COUNT), ints_out(w->a, COUNT), &tile);
}

/* ---- calls that work on data ------------------------------------------------------------------------------------ */

static void call_transform(worker *w)
{
    int32_t read[COUNT];
    const int32_t step = (int32_t)draw(w, 1000);
    DO(fill_steps(w, step));
    DO(mcl_buffer_read(w->queue, w->a, 0, sizeof read, read));
    for (int k = 0; k < COUNT; ++k) expect(w, read[k] == k * step, "transform");
}

static void call_reduce(worker *w)
{
    int32_t sum = 0;
    DO(mcl_reduce(w->queue, shared_ints(w), MCL_ADD, mcl_to_host(MCL_INT32, &sum), &tile));
    expect(w, sum == COUNT * (COUNT - 1) / 2, "sum");
}

static void call_scan(worker *w)
{
    int32_t last = 0;
    DO(mcl_scan(w->queue, shared_ints(w), ints_out(w->b, COUNT), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), &tile));
    DO(mcl_buffer_read(w->queue, w->b, (COUNT - 1) * sizeof last, sizeof last, &last));
    expect(w, last == COUNT * (COUNT - 1) / 2, "prefix sum");
}

static void call_merge(worker *w)
{
    int32_t read[2 * COUNT];
    DO(mcl_merge(w->queue, shared_ints(w), shared_ints(w), ints_out(w->b, 2 * COUNT), MCL_LESS, &tile));
    DO(mcl_buffer_read(w->queue, w->b, 0, sizeof read, read));
    for (int k = 0; k < 2 * COUNT; ++k) expect(w, read[k] == k / 2, "merge");
}

static void call_sort(worker *w)
{
    int32_t read[COUNT];
    DO(fill_steps(w, -3));
    DO(mcl_sort(w->queue, ints(w->a, COUNT), ints_out(w->b, COUNT), MCL_LESS, &tile));
    DO(mcl_buffer_read(w->queue, w->b, 0, sizeof read, read));
    for (int k = 0; k < COUNT; ++k) expect(w, read[k] == -3 * (COUNT - 1 - k), "sort");
}

static void call_compact(worker *w)
{
    static const mcl_op even = { .role = MCL_ROLE_TEST, .expression = "x % 2 == 0" };
    int64_t kept = 0;
    DO(mcl_compact(w->queue, shared_ints(w), ints_out(w->b, COUNT), &even, mcl_to_host(MCL_INT64, &kept), &tile));
    expect(w, kept == COUNT / 2, "count of what is kept");
}

/* Makes a call whose program several threads may need at the same time. */
static void call_new_text(worker *w)
{
    static const char *const texts[TEXTS] = { "p + q + 0", "p + q + 1 - 1", "p + q + 2 - 2", "p + q + 3 - 3",
                                              "(p",        "p + q + 4 - 4" };
    const uint32_t number = draw(w, TEXTS);
    const mcl_op sum_of = { .role = MCL_ROLE_FOLD, .expression = texts[number], .identity = "0" };
    const int breaks = strcmp(texts[number], "(p") == 0;
    int32_t sum = 0;
    const mcl_status status = mcl_reduce(w->queue, shared_ints(w), &sum_of, mcl_to_host(MCL_INT32, &sum), &tile);
    if (breaks)
        expect(w, status == MCL_ERROR_BUILD, "status of a text that is no C");
    else if (is_ok(w, status, "reduce with a text of its own"))
        expect(w, sum == COUNT * (COUNT - 1) / 2, "sum by a text of its own");
}

static void call_map(worker *w)
{
    const int32_t first = (int32_t)w->map_keys;
    const mcl_input keys = mcl_from_counting(MCL_INT32, &first, 50);
    int64_t size = 0;
    DO(mcl_map_insert(w->queue, w->map, keys, keys, &tile));
    w->map_keys += 50;
    DO(mcl_map_size(w->queue, w->map, mcl_to_host(MCL_INT64, &size), &tile));
    expect(w, size == w->map_keys, "size of the map");
    if (w->map_keys < 2000) return;
    DO(mcl_map_clear(w->queue, w->map, &tile));
    w->map_keys = 0;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static void call_buffers(worker *w)
{
    int32_t data[COUNT];
    int32_t read[COUNT] = { 0 };
    mcl_buffer *made = NULL;
    const size_t bytes = (1 + draw(w, COUNT)) * sizeof(int32_t);
    for (int k = 0; k < COUNT; ++k) data[k] = (int32_t)draw(w, 1 << 20);
    DO(mcl_buffer_create(w->crowd->context, bytes, data, &made));
    if (is_ok(w, mcl_buffer_read(w->queue, made, 0, bytes, read), "read of a new buffer"))
        expect(w, memcmp(data, read, bytes) == 0, "content of a new buffer");
    mcl_buffer_release(made);
}

/* Releases a buffer while its queue works on it. */
static void call_early_release(worker *w)
{
    int32_t read = 0;
    mcl_buffer *made = NULL;
    const int32_t value = (int32_t)draw(w, 1 << 20);
    DO(mcl_buffer_create(w->crowd->context, COUNT * sizeof value, NULL, &made));
    if (is_ok(w, mcl_buffer_fill(w->queue, made, 0, COUNT * sizeof value, &value, sizeof value), "fill"))
        (void)is_ok(w, mcl_buffer_copy(w->queue, made, 0, w->a, 0, COUNT * sizeof value), "copy");
    mcl_buffer_release(made);
    DO(mcl_buffer_read(w->queue, w->a, (COUNT - 1) * sizeof read, sizeof read, &read));
    expect(w, read == value, "content of a buffer that was released");
}

static void call_trim(worker *w)
{
    DO(mcl_context_trim_memory(w->crowd->context, (int64_t)draw(w, 1 << 16)));
}

static void call_limit_memory(worker *w)
{
    DO(mcl_context_set_memory_cache(w->crowd->context, (int64_t)draw(w, 3) << 20));
}

static void call_statistics(worker *w)
{
    mcl_memory_statistics statistics;
    DO(mcl_context_memory(w->crowd->context, &statistics));
    expect(w, statistics.blocks_in_use >= 1 && statistics.bytes_peak >= COUNT * (int64_t)sizeof(int32_t), "statistics");
}

/* Tries to change the allocator, which fails while memory of the present one is in use. */
static void call_allocator(worker *w)
{
    const mcl_status status = mcl_context_set_allocator(w->crowd->context, mcl_allocator_simple());
    expect(w, status == MCL_ERROR_ARGUMENT, "status of an allocator that comes too late");
}

/* ---- queues, events, contexts ----------------------------------------------------------------------------------- */

static void letter_release(letter *released)
{
    mcl_event_release(released->event);
    mcl_buffer_release(released->buffer);
}

static void call_post(worker *w)
{
    crowd *const all = w->crowd;
    letter made = { .value = (int32_t)draw(w, 1 << 20) };
    DO(mcl_buffer_create(all->context, COUNT * sizeof made.value, NULL, &made.buffer));
    if (!is_ok(w, mcl_buffer_fill(w->queue, made.buffer, 0, COUNT * sizeof made.value, &made.value, 4), "fill") ||
        !is_ok(w, mcl_event_record(w->queue, &made.event), "event")) {
        letter_release(&made);
        return;
    }
    (void)pthread_mutex_lock(&all->lock);
    letter earlier = all->posted;
    all->posted = made;
    (void)pthread_mutex_unlock(&all->lock);
    letter_release(&earlier);
}

static void call_take(worker *w)
{
    crowd *const all = w->crowd;
    int32_t read[COUNT];
    (void)pthread_mutex_lock(&all->lock);
    letter taken = all->posted;
    if (taken.event) {
        (void)is_ok(w, mcl_event_retain(taken.event), "retain of an event");
        (void)is_ok(w, mcl_buffer_retain(taken.buffer), "retain of a buffer");
    }
    (void)pthread_mutex_unlock(&all->lock);
    if (!taken.event) return;
    if (is_ok(w, mcl_queue_wait(w->queue, &taken.event, 1), "wait for an event") &&
        is_ok(w, mcl_buffer_copy(w->queue, taken.buffer, 0, w->b, 0, sizeof read), "copy") &&
        is_ok(w, mcl_buffer_read(w->queue, w->b, 0, sizeof read, read), "read"))
        for (int k = 0; k < COUNT; ++k) expect(w, read[k] == taken.value, "data of another thread");
    (void)is_ok(w, mcl_event_wait(taken.event), "event of another thread");
    letter_release(&taken);
}

static void call_queue(worker *w)
{
    mcl_queue *made = NULL;
    int32_t sum = 0;
    DO(mcl_queue_create(w->crowd->context, draw(w, 2) ? MCL_QUEUE_PROFILING : 0, &made));
    if (is_ok(w, mcl_reduce(made, shared_ints(w), MCL_ADD, mcl_to_host(MCL_INT32, &sum), &tile), "reduce"))
        expect(w, sum == COUNT * (COUNT - 1) / 2, "sum on a new queue");
    mcl_queue_release(made);
}

static void call_async(worker *w)
{
    int32_t data[COUNT];
    int32_t read[COUNT];
    mcl_event *done = NULL;
    for (int k = 0; k < COUNT; ++k) data[k] = (int32_t)draw(w, 1 << 20);
    DO(mcl_buffer_write_async(w->queue, w->a, 0, sizeof data, data, NULL));
    if (is_ok(w, mcl_buffer_read_async(w->queue, w->a, 0, sizeof read, read, &done), "read without waiting") &&
        is_ok(w, mcl_event_wait(done), "event of a read"))
        expect(w, memcmp(data, read, sizeof read) == 0, "read without waiting");
    (void)is_ok(w, mcl_queue_finish(w->queue), "finish");
    mcl_event_release(done);
}

static void call_prepare(worker *w)
{
    mcl_queue *made = NULL;
    DO(mcl_queue_create_preparing(w->crowd->context, &made));
    (void)is_ok(w, mcl_merge(made, shared_ints(w), shared_ints(w), ints_out(w->b, 2 * COUNT), MCL_GREATER, &tile),
                "prepared merge");
    mcl_queue_release(made);
}

static void call_retain(worker *w)
{
    DO(mcl_context_retain(w->crowd->context));
    if (is_ok(w, mcl_buffer_retain(w->crowd->shared), "retain of a buffer")) mcl_buffer_release(w->crowd->shared);
    mcl_context_release(w->crowd->context);
}

static void call_context(worker *w)
{
    mcl_device_info info;
    mcl_context *made = NULL;
    DO(mcl_context_info(w->crowd->context, &info));
    DO(mcl_context_create(info.id, &made));
    mcl_context_release(made);
}

/* ---- what a context is asked ------------------------------------------------------------------------------------ */

static void call_ask(worker *w)
{
    mcl_device_info info;
    int threads = 0, items = 0, count = 0;
    DO(mcl_context_info(w->crowd->context, &info));
    DO(mcl_context_tile(w->crowd->context, "merge", sizeof(int32_t), &threads, &items));
    expect(w, threads >= 1 && items >= 1, "tile");
    DO(mcl_device_list(NULL, 0, &count));
    expect(w, count >= 1, "count of devices");
}

static void call_load_tuning(worker *w)
{
    DO(mcl_context_load_tuning(w->crowd->context, w->crowd->rows));
}

/* Fails. The sentence of a failure belongs to its thread. */
static void call_fail(worker *w)
{
    char expected[32];
    const int count = -1000 - w->number;
    expect(w, mcl_queue_wait(w->queue, NULL, count) == MCL_ERROR_ARGUMENT, "status of a bad call");
    (void)snprintf(expected, sizeof expected, "%d", count);
    expect(w, strstr(mcl_last_error(), expected) != NULL, "sentence");
}

static void hear(mcl_status status, const char *sentence, void *user)
{
    (void)status;
    (void)sentence;
    atomic_fetch_add((atomic_long *)user, 1);
}

static atomic_long heard[2];

static void call_log(worker *w)
{
    const uint32_t number = draw(w, 3);
    mcl_log_set(number < 2 ? hear : NULL, number < 2 ? &heard[number] : NULL);
}

static void (*const kinds[])(worker *) = {
    call_transform, call_reduce,       call_scan,        call_merge,     call_sort,
    call_compact,   call_new_text,     call_map,         call_buffers,   call_early_release,
    call_trim,      call_limit_memory, call_statistics,  call_allocator, call_post,
    call_take,      call_queue,        call_async,       call_prepare,   call_retain,
    call_context,   call_ask,          call_load_tuning, call_fail,      call_log,
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* ---- the threads ------------------------------------------------------------------------------------------------ */

static int is_over(const crowd *all)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > all->end.tv_sec || (now.tv_sec == all->end.tv_sec && now.tv_nsec >= all->end.tv_nsec);
}

static void *work(void *argument)
{
    worker *const w = argument;
    crowd *const all = w->crowd;
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32 };
    if (is_ok(w, mcl_queue_create(all->context, 0, &w->queue), "queue") &&
        is_ok(w, mcl_buffer_create(all->context, COUNT * sizeof(int32_t), NULL, &w->a), "buffer") &&
        is_ok(w, mcl_buffer_create(all->context, 2 * COUNT * sizeof(int32_t), NULL, &w->b), "buffer") &&
        is_ok(w, mcl_map_create(all->context, &config, &w->map), "map"))
        for (; !w->wrong[0] && !atomic_load(&all->stopped) && !is_over(all); ++w->calls) kinds[draw(w, KINDS)](w);
    if (w->wrong[0]) atomic_store(&all->stopped, 1);
    mcl_map_release(w->map);
    mcl_buffer_release(w->a);
    mcl_buffer_release(w->b);
    mcl_queue_release(w->queue);
    return NULL;
}

static void run_crowd(int device, mcl_context *context, const char *rows)
{
    static worker workers[THREADS];
    crowd all = { .context = context, .rows = rows, .lock = PTHREAD_MUTEX_INITIALIZER };
    int32_t data[COUNT];
    mcl_memory_statistics statistics;
    long calls = 0;

    for (int k = 0; k < COUNT; ++k) data[k] = k;
    test_ok(mcl_buffer_create(context, sizeof data, data, &all.shared));
    (void)clock_gettime(CLOCK_MONOTONIC, &all.end);
    all.end.tv_sec += test_is_small() ? SECONDS_SMALL : SECONDS;
    memset(workers, 0, sizeof workers);
    for (int k = 0; k < THREADS; ++k) {
        workers[k].crowd = &all;
        workers[k].number = k;
        workers[k].random = (uint64_t)k * 977 + 1;
        ck_assert_int_eq(pthread_create(&workers[k].thread, NULL, work, &workers[k]), 0);
    }
    for (int k = 0; k < THREADS; ++k) ck_assert_int_eq(pthread_join(workers[k].thread, NULL), 0);
    mcl_log_set(NULL, NULL);
    for (int k = 0; k < THREADS; ++k) {
        ck_assert_msg(!workers[k].wrong[0], "%s", workers[k].wrong);
        calls += workers[k].calls;
    }
    letter_release(&all.posted);
    mcl_buffer_release(all.shared);
    test_ok(mcl_context_memory(context, &statistics));
    ck_assert_int_eq(statistics.blocks_in_use, 0);
    ck_assert_int_eq(statistics.bytes_in_use, 0);
    ck_assert_int_ge(calls, THREADS);
    printf("threads_stress: device %s, %ld calls\n", test_device_at(device)->info.id, calls);
}

/* Returns 1 for Oclgrind, which simulates one device for one thread at a time. */
static int skips(int device, const char *what)
{
    if (strcmp(test_device_at(device)->info.vendor, "Oclgrind") != 0) return 0;
    return test_skip(device, what, "its driver is not safe for threads");
}

START_TEST(eight_threads_share_all_that_may_be_shared)
{
    static const char rows[] = "merge \"\" any 1 512\nmap \"cpu\" any 1 256\n";
    folder f;
    char path[FOLDER_PATH_BYTES + 16];

    if (skips(_i, "eight_threads_share_all_that_may_be_shared")) return;
    folder_make(&f);
    folder_file(&f, "rows", path, sizeof path);
    file_write(path, rows, sizeof rows - 1);
    mcl_context *context = test_context(_i);
    run_crowd(_i, context, path);
    mcl_context_release(context);
    folder_remove(&f);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, eight_threads_share_all_that_may_be_shared, device);
}

int main(void)
{
    return test_main("threads_stress", add);
}
