/* test_recording.c: the life of recordings, and calls that cannot be recorded. test_replay.c replays a whole frame. */
#include "support/arrays.h"

#include <string.h>

enum { COUNT = 3000 };

/* A queue without profiling, an array of ints, and a recording that adds one to each element. */
typedef struct counter {
    mcl_queue *queue;
    mcl_buffer *data;
    mcl_recording *recording;
} counter;

static mcl_status count_up(mcl_queue *queue, mcl_buffer *data, const mcl_options *options)
{
    const mcl_binding x = mcl_binding_buffer("x", MCL_INT32, data, 0);
    return mcl_transform(queue, mcl_from_expression(MCL_INT32, "x[i] + 1", NULL, &x, 1, COUNT), ints_out(data, COUNT),
                         options);
}

static counter counter_make(int device)
{
    static const int32_t zeros[COUNT];
    counter c = { .data = ARRAY_OF(device, zeros) };
    test_ok(mcl_queue_create(test_device_at(device)->context, 0, &c.queue));
    test_ok(mcl_record_begin(c.queue));
    test_ok(count_up(c.queue, c.data, NULL));
    test_ok(count_up(c.queue, c.data, NULL));
    test_ok(mcl_record_end(c.queue, &c.recording));
    return c;
}

static void counter_is(const counter *c, mcl_queue *queue, int32_t expected)
{
    static int32_t got[COUNT];
    test_ok(mcl_buffer_read(queue, c->data, 0, sizeof got, got));
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], expected);
}

static void counter_free(counter *c)
{
    mcl_recording_release(c->recording);
    mcl_buffer_release(c->data);
    mcl_queue_release(c->queue);
}

START_TEST(nothing_runs_while_calls_are_recorded)
{
    counter c = counter_make(_i);
    counter_is(&c, c.queue, 0);
    test_ok(mcl_replay(c.queue, c.recording, NULL));
    counter_is(&c, c.queue, 2);
    for (int k = 0; k < 10; k++) test_ok(mcl_replay(c.queue, c.recording, NULL));
    counter_is(&c, c.queue, 22);
    counter_free(&c);
}
END_TEST

START_TEST(replays_are_in_order_with_calls)
{
    counter c = counter_make(_i);
    for (int k = 0; k < 5; k++) {
        test_ok(count_up(c.queue, c.data, NULL));
        test_ok(mcl_replay(c.queue, c.recording, NULL));
    }
    counter_is(&c, c.queue, 15);
    counter_free(&c);
}
END_TEST

START_TEST(events_order_replays_on_several_queues)
{
    counter c = counter_make(_i);
    mcl_queue *queues[2] = { c.queue, NULL };
    mcl_event *last = NULL;
    double milliseconds = -1;
    test_ok(mcl_queue_create(test_device_at(_i)->context, MCL_QUEUE_PROFILING, &queues[1]));
    for (int k = 0; k < 8; k++) {
        mcl_event *done = NULL;
        const mcl_options options = { .wait = &last, .wait_count = k > 0, .done = &done };
        test_ok(mcl_replay(queues[k % 2], c.recording, &options));
        test_ok(mcl_queue_flush(queues[k % 2]));
        ck_assert_ptr_nonnull(done);
        mcl_event_release(last);
        last = done;
    }
    test_ok(mcl_event_milliseconds(last, &milliseconds));
    ck_assert(milliseconds >= 0);
    counter_is(&c, queues[1], 16);
    mcl_event_release(last);
    mcl_queue_release(queues[1]);
    counter_free(&c);
}
END_TEST

static void other_array(int device, mcl_queue *queue)
{
    const int32_t start = 1 << 20;
    mcl_buffer *out = array_empty(device, COUNT * sizeof(int32_t));
    test_ok(mcl_transform(queue, mcl_from_counting(MCL_INT32, &start, COUNT), ints_out(out, COUNT), NULL));
    mcl_buffer_release(out);
}

