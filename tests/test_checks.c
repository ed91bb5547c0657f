/* test_checks.c: the decisions of the checks, without a device: on names, types, operators and options. Each case
 * differs from another in one condition, and so does the outcome. */
#include "support/devices.h"

#include "call/enqueue.h"
#include "guided/idle_device.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- names ------------------------------------------------------------------------------------------------------ */

START_TEST(a_name_is_an_identifier_and_no_word_of_a_language)
{
    static const struct {
        const char *name;
        int is_identifier;
        int is_reserved;
    } cases[] = {
        { "", 0, 0 },        { "a", 1, 0 },       { "9a", 0, 0 },       { "-a", 0, 0 },      { "a-b", 0, 0 },
        { "a9", 1, 0 },      { "_", 1, 0 },       { "_a", 1, 0 },       { "_A", 1, 1 },      { "_Z", 1, 1 },
        { "_9", 1, 0 },      { "__", 1, 1 },      { "a__", 1, 0 },      { "MCL_A", 1, 1 },   { "MCLA", 1, 0 },
        { "float", 1, 1 },   { "floa", 1, 0 },    { "float_", 1, 0 },   { "loat", 1, 0 },    { "float4", 1, 1 },
        { "float5", 1, 0 },  { "float44", 1, 0 }, { "float2x2", 1, 1 }, { "float2x", 1, 0 }, { "float2x2y", 1, 0 },
        { "float4y", 1, 0 }, { "floaty4", 1, 0 }, { "xor", 1, 1 },      { "a{", 0, 0 },      { "a[b", 0, 0 },
        { "a:b", 0, 0 },     { "x", 1, 0 },       { "\xc3\xa4", 0, 0 },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        ck_assert_msg(mcl__is_identifier(cases[k].name) == cases[k].is_identifier, "identifier: %s", cases[k].name);
        ck_assert_msg(mcl__is_reserved(cases[k].name) == cases[k].is_reserved, "reserved: %s", cases[k].name);
    }
    ck_assert_int_eq(mcl__is_identifier(NULL), 0);
}
END_TEST

/* ---- types and operators ---------------------------------------------------------------------------------------- */

START_TEST(types_and_operators_are_the_same_by_all_of_their_content)
{
    const mcl_type type = { "pair", 8, 0, "typedef struct pair { int a, b; } pair;", 0, NULL, MCL_KIND_STRUCT };
    mcl_type types[4] = { type, type, type, type };
    types[0].size = 4;
    types[1].kind = MCL_KIND_FLOAT;
    types[2].name = "other";
    types[3].source = "typedef struct pair { int b, a; } pair;";
    const mcl_type same = type;
    ck_assert_int_eq(mcl__same_type(&type, &same), 1);
    ck_assert_int_eq(mcl__same_type(&type, NULL), 0);
    ck_assert_int_eq(mcl__same_type(NULL, &type), 0);
    ck_assert_int_eq(mcl__same_type(NULL, NULL), 1);
    for (size_t k = 0; k < COUNT_OF(types); k++) ck_assert_msg(!mcl__same_type(&type, &types[k]), "type %zu", k);

    const mcl_op op = { .role = MCL_ROLE_FOLD,
                        .expression = "p + q",
                        .source = "",
                        .identity = "0",
                        .extract = "x",
                        .combine = "v",
                        .value = MCL_INT32,
                        .result = MCL_INT64,
                        .commutative = 1 };
    mcl_op ops[10];
    for (size_t k = 0; k < COUNT_OF(ops); k++) ops[k] = op;
    ops[0].role = MCL_ROLE_ORDER;
    ops[1].expression = "p * q";
    ops[2].source = "int a;";
    ops[3].identity = "1";
    ops[4].extract = NULL;
    ops[5].combine = "v + x";
    ops[6].value = MCL_UINT32;
    ops[7].result = MCL_INT32;
    ops[8].commutative = 0;
    ops[9].binding_count = 1;
    char expression[8];
    (void)snprintf(expression, sizeof expression, "%s", op.expression);
    mcl_op equal = op;
    equal.expression = expression; /* the same text at another address */
    ck_assert_int_eq(mcl__same_op(&op, &equal), 1);
    ck_assert_int_eq(mcl__same_op(&ops[9], &ops[9]), 1);
    ck_assert_int_eq(mcl__same_op(&op, NULL), 0);
    ck_assert_int_eq(mcl__same_op(NULL, &op), 0);
    for (size_t k = 0; k < COUNT_OF(ops); k++) {
        ck_assert_msg(!mcl__same_op(&op, &ops[k]), "operator %zu", k);
        ck_assert_msg(!mcl__same_op(&ops[k], &op), "operator %zu, the other way", k);
    }
    ck_assert_int_eq(mcl__is_of(MCL_UINT8, MCL__BYTES), 1);
    ck_assert_int_eq(mcl__is_of(MCL_UINT16, MCL__BYTES), 0);
    ck_assert_int_eq(mcl__is_of(MCL_HALF, MCL__BYTES), 0);
}
END_TEST

