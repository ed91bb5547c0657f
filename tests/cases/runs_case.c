/* runs_case.c: segments and runs of equal keys, folded and scanned, against the loop over each. A run of the host is
 * elements [begins[r], begins[r + 1]); those of offsets may be empty and leave elements out at both ends. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

typedef struct runs {
    int64_t count;
    int64_t *begins; /* count + 1 */
} runs;

/* Lengths are uniform in [least, 2 * mean]: with least 0 some runs are empty. What a problem is made with first. */
static runs runs_make(case_problem *problem, int64_t first, int64_t last, int64_t least)
{
    const int64_t mean = problem->variant->length ? problem->variant->length : 10;
    problem->has_initial = problem->has_initial && !problem->variant->no_initial;
    runs made = { 0, malloc((size_t)(last - first + problem->n / 4 + 8) * sizeof *made.begins) };
    int64_t place = first;

    made.begins[0] = first;
    while (place < last) {
        const uint64_t random = test_random(problem->seed + 99, (uint64_t)made.count);
        /* at most two empty ones in a row, so that there is room */
        const int empty = least == 0 && random % 9 == 0 && made.count < problem->n / 8;
        place += empty ? 0 : 1 + (int64_t)(random >> 20) % (2 * mean);
        if (place > last) place = last;
        made.begins[++made.count] = place;
    }
    return made;
}

/* ---- the loops -------------------------------------------------------------------------------------------------- */

static int run_start(const case_problem *problem, unsigned char *sum)
{
    return fold_start(problem->variant->fold, problem->has_initial ? problem->initial : NULL, sum);
}

/* A reduction's result; left alone where there is none. */
static void run_fold(const case_problem *problem, const unsigned char *values, int64_t begin, int64_t end,
                     unsigned char *out)
{
    const fold *by = problem->variant->fold;
    unsigned char sum[MCL_VALUE_BYTES_MAX];
    int defined = run_start(problem, sum);

    for (int64_t k = begin; k < end; k++) fold_step(by, values + (size_t)k * by->in->type->size, k, sum, &defined);
    if (defined || by->identity) fold_total(by, sum, out);
}

static void run_scan(const case_problem *problem, const unsigned char *values, int64_t begin, int64_t end,
                     unsigned char *out)
{
    const fold *by = problem->variant->fold;
    const int inclusive = problem->variant->kind & MCL_INCLUSIVE;
    unsigned char sum[MCL_VALUE_BYTES_MAX];
    int defined = run_start(problem, sum);

    for (int64_t k = begin; k < end; k++) {
        const unsigned char *x = values + (size_t)k * by->in->type->size;
        unsigned char *to = out + (size_t)k * by->stored->type->size;
        if (!inclusive) fold_combine(by, x, sum, to);
        fold_step(by, x, k, sum, &defined);
        if (inclusive) fold_combine(by, x, sum, to);
    }
}

/* ---- problems --------------------------------------------------------------------------------------------------- */

static const element *index_element(const case_variant *variant)
{
    static const element *const kinds[] = { &element_int32, &element_int64, &element_uint32, &element_uint64 };
    return kinds[variant->items % 4];
}

/* Number k of input 1. Narrow ones lose what does not fit. */
static void put_index(case_problem *problem, int64_t k, int64_t number)
{
    const element *kind = problem->inputs[1].element;
    const int32_t narrow = (int32_t)number;

    if (kind->type->size == sizeof narrow)
        memcpy(case_at(kind, problem->inputs[1].data, k), &narrow, sizeof narrow);
    else
        memcpy(case_at(kind, problem->inputs[1].data, k), &number, sizeof number);
}

static void add_offsets(case_problem *problem, const runs *made)
{
    const int64_t count = made->count + (problem->variant->segments == MCL_SEGMENT_OFFSETS);

    case_add_input(problem, index_element(problem->variant), FROM_BUFFER, count, 1, ORDER_RANDOM);
    for (int64_t r = 0; r < count; r++) put_index(problem, r, made->begins[r]);
}

/* Heads from the last to the first, then once more from the first to the last, then some outside the elements. */
static void add_indices(case_problem *problem, const runs *made)
{
    const int64_t outside[] = { -1, problem->n, problem->n + 1000 };
    const int64_t count = made->count;

    case_add_input(problem, index_element(problem->variant), FROM_BUFFER, 2 * count + 3, 1, ORDER_RANDOM);
    for (int64_t r = 0; r < 2 * count; r++) put_index(problem, r, made->begins[r < count ? count - 1 - r : r - count]);
    for (int64_t k = 0; k < 3; k++) put_index(problem, 2 * count + k, outside[k]);
}

