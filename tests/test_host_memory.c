/* test_host_memory.c: host memory that runs out at any one allocation of a call, on devices that run nothing. The call
 * returns MCL_ERROR_MEMORY or does without the memory. The next call is not affected. */
#include "support/devices.h"

#include "context/context.h"
#include "guided/idle_device.h"

#include <stdlib.h>
#include <string.h>

/* ---- allocations ------------------------------------------------------------------------------------------------- */

/* Number of allocations before the one that fails, once; -1: none fails. */
static int fails_after = -1;

static int fails_now(void)
{
    return fails_after >= 0 && fails_after-- == 0;
}

/* The linker puts these functions in place of the C library's (--wrap). */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return fails_now() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails_now() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *block, size_t bytes)
{
    return fails_now() ? NULL : __real_realloc(block, bytes);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

enum { COUNT = 20000, BUFFERS = 5, DEVICE_SERIAL = 0, DEVICE_GROUPS = 2 };

typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffers[BUFFERS];
} world;

static mcl_input ints_of(const world *w, int buffer)
{
    return mcl_from_buffer(MCL_INT32, w->buffers[buffer], 0, COUNT);
}

static mcl_output ints_to(const world *w, int buffer)
{
    return mcl_to_buffer(MCL_INT32, w->buffers[buffer], 0, COUNT);
}

static mcl_status call_objects(const world *w)
{
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    mcl_event *event = NULL;
    mcl_status status = mcl_queue_create(w->context, 0, &queue);
    if (status == MCL_OK) status = mcl_buffer_create(w->context, 100, NULL, &buffer);
    if (status == MCL_OK) status = mcl_event_record(queue, &event);
    mcl_event_release(event);
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
    return status;
}

static mcl_status call_scan(const world *w)
{
    const mcl_binding table = mcl_binding_buffer("t", MCL_INT32, w->buffers[0], 0);
    const mcl_input in = mcl_from_expression(MCL_INT32, "t[i] + 1", NULL, &table, 1, COUNT);
    return mcl_scan(w->queue, in, ints_to(w, 1), MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL);
}

/* Calls a search that is checked. The device stores nothing, so its memory of zeros says that element 0 breaks the
 * order. */
static mcl_status call_checked_search(const world *w)
{
    const mcl_options options = { .flags = MCL_VALIDATE };
    const mcl_status status =
        mcl_sorted_search_needles(w->queue, ints_of(w, 0), ints_of(w, 1), MCL_LOWER, ints_to(w, 2), MCL_LESS, &options);
    return status == MCL_ERROR_PRECONDITION ? MCL_OK : status;
}

/* Makes a call whose program is written to the disk. */
static mcl_status call_kept(const world *w)
{
    w->context->keeps_binaries = 1;
    return call_scan(w);
}

/* Makes a call whose program the compiler rejects with a reason. */
static mcl_status call_rejected(const world *w)
{
    const mcl_op wrong = { .role = MCL_ROLE_ORDER, .expression = "a < b" };
    idle_rejects = 1;
    const mcl_status status = mcl_sort(w->queue, ints_of(w, 0), ints_to(w, 1), &wrong, NULL);
    idle_rejects = 0;
    return status == MCL_ERROR_BUILD && strstr(mcl_last_error(), "does not compile") ? MCL_OK : status;
}

static mcl_status call_sort_columns(const world *w)
{
    const mcl_key_column keys[] = { { ints_of(w, 0), MCL_LESS }, { ints_of(w, 1), MCL_GREATER } };
    return mcl_sort_columns_indices(w->queue, keys, 2, ints_to(w, 2), NULL);
}

static mcl_status call_group_by(const world *w)
{
    const mcl_aggregate aggregates[] = {
        { ints_of(w, 1), MCL_ADD, ints_to(w, 2) },
        { ints_of(w, 1), MCL_MEAN, mcl_to_buffer(MCL_FLOAT, w->buffers[3], 0, COUNT) },
    };
    return mcl_group_by(w->queue, ints_of(w, 0), ints_to(w, 4), aggregates, 2, mcl_to_nowhere(), NULL);
}

static mcl_status call_join_columns(const world *w)
{
    const mcl_join_column column = { ints_of(w, 2), ints_to(w, 3), NULL };
    return mcl_join_columns(w->queue, MCL_JOIN_LEFT, ints_of(w, 0), ints_of(w, 1), &column, 1, NULL, 0,
                            (mcl_output){ 0 }, MCL_LESS, mcl_to_nowhere(), NULL);
}

static mcl_status call_segmented_sort(const world *w)
{
    return mcl_segmented_sort(w->queue, ints_of(w, 0), mcl_segments_from_begins(ints_of(w, 1)), ints_to(w, 2), MCL_LESS,
                              0, NULL, NULL);
}

