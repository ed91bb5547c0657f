/* test_generate.c: the texts that are written for operators and types. The cases differ in one condition of a
 * decision. */
#include "support/devices.h"

#include "program/generate.h"

#include <string.h>

static const char point_source[] = "typedef struct point { int a, b, c; } point;";
static const mcl_type point_type = { "point", 12, 0, point_source, 0, NULL, MCL_KIND_STRUCT };
static mcl_buffer fake_buffer; /* only its address matters */

static const mcl_type other_point = { "other_point", 12, 0, point_source, 0, NULL, MCL_KIND_STRUCT };
static const mcl_op plain_sum = { .role = MCL_ROLE_FOLD, .expression = "p + q" };

/* An operator, its types, and a text that must or must not be written for it. */
static const struct {
    const mcl_op *op;
    mcl_role role;
    const mcl_type *element, *value, *stored, *out, *in;
    const char *words;
    int has;
} operators[] = {
#define INTS MCL_INT32, MCL_INT32
    { MCL_ADD, MCL_ROLE_FOLD, INTS, MCL_INT32, MCL_INT32, MCL_INT32, "fold_vectors(", 1 },
    { MCL_ADD, MCL_ROLE_FOLD, INTS, MCL_INT64, MCL_INT32, MCL_INT32, "fold_vectors(", 0 },
    { MCL_ADD, MCL_ROLE_FOLD, INTS, MCL_FLOAT, MCL_INT32, MCL_INT32, "fold_vectors(", 0 },
    { MCL_ADD, MCL_ROLE_FOLD, MCL_INT32, MCL_INT64, MCL_INT32, MCL_INT32, MCL_INT32, "fold_vectors(", 0 },
    { MCL_ADD, MCL_ROLE_FOLD, MCL_INT32, MCL_FLOAT, MCL_INT32, MCL_INT32, MCL_INT32, "fold_vectors(", 0 },
    { MCL_MIN, MCL_ROLE_FOLD, INTS, MCL_INT32, MCL_INT32, MCL_INT32, "fold_vectors(", 0 },
    { MCL_ADD, MCL_ROLE_FOLD, MCL_HALF, MCL_HALF, MCL_HALF, MCL_HALF, MCL_HALF, "fold_vectors(", 0 },
    { &plain_sum, MCL_ROLE_FOLD, &point_type, &point_type, &point_type, &point_type, MCL_INT32, "fold_vectors(", 0 },
    { MCL_ADD, MCL_ROLE_FOLD, INTS, MCL_INT32, MCL_INT32, MCL_INT32, "LESS(p, q) ((p) < (q))", 1 },
    { MCL_ADD, MCL_ROLE_FOLD, MCL_INT32, MCL_FLOAT, MCL_FLOAT, MCL_FLOAT, MCL_INT32, "LESS(p, q) ((p) < (q))", 0 },
    { MCL_ADD, MCL_ROLE_FOLD, MCL_FLOAT, MCL_INT32, MCL_FLOAT, MCL_FLOAT, MCL_INT32, "LESS(p, q) ((p) < (q))", 0 },
    { MCL_ADD, MCL_ROLE_FOLD, MCL_FLOAT, MCL_FLOAT, MCL_FLOAT, MCL_FLOAT, MCL_INT32, "fold_ROUNDS 1", 1 },
    { MCL_MIN, MCL_ROLE_FOLD, MCL_FLOAT, MCL_FLOAT, MCL_FLOAT, MCL_FLOAT, MCL_INT32, "fold_ROUNDS 1", 0 },
    { MCL_MAX, MCL_ROLE_FOLD, MCL_FLOAT, MCL_FLOAT, MCL_FLOAT, MCL_FLOAT, MCL_INT32, "fold_ROUNDS 1", 0 },
    { MCL_ADD, MCL_ROLE_FOLD, INTS, MCL_INT32, MCL_FLOAT, MCL_INT32, "fold_to_out(", 1 },
    { MCL_ADD, MCL_ROLE_FOLD, INTS, MCL_INT32, &point_type, MCL_INT32, "fold_to_out(", 0 },
    { &plain_sum, MCL_ROLE_FOLD, &point_type, &point_type, &point_type, MCL_INT32, MCL_INT32, "fold_to_out(", 0 },
    { &plain_sum, MCL_ROLE_FOLD, &point_type, &point_type, &point_type, &other_point, MCL_INT32, "fold_to_out(", 0 },
    { &plain_sum, MCL_ROLE_FOLD, &point_type, &point_type, &point_type, &point_type, MCL_INT32, "fold_to_out(", 1 },
    { MCL_MAX_INDEX, MCL_ROLE_FOLD, MCL_INT32, MCL_INDEXED, NULL, MCL_INT64, MCL_INT32, "fold_to_out(", 1 },
    { MCL_MAX_INDEX, MCL_ROLE_FOLD, MCL_INT32, MCL_INDEXED, NULL, &point_type, MCL_INT32, "fold_to_out(", 1 },
    { MCL_MAX_INDEX, MCL_ROLE_FOLD, MCL_INT32, MCL_INDEXED, NULL, &point_type, &other_point, "fold_to_out(", 1 },
    { MCL_MAX_INDEX, MCL_ROLE_FOLD, MCL_INT32, MCL_INDEXED, NULL, &point_type, &point_type, "fold_to_out(", 0 },
    { &plain_sum, MCL_ROLE_FUNCTION, INTS, NULL, MCL_INT32, MCL_INT32, "fold_extract(", 1 },
    { &plain_sum, MCL_ROLE_ORDER, INTS, NULL, MCL_INT32, MCL_INT32, "fold_extract(", 0 },
    { &plain_sum, MCL_ROLE_TEST, INTS, NULL, MCL_INT32, MCL_INT32, "const int64_t i", 1 },
    { &plain_sum, MCL_ROLE_INDEX, INTS, NULL, MCL_INT32, MCL_INT32, "const int64_t i", 1 },
    { &plain_sum, MCL_ROLE_EQUALITY, INTS, NULL, MCL_INT32, MCL_INT32, "const int64_t i", 0 },
#undef INTS
};

