/* test_fold.c: the decisions about a fold before anything runs: its accumulator, operators, results, sizes and initial
 * value, and the parts that groups fold. */
#include "support/devices.h"

#include "call/call.h"
#include "call/fold.h"
#include "context/context.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char point_source[] = "typedef struct point { int a, b, c; } point;";
static const mcl_type point_type = { "point", 12, 4, point_source, 0, NULL, MCL_KIND_STRUCT };

/* ---- the accumulator --------------------------------------------------------------------------------------------- */

/* Integers are folded as doubles where a double is requested and the text takes doubles. */
START_TEST(a_text_that_may_take_integers_alone_gets_them)
{
    static const struct {
        const char *expression;
        int takes_reals;
    } cases[] = {
        { "p + q", 1 },       { "p & q", 0 },      { "p | q", 0 },       { "p ^ q", 0 },       { "p + ~q", 0 },
        { "p % q", 0 },       { "t[p]", 0 },       { "p && q", 1 },      { "p || q", 1 },      { "p << q", 0 },
        { "p < q", 1 },       { "p >> q", 0 },     { "p > q", 1 },       { "p <= q", 1 },      { "p && q & 1", 0 },
        { "p && q || p", 1 }, { "(p) + q", 1 },    { "  (p)", 1 },       { "p +(q)", 1 },      { "LESS(p, q)", 1 },
        { "LESS (p, q)", 1 }, { "LEST(p, q)", 0 }, { "LES(p, q)", 0 },   { "MLESS(p, q)", 0 }, { "f (p)", 0 },
        { "a(p)", 0 },        { "z(p)", 0 },       { "A(p)", 0 },        { "Z(p)", 0 },        { "_(p)", 0 },
        { "f0(p)", 0 },       { "f9(p)", 0 },      { "p /(q)", 1 },      { "p ? p :(q)", 1 },  { "@(p)", 1 },
        { "`(p)", 1 },        { "{(p)", 1 },       { "p * (p + q)", 1 },
    };
    const mcl_type *const result = MCL_DOUBLE;
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        mcl_op op = { .role = MCL_ROLE_FOLD, .expression = cases[k].expression };
        const mcl_type *const expected = cases[k].takes_reals ? MCL_DOUBLE : MCL_INT64;
        ck_assert_msg(mcl_op_accumulator(&op, MCL_INT8, &result, 1) == expected, "%s", op.expression);
        op.expression = "p + q";
        op.identity = cases[k].expression;
        ck_assert_msg(mcl_op_accumulator(&op, MCL_INT8, &result, 1) == expected, "identity %s", op.identity);
    }
}
END_TEST

START_TEST(the_accumulator_is_as_wide_as_the_results)
{
    const mcl_type *const ints = MCL_INT32, *const longs = MCL_INT64, *const reals = MCL_FLOAT, *const none = NULL;
    const mcl_type *const doubles = MCL_DOUBLE, *const points = &point_type, *const two[] = { MCL_DOUBLE, MCL_INT8 };
    const mcl_op divides = { .expression = "p + q", .combine = "v / 2" };
    const mcl_op to_double = { .expression = "p + q", .combine = "v / 2", .result = MCL_DOUBLE };
    const mcl_op to_int = { .expression = "p + q", .combine = "v / 2", .result = MCL_INT32 };
    const mcl_op says_int = { .expression = "p + q", .result = MCL_DOUBLE };
    const struct {
        const mcl_op *op;
        const mcl_type *element, *const *results;
        int count;
        const mcl_type *expected;
    } cases[] = {
        { NULL, MCL_INT8, &ints, 1, MCL_INT8 },           { MCL_ADD, NULL, &ints, 1, NULL },
        { MCL_ADD, &point_type, &ints, 1, &point_type },  { MCL_ADD, MCL_INT8, &none, 1, MCL_INT8 },
        { MCL_ADD, MCL_INT8, &points, 1, MCL_INT8 },      { MCL_ADD, MCL_INT8, &ints, 1, MCL_INT32 },
        { MCL_ADD, MCL_UINT16, &longs, 1, MCL_UINT64 },   { MCL_ADD, MCL_INT64, &ints, 1, MCL_INT64 },
        { MCL_ADD, MCL_INT8, two, 2, MCL_INT64 },         { MCL_ADD, MCL_INT8, &reals, 1, MCL_FLOAT },
        { MCL_ADD, MCL_FLOAT, &doubles, 1, MCL_DOUBLE },  { MCL_ADD, MCL_FLOAT, &longs, 1, MCL_FLOAT },
        { MCL_ADD, MCL_HALF, &reals, 1, MCL_FLOAT },      { &divides, MCL_INT8, &doubles, 1, MCL_INT64 },
        { &to_double, MCL_INT8, &doubles, 1, MCL_INT8 },  { &to_int, MCL_INT8, &doubles, 1, MCL_INT64 },
        { &says_int, MCL_INT8, &doubles, 1, MCL_DOUBLE },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++)
        ck_assert_msg(mcl_op_accumulator(cases[k].op, cases[k].element, cases[k].results, cases[k].count) ==
                          cases[k].expected,
                      "case %zu", k);
}
END_TEST

