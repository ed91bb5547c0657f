/* test_tuning.c: the choice of a tile, and files of tuning. */
#define _POSIX_C_SOURCE 200809L
#include "support/devices.h"
#include "support/folder.h"

#include "tuning/rows.h"

#include <stdio.h>
#include <string.h>

static const mcl__limits gpu = { .tuning_key = "Maker g7",
                                 .is_gpu = 1,
                                 .mapping = MCL_MAPPING_GROUP,
                                 .compute_units = 32,
                                 .local_memory = 49152,
                                 .max_threads = 1024 };
static const mcl__limits cpu = { .tuning_key = "POCL cpu",
                                 .mapping = MCL_MAPPING_SERIAL,
                                 .compute_units = 4,
                                 .local_memory = 1 << 20,
                                 .max_threads = 4096 };
static const mcl__tile_need need = { .element_bytes = 4, .local_bytes_per_item = 4 };

/* Writes a file of these rows and loads it. The caller frees the tuning. */
static mcl_status load(const char *rows, mcl__tuning **tuning)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 16];

    folder_make(&f);
    folder_file(&f, "rows", path, sizeof path);
    file_write(path, rows, strlen(rows));
    const mcl_status status = mcl__tuning_load(path, &gpu, tuning);
    folder_remove(&f);
    return status;
}

static void tile_is(mcl__tile tile, int threads, int items)
{
    ck_assert_msg(tile.threads == threads && tile.items == items, "%d x %d instead of %d x %d", tile.threads,
                  tile.items, threads, items);
}

START_TEST(the_first_row_that_fits_wins)
{
    mcl__tuning *tuning = NULL;

    ck_assert_int_eq(load("# a comment\n"
                          "scan \"Other\" any 64 3\n"
                          "merge \"\" any 64 5\n"
                          "scan \"Maker g7\" 2 64 7   # too small elements\n"
                          "\n"
                          "  scan \"Maker\" 4 128 9\n"
                          "scan \"gpu\" any 64 11\n"
                          "any \"\" any 32 13",
                          &tuning),
                     MCL_OK);
    tile_is(mcl__tile_for(MCL__OPERATION_scan, &gpu, tuning, need, NULL), 128, 9);
    const mcl__tile_need wide = { .element_bytes = 12, .local_bytes_per_item = 12 };
    tile_is(mcl__tile_for(MCL__OPERATION_scan, &gpu, tuning, wide, NULL), 64, 11);
    tile_is(mcl__tile_for(MCL__OPERATION_merge, &gpu, tuning, wide, NULL), 64, 5);
    tile_is(mcl__tile_for(MCL__OPERATION_reduce, &gpu, tuning, need, NULL), 32, 13);
    mcl__tuning_free(tuning);
}
END_TEST

START_TEST(options_come_before_rows)
{
    mcl__tuning *tuning = NULL;
    const mcl_options both = { .tile_threads = 32, .tile_items = 2 };
    const mcl_options items = { .tile_items = 6 };

    ck_assert_int_eq(load("any \"\" any 128 9", &tuning), MCL_OK);
    tile_is(mcl__tile_for(MCL__OPERATION_scan, &gpu, tuning, need, &both), 32, 2);
    tile_is(mcl__tile_for(MCL__OPERATION_scan, &gpu, tuning, need, &items), 128, 6);
    mcl__tuning_free(tuning);
}
END_TEST

START_TEST(options_choose_the_mapping)
{
    const mcl_options serial = { .tile_threads = 1 };
    const mcl_options group = { .tile_threads = 64 };

    ck_assert_int_eq(mcl__tile_for(MCL__OPERATION_scan, &cpu, NULL, need, NULL).threads, 1);
    ck_assert_int_gt(mcl__tile_for(MCL__OPERATION_scan, &gpu, NULL, need, NULL).threads, 1);
    ck_assert_int_eq(mcl__tile_for(MCL__OPERATION_scan, &gpu, NULL, need, &serial).threads, 1);
    ck_assert_int_gt(mcl__tile_for(MCL__OPERATION_scan, &gpu, NULL, need, &serial).items, 31);
    ck_assert_int_eq(mcl__tile_for(MCL__OPERATION_scan, &cpu, NULL, need, &group).threads, 64);
    ck_assert_int_le(mcl__tile_for(MCL__OPERATION_scan, &cpu, NULL, need, &group).items, 31);
}
END_TEST