/* Checks that a status is a refusal with a sentence that has the words. NULL: it is MCL_OK. */
static void expect(mcl_status status, const char *words)
{
    if (!words) {
        ck_assert_msg(status == MCL_OK, "%s", mcl_last_error());
        return;
    }
    ck_assert_int_eq(status, MCL_ERROR_ARGUMENT);
    ck_assert_msg(strstr(mcl_last_error(), words) != NULL, "\"%s\" lacks \"%s\"", mcl_last_error(), words);
}

START_TEST(a_struct_is_refused_for_each_of_its_parts)
{
    static const char source[] = "typedef struct { int a; } odd;";
    static const mcl_member good[] = { { "a", 0 }, { "b", 4 } };
    static const mcl_member outside[] = { { "a", 8 } };
    static const mcl_member unnamed[] = { { NULL, 0 } };
    static const mcl_member taken[] = { { "float", 0 } };
    const mcl_context context = { .limits = { .has_double = 1 } };
    const struct {
        mcl_type type;
        const char *words;
    } cases[] = {
        { { "pair", 8, 4, source, 2, good, MCL_KIND_STRUCT }, NULL },
        { { "pair", 8, 0, source, 0, NULL, MCL_KIND_STRUCT }, NULL },
        { { "x", 8, 4, source, 0, NULL, MCL_KIND_STRUCT }, "named \"x\"" },
        { { "y", 8, 4, source, 0, NULL, MCL_KIND_STRUCT }, NULL },
        { { "xy", 8, 4, source, 0, NULL, MCL_KIND_STRUCT }, NULL },
        { { "float", 8, 4, source, 0, NULL, MCL_KIND_STRUCT }, "named \"float\"" },
        { { "pair", 8, 3, source, 0, NULL, MCL_KIND_STRUCT }, "alignment 3" },
        { { "pair", 6, 4, source, 0, NULL, MCL_KIND_STRUCT }, "size 6 and alignment 4" },
        { { "pair", 6, 0, source, 0, NULL, MCL_KIND_STRUCT }, NULL },
        { { "pair", 8, 4, source, -1, NULL, MCL_KIND_STRUCT }, "member_count -1" },
        { { "pair", 8, 4, source, 1, NULL, MCL_KIND_STRUCT }, "member_count 1 and no members" },
        { { "pair", 8, 4, source, 1, outside, MCL_KIND_STRUCT }, "\"a\" at byte 8" },
        { { "pair", 8, 4, source, 1, unnamed, MCL_KIND_STRUCT }, "\"NULL\" at byte 0" },
        { { "pair", 8, 4, source, 1, taken, MCL_KIND_STRUCT }, "\"float\"" },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++)
        expect(mcl__check_type("in", &context, &cases[k].type), cases[k].words);
}
END_TEST

START_TEST(an_output_is_wanted_for_each_of_its_members)
{
    const mcl_output outputs[] = { { .type = MCL_INT8 }, { .offset = 1 }, { .capacity = 1 } };
    const mcl_output none = { 0 };
    ck_assert_int_eq(mcl__is_wanted(&none), 0);
    for (size_t k = 0; k < COUNT_OF(outputs); k++) ck_assert_int_eq(mcl__is_wanted(&outputs[k]), 1);
}
END_TEST

