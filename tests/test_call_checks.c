/* test_call_checks.c: the decisions of calls by options and by the environment before anything runs: unordered lists,
 * validation, replays, drivers' events, requested tiles, limits of tiles and loops. The devices run nothing. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/devices.h"

#include "call/append.h"
#include "call/enqueue.h"
#include "guided/idle_device.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { ELEMENTS = 100 };

typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffer;
    mcl_input in;
    mcl_output out;
} world;

static world world_open(int device)
{
    world w = { 0 };
    ck_assert_int_eq(idle_context(device, &w.context), MCL_OK);
    ck_assert_int_eq(mcl_queue_create(w.context, 0, &w.queue), MCL_OK);
    ck_assert_int_eq(mcl_buffer_create(w.context, 2 * ELEMENTS * sizeof(int32_t), NULL, &w.buffer), MCL_OK);
    w.in = mcl_from_buffer(MCL_INT32, w.buffer, 0, ELEMENTS);
    w.out = mcl_to_buffer(MCL_INT32, w.buffer, ELEMENTS, ELEMENTS);
    return w;
}

static void world_close(const world *w)
{
    mcl_buffer_release(w->buffer);
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
}

/* ---- lists in any order --------------------------------------------------------------------------------------- */

/* Returns the value of a define of the call's program; -1 where there is none. */
static int64_t define_of(const mcl__call *call, const char *name)
{
    for (int k = 0; k < call->define_count; k++)
        if (strcmp(call->spec.defines[k].name, name) == 0) return call->spec.defines[k].value;
    return -1;
}

START_TEST(wide_sub_groups_vote)
{
    static const struct {
        int path, size, way;
    } cases[] = {
        { MCL__SUB_GROUP_KHR, 32, MCL_APPEND_SUB_GROUP_TILE },
        { MCL__SUB_GROUP_KHR, 16, MCL_APPEND_GROUP_SCAN },
        { MCL__SUB_GROUP_KHR, 64, MCL_APPEND_GROUP_SCAN },
        { MCL__SUB_GROUP_NONE, 32, MCL_APPEND_GROUP_SCAN },
    };
    static mcl__call call;
    mcl_context context = { .references = 1 };
    mcl_queue queue = { .context = &context };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        context.limits.sub_group_path = (mcl__sub_group_path)cases[k].path;
        context.limits.sub_group_size = cases[k].size;
        memset(&call, 0, sizeof call);
        call.queue = &queue;
        mcl__append_define(&call);
        ck_assert_int_eq(define_of(&call, "APPEND_WAY"), cases[k].way);
        ck_assert_int_eq(define_of(&call, "APPEND_WIDTH"), 32);
    }
}
END_TEST

START_TEST(a_way_to_append_is_refused_for_each_of_its_numbers)
{
    static const struct {
        int append, width;
        const char *words; /* NULL: taken */
    } cases[] = {
        { MCL_APPEND_SUB_GROUP_TILE, 0, NULL },
        { MCL_APPEND_SUB_GROUP_TILE, 8, NULL },
        { MCL_APPEND_GROUP_SCAN, 8, NULL },
        { MCL_APPEND_AUTO, 32, NULL },
        { MCL_APPEND_SUB_GROUP_TILE + 1, 0, "options->append is 6" },
        { -1, 0, "options->append is -1" },
        { MCL_APPEND_SUB_GROUP_TILE, -1, "options->append_width is -1" },
        { MCL_APPEND_SUB_GROUP_TILE, 64, "options->append_width is 64" },
        { MCL_APPEND_SUB_GROUP_TILE, 12, "options->append_width is 12" },
    };
    const mcl_op odd = { .role = MCL_ROLE_TEST, .expression = "x & 1" };
    const world w = world_open(2);
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_options options = { .flags = MCL_UNORDERED,
                                      .append = (mcl_append)cases[k].append,
                                      .append_width = cases[k].width };
        const mcl_status status = mcl_compact(w.queue, w.in, w.out, &odd, mcl_to_nowhere(), &options);
        ck_assert_msg(status == (cases[k].words ? MCL_ERROR_ARGUMENT : MCL_OK), "case %zu: %s", k, mcl_last_error());
        if (cases[k].words) test_fails(status, MCL_ERROR_ARGUMENT, cases[k].words);
    }
    world_close(&w);
}
END_TEST

/* ---- the environment ------------------------------------------------------------------------------------------ */

START_TEST(validation_is_asked_for_by_a_flag_or_by_the_environment)
{
    static const struct {
        const char *text;
        int validates;
    } cases[] = { { "", 0 }, { "0", 0 }, { "1", 1 }, { "00", 1 } };
    const mcl_options flagged = { .flags = MCL_VALIDATE };
    unsetenv("MCL_VALIDATE");
    ck_assert_int_eq(mcl__validates(NULL), 0);
    ck_assert_int_eq(mcl__validates(&flagged), 1);
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        setenv("MCL_VALIDATE", cases[k].text, 1);
        ck_assert_msg(mcl__validates(NULL) == cases[k].validates, "\"%s\"", cases[k].text);
        ck_assert_int_eq(mcl__validates(&flagged), 1);
    }
    unsetenv("MCL_VALIDATE");
}
END_TEST