static void add_flags(case_problem *problem, const runs *made)
{
    case_add_input(problem, &element_uint32, FROM_BUFFER, (problem->n + 31) / 32, 1, ORDER_RANDOM);
    uint32_t *words = (uint32_t *)(void *)problem->inputs[1].data;

    memset(words, 0, (size_t)problem->inputs[1].count * sizeof *words);
    /* what the first bit says, and those past the end, is of no account */
    for (int64_t r = problem->seed % 2; r < made->count; r++) words[made->begins[r] / 32] |= 1u << made->begins[r] % 32;
    if (problem->n % 32) words[problem->n / 32] |= ~0u << problem->n % 32;
}

/* The elements, and their segments. Offsets and begins may have empty ones, and leave elements out. */
static void segmented_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int has_heads = variant->segments == MCL_SEGMENT_INDICES || variant->segments == MCL_SEGMENT_FLAGS;
    const int64_t left_out = has_heads || problem->seed % 3 ? 0 : problem->n / 7;
    const int64_t end = problem->n - (variant->segments == MCL_SEGMENT_OFFSETS ? left_out / 2 : 0);
    const runs made = runs_make(problem, left_out, end, has_heads);

    case_add_input(problem, variant->fold->in, variant->source, problem->n, 0, ORDER_RANDOM);
    (!has_heads ? add_offsets : variant->segments == MCL_SEGMENT_INDICES ? add_indices : add_flags)(problem, &made);
    free(made.begins);
}

/* Keys of a run are equal, and those of neighbouring runs are not; a key comes back later. */
static void by_key_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element ? variant->element : &element_int32;
    const runs made = runs_make(problem, 0, problem->n, 1);

    case_add_input(problem, kind, FROM_BUFFER, problem->n, 0, ORDER_RANDOM);
    for (int64_t r = 0; r < made.count; r++)
        for (int64_t k = made.begins[r]; k < made.begins[r + 1]; k++)
            kind->from_integer(r % (kind->span < 7 ? 2 : 7), case_at(kind, problem->inputs[0].data, k));
    case_add_input(problem, variant->fold->in, variant->source, problem->n, 0, ORDER_RANDOM);
    free(made.begins);
}

/* ---- the runs of given inputs ----------------------------------------------------------------------------------- */

static runs runs_empty(int64_t room)
{
    const runs none = { 0, malloc(((size_t)room + 1) * sizeof *none.begins) };
    if (!none.begins) abort();
    return none;
}

static runs runs_of_begins(const case_problem *problem)
{
    const case_input *given = &problem->inputs[1];
    const int has_end = problem->variant->segments == MCL_SEGMENT_OFFSETS;
    runs read = runs_empty(given->count);

    for (int64_t r = 0; r < given->count; r++) read.begins[r] = case_index(given, r);
    if (!has_end) read.begins[given->count] = problem->n;
    read.count = given->count - has_end;
    return read;
}

/* Heads in any order, also twice; what lies outside the elements is no head, and the first element always is. */
static runs runs_of_heads(const case_problem *problem)
{
    const case_input *given = &problem->inputs[1];
    const uint32_t *words = (const uint32_t *)(const void *)given->data;
    unsigned char *is_head = calloc((size_t)problem->n + 1, 1);
    runs read = runs_empty(problem->n);

    if (!is_head) abort();
    for (int64_t k = 0; problem->variant->segments == MCL_SEGMENT_INDICES && k < given->count; k++) {
        const int64_t index = case_index(given, k);
        if (index >= 0 && index < problem->n) is_head[index] = 1;
    }
    for (int64_t k = 0; problem->variant->segments == MCL_SEGMENT_FLAGS && k < problem->n; k++)
        is_head[k] = words[k / 32] >> k % 32 & 1;
    for (int64_t k = 0; k < problem->n; k++)
        if (k == 0 || is_head[k]) read.begins[read.count++] = k;
    read.begins[read.count] = problem->n;
    free(is_head);
    return read;
}

static runs runs_of_segments(const case_problem *problem)
{
    const mcl_segment_kind kind = problem->variant->segments;
    const int has_heads = kind == MCL_SEGMENT_INDICES || kind == MCL_SEGMENT_FLAGS;
    return has_heads ? runs_of_heads(problem) : runs_of_begins(problem);
}

