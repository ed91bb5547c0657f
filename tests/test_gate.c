/* test_gate.c: what the one gate of checks refuses of every operation: operands that are all zero, options that the
 * operation does not take, operators in a role that they cannot have. Nothing is written. */
#include "support/arrays.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 64 };

typedef struct fixture {
    mcl_queue *queue;
    mcl_map *map;
    mcl_buffer *in, *out, *second;
    int32_t content[4 * COUNT];
} fixture;

static fixture begin(int device)
{
    fixture f = { .queue = test_device_at(device)->queue };
    int32_t data[COUNT] = { 0 };
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = COUNT };
    memset(f.content, 0x31, sizeof f.content);
    f.in = ARRAY_OF(device, data);
    f.out = ARRAY_OF(device, f.content);
    f.second = ARRAY_OF(device, f.content);
    test_ok(mcl_map_create(test_device_at(device)->context, &config, &f.map));
    return f;
}

static void unchanged(int device, const fixture *f)
{
    int32_t got[4 * COUNT];
    ARRAY_READ(device, f->out, got);
    ck_assert_mem_eq(got, f->content, sizeof got);
    ARRAY_READ(device, f->second, got);
    ck_assert_mem_eq(got, f->content, sizeof got);
}

static void end(fixture *f)
{
    mcl_map_destroy(f->map);
    mcl_buffer_release(f->in);
    mcl_buffer_release(f->out);
    mcl_buffer_release(f->second);
}

/* ---- every operation, with operands that fit --------------------------------------------------------------- */

/* What a test spoils: the operator in the operation's main role, and the options. */
typedef struct spoiled {
    const mcl_op *op;
    const mcl_options *options;
    int is_zero; /* the first input, or the first output of an operation without any, is all zero */
} spoiled;

static mcl_input input(const fixture *f, const spoiled *s)
{
    return s->is_zero ? (mcl_input){ 0 } : ints(f->in, COUNT);
}

static mcl_output output(const fixture *f)
{
    return ints_out(f->out, 2 * COUNT);
}

static mcl_output other(const fixture *f)
{
    return ints_out(f->second, 2 * COUNT);
}

#define OPERATION(name, ...)                                                                                           \
    static mcl_status call_##name(const fixture *f, const spoiled *s)                                                  \
    {                                                                                                                  \
        const mcl_input in = input(f, s), more = ints(f->in, COUNT);                                                   \
        (void)more;                                                                                                    \
        return mcl_##name(f->queue, __VA_ARGS__, s->options);                                                          \
    }

OPERATION(transform, in, output(f))
OPERATION(scatter, in, more, output(f))
OPERATION(scatter_if, in, more, more, output(f))
OPERATION(reduce, in, s->op, mcl_to_slot(MCL_INT32, f->out, 0))
OPERATION(scan, in, output(f), s->op, MCL_INCLUSIVE, mcl_nowhere())
OPERATION(compact, in, output(f), s->op, mcl_nowhere())
OPERATION(compact_flagged, in, more, output(f), mcl_nowhere())
OPERATION(compact_stencil, in, more, output(f), s->op, mcl_nowhere())
OPERATION(partition, in, output(f), other(f), s->op, mcl_nowhere())
OPERATION(unique, in, output(f), s->op, mcl_nowhere())
OPERATION(unique_by_key, in, more, output(f), other(f), s->op, mcl_nowhere())
OPERATION(run_length_encode, in, output(f), other(f), s->op, mcl_nowhere())
OPERATION(bulk_remove, in, more, output(f))
OPERATION(bulk_insert, in, more, more, output(f))
OPERATION(merge, in, more, output(f), s->op)
OPERATION(merge_pairs, in, more, more, more, output(f), other(f), s->op)
OPERATION(sort, in, output(f), s->op)
OPERATION(sort_pairs, in, more, output(f), other(f), s->op)
OPERATION(sort_indices, in, output(f), s->op)
OPERATION(sorted_search, in, more, MCL_LOWER, mcl_found_indices(output(f)), mcl_found_nothing(), s->op)
OPERATION(sorted_search_needles, in, more, MCL_LOWER, output(f), s->op)
OPERATION(equality_count, in, more, more, output(f), s->op, MCL_EQUALITY)
OPERATION(load_balance_search, mcl_work_items(COUNT), in, output(f), other(f))
OPERATION(interval_expand, mcl_work_items(COUNT), in, more, output(f))
OPERATION(interval_move, mcl_work_items(COUNT), in, more, more, more, output(f))
OPERATION(set_intersection, in, more, output(f), s->op, mcl_nowhere())
OPERATION(set_union_pairs, in, more, more, more, output(f), other(f), s->op, mcl_nowhere())
OPERATION(segmented_sort, in, mcl_segments_from_indices(more), output(f), s->op, 1, NULL)
OPERATION(segmented_sort_pairs, in, more, mcl_segments_from_indices(more), output(f), other(f), s->op, 1, NULL)
OPERATION(locality_sort, in, output(f), s->op, NULL)
OPERATION(locality_sort_pairs, in, more, output(f), other(f), s->op, NULL)
OPERATION(segmented_reduce, in, mcl_segments_from_offsets(more), output(f), s->op, mcl_nowhere())
OPERATION(segmented_scan, in, mcl_segments_from_offsets(more), output(f), s->op, MCL_INCLUSIVE)
OPERATION(reduce_by_key, in, more, output(f), other(f), MCL_ADD, s->op, mcl_nowhere())
OPERATION(scan_by_key, in, more, output(f), MCL_ADD, s->op, MCL_INCLUSIVE)
OPERATION(cut_merge_path, in, more, 8, 0, MCL_LOWER, output(f), s->op)
OPERATION(cut_balanced_path, in, more, 8, output(f), s->op)
OPERATION(cut_search, in, COUNT, 8, MCL_LOWER, output(f))
OPERATION(map_insert, f->map, in, more)
OPERATION(map_find, f->map, in, output(f), NULL, (mcl_output){ 0 })
OPERATION(map_erase, f->map, in)
OPERATION(join_gather, in, more, NULL, output(f))

