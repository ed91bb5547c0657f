/* segmented_top_k_case.c: compares the calls of segmented_top_k.h with the sorted segments. */
#include "case.h"

#include <stdlib.h>

enum { SPARE_ROWS = 5 }; /* number by which the bound exceeds the count, where segments are counted on the device */

/* ---- numbers on the device -------------------------------------------------------------------------------------- */

/* Returns how many numbers there are: one for each of the first segments; the last one also serves all other
 * segments. */
static int64_t amounts_of(const case_problem *problem)
{
    const int64_t list[] = { 1, 4, 100 };

    return list[problem->seed % (sizeof list / sizeof list[0])];
}

/* Returns the number of a segment. Some lie outside the bound. */
static int64_t amount_at(const case_problem *problem, int64_t segment)
{
    const int64_t last = amounts_of(problem) - 1, k = segment < last ? segment : last;

    return (int64_t)((problem->seed + 7 * (uint64_t)k) % 23) - 1;
}

static void add_amounts(case_problem *problem)
{
    const case_input *made = &problem->inputs[problem->input_count];

    case_add_counting(problem, &element_int32, 0, amounts_of(problem));
    for (int64_t k = 0; k < amounts_of(problem); k++) {
        const int32_t amount = (int32_t)amount_at(problem, k);
        memcpy(case_at(&element_int32, made->data, k), &amount, sizeof amount);
    }
}

/* Returns k, or the rank, of a segment. wanted is the number that the host knows. */
static int64_t wanted_in(const case_problem *problem, int64_t segment, int64_t wanted)
{
    const int64_t amount = amount_at(problem, segment);

    if (!(problem->variant->form & AMOUNT_ON_DEVICE)) return wanted;
    return amount < 0 ? 0 : amount < wanted ? amount : wanted;
}

static int lies_between(const case_variant *variant)
{
    return variant->kind == QUANTILE && variant->form >= MCL_INTERPOLATION_MIDPOINT;
}

static int64_t fractions_of(const case_problem *problem)
{
    return problem->variant->wanted ? 1 : 1 + (int64_t)(problem->seed % 3);
}

/* Returns fraction k. The first one is 0.5 where wanted is 6 in all problems. Values between keys are exact with
 * multiples of an eighth. */
static double fraction_at(const case_problem *problem, int64_t k)
{
    static const double list[] = { 0.5, 0, 1, 0.25, 0.9, 0.999 }, eighths[] = { 0.5, 0.125, 1, 0.375, 0.75, 0.875 };
    const int64_t at = ((problem->variant->wanted ? problem->variant->wanted : (int64_t)problem->seed) + k) % 6;

    return lies_between(problem->variant) ? eighths[at] : list[at];
}

static const element *fraction_element(const case_variant *variant)
{
    return variant->value ? variant->value : &element_float;
}

static void add_fractions(case_problem *problem)
{
    const element *kind = fraction_element(problem->variant);
    const case_input *made = &problem->inputs[problem->input_count];

    case_add_counting(problem, kind, 0, fractions_of(problem));
    for (int64_t k = 0; k < fractions_of(problem); k++) {
        const double wide = fraction_at(problem, k);
        const float narrow = (float)wide;
        memcpy(case_at(kind, made->data, k), kind == &element_double ? (const void *)&wide : &narrow, kind->type->size);
    }
}

/* ---- the problem ------------------------------------------------------------------------------------------------ */

/* Returns 1 where segments are rows. Quantiles use the form for their interpolation. */
static int are_rows(const case_variant *variant)
{
    return variant->kind != QUANTILE && variant->form & TOP_K_ROWS;
}

/* Adds rows of one length, and elements after them. */
static void add_matrix(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int64_t rows = problem->n / variant->length;
    const case_input *offsets = &problem->inputs[1];

    case_add_input(problem, variant->element, variant->source, problem->n, 0, ORDER_RANDOM);
    case_add_counting(problem, &element_int32, 0, rows + 1);
    for (int64_t r = 0; r <= rows; r++) {
        const int32_t begin = (int32_t)(r * variant->length);
        memcpy(case_at(&element_int32, offsets->data, r), &begin, sizeof begin);
    }
}

