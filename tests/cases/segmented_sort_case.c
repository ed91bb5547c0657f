/* segmented_sort_case.c: compares mcl_segmented_sort with its pairs and indices, and mcl_locality_sort with its pairs,
 * with the order of the keys. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

/* Kinds of a variant: how segments are given, and whether equal keys may be reordered. */
enum { STARTS_64 = 1, FLAGS = 2, UNSTABLE = 4, BEGINS = 8, OFFSETS = 16 };

/* Forms of a variant: indices are stored too, of type index_element; without the keys; counted in segments; segments
 * are rows. */
enum {
    INDICES = SEGMENTED_INDICES,
    DROPS_KEYS = SEGMENTED_DROPS_KEYS,
    IN_SEGMENTS = SEGMENTED_IN_SEGMENTS,
    ROWS = SEGMENTED_ROWS
};

/* Mean lengths of segments, one for each seed in turn; 0: one segment. */
static const int64_t means[] = { 1, 3, 10, 100, 1000, 20000, 0 };
enum { MEANS = sizeof means / sizeof means[0] };

/* ---- heads ------------------------------------------------------------------------------------------------------ */

/* Returns the indices where segments begin; the caller frees them. Some are repeated, and one may be the end. Offsets
 * and begins leave out at most the first element, which is then sorted separately. */
static int64_t *make_starts(const case_problem *problem, int64_t *count)
{
    const int64_t mean = means[problem->seed % MEANS];
    int64_t *starts = malloc(((size_t)problem->n + 2) * 2 * sizeof *starts);
    int64_t at = (int64_t)(problem->seed / 2 % 2); /* the first element may be left out */

    *count = 0;
    if (!starts) abort();
    for (uint64_t k = 0; mean && at <= problem->n; k++) {
        starts[(*count)++] = at;
        if (test_random(problem->seed + 5, k) % 16 == 0) starts[(*count)++] = at;
        at += 1 + (int64_t)(test_random(problem->seed + 3, k) % (uint64_t)(2 * mean - 1));
    }
    if (!*count && problem->variant->kind & (BEGINS | OFFSETS)) starts[(*count)++] = 0;
    if (problem->variant->kind & OFFSETS) starts[(*count)++] = problem->n;
    return starts;
}

/* Returns the offsets of rows; the caller frees them. Some problems leave the last row out. */
static int64_t *make_row_offsets(const case_problem *problem, int64_t *count)
{
    const int64_t length = problem->variant->length, all = problem->n / length;
    const int64_t rows = problem->seed % 3 == 0 && all > 0 ? all - 1 : all;
    int64_t *offsets = malloc(((size_t)rows + 1) * sizeof *offsets);

    if (!offsets) abort();
    *count = rows + 1;
    for (int64_t k = 0; k <= rows; k++) offsets[k] = k * length;
    return offsets;
}

static void store_starts(case_problem *problem, const int64_t *starts, int64_t count)
{
    case_input *input = &problem->inputs[problem->input_count];
    const element *kind = problem->variant->kind & STARTS_64 ? &element_int64 : &element_int32;

    case_add_input(problem, kind, FROM_BUFFER, count, 0, ORDER_RANDOM);
    for (int64_t k = 0; k < count; k++) {
        if (kind == &element_int64)
            ((int64_t *)input->data)[k] = starts[k];
        else
            ((int32_t *)input->data)[k] = (int32_t)starts[k];
    }
}

/* Stores the segments as flags. Bits past the end are set. In some problems the last words are missing, which count as
 * zeros. */
static void store_flags(case_problem *problem, const int64_t *starts, int64_t count)
{
    case_input *input = &problem->inputs[problem->input_count];
    const int64_t words = problem->n / 32 + 1;
    int64_t last = 0;

    case_add_input(problem, &element_uint32, FROM_BUFFER, words, 0, ORDER_RANDOM);
    uint32_t *flags = (uint32_t *)input->data;
    memset(flags, 0, (size_t)words * sizeof *flags);
    for (int64_t k = 0; k < count; k++) flags[starts[k] / 32] |= 1u << starts[k] % 32;
    for (int64_t k = 0; k < words; k++)
        if (flags[k]) last = k + 1;
    if (problem->seed % 3 == 0)
        input->count = last;
    else
        flags[problem->n / 32] |= ~0u << problem->n % 32;
}

