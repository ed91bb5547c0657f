/* segmented_top_k_case.c: the calls of segmented_top_k.h against the sorted segments. */
#include "case.h"

#include <stdlib.h>

enum { WITHOUT_COUNTS = 1 }; /* form */
enum { SPARE_ROWS = 5 };     /* of tests: where segments are counted on the device, their bound is that much higher */

/* Random keys; of some problems they ascend or descend all along, or are equal. */
static void segmented_top_k_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t n = problem->n, step = (int64_t)(problem->seed % 5);

    case_add_segmented(problem, kind);
    if (variant->value) case_add_counting(problem, variant->value, 0, n);
    if (variant->source != FROM_BUFFER || step < 2) return;
    for (int64_t k = 0; k < n; k++) {
        const int64_t number = step == 2 ? k : step == 3 ? n - k : 1;
        kind->from_integer(step == 4 ? number : number * (kind->span / 2) / (n + 1),
                           case_at(kind, problem->inputs[0].data, k));
    }
}

static int64_t rows_of(const case_problem *problem, const case_runs *found)
{
    return found->count + (problem->variant->wanted ? 0 : SPARE_ROWS);
}

static int64_t wanted_of(const case_problem *problem, int64_t rows)
{
    const int64_t list[] = { 3, 1, 8, 0, 40, 100, 700, 16, 5000 };
    int64_t wanted = list[problem->seed % (sizeof list / sizeof list[0])];

    if (problem->variant->wanted) return problem->variant->wanted;
    while (wanted * rows > 1 << 21) wanted /= 2;
    return wanted;
}

/* Element index of the input, as number at of an output of indices. */
static void put_number(const element *kind, unsigned char *out, int64_t at, int64_t number)
{
    const int32_t narrow = (int32_t)number;
    const int is_wide = kind == &element_int64;

    memcpy(case_at(kind, out, at), is_wide ? (const void *)&number : &narrow, kind->type->size);
}

static const element *number_element(const case_variant *variant)
{
    return variant->index_element ? variant->index_element : &element_int32;
}

static void add_rows(case_problem *problem, const case_runs *found, const int64_t *order, int64_t wanted)
{
    const case_variant *variant = problem->variant;
    const int64_t room = rows_of(problem, found) * wanted;
    const int indices = variant->kind == TOP_K_INDICES;

    for (int i = 0; i < 1 + (variant->value != NULL); i++) {
        const case_input *from = &problem->inputs[i ? 2 : 0];
        const element *kind = indices ? number_element(variant) : from->element;
        unsigned char *out = case_add_kept_output(problem, kind, room);
        for (int64_t r = 0; r < found->count; r++) {
            const int64_t begin = found->begins[r], length = found->begins[r + 1] - begin;
            for (int64_t k = 0; k < wanted && k < length; k++) {
                if (indices)
                    put_number(kind, out, r * wanted + k, order[begin + k] - begin);
                else
                    case_copy(from, order[begin + k], out, r * wanted + k);
            }
        }
    }
}

static void add_counts(case_problem *problem, const case_runs *found, int64_t wanted)
{
    const element *kind = number_element(problem->variant);
    unsigned char *out = case_add_kept_output(problem, kind, rows_of(problem, found));

    for (int64_t r = 0; r < found->count; r++) {
        const int64_t length = found->begins[r + 1] - found->begins[r];
        put_number(kind, out, r, wanted < length ? wanted : length);
    }
}

/* Fractions, by the number that tells what is wanted: 0.5 by 6. */
static double fraction_of(int64_t wanted)
{
    static const double list[] = { 0.5, 0, 1, 0.25, 0.9, 0.999 };
    return list[wanted % (int64_t)(sizeof list / sizeof list[0])];
}

static void add_ranks(case_problem *problem, const case_runs *found, const int64_t *order, int64_t wanted)
{
    const case_input *from = &problem->inputs[0];
    unsigned char *out = case_add_kept_output(problem, from->element, rows_of(problem, found));
    const double parts = fraction_of(wanted) * 4294967296.0;
    const int64_t fraction = (int64_t)parts + ((double)(int64_t)parts < parts);

    for (int64_t r = 0; r < found->count; r++) {
        const int64_t begin = found->begins[r], length = found->begins[r + 1] - begin;
        const int64_t rank = problem->variant->kind == QUANTILE ? (length - 1) * fraction >> 32 : wanted;
        if (length > 0 && rank < length) case_copy(from, order[begin + rank], out, r);
    }
}

static void segmented_top_k_expect(case_problem *problem)
{
    const case_runs found = case_runs_of_segments(problem);
    int64_t *order = case_sorted_indices(problem, found.begins, found.count > 0 ? found.count + 1 : 0);
    const int64_t wanted = wanted_of(problem, rows_of(problem, &found));

    problem->tile = wanted;
    const int is_rank = problem->variant->kind == NTH_ELEMENT || problem->variant->kind == QUANTILE;
    if (is_rank)
        add_ranks(problem, &found, order, wanted);
    else
        add_rows(problem, &found, order, wanted);
    if (!is_rank && problem->variant->form != WITHOUT_COUNTS) add_counts(problem, &found, wanted);
    free(order);
    free(found.begins);
}

