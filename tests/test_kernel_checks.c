/* test_kernel_checks.c: the decisions of mcl_kernel_tile and mcl_kernel_launch before anything runs, on a device that
 * runs nothing. Each case differs in one condition from an accepted one. */
#include "support/devices.h"

#include "guided/idle_device.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { ELEMENTS = 100 };

/* A kernel with one pass and an argument of each kind, and a launch of it. */
typedef struct given {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffer, *results;
    mcl_kernel kernel;
    mcl_input in;
    mcl_output out;
    mcl_launch launch;
} given;

static const size_t scratch[] = { 64 };

static given given_open_at(int device)
{
    given of = { 0 };
    ck_assert_int_eq(idle_context(device, &of.context), MCL_OK);
    ck_assert_int_eq(mcl_queue_create(of.context, 0, &of.queue), MCL_OK);
    ck_assert_int_eq(mcl_buffer_create(of.context, ELEMENTS * sizeof(int32_t), NULL, &of.buffer), MCL_OK);
    ck_assert_int_eq(mcl_buffer_create(of.context, ELEMENTS * sizeof(int32_t), NULL, &of.results), MCL_OK);
    of.kernel = (mcl_kernel){
        .name = "checks.cl",
        .text = "MCL_KERNEL(1) run(void) { }",
        .passes = { { "run", "env in keys:array index_type int32_t pointer out", 1 } },
        .operators = { { "before", MCL_ROLE_ORDER, MCL_LESS, MCL_INT32 } },
        .inputs = { { .name = "in", .type = MCL_INT32 } },
        .outputs = { { "out", MCL_INT32 } },
        .index_bits = 32,
    };
    of.in = mcl_from_buffer(MCL_INT32, of.buffer, 0, ELEMENTS);
    of.out = mcl_to_buffer(MCL_INT32, of.results, 0, ELEMENTS);
    return of;
}

static given given_open(void)
{
    return given_open_at(0);
}

/* Makes the launch, which points to the operands, so these must stay where they are. */
static void launch_make(given *of)
{
    of->launch = (mcl_launch){ 0,
                               1,
                               { mcl_argument_input(&of->in), mcl_argument_scratch(0), mcl_argument_index(5),
                                 mcl_argument_int32(7), mcl_argument_buffer(NULL, 0), mcl_argument_output(&of->out) } };
}

static void given_close(given *of)
{
    mcl_buffer_release(of->results);
    mcl_buffer_release(of->buffer);
    mcl_queue_release(of->queue);
    mcl_context_release(of->context);
}

/* ---- plain values --------------------------------------------------------------------------------------------- */

START_TEST(a_tile_tells_parameters_and_groups)
{
    const mcl_tile tile = { .threads = 4, .items = 5, .parameter_count = 2, .parameters = { { "A", 3 }, { "B", 9 } } };
    const struct {
        mcl_tile tile;
        int64_t count, groups;
    } cases[] = {
        { tile, 1, 1 },           { tile, 20, 1 },
        { tile, 21, 2 },          { tile, 0, 0 },
        { tile, -1, 0 },          { { .threads = 4 }, 8, 0 },
        { { .items = 5 }, 8, 0 }, { { .threads = 1, .items = 1 }, 8, 8 },
    };
    ck_assert_int_eq(mcl_tile_parameter(&tile, "A", 7), 3);
    ck_assert_int_eq(mcl_tile_parameter(&tile, "B", 7), 9);
    ck_assert_int_eq(mcl_tile_parameter(&tile, "C", 7), 7);
    ck_assert_int_eq(mcl_tile_parameter(&tile, NULL, 7), 7);
    ck_assert_int_eq(mcl_tile_parameter(NULL, "A", 7), 7);
    for (size_t k = 0; k < COUNT_OF(cases); k++)
        ck_assert_msg(mcl_tile_groups(&cases[k].tile, cases[k].count) == cases[k].groups, "case %zu", k);
    ck_assert_int_eq(mcl_tile_groups(NULL, 8), 0);
}
END_TEST

/* ---- kernels -------------------------------------------------------------------------------------------------- */

/* Makes one change to the kernel. The library must then refuse the kernel with the given words and leave the tile
 * unchanged. */
