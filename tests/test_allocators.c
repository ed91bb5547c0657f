/* test_allocators.c: the cache of blocks, and allocators that replace it, on a fake device. */
#define _POSIX_C_SOURCE 200809L /* fork */
#include "support/fake_memory.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KIB = 1024, MIB = 1024 * 1024 };

/* Closes the context, and checks that the driver got everything back. */
static void close_context(mcl_context *context)
{
    mcl_context_release(context);
    ck_assert_int_eq(driver.contexts, 0);
    ck_assert_int_eq(driver.blocks, 0);
    ck_assert_int_eq(driver.bytes, 0);
    ck_assert_int_eq(driver.events, 0);
}

static mcl_buffer *make(mcl_context *context, size_t bytes)
{
    mcl_buffer *buffer = NULL;

    test_ok(mcl_buffer_create(context, bytes, NULL, &buffer));
    return buffer;
}

static void make_and_release(mcl_context *context, size_t bytes)
{
    mcl_buffer_release(make(context, bytes));
}

static mcl_memory_statistics statistics(mcl_context *context)
{
    mcl_memory_statistics now;

    test_ok(mcl_context_memory(context, &now));
    return now;
}

/* Makes a buffer of bytes, and returns 1 where the cache has served it. The buffer is released if keep is NULL. */
static int is_hit(mcl_context *context, size_t bytes, mcl_buffer **keep)
{
    const mcl_memory_statistics before = statistics(context);
    mcl_buffer *buffer = make(context, bytes);
    const mcl_memory_statistics after = statistics(context);

    ck_assert_int_eq(after.allocations, before.allocations + 1);
    ck_assert_int_eq(after.cache_hits - before.cache_hits + after.driver_calls - before.driver_calls, 1);
    if (keep)
        *keep = buffer;
    else
        mcl_buffer_release(buffer);
    return after.cache_hits > before.cache_hits;
}

static mcl_queue *make_queue(mcl_context *context)
{
    mcl_queue *queue = NULL;

    test_ok(mcl_queue_create(context, 0, &queue));
    return queue;
}

static void enqueue(mcl_queue *queue)
{
    atomic_fetch_add(&queue->work, 1);
}

/* ---- what is kept ---------------------------------------------------------------------------------------------- */

START_TEST(a_released_block_serves_the_next_request_of_its_size)
{
    mcl_context *context = fake_context_open(1024 * MIB);

    ck_assert_int_eq(is_hit(context, 100000, NULL), 0);
    ck_assert_int_eq(is_hit(context, 100000, NULL), 1);
    ck_assert_int_eq(is_hit(context, 99000, NULL), 1);
    ck_assert_int_eq(is_hit(context, 80000, NULL), 1);
    ck_assert_int_eq(is_hit(context, 50000, NULL), 0); /* half of the cached block would be unused */
    ck_assert_int_eq(is_hit(context, 130000, NULL), 0);
    ck_assert_int_eq(driver.blocks, 3);
    close_context(context);
}
END_TEST

START_TEST(blocks_are_larger_than_asked_by_an_eighth_at_most)
{
    mcl_context *context = fake_context_open((int64_t)1 << 50);
    const size_t least = 256;
    int different = 0;

    for (size_t bytes = 1; bytes < (size_t)1 << 36; bytes += bytes / 9 + 1) {
        const size_t before = driver.last_bytes;
        make_and_release(context, bytes);
        test_ok(mcl_context_trim_memory(context, 0));
        ck_assert_uint_ge(driver.last_bytes, bytes);
        ck_assert_uint_le(driver.last_bytes, bytes < least ? least : bytes + bytes / 8);
        different += driver.last_bytes != before;
    }
    ck_assert_int_gt(different, 150); /* about eight sizes of each octave */
    close_context(context);
}
END_TEST

