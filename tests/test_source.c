/* test_source.c: the assembled text of a program. The tests compare whole texts with tests/golden, and check includes,
 * line marks, equality of programs, MCL_KERNEL_DIR and launch bounds in NVIDIA's PTX. Golden texts are rewritten where
 * MCL_TEST_GOLDEN names a folder. */
#define _POSIX_C_SOURCE 200809L
#include "support/devices.h"
#include "support/folder.h"

#include "backends/opencl/opencl_internal.h"
#include "call/call.h"
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const mcl__limits limits = { .tuning_key = "Fake",
                                    .compute_units = 2,
                                    .local_memory = 32768,
                                    .max_threads = 256,
                                    .has_double = 1,
                                    .poll_limit = 100 };

/* clang-format off */
MCL_SOURCE(point_source,
typedef struct point { float x; float y; int32_t id; } point;
static inline int point_before(const point p, const point q) { return p.x < q.x; }
)
/* clang-format on */
static const mcl_type point_type = MCL_TYPE(point, point_source);

/* A merge of structs. A newcomer reads its golden text to learn what the library writes before a kernel. */
static const mcl_op before = { .role = MCL_ROLE_ORDER, .expression = "point_before(p, q)" };
static mcl_buffer fake_buffer; /* only its address matters */
static mcl_input input_a;
static mcl_input input_b;

static mcl__spec merge_spec(void)
{
    const float scale = 2;
    const mcl_binding bindings[] = { mcl_binding_buffer("table", &point_type, &fake_buffer, 0),
                                     mcl_binding_value("scale", MCL_FLOAT, &scale) };

    input_a = mcl_from_buffer(&point_type, &fake_buffer, 0, 100);
    input_b = mcl_from_expression(&point_type, "table[i * (int64_t)scale]", NULL, bindings, 2, 100);
    mcl__spec spec = { .file = "test_kernel.cl", .kernels = { "test_kernel" }, .tile = { 64, 7 }, .index_bits = 32 };
    spec.types[0].name = "key";
    spec.types[0].type = &point_type;
    spec.ops[0].name = "before";
    spec.ops[0].op = &before;
    spec.ops[0].role = MCL_ROLE_ORDER;
    spec.ops[0].element = &point_type;
    spec.inputs[0].name = "a";
    spec.inputs[0].input = &input_a;
    spec.inputs[1].name = "b";
    spec.inputs[1].input = &input_b;
    spec.outputs[0].name = "out";
    spec.outputs[0].type = &point_type;
    spec.defines[0].name = "HAS_VALUES";
    return spec;
}

/* Makes kernel files for the test, so that the golden text has the generated part and no kernel. */
static void make_kernels(folder *f)
{
    char path[FOLDER_PATH_BYTES + 64];
    const char dialect[] = "/* the dialect */\n";
    const char header[] = "#pragma once\nint once;\n";
    const char twice[] = "int often;\n";
    const char kernel[] = "/* the kernel */\n#include \"header.clh\"\n#include \"header.clh\"\n"
                          "#include \"twice.clh\"\n#include \"twice.clh\"\nint last;\n";

    folder_make(f);
    folder_file(f, "dialect.clh", path, sizeof path);
    file_write(path, dialect, strlen(dialect));
    folder_file(f, "header.clh", path, sizeof path);
    file_write(path, header, strlen(header));
    folder_file(f, "twice.clh", path, sizeof path);
    file_write(path, twice, strlen(twice));
    folder_file(f, "test_kernel.cl", path, sizeof path);
    file_write(path, kernel, strlen(kernel));
    test_variable_set("MCL_KERNEL_DIR", f->path);
}

static void assemble(const mcl__spec *spec, mcl__text *text)
{
    test_ok(mcl__source_assemble(&limits, "dialect.clh", spec, text));
}