#define REFUSED(change, status, words)                                                                                 \
    do {                                                                                                               \
        mcl_kernel changed = of.kernel;                                                                                \
        mcl_tile tile = { .threads = -3, .items = -5 };                                                                \
        change;                                                                                                        \
        test_fails(mcl_kernel_tile(of.queue, &changed, NULL, &tile), status, "mcl_kernel_tile: |" words);              \
        ck_assert_int_eq(tile.threads, -3);                                                                            \
        ck_assert_int_eq(tile.items, -5);                                                                              \
    } while (0)
#define TAKEN(change)                                                                                                  \
    do {                                                                                                               \
        mcl_kernel changed = of.kernel;                                                                                \
        mcl_tile tile = { .threads = -3, .items = -5 };                                                                \
        change;                                                                                                        \
        test_ok(mcl_kernel_tile(of.queue, &changed, NULL, &tile));                                                     \
        ck_assert_int_gt(tile.threads, 0);                                                                             \
        ck_assert_int_gt(tile.items, 0);                                                                               \
    } while (0)

START_TEST(a_kernel_is_refused_for_each_of_its_texts)
{
    static const mcl_type odd = { "pair", 8, 3, "typedef struct { int a, b; } pair;", 0, NULL, MCL_KIND_STRUCT };
    given of = given_open();
    TAKEN((void)0);
    REFUSED(changed.name = NULL, MCL_ERROR_ARGUMENT, "kernel has name \"NULL\"");
    REFUSED(changed.name = "", MCL_ERROR_ARGUMENT, "kernel has name \"\"");
    REFUSED(changed.name = "a\"b", MCL_ERROR_ARGUMENT, "kernel has name \"a\"b\"");
    REFUSED(changed.text = NULL, MCL_ERROR_ARGUMENT, "checks.cl has text NULL");
    REFUSED(changed.text = "", MCL_ERROR_ARGUMENT, "checks.cl has text \"\"");
    REFUSED(changed.index_bits = 31, MCL_ERROR_ARGUMENT, "index_bits 31; expected 32, 64 or 0");
    TAKEN(changed.index_bits = 0);
    TAKEN(changed.index_bits = 64);
    TAKEN(changed.operators[0].stored = MCL_INT64);
    REFUSED(changed.operators[0].stored = &odd, MCL_ERROR_ARGUMENT, "before|alignment 3");
    REFUSED(changed.types[0].name = "float", MCL_ERROR_ARGUMENT, "a type named \"float\"|leave free");
    given_close(&of);
}
END_TEST

/* A row of an earlier architecture fits later ones, since the number at its end may be smaller. */
START_TEST(rows_of_earlier_architectures_fit)
{
    static const struct {
        const char *device;
        int fits; /* "NVIDIA sm_90" */
    } cases[] = { { "NVIDIA sm_80", 1 }, { "NVIDIA sm_90", 1 }, { "NVIDIA sm_100", 0 },
                  { "NVIDIA sm_", 1 },   { "NVIDIA 80", 0 },    { "NVIDIA80", 0 },
                  { "80", 0 },           { "AMD sm_80", 0 },    { "", 1 } };
    given of = given_open_at(2);
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const mcl_tile_row row = { .device = cases[k].device, .threads = 32, .items = 3 };
        mcl_tile tile = { 0 };
        of.kernel.rows = &row;
        of.kernel.row_count = 1;
        test_ok(mcl_kernel_tile(of.queue, &of.kernel, NULL, &tile));
        ck_assert_msg((tile.threads == 32 && tile.items == 3) == cases[k].fits, "\"%s\": %d x %d", cases[k].device,
                      tile.threads, tile.items);
    }
    given_close(&of);
}
END_TEST