static runs runs_of_keys(const case_problem *problem)
{
    const case_input *keys = &problem->inputs[0];
    const size_t size = keys->element->type->size;
    runs read = runs_empty(problem->n);

    for (int64_t k = 0; k < problem->n; k++) {
        const unsigned char *key = keys->data + (size_t)k * size;
        if (k == 0 || !element_same(keys->element, key - size, key)) read.begins[read.count++] = k;
    }
    read.begins[read.count] = problem->n;
    return read;
}

/* ---- what they give --------------------------------------------------------------------------------------------- */

/* An output that keeps what is not written. */
static unsigned char *add_kept_output(case_problem *problem, const element *kind, int64_t count)
{
    const size_t bytes = (size_t)count * kind->type->size;
    unsigned char *data = case_add_output(problem, kind, count);
    unsigned char *earlier = malloc(bytes ? bytes : 1);

    memset(earlier, 0x3C, bytes);
    if (problem->variant->in_place) memcpy(earlier, problem->inputs[0].data, bytes);
    memcpy(data, earlier, bytes);
    problem->outputs[problem->output_count - 1].earlier = earlier;
    return data;
}

static void add_scanned(case_problem *problem, runs found, int values, unsigned char *out)
{
    for (int64_t r = 0; r < found.count; r++)
        run_scan(problem, problem->inputs[values].data, found.begins[r], found.begins[r + 1], out);
    free(found.begins);
}

static void add_folded(case_problem *problem, runs found, int values, unsigned char *out)
{
    const element *stored = fold_total_element(problem->variant->fold);

    for (int64_t r = 0; r < found.count; r++)
        run_fold(problem, problem->inputs[values].data, found.begins[r], found.begins[r + 1], case_at(stored, out, r));
    memcpy(case_add_result(problem, &element_int64), &found.count, sizeof found.count);
    free(found.begins);
}

static void segmented_scan_expect(case_problem *problem)
{
    unsigned char *out = add_kept_output(problem, problem->variant->fold->stored, problem->n);
    add_scanned(problem, runs_of_segments(problem), 0, out);
}

static void segmented_reduce_expect(case_problem *problem)
{
    const runs found = runs_of_segments(problem);
    unsigned char *out = add_kept_output(problem, fold_total_element(problem->variant->fold), found.count);
    add_folded(problem, found, 0, out);
}

static void scan_by_key_expect(case_problem *problem)
{
    unsigned char *out = case_add_output(problem, problem->variant->fold->stored, problem->n);
    add_scanned(problem, runs_of_keys(problem), 1, out);
}

static void reduce_by_key_expect(case_problem *problem)
{
    const runs found = runs_of_keys(problem);
    const case_input *keys = &problem->inputs[0];
    unsigned char *out_keys = case_add_output(problem, keys->element, found.count);
    unsigned char *out = case_add_output(problem, fold_total_element(problem->variant->fold), found.count);

    for (int64_t r = 0; r < found.count; r++) case_copy(keys, found.begins[r], out_keys, r);
    add_folded(problem, found, 1, out);
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static mcl_segments segments_of(const case_problem *problem, const case_operands *operands)
{
    return (mcl_segments){ .input = operands->in[1], .kind = problem->variant->segments };
}

static mcl_status segmented_reduce_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                        const mcl_options *options)
{
    return mcl_segmented_reduce(queue, operands->in[0], segments_of(problem, operands), operands->out[0],
                                problem->variant->fold->op, operands->result, options);
}

static mcl_status segmented_scan_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                      const mcl_options *options)
{
    return mcl_segmented_scan(queue, operands->in[0], segments_of(problem, operands), operands->out[0],
                              problem->variant->fold->op, problem->variant->kind, options);
}

static const mcl_op same_point = { .role = MCL_ROLE_EQUALITY, .expression = "p.x == q.x && p.y == q.y" };

/* NULL where == will do. */
static const mcl_op *equal_of(const case_problem *problem)
{
    return problem->inputs[0].element->is_number ? NULL : &same_point;
}

static mcl_status reduce_by_key_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                     const mcl_options *options)
{
    return mcl_reduce_by_key(queue, operands->in[0], operands->in[1], operands->out[0], operands->out[1],
                             problem->variant->fold->op, equal_of(problem), operands->result, options);
}

