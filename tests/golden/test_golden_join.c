/* test_golden_join.c: known results of the relational joins, on every device with every kind of tile. */
#include "golden_run.h"

static const struct {
    mcl_join_kind kind;
    const char *label;
} joins[] = {
    { MCL_JOIN_INNER, "inner" },
    { MCL_JOIN_LEFT, "left" },
    { MCL_JOIN_RIGHT, "right" },
    { MCL_JOIN_OUTER, "outer" },
};
enum { JOINS = sizeof joins / sizeof joins[0] };

/* Returns 1 where a round leaves a kind of join out. The library's tile takes all kinds, and the other tiles two each,
 * since devices build every program. */
static int leaves_out(int round, int join)
{
    const int tile = round % RUN_TILES;
    return tile > 0 && join % 2 == tile % 2;
}

/* Expects the rows that the file has for each kind. */
static void expect_rows(run *at, int round)
{
    const mcl_input a = run_input(at, "a");
    const mcl_input b = run_input(at, "b");
    const mcl_output out_a = run_output(at, RUN_NUMBERS);
    const mcl_output out_b = run_output(at, RUN_NUMBERS);
    int32_t numbers[RUN_NUMBERS];
    char label[64];

    for (int k = 0; k < JOINS; k++) {
        int64_t count = -1;
        if (leaves_out(round, k)) continue;
        at->options.passes = 1 + (round + k / 2) % 2;
        test_ok(mcl_join(at->queue, joins[k].kind, a, b, out_a, out_b, MCL_LESS, mcl_to_host(MCL_INT64, &count),
                         &at->options));
        snprintf(label, sizeof label, "%s_a_index", joins[k].label);
        run_read(at, out_a, (int)count, numbers);
        golden_same(&at->file, label, numbers, (int)count);
        snprintf(label, sizeof label, "%s_b_index", joins[k].label);
        run_read(at, out_b, (int)count, numbers);
        golden_same(&at->file, label, numbers, (int)count);
    }
}

START_TEST(rows_of_the_table_of_letters)
{
    run at = run_begin(_i, "join-table-16x14");

    expect_rows(&at, _i);
    run_end(&at);
}
END_TEST

/* The expected rows follow the text, since the comment in the book prints wrong ones. */
START_TEST(rows_of_the_header_comment)
{
    run at = run_begin(_i, "join-header-example");

    expect_rows(&at, _i);
    run_end(&at);
}
END_TEST

START_TEST(rows_of_the_join_demonstration)
{
    run at = run_begin(_i, "demo-join");

    expect_rows(&at, _i);
    run_end(&at);
}
END_TEST

/* The demonstration prints keys beside the rows, and -1 where a row has no key. */
START_TEST(keys_of_the_join_demonstration)
{
    run at = run_begin(_i, "demo-join");
    const golden_section *a = golden_need(&at.file, "a");
    const golden_section *b = golden_need(&at.file, "b");
    const int outer = golden_int(&at.file, "outer_count");
    const mcl_output out_a = run_output(&at, outer);
    const mcl_output out_b = run_output(&at, outer);
    int32_t rows_a[RUN_NUMBERS];
    int32_t rows_b[RUN_NUMBERS];

    test_ok(mcl_join(at.queue, MCL_JOIN_OUTER, run_input(&at, "a"), run_input(&at, "b"), out_a, out_b, MCL_LESS,
                     mcl_to_nowhere(), NULL));
    run_read(&at, out_a, outer, rows_a);
    run_read(&at, out_b, outer, rows_b);
    for (int k = 0; k < outer; k++) {
        rows_a[k] = rows_a[k] < 0 ? -1 : a->ints[rows_a[k]];
        rows_b[k] = rows_b[k] < 0 ? -1 : b->ints[rows_b[k]];
    }
    golden_same(&at.file, "outer_a_key", rows_a, outer);
    golden_same(&at.file, "outer_b_key", rows_b, outer);
    run_end(&at);
}
END_TEST

static void add(TCase *tcase, int device)
{
    const TTest *const tests[] = {
        rows_of_the_table_of_letters,
        rows_of_the_header_comment,
        rows_of_the_join_demonstration,
        keys_of_the_join_demonstration,
    };

    tcase_set_timeout(tcase, 600);
    for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++) test_add_loop(tcase, tests[k], device, RUN_TILES);
}

int main(void)
{
    return test_main("golden_join", add);
}
