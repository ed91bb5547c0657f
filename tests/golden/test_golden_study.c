/* test_golden_study.c: the co-ranks of a textbook's merges step by step, and its exercises with their worked answers.
 * It runs on the host, which compiles the kernels' own search. */
#include "golden_check.h"
#include "support/devices.h"

#define __global
#define INLINED inline
#define CO_RANK(part) host_##part
#define CO_RANK_SPACE
#define CO_RANK_CIRCULAR 0
#include "study/co_rank.clh"
#define CO_RANK(part) ring_##part
#define CO_RANK_SPACE
#define CO_RANK_CIRCULAR 1
#include "study/co_rank.clh"

static const co_rank_ring no_ring = { 0, 0, 1 };

/* Stores the state at the start of each step, four numbers a step, and returns the number of steps. */
static int trace(int k, const golden_section *a, const golden_section *b, int32_t *states)
{
    co_rank_search s = co_rank_start(k, a->count, b->count);
    int steps = 0;

    do {
        const int32_t state[4] = { s.i, s.i_low, s.j, s.j_low };
        for (int n = 0; n < 4; n++) states[4 * steps + n] = state[n];
        steps++;
    } while (host_step(&s, a->ints, a->count, b->ints, b->count, no_ring));
    return steps;
}

START_TEST(search_of_the_running_example_goes_as_told)
{
    golden file = golden_open("pmpp-merge-9");
    const golden_section *a = golden_need(&file, "a");
    const golden_section *b = golden_need(&file, "b");
    int32_t states[64];
    int32_t ranks[10];
    int32_t merged[9];
    const int steps = trace(3, a, b, states);
    const int32_t deltas[2] = { states[0] - states[4], states[6] - states[10] };

    golden_same(&file, "corank3_trace_i_ilow_j_jlow", states, 4 * steps);
    golden_same(&file, "corank3_trace_delta", deltas, 2);
    for (int k = 0; k <= 9; k++) ranks[k] = host_co_rank(k, a->ints, a->count, b->ints, b->count, no_ring);
    golden_same(&file, "co_rank_i_for_k_0_to_9", ranks, 10);
    host_merge(a->ints, 0, a->count, b->ints, 0, b->count, no_ring, merged);
    golden_same(&file, "c", merged, 9);
    golden_free(&file);
}
END_TEST

/* In the second exercise both searches of the third work-item end in their first step. */
START_TEST(exercises_have_their_worked_answers)
{
    golden file = golden_open("pmpp-exercises");
    const golden_section *a = golden_need(&file, "ex1_a");
    const golden_section *b = golden_need(&file, "ex1_b");
    static const char *const labels[][2] = { { "ex2_start_k_i_j_iterations", "ex2_start_trace_i_ilow_j_jlow" },
                                             { "ex2_end_k_i_j_iterations", "ex2_end_trace_i_ilow_j_jlow" } };
    int32_t states[64];

    for (int which = 0; which < 2; which++) {
        const int k = golden_need(&file, labels[which][0])->ints[0];
        const int steps = trace(k, a, b, states);
        const int i = host_co_rank(k, a->ints, a->count, b->ints, b->count, no_ring);
        const int32_t answer[4] = { k, i, k - i, steps };
        golden_same(&file, labels[which][0], answer, 4);
        golden_same(&file, labels[which][1], states, 4 * steps);
    }
    const int i = host_co_rank(8, a->ints, a->count, b->ints, b->count, no_ring);
    const int32_t first[3] = { 8, i, 8 - i };
    golden_same(&file, "ex1_rank_i_j", first, 3);
    golden_free(&file);
}
END_TEST

/* The fourth exercise asks how many work-items search in global memory in each kernel. */
START_TEST(work_items_that_search_are_as_many_as_told)
{
    golden file = golden_open("pmpp-exercises");
    const int32_t *sizes = golden_need(&file, "ex4_sizes_perthread_block")->ints;
    const int32_t total = sizes[0] + sizes[1];
    const int32_t items = (total + sizes[2] - 1) / sizes[2];
    const int32_t groups = (items + sizes[3] - 1) / sizes[3];
    const int32_t all[3] = { total, items, groups };
    const int32_t searching[3] = { items, groups, items };
    const int32_t searches[2] = { 2 * items, 2 * groups };

    ck_assert_int_eq(co_rank_share(total, sizes[2], items), total);
    ck_assert_int_lt(co_rank_share(total, sizes[2], items - 1), total);
    golden_same(&file, "ex4_total_threads_blocks", all, 3);
    golden_same(&file, "ex4_a_b_c_threads", searching, 3);
    golden_same(&file, "ex4_a_b_searches", searches, 2);
    golden_free(&file);
}
END_TEST

START_TEST(arithmetic_of_the_tiled_example)
{
    golden file = golden_open("pmpp-tiled-arithmetic");
    const int32_t *told = golden_need(&file, "m_n_blocks_threads_tile")->ints;
    const int32_t total = told[0] + told[1];
    const int32_t part = (total + told[2] - 1) / told[2];
    const int32_t tiles = (part + told[4] - 1) / told[4];
    const int32_t numbers[6] = {
        total, part, tiles, told[4] / told[3], told[4] / told[3], 2 * told[4] * (int32_t)sizeof(int32_t)
    };
    const int32_t last = part - (tiles - 1) * told[4];

    ck_assert_int_eq(co_rank_share(total, part, told[2] - 1), total - part);
    golden_same(&file, "total_perblock_iterations_loadsteps_perthread_sharedbytes", numbers, 6);
    golden_same(&file, "last_iteration_outputs", &last, 1);
    golden_free(&file);
}
END_TEST

/* The example's inputs begin anywhere in rings that are as large as the longer input, or larger. */
START_TEST(circular_pieces_equal_the_plain_ones)
{
    golden file = golden_open("pmpp-merge-9");
    const golden_section *a = golden_need(&file, "a");
    const golden_section *b = golden_need(&file, "b");
    int32_t ring_a[8];
    int32_t ring_b[8];
    int32_t merged[9];

    for (int turn = 0; turn < 4 * 64; turn++) {
        co_rank_ring ring = { turn % 8, turn / 8 % 8, 5 + turn / 64 };
        ring.a %= ring.size;
        ring.b %= ring.size;
        for (int k = 0; k < a->count; k++) ring_a[(ring.a + k) % ring.size] = a->ints[k];
        for (int k = 0; k < b->count; k++) ring_b[(ring.b + k) % ring.size] = b->ints[k];
        for (int k = 0; k <= 9; k++)
            ck_assert_int_eq(ring_co_rank(k, ring_a, a->count, ring_b, b->count, ring),
                             host_co_rank(k, a->ints, a->count, b->ints, b->count, no_ring));
        ring_merge(ring_a, 0, a->count, ring_b, 0, b->count, ring, merged);
        golden_same(&file, "c", merged, 9);
    }
    golden_free(&file);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, search_of_the_running_example_goes_as_told);
    tcase_add_test(tcase, exercises_have_their_worked_answers);
    tcase_add_test(tcase, work_items_that_search_are_as_many_as_told);
    tcase_add_test(tcase, arithmetic_of_the_tiled_example);
    tcase_add_test(tcase, circular_pieces_equal_the_plain_ones);
}

int main(void)
{
    return test_main_host("golden_study", add);
}