static mcl_status call_join(const fixture *f, const spoiled *s)
{
    return mcl_join(f->queue, MCL_JOIN_INNER, input(f, s), ints(f->in, COUNT), output(f), other(f), s->op,
                    mcl_nowhere(), s->options);
}

static mcl_status call_join_unsorted(const fixture *f, const spoiled *s)
{
    return mcl_join_unsorted(f->queue, MCL_JOIN_INNER, input(f, s), ints(f->in, COUNT), output(f), other(f), s->op,
                             mcl_nowhere(), s->options);
}

typedef enum op_role {
    NONE,
    ORDER = MCL_ROLE_ORDER,
    EQUALITY = MCL_ROLE_EQUALITY,
    FOLD = MCL_ROLE_FOLD,
    TEST = MCL_ROLE_TEST
} op_role;
enum { INITIAL = 1, METHOD = 2, BITS = 4, PASSES = 8, UNIQUE_KEYS = 16, UNORDERED = 32 };

#define ROW(name, role, takes) { "mcl_" #name, call_##name, role, takes }
static const struct {
    const char *name;
    mcl_status (*call)(const fixture *f, const spoiled *s);
    op_role role;
    unsigned takes;
} operations[] = {
    ROW(transform, NONE, 0),
    ROW(scatter, NONE, 0),
    ROW(scatter_if, NONE, 0),
    ROW(reduce, FOLD, INITIAL),
    ROW(scan, FOLD, INITIAL),
    ROW(compact, TEST, UNORDERED),
    ROW(compact_flagged, NONE, UNORDERED),
    ROW(compact_stencil, TEST, UNORDERED),
    ROW(partition, TEST, 0),
    ROW(unique, EQUALITY, 0),
    ROW(unique_by_key, EQUALITY, 0),
    ROW(run_length_encode, EQUALITY, 0),
    ROW(bulk_remove, NONE, 0),
    ROW(bulk_insert, NONE, 0),
    ROW(merge, ORDER, 0),
    ROW(merge_pairs, ORDER, 0),
    ROW(sort, ORDER, METHOD | BITS),
    ROW(sort_pairs, ORDER, METHOD | BITS),
    ROW(sort_indices, ORDER, METHOD | BITS),
    ROW(sorted_search, ORDER, 0),
    ROW(sorted_search_needles, ORDER, 0),
    ROW(equality_count, ORDER, 0),
    ROW(load_balance_search, NONE, 0),
    ROW(interval_expand, NONE, 0),
    ROW(interval_move, NONE, 0),
    ROW(set_intersection, ORDER, PASSES | UNIQUE_KEYS),
    ROW(set_union_pairs, ORDER, PASSES | UNIQUE_KEYS),
    ROW(segmented_sort, ORDER, 0),
    ROW(segmented_sort_pairs, ORDER, 0),
    ROW(locality_sort, ORDER, 0),
    ROW(locality_sort_pairs, ORDER, 0),
    ROW(segmented_reduce, FOLD, INITIAL),
    ROW(segmented_scan, FOLD, INITIAL),
    ROW(reduce_by_key, EQUALITY, INITIAL),
    ROW(scan_by_key, EQUALITY, INITIAL),
    ROW(cut_merge_path, ORDER, 0),
    ROW(cut_balanced_path, ORDER, UNIQUE_KEYS),
    ROW(cut_search, NONE, 0),
    ROW(map_insert, NONE, 0),
    ROW(map_find, NONE, 0),
    ROW(map_erase, NONE, 0),
    ROW(join_gather, NONE, 0),
    ROW(join, ORDER, PASSES),
    ROW(join_unsorted, ORDER, PASSES | METHOD),
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static const mcl_op positive = { .role = MCL_ROLE_TEST, .expression = "x > 0" };

static const mcl_op *right_op(op_role role)
{
    return role == ORDER ? MCL_LESS : role == EQUALITY ? MCL_EQUAL : role == FOLD ? MCL_ADD : &positive;
}

static void refuses(const fixture *f, int k, const spoiled *s, mcl_status status, const char *words)
{
    char all[200];
    snprintf(all, sizeof all, "%s: |%s", operations[k].name, words);
    test_failure_is(operations[k].call(f, s), status, all, operations[k].name, __FILE__, __LINE__);
}

START_TEST(operands_that_are_all_zero_are_refused)
{
    fixture f = begin(_i);
    for (int k = 0; k < OPERATIONS; k++) {
        const spoiled s = { .op = right_op(operations[k].role), .is_zero = 1 };
        refuses(&f, k, &s, MCL_ERROR_ARGUMENT, "type NULL");
    }
    unchanged(_i, &f);
    end(&f);
}
END_TEST

START_TEST(options_that_a_call_does_not_take_are_refused)
{
    static const int32_t one = 1;
    static const struct {
        unsigned taken_by;
        mcl_options options;
        const char *words;
    } list[] = {
        { INITIAL, { .initial = &one }, "options->initial" },
        { METHOD, { .sort_method = MCL_SORT_MERGE }, "options->sort_method" },
        { BITS, { .first_bit = 1, .end_bit = 9 }, "options->first_bit" },
        { PASSES, { .passes = 2 }, "options->passes" },
        { UNIQUE_KEYS, { .flags = MCL_UNIQUE_KEYS }, "MCL_UNIQUE_KEYS" },
        { UNORDERED, { .flags = MCL_UNORDERED }, "MCL_UNORDERED" },
        { 0, { .append = MCL_APPEND_GROUP_SCAN }, "options->append" },
        { 0, { .append_width = 8 }, "options->append" },
        { 0, { .size = 8 }, "options->size is 8; expected 0, or " },
        { 0, { .size = sizeof(mcl_options) + 8 }, "options->size is " },
    };
    fixture f = begin(_i);
    for (int k = 0; k < OPERATIONS; k++)
        for (size_t o = 0; o < sizeof list / sizeof list[0]; o++) {
            const spoiled s = { .op = right_op(operations[k].role), .options = &list[o].options };
            if (!(operations[k].takes & list[o].taken_by)) refuses(&f, k, &s, MCL_ERROR_ARGUMENT, list[o].words);
        }
    unchanged(_i, &f);
    end(&f);
}
END_TEST

/* Nothing below the gate looks at a caller's scratch again, but for its size. */
START_TEST(scratch_that_cannot_be_used_is_refused)
{
    enum { BYTES = 4096 };
    mcl_context *other = NULL;
    mcl_buffer *foreign = NULL, *scratch = NULL;
    fixture f = begin(_i);
    test_ok(mcl_context_create(test_device_at(_i)->info.id, &other));
    test_ok(mcl_buffer_create(other, BYTES, NULL, &foreign));
    test_ok(mcl_buffer_create(test_device_at(_i)->context, BYTES, NULL, &scratch));
    const struct {
        mcl_options options;
        const char *words;
    } list[] = {
        { { .scratch_bytes = 256 }, "options->scratch is NULL with scratch_bytes 256; expected a buffer" },
        { { .scratch = foreign, .scratch_bytes = BYTES },
          "options->scratch is a buffer of another context; expected one of the queue's context" },
        { { .scratch = scratch, .scratch_offset = 64, .scratch_bytes = 256 },
          "options->scratch_offset is 64; expected a multiple of 256" },
        { { .scratch = scratch, .scratch_offset = 256, .scratch_bytes = BYTES },
          "options->scratch_offset is 256 and scratch_bytes 4096; expected a range inside the scratch buffer of 4096" },
        { { .scratch = scratch, .scratch_offset = (size_t)0 - 256, .scratch_bytes = 512 },
          "and scratch_bytes 512; expected a range inside the scratch buffer of 4096" },
    };
    for (int k = 0; k < OPERATIONS; k++)
        for (size_t o = 0; o < sizeof list / sizeof list[0]; o++) {
            const spoiled s = { .op = right_op(operations[k].role), .options = &list[o].options };
            refuses(&f, k, &s, MCL_ERROR_ARGUMENT, list[o].words);
        }
    unchanged(_i, &f);
    mcl_buffer_release(scratch);
    mcl_buffer_release(foreign);
    mcl_context_release(other);
    end(&f);
}
END_TEST

/* Each is in one role; copies of the library's operators are known as these. */
START_TEST(operators_in_a_role_that_they_cannot_have_are_refused)
{
    const mcl_op less = *MCL_LESS, sum = { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0" };
    const mcl_op larger = { .role = MCL_ROLE_ORDER, .expression = "p > q" };
    const mcl_op same_half = { .role = MCL_ROLE_EQUALITY, .expression = "p / 2 == q / 2" };
    const mcl_op function = { .role = MCL_ROLE_FUNCTION, .expression = "p - q" }, no_role = { .expression = "p + q" };
    const struct {
        const mcl_op *op;
        op_role role;
        const char *words;
    } list[] = {
        { MCL_LESS, ORDER, "MCL_LESS, an order" },    { MCL_GREATER, ORDER, "MCL_GREATER, an order" },
        { &less, ORDER, "MCL_LESS, an order" },       { MCL_EQUAL, EQUALITY, "MCL_EQUAL, an equality" },
        { MCL_ADD, FOLD, "MCL_ADD, a fold" },         { MCL_MAX_INDEX, FOLD, "MCL_MAX_INDEX, a fold" },
        { &sum, FOLD, "is a fold; expected " },       { &larger, ORDER, "is an order; expected " },
        { &same_half, EQUALITY, "is an equality; " }, { &positive, TEST, "is a test; expected " },
        { &function, NONE, "is a function; " },       { &no_role, NONE, "is an operator without a role; expected " },
        { NULL, NONE, "is NULL; expected " },
    };
    fixture f = begin(_i);
    for (int k = 0; k < OPERATIONS; k++) {
        const op_role role = operations[k].role;
        const int may_lack =
            strstr(operations[k].name, "by_key") && role == EQUALITY && !strstr(operations[k].name, "unique");
        for (size_t o = 0; role != NONE && o < sizeof list / sizeof list[0]; o++) {
            const spoiled s = { .op = list[o].op };
            if (list[o].role != role && (list[o].op || !may_lack))
                refuses(&f, k, &s, MCL_ERROR_ARGUMENT, list[o].words);
        }
    }
    unchanged(_i, &f);
    end(&f);
}
END_TEST

/* What only folds have is refused beside another role. */
START_TEST(parts_of_folds_are_refused_elsewhere)
{
    fixture f = begin(_i);
    for (int k = 0; k < OPERATIONS; k++) {
        const op_role role = operations[k].role;
        if (role == NONE || role == FOLD) continue;
        const mcl_op op = { .role = (mcl_role)role, .expression = role == TEST ? "x" : "p < q", .identity = "0" };
        const spoiled s = { .op = &op };
        refuses(&f, k, &s, MCL_ERROR_ARGUMENT, "has an identity, as folds");
    }
    unchanged(_i, &f);
    end(&f);
}
END_TEST

/* ---- single defects ------------------------------------------------------------------------------------------- */

/* clang-format off */
MCL_SOURCE(pair_source,
typedef struct pair { int32_t first; int32_t second; } pair;
)
/* clang-format on */
static const mcl_type pair_type = MCL_TYPE(pair, pair_source);

START_TEST(operators_of_numbers_refuse_other_types)
{
    fixture f = begin(_i);
    const mcl_input pairs = mcl_from_buffer(&pair_type, f.in, 0, COUNT / 2);
    const mcl_output out = mcl_to_buffer(&pair_type, f.out, 0, COUNT);
    const mcl_input floats = mcl_from_buffer(MCL_FLOAT, f.in, 0, COUNT);
    test_fails(mcl_sort(f.queue, pairs, out, MCL_LESS, NULL), MCL_ERROR_TYPE,
               "mcl_sort|before is MCL_LESS|pair|numbers");
    test_fails(mcl_unique(f.queue, pairs, out, MCL_EQUAL, mcl_nowhere(), NULL), MCL_ERROR_TYPE,
               "mcl_unique|MCL_EQUAL|pair|numbers");
    test_fails(mcl_scan(f.queue, pairs, out, MCL_MAX, MCL_INCLUSIVE, mcl_nowhere(), NULL), MCL_ERROR_TYPE,
               "mcl_scan|MCL_MAX|pair|numbers");
    test_fails(mcl_reduce(f.queue, floats, MCL_XOR, mcl_to_slot(MCL_FLOAT, f.out, 0), NULL), MCL_ERROR_TYPE,
               "mcl_reduce|MCL_XOR|float|integers");
    unchanged(_i, &f);
    end(&f);
}
END_TEST

/* A copy sorts by radix as the original does. */
START_TEST(a_copy_of_an_operator_is_known)
{
    const mcl_op copy = { .role = MCL_ROLE_ORDER, .expression = "LESS(q, p)" };
    const mcl_options radix = { .sort_method = MCL_SORT_RADIX, .first_bit = 0, .end_bit = 8 };
    int32_t data[4] = { 3, 1, 4, 2 }, got[4];
    mcl_buffer *const keys = ARRAY_OF(_i, data);
    test_ok(mcl_sort(test_device_at(_i)->queue, ints(keys, 4), ints_out(keys, 4), &copy, &radix));
    ARRAY_READ(_i, keys, got);
    for (int k = 0; k < 4; k++) ck_assert_int_eq(got[k], 4 - k);
    mcl_buffer_release(keys);
}
END_TEST

START_TEST(numbers_out_of_range_are_refused)
{
    fixture f = begin(_i);
    const int32_t zero = 0;
    const mcl_input huge = mcl_counting(MCL_INT32, &zero, (int64_t)1 << 60);
    mcl_input bound = mcl_expression(MCL_INT32, "i", NULL, NULL, 0, COUNT);
    const mcl_output far = { MCL_INT32, NULL, INT64_MAX, 0 };
    bound.binding_count = 99;
    test_fails(mcl_segmented_sort(f.queue, ints(f.in, COUNT), mcl_segments_from_indices(huge), output(&f), MCL_LESS,
                                  MCL_STABLE, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort: segments|1152921504606846976");
    test_fails(mcl_transform(f.queue, bound, output(&f), NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform: in|binding_count 99");
    test_fails(mcl_transform(f.queue, mcl_from_buffer(MCL_INT32, NULL, 0, 0), far, NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform: out|offset 9223372036854775807");
    test_fails(mcl_cut_merge_path(f.queue, mcl_counting(MCL_INT32, &zero, INT64_MAX),
                                  mcl_counting(MCL_INT32, &zero, INT64_MAX), 8, 0, MCL_LOWER, output(&f), MCL_LESS,
                                  NULL),
               MCL_ERROR_ARGUMENT, "mcl_cut_merge_path: a|9223372036854775807");
    test_fails(mcl_cut_search(f.queue, ints(f.in, COUNT), INT64_MAX, 1, MCL_LOWER, output(&f), NULL),
               MCL_ERROR_ARGUMENT, "mcl_cut_search: count|9223372036854775807");
    unchanged(_i, &f);
    end(&f);
}
END_TEST

/* Capacity 0 and an output that is all zero: the results are counted, and the count on the host is no error. */
START_TEST(without_outputs_results_are_only_counted)
{
    const int32_t a[] = { 1, 2, 2, 5 }, b[] = { 2, 2, 2, 7 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const left = ARRAY_OF(_i, a), *const right = ARRAY_OF(_i, b);
    const mcl_output none = { 0 };
    for (int turn = 0; turn < 4; turn++) {
        const mcl_output out = turn % 2 ? none : mcl_to_buffer(MCL_INT32, left, 0, 0);
        const mcl_options options = { .passes = 1 + turn / 2 };
        int64_t count = -1;
        test_ok(mcl_set_union(queue, ints(left, 4), ints(right, 4), out, MCL_LESS, mcl_to_host(MCL_INT64, &count),
                              &options));
        ck_assert_int_eq(count, 6);
        test_ok(mcl_set_union_pairs(queue, ints(left, 4), ints(left, 4), ints(right, 4), ints(right, 4), out, out,
                                    MCL_LESS, mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6);
        test_ok(mcl_join(queue, MCL_JOIN_OUTER, ints(left, 4), ints(right, 4), out, out, MCL_LESS,
                         mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6 + 2 + 1);
        test_ok(mcl_join_unsorted(queue, MCL_JOIN_SEMI, ints(right, 4), ints(left, 4), out, none, MCL_LESS,
                                  mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 3);
    }
    mcl_buffer_release(left);
    mcl_buffer_release(right);
}
END_TEST

/* One of two outputs may be left out: the other gets what it gets beside it. */
START_TEST(an_output_that_is_not_wanted_is_left_out)
{
    const int32_t a[] = { 1, 2, 2, 5 }, b[] = { 2, 2, 2, 7 }, rows[] = { -1, -1, -1, -1, -1, -1 };
    const int32_t values[] = { 10, 11, 12, 13 };
    const int32_t expected_b[] = { 0, 1, 2, 0, 1, 2 }, expected_values[] = { 10, 11, 12, 12, 13, 13 };
    mcl_queue *const queue = test_device_at(_i)->queue;
    const mcl_output none = { 0 };
    for (int turn = 0; turn < 4; turn++) {
        const mcl_options options = { .passes = 1 + turn % 2, .tile_threads = turn / 2 };
        mcl_buffer *const left = ARRAY_OF(_i, a), *const right = ARRAY_OF(_i, b), *const payload = ARRAY_OF(_i, values);
        mcl_buffer *const out = ARRAY_OF(_i, rows);
        int32_t got[6];
        int64_t count = -1;
        test_ok(mcl_join(queue, MCL_JOIN_INNER, ints(left, 4), ints(right, 4), none, ints_out(out, 6), MCL_LESS,
                         mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6);
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, expected_b, sizeof got);
        test_ok(mcl_join_unsorted(queue, MCL_JOIN_INNER, ints(left, 4), ints(right, 4), none, ints_out(out, 6),
                                  MCL_LESS, mcl_to_host(MCL_INT64, &count), &options));
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, expected_b, sizeof got);
        test_ok(mcl_set_union_pairs(queue, ints(left, 4), ints(payload, 4), ints(right, 4), ints(payload, 4), none,
                                    ints_out(out, 6), MCL_LESS, mcl_to_host(MCL_INT64, &count), &options));
        ck_assert_int_eq(count, 6);
        ARRAY_READ(_i, out, got);
        ck_assert_mem_eq(got, expected_values, sizeof got);
        mcl_buffer_release(left);
        mcl_buffer_release(right);
        mcl_buffer_release(payload);
        mcl_buffer_release(out);
    }
}
END_TEST

/* A call of one input and up to three outputs. Any of the outputs may be left out. */
typedef mcl_status keep_call(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                             const mcl_options *options);

static const mcl_op is_odd = { .role = MCL_ROLE_TEST, .expression = "x & 1" };
static const mcl_op is_two = { .role = MCL_ROLE_TEST, .expression = "x == 2" };

static mcl_status keep_compact(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                               const mcl_options *options)
{
    return mcl_compact(queue, in, outs[0], &is_odd, count, options);
}

static mcl_status keep_partition(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                 const mcl_options *options)
{
    return mcl_partition(queue, in, outs[0], outs[1], &is_odd, count, options);
}

static mcl_status keep_three(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                             const mcl_options *options)
{
    return mcl_partition_three(queue, in, outs[0], outs[1], outs[2], &is_odd, &is_two, count, options);
}

static mcl_status keep_unique(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                              const mcl_options *options)
{
    return mcl_unique_by_key(queue, in, in, outs[0], outs[1], MCL_EQUAL, count, options);
}

static mcl_status keep_lengths(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                               const mcl_options *options)
{
    return mcl_run_length_encode(queue, in, outs[0], outs[1], MCL_EQUAL, count, options);
}

static mcl_status keep_sums(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                            const mcl_options *options)
{
    return mcl_reduce_by_key(queue, in, in, outs[0], outs[1], MCL_ADD, NULL, count, options);
}

static mcl_status keep_first_index(mcl_queue *queue, mcl_input in, const mcl_output *outs, mcl_result count,
                                   const mcl_options *options)
{
    return mcl_reduce_by_key(queue, in, in, outs[0], outs[1], MCL_MAX_INDEX, NULL, count, options);
}

/* Each wanted output gets what it gets beside the others, and the counts are the same. */
START_TEST(outputs_that_are_not_wanted_change_no_other)
{
    enum { OUTS = 3, ROOM = 12 };
    static const struct {
        keep_call *call;
        int outs;
    } calls[] = { { keep_compact, 1 }, { keep_partition, 2 }, { keep_three, 3 },      { keep_unique, 2 },
                  { keep_lengths, 2 }, { keep_sums, 2 },      { keep_first_index, 2 } };
    const int32_t data[] = { 1, 2, 2, 5, 5, 5, 4, 2, 3, 3 };
    int32_t blank[ROOM];
    mcl_queue *const queue = test_device_at(_i)->queue;
    mcl_buffer *const in = ARRAY_OF(_i, data);
    for (int k = 0; k < ROOM; k++) blank[k] = -7;
    for (int turn = 0; turn < 2 * (int)(sizeof calls / sizeof calls[0]); turn++) {
        const int n = turn / 2, subsets = 1 << calls[n].outs;
        const mcl_options options = { .tile_threads = turn % 2 ? 32 : 1 };
        int32_t expected[OUTS][ROOM];
        int64_t expected_counts[OUTS] = { 0 };
        for (int wanted = subsets - 1; wanted >= 0; wanted--) { /* first with all */
            mcl_output outs[OUTS] = { { 0 } };
            mcl_buffer *memory[OUTS];
            int64_t counts[OUTS] = { 0 };
            for (int k = 0; k < OUTS; k++) {
                memory[k] = ARRAY_OF(_i, blank);
                if (wanted >> k & 1) outs[k] = ints_out(memory[k], ROOM);
            }
            test_ok(calls[n].call(queue, ints(in, 10), outs, mcl_to_host(MCL_INT64, counts), &options));
            for (int k = 0; k < OUTS; k++) {
                int32_t got[ROOM];
                ARRAY_READ(_i, memory[k], got);
                if (wanted == subsets - 1) memcpy(expected[k], got, sizeof got);
                ck_assert_mem_eq(got, wanted >> k & 1 ? expected[k] : blank, sizeof got);
                mcl_buffer_release(memory[k]);
            }
            if (wanted == subsets - 1) memcpy(expected_counts, counts, sizeof counts);
            ck_assert_int_gt(counts[0], 0);
            ck_assert_mem_eq(counts, expected_counts, sizeof counts);
        }
        for (int k = 0; k < calls[n].outs; k++) ck_assert_mem_ne(expected[k], blank, sizeof blank);
    }
    mcl_buffer_release(in);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, operands_that_are_all_zero_are_refused, device);
    test_add(tcase, options_that_a_call_does_not_take_are_refused, device);
    test_add(tcase, scratch_that_cannot_be_used_is_refused, device);
    test_add(tcase, operators_in_a_role_that_they_cannot_have_are_refused, device);
    test_add(tcase, parts_of_folds_are_refused_elsewhere, device);
    test_add(tcase, operators_of_numbers_refuse_other_types, device);
    test_add(tcase, a_copy_of_an_operator_is_known, device);
    test_add(tcase, numbers_out_of_range_are_refused, device);
    test_add(tcase, without_outputs_results_are_only_counted, device);
    test_add(tcase, an_output_that_is_not_wanted_is_left_out, device);
    test_add(tcase, outputs_that_are_not_wanted_change_no_other, device);
}

int main(void)
{
    return test_main("gate", add);
}
