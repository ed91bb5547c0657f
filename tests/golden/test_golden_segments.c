/* test_golden_segments.c: known results of segmented sort and locality sort, on every device with every kind of tile,
 * and results that need no device: the frames of merges in a work-group, and the text of reports. */
#include "golden_run.h"

#include <string.h>

/* The kernels' function for frames, with 8 work-items of 7 keys. */
#define TILE_THREADS 8
#define TILE_ITEMS 7
#include "pieces/sort/sort_frame.clh"

/* ---- the demonstrations ------------------------------------------------------------------------------------ */

START_TEST(keys_of_the_segmented_sort_demonstration)
{
    run at = run_begin(_i, "demo-segsort-keys");
    const mcl_input keys = run_input(&at, "keys");
    const mcl_output out = run_output(&at, (int)keys.count);
    const mcl_input starts = run_input(&at, "segment_heads");
    mcl_input words = run_input(&at, "head_flags_u32_lsb_first");

    test_ok(mcl_segmented_sort(at.queue, keys, mcl_segments_from_indices(starts), out, MCL_LESS, MCL_STABLE, NULL,
                               &at.options));
    run_expect(&at, "sorted_keys", out);
    words.type = MCL_UINT32;
    test_ok(mcl_segmented_sort(at.queue, keys, mcl_segments_from_flags(words), out, MCL_LESS, MCL_UNSTABLE, NULL,
                               &at.options));
    run_expect(&at, "sorted_keys", out);
    run_end(&at);
}
END_TEST

START_TEST(pairs_of_the_segmented_sort_demonstration)
{
    run at = run_begin(_i, "demo-segsort-pairs");
    const mcl_input keys = run_input(&at, "keys");
    const mcl_output out = run_output(&at, (int)keys.count);
    const mcl_output values = run_output(&at, (int)keys.count);
    const mcl_segments segments[] = { mcl_segments_from_indices(run_input(&at, "segment_heads")),
                                      mcl_segments_from_flags(run_input(&at, "head_flags_u32_lsb_first")) };

    for (int k = 0; k < 2; k++) {
        test_ok(mcl_segmented_sort_pairs(at.queue, keys, run_input(&at, "values"), segments[k], out, values, MCL_LESS,
                                         MCL_STABLE, NULL, &at.options));
        run_expect(&at, "sorted_keys", out);
        run_expect(&at, "sorted_values", values);
    }
    run_end(&at);
}
END_TEST

START_TEST(keys_of_the_locality_sort_demonstration)
{
    run at = run_begin(_i, "demo-locality-sort-keys");
    const mcl_input keys = run_input(&at, "keys");
    const mcl_output out = run_output(&at, (int)keys.count);

    test_ok(mcl_locality_sort(at.queue, keys, out, MCL_LESS, NULL, &at.options));
    run_expect(&at, "sorted_keys", out);
    run_end(&at);
}
END_TEST

START_TEST(pairs_of_the_locality_sort_demonstration)
{
    run at = run_begin(_i, "demo-locality-sort-pairs");
    const mcl_input keys = run_input(&at, "keys");
    const mcl_output out = run_output(&at, (int)keys.count);
    const mcl_output values = run_output(&at, (int)keys.count);

    test_ok(
        mcl_locality_sort_pairs(at.queue, keys, run_input(&at, "values"), out, values, MCL_LESS, NULL, &at.options));
    run_expect(&at, "sorted_keys", out);
    run_expect(&at, "sorted_values", values);
    run_end(&at);
}
END_TEST

/* ---- levels ------------------------------------------------------------------------------------------------- */

/* The lists of 4, 8 and 16 keys hold the results of a sort in which these lists are segments too. */
START_TEST(levels_of_the_segmented_sort_example)
{
    static const char *const labels[] = { "blocks_4", "coop_2", "coop_4" };
    run at = run_begin(_i, "segsort-levels-16");
    const golden_section *heads = golden_need(&at.file, "segment_heads");
    const mcl_input data = run_input(&at, "data");

    for (int level = 0; level < 3; level++) {
        int32_t starts[32];
        int count = heads->count;
        memcpy(starts, heads->ints, sizeof *starts * (size_t)count);
        for (int32_t k = 0; k < data.count; k += 4 << level) starts[count++] = k;
        const mcl_input given = mcl_from_buffer(MCL_INT32, run_buffer(&at, starts, count), 0, count);
        const mcl_output out = run_output(&at, (int)data.count);
        test_ok(mcl_segmented_sort(at.queue, data, mcl_segments_from_indices(given), out, MCL_LESS, MCL_STABLE, NULL,
                                   &at.options));
        run_expect(&at, labels[level], out);
    }
    run_end(&at);
}
END_TEST

