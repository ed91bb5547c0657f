/* test_folds.c: tests reductions and scans of sequences on ranks. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The composition of affine functions. It is associative, but only the right order gives the right result. */
MCL_SOURCE(affine_source, typedef struct affine { uint32_t scale, shift; } affine;
           static inline affine affine_of(uint32_t x) { affine f; f.scale = 2 * x + 1; f.shift = x; return f; }
           static inline affine affine_then(affine p, affine q)
           { affine f; f.scale = p.scale * q.scale; f.shift = q.scale * p.shift + q.shift; return f; })
static const mcl_type affine_type = MCL_TYPE(affine, affine_source);

static const mcl_op compose = { .role = MCL_ROLE_FOLD,
                                .expression = "affine_then(p, q)",
                                .value = &affine_type,
                                .extract = "affine_of(x + (uint32_t)i)" };
static const mcl_op compose_identity = { .role = MCL_ROLE_FOLD,
                                         .expression = "affine_then(p, q)",
                                         .identity = "affine_of(0)",
                                         .value = &affine_type,
                                         .extract = "affine_of(x)" };

typedef struct fold_case {
    const char *name;
    const mcl_op *op;
    const mcl_type *result;
    const void *initial;
    int needs_elements;
    unsigned flags;
} fold_case;

static const uint32_t seven = 7;
static const affine start = { 5, 9 };
static const fold_case cases[] = {
    { "sum", MCL_ADD, MCL_UINT32, NULL, 0, 0 },
    { "sum after an initial value", MCL_ADD, MCL_UINT32, &seven, 0, 0 },
    { "sum in 64 bits after an initial value", MCL_ADD, MCL_UINT64, &seven, 0, 0 },
    { "sum in doubles", MCL_ADD, MCL_DOUBLE, NULL, 0, 0 },
    { "largest with its index", MCL_MAX_INDEX, MCL_UINT32_AT, NULL, 0, 0 },
    { "index of the smallest", MCL_MIN_INDEX, MCL_INT64, NULL, 0, 0 },
    { "composition", &compose, &affine_type, NULL, 1, 0 },
    { "composition after an initial value", &compose_identity, &affine_type, &start, 0, 0 },
};

static void reduce_case(ranks_test *test, const fold_case *c, const spread *data)
{
    unsigned char got[64] = { 0 }, expected[64] = { 0 };
    const mcl_options options = { .flags = c->flags, .initial = c->initial };
    char what[128];
    if (data->count == 0 && c->needs_elements) return;
    snprintf(what, sizeof what, "reduce, %s of %lld", c->name, (long long)data->count);
    expect_ok(test, mcl_mpi_reduce(test->mpi, spread_input(data), c->op, mcl_to_host(c->result, got), &options), what);
    if (test->rank == 0) {
        mcl_buffer *whole = NULL;
        expect_core(test, mcl_buffer_create(test->context, (size_t)data->count * data->type->size, data->whole, &whole),
                    what);
        expect_core(test,
                    mcl_reduce(test->queue, mcl_from_buffer(data->type, whole, 0, data->count), c->op,
                               mcl_to_host(c->result, expected), &options),
                    what);
        mcl_buffer_release(whole);
    }
    expect_bytes(test, got, expected, c->result->size, what);
}

static void scan_case(ranks_test *test, const fold_case *c, const spread *data, mcl_scan_kind kind)
{
    const mcl_options options = { .flags = c->flags, .initial = c->initial };
    const int has_total = kind >= MCL_EXCLUSIVE_WITH_TOTAL, is_exclusive = kind % 2 == 0;
    const int64_t whole_count = data->count + has_total;
    const int64_t own = data->own + (has_total && test->rank == test->size - 1);
    const size_t size = c->result->size;
    unsigned char *const expected = malloc((size_t)(whole_count + 1) * size), got_total[64] = { 0 }, total[64] = { 0 };
    char what[128];
    const int needs = c->needs_elements && (is_exclusive || data->count == 0);
    snprintf(what, sizeof what, "scan of kind %d, %s of %lld", kind, c->name, (long long)data->count);
    room out = room_make(test, c->result, own);
    if (!needs) {
        expect_ok(test,
                  mcl_mpi_scan(test->mpi, spread_input(data), room_output(&out), c->op, kind,
                               mcl_to_host(c->result, got_total), &options),
                  what);
        if (test->rank == 0) {
            mcl_buffer *whole = NULL, *scanned = NULL;
            expect_core(test,
                        mcl_buffer_create(test->context, (size_t)data->count * data->type->size, data->whole, &whole),
                        what);
            expect_core(test, mcl_buffer_create(test->context, (size_t)whole_count * size, NULL, &scanned), what);
            expect_core(test,
                        mcl_scan(test->queue, mcl_from_buffer(data->type, whole, 0, data->count),
                                 mcl_to_buffer(c->result, scanned, 0, whole_count), c->op, kind,
                                 mcl_to_host(c->result, total), &options),
                        what);
            expect_core(test, mcl_buffer_read(test->queue, scanned, 0, (size_t)whole_count * size, expected), what);
            mcl_buffer_release(whole);
            mcl_buffer_release(scanned);
        }
        expect_part(test, &out, expected, whole_count, data->first, own, what);
        expect_bytes(test, got_total, total, size, what);
    }
    room_free(&out);
    free(expected);
}

