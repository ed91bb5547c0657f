/* test_wide_results.c: compares folds into a type that is wider than the elements' with a plain loop, for every call
 * that folds. The result's type holds all sums, or sums wrap round to the type's width. */
#include "support/arrays.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 700, ROW = 70, ROWS = COUNT / ROW };

static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 96 },
                                       { .tile_threads = 64, .tile_items = 3 } };
enum { TILINGS = sizeof tilings / sizeof tilings[0] };

static const mcl_type *const pairs[][2] = {
    { MCL_INT32, MCL_INT64 },   { MCL_INT32, MCL_DOUBLE }, { MCL_INT8, MCL_INT32 },   { MCL_INT16, MCL_FLOAT },
    { MCL_UINT32, MCL_UINT64 }, { MCL_UINT32, MCL_INT64 }, { MCL_INT64, MCL_DOUBLE }, { MCL_HALF, MCL_FLOAT },
    { MCL_FLOAT, MCL_DOUBLE },  { MCL_INT8, MCL_UINT64 },  { MCL_UINT8, MCL_INT16 },  { MCL_INT32, MCL_FLOAT },
    { MCL_UINT16, MCL_DOUBLE }, { MCL_INT16, MCL_UINT32 }, { MCL_HALF, MCL_DOUBLE },  { MCL_INT64, MCL_INT32 },
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };
static const mcl_op *const ops[] = { MCL_ADD, MCL_MIN, MCL_MULTIPLY };
enum { ADD, MIN, MULTIPLY, OPS };

/* ---- numbers of any type ---------------------------------------------------------------------------------------- */

typedef struct number {
    uint64_t whole; /* number for integers, by arithmetic modulo 2^64 */
    double real;
} number;

static int is_real(const mcl_type *type)
{
    return type->kind == MCL_KIND_FLOAT;
}

static void store(const mcl_type *type, number value, unsigned char *out)
{
    const float narrow = (float)value.real;
    const uint16_t half = value.real < 0 ? 0xe400 : value.real > 0 ? 0x6400 : 0; /* 1024 */

    if (!is_real(type))
        memcpy(out, &value.whole, type->size);
    else if (type->size == 2)
        memcpy(out, &half, sizeof half);
    else if (type->size == 4)
        memcpy(out, &narrow, sizeof narrow);
    else
        memcpy(out, &value.real, sizeof value.real);
}

/* Returns element k. It is a quarter or a half of the type's range, so that few elements exceed the range. Products
 * need small elements. */
static number element_of(const mcl_type *type, int op, int64_t k)
{
    const int bits = (int)type->size * 8, is_signed = type->kind == MCL_KIND_SIGNED;
    const int64_t large = is_real(type) ? (type->size == 2 ? 1024
                                           : k % ROW == 0  ? 1 << 24
                                                           : 1)
                                        : (int64_t)(UINT64_C(1) << (bits - 1 - is_signed));
    const int64_t value = k % 7 == 3 && is_signed ? -large : large;
    const int64_t factor = k % 10 == 0 ? 2 : 1;

    if (op == MULTIPLY && !(is_real(type) && type->size == 2))
        return (number){ .whole = (uint64_t)factor, .real = (double)factor };
    if (is_signed || is_real(type)) return (number){ .whole = (uint64_t)value, .real = (double)value };
    return (number){ .whole = UINT64_C(1) << (bits - 1), .real = (double)(UINT64_C(1) << (bits - 1)) };
}

static number plus(int op, number p, number q)
{
    if (op == MULTIPLY) return (number){ p.whole * q.whole, p.real * q.real };
    if (op == MIN) return q.real < p.real ? q : p;
    return (number){ p.whole + q.whole, p.real + q.real };
}

/* ---- a problem -------------------------------------------------------------------------------------------------- */

typedef struct problem {
    int device, op;
    mcl_queue *queue;
    const mcl_type *in, *out;
    mcl_buffer *elements, *keys, *results, *slot;
    number values[COUNT];
    unsigned char expected[COUNT + 1][8], got[(COUNT + 1) * 8];
    mcl_options options;
} problem;