/* Compares texts. The message has only the first line that differs, since whole texts are too long. */
static void same_lines(const char *text, const char *golden)
{
    for (int line = 1; *text || *golden; line++) {
        const size_t length = strcspn(text, "\n");
        const size_t golden_length = strcspn(golden, "\n");
        ck_assert_msg(length == golden_length && memcmp(text, golden, length) == 0,
                      "line %d is \"%.*s\" and must be \"%.*s\"; MCL_TEST_GOLDEN=FOLDER writes the text anew", line,
                      (int)length, text, (int)golden_length, golden);
        text += length + (text[length] != 0);
        golden += golden_length + (golden[golden_length] != 0);
    }
}

static void same_as_golden(const mcl__text *text, const char *name)
{
    static char golden[65536];
    char path[FOLDER_PATH_BYTES + 64];
    const char *rewrite = getenv("MCL_TEST_GOLDEN");

    snprintf(path, sizeof path, "%s/%s", rewrite ? rewrite : TEST_GOLDEN_DIR, name);
    if (rewrite) file_write(path, text->data, text->length);
    const size_t count = file_read(path, golden, sizeof golden - 1);
    golden[count] = 0;
    same_lines(text->data, golden);
}

START_TEST(the_assembled_text_is_the_golden_one)
{
    folder f;
    mcl__text text = { 0 };
    const mcl__spec spec = merge_spec();

    make_kernels(&f);
    assemble(&spec, &text);
    folder_remove(&f);
    same_as_golden(&text, "merge_points.cl.txt");
    mcl__text_free(&text);
}
END_TEST

/* ---- what a declaration adds ---------------------------------------------------------------------------------- */

enum { A = 1, GATHER, PLACED, OUTPUT, VALUES, FOLD, COUNT, EITHER };
enum { SPLIT, KEPT };

/* A declaration with every kind of argument. Two passes have one kernel, and the first of them is not in the program.
 * Two operands have one name. */
static const mcl__declaration declared = {
    .file = "test_kernel.cl",
    .operands = (mcl__operands){ [A] = { "a", .kind = MCL__INPUT },
                                 [GATHER] = { "gather", .kind = MCL__INPUT },
                                 [PLACED] = { "item", .kind = MCL__INPUT, .placed = 1 },
                                 [OUTPUT] = { "out", .kind = MCL__OUTPUT },
                                 [VALUES] = { "values", .kind = MCL__OUTPUT },
                                 [FOLD] = { "fold", .kind = MCL__OPERATOR },
                                 [COUNT] = { "count", .kind = MCL__RESULT },
                                 [EITHER] = { "a", .kind = MCL__INPUT } },
    .scratch = { [SPLIT] = { "split", "index_type" }, [KEPT] = { "kept", "uint" } },
    .scalars = { "splits", "turn", "capacity" },
    .by_value = { { "initial", "fold_type" }, { "limit", "int" } },
    .passes = (mcl__passes){ { "test_tiles", .arguments = { MCL__ENVIRONMENT, OPERAND(VALUES) } },
                             { "test_tiles",
                               .arguments = { MCL__ENVIRONMENT, OPERAND(A), OPERAND(EITHER), OPERAND(GATHER),
                                              OPERAND(PLACED), SCRATCH(SPLIT), SCRATCH(KEPT), AS_INDEX(0),
                                              OPERAND(OUTPUT), OPERAND(VALUES), OPERAND(COUNT), HAS_RESULT(COUNT),
                                              LIMIT(OUTPUT), AS_LONG(2), BY_VALUE(0), BY_VALUE(1) } },
                             { .name = "look_back_clear" },
                             { "test_spine", .arguments = { AS_INT(1), OPERAND(OUTPUT), MCL__STATES } } },
};

START_TEST(a_declaration_adds_parameters_and_what_stands_for_absent_operands)
{
    mcl_output out = { 0 };
    mcl_result counted = { 0 };
    mcl__text text = { 0 };
    const int initial = 1;
    mcl__call call = { &declared,
                       .operands = { [A].input = &input_a, [OUTPUT].output = &out, [COUNT].result = &counted } };

    call.passes = MCL__BIT(1) | MCL__BIT(2) | MCL__BIT(3);
    call.without = MCL__BIT(KEPT);
    call.by_value[0].bytes = &initial;
    mcl__call_text(&call, &text);
    same_as_golden(&text, "declared.cl.txt");
    mcl__text_clear(&text);
    call.without = MCL__NO_STATES;
    mcl__call_text(&call, &text);
    ck_assert_ptr_nonnull(strstr(text.data, "ARRAY_PARAM(index_type, split), ARRAY_PARAM(uint, kept), "));
    ck_assert_ptr_nonnull(strstr(text.data, "#define PARAMS_test_spine int turn, PARAMS_out\n"));
    mcl__text_free(&text);
}
END_TEST