static mcl_segments segments_of(const case_variant *variant, const mcl_input *offsets)
{
    mcl_segments rows = mcl_segments_from_rows(offsets->count - 1, variant->length);

    if (!are_rows(variant)) return (mcl_segments){ .input = *offsets, .kind = variant->segments };
    if (offsets->count_slot)
        rows.input =
            mcl_with_count_of(rows.input, offsets->count_slot_type, offsets->count_slot, offsets->count_slot_index);
    return rows;
}

/* Makes random keys. In some problems they ascend, descend or are equal throughout. */
static void segmented_top_k_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t n = problem->n, step = (int64_t)(problem->seed % 5);

    if (are_rows(variant))
        add_matrix(problem);
    else
        case_add_segmented(problem, kind);
    if (variant->kind == QUANTILE)
        add_fractions(problem);
    else if (variant->value)
        case_add_counting(problem, variant->value, 0, n);
    if (variant->kind != QUANTILE && variant->form & AMOUNT_ON_DEVICE) add_amounts(problem);
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

/* Stores the index number to element at of an output of indices. */
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
            for (int64_t k = 0; k < wanted_in(problem, r, wanted) && k < length; k++) {
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
        const int64_t length = found->begins[r + 1] - found->begins[r], most = wanted_in(problem, r, wanted);
        put_number(kind, out, r, most < length ? most : length);
    }
}

/* Adds the expected keys of ranks of segments. */
static void add_ranks(case_problem *problem, const case_runs *found, const int64_t *order, int64_t wanted)
{
    const case_input *from = &problem->inputs[0];
    unsigned char *out = case_add_kept_output(problem, from->element, rows_of(problem, found));

    for (int64_t r = 0; r < found->count; r++) {
        const int64_t begin = found->begins[r], length = found->begins[r + 1] - begin;
        const int64_t rank = wanted_in(problem, r, wanted);
        if (rank < length) case_copy(from, order[begin + rank], out, r);
    }
}

/* Stores the value between two int32 keys, in the arithmetic of the output. */
static void put_between(const case_problem *problem, int64_t low, int64_t high, double share, unsigned char *to)
{
    int32_t p, q;

    memcpy(&p, case_at(&element_int32, problem->inputs[0].data, low), sizeof p);
    memcpy(&q, case_at(&element_int32, problem->inputs[0].data, high), sizeof q);
    const double wide = p + ((double)q - p) * share;
    const float narrow = (float)p + ((float)q - (float)p) * (float)share;
    if (problem->variant->index_element == &element_double)
        memcpy(to, &wide, sizeof wide);
    else
        memcpy(to, &narrow, sizeof narrow);
}

/* Stores the quantile of fraction f to element to of the output. The segment has length elements, and its order begins
 * at order. */
static void put_quantile(const case_problem *problem, const int64_t *order, int64_t length, int64_t f,
                         unsigned char *out, int64_t to)
{
    const case_variant *variant = problem->variant;
    const double fraction = fraction_at(problem, f), last = (double)(length - 1);
    const float narrow = (float)fraction * (float)last;
    const double position = fraction_element(variant) == &element_double ? fraction * last : (double)narrow;
    const int64_t low = (int64_t)position;
    const double share = position - (double)low;
    const int64_t high = low + (share > 0), picked[] = { low, high, share > 0.5 ? high : low };

    if (lies_between(variant))
        put_between(problem, order[low], order[high], variant->form == MCL_INTERPOLATION_LINEAR ? share : 0.5,
                    case_at(variant->index_element, out, to));
    else
        case_copy(&problem->inputs[0], order[picked[variant->form]], out, to);
}

static void add_quantiles(case_problem *problem, const case_runs *found, const int64_t *order)
{
    const case_variant *variant = problem->variant;
    const int64_t each = fractions_of(problem);
    const element *kind = lies_between(variant) ? variant->index_element : problem->inputs[0].element;
    unsigned char *out = case_add_kept_output(problem, kind, rows_of(problem, found) * each);

    for (int64_t r = 0; r < found->count; r++) {
        const int64_t begin = found->begins[r], length = found->begins[r + 1] - begin;
        for (int64_t f = 0; length > 0 && f < each; f++)
            put_quantile(problem, order + begin, length, f, out, r * each + f);
    }
}

