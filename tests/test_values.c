/* test_values.c: the members that functions set in bindings and inputs, and the members that they leave zero. */
#include "support/devices.h"

#include <stdint.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const mcl_type unnamed = { NULL, 4, 0, NULL, 0, NULL, MCL_KIND_SIGNED };
static const mcl_type strange = { "int24_t", 4, 0, NULL, 0, NULL, MCL_KIND_SIGNED };
static const mcl_type pair = { "pair", 8, 4, "typedef struct pair { int a, b; } pair;", 0, NULL, MCL_KIND_STRUCT };

START_TEST(a_value_needs_a_type_and_its_bytes)
{
    static const mcl_type wide = { .name = "wide", .size = MCL_VALUE_BYTES_MAX + 1, .kind = MCL_KIND_STRUCT };
    const unsigned char zeros[MCL_VALUE_BYTES_MAX] = { 0 };
    const int32_t number = 7;
    const mcl_binding made = mcl_binding_value("n", MCL_INT32, &number);
    ck_assert_ptr_eq(made.type, MCL_INT32);
    ck_assert_int_eq(memcmp(made.value.bytes, &number, sizeof number), 0);
    const mcl_binding none[] = { mcl_binding_value("n", NULL, &number), mcl_binding_value("n", MCL_INT32, NULL),
                                 mcl_binding_value("n", &wide, zeros) };
    for (size_t k = 0; k < COUNT_OF(none); k++) {
        ck_assert_str_eq(none[k].name, "n");
        ck_assert_ptr_eq(none[k].type, k == 2 ? &wide : NULL); /* a call later refuses a type that is too wide */
        ck_assert_int_eq(memcmp(none[k].value.bytes, zeros, sizeof zeros), 0);
    }
    ck_assert_ptr_null(mcl_binding_buffer("b", MCL_INT32, NULL, 0).type);
}
END_TEST

/* The call that gets an empty expression refuses it. */
START_TEST(sequences_and_differences_are_of_numbers)
{
    static const struct {
        const mcl_type *type;
        int is_number;
    } cases[] = { { NULL, 0 },     { &unnamed, 0 }, { &strange, 0 },   { &pair, 0 },
                  { MCL_INT8, 1 }, { MCL_HALF, 1 }, { MCL_UINT64, 1 }, { MCL_DOUBLE, 1 } };
    const int64_t start = 0;
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_input counting = mcl_from_counting(cases[k].type, &start, 5);
        const mcl_input step = mcl_from_step(cases[k].type, &start, &start, 5);
        ck_assert_msg((strstr(counting.expression, "start + ") != NULL) == cases[k].is_number, "type %zu", k);
        ck_assert_msg((strstr(step.expression, " * step)") != NULL) == cases[k].is_number, "type %zu", k);
        ck_assert_int_eq(counting.count, 5);
    }
    ck_assert_str_eq(mcl_from_differences(NULL, NULL, 0, 5).expression, "");
    ck_assert_str_eq(mcl_from_differences(&pair, NULL, 0, 5).expression, "");
    ck_assert_str_ne(mcl_from_differences(MCL_INT8, NULL, 0, 5).expression, "");
}
END_TEST

START_TEST(an_expression_has_at_most_as_many_bindings_as_there_is_room_for)
{
    mcl_binding many[MCL_BINDINGS_MAX + 1];
    for (size_t k = 0; k < COUNT_OF(many); k++) many[k] = (mcl_binding){ .name = "n", .offset = (int64_t)k };
    for (int count = -1; count <= MCL_BINDINGS_MAX + 1; count++) {
        const mcl_input made = mcl_from_expression(MCL_INT32, "n", NULL, many, count, 5);
        ck_assert_int_eq(made.binding_count, count); /* a call later refuses too many */
        for (int k = 0; k < MCL_BINDINGS_MAX; k++) {
            ck_assert_int_eq(made.bindings[k].name != NULL, k < count);
            ck_assert_int_eq(made.bindings[k].offset, k < count ? k : 0);
        }
    }
    ck_assert_ptr_null(mcl_from_expression(MCL_INT32, "n", NULL, NULL, 1, 5).bindings[0].name);
    ck_assert_str_eq(mcl_from_expression(MCL_INT32, NULL, NULL, NULL, 0, 5).expression, "");
}
END_TEST

/* The parameters have the bits of the indices that a shuffle of more than 64 elements exchanges. */
START_TEST(a_shuffle_has_the_bits_of_its_count)
{
    static const struct {
        int64_t count;
        int32_t bits;
    } cases[] = { { 65, 7 },        { 128, 7 }, { 129, 8 }, { INT64_C(1) << 61, 61 }, { (INT64_C(1) << 61) + 1, 62 },
                  { INT64_MAX, 62 } };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_input made = mcl_from_shuffled(MCL_INT32, NULL, 0, cases[k].count, 1);
        int32_t bits = 0;
        ck_assert_int_eq(made.binding_count, 4);
        memcpy(&bits, made.bindings[3].value.bytes, sizeof bits);
        ck_assert_msg(bits == cases[k].bits, "%lld elements: %d bits", (long long)cases[k].count, (int)bits);
    }
}
END_TEST

START_TEST(neighbours_are_one_fewer_and_one_apart)
{
    static const struct {
        int64_t offset, count, pairs, second;
    } cases[] = { { 3, 10, 9, 4 }, { 3, 2, 1, 4 },   { 3, 1, 0, 3 },
                  { 3, 0, 0, 3 },  { 3, -1, -1, 3 }, { INT64_MAX, 10, 9, INT64_MAX } };
    int unused = 0;
    mcl_buffer *const buffer = (mcl_buffer *)(void *)&unused; /* any address, which is not read */
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_input made =
            mcl_from_neighbours(MCL_INT32, "q - p", NULL, MCL_INT32, buffer, cases[k].offset, cases[k].count);
        ck_assert_int_eq(made.count, cases[k].pairs);
        ck_assert_int_eq(made.bindings[0].offset, cases[k].offset);
        ck_assert_msg(made.bindings[1].offset == cases[k].second, "case %zu", k);
    }
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, a_value_needs_a_type_and_its_bytes);
    tcase_add_test(tcase, sequences_and_differences_are_of_numbers);
    tcase_add_test(tcase, an_expression_has_at_most_as_many_bindings_as_there_is_room_for);
    tcase_add_test(tcase, a_shuffle_has_the_bits_of_its_count);
    tcase_add_test(tcase, neighbours_are_one_fewer_and_one_apart);
}

int main(void)
{
    return test_main_host("values", add);
}