static int occurrences(const char *text, const char *word)
{
    int count = 0;

    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) count++;
    return count;
}

START_TEST(a_users_text_stands_once_and_includes_keep_their_lines)
{
    folder f;
    mcl__text text = { 0 };
    const mcl__spec spec = merge_spec();

    make_kernels(&f);
    assemble(&spec, &text);
    ck_assert_int_eq(occurrences(text.data, "typedef struct point"), 1);
    ck_assert_int_eq(occurrences(text.data, "int often;"), 2);
    ck_assert_ptr_nonnull(strstr(text.data, "#line 1 \"test_kernel.cl\"\n/* the kernel */\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "#line 6 \"test_kernel.cl\"\nint last;\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "#define TILE_THREADS 64\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "#define TILE_ITEMS 7\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "#define INDEX_BITS 32\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "layout_of_point_differs_from_host"));
    mcl__text_free(&text);
    folder_remove(&f);
}
END_TEST

START_TEST(a_missing_include_is_named_with_the_file_that_wants_it)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 64];
    mcl__text text = { 0 };
    const mcl__spec spec = merge_spec();

    make_kernels(&f);
    folder_file(&f, "header.clh", path, sizeof path);
    remove(path);
    test_fails(mcl__source_assemble(&limits, "dialect.clh", &spec, &text), MCL_ERROR_BUILD,
               "test_kernel.cl|header.clh");
    mcl__text_free(&text);
    folder_remove(&f);
}
END_TEST

START_TEST(a_file_that_includes_itself_is_an_error)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 64];
    mcl__text text = { 0 };
    const mcl__spec spec = merge_spec();
    const char itself[] = "#include \"twice.clh\"\n";

    make_kernels(&f);
    folder_file(&f, "twice.clh", path, sizeof path);
    file_write(path, itself, strlen(itself));
    test_fails(mcl__source_assemble(&limits, "dialect.clh", &spec, &text), MCL_ERROR_BUILD, "twice.clh|itself");
    mcl__text_free(&text);
    folder_remove(&f);
}
END_TEST

START_TEST(every_embedded_kernel_finds_its_includes)
{
    static const char *const files[] = { "kernels/transform/transform.cl", "kernels/fold/reduce.cl",
                                         "kernels/fold/scan.cl",           "kernels/merge/merge.cl",
                                         "kernels/merge/cuts.cl",          "kernels/device/validate.cl" };
    static const char *const dialects[] = { "dialect/opencl.clh", "dialect/cuda.clh" };
    mcl__text text = { 0 };

    test_variable_set("MCL_KERNEL_DIR", NULL);
    for (size_t k = 0; k < 2 * sizeof files / sizeof files[0]; k++) {
        mcl__spec spec = merge_spec();
        spec.file = files[k / 2];
        ck_assert_ptr_nonnull(mcl__embedded_file(spec.file));
        test_ok(mcl__source_assemble(&limits, dialects[k % 2], &spec, &text));
        ck_assert_ptr_null(strstr(text.data, "\n#include"));
    }
    ck_assert_ptr_null(mcl__embedded_file("kernels/no_such_file.cl"));
    /* a header is found by its file's name, unless two headers have that name */
    ck_assert_str_eq(mcl__embedded_name("pieces/merge_path.clh"), "pieces/merge/merge_path.clh");
    ck_assert_str_eq(mcl__embedded_name("pieces/merge/merge_path.clh"), "pieces/merge/merge_path.clh");
    ck_assert_str_eq(mcl__embedded_name("kernels/old_room/segmented_tile.clh"),
                     "kernels/segmented_sort/segmented_tile.clh");
    ck_assert_str_eq(mcl__embedded_name("pieces/segment_group.clh"), "pieces/segment_group.clh");
    ck_assert_str_eq(mcl__embedded_name("pieces/path.clh"), "pieces/path.clh");
    ck_assert_str_eq(mcl__embedded_name("kernels/merge.cl"), "kernels/merge.cl");
    mcl__text_free(&text);
}
END_TEST