START_TEST(a_row_is_refused_for_each_of_its_numbers)
{
    static const struct {
        mcl_tile_row row;
        int is_taken;
    } cases[] = {
        { { .threads = 32, .items = 3, .element_bytes = 8 }, 1 },
        { { .threads = 1024, .items = 1 }, 1 },
        { { .threads = 1, .items = 1 << 24 }, 1 },
        { { .threads = -1, .items = 3 }, 0 },
        { { .threads = 1025, .items = 3 }, 0 },
        { { .threads = 32, .items = -3 }, 0 },
        { { .threads = 1, .items = (1 << 24) + 1 }, 0 },
        { { .threads = 32, .items = 3, .element_bytes = -1 }, 0 },
    };
    given of = given_open();
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        mcl_tile tile = { 0 };
        of.kernel.rows = &cases[k].row;
        of.kernel.row_count = 1;
        const mcl_status status = mcl_kernel_tile(of.queue, &of.kernel, NULL, &tile);
        ck_assert_msg(status == (cases[k].is_taken ? MCL_OK : MCL_ERROR_ARGUMENT), "case %zu", k);
        if (!cases[k].is_taken)
            test_fails(status, MCL_ERROR_ARGUMENT, "mcl_kernel_tile: row 0 of kernel checks.cl has");
    }
    REFUSED(changed.row_count = -1, MCL_ERROR_ARGUMENT, "row_count -1 and some rows");
    REFUSED(changed.rows = NULL, MCL_ERROR_ARGUMENT, "row_count 1 and no rows");
    TAKEN((changed.rows = NULL, changed.row_count = 0));
    given_close(&of);
}
END_TEST

START_TEST(a_word_is_a_whole_name)
{
    given of = given_open();
    REFUSED(changed.passes[0].arguments = "i", MCL_ERROR_ARGUMENT, "has the argument \"i\"");
    REFUSED(changed.passes[0].arguments = "inn", MCL_ERROR_ARGUMENT, "has the argument \"inn\"");
    REFUSED(changed.passes[0].arguments = "environment", MCL_ERROR_ARGUMENT, "has the argument \"environment\"");
    REFUSED(changed.passes[0].arguments = "int32_", MCL_ERROR_ARGUMENT, "has the argument \"int32_\"");
    TAKEN(changed.passes[0].arguments = "env");
    TAKEN(changed.passes[0].arguments = "  env  in ");
    TAKEN(changed.passes[0].arguments = "");
    TAKEN(changed.passes[0].arguments = NULL);
    given_close(&of);
}
END_TEST

/* ---- all that a kernel may have ------------------------------------------------------------------------------- */

static const char *const input_names[] = { "in_a", "in_b", "in_c", "in_d", "in_e", "in_f", "in_g", "in_h" };
static const char *const output_names[] = { "to_a", "to_b", "to_c", "to_d", "to_e", "to_f", "to_g", "to_h" };
static const char *const numbers[] = { "N_A", "N_B", "N_C", "N_D", "N_E", "N_F", "N_G", "N_H" };
static const char *const more[] = { "R_A", "R_B", "R_C", "R_D", "R_E", "R_F", "R_G", "R_H" };
static const char *const types[] = { "key", "value", "third", "fourth" };
static const char *const orders[] = { "before", "after", "beside" };
static const char *const passes[] = { "p_a", "p_b", "p_c", "p_d", "p_e", "p_f", "p_g", "p_h" };
static const char all_words[] = "in_a in_b in_c in_d in_e in_f in_g in_h to_a to_b to_c to_d to_e to_f to_g to_h "
                                "int32_t int32_t int32_t int32_t int32_t int32_t int32_t fourth";

static mcl_kernel full_kernel(mcl_tile_row *row)
{
    static const char text[] = "MCL_KERNEL(1) p_a() { } MCL_KERNEL(1) p_b() { } MCL_KERNEL(1) p_c() { } "
                               "MCL_KERNEL(1) p_d() { } MCL_KERNEL(1) p_e() { } MCL_KERNEL(1) p_f() { } "
                               "MCL_KERNEL(1) p_g() { } MCL_KERNEL(1) p_h() { }";
    mcl_kernel made = { .name = "full.cl", .text = text, .rows = row, .row_count = 1 };
    *row = (mcl_tile_row){ .threads = 32, .items = 3 };
    for (int k = 0; k < MCL_OPERANDS_MAX; k++) {
        made.inputs[k].name = input_names[k];
        made.inputs[k].type = MCL_INT32;
        made.outputs[k].name = output_names[k];
        made.outputs[k].type = MCL_INT32;
    }
    for (int k = 0; k < MCL_PARAMETERS_MAX; k++) {
        made.defines[k] = (mcl_parameter){ numbers[k], k };
        row->parameters[k] = (mcl_parameter){ more[k], 10 * k };
    }
    for (int k = 0; k < MCL_ROLES_MAX; k++) {
        made.types[k].name = types[k];
        made.types[k].type = MCL_INT64;
    }
    for (int k = 0; k < MCL_ROLES_MAX - 1; k++) {
        made.operators[k].name = orders[k];
        made.operators[k].role = MCL_ROLE_ORDER;
        made.operators[k].op = MCL_LESS;
        made.operators[k].element = MCL_INT32;
    }
    for (int k = 0; k < MCL_PASSES_MAX; k++) made.passes[k] = (mcl_pass){ passes[k], all_words, 1 };
    return made;
}

