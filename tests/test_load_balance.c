/* test_load_balance.c: mcl_load_balance_search and mcl_transform_load_balanced. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(load_balance_equals_the_loop)
{
    run_case_round(&load_balance_case, _i);
}
END_TEST

enum { COUNT = 700 };

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 50 },
                                       { .tile_threads = 32, .tile_items = 3 } };
/* Tiles of both mappings that hold all elements. */
static const mcl_options wholes[] = { { .tile_threads = 1, .tile_items = 4 * COUNT },
                                      { .tile_threads = 128, .tile_items = 31 } };
static const mcl_output none = { 0 };

START_TEST(work_that_is_shorter_or_longer_than_the_objects_ends_with_them)
{
    const int32_t offsets[] = { 0, 5, 5, 20 };
    int32_t got[40];
    mcl_buffer *starts = ARRAY_OF(_i, offsets);

    for (int turn = 0; turn < 8; turn++) {
        const int items[] = { 0, 4, 7, 40 };
        const int work = items[turn / 2];
        mcl_buffer *out = array_empty(_i, sizeof got);
        memset(got, 0x11, sizeof got);
        test_ok(mcl_buffer_write(test_device_at(_i)->queue, out, 0, sizeof got, got));
        test_ok(mcl_load_balance_search(test_device_at(_i)->queue, mcl_work_items(work), ints(starts, 4),
                                        ints_out(out, 40), none, &tilings[turn % 2]));
        ARRAY_READ(_i, out, got);
        for (int k = 0; k < 40; k++) ck_assert_int_eq(got[k], k >= work ? 0x11111111 : k < 5 ? 0 : k < 20 ? 2 : 3);
        mcl_buffer_release(out);
    }
    mcl_buffer_release(starts);
}
END_TEST

START_TEST(without_objects_nothing_is_stored)
{
    int32_t got[8];
    mcl_buffer *out = array_empty(_i, sizeof got);

    memset(got, 0x22, sizeof got);
    test_ok(mcl_buffer_write(test_device_at(_i)->queue, out, 0, sizeof got, got));
    for (int turn = 0; turn < 2; turn++) {
        test_ok(mcl_load_balance_search(test_device_at(_i)->queue, mcl_work_items(8), ints(NULL, 0), ints_out(out, 8),
                                        none, &tilings[turn]));
        ARRAY_READ(_i, out, got);
        for (int k = 0; k < 8; k++) ck_assert_int_eq(got[k], 0x22222222);
    }
    mcl_buffer_release(out);
}
END_TEST

START_TEST(counts_of_work_and_objects_from_the_device_are_clamped)
{
    static int32_t offsets[COUNT];
    static int32_t got[COUNT];
    const int64_t slots[] = { 0, -3, INT64_MIN, 250, COUNT, COUNT + 1, INT64_MAX };
    const int counts[] = { 0, 0, 0, 250, COUNT, COUNT, COUNT };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *slot = ARRAY_OF(_i, slots);

    for (int k = 0; k < COUNT; k++) offsets[k] = k / 2 * 2;
    mcl_buffer *starts = ARRAY_OF(_i, offsets);
    for (int turn = 0; turn < 14; turn++) {
        const int work = counts[turn / 2];
        const int objects = counts[(turn / 2 + 3) % 7];
        mcl_buffer *out = array_empty(_i, sizeof got);
        memset(got, 0x33, sizeof got);
        test_ok(mcl_buffer_write(queue, out, 0, sizeof got, got));
        test_ok(mcl_load_balance_search(queue, mcl_work_in_slot(COUNT, slot, turn / 2),
                                        mcl_with_count(ints(starts, COUNT), slot, (turn / 2 + 3) % 7),
                                        ints_out(out, COUNT), none, &tilings[turn % 2]));
        ARRAY_READ(_i, out, got);
        for (int k = 0; k < COUNT; k++) {
            const int last = k / 2 * 2 + 1 < objects ? k / 2 * 2 + 1 : objects - 1;
            ck_assert_int_eq(got[k], k < work && objects > 0 ? last : 0x33333333);
        }
        mcl_buffer_release(out);
    }
    mcl_buffer_release(starts);
    mcl_buffer_release(slot);
}
END_TEST

/* Offsets are in no order, negative or too large. Values are unspecified, but memory outside the operands is not
 * touched. */
