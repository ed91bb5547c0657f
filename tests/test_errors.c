/* test_errors.c: each error that a primitive's header promises, once. The test checks its code, the words of its
 * sentence, and that nothing was written. */
#include "support/arrays.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 100 };

/* Operands that are accepted. Each test makes one of them wrong. */
typedef struct fixture {
    mcl_queue *queue;
    mcl_buffer *in;  /* buffer of 0, 1, 2 ... */
    mcl_buffer *out; /* buffer of 2 * COUNT elements */
    int32_t content[2 * COUNT];
} fixture;

static fixture begin(int device)
{
    fixture f = { .queue = test_device_at(device)->queue };
    int32_t data[COUNT];

    for (int k = 0; k < COUNT; k++) data[k] = k;
    memset(f.content, 0x31, sizeof f.content);
    f.in = ARRAY_OF(device, data);
    f.out = ARRAY_OF(device, f.content);
    return f;
}

static void end(int device, fixture *f)
{
    int32_t got[2 * COUNT];

    ARRAY_READ(device, f->out, got);
    ck_assert_mem_eq(got, f->content, sizeof got);
    mcl_buffer_release(f->in);
    mcl_buffer_release(f->out);
}

#define ARGUMENT(call, words) test_fails(call, MCL_ERROR_ARGUMENT, words)
#define TYPE_ERROR(call, words) test_fails(call, MCL_ERROR_TYPE, words)

/* clang-format off */
MCL_SOURCE(pair_source,
typedef struct pair { int32_t first; int32_t second; } pair;
)
/* clang-format on */
static const mcl_type pair_type = MCL_TYPE(pair, pair_source);

/* ---- operands, by the example of transform --------------------------------------------------------------------- */