START_TEST(a_kernel_may_have_as_much_as_the_header_says)
{
    given of = given_open();
    mcl_tile_row row;
    const mcl_kernel kernel = full_kernel(&row);
    mcl_launch launch = { .pass = MCL_PASSES_MAX - 1, .groups = 1 };
    mcl_tile tile;
    const int64_t wide = 1;
    mcl_output outs[MCL_OPERANDS_MAX];
    test_ok(mcl_kernel_tile(of.queue, &kernel, NULL, &tile));
    ck_assert_int_eq(tile.parameter_count, MCL_PARAMETERS_MAX);
    for (int k = 0; k < MCL_PARAMETERS_MAX; k++) ck_assert_int_eq(mcl_tile_parameter(&tile, more[k], -1), 10 * k);
    for (int k = 0; k < MCL_OPERANDS_MAX; k++) {
        outs[k] = mcl_to_buffer(MCL_INT32, of.results, k, 1);
        launch.arguments[k] = mcl_argument_input(&of.in);
        launch.arguments[MCL_OPERANDS_MAX + k] = mcl_argument_output(&outs[k]);
        launch.arguments[2 * MCL_OPERANDS_MAX + k] = mcl_argument_int32(k);
    }
    test_fails(mcl_kernel_launch(of.queue, &kernel, &launch, 1, NULL, 0, NULL), MCL_ERROR_TYPE,
               "mcl_kernel_launch: argument 23 of launch 0 is int32_t|has fourth");
    launch.arguments[MCL_ARGUMENTS_MAX - 1] = mcl_argument_value(MCL_INT64, &wide);
    const int64_t before = idle_work;
    test_ok(mcl_kernel_launch(of.queue, &kernel, &launch, 1, NULL, 0, NULL));
    ck_assert_int_eq(idle_work, before + 1);
    given_close(&of);
}
END_TEST

/* ---- launches ------------------------------------------------------------------------------------------------- */

/* Makes one change to the launch. The library must then refuse the launch with the given words. The device gets no
 * work. */
#define LAUNCH_REFUSED(change, status, words)                                                                          \
    do {                                                                                                               \
        const int64_t work = idle_work;                                                                                \
        launch_make(&of);                                                                                              \
        change;                                                                                                        \
        test_fails(mcl_kernel_launch(of.queue, &of.kernel, &of.launch, 1, scratch, 1, NULL), status,                   \
                   "mcl_kernel_launch: |" words);                                                                      \
        ck_assert_int_eq(idle_work, work);                                                                             \
    } while (0)
#define LAUNCH_TAKEN(change)                                                                                           \
    do {                                                                                                               \
        launch_make(&of);                                                                                              \
        change;                                                                                                        \
        test_ok(mcl_kernel_launch(of.queue, &of.kernel, &of.launch, 1, scratch, 1, NULL));                             \
    } while (0)

