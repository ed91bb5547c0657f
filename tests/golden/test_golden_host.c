/* test_golden_host.c: known results that need no device: the reader of the files, random numbers, the division of work,
 * and the choice of tiles. */
#define _POSIX_C_SOURCE 200809L

#include "golden_check.h"
#include "support/devices.h"
#include "tuning/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The kernels' function for the division of work, with tiles of one element. */
typedef int64_t index_type;
#define TILE_SIZE 1
#include "pieces/tile/part_range.clh"
#include "pieces/tile/quotients.clh"

/* ---- the reader ------------------------------------------------------------------------------------------------ */

/* Writes a file and returns the reader's sentence about it, or "" where the reader accepts the file. */
static const char *sentence_of(const char *text)
{
    static char error[1200];
    char path[] = "golden_reader_XXXXXX";
    golden file;
    FILE *stream = NULL;
    const int handle = mkstemp(path);

    ck_assert_int_ge(handle, 0);
    stream = fdopen(handle, "w");
    ck_assert_ptr_nonnull(stream);
    fputs(text, stream);
    fclose(stream);
    error[0] = '\0';
    golden_read(path, &file, error, sizeof error);
    golden_free(&file);
    remove(path);
    return error;
}

START_TEST(reader_reads_sections)
{
    ck_assert_str_eq(sentence_of("# a\n[input x i32 3]\n# b\n1 2\n-3\n[output y f64 1]\n0.5\n[derived z u32 0]\n"), "");
}
END_TEST

START_TEST(reader_names_the_line_of_a_fault)
{
    ck_assert_ptr_nonnull(strstr(sentence_of("[input x i32 3]\n1 2\n"), ":2: "));
    ck_assert_ptr_nonnull(strstr(sentence_of("[input x i32 1]\n1 2\n"), ":2: the section has more numbers"));
    ck_assert_ptr_nonnull(strstr(sentence_of("[input x i32]\n1\n"), ":1: a section's head"));
    ck_assert_ptr_nonnull(strstr(sentence_of("[input x i9 1]\n1\n"), ":1: the type"));
    ck_assert_ptr_nonnull(strstr(sentence_of("[input x i32 1]\n1\n[output x i32 1]\n1\n"), ":3: the label"));
    ck_assert_ptr_nonnull(strstr(sentence_of("[input x i32 1]\none\n"), ":2: not a number"));
    ck_assert_ptr_nonnull(strstr(sentence_of("1\n"), ":1: a number before"));
    ck_assert_ptr_nonnull(strstr(sentence_of("[input x u32 1]\n4294967296\n"), ":2: the number does not fit"));
}
END_TEST

/* ---- random numbers -------------------------------------------------------------------------------------------- */

enum { STREAM_MAX = 4096 };

static int compare_doubles(const void *p, const void *q)
{
    const double a = *(const double *)p;
    const double b = *(const double *)q;
    return (a > b) - (a < b);
}

/* Checks that a stream's section has the generator's numbers, to the printed digits: count numbers from low to high,
 * from number `position` on, sorted or not. label is FILE.SECTION. */
static void check_stream(uint32_t seed, const golden_section *stream)
{
    double made[STREAM_MAX];
    char name[64];
    mcl_twister twister;
    const int position = stream->ints[0];
    const int count = stream->ints[1];
    const int32_t low = stream->ints[2];
    const int32_t high = stream->ints[3];

    snprintf(name, sizeof name, "%s", stream->label);
    char *dot = strchr(name, '.');
    ck_assert_ptr_nonnull(dot);
    *dot = '\0';
    golden file = golden_open(name);
    const golden_section *printed = golden_need(&file, dot + 1);
    const int is_real = printed->type[0] == 'f';
    /* each key of the locality demonstrations is its position plus a random number */
    const int adds_position = strncmp(name, "demo-locality", 13) == 0;

    ck_assert_int_eq(printed->count, count);
    ck_assert_int_le(count, STREAM_MAX);
    mcl_twister_seed(&twister, seed);
    for (int k = 0; k < position; k++) mcl_twister_next(&twister);
    for (int k = 0; k < count; k++) {
        made[k] = is_real ? mcl_twister_real(&twister, low, high) : (double)mcl_twister_int(&twister, low, high);
        if (adds_position) made[k] += k;
    }
    if (stream->ints[4]) qsort(made, (size_t)count, sizeof *made, compare_doubles);
    for (int k = 0; k < count; k++)
        ck_assert_msg(fabs(made[k] - printed->values[k]) <= (is_real ? 0.00501 : 0), "%s[%d] is %g instead of %g",
                      stream->label, k, made[k], printed->values[k]);
    golden_free(&file);
}

START_TEST(generator_gives_the_first_numbers)
{
    golden file = golden_open("random-streams");
    const golden_section *first = golden_need(&file, "first_16_outputs");
    mcl_twister twister;

    mcl_twister_seed(&twister, (uint32_t)golden_int(&file, "mt19937_seed"));
    for (int k = 0; k < first->count; k++) ck_assert_uint_eq(mcl_twister_next(&twister), (uint32_t)first->values[k]);
    golden_free(&file);
}
END_TEST