/* Work-group memory has room for 384 bytes of each of 128 work-items. */
START_TEST(a_tile_that_is_too_large_loses_a_quarter_or_halves_of_its_items)
{
    static const struct {
        size_t bytes;
        int given, threads, items;
    } cases[] = {
        { 24, 16, 128, 16 }, { 25, 16, 128, 15 }, { 32, 16, 128, 12 }, { 33, 16, 128, 8 }, { 49, 16, 128, 4 },
        { 96, 16, 128, 4 },  { 128, 4, 128, 3 },  { 129, 4, 128, 2 },  { 200, 2, 128, 1 }, { 385, 1, 64, 1 }
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const mcl__tile_need wide = { .element_bytes = 4, .local_bytes_per_item = cases[k].bytes };
        const mcl_options options = { .tile_threads = 128, .tile_items = cases[k].given };
        tile_is(mcl__tile_for(MCL__OPERATION_scan, &gpu, NULL, wide, &options), cases[k].threads, cases[k].items);
    }
}
END_TEST

#define SIXTEEN "abcdefghijklmnop"
#define SIXTY_FOUR SIXTEEN SIXTEEN SIXTEEN SIXTEEN /* one letter more than a name may have */

START_TEST(a_bad_line_is_named_and_the_rows_stay_as_they_were)
{
    mcl__tuning *tuning = NULL;
    static const struct {
        const char *rows;
        const char *words;
    } bad[] = {
        { "\n\nshuffle \"\" any 64 3", "line 3|operation" },
        { "scan Maker 4 64 3", "line 1|device" },
        { "scan \"Maker 4 64 3", "line 1|device" },
        { "scan \"\" none 64 3", "line 1|bytes" },
        { "scan \"\" 4 0 3", "line 1|threads" },
        { "scan \"\" 4 2000 3", "line 1|threads" },
        { "scan \"\" 4 64 32", "line 1|items" },
        { "scan \"\" 4 64", "line 1|items" },
        { "scan \"\" 4 64 3 9", "line 1" },
        { "scan \"\" 4 64 3 P1=9", "line 1|what follows the items|nothing" },
        { "\"mine \"\" 4 64 3", "line 1|device|quotes" },
        { "\"mine\" \"\" 4 64 3 P1", "line 1|name=value" },
        { "\"mine\" \"\" 4 64 3 P1=", "line 1|parameter's value|32 bits" },
        { "\"mine\" \"\" 4 64 3 P1=5x", "line 1|parameter's value" },
        { "\"mine\" \"\" 4 64 3 P1=5000000000", "line 1|parameter's value" },
        { "\n\"mine\" \"\" 4 64 3 A=1 B=1 C=1 D=1 E=1 F=1 G=1 H=1 I=1", "line 2|at most 8 words" },
        { "\"mine\" \"\" 4 64 99", "line 1|items" },
        { "\"mine\" \"\" 4 64 3 8P=1", "line 1|name=value" },
        { "\"mine\" \"\" 4 64 3 -P=1", "line 1|name=value" },
        { "\"mine\" \"\" 4 64 3 =1", "line 1|name=value" },
        { "\"mine\" \"\" 4 64 3 " SIXTY_FOUR "=1", "line 1|name=value" },
        { "\"mine\" \"\" 4 64 3 P1=-5000000000", "line 1|parameter's value" },
        { "segmented_reduce.direct \"\" 64", "line 1|parameter" },
        { "scan.direct_length \"\" 64", "line 1|parameter" },
        { "scan. \"\" 64", "line 1|parameter" },
        { "segmented_reduce.direct_length gpu 64", "line 1|device" },
        { "segmented_reduce.direct_length \"\" any 64", "line 1|direct_length|from 1 to 16777216" },
        { "segmented_reduce.direct_length \"\" 0", "line 1|direct_length|from 1 to 16777216" },
        { "segmented_reduce.piece_bits \"\" 31", "line 1|piece_bits|from 8 to 30" },
        { "segmented_reduce.piece_bits \"Other\" 31", "line 1|piece_bits" },
        { "segmented_reduce.direct_length \"\" 64 64", "line 1|what follows the value|nothing" },
    };

    ck_assert_int_eq(load("any \"\" any 128 9", &tuning), MCL_OK);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        test_fails(load(bad[k].rows, &tuning), MCL_ERROR_ARGUMENT, bad[k].words);
    test_fails(mcl__tuning_load("/no/such/file", &gpu, &tuning), MCL_ERROR_ARGUMENT,
               "the tuning file is|/no/such/file");
    tile_is(mcl__tile_for(MCL__OPERATION_scan, &gpu, tuning, need, NULL), 128, 9);
    mcl__tuning_free(tuning);
}
END_TEST

static int length_of(const mcl__tuning *tuning)
{
    return tuning->parameters[MCL__PARAMETER_segmented_reduce_direct_length];
}

