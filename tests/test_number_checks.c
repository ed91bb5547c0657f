/* test_number_checks.c: numbers, enumerators and pointers of single calls, at both ends of the allowed range and
 * beyond. The device runs nothing (guided/idle_device.h). */
#include "support/devices.h"

#include "guided/idle_device.h"

#include <math.h>
#include <string.h>

enum { COUNT = 100 };

typedef struct world {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffer, *out;
} world;

static world start(void)
{
    world w = { 0 };
    test_ok(idle_context(0, &w.context));
    test_ok(mcl_queue_create(w.context, 0, &w.queue));
    test_ok(mcl_buffer_create(w.context, (size_t)1 << 34, NULL, &w.buffer));
    test_ok(mcl_buffer_create(w.context, (size_t)1 << 34, NULL, &w.out));
    return w;
}

static void stop(world *w)
{
    mcl_buffer_release(w->buffer);
    mcl_buffer_release(w->out);
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
}

static mcl_input in(const world *w, const mcl_type *type, int64_t count)
{
    return mcl_from_buffer(type, w->buffer, 0, count);
}

static mcl_output out(const world *w, const mcl_type *type, int64_t count)
{
    return mcl_to_buffer(type, w->out, 0, count);
}

/* ---- enumerators ------------------------------------------------------------------------------------------------ */

static mcl_status join(const world *w, int kind)
{
    return mcl_join(w->queue, (mcl_join_kind)kind, in(w, MCL_INT32, COUNT), in(w, MCL_INT32, COUNT),
                    out(w, MCL_INT32, COUNT), (mcl_output){ 0 }, MCL_LESS, mcl_to_nowhere(), NULL);
}

static mcl_status quantile(const world *w, int interpolation)
{
    const float half = 0.5f;
    return mcl_quantiles(w->queue, in(w, MCL_FLOAT, COUNT), mcl_from_constant(MCL_FLOAT, &half, 1),
                         out(w, MCL_FLOAT, 1), MCL_LESS, (mcl_interpolation)interpolation, NULL);
}

static mcl_status reduce_segments(const world *w, int kind)
{
    mcl_segments segments = mcl_segments_from_offsets(in(w, MCL_INT32, 11));
    segments.kind = (mcl_segment_kind)kind;
    return mcl_segmented_reduce(w->queue, in(w, MCL_INT32, COUNT), segments, out(w, MCL_INT32, COUNT), MCL_ADD,
                                mcl_to_nowhere(), NULL);
}

static mcl_status find(const world *w, int kind)
{
    mcl_found found = mcl_found_indices(out(w, MCL_INT32, COUNT));
    found.find = (mcl_find)kind;
    return mcl_sorted_search(w->queue, in(w, MCL_INT32, COUNT), in(w, MCL_INT32, COUNT), MCL_LOWER, found,
                             mcl_found_nothing(), MCL_LESS, NULL);
}

START_TEST(enumerators_are_of_their_list)
{
    world w = start();
    test_ok(join(&w, MCL_JOIN_ANTI));
    test_fails(join(&w, -1), MCL_ERROR_ARGUMENT, "mcl_join: kind is -1; expected one of mcl_join_kind");
    test_fails(join(&w, MCL_JOIN_ANTI + 1), MCL_ERROR_ARGUMENT, "expected one of mcl_join_kind");
    test_ok(quantile(&w, MCL_INTERPOLATION_LINEAR));
    test_fails(quantile(&w, -1), MCL_ERROR_ARGUMENT, "interpolation is -1; expected an mcl_interpolation");
    test_fails(quantile(&w, MCL_INTERPOLATION_LINEAR + 1), MCL_ERROR_ARGUMENT, "expected an mcl_interpolation");
    test_ok(reduce_segments(&w, MCL_SEGMENT_OFFSETS));
    test_fails(reduce_segments(&w, -1), MCL_ERROR_ARGUMENT, "segments.kind is -1; expected what an mcl_segments_from");
    test_fails(reduce_segments(&w, MCL_SEGMENT_FLAGS + 1), MCL_ERROR_ARGUMENT, "segments.kind is");
    test_ok(find(&w, MCL_FIND_INDEX_MATCH));
    test_fails(find(&w, -1), MCL_ERROR_ARGUMENT, "mcl_sorted_search: |has find -1; expected one of mcl_find");
    test_fails(find(&w, MCL_FIND_INDEX_MATCH + 1), MCL_ERROR_ARGUMENT, "expected one of mcl_find");
    stop(&w);
}
END_TEST

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static mcl_status cut(const world *w, int pair_tiles)
{
    return mcl_cut_merge_path(w->queue, in(w, MCL_INT32, COUNT), in(w, MCL_INT32, pair_tiles ? 0 : COUNT), 10,
                              pair_tiles, MCL_LOWER, out(w, MCL_INT32, COUNT), MCL_LESS, NULL);
}