/* The narrowest number in a struct that is named index decides. */
START_TEST(an_index_of_a_struct_holds_what_its_text_says)
{
    mcl_type type = { "pair", 8, 0, "typedef struct { int8_t index; int16_t other; } pair;", 0, NULL, MCL_KIND_STRUCT };
    ck_assert_int_eq(mcl__check_holds_indices("out", &type, 127), MCL_OK);
    ck_assert_int_ne(mcl__check_holds_indices("out", &type, 130), MCL_OK);
    type.source = "typedef struct { int32_t index; } a; typedef struct { int8_t index; } pair;";
    ck_assert_int_ne(mcl__check_holds_indices("out", &type, 130), MCL_OK);
    type.source = "typedef struct { int8_t index; } a; typedef struct { int32_t index; } pair;";
    ck_assert_int_ne(mcl__check_holds_indices("out", &type, 130), MCL_OK);
    type.source = "typedef struct { int32_t index; } pair;";
    ck_assert_int_eq(mcl__check_holds_indices("out", &type, 130), MCL_OK);
}
END_TEST

/* The types of accumulator and result are checked like an operand's type. MCL_INDEXED stands for a struct. */
START_TEST(an_operator_is_refused_for_each_of_its_types)
{
    static const mcl_type odd = { "pair", 8, 3, "typedef struct { int a, b; } pair;", 0, NULL, MCL_KIND_STRUCT };
    const mcl_context context = { .limits = { .has_double = 1 } };
    const struct {
        mcl_op op;
        const char *words;
    } cases[] = {
        { { .expression = "p + q" }, NULL },
        { { .expression = "p + q", .value = MCL_INT64 }, NULL },
        { { .expression = "p + q", .value = MCL_INDEXED }, NULL },
        { { .expression = "p + q", .value = &odd }, "alignment 3" },
        { { .expression = "p + q", .result = &odd }, "alignment 3" },
        { { .expression = "" }, "expression \"\"" },
        { { 0 }, "expression NULL" },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++)
        expect(mcl__check_operator("op", &context, MCL_ROLE_FOLD, &cases[k].op, NULL), cases[k].words);
    expect(mcl__check_operator("op", &context, MCL_ROLE_FOLD, NULL, NULL), "op is NULL");
}
END_TEST

