/* test_texts.c: the explanation of a user's text that a compiler rejects: its own line, a caret, the names that it may
 * use. The logs come from each compiler; where NVRTC exists, it makes its own. */
#include "support/devices.h"

#include "backends/cuda/cuda_internal.h"
#include "program/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const mcl__limits limits = { .max_threads = 256, .poll_limit = 100, .has_double = 1 };

/* A kernel with a line that the library changes: it writes MCL_ENTER after the brace. */
static const char kernel_text[] = "/* mine */\n"
                                  "MCL_KERNEL(1) mine(PARAMS_in, PARAMS_out, PARAMS_env int unused) { int y = zz;\n"
                                  "\tint z = yy;\n"
                                  "}\n";

/* The texts of a user, by their role; NULL where there is none. */
typedef struct texts {
    const mcl_op *op;
    mcl_role role;
    const mcl_input *input;
} texts;

static void assemble(const char *dialect, const texts *given, mcl__spec *spec, mcl__text *source)
{
    static mcl_input counting;

    counting = mcl_from_expression(MCL_INT32, "i", NULL, NULL, 0, 100);
    *spec = (mcl__spec){
        .file = "mine.cl", .text = kernel_text, .kernels = { "mine" }, .tile = { 1, 1 }, .index_bits = 32
    };
    spec->inputs[0].name = "in";
    spec->inputs[0].input = given->input ? given->input : &counting;
    spec->outputs[0].name = "out";
    spec->outputs[0].type = MCL_INT32;
    if (given->op) {
        spec->ops[0].name = "keep";
        spec->ops[0].op = given->op;
        spec->ops[0].role = given->role;
        spec->ops[0].element = spec->ops[0].value = MCL_INT32;
    }
    test_ok(mcl__source_assemble(&limits, dialect, spec, source));
}

/* Checks the explanation of a log. expected NULL: there must be none. */
static void explains(const texts *given, const char *log, const char *expected)
{
    mcl__spec spec;
    mcl__text source = { 0 }, told = { 0 };

    assemble("dialect/opencl.clh", given, &spec, &source);
    mcl__explain(&spec, source.data, log, &told);
    ck_assert_str_eq(told.data ? told.data : "", expected);
    mcl__text_free(&told);
    mcl__text_free(&source);
}

static const mcl_op wrong_order = { .expression = "a < b" };
static const char names_of_an_order[] =
    "the expression of keep has the unknown names a and b; an order has p and q, two elements: write p for a and q "
    "for b\n    a < b\n    ^";

START_TEST(each_compilers_log_leads_to_the_operators_own_line)
{
    static const char *const logs[] = {
        /* POCL 3.1 */
        "error: <keep: expression>:1:15: use of undeclared identifier 'a'\n"
        "error: <keep: expression>:1:19: use of undeclared identifier 'b'\nDevice cpu failed to build the program\n",
        /* Intel's */
        "Compilation started\ndialect/opencl.clh:18:26: warning: OpenCL extension 'x' unknown\n   18 | #pragma x\n"
        "<keep: expression>:1:15: error: use of undeclared identifier 'a'\n    1 |     return !!(a < b\n      |     ^\n"
        "<keep: expression>:1:19: error: use of undeclared identifier 'b'\nCompilation failed\n",
        /* rusticl */
        "<keep: expression>:1:15: error: use of undeclared identifier 'a'\n"
        "<keep: expression>:1:19: error: use of undeclared identifier 'b'\nError executing LLVM compilation action.\n",
        /* NVRTC 13.0 */
        "<keep: expression>(1): error: identifier \"a\" is undefined\n      return !!(a < b\n                ^\n\n"
        "<keep: expression>(1): error: identifier \"b\" is undefined\n      return !!(a < b\n                    ^\n\n"
        "2 errors detected in the compilation of \"k.cl\".\n",
    };
    const texts given = { .op = &wrong_order, .role = MCL_ROLE_ORDER };

    for (size_t k = 0; k < sizeof logs / sizeof logs[0]; k++) explains(&given, logs[k], names_of_an_order);
}
END_TEST