/* ---- what they give --------------------------------------------------------------------------------------------- */

/* Returns the indices where segments begin, read from the input. */
static int64_t *read_starts(const case_problem *problem, int64_t *count)
{
    const case_input *input = &problem->inputs[1];
    const int64_t bits = input->count * 32 < problem->n ? input->count * 32 : problem->n;
    const int64_t room = problem->variant->kind & FLAGS ? bits : input->count;
    const int64_t rest = problem->variant->form & ROWS ? problem->n : 0; /* with rows, the elements after them stay */
    int64_t *starts = malloc(((size_t)(room + rest) + 1) * sizeof *starts);

    *count = 0;
    if (!starts) abort();
    for (int64_t k = 0; k < room; k++) {
        const uint32_t *words = (const uint32_t *)(const void *)input->data;
        const int32_t *narrow = (const int32_t *)(const void *)input->data;
        const int64_t *wide = (const int64_t *)(const void *)input->data;
        if (!(problem->variant->kind & FLAGS))
            starts[(*count)++] = input->element == &element_int64 ? wide[k] : narrow[k];
        else if (words[k / 32] >> k % 32 & 1)
            starts[(*count)++] = k;
    }
    for (int64_t k = rest > 0 ? starts[*count - 1] + 1 : 0; k < rest; k++) starts[(*count)++] = k;
    return starts;
}

static void add_sorted(case_problem *problem, const int64_t *order)
{
    case_add_ordered(problem, &problem->inputs[0], order);
    if (problem->variant->value) case_add_ordered(problem, &problem->inputs[problem->input_count - 1], order);
}

static void add_indices(case_problem *problem, const int64_t *starts, int64_t count, const int64_t *order)
{
    const int in_segments = problem->variant->form & IN_SEGMENTS;
    const element *kind = problem->variant->index_element;

    if (!(problem->variant->form & DROPS_KEYS)) case_add_ordered(problem, &problem->inputs[0], order);
    unsigned char *out = case_add_output(problem, kind, problem->n);
    for (int64_t k = 0, next = 0, begin = 0; k < problem->n; k++) {
        for (; next < count && starts[next] <= k; next++) begin = starts[next];
        case_store_index(kind, order[k] - (in_segments ? begin : 0), case_at(kind, out, k));
    }
}

static void segmented_sort_expect(case_problem *problem)
{
    int64_t count;
    int64_t *starts = read_starts(problem, &count);
    int64_t *order = case_sorted_indices(problem, starts, count);

    if (problem->variant->form & INDICES)
        add_indices(problem, starts, count, order);
    else
        add_sorted(problem, order);
    free(starts);
    free(order);
}

static void locality_sort_expect(case_problem *problem)
{
    int64_t *order = case_sorted_indices(problem, NULL, 0);

    add_sorted(problem, order);
    free(order);
}

/* ---- problems --------------------------------------------------------------------------------------------------- */

static void segmented_sort_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int64_t span = problem->seed % 4 == 1 ? 4 : 0; /* with few different keys an unstable sort is noticed */
    int64_t count;
    int64_t *starts = variant->form & ROWS ? make_row_offsets(problem, &count) : make_starts(problem, &count);

    case_add_input(problem, variant->element, variant->source, problem->n, span, ORDER_RANDOM);
    if (variant->kind & FLAGS)
        store_flags(problem, starts, count);
    else
        store_starts(problem, starts, count);
    if (variant->value) case_add_counting(problem, variant->value, 0, problem->n);
    free(starts);
}

static mcl_status call_indices(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                               mcl_segments segments, const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const int drops = variant->form & DROPS_KEYS;

    return mcl_segmented_sort_indices(
        queue, operands->in[0], segments, drops ? (mcl_output){ 0 } : operands->out[0], operands->out[drops ? 0 : 1],
        variant->form & IN_SEGMENTS ? MCL_INDEX_IN_SEGMENT : MCL_INDEX_IN_SEQUENCE,
        variant->descending ? MCL_GREATER : variant->element->less, MCL_STABLE, NULL, options);
}