static mcl_input elements(const problem *p)
{
    return mcl_from_buffer(p->in, p->elements, 0, COUNT);
}

static mcl_output results(const problem *p, int64_t count)
{
    return mcl_to_buffer(p->out, p->results, 0, count);
}

static void check(problem *p, int64_t count, const char *call)
{
    const size_t size = p->out->size;

    test_ok(mcl_buffer_read(p->queue, p->results, 0, (size_t)count * size, p->got));
    for (int64_t k = 0; k < count; k++)
        if (memcmp(p->got + (size_t)k * size, p->expected[k], size) != 0)
            ck_abort_msg("%s of %s to %s, operator %d, element %d is not that of the loop", call, p->in->name,
                         p->out->name, p->op, (int)k);
}

/* Expects the folds of rows of length elements. */
static void expect_rows(problem *p, int64_t length)
{
    for (int64_t row = 0; row < COUNT / length; row++) {
        number sum = p->values[row * length];
        for (int64_t k = 1; k < length; k++) sum = plus(p->op, sum, p->values[row * length + k]);
        store(p->out, sum, p->expected[row]);
    }
}

/* Their prefixes. */
static void expect_prefixes(problem *p, int64_t length)
{
    number sum = { 0 };
    for (int64_t k = 0; k < COUNT; k++) {
        sum = k % length == 0 ? p->values[k] : plus(p->op, sum, p->values[k]);
        store(p->out, sum, p->expected[k]);
    }
}

static void problem_begin(problem *p, int device, const mcl_type *const pair[2], int op, int tiling)
{
    static unsigned char bytes[COUNT * 8];
    int32_t keys[COUNT];

    *p = (problem){ .device = device,
                    .op = op,
                    .queue = test_device_at(device)->queue,
                    .in = pair[0],
                    .out = pair[1],
                    .options = tilings[tiling] };
    for (int k = 0; k < COUNT; k++) {
        p->values[k] = element_of(p->in, op, k);
        store(p->in, p->values[k], bytes + (size_t)k * p->in->size);
        keys[k] = k / ROW;
    }
    p->elements = array_of(device, bytes, COUNT * p->in->size);
    p->keys = ARRAY_OF(device, keys);
    p->results = array_empty(device, sizeof p->got);
    p->slot = array_empty(device, sizeof(int64_t));
}

static void problem_end(problem *p)
{
    mcl_buffer_release(p->elements);
    mcl_buffer_release(p->keys);
    mcl_buffer_release(p->results);
    mcl_buffer_release(p->slot);
}