START_TEST(the_numbers_say_what_is_in_use_and_what_is_kept)
{
    mcl_context *context = fake_context_open(80 * MIB);
    mcl_memory_statistics now = statistics(context);

    ck_assert_int_eq(now.cache_capacity, 10 * MIB);
    mcl_buffer *a = make(context, 1000);
    mcl_buffer *b = make(context, 3000);
    mcl_buffer_release(a);
    now = statistics(context);
    ck_assert_int_eq(now.bytes_in_use, 3000);
    ck_assert_int_eq(now.blocks_in_use, 1);
    ck_assert_int_eq(now.bytes_peak, 4000);
    ck_assert_int_eq(now.blocks_cached, 1);
    ck_assert_int_eq(now.bytes_cached, 1024);
    ck_assert_int_eq(now.bytes_cached + 3072, driver.bytes);
    ck_assert_int_eq(now.driver_calls, 2);
    ck_assert_int_eq(now.driver_releases, 0);
    a = make(context, 1001);
    now = statistics(context);
    ck_assert_int_eq(now.cache_hits, 1);
    ck_assert_int_eq(now.allocations, 3);
    ck_assert_int_eq(now.blocks_cached, 0);
    ck_assert_int_eq(now.bytes_cached, 0);
    mcl_buffer_release(a);
    mcl_buffer_release(b);
    test_ok(mcl_context_trim_memory(context, 0));
    now = statistics(context);
    ck_assert_int_eq(now.driver_releases, now.driver_calls);
    ck_assert_int_eq(driver.blocks, 0);
    close_context(context);
}
END_TEST

/* ---- what goes ------------------------------------------------------------------------------------------------- */

START_TEST(the_least_recently_released_goes_first)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    mcl_buffer *buffers[4];

    for (int k = 0; k < 4; k++) buffers[k] = make(context, (size_t)(k + 8) * KIB); /* one buffer of each size */
    mcl_buffer_release(buffers[2]);
    for (int k = 0; k < 30; k++) make_and_release(context, 64 * KIB); /* such near sizes do not outweigh this time */
    mcl_buffer_release(buffers[0]);
    mcl_buffer_release(buffers[1]);
    mcl_buffer_release(buffers[3]);
    test_ok(mcl_context_trim_memory(context, (8 + 9 + 11 + 64) * KIB));
    ck_assert_int_eq(statistics(context).blocks_cached, 4);
    ck_assert_int_eq(is_hit(context, 11 * KIB, &buffers[3]), 1);
    ck_assert_int_eq(is_hit(context, 9 * KIB, &buffers[1]), 1);
    ck_assert_int_eq(is_hit(context, 8 * KIB, &buffers[0]), 1);
    ck_assert_int_eq(is_hit(context, 10 * KIB, &buffers[2]), 0);
    for (int k = 0; k < 4; k++) mcl_buffer_release(buffers[k]);
    close_context(context);
}
END_TEST

START_TEST(a_large_block_goes_before_a_small_one_of_about_the_same_time)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    mcl_buffer *small = make(context, 16 * KIB);
    mcl_buffer *large = make(context, 16 * MIB);

    mcl_buffer_release(small);
    mcl_buffer_release(large);
    test_ok(mcl_context_trim_memory(context, 16 * MIB));
    ck_assert_int_eq(statistics(context).bytes_cached, 16 * KIB);
    /* ten octaves are 80 releases, after which the small block is the older one */
    make_and_release(context, 16 * KIB);
    for (int k = 0; k < 100; k++) make_and_release(context, 256);
    make_and_release(context, 16 * MIB);
    test_ok(mcl_context_trim_memory(context, 16 * MIB + 256));
    ck_assert_int_eq(statistics(context).bytes_cached, 16 * MIB + 256);
    close_context(context);
}
END_TEST

START_TEST(the_capacity_holds_and_a_request_makes_room_for_itself)
{
    mcl_context *context = fake_context_open(1024 * MIB);

    test_ok(mcl_context_set_memory_cache(context, 96 * KIB));
    mcl_buffer *a = make(context, 64 * KIB);
    mcl_buffer *b = make(context, 64 * KIB);
    mcl_buffer_release(a);
    mcl_buffer_release(b);
    ck_assert_int_eq(statistics(context).bytes_cached, 64 * KIB);
    ck_assert_int_eq(driver.bytes, 64 * KIB);
    mcl_buffer *c = make(context, 32 * KIB); /* 96 KiB in all, which just fits */
    ck_assert_int_eq(statistics(context).bytes_cached, 64 * KIB);
    mcl_buffer *d = make(context, 40 * KIB); /* 104 KiB in all, which does not fit */
    ck_assert_int_eq(statistics(context).bytes_cached, 0);
    mcl_buffer_release(c);
    mcl_buffer_release(d);
    ck_assert_int_eq(statistics(context).bytes_cached, 72 * KIB);
    make_and_release(context, 101 * KIB); /* more bytes than the cache ever keeps */
    ck_assert_int_eq(statistics(context).bytes_cached, 0);
    make_and_release(context, 90 * KIB); /* its block is of 96 KiB */
    ck_assert_int_eq(statistics(context).bytes_cached, 96 * KIB);
    test_ok(mcl_context_set_memory_cache(context, 10 * KIB));
    ck_assert_int_eq(statistics(context).bytes_cached, 0);
    ck_assert_int_eq(driver.blocks, 0);
    close_context(context);
}
END_TEST

