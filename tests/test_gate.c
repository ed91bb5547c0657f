/* test_gate.c: refusals of the checks for every operation: operands that are all zero, options that the operation does
 * not take, operators in a wrong role. Nothing is written. */
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
    mcl_map_release(f->map);
    mcl_buffer_release(f->in);
    mcl_buffer_release(f->out);
    mcl_buffer_release(f->second);
}

/* ---- every operation, with operands that fit --------------------------------------------------------------- */

/* The arguments that a test makes wrong: the operator in the operation's main role, and the options. */
typedef struct spoiled {
    const mcl_op *op;
    const mcl_options *options;
    int is_zero; /* 1 where the first input is all zero */
    int lacks;   /* 1 where the first output is all zero, 2: the second, 3: both */
} spoiled;

static mcl_input input(const fixture *f, const spoiled *s)
{
    return s->is_zero ? (mcl_input){ 0 } : ints(f->in, COUNT);
}

static mcl_output output(const fixture *f, const spoiled *s)
{
    return s->lacks & 1 ? (mcl_output){ 0 } : ints_out(f->out, 2 * COUNT);
}

static mcl_output other(const fixture *f, const spoiled *s)
{
    return s->lacks & 2 ? (mcl_output){ 0 } : ints_out(f->second, 2 * COUNT);
}

#define OPERATION(name, ...)                                                                                           \
    static mcl_status call_##name(const fixture *f, const spoiled *s)                                                  \
    {                                                                                                                  \
        const mcl_input in = input(f, s), more = ints(f->in, COUNT);                                                   \
        (void)more;                                                                                                    \
        return mcl_##name(f->queue, __VA_ARGS__, s->options);                                                          \
    }

OPERATION(transform, in, output(f, s))
OPERATION(scatter, in, more, output(f, s))
OPERATION(scatter_flagged, in, more, more, output(f, s))
OPERATION(reduce, in, s->op, mcl_to_slot(MCL_INT32, f->out, 0))
OPERATION(scan, in, output(f, s), s->op, MCL_INCLUSIVE, mcl_to_nowhere())
OPERATION(compact, in, output(f, s), s->op, mcl_to_nowhere())
OPERATION(compact_columns, in, output(f, s),
          (mcl_column[]){ { .in = more }, { .in = more }, { .in = more }, { .in = more }, { more, other(f, s) } }, 5,
          s->op, mcl_to_nowhere())
OPERATION(compact_flagged, in, more, output(f, s), mcl_to_nowhere())
OPERATION(compact_stencil, in, more, output(f, s), s->op, mcl_to_nowhere())
OPERATION(partition, in, output(f, s), other(f, s), s->op, mcl_to_nowhere())
OPERATION(partition_columns, in, output(f, s), (mcl_output){ 0 },
          &(mcl_partition_column){ .in = more, .rejected = other(f, s) }, 1, s->op, mcl_to_nowhere())
OPERATION(unique, in, output(f, s), s->op, mcl_to_nowhere())
OPERATION(unique_by_key, in, more, output(f, s), other(f, s), s->op, mcl_to_nowhere())
OPERATION(run_length_encode, in, output(f, s), other(f, s), s->op, mcl_to_nowhere())
OPERATION(bulk_remove, in, more, output(f, s))
OPERATION(bulk_insert, in, more, more, output(f, s))
OPERATION(multisplit, in, output(f, s), s->op, 2, other(f, s), (mcl_output){ 0 })
OPERATION(multisplit_by_splitters, in, output(f, s), mcl_from_buffer(in.type, in.buffer, 0, 1), (mcl_input){ 0 }, s->op,
          other(f, s), (mcl_output){ 0 })