/* ---- checks ------------------------------------------------------------------------------------------------------ */

START_TEST(a_fold_of_nothing_needs_a_value_to_start_from)
{
    static const int one = 1;
    static const mcl_op bare = { .expression = "p + q" };
    static const mcl_options none = { 0 }, given = { .initial = &one };
    static const struct {
        const mcl_op *op;
        const mcl_options *options;
        const char *needs, *words;
    } cases[] = {
        { &bare, NULL, NULL, NULL },
        { &bare, NULL, "nothing", "op has no identity" },
        { &bare, &none, "nothing", "op has no identity" },
        { &bare, &given, "nothing", NULL },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_status status = mcl__check_fold(cases[k].op, cases[k].options, cases[k].needs);
        if (cases[k].words)
            test_fails(status, MCL_ERROR_ARGUMENT, cases[k].words);
        else
            test_ok(status);
    }
    test_ok(mcl__check_fold(MCL_ADD, NULL, "nothing"));
    test_ok(mcl__check_fold(MCL_MAX_INDEX, &none, NULL));
    test_fails(mcl__check_fold(MCL_MAX_INDEX, &given, NULL), MCL_ERROR_ARGUMENT, "options->initial is given");
}
END_TEST

START_TEST(a_result_is_a_number_or_the_accumulators_struct)
{
    static const mcl_type other = { "other", 12, 4, point_source, 0, NULL, MCL_KIND_STRUCT };
    const mcl_op sum = { .expression = "p + q" }, typed = { .expression = "p + q", .result = &point_type };
    const mcl_op combined = { .expression = "p + q", .combine = "v", .result = &point_type };
    const mcl_op untyped = { .expression = "p + q", .combine = "v" };
    const struct {
        const mcl_op *op;
        const mcl_type *value, *type;
        int is_taken;
    } cases[] = {
        { &sum, MCL_INT32, MCL_INT32, 1 },       { &sum, MCL_INT32, MCL_FLOAT, 1 },
        { &sum, MCL_INT32, &point_type, 0 },     { &sum, &point_type, MCL_INT32, 0 },
        { &sum, &point_type, &point_type, 1 },   { &sum, &point_type, &other, 0 },
        { &sum, MCL_INDEXED, MCL_INT32, 1 },     { &sum, MCL_INDEXED, MCL_FLOAT, 0 },
        { &sum, MCL_INDEXED, &point_type, 1 },   { &combined, MCL_INT32, &point_type, 1 },
        { &combined, MCL_INT32, &other, 0 },     { &typed, MCL_INT32, &point_type, 0 },
        { &untyped, MCL_INT32, &point_type, 0 },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_status status = mcl__check_fold_result("out", cases[k].op, 1, cases[k].value, cases[k].type);
        ck_assert_msg(status == (cases[k].is_taken ? MCL_OK : MCL_ERROR_TYPE), "case %zu: %s", k, mcl_last_error());
    }
    test_fails(mcl__check_fold_result("out", &combined, 0, MCL_INT32, &point_type), MCL_ERROR_TYPE,
               "expected one type, or two numbers");
}
END_TEST

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