static mcl_status call_map(const world *w)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 100 };
    mcl_map *map = NULL;
    mcl_status status = mcl_map_create(w->context, &config, &map);
    if (status == MCL_OK) status = mcl_map_insert(w->queue, map, ints_of(w, 0), ints_of(w, 1), NULL);
    if (status == MCL_OK)
        status = mcl_map_find(w->queue, map, ints_of(w, 0), ints_to(w, 2), NULL, (mcl_output){ 0 }, NULL);
    mcl_map_release(map);
    return status;
}

static mcl_status call_multimap(const world *w)
{
    const mcl_multimap_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 100 };
    mcl_multimap *map = NULL;
    mcl_status status = mcl_multimap_create(w->context, &config, &map);
    if (status == MCL_OK) status = mcl_multimap_insert(w->queue, map, ints_of(w, 0), ints_of(w, 1), NULL);
    mcl_multimap_release(map);
    return status;
}

static mcl_status call_replay(const world *w)
{
    mcl_recording *recording = NULL;
    MCL__TRY(mcl_record_begin(w->queue));
    mcl_status status = call_scan(w);
    const mcl_status ended = mcl_record_end(w->queue, &recording);
    if (status == MCL_OK) status = ended;
    if (status == MCL_OK) status = mcl_replay(w->queue, recording, NULL);
    mcl_recording_release(recording);
    return status;
}

/* Records a call of several steps, and replays it. If a step fails, the recording has nothing of the steps before. */
static mcl_status call_recorded_steps(const world *w)
{
    mcl_recording *recording = NULL;
    MCL__TRY(mcl_record_begin(w->queue));
    mcl_status status = call_join_columns(w);
    const mcl_status ended = mcl_record_end(w->queue, &recording);
    const int64_t before = idle_work;
    if (ended == MCL_OK) {
        const mcl_status replayed = mcl_replay(w->queue, recording, NULL);
        ck_assert_msg(status == MCL_OK || idle_work == before, "a call that failed has left commands");
        if (status == MCL_OK) status = replayed;
    }
    mcl_recording_release(recording);
    return status == MCL_OK ? ended : status;
}

static mcl_status call_tuning(const world *w)
{
    return mcl_context_load_tuning(w->context, TEST_GOLDEN_DIR "/parameters_buckets");
}

static const struct {
    const char *name;
    mcl_status (*run)(const world *w);
} calls[] = {
    { "a queue, a buffer and an event", call_objects },
    { "mcl_scan", call_scan },
    { "mcl_scan, kept", call_kept },
    { "mcl_sort, rejected", call_rejected },
    { "mcl_sorted_search_needles, checked", call_checked_search },
    { "mcl_sort_columns_indices", call_sort_columns },
    { "mcl_group_by", call_group_by },
    { "mcl_join_columns", call_join_columns },
    { "mcl_segmented_sort", call_segmented_sort },
    { "mcl_map", call_map },
    { "mcl_multimap", call_multimap },
    { "mcl_replay", call_replay },
    { "mcl_join_columns, recorded", call_recorded_steps },
    { "mcl_context_load_tuning", call_tuning },
};
enum { CALL_COUNT = sizeof calls / sizeof calls[0] };

/* ---- the test ---------------------------------------------------------------------------------------------------- */

static world world_open(int device)
{
    world w = { 0 };
    ck_assert_int_eq(idle_context(device, &w.context), MCL_OK);
    test_ok(mcl_queue_create(w.context, 0, &w.queue));
    for (int k = 0; k < BUFFERS; k++)
        test_ok(mcl_buffer_create(w.context, COUNT * sizeof(int32_t), NULL, &w.buffers[k]));
    return w;
}

static void world_close(world *w)
{
    for (int k = 0; k < BUFFERS; k++) mcl_buffer_release(w->buffers[k]);
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
}

/* Returns 1 where the call reached the allocation that fails. */
static int fails_at(int device, int call, int allocation)
{
    world w = world_open(device);
    fails_after = allocation;
    const mcl_status status = calls[call].run(&w);
    const int has_failed = fails_after < 0;
    fails_after = -1;
    ck_assert_msg(status == MCL_OK || (has_failed && status == MCL_ERROR_MEMORY && mcl_last_error()[0]),
                  "%s, allocation %d fails: status %d, \"%s\"", calls[call].name, allocation, (int)status,
                  mcl_last_error());
    const mcl_status again = calls[call].run(&w);
    ck_assert_msg(again == MCL_OK, "%s after allocation %d has failed: \"%s\"", calls[call].name, allocation,
                  mcl_last_error());
    world_close(&w);
    return has_failed;
}

START_TEST(a_call_that_lacks_memory_is_told_so_and_the_next_one_is_right)
{
    const int device = _i / CALL_COUNT == 0 ? DEVICE_SERIAL : DEVICE_GROUPS, call = _i % CALL_COUNT;
    int allocation = 0;
    while (fails_at(device, call, allocation)) allocation++;
    ck_assert_int_gt(allocation, 2);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_loop_test(tcase, a_call_that_lacks_memory_is_told_so_and_the_next_one_is_right, 0, 2 * CALL_COUNT);
}

int main(void)
{
    return test_main_host("host_memory", add);
}
