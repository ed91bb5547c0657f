/* top_k_case.c: compares the calls of top_k.h with the order of the keys. */
#include "case.h"

#include <stdlib.h>

/* Makes random keys with many equal ones. Every third problem is sorted or reversed. Every seventh has only one or two
 * different keys. */
static void make_keys(case_problem *problem)
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
}

/* Returns how many elements are asked for, or which rank: few, some, most, all or more. */
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

/* Returns the number that the host knows: the wanted number, or a bound of it. In some problems the bound is too
 * low. */
static int64_t bound_of(const case_problem *problem)
{
    const int64_t wanted = wanted_of(problem);

    if (problem->variant->form != AMOUNT_ON_DEVICE) return wanted;
    if (problem->variant->kind == NTH_ELEMENT) return problem->n - 1;
    return problem->seed % 3 == 1 ? wanted / 2 : wanted + 5;
}

static int is_quantile(const case_variant *variant)
{
    return variant->kind == NTH_ELEMENTS || variant->kind == QUANTILE;
}

/* Returns the number of ranks: few, which are selected, or many, for which the keys are sorted. */
static int64_t points_of(const case_problem *problem)
{
    const int64_t list[] = { 1, 3, 2, 20, 0, 7, 300 };

    return list[problem->seed % (sizeof list / sizeof list[0])];
}

/* Returns fraction k. Fractions are multiples of an eighth, so that no arithmetic rounds a position. Some are outside
 * [0, 1]. */
static double fraction_at(const case_problem *problem, int64_t k)
{
    return (double)((int64_t)(problem->seed + 5 * (uint64_t)k) % 13 - 2) / 8;
}

/* Returns rank k. Some ranks belong to no key. */
static int64_t rank_at(const case_problem *problem, int64_t k)
{
    return (int64_t)((problem->seed * 7 + 7919 * (uint64_t)k) % (uint64_t)(problem->n + 3)) - 1;
}

static void add_points(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const case_input *made = &problem->inputs[1];

    case_add_counting(problem, variant->value, 0, points_of(problem));
    for (int64_t k = 0; k < points_of(problem); k++) {
        const double fraction = fraction_at(problem, k);
        const float narrow_fraction = (float)fraction;
        const int64_t rank = rank_at(problem, k);
        const int32_t narrow_rank = (int32_t)rank;
        const void *const points[] = { &narrow_rank, &rank, &narrow_fraction, &fraction };
        const int is_wide = variant->value->type->size == sizeof rank;
        memcpy(case_at(variant->value, made->data, k), points[2 * (variant->kind == QUANTILE) + is_wide],
               variant->value->type->size);
    }
}

static void add_amount(case_problem *problem)
{
    const element *kind = problem->variant->descending ? &element_int64 : &element_int32;
    const case_input *made = &problem->inputs[problem->input_count];
    const int64_t wide = wanted_of(problem);
    const int32_t narrow = (int32_t)wide;

    case_add_counting(problem, kind, 0, 1);
    memcpy(made->data, kind == &element_int64 ? (const void *)&wide : &narrow, kind->type->size);
}

static void top_k_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;

    make_keys(problem);
    if (is_quantile(variant))
        add_points(problem);
    else if (variant->value)
        case_add_counting(problem, variant->value, 0, problem->n);
    if (variant->form == AMOUNT_ON_DEVICE && !is_quantile(variant)) add_amount(problem);
}

/* ---- what it gives ---------------------------------------------------------------------------------------------- */

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

/* Stores the value between two int32 keys, in the arithmetic of the output. */
static void put_between(const case_problem *problem, const int64_t ranks[2], double share, const int64_t *order,
                        unsigned char *to)
{
    int32_t keys[2];

    for (int side = 0; side < 2; side++)
        memcpy(&keys[side], case_at(&element_int32, problem->inputs[0].data, order[ranks[side]]), sizeof keys[side]);
    const double wide = keys[0] + ((double)keys[1] - keys[0]) * share;
    const float narrow = (float)keys[0] + ((float)keys[1] - (float)keys[0]) * (float)share;
    if (problem->variant->index_element == &element_double)
        memcpy(to, &wide, sizeof wide);
    else
        memcpy(to, &narrow, sizeof narrow);
}

static void put_quantile(const case_problem *problem, const element *kind, int64_t k, const int64_t *order,
                         unsigned char *to)
{
    const case_input *keys = &problem->inputs[0];
    const int64_t last = problem->n - 1, rank = rank_at(problem, k);
    const double given = fraction_at(problem, k), fraction = given < 0 ? 0 : given > 1 ? 1 : given;
    const double position = fraction * (double)last, share = position - (double)(int64_t)position;
    const int64_t low = (int64_t)position, high = low + (share > 0);
    const int64_t picked[] = { low, high, share > 0.5 ? high : low };
    const int form = problem->variant->form;

    if (problem->variant->kind == NTH_ELEMENTS)
        memcpy(to, case_at(kind, keys->data, order[rank < 0 ? 0 : rank < last ? rank : last]), kind->type->size);
    else if (form < MCL_INTERPOLATION_MIDPOINT)
        memcpy(to, case_at(kind, keys->data, order[picked[form]]), kind->type->size);
    else
        put_between(problem, (const int64_t[]){ low, high }, form == MCL_INTERPOLATION_LINEAR ? share : 0.5, order, to);
}