/* NVRTC's caret gives the column. Without a caret there is none. */
START_TEST(a_caret_has_two_blanks_before_it_at_least)
{
    static const struct {
        const char *below;
        int column; /* expected column of the name; 0: none */
    } cases[] = {
        { "      return !!(a < b\n                ^\n", 1 },
        { "      return !!(a < b\n                x\n", 0 },
        { "      return !!(a < b\n                \n", 0 },
        { "^\n^\n", 0 },
        { "      return !!(a < b\n ^\n", 0 },
        { "      return !!(a < b", 0 },
    };
    const mcl_op op = { .expression = "a < q + p" };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char log[200], told[200];
        (void)snprintf(log, sizeof log, "<keep: expression>(1): error: identifier \"a\" is undefined\n%s",
                       cases[k].below);
        (void)snprintf(told, sizeof told,
                       "the expression of keep has the unknown name a; an order has p and q, two elements\n"
                       "    a < q + p\n    %s",
                       cases[k].column ? "^" : "");
        explains(&(texts){ .op = &op, .role = MCL_ROLE_ORDER }, log, told);
    }
}
END_TEST

/* A kernel is the user's only if its text is the user's; its file's name does not count. */
START_TEST(a_kernel_of_the_library_is_left_to_the_log)
{
    mcl__spec spec;
    mcl__text source = { 0 }, told = { 0 };

    assemble("dialect/opencl.clh", &(texts){ 0 }, &spec, &source);
    spec.text = NULL;
    mcl__explain(&spec, source.data, "error: mine.cl:3:10: use of undeclared identifier 'yy'\n", &told);
    ck_assert_ptr_null(told.data);
    mcl__text_free(&told);
    mcl__text_free(&source);
}
END_TEST

/* Oclgrind has removed the #line marks, and NVIDIA's OpenCL ignores them. */
START_TEST(some_compilers_lines_are_those_of_the_whole_text)
{
    static const char *const files[] = { "input.cl", "<kernel>" };
    const texts given = { .op = &wrong_order, .role = MCL_ROLE_ORDER };
    mcl__spec spec;
    mcl__text source = { 0 };
    char log[256];
    int line = 1;

    assemble("dialect/opencl.clh", &given, &spec, &source);
    const char *const here = strstr(source.data, "    return !!(a < b");
    ck_assert_ptr_nonnull(here);
    for (const char *c = source.data; c < here; c++) line += *c == '\n';
    mcl__text_free(&source);
    for (int k = 0; k < 2; k++) {
        (void)snprintf(log, sizeof log,
                       "%s:%d:15: error: use of undeclared identifier 'a'\n    return !!(a < b\n              ^\n"
                       "%s:%d:19: error: use of undeclared identifier 'b'\n",
                       files[k], line, files[k], line);
        explains(&given, log, names_of_an_order);
    }
}
END_TEST

#define ERROR_AT(file, place, message) "error: <" file ">:" place ": " message "\n"
#define UNKNOWN(name) "use of undeclared identifier '" name "'"