/* The queue is released first, then the buffer. The recording is released while it runs. */
START_TEST(a_recording_keeps_what_it_needs)
{
    static int32_t got[COUNT];
    counter c = counter_make(_i);
    mcl_queue *other = NULL;
    mcl_recording *copied = NULL;
    mcl_buffer *copy = array_empty(_i, sizeof got);
    test_ok(mcl_queue_create(test_device_at(_i)->context, 0, &other));
    test_ok(mcl_record_begin(other));
    test_ok(mcl_buffer_copy(other, c.data, 0, copy, 0, sizeof got));
    test_ok(mcl_record_end(other, &copied));
    mcl_queue_release(c.queue);
    mcl_buffer_release(c.data);
    test_ok(mcl_recording_retain(c.recording));
    mcl_recording_release(c.recording);
    for (int k = 0; k < 50; k++) test_ok(mcl_replay(other, c.recording, NULL));
    mcl_recording_release(c.recording);
    test_ok(mcl_replay(other, copied, NULL));
    mcl_recording_release(copied);
    other_array(_i, other); /* may get the memory that is free now */
    test_ok(mcl_buffer_read(other, copy, 0, sizeof got, got));
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], 100);
    mcl_buffer_release(copy);
    mcl_queue_release(other);
}
END_TEST

/* All memory is returned once the context's buffers, queues and recordings are released. */
START_TEST(a_replay_allocates_nothing_and_a_release_gives_all_back)
{
    mcl_context *context = test_context(_i);
    mcl_memory_statistics memory;
    mcl_queue *queue = NULL;
    mcl_recording *recording = NULL;
    mcl_buffer *out = NULL;
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, COUNT * sizeof(int32_t), NULL, &out));
    test_ok(mcl_record_begin(queue));
    test_ok(mcl_sort(queue, ints_counting(COUNT), ints_out(out, COUNT), MCL_GREATER, NULL));
    test_ok(mcl_scan(queue, ints(out, COUNT), ints_out(out, COUNT), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL));
    test_ok(mcl_record_end(queue, &recording));
    test_ok(mcl_context_memory(context, &memory));
    const int64_t allocations = memory.allocations;
    for (int k = 0; k < 3; k++) test_ok(mcl_replay(queue, recording, NULL));
    test_ok(mcl_context_memory(context, &memory));
    ck_assert_int_eq(memory.allocations, allocations);
    mcl_buffer_release(out);
    mcl_recording_release(recording);
    mcl_queue_release(queue);
    test_ok(mcl_context_memory(context, &memory));
    ck_assert_int_eq(memory.blocks_in_use, 0);
    mcl_context_release(context);
}
END_TEST

START_TEST(a_recording_of_nothing_gives_an_event)
{
    counter c = counter_make(_i);
    mcl_recording *empty = NULL;
    mcl_event *done = NULL;
    const mcl_options options = { .done = &done };
    test_ok(mcl_record_begin(c.queue));
    test_ok(mcl_record_end(c.queue, &empty));
    test_ok(mcl_replay(c.queue, empty, &options));
    test_ok(mcl_event_wait(done));
    mcl_event_release(done);
    mcl_recording_release(empty);
    mcl_recording_release(NULL);
    counter_free(&c);
}
END_TEST

START_TEST(a_queue_that_goes_drops_its_recording)
{
    mcl_context *context = test_context(_i);
    mcl_memory_statistics memory;
    mcl_queue *queue = NULL;
    mcl_buffer *data = NULL;
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, COUNT * sizeof(int32_t), NULL, &data));
    test_ok(count_up(queue, data, NULL));
    test_ok(mcl_record_begin(queue));
    test_ok(count_up(queue, data, NULL));
    test_ok(mcl_sort(queue, ints(data, COUNT), ints_out(data, COUNT), MCL_LESS, NULL));
    mcl_buffer_release(data);
    mcl_queue_release(queue);
    test_ok(mcl_context_memory(context, &memory));
    ck_assert_int_eq(memory.blocks_in_use, 0);
    mcl_context_release(context);
}
END_TEST

START_TEST(a_preparing_queue_replays_nothing)
{
    counter c = counter_make(_i);
    mcl_queue *preparing = NULL;
    mcl_event *done = NULL;
    const mcl_options options = { .done = &done };
    test_ok(mcl_queue_create_preparing(test_device_at(_i)->context, &preparing));
    test_ok(mcl_replay(preparing, c.recording, &options));
    ck_assert_ptr_null(done);
    counter_is(&c, c.queue, 0);
    test_fails(mcl_record_begin(preparing), MCL_ERROR_ARGUMENT, "mcl_record_begin|prepares");
    mcl_queue_release(preparing);
    counter_free(&c);
}
END_TEST

/* ---- bad uses --------------------------------------------------------------------------------------------------- */