/* The size is that of a compiler's layout of a value and its index. */
START_TEST(an_indexed_accumulator_is_as_large_as_its_struct)
{
    static const struct {
        const mcl_type *element;
        int index_bits;
        size_t bytes;
    } cases[] = {
        { MCL_INT32, 32, 8 },   { MCL_INT32, 64, 16 },   { MCL_DOUBLE, 32, 16 },
        { MCL_DOUBLE, 64, 16 }, { &point_type, 32, 16 }, { &point_type, 64, 24 },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++)
        ck_assert_uint_eq(mcl__fold_bytes(MCL_INDEXED, cases[k].element, cases[k].index_bits), cases[k].bytes);
    ck_assert_uint_eq(mcl__fold_bytes(MCL_DOUBLE, MCL_INT32, 64), 8);
    ck_assert_uint_eq(mcl__fold_bytes(&point_type, &point_type, 32), 12);
}
END_TEST

enum { IN = 1, OP };
static const mcl__declaration fold = {
    .operands = (mcl__operands){ [IN] = { "in", .kind = MCL__INPUT },
                                 [OP] = { "op", .kind = MCL__OPERATOR, .use = MCL_ROLE_FOLD, .of = IN } },
};

/* Returns 1 where a call puts accumulators of this type together by a tree. NULL stands for a call without operator. */
static int is_by_tree(const mcl_type *accumulator, const mcl_options *options)
{
    const mcl_op op = { .role = MCL_ROLE_FOLD, .expression = "p + q", .value = accumulator };
    const mcl__call call = { &fold, "mcl_fold", NULL, options, .operands = { [OP].op = accumulator ? &op : NULL } };
    return mcl__call_by_tree(&call, OP);
}

START_TEST(sums_that_are_rounded_are_put_together_by_a_tree)
{
    const mcl_options same = { .flags = MCL_DETERMINISTIC }, any = { 0 };
    ck_assert_int_eq(is_by_tree(MCL_FLOAT, &same), 1);
    ck_assert_int_eq(is_by_tree(&point_type, &same), 1);
    ck_assert_int_eq(is_by_tree(MCL_FLOAT, &any), 0);
    ck_assert_int_eq(is_by_tree(MCL_FLOAT, NULL), 0);
    ck_assert_int_eq(is_by_tree(MCL_INT32, &same), 0);
    ck_assert_int_eq(is_by_tree(MCL_INDEXED, &same), 0);
    ck_assert_int_eq(is_by_tree(NULL, &same), 0);
}
END_TEST

/* ---- the value to start from ------------------------------------------------------------------------------------- */

/* Numbers of any type are converted to the accumulator's type. */
START_TEST(an_initial_value_becomes_an_accumulator)
{
    static const int8_t small = -3;
    static const uint8_t byte = 200;
    static const uint16_t half = 0xc200; /* -3 */
    static const int64_t wide = -5;
    static const float real = 2.5f;
    static const struct {
        const mcl_type *element;
        const void *initial;
        const mcl_type *value;
        double expected;
    } cases[] = {
        { MCL_INT8, &small, MCL_INT8, -3 },    { MCL_INT8, &small, MCL_INT32, -3 },
        { MCL_INT8, &small, MCL_DOUBLE, -3 },  { MCL_UINT8, &byte, MCL_FLOAT, 200 },
        { MCL_UINT8, &byte, MCL_UINT32, 200 }, { MCL_INT64, &wide, MCL_INT64, -5 },
        { MCL_INT64, &wide, MCL_FLOAT, -5 },   { MCL_FLOAT, &real, MCL_DOUBLE, 2.5 },
        { MCL_FLOAT, &real, MCL_FLOAT, 2.5 },  { MCL_HALF, &half, MCL_FLOAT, -3 },
        { MCL_UINT8, &byte, MCL_DOUBLE, 200 },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_options options = { .initial = cases[k].initial };
        const mcl_type *const value = cases[k].value;
        const mcl__initial made = mcl__fold_initial(MCL_ADD, cases[k].element, value, &options);
        int64_t whole = 0;
        float single = 0;
        double number = 0;
        ck_assert_int_eq(made.given, 1);
        if (value == MCL_DOUBLE)
            memcpy(&number, made.value.bytes, sizeof number);
        else if (value == MCL_FLOAT)
            memcpy(&single, made.value.bytes, sizeof single);
        else
            memcpy(&whole, made.value.bytes, value->size);
        if (value == MCL_FLOAT) number = (double)single;
        if (value == MCL_INT8) number = (double)(int8_t)whole;
        if (value == MCL_INT32 || value == MCL_UINT32) number = (double)(int32_t)whole;
        if (value == MCL_INT64) number = (double)whole;
        ck_assert_msg(number == cases[k].expected, "case %zu: %g", k, number);
    }
    ck_assert_int_eq(mcl__fold_initial(MCL_ADD, MCL_INT32, MCL_INT32, NULL).given, 0);
    ck_assert_int_eq(mcl__fold_initial(MCL_ADD, MCL_INT32, MCL_INT32, &(mcl_options){ 0 }).given, 0);
}
END_TEST

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* A group loops over its tiles in steps. The loop has no more rounds than the device allows, if one tile is allowed at
 * all. */
