/* test_golden_sets.c: known results of the multiset operations, on every device with every kind of tile. */
#include "golden_run.h"

typedef mcl_status (*set_of_keys)(mcl_queue *, mcl_input, mcl_input, mcl_output, const mcl_op *, mcl_result,
                                  const mcl_options *);
typedef mcl_status (*set_of_pairs)(mcl_queue *, mcl_input, mcl_input, mcl_input, mcl_input, mcl_output, mcl_output,
                                   const mcl_op *, mcl_result, const mcl_options *);

static const struct {
    const char *label;
    set_of_keys of_keys;
    set_of_pairs of_pairs;
} operations[] = {
    { "intersection", mcl_set_intersection, mcl_set_intersection_pairs },
    { "union", mcl_set_union, mcl_set_union_pairs },
    { "difference", mcl_set_difference, mcl_set_difference_pairs },
    { "symmetric_difference", mcl_set_symmetric_difference, mcl_set_symmetric_difference_pairs },
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* Returns 1 where a round leaves an operation out. The library's tile takes all operations, and the other tiles two
 * each, since devices build every program. */
static int leaves_out(int round, int operation)
{
    const int tile = round % RUN_TILES;
    return tile > 0 && operation % 2 == tile % 2;
}

/* Expects keys of operations in one pass or in two. Two passes are the book's compact flag. */
static void expect_keys(run *at, int round)
{
    const mcl_input a = run_input(at, "a");
    const mcl_input b = run_input(at, "b");
    const mcl_output out = run_output(at, (int)(a.count + b.count));
    int32_t numbers[RUN_NUMBERS];

    for (int k = 0; k < OPERATIONS; k++) {
        int64_t count = -1;
        if (leaves_out(round, k)) continue;
        at->options.passes = 1 + (round + k / 2) % 2;
        test_ok(operations[k].of_keys(at->queue, a, b, out, MCL_LESS, mcl_to_host(MCL_INT64, &count), &at->options));
        run_read(at, out, (int)count, numbers);
        golden_same(&at->file, operations[k].label, numbers, (int)count);
    }
}

START_TEST(keys_of_the_ranks_example)
{
    run at = run_begin(_i, "sets-ranks-16x12");

    expect_keys(&at, _i);
    run_end(&at);
}
END_TEST

START_TEST(keys_of_the_multiset_demonstration)
{
    run at = run_begin(_i, "demo-sets-keys");

    expect_keys(&at, _i);
    run_end(&at);
}
END_TEST

START_TEST(pairs_of_the_multiset_demonstration)
{
    run at = run_begin(_i, "demo-sets-pairs");
    const mcl_input a = run_input(&at, "a");
    const mcl_input b = run_input(&at, "b");
    const mcl_input a_values = run_input(&at, "a_vals");
    const int32_t hundred = 100;
    const mcl_input b_values = mcl_from_counting(MCL_INT32, &hundred, b.count);
    const mcl_output keys = run_output(&at, (int)(a.count + b.count));
    const mcl_output values = run_output(&at, (int)(a.count + b.count));
    int32_t numbers[RUN_NUMBERS];
    char label[64];

    for (int k = 0; k < OPERATIONS; k++) {
        int64_t count = -1;
        if (leaves_out(_i, k)) continue;
        test_ok(operations[k].of_pairs(at.queue, a, a_values, b, b_values, keys, values, MCL_LESS,
                                       mcl_to_host(MCL_INT64, &count), &at.options));
        snprintf(label, sizeof label, "%s_keys", operations[k].label);
        run_read(&at, keys, (int)count, numbers);
        golden_same(&at.file, label, numbers, (int)count);
        snprintf(label, sizeof label, "%s_vals", operations[k].label);
        run_read(&at, values, (int)count, numbers);
        golden_same(&at.file, label, numbers, (int)count);
    }
    run_end(&at);
}
END_TEST

/* Cuts at every diagonal put each copy of a key on the side of its partner. Both inputs have the same number of 6s.
 * Every second diagonal cuts a pair of these in the middle, and is starred. */
START_TEST(balanced_path_of_the_ranks_example)
{
    run at = run_begin(_i, "sets-ranks-16x12");
    const golden_section *a_rank = golden_need(&at.file, "a_rank");
    const golden_section *b_rank = golden_need(&at.file, "b_rank");
    const mcl_input a = run_input(&at, "a");
    const mcl_input b = run_input(&at, "b");
    const int32_t *a_keys = golden_need(&at.file, "a")->ints;
    const int32_t *b_keys = golden_need(&at.file, "b")->ints;
    const int count = (int)(a.count + b.count) + 1;
    const mcl_output out = run_output(&at, count);
    int32_t cuts[RUN_NUMBERS];

    test_ok(mcl_cut_balanced_path(at.queue, a, b, 1, out, MCL_LESS, NULL));
    run_read(&at, out, count, cuts);
    for (int d = 0; d < count; d++) {
        const int star = cuts[d] < 0;
        const int i = cuts[d] & INT32_MAX;
        const int j = d - i + star;
        /* every element before the cut has a smaller (key, rank) than every element after it */
        for (int side = 0; side < 4; side++) {
            const int from_a = side & 1;
            const int to_a = side >> 1;
            const int last = from_a ? i - 1 : j - 1;
            const int next = to_a ? i : j;
            if (last < 0 || next >= (to_a ? a.count : b.count)) continue;
            const int last_key = from_a ? a_keys[last] : b_keys[last];
            const int next_key = to_a ? a_keys[next] : b_keys[next];
            const int last_rank = (from_a ? a_rank : b_rank)->ints[last];
            const int next_rank = (to_a ? a_rank : b_rank)->ints[next];
            ck_assert_msg(last_key < next_key || (last_key == next_key && last_rank < next_rank),
                          "diagonal %d is cut at %d, %d: %d of rank %d lies before %d of rank %d", d, i, j, last_key,
                          last_rank, next_key, next_rank);
        }
        ck_assert_msg(!star || (i > 0 && j > 0 && a_keys[i - 1] == b_keys[j - 1]), "diagonal %d is starred", d);
    }
    run_end(&at);
}
END_TEST

static void add(TCase *tcase, int device)
{
    const TTest *const tests[] = {
        keys_of_the_ranks_example,
        keys_of_the_multiset_demonstration,
        pairs_of_the_multiset_demonstration,
        balanced_path_of_the_ranks_example,
    };

    tcase_set_timeout(tcase, 600);
    for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++) test_add_loop(tcase, tests[k], device, RUN_TILES);
}

int main(void)
{
    return test_main("golden_sets", add);
}