static mcl_status segmented_top_k_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                       const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;
    const mcl_segments segments = { .input = operands->in[1], .kind = variant->segments };
    const mcl_output none = { 0 };
    const int is_rank = variant->kind == NTH_ELEMENT || variant->kind == QUANTILE;
    const mcl_output counts =
        is_rank || variant->form == WITHOUT_COUNTS ? none : operands->out[1 + (variant->value != NULL)];
    const int64_t wanted = problem->tile;

    if (variant->kind == NTH_ELEMENT)
        return mcl_segmented_nth_element(queue, operands->in[0], segments, wanted, operands->out[0], before, options);
    if (variant->kind == QUANTILE)
        return mcl_segmented_quantile(queue, operands->in[0], segments, fraction_of(wanted), operands->out[0], before,
                                      options);
    if (variant->kind == TOP_K_INDICES)
        return mcl_segmented_top_k_indices(queue, operands->in[0], segments, wanted, operands->out[0], counts, before,
                                           options);
    if (!variant->value)
        return mcl_segmented_top_k(queue, operands->in[0], segments, wanted, operands->out[0], counts, before, options);
    return mcl_segmented_top_k_pairs(queue, operands->in[0], operands->in[2], segments, wanted, operands->out[0],
                                     operands->out[1], counts, before, options);
}

static const case_variant variants[] = {
    { .element = &element_int32 },
    { .element = &element_uint32, .value = &element_int32, .threads = 64, .items = 8, .length = 300 },
    { .element = &element_int8,
      .value = &element_uint64,
      .threads = 64,
      .items = 7,
      .segments = MCL_SEGMENT_BEGINS,
      .length = 3000 },
    { .element = &element_uint64, .threads = 1, .items = 4, .flags = MCL_INDEX_64, .length = 100 },
    { .element = &element_point, .threads = 32, .items = 4, .source = FROM_EXPRESSION, .form = WITHOUT_COUNTS },
    { .element = &element_float, .threads = 32, .items = 6, .length = 20000 },
    { .element = &element_float,
      .value = &element_point,
      .threads = 1,
      .items = 31,
      .flags = MCL_VALIDATE,
      .length = 1000 },
    { .element = &element_double, .threads = 1, .items = 1000, .descending = 1, .length = 30000 },
    { .element = &element_half, .value = &element_wide, .threads = 64, .items = 15, .length = 1000 },
    { .element = &element_wide, .threads = 64, .items = 3, .length = 500, .form = WITHOUT_COUNTS },
    { .element = &element_uint32,
      .kind = TOP_K_INDICES,
      .index_element = &element_int64,
      .threads = 128,
      .items = 5,
      .descending = 1,
      .source = FROM_STEP,
      .length = 5000 },
    { .element = &element_wide,
      .kind = TOP_K_INDICES,
      .index_element = &element_int32,
      .segments = MCL_SEGMENT_BEGINS,
      .threads = 1,
      .items = 50 },
    { .element = &element_int32, .value = &element_int8, .threads = 64, .items = 9, .segments = MCL_SEGMENT_FLAGS },
    { .element = &element_int8, .kind = TOP_K_INDICES, .segments = MCL_SEGMENT_INDICES, .length = 200 },
    { .element = &element_float, .kind = QUANTILE, .length = 10000 },
    { .element = &element_int32, .kind = QUANTILE, .threads = 64, .items = 4, .length = 3000 },
    { .element = &element_wide, .kind = NTH_ELEMENT, .threads = 32, .items = 5, .segments = MCL_SEGMENT_BEGINS },
    { .element = &element_uint64,
      .kind = NTH_ELEMENT,
      .threads = 128,
      .items = 8,
      .flags = MCL_INDEX_64,
      .length = 30000,
      .descending = 1 },
    { .element = &element_double, .kind = QUANTILE, .segments = MCL_SEGMENT_FLAGS, .length = 100 },
    { .element = &element_int32, .threads = 96, .items = 2, .flags = MCL_INDEX_64 | MCL_VALIDATE, .length = 2000 },
};
static const case_variant all_variants[] = {
    { .element = &element_int8 },
    { .element = &element_int32, .length = 300 },
    { .element = &element_uint64 },
    { .element = &element_float, .descending = 1, .length = 3000 },
    { .element = &element_half },
    { .element = &element_point, .segments = MCL_SEGMENT_BEGINS },
    { .element = &element_wide },
    { .element = &element_int32, .value = &element_int32, .length = 100 },
    { .element = &element_double, .value = &element_int8 },
    { .element = &element_point, .kind = TOP_K_INDICES, .index_element = &element_int64 },
};

const mcl_case segmented_top_k_case = {
    .name = "segmented_top_k",
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = segmented_top_k_make,
    .expect = segmented_top_k_expect,
    .call = segmented_top_k_call,
};