START_TEST(parts_of_a_fold_keep_to_the_devices_loops)
{
    static const int64_t loop_budgets[] = { 0, 64, 1000, 65535 };
    static const int64_t tile_counts[] = { 0, 1, 2, 7, 64, 65, 1000, 1001 };
    static const int items[] = { 1, 7, 100 };
    for (size_t k = 0; k < COUNT_OF(tile_counts) * COUNT_OF(items) * COUNT_OF(loop_budgets); k++) {
        const int64_t tiles = tile_counts[k % COUNT_OF(tile_counts)];
        const mcl__tile tile = { 1, items[k / COUNT_OF(tile_counts) % COUNT_OF(items)] };
        const mcl__limits limits = { .loop_budget = loop_budgets[k / COUNT_OF(tile_counts) / COUNT_OF(items)] };
        for (int steps = 1; steps <= 8; steps += 7)
            for (int64_t wanted = 1; wanted <= 64; wanted += 63) {
                const int64_t parts = mcl__fold_parts(&limits, tile, tiles, wanted, steps);
                const int64_t rounds = mcl__divide_up(tiles, parts) * tile.items * steps;
                ck_assert_int_le(parts, tiles > 1 ? tiles : 1);
                ck_assert_int_ge(parts, tiles < wanted ? tiles : wanted);
                if (limits.loop_budget == 0)
                    ck_assert_int_le(parts, wanted);
                else if (parts < tiles)
                    ck_assert_int_le(rounds, limits.loop_budget);
            }
    }
}
END_TEST

/* On a CPU each group takes several parts, so there are no more groups than cores, but at least one. */
START_TEST(a_cpus_cores_share_the_parts)
{
    static const mcl__tile serial = { 1, 100 }, of_groups = { 64, 4 };
    mcl_context context = { .limits = { .compute_units = 4, .max_threads = 64 } };
    mcl__tuning *tuning = NULL;
    test_ok(mcl__tuning_load(NULL, &context.limits, &tuning));
    context.tuning = tuning;
    const int64_t tiles = mcl__tuned(&context, MCL__PARAMETER_any_group_tiles_serial);
    ck_assert_int_eq(mcl__fold_groups(&context, of_groups, 1000 * tiles, 77), 77);
    ck_assert_int_eq(mcl__fold_groups(&context, serial, 1000 * tiles, 77), 4);
    ck_assert_int_eq(mcl__fold_groups(&context, serial, 3 * tiles, 77), 3);
    ck_assert_int_eq(mcl__fold_groups(&context, serial, tiles - 1, 77), 1);
    context.limits.is_gpu = 1;
    ck_assert_int_eq(mcl__fold_groups(&context, serial, 1000 * tiles, 77), 77);
    mcl__tuning_free(tuning);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, a_text_that_may_take_integers_alone_gets_them);
    tcase_add_test(tcase, the_accumulator_is_as_wide_as_the_results);
    tcase_add_test(tcase, a_fold_of_nothing_needs_a_value_to_start_from);
    tcase_add_test(tcase, a_result_is_a_number_or_the_accumulators_struct);
    tcase_add_test(tcase, an_indexed_accumulator_is_as_large_as_its_struct);
    tcase_add_test(tcase, sums_that_are_rounded_are_put_together_by_a_tree);
    tcase_add_test(tcase, an_initial_value_becomes_an_accumulator);
    tcase_add_test(tcase, parts_of_a_fold_keep_to_the_devices_loops);
    tcase_add_test(tcase, a_cpus_cores_share_the_parts);
}

int main(void)
{
    return test_main_host("fold", add);
}