static mcl_segments segments_of(const case_variant *variant, const mcl_input *given)
{
    mcl_segments rows = mcl_segments_from_rows(given->count - 1, variant->length);

    if (variant->form & ROWS) {
        if (given->count_slot)
            rows.input =
                mcl_with_count_of(rows.input, given->count_slot_type, given->count_slot, given->count_slot_index);
        return rows;
    }
    return (mcl_segments){ .input = *given,
                           .kind = variant->kind & FLAGS     ? MCL_SEGMENT_FLAGS
                                   : variant->kind & BEGINS  ? MCL_SEGMENT_BEGINS
                                   : variant->kind & OFFSETS ? MCL_SEGMENT_OFFSETS
                                                             : MCL_SEGMENT_INDICES };
}

static mcl_status segmented_sort_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                      const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;
    const mcl_segments segments = segments_of(variant, &operands->in[1]);
    const mcl_stability stability = variant->kind & UNSTABLE ? MCL_UNSTABLE : MCL_STABLE;

    if (variant->form & INDICES) return call_indices(queue, problem, operands, segments, options);
    if (!variant->value)
        return mcl_segmented_sort(queue, operands->in[0], segments, operands->out[0], before, stability, NULL, options);
    return mcl_segmented_sort_pairs(queue, operands->in[0], operands->in[2], segments, operands->out[0],
                                    operands->out[1], before, stability, NULL, options);
}

/* Makes keys in no order, nearly sorted, or in the opposite order. */
static void locality_sort_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t n = problem->n;

    case_add_input(problem, kind, variant->source, n, 0, problem->seed % 5 == 3 ? ORDER_DESCENDING : ORDER_RANDOM);
    if (variant->source == FROM_BUFFER && problem->seed % 2 == 0)
        for (int64_t k = 0; k < n; k++)
            kind->from_integer((k + (int64_t)(test_random(problem->seed, (uint64_t)k) % (uint64_t)(n / 50 + 25))) *
                                   (kind->span / 2) / (n + n / 50 + 25),
                               case_at(kind, problem->inputs[0].data, k));
    if (variant->value) case_add_counting(problem, variant->value, 0, n);
}

static mcl_status locality_sort_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                     const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;

    if (!variant->value) return mcl_locality_sort(queue, operands->in[0], operands->out[0], before, NULL, options);
    return mcl_locality_sort_pairs(queue, operands->in[0], operands->in[1], operands->out[0], operands->out[1], before,
                                   NULL, options);
}

/* ---- variants --------------------------------------------------------------------------------------------------- */

