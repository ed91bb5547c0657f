/* test_golden_search.c: known results of sorted search, load-balancing search and intervals, on every device with every
 * kind of tile. */
#include "golden_run.h"

static const mcl_output none = { 0 };

/* ---- sorted search -------------------------------------------------------------------------------------------- */

START_TEST(bounds_of_the_sorted_search_demonstration)
{
    run at = run_begin(_i, "demo-sorted-search");
    const mcl_input haystack = run_input(&at, "haystack");
    const mcl_input needles = run_input(&at, "needles");
    const int count = (int)needles.count;
    const mcl_output lower = run_output(&at, count);
    const mcl_output upper = run_output(&at, count);
    const mcl_output equal = run_output(&at, count);
    const mcl_output in_place = mcl_to_buffer(MCL_INT32, needles.buffer, 0, count);

    test_ok(mcl_sorted_search_needles(at.queue, needles, haystack, MCL_LOWER, lower, MCL_LESS, &at.options));
    run_expect(&at, "lower_bound", lower);
    test_ok(mcl_sorted_search_needles(at.queue, needles, haystack, MCL_UPPER, upper, MCL_LESS, &at.options));
    run_expect(&at, "upper_bound", upper);
    test_ok(mcl_equality_count(at.queue, needles, haystack, mcl_from_buffer(MCL_INT32, lower.buffer, 0, count), equal,
                               MCL_LESS, MCL_EQUALITY, &at.options));
    run_expect(&at, "equality_count", equal);
    test_ok(mcl_sorted_search_needles(at.queue, needles, haystack, MCL_LOWER, in_place, MCL_LESS, &at.options));
    run_expect(&at, "lower_bound", in_place);
    run_end(&at);
}
END_TEST

/* Expects both directions of a search, with one kind of output. */
static void expect_both(run *at, mcl_bounds bounds, mcl_find find, const char *a_label, const char *b_label,
                        int64_t *counts)
{
    const mcl_input a = run_input(at, "a");
    const mcl_input b = run_input(at, "b");
    const mcl_output a_out = run_output(at, (int)a.count);
    const mcl_output b_out = run_output(at, (int)b.count);
    const mcl_found a_found = { find, a_out, counts ? mcl_to_host(MCL_INT64, &counts[0]) : mcl_to_nowhere() };
    const mcl_found b_found = { find, b_out, counts ? mcl_to_host(MCL_INT64, &counts[1]) : mcl_to_nowhere() };

    test_ok(mcl_sorted_search(at->queue, a, b, bounds, a_found, b_found, MCL_LESS, &at->options));
    run_expect(at, a_label, a_out);
    run_expect(at, b_label, b_out);
}

START_TEST(indices_and_matches_of_the_second_sorted_search_demonstration)
{
    run at = run_begin(_i, "demo-sorted-search-2");
    const int32_t *expected = golden_need(&at.file, "a_match_count_b_match_count")->ints;
    int64_t counts[2] = { -1, -1 };

    expect_both(&at, MCL_LOWER, MCL_FIND_INDEX, "a_index", "b_index", NULL);
    expect_both(&at, MCL_LOWER, MCL_FIND_MATCH, "a_match", "b_match", counts);
    for (int k = 0; k < 2; k++) ck_assert_int_eq(counts[k], expected[k]);
    expect_both(&at, MCL_UPPER, MCL_FIND_INDEX, "upper_a_index", "upper_b_index", NULL);
    run_end(&at);
}
END_TEST

START_TEST(packed_words_and_equality_counts_of_the_second_sorted_search_demonstration)
{
    run at = run_begin(_i, "demo-sorted-search-2");
    const int32_t *expected = golden_need(&at.file, "a_match_count_b_match_count")->ints;
    int64_t counts[2] = { -1, -1 };
    const mcl_input a = run_input(&at, "a");
    const mcl_input b = run_input(&at, "b");
    const mcl_input lower = run_input(&at, "lower_a_indexmatch");
    const mcl_input bounds = run_input(&at, "a_index");
    const mcl_output equal = run_output(&at, (int)a.count);
    int32_t numbers[RUN_NUMBERS];

    expect_both(&at, MCL_LOWER, MCL_FIND_INDEX_MATCH, "lower_a_indexmatch", "lower_b_indexmatch", counts);
    for (int k = 0; k < 2; k++) ck_assert_int_eq(counts[k], expected[k]);
    test_ok(mcl_equality_count(at.queue, a, b, bounds, equal, MCL_LESS, MCL_EQUALITY, &at.options));
    run_expect(&at, "equality_count_a_in_b", equal);
    test_ok(mcl_equality_count(at.queue, a, b, lower, equal, MCL_LESS, MCL_LEFT_JOIN, &at.options));
    run_read(&at, equal, (int)a.count, numbers);
    const int32_t *counted = golden_need(&at.file, "equality_count_a_in_b")->ints;
    for (int k = 0; k < a.count; k++) ck_assert_int_eq(numbers[k], counted[k] > 1 ? counted[k] : 1);
    run_end(&at);
}
END_TEST

/* ---- load-balancing search --------------------------------------------------------------------------------------- */