START_TEST(frames_of_merges_in_a_work_group)
{
    golden file = golden_open("segsort-frames-8x7");
    char label[16];

    for (int pass = 0; pass < 3; pass++) {
        int32_t told[TILE_THREADS * 8];
        for (int item = 0; item < TILE_THREADS; item++) {
            const int list = item >> pass;
            const sort_frame frame = find_frame(item, 1 << pass, TILE_THREADS * TILE_ITEMS);
            const int32_t row[8] = { frame.a_begin,  frame.a_end, frame.a_end, frame.b_end,
                                     frame.diagonal, list,        list & 1,    list ^ 1 };
            memcpy(told + 8 * item, row, sizeof row);
        }
        snprintf(label, sizeof label, "pass_%d", pass);
        golden_same(&file, label, told, TILE_THREADS * 8);
    }
    golden_free(&file);
}
END_TEST

/* ---- reports ------------------------------------------------------------------------------------------------ */

/* Reads the counts of tiles. In the report they precede their shares. */
static void read_counts(const golden *file, const char *kind, const char *mean, int64_t *counts, int count)
{
    char label[64];
    snprintf(label, sizeof label, "%s_tiles_mean%s", kind, mean);
    const golden_section *section = golden_need(file, label);

    ck_assert_int_eq(section->count, 2 * count);
    for (int k = 0; k < count; k++) counts[k] = (int64_t)section->values[2 * k];
}

/* Checks that the line which begins with label has these four numbers. */
static void line_says(const char *text, const char *label, double merges, double merge_share, double copies,
                      double copy_share)
{
    const char *line = strstr(text, label);
    double numbers[4];

    ck_assert_msg(line != NULL, "there is no line %s in\n%s", label, text);
    ck_assert_int_eq(
        sscanf(line + strlen(label), "%lf (%lf%%) %lf (%lf%%)", &numbers[0], &numbers[1], &numbers[2], &numbers[3]), 4);
    const double expected[4] = { merges, merge_share, copies, copy_share };
    for (int k = 0; k < 4; k++)
        ck_assert_msg(numbers[k] == expected[k], "%s number %d is %g instead of %g", label, k, numbers[k], expected[k]);
}

static void check_report(const golden *file, const char *mean)
{
    enum { PASSES = 13 };
    mcl_sort_report report = { .tile = 1408, .pass_count = PASSES };
    char label[64];
    char text[2048];

    report.tiles = (golden_int(file, "inputs") + report.tile - 1) / report.tile;
    read_counts(file, "merge", mean, report.merge_tiles, PASSES);
    read_counts(file, "copy", mean, report.copy_tiles, PASSES);
    const int length = mcl_sort_report_format(&report, text, sizeof text);
    ck_assert_int_eq(length, (int)strlen(text));
    snprintf(label, sizeof label, "merge_tiles_mean%s", mean);
    const double *merges = golden_need(file, label)->values;
    snprintf(label, sizeof label, "copy_tiles_mean%s", mean);
    const double *copies = golden_need(file, label)->values;
    for (int pass = 0; pass < PASSES; pass++) {
        snprintf(label, sizeof label, "pass %2d:", pass);
        line_says(text, label, merges[2 * pass], merges[2 * pass + 1], copies[2 * pass], copies[2 * pass + 1]);
    }
    snprintf(label, sizeof label, "average_total_mean%s", mean);
    const double *sums = golden_need(file, label)->values;
    line_says(text, "average:", sums[0], sums[1], sums[2], sums[3]);
    line_says(text, "total  :", sums[4], sums[5], sums[6], sums[7]);
    /* A text that does not fit is cut off, and the returned length is the same. */
    char begin[20];
    ck_assert_int_eq(mcl_sort_report_format(&report, begin, sizeof begin), length);
    ck_assert_int_eq(strncmp(text, begin, sizeof begin - 1), 0);
    ck_assert_int_eq(begin[sizeof begin - 1], 0);
    ck_assert_int_eq(mcl_sort_report_format(&report, NULL, 0), length);
}

START_TEST(reports_are_printed_as_in_the_book)
{
    golden file = golden_open("segsort-workqueue-report");

    check_report(&file, "300");
    check_report(&file, "10000");
    golden_free(&file);
}
END_TEST

static void add(TCase *tcase, int device)
{
    const TTest *const tests[] = {
        keys_of_the_segmented_sort_demonstration, pairs_of_the_segmented_sort_demonstration,
        keys_of_the_locality_sort_demonstration,  pairs_of_the_locality_sort_demonstration,
        levels_of_the_segmented_sort_example,
    };

    tcase_set_timeout(tcase, 600);
    for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++) test_add_loop(tcase, tests[k], device, RUN_TILES);
    test_add(tcase, frames_of_merges_in_a_work_group, device);
    test_add(tcase, reports_are_printed_as_in_the_book, device);
}

int main(void)
{
    return test_main("golden_segments", add);
}