/* A struct that only a combine turns into a number: scans store it, and no other call does. */
START_TEST(a_combine_makes_what_scans_store_alone)
{
    static const mcl_type pair = { "pair", 8, 0, "typedef struct pair { int a, b; } pair;", 0, NULL, MCL_KIND_STRUCT };
    const mcl_op op = { .expression = "p", .value = &pair, .extract = "x", .result = MCL_FLOAT, .combine = "v.a" };
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL, *other = NULL;
    ck_assert_int_eq(idle_context(0, &context), MCL_OK);
    ck_assert_int_eq(mcl_queue_create(context, 0, &queue), MCL_OK);
    ck_assert_int_eq(mcl_buffer_create(context, 400, NULL, &buffer), MCL_OK);
    ck_assert_int_eq(mcl_buffer_create(context, 400, NULL, &other), MCL_OK);
    const mcl_input in = mcl_from_buffer(MCL_INT32, buffer, 0, 100);
    const mcl_output out = mcl_to_buffer(MCL_FLOAT, other, 0, 100), none = { 0 };
    const mcl_segments rows = mcl_segments_from_rows(10, 10);
    const mcl_result at = mcl_to_slot(MCL_FLOAT, other, 0), nowhere = mcl_to_nowhere();
    const mcl_aggregate aggregate = { in, &op, out };
    mcl_op placed = op; /* an index that combine converts need not fit the output's type */
    placed.value = MCL_INDEXED;
    placed.extract = NULL;
    placed.combine = "v.value";
    expect(mcl_scan(queue, in, out, &placed, MCL_INCLUSIVE, nowhere, NULL), NULL);
    expect(mcl_scan(queue, in, out, &op, MCL_INCLUSIVE, nowhere, NULL), NULL);
    expect(mcl_segmented_scan(queue, in, rows, out, &op, MCL_INCLUSIVE, NULL), NULL);
    expect(mcl_scan_by_key(queue, in, in, out, &op, NULL, MCL_INCLUSIVE, NULL), NULL);
#define EXPECT_TYPE(call, words) test_fails(call, MCL_ERROR_TYPE, words)
    EXPECT_TYPE(mcl_scan(queue, in, none, &op, MCL_INCLUSIVE, at, NULL), "mcl_scan: total is float and op folds pair");
    EXPECT_TYPE(mcl_reduce(queue, in, &op, at, NULL), "mcl_reduce: result is float and op folds pair");
    EXPECT_TYPE(mcl_segmented_reduce(queue, in, rows, out, &op, nowhere, NULL),
                "mcl_segmented_reduce: out is float and op folds pair");
    EXPECT_TYPE(mcl_reduce_by_key(queue, in, in, none, out, &op, NULL, nowhere, NULL),
                "mcl_reduce_by_key: |is float and op folds pair");
    EXPECT_TYPE(mcl_group_by(queue, in, none, &aggregate, 1, nowhere, NULL),
                "mcl_group_by: aggregates[0].out is float and op folds pair");
    mcl_buffer_release(other);
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

START_TEST(a_role_is_the_one_that_a_call_needs)
{
    static const struct {
        mcl_role use;
        mcl_role role;
        const char *words;
    } cases[] = {
        { MCL_ROLE_ORDER, MCL_ROLE_ORDER, NULL },
        { MCL_ROLE_ORDER, (mcl_role)0, NULL },
        { MCL_ROLE_FUNCTION, MCL_ROLE_FUNCTION, NULL },
        { MCL_ROLE_FUNCTION, MCL_ROLE_FOLD, NULL },
        { MCL_ROLE_FUNCTION, MCL_ROLE_ORDER, "is an order" },
        { MCL_ROLE_ORDER, MCL_ROLE_FOLD, "is a fold" },
        { MCL_ROLE_ORDER, (mcl_role)99, "operator of a role that there is not" },
        { MCL_ROLE_ORDER, MCL_ROLE_MEAN, "expected" },
    };
    const mcl_context context = { 0 };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_op op = { .role = cases[k].role, .expression = "p.key < q.key" };
        expect(mcl__check_operator("op", &context, cases[k].use, &op, NULL), cases[k].words);
    }
}
END_TEST

/* ---- outputs in place ------------------------------------------------------------------------------------------- */

/* An expression may be replaced where it reads only t[i] of t. No text is compiled here. */
START_TEST(an_expression_is_replaced_where_it_reads_its_own_element_alone)
{
    static const struct {
        const char *expression;
        const char *source;
        int is_refused;
    } cases[] = {
        { "t[i]", NULL, 0 },
        { "t[i] + 1", "", 0 },
        { "t[0]", NULL, 1 },
        { "t[i + 1]", NULL, 1 },
        { "t[i", NULL, 1 },
        { "1 + t[j]", NULL, 1 },
        { "t[i] & 3", NULL, 0 },
        { "3 & t[i]", NULL, 0 },
        { "(t[i]) & 3", NULL, 0 },
        { "(t[i]) && t[i]", NULL, 0 },
        { "(3) & t[i]", NULL, 1 },
        { "(t[i]) & (3)", NULL, 1 },
        { "(t[i]) &", NULL, 1 },
        { "&t[i] != 0", NULL, 1 },
        { "t[i] + pair.t", NULL, 0 },
        { "t[i] + pair->t", NULL, 0 },
        { "t[i] + (3 > t)", NULL, 1 },
        { "t[i] + f(i)", "static int f(int i) { return i; }", 0 },
        { "t[i] + f(i)", "#define j i\n", 1 },
        { "t[i] + f(i)", "?\?=define j i\n", 1 },
        { "t[i] + f(i)", "%:define j i\n", 1 },
    };
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    ck_assert_int_eq(idle_context(0, &context), MCL_OK);
    ck_assert_int_eq(mcl_queue_create(context, 0, &queue), MCL_OK);
    ck_assert_int_eq(mcl_buffer_create(context, 400, NULL, &buffer), MCL_OK);
    const mcl_binding binding = mcl_binding_buffer("t", MCL_INT32, buffer, 0);
    const mcl_output out = mcl_to_buffer(MCL_INT32, buffer, 0, 100);
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_input in = mcl_from_expression(MCL_INT32, cases[k].expression, cases[k].source, &binding, 1, 100);
        expect(mcl_transform(queue, in, out, NULL), cases[k].is_refused ? "binding t" : NULL);
        expect(mcl_scan(queue, in, out, MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), NULL), "binding t");
    }
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* ---- preconditions, looked for on the device ------------------------------------------------------------------ */

