/* test_golden_bulk.c: known results of bulk remove, bulk insert and compaction, on every device with every kind of
 * tile. */
#include "golden_run.h"

static mcl_output remove_listed(run *at, mcl_input source, mcl_input indices)
{
    const mcl_output out = run_output(at, (int)(source.count - indices.count));

    test_ok(mcl_bulk_remove(at->queue, source, indices, out, &at->options));
    return out;
}

START_TEST(elements_that_bulk_remove_leaves)
{
    static const char *const files[] = { "demo-bulk-remove", "bulk-remove-header-example", "bulk-remove-walk-100" };

    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        run at = run_begin(_i, files[k]);
        run_expect(&at, "dest", remove_listed(&at, run_input(&at, "source"), run_input(&at, "indices")));
        run_end(&at);
    }
}
END_TEST

START_TEST(elements_that_bulk_insert_makes)
{
    static const char *const files[] = { "demo-bulk-insert", "bulk-insert-header-example" };

    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        run at = run_begin(_i, files[k]);
        const mcl_input a = run_input(&at, "a");
        const mcl_input b = run_input(&at, "b");
        const mcl_output out = run_output(&at, (int)(a.count + b.count));
        test_ok(mcl_bulk_insert(at.queue, a, run_input(&at, "indices"), b, out, &at.options));
        run_expect(&at, "dest", out);
        run_end(&at);
    }
}
END_TEST

/* The flags of the walk select the elements that removal keeps, and the flags' sums are their ranks. */
START_TEST(flags_of_the_bulk_remove_walk)
{
    run at = run_begin(_i, "bulk-remove-walk-100");
    const mcl_input source = run_input(&at, "source");
    const mcl_input flags = run_input(&at, "flags");
    const mcl_output sums = run_output(&at, (int)flags.count);
    const mcl_output out = run_output(&at, golden_need(&at.file, "dest")->count);
    int64_t count = -1;

    test_ok(mcl_scan(at.queue, flags, sums, MCL_ADD, MCL_EXCLUSIVE, mcl_to_nowhere(), &at.options));
    run_expect(&at, "flag_scan", sums);
    test_ok(mcl_compact_flagged(at.queue, source, flags, out, mcl_to_host(MCL_INT64, &count), &at.options));
    ck_assert_int_eq(count, out.capacity);
    run_expect(&at, "dest", out);
    run_end(&at);
}
END_TEST

/* The first tile of the walk. Inserted elements have numbers from 0 on, and other elements from a's count on, as in the
 * book's gather indices. */
START_TEST(gather_indices_of_the_bulk_insert_walk)
{
    run at = run_begin(_i, "bulk-insert-walk-100");
    mcl_input places = run_input(&at, "insert_indices");
    const int32_t *counts = golden_need(&at.file, "acount_bcount")->ints;
    const int32_t first[2] = { 0, counts[0] };
    const mcl_output out = run_output(&at, counts[0] + counts[1]);

    places.count = counts[0];
    test_ok(mcl_bulk_insert(at.queue, mcl_from_counting(MCL_INT32, &first[0], counts[0]), places,
                            mcl_from_counting(MCL_INT32, &first[1], counts[1]), out, &at.options));
    run_expect(&at, "gather", out);
    run_end(&at);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, elements_that_bulk_remove_leaves, device, RUN_TILES);
    test_add_loop(tcase, elements_that_bulk_insert_makes, device, RUN_TILES);
    test_add_loop(tcase, flags_of_the_bulk_remove_walk, device, RUN_TILES);
    test_add_loop(tcase, gather_indices_of_the_bulk_insert_walk, device, RUN_TILES);
}

int main(void)
{
    return test_main("golden_bulk", add);
}