START_TEST(bad_offsets_are_never_followed_past_the_ends)
{
    static int64_t data[COUNT];
    guarded offsets;
    guarded objects;
    guarded ranks;
    char what[] = "search with bad offsets";
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_context *context = test_device_at(_i)->context;

    for (int turn = 0; turn < 12; turn++) {
        const mcl_options *options = test_sees_races(_i) ? &wholes[turn % 2] : &tilings[turn % 2];
        for (int k = 0; k < COUNT; k++) {
            const int64_t number = (int64_t)test_random((uint64_t)turn, (uint64_t)k);
            data[k] = turn % 3 == 0 ? number % 3000 : turn % 3 == 1 ? number : 2 * COUNT - k;
        }
        guarded_create(context, &element_int64, COUNT, (unsigned char *)data, turn % 4, &offsets);
        guarded_create(context, &element_int32, 2 * COUNT, NULL, 2, &objects);
        guarded_create(context, &element_int64, 2 * COUNT, NULL, turn % 3, &ranks);
        test_ok(mcl_load_balance_search(queue, mcl_work_items(2 * COUNT),
                                        mcl_from_buffer(MCL_INT64, offsets.buffer, offsets.first, COUNT),
                                        mcl_to_buffer(MCL_INT32, objects.buffer, objects.first, 2 * COUNT),
                                        mcl_to_buffer(MCL_INT64, ranks.buffer, ranks.first, 2 * COUNT), options));
        guarded_unchanged(queue, &offsets, what);
        guarded *const written[] = { &objects, &ranks };
        for (int k = 0; k < 2; k++) {
            const size_t size = written[k]->kind->type->size;
            unsigned char *const content = written[k]->content + (size_t)written[k]->first * size;
            test_ok(mcl_buffer_read(queue, written[k]->buffer, (size_t)written[k]->first * size,
                                    (size_t)(2 * COUNT) * size, content));
            guarded_unchanged(queue, written[k], what);
        }
        guarded_free(&offsets);
        guarded_free(&objects);
        guarded_free(&ranks);
    }
}
END_TEST

/* A sparse matrix is multiplied by a vector; each product knows its row. */
START_TEST(expressions_see_item_object_rank_and_bound_arrays)
{
    const int32_t offsets[] = { 0, 2, 2, 5 };
    const float x[] = { 1, 10, 100, 1000 };
    const float values[] = { 1, 2, 3, 4, 5, 6 };
    const int32_t columns[] = { 0, 3, 1, 1, 2, 0 };
    float got[6];
    mcl_buffer *buffers[] = { ARRAY_OF(_i, offsets), ARRAY_OF(_i, values), ARRAY_OF(_i, columns), ARRAY_OF(_i, x),
                              array_empty(_i, sizeof got) };
    const int32_t most = 2;
    const mcl_binding bindings[] = { mcl_binding_buffer("value", MCL_FLOAT, buffers[1], 0),
                                     mcl_binding_buffer("column", MCL_INT32, buffers[2], 0),
                                     mcl_binding_buffer("x", MCL_FLOAT, buffers[3], 0),
                                     mcl_binding_value("most", MCL_INT32, &most) };

    for (int turn = 0; turn < 2; turn++) {
        const mcl_input item = mcl_from_expression(MCL_FLOAT, "rank < most ? value[i] * x[column[i]] + object : -rank",
                                                   NULL, bindings, 4, 6);
        test_ok(mcl_transform_load_balanced(test_device_at(_i)->queue, item, ints(buffers[0], 4),
                                            mcl_to_buffer(MCL_FLOAT, buffers[4], 0, 6), &tilings[turn]));
        ARRAY_READ(_i, buffers[4], got);
        const int32_t object[] = { 0, 0, 2, 2, 2, 3 };
        for (int k = 0; k < 6; k++) {
            const int rank = k - offsets[object[k]];
            const float expected = rank < most ? values[k] * x[columns[k]] + (float)object[k] : (float)-rank;
            ck_assert_msg(got[k] == expected, "element %d is %g", k, (double)got[k]);
        }
    }
    for (int k = 0; k < 5; k++) mcl_buffer_release(buffers[k]);
}
END_TEST

START_TEST(validation_names_the_first_bad_offset_and_nothing_is_written)
{
    int32_t data[100];
    guarded out;
    mcl_queue *queue = test_device_at(_i)->queue;
    const mcl_options options = { .flags = MCL_VALIDATE };

    for (int k = 0; k < 100; k++) data[k] = k + 1;
    mcl_buffer *starts = ARRAY_OF(_i, data);
    guarded_create(test_device_at(_i)->context, &element_int32, 100, NULL, 0, &out);
    const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, 100);
    test_fails(mcl_load_balance_search(queue, mcl_work_items(100), ints(starts, 100), to, none, &options),
               MCL_ERROR_PRECONDITION, "mcl_load_balance_search|offsets[0]|0 to 0");
    data[0] = 0;
    data[57] = data[80] = 2;
    test_ok(mcl_buffer_write(queue, starts, 0, sizeof data, data));
    test_fails(mcl_load_balance_search(queue, mcl_work_items(100), ints(starts, 100), to, none, &options),
               MCL_ERROR_PRECONDITION, "mcl_load_balance_search|offsets[57]");
    test_fails(mcl_transform_load_balanced(queue, mcl_from_expression(MCL_INT32, "object", NULL, NULL, 0, 100),
                                           ints(starts, 100), to, &options),
               MCL_ERROR_PRECONDITION, "mcl_transform_load_balanced|offsets[57]");
    guarded_unchanged(queue, &out, "output of a search that failed its validation");
    mcl_buffer_release(starts);
    guarded_free(&out);
}
END_TEST

