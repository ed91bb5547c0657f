/* test_transform.c: mcl_transform, mcl_scatter, mcl_scatter_flagged, mcl_random and the Mersenne Twister. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(transform_equals_the_loop)
{
    run_case_round(&transform_case, _i);
}
END_TEST

enum { COUNT = 2500 };

/* Tiles of both mappings. */
static const mcl_options tilings[] = { { .tile_threads = 1, .tile_items = 100 },
                                       { .tile_threads = 32, .tile_items = 3 } };

START_TEST(an_expression_gathers_and_computes)
{
    static int32_t rows[COUNT];
    static int32_t got[COUNT];
    int32_t table[16];
    const int32_t factor = 3;

    random_ints(rows, COUNT, 16, 1, 0);
    random_ints(table, 16, 1000, 2, 0);
    mcl_buffer *rows_buffer = ARRAY_OF(_i, rows);
    mcl_buffer *table_buffer = ARRAY_OF(_i, table);
    mcl_buffer *out = array_empty(_i, sizeof got);
    const mcl_binding bindings[] = { mcl_binding_buffer("rows", MCL_INT32, rows_buffer, 0),
                                     mcl_binding_buffer("table", MCL_INT32, table_buffer, 0),
                                     mcl_binding_value("factor", MCL_INT32, &factor) };
    const mcl_input in =
        mcl_from_expression(MCL_INT32, "factor * table[rows[i]] + (int32_t)i", NULL, bindings, 3, COUNT);
    test_ok(mcl_transform(test_device_at(_i)->queue, in, ints_out(out, COUNT), NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(got[k], 3 * table[rows[k]] + k);
    mcl_buffer_release(rows_buffer);
    mcl_buffer_release(table_buffer);
    mcl_buffer_release(out);
}
END_TEST

/* Sixteen arrays lie in one buffer as a structure of arrays: column c has c + 1 at each element. A fold has sixteen
 * bound values of its own. */
START_TEST(an_expression_and_an_operator_have_sixteen_bindings_each)
{
    enum { COLUMNS = MCL_BINDINGS_MAX };
    static int32_t columns[COLUMNS * COUNT];
    static const char *const names[] = { "c0", "c1", "c2",  "c3",  "c4",  "c5",  "c6",  "c7",
                                         "c8", "c9", "c10", "c11", "c12", "c13", "c14", "c15" };
    const char *const sum = "c0[i] + c1[i] + c2[i] + c3[i] + c4[i] + c5[i] + c6[i] + c7[i] + c8[i] + c9[i] + c10[i] + "
                            "c11[i] + c12[i] + c13[i] + c14[i] + c15[i]";
    mcl_op sum_of_all = { .role = MCL_ROLE_FOLD,
                          .expression = "p + q",
                          .identity = "0",
                          .binding_count = COLUMNS,
                          .extract =
                              "x + c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11 + c12 + c13 + c14 + "
                              "c15" };
    mcl_binding arrays[COLUMNS];

    ck_assert_int_eq(COLUMNS, 16);
    for (int k = 0; k < COLUMNS * COUNT; k++) columns[k] = k / COUNT + 1;
    mcl_buffer *buffer = ARRAY_OF(_i, columns);
    for (int32_t c = 0; c < COLUMNS; c++) {
        arrays[c] = mcl_binding_buffer(names[c], MCL_INT32, buffer, (int64_t)c * COUNT);
        sum_of_all.bindings[c] = mcl_binding_value(names[c], MCL_INT32, &c);
    }
    const mcl_input in = mcl_from_expression(MCL_INT32, sum, NULL, arrays, COLUMNS, COUNT);
    for (int t = 0; t < 2; t++) {
        int32_t total = 0;
        test_ok(mcl_reduce(test_device_at(_i)->queue, in, &sum_of_all, mcl_to_host(MCL_INT32, &total), &tilings[t]));
        /* columns add 1 + ... + 16 to an element, and the fold's values add 0 + ... + 15 */
        ck_assert_int_eq(total, COUNT * (136 + 120));
    }
    mcl_buffer_release(buffer);
}
END_TEST

/* Two reductions find the bounds of points, and points are moved with keys. Vectors have the same layout as on the
 * host. */
START_TEST(vectors_are_elements)
{
    static const mcl_op lower = { .role = MCL_ROLE_FOLD, .expression = "mcl_float3_min(p, q)", .commutative = 1 };
    static const mcl_op upper = { .role = MCL_ROLE_FOLD, .expression = "mcl_float3_max(p, q)", .commutative = 1 };
    static mcl_float3 points[COUNT], turned[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;

    ck_assert_uint_eq(sizeof points, 12u * COUNT);
    for (int k = 0; k < COUNT; k++) points[k] = (mcl_float3){ (float)(k % 97), (float)-k, (float)(k * 7 % COUNT) };
    mcl_buffer *from = ARRAY_OF(_i, points), *to = array_empty(_i, sizeof turned);
    const mcl_binding p = mcl_binding_buffer("v", MCL_FLOAT3, from, 0);
    for (int t = 0; t < 2; t++) {
        mcl_float3 low = { 0, 0, 0 }, high = { 0, 0, 0 };
        const mcl_input in = mcl_from_buffer(MCL_FLOAT3, from, 0, COUNT);
        test_ok(mcl_reduce(queue, in, &lower, mcl_to_host(MCL_FLOAT3, &low), &tilings[t]));
        test_ok(mcl_reduce(queue, in, &upper, mcl_to_host(MCL_FLOAT3, &high), &tilings[t]));
        ck_assert(low.x == 0 && low.y == 1 - COUNT && low.z == 0);
        ck_assert(high.x == 96 && high.y == 0 && high.z == COUNT - 1);
        test_ok(mcl_transform(
            queue, mcl_from_expression(MCL_FLOAT3, "mcl_float3_of(v[i].z, v[i].x, 1.0f)", NULL, &p, 1, COUNT),
            mcl_to_buffer(MCL_FLOAT3, to, 0, COUNT), &tilings[t]));
        ARRAY_READ(_i, to, turned);
        for (int k = 0; k < COUNT; k++)
            ck_assert(turned[k].x == points[k].z && turned[k].y == points[k].x && turned[k].z == 1);
    }
    mcl_buffer_release(from);
    mcl_buffer_release(to);
}
END_TEST

/* 10 equal vectors of each type are added. Each member has another value. */
START_TEST(every_vector_type_adds_member_by_member)
{
    enum { EQUAL = 10 };
#define X(upper, lower, number) { MCL_##upper##2, 2 }, { MCL_##upper##3, 3 }, { MCL_##upper##4, 4 },
    const struct {
        const mcl_type *type;
        int members;
    } list[] = { MCL_VECTOR_LIST(X) };
#undef X
    for (size_t v = 0; v < sizeof list / sizeof list[0]; v++) {
        static const char *const members[] = { "1, 2", "1, 2, 3", "1, 2, 3, 4" };
        char expression[64], vector[64];
        uint32_t sums[4] = { 0 };
        (void)snprintf(expression, sizeof expression, "%s_add(p, q)", list[v].type->name);
        (void)snprintf(vector, sizeof vector, "%s_of(%s)", list[v].type->name, members[list[v].members - 2]);
        const mcl_op sum = { .role = MCL_ROLE_FOLD, .expression = expression };
        const mcl_input in = mcl_from_expression(list[v].type, vector, NULL, NULL, 0, EQUAL);
        test_ok(mcl_reduce(test_device_at(_i)->queue, in, &sum, mcl_to_host(list[v].type, sums), &tilings[v % 2]));
        for (uint32_t m = 0; m < 4; m++) {
            const uint32_t expected = m < (uint32_t)list[v].members ? EQUAL * (m + 1) : 0;
            float real;
            memcpy(&real, &sums[m], sizeof real);
            ck_assert(list[v].type->name[4] == 'f' ? real == (float)expected : sums[m] == expected);
        }
    }
}
END_TEST

/* Makes MCL_BINDINGS_MAX bindings with different names. The first arrays bindings are arrays of COUNT elements in data;
 * array k begins at element k. The others are values: binding k has k + 1. */
static void bind_all(mcl_binding *bindings, const char *const *names, mcl_buffer *data, int arrays)
{
    for (int32_t k = 0; k < MCL_BINDINGS_MAX; k++) {
        const int32_t value = k + 1;
        bindings[k] = k < arrays ? mcl_binding_buffer(names[k], MCL_INT32, data, k)
                                 : mcl_binding_value(names[k], MCL_INT32, &value);
    }
}

/* The data is a structure of arrays. An expression and an operator of one call have as many bindings as they may
 * have. */
START_TEST(an_expression_and_an_operator_take_all_their_bindings)
{
    static const char *const a[] = { "a0", "a1", "a2",  "a3",  "a4",  "a5",  "a6",  "a7",
                                     "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15" };
    static const char *const b[] = { "b0", "b1", "b2",  "b3",  "b4",  "b5",  "b6",  "b7",
                                     "b8", "b9", "b10", "b11", "b12", "b13", "b14", "b15" };
    static const char values[] = "a0[i] + 2 * a1[i] + 3 * a2[i] + a3[i] + a4[i] + a5[i] + a6[i] + a7[i] + "
                                 "a8[i] + a9[i] + a10[i] + a11[i] + a12[i] + a13[i] + a14[i] + 5 * a15[i]";
    static const char mixed[] = "(b0[i] + b1[i] + b2[i] + b3[i] + b4[i] + b5[i] + b6[i] + b7[i] + "
                                "b8 + b9 * b10 + b11 + b12 + b13 + b14 * b15) % 3 == 0";
    static int32_t data[COUNT + MCL_BINDINGS_MAX], got[COUNT];
    mcl_binding arrays[MCL_BINDINGS_MAX];
    mcl_op third = { .role = MCL_ROLE_TEST, .expression = mixed, .binding_count = MCL_BINDINGS_MAX };
    mcl_op all = { .role = MCL_ROLE_TEST, .binding_count = MCL_BINDINGS_MAX };

    ck_assert_int_eq(MCL_BINDINGS_MAX, 16);
    random_ints(data, COUNT + MCL_BINDINGS_MAX, 1000, 3, 0);
    mcl_buffer *const from = ARRAY_OF(_i, data), *const out = array_empty(_i, sizeof got);
    bind_all(arrays, a, from, MCL_BINDINGS_MAX);
    bind_all(third.bindings, b, from, 8);
    bind_all(all.bindings, b, from, MCL_BINDINGS_MAX);
    all.expression = "b0[i] + b1[i] + b2[i] + b3[i] + b4[i] + b5[i] + b6[i] + b7[i] + "
                     "b8[i] + b9[i] + b10[i] + b11[i] + b12[i] + b13[i] + b14[i] >= b15[i]"; /* every element */
    const mcl_input in = mcl_from_expression(MCL_INT32, values, NULL, arrays, MCL_BINDINGS_MAX, COUNT);
    for (size_t t = 0; t < sizeof tilings / sizeof tilings[0]; t++)
        for (int every = 0; every < 2; every++) {
            int64_t kept = 0, expected = 0;
            test_ok(mcl_compact(test_device_at(_i)->queue, in, ints_out(out, COUNT), every ? &all : &third,
                                mcl_to_host(MCL_INT64, &kept), &tilings[t]));
            ARRAY_READ(_i, out, got);
            for (int k = 0; k < COUNT; k++) {
                int32_t sum = data[k + 1] + 2 * data[k + 2] + 4 * data[k + 15], first = 0;
                for (int j = 0; j < 16; j++) sum += data[k + j];
                for (int j = 0; j < 8; j++) first += data[k + j];
                if (!every && (first + 9 + 10 * 11 + 12 + 13 + 14 + 15 * 16) % 3) continue;
                ck_assert_int_eq(got[expected++], sum);
            }
            ck_assert_int_eq(kept, expected);
        }
    mcl_buffer_release(from);
    mcl_buffer_release(out);
}
END_TEST

/* Makes a permutation of [0, COUNT), with some indices out of range, which are skipped. */
static void make_places(int32_t *places)
{
    for (int32_t k = 0; k < COUNT; k++) places[k] = (int32_t)((int64_t)k * 701 % COUNT);
    places[10] = -1;
    places[1200] = COUNT;
    places[1300] = INT32_MAX;
    places[2400] = INT32_MIN;
}

static void scatter_by(int device, const mcl_input *flags, const unsigned char *taken, const mcl_options *options)
{
    static int32_t places[COUNT];
    static int32_t expected[COUNT];
    mcl_queue *queue = test_device_at(device)->queue;
    const int32_t start = 5;
    guarded out;

    make_places(places);
    mcl_buffer *places_buffer = ARRAY_OF(device, places);
    guarded_create(test_device_at(device)->context, &element_int32, COUNT, NULL, 1, &out);
    memcpy(expected, out.content + (size_t)out.first * sizeof(int32_t), sizeof expected);
    for (int k = 0; k < COUNT; k++)
        if (places[k] >= 0 && places[k] < COUNT && (!taken || taken[k])) expected[places[k]] = start + k;
    const mcl_input values = mcl_from_counting(MCL_INT32, &start, COUNT);
    const mcl_output to = mcl_to_buffer(MCL_INT32, out.buffer, out.first, COUNT);
    if (flags)
        test_ok(mcl_scatter_flagged(queue, values, ints(places_buffer, COUNT), *flags, to, options));
    else
        test_ok(mcl_scatter(queue, values, ints(places_buffer, COUNT), to, options));
    guarded_expect(queue, &out, (unsigned char *)expected, COUNT, "scatter");
    guarded_free(&out);
    mcl_buffer_release(places_buffer);
}

START_TEST(scatter_skips_places_out_of_range_and_leaves_the_others)
{
    for (int tiling = 0; tiling < 2; tiling++) scatter_by(_i, NULL, NULL, &tilings[tiling]);
}
END_TEST

START_TEST(scatter_flagged_takes_every_nonzero_flag)
{
    static unsigned char flags[COUNT];

    for (int k = 0; k < COUNT; k++) flags[k] = (unsigned char)(test_random(9, (uint64_t)k) % 3 * 127u);
    mcl_buffer *buffer = ARRAY_OF(_i, flags);
    const mcl_input in = mcl_from_buffer(MCL_UINT8, buffer, 0, COUNT);
    for (int tiling = 0; tiling < 2; tiling++) scatter_by(_i, &in, flags, &tilings[tiling]);
    mcl_buffer_release(buffer);
}
END_TEST

START_TEST(validation_finds_a_place_out_of_range_and_nothing_is_written)
{
    static int32_t places[COUNT];
    const mcl_options options = { .flags = MCL_VALIDATE };
    const int32_t one = 1;
    guarded out;

    make_places(places);
    mcl_buffer *buffer = ARRAY_OF(_i, places);
    guarded_create(test_device_at(_i)->context, &element_int32, COUNT, NULL, 1, &out);
    test_fails(mcl_scatter(test_device_at(_i)->queue, mcl_from_constant(MCL_INT32, &one, COUNT), ints(buffer, COUNT),
                           mcl_to_buffer(MCL_INT32, out.buffer, out.first, COUNT), &options),
               MCL_ERROR_PRECONDITION, "mcl_scatter|indices[10]");
    guarded_unchanged(test_device_at(_i)->queue, &out, "output of a scatter that failed its validation");
    guarded_free(&out);
    mcl_buffer_release(buffer);
}
END_TEST

START_TEST(random_integers_stay_in_their_range_and_reach_both_ends)
{
    static int32_t got[COUNT];
    int seen[7] = { 0 };
    const int32_t low = -3;
    const int32_t high = 3;
    mcl_buffer *out = array_empty(_i, sizeof got);

    test_ok(mcl_random(test_device_at(_i)->queue, ints_out(out, COUNT), 1, 0, &low, &high, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < COUNT; k++) {
        ck_assert_msg(got[k] >= low && got[k] <= high, "element %d is %d", k, got[k]);
        seen[got[k] - low]++;
    }
    for (int k = 0; k < 7; k++) ck_assert_msg(abs(seen[k] - COUNT / 7) < 100, "%d occurs %d times", k + low, seen[k]);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(any_part_of_a_random_sequence_can_be_made_on_its_own)
{
    static int64_t whole[COUNT];
    static int64_t parts[COUNT];
    mcl_queue *queue = test_device_at(_i)->queue;
    const int64_t low = INT64_MIN;
    const int64_t high = INT64_MAX;
    mcl_buffer *out = array_empty(_i, sizeof whole);

    test_ok(mcl_random(queue, mcl_to_buffer(MCL_INT64, out, 0, COUNT), 77, 1000, &low, &high, &tilings[0]));
    ARRAY_READ(_i, out, whole);
    for (int k = 0; k < COUNT; k += 500)
        test_ok(mcl_random(queue, mcl_to_buffer(MCL_INT64, out, k, 500), 77, 1000 + k, &low, &high, &tilings[1]));
    ARRAY_READ(_i, out, parts);
    ck_assert_mem_eq(whole, parts, sizeof whole);
    mcl_buffer_release(out);
}
END_TEST

START_TEST(random_floats_are_below_their_upper_end)
{
    static float got[COUNT];
    const float low = 1.0f;
    const float high = 1.0000005f; /* 1 plus four units in the last place */
    mcl_buffer *out = array_empty(_i, sizeof got);
    int at_low = 0;

    test_ok(mcl_random(test_device_at(_i)->queue, mcl_to_buffer(MCL_FLOAT, out, 0, COUNT), 5, 0, &low, &high, NULL));
    ARRAY_READ(_i, out, got);
    for (int k = 0; k < COUNT; k++) {
        ck_assert_msg(got[k] >= low && got[k] < high, "element %d is %.9g", k, (double)got[k]);
        at_low += got[k] == low;
    }
    ck_assert_int_gt(at_low, COUNT / 8);
    mcl_buffer_release(out);
}
END_TEST

/* The C++ standard states for its mt19937 that the 10000th number of seed 5489 is 4123659995. */
START_TEST(the_twister_is_mt19937)
{
    mcl_twister twister;
    uint32_t number = 0;

    mcl_twister_seed(&twister, 5489);
    for (int k = 0; k < 10000; k++) number = mcl_twister_next(&twister);
    ck_assert_uint_eq(number, 4123659995u);
    mcl_twister_seed(&twister, 5489);
    for (int k = 0; k < 1000; k++) {
        const int32_t die = mcl_twister_int(&twister, 1, 6);
        ck_assert_int_ge(die, 1);
        ck_assert_int_le(die, 6);
        const double real = mcl_twister_real(&twister, -1, 1);
        ck_assert(real >= -1 && real < 1);
    }
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, transform_equals_the_loop, device, run_case_rounds(&transform_case));
    test_add(tcase, an_expression_gathers_and_computes, device);
    test_add(tcase, an_expression_and_an_operator_have_sixteen_bindings_each, device);
    test_add(tcase, vectors_are_elements, device);
    test_add(tcase, every_vector_type_adds_member_by_member, device);
    test_add(tcase, an_expression_and_an_operator_take_all_their_bindings, device);
    test_add(tcase, scatter_skips_places_out_of_range_and_leaves_the_others, device);
    test_add(tcase, scatter_flagged_takes_every_nonzero_flag, device);
    test_add(tcase, validation_finds_a_place_out_of_range_and_nothing_is_written, device);
    test_add(tcase, random_integers_stay_in_their_range_and_reach_both_ends, device);
    test_add(tcase, any_part_of_a_random_sequence_can_be_made_on_its_own, device);
    test_add(tcase, random_floats_are_below_their_upper_end, device);
    test_add(tcase, the_twister_is_mt19937, device);
}

int main(void)
{
    return test_main("transform", add);
}