OPERATION(splitters_sample, in, 3, 0, output(f, s), other(f, s))
OPERATION(splitters_choose, in, more, more, output(f, s), other(f, s))
OPERATION(merge, in, more, output(f, s), s->op)
OPERATION(merge_pairs, in, more, more, more, output(f, s), other(f, s), s->op)
OPERATION(merge_runs, in, more, output(f, s), s->op)
OPERATION(merge_runs_pairs, in, more, more, output(f, s), other(f, s), s->op)
OPERATION(sort, in, output(f, s), s->op)
OPERATION(sort_pairs, in, more, output(f, s), other(f, s), s->op)
OPERATION(sort_indices, in, output(f, s), s->op)
OPERATION(sort_columns_indices, &(mcl_key_column){ in, s->op }, 1, output(f, s))
OPERATION(sort_columns, &(mcl_key_column){ in, s->op }, 1, &(mcl_column){ more, output(f, s) }, 1)
OPERATION(sorted_search, in, more, MCL_LOWER, mcl_found_indices(output(f, s)), mcl_found_nothing(), s->op)
OPERATION(sorted_search_needles, in, more, MCL_LOWER, output(f, s), s->op)
OPERATION(equality_count, in, more, more, output(f, s), s->op, MCL_EQUALITY)
OPERATION(load_balance_search, mcl_work_items(COUNT), in, output(f, s), other(f, s))
OPERATION(interval_expand, mcl_work_items(COUNT), in, more, output(f, s))
OPERATION(interval_move, mcl_work_items(COUNT), in, more, more, more, output(f, s))
OPERATION(set_intersection, in, more, output(f, s), s->op, mcl_to_nowhere())
OPERATION(set_union_pairs, in, more, more, more, output(f, s), other(f, s), s->op, mcl_to_nowhere())
OPERATION(segmented_sort, in, mcl_segments_from_indices(more), output(f, s), s->op, 1, NULL)
OPERATION(segmented_sort_pairs, in, more, mcl_segments_from_indices(more), output(f, s), other(f, s), s->op, 1, NULL)
OPERATION(segmented_sort_indices, in, mcl_segments_from_indices(more), (mcl_output){ 0 }, output(f, s),
          MCL_INDEX_IN_SEQUENCE, s->op, 1, NULL)
OPERATION(locality_sort, in, output(f, s), s->op, NULL)
OPERATION(locality_sort_pairs, in, more, output(f, s), other(f, s), s->op, NULL)
OPERATION(segmented_reduce, in, mcl_segments_from_offsets(more), output(f, s), s->op, mcl_to_nowhere())
OPERATION(segmented_scan, in, mcl_segments_from_offsets(more), output(f, s), s->op, MCL_INCLUSIVE)
OPERATION(reduce_by_key, in, more, output(f, s), other(f, s), MCL_ADD, s->op, mcl_to_nowhere())
OPERATION(scan_by_key, in, more, output(f, s), MCL_ADD, s->op, MCL_INCLUSIVE)
OPERATION(cut_merge_path, in, more, 8, 0, MCL_LOWER, output(f, s), s->op)
OPERATION(cut_balanced_path, in, more, 8, output(f, s), s->op)
OPERATION(cut_search, in, COUNT, 8, MCL_LOWER, output(f, s))
OPERATION(map_insert, f->map, in, more)
OPERATION(map_insert_or_apply, f->map, in, more, s->op)
OPERATION(map_find, f->map, in, output(f, s), NULL, (mcl_output){ 0 })
OPERATION(map_erase, f->map, in)
OPERATION(join_gather, in, more, NULL, output(f, s))

static mcl_status call_join(const fixture *f, const spoiled *s)
{
    return mcl_join(f->queue, MCL_JOIN_INNER, input(f, s), ints(f->in, COUNT), output(f, s), other(f, s), s->op,
                    mcl_to_nowhere(), s->options);
}

static mcl_status call_join_unsorted(const fixture *f, const spoiled *s)
{
    return mcl_join_unsorted(f->queue, MCL_JOIN_INNER, input(f, s), ints(f->in, COUNT), output(f, s), other(f, s),
                             s->op, mcl_to_nowhere(), s->options);
}

static mcl_status call_join_columns(const fixture *f, const spoiled *s)
{
    const mcl_input more = ints(f->in, COUNT);
    return mcl_join_columns(f->queue, MCL_JOIN_INNER, input(f, s), more, &(mcl_join_column){ more, output(f, s), NULL },
                            1, NULL, 0, other(f, s), s->op, mcl_to_nowhere(), s->options);
}

typedef enum op_role {
    NONE,
    ORDER = MCL_ROLE_ORDER,
    EQUALITY = MCL_ROLE_EQUALITY,
    FOLD = MCL_ROLE_FOLD,
    TEST = MCL_ROLE_TEST,
    INDEX = MCL_ROLE_INDEX
} op_role;
enum { INITIAL = 1, METHOD = 2, BITS = 4, PASSES = 8, UNIQUE_KEYS = 16, UNORDERED = 32 };
/* Outputs that cannot be left out. ALONE: the only output of the call here, although the operation has others. */
enum { OUT = 1, OTHER = 2, BOTH = OUT | OTHER, EITHER = 4, ALONE = 8 };