START_TEST(bad_recordings_are_told)
{
    counter c = counter_make(_i);
    mcl_recording *other = NULL;
    mcl_context *context = test_context(_i);
    mcl_queue *queue = NULL;
    test_fails(mcl_record_begin(NULL), MCL_ERROR_ARGUMENT, "mcl_record_begin|queue is NULL");
    test_fails(mcl_record_end(NULL, &other), MCL_ERROR_ARGUMENT, "mcl_record_end|queue is NULL");
    test_fails(mcl_record_end(c.queue, &other), MCL_ERROR_ARGUMENT, "mcl_record_end|not being recorded");
    test_ok(mcl_record_begin(c.queue));
    test_fails(mcl_record_begin(c.queue), MCL_ERROR_ARGUMENT, "mcl_record_begin|already");
    test_fails(mcl_record_end(c.queue, NULL), MCL_ERROR_ARGUMENT, "mcl_record_end|out is NULL");
    test_fails(mcl_record_end(c.queue, &other), MCL_ERROR_ARGUMENT, "mcl_record_end|not being recorded");
    test_fails(mcl_replay(NULL, c.recording, NULL), MCL_ERROR_ARGUMENT, "mcl_replay|queue is NULL");
    test_fails(mcl_replay(c.queue, NULL, NULL), MCL_ERROR_ARGUMENT, "mcl_replay|recording is NULL");
    test_fails(mcl_recording_retain(NULL), MCL_ERROR_ARGUMENT, "mcl_recording_retain|recording is NULL");
    test_ok(mcl_queue_create(context, 0, &queue));
    test_fails(mcl_replay(queue, c.recording, NULL), MCL_ERROR_ARGUMENT, "mcl_replay|another context");
    mcl_queue_release(queue);
    mcl_context_release(context);
    counter_free(&c);
}
END_TEST

START_TEST(a_replay_takes_events_alone)
{
    counter c = counter_make(_i);
    mcl_event *none = NULL;
    const mcl_options bad[] = {
        { .flags = MCL_DETERMINISTIC }, { .tile_threads = 1 }, { .tile_items = 1 }, { .scratch = c.data }
    };
    const char *const words[] = { "flags", "tile_threads", "tile_items", "scratch" };
    const mcl_options missing = { .wait = &none, .wait_count = 1 };
    const mcl_options sorted = { .sort_method = MCL_SORT_RADIX };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        test_fails(mcl_replay(c.queue, c.recording, &bad[k]), MCL_ERROR_ARGUMENT, words[k]);
    test_fails(mcl_replay(c.queue, c.recording, &missing), MCL_ERROR_ARGUMENT, "mcl_replay|options->wait[0] is NULL");
    test_fails(mcl_replay(c.queue, c.recording, &sorted), MCL_ERROR_ARGUMENT, "mcl_replay|sort_method");
    counter_is(&c, c.queue, 0);
    counter_free(&c);
}
END_TEST

static void refused_copies(const counter *c)
{
    mcl_event *event = NULL;
    int32_t word = 0;
    test_fails(mcl_buffer_read(c->queue, c->data, 0, 4, &word), MCL_ERROR_UNSUPPORTED, "mcl_buffer_read|recorded");
    test_fails(mcl_buffer_write(c->queue, c->data, 0, 4, &word), MCL_ERROR_UNSUPPORTED, "mcl_buffer_write|recorded");
    test_fails(mcl_buffer_read_async(c->queue, c->data, 0, 4, &word, NULL), MCL_ERROR_UNSUPPORTED,
               "mcl_buffer_read_async|recorded");
    test_fails(mcl_buffer_write_async(c->queue, c->data, 0, 4, &word, NULL), MCL_ERROR_UNSUPPORTED,
               "mcl_buffer_write_async|recorded");
    test_fails(mcl_event_record(c->queue, &event), MCL_ERROR_UNSUPPORTED, "mcl_event_record|recorded|mcl_replay");
    ck_assert_ptr_null(event);
    test_fails(mcl_replay(c->queue, c->recording, NULL), MCL_ERROR_UNSUPPORTED, "mcl_replay|recorded");
}