#define FAILS(call, status, words) test_fails(call, MCL_ERROR_##status, words)

START_TEST(errors_of_load_balancing_name_what_is_wrong)
{
    static int32_t data[2 * COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *starts = ARRAY_OF(_i, data);
    mcl_buffer *out = ARRAY_OF(_i, data);
    const mcl_input offsets = ints(starts, COUNT);
    const mcl_output to = ints_out(out, COUNT);
    const mcl_work work = mcl_work_items(COUNT);
    const mcl_binding named = mcl_binding_value("rank", MCL_INT32, data);
    const mcl_input item = mcl_from_expression(MCL_INT32, "object", NULL, NULL, 0, COUNT);

    FAILS(mcl_load_balance_search(queue, mcl_work_items(-1), offsets, to, none, NULL), ARGUMENT, "work|-1");
    FAILS(mcl_load_balance_search(queue, mcl_work_in_slot(5, out, INT32_MAX), offsets, to, none, NULL), ARGUMENT,
          "work|slot");
    FAILS(mcl_load_balance_search(queue, work, offsets, none, none, NULL), ARGUMENT, "objects and ranks");
    FAILS(mcl_load_balance_search(queue, work, mcl_from_buffer(MCL_FLOAT, starts, 0, 5), to, none, NULL), TYPE,
          "offsets|float|integer");
    FAILS(mcl_load_balance_search(queue, work, offsets, ints_out(out, COUNT - 1), none, NULL), ARGUMENT,
          "objects|699|700");
    FAILS(mcl_load_balance_search(queue, work, offsets, none, mcl_to_buffer(MCL_UINT32, out, 0, COUNT), NULL), TYPE,
          "ranks|uint32_t");
    FAILS(mcl_load_balance_search(queue, work, offsets, to, to, NULL), ARGUMENT, "objects|ranks|overlaps");
    FAILS(mcl_load_balance_search(queue, work, offsets, ints_out(starts, COUNT), none, NULL), ARGUMENT,
          "objects|offsets|overlaps");
    FAILS(mcl_load_balance_search(queue, mcl_work_items(0), mcl_from_counting(MCL_INT64, data, 1LL << 31), to, none,
                                  NULL),
          TYPE, "objects|MCL_INT32|2147483648");
    FAILS(mcl_transform_load_balanced(queue, ints(starts, COUNT), offsets, to, NULL), ARGUMENT,
          "mcl_transform_load_balanced|item|mcl_from_expression");
    FAILS(mcl_transform_load_balanced(queue, mcl_from_expression(MCL_INT32, "rank", NULL, &named, 1, COUNT), offsets,
                                      to, NULL),
          ARGUMENT, "item|binding rank");
    FAILS(mcl_transform_load_balanced(queue, item, offsets, ints_out(out, 3), NULL), ARGUMENT, "out|3|700");
    FAILS(mcl_transform_load_balanced(queue, item, offsets, mcl_to_buffer(element_point.type, out, 0, 5), NULL), TYPE,
          "item|int32_t|out|point");
    FAILS(mcl_transform_load_balanced(queue, mcl_from_expression(MCL_INT32, "objekt", NULL, NULL, 0, 5), offsets, to,
                                      NULL),
          BUILD, "objekt");
    mcl_buffer_release(starts);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, load_balance_equals_the_loop, device, run_case_rounds(&load_balance_case));
    test_add(tcase, work_that_is_shorter_or_longer_than_the_objects_ends_with_them, device);
    test_add(tcase, without_objects_nothing_is_stored, device);
    test_add(tcase, counts_of_work_and_objects_from_the_device_are_clamped, device);
    test_add(tcase, bad_offsets_are_never_followed_past_the_ends, device);
    test_add(tcase, expressions_see_item_object_rank_and_bound_arrays, device);
    test_add(tcase, validation_names_the_first_bad_offset_and_nothing_is_written, device);
    test_add(tcase, errors_of_load_balancing_name_what_is_wrong, device);
}

int main(void)
{
    return test_main("load_balance", add);
}
