/* group_by_case.c: compares mcl_group_by and mcl_distinct with a fold over the keys, sorted stably by their bytes. */
#include "case.h"

#include <stdlib.h>

enum { WORD_BYTES = 8, VALUE_SPAN = 16 };

static int64_t groups_of(const case_problem *problem)
{
    const int64_t n = problem->n;
    const int64_t list[] = { n / 10 + 1, 2, n + 1, 1, 1000, n / 2 + 1, 50 };

    if (problem->variant->length) return problem->variant->length;
    return list[problem->seed % (sizeof list / sizeof list[0])];
}

static void group_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t groups = groups_of(problem);

    problem->has_initial = 0;
    case_add_input(problem, kind, variant->source, problem->n, groups < kind->span ? groups : kind->span,
                   variant->source == FROM_COUNTING ? ORDER_ASCENDING : ORDER_RANDOM);
    if (variant->kind == DISTINCT) return;
    case_add_input(problem, variant->fold->in, FROM_BUFFER, problem->n, VALUE_SPAN, ORDER_RANDOM);
}

/* Returns the bytes of a key from word * WORD_BYTES on as a number. The number of a signed integer has the integer's
 * order. */
static uint64_t word_of(const element *kind, const unsigned char *key, int word)
{
    const size_t begin = (size_t)word * WORD_BYTES;
    const size_t left = kind->type->size - begin;
    uint64_t bits = 0;

    memcpy(&bits, key + begin, left < WORD_BYTES ? left : WORD_BYTES);
    if (kind->type->kind == MCL_KIND_SIGNED) bits ^= (uint64_t)1 << (8 * kind->type->size - 1);
    return bits;
}

/* Returns the indices of the keys in the order that MCL_DETERMINISTIC gives. The caller frees them. */
static case_ranked *order_of(const case_problem *problem)
{
    const case_input *keys = &problem->inputs[0];
    const element *kind = keys->element;
    const int words = kind->type->size > WORD_BYTES ? 2 : 1;
    case_ranked *order = calloc((size_t)problem->n + 1, sizeof *order);

    if (!order) abort();
    for (int64_t k = 0; k < problem->n; k++) order[k].index = k;
    for (int word = 0; word < words; word++) {
        for (int64_t k = 0; k < problem->n; k++)
            order[k].rank = word_of(kind, case_at(kind, keys->data, order[k].index), word);
        order = case_sort_ranked(order, problem->n, 64);
    }
    return order;
}

static int is_head(const case_problem *problem, const case_ranked *order, int64_t k)
{
    const element *kind = problem->inputs[0].element;
    unsigned char *data = problem->inputs[0].data;

    return k == 0 ||
           memcmp(case_at(kind, data, order[k].index), case_at(kind, data, order[k - 1].index), kind->type->size) != 0;
}

/* Folds the values of the elements order[begin .. end). */
static void fold_group(const case_problem *problem, const case_ranked *order, int64_t begin, int64_t end,
                       unsigned char *out)
{
    const fold *by = problem->variant->fold;
    unsigned char sum[MCL_VALUE_BYTES_MAX];
    int defined = fold_start(by, NULL, sum);

    for (int64_t k = begin; k < end; k++)
        fold_step(by, case_at(by->in, problem->inputs[1].data, order[k].index), order[k].index, sum, &defined);
    fold_total(by, sum, out);
}

static void group_expect(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const case_input *keys = &problem->inputs[0];
    const fold *by = variant->kind == DISTINCT ? NULL : variant->fold;
    case_ranked *order = order_of(problem);
    int64_t groups = 0, group = 0;

    for (int64_t k = 0; k < problem->n; k++) groups += is_head(problem, order, k);
    unsigned char *out_keys = case_add_output(problem, keys->element, groups);
    unsigned char *totals = by ? case_add_output(problem, fold_total_element(by), groups) : NULL;
    unsigned char *counts = variant->kind == GROUP_BY_COUNTED ? case_add_output(problem, &element_int64, groups) : NULL;
    for (int64_t begin = 0, end; begin < problem->n; begin = end, group++) {
        for (end = begin + 1; end < problem->n && !is_head(problem, order, end);) end++;
        const int64_t length = end - begin;
        case_copy(keys, order[begin].index, out_keys, group);
        if (totals) fold_group(problem, order, begin, end, case_at(fold_total_element(by), totals, group));
        if (counts) memcpy(case_at(&element_int64, counts, group), &length, sizeof length);
    }
    memcpy(case_add_result(problem, &element_int64), &groups, sizeof groups);
    free(order);
}

static mcl_status group_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                             const mcl_options *options)
{
    const int64_t one = 1;
    const mcl_input keys = operands->in[0];

    if (problem->variant->kind == DISTINCT)
        return mcl_distinct(queue, keys, operands->out[0], operands->result, options);
    const mcl_aggregate aggregates[] = {
        { operands->in[1], problem->variant->fold->op, operands->out[1] },
        { mcl_from_constant(MCL_INT64, &one, keys.count), MCL_ADD, operands->out[2] },
    };
    return mcl_group_by(queue, keys, operands->out[0], aggregates, problem->variant->kind == GROUP_BY_COUNTED ? 2 : 1,
                        operands->result, options);
}

