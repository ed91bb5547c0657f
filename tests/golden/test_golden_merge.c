/* test_golden_merge.c: known results of merge and of cuts, on every device with every kind of tile. */
#include "golden_run.h"

/* ---- merge ------------------------------------------------------------------------------------------------- */

START_TEST(keys_of_the_merge_demonstration)
{
    run at = run_begin(_i, "demo-merge-keys");
    const mcl_input a = run_input(&at, "a");
    const mcl_input b = run_input(&at, "b");
    const mcl_output out = run_output(&at, (int)(a.count + b.count));

    test_ok(mcl_merge(at.queue, a, b, out, MCL_LESS, &at.options));
    run_expect(&at, "c", out);
    run_end(&at);
}
END_TEST

START_TEST(pairs_of_the_merge_demonstration)
{
    run at = run_begin(_i, "demo-merge-pairs");
    const mcl_input a = run_input(&at, "a_keys");
    const mcl_input b = run_input(&at, "b_keys");
    const int count = (int)(a.count + b.count);
    const mcl_output keys = run_output(&at, count);
    const mcl_output values = run_output(&at, count);

    test_ok(mcl_merge_pairs(at.queue, a, run_input(&at, "a_vals"), b, run_input(&at, "b_vals"), keys, values, MCL_LESS,
                            &at.options));
    run_expect(&at, "c_keys", keys);
    run_expect(&at, "c_vals", values);
    run_end(&at);
}
END_TEST

/* Neighbouring lists of a mergesort are merged into the lists of the next level. */
START_TEST(levels_of_the_mergesort_example)
{
    run at = run_begin(_i, "mergesort-levels-16");
    mcl_input from = run_input(&at, "data");
    char label[64];

    for (int64_t length = 1; length < from.count; length *= 2) {
        const mcl_output to = run_output(&at, (int)from.count);
        for (int64_t first = 0; first < from.count; first += 2 * length)
            test_ok(mcl_merge(at.queue, mcl_from_buffer(MCL_INT32, from.buffer, first, length),
                              mcl_from_buffer(MCL_INT32, from.buffer, first + length, length),
                              mcl_to_buffer(MCL_INT32, to.buffer, first, 2 * length), MCL_LESS, &at.options));
        snprintf(label, sizeof label, "lists_%lld", (long long)(2 * length));
        run_expect(&at, label, to);
        from.buffer = to.buffer;
    }
    run_end(&at);
}
END_TEST

/* ---- the merge example of the textbook: co-ranks ----------------------------------------------------------- */

/* Stores to ranks[k] the number of elements of a among the first k merged elements. */
static void read_ranks(run *at, mcl_input a, mcl_input b, int tile, int32_t *ranks, int count)
{
    const mcl_output out = run_output(at, count);

    test_ok(mcl_cut_merge_path(at->queue, a, b, tile, 0, MCL_LOWER, out, MCL_LESS, &at->options));
    run_read(at, out, count, ranks);
}

START_TEST(merge_and_sources_of_the_textbook_example)
{
    run at = run_begin(_i, "pmpp-merge-9");
    const int32_t sources[2] = { 0, 1 };
    const mcl_input a = run_input(&at, "a");
    const mcl_input b = run_input(&at, "b");
    const int count = (int)(a.count + b.count);
    const mcl_output keys = run_output(&at, count);
    const mcl_output from = run_output(&at, count);
    int32_t first[3];

    test_ok(mcl_merge_pairs(at.queue, a, mcl_from_constant(MCL_INT32, &sources[0], a.count), b,
                            mcl_from_constant(MCL_INT32, &sources[1], b.count), keys, from, MCL_LESS, &at.options));
    run_expect(&at, "c", keys);
    run_expect(&at, "c_source", from);
    run_read(&at, from, 3, first);
    golden_same(&at.file, "sequential_first3_source", first, 3);
    run_end(&at);
}
END_TEST

START_TEST(co_ranks_of_the_textbook_example)
{
    run at = run_begin(_i, "pmpp-merge-9");
    const mcl_input a = run_input(&at, "a");
    const mcl_input b = run_input(&at, "b");
    const golden_section *triples = golden_need(&at.file, "rank_k_i_j");
    int32_t ranks[10];
    int32_t cuts[4];
    int32_t exhausted = 0;

    read_ranks(&at, a, b, 1, ranks, 10);
    golden_same(&at.file, "co_rank_i_for_k_0_to_9", ranks, 10);
    for (int k = 0; k < triples->count; k += 3) {
        const int32_t *triple = &triples->ints[k];
        ck_assert_int_eq(ranks[triple[0]], triple[1]);
        ck_assert_int_eq(triple[0] - ranks[triple[0]], triple[2]);
    }
    while (ranks[exhausted] < a.count) exhausted++;
    golden_same(&at.file, "positions_filled_when_a_is_exhausted", &exhausted, 1);

    /* Three threads have three outputs each; these are the arguments of the second thread's merge. */
    const int32_t *starts = golden_need(&at.file, "k_curr")->ints;
    read_ranks(&at, a, b, starts[1] - starts[0], cuts, 4);
    const int32_t b_start = starts[1] - cuts[1];
    const int32_t call[5] = { cuts[1], cuts[2] - cuts[1], b_start, starts[2] - cuts[2] - b_start, starts[1] };
    golden_same(&at.file, "thread1_call_i0_m_j0_n_k0", call, 5);
    run_end(&at);
}
END_TEST