#define ROW(name, role, takes, needs) { "mcl_" #name, call_##name, role, takes, needs }
static const struct {
    const char *name;
    mcl_status (*call)(const fixture *f, const spoiled *s);
    op_role role;
    unsigned takes;
    unsigned needs;
} operations[] = {
    ROW(transform, NONE, 0, OUT),
    ROW(scatter, NONE, 0, OUT),
    ROW(scatter_flagged, NONE, 0, OUT),
    ROW(reduce, FOLD, INITIAL, 0),
    ROW(scan, FOLD, INITIAL, 0),
    ROW(compact, TEST, UNORDERED, 0),
    ROW(compact_columns, TEST, 0, 0),
    ROW(compact_flagged, NONE, UNORDERED, 0),
    ROW(compact_stencil, TEST, UNORDERED, 0),
    ROW(partition, TEST, 0, 0),
    ROW(partition_columns, TEST, 0, 0),
    ROW(unique, EQUALITY, 0, 0),
    ROW(unique_by_key, EQUALITY, 0, 0),
    ROW(run_length_encode, EQUALITY, 0, 0),
    ROW(bulk_remove, NONE, 0, OUT),
    ROW(bulk_insert, NONE, 0, OUT),
    ROW(multisplit, INDEX, 0, 0),
    ROW(multisplit_by_splitters, ORDER, 0, 0),
    ROW(splitters_sample, NONE, 0, OUT),
    ROW(splitters_choose, NONE, 0, OUT),
    ROW(merge, ORDER, 0, OUT),
    ROW(merge_pairs, ORDER, 0, BOTH),
    ROW(merge_runs, ORDER, 0, OUT),
    ROW(merge_runs_pairs, ORDER, 0, BOTH),
    ROW(sort, ORDER, METHOD | BITS, OUT),
    ROW(sort_pairs, ORDER, METHOD | BITS, BOTH),
    ROW(sort_indices, ORDER, METHOD | BITS, OUT),
    ROW(sort_columns_indices, ORDER, 0, OUT),
    ROW(sort_columns, ORDER, 0, OUT),
    ROW(sorted_search, ORDER, 0, ALONE),
    ROW(sorted_search_needles, ORDER, 0, OUT),
    ROW(equality_count, ORDER, 0, OUT),
    ROW(load_balance_search, NONE, 0, EITHER),
    ROW(interval_expand, NONE, 0, OUT),
    ROW(interval_move, NONE, 0, OUT),
    ROW(set_intersection, ORDER, PASSES | UNIQUE_KEYS, 0),
    ROW(set_union_pairs, ORDER, PASSES | UNIQUE_KEYS, 0),
    ROW(segmented_sort, ORDER, 0, OUT),
    ROW(segmented_sort_pairs, ORDER, 0, BOTH),
    ROW(segmented_sort_indices, ORDER, 0, OUT),
    ROW(locality_sort, ORDER, 0, OUT),
    ROW(locality_sort_pairs, ORDER, 0, BOTH),
    ROW(segmented_reduce, FOLD, INITIAL, 0),
    ROW(segmented_scan, FOLD, INITIAL, OUT),
    ROW(reduce_by_key, EQUALITY, INITIAL, 0),
    ROW(scan_by_key, EQUALITY, INITIAL, OUT),
    ROW(cut_merge_path, ORDER, 0, OUT),
    ROW(cut_balanced_path, ORDER, UNIQUE_KEYS, OUT),
    ROW(cut_search, NONE, 0, OUT),
    ROW(map_insert, NONE, 0, 0),
    ROW(map_insert_or_apply, FOLD, 0, 0),
    ROW(map_find, NONE, 0, ALONE),
    ROW(map_erase, NONE, 0, 0),
    ROW(join_gather, NONE, 0, OUT),
    ROW(join, ORDER, PASSES, 0),
    ROW(join_unsorted, ORDER, PASSES | METHOD | UNORDERED, 0),
    ROW(join_columns, ORDER, PASSES | METHOD | UNORDERED, 0),
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static const mcl_op positive = { .role = MCL_ROLE_TEST, .expression = "x > 0" };

static const mcl_op remainder_of = { .role = MCL_ROLE_INDEX, .expression = "x % 2" };

static const mcl_op *right_op(op_role role)
{
    if (role == INDEX) return &remainder_of;
    return role == ORDER ? MCL_LESS : role == EQUALITY ? MCL_EQUAL : role == FOLD ? MCL_ADD : &positive;
}

static void refuses(const fixture *f, int k, const spoiled *s, mcl_status status, const char *words)
{
    char all[200];
    snprintf(all, sizeof all, "%s: |%s", operations[k].name, words);
    test_failure_is(operations[k].call(f, s), status, all, operations[k].name, __FILE__, __LINE__);
}

START_TEST(inputs_that_are_all_zero_are_refused)
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

START_TEST(outputs_that_a_call_needs_are_refused_where_they_are_all_zero)
{
    static const char cannot[] = " is all zero; expected an output, which this call cannot leave out";
    fixture f = begin(_i);
    for (int k = 0; k < OPERATIONS; k++)
        for (int lacks = OUT; lacks <= BOTH; lacks++) {
            const unsigned needs = operations[k].needs;
            const spoiled s = { .op = right_op(operations[k].role), .lacks = lacks };
            if ((needs == EITHER && lacks == BOTH) || (needs == ALONE && (lacks & OUT)))
                refuses(&f, k, &s, MCL_ERROR_ARGUMENT, "; expected |output");
            if (needs & (unsigned)lacks & BOTH) refuses(&f, k, &s, MCL_ERROR_ARGUMENT, cannot);
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

/* The library cannot ask anything about the driver's own events, so it only checks that the handles are not NULL. */
START_TEST(lists_of_driver_events_that_cannot_be_are_refused)
{
    static int something;
    static void *const missing[2] = { &something, NULL };
    static void *none = NULL;
    const int gives_events = strcmp(test_device_at(_i)->info.backend, "cuda") == 0;
    fixture f = begin(_i);
    const struct {
        mcl_options options;
        const char *words;
    } list[] = {
        { { .driver_wait_count = -1 }, "options->driver_wait_count is -1 and options->driver_wait is NULL" },
        { { .driver_wait_count = 1 }, "options->driver_wait_count is 1 and options->driver_wait is NULL" },
        { { .driver_wait = missing, .driver_wait_count = 2 }, "options->driver_wait[1] is NULL; expected an event" },
        { { .driver_done = &none }, "options->driver_done points to NULL; expected a CUevent" },
    };
    for (int k = 0; k < OPERATIONS; k++)
        for (size_t o = 0; o < sizeof list / sizeof list[0] - !gives_events; o++) {
            const spoiled s = { .op = right_op(operations[k].role), .options = &list[o].options };
            refuses(&f, k, &s, MCL_ERROR_ARGUMENT, list[o].words);
        }
    unchanged(_i, &f);
    end(&f);
}
END_TEST

/* Only the gate checks a caller's scratch. Later functions look at its size alone. */
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

/* Each operator has one role. Copies of the library's operators are recognised. */
START_TEST(operators_in_a_role_that_they_cannot_have_are_refused)
{
    const mcl_op less = *MCL_LESS, sum = { .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0" };
    const mcl_op larger = { .role = MCL_ROLE_ORDER, .expression = "p > q" };
    const mcl_op same_half = { .role = MCL_ROLE_EQUALITY, .expression = "p / 2 == q / 2" };
    const mcl_op function = { .role = MCL_ROLE_FUNCTION, .expression = "p - q" },
                 no_such = { .role = (mcl_role)99, .expression = "p + q" };
    const struct {
        const mcl_op *op;
        op_role role;
        const char *words;
    } list[] = {
        { MCL_LESS, ORDER, "MCL_LESS, an order" },
        { MCL_GREATER, ORDER, "MCL_GREATER, an order" },
        { &less, ORDER, "MCL_LESS, an order" },
        { MCL_EQUAL, EQUALITY, "MCL_EQUAL, an equality" },
        { MCL_ADD, FOLD, "MCL_ADD, a fold" },
        { MCL_MAX_INDEX, FOLD, "MCL_MAX_INDEX, a fold" },
        { &sum, FOLD, "is a fold; expected " },
        { &larger, ORDER, "is an order; expected " },
        { &same_half, EQUALITY, "is an equality; " },
        { &positive, TEST, "is a test; expected " },
        { &remainder_of, INDEX, "is an index; " },
        { &function, NONE, "is a function; " },
        { &no_such, NONE, "is an operator of a role that there is not; expected " },
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

/* Members that only folds have are refused with another role. */
START_TEST(parts_of_folds_are_refused_elsewhere)
{
    fixture f = begin(_i);
    for (int k = 0; k < OPERATIONS; k++) {
        const op_role role = operations[k].role;
        if (role == NONE || role == FOLD) continue;
        const mcl_op op = { .role = (mcl_role)role, .expression = right_op(role)->expression, .identity = "0" };
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
    test_fails(mcl_unique(f.queue, pairs, out, MCL_EQUAL, mcl_to_nowhere(), NULL), MCL_ERROR_TYPE,
               "mcl_unique|MCL_EQUAL|pair|numbers");
    test_fails(mcl_scan(f.queue, pairs, out, MCL_MAX, MCL_INCLUSIVE, mcl_to_nowhere(), NULL), MCL_ERROR_TYPE,
               "mcl_scan|MCL_MAX|pair|numbers");
    test_fails(mcl_reduce(f.queue, floats, MCL_XOR, mcl_to_slot(MCL_FLOAT, f.out, 0), NULL), MCL_ERROR_TYPE,
               "mcl_reduce|MCL_XOR|float|integers");
    unchanged(_i, &f);
    end(&f);
}
END_TEST

/* A copy of an operator lets radix sort be chosen, like the original. */
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
    const mcl_input huge = ints_counting((int64_t)1 << 60);
    mcl_input bound = mcl_from_expression(MCL_INT32, "i", NULL, NULL, 0, COUNT);
    const mcl_output far = { MCL_INT32, NULL, INT64_MAX, 0 };
    bound.binding_count = 99;
    test_fails(mcl_segmented_sort(f.queue, ints(f.in, COUNT), mcl_segments_from_indices(huge),
                                  ints_out(f.out, 2 * COUNT), MCL_LESS, MCL_STABLE, NULL, NULL),
               MCL_ERROR_ARGUMENT, "mcl_segmented_sort: segments|1152921504606846976");
    test_fails(mcl_transform(f.queue, bound, ints_out(f.out, 2 * COUNT), NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform: in|binding_count 99");
    test_fails(mcl_transform(f.queue, mcl_from_buffer(MCL_INT32, NULL, 0, 0), far, NULL), MCL_ERROR_ARGUMENT,
               "mcl_transform: out|offset 9223372036854775807");
    test_fails(mcl_cut_merge_path(f.queue, ints_counting(INT64_MAX), ints_counting(INT64_MAX), 8, 0, MCL_LOWER,
                                  ints_out(f.out, 2 * COUNT), MCL_LESS, NULL),
               MCL_ERROR_ARGUMENT, "mcl_cut_merge_path: a|9223372036854775807");
    test_fails(mcl_cut_search(f.queue, ints(f.in, COUNT), INT64_MAX, 1, MCL_LOWER, ints_out(f.out, 2 * COUNT), NULL),
               MCL_ERROR_ARGUMENT, "mcl_cut_search: count|9223372036854775807");
    unchanged(_i, &f);
    end(&f);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, inputs_that_are_all_zero_are_refused, device);
    test_add(tcase, outputs_that_a_call_needs_are_refused_where_they_are_all_zero, device);
    test_add(tcase, options_that_a_call_does_not_take_are_refused, device);
    test_add(tcase, lists_of_driver_events_that_cannot_be_are_refused, device);
    test_add(tcase, scratch_that_cannot_be_used_is_refused, device);
    test_add(tcase, operators_in_a_role_that_they_cannot_have_are_refused, device);
    test_add(tcase, parts_of_folds_are_refused_elsewhere, device);
    test_add(tcase, operators_of_numbers_refuse_other_types, device);
    test_add(tcase, a_copy_of_an_operator_is_known, device);
    test_add(tcase, numbers_out_of_range_are_refused, device);
}

int main(void)
{
    return test_main("gate", add);
}
