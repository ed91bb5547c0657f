/* test_locality_sort.c: mcl_locality_sort and mcl_locality_sort_pairs. */
#include "support/arrays.h"
#include "support/run_case.h"

START_TEST(locality_sort_equals_the_loop)
{
    run_case_round(&locality_sort_case, _i);
}
END_TEST

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 96 },
                                       { .tile_threads = 32, .tile_items = 3 } };

START_TEST(pairs_in_place_keep_the_order_of_equal_keys)
{
    enum { COUNT = 3000 };
    static int32_t keys[COUNT];
    static int32_t got_keys[COUNT];
    static int32_t got[COUNT];

    random_ints(keys, COUNT, 40, 2, 0);
    for (int tiling = 0; tiling < 2; tiling++) {
        if (!test_takes_tile(&tilings[tiling])) continue;
        mcl_buffer *key_buffer = ARRAY_OF(_i, keys);
        mcl_buffer *values = array_empty(_i, sizeof got);
        test_ok(mcl_transform(test_device_at(_i)->queue, ints_counting(COUNT), ints_out(values, COUNT), NULL));
        test_ok(mcl_locality_sort_pairs(test_device_at(_i)->queue, ints(key_buffer, COUNT), ints(values, COUNT),
                                        ints_out(key_buffer, COUNT), ints_out(values, COUNT), MCL_LESS, NULL,
                                        &tilings[tiling]));
        ARRAY_READ(_i, key_buffer, got_keys);
        ARRAY_READ(_i, values, got);
        for (int k = 0; k < COUNT; k++) {
            ck_assert_int_eq(got_keys[k], keys[got[k]]);
            if (k > 0)
                ck_assert(got_keys[k - 1] < got_keys[k] || (got_keys[k - 1] == got_keys[k] && got[k - 1] < got[k]));
        }
        mcl_buffer_release(key_buffer);
        mcl_buffer_release(values);
    }
}
END_TEST

/* Keys are up to 200 indices from where they belong. Lists that are longer stay unchanged except at their seams. */
START_TEST(what_is_in_its_place_is_left_alone)
{
    enum { COUNT = 30000, FEW = 3000, TILE = 96, NEAR = 200 };
    const int count = test_is_small() ? FEW : COUNT;
    static int32_t data[COUNT];
    mcl_sort_report report;

    for (int tiling = 0; tiling < 2; tiling++) {
        if (!test_takes_tile(&tilings[tiling])) continue;
        random_ints(data, count, NEAR, 4, 0);
        for (int k = 0; k < count; k++) data[k] += k;
        mcl_buffer *keys = ARRAY_OF(_i, data);
        test_ok(mcl_locality_sort(test_device_at(_i)->queue, ints(keys, count), ints_out(keys, count), MCL_LESS,
                                  &report, &tilings[tiling]));
        ck_assert_int_eq(report.tile, TILE);
        ck_assert_int_eq(report.tiles, (count + TILE - 1) / TILE);
        ck_assert_int_eq(report.pass_count, count == COUNT ? 9 : 5);
        ck_assert_int_eq(report.merge_tiles[0], report.tiles - report.tiles % 2);
        for (int pass = 3; pass < report.pass_count; pass++) {
            const int64_t seams = (report.tiles >> pass) / 2 + 1;
            ck_assert_int_le(report.merge_tiles[pass], seams * 8);
        }
        mcl_buffer_release(keys);
    }
    /* the keys are sorted already, so nothing is merged at all */
    for (int k = 0; k < count; k++) data[k] = k / 3;
    mcl_buffer *keys = ARRAY_OF(_i, data);
    test_ok(mcl_locality_sort(test_device_at(_i)->queue, ints(keys, count), ints_out(keys, count), MCL_LESS, &report,
                              &tilings[1]));
    for (int pass = 0; pass < report.pass_count; pass++) {
        ck_assert_int_eq(report.merge_tiles[pass], 0);
        ck_assert_int_eq(report.copy_tiles[pass], pass == 0 ? report.tiles : 0);
    }
    mcl_buffer_release(keys);
}
END_TEST

START_TEST(errors_name_the_function)
{
    enum { COUNT = 64 };
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *buffer = array_empty(_i, 2 * COUNT * sizeof(int32_t));

    test_fails(
        mcl_locality_sort(queue, ints(buffer, COUNT), mcl_to_buffer(MCL_INT32, buffer, 1, COUNT), MCL_LESS, NULL, NULL),
        MCL_ERROR_ARGUMENT, "mcl_locality_sort|out overlaps keys");
    test_fails(mcl_locality_sort_pairs(queue, ints(buffer, COUNT), ints(buffer, COUNT), ints_out(buffer, COUNT),
                                       mcl_to_buffer(MCL_INT32, buffer, COUNT, COUNT), MCL_LESS, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_locality_sort_pairs|out_keys overlaps values");
    mcl_buffer_release(buffer);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, locality_sort_equals_the_loop, device, run_case_rounds(&locality_sort_case));
    test_add(tcase, pairs_in_place_keep_the_order_of_equal_keys, device);
    test_add(tcase, what_is_in_its_place_is_left_alone, device);
    test_add(tcase, errors_name_the_function, device);
}

int main(void)
{
    return test_main("locality_sort", add);
}