START_TEST(a_launch_is_refused_for_each_of_its_numbers)
{
    given of = given_open();
    mcl_argument *const arguments = of.launch.arguments;
    const mcl_launch none = { 0 };
    LAUNCH_TAKEN((void)0);
    LAUNCH_REFUSED(of.launch.pass = -1, MCL_ERROR_ARGUMENT, "launch 0 has pass -1; expected 0 to 0");
    LAUNCH_REFUSED(of.launch.pass = 1, MCL_ERROR_ARGUMENT, "launch 0 has pass 1");
    LAUNCH_REFUSED(of.launch.groups = -1, MCL_ERROR_ARGUMENT, "launch 0 has groups -1");
    LAUNCH_REFUSED(of.launch.groups = (int64_t)INT32_MAX + 1, MCL_ERROR_ARGUMENT, "groups 2147483648");
    LAUNCH_REFUSED(arguments[1] = mcl_argument_scratch(-1), MCL_ERROR_ARGUMENT, "a piece of scratch that is not there");
    LAUNCH_REFUSED(arguments[1] = mcl_argument_scratch(1), MCL_ERROR_ARGUMENT, "a piece of scratch that is not there");
    LAUNCH_REFUSED(arguments[1] = mcl_argument_buffer(of.buffer, -1), MCL_ERROR_ARGUMENT, "from outside its bytes");
    LAUNCH_REFUSED(arguments[1] = mcl_argument_buffer(of.buffer, 401), MCL_ERROR_ARGUMENT, "from outside its bytes");
    LAUNCH_TAKEN(arguments[1] = mcl_argument_buffer(of.buffer, 400));
    LAUNCH_REFUSED(arguments[2] = mcl_argument_index((int64_t)INT32_MAX + 1), MCL_ERROR_ARGUMENT, "32 bits");
    LAUNCH_REFUSED(arguments[2] = mcl_argument_index((int64_t)INT32_MIN - 1), MCL_ERROR_ARGUMENT, "32 bits");
    LAUNCH_TAKEN(arguments[2] = mcl_argument_index(INT32_MIN));
    of.kernel.index_bits = 64;
    LAUNCH_TAKEN(arguments[2] = mcl_argument_index(INT64_MIN));
#define LISTS(launches, launch_count, pieces, piece_count)                                                             \
    mcl_kernel_launch(of.queue, &of.kernel, launches, launch_count, pieces, piece_count, NULL)
    test_ok(LISTS(NULL, 0, NULL, 0));
    test_fails(LISTS(NULL, 1, NULL, 0), MCL_ERROR_ARGUMENT,
               "mcl_kernel_launch: launch_count is 1 and launches is NULL");
    test_fails(LISTS(&none, -1, NULL, 0), MCL_ERROR_ARGUMENT, "mcl_kernel_launch: launch_count is -1");
    test_fails(LISTS(NULL, 0, scratch, -1), MCL_ERROR_ARGUMENT, "mcl_kernel_launch: scratch_count is -1");
    test_fails(LISTS(NULL, 0, scratch, 9), MCL_ERROR_ARGUMENT, "mcl_kernel_launch: scratch_count is 9");
    test_fails(LISTS(NULL, 0, NULL, 1), MCL_ERROR_ARGUMENT,
               "mcl_kernel_launch: scratch_count is 1 and scratch is NULL");
    given_close(&of);
}
END_TEST

/* Indices of 32 bits count fewer than 2^31 - 2^24 elements. */
START_TEST(operands_are_as_long_as_an_index_counts)
{
    const int64_t most = (INT64_C(1) << 31) - (1 << 24) - 1;
    given of = given_open();
    mcl_buffer *large = NULL;
    const mcl_input form = mcl_from_expression(MCL_INT32, "(int32_t)i", NULL, NULL, 0, 1);
    ck_assert_int_eq(mcl_buffer_create(of.context, (size_t)most + 1, NULL, &large), MCL_OK);
    of.kernel.inputs[0].form = &form;
    of.kernel.outputs[0].type = MCL_INT8;
    of.in = mcl_from_expression(MCL_INT32, "(int32_t)i", NULL, NULL, 0, most);
    of.out = mcl_to_buffer(MCL_INT8, large, 0, most);
    LAUNCH_TAKEN((void)0);
    LAUNCH_REFUSED(of.in.count = most + 1, MCL_ERROR_ARGUMENT, "an input of 2^31 - 2^24 elements or more");
    of.in.count = most;
    LAUNCH_REFUSED(of.out.capacity = most + 1, MCL_ERROR_ARGUMENT, "an output of 2^31 - 2^24 elements or more");
    of.kernel.index_bits = 64;
    LAUNCH_TAKEN((of.in.count = most + 1, of.out.capacity = most + 1));
    mcl_buffer_release(large);
    given_close(&of);
}
END_TEST