static mcl_status scan_by_key_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                   const mcl_options *options)
{
    return mcl_scan_by_key(queue, operands->in[0], operands->in[1], operands->out[0], problem->variant->fold->op,
                           equal_of(problem), problem->variant->kind, options);
}

/* ---- variants --------------------------------------------------------------------------------------------------- */

static const case_variant reduce_variants[] = {
    { .fold = &fold_add_int32 },
    { .fold = &fold_add_int8, .threads = 64, .items = 7, .length = 3, .no_initial = 1 },
    { .fold = &fold_add_uint64,
      .source = FROM_STEP,
      .threads = 128,
      .items = 8,
      .flags = MCL_INDEX_64,
      .length = 200,
      .no_initial = 1 },
    { .fold = &fold_add_point, .threads = 32, .items = 2, .source = FROM_EXPRESSION, .no_initial = 1 },
    { .fold = &fold_add_double, .threads = 1, .items = 31, .length = 5000, .no_initial = 1 },
    { .fold = &fold_affine, .threads = 256, .items = 1, .length = 30, .no_initial = 1 },
    { .fold = &fold_matrix, .threads = 64, .items = 31, .flags = MCL_INDEX_64, .length = 1000, .no_initial = 1 },
    { .fold = &fold_max_index_int32, .threads = 1, .items = 300, .length = 100 },
    { .fold = &fold_tagged, .threads = 2, .items = 3 },
    { .fold = &fold_add_wide, .threads = 32, .items = 3, .no_initial = 1 },
    { .fold = &fold_add_float, .threads = 1, .items = 100, .segments = MCL_SEGMENT_FLAGS, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 5, .segments = MCL_SEGMENT_FLAGS, .length = 100, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 6, .segments = MCL_SEGMENT_BEGINS },
    { .fold = &fold_add_int32, .threads = 128, .items = 7, .segments = MCL_SEGMENT_BEGINS, .length = 3000 },
    { .fold = &fold_affine, .threads = 1, .items = 33, .segments = MCL_SEGMENT_BEGINS, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 7, .segments = MCL_SEGMENT_INDICES },
    { .fold = &fold_add_int32, .threads = 1, .items = 100, .segments = MCL_SEGMENT_INDICES, .no_initial = 1 },
};

static const case_variant scan_variants[] = {
    { .fold = &fold_add_int32, .length = 100, .no_initial = 1 },
    { .fold = &fold_add_int8,
      .threads = 64,
      .items = 7,
      .kind = MCL_INCLUSIVE,
      .segments = MCL_SEGMENT_FLAGS,
      .no_initial = 1 },
    { .fold = &fold_add_point,
      .threads = 32,
      .items = 2,
      .source = FROM_EXPRESSION,
      .kind = MCL_INCLUSIVE,
      .flags = MCL_INDEX_64,
      .no_initial = 1 },
    { .fold = &fold_max_index_int32, .threads = 64, .items = 3, .in_place = 1, .length = 300 },
    { .fold = &fold_tagged, .threads = 1, .items = 30 },
    { .fold = &fold_flagged,
      .threads = 1,
      .items = 8,
      .in_place = 1,
      .segments = MCL_SEGMENT_FLAGS,
      .length = 3,
      .no_initial = 1 },
    { .fold = &fold_add_wide, .threads = 32, .items = 1, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 6, .segments = MCL_SEGMENT_BEGINS, .kind = MCL_INCLUSIVE },
    { .fold = &fold_add_int32, .threads = 1, .items = 29, .segments = MCL_SEGMENT_BEGINS, .no_initial = 1 },
    { .fold = &fold_tagged, .threads = 64, .items = 7, .segments = MCL_SEGMENT_INDICES, .kind = MCL_INCLUSIVE },
    { .fold = &fold_add_int32, .threads = 1, .items = 28, .segments = MCL_SEGMENT_INDICES, .in_place = 1 },
};

static const case_variant reduce_by_key_variants[] = {
    { .fold = &fold_add_int32, .element = &element_int32, .no_initial = 1 },
    { .fold = &fold_add_int8, .element = &element_uint64, .threads = 64, .items = 7, .length = 3, .no_initial = 1 },
    { .fold = &fold_add_uint64,
      .element = &element_int8,
      .source = FROM_STEP,
      .threads = 128,
      .items = 8,
      .flags = MCL_INDEX_64,
      .length = 1000,
      .no_initial = 1 },
    { .fold = &fold_matrix, .element = &element_point, .threads = 1, .items = 100, .length = 30, .no_initial = 1 },
    { .fold = &fold_tagged, .element = &element_int32, .threads = 64, .items = 31, .length = 1 },
    { .fold = &fold_max_index_int32,
      .element = &element_double,
      .threads = 64,
      .items = 5,
      .flags = MCL_DETERMINISTIC },
    { .fold = &fold_add_wide, .element = &element_int32, .threads = 32, .items = 1, .no_initial = 1 },
};

