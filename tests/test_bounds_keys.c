/* test_bounds_keys.c: operations on sorted keys, with unsorted keys and with orders that contradict themselves. They
 * must not access memory outside the operands and the scratch, and every call must end. */
#include "support/arrays.h"
#include "support/fence.h"

#include <stdio.h>
#include <string.h>

/* ---- orders ------------------------------------------------------------------------------------------------------ */

/* All orders share one program, since the order's number is a bound value. Only the first one is a true order. */
static const char *const order_names[] = {
    "p < q", "p <= q", "1", "p != q", "p < q || p > 3", "p > q", "a hash of p and q",
};
enum { ORDERS = sizeof order_names / sizeof order_names[0] };
static const char order_source[] =
    "static inline int hostile_order(const int order, const int32_t p, const int32_t q)\n"
    "{\n"
    "    if (order == 0) return p < q;\n"
    "    if (order == 1) return p <= q;\n"
    "    if (order == 2) return 1;\n"
    "    if (order == 3) return p != q;\n"
    "    if (order == 4) return p < q || p > 3;\n"
    "    if (order == 5) return p > q;\n"
    "    return (int)((((uint32_t)p * 2654435761u) ^ ((uint32_t)q * 40503u)) >> 9 & 1u);\n"
    "}\n";

static mcl_op order_of(int32_t order)
{
    return (mcl_op){ .role = MCL_ROLE_ORDER,
                     .expression = "hostile_order(order, p, q)",
                     .source = order_source,
                     .binding_count = 1,
                     .bindings = { mcl_binding_value("order", MCL_INT32, &order) } };
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

enum { KEYS_MAX = 1000 };
typedef enum key_shape { SORTED, ALTERNATING, FALLING, MIXED, EQUAL, SHAPES } key_shape;
static const char *const shape_names[] = { "sorted", "alternating", "falling", "mixed", "equal" };

static void make_keys(key_shape shape, int32_t *keys, int count)
{
    for (int k = 0; k < count; k++) {
        const int32_t shapes[SHAPES] = { k / 3, k % 2 ? 1000000 : -1000000, count - k,
                                         (int32_t)((uint32_t)k * 2654435761u % 17u), 7 };
        keys[k] = shapes[shape];
    }
}

/* The numbers of keys of a and of b, and the shapes of both. */
typedef struct key_case {
    int a_count, b_count;
    key_shape a, b;
} key_case;
static const key_case key_cases[] = {
    { 4, 4, SORTED, SORTED },          { 10, 10, SORTED, SORTED },        { 1000, 1000, SORTED, SORTED },
    { 1000, 10, ALTERNATING, SORTED }, { 10, 1000, SORTED, ALTERNATING }, { 1000, 999, FALLING, MIXED },
    { 333, 1000, MIXED, FALLING },     { 1000, 700, EQUAL, MIXED },       { 0, 50, SORTED, FALLING },
    { 70, 80, FALLING, MIXED },
};
enum { KEY_CASES = sizeof key_cases / sizeof key_cases[0] };

/* ---- calls ------------------------------------------------------------------------------------------------------- */

typedef struct keys_call {
    int variant; /* number of the operation's kind */
    mcl_input a, b, a_values, b_values;
    mcl_output out, out_values;
    mcl_op before;
    int64_t count;
} keys_call;

typedef mcl_status (*set_pairs)(mcl_queue *, mcl_input, mcl_input, mcl_input, mcl_input, mcl_output, mcl_output,
                                const mcl_op *, mcl_result, const mcl_options *);
typedef mcl_status (*set_of_keys)(mcl_queue *, mcl_input, mcl_input, mcl_output, const mcl_op *, mcl_result,
                                  const mcl_options *);

static mcl_status call_sets(void *user, mcl_queue *queue, const mcl_options *options)
{
    static const set_of_keys sets[] = { mcl_set_intersection, mcl_set_union, mcl_set_difference,
                                        mcl_set_symmetric_difference };
    keys_call *c = user;
    return sets[c->variant](queue, c->a, c->b, c->out, &c->before, mcl_to_host(MCL_INT64, &c->count), options);
}

static mcl_status call_set_pairs(void *user, mcl_queue *queue, const mcl_options *options)
{
    static const set_pairs sets[] = { mcl_set_intersection_pairs, mcl_set_union_pairs, mcl_set_difference_pairs,
                                      mcl_set_symmetric_difference_pairs };
    keys_call *c = user;
    return sets[c->variant](queue, c->a, c->a_values, c->b, c->b_values, c->out, c->out_values, &c->before,
                            mcl_to_host(MCL_INT64, &c->count), options);
}

static mcl_status call_join(void *user, mcl_queue *queue, const mcl_options *options)
{
    keys_call *c = user;
    return mcl_join(queue, (mcl_join_kind)c->variant, c->a, c->b, c->out, c->out_values, &c->before,
                    mcl_to_host(MCL_INT64, &c->count), options);
}

static mcl_status call_join_unsorted(void *user, mcl_queue *queue, const mcl_options *options)
{
    keys_call *c = user;
    return mcl_join_unsorted(queue, (mcl_join_kind)c->variant, c->a, c->b, c->out, c->out_values, &c->before,
                             mcl_to_host(MCL_INT64, &c->count), options);
}

/* Joins two columns of a, one of b, and the keys. */
static mcl_status call_join_columns(void *user, mcl_queue *queue, const mcl_options *options)
{
    keys_call *c = user;
    const int64_t third = c->out.capacity / 3;
    const mcl_output outs[] = { mcl_to_buffer(MCL_INT32, c->out.buffer, c->out.offset, third),
                                mcl_to_buffer(MCL_INT32, c->out.buffer, c->out.offset + third, third),
                                mcl_to_buffer(MCL_INT32, c->out.buffer, c->out.offset + 2 * third, third) };
    const mcl_join_column of_a[] = { { c->a_values, outs[0], NULL }, { c->a_values, outs[1], NULL } };
    const mcl_join_column of_b[] = { { c->b_values, c->out_values, NULL } };
    return mcl_join_columns(queue, (mcl_join_kind)c->variant, c->a, c->b, of_a, 2, of_b, 1, outs[2], &c->before,
                            mcl_to_host(MCL_INT64, &c->count), options);
}

static mcl_status call_merge(void *user, mcl_queue *queue, const mcl_options *options)
{
    keys_call *c = user;
    if (c->variant == 0) return mcl_merge(queue, c->a, c->b, c->out, &c->before, options);
    return mcl_merge_pairs(queue, c->a, c->a_values, c->b, c->b_values, c->out, c->out_values, &c->before, options);
}

/* Searches both ways. Results for a go to the front of out, results for b to the front of out_values. */
static mcl_status call_search(void *user, mcl_queue *queue, const mcl_options *options)
{
    keys_call *c = user;
    if (c->variant == 0)
        return mcl_sorted_search(queue, c->a, c->b, MCL_LOWER, mcl_found_index_matches(c->out, mcl_to_nowhere()),
                                 mcl_found_index_matches(c->out_values, mcl_to_host(MCL_INT64, &c->count)), &c->before,
                                 options);
    if (c->variant == 1) return mcl_sorted_search_needles(queue, c->a, c->b, MCL_UPPER, c->out, &c->before, options);
    mcl_input lower = c->a_values;
    lower.count = c->a.count;
    return mcl_equality_count(queue, c->a, c->b, lower, c->out, &c->before, MCL_LEFT_JOIN, options);
}

/* Cuts with tiles that are longer than a sequence, and with pairs of tiles whose size a number does not hold. */
static mcl_status call_partition(void *user, mcl_queue *queue, const mcl_options *options)
{
    static const struct {
        int64_t tile;
        int coop;
    } lists[] = { { 7, 8 }, { (int64_t)1 << 34, 1 << 30 }, { INT64_MAX / 4, 4 }, { ((int64_t)3 << 33) + 5, 1 << 30 } };
    keys_call *c = user;
    if (c->variant == 0) return mcl_cut_merge_path(queue, c->a, c->b, 3, 0, MCL_LOWER, c->out, &c->before, options);
    if (c->variant == 1) return mcl_cut_balanced_path(queue, c->a, c->b, 3, c->out, &c->before, options);
    if (c->variant == 2) return mcl_cut_search(queue, c->a, 2 * c->a.count, 3, MCL_UPPER, c->out, options);
    return mcl_cut_merge_path(queue, c->a, c->b, lists[c->variant - 3].tile, lists[c->variant - 3].coop, MCL_LOWER,
                              c->out, &c->before, options);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* A call with the capacity of its output: as large as all keys, a part of that, or far larger. */
typedef struct keys_run {
    const char *name;
    fenced_call call;
    int variant;
    int capacity_share; /* part of all keys for which the output has room */
    mcl_options options;
} keys_run;

/* Checks that each number of a row is -1 or an index. */
static void expect_indices(int device, const keys_call *call, const fence *out, const key_case *keys, const char *what)
{
    static int32_t rows[2 * KEYS_MAX];
    const int64_t stored = call->count < call->out.capacity ? call->count : call->out.capacity;

    for (int side = 0; side < 2; side++) {
        fence_read(device, &out[side], rows);
        for (int64_t k = 0; k < stored; k++)
            ck_assert_msg(rows[k] >= -1 && rows[k] < (side ? keys->b_count : keys->a_count), "%s: row %lld has %d",
                          what, (long long)k, rows[k]);
    }
}

static void run_keys(int device, const keys_run *run, const key_case *keys, int32_t order)
{
    static int32_t numbers[2][KEYS_MAX];
    const int all = keys->a_count + keys->b_count;
    const int capacity = all * run->capacity_share;
    keys_call call = { .variant = run->variant, .before = order_of(order) };
    char what[200];
    fence in[2];
    fence values[2];
    fence out[2];

    (void)snprintf(what, sizeof what, "%s %d, tile %d x %d, passes %d, %d %s and %d %s keys, order %s", run->name,
                   run->variant, run->options.tile_threads, run->options.tile_items, run->options.passes, keys->a_count,
                   shape_names[keys->a], keys->b_count, shape_names[keys->b], order_names[order]);
    make_keys(keys->a, numbers[0], keys->a_count);
    make_keys(keys->b, numbers[1], keys->b_count);
    for (int k = 0; k < 2; k++) {
        const size_t bytes = sizeof(int32_t) * (size_t)(k ? keys->b_count : keys->a_count);
        fence_create(device, bytes, numbers[k], &in[k]);
        fence_create(device, bytes, NULL, &values[k]);
        fence_create(device, sizeof(int32_t) * (size_t)capacity, NULL, &out[k]);
    }
    call.a = fence_input(&in[0], MCL_INT32, keys->a_count);
    call.b = fence_input(&in[1], MCL_INT32, keys->b_count);
    call.a_values = fence_input(&values[0], MCL_INT32, keys->a_count);
    call.b_values = fence_input(&values[1], MCL_INT32, keys->b_count);
    call.out = fence_output(&out[0], MCL_INT32, capacity);
    call.out_values = fence_output(&out[1], MCL_INT32, capacity);
    fence_run(device, run->call, &call, &run->options, what);
    if (run->call == call_sets || run->call == call_set_pairs)
        ck_assert_msg(call.count >= 0 && call.count <= all, "%s: the count is %lld", what, (long long)call.count);
    if (run->call == call_join_unsorted) expect_indices(device, &call, out, keys, what);
    for (int k = 0; k < 2; k++) {
        fence_check(device, &in[k], 0, what);
        fence_check(device, &values[k], 0, what);
        fence_check(device, &out[k], 1, what);
        fence_free(&in[k]);
        fence_free(&values[k]);
        fence_free(&out[k]);
    }
}

/* Returns 1 where a test uses these keys. With unsorted keys, shares of work-items and tiles may overlap and write one
 * place twice, which is no defect. Where a tool reports this, one work-item alone does all (unless MCL_TEST_FULL=1 is
 * set). */
static int is_looked_at(int device, const keys_run *run, const key_case *keys)
{
    const int is_alone = run->options.tile_threads == 1 && keys->a_count + keys->b_count <= run->options.tile_items;
    return is_alone || test_is_full() || !test_sees_races(device);
}

/* Runs every other case under every order, and with MCL_TEST_FULL=1 every case. */
static void run_all_keys(int device, const keys_run *run)
{
    const int step = test_is_full() ? 1 : 2 * test_sample_step();
    for (int order = 0; order < ORDERS; order++)
        for (int k = (order + run->options.tile_items) % step; k < KEY_CASES; k += step)
            if (is_looked_at(device, run, &key_cases[k])) run_keys(device, run, &key_cases[k], order);
}

/* Returns tiles of both mappings. No tile divides another one. */
static mcl_options tile_of(int number, int passes, int wide)
{
    static const int tiles[][2] = { { 1, 7 }, { 32, 3 }, { 1, 50 }, { 64, 5 }, { 1, 225 }, { 8, 31 } };
    return (mcl_options){ .tile_threads = tiles[number % 6][0],
                          .tile_items = tiles[number % 6][1],
                          .passes = passes,
                          .flags = wide ? MCL_INDEX_64 : 0 };
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* Does one of the four operations, with all tiles and both numbers of passes in turn. */
START_TEST(sets_stay_inside)
{
    for (int turn = 0; turn < 6; turn++)
        for (int kind = turn % 2; kind < 4; kind += 2) {
            const keys_run run = { "mcl_set", call_sets, kind, 1,
                                   tile_of(turn + kind / 2, 1 + (turn / 2 + kind) % 2, turn == 5) };
            run_all_keys(_i, &run);
        }
}
END_TEST

START_TEST(sets_with_values_stay_inside)
{
    for (int kind = 0; kind < 4; kind++) {
        const keys_run run = { "mcl_set_pairs", call_set_pairs, kind, 1, tile_of(kind, 1 + kind / 2, kind == 3) };
        run_all_keys(_i, &run);
    }
}
END_TEST

START_TEST(joins_stay_inside)
{
    static const struct {
        mcl_join_kind kind;
        int tile, passes, wide;
    } joins[] = {
        { MCL_JOIN_RIGHT, 3, 0, 0 }, { MCL_JOIN_RIGHT, 1, 1, 0 }, { MCL_JOIN_OUTER, 5, 2, 1 },
        { MCL_JOIN_OUTER, 3, 1, 0 }, { MCL_JOIN_RIGHT, 0, 2, 0 }, { MCL_JOIN_OUTER, 2, 1, 0 },
        { MCL_JOIN_INNER, 1, 2, 0 }, { MCL_JOIN_LEFT, 0, 1, 1 },  { MCL_JOIN_SEMI, 3, 1, 0 },
        { MCL_JOIN_ANTI, 2, 2, 0 },
    };
    for (size_t k = 0; k < sizeof joins / sizeof joins[0]; k++) {
        const keys_run run = { "mcl_join", call_join, (int)joins[k].kind, k % 3 ? 1 : 3,
                               tile_of(joins[k].tile, joins[k].passes, joins[k].wide) };
        run_all_keys(_i, &run);
    }
}
END_TEST

START_TEST(joins_of_unsorted_keys_stay_inside)
{
    const keys_run serial = { "mcl_join_unsorted", call_join_unsorted, MCL_JOIN_OUTER, 1, tile_of(0, 0, 0) };
    const keys_run group = { "mcl_join_unsorted", call_join_unsorted, MCL_JOIN_RIGHT, 1, tile_of(3, 0, 0) };
    run_all_keys(_i, &serial);
    run_all_keys(_i, &group);
}
END_TEST

START_TEST(joins_of_columns_stay_inside)
{
    const keys_run serial = { "mcl_join_columns", call_join_columns, MCL_JOIN_OUTER, 1, tile_of(0, 0, 0) };
    const keys_run group = { "mcl_join_columns", call_join_columns, MCL_JOIN_RIGHT, 3, tile_of(3, 0, 0) };
    run_all_keys(_i, &serial);
    run_all_keys(_i, &group);
}
END_TEST

START_TEST(merges_stay_inside)
{
    for (int turn = 0; turn < 4; turn++) {
        const keys_run run = { "mcl_merge", call_merge, turn / 2, 1, tile_of(turn, 0, turn == 3) };
        run_all_keys(_i, &run);
    }
}
END_TEST

START_TEST(searches_stay_inside)
{
    for (int turn = 0; turn < 6; turn++) {
        const keys_run run = { "mcl_sorted_search", call_search, turn / 2, 1, tile_of(turn, 0, turn == 5) };
        run_all_keys(_i, &run);
    }
}
END_TEST

/* A list that is longer than the array is the whole array, although a number may not hold its length. */
START_TEST(lists_longer_than_the_array)
{
    static const int64_t tiles[] = { 100, (int64_t)1 << 34, ((int64_t)3 << 33) + 5, INT64_MAX / 4 };
    static const int coops[] = { 2, 1 << 15, 1 << 30 };
    enum { COUNT = 100 };
    int32_t numbers[COUNT];
    int32_t got[2];

    make_keys(SORTED, numbers, COUNT);
    mcl_buffer *keys = ARRAY_OF(_i, numbers);
    mcl_buffer *out = array_empty(_i, sizeof got);
    for (size_t k = 0; k < sizeof tiles / sizeof tiles[0]; k++)
        for (size_t c = 0; c < sizeof coops / sizeof coops[0]; c++) {
            test_ok(mcl_cut_merge_path(test_device_at(_i)->queue, ints(keys, COUNT), ints(NULL, 0), tiles[k], coops[c],
                                       MCL_LOWER, ints_out(out, 2), MCL_LESS, NULL));
            ARRAY_READ(_i, out, got);
            ck_assert_msg(got[0] == 0 && got[1] == COUNT, "tile %lld, coop %d: %d and %d", (long long)tiles[k],
                          coops[c], got[0], got[1]);
        }
    mcl_buffer_release(keys);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(partitions_stay_inside)
{
    for (int variant = 0; variant < 7; variant++) {
        const keys_run run = { "mcl_partition", call_partition, variant, 2, tile_of(variant, 0, variant % 2) };
        run_all_keys(_i, &run);
    }
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, sets_stay_inside, device);
    test_add(tcase, sets_with_values_stay_inside, device);
    test_add(tcase, joins_stay_inside, device);
    test_add(tcase, joins_of_unsorted_keys_stay_inside, device);
    test_add(tcase, joins_of_columns_stay_inside, device);
    test_add(tcase, merges_stay_inside, device);
    test_add(tcase, searches_stay_inside, device);
    test_add(tcase, lists_longer_than_the_array, device);
    test_add(tcase, partitions_stay_inside, device);
}

int main(void)
{
    return test_main("bounds of operations on keys", add);
}