/* The file also has rows of tiles, which are not affected. */
START_TEST(the_first_value_that_fits_wins)
{
    mcl__tuning *tuning = NULL;

    ck_assert_int_eq(load("segmented_reduce.direct_length \"Other\" 7\n"
                          "segmented_reduce.direct_length \"Maker g7\" 9   # elements\n"
                          "any \"\" any 128 9\n"
                          "segmented_reduce.direct_length \"gpu\" 11",
                          &tuning),
                     MCL_OK);
    ck_assert_int_eq(length_of(tuning), 9);
    tile_is(mcl__tile_for(MCL__OPERATION_segmented_reduce, &gpu, tuning, need, NULL), 128, 9);
    ck_assert_int_eq(load("any.parts \"cpu\" 7\n", &tuning), MCL_OK);
    ck_assert_int_eq(length_of(tuning), 256);
    ck_assert_int_eq(tuning->parameters[MCL__PARAMETER_any_parts], 8);
    mcl__tuning_free(tuning);
}
END_TEST

START_TEST(every_parameter_has_a_value_on_every_device)
{
    const mcl__limits h200 = { .tuning_key = "NVIDIA sm_90", .is_gpu = 1 };
    const mcl__limits *const devices[] = { &gpu, &cpu, &h200 };
    mcl__tuning *tuning = NULL;

    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        ck_assert_int_eq(mcl__tuning_load(NULL, devices[d], &tuning), MCL_OK);
        memset(tuning->parameters, -1, sizeof tuning->parameters);
        mcl__parameters_start(devices[d], tuning->parameters);
        for (int k = 0; k < MCL__PARAMETER_COUNT; k++) {
            const mcl__parameter_range *const range = &mcl__parameter_ranges[k];
            ck_assert_int_ge(range->least, 0);
            ck_assert_int_ge(tuning->parameters[k], range->least);
            ck_assert_int_le(tuning->parameters[k], range->most);
            ck_assert_int_eq(mcl__parameter_find(mcl__parameter_name(k)), k);
        }
    }
    ck_assert_ptr_null(mcl__parameter_name(MCL__PARAMETER_COUNT));
    ck_assert_ptr_null(mcl__parameter_name(-1));
    ck_assert_int_eq(mcl__parameter_find("scan.direct_length"), -1);
    mcl__tuning_free(tuning);
}
END_TEST

/* The files with extremes, with which tests of primitives run again, have every parameter. */
START_TEST(the_files_of_extremes_are_whole)
{
    mcl__tuning *least = NULL;
    mcl__tuning *most = NULL;

    ck_assert_int_eq(mcl__tuning_load(TEST_GOLDEN_DIR "/parameters_least", &gpu, &least), MCL_OK);
    ck_assert_int_eq(mcl__tuning_load(TEST_GOLDEN_DIR "/parameters_most", &gpu, &most), MCL_OK);
    for (int k = 0; k < MCL__PARAMETER_COUNT; k++) {
        const mcl__parameter_range *const range = &mcl__parameter_ranges[k];
        ck_assert_msg(least->parameters[k] == range->least && most->parameters[k] == range->most,
                      "%s: %d and %d in the files, %d and %d in the table", mcl__parameter_name(k),
                      least->parameters[k], most->parameters[k], range->least, range->most);
    }
    mcl__tuning_free(least);
    mcl__tuning_free(most);
}
END_TEST

/* The reader would not see what follows the zero byte. */
START_TEST(a_file_with_a_zero_byte_is_refused)
{
    static const char rows[] = "any \"\" any 64 3\n\0scan \"\" any 128 9\n";
    mcl__tuning *tuning = NULL;
    folder f;
    char path[FOLDER_PATH_BYTES + 16];

    folder_make(&f);
    folder_file(&f, "rows", path, sizeof path);
    file_write(path, rows, sizeof rows - 1);
    test_fails(mcl__tuning_load(path, &gpu, &tuning), MCL_ERROR_ARGUMENT, "byte 16 of |is 0");
    ck_assert_ptr_null(tuning);
    folder_remove(&f);
}
END_TEST

START_TEST(an_empty_file_has_no_rows)
{
    mcl__tuning *tuning = NULL;

    ck_assert_int_eq(load("", &tuning), MCL_OK);
    ck_assert_int_gt(mcl__tile_for(MCL__OPERATION_scan, &gpu, tuning, need, NULL).threads, 1);
    mcl__tuning_free(tuning);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, the_first_row_that_fits_wins);
    tcase_add_test(tcase, options_come_before_rows);
    tcase_add_test(tcase, options_choose_the_mapping);
    tcase_add_test(tcase, a_tile_that_is_too_large_loses_a_quarter_or_halves_of_its_items);
    tcase_add_test(tcase, a_bad_line_is_named_and_the_rows_stay_as_they_were);
    tcase_add_test(tcase, the_first_value_that_fits_wins);
    tcase_add_test(tcase, every_parameter_has_a_value_on_every_device);
    tcase_add_test(tcase, the_files_of_extremes_are_whole);
    tcase_add_test(tcase, a_file_with_a_zero_byte_is_refused);
    tcase_add_test(tcase, an_empty_file_has_no_rows);
}

int main(void)
{
    return test_main_host("tuning", add);
}