START_TEST(lists_of_pairs_are_powers_of_two)
{
    world w = start();
    test_ok(cut(&w, 0));
    test_ok(cut(&w, 2));
    test_ok(cut(&w, 8));
    test_fails(cut(&w, -2), MCL_ERROR_ARGUMENT, "pair_tiles is -2; expected 0 or a power of two from 2 on");
    test_fails(cut(&w, 1), MCL_ERROR_ARGUMENT, "pair_tiles is 1; expected 0 or a power of two");
    test_fails(cut(&w, 6), MCL_ERROR_ARGUMENT, "pair_tiles is 6; expected 0 or a power of two");
    stop(&w);
}
END_TEST

static mcl_status sample(const world *w, int64_t first)
{
    return mcl_splitters_sample(w->queue, in(w, MCL_INT32, COUNT), 7, first, out(w, MCL_INT32, COUNT),
                                (mcl_output){ 0 }, NULL);
}

static mcl_status map_of(const world *w, float max_load)
{
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = COUNT, .max_load = max_load };
    mcl_map *map = NULL;
    const mcl_status status = mcl_map_create(w->context, &config, &map);
    mcl_map_release(map);
    return status;
}

static mcl_status multimap_of(const world *w, int64_t capacity)
{
    const mcl_multimap_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = capacity };
    mcl_multimap *map = NULL;
    const mcl_status status = mcl_multimap_create(w->context, &config, &map);
    mcl_multimap_release(map);
    return status;
}

START_TEST(numbers_are_in_their_range)
{
    world w = start();
    test_ok(sample(&w, 0));
    test_ok(sample(&w, (int64_t)1 << 40));
    test_fails(sample(&w, -1), MCL_ERROR_ARGUMENT, "mcl_splitters_sample: first is -1; expected 0 to");
    test_fails(sample(&w, INT64_MAX), MCL_ERROR_ARGUMENT, "first is 9223372036854775807; expected 0 to");
    test_ok(map_of(&w, 0.5f));
    test_fails(map_of(&w, -0.5f), MCL_ERROR_ARGUMENT, "config->max_load is -0.5; expected 0 to 1");
    test_fails(map_of(&w, 1.5f), MCL_ERROR_ARGUMENT, "config->max_load is 1.5; expected 0 to 1");
    test_fails(map_of(&w, NAN), MCL_ERROR_ARGUMENT, "config->max_load is |expected 0 to 1");
    test_ok(multimap_of(&w, COUNT));
    test_fails(multimap_of(&w, -1), MCL_ERROR_ARGUMENT, "config->capacity is -1; expected 0 to");
    test_fails(multimap_of(&w, INT64_MAX), MCL_ERROR_ARGUMENT,
               "config->capacity is 9223372036854775807; expected 0 to");
    stop(&w);
}
END_TEST

static mcl_status bins(const world *w, const mcl_type *type, double low, double high)
{
    return mcl_histogram_even(w->queue, in(w, type, COUNT), low, high, NULL, out(w, MCL_INT32, 10), NULL);
}

START_TEST(bounds_of_bins_are_finite_and_apart)
{
    world w = start();
    test_ok(bins(&w, MCL_FLOAT, -1, 1));
    test_fails(bins(&w, MCL_FLOAT, -INFINITY, 1), MCL_ERROR_ARGUMENT, "low is -inf; expected a finite number");
    test_fails(bins(&w, MCL_FLOAT, 0, INFINITY), MCL_ERROR_ARGUMENT, "high is inf; expected a finite number");
    test_fails(bins(&w, MCL_DOUBLE, NAN, 1), MCL_ERROR_ARGUMENT, "low is |expected a finite number");
    test_fails(bins(&w, MCL_DOUBLE, 1, 1), MCL_ERROR_ARGUMENT, "low is 1 and high is 1; expected low below high");
    test_fails(bins(&w, MCL_DOUBLE, -1.7e308, 1.7e308), MCL_ERROR_ARGUMENT, "expected a distance that double can hold");
    test_fails(bins(&w, MCL_DOUBLE, 0, 1e-320), MCL_ERROR_ARGUMENT, "that divides into 10 bins");
    test_fails(bins(&w, MCL_FLOAT, 0, 1e-44), MCL_ERROR_ARGUMENT, "that divides into 10 bins");
    stop(&w);
}
END_TEST