START_TEST(a_missing_queue_is_named)
{
    fixture f = begin(_i);
    int32_t sum;

    ARGUMENT(mcl_transform(NULL, ints(f.in, COUNT), ints_out(f.out, COUNT), NULL), "mcl_transform|queue is NULL");
    ARGUMENT(mcl_reduce(NULL, ints(f.in, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL),
             "mcl_reduce|queue is NULL");
    end(_i, &f);
}
END_TEST

START_TEST(a_negative_count_is_named)
{
    fixture f = begin(_i);

    ARGUMENT(mcl_transform(f.queue, ints(f.in, -1), ints_out(f.out, COUNT), NULL), "mcl_transform|in|count|-1");
    end(_i, &f);
}
END_TEST

START_TEST(a_range_past_the_end_of_its_buffer_is_named)
{
    fixture f = begin(_i);

    ARGUMENT(mcl_transform(f.queue, mcl_from_buffer(MCL_INT32, f.in, 1, COUNT), ints_out(f.out, COUNT), NULL),
             "mcl_transform|in|100");
    ARGUMENT(mcl_transform(f.queue, mcl_from_buffer(MCL_INT32, f.in, INT64_MAX, 1), ints_out(f.out, COUNT), NULL),
             "mcl_transform|in");
    ARGUMENT(mcl_transform(f.queue, mcl_from_buffer(MCL_INT32, f.in, -1, 1), ints_out(f.out, COUNT), NULL),
             "mcl_transform|in|-1");
    ARGUMENT(mcl_transform(f.queue, ints(f.in, COUNT), ints_out(f.out, 2 * COUNT + 1), NULL), "mcl_transform|out");
    end(_i, &f);
}
END_TEST

START_TEST(a_short_output_is_named)
{
    fixture f = begin(_i);

    ARGUMENT(mcl_transform(f.queue, ints(f.in, COUNT), ints_out(f.out, COUNT - 1), NULL), "mcl_transform|out|99|100");
    ARGUMENT(mcl_scan(f.queue, ints(f.in, COUNT), ints_out(f.out, COUNT), MCL_ADD, MCL_EXCLUSIVE_WITH_TOTAL,
                      mcl_to_nowhere(), NULL),
             "mcl_scan|out|100|101");
    ARGUMENT(mcl_merge(f.queue, ints(f.in, COUNT), ints(f.in, COUNT), ints_out(f.out, 2 * COUNT - 1), MCL_LESS, NULL),
             "mcl_merge|out|199|200");
    end(_i, &f);
}
END_TEST

START_TEST(a_missing_buffer_is_named)
{
    fixture f = begin(_i);

    ARGUMENT(mcl_transform(f.queue, ints(NULL, COUNT), ints_out(f.out, COUNT), NULL), "mcl_transform|in");
    ARGUMENT(mcl_transform(f.queue, ints(f.in, COUNT), ints_out(NULL, COUNT), NULL), "mcl_transform|out");
    end(_i, &f);
}
END_TEST

START_TEST(a_missing_type_is_named)
{
    fixture f = begin(_i);
    mcl_type nameless = pair_type;
    mcl_type large = pair_type;

    nameless.name = NULL;
    large.size = 65;
    ARGUMENT(mcl_transform(f.queue, mcl_from_buffer(NULL, f.in, 0, 1), ints_out(f.out, 1), NULL),
             "mcl_transform|in|type");
    ARGUMENT(
        mcl_transform(f.queue, mcl_from_buffer(&nameless, f.in, 0, 1), mcl_to_buffer(&nameless, f.out, 0, 1), NULL),
        "mcl_transform|in|identifier");
    ARGUMENT(mcl_transform(f.queue, mcl_from_buffer(&large, f.in, 0, 1), mcl_to_buffer(&large, f.out, 0, 1), NULL),
             "mcl_transform|pair|65|64");
    end(_i, &f);
}
END_TEST

START_TEST(operands_of_two_contexts_do_not_mix)
{
    fixture f = begin(_i);
    mcl_context *other = test_context(_i);
    mcl_buffer *foreign = NULL;

    test_ok(mcl_buffer_create(other, COUNT * sizeof(int32_t), NULL, &foreign));
    ARGUMENT(mcl_transform(f.queue, ints(foreign, COUNT), ints_out(f.out, COUNT), NULL), "mcl_transform|in|context");
    ARGUMENT(mcl_transform(f.queue, ints(f.in, COUNT), ints_out(foreign, COUNT), NULL), "mcl_transform|out|context");
    mcl_buffer_release(foreign);
    mcl_context_release(other);
    end(_i, &f);
}
END_TEST

START_TEST(overlapping_operands_are_named)
{
    fixture f = begin(_i);
    const mcl_binding table = mcl_binding_buffer("table", MCL_INT32, f.out, 0);
    const mcl_input shifted = mcl_from_expression(MCL_INT32, "table[i + 1]", NULL, &table, 1, COUNT);

    ARGUMENT(mcl_transform(f.queue, mcl_from_buffer(MCL_INT32, f.out, 1, COUNT), ints_out(f.out, COUNT), NULL),
             "mcl_transform|out|overlap|in");
    ARGUMENT(mcl_transform(f.queue, shifted, mcl_to_buffer(MCL_INT32, f.out, 1, COUNT), NULL),
             "mcl_transform|overlap|table");
    ARGUMENT(mcl_scan(f.queue, mcl_from_buffer(MCL_INT32, f.out, 1, COUNT), ints_out(f.out, COUNT), MCL_ADD,
                      MCL_EXCLUSIVE, mcl_to_nowhere(), NULL),
             "mcl_scan|out|overlap|in");
    ARGUMENT(
        mcl_merge(f.queue, ints(f.out, 10), ints(f.in, 10), mcl_to_buffer(MCL_INT32, f.out, 9, 20), MCL_LESS, NULL),
        "mcl_merge|out|overlap|a");
    ARGUMENT(mcl_merge(f.queue, ints(f.in, 10), ints(f.out, 10), ints_out(f.out, 20), MCL_LESS, NULL),
             "mcl_merge|out|overlap|b");
    end(_i, &f);
}
END_TEST

START_TEST(a_struct_becomes_no_other_type)
{
    fixture f = begin(_i);

    TYPE_ERROR(mcl_transform(f.queue, mcl_from_buffer(&pair_type, f.in, 0, 10), ints_out(f.out, 10), NULL),
               "mcl_transform|pair|int32_t");
    end(_i, &f);
}
END_TEST

START_TEST(options_out_of_range_are_named)
{
    fixture f = begin(_i);
    const mcl_options threads = { .tile_threads = -1 };
    const mcl_options items = { .tile_items = -2 };
    const mcl_options flags = { .flags = 1u << 20 };
    const mcl_options waits = { .wait_count = 2 };

    ARGUMENT(mcl_transform(f.queue, ints(f.in, COUNT), ints_out(f.out, COUNT), &threads),
             "mcl_transform|tile_threads|-1");
    ARGUMENT(mcl_transform(f.queue, ints(f.in, COUNT), ints_out(f.out, COUNT), &items), "mcl_transform|tile_items|-2");
    ARGUMENT(mcl_transform(f.queue, ints(f.in, COUNT), ints_out(f.out, COUNT), &flags), "mcl_transform|flags|0x100000");
    ARGUMENT(mcl_transform(f.queue, ints(f.in, COUNT), ints_out(f.out, COUNT), &waits), "mcl_transform|wait_count|2");
    end(_i, &f);
}
END_TEST

START_TEST(a_bad_count_slot_is_named)
{
    fixture f = begin(_i);

    ARGUMENT(mcl_transform(f.queue, mcl_with_count(ints(f.in, COUNT), f.in, COUNT / 2), ints_out(f.out, COUNT), NULL),
             "mcl_transform|count");
    ARGUMENT(mcl_transform(f.queue, mcl_with_count(ints(f.in, COUNT), f.in, -1), ints_out(f.out, COUNT), NULL),
             "mcl_transform|count|-1");
    ARGUMENT(mcl_transform(f.queue, mcl_with_count(ints(f.in, COUNT), f.out, 1), ints_out(f.out, COUNT), NULL),
             "mcl_transform|out|overlap|count slot");
    end(_i, &f);
}
END_TEST

START_TEST(bad_bindings_are_named)
{
    fixture f = begin(_i);
    const int32_t one = 1;
    const mcl_binding twice[] = { mcl_binding_value("same", MCL_INT32, &one),
                                  mcl_binding_value("same", MCL_INT32, &one) };
    const mcl_binding nameless = mcl_binding_value(NULL, MCL_INT32, &one);
    mcl_input many = mcl_from_expression(MCL_INT32, "1", NULL, NULL, 0, COUNT);

    ARGUMENT(mcl_transform(f.queue, mcl_from_expression(MCL_INT32, "same", NULL, twice, 2, COUNT),
                           ints_out(f.out, COUNT), NULL),
             "mcl_transform|in|same");
    ARGUMENT(mcl_transform(f.queue, mcl_from_expression(MCL_INT32, "1", NULL, &nameless, 1, COUNT),
                           ints_out(f.out, COUNT), NULL),
             "mcl_transform|in|bind");
    many.binding_count = MCL_BINDINGS_MAX + 1;
    ARGUMENT(mcl_transform(f.queue, many, ints_out(f.out, COUNT), NULL), "mcl_transform|in|binding_count 17");
    end(_i, &f);
}
END_TEST

/* Some reserved names of each kind are refused. Other names may be used, although the library's texts have some too. */
START_TEST(reserved_names_are_refused_by_name)
{
    static const char *const reserved[] = {
        "half",   "float4",     "uchar16", "double2",   "float2x2", "longlong2", "bool",       "int32_t", "size_t",
        "kernel", "global",     "local",   "private",   "constant", "image2d_t", "sampler_t",  "or",      "xor_eq",
        "class",  "this",       "new",     "co_await",  "char8_t",  "restrict",  "inline",     "NULL",    "INFINITY",
        "dim3",   "threadIdx",  "LESS",    "INDEXED",   "UNROLL",   "env_type",  "index_type", "MCL_ANY", "__x",
        "_Bool",  "TILE_ITEMS", "while",   "read_only", "uint",     "typename",  "atomic_int", "true",    "auto",
    };
    static const char *const free[] = { "depth", "n",     "out",     "values", "env",   "mix",    "carry",   "float5",
                                        "x4",    "half_", "kernels", "int4x",  "orbit", "_lower", "mcl_mine" };
    fixture f = begin(_i);
    const int32_t one = 1;

    for (size_t k = 0; k < sizeof reserved / sizeof reserved[0]; k++) {
        const char *const name = reserved[k];
        const mcl_binding binding = mcl_binding_value(name, MCL_INT32, &one);
        const mcl_type type = { .name = name, .size = 4, .source = "none", .kind = MCL_KIND_STRUCT };
        const mcl_member bad = { .name = name, .offset = 0 };
        mcl_type with = { .name = "whole", .size = 4, .source = "none", .kind = MCL_KIND_STRUCT };
        mcl_kernel kernel = { .name = "k.cl", .text = "none", .passes = { { name, "" } } };
        mcl_op op = { .role = MCL_ROLE_TEST, .expression = "x > 0", .binding_count = 1, .bindings = { binding } };
        mcl_tile tile;
        with.members = &bad;
        with.member_count = 1;
        ARGUMENT(mcl_transform(f.queue, mcl_from_expression(MCL_INT32, "1", NULL, &binding, 1, COUNT),
                               ints_out(f.out, COUNT), NULL),
                 name);
        ARGUMENT(mcl_find_if(f.queue, mcl_from_counting(MCL_INT32, &one, COUNT), &op, mcl_to_nowhere(), NULL), name);
        ARGUMENT(
            mcl_transform(f.queue, mcl_from_expression(&type, "1", NULL, NULL, 0, COUNT), ints_out(f.out, COUNT), NULL),
            name);
        ARGUMENT(
            mcl_transform(f.queue, mcl_from_expression(&with, "1", NULL, NULL, 0, COUNT), ints_out(f.out, COUNT), NULL),
            name);
        ARGUMENT(mcl_kernel_tile(f.queue, &kernel, NULL, &tile), name);
    }
    mcl_buffer *own = array_empty(_i, 4 * COUNT);
    for (size_t k = 0; k < sizeof free / sizeof free[0]; k++) {
        const mcl_binding binding = mcl_binding_value(free[k], MCL_INT32, &one);
        test_ok(mcl_transform(f.queue, mcl_from_expression(MCL_INT32, free[k], NULL, &binding, 1, COUNT),
                              ints_out(own, COUNT), NULL));
    }
    mcl_buffer_release(own);
    end(_i, &f);
}
END_TEST

START_TEST(double_on_a_device_without_it_is_unsupported)
{
    fixture f = begin(_i);

    if (!test_device_at(_i)->info.has_double)
        test_fails(mcl_transform(f.queue, mcl_from_buffer(MCL_DOUBLE, f.in, 0, 10),
                                 mcl_to_buffer(MCL_DOUBLE, f.out, 0, 10), NULL),
                   MCL_ERROR_UNSUPPORTED, "mcl_transform|double");
    else
        test_skip(_i, "double_on_a_device_without_it_is_unsupported", "has double");
    end(_i, &f);
}
END_TEST

START_TEST(an_operator_without_a_role_takes_the_one_that_the_call_needs)
{
    fixture f = begin(_i);
    const mcl_op sum = { .expression = "p + q", .identity = "0" }, even = { .expression = "x % 2 == 0" };
    const mcl_op later = { .expression = "p > q" }, with_identity = { .expression = "p < q", .identity = "0" };
    const mcl_op no_such = { .role = (mcl_role)99, .expression = "p < q" };
    int32_t total = 0;
    int64_t kept = 0;

    test_ok(mcl_reduce(f.queue, ints(f.in, COUNT), &sum, mcl_to_host(MCL_INT32, &total), NULL));
    ck_assert_int_eq(total, COUNT * (COUNT - 1) / 2);
    test_ok(mcl_count_if(f.queue, ints(f.in, COUNT), &even, mcl_to_host(MCL_INT64, &kept), NULL));
    ck_assert_int_eq(kept, COUNT / 2);
    test_ok(mcl_sort(f.queue, ints(f.in, COUNT), ints_out(f.out, COUNT), &later, NULL));
    ARRAY_READ(_i, f.out, f.content);
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(f.content[k], COUNT - 1 - k);
    ARGUMENT(mcl_sort(f.queue, ints(f.in, COUNT), ints_out(f.out, COUNT), &with_identity, NULL),
             "mcl_sort|before has an identity, as folds have; expected an order such as MCL_LESS");
    ARGUMENT(mcl_sort(f.queue, ints(f.in, COUNT), ints_out(f.out, COUNT), &no_such, NULL),
             "mcl_sort|before is an operator of a role that there is not; expected an order such as MCL_LESS");
    end(_i, &f);
}
END_TEST

/* ---- texts that the device's compiler rejects -------------------------------------------------------------------- */

START_TEST(an_expression_that_does_not_compile_gives_the_log_with_the_expression)
{
    fixture f = begin(_i);
    const mcl_input bad = mcl_from_expression(MCL_INT32, "i + no_such_name", NULL, NULL, 0, COUNT);
    const char words[] = "mcl_transform: the expression of in has the unknown name no_such_name; an input has i|"
                         "\n    i + no_such_name\n        ^\n|does not compile for ";

    test_fails(mcl_transform(f.queue, bad, ints_out(f.out, COUNT), NULL), MCL_ERROR_BUILD, words);
    /* the failure is remembered and reported again */
    test_fails(mcl_transform(f.queue, bad, ints_out(f.out, COUNT), NULL), MCL_ERROR_BUILD, words);
    end(_i, &f);
}
END_TEST

START_TEST(a_comparator_that_does_not_compile_gives_the_log)
{
    fixture f = begin(_i);
    const mcl_op bad = { .role = MCL_ROLE_ORDER, .expression = "missing_before(p, q)" };

    test_fails(mcl_merge(f.queue, ints(f.in, 10), ints(f.in, 10), ints_out(f.out, 20), &bad, NULL), MCL_ERROR_BUILD,
               "missing_before");
    end(_i, &f);
}
END_TEST

START_TEST(the_names_of_the_role_are_told_where_a_text_has_others)
{
    fixture f = begin(_i);
    const mcl_op order = { .expression = "a < b" }, test = { .expression = "x > (3" };

    test_fails(mcl_merge(f.queue, ints(f.in, 10), ints(f.in, 10), ints_out(f.out, 20), &order, NULL), MCL_ERROR_BUILD,
               "mcl_merge: the expression of before has the unknown names a and b; an order has p and q|"
               ": write p for a and q for b\n    a < b\n    ^\n");
    test_fails(mcl_compact(f.queue, ints(f.in, 10), ints_out(f.out, 20), &test, mcl_to_nowhere(), NULL),
               MCL_ERROR_BUILD,
               "mcl_compact: the expression of keep does not compile: expected |; a test has x, the element, and i|"
               "\n    x > (3\n          ^\n");
    end(_i, &f);
}
END_TEST

START_TEST(an_error_in_a_kernel_shows_its_line)
{
    fixture f = begin(_i);
    const mcl_output out = ints_out(f.out, COUNT);
    const mcl_kernel mine = { .name = "mine.cl",
                              .text = "MCL_KERNEL(1) fill(PARAMS_out)\n{\n    const output_out out = MAKE_out;\n"
                                      "    store_out(out, 0, wrong);\n}\n",
                              .outputs = { { .name = "out", .type = MCL_INT32 } },
                              .passes = { { .name = "fill", .arguments = "out", .threads = 1 } } };
    const mcl_launch launch = { 0, 1, { mcl_argument_output(&out) } };

    test_fails(mcl_kernel_launch(f.queue, &mine, &launch, 1, NULL, 0, NULL), MCL_ERROR_BUILD,
               "mcl_kernel_launch: line 4 of mine.cl has the unknown name wrong\n"
               "        store_out(out, 0, wrong);\n                          ^\n");
    end(_i, &f);
}
END_TEST

START_TEST(a_layout_that_differs_from_the_host_is_a_build_error_that_says_so)
{
    fixture f = begin(_i);
    const mcl_member members[] = { { "first", 4 }, { "second", 0 } };
    mcl_type larger = pair_type;
    mcl_type swapped = pair_type;

    larger.size = 12;
    swapped.member_count = 2;
    swapped.members = members;
    test_fails(mcl_transform(f.queue, mcl_from_buffer(&larger, f.in, 0, 5), mcl_to_buffer(&larger, f.out, 0, 5), NULL),
               MCL_ERROR_BUILD, "layout_of_pair_differs_from_host");
    test_fails(
        mcl_transform(f.queue, mcl_from_buffer(&swapped, f.in, 0, 5), mcl_to_buffer(&swapped, f.out, 0, 5), NULL),
        MCL_ERROR_BUILD, "layout_of_pair_differs_from_host");
    end(_i, &f);
}
END_TEST

/* ---- each primitive's own -------------------------------------------------------------------------------------- */

START_TEST(scatter_names_what_does_not_fit)
{
    fixture f = begin(_i);
    const mcl_input values = ints(f.in, COUNT);
    const float real = 1;
    const mcl_input reals = mcl_from_constant(MCL_FLOAT, &real, COUNT);
    const mcl_output out = ints_out(f.out, COUNT);

    TYPE_ERROR(mcl_scatter(f.queue, values, reals, out, NULL), "mcl_scatter|indices|float");
    TYPE_ERROR(mcl_scatter(f.queue, values, values, mcl_to_buffer(MCL_INT64, f.out, 0, COUNT), NULL),
               "mcl_scatter|out|int64_t");
    TYPE_ERROR(mcl_scatter_flagged(f.queue, values, values, reals, out, NULL), "mcl_scatter_flagged|flags|float");
    ARGUMENT(mcl_scatter(f.queue, values, ints(f.in, COUNT - 1), out, NULL), "mcl_scatter|indices|99|100");
    ARGUMENT(mcl_scatter_flagged(f.queue, values, values, ints(f.in, COUNT - 1), out, NULL),
             "mcl_scatter_flagged|flags|99|100");
    ARGUMENT(mcl_scatter(f.queue, ints(f.out, COUNT), values, out, NULL), "mcl_scatter|out|overlap|values");
    end(_i, &f);
}
END_TEST

START_TEST(random_names_what_does_not_fit)
{
    fixture f = begin(_i);
    const int32_t low = 5;
    const int32_t high = 4;

    ARGUMENT(mcl_random(f.queue, ints_out(f.out, COUNT), 1, 0, &low, &high, NULL), "mcl_random|high|low");
    ARGUMENT(mcl_random(f.queue, ints_out(f.out, COUNT), 1, 0, NULL, &high, NULL), "mcl_random|low");
    TYPE_ERROR(mcl_random(f.queue, mcl_to_buffer(MCL_HALF, f.out, 0, COUNT), 1, 0, &low, &low, NULL),
               "mcl_random|out|half");
    TYPE_ERROR(mcl_random(f.queue, mcl_to_buffer(&pair_type, f.out, 0, COUNT), 1, 0, &low, &low, NULL),
               "mcl_random|out|pair");
    end(_i, &f);
}
END_TEST

START_TEST(reduce_names_what_does_not_fit)
{
    fixture f = begin(_i);
    const mcl_op first = { .role = MCL_ROLE_FOLD, .expression = "p" };
    const mcl_op empty = { .role = MCL_ROLE_FOLD, .expression = "" };
    int32_t sum = 77;
    const mcl_result result = mcl_to_host(MCL_INT32, &sum);

    ARGUMENT(mcl_reduce(f.queue, ints(f.in, 0), &first, result, NULL), "mcl_reduce|identity|initial");
    ARGUMENT(mcl_reduce(f.queue, ints(f.in, COUNT), NULL, result, NULL), "mcl_reduce|op is NULL");
    ARGUMENT(mcl_reduce(f.queue, ints(f.in, COUNT), &empty, result, NULL), "mcl_reduce|op|expression");
    TYPE_ERROR(mcl_reduce(f.queue, ints(f.in, COUNT), MCL_ADD, mcl_to_slot(&pair_type, f.out, 0), NULL),
               "mcl_reduce|result|pair");
    TYPE_ERROR(
        mcl_reduce(f.queue, mcl_from_buffer(&pair_type, f.in, 0, 10), MCL_ADD, mcl_to_slot(&pair_type, f.out, 0), NULL),
        "mcl_reduce|pair");
    ARGUMENT(mcl_reduce(f.queue, ints(f.in, COUNT), MCL_ADD, mcl_to_slot(MCL_INT32, f.out, 2 * COUNT), NULL),
             "mcl_reduce|result");
    ARGUMENT(mcl_reduce(f.queue, ints(f.out, COUNT), MCL_ADD, mcl_to_slot(MCL_INT32, f.out, 3), NULL),
             "mcl_reduce|result|overlap");
    ck_assert_int_eq(sum, 77);
    end(_i, &f);
}
END_TEST

START_TEST(scan_names_what_does_not_fit)
{
    fixture f = begin(_i);
    const mcl_op sum_without_identity = { .role = MCL_ROLE_FOLD, .expression = "p + q" };
    const mcl_input in = ints(f.in, COUNT);

    ARGUMENT(mcl_scan(f.queue, in, ints_out(f.out, COUNT), MCL_ADD, 9, mcl_to_nowhere(), NULL), "mcl_scan|kind|9");
    ARGUMENT(
        mcl_scan(f.queue, in, ints_out(f.out, COUNT), &sum_without_identity, MCL_EXCLUSIVE, mcl_to_nowhere(), NULL),
        "mcl_scan|identity|initial");
    TYPE_ERROR(mcl_scan(f.queue, in, mcl_to_buffer(&pair_type, f.out, 0, COUNT), MCL_ADD, MCL_EXCLUSIVE,
                        mcl_to_nowhere(), NULL),
               "mcl_scan|out|pair");
    ARGUMENT(
        mcl_scan(f.queue, in, ints_out(f.out, COUNT), MCL_ADD, MCL_EXCLUSIVE, mcl_to_slot(MCL_INT32, f.out, 5), NULL),
        "mcl_scan|total|overlap");
    end(_i, &f);
}
END_TEST

START_TEST(merge_names_what_does_not_fit)
{
    fixture f = begin(_i);
    const mcl_input in = ints(f.in, 10);
    const mcl_input other = mcl_from_buffer(MCL_UINT32, f.in, 0, 10);
    const mcl_output out = ints_out(f.out, 20);
    const mcl_output values = mcl_to_buffer(MCL_INT32, f.out, 20, 20);

    ARGUMENT(mcl_merge(f.queue, in, in, out, NULL, NULL), "mcl_merge|before is NULL");
    TYPE_ERROR(mcl_merge(f.queue, in, other, out, MCL_LESS, NULL), "mcl_merge|int32_t|uint32_t");
    TYPE_ERROR(mcl_merge(f.queue, in, in, mcl_to_buffer(MCL_INT64, f.out, 0, 20), MCL_LESS, NULL),
               "mcl_merge|out|int64_t");
    TYPE_ERROR(mcl_merge_pairs(f.queue, in, in, in, other, out, values, MCL_LESS, NULL),
               "mcl_merge_pairs|values|uint32_t");
    ARGUMENT(mcl_merge_pairs(f.queue, in, ints(f.in, 9), in, in, out, values, MCL_LESS, NULL),
             "mcl_merge_pairs|a_values|9|10");
    ARGUMENT(mcl_merge_pairs(f.queue, in, in, in, in, out, out, MCL_LESS, NULL),
             "mcl_merge_pairs|out_keys|out_values|overlap");
    end(_i, &f);
}
END_TEST

START_TEST(partition_names_what_does_not_fit)
{
    fixture f = begin(_i);
    const mcl_input in = ints(f.in, COUNT);
    const float real = 1;
    const mcl_output out = ints_out(f.out, COUNT);

    ARGUMENT(mcl_cut_search(f.queue, in, COUNT, 0, MCL_LOWER, out, NULL), "mcl_cut_search|tile|0");
    ARGUMENT(mcl_cut_search(f.queue, in, -1, 4, MCL_LOWER, out, NULL), "mcl_cut_search|count|-1");
    ARGUMENT(mcl_cut_search(f.queue, in, COUNT, 1, MCL_LOWER, out, NULL), "mcl_cut_search|out|101");
    ARGUMENT(mcl_cut_search(f.queue, in, COUNT, 4, (mcl_bounds)7, out, NULL), "mcl_cut_search|bounds|7");
    TYPE_ERROR(mcl_cut_search(f.queue, mcl_from_constant(MCL_FLOAT, &real, 10), COUNT, 4, MCL_LOWER, out, NULL),
               "mcl_cut_search|data|float");
    TYPE_ERROR(mcl_cut_search(f.queue, in, COUNT, 4, MCL_LOWER, mcl_to_buffer(MCL_INT16, f.out, 0, COUNT), NULL),
               "mcl_cut_search|out|int16_t");
    TYPE_ERROR(mcl_cut_search(f.queue, mcl_from_counting(MCL_INT64, &(int64_t){ 0 }, INT64_C(3000000000)),
                              INT64_C(6000000000), INT64_C(1000000000), MCL_LOWER, out, NULL),
               "mcl_cut_search|out|MCL_INT64");
    ARGUMENT(mcl_cut_merge_path(f.queue, in, in, 4, 3, MCL_LOWER, out, MCL_LESS, NULL),
             "mcl_cut_merge_path|pair_tiles|3");
    ARGUMENT(mcl_cut_merge_path(f.queue, in, in, 0, 0, MCL_LOWER, out, MCL_LESS, NULL), "mcl_cut_merge_path|tile|0");
    ARGUMENT(mcl_cut_merge_path(f.queue, in, in, 4, 0, MCL_LOWER, out, NULL, NULL),
             "mcl_cut_merge_path|before is NULL");
    end(_i, &f);
}
END_TEST

/* ---- the sentence itself ---------------------------------------------------------------------------------------- */

static int told;
static char told_sentence[512];

static void tell(mcl_status status, const char *sentence, void *user)
{
    ck_assert_int_eq(status, MCL_ERROR_ARGUMENT);
    ck_assert_ptr_eq(user, &told);
    snprintf(told_sentence, sizeof told_sentence, "%s", sentence);
    told++;
}

START_TEST(a_log_function_is_told_each_failure)
{
    told = 0;
    mcl_log_set(tell, &told);
    ck_assert_int_eq(mcl_queue_finish(NULL), MCL_ERROR_ARGUMENT);
    mcl_log_set(NULL, NULL);
    ck_assert_int_eq(mcl_queue_finish(NULL), MCL_ERROR_ARGUMENT);
    ck_assert_int_eq(told, 1);
    ck_assert_str_eq(told_sentence, mcl_last_error());
    (void)_i;
}
END_TEST

START_TEST(every_status_has_its_name)
{
#define X(name, value, text) ck_assert_str_eq(mcl_status_name(name), #name);
    MCL_STATUS_LIST(X)
#undef X
    ck_assert_str_eq(mcl_status_name((mcl_status)-99), "unknown status");
    (void)_i;
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, a_missing_queue_is_named, device);
    test_add(tcase, a_negative_count_is_named, device);
    test_add(tcase, a_range_past_the_end_of_its_buffer_is_named, device);
    test_add(tcase, a_short_output_is_named, device);
    test_add(tcase, a_missing_buffer_is_named, device);
    test_add(tcase, a_missing_type_is_named, device);
    test_add(tcase, operands_of_two_contexts_do_not_mix, device);
    test_add(tcase, overlapping_operands_are_named, device);
    test_add(tcase, a_struct_becomes_no_other_type, device);
    test_add(tcase, options_out_of_range_are_named, device);
    test_add(tcase, a_bad_count_slot_is_named, device);
    test_add(tcase, bad_bindings_are_named, device);
    test_add(tcase, reserved_names_are_refused_by_name, device);
    test_add(tcase, double_on_a_device_without_it_is_unsupported, device);
    test_add(tcase, an_operator_without_a_role_takes_the_one_that_the_call_needs, device);
    test_add(tcase, the_names_of_the_role_are_told_where_a_text_has_others, device);
    test_add(tcase, an_error_in_a_kernel_shows_its_line, device);
    test_add(tcase, an_expression_that_does_not_compile_gives_the_log_with_the_expression, device);
    test_add(tcase, a_comparator_that_does_not_compile_gives_the_log, device);
    test_add(tcase, a_layout_that_differs_from_the_host_is_a_build_error_that_says_so, device);
    test_add(tcase, scatter_names_what_does_not_fit, device);
    test_add(tcase, random_names_what_does_not_fit, device);
    test_add(tcase, reduce_names_what_does_not_fit, device);
    test_add(tcase, scan_names_what_does_not_fit, device);
    test_add(tcase, merge_names_what_does_not_fit, device);
    test_add(tcase, partition_names_what_does_not_fit, device);
    test_add(tcase, a_log_function_is_told_each_failure, device);
    test_add(tcase, every_status_has_its_name, device);
}

int main(void)
{
    return test_main("errors", add);
}