START_TEST(co_ranks_of_the_textbook_exercises)
{
    static const char *const labels[] = { "ex1_rank_i_j", "ex2_start_k_i_j_iterations", "ex2_end_k_i_j_iterations" };
    run at = run_begin(_i, "pmpp-exercises");
    int32_t ranks[10];

    read_ranks(&at, run_input(&at, "ex1_a"), run_input(&at, "ex1_b"), 1, ranks, 10);
    for (int k = 0; k < 3; k++) {
        const int32_t *triple = golden_need(&at.file, labels[k])->ints;
        ck_assert_int_eq(ranks[triple[0]], triple[1]);
        ck_assert_int_eq(triple[0] - ranks[triple[0]], triple[2]);
    }
    run_end(&at);
}
END_TEST

/* ---- cuts --------------------------------------------------------------------------------------------------- */

/* 100 numbers are inserted into 400. The first tile of 100 takes these parts of each. */
START_TEST(cuts_of_the_bulk_insert_walk)
{
    run at = run_begin(_i, "bulk-insert-walk-100");
    const mcl_input places = run_input(&at, "insert_indices");
    const int32_t *told = golden_need(&at.file, "b_count_nv")->ints;
    const int32_t zero = 0;
    const int count = (int)(places.count + told[0]) / told[1] + 1;
    int32_t ranks[RUN_NUMBERS];

    read_ranks(&at, places, mcl_from_counting(MCL_INT32, &zero, told[0]), told[1], ranks, count);
    golden_same(&at.file, "merge_path_partitions", ranks, count);
    const int32_t first[2] = { ranks[1], told[1] - ranks[1] };
    golden_same(&at.file, "acount_bcount", first, 2);
    run_end(&at);
}
END_TEST

/* Work units are merged with the scan of the counts, where an object comes before its first item. */
START_TEST(cuts_of_the_load_balance_walk)
{
    run at = run_begin(_i, "load-balance-walk-40");
    const mcl_input starts = run_input(&at, "exclusive_scan");
    const golden_section *tiles = golden_need(&at.file, "tiles_a0_a1_b0_b1");
    const int32_t zero = 0;
    const int total = golden_int(&at.file, "total");
    const mcl_output out = run_output(&at, 5);
    int32_t cuts[5];

    test_ok(mcl_cut_merge_path(at.queue, mcl_from_counting(MCL_INT32, &zero, total), starts, 30, 0, MCL_UPPER, out,
                               MCL_LESS, &at.options));
    run_expect(&at, "nv30_merge_path_partitions", out);
    run_read(&at, out, 5, cuts);
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(cuts[k], tiles->ints[4 * k]);
        ck_assert_int_eq(cuts[k + 1], tiles->ints[4 * k + 1]);
    }
    run_end(&at);
}
END_TEST

/* 2113 positions to remove lie before tile 8, and 310 lie in it. The test checks which elements tile 8 keeps, and where
 * they go. */
START_TEST(cuts_of_the_bulk_remove_example)
{
    run at = run_begin(_i, "bulk-remove-partition-arithmetic");
    const int32_t *told = golden_need(&at.file, "nv_block_p0_p1")->ints;
    const int tile = told[0];
    const int block = told[1];
    static const char positions[] = "(int)i < 2113 ? 3 * i : (int)i < 2423 ? 8000 + 3 * (i - 2113) : 9000 + (i - 2423)";
    const mcl_input removed = mcl_from_expression(MCL_INT32, positions, NULL, NULL, 0, 2500);
    const int64_t count = 9990;
    const mcl_output out = run_output(&at, 11);
    int32_t ranks[11];

    test_ok(mcl_cut_search(at.queue, removed, count, tile, MCL_LOWER, out, &at.options));
    run_read(&at, out, 11, ranks);
    ck_assert_int_eq(ranks[block], told[2]);
    ck_assert_int_eq(ranks[block + 1], told[3]);
    const int32_t kept[2] = { tile - (ranks[block + 1] - ranks[block]), block * tile - ranks[block] };
    golden_same(&at.file, "count_position", kept, 2);
    run_end(&at);
}
END_TEST

/* A million elements in tiles of 128 x 7 make as many tiles as the example's grid has groups. */
START_TEST(tiles_of_the_launch_box_example)
{
    run at = run_begin(_i, "launchbox-print");
    const int count = golden_int(&at.file, "count");
    const int32_t *tile = golden_need(&at.file, "foo_sm20_NT_VT_OCC")->ints;
    const int groups = golden_need(&at.file, "sm20_grid_block")->ints[0];
    const int32_t zero = 0;
    const mcl_output out = run_output(&at, groups + 1);

    test_ok(mcl_cut_search(at.queue, mcl_from_counting(MCL_INT32, &zero, 10), count, tile[0] * tile[1], MCL_LOWER, out,
                           &at.options));
    const mcl_output shorter = mcl_to_buffer(MCL_INT32, out.buffer, 0, groups);
    test_fails(mcl_cut_search(at.queue, mcl_from_counting(MCL_INT32, &zero, 10), count, tile[0] * tile[1], MCL_LOWER,
                              shorter, &at.options),
               MCL_ERROR_ARGUMENT, "mcl_cut_search|out");
    run_end(&at);
}
END_TEST

static void add(TCase *tcase, int device)
{
    const TTest *const tests[] = {
        keys_of_the_merge_demonstration,  pairs_of_the_merge_demonstration,
        levels_of_the_mergesort_example,  merge_and_sources_of_the_textbook_example,
        co_ranks_of_the_textbook_example, co_ranks_of_the_textbook_exercises,
        cuts_of_the_bulk_insert_walk,     cuts_of_the_load_balance_walk,
        cuts_of_the_bulk_remove_example,  tiles_of_the_launch_box_example,
    };

    tcase_set_timeout(tcase, 600);
    for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++) test_add_loop(tcase, tests[k], device, RUN_TILES);
}

int main(void)
{
    return test_main("golden_merge", add);
}