/* ---- pointers, types, expressions ------------------------------------------------------------------------------- */

START_TEST(random_numbers_need_both_bounds)
{
    const int32_t bound = 7;
    world w = start();
    test_ok(mcl_random(w.queue, out(&w, MCL_INT32, COUNT), 1, 0, &bound, &bound, NULL));
    test_fails(mcl_random(w.queue, out(&w, MCL_INT32, COUNT), 1, 0, NULL, &bound, NULL), MCL_ERROR_ARGUMENT,
               "mcl_random: low is NULL; expected a pointer to one int32_t");
    test_fails(mcl_random(w.queue, out(&w, MCL_INT32, COUNT), 1, 0, &bound, NULL, NULL), MCL_ERROR_ARGUMENT,
               "mcl_random: high is NULL; expected a pointer to one int32_t");
    stop(&w);
}
END_TEST

static mcl_status count_equal(const world *w, const mcl_type *type, int64_t haystack)
{
    return mcl_equality_count(w->queue, in(w, MCL_UINT8, COUNT), in(w, MCL_UINT8, haystack), in(w, type, COUNT),
                              out(w, MCL_INT64, COUNT), MCL_LESS, MCL_EQUALITY, NULL);
}

START_TEST(lower_bounds_hold_all_indices)
{
    world w = start();
    test_ok(count_equal(&w, MCL_INT32, INT32_MAX));
    test_ok(count_equal(&w, MCL_UINT64, (int64_t)INT32_MAX + 1));
    test_ok(count_equal(&w, MCL_INT64, (int64_t)INT32_MAX + 1));
    test_fails(count_equal(&w, MCL_INT32, (int64_t)INT32_MAX + 1), MCL_ERROR_TYPE,
               "lower_bounds is int32_t; expected 8 bytes for indices of 2147483648 keys");
    stop(&w);
}
END_TEST

/* An expression without elements has nothing to fetch, so it is accepted. */
START_TEST(rows_and_columns_that_are_gathered_are_buffers)
{
    world w = start();
    const mcl_input rows = in(&w, MCL_INT32, COUNT), column = in(&w, MCL_FLOAT, COUNT);
    const mcl_output to = out(&w, MCL_FLOAT, COUNT);
    for (int count = 0; count <= COUNT; count += COUNT) {
        const mcl_input numbers = mcl_from_expression(MCL_INT32, "i", NULL, NULL, 0, count);
        const mcl_input reals = mcl_from_expression(MCL_FLOAT, "i", NULL, NULL, 0, count);
        const mcl_status of_rows = mcl_join_gather(w.queue, numbers, column, NULL, to, NULL);
        if (count == 0) test_ok(of_rows);
        if (count > 0) test_fails(of_rows, MCL_ERROR_ARGUMENT, "rows is an expression; expected a buffer");
        const mcl_status of_column = mcl_join_gather(w.queue, rows, reals, NULL, to, NULL);
        if (count == 0) test_ok(of_column);
        if (count > 0) test_fails(of_column, MCL_ERROR_ARGUMENT, "column is an expression; expected a buffer");
    }
    stop(&w);
}
END_TEST

START_TEST(a_buffer_of_no_bytes_takes_no_data)
{
    const int32_t data = 7;
    mcl_buffer *buffer = NULL;
    world w = start();
    const int64_t before = idle_work;
    test_ok(mcl_buffer_create(w.context, 0, &data, &buffer));
    ck_assert_int_eq(idle_work, before);
    mcl_buffer_release(buffer);
    test_ok(mcl_buffer_create(w.context, sizeof data, &data, &buffer));
    ck_assert_int_eq(idle_work, before + 1);
    mcl_buffer_release(buffer);
    stop(&w);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, enumerators_are_of_their_list);
    tcase_add_test(tcase, lists_of_pairs_are_powers_of_two);
    tcase_add_test(tcase, numbers_are_in_their_range);
    tcase_add_test(tcase, bounds_of_bins_are_finite_and_apart);
    tcase_add_test(tcase, random_numbers_need_both_bounds);
    tcase_add_test(tcase, lower_bounds_hold_all_indices);
    tcase_add_test(tcase, rows_and_columns_that_are_gathered_are_buffers);
    tcase_add_test(tcase, a_buffer_of_no_bytes_takes_no_data);
}

int main(void)
{
    return test_main_host("number_checks", add);
}
