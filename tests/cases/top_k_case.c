/* top_k_case.c: mcl_top_k, mcl_top_k_pairs, mcl_top_k_indices and mcl_nth_element against the order of the keys. */
#include "case.h"

#include <stdlib.h>

/* Random keys with many equal ones. Every third problem is sorted or reversed to begin with, and every seventh has two
 * keys, or one. */
static void top_k_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t n = problem->n;
    int64_t span = n / 2 + 2 < kind->span ? n / 2 + 2 : kind->span;
    const case_order order = problem->seed % 6 == 1   ? ORDER_ASCENDING
                             : problem->seed % 6 == 4 ? ORDER_DESCENDING
                                                      : ORDER_RANDOM;

    if (problem->seed % 7 == 3) span = 2;
    if (problem->seed % 7 == 5) span = 1;
    case_add_input(problem, kind, variant->source, n, span, order);
    if (variant->value) case_add_counting(problem, variant->value, 0, n);
}

/* How many are asked for, or which rank: few, some, most, all or more. */
static int64_t wanted_of(const case_problem *problem)
{
    const int64_t n = problem->n;
    const int64_t list[] = { 10, 1, n / 100, n / 2, n, n + 3, 1000, 0, n - n / 10, 128 };
    const int64_t wanted = list[problem->seed % (sizeof list / sizeof list[0])];
    const int64_t fixed = problem->variant->length;

    if (fixed) return problem->variant->kind == NTH_ELEMENT ? n / 2 : fixed;
    if (problem->variant->kind != NTH_ELEMENT) return wanted;
    return wanted < n ? wanted : n - 1;
}

static void add_results(case_problem *problem, const int64_t *order, int64_t chosen)
{
    const element *const kind = problem->variant->element;

    if (problem->variant->kind == NTH_ELEMENT) {
        unsigned char *const result = case_add_result(problem, kind);
        memcpy(result, case_at(kind, problem->inputs[0].data, order[wanted_of(problem)]), kind->type->size);
    } else {
        memcpy(case_add_result(problem, &element_int64), &chosen, sizeof chosen);
    }
}

/* The first elements of the sorted sequence. */
static void top_k_expect(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int64_t wanted = wanted_of(problem), chosen = wanted < problem->n ? wanted : problem->n;
    int64_t *order = case_sorted_indices(problem, NULL, 0);

    if (problem->n > 0 || variant->kind != NTH_ELEMENT) add_results(problem, order, chosen);
    if (variant->kind == TOP_K_INDICES) {
        unsigned char *out = case_add_output(problem, variant->index_element, chosen);
        for (int64_t k = 0; k < chosen; k++) {
            const int32_t narrow = (int32_t)order[k];
            const int is_wide = variant->index_element == &element_int64;
            memcpy(case_at(variant->index_element, out, k), is_wide ? (const void *)&order[k] : &narrow,
                   variant->index_element->type->size);
        }
    } else if (variant->kind == TOP_K) {
        for (int i = 0; i < problem->input_count; i++) {
            const element *const kind = problem->inputs[i].element;
            unsigned char *out = case_add_output(problem, kind, chosen);
            for (int64_t k = 0; k < chosen; k++)
                memcpy(case_at(kind, out, k), case_at(kind, problem->inputs[i].data, order[k]), kind->type->size);
        }
    }
    free(order);
}

static mcl_status top_k_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                             const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;
    const int64_t wanted = wanted_of(problem);

    if (variant->kind == NTH_ELEMENT) {
        if (problem->n == 0) return MCL_OK;
        return mcl_nth_element(queue, operands->in[0], wanted, operands->result, before, options);
    }
    if (variant->kind == TOP_K_INDICES)
        return mcl_top_k_indices(queue, operands->in[0], wanted, operands->out[0], before, operands->result, options);
    if (!variant->value)
        return mcl_top_k(queue, operands->in[0], wanted, operands->out[0], before, operands->result, options);
    return mcl_top_k_pairs(queue, operands->in[0], operands->in[1], wanted, operands->out[0], operands->out[1], before,
                           operands->result, options);
}

/* The keys are read, and the chosen ones read and written with their values. */
static int64_t top_k_bytes(const case_problem *problem)
{
    int64_t bytes = problem->n * (int64_t)problem->variant->element->type->size;

    for (int i = 0; i < problem->output_count; i++)
        bytes += problem->outputs[i].count * (int64_t)problem->outputs[i].element->type->size * (1 + (i > 0));
    return bytes;
}

static const case_variant variants[] = {
    { .element = &element_int32 },
    { .element = &element_uint32, .value = &element_int32, .threads = 128, .items = 8 },
    { .element = &element_int8, .value = &element_uint64, .threads = 64, .items = 7 },
    { .element = &element_uint64, .kind = NTH_ELEMENT, .threads = 256, .items = 4, .flags = MCL_INDEX_64 },
    { .element = &element_point, .threads = 32, .items = 4, .source = FROM_EXPRESSION },
    { .element = &element_float, .value = &element_point, .threads = 1, .items = 31, .flags = MCL_VALIDATE },
    { .element = &element_double, .threads = 1, .items = 1000, .descending = 1 },
    { .element = &element_half, .value = &element_wide, .threads = 64, .items = 15 },
    { .element = &element_wide, .threads = 64, .items = 3 },
    { .element = &element_wide, .kind = NTH_ELEMENT, .threads = 1, .items = 300, .flags = MCL_INDEX_64 },
    { .element = &element_uint32,
      .kind = TOP_K_INDICES,
      .index_element = &element_int64,
      .threads = 128,
      .items = 5,
      .descending = 1,
      .source = FROM_STEP },
    { .element = &element_wide, .kind = TOP_K_INDICES, .index_element = &element_int32, .threads = 1, .items = 50 },
    { .element = &element_float, .kind = NTH_ELEMENT, .threads = 96, .items = 9, .descending = 1 },
    { .element = &element_int32, .kind = NTH_ELEMENT },
};
static const case_variant all_variants[] = {
    { .element = &element_int8 },
    { .element = &element_int32 },
    { .element = &element_uint64 },
    { .element = &element_float, .descending = 1 },
    { .element = &element_half },
    { .element = &element_point },
    { .element = &element_wide },
    { .element = &element_int32, .value = &element_int32 },
    { .element = &element_double, .value = &element_int8 },
    { .element = &element_point, .kind = TOP_K_INDICES, .index_element = &element_int64 },
    { .element = &element_uint32, .kind = NTH_ELEMENT },
    { .element = &element_point, .kind = NTH_ELEMENT },
};

const mcl_case top_k_case = {
    .name = "top_k",
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = top_k_make,
    .expect = top_k_expect,
    .call = top_k_call,
    .bytes_moved = top_k_bytes,
};