static void segmented_top_k_expect(case_problem *problem)
{
    const case_runs found = case_runs_of_segments(problem);
    int64_t *order = case_sorted_indices(problem, found.begins, found.count > 0 ? found.count + 1 : 0);
    const int64_t wanted = wanted_of(problem, rows_of(problem, &found));

    problem->tile = wanted;
    const int is_rank = problem->variant->kind == NTH_ELEMENT || problem->variant->kind == QUANTILE;
    if (problem->variant->kind == QUANTILE)
        add_quantiles(problem, &found, order);
    else if (is_rank)
        add_ranks(problem, &found, order, wanted);
    else
        add_rows(problem, &found, order, wanted);
    if (!is_rank && !(problem->variant->form & WITHOUT_COUNTS)) add_counts(problem, &found, wanted);
    free(order);
    free(found.begins);
}

static mcl_status segmented_top_k_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                       const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;
    const mcl_segments segments = segments_of(variant, &operands->in[1]);
    const mcl_output none = { 0 };
    const int is_rank = variant->kind == NTH_ELEMENT || variant->kind == QUANTILE;
    const mcl_output counts =
        is_rank || variant->form & WITHOUT_COUNTS ? none : operands->out[1 + (variant->value != NULL)];
    mcl_amount wanted = mcl_amount_of(problem->tile);
    mcl_input numbers = operands->in[problem->input_count - 1];
    const int is_quantile = variant->kind == QUANTILE;

    numbers.count = is_quantile ? fractions_of(problem) : amounts_of(problem);
    if (!is_quantile && variant->form & AMOUNT_ON_DEVICE) wanted = mcl_amount_of_each(wanted.number, numbers);
    if (variant->kind == NTH_ELEMENT)
        return mcl_segmented_nth_element(queue, operands->in[0], segments, wanted, operands->out[0], before, options);
    if (variant->kind == QUANTILE)
        return mcl_segmented_quantiles(queue, operands->in[0], segments, numbers, operands->out[0], before,
                                       (mcl_interpolation)variant->form, options);
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
    { .element = &element_float, .form = AMOUNT_ON_DEVICE, .threads = 64, .items = 6, .length = 500 },
    { .element = &element_int32,
      .value = &element_uint64,
      .form = AMOUNT_ON_DEVICE,
      .threads = 1,
      .items = 64,
      .segments = MCL_SEGMENT_BEGINS,
      .length = 200 },
    { .element = &element_uint64,
      .kind = NTH_ELEMENT,
      .form = AMOUNT_ON_DEVICE,
      .segments = MCL_SEGMENT_FLAGS,
      .length = 40 },
    { .element = &element_float, .kind = NTH_ELEMENT, .form = AMOUNT_ON_DEVICE, .threads = 1, .items = 50 },
    { .element = &element_point, .kind = QUANTILE, .form = MCL_INTERPOLATION_HIGHER, .length = 100 },
    { .element = &element_float, .form = TOP_K_ROWS, .threads = 64, .items = 4, .length = 3000 },
    { .element = &element_int32,
      .value = &element_uint64,
      .form = TOP_K_ROWS | AMOUNT_ON_DEVICE,
      .threads = 32,
      .items = 6,
      .length = 1000 },
    { .element = &element_point, .form = TOP_K_ROWS | WITHOUT_COUNTS, .value = &element_wide, .length = 700 },
    { .element = &element_uint64,
      .kind = TOP_K_INDICES,
      .index_element = &element_int64,
      .form = TOP_K_ROWS,
      .threads = 64,
      .items = 6,
      .flags = MCL_INDEX_64,
      .descending = 1,
      .length = 2000 },
    { .element = &element_int8,
      .kind = TOP_K_INDICES,
      .index_element = &element_int32,
      .form = TOP_K_ROWS,
      .threads = 1,
      .items = 40,
      .length = 1500 },
    { .element = &element_int32,
      .kind = QUANTILE,
      .value = &element_double,
      .index_element = &element_double,
      .form = MCL_INTERPOLATION_LINEAR,
      .threads = 32,
      .items = 4,
      .length = 1000 },
    { .element = &element_int32,
      .kind = QUANTILE,
      .value = &element_float,
      .index_element = &element_float,
      .form = MCL_INTERPOLATION_MIDPOINT,
      .threads = 1,
      .items = 40,
      .length = 3000 },
    { .element = &element_int32, .kind = QUANTILE, .value = &element_double, .form = MCL_INTERPOLATION_NEAREST },
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
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = segmented_top_k_make,
    .expect = segmented_top_k_expect,
    .call = segmented_top_k_call,
};
