/* test_bounds_sorts.c: sorts by wrong orders stay in their memory and end. They give keys of the input. By "p <= q",
 * which is wrong only for equal keys, they give each key once. */
#include "support/arrays.h"
#include "support/hostile.h"

#include <stdlib.h>
#include <string.h>

enum { SIZES = 6, ORDERS = 4, LENGTH_MAX = 3001 };
static const int64_t sizes[SIZES] = { 1, 2, 20, 97, 1000, LENGTH_MAX };
static const mcl_op orders[ORDERS] = {
    { .role = MCL_ROLE_ORDER, .expression = "p <= q" },
    { .role = MCL_ROLE_ORDER, .expression = "1" },
    { .role = MCL_ROLE_ORDER, .expression = "p != q" },
    { .role = MCL_ROLE_ORDER, .expression = "(p * 5 + q * 3) % 7 < 3" },
};

/* clang-format off */
MCL_SOURCE(wide_source,
typedef struct wide { int32_t key; int32_t place; int32_t rest[4]; } wide;
)
/* clang-format on */
static const mcl_type wide_type = MCL_TYPE(wide, wide_source);
static const mcl_op wide_orders[ORDERS] = {
    { .role = MCL_ROLE_ORDER, .expression = "p.key <= q.key", .source = wide_source },
    { .role = MCL_ROLE_ORDER, .expression = "1", .source = wide_source },
    { .role = MCL_ROLE_ORDER, .expression = "p.key != q.key", .source = wide_source },
    { .role = MCL_ROLE_ORDER, .expression = "(p.key + q.place) % 3 < 1", .source = wide_source },
};

typedef struct sort_operands {
    mcl_input keys, values;
    mcl_output out, out_values, out_indices;
    const mcl_op *before;
    mcl_segments segments;
    mcl_stability stability;
    int end_bit; /* radix sort */
} sort_operands;

/* ---- calls ---------------------------------------------------------------------------------------------------- */

static mcl_status by_sort(mcl_queue *queue, const hostile_turn *turn, const void *operands, const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_sort(queue, o->keys, o->out, o->before, options);
}

static mcl_status by_sort_pairs(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_sort_pairs(queue, o->keys, o->values, o->out, o->out_values, o->before, options);
}

static mcl_status by_locality_sort(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                   const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_locality_sort(queue, o->keys, o->out, o->before, NULL, options);
}

static mcl_status by_locality_sort_pairs(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                         const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_locality_sort_pairs(queue, o->keys, o->values, o->out, o->out_values, o->before, NULL, options);
}

static mcl_status by_segmented_sort(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                    const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_segmented_sort(queue, o->keys, o->segments, o->out, o->before, o->stability, NULL, options);
}

static mcl_status by_segmented_sort_pairs(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                          const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_segmented_sort_pairs(queue, o->keys, o->values, o->segments, o->out, o->out_values, o->before,
                                    o->stability, NULL, options);
}

static mcl_status by_segmented_sort_indices(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                            const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_segmented_sort_indices(queue, o->keys, o->segments, o->out, o->out_indices, MCL_INDEX_IN_SEGMENT,
                                      o->before, o->stability, NULL, options);
}

/* Selects all elements in order. With few elements it uses a selection, with many a sort. */
static mcl_status by_top_k(mcl_queue *queue, const hostile_turn *turn, const void *operands, const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_top_k(queue, o->keys, mcl_amount_of(o->keys.count), o->out, o->before, mcl_to_nowhere(), options);
}

static mcl_status by_top_k_pairs(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                 const mcl_options *options)
{
    const sort_operands *const o = operands;
    mcl_options own = *options;
    (void)turn;
    own.flags |= MCL_UNORDERED;
    return mcl_top_k_pairs(queue, o->keys, o->values, mcl_amount_of(o->keys.count), o->out, o->out_values, o->before,
                           mcl_to_nowhere(), &own);
}

/* Selects all elements of rows of twenty, or of one row, so that every element of the output is written. */
static mcl_status by_segmented_top_k(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                     const mcl_options *options)
{
    const sort_operands *const o = operands;
    const int64_t count = o->keys.count, row = count % 20 == 0 ? 20 : count;
    const mcl_binding binding = mcl_binding_value("row", MCL_INT64, &row);
    const mcl_input offsets = mcl_from_expression(MCL_INT64, "i * row", NULL, &binding, 1, count / row + 1);
    (void)turn;
    return mcl_segmented_top_k_pairs(queue, o->keys, o->values, mcl_segments_from_offsets(offsets), mcl_amount_of(row),
                                     o->out, o->out_values, (mcl_output){ 0 }, o->before, options);
}