START_TEST(generator_gives_every_printed_array)
{
    golden file = golden_open("random-streams");
    const uint32_t seed = (uint32_t)golden_int(&file, "mt19937_seed");
    int checked = 0;

    for (int k = 0; k < file.section_count; k++) {
        if (!strchr(file.sections[k].label, '.')) continue;
        check_stream(seed, &file.sections[k]);
        checked++;
    }
    ck_assert_int_eq(checked, 25);
    golden_free(&file);
}
END_TEST

/* ---- division of work ------------------------------------------------------------------------------------------ */

START_TEST(parts_are_the_task_ranges)
{
    golden file = golden_open("library-task-range");
    const golden_section *sizes = golden_need(&file, "num_tiles_num_ctas");
    const int32_t *quotient_remainder = golden_need(&file, "quot_rem")->ints;
    const int tiles = sizes->ints[0];
    const int parts = sizes->ints[1];
    int32_t begins[64];
    int32_t ends[64];
    int32_t counts[64];

    ck_assert_int_le(parts, 64);
    for (int k = 0; k < parts; k++) {
        index_type begin;
        index_type end;
        part_range(tiles, parts, k, &begin, &end);
        begins[k] = (int32_t)begin;
        ends[k] = (int32_t)end;
        counts[k] = (int32_t)(end - begin);
        ck_assert_int_eq(counts[k], quotient_remainder[0] + (k < quotient_remainder[1]));
    }
    golden_same(&file, "begin", begins, parts);
    golden_same(&file, "end", ends, parts);
    golden_same(&file, "count", counts, parts);
    ck_assert_int_eq(part_count(tiles, parts), parts);
    golden_free(&file);
}
END_TEST

START_TEST(padded_places_are_the_printed_ones)
{
    golden file = golden_open("bank-padding-16");
    const golden_section *slots = golden_need(&file, "slots");
    const int banks = golden_int(&file, "banks");
    int padding = 0;

    for (int k = 0; k < slots->count; k++) {
        padding += slots->ints[k] < 0;
        if (slots->ints[k] >= 0) ck_assert_int_eq(padded_place(slots->ints[k], banks), k);
    }
    ck_assert_int_eq(padding, slots->count / (banks + 1));
    golden_free(&file);
}
END_TEST

/* ---- tiles by device ------------------------------------------------------------------------------------------- */

/* Returns the limits of a fake device. */
static mcl__limits limits_of(const char *device)
{
    mcl__limits limits = { .is_gpu = 1, .local_memory = 48 << 10, .max_threads = 1024 };
    snprintf(limits.tuning_key, sizeof limits.tuning_key, "%s", device);
    return limits;
}

static void check_box(const golden *file, const mcl_kernel *kernel, const mcl__tuning *tuning, const char *device,
                      const char *label)
{
    const int32_t *told = golden_need(file, label)->ints;
    const mcl__limits limits = limits_of(device);
    mcl_tile tile;
    test_ok(mcl__kernel_tile_for(kernel, &limits, tuning, 4, NULL, &tile));
    ck_assert_int_eq(tile.threads, told[0]);
    ck_assert_int_eq(tile.items, told[1]);
    ck_assert_int_eq(mcl_tile_parameter(&tile, "OCC", 0), told[2]);
}

static void check_boxes(const golden *file, const mcl_kernel *kernel, const mcl__tuning *tuning)
{
    check_box(file, kernel, tuning, "NVIDIA sm_20", "foo_sm20_NT_VT_OCC");
    check_box(file, kernel, tuning, "NVIDIA sm_21", "foo_sm20_NT_VT_OCC");
    check_box(file, kernel, tuning, "NVIDIA sm_30", "foo_sm30_NT_VT_OCC");
    check_box(file, kernel, tuning, "NVIDIA sm_32", "foo_sm30_NT_VT_OCC");
    check_box(file, kernel, tuning, "NVIDIA sm_35", "foo_sm35_NT_VT_OCC");
    check_box(file, kernel, tuning, "NVIDIA sm_90", "foo_sm35_NT_VT_OCC");
    check_box(file, kernel, tuning, "NVIDIA sm_100", "foo_sm35_NT_VT_OCC");
}

/* The example's kernel Foo has rows of its own. A device takes the newest row whose architecture it has reached. */
START_TEST(rows_of_a_kernel_are_the_launch_box)
{
    golden file = golden_open("launchbox-print");
    const int32_t *const sm20 = golden_need(&file, "foo_sm20_NT_VT_OCC")->ints;
    const int32_t *const sm30 = golden_need(&file, "foo_sm30_NT_VT_OCC")->ints;
    const int32_t *const sm35 = golden_need(&file, "foo_sm35_NT_VT_OCC")->ints;
    const mcl_tile_row rows[] = {
        { "NVIDIA sm_35", 0, sm35[0], sm35[1], { { "OCC", sm35[2] } } },
        { "NVIDIA sm_30", 0, sm30[0], sm30[1], { { "OCC", sm30[2] } } },
        { "NVIDIA sm_20", 0, sm20[0], sm20[1], { { "OCC", sm20[2] } } },
    };
    const mcl_kernel foo = { .name = "foo.cl", .operation = "foo", .rows = rows, .row_count = 3 };
    const mcl__limits limits = limits_of("NVIDIA sm_20");
    const golden_section *const grid = golden_need(&file, "sm20_grid_block");
    mcl_tile tile;
    check_boxes(&file, &foo, NULL);
    test_ok(mcl__kernel_tile_for(&foo, &limits, NULL, 4, NULL, &tile));
    ck_assert_int_eq(mcl_tile_groups(&tile, golden_int(&file, "count")), grid->ints[0]);
    ck_assert_int_eq(tile.threads, grid->ints[1]);
    golden_free(&file);
}
END_TEST