/* A text with an error, and the expected sentence. */
static const struct {
    mcl_op op;
    mcl_role role;
    const char *log, *told;
} list[] = {
    { { .expression = "y > 3" },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:15", UNKNOWN("y")),
      "the expression of keep has the unknown name y; a test has x, the element, and i, its index: write x for y\n"
      "    y > 3\n    ^" },
    { { .expression = "x > limit" },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:19", UNKNOWN("limit")),
      "the expression of keep has the unknown name limit; a test has x, the element, and i, its index\n"
      "    x > limit\n        ^" },
    { { .expression = "x > (3" },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "2:6", "expected ')'"),
      "the expression of keep does not compile: expected ')' at its end; a test has x, the element, and i, its index\n"
      "    x > (3\n          ^" },
    { { .expression = "x >\n\tnone(x)" },
      MCL_ROLE_INDEX,
      ERROR_AT("keep: expression", "2:2", UNKNOWN("none")),
      "line 2 of the expression of keep has the unknown name none; an index has x, the element, and i, its index\n"
      "    \tnone(x)\n    \t^" },
    { { .expression = "p + r" },
      MCL_ROLE_FOLD,
      ERROR_AT("keep: expression", "1:17", UNKNOWN("r")),
      "the expression of keep has the unknown name r; a fold has p and q, two accumulated values: write q for r\n"
      "    p + r\n        ^" },
    { { .expression = "p + q", .extract = "p" },
      MCL_ROLE_FOLD,
      ERROR_AT("keep: extract", "1:13", UNKNOWN("p")),
      "the extract of keep has the unknown name p; an extract has x, the element, and i, its index: write x for p\n"
      "    p\n    ^" },
    { { .expression = "p + q", .extract = MCL__COUNTED_TEST_OPENING "y > 3" MCL__COUNTED_TEST_CLOSING },
      MCL_ROLE_FOLD,
      ERROR_AT("keep: extract", "1:25", UNKNOWN("y")),
      "the expression of test has the unknown name y; a test has x, the element, and i, its index: write x for y\n"
      "    y > 3\n    ^" },
    { { .expression = "p + q", .combine = "x + p" },
      MCL_ROLE_FOLD,
      ERROR_AT("keep: combine", "1:17", UNKNOWN("p")),
      "the combine of keep has the unknown name p; a combine has x, the element, and v, the value of the fold: write v "
      "for p\n    x + p\n        ^" },
    { { .expression = "p + q", .identity = "x" },
      MCL_ROLE_FOLD,
      ERROR_AT("keep: identity", "1:13", UNKNOWN("x")),
      "the identity of keep has the unknown name x; an identity has no names of its own\n    x\n    ^" },
    { { .expression = "f(x)", .source = "int f(int x) {\n  return w; }" },
      MCL_ROLE_TEST,
      ERROR_AT("keep: source", "2:10", UNKNOWN("w")),
      "line 2 of the source of keep has the unknown name w\n      return w; }\n             ^" },
    { { .expression = "y > z" }, /* two errors for one missing name */
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:15", UNKNOWN("y")) ERROR_AT("keep: expression", "1:19", UNKNOWN("z")),
      "the expression of keep has the unknown names y and z; a test has x, the element, and i, its index\n"
      "    y > z\n    ^" },
    /* the second line is the end that the library gives an expression; the third line has no end */
    { { .expression = "x >\n    );\n3" },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "2:5", "expected expression"),
      "line 2 of the expression of keep does not compile: expected expression; a test has x, the element, and i, its "
      "index\n        );\n        ^" },
    { { .expression = "sqrt(x) > 2" }, /* POCL's functions are macros */
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:15 <Spelling=/share/pocl/renames.h:187:24>", "call to '_cl_sqrt' is ambiguous"),
      "the expression of keep does not compile: call to 'sqrt' is ambiguous; a test has x, the element, and i, its "
      "index: convert the arguments to one type that the function takes, as in (float)x\n    sqrt(x) > 2\n    ^" },
    { { .expression = "abs(x - 0.5f) < 1" },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:15", "call to 'abs' is ambiguous"),
      "the expression of keep does not compile: call to 'abs' is ambiguous; a test has x, the element, and i, its "
      "index: write fabs where x is a float\n    abs(x - 0.5f) < 1\n    ^" },
    { { .expression = "x > 3 and x < 5" },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:21", "expected ')'"),
      "the expression of keep does not compile: expected ')'; a test has x, the element, and i, its index: write && "
      "for and\n    x > 3 and x < 5\n          ^" },
    { { .expression = "not i" },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:15", UNKNOWN("not")),
      "the expression of keep has the unknown name not; a test has x, the element, and i, its index: write ! for not\n"
      "    not i\n    ^" },
    { { .expression = "x = 3" },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:17", "cannot assign to variable 'x'"),
      "the expression of keep does not compile: cannot assign to variable 'x'; a test has x, the element, and i, its "
      "index: write == to compare\n    x = 3\n      ^" },
    { { .expression = "len(i) > 2" }, /* a function has no x */
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:15", UNKNOWN("len")),
      "the expression of keep has the unknown name len; a test has x, the element, and i, its index\n"
      "    len(i) > 2\n    ^" },
    { { .expression = "pt{ p.x }" },
      MCL_ROLE_FOLD,
      ERROR_AT("keep: expression", "1:15", "expected ')'"),
      "the expression of keep does not compile: expected ')'; a fold has p and q, two accumulated values: a function "
      "in "
      "source makes a struct\n    pt{ p.x }\n      ^" },
    { { .expression = "x % 2" },
      MCL_ROLE_INDEX,
      ERROR_AT("keep: expression", "1:15", "invalid operands to binary expression ('float' and 'int')"),
      "the expression of keep does not compile: invalid operands to binary expression ('float' and 'int'); an index "
      "has "
      "x, the element, and i, its index: write fmod(x, y) for floats\n    x % 2\n      ^" },
    { { .expression = "x > m", .binding_count = 1, .bindings = { { .name = "m" } } },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:17",
               "invalid operands to binary expression ('int' and 'const __global int *const __private')"),
      "the expression of keep does not compile: invalid operands to binary expression ('int' and 'const __global int "
      "*const __private'); a test has x, the element, and i, its index, and the bound m: write NAME[i] for an element "
      "of a bound array\n    x > m\n      ^" },
    { { .expression = "x == m", .binding_count = 2, .bindings = { { .name = "low" }, { .name = "high" } } },
      MCL_ROLE_TEST,
      ERROR_AT("keep: expression", "1:20", UNKNOWN("m")),
      "the expression of keep has the unknown name m; a test has x, the element, and i, its index, and the bound low "
      "and high\n    x == m\n         ^" },
};