static const struct {
    const char *name;
    hostile_call call;
    int has_values;
} calls[] = {
    { "mcl_sort", by_sort, 0 },
    { "mcl_sort_pairs", by_sort_pairs, 1 },
    { "mcl_locality_sort", by_locality_sort, 0 },
    { "mcl_locality_sort_pairs", by_locality_sort_pairs, 1 },
    { "mcl_segmented_sort", by_segmented_sort, 0 },
    { "mcl_segmented_sort_pairs", by_segmented_sort_pairs, 1 },
    { "mcl_segmented_sort_indices", by_segmented_sort_indices, 0 },
    { "mcl_top_k", by_top_k, 0 },
    { "mcl_top_k_pairs", by_top_k_pairs, 1 },
    { "mcl_segmented_top_k_pairs", by_segmented_top_k, 1 },
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* ---- one problem ---------------------------------------------------------------------------------------------- */

typedef struct problem {
    hostile_array keys, values, heads, out, out_values, out_indices;
    wide given[LENGTH_MAX], got[LENGTH_MAX];
    int32_t numbers[LENGTH_MAX], taken[LENGTH_MAX];
    int64_t starts[LENGTH_MAX];
} problem;

/* Checks that each number of got is in given. With is_whole it must come equally often. */
static void expect_from(const int32_t *got, const int32_t *given, int64_t count, int is_whole, const char *what)
{
    static int32_t sorted[LENGTH_MAX], found[LENGTH_MAX];
    memcpy(sorted, given, (size_t)count * sizeof *sorted);
    memcpy(found, got, (size_t)count * sizeof *found);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_ints);
    qsort(found, (size_t)count, sizeof *found, compare_ints);
    for (int64_t k = 0; k < count; k++) {
        if (!bsearch(&found[k], sorted, (size_t)count, sizeof *sorted, compare_ints))
            ck_abort_msg("%s of %lld: %d was never given", what, (long long)count, (int)found[k]);
        if (is_whole && found[k] != sorted[k])
            ck_abort_msg("%s of %lld: %d is there in place of %d", what, (long long)count, (int)found[k],
                         (int)sorted[k]);
    }
}

/* Makes segments of each kind from numbers that descend, repeat and lie far outside; or from flags. */
static mcl_segments hostile_segments(int device, problem *p, int64_t count, int turn)
{
    static const int64_t far[] = { -1, INT64_MIN, INT64_MAX, -5000000000, 5000000000, 0 };
    for (int64_t k = 0; k < count; k++) p->starts[k] = k % 3 == 0 ? far[k / 3 % 6] : count - k * 2 % (count + 1);
    const mcl_segment_kind kind = (mcl_segment_kind)(turn % 4);
    if (kind == MCL_SEGMENT_FLAGS) {
        p->heads = hostile_array_of(device, MCL_UINT32, p->starts, count / 64);
        return mcl_segments_from_flags(hostile_input(&p->heads));
    }
    p->heads = hostile_array_of(device, MCL_INT64, p->starts, count);
    return (mcl_segments){ .input = hostile_input(&p->heads), .kind = kind };
}

static void check(int device, problem *p, int64_t count, int is_wide, int is_whole, int has_values, const char *what)
{
    if (is_wide) {
        hostile_read(device, &p->out, p->got, what);
        for (int64_t k = 0; k < count; k++) p->taken[k] = p->got[k].place;
        for (int64_t k = 0; k < count; k++) p->numbers[k] = p->given[k].place;
        expect_from(p->taken, p->numbers, count, is_whole, what);
    } else {
        hostile_read(device, &p->out, p->taken, what);
        expect_from(p->taken, p->numbers, count, is_whole, what);
    }
    if (!has_values) return;
    hostile_read(device, &p->out_values, p->got, what);
    for (int64_t k = 0; k < count; k++) p->taken[k] = p->got[k].place;
    for (int64_t k = 0; k < count; k++) p->numbers[k] = p->given[k].place;
    expect_from(p->taken, p->numbers, count, is_whole, what);
}

/* Sorts one problem. Values of 24 bytes stay where they are in sorts of pairs, and are fetched by index. */
static void sort_one(int device, int call, int order, int is_wide, int64_t count, int tile, int kind)
{
    problem *const p = calloc(1, sizeof *p);
    const hostile_turn frame = { device, hostile_options(tile), calls[call].name };
    ck_assert_ptr_nonnull(p);
    hostile_ints(p->numbers, count, kind % HOSTILE_KINDS);
    for (int64_t k = 0; k < count; k++) p->given[k] = (wide){ .key = p->numbers[k], .place = (int32_t)k };
    p->keys = is_wide ? hostile_array_of(device, &wide_type, p->given, count)
                      : hostile_array_of(device, MCL_INT32, p->numbers, count);
    p->values = hostile_array_of(device, &wide_type, p->given, count);
    p->out = hostile_array_empty(device, p->keys.type, count);
    p->out_values = hostile_array_empty(device, &wide_type, count);
    p->out_indices = hostile_array_empty(device, MCL_INT32, count);
    const sort_operands operands = {
        .keys = hostile_input(&p->keys),
        .values = hostile_input(&p->values),
        .out = hostile_output(&p->out),
        .out_values = hostile_output(&p->out_values),
        .out_indices = hostile_output(&p->out_indices),
        .before = is_wide ? &wide_orders[order] : &orders[order],
        .segments = hostile_segments(device, p, count, order),
        .stability = order / 2 ? MCL_STABLE : MCL_UNSTABLE,
    };
    hostile_run(&frame, calls[call].call, &operands);
    check(device, p, count, is_wide, order == 0, calls[call].has_values, frame.what);
    hostile_read(device, &p->out_indices, NULL, frame.what);
    hostile_free(&p->out_indices);
    hostile_free(&p->keys);
    hostile_free(&p->values);
    hostile_free(&p->heads);
    hostile_free(&p->out);
    hostile_free(&p->out_values);
    free(p);
}