enum { DEVICE_PLAIN = 0, DEVICE_OF_FEW_LOOPS = 6 };

/* The device stores nothing, so its result is the old content of its memory. */
START_TEST(the_first_element_out_of_range_is_told)
{
    static const int devices[] = { DEVICE_PLAIN, DEVICE_OF_FEW_LOOPS };
    static const int64_t counts[] = { 1, 1000, INT64_C(1) << 30, (INT64_C(1) << 30) + 1 };
    const mcl_type *const types[] = { MCL_INT32, MCL_UINT32 };
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    ck_assert_int_eq(idle_context(devices[_i], &context), MCL_OK);
    ck_assert_int_eq(mcl_queue_create(context, 0, &queue), MCL_OK);
    for (size_t k = 0; k < COUNT_OF(counts); k++)
        for (size_t type = 0; type < COUNT_OF(types); type++) {
            static const uint32_t value = 7;
            const mcl_input in = mcl_from_constant(types[type], &value, counts[k]);
            for (int64_t low = -1; low < 2; low++) {
                (void)mcl__validate_range(queue, "in", &in, low, 9, NULL); /* makes scratch */
                int64_t *const found = (int64_t *)queue->own_scratch->block;
                const int groups = (int)(queue->own_scratch->bytes / sizeof *found);
                const int64_t budget = context->limits.loop_budget;
                if (budget > 0) ck_assert_int_ge(groups * budget, counts[k]);
                for (int group = 0; group < groups; group++) found[group] = group == 1 ? -1 : groups + 5 - group;
                ck_assert_int_eq(mcl__validate_range(queue, "in", &in, low, 9, NULL), MCL_ERROR_PRECONDITION);
                char greatest[32];
                (void)snprintf(greatest, sizeof greatest, "in[%d]", groups + 5);
                ck_assert_msg(strstr(mcl_last_error(), "in[") != NULL, "%s", mcl_last_error());
                if (counts[k] > 1000) ck_assert_msg(!strstr(mcl_last_error(), greatest), "%s", mcl_last_error());
                memset(found, 0xff, (size_t)groups * sizeof *found);
                ck_assert_int_eq(mcl__validate_range(queue, "in", &in, low, 9, NULL), MCL_OK);
            }
        }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* The call returns the driver's status, wherever the driver fails. */
START_TEST(a_precondition_that_cannot_be_looked_for_is_told)
{
    static const int32_t value = 7;
    const mcl_input in = mcl_from_constant(MCL_INT32, &value, 1000);
    int failures = 0;
    for (;; failures++) {
        mcl_context *context = NULL;
        mcl_queue *queue = NULL;
        ck_assert_int_eq(idle_context(DEVICE_PLAIN, &context), MCL_OK);
        ck_assert_int_eq(mcl_queue_create(context, 0, &queue), MCL_OK);
        idle_fails_after = failures;
        const mcl_status status = mcl__validate_range(queue, "in", &in, 0, 9, NULL);
        const int has_failed = idle_fails_after < 0;
        idle_fails_after = -1;
        mcl_queue_release(queue);
        mcl_context_release(context);
        if (!has_failed) break;
        ck_assert_int_ne(status, MCL_OK);
        ck_assert_int_ne(status, MCL_ERROR_PRECONDITION);
        ck_assert_msg(strstr(mcl_last_error(), "idle device") || strstr(mcl_last_error(), "compile"), "%s",
                      mcl_last_error());
    }
    ck_assert_int_gt(failures, 3);
}
END_TEST

/* ---- options ---------------------------------------------------------------------------------------------------- */

START_TEST(options_are_refused_for_each_of_their_numbers)
{
    static const mcl__backend backends[] = { { .name = "gives" }, { .name = "records", .records_given_event = 1 } };
    mcl_context context = { .backend = &backends[0], .limits = { .max_threads = 64 } };
    mcl_recording recording = { 0 };
    mcl_queue queue = { .context = &context };
    void *event = &context, *no_event = NULL;
    const struct {
        mcl_options options;
        int records; /* 1 where the backend can record an event that it is given */
        int is_recorded;
        int loses_barriers;
        const char *words;
    } cases[] = {
        { { 0 }, 0, 0, 0, NULL },
        { { .passes = 2 }, 0, 0, 0, NULL },
        { { .passes = 3 }, 0, 0, 0, "passes is 3" },
        { { .passes = -1 }, 0, 0, 0, "passes is -1" },
        { { .tile_threads = 64 }, 0, 0, 0, NULL },
        { { .tile_threads = 65 }, 0, 0, 0, "tile_threads is 65" },
        { { .tile_threads = -1 }, 0, 0, 0, "tile_threads is -1" },
        { { .tile_threads = 1 }, 0, 0, 1, NULL },
        { { .driver_done = &no_event }, 0, 0, 0, NULL },
        { { .driver_done = &event }, 1, 0, 0, NULL },
        { { .driver_done = &no_event }, 1, 0, 0, "driver_done points to NULL" },
        { { .driver_wait = &event, .driver_wait_count = 1 }, 0, 0, 0, NULL },
        { { .driver_wait = &no_event, .driver_wait_count = 1 }, 0, 0, 0, "driver_wait[0] is NULL" },
        { { .driver_wait_count = 1 }, 0, 0, 0, "driver_wait_count is 1" },
        { { .driver_wait_count = -1 }, 0, 0, 0, "driver_wait_count is -1" },
        { { 0 }, 0, 1, 0, NULL },
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        context.backend = &backends[cases[k].records];
        context.limits.loses_barriers = cases[k].loses_barriers;
        queue.recording = cases[k].is_recorded ? &recording : NULL;
        expect(mcl__check_options(&queue, &cases[k].options, MCL__TAKES_PASSES), cases[k].words);
    }
    /* options that a recording cannot keep */
    const mcl_options waits[] = { { .driver_done = &event }, { .driver_wait = &event, .driver_wait_count = 1 } };
    queue.recording = &recording;
    for (size_t k = 0; k < COUNT_OF(waits); k++)
        ck_assert_int_eq(mcl__check_options(&queue, &waits[k], 0), MCL_ERROR_UNSUPPORTED);
    queue.recording = NULL;
    context.limits.loses_barriers = 1;
    ck_assert_int_eq(mcl__check_options(&queue, &(mcl_options){ .tile_threads = 2 }, 0), MCL_ERROR_UNSUPPORTED);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, a_name_is_an_identifier_and_no_word_of_a_language);
    tcase_add_test(tcase, types_and_operators_are_the_same_by_all_of_their_content);
    tcase_add_test(tcase, a_struct_is_refused_for_each_of_its_parts);
    tcase_add_test(tcase, an_output_is_wanted_for_each_of_its_members);
    tcase_add_test(tcase, an_index_of_a_struct_holds_what_its_text_says);
    tcase_add_test(tcase, an_operator_is_refused_for_each_of_its_types);
    tcase_add_test(tcase, a_combine_makes_what_scans_store_alone);
    tcase_add_test(tcase, a_role_is_the_one_that_a_call_needs);
    tcase_add_test(tcase, an_expression_is_replaced_where_it_reads_its_own_element_alone);
    tcase_add_loop_test(tcase, the_first_element_out_of_range_is_told, 0, 2);
    tcase_add_test(tcase, a_precondition_that_cannot_be_looked_for_is_told);
    tcase_add_test(tcase, options_are_refused_for_each_of_their_numbers);
}

int main(void)
{
    return test_main_host("checks", add);
}
