/* test_memory.c: the allocator interface, memory that runs out at every allocation, and scratch. */
#include "support/arrays.h"
#include "support/sampler.h"

#include <string.h>

/* An allocator that counts, and fails once when its budget is spent. */
typedef struct counting {
    int allocations;
    int releases;
    int64_t bytes;
    int fail_at; /* number, from 1, of the allocation that fails; 0: none */
} counting;

static mcl_status counting_allocate(void *user, mcl_context *context, size_t bytes, uintptr_t *block)
{
    counting *c = user;

    if (c->fail_at && c->allocations + 1 == c->fail_at) {
        c->fail_at = 0;
        return MCL_ERROR_MEMORY;
    }
    const mcl_status status = mcl_block_create(context, bytes, block);
    if (status != MCL_OK) return status;
    c->allocations++;
    c->bytes += (int64_t)bytes;
    return MCL_OK;
}

static void counting_release(void *user, mcl_context *context, uintptr_t block, size_t bytes)
{
    counting *c = user;

    c->releases++;
    c->bytes -= (int64_t)bytes;
    mcl_block_release(context, block);
}

/* The context whose memory is counted. All tests share it, since each new one would load all programs again. */
static struct {
    mcl_context *context;
    counting count;
} counted[16];

static mcl_context *counted_context(int device, counting **c)
{
    const mcl_allocator allocator = { &counted[device].count, counting_allocate, counting_release };

    *c = &counted[device].count;
    if (!counted[device].context) counted[device].context = test_context(device);
    test_ok(mcl_context_set_allocator(counted[device].context, &allocator));
    memset(*c, 0, sizeof **c);
    return counted[device].context;
}

START_TEST(all_memory_goes_through_the_allocator_and_comes_back)
{
    counting *c = NULL;
    mcl_context *context = counted_context(_i, &c);
    mcl_queue *queue = NULL;
    mcl_memory_statistics before;
    mcl_memory_statistics statistics;
    sampler s;

    test_ok(mcl_context_memory(context, &before));
    test_ok(sampler_create(context, &s));
    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < sampler_entry_count; k++)
        if (test_takes_half(k)) test_ok(sampler_entries[k].call(&s, queue, NULL));
    test_ok(mcl_context_memory(context, &statistics));
    ck_assert_int_ge(c->allocations, 5);
    ck_assert_int_eq(statistics.allocations - before.allocations, c->allocations);
    ck_assert_int_eq(statistics.blocks_in_use, c->allocations - c->releases);
    ck_assert_int_eq(statistics.bytes_in_use, c->bytes);
    ck_assert_int_ge(statistics.bytes_peak, statistics.bytes_in_use);
    sampler_free(&s);
    mcl_queue_release(queue);
    test_ok(mcl_context_memory(context, &statistics));
    ck_assert_int_eq(statistics.blocks_in_use, 0);
    ck_assert_int_eq(statistics.bytes_in_use, 0);
    ck_assert_int_eq(c->allocations, c->releases);
}
END_TEST

START_TEST(the_allocator_changes_only_while_it_has_nothing_out)
{
    counting *c = NULL;
    mcl_context *context = counted_context(_i, &c);
    mcl_allocator incomplete = { c, counting_allocate, NULL };
    mcl_buffer *buffer = NULL;

    test_fails(mcl_context_set_allocator(context, &incomplete), MCL_ERROR_ARGUMENT,
               "mcl_context_set_allocator|release");
    test_ok(mcl_buffer_create(context, 100, NULL, &buffer));
    ck_assert_int_eq(c->allocations, 1);
    test_fails(mcl_context_set_allocator(context, NULL), MCL_ERROR_ARGUMENT, "mcl_context_set_allocator|1");
    mcl_buffer_release(buffer);
    test_ok(mcl_context_set_allocator(context, NULL));
    test_ok(mcl_buffer_create(context, 100, NULL, &buffer));
    ck_assert_int_eq(c->allocations, 1);
    mcl_buffer_release(buffer);
}
END_TEST

/* Makes one primitive's calls on a new queue, and returns the status of the first failure. */
static mcl_status everything(sampler *s, int entry)
{
    mcl_queue *queue = NULL;
    mcl_status status = mcl_queue_create(s->context, 0, &queue);

    if (status == MCL_OK) status = sampler_entries[entry].call(s, queue, NULL);
    if (status == MCL_OK) status = mcl_queue_finish(queue);
    if (status == MCL_OK) status = mcl_queue_reserve(queue, (size_t)1 << 20);
    mcl_queue_release(queue);
    return status;
}