START_TEST(what_is_kept_and_in_use_is_never_more_than_the_device_has)
{
    mcl_context *context = fake_context_open(100 * KIB);

    test_ok(mcl_context_set_memory_cache(context, MIB));
    make_and_release(context, 64 * KIB);
    mcl_buffer *small = make(context, 16 * KIB);
    ck_assert_int_eq(statistics(context).bytes_cached, 64 * KIB);
    mcl_buffer *large = make(context, 24 * KIB); /* 104 KiB in all */
    ck_assert_int_eq(statistics(context).bytes_cached, 0);
    mcl_buffer_release(small);
    mcl_buffer_release(large);
    close_context(context);
}
END_TEST

START_TEST(without_capacity_blocks_are_exact_and_go_at_once)
{
    mcl_context *context = fake_context_open(1024 * MIB);

    test_ok(mcl_context_set_memory_cache(context, 0));
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(is_hit(context, 12345, NULL), 0);
        ck_assert_uint_eq(driver.last_bytes, 12345);
        ck_assert_int_eq(driver.blocks, 0);
    }
    close_context(context);
}
END_TEST

START_TEST(memory_that_runs_out_is_looked_for_in_the_cache)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    mcl_queue *queue = make_queue(context);
    mcl_buffer *kept = make(context, 60 * KIB);
    mcl_buffer *buffer = NULL;

    driver.limit = 100 * KIB;
    mcl_buffer *used = make(context, 30 * KIB);
    enqueue(queue);
    mcl_buffer_release(kept); /* the block is in use until the queue is done */
    ck_assert_int_eq(driver.bytes, 90 * KIB);
    buffer = make(context, 40 * KIB);
    ck_assert_int_eq(driver.waits, 1);
    ck_assert_int_eq(driver.bytes, 70 * KIB);
    ck_assert_int_eq(statistics(context).driver_releases, 1);
    mcl_buffer_release(buffer);
    /* a size that would be too large when rounded up is allocated unrounded */
    buffer = make(context, 70 * KIB - 10);
    ck_assert_uint_eq(driver.last_bytes, 70 * KIB - 10);
    mcl_buffer_release(buffer);
    ck_assert_int_eq(statistics(context).blocks_cached, 0);
    test_fails(mcl_buffer_create(context, 71 * KIB, NULL, &buffer), MCL_ERROR_MEMORY, "fake|no room");
    ck_assert_int_eq(statistics(context).blocks_in_use, 1);
    test_ok(mcl_buffer_create(context, 1 * KIB, NULL, &buffer));
    mcl_buffer_release(buffer);
    mcl_buffer_release(used);
    mcl_queue_release(queue);
    close_context(context);
}
END_TEST

/* ---- work that still uses a block ------------------------------------------------------------------------------ */

START_TEST(a_block_in_use_by_any_queue_is_not_handed_out)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    mcl_queue *first = make_queue(context);
    mcl_queue *second = make_queue(context);
    mcl_buffer *buffer = make(context, 5000);
    mcl_buffer *other = NULL;

    enqueue(first);
    enqueue(second);
    mcl_buffer_release(buffer);
    ck_assert_int_eq(driver.events, 2);
    ck_assert_int_eq(is_hit(context, 5000, &other), 0);
    ((fake_queue *)first)->done = 1;
    enqueue(first); /* later work does not delay the block */
    ck_assert_int_eq(is_hit(context, 5000, &buffer), 0);
    mcl_buffer_release(buffer);
    ((fake_queue *)second)->done = 1;
    ck_assert_int_eq(is_hit(context, 5000, &buffer), 1);
    ck_assert_int_eq(statistics(context).blocks_cached, 1);
    ck_assert_int_eq(is_hit(context, 5000, NULL), 0); /* the block that was released after first's second command */
    mcl_buffer_release(buffer);
    mcl_buffer_release(other);
    mcl_queue_release(first);
    mcl_queue_release(second);
    ck_assert_int_eq(driver.events, 0);
    close_context(context);
}
END_TEST

