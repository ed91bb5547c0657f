/* test_live_objects.c: the number of driver objects does not grow over calls that make queues and maps. A layer before
 * the driver counts them after every few hundred rounds, and so does a fake device. */
#include "support/fake_memory.h"
#include "support/faults.h"
#include "support/sampler.h"

#include <moderncl/opencl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 500, SIZES = 16, ROUNDS = 300, CHECKS = 4 };

static const char *device = "opencl";

typedef struct bench {
    mcl_context *context;
    mcl_queue *queue; /* queue that exists all the time */
    mcl_buffer *keys;
} bench;

static void start(bench *b)
{
    int32_t keys[KEYS];

    for (int k = 0; k < KEYS; k++) keys[k] = k;
    test_ok(mcl_context_create(device, &b->context));
    test_ok(mcl_queue_create(b->context, 0, &b->queue));
    test_ok(mcl_buffer_create(b->context, sizeof keys, keys, &b->keys));
}

static void end(bench *b)
{
    mcl_buffer_release(b->keys);
    mcl_queue_release(b->queue);
    mcl_context_release(b->context);
    ck_assert_str_eq(fault_balance(), "");
}

/* Makes a queue and a map, on which both queues work. The lasting queue's work need not be done when the map is
 * released. */
static void round_of_calls(const bench *b, int64_t count)
{
    const mcl_input keys = mcl_from_buffer(MCL_INT32, b->keys, 0, count);
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 2 * count };
    mcl_queue *queue = NULL;
    mcl_map *map = NULL;

    test_ok(mcl_queue_create(b->context, 0, &queue));
    test_ok(mcl_map_create(b->context, &config, &map));
    test_ok(mcl_map_insert(queue, map, keys, keys, NULL));
    test_ok(mcl_queue_finish(queue));
    test_ok(mcl_map_insert_or_assign(b->queue, map, keys, keys, NULL));
    mcl_map_release(map);
    mcl_queue_release(queue);
}

/* Checks that only the lasting driver objects exist, and the blocks that the context knows. */
static void check_live(const bench *b, const char *when)
{
    mcl_memory_statistics memory;

    test_ok(mcl_context_memory(b->context, &memory));
    ck_assert_msg(fault_live(FAULT_EVENT) == 0, "%s: %ld events are live", when, fault_live(FAULT_EVENT));
    ck_assert_msg(fault_live(FAULT_QUEUE) == 1, "%s: %ld queues are live", when, fault_live(FAULT_QUEUE));
    ck_assert_int_eq(fault_live(FAULT_MEMORY), memory.blocks_in_use + memory.blocks_cached);
}

/* The host runs ahead of the device. */
START_TEST(events_and_queues_go_with_the_work_that_they_stand_for)
{
    bench b = { 0 };

    start(&b);
    for (int check = 0; check < CHECKS; check++) {
        for (int k = 0; k < ROUNDS; k++) round_of_calls(&b, 1 + (k * 37 + check) % KEYS);
        test_ok(mcl_queue_finish(b.queue));
        check_live(&b, "after a finish");
    }
    end(&b);
}
END_TEST

/* The cache keeps no more blocks of a size than were in use at one time. */
START_TEST(kept_blocks_do_not_grow_in_number)
{
    bench b = { 0 };
    long live = 0;

    start(&b);
    for (int check = 0; check < CHECKS; check++) {
        for (int k = 0; k < ROUNDS; k++) {
            round_of_calls(&b, 1 + (k % SIZES) * (KEYS / SIZES));
            test_ok(mcl_queue_finish(b.queue));
        }
        check_live(&b, "after rounds that finish");
        if (check == 0) live = fault_live(FAULT_MEMORY);
        ck_assert_int_eq(fault_live(FAULT_MEMORY), live);
    }
    end(&b);
}
END_TEST

/* A block may be kept for long, but not the driver's event for waiting for it. */
START_TEST(a_mark_goes_once_its_queue_has_passed_it)
{
    enum { BLOCKS = 100, DONE = 60 };
    mcl_context *context = fake_context_open((int64_t)1 << 30);
    mcl_queue *queue = NULL;
    mcl_buffer *buffers[BLOCKS + 1];

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k <= BLOCKS; k++) test_ok(mcl_buffer_create(context, 1000, NULL, &buffers[k]));
    for (int k = 0; k < BLOCKS; k++) {
        atomic_fetch_add(&queue->work, 1);
        mcl_buffer_release(buffers[k]);
    }
    ck_assert_int_eq(driver.events, BLOCKS);
    ((fake_queue *)queue)->done = DONE;
    mcl_buffer_release(buffers[BLOCKS]);
    ck_assert_int_eq(driver.events, BLOCKS - DONE);
    test_ok(mcl_queue_finish(queue));
    ck_assert_int_eq(driver.events, 0);
    ck_assert_int_eq(driver.blocks, BLOCKS + 1);
    mcl_queue_release(queue);
    mcl_context_release(context);
    ck_assert_int_eq(driver.blocks, 0);
}
END_TEST

static int has_device(void)
{
    const char *const wanted = getenv("MCL_TEST_DEVICE");
    mcl_context *context = NULL;

    if (wanted && strncmp(wanted, "opencl", 6) == 0) device = wanted;
    if (mcl_context_create(device, &context) != MCL_OK) return 0;
    mcl_context_release(context);
    return 1;
}

int main(void)
{
    if (mcl_opencl_loader_set(fault_opencl_load, NULL) != MCL_OK) return EXIT_FAILURE;
    Suite *suite = suite_create("live_objects");
    TCase *tcase = tcase_create("counts");

    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, a_mark_goes_once_its_queue_has_passed_it);
    if (has_device()) {
        tcase_add_test(tcase, events_and_queues_go_with_the_work_that_they_stand_for);
        tcase_add_test(tcase, kept_blocks_do_not_grow_in_number);
    } else {
        fprintf(stderr, "skipped: a driver's objects (%s)\n", mcl_last_error());
    }
    return test_run(suite, CK_NOFORK);
}