START_TEST(every_allocation_may_fail_once_and_nothing_is_lost)
{
    counting *c = NULL;
    mcl_context *context = counted_context(_i, &c);
    mcl_memory_statistics before;
    mcl_memory_statistics after;
    sampler s;

    test_ok(sampler_create(context, &s));
    test_ok(mcl_context_memory(context, &before));
    for (int entry = 0; entry < sampler_entry_count; entry++) {
        memset(c, 0, sizeof *c);
        test_status_is(everything(&s, entry), MCL_OK, sampler_entries[entry].name, __FILE__, __LINE__);
        const int points = c->allocations;
        ck_assert_int_ge(points, 1);
        for (int point = 1; point <= points; point++) {
            memset(c, 0, sizeof *c);
            c->fail_at = point;
            test_status_is(everything(&s, entry), MCL_ERROR_MEMORY, sampler_entries[entry].name, __FILE__, __LINE__);
            ck_assert_int_eq(c->allocations, c->releases);
            test_ok(mcl_context_memory(context, &after));
            ck_assert_int_eq(after.blocks_in_use, before.blocks_in_use);
            ck_assert_int_eq(after.bytes_in_use, before.bytes_in_use);
            test_status_is(everything(&s, entry), MCL_OK, sampler_entries[entry].name, __FILE__, __LINE__);
        }
    }
    sampler_free(&s);
}
END_TEST

START_TEST(a_buffer_or_map_that_gets_no_memory_leaves_nothing)
{
    counting *c = NULL;
    mcl_context *context = counted_context(_i, &c);
    sampler s;

    test_ok(sampler_create(context, &s));
    const int points = c->allocations;
    ck_assert_int_ge(points, 5);
    sampler_free(&s);
    for (int point = 1; point <= points; point++) {
        memset(c, 0, sizeof *c);
        c->fail_at = point;
        test_status_is(sampler_create(context, &s), MCL_ERROR_MEMORY, "sampler_create", __FILE__, __LINE__);
        ck_assert_int_eq(c->allocations, point - 1);
        ck_assert_int_eq(c->allocations, c->releases);
        test_ok(sampler_create(context, &s));
        sampler_free(&s);
    }
}
END_TEST

/* A queue works on after a call that got no scratch. */
START_TEST(the_next_call_on_the_queue_works_after_memory_ran_out)
{
    counting *c = NULL;
    mcl_context *context = counted_context(_i, &c);
    mcl_queue *queue = NULL;
    sampler s;

    test_ok(sampler_create(context, &s));
    test_ok(mcl_queue_create(context, 0, &queue));
    for (int entry = 0; entry < sampler_entry_count; entry++) {
        c->fail_at = c->allocations + 1;
        const mcl_status status = sampler_entries[entry].call(&s, queue, NULL);
        ck_assert_msg(status == MCL_OK || status == MCL_ERROR_MEMORY, "%s: %s", sampler_entries[entry].name,
                      mcl_status_name(status));
        c->fail_at = 0;
        test_ok(sampler_entries[entry].call(&s, queue, NULL));
    }
    mcl_queue_release(queue);
    sampler_free(&s);
    ck_assert_int_eq(c->allocations, c->releases);
}
END_TEST

START_TEST(the_context_goes_with_all_its_memory)
{
    counting *c = NULL;
    mcl_context *context = counted_context(_i, &c);
    mcl_queue *queue = NULL;

    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_queue_reserve(queue, (size_t)1 << 16));
    counted[_i].context = NULL;
    mcl_context_release(context); /* the queue still holds the context */
    ck_assert_int_gt(c->allocations, c->releases);
    mcl_queue_release(queue);
    ck_assert_int_eq(c->allocations, c->releases);
}
END_TEST

/* Makes a context for all tests, with a cache also where the device has none by itself. *capacity receives the cache's
 * earlier capacity. */
static mcl_context *caching_context(int device, int64_t *capacity)
{
    mcl_context *context = test_device_at(device)->context;
    mcl_memory_statistics statistics;

    test_ok(mcl_context_memory(context, &statistics));
    test_ok(mcl_context_set_memory_cache(context, (int64_t)1 << 24));
    *capacity = statistics.cache_capacity;
    return context;
}