START_TEST(a_queue_that_is_finished_or_gone_holds_nothing_back)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    mcl_queue *queue = make_queue(context);
    mcl_buffer *buffer = make(context, 5000);

    enqueue(queue);
    test_ok(mcl_queue_finish(queue));
    mcl_buffer_release(buffer);
    ck_assert_int_eq(driver.events, 0);
    ck_assert_int_eq(is_hit(context, 5000, &buffer), 1);
    enqueue(queue);
    mcl_buffer_release(buffer);
    ck_assert_int_eq(driver.events, 1);
    mcl_queue_release(queue);
    ck_assert_int_eq(driver.events, 0);
    ck_assert_int_eq(is_hit(context, 5000, NULL), 1);
    close_context(context);
}
END_TEST

START_TEST(blocks_released_together_share_a_mark)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    mcl_queue *queue = make_queue(context);
    mcl_buffer *buffers[5];

    for (int k = 0; k < 5; k++) buffers[k] = make(context, 5000);
    enqueue(queue);
    for (int k = 0; k < 4; k++) mcl_buffer_release(buffers[k]);
    ck_assert_int_eq(driver.events, 1);
    enqueue(queue);
    mcl_buffer_release(buffers[4]);
    ck_assert_int_eq(driver.events, 2);
    ((fake_queue *)queue)->done = 1;
    for (int k = 0; k < 4; k++) ck_assert_int_eq(is_hit(context, 5000, &buffers[k]), 1);
    ck_assert_int_eq(is_hit(context, 5000, NULL), 0);
    for (int k = 0; k < 4; k++) mcl_buffer_release(buffers[k]);
    mcl_queue_release(queue);
    close_context(context);
}
END_TEST

START_TEST(memory_of_one_queue_is_had_again_behind_its_own_work)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    mcl_queue *queue = make_queue(context);
    mcl_queue *other = make_queue(context);
    mcl_buffer *first = NULL;
    mcl_buffer *second = NULL;

    test_ok(mcl__buffer_create_for(queue, 5000, &first));
    enqueue(queue);
    enqueue(other); /* the queue other does not use the block */
    mcl_buffer_release(first);
    ck_assert_int_eq(is_hit(context, 5000, &second), 0);
    mcl_buffer_release(second); /* released after the work of both queues */
    test_ok(mcl__buffer_create_for(queue, 5000, &first));
    ck_assert_int_eq(statistics(context).cache_hits, 1);
    test_ok(mcl__buffer_create_for(queue, 5000, &second));
    ck_assert_int_eq(statistics(context).cache_hits, 1);
    mcl_buffer_release(first);
    mcl_buffer_release(second);
    mcl_queue_release(queue);
    mcl_queue_release(other);
    close_context(context);
}
END_TEST

START_TEST(a_block_whose_handle_is_known_outside_is_not_kept)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    mcl_buffer *buffer = make(context, 5000);

    atomic_store(&buffer->exposed, 1);
    mcl_buffer_release(buffer);
    ck_assert_int_eq(driver.blocks, 0);
    ck_assert_int_eq(statistics(context).blocks_cached, 0);
    close_context(context);
}
END_TEST

/* ---- other allocators ------------------------------------------------------------------------------------------ */

START_TEST(the_simple_allocator_asks_the_driver_each_time)
{
    mcl_context *context = fake_context_open(1024 * MIB);

    make_and_release(context, 5000);
    ck_assert_int_eq(driver.blocks, 1);
    test_ok(mcl_context_set_allocator(context, mcl_allocator_simple()));
    ck_assert_int_eq(driver.blocks, 0); /* the blocks of the cache are released */
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(is_hit(context, 5000, NULL), 0);
        ck_assert_uint_eq(driver.last_bytes, 5000);
        ck_assert_int_eq(driver.blocks, 0);
    }
    test_ok(mcl_context_set_allocator(context, NULL));
    make_and_release(context, 5000);
    ck_assert_int_eq(is_hit(context, 5000, NULL), 1);
    close_context(context);
}
END_TEST

static int taken_back;

static mcl_status own_allocate(void *user, mcl_context *context, size_t bytes, uintptr_t *block)
{
    return mcl_block_create(context, bytes + *(size_t *)user, block);
}