/* ---- a user's file, and what a device has -------------------------------------------------------------------- */

/* Names are as long as a guard can be, and longer. */
START_TEST(a_guard_has_the_letters_and_digits_of_a_name)
{
    char long_name[200] = "";
    char guard[160];
    mcl__text text = { 0 };
    mcl__spec spec = merge_spec();

    spec.text = "#pragma once\n#pragma once\nint mine;\n";
    spec.file = "aAzZ09_/:@[`{.cl";
    test_variable_set("MCL_KERNEL_DIR", NULL);
    test_ok(mcl__source_assemble(&limits, "dialect/opencl.clh", &spec, &text));
    ck_assert_ptr_nonnull(strstr(text.data, "#ifndef ONCE_aAzZ09________cl\n"));
    ck_assert_int_eq(occurrences(text.data, "#pragma once\n"), 1);
    memset(long_name, 'n', sizeof long_name - 1);
    spec.file = long_name;
    test_ok(mcl__source_assemble(&limits, "dialect/opencl.clh", &spec, &text));
    (void)snprintf(guard, sizeof guard, "#define ONCE_%.127s\n", long_name);
    ck_assert_ptr_nonnull(strstr(text.data, guard));
    mcl__text_free(&text);
}
END_TEST

START_TEST(a_kernel_that_is_only_declared_has_no_way_out)
{
    mcl__text text = { 0 };
    mcl__spec spec = merge_spec();

    spec.file = "mine.cl";
    spec.text = "MCL_KERNEL(8) one(int n);\nstruct s { int n; };\nMCL_KERNEL(16) two(int n)\n{ return; }\n"
                "MCL_KERNEL(32) three(int n); struct t { int n; };\n";
    test_variable_set("MCL_KERNEL_DIR", NULL);
    test_ok(mcl__source_assemble(&limits, "dialect/opencl.clh", &spec, &text));
    ck_assert_ptr_nonnull(strstr(text.data, "one(int n);\nstruct s { int n; };\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "two(int n)\n{ MCL_ENTER(16) return; }\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "three(int n); struct t { int n; };\n"));
    mcl__text_free(&text);
}
END_TEST

START_TEST(a_text_is_for_the_device_whose_limits_it_has)
{
    mcl_context context = { .limits = limits, .dialect = "dialect/opencl.clh" };
    mcl__text text = { 0 };
    const mcl__spec spec = merge_spec();
    const struct {
        mcl__sub_group_path path;
        int required, told;
    } cases[] = { { MCL__SUB_GROUP_NONE, 0, 0 },
                  { MCL__SUB_GROUP_NONE, 1, 0 },
                  { MCL__SUB_GROUP_KHR, 0, 0 },
                  { MCL__SUB_GROUP_KHR, 1, 1 } };

    test_variable_set("MCL_KERNEL_DIR", NULL);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char line[64];
        int is_for = 0;
        context.limits.sub_group_path = cases[k].path;
        context.limits.sub_group_required = cases[k].required;
        mcl__spec embedded = spec;
        embedded.file = "kernels/fold/scan.cl";
        test_ok(mcl__source_assemble(&context.limits, context.dialect, &embedded, &text));
        (void)snprintf(line, sizeof line, "#define MCL_SUB_GROUP_REQUIRED %d\n", cases[k].told);
        ck_assert_ptr_nonnull(strstr(text.data, line));
        test_ok(mcl__source_is_for(&context, text.data, &is_for));
        ck_assert_int_eq(is_for, 1);
        context.limits.has_half = 1;
        test_ok(mcl__source_is_for(&context, text.data, &is_for));
        ck_assert_int_eq(is_for, 0);
        context.limits.has_half = 0;
        context.dialect = "dialect/cuda.clh";
        test_ok(mcl__source_is_for(&context, text.data, &is_for));
        ck_assert_int_eq(is_for, 0);
        context.dialect = "dialect/opencl.clh";
    }
    mcl__text_free(&text);
}
END_TEST