/* ---- events and replays --------------------------------------------------------------------------------------- */

START_TEST(an_event_of_the_driver_is_made_alone_or_beside_one_of_the_librarys)
{
    const world w = world_open(2);
    void *of_driver = NULL;
    mcl_event *done = NULL;
    test_ok(mcl_transform(w.queue, w.in, w.out, &(mcl_options){ .driver_done = &of_driver }));
    ck_assert_ptr_nonnull(of_driver);
    of_driver = NULL;
    test_ok(mcl_transform(w.queue, w.in, w.out, &(mcl_options){ .driver_done = &of_driver, .done = &done }));
    ck_assert_ptr_nonnull(of_driver);
    ck_assert_ptr_nonnull(done);
    mcl_event_release(done);
    world_close(&w);
}
END_TEST

START_TEST(a_replay_takes_events_alone)
{
    const world w = world_open(2);
    const struct {
        mcl_options options;
        const char *words; /* NULL: taken */
    } cases[] = {
        { { .flags = MCL_INDEX_64 }, "options->flags" },
        { { .tile_threads = 32 }, "options->tile_threads" },
        { { .tile_items = 2 }, "options->tile_items" },
        { { .scratch = w.buffer, .scratch_bytes = 256 }, "options->scratch" },
        { { .scratch = w.buffer }, "options->scratch" },
        { { 0 }, NULL },
    };
    mcl_recording *recording = NULL;
    test_ok(mcl_record_begin(w.queue));
    test_ok(mcl_transform(w.queue, w.in, w.out, NULL));
    test_ok(mcl_record_end(w.queue, &recording));
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const int64_t work = idle_work;
        const mcl_status status = mcl_replay(w.queue, recording, &cases[k].options);
        ck_assert_msg(status == (cases[k].words ? MCL_ERROR_ARGUMENT : MCL_OK), "case %zu: %s", k, mcl_last_error());
        if (cases[k].words) test_fails(status, MCL_ERROR_ARGUMENT, cases[k].words);
        ck_assert_int_eq(idle_work - work, cases[k].words == NULL);
    }
    mcl_recording_release(recording);
    world_close(&w);
}
END_TEST

/* ---- tiles ---------------------------------------------------------------------------------------------------- */

START_TEST(a_tile_is_told_into_both_numbers)
{
    const world w = world_open(2);
    int threads = -3, items = -5;
    test_fails(mcl_context_tile(w.context, NULL, 4, &threads, &items), MCL_ERROR_ARGUMENT,
               "mcl_context_tile: operation is NULL");
    test_fails(mcl_context_tile(w.context, "scan", 4, NULL, &items), MCL_ERROR_ARGUMENT,
               "mcl_context_tile: threads is NULL");
    test_fails(mcl_context_tile(w.context, "scan", 4, &threads, NULL), MCL_ERROR_ARGUMENT,
               "mcl_context_tile: items is NULL");
    ck_assert_int_eq(threads, -3);
    ck_assert_int_eq(items, -5);
    test_ok(mcl_context_tile(w.context, "scan", 4, &threads, &items));
    ck_assert_int_gt(threads, 1);
    ck_assert_int_gt(items, 0);
    world_close(&w);
}
END_TEST

START_TEST(a_launch_has_as_many_tiles_as_its_groups_have_numbers)
{
    const int64_t most = MCL__GROUPS_MAX;
    test_ok(mcl__check_tiles(most, 1));
    test_ok(mcl__check_tiles(7 * most, 7));
    test_fails(mcl__check_tiles(most + 1, 1), MCL_ERROR_ARGUMENT, "2147483648 elements in tiles of 1");
    test_fails(mcl__check_tiles(7 * most + 1, 7), MCL_ERROR_ARGUMENT, "elements in tiles of 7");
}
END_TEST

/* A call has few elements and head indices for more tiles than a launch may have. */
START_TEST(head_indices_fit_one_launch)
{
    const mcl_options options = { .tile_threads = 1, .tile_items = 1 };
    const world w = world_open(0);
    const mcl_input heads = mcl_from_expression(MCL_INT64, "i", NULL, NULL, 0, MCL__GROUPS_MAX + 1);
    test_fails(
        mcl_segmented_scan(w.queue, w.in, mcl_segments_from_indices(heads), w.out, MCL_ADD, MCL_INCLUSIVE, &options),
        MCL_ERROR_ARGUMENT, "2147483648 elements in tiles of 1");
    world_close(&w);
}
END_TEST

