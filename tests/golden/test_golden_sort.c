/* test_golden_sort.c: known results of the sorts, on every device with every kind of tile. The steps of a block's sort,
 * which are plain C, are also tested on the host. */
#include "golden_run.h"

/* ---- sorts ------------------------------------------------------------------------------------------------- */

START_TEST(keys_of_the_sort_demonstration)
{
    run at = run_begin(_i, "demo-sort-keys");
    const mcl_input data = run_input(&at, "data");
    const mcl_output in_place = mcl_to_buffer(MCL_INT32, data.buffer, data.offset, data.count);

    at.options.sort_method = MCL_SORT_MERGE;
    test_ok(mcl_sort(at.queue, data, in_place, MCL_LESS, &at.options));
    run_expect(&at, "sorted", in_place);
    run_end(&at);
}
END_TEST

START_TEST(pairs_of_the_sort_demonstration)
{
    run at = run_begin(_i, "demo-sort-pairs");
    const mcl_input keys = run_input(&at, "keys");
    const int count = (int)keys.count;
    const mcl_output sorted_keys = run_output(&at, count);
    const mcl_output sorted_values = run_output(&at, count);
    const mcl_output places = run_output(&at, count);

    at.options.sort_method = MCL_SORT_MERGE;
    test_ok(
        mcl_sort_pairs(at.queue, keys, run_input(&at, "values"), sorted_keys, sorted_values, MCL_LESS, &at.options));
    run_expect(&at, "sorted_keys", sorted_keys);
    run_expect(&at, "sorted_values", sorted_values);
    test_ok(mcl_sort_indices(at.queue, keys, places, MCL_LESS, &at.options));
    run_expect(&at, "sorted_values", places);
    run_end(&at);
}
END_TEST

/* The lists of each level are parts of the data, each sorted. */
START_TEST(lists_of_the_mergesort_example)
{
    run at = run_begin(_i, "mergesort-levels-16");
    const mcl_input data = run_input(&at, "data");
    char label[64];

    at.options.sort_method = MCL_SORT_MERGE;
    for (int64_t length = 2; length <= data.count; length *= 2) {
        const mcl_output lists = run_output(&at, (int)data.count);
        for (int64_t first = 0; first < data.count; first += length)
            test_ok(mcl_sort(at.queue, mcl_from_buffer(MCL_INT32, data.buffer, first, length),
                             mcl_to_buffer(MCL_INT32, lists.buffer, first, length), MCL_LESS, &at.options));
        snprintf(label, sizeof label, "lists_%lld", (long long)length);
        run_expect(&at, label, lists);
    }
    run_end(&at);
}
END_TEST

/* ---- the network of a work-item ----------------------------------------------------------------------------- */

enum { TILE_ITEMS = 16 };
typedef int32_t key_type;
/* The pairs that were compared, with the values after the comparison. */
typedef struct pairs_seen {
    int32_t keys[2 * TILE_ITEMS * TILE_ITEMS];
    int count;
} pairs_seen;
typedef pairs_seen *env_type;
#define HAS_VALUES 0
#define STABLE 1
typedef unsigned int uint;
#define UNROLL
#define ROLLED
#define INLINED inline
#define __local

static int before(env_type seen, key_type right, key_type left)
{
    const int exchange = right < left;

    seen->keys[seen->count++] = exchange ? right : left;
    seen->keys[seen->count++] = exchange ? left : right;
    return exchange;
}
#include "pieces/sort/sort_network.clh"

START_TEST(network_of_the_transposition_example)
{
    golden file = golden_open("odd-even-transposition-16");
    const golden_section *data = golden_need(&file, "data");
    int32_t keys[TILE_ITEMS];
    int indices[TILE_ITEMS] = { 0 };
    pairs_seen seen = { .count = 0 };
    char label[64];
    int first = 0;

    (void)_i;
    ck_assert_int_eq(data->count, TILE_ITEMS);
    memcpy(keys, data->ints, sizeof keys);
    sort_registers(&seen, 0, keys, indices);
    golden_same(&file, "sorted", keys, TILE_ITEMS);
    for (int pass = 0; pass < TILE_ITEMS; pass++) {
        const int count = pass % 2 ? TILE_ITEMS - 2 : TILE_ITEMS;
        snprintf(label, sizeof label, "pass_%d_pairs", pass);
        golden_same(&file, label, seen.keys + first, count);
        first += count;
    }
    ck_assert_int_eq(first, seen.count);
    golden_free(&file);
}
END_TEST

START_TEST(a_network_of_few_keys_touches_no_others)
{
    static const int32_t sorted[] = { 1, 3, 5, 8, 8, -99 };
    pairs_seen seen = { .count = 0 };
    int32_t keys[TILE_ITEMS] = { 3, 8, 1, 8, 5, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99 };

    (void)_i;
    sort_few_shared(&seen, keys, NULL, 5);
    ck_assert_mem_eq(keys, sorted, sizeof sorted);
    for (int k = 6; k < TILE_ITEMS; k++) ck_assert_int_eq(keys[k], -99);
    for (int k = 0; k < seen.count; k++) ck_assert_int_ne(seen.keys[k], -99);
}
END_TEST

/* ---- the frames of a block's rounds -------------------------------------------------------------------------- */

#define TILE_ITEMS 7
#include "pieces/sort/sort_frame.clh"

START_TEST(frames_of_the_blocksort_example)
{
    golden file = golden_open("blocksort-frames-8x7");
    const int32_t *told = golden_need(&file, "nt_vt_count")->ints;
    int32_t frames[5 * 8];
    char label[64];

    (void)_i;
    ck_assert_int_eq(told[0], 8);
    ck_assert_int_eq(told[1], TILE_ITEMS);
    for (int width = 1; width < told[0]; width *= 2) {
        for (int item = 0; item < told[0]; item++) {
            const sort_frame frame = find_frame(item, width, told[2]);
            const int32_t row[5] = { frame.a_begin, frame.a_end, frame.a_end, frame.b_end, frame.diagonal };
            memcpy(frames + 5 * item, row, sizeof row);
        }
        snprintf(label, sizeof label, "coop_%d", 2 * width);
        golden_same(&file, label, frames, 5 * told[0]);
    }
    golden_free(&file);
}
END_TEST

static void add(TCase *tcase, int device)
{
    tcase_set_timeout(tcase, 600);
    test_add_loop(tcase, keys_of_the_sort_demonstration, device, RUN_TILES);
    test_add_loop(tcase, pairs_of_the_sort_demonstration, device, RUN_TILES);
    test_add_loop(tcase, lists_of_the_mergesort_example, device, RUN_TILES);
    if (device > 0) return;
    test_add(tcase, network_of_the_transposition_example, device);
    test_add(tcase, a_network_of_few_keys_touches_no_others, device);
    test_add(tcase, frames_of_the_blocksort_example, device);
}

int main(void)
{
    return test_main("golden_sort", add);
}