static void own_release(void *user, mcl_context *context, uintptr_t block, size_t bytes)
{
    for (const mcl_queue *queue = context->queues; queue; queue = queue->next)
        ck_assert_int_eq(((const fake_queue *)queue)->done, queue->work);
    ck_assert_uint_eq(*(size_t *)block, bytes + *(size_t *)user);
    taken_back++;
    mcl_block_release(context, block);
}

START_TEST(the_callers_allocator_gets_blocks_back_once_all_queues_are_done)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    size_t more = 77;
    const mcl_allocator own = { &more, own_allocate, own_release };
    mcl_queue *queue = make_queue(context);

    test_ok(mcl_context_set_allocator(context, &own));
    mcl_buffer *buffer = make(context, 5000);
    ck_assert_uint_eq(driver.last_bytes, 5077);
    enqueue(queue);
    mcl_buffer_release(buffer);
    ck_assert_int_eq(taken_back, 1);
    mcl_queue_release(queue);
    close_context(context);
}
END_TEST

/* Fails without a sentence, or after a failure of the library, as a test chooses. */
static mcl_status failing_allocate(void *user, mcl_context *context, size_t bytes, uintptr_t *block)
{
    const int wanted = *(const int *)user;
    return wanted == MCL_ERROR_ARGUMENT ? mcl_block_create(context, bytes * 0, block) : (mcl_status)wanted;
}

START_TEST(a_callers_allocator_that_fails_gets_a_sentence_of_its_own)
{
    static const int returned[] = { MCL_ERROR_MEMORY, MCL_ERROR_DEVICE, 12, MCL_OK, MCL_ERROR_ARGUMENT };
    static const char *const parts[] = { "returned MCL_ERROR_MEMORY", "returned MCL_ERROR_DEVICE", "returned 12",
                                         "returned MCL_OK and block 0", "mcl_buffer_create: bytes is 0" };
    mcl_context *context = fake_context_open(1024 * MIB);
    int wanted;
    const mcl_allocator own = { &wanted, failing_allocate, own_release };
    mcl_buffer *buffer = NULL;
    test_ok(mcl_context_set_allocator(context, &own));
    for (int k = 0; k < 5; k++) {
        wanted = returned[k];
        test_fails(mcl_context_trim_memory(context, -6), MCL_ERROR_ARGUMENT, "mcl_context_trim_memory");
        test_fails(mcl_buffer_create(context, 5000, NULL, &buffer), wanted < 0 ? (mcl_status)wanted : MCL_ERROR_MEMORY,
                   parts[k]);
    }
    close_context(context);
}
END_TEST

/* ---- errors, processes, threads -------------------------------------------------------------------------------- */

START_TEST(wrong_arguments_are_named)
{
    mcl_context *context = fake_context_open(1024 * MIB);

    test_fails(mcl_context_set_memory_cache(NULL, 1), MCL_ERROR_ARGUMENT, "mcl_context_set_memory_cache|context");
    test_fails(mcl_context_set_memory_cache(context, -5), MCL_ERROR_ARGUMENT,
               "mcl_context_set_memory_cache|bytes is -5|0 or more");
    test_fails(mcl_context_trim_memory(NULL, 1), MCL_ERROR_ARGUMENT, "mcl_context_trim_memory|context");
    test_fails(mcl_context_trim_memory(context, -6), MCL_ERROR_ARGUMENT,
               "mcl_context_trim_memory|bytes is -6|0 or more");
    test_fails(mcl_context_memory(context, NULL), MCL_ERROR_ARGUMENT, "mcl_context_memory|statistics");
    close_context(context);
}
END_TEST

/* Together with memory in use these bytes exceed 64 bits. */
START_TEST(a_block_of_all_bytes_that_there_can_be_is_refused)
{
    mcl_context *context = fake_context_open(80 * MIB);
    mcl_buffer *present = make(context, 1000);
    mcl_buffer *made = NULL;

    test_fails(mcl_buffer_create(context, INT64_MAX, NULL, &made), MCL_ERROR_MEMORY, "9223372036854775807 bytes");
    ck_assert_ptr_null(made);
    ck_assert_int_eq(statistics(context).bytes_in_use, 1000);
    ck_assert_int_eq(statistics(context).blocks_in_use, 1);
    mcl_buffer_release(present);
    close_context(context);
}
END_TEST