/* ---- keys: equal exactly where the programs are -------------------------------------------------------------- */

static int same_key(const mcl__spec *a, const mcl__spec *b)
{
    mcl__text one = { 0 };
    mcl__text other = { 0 };

    mcl__spec_key(a, &one);
    mcl__spec_key(b, &other);
    const int same = one.length == other.length && memcmp(one.data, other.data, one.length) == 0;
    mcl__text_free(&one);
    mcl__text_free(&other);
    return same;
}

START_TEST(buffers_counts_and_values_do_not_make_another_program)
{
    const mcl__spec spec = merge_spec();
    mcl__spec copy = spec;
    mcl_input other_a = input_a;
    mcl_input other_b = input_b;
    char expression[64];
    const float other_scale = 3;

    snprintf(expression, sizeof expression, "%s", input_b.expression);
    other_a.count = 7;
    other_a.offset = 3;
    other_b.expression = expression;
    memcpy(other_b.bindings[1].value.bytes, &other_scale, sizeof other_scale);
    copy.inputs[0].input = &other_a;
    copy.inputs[1].input = &other_b;
    ck_assert(same_key(&spec, &copy));
}
END_TEST

START_TEST(texts_types_tiles_and_names_make_another_program)
{
    const mcl__spec spec = merge_spec();
    mcl__spec copies[16];
    mcl_input expression = input_b;
    mcl_input name = input_b;
    mcl_op other_before = before;
    mcl_type larger = point_type;

    for (int k = 0; k < 16; k++) copies[k] = spec;
    copies[0].tile.items = 8;
    copies[1].index_bits = 64;
    copies[2].defines[0].value = 1;
    expression.expression = "table[i * (int64_t)scale ]";
    copies[3].inputs[1].input = &expression;
    name.bindings[0].name = "tables";
    copies[4].inputs[1].input = &name;
    other_before.expression = "point_before(q, p)";
    copies[5].ops[0].op = &other_before;
    larger.size = 16;
    copies[6].outputs[0].type = &larger;
    copies[7].aliased = 1;
    copies[8].kernels[0] = "test_kernels";
    copies[9].declared.tables[0] = &declared;
    copies[10].declared.passes = 1;
    copies[11].declared.without = 1;
    copies[12].declared.values = 1;
    copies[13].inputs[1].count_alone = 1;
    copies[14].declared.tables[1] = &declared;
    copies[15].declared.operands = 1;
    for (int k = 0; k < 16; k++) {
        ck_assert_msg(!same_key(&spec, &copies[k]), "difference %d makes no other key", k);
        for (int j = 0; j < k; j++) ck_assert_msg(!same_key(&copies[j], &copies[k]), "%d and %d have one key", j, k);
    }
}
END_TEST

/* If a declaration gives the names, the key has the declaration's address, and the names that the call adds. */
START_TEST(names_that_a_declaration_tells_are_not_in_the_key)
{
    mcl__spec spec = merge_spec();
    mcl__text of_names = { 0 }, of_tables = { 0 };

    mcl__spec_key(&spec, &of_names);
    spec.declared.write = mcl__call_text;
    spec.declared.tables[0] = &spec;
    mcl__spec copies[4] = { spec, spec, spec, spec };
    mcl__spec_key(&spec, &of_tables);
    ck_assert_uint_lt(of_tables.length, of_names.length);
    copies[0].kernels[0] = "test_kernels";
    ck_assert(same_key(&spec, &copies[0]));
    copies[1].declared.tables[0] = &declared;
    copies[2].declared.operands = 2;
    copies[3].defines[0].value = 1;
    for (int k = 1; k < 4; k++) ck_assert_msg(!same_key(&spec, &copies[k]), "difference %d makes no other key", k);
    mcl__text_free(&of_names);
    mcl__text_free(&of_tables);
}
END_TEST