/* The total goes from the scan to the search without the host reading it. */
START_TEST(references_of_the_load_balance_demonstration)
{
    run at = run_begin(_i, "demo-load-balance");
    const mcl_input counts = run_input(&at, "counts");
    const int total = golden_int(&at.file, "total");
    const mcl_output scan = run_output(&at, (int)counts.count);
    const mcl_output refs = run_output(&at, total);
    mcl_buffer *slot = run_buffer(&at, NULL, 2);

    test_ok(mcl_scan(at.queue, counts, scan, MCL_ADD, MCL_EXCLUSIVE, mcl_to_slot(MCL_INT64, slot, 0), &at.options));
    run_expect(&at, "scan", scan);
    test_ok(mcl_load_balance_search(at.queue, mcl_work_in_slot(total, slot, 0),
                                    mcl_from_buffer(MCL_INT32, scan.buffer, 0, counts.count), refs, none, &at.options));
    run_expect(&at, "refs", refs);
    run_end(&at);
}
END_TEST

START_TEST(references_and_ranks_of_the_load_balance_walk)
{
    static const char *const names[] = { "load-balance-header-example", "load-balance-walk-40" };
    static const char *const scans[] = { "scan", "exclusive_scan" };

    for (int k = 0; k < 2; k++) {
        run at = run_begin(_i, names[k]);
        const mcl_input offsets = run_input(&at, scans[k]);
        const int total = golden_int(&at.file, "total");
        const mcl_output refs = run_output(&at, total);
        const mcl_output ranks = run_output(&at, total);
        const mcl_output made = run_output(&at, total);
        const mcl_work work = mcl_work_items(total);
        test_ok(mcl_load_balance_search(at.queue, work, offsets, refs, ranks, &at.options));
        run_expect(&at, "refs", refs);
        test_ok(mcl_transform_load_balanced(at.queue, mcl_from_expression(MCL_INT32, "object", NULL, NULL, 0, total),
                                            offsets, made, &at.options));
        run_expect(&at, "refs", made);
        if (k == 1) run_expect(&at, "ranks", ranks);
        run_end(&at);
    }
}
END_TEST

/* ---- intervals -------------------------------------------------------------------------------------------------- */

static void expect_expanded(const char *name, int round, const char *counts_label, const char *values_label,
                            const char *expected)
{
    run at = run_begin(round, name);
    const mcl_input counts = run_input(&at, counts_label);
    const int total = golden_need(&at.file, expected)->count;
    const mcl_output offsets = run_output(&at, (int)counts.count);
    const mcl_output out = run_output(&at, total);

    test_ok(mcl_scan(at.queue, counts, offsets, MCL_ADD, MCL_EXCLUSIVE, mcl_to_nowhere(), &at.options));
    test_ok(mcl_interval_expand(at.queue, mcl_work_items(total), run_input(&at, values_label),
                                mcl_from_buffer(MCL_INT32, offsets.buffer, 0, counts.count), out, &at.options));
    run_expect(&at, expected, out);
    run_end(&at);
}

START_TEST(expansions_of_the_book)
{
    expect_expanded("demo-interval-expand", _i, "counts", "values", "expanded");
    expect_expanded("interval-expand-header-example", _i, "counts", "values", "output");
    expect_expanded("intro-expand", _i, "counts", "values", "expanded");
    expect_expanded("intro-thrust-expand-examples", _i, "counts_1", "values_1", "out_1");
    expect_expanded("intro-thrust-expand-examples", _i, "counts_2", "values_2", "out_2");
    expect_expanded("intro-thrust-expand-examples", _i, "counts_3", "values_3", "out_3");
}
END_TEST

START_TEST(moves_of_the_interval_demonstration)
{
    run at = run_begin(_i, "demo-interval-move");
    const int total = golden_int(&at.file, "total");
    const mcl_work work = mcl_work_items(total);
    const int32_t zero = 0;
    const mcl_input in = mcl_from_counting(MCL_INT32, &zero, total);
    const mcl_input counts = run_input(&at, "counts");
    const mcl_input offsets = run_input(&at, "scan");
    const mcl_input gather = run_input(&at, "gather");
    const mcl_input scatter = run_input(&at, "scatter");
    const mcl_output out = run_output(&at, total);
    const int32_t *moves = golden_need(&at.file, "moves_src0_src1_dst0_dst1")->ints;
    const int32_t *lists[] = { golden_need(&at.file, "gather")->ints, golden_need(&at.file, "scatter")->ints,
                               golden_need(&at.file, "counts")->ints };

    test_ok(mcl_interval_move(at.queue, work, in, gather, scatter, offsets, out, &at.options));
    run_expect(&at, "moved", out);
    test_ok(mcl_interval_gather(at.queue, work, in, gather, offsets, out, &at.options));
    run_expect(&at, "gathered", out);
    test_ok(mcl_interval_scatter(at.queue, work, in, scatter, offsets, out, &at.options));
    run_expect(&at, "scattered", out);
    for (int k = 0; k < counts.count; k++) {
        const int32_t move[4] = { lists[0][k], lists[0][k] + lists[2][k], lists[1][k], lists[1][k] + lists[2][k] };
        for (int i = 0; i < 4; i++) ck_assert_int_eq(moves[4 * k + i], move[i]);
    }
    run_end(&at);
}
END_TEST

static void add(TCase *tcase, int device)
{
    const TTest *const tests[] = {
        bounds_of_the_sorted_search_demonstration,
        indices_and_matches_of_the_second_sorted_search_demonstration,
        packed_words_and_equality_counts_of_the_second_sorted_search_demonstration,
        references_of_the_load_balance_demonstration,
        references_and_ranks_of_the_load_balance_walk,
        expansions_of_the_book,
        moves_of_the_interval_demonstration,
    };

    tcase_set_timeout(tcase, 600);
    for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++) test_add_loop(tcase, tests[k], device, RUN_TILES);
}

int main(void)
{
    return test_main("golden_search", add);
}
