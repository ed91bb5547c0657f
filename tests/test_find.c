/* test_find.c: mcl_find_if, mcl_count_if. */
#include "support/arrays.h"
#include "support/run_case.h"

#include "device/device.h"

#include <stdlib.h>

START_TEST(find_and_count_equal_the_loop)
{
    run_case_round(&find_case, _i);
}
END_TEST

static const mcl_op above = { .role = MCL_ROLE_TEST, .expression = "x > 40" };
static const mcl_op always = { .role = MCL_ROLE_TEST, .expression = "i >= 0" };
static const mcl_op far_along = { .role = MCL_ROLE_TEST, .expression = "i >= limit", .binding_count = 1 };

START_TEST(a_small_sequence)
{
    const int32_t keys[] = { 31, 4, 15, 92, 65, 35, 89, 79 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, keys);
    int32_t found = -1;
    uint32_t count = 0;

    test_ok(mcl_find_if(queue, ints(in, 8), &above, mcl_to_host(MCL_INT32, &found), NULL));
    test_ok(mcl_count_if(queue, ints(in, 8), &above, mcl_to_host(MCL_UINT32, &count), NULL));
    ck_assert_int_eq(found, 3);
    ck_assert_uint_eq(count, 4);
    test_ok(mcl_find_if(queue, ints(in, 3), &above, mcl_to_host(MCL_INT32, &found), NULL));
    ck_assert_int_eq(found, 3); /* none is found, so it is the count */
    test_ok(mcl_find_if(queue, ints(NULL, 0), &above, mcl_to_host(MCL_INT32, &found), NULL));
    test_ok(mcl_count_if(queue, ints(NULL, 0), &above, mcl_to_host(MCL_UINT32, &count), NULL));
    ck_assert_int_eq(found, 0);
    ck_assert_uint_eq(count, 0);
    mcl_buffer_release(in);
}
END_TEST

