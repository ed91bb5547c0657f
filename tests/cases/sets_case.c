/* sets_case.c: compares the multiset operations with the loops by which std::set_* is defined. variant.kind is the
 * operation. */
#include "case.h"

/* Returns a's part of n: half, all or nothing, an uneven part, or few elements on one side. */
static int64_t sets_a_count(int64_t n, uint64_t seed)
{
    const int64_t counts[] = { n / 2, n - n / 7, n, 0, n / 3, n / 40, n - n / 40, n / 100 };
    return counts[seed % 8];
}

/* Returns the number of different keys: many that repeat a little, few for runs of about 50 or for runs much longer
 * than a tile, or one. */
static int64_t sets_span(const case_problem *problem)
{
    const int64_t n = problem->n;
    const int64_t spans[] = { n / 2 + 2, n / 4 + 1, n / 100 + 2, 3, 1, n / 2 + 2, n / 3 + 1 };
    const int64_t span = spans[problem->seed % 7];
    const int64_t most =
        problem->inputs[0].element ? problem->inputs[0].element->span : problem->variant->element->span;
    return span < most ? span : most;
}

/* Makes keys that no input repeats: every third number, or the number after it. */
static void sets_make_unique(case_problem *problem, int which)
{
    case_input *input = &problem->inputs[which];

    for (int64_t k = 0; k < input->count; k++) {
        const uint64_t random = test_random(problem->seed + (uint64_t)which, (uint64_t)k) >> 20;
        input->element->from_integer(3 * k + (int64_t)(random % 3 ? 0 : 1), case_at(input->element, input->data, k));
    }
}

static void sets_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t a_count = sets_a_count(problem->n, problem->seed);
    const int64_t b_count = problem->n - a_count;
    const case_order order = variant->descending ? ORDER_DESCENDING : ORDER_ASCENDING;
    const int64_t span = sets_span(problem);

    case_add_input(problem, kind, variant->source, a_count, span, order);
    case_add_input(problem, kind, FROM_BUFFER, b_count, span, order);
    if (variant->flags & MCL_UNIQUE_KEYS) {
        sets_make_unique(problem, 0);
        sets_make_unique(problem, 1);
    }
    if (!variant->value) return;
    case_add_counting(problem, variant->value, 0, a_count);
    case_add_counting(problem, variant->value, a_count, b_count);
}

/* Cases of a step: a's key comes first, b's does, or they are equal. */
enum { A_FIRST = 1, B_FIRST = 2, BOTH = 4 };
static const int kept_of[] = { BOTH, A_FIRST | B_FIRST | BOTH, A_FIRST, A_FIRST | B_FIRST };

CASE_LOOP sets_loop(case_problem *problem, case_type type)
{
    const case_variant variant = *problem->variant;
    const case_input a = problem->inputs[0];
    const case_input b = problem->inputs[1];
    const int kept = kept_of[variant.kind];
    int64_t i = 0;
    int64_t j = 0;
    int64_t count = 0;

    while (i < a.count || j < b.count) {
        const unsigned char *p = a.data + (size_t)i * type.size;
        const unsigned char *q = b.data + (size_t)j * type.size;
        const int b_first = i == a.count || (j < b.count && case_before(&variant, type, q, p));
        const int a_first = j == b.count || (i < a.count && case_before(&variant, type, p, q));
        if (kept & (a_first ? A_FIRST : b_first ? B_FIRST : BOTH)) {
            memcpy(problem->outputs[0].data + (size_t)count * type.size, b_first ? q : p, type.size);
            if (variant.value)
                case_copy(&problem->inputs[2 + b_first], b_first ? j : i, problem->outputs[1].data, count);
            count++;
        }
        i += !b_first;
        j += !a_first;
    }
    for (int k = 0; k < problem->output_count; k++) problem->outputs[k].count = count;
}

static void sets_expect(case_problem *problem)
{
    const case_variant *variant = problem->variant;

    case_add_output(problem, variant->element, problem->n);
    if (variant->value) case_add_output(problem, variant->value, problem->n);
    CASE_TYPED(sets_loop, problem, variant->element);
    memcpy(case_add_result(problem, &element_int64), &problem->outputs[0].count, sizeof(int64_t));
}

typedef mcl_status (*set_of_keys)(mcl_queue *, mcl_input, mcl_input, mcl_output, const mcl_op *, mcl_result,
                                  const mcl_options *);
typedef mcl_status (*set_of_pairs)(mcl_queue *, mcl_input, mcl_input, mcl_input, mcl_input, mcl_output, mcl_output,
                                   const mcl_op *, mcl_result, const mcl_options *);