START_TEST(a_sentence_has_the_names_of_the_role)
{
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        mcl_op op = list[k].op;
        for (int b = 0; b < op.binding_count; b++) op.bindings[b].type = MCL_INT32;
        explains(&(texts){ .op = &op, .role = list[k].role }, list[k].log, list[k].told);
    }
}
END_TEST

START_TEST(an_inputs_expression_is_told_too)
{
    const mcl_input input = mcl_from_expression(MCL_INT32, "2 * k", NULL, NULL, 0, 100);

    static const char told[] =
        "the expression of in has the unknown name k; an input has i, the element's index: write i for k\n"
        "    2 * k\n        ^";

    explains(&(texts){ .input = &input }, ERROR_AT("in: input", "1:17", UNKNOWN("k")), told);
    explains(&(texts){ .op = &wrong_order, .role = MCL_ROLE_ORDER, .input = &input },
             ERROR_AT("in: input", "1:17", UNKNOWN("k")), told);
}
END_TEST

START_TEST(a_kernels_line_is_the_users_own)
{
    const texts given = { 0 };
    char log[128];
    mcl__spec spec;
    mcl__text source = { 0 };

    explains(&given, "error: mine.cl:3:10: use of undeclared identifier 'yy'\n",
             "line 3 of mine.cl has the unknown name yy\n    \tint z = yy;\n    \t        ^");
    assemble("dialect/opencl.clh", &given, &spec, &source);
    const char *const here = strstr(source.data, "zz;");
    ck_assert_ptr_nonnull(here);
    const char *line = here;
    while (line[-1] != '\n') line--;
    (void)snprintf(log, sizeof log, "mine.cl:2:%d: error: use of undeclared identifier 'zz'\n", (int)(here - line) + 1);
    mcl__text_free(&source);
    explains(&given, log,
             "line 2 of mine.cl has the unknown name zz\n"
             "    MCL_KERNEL(1) mine(PARAMS_in, PARAMS_out, PARAMS_env int unused) { int y = zz;\n"
             "                                                                               ^");
}
END_TEST

START_TEST(a_long_line_is_cut_around_the_error)
{
    char text[600] = "", log[128], line[256];
    mcl_op op = { .expression = text };
    mcl__text told = { 0 }, source = { 0 };
    mcl__spec spec;

    for (int k = 0; k < 100; k++) strcat(text, k == 50 ? "y + " : "x + ");
    strcat(text, "x");
    assemble("dialect/opencl.clh", &(texts){ .op = &op, .role = MCL_ROLE_TEST }, &spec, &source);
    (void)snprintf(log, sizeof log, ERROR_AT("keep: expression", "1:%d", UNKNOWN("y")), 15 + 4 * 50);
    mcl__explain(&spec, source.data, log, &told);
    const char *const shown = strchr(told.data, '\n') + 1, *const marks = strchr(shown, '\n') + 1;
    ck_assert_int_eq(shown[strlen(marks) - 1], 'y');
    ck_assert_int_eq(marks[strlen(marks) - 1], '^');
    (void)snprintf(line, sizeof line, "%.*s", (int)(marks - 1 - shown), shown);
    ck_assert_uint_lt(strlen(line), 120);
    ck_assert_int_eq(strncmp(line, "    ...", 7), 0);
    mcl__text_free(&told);
    mcl__text_free(&source);
}
END_TEST

