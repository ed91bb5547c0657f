/* test_cuts.c: mcl_cut_search and mcl_cut_merge_path. */
#include "support/arrays.h"
#include "support/run_case.h"

START_TEST(cuts_equal_counting)
{
    run_case_round(&cuts_case, _i);
}
END_TEST

START_TEST(lower_and_upper_bounds_differ_where_a_position_is_a_tile_start)
{
    const int32_t data[] = { 1, 4, 4, 5, 8, 8, 11 };
    const int32_t lower[] = { 0, 1, 4, 7 };
    const int32_t upper[] = { 0, 3, 6, 7 };
    int32_t got[4];
    mcl_buffer *in = ARRAY_OF(_i, data);
    mcl_buffer *out = array_empty(_i, sizeof got);

    test_ok(mcl_cut_search(test_device_at(_i)->queue, ints(in, 7), 12, 4, MCL_LOWER, ints_out(out, 4), NULL));
    ARRAY_READ(_i, out, got);
    ck_assert_mem_eq(got, lower, sizeof got);
    test_ok(mcl_cut_search(test_device_at(_i)->queue, ints(in, 7), 12, 4, MCL_UPPER, ints_out(out, 4), NULL));
    ARRAY_READ(_i, out, got);
    ck_assert_mem_eq(got, upper, sizeof got);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(a_sequence_of_nothing_has_one_boundary)
{
    int64_t got = 99;
    mcl_buffer *out = array_empty(_i, sizeof got);
    const mcl_output to = mcl_to_buffer(MCL_INT64, out, 0, 1);

    test_ok(mcl_cut_search(test_device_at(_i)->queue, ints(NULL, 0), 0, 4, MCL_LOWER, to, NULL));
    array_read(_i, out, &got, sizeof got);
    ck_assert_int_eq(got, 0);
    test_ok(mcl_cut_merge_path(test_device_at(_i)->queue, ints(NULL, 0), ints(NULL, 0), 4, 0, MCL_LOWER, to, MCL_LESS,
                               NULL));
    array_read(_i, out, &got, sizeof got);
    ck_assert_int_eq(got, 0);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(equal_keys_cross_at_the_end_of_a_or_at_its_start)
{
    const int32_t same = 5;
    const mcl_input a = mcl_from_constant(MCL_INT32, &same, 6);
    const mcl_input b = mcl_from_constant(MCL_INT32, &same, 6);
    const int32_t a_first[] = { 0, 4, 6, 6 };
    const int32_t b_first[] = { 0, 0, 2, 6 };
    int32_t got[4];
    mcl_buffer *out = array_empty(_i, sizeof got);

    test_ok(mcl_cut_merge_path(test_device_at(_i)->queue, a, b, 4, 0, MCL_LOWER, ints_out(out, 4), MCL_LESS, NULL));
    ARRAY_READ(_i, out, got);
    ck_assert_mem_eq(got, a_first, sizeof got);
    test_ok(mcl_cut_merge_path(test_device_at(_i)->queue, a, b, 4, 0, MCL_UPPER, ints_out(out, 4), MCL_LESS, NULL));
    ARRAY_READ(_i, out, got);
    ck_assert_mem_eq(got, b_first, sizeof got);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(validation_finds_positions_out_of_order)
{
    int32_t data[300];
    const mcl_options options = { .flags = MCL_VALIDATE };

    for (int k = 0; k < 300; k++) data[k] = k;
    data[200] = 7;
    mcl_buffer *in = ARRAY_OF(_i, data);
    mcl_buffer *out = array_empty(_i, sizeof data);
    test_fails(
        mcl_cut_search(test_device_at(_i)->queue, ints(in, 300), 300, 10, MCL_LOWER, ints_out(out, 31), &options),
        MCL_ERROR_PRECONDITION, "mcl_cut_search|data[200]");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, cuts_equal_counting, device, run_case_rounds(&cuts_case));
    test_add(tcase, lower_and_upper_bounds_differ_where_a_position_is_a_tile_start, device);
    test_add(tcase, a_sequence_of_nothing_has_one_boundary, device);
    test_add(tcase, equal_keys_cross_at_the_end_of_a_or_at_its_start, device);
    test_add(tcase, validation_finds_positions_out_of_order, device);
}

int main(void)
{
    return test_main("cuts", add);
}