static void refused_calls(const counter *c, mcl_map *map, mcl_event *happened)
{
    mcl_event *event = NULL;
    mcl_sort_report report;
    int32_t sum = 0;
    const mcl_options waits = { .wait = &happened, .wait_count = 1 };
    const mcl_options done = { .done = &event };
    const mcl_options validates = { .flags = MCL_VALIDATE };
    const mcl_input data = ints(c->data, COUNT);
    const int32_t zero = 0;
    const mcl_segments whole = mcl_segments_from_offsets(mcl_from_constant(MCL_INT32, &zero, 1));
    test_fails(mcl_queue_wait(c->queue, &happened, 1), MCL_ERROR_UNSUPPORTED, "mcl_queue_wait|recorded|mcl_replay");
    test_fails(count_up(c->queue, c->data, &waits), MCL_ERROR_UNSUPPORTED, "mcl_transform|options->wait|mcl_replay");
    test_fails(count_up(c->queue, c->data, &done), MCL_ERROR_UNSUPPORTED, "mcl_transform|options->done|mcl_replay");
    test_fails(count_up(c->queue, c->data, &validates), MCL_ERROR_UNSUPPORTED, "mcl_transform|MCL_VALIDATE");
    test_fails(mcl_reduce(c->queue, data, MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL), MCL_ERROR_UNSUPPORTED,
               "mcl_reduce|result on the host|mcl_to_slot");
    test_fails(mcl_segmented_sort(c->queue, data, whole, ints_out(c->data, COUNT), MCL_LESS, MCL_STABLE, &report, NULL),
               MCL_ERROR_UNSUPPORTED, "mcl_segmented_sort|report");
    test_fails(mcl_map_insert(c->queue, map, data, data, NULL), MCL_ERROR_UNSUPPORTED, "mcl_map_insert|map");
    test_fails(mcl_map_reserve(c->queue, map, 10, NULL), MCL_ERROR_UNSUPPORTED, "mcl_map_reserve|map");
    test_fails(mcl_transform(c->queue, data, ints_out(NULL, COUNT), NULL), MCL_ERROR_ARGUMENT, "mcl_transform");
}

/* A refused call leaves nothing in the recording, and later calls are recorded. */
START_TEST(what_cannot_be_recorded_is_told_and_left_out)
{
    counter c = counter_make(_i);
    mcl_recording *recording = NULL;
    mcl_event *happened = NULL;
    mcl_map *map = NULL;
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 100 };
    test_ok(mcl_map_create(test_device_at(_i)->context, &config, &map));
    test_ok(mcl_event_record(c.queue, &happened));
    test_ok(mcl_record_begin(c.queue));
    test_ok(count_up(c.queue, c.data, NULL));
    refused_copies(&c);
    refused_calls(&c, map, happened);
    test_ok(mcl_queue_flush(c.queue));
    test_ok(mcl_queue_finish(c.queue));
    test_ok(mcl_queue_reserve(c.queue, 1 << 20));
    test_ok(count_up(c.queue, c.data, NULL));
    test_ok(count_up(c.queue, c.data, NULL));
    test_ok(mcl_record_end(c.queue, &recording));
    test_ok(mcl_replay(c.queue, recording, NULL));
    counter_is(&c, c.queue, 3);
    mcl_recording_release(recording);
    mcl_event_release(happened);
    mcl_map_release(map);
    counter_free(&c);
}
END_TEST

/* An allocator whose allocations fail after a number of them. */
static int allocations_left;

static mcl_status allocate(void *user, mcl_context *context, size_t bytes, uintptr_t *block)
{
    if (user != &allocations_left || allocations_left-- <= 0) return MCL_ERROR_MEMORY;
    return mcl_block_create(context, bytes, block);
}

static void release(void *user, mcl_context *context, uintptr_t block, size_t bytes)
{
    if (user == &allocations_left && bytes > 0) mcl_block_release(context, block);
}

/* Records a join, which asks for its memory before its first step. Nothing of a call that fails may stay. */
static mcl_status record_join(mcl_queue *queue, mcl_buffer *data, mcl_buffer *rows, int allocations)
{
    const mcl_input keys = ints(data, COUNT);
    mcl_status status;
    test_ok(mcl_record_begin(queue));
    test_ok(count_up(queue, data, NULL));
    allocations_left = allocations;
    status = mcl_join_unsorted(queue, MCL_JOIN_SEMI, keys, ints(data, COUNT / 2), ints_out(rows, COUNT),
                               (mcl_output){ 0 }, MCL_LESS, mcl_to_slot(MCL_INT64, rows, COUNT), NULL);
    allocations_left = 1000;
    test_ok(count_up(queue, data, NULL));
    return status;
}