START_TEST(an_operators_text_has_what_its_types_allow)
{
    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; k++) {
        const mcl_input in = mcl_from_buffer(operators[k].in, &fake_buffer, 0, 100);
        mcl__text text = { 0 };
        mcl__spec spec = { .index_bits = 32 };
        spec.ops[0].name = "fold";
        spec.ops[0].op = operators[k].op;
        spec.ops[0].role = operators[k].role;
        spec.ops[0].element = operators[k].element;
        spec.ops[0].value = operators[k].value;
        spec.ops[0].stored = operators[k].stored;
        spec.inputs[1].name = "in";
        spec.inputs[1].input = &in;
        spec.outputs[0].name = "out";
        spec.outputs[0].type = operators[k].out;
        mcl__generate_op(&text, &spec, 0);
        ck_assert_msg((strstr(text.data, operators[k].words) != NULL) == operators[k].has, "operator %zu: \"%s\" %s", k,
                      operators[k].words, operators[k].has ? "is missing" : "is there");
        mcl__text_free(&text);
    }
}
END_TEST

/* Structs that consist of whole words may be loaded by words, up to 16 words. */
START_TEST(structs_that_are_words_may_be_loaded_by_words)
{
    static const struct {
        mcl_type type;
        int has;
    } cases[] = {
        { { "s", 12, 4, point_source, 0, NULL, MCL_KIND_STRUCT }, 1 },
        { { "s", 64, 4, point_source, 0, NULL, MCL_KIND_STRUCT }, 1 },
        { { "s", 68, 4, point_source, 0, NULL, MCL_KIND_STRUCT }, 0 },
        { { "s", 128, 8, point_source, 0, NULL, MCL_KIND_STRUCT }, 1 },
        { { "s", 12, 2, point_source, 0, NULL, MCL_KIND_STRUCT }, 0 },
        { { "s", 12, 0, point_source, 0, NULL, MCL_KIND_STRUCT }, 0 },
    };
    mcl__text text = { 0 };
    for (size_t k = 0; k <= sizeof cases / sizeof cases[0]; k++) {
        const int is_number = k == sizeof cases / sizeof cases[0];
        const mcl_input in = mcl_from_buffer(is_number ? MCL_INT32 : &cases[k].type, &fake_buffer, 0, 100);
        mcl__spec spec = { .index_bits = 32 };
        spec.inputs[0].name = "in";
        spec.inputs[0].input = &in;
        mcl__text_clear(&text);
        mcl__generate_spec(&spec, &text);
        ck_assert_msg((strstr(text.data, "mcl_words;") != NULL) == (!is_number && cases[k].has), "type %zu", k);
    }
    mcl__text_free(&text);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, an_operators_text_has_what_its_types_allow);
    tcase_add_test(tcase, structs_that_are_words_may_be_loaded_by_words);
}

int main(void)
{
    return test_main_host("generate", add);
}