START_TEST(an_error_elsewhere_is_left_to_the_log)
{
    const texts given = { .op = &wrong_order, .role = MCL_ROLE_ORDER };
    static const char *const logs[] = {
        "",
        "error: <generated>:12:3: " UNKNOWN("a") "\n",
        "error: kernels/sort/sort.cl:3:1: " UNKNOWN("a") "\n",
        "warning: <keep: expression>:1:15: unused\n",
        "<keep: expression>:1:15: note: to match this\n",
        "<keep: expression>:99:15: error: " UNKNOWN("a") "\n",
        "input.cl:99999:15: error: " UNKNOWN("a") "\n",
        "error: <keep: expression>\n",
        "(1): error: ",
        ":2:5: error: " UNKNOWN("a") "\n",
        "<keep: expression>:1234567890:15: error: " UNKNOWN("a") "\n",
        "error: dialect/opencl.clh:1:1: " UNKNOWN("a") "\n",
        ":1:",
    };

    for (size_t k = 0; k < sizeof logs / sizeof logs[0]; k++) explains(&given, logs[k], "");
}
END_TEST

/* Returns NVRTC's log of a text, NULL where it compiles. */
static char *nvrtc_log(const char *source)
{
    static const char *const options[] = { "--device-as-default-execution-space", "--std=c++17", "--disable-warnings" };
    nvrtcProgram program = NULL;
    size_t bytes = 0;
    char *log = NULL;

    ck_assert_int_eq(mcl__nvrtc.CreateProgram(&program, source, "mine.cl", 0, NULL, NULL), NVRTC_SUCCESS);
    if (mcl__nvrtc.CompileProgram(program, 3, options) != NVRTC_SUCCESS) {
        ck_assert_int_eq(mcl__nvrtc.GetProgramLogSize(program, &bytes), NVRTC_SUCCESS);
        log = calloc(1, bytes + 1);
        ck_assert_ptr_nonnull(log);
        ck_assert_int_eq(mcl__nvrtc.GetProgramLog(program, log), NVRTC_SUCCESS);
    }
    mcl__nvrtc.DestroyProgram(&program);
    return log;
}

START_TEST(nvrtc_itself_leads_to_the_operators_own_line)
{
    const texts given = { .op = &wrong_order, .role = MCL_ROLE_ORDER };
    mcl__spec spec;
    mcl__text source = { 0 }, told = { 0 };

    if (mcl__nvrtc_missing()) {
        fputs("nvrtc_itself_leads_to_the_operators_own_line: left out, NVRTC is not there\n", stderr);
        return;
    }
    assemble("dialect/cuda.clh", &given, &spec, &source);
    char *const log = nvrtc_log(source.data);
    ck_assert_ptr_nonnull(log);
    mcl__explain(&spec, source.data, log, &told);
    ck_assert_msg(told.data && strcmp(told.data, names_of_an_order) == 0, "%s\n%s", told.data ? told.data : "", log);
    free(log);
    mcl__text_free(&told);
    mcl__text_free(&source);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, each_compilers_log_leads_to_the_operators_own_line);
    tcase_add_test(tcase, some_compilers_lines_are_those_of_the_whole_text);
    tcase_add_test(tcase, a_caret_has_two_blanks_before_it_at_least);
    tcase_add_test(tcase, a_kernel_of_the_library_is_left_to_the_log);
    tcase_add_test(tcase, a_sentence_has_the_names_of_the_role);
    tcase_add_test(tcase, an_inputs_expression_is_told_too);
    tcase_add_test(tcase, a_kernels_line_is_the_users_own);
    tcase_add_test(tcase, a_long_line_is_cut_around_the_error);
    tcase_add_test(tcase, an_error_elsewhere_is_left_to_the_log);
    tcase_add_test(tcase, nvrtc_itself_leads_to_the_operators_own_line);
}

int main(void)
{
    return test_main_host("texts", add);
}