START_TEST(prepare_says_how_much_scratch_a_call_takes_and_less_is_refused)
{
    mcl_context *context = test_device_at(_i)->context;
    mcl_queue *prepare = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *scratch = NULL;
    mcl_memory_statistics before;
    mcl_memory_statistics after;
    size_t most = 0;
    sampler s;

    test_ok(sampler_create(context, &s));
    test_ok(mcl_queue_create_preparing(context, &prepare));
    test_ok(mcl_queue_create(context, 0, &queue));
    ck_assert_uint_eq(mcl_queue_scratch_peak(prepare), 0);
    for (int entry = 0; entry < sampler_entry_count; entry++) {
        if (!test_takes_half(entry + 1)) continue;
        test_ok(sampler_entries[entry].call(&s, prepare, NULL));
        const size_t bytes = mcl_queue_scratch_bytes(prepare);
        if (bytes > most) most = bytes;
        ck_assert_uint_eq(mcl_queue_scratch_peak(prepare), most);
        test_ok(mcl_buffer_create(context, 256 + bytes, NULL, &scratch));
        test_ok(mcl_context_memory(context, &before));
        const mcl_options options = { .scratch = scratch, .scratch_offset = 256, .scratch_bytes = bytes };
        const mcl_options short_by_one = { .scratch = scratch, .scratch_offset = 256, .scratch_bytes = bytes - 1 };
        const mcl_options crooked = { .scratch = scratch, .scratch_offset = 128, .scratch_bytes = bytes };
        test_status_is(sampler_entries[entry].call(&s, queue, &options), MCL_OK, sampler_entries[entry].name, __FILE__,
                       __LINE__);
        const size_t taken = mcl_queue_scratch_bytes(queue);
        const int may_take_less = (sampler_entries[entry].memory & SAMPLER_TAKES_LESS) != 0;
        ck_assert_msg(may_take_less ? taken <= bytes : taken == bytes, "%s took %zu bytes, %zu when it was prepared",
                      sampler_entries[entry].name, taken, bytes);
        if (taken == bytes && bytes) {
            test_fails(sampler_entries[entry].call(&s, queue, &short_by_one), MCL_ERROR_ARGUMENT, "scratch_bytes");
            test_fails(sampler_entries[entry].call(&s, queue, &crooked), MCL_ERROR_ARGUMENT, "scratch_offset|128");
        }
        test_ok(mcl_context_memory(context, &after));
        if ((sampler_entries[entry].memory & ~SAMPLER_TAKES_LESS) == 0)
            ck_assert_msg(before.allocations == after.allocations, "%s", sampler_entries[entry].name);
        mcl_buffer_release(scratch);
    }
    ck_assert_uint_gt(most, 0);
    ck_assert_uint_eq(mcl_queue_scratch_peak(queue), most);
    ck_assert_uint_eq(mcl_queue_scratch_peak(NULL), 0);
    mcl_queue_release(prepare);
    mcl_queue_release(queue);
    sampler_free(&s);
}
END_TEST

START_TEST(prepare_runs_nothing_and_leaves_a_host_result_as_it_was)
{
    int32_t got[4] = { 0 };
    const int32_t content[4] = { 9, 8, 7, 6 };
    int32_t sum = 1234;
    mcl_queue *prepare = NULL;
    mcl_buffer *buffer = ARRAY_OF(_i, content);
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, buffer, 0);

    test_ok(mcl_queue_create_preparing(test_device_at(_i)->context, &prepare));
    test_ok(
        mcl_transform(prepare, mcl_from_expression(MCL_INT32, "x[i] + 1", NULL, &x, 1, 4), ints_out(buffer, 4), NULL));
    test_ok(mcl_reduce(prepare, ints(buffer, 4), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
    test_ok(mcl_queue_finish(prepare));
    ARRAY_READ(_i, buffer, got);
    ck_assert_mem_eq(got, content, sizeof got);
    ck_assert_int_eq(sum, 1234);
    mcl_queue_release(prepare);
    mcl_buffer_release(buffer);
}
END_TEST

/* Calls that take memory each time find it in the cache. */
START_TEST(warm_calls_ask_the_driver_for_nothing)
{
    int64_t capacity;
    mcl_context *context = caching_context(_i, &capacity);
    mcl_queue *queue = NULL;
    mcl_memory_statistics before;
    mcl_memory_statistics after;
    sampler s;

    test_ok(sampler_create(context, &s));
    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < 2 * sampler_entry_count; k++)
        test_ok(sampler_entries[k % sampler_entry_count].call(&s, queue, NULL));
    for (int k = 0; k < 3 * sampler_entry_count; k++) {
        const sampler_entry *entry = &sampler_entries[k % sampler_entry_count];
        test_ok(mcl_queue_finish(queue));
        test_ok(mcl_context_memory(context, &before));
        test_ok(entry->call(&s, queue, NULL));
        test_ok(mcl_context_memory(context, &after));
        ck_assert_msg(before.driver_calls == after.driver_calls, "%s", entry->name);
        ck_assert_msg((entry->memory & ~SAMPLER_TAKES_LESS) == SAMPLER_ALLOCATES
                          ? before.cache_hits < after.cache_hits
                          : before.allocations == after.allocations,
                      "%s", entry->name);
    }
    mcl_queue_release(queue);
    sampler_free(&s);
    test_ok(mcl_context_set_memory_cache(context, capacity));
}
END_TEST