static const case_variant scan_by_key_variants[] = {
    { .fold = &fold_add_int32, .element = &element_int32, .kind = MCL_INCLUSIVE, .no_initial = 1 },
    { .fold = &fold_affine, .element = &element_uint64, .threads = 64, .items = 7, .length = 100, .no_initial = 1 },
    { .fold = &fold_halved,
      .element = &element_float,
      .threads = 64,
      .items = 3,
      .flags = MCL_DETERMINISTIC,
      .no_initial = 1 },
};

/* What the product adds. */
static const case_variant all_reductions[] = {
    { .fold = &fold_add_int8 },
    { .fold = &fold_add_int32, .length = 300 },
    { .fold = &fold_add_int32, .segments = MCL_SEGMENT_FLAGS },
    { .fold = &fold_add_uint64, .length = 3 },
    { .fold = &fold_add_float },
    { .fold = &fold_add_double, .segments = MCL_SEGMENT_FLAGS, .length = 300 },
    { .fold = &fold_add_point },
    { .fold = &fold_add_wide },
    { .fold = &fold_min_float, .length = 100 },
    { .fold = &fold_max_half },
    { .fold = &fold_widened },
    { .fold = &fold_max_index_int32 },
    { .fold = &fold_max_at_double },
    { .fold = &fold_affine, .length = 1000 },
    { .fold = &fold_matrix },
    { .fold = &fold_tagged },
    { .fold = &fold_tagged, .segments = MCL_SEGMENT_FLAGS, .flags = MCL_DETERMINISTIC },
    { .fold = &fold_modular },
};

static const case_variant all_scans[] = {
    { .fold = &fold_add_int8 },
    { .fold = &fold_add_int32, .kind = MCL_INCLUSIVE, .length = 300 },
    { .fold = &fold_add_int32, .segments = MCL_SEGMENT_FLAGS, .flags = MCL_DETERMINISTIC },
    { .fold = &fold_add_uint64, .length = 3 },
    { .fold = &fold_add_float },
    { .fold = &fold_add_double, .segments = MCL_SEGMENT_FLAGS, .length = 300 },
    { .fold = &fold_add_point, .kind = MCL_INCLUSIVE },
    { .fold = &fold_add_wide },
    { .fold = &fold_max_half },
    { .fold = &fold_max_index_int32 },
    { .fold = &fold_affine, .length = 1000 },
    { .fold = &fold_matrix, .kind = MCL_INCLUSIVE },
    { .fold = &fold_tagged, .segments = MCL_SEGMENT_FLAGS, .in_place = 1 },
    { .fold = &fold_flagged },
    { .fold = &fold_modular, .kind = MCL_INCLUSIVE },
};

#define LIST(list) .variants = list, .variant_count = sizeof list / sizeof list[0]
#define ALL(list) .all_variants = list, .all_count = sizeof list / sizeof list[0]

const mcl_case segmented_reduce_case = {
    .name = "segmented_reduce",
    LIST(reduce_variants),
    ALL(all_reductions),
    .sources = 1,
    .make = segmented_make,
    .expect = segmented_reduce_expect,
    .call = segmented_reduce_call,
};

const mcl_case segmented_scan_case = {
    .name = "segmented_scan",
    LIST(scan_variants),
    ALL(all_scans),
    .sources = 1,
    .make = segmented_make,
    .expect = segmented_scan_expect,
    .call = segmented_scan_call,
};

const mcl_case reduce_by_key_case = {
    .name = "reduce_by_key",
    LIST(reduce_by_key_variants),
    ALL(all_reductions),
    .make = by_key_make,
    .expect = reduce_by_key_expect,
    .call = reduce_by_key_call,
};

const mcl_case scan_by_key_case = {
    .name = "scan_by_key",
    LIST(scan_by_key_variants),
    ALL(all_scans),
    .make = by_key_make,
    .expect = scan_by_key_expect,
    .call = scan_by_key_call,
};