/* Scans halves, which operators get as floats. */
static void scan_halves(ranks_test *test)
{
    const fold_case largest = { "index of the largest half", MCL_MAX_INDEX, MCL_INT64, NULL, 0, 0 };
    uint16_t halves[500];
    for (int k = 0; k < 500; ++k) halves[k] = (uint16_t)(k * 7919 % 0x7c00) | (uint16_t)(k % 3 == 0 ? 0x8000 : 0);
    spread data = spread_make(test, MCL_HALF, halves, 500, CUT_RANDOM);
    scan_case(test, &largest, &data, MCL_INCLUSIVE);
    spread_free(&data);
}

/* Checks that sums of floats by the core's tree have the same bits as the core's call, for any cuts. */
static void same_bits(ranks_test *test, const mcl_type *type, int64_t count, cut_kind kind)
{
    static const float first_value = 0.7f;
    static const unsigned flags[] = { MCL_DETERMINISTIC, MCL_REPRODUCIBLE };
    static _Thread_local unsigned char numbers[3000 * 8];
    uint64_t seed = 77 + (uint64_t)count;
    char what[128];
    for (int64_t k = 0; k < count; ++k) {
        const double number = 1.0 / (double)(1 + random_next(&seed) % 1000000);
        const float narrow = (float)number;
        const uint16_t half = (uint16_t)(0x2000 + random_next(&seed) % 0x1fff);
        const void *const bytes = type == MCL_DOUBLE  ? (const void *)&number
                                  : type == MCL_FLOAT ? (const void *)&narrow
                                                      : (const void *)&half;
        memcpy(numbers + (size_t)k * type->size, bytes, type->size);
    }
    spread data = spread_make(test, type, numbers, count, kind);
    for (int k = 0; k < 4; ++k) {
        const mcl_options options = { .flags = flags[k % 2],
                                      .initial = k / 2 && type == MCL_FLOAT ? &first_value : NULL };
        unsigned char got[8] = { 0 }, expected[8] = { 0 };
        snprintf(what, sizeof what, "the same bits of %lld %s, cut %d, flags %u, %s", (long long)count, type->name,
                 (int)kind, options.flags, options.initial ? "with an initial value" : "from the first element");
        expect_ok(test, mcl_mpi_reduce(test->mpi, spread_input(&data), MCL_ADD, mcl_to_host(type, got), &options),
                  what);
        if (test->rank == 0) {
            mcl_buffer *whole = NULL;
            expect_core(test, mcl_buffer_create(test->context, (size_t)count * type->size, data.whole, &whole), what);
            expect_core(test,
                        mcl_reduce(test->queue, mcl_from_buffer(type, whole, 0, count), MCL_ADD,
                                   mcl_to_host(type, expected), &options),
                        what);
            mcl_buffer_release(whole);
        }
        expect_bytes(test, got, expected, type->size, what);
    }
    spread_free(&data);
}

static void test_same_bits(ranks_test *test)
{
    static const int64_t counts[] = { 1, 2, 7, 64, 1000, 2999 };
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; ++n)
        for (int kind = 0; kind < CUT_KINDS; ++kind)
            if (is_sampled(test)) same_bits(test, MCL_FLOAT, counts[n], (cut_kind)kind);
    same_bits(test, MCL_FLOAT, 2999, CUT_RANDOM);
    same_bits(test, MCL_DOUBLE, 2048, CUT_RANDOM);
    same_bits(test, MCL_HALF, 777, CUT_RANDOM);
}

/* Reduces by the tree with other folds: composition, and the largest element with its index. */
static void test_other_folds_by_tree(ranks_test *test, const spread *data)
{
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        fold_case c = cases[k];
        c.flags = MCL_REPRODUCIBLE;
        reduce_case(test, &c, data);
    }
}

void test_folds(ranks_test *test)
{
    static const int64_t counts[] = { 0, 1, 5, 3000 };
    uint32_t numbers[3000];
    uint64_t seed = 42;
    for (int k = 0; k < 3000; ++k) numbers[k] = (uint32_t)(random_next(&seed) % 1000);
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; ++n) {
        for (int kind = 0; kind < CUT_KINDS; ++kind) {
            if (!is_sampled(test)) continue;
            spread data = spread_make(test, MCL_UINT32, numbers, counts[n], (cut_kind)kind);
            test_other_folds_by_tree(test, &data);
            for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
                reduce_case(test, &cases[k], &data);
                scan_case(test, &cases[k], &data, (mcl_scan_kind)((k + n + (size_t)kind) % 4));
            }
            spread_free(&data);
        }
    }
    test_same_bits(test);
    if (test->size == 3) scan_halves(test);
}