START_TEST(counts_on_the_device_bound_both)
{
    const int32_t keys[] = { 31, 4, 15, 92, 65, 35, 89, 79 };
    const int64_t slots[] = { 3, 5, -7, 100 };
    const int64_t first[] = { 3, 3, 0, 3 }, passed[] = { 0, 2, 0, 4 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *counts = ARRAY_OF(_i, slots);
    mcl_buffer *out = array_empty(_i, 2 * sizeof(int64_t));

    for (int k = 0; k < 4; k++) {
        int64_t got[2];
        const mcl_input keys_of = mcl_with_count(ints(in, 8), counts, k);
        test_ok(mcl_find_if(queue, keys_of, &above, mcl_to_slot(MCL_INT64, out, 0), NULL));
        test_ok(mcl_count_if(queue, keys_of, &above, mcl_to_slot(MCL_INT64, out, 1), NULL));
        ARRAY_READ(_i, out, got);
        ck_assert_int_eq(got[0], first[k]);
        ck_assert_int_eq(got[1], passed[k]);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(counts);
    mcl_buffer_release(out);
}
END_TEST

/* A new queue has no words, and with the caller's scratch none are made. Then the call makes three launches. */
START_TEST(a_queue_without_words_finds_the_same)
{
    enum { COUNT = 5000, AT = 3210 };
    static const mcl_options tiles[] = { { .tile_threads = 1, .tile_items = 100 },
                                         { .tile_threads = 32, .tile_items = 3 } };
    static int32_t keys[COUNT];
    keys[AT] = keys[AT + 1] = keys[COUNT - 1] = 50;
    mcl_buffer *in = ARRAY_OF(_i, keys);
    mcl_buffer *scratch = array_empty(_i, 512);

    for (int k = 0; k < 4; k++) {
        mcl_options options = tiles[k / 2];
        mcl_queue *queue = NULL;
        int32_t found = -1;
        test_ok(mcl_queue_create(test_device_at(_i)->context, 0, &queue));
        options.scratch = scratch;
        options.scratch_bytes = 512;
        test_ok(mcl_find_if(queue, ints(in, k & 1 ? AT : COUNT), &above, mcl_to_host(MCL_INT32, &found), &options));
        ck_assert_int_eq(found, AT); /* none comes before it, so it is the count */
        ck_assert_ptr_null(queue->slots);
        mcl_queue_release(queue);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(scratch);
}
END_TEST

/* Blocks have several tiles where a word has too few numbers for all tiles. An early element ends the call soon. */
START_TEST(a_very_long_sequence_ends_at_its_first_element)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const int64_t count = (int64_t)1 << 42, limit = test_is_small() ? 300000 : 5000000;
    const mcl_input numbers = mcl_from_expression(MCL_INT64, "i", NULL, NULL, 0, count);
    const mcl_options options = { .tile_threads = 1, .tile_items = 16 };
    mcl_op later = far_along;
    int64_t found = -1;

    if (test_device_at(_i)->context->limits.loop_budget > 0) {
        test_skip(_i, "a_very_long_sequence_ends_at_its_first_element", "the device ends long loops");
        return;
    }
    later.bindings[0] = mcl_binding_value("limit", MCL_INT64, &limit);
    test_ok(mcl_find_if(queue, numbers, &always, mcl_to_host(MCL_INT64, &found), NULL));
    ck_assert_int_eq(found, 0);
    test_ok(mcl_find_if(queue, numbers, &later, mcl_to_host(MCL_INT64, &found), &options));
    ck_assert_int_eq(found, limit);
}
END_TEST

START_TEST(mistakes_are_told)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64);
    int32_t number;
    float real;
    const mcl_result to_number = mcl_to_host(MCL_INT32, &number), to_real = mcl_to_host(MCL_FLOAT, &real);
    const mcl_op wrong = { .role = MCL_ROLE_TEST, .expression = "x +" };
    const mcl_input many = mcl_from_expression(MCL_INT32, "0", NULL, NULL, 0, (int64_t)1 << 32);

    test_fails(mcl_find_if(NULL, ints(in, 8), &above, to_number, NULL), MCL_ERROR_ARGUMENT, "mcl_find_if|queue|NULL");
    test_fails(mcl_find_if(queue, ints(in, 17), &above, to_number, NULL), MCL_ERROR_ARGUMENT, "mcl_find_if|in|17");
    test_fails(mcl_find_if(queue, ints(in, 8), NULL, to_number, NULL), MCL_ERROR_ARGUMENT, "mcl_find_if|test");
    test_fails(mcl_find_if(queue, ints(in, 8), MCL_LESS, to_number, NULL), MCL_ERROR_ARGUMENT, "mcl_find_if|test");
    test_fails(mcl_find_if(queue, ints(in, 8), &above, to_real, NULL), MCL_ERROR_TYPE, "mcl_find_if|result is float");
    test_fails(mcl_find_if(queue, ints(in, 8), &wrong, to_number, NULL), MCL_ERROR_BUILD, "mcl_find_if");
    test_fails(mcl_count_if(queue, ints(in, 17), &above, to_number, NULL), MCL_ERROR_ARGUMENT, "mcl_count_if|in|17");
    test_fails(mcl_count_if(queue, ints(in, 8), MCL_ADD, to_number, NULL), MCL_ERROR_ARGUMENT, "mcl_count_if|test");
    test_fails(mcl_count_if(queue, ints(in, 8), &above, to_real, NULL), MCL_ERROR_TYPE, "mcl_count_if|result is float");
    test_fails(mcl_count_if(queue, ints(in, 8), &wrong, to_number, NULL), MCL_ERROR_BUILD, "mcl_count_if");
    test_fails(mcl_count_if(queue, many, &above, to_number, NULL), MCL_ERROR_TYPE,
               "mcl_count_if|result is MCL_INT32|MCL_INT64");
    mcl_buffer_release(in);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, find_and_count_equal_the_loop, device, run_case_rounds(&find_case));
    test_add(tcase, a_small_sequence, device);
    test_add(tcase, counts_on_the_device_bound_both, device);
    test_add(tcase, a_queue_without_words_finds_the_same, device);
    test_add(tcase, a_very_long_sequence_ends_at_its_first_element, device);
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("find", add);
}