#define INDICES_OF(index, form_, ...) { .index_element = &element_##index, .form = INDICES | (form_), __VA_ARGS__ }
static const case_variant segmented_variants[] = {
    { .element = &element_int32 },
    { .element = &element_int32, .value = &element_int32, .kind = STARTS_64 },
    { .element = &element_int32, .threads = 32, .items = 5, .kind = FLAGS, .in_place = 1 },
    { .element = &element_int8, .value = &element_uint64, .threads = 64, .items = 7 },
    { .element = &element_uint64,
      .threads = 128,
      .items = 8,
      .source = FROM_STEP,
      .kind = FLAGS,
      .flags = MCL_INDEX_64 },
    { .element = &element_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION, .kind = UNSTABLE },
    { .element = &element_float, .value = &element_point, .threads = 1, .items = 31, .flags = MCL_VALIDATE },
    { .element = &element_double, .threads = 1, .items = 1, .descending = 1, .kind = FLAGS },
    { .element = &element_half, .threads = 64, .items = 15 },
    { .element = &element_uint32,
      .value = &element_double,
      .threads = 256,
      .items = 3,
      .descending = 1,
      .flags = MCL_INDEX_64 },
    { .element = &element_wide, .threads = 64, .items = 3, .kind = STARTS_64 },
    { .element = &element_int32, .threads = 1, .items = 200, .in_place = 1, .flags = MCL_INDEX_64 },
    { .element = &element_int32, .value = &element_int32, .threads = 64, .items = 5, .kind = BEGINS | STARTS_64 },
    { .element = &element_int32, .threads = 32, .items = 3, .kind = OFFSETS, .flags = MCL_VALIDATE },
    { .element = &element_float, .threads = 1, .items = 60, .kind = OFFSETS | UNSTABLE },
    INDICES_OF(int32, DROPS_KEYS, .element = &element_float, .kind = OFFSETS),
    INDICES_OF(int32, DROPS_KEYS | IN_SEGMENTS, .element = &element_float, .threads = 64, .items = 5, .kind = OFFSETS,
               .descending = 1),
    INDICES_OF(int64, IN_SEGMENTS, .element = &element_int32, .threads = 32, .items = 3, .kind = FLAGS),
    INDICES_OF(int32, IN_SEGMENTS, .element = &element_point, .threads = 1, .items = 70, .kind = FLAGS),
    INDICES_OF(int32, DROPS_KEYS, .element = &element_int32, .threads = 32, .items = 7, .kind = FLAGS),
    INDICES_OF(int32, DROPS_KEYS, .element = &element_point, .threads = 64, .items = 2),
    INDICES_OF(int64, 0, .element = &element_wide, .threads = 128, .items = 2, .kind = BEGINS, .flags = MCL_INDEX_64),
};
static const case_variant row_variants[] = {
#define ROWS_OF(length_, ...) { .form = ROWS, .length = (length_), __VA_ARGS__ }
    ROWS_OF(2, .element = &element_int32),
    ROWS_OF(8, .element = &element_int32, .kind = UNSTABLE),
    ROWS_OF(1, .element = &element_float, .value = &element_int32, .threads = 32, .items = 3),
    ROWS_OF(2, .element = &element_float, .value = &element_float, .threads = 32, .items = 5, .descending = 1),
    ROWS_OF(4, .element = &element_double, .value = &element_uint64, .threads = 64, .items = 13),
    ROWS_OF(16, .element = &element_int32, .threads = 32, .items = 16, .kind = UNSTABLE, .in_place = 1),
    ROWS_OF(6, .element = &element_point, .threads = 64, .items = 7),
    ROWS_OF(7, .element = &element_uint64, .threads = 64, .items = 7, .in_place = 1),
    ROWS_OF(16, .element = &element_int8, .value = &element_double, .threads = 1, .items = 100),
    ROWS_OF(9, .element = &element_float, .threads = 1, .items = 50, .descending = 1, .flags = MCL_VALIDATE),
    ROWS_OF(12, .element = &element_point, .value = &element_point, .threads = 1, .items = 300),
    ROWS_OF(100, .element = &element_half, .threads = 1, .items = 512),
    ROWS_OF(300, .element = &element_double, .value = &element_int32, .threads = 1, .items = 1000),
    ROWS_OF(33, .element = &element_wide, .threads = 64, .items = 3, .flags = MCL_INDEX_64),
    ROWS_OF(50, .element = &element_point, .value = &element_int8, .threads = 32, .items = 5),
    ROWS_OF(160, .element = &element_int32, .value = &element_uint64, .threads = 32, .items = 5, .descending = 1),
    /* a row of 161 elements does not fit this tile */
    ROWS_OF(161, .element = &element_int32, .threads = 32, .items = 5),
    ROWS_OF(400, .element = &element_int8, .value = &element_point, .threads = 32, .items = 5), /* by digits */
    ROWS_OF(1300, .element = &element_int32, .threads = 32, .items = 5, .in_place = 1),
    ROWS_OF(1000, .element = &element_half, .threads = 64, .items = 2, .descending = 1, .source = FROM_EXPRESSION),
    ROWS_OF(500, .element = &element_int8, .value = &element_int32, .threads = 64, .items = 3, .flags = MCL_INDEX_64),
    ROWS_OF(1000, .element = &element_float, .source = FROM_EXPRESSION),
    ROWS_OF(100000, .element = &element_float),
#undef ROWS_OF
#define ROWS_OF(length_, index, form_, ...)                                                                            \
    { .form = ROWS | INDICES | (form_), .length = (length_), .index_element = &element_##index, __VA_ARGS__ }
    ROWS_OF(8, int32, DROPS_KEYS, .element = &element_float),
    ROWS_OF(20, int32, DROPS_KEYS | IN_SEGMENTS, .element = &element_float, .threads = 64, .items = 5),
    ROWS_OF(12, int32, IN_SEGMENTS | DROPS_KEYS, .element = &element_int8, .threads = 32, .items = 12),
    ROWS_OF(8, int64, 0, .element = &element_wide, .threads = 32, .items = 8, .flags = MCL_INDEX_64),
    ROWS_OF(11, int64, IN_SEGMENTS, .element = &element_int32, .threads = 64, .items = 4, .descending = 1),
    ROWS_OF(40, int64, 0, .element = &element_point, .threads = 32, .items = 6, .flags = MCL_INDEX_64),
    ROWS_OF(10, int32, IN_SEGMENTS | DROPS_KEYS, .element = &element_double, .threads = 1, .items = 40),
    ROWS_OF(70, int64, DROPS_KEYS, .element = &element_int8, .threads = 1, .items = 200),
    ROWS_OF(1500, int32, IN_SEGMENTS | DROPS_KEYS, .element = &element_float, .threads = 32, .items = 5),
    ROWS_OF(700, int64, DROPS_KEYS, .element = &element_half, .threads = 64, .items = 3),
    ROWS_OF(1000, int32, IN_SEGMENTS | DROPS_KEYS, .element = &element_float),
#undef ROWS_OF
};
static const case_variant segmented_all[] = {
    { .element = &element_int8, .kind = FLAGS },
    { .element = &element_int32 },
    { .element = &element_int32, .kind = UNSTABLE, .in_place = 1 },
    { .element = &element_uint64, .kind = STARTS_64 },
    { .element = &element_float, .descending = 1 },
    { .element = &element_double, .kind = FLAGS, .in_place = 1 },
    { .element = &element_half },
    { .element = &element_point },
    { .element = &element_wide, .kind = FLAGS },
    { .element = &element_int8, .value = &element_point },
    { .element = &element_int32, .value = &element_int32, .kind = FLAGS, .flags = MCL_VALIDATE },
    { .element = &element_int32, .value = &element_wide, .flags = MCL_VALIDATE },
    { .element = &element_uint64, .value = &element_uint64, .kind = STARTS_64 },
    { .element = &element_double, .value = &element_int8 },
    { .element = &element_wide, .value = &element_int64, .kind = FLAGS },
    INDICES_OF(int32, DROPS_KEYS, .element = &element_int8, .kind = FLAGS),
    INDICES_OF(int64, IN_SEGMENTS | DROPS_KEYS, .element = &element_uint64, .kind = OFFSETS | STARTS_64),
    INDICES_OF(int32, IN_SEGMENTS, .element = &element_float, .descending = 1),
};

const mcl_case segmented_sort_case = {
    .name = "segmented_sort",
    CASE_VARIANTS(segmented_variants),
    CASE_ALL(segmented_all),
    .sources = 1,
    .make = segmented_sort_make,
    .expect = segmented_sort_expect,
    .call = segmented_sort_call,
};

const mcl_case row_sort_case = {
    .name = "row_sort",
    .tiled_as = "segmented_sort",
    CASE_VARIANTS(row_variants),
    .sources = 1,
    .make = segmented_sort_make,
    .expect = segmented_sort_expect,
    .call = segmented_sort_call,
};

static const case_variant locality_variants[] = {
    { .element = &element_int32, .in_place = 1 },
    { .element = &element_int32, .value = &element_int32 },
    { .element = &element_int8, .threads = 32, .items = 5 },
    { .element = &element_uint64, .value = &element_point, .threads = 64, .items = 4, .flags = MCL_INDEX_64 },
    { .element = &element_point, .value = &element_int8, .threads = 1, .items = 50, .source = FROM_EXPRESSION },
    { .element = &element_double, .threads = 128, .items = 7, .descending = 1, .in_place = 1 },
    { .element = &element_uint32, .threads = 64, .items = 2, .source = FROM_STEP, .descending = 1 },
    { .element = &element_wide, .threads = 32, .items = 3 },
};
static const case_variant locality_all[] = {
    { .element = &element_int8 },
    { .element = &element_int32, .in_place = 1 },
    { .element = &element_uint64 },
    { .element = &element_float, .descending = 1 },
    { .element = &element_half },
    { .element = &element_point },
    { .element = &element_int8, .value = &element_point },
    { .element = &element_int32, .value = &element_wide },
    { .element = &element_double, .value = &element_uint64 },
};

const mcl_case locality_sort_case = {
    .name = "locality_sort",
    CASE_VARIANTS(locality_variants),
    CASE_ALL(locality_all),
    .sources = 1,
    .make = locality_sort_make,
    .expect = locality_sort_expect,
    .call = locality_sort_call,
};