static const case_variant variants[] = {
    { .element = &element_int32, .fold = &fold_add_int32, .flags = MCL_DETERMINISTIC },
    { .element = &element_uint32,
      .fold = &fold_widened,
      .kind = GROUP_BY_COUNTED,
      .threads = 64,
      .items = 7,
      .flags = MCL_DETERMINISTIC },
    { .element = &element_point,
      .fold = &fold_add_uint64,
      .threads = 128,
      .items = 4,
      .flags = MCL_DETERMINISTIC | MCL_INDEX_64 },
    { .element = &element_point, .fold = &fold_add_point, .kind = GROUP_BY_COUNTED, .flags = MCL_DETERMINISTIC },
    { .element = &element_point,
      .fold = &fold_affine,
      .source = FROM_EXPRESSION,
      .threads = 1,
      .items = 300,
      .flags = MCL_DETERMINISTIC },
    { .element = &element_half, .fold = &fold_max_half, .kind = GROUP_BY_COUNTED, .flags = MCL_DETERMINISTIC },
    { .element = &element_float,
      .fold = &fold_add_float,
      .source = FROM_EXPRESSION,
      .threads = 32,
      .items = 5,
      .flags = MCL_DETERMINISTIC },
    { .element = &element_int8, .fold = &fold_matrix, .flags = MCL_DETERMINISTIC | MCL_VALIDATE },
    { .element = &element_int64, .kind = DISTINCT, .fold = &fold_add_int32, .flags = MCL_DETERMINISTIC },
    { .element = &element_uint64,
      .kind = DISTINCT,
      .fold = &fold_add_int32,
      .source = FROM_COUNTING,
      .threads = 64,
      .items = 3,
      .flags = MCL_DETERMINISTIC },
    { .element = &element_point,
      .kind = DISTINCT,
      .fold = &fold_add_int32,
      .threads = 1,
      .items = 50,
      .flags = MCL_DETERMINISTIC },
    { .element = &element_int32, .fold = &fold_widened_int32 }, /* the next variants use tables on processors */
    { .element = &element_uint64, .fold = &fold_max_int32, .threads = 1, .items = 1000, .flags = MCL_INDEX_64 },
    { .element = &element_float, .fold = &fold_add_uint64, .threads = 1, .items = 100 },
    { .element = &element_int8, .kind = DISTINCT, .fold = &fold_add_int32 },
    { .element = &element_double, .fold = &fold_add_point, .threads = 1, .items = 3000 },
    { .element = &element_uint32, .fold = &fold_widened, .kind = GROUP_BY_COUNTED, .threads = 1, .items = 2000 },
    /* the next variants use tables in groups */
    { .element = &element_int32, .fold = &fold_widened_int32, .threads = 64, .items = 8 },
    { .element = &element_uint64, .fold = &fold_max_int32, .kind = GROUP_BY_COUNTED, .threads = 128, .items = 4 },
    { .element = &element_float, .fold = &fold_xor_uint64, .threads = 64, .items = 5, .flags = MCL_INDEX_64 },
    { .element = &element_int64, .kind = DISTINCT, .fold = &fold_add_int32, .threads = 32, .items = 7 },
    { .element = &element_int8, .kind = DISTINCT, .fold = &fold_add_int32, .threads = 256, .items = 3 },
    { .element = &element_int32, .fold = &fold_mean_int32, .kind = GROUP_BY_COUNTED },
    { .element = &element_uint64, .fold = &fold_mean_uint64, .threads = 64, .items = 8 },
    { .element = &element_point, .fold = &fold_mean_double, .threads = 1, .items = 300, .flags = MCL_DETERMINISTIC },
};
static const case_variant all_variants[] = {
    { .element = &element_int8, .fold = &fold_add_int32, .flags = MCL_DETERMINISTIC },
    { .element = &element_int32, .fold = &fold_widened, .kind = GROUP_BY_COUNTED, .flags = MCL_DETERMINISTIC },
    { .element = &element_uint64, .fold = &fold_xor_uint64, .flags = MCL_DETERMINISTIC },
    { .element = &element_double, .fold = &fold_tagged, .flags = MCL_DETERMINISTIC },
    { .element = &element_point, .fold = &fold_add_wide, .kind = GROUP_BY_COUNTED, .flags = MCL_DETERMINISTIC },
    { .element = &element_half, .kind = DISTINCT, .fold = &fold_add_int32, .flags = MCL_DETERMINISTIC },
    { .element = &element_uint32, .kind = DISTINCT, .fold = &fold_add_int32, .flags = MCL_DETERMINISTIC },
};

const mcl_case group_by_case = {
    .name = "group_by",
    .tiled_as = "reduce_by_key",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = group_make,
    .expect = group_expect,
    .call = group_call,
};