static int lacks(int device, const mcl_type *const pair[2])
{
    const mcl_device_info *const info = &test_device_at(device)->info;
    return !info->has_double && (pair[0] == MCL_DOUBLE || pair[1] == MCL_DOUBLE);
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static void reduce(problem *p)
{
    const int64_t count = COUNT;
    unsigned char host[8];

    test_ok(mcl_buffer_write(p->queue, p->slot, 0, sizeof count, &count));
    test_ok(mcl_reduce(p->queue, mcl_with_count(elements(p), p->slot, 0), ops[p->op],
                       mcl_to_host_and_slot(p->out, host, p->results, 0), &p->options));
    expect_rows(p, COUNT);
    check(p, 1, "mcl_reduce");
    ck_assert_mem_eq(host, p->expected[0], p->out->size);
}

static void scan(problem *p)
{
    test_ok(mcl_scan(p->queue, elements(p), results(p, COUNT + 1), ops[p->op], MCL_INCLUSIVE_WITH_TOTAL,
                     mcl_to_nowhere(), &p->options));
    expect_prefixes(p, COUNT);
    memcpy(p->expected[COUNT], p->expected[COUNT - 1], p->out->size);
    check(p, COUNT + 1, "mcl_scan");
    test_ok(mcl_scan(p->queue, elements(p), (mcl_output){ 0 }, ops[p->op], MCL_INCLUSIVE,
                     mcl_to_slot(p->out, p->results, 0), &p->options));
    memcpy(p->expected[0], p->expected[COUNT], p->out->size);
    check(p, 1, "the total of mcl_scan");
}

static void segmented(problem *p)
{
    const mcl_segments rows = mcl_segments_from_rows(ROWS, ROW);

    test_ok(
        mcl_segmented_reduce(p->queue, elements(p), rows, results(p, ROWS), ops[p->op], mcl_to_nowhere(), &p->options));
    expect_rows(p, ROW);
    check(p, ROWS, "mcl_segmented_reduce");
    test_ok(mcl_segmented_scan(p->queue, elements(p), rows, results(p, COUNT), ops[p->op], MCL_INCLUSIVE, &p->options));
    expect_prefixes(p, ROW);
    check(p, COUNT, "mcl_segmented_scan");
}

static void by_key(problem *p)
{
    test_ok(mcl_reduce_by_key(p->queue, ints(p->keys, COUNT), elements(p), (mcl_output){ 0 }, results(p, ROWS),
                              ops[p->op], NULL, mcl_to_nowhere(), &p->options));
    expect_rows(p, ROW);
    check(p, ROWS, "mcl_reduce_by_key");
    test_ok(mcl_scan_by_key(p->queue, ints(p->keys, COUNT), elements(p), results(p, COUNT), ops[p->op], NULL,
                            MCL_INCLUSIVE, &p->options));
    expect_prefixes(p, ROW);
    check(p, COUNT, "mcl_scan_by_key");
}

/* Groups elements. Few elements are sorted; a constant column of many goes through tables. */
static void group_by(problem *p)
{
    const mcl_aggregate list[] = { { .values = elements(p), .op = ops[p->op], .out = results(p, ROWS) } };

    test_ok(mcl_group_by(p->queue, ints(p->keys, COUNT), (mcl_output){ 0 }, list, 1, mcl_to_nowhere(), &p->options));
    expect_rows(p, ROW);
    check(p, ROWS, "mcl_group_by");
}

START_TEST(results_are_those_of_the_loop)
{
    static void (*const calls[])(problem *) = { reduce, scan, segmented, by_key, group_by };
    const int device = _i / (PAIRS * TILINGS), round = _i % (PAIRS * TILINGS);
    const mcl_type *const *const pair = pairs[round / TILINGS];
    static problem p;

    if (round % test_sample_step() != 0 || lacks(device, pair)) return;
    /* besides sums, each pair of types has one operator and, except the first pairs, one call for it, since programs
     * take time */
    for (int op = 0; op < OPS; op++) {
        const size_t all = sizeof calls / sizeof calls[0], turn = (size_t)(round / TILINGS);
        if (op == MULTIPLY && pair[0] == MCL_HALF) continue; /* its elements are 1024 */
        if (op != ADD && op != 1 + round / TILINGS % 2) continue;
        problem_begin(&p, device, pair, op, round % TILINGS);
        for (size_t k = 0; k < all; k++)
            if (op == ADD || turn < 2 || k == turn % all) calls[k](&p);
        problem_end(&p);
    }
}
END_TEST

/* ---- what else the accumulator decides -------------------------------------------------------------------------- */

START_TEST(an_initial_value_is_of_the_elements_type)
{
    static const int8_t few[] = { 100, 100, 100 };
    /* one byte more than the value would be read as a part of it */
    static const int8_t start[8] = { -100, 77, 77, 77, 77, 77, 77, 77 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const in = ARRAY_OF(_i, few), *const out = array_empty(_i, 64);
    const mcl_input bytes = mcl_from_buffer(MCL_INT8, in, 0, 3);

    for (int k = 0; k < 2 * TILINGS; k++) {
        mcl_options options = tilings[k / 2];
        int64_t sum = 0, sums[3];
        float real = 0;
        options.initial = start;
        options.flags = k % 2 ? MCL_DETERMINISTIC : 0;
        test_ok(mcl_reduce(queue, bytes, MCL_ADD, mcl_to_host(MCL_INT64, &sum), &options));
        ck_assert_int_eq(sum, 200);
        test_ok(mcl_reduce(queue, bytes, MCL_ADD, mcl_to_host(MCL_FLOAT, &real), &options));
        ck_assert(real == 200);
        test_ok(mcl_scan(queue, bytes, mcl_to_buffer(MCL_INT64, out, 0, 3), MCL_ADD, MCL_EXCLUSIVE, mcl_to_nowhere(),
                         &options));
        ARRAY_READ(_i, out, sums);
        ck_assert(sums[0] == -100 && sums[1] == 0 && sums[2] == 100);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* One total is wider than the output, and one has another kind. */
START_TEST(results_of_one_call_share_an_accumulator)
{
    static const int32_t large[] = { 2000000000, 2000000000, 2000000000, 2000000000 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const in = ARRAY_OF(_i, large), *const out = array_empty(_i, 64);

    for (int k = 0; k < TILINGS; k++) {
        int64_t total = 0, sums[4];
        int32_t narrow[4];
        float real = 0;
        test_ok(mcl_scan(queue, ints(in, 4), ints_out(out, 4), MCL_ADD, MCL_INCLUSIVE, mcl_to_host(MCL_INT64, &total),
                         &tilings[k]));
        ARRAY_READ(_i, out, narrow);
        ck_assert_int_eq(total, INT64_C(8000000000));
        ck_assert(narrow[1] == (int32_t)4000000000u && narrow[3] == (int32_t)(uint32_t)UINT64_C(8000000000));
        test_ok(mcl_scan(queue, ints(in, 4), mcl_to_buffer(MCL_INT64, out, 0, 4), MCL_ADD, MCL_INCLUSIVE,
                         mcl_to_host(MCL_FLOAT, &real), &tilings[k]));
        ARRAY_READ(_i, out, sums);
        ck_assert_int_eq(sums[3], INT64_C(8000000000));
        ck_assert(real == 8e9f);
    }
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* Bits, remainders and functions need integers, so for them a fold in 64 bits folds integers and not floats. */
START_TEST(texts_for_integers_fold_integers)
{
    static const int32_t numbers[] = { 12, -20, 8 };
    const mcl_op rest = { .role = MCL_ROLE_FOLD, .expression = "(p + q) % 1000", .identity = "0" };
    const mcl_op both = { .role = MCL_ROLE_FOLD, .expression = "p && q ? p : q", .identity = "1" };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const in = ARRAY_OF(_i, numbers);
    float real = 0;

    test_ok(mcl_reduce(queue, ints(in, 3), MCL_XOR, mcl_to_host(MCL_FLOAT, &real), NULL));
    ck_assert(real == (float)(12 ^ -20 ^ 8));
    test_ok(mcl_reduce(queue, ints(in, 3), &rest, mcl_to_host(MCL_FLOAT, &real), NULL));
    ck_assert(real == 0);
    test_ok(mcl_reduce(queue, ints(in, 3), &both, mcl_to_host(MCL_FLOAT, &real), NULL));
    ck_assert(real == 12);
    mcl_buffer_release(in);
}
END_TEST

START_TEST(the_fold_of_nothing_is_the_elements_identity)
{
    mcl_queue *const queue = test_device_at(_i)->queue;
    const mcl_input nothing = mcl_from_buffer(MCL_INT8, NULL, 0, 0);
    int64_t whole = 0;
    float real = 0;

    test_ok(mcl_reduce(queue, nothing, MCL_MIN, mcl_to_host(MCL_INT64, &whole), NULL));
    test_ok(mcl_reduce(queue, nothing, MCL_MAX, mcl_to_host(MCL_FLOAT, &real), NULL));
    ck_assert_int_eq(whole, 127);
    ck_assert(real == -128);
}
END_TEST

START_TEST(a_recorded_call_folds_alike)
{
    static const int32_t large[] = { 2000000000, 2000000000, 2000000000, 2000000000 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const in = ARRAY_OF(_i, large), *const out = array_empty(_i, sizeof(int64_t));
    const int32_t start = -1;
    const mcl_options options = { .initial = &start };
    mcl_recording *recording = NULL;
    int64_t sum = 0;

    test_ok(mcl_record_begin(queue));
    test_ok(mcl_reduce(queue, ints(in, 4), MCL_ADD, mcl_to_slot(MCL_INT64, out, 0), &options));
    test_ok(mcl_record_end(queue, &recording));
    test_ok(mcl_replay(queue, recording, NULL));
    array_read(_i, out, &sum, sizeof sum);
    ck_assert_int_eq(sum, INT64_C(7999999999));
    mcl_recording_release(recording);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

/* With many elements and few groups, tables hold the sums. */
START_TEST(tables_of_groups_fold_wide)
{
    enum { MANY = 100000, GROUPS = 3 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const out = array_empty(_i, GROUPS * sizeof(int64_t));
    const int32_t one = 2000000000;
    const mcl_aggregate list[] = { { .values = mcl_from_constant(MCL_INT32, &one, MANY),
                                     .op = MCL_ADD,
                                     .out = mcl_to_buffer(MCL_INT64, out, 0, GROUPS) } };
    int64_t sums[GROUPS];

    for (int k = 0; k < TILINGS; k++) {
        test_ok(mcl_group_by(queue, mcl_from_expression(MCL_INT32, "(int32_t)(i % 3)", NULL, NULL, 0, MANY),
                             (mcl_output){ 0 }, list, 1, mcl_to_nowhere(), &tilings[k]));
        ARRAY_READ(_i, out, sums);
        for (int g = 0; g < GROUPS; g++) ck_assert_int_eq(sums[g], INT64_C(2000000000) * ((MANY + 2 - g) / 3));
    }
    mcl_buffer_release(out);
}
END_TEST

START_TEST(the_accumulator_is_told)
{
    const mcl_type *const both[] = { MCL_INT32, MCL_DOUBLE }, *const left_out[] = { NULL };
    mcl_op own = *MCL_ADD;

    own.value = MCL_INT16;
    ck_assert_ptr_eq(mcl_op_accumulator(&own, MCL_INT8, &both[0], 1), MCL_INT16);
    ck_assert_ptr_eq(mcl_op_accumulator(MCL_ADD, MCL_UINT8, &both[0], 1), MCL_UINT32);
    ck_assert_ptr_eq(mcl_op_accumulator(MCL_ADD, MCL_INT8, &both[1], 1), MCL_DOUBLE);
    ck_assert_ptr_eq(mcl_op_accumulator(MCL_ADD, MCL_INT8, both, 2), MCL_INT64);
    ck_assert_ptr_eq(mcl_op_accumulator(MCL_AND, MCL_UINT8, &both[1], 1), MCL_UINT64);
    ck_assert_ptr_eq(mcl_op_accumulator(MCL_ADD, MCL_INT64, &both[0], 1), MCL_INT64);
    ck_assert_ptr_eq(mcl_op_accumulator(MCL_ADD, MCL_HALF, &both[1], 1), MCL_DOUBLE);
    ck_assert_ptr_eq(mcl_op_accumulator(MCL_ADD, MCL_HALF, left_out, 1), MCL_HALF);
    ck_assert_ptr_eq(mcl_op_accumulator(MCL_MIN, MCL_FLOAT, both, 2), MCL_DOUBLE);
    ck_assert_ptr_eq(mcl_op_accumulator(MCL_MAX_INDEX, MCL_INT8, &both[0], 1), MCL_INDEXED);
    (void)_i;
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, results_are_those_of_the_loop, device, PAIRS * TILINGS);
    test_add(tcase, an_initial_value_is_of_the_elements_type, device);
    test_add(tcase, results_of_one_call_share_an_accumulator, device);
    test_add(tcase, texts_for_integers_fold_integers, device);
    test_add(tcase, the_fold_of_nothing_is_the_elements_identity, device);
    test_add(tcase, a_recorded_call_folds_alike, device);
    test_add(tcase, tables_of_groups_fold_wide, device);
    test_add(tcase, the_accumulator_is_told, device);
}

int main(void)
{
    return test_main("wide_results", add);
}