/* ---- launch bounds ------------------------------------------------------------------------------------------ */

#define ENTRY(name) ".entry " name "(\n\t.param .u64 " name "_param_0\n)\n"
#define BODY(text) "\n{\n\t// begin inline asm\n" text "\t// end inline asm\n\tret;\n}\n"

static void check_bounds(const char *ptx, const char *expected)
{
    mcl__text text = { 0 };
    mcl__text bounded = { 0 };

    mcl__text_append(&text, ptx);
    ck_assert_int_eq(mcl__opencl_ptx_bounds(&text, &bounded), expected != NULL);
    if (expected) {
        ck_assert_str_eq(bounded.data, expected);
        ck_assert_uint_eq(bounded.length, strlen(expected));
    }
    mcl__text_free(&text);
    mcl__text_free(&bounded);
}

START_TEST(ptx_gets_the_launch_bounds_of_kernels_that_ask_for_them)
{
    check_bounds(".version 9.0\n" ENTRY("first") ".reqntid 256, 1, 1" BODY("\t// groups 4\n\t// groups 4\n")
                     ENTRY("free") ".reqntid 64, 1, 1" BODY("\tbar.sync 0;\n")
                         ENTRY("zero") ".reqntid 32, 1, 1" BODY("\t// groups 0\n")
                             ENTRY("last") ".reqntid 128, 1, 1" BODY("\t// groups 12\n"),
                 ".version 9.0\n" ENTRY("first") ".reqntid 256, 1, 1\n.minnctapersm 4" BODY(
                     "\t// groups 4\n\t// groups 4\n") ENTRY("free") ".reqntid 64, 1, 1" BODY("\tbar.sync 0;\n")
                     ENTRY("zero") ".reqntid 32, 1, 1" BODY("\t// groups 0\n")
                         ENTRY("last") ".reqntid 128, 1, 1\n.minnctapersm 12" BODY("\t// groups 12\n"));
}
END_TEST

START_TEST(ptx_that_asks_for_no_bounds_or_is_cut_short_stays_as_it_is)
{
    check_bounds("", NULL);
    check_bounds(".version 9.0\n// groups 4\n", NULL);
    check_bounds(ENTRY("free") ".reqntid 64, 1, 1" BODY("\tret;\n"), NULL);
    check_bounds(ENTRY("zero") ".reqntid 64, 1, 1" BODY("\t// groups 0\n"), NULL);
    check_bounds(ENTRY("many") ".reqntid 64, 1, 1" BODY("\t// groups 65\n"), NULL);
    check_bounds(ENTRY("cut") ".reqntid 64, 1", NULL);
    check_bounds(ENTRY("cut") ".reqntid 64, 1, 1 // groups ", NULL);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, the_assembled_text_is_the_golden_one);
    tcase_add_test(tcase, a_declaration_adds_parameters_and_what_stands_for_absent_operands);
    tcase_add_test(tcase, a_users_text_stands_once_and_includes_keep_their_lines);
    tcase_add_test(tcase, a_missing_include_is_named_with_the_file_that_wants_it);
    tcase_add_test(tcase, a_file_that_includes_itself_is_an_error);
    tcase_add_test(tcase, every_embedded_kernel_finds_its_includes);
    tcase_add_test(tcase, a_guard_has_the_letters_and_digits_of_a_name);
    tcase_add_test(tcase, a_kernel_that_is_only_declared_has_no_way_out);
    tcase_add_test(tcase, a_text_is_for_the_device_whose_limits_it_has);
    tcase_add_test(tcase, buffers_counts_and_values_do_not_make_another_program);
    tcase_add_test(tcase, texts_types_tiles_and_names_make_another_program);
    tcase_add_test(tcase, names_that_a_declaration_tells_are_not_in_the_key);
    tcase_add_test(tcase, ptx_gets_the_launch_bounds_of_kernels_that_ask_for_them);
    tcase_add_test(tcase, ptx_that_asks_for_no_bounds_or_is_cut_short_stays_as_it_is);
}

int main(void)
{
    return test_main_host("source", add);
}