/* Steps are measured before the first of them. So a new queue takes one block of scratch, and its words that stay
 * zero. */
START_TEST(first_calls_take_one_block)
{
    const int64_t blocks = 2;
    int64_t capacity;
    mcl_context *context = caching_context(_i, &capacity);
    mcl_queue *queue = NULL;
    mcl_memory_statistics before;
    mcl_memory_statistics after;
    sampler s;

    test_ok(sampler_create(context, &s));
    for (int k = 0; k < sampler_entry_count; k++) {
        const sampler_entry *entry = &sampler_entries[k];
        if (entry->memory & SAMPLER_ALLOCATES) continue;
        test_ok(mcl_queue_create(context, 0, &queue));
        test_ok(mcl_context_memory(context, &before));
        test_ok(entry->call(&s, queue, NULL));
        test_ok(mcl_context_memory(context, &after));
        ck_assert_msg(after.allocations - before.allocations <= blocks, "%s: %lld blocks", entry->name,
                      (long long)(after.allocations - before.allocations));
        mcl_queue_release(queue);
    }
    sampler_free(&s);
    test_ok(mcl_context_set_memory_cache(context, capacity));
}
END_TEST

/* ---- memory that goes while it is in use ------------------------------------------------------------------------ */

enum { SLOW_COUNT = 20000, SLOW_BYTES = SLOW_COUNT * (int)sizeof(int32_t) };

/* Returns an input with slow elements, so that the call still runs when its buffer is released. */
static mcl_input slow(int count)
{
    static const char source[] = "static int32_t slow(int32_t x) { for (int k = 0; k < 3000; ++k) "
                                 "x = x * 1664525 + 1013904223; return x; }";

    return mcl_from_expression(MCL_INT32, "slow((int32_t)i)", source, NULL, 0, count);
}

START_TEST(a_buffer_that_goes_while_it_is_written_harms_no_other)
{
    static int32_t got[SLOW_COUNT];
    int64_t capacity;
    mcl_context *context = caching_context(_i, &capacity);
    /* a tool that reports races is slow by itself */
    const int count = test_sees_races(_i) ? SLOW_COUNT / 100 : SLOW_COUNT;
    mcl_queue *queues[2] = { NULL, NULL };

    for (int k = 0; k < 2; k++) test_ok(mcl_queue_create(context, 0, &queues[k]));
    for (int round = 0; round < 6; round++) {
        const int32_t pattern = 100 + round;
        mcl_buffer *first = NULL;
        mcl_buffer *second = NULL;
        test_ok(mcl_buffer_create(context, SLOW_BYTES, NULL, &first));
        test_ok(mcl_transform(queues[0], slow(count), ints_out(first, count), NULL));
        test_ok(mcl_queue_flush(queues[0]));
        mcl_buffer_release(first);
        test_ok(mcl_buffer_create(context, SLOW_BYTES, NULL, &second));
        test_ok(mcl_buffer_fill(queues[1], second, 0, SLOW_BYTES, &pattern, sizeof pattern));
        test_ok(mcl_queue_finish(queues[1]));
        if (round % 2) test_ok(mcl_queue_finish(queues[0]));
        test_ok(mcl_buffer_read(queues[1], second, 0, SLOW_BYTES, got));
        for (int k = 0; k < SLOW_COUNT; k++) ck_assert_int_eq(got[k], pattern);
        mcl_buffer_release(second);
    }
    for (int k = 0; k < 2; k++) mcl_queue_release(queues[k]);
    test_ok(mcl_context_set_memory_cache(context, capacity));
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, all_memory_goes_through_the_allocator_and_comes_back, device);
    test_add(tcase, the_allocator_changes_only_while_it_has_nothing_out, device);
    test_add(tcase, every_allocation_may_fail_once_and_nothing_is_lost, device);
    test_add(tcase, a_buffer_or_map_that_gets_no_memory_leaves_nothing, device);
    test_add(tcase, the_next_call_on_the_queue_works_after_memory_ran_out, device);
    test_add(tcase, the_context_goes_with_all_its_memory, device);
    test_add(tcase, prepare_says_how_much_scratch_a_call_takes_and_less_is_refused, device);
    test_add(tcase, prepare_runs_nothing_and_leaves_a_host_result_as_it_was, device);
    test_add(tcase, warm_calls_ask_the_driver_for_nothing, device);
    test_add(tcase, first_calls_take_one_block, device);
    test_add(tcase, a_buffer_that_goes_while_it_is_written_harms_no_other, device);
}

int main(void)
{
    return test_main("memory", add);
}