static void join_is_whole_or_missing(mcl_queue *queue, mcl_buffer *data, mcl_buffer *rows, mcl_status status)
{
    static int32_t got[COUNT];
    static const int64_t nothing = -7;
    int64_t count = 0;
    mcl_recording *recording = NULL;
    test_ok(mcl_record_end(queue, &recording));
    memset(got, 0, sizeof got);
    test_ok(mcl_buffer_write(queue, data, 0, sizeof got, got));
    test_ok(mcl_buffer_write(queue, rows, COUNT * sizeof count, sizeof nothing, &nothing));
    test_ok(mcl_replay(queue, recording, NULL));
    test_ok(mcl_buffer_read(queue, rows, COUNT * sizeof count, sizeof count, &count));
    test_ok(mcl_buffer_read(queue, data, 0, sizeof got, got));
    ck_assert_int_eq(count, status == MCL_OK ? COUNT : nothing);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], 2);
    mcl_recording_release(recording);
}

/* Checks that the second call is not recorded. The join makes room for it, and its count is stored before its last step
 * fails. */
static void decode_is_missing(mcl_context *context, mcl_queue *queue, mcl_buffer *data, mcl_buffer *rows)
{
    static int32_t got[COUNT];
    static const int64_t nothing = -7;
    const size_t slot = (COUNT - 1) * sizeof nothing;
    int64_t count = 0;
    mcl_recording *recording = NULL;
    mcl_buffer *out = NULL;
    test_ok(mcl_buffer_create(context, COUNT * sizeof(int32_t), NULL, &out));
    test_ok(record_join(queue, data, rows, 1000));
    test_fails(mcl_run_length_decode(queue, mcl_from_expression(MCL_INT32, "no_such_name", NULL, NULL, 0, COUNT),
                                     ints(data, COUNT), ints_out(out, COUNT), mcl_to_slot(MCL_INT64, rows, COUNT - 1),
                                     NULL),
               MCL_ERROR_BUILD, "");
    test_ok(mcl_record_end(queue, &recording));
    memset(got, 0, sizeof got);
    test_ok(mcl_buffer_write(queue, data, 0, sizeof got, got));
    test_ok(mcl_buffer_write(queue, rows, slot, sizeof nothing, &nothing));
    test_ok(mcl_replay(queue, recording, NULL));
    test_ok(mcl_buffer_read(queue, rows, slot, sizeof count, &count));
    test_ok(mcl_buffer_read(queue, data, 0, sizeof got, got));
    ck_assert_int_eq(count, nothing);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], 2);
    mcl_recording_release(recording);
    mcl_buffer_release(out);
}

START_TEST(a_call_that_fails_midway_leaves_nothing)
{
    mcl_context *context = test_context(_i);
    const mcl_allocator allocator = { &allocations_left, allocate, release };
    mcl_queue *queue = NULL;
    mcl_buffer *data = NULL;
    mcl_buffer *rows = NULL;
    mcl_status status = MCL_ERROR_MEMORY;
    int failures = 0;
    allocations_left = 1000;
    test_ok(mcl_context_set_allocator(context, &allocator));
    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, COUNT * sizeof(int32_t), NULL, &data));
    test_ok(mcl_buffer_create(context, (COUNT + 1) * sizeof(int64_t), NULL, &rows));
    while (status != MCL_OK && failures < 20) {
        status = record_join(queue, data, rows, failures);
        join_is_whole_or_missing(queue, data, rows, status);
        if (status != MCL_OK) test_fails(status, MCL_ERROR_MEMORY, "");
        failures += status != MCL_OK;
    }
    test_ok(status);
    ck_assert_int_gt(failures, 0);
    decode_is_missing(context, queue, data, rows);
    mcl_buffer_release(data);
    mcl_buffer_release(rows);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, nothing_runs_while_calls_are_recorded, device);
    test_add(tcase, replays_are_in_order_with_calls, device);
    test_add(tcase, events_order_replays_on_several_queues, device);
    test_add(tcase, a_recording_keeps_what_it_needs, device);
    test_add(tcase, a_replay_allocates_nothing_and_a_release_gives_all_back, device);
    test_add(tcase, a_recording_of_nothing_gives_an_event, device);
    test_add(tcase, a_queue_that_goes_drops_its_recording, device);
    test_add(tcase, a_preparing_queue_replays_nothing, device);
    test_add(tcase, bad_recordings_are_told, device);
    test_add(tcase, a_replay_takes_events_alone, device);
    test_add(tcase, what_cannot_be_recorded_is_told_and_left_out, device);
    test_add(tcase, a_call_that_fails_midway_leaves_nothing, device);
}

int main(void)
{
    return test_main("recording", add);
}