static mcl_status sets_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                            const mcl_options *options)
{
    static const set_of_keys of_keys[] = { mcl_set_intersection, mcl_set_union, mcl_set_difference,
                                           mcl_set_symmetric_difference };
    static const set_of_pairs of_pairs[] = { mcl_set_intersection_pairs, mcl_set_union_pairs, mcl_set_difference_pairs,
                                             mcl_set_symmetric_difference_pairs };
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;

    if (!variant->value)
        return of_keys[variant->kind](queue, operands->in[0], operands->in[1], operands->out[0], before,
                                      operands->result, options);
    return of_pairs[variant->kind](queue, operands->in[0], operands->in[2], operands->in[1], operands->in[3],
                                   operands->out[0], operands->out[1], before, operands->result, options);
}

/* Returns the bytes moved. An intersection's values come from a alone. */
static int64_t sets_bytes(const case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int64_t valued = variant->kind == SET_INTERSECTION ? problem->inputs[0].count : problem->n;
    const int64_t key = (int64_t)variant->element->type->size;
    const int64_t value = variant->value ? (int64_t)variant->value->type->size : 0;

    return problem->n * key + valued * value + problem->outputs[0].count * (key + value);
}

static const case_variant variants[] = {
    { .element = &element_int32, .kind = SET_INTERSECTION },
    { .element = &element_int32, .kind = SET_SYMMETRIC_DIFFERENCE, .value = &element_int32, .threads = 64, .items = 7 },
    { .element = &element_int8, .kind = SET_UNION, .value = &element_uint64, .threads = 32, .items = 3, .passes = 2 },
    { .element = &element_uint64,
      .kind = SET_UNION,
      .threads = 128,
      .items = 8,
      .source = FROM_STEP,
      .flags = MCL_INDEX_64 },
    { .element = &element_point, .kind = SET_DIFFERENCE, .threads = 32, .items = 2, .source = FROM_EXPRESSION },
    { .element = &element_float,
      .kind = SET_DIFFERENCE,
      .value = &element_point,
      .threads = 1,
      .items = 31,
      .flags = MCL_VALIDATE },
    { .element = &element_double,
      .kind = SET_SYMMETRIC_DIFFERENCE,
      .threads = 1,
      .items = 1,
      .descending = 1,
      .passes = 2 },
    { .element = &element_int32,
      .kind = SET_INTERSECTION,
      .value = &element_int8,
      .threads = 256,
      .items = 1,
      .descending = 1,
      .flags = MCL_INDEX_64 },
    { .element = &element_half, .kind = SET_SYMMETRIC_DIFFERENCE, .threads = 64, .items = 31 },
    { .element = &element_point, .kind = SET_UNION, .value = &element_int32, .threads = 1, .items = 300 },
    { .element = &element_uint32,
      .kind = SET_DIFFERENCE,
      .value = &element_double,
      .threads = 32,
      .items = 5,
      .flags = MCL_UNIQUE_KEYS },
    { .element = &element_wide, .kind = SET_INTERSECTION, .threads = 64, .items = 3, .passes = 1 },
    { .element = &element_uint64,
      .kind = SET_SYMMETRIC_DIFFERENCE,
      .value = &element_int32,
      .flags = MCL_UNIQUE_KEYS,
      .passes = 1 },
};

#define EACH_OPERATION(...)                                                                                            \
    { .kind = SET_INTERSECTION, __VA_ARGS__ }, { .kind = SET_UNION, __VA_ARGS__ },                                     \
        { .kind = SET_DIFFERENCE, __VA_ARGS__ },                                                                       \
    {                                                                                                                  \
        .kind = SET_SYMMETRIC_DIFFERENCE, __VA_ARGS__                                                                  \
    }
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    EACH_OPERATION(.element = &element_int32),
    EACH_OPERATION(.element = &element_int32, .value = &element_int32),
    EACH_OPERATION(.element = &element_uint64, .passes = 2),
    EACH_OPERATION(.element = &element_uint32, .flags = MCL_UNIQUE_KEYS),
    EACH_OPERATION(.element = &element_point, .value = &element_wide),
    { .element = &element_int8, .kind = SET_UNION },
    { .element = &element_float, .kind = SET_DIFFERENCE, .descending = 1 },
    { .element = &element_double, .kind = SET_SYMMETRIC_DIFFERENCE },
    { .element = &element_half, .kind = SET_INTERSECTION, .value = &element_half, .passes = 1 },
    { .element = &element_wide, .kind = SET_SYMMETRIC_DIFFERENCE, .value = &element_int64, .passes = 2 },
    { .element = &element_int32, .kind = SET_UNION, .value = &element_point, .flags = MCL_VALIDATE },
};

const mcl_case sets_case = {
    .name = "sets",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = sets_make,
    .expect = sets_expect,
    .call = sets_call,
    .bytes_moved = sets_bytes,
};