START_TEST(bins_fit_one_launch)
{
    const mcl_op bin = { .role = MCL_ROLE_INDEX, .expression = "x" };
    const mcl_options options = { .tile_threads = 1, .tile_items = 1 };
    const int64_t bins = MCL__GROUPS_MAX + 1;
    const world w = world_open(0);
    mcl_buffer *large = NULL;
    test_ok(mcl_buffer_create(w.context, (size_t)bins * sizeof(int32_t), NULL, &large));
    test_fails(mcl_histogram(w.queue, w.in, &bin, NULL, mcl_to_buffer(MCL_INT32, large, 0, bins), &options),
               MCL_ERROR_ARGUMENT, "mcl_histogram: 2147483648 elements in tiles of 1");
    mcl_buffer_release(large);
    world_close(&w);
}
END_TEST

/* ---- folds ---------------------------------------------------------------------------------------------------- */

/* An operator that tracks an index takes no initial value, which would have no index. */
START_TEST(a_tracked_index_has_no_initial_value)
{
    const int32_t one = 1;
    const mcl_options options = { .initial = &one };
    const world w = world_open(0);
    const mcl_result nowhere = mcl_to_nowhere(), result = mcl_to_slot(MCL_INT32, w.buffer, ELEMENTS);
    const mcl_segments rows = mcl_segments_from_rows(10, 10);
    const mcl_segments heads = mcl_segments_from_indices(mcl_from_buffer(MCL_INT32, w.buffer, 0, 10));
    const mcl_output none = { 0 };
#define FAILS(call) test_fails(call, MCL_ERROR_ARGUMENT, "options->initial is given; expected NULL")
    FAILS(mcl_reduce(w.queue, w.in, MCL_MAX_INDEX, result, &options));
    FAILS(mcl_scan(w.queue, w.in, w.out, MCL_MAX_INDEX, MCL_INCLUSIVE, nowhere, &options));
    FAILS(mcl_segmented_reduce(w.queue, w.in, rows, w.out, MCL_MAX_INDEX, nowhere, &options));
    FAILS(mcl_segmented_reduce(w.queue, w.in, heads, w.out, MCL_MAX_INDEX, nowhere, &options));
    FAILS(mcl_segmented_scan(w.queue, w.in, rows, w.out, MCL_MAX_INDEX, MCL_INCLUSIVE, &options));
    FAILS(mcl_reduce_by_key(w.queue, w.in, w.in, none, w.out, MCL_MAX_INDEX, NULL, nowhere, &options));
    FAILS(mcl_scan_by_key(w.queue, w.in, w.in, w.out, MCL_MAX_INDEX, NULL, MCL_INCLUSIVE, &options));
#undef FAILS
    world_close(&w);
}
END_TEST

/* The device that ends long loops takes three elements of a segment for each step that a loop may have. */
START_TEST(a_tree_of_a_segment_fits_the_loops_of_the_device)
{
    const mcl_options options = { .flags = MCL_DETERMINISTIC };
    const world w = world_open(6);
    const int64_t most = 3 * (int64_t)w.context->limits.loop_budget;
    const mcl_output out = mcl_to_buffer(MCL_FLOAT, w.buffer, ELEMENTS, 1);
    const float one = 1;
    ck_assert_int_gt(most, 0);
    test_ok(mcl_segmented_reduce(w.queue, mcl_from_constant(MCL_FLOAT, &one, most), mcl_segments_from_rows(1, most),
                                 out, MCL_ADD, mcl_to_nowhere(), &options));
    test_fails(mcl_segmented_reduce(w.queue, mcl_from_constant(MCL_FLOAT, &one, most + 3),
                                    mcl_segments_from_rows(1, most + 3), out, MCL_ADD, mcl_to_nowhere(), &options),
               MCL_ERROR_UNSUPPORTED, "the device ends loops early");
    world_close(&w);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, wide_sub_groups_vote);
    tcase_add_test(tcase, a_way_to_append_is_refused_for_each_of_its_numbers);
    tcase_add_test(tcase, validation_is_asked_for_by_a_flag_or_by_the_environment);
    tcase_add_test(tcase, an_event_of_the_driver_is_made_alone_or_beside_one_of_the_librarys);
    tcase_add_test(tcase, a_replay_takes_events_alone);
    tcase_add_test(tcase, a_tile_is_told_into_both_numbers);
    tcase_add_test(tcase, a_launch_has_as_many_tiles_as_its_groups_have_numbers);
    tcase_add_test(tcase, head_indices_fit_one_launch);
    tcase_add_test(tcase, bins_fit_one_launch);
    tcase_add_test(tcase, a_tracked_index_has_no_initial_value);
    tcase_add_test(tcase, a_tree_of_a_segment_fits_the_loops_of_the_device);
}

int main(void)
{
    return test_main_host("call_checks", add);
}