enum { ROUNDS = CALLS * ORDERS * 2 };

START_TEST(orders_that_are_none_give_keys_of_the_input)
{
    const int round = _i % ROUNDS, device = _i / ROUNDS;
    const int call = round % CALLS, order = round / CALLS % ORDERS, is_wide = round / CALLS / ORDERS;
    if (!test_sample_takes(round, ROUNDS)) return;
    /* One tile of each mapping, and so two programs, serves all sizes and kinds of data. Compilers for GPUs take
     * seconds for a program, so there rounds alternate between the mappings. */
    const int is_gpu = test_device_at(device)->info.is_gpu, first = is_gpu ? round / test_sample_step() % 2 : 0;
    for (int tile = 2 * round + first; tile < 2 * round + 2; tile += 1 + is_gpu)
        for (int size = 0; size < SIZES; size++) sort_one(device, call, order, is_wide, sizes[size], tile, size);
}
END_TEST

/* ---- keys that differ from reading to reading -------------------------------------------------------------------- */

/* A radix sort reads keys that are an expression twice: first it counts them, then it moves them. These expressions
 * count their readings. After the first count readings keys differ: either all have another digit, or each reading
 * gives a random key. */
static const char varying_source[] =
    "static inline uint32_t reading_of(__global const uint32_t *readings) {\n"
    "    return atomic_add_global((__global uint32_t *)readings, 1u);\n"
    "}\n"
    "static inline uint32_t low_then_high(__global const uint32_t *readings, const uint32_t count) {\n"
    "    return reading_of(readings) < count ? 0u : 0xfffffff0u;\n"
    "}\n"
    "static inline uint32_t high_then_low(__global const uint32_t *readings, const uint32_t count) {\n"
    "    return reading_of(readings) < count ? 0xfffffff0u : 0u;\n"
    "}\n"
    "static inline uint32_t some_key(__global const uint32_t *readings, const uint32_t count) {\n"
    "    return (reading_of(readings) + count) * 2654435761u;\n"
    "}\n";
enum { VARYING = 3, VARYING_COUNT = 5000 };
static const char *const varying[VARYING] = { "low_then_high(readings, count)", "high_then_low(readings, count)",
                                              "some_key(readings, count)" };

/* Sorts by radix sort, which the library might not choose. */
static mcl_status by_radix(mcl_queue *queue, const hostile_turn *turn, const void *operands, const mcl_options *options)
{
    const sort_operands *const o = operands;
    mcl_options own = *options;
    (void)turn;
    own.sort_method = MCL_SORT_RADIX;
    own.end_bit = o->end_bit;
    if (!o->values.type) return mcl_sort(queue, o->keys, o->out, MCL_LESS, &own);
    return mcl_sort_pairs(queue, o->keys, o->values, o->out, o->out_values, MCL_LESS, &own);
}

/* Sorts varying keys. One pass moves keys from the expression to the output; the first of several passes moves them to
 * scratch. */
static void sort_varying(int device, int kind, int64_t count, int tile, int has_values, int end_bit)
{
    const hostile_turn frame = { device, hostile_options(tile), varying[kind] };
    const uint32_t keys = (uint32_t)count;
    static int32_t numbers[VARYING_COUNT];
    uint32_t readings = 0;
    hostile_ints(numbers, count, 0);
    hostile_array counter = hostile_array_of(device, MCL_UINT32, &readings, 1);
    hostile_array values = hostile_array_of(device, MCL_INT32, numbers, count);
    hostile_array out = hostile_array_empty(device, MCL_UINT32, count);
    hostile_array out_values = hostile_array_empty(device, MCL_INT32, count);
    const mcl_binding bindings[] = {
        mcl_binding_buffer("readings", MCL_UINT32, counter.buffer, counter.first),
        mcl_binding_value("count", MCL_UINT32, &keys),
    };
    sort_operands operands = {
        .keys = mcl_from_expression(MCL_UINT32, varying[kind], varying_source, bindings, 2, count),
        .out = hostile_output(&out),
        .out_values = hostile_output(&out_values),
        .end_bit = end_bit,
    };
    if (has_values) operands.values = hostile_input(&values);
    hostile_run(&frame, by_radix, &operands);
    hostile_read(device, &out, NULL, frame.what);
    hostile_read(device, &out_values, NULL, frame.what);
    hostile_read(device, &values, NULL, frame.what);
    hostile_read(device, &counter, &readings, frame.what);
    /* with fewer readings the keys were not read twice, and the test shows nothing */
    ck_assert_uint_ge(readings, 2 * keys);
    hostile_free(&counter);
    hostile_free(&values);
    hostile_free(&out);
    hostile_free(&out_values);
}