START_TEST(an_expression_has_the_declared_form_in_each_part)
{
    const int32_t number = 3;
    const int64_t wide = 3;
    given of = given_open();
    const mcl_binding bound[] = { mcl_binding_value("t", MCL_INT32, &number) };
    const mcl_binding renamed[] = { mcl_binding_value("u", MCL_INT32, &number) };
    const mcl_binding retyped[] = { mcl_binding_value("t", MCL_INT64, &wide) };
    const mcl_binding array[] = { mcl_binding_buffer("t", MCL_INT32, of.buffer, 0) };
#define FORM(type, text, source, bindings, count) mcl_from_expression(type, text, source, bindings, count, 10)
    const mcl_input form = FORM(MCL_INT32, "1", "int a;", bound, 1);
    const mcl_input others[] = {
        FORM(MCL_INT64, "1", "int a;", bound, 1),   FORM(MCL_INT32, "2", "int a;", bound, 1),
        FORM(MCL_INT32, "1", "int b;", bound, 1),   FORM(MCL_INT32, "1", "int a;", NULL, 0),
        FORM(MCL_INT32, "1", "int a;", renamed, 1), FORM(MCL_INT32, "1", "int a;", retyped, 1),
        FORM(MCL_INT32, "1", "int a;", array, 1),   mcl_from_buffer(MCL_INT32, of.buffer, 0, 10),
    };
    of.kernel.inputs[0].form = &form;
    LAUNCH_TAKEN(of.in = FORM(MCL_INT32, "1", "int a;", bound, 1));
    for (size_t k = 0; k < COUNT_OF(others); k++)
        LAUNCH_REFUSED(of.in = others[k], MCL_ERROR_TYPE, "expected an input of the declared form");
    const mcl_input plain = mcl_from_buffer(MCL_INT32, of.buffer, 0, 1);
    of.kernel.inputs[0].form = &plain;
    LAUNCH_TAKEN(of.in = others[7]);
    LAUNCH_REFUSED(of.in = form, MCL_ERROR_TYPE, "expected an input of the declared form");
    given_close(&of);
}
END_TEST

/* The first launch with a slot decides the slot's type for the call. */
START_TEST(count_slots_of_a_call_have_one_type)
{
    given of = given_open();
    const mcl_input none = of.in;
    const mcl_input narrow = mcl_with_count_of(of.in, MCL_INT32, of.buffer, 0);
    const mcl_input wide = mcl_with_count_of(of.in, MCL_INT64, of.buffer, 0);
    const struct {
        const mcl_input *first, *second;
        int is_taken;
    } cases[] = {
        { &none, &none, 1 },     { &none, &wide, 1 }, { &narrow, &none, 1 },
        { &narrow, &narrow, 1 }, { &wide, &wide, 1 }, { &narrow, &wide, 0 },
    };
    launch_make(&of);
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        mcl_launch launches[2] = { of.launch, of.launch };
        launches[0].arguments[0] = mcl_argument_input(cases[k].first);
        launches[1].arguments[0] = mcl_argument_input(cases[k].second);
        const mcl_status status = mcl_kernel_launch(of.queue, &of.kernel, launches, 2, scratch, 1, NULL);
        ck_assert_msg(status == (cases[k].is_taken ? MCL_OK : MCL_ERROR_TYPE), "case %zu: %s", k, mcl_last_error());
        if (!cases[k].is_taken) test_fails(status, MCL_ERROR_TYPE, "argument 0 of launch 1 is|another type");
    }
    given_close(&of);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, a_tile_tells_parameters_and_groups);
    tcase_add_test(tcase, a_kernel_is_refused_for_each_of_its_texts);
    tcase_add_test(tcase, rows_of_earlier_architectures_fit);
    tcase_add_test(tcase, a_row_is_refused_for_each_of_its_numbers);
    tcase_add_test(tcase, a_word_is_a_whole_name);
    tcase_add_test(tcase, a_kernel_may_have_as_much_as_the_header_says);
    tcase_add_test(tcase, a_launch_is_refused_for_each_of_its_numbers);
    tcase_add_test(tcase, operands_are_as_long_as_an_index_counts);
    tcase_add_test(tcase, an_expression_has_the_declared_form_in_each_part);
    tcase_add_test(tcase, count_slots_of_a_call_have_one_type);
}

int main(void)
{
    return test_main_host("kernel_checks", add);
}