static void add_quantiles(case_problem *problem, const int64_t *order)
{
    const case_variant *variant = problem->variant;
    const int lies_between = variant->kind == QUANTILE && variant->form >= MCL_INTERPOLATION_MIDPOINT;
    const element *kind = lies_between ? variant->index_element : variant->element;
    unsigned char *out = case_add_kept_output(problem, kind, points_of(problem));

    for (int64_t k = 0; problem->n > 0 && k < points_of(problem); k++)
        put_quantile(problem, kind, k, order, case_at(kind, out, k));
}

static void add_indices(case_problem *problem, const int64_t *order, int64_t chosen, int64_t room)
{
    const element *kind = problem->variant->index_element;
    unsigned char *out = case_add_kept_output(problem, kind, room);

    for (int64_t k = 0; k < chosen; k++) {
        const int32_t narrow = (int32_t)order[k];
        memcpy(case_at(kind, out, k), kind == &element_int64 ? (const void *)&order[k] : &narrow, kind->type->size);
    }
}

/* Expects the first elements of the sorted sequence. */
static void top_k_expect(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int64_t n = problem->n, bound = bound_of(problem), room = bound < n ? bound : n;
    const int64_t chosen = wanted_of(problem) < room ? wanted_of(problem) : room;
    int64_t *order = case_sorted_indices(problem, NULL, 0);

    if (is_quantile(variant)) {
        add_quantiles(problem, order);
    } else {
        if (n > 0 || variant->kind != NTH_ELEMENT) add_results(problem, order, chosen);
        if (variant->kind == TOP_K_INDICES) add_indices(problem, order, chosen, room);
        for (int i = 0; variant->kind == TOP_K && i < 1 + (variant->value != NULL); i++) {
            const element *const kind = problem->inputs[i].element;
            unsigned char *out = case_add_kept_output(problem, kind, room);
            for (int64_t k = 0; k < chosen; k++)
                memcpy(case_at(kind, out, k), case_at(kind, problem->inputs[i].data, order[k]), kind->type->size);
        }
    }
    free(order);
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

static mcl_status quantiles_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                 const mcl_op *before, const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    mcl_input points = operands->in[1];

    points.count = points_of(problem);
    if (variant->kind == NTH_ELEMENTS)
        return mcl_nth_elements(queue, operands->in[0], points, operands->out[0], before, options);
    return mcl_quantiles(queue, operands->in[0], points, operands->out[0], before, (mcl_interpolation)variant->form,
                         options);
}

static mcl_status top_k_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                             const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;
    mcl_amount wanted = mcl_amount_of(bound_of(problem));

    if (is_quantile(variant)) return quantiles_call(queue, problem, operands, before, options);
    if (variant->form == AMOUNT_ON_DEVICE)
        wanted = mcl_amount_of_each(wanted.number, operands->in[problem->input_count - 1]);
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

/* Returns the bytes moved. The keys are read, and the chosen keys are read and written with their values. */
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
    { .element = &element_int32, .value = &element_int8, .form = AMOUNT_ON_DEVICE, .threads = 64, .items = 6 },
    { .element = &element_uint64, .form = AMOUNT_ON_DEVICE, .threads = 1, .items = 200, .descending = 1 },
    { .element = &element_float,
      .kind = TOP_K_INDICES,
      .index_element = &element_int32,
      .form = AMOUNT_ON_DEVICE,
      .threads = 96,
      .items = 5 },
    { .element = &element_int8, .kind = NTH_ELEMENT, .form = AMOUNT_ON_DEVICE, .threads = 64, .items = 4 },
    { .element = &element_point, .kind = NTH_ELEMENTS, .value = &element_int32, .threads = 64, .items = 5 },
    { .element = &element_float, .kind = NTH_ELEMENTS, .value = &element_int64, .threads = 1, .items = 300 },
    { .element = &element_wide, .kind = QUANTILE, .value = &element_float, .form = MCL_INTERPOLATION_HIGHER },
    { .element = &element_int32,
      .kind = QUANTILE,
      .value = &element_double,
      .form = MCL_INTERPOLATION_NEAREST,
      .flags = MCL_INDEX_64,
      .threads = 64,
      .items = 7 },
    { .element = &element_int32,
      .kind = QUANTILE,
      .value = &element_float,
      .index_element = &element_float,
      .form = MCL_INTERPOLATION_LINEAR },
    { .element = &element_int32,
      .kind = QUANTILE,
      .value = &element_double,
      .index_element = &element_double,
      .form = MCL_INTERPOLATION_MIDPOINT,
      .threads = 1,
      .items = 100,
      .descending = 1 },
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
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = top_k_make,
    .expect = top_k_expect,
    .call = top_k_call,
    .bytes_moved = top_k_bytes,
};