START_TEST(keys_that_differ_from_reading_to_reading_stay_in_the_output)
{
    static const int64_t counts[] = { 1, 97, 1000, VARYING_COUNT };
    for (int kind = 0; kind < VARYING; kind++) {
        if (!test_sample_takes(kind, VARYING)) continue;
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
            for (int tile = 0; tile < 4; tile++) sort_varying(_i, kind, counts[k], tile, (int)k % 2, tile / 2 * 24 + 8);
    }
}
END_TEST

/* Sorts segments in no order, which overlap and lie outside the keys. Nothing may be stored outside the outputs. */
static mcl_status by_segments(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                              const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_segmented_top_k(queue, o->keys, o->segments, mcl_amount_of(3), o->out, o->out_values, o->before,
                               options);
}

static mcl_status by_segments_rank(mcl_queue *queue, const hostile_turn *turn, const void *operands,
                                   const mcl_options *options)
{
    const sort_operands *const o = operands;
    (void)turn;
    return mcl_segmented_nth_element(queue, o->keys, o->segments, mcl_amount_of(2), o->out, o->before, options);
}

static void select_one(int device, int order, int64_t count, int tile)
{
    problem *const p = calloc(1, sizeof *p);
    const hostile_turn frame = { device, hostile_options(tile), "mcl_segmented_top_k" };
    ck_assert_ptr_nonnull(p);
    hostile_ints(p->numbers, count, order % HOSTILE_KINDS);
    p->keys = hostile_array_of(device, MCL_INT32, p->numbers, count);
    p->out = hostile_array_empty(device, MCL_INT32, 3 * count);
    p->out_values = hostile_array_empty(device, MCL_INT64, count);
    const sort_operands operands = {
        .keys = hostile_input(&p->keys),
        .out = hostile_output(&p->out),
        .out_values = hostile_output(&p->out_values),
        .before = &orders[order],
        .segments = hostile_segments(device, p, count, order + tile % 2),
    };
    if (operands.segments.kind != MCL_SEGMENT_FLAGS) {
        hostile_run(&frame, by_segments, &operands);
        hostile_run(&frame, by_segments_rank, &operands);
    }
    hostile_read(device, &p->out, NULL, frame.what);
    hostile_read(device, &p->out_values, NULL, frame.what);
    hostile_free(&p->keys);
    hostile_free(&p->heads);
    hostile_free(&p->out);
    hostile_free(&p->out_values);
    free(p);
}

START_TEST(segments_in_no_order_stay_in_the_outputs)
{
    for (int order = 0; order < ORDERS; order++) {
        if (!test_sample_takes(order, ORDERS)) continue;
        for (int tile = 2 * order; tile < 2 * order + 2; tile++)
            for (int size = 0; size < SIZES; size++) select_one(_i, order, sizes[size], tile);
    }
}
END_TEST

/* A call must refuse 2^60 heads, since no memory can hold them and one launch cannot look at all of them. */
START_TEST(heads_of_an_endless_expression_are_refused)
{
    static const mcl_options tile = { .tile_threads = 64, .tile_items = 5 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    const int64_t zero = 0, many = INT64_C(1) << 60;
    hostile_array keys = hostile_array_empty(_i, MCL_INT32, 1000);
    test_fails(mcl_segmented_sort(queue, hostile_input(&keys),
                                  mcl_segments_from_indices(mcl_from_counting(MCL_INT64, &zero, many)),
                                  hostile_output(&keys), MCL_LESS, MCL_STABLE, NULL, &tile),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort");
    hostile_read(_i, &keys, NULL, "refused heads");
    hostile_free(&keys);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, heads_of_an_endless_expression_are_refused, device);
    test_add(tcase, segments_in_no_order_stay_in_the_outputs, device);
    test_add(tcase, keys_that_differ_from_reading_to_reading_stay_in_the_output, device);
    test_add_loop(tcase, orders_that_are_none_give_keys_of_the_input, device, ROUNDS);
}

int main(void)
{
    return test_main("bounds_sorts", add);
}