START_TEST(a_forked_child_leaves_the_driver_alone)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    mcl_buffer *buffer = make(context, 5000);
    int status = -1;

    make_and_release(context, 9000);
    const pid_t child = fork();
    if (child == 0) {
        const int blocks = driver.blocks;
        mcl_buffer_release(buffer);
        const int refused = mcl_context_trim_memory(context, 0) == MCL_ERROR_DEVICE &&
                            mcl_context_set_memory_cache(context, 0) == MCL_ERROR_DEVICE;
        mcl_context_release(context);
        _exit(refused && driver.blocks == blocks ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    mcl_buffer_release(buffer);
    close_context(context);
}
END_TEST

enum { THREADS = 4, ROUNDS = 4000, HELD = 8 };

static void *work(void *argument)
{
    mcl_context *context = argument;
    mcl_buffer *held[HELD] = { NULL };
    uint32_t random = (uint32_t)(uintptr_t)&held;

    for (int k = 0; k < ROUNDS; k++) {
        random = random * 1664525u + 1013904223u;
        mcl_buffer **place = &held[random >> 29];
        mcl_buffer_release(*place);
        *place = NULL;
        if (mcl_buffer_create(context, random >> 8 & 0xffff, NULL, place) != MCL_OK) return context;
    }
    for (int k = 0; k < HELD; k++) mcl_buffer_release(held[k]);
    return NULL;
}

START_TEST(threads_share_the_cache)
{
    mcl_context *context = fake_context_open(1024 * MIB);
    pthread_t threads[THREADS];

    test_ok(mcl_context_set_memory_cache(context, 300 * KIB));
    for (int k = 0; k < THREADS; k++) ck_assert_int_eq(pthread_create(&threads[k], NULL, work, context), 0);
    for (int k = 0; k < THREADS; k++) {
        void *failed = context;
        pthread_join(threads[k], &failed);
        ck_assert_ptr_null(failed);
    }
    const mcl_memory_statistics now = statistics(context);
    ck_assert_int_eq(now.blocks_in_use, 0);
    ck_assert_int_eq(now.bytes_in_use, 0);
    ck_assert_int_eq(now.cache_hits + now.driver_calls, now.allocations);
    ck_assert_int_gt(now.cache_hits, 100);
    ck_assert_int_eq(now.driver_calls - now.driver_releases, now.blocks_cached);
    ck_assert_int_eq(now.bytes_cached, driver.bytes);
    close_context(context);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, a_released_block_serves_the_next_request_of_its_size);
    tcase_add_test(tcase, blocks_are_larger_than_asked_by_an_eighth_at_most);
    tcase_add_test(tcase, the_numbers_say_what_is_in_use_and_what_is_kept);
    tcase_add_test(tcase, the_least_recently_released_goes_first);
    tcase_add_test(tcase, a_large_block_goes_before_a_small_one_of_about_the_same_time);
    tcase_add_test(tcase, the_capacity_holds_and_a_request_makes_room_for_itself);
    tcase_add_test(tcase, what_is_kept_and_in_use_is_never_more_than_the_device_has);
    tcase_add_test(tcase, without_capacity_blocks_are_exact_and_go_at_once);
    tcase_add_test(tcase, memory_that_runs_out_is_looked_for_in_the_cache);
    tcase_add_test(tcase, a_block_in_use_by_any_queue_is_not_handed_out);
    tcase_add_test(tcase, a_queue_that_is_finished_or_gone_holds_nothing_back);
    tcase_add_test(tcase, blocks_released_together_share_a_mark);
    tcase_add_test(tcase, memory_of_one_queue_is_had_again_behind_its_own_work);
    tcase_add_test(tcase, a_block_whose_handle_is_known_outside_is_not_kept);
    tcase_add_test(tcase, the_simple_allocator_asks_the_driver_each_time);
    tcase_add_test(tcase, a_callers_allocator_that_fails_gets_a_sentence_of_its_own);
    tcase_add_test(tcase, the_callers_allocator_gets_blocks_back_once_all_queues_are_done);
    tcase_add_test(tcase, wrong_arguments_are_named);
    tcase_add_test(tcase, a_block_of_all_bytes_that_there_can_be_is_refused);
    tcase_add_test(tcase, a_forked_child_leaves_the_driver_alone);
    tcase_add_test(tcase, threads_share_the_cache);
}

int main(void)
{
    return test_main_host("allocators", add);
}