/* Kernel Bar has a parameter and a size that its later rows leave out. An earlier row gives them. */
START_TEST(what_a_row_leaves_out_is_inherited)
{
    golden file = golden_open("launchbox-print");
    const int32_t *const more = golden_need(&file, "bar_sm20_P1_sizeofT1")->ints;
    const mcl_tile_row rows[] = {
        { "NVIDIA sm_35", 0, 0, 15, { { "P1", 35 } } },
        { "NVIDIA sm_30", 0, 256, 0, { { 0 } } },
        { "NVIDIA sm_20", 0, 128, 7, { { "OCC", 4 }, { "P1", more[0] }, { "T1_BYTES", more[1] } } },
    };
    const struct {
        const char *device;
        int threads, items, p1;
    } expected[] = { { "NVIDIA sm_20", 128, 7, more[0] },
                     { "NVIDIA sm_30", 256, 7, more[0] },
                     { "NVIDIA sm_90", 256, 15, 35 } };
    const mcl_kernel bar = { .name = "bar.cl", .rows = rows, .row_count = 3 };
    for (int k = 0; k < 3; k++) {
        const mcl__limits limits = limits_of(expected[k].device);
        mcl_tile tile;
        test_ok(mcl__kernel_tile_for(&bar, &limits, NULL, 4, NULL, &tile));
        ck_assert_int_eq(tile.threads, expected[k].threads);
        ck_assert_int_eq(tile.items, expected[k].items);
        ck_assert_int_eq(mcl_tile_parameter(&tile, "OCC", 0), 4);
        ck_assert_int_eq(mcl_tile_parameter(&tile, "P1", 0), expected[k].p1);
        ck_assert_int_eq(mcl_tile_parameter(&tile, "T1_BYTES", 0), more[1]);
    }
    golden_free(&file);
}
END_TEST

/* The rows come from a file, which replaces the kernel's own rows. */
START_TEST(rows_of_a_file_are_the_launch_box)
{
    golden file = golden_open("launchbox-print");
    const int32_t *const sm20 = golden_need(&file, "foo_sm20_NT_VT_OCC")->ints;
    const int32_t *const sm30 = golden_need(&file, "foo_sm30_NT_VT_OCC")->ints;
    const int32_t *const sm35 = golden_need(&file, "foo_sm35_NT_VT_OCC")->ints;
    const mcl_tile_row other = { "", 0, 32, 1, { { "OCC", 9 } } };
    const mcl_kernel foo = { .name = "foo.cl", .operation = "foo", .rows = &other, .row_count = 1 };
    char path[] = "golden_tuning_XXXXXX";
    const int handle = mkstemp(path);
    mcl__tuning *tuning = NULL;

    ck_assert_int_ge(handle, 0);
    FILE *rows = fdopen(handle, "w");
    ck_assert_ptr_nonnull(rows);
    fprintf(rows, "\"foo\" \"NVIDIA sm_35\" any %d %d OCC=%d\n", sm35[0], sm35[1], sm35[2]);
    fprintf(rows, "\"foo\" \"NVIDIA sm_30\" any %d %d OCC=%d\n", sm30[0], sm30[1], sm30[2]);
    fprintf(rows, "\"foo\" \"NVIDIA sm_20\" any %d %d OCC=%d\n", sm20[0], sm20[1], sm20[2]);
    fclose(rows);
    const mcl__limits limits = { .tuning_key = "NVIDIA sm_90", .is_gpu = 1 };
    test_ok(mcl__tuning_load(path, &limits, &tuning));
    remove(path);
    check_boxes(&file, &foo, tuning);
    mcl__tuning_free(tuning);
    golden_free(&file);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, reader_reads_sections);
    tcase_add_test(tcase, reader_names_the_line_of_a_fault);
    tcase_add_test(tcase, generator_gives_the_first_numbers);
    tcase_add_test(tcase, generator_gives_every_printed_array);
    tcase_add_test(tcase, parts_are_the_task_ranges);
    tcase_add_test(tcase, padded_places_are_the_printed_ones);
    tcase_add_test(tcase, rows_of_a_kernel_are_the_launch_box);
    tcase_add_test(tcase, what_a_row_leaves_out_is_inherited);
    tcase_add_test(tcase, rows_of_a_file_are_the_launch_box);
}

int main(void)
{
    return test_main_host("golden_host", add);
}
