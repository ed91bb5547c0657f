/* sets_case.c: the multiset operations against the loops that std::set_* are described by. variant.kind says which. */
#include "case.h"

#include <string.h>

enum { INTERSECTION, UNION, DIFFERENCE, SYMMETRIC };

/* How n is split: evenly, all to one side, unevenly. */
static int64_t sets_a_count(int64_t n, uint64_t seed)
{
    const int64_t counts[] = { n / 2, n - n / 7, n, 0, n / 3 };
    return counts[seed % 5];
}

/* How many different keys there are: some that repeat a little, one for runs of about 50, one for runs much longer than
 * a tile, one key alone. */
static int64_t sets_span(const case_problem *problem)
{
    const int64_t n = problem->n;
    const int64_t spans[] = { n / 2 + 2, n / 4 + 1, n / 100 + 2, 3, 1, n / 2 + 2, n / 3 + 1 };
    const int64_t span = spans[problem->seed % 7];
    const int64_t most =
        problem->inputs[0].element ? problem->inputs[0].element->span : problem->variant->element->span;
    return span < most ? span : most;
}

/* Which sides have the next key: 1: a, 2: b, 3: both. */
static int next_sides(const case_problem *problem, int64_t i, int64_t j)
{
    const case_input *a = &problem->inputs[0];
    const case_input *b = &problem->inputs[1];
    const element *kind = a->element;

    if (i == a->count) return 2;
    if (j == b->count) return 1;
    const unsigned char *p = case_at(kind, a->data, i);
    const unsigned char *q = case_at(kind, b->data, j);
    const int descending = problem->variant->descending;
    const int p_first = descending ? kind->before(q, p) : kind->before(p, q);
    const int q_first = descending ? kind->before(p, q) : kind->before(q, p);
    return p_first ? 1 : q_first ? 2 : 3;
}

static int is_result(int operation, int sides)
{
    switch (operation) {
    case INTERSECTION:
        return sides == 3;
    case UNION:
        return 1;
    case DIFFERENCE:
        return sides == 1;
    default:
        return sides != 3;
    }
}

/* Fills keys and values and gives the number of results. */
static int64_t sets_reference(const case_problem *problem, unsigned char *keys, unsigned char *values)
{
    const element *kind = problem->inputs[0].element;
    const element *value = problem->variant->value;
    int64_t next[2] = { 0, 0 };
    int64_t count = 0;

    while (next[0] < problem->inputs[0].count || next[1] < problem->inputs[1].count) {
        const int sides = next_sides(problem, next[0], next[1]);
        const int from = sides == 2;
        if (is_result(problem->variant->kind, sides)) {
            memcpy(case_at(kind, keys, count), case_at(kind, problem->inputs[from].data, next[from]), kind->type->size);
            if (value)
                memcpy(case_at(value, values, count), case_at(value, problem->inputs[2 + from].data, next[from]),
                       value->type->size);
            count++;
        }
        next[0] += sides & 1;
        next[1] += sides >> 1;
    }
    return count;
}

/* Values tell where a pair came from: a's count up from 0, b's go on from there. */
static void sets_add_values(case_problem *problem, const element *value, int64_t first, int64_t count)
{
    case_input *input = &problem->inputs[problem->input_count];

    case_add_input(problem, value, FROM_BUFFER, count, 0, ORDER_RANDOM);
    for (int64_t k = 0; k < count; k++) value->from_integer((first + k) % value->span, case_at(value, input->data, k));
}

/* Keys that no input repeats: every third number or the one after it. */
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
    int64_t count;

    case_add_input(problem, kind, variant->source, a_count, span, order);
    case_add_input(problem, kind, FROM_BUFFER, b_count, span, order);
    if (variant->flags & MCL_UNIQUE_KEYS) {
        sets_make_unique(problem, 0);
        sets_make_unique(problem, 1);
    }
    if (variant->value) {
        sets_add_values(problem, variant->value, 0, a_count);
        sets_add_values(problem, variant->value, a_count, b_count);
    }
    unsigned char *keys = case_add_output(problem, kind, problem->n);
    unsigned char *values = variant->value ? case_add_output(problem, variant->value, problem->n) : NULL;
    unsigned char *result = case_add_result(problem, &element_int64);
    count = sets_reference(problem, keys, values);
    problem->outputs[0].count = count;
    if (values) problem->outputs[1].count = count;
    memcpy(result, &count, sizeof count);
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
    mcl_options own = *options;

    own.passes = variant->passes;
    if (!variant->value)
        return of_keys[variant->kind](queue, operands->in[0], operands->in[1], operands->out[0], before,
                                      operands->result, &own);
    return of_pairs[variant->kind](queue, operands->in[0], operands->in[2], operands->in[1], operands->in[3],
                                   operands->out[0], operands->out[1], before, operands->result, &own);
}

static int64_t sets_bytes(const case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int64_t size = (int64_t)(variant->element->type->size + (variant->value ? variant->value->type->size : 0));

    return (problem->n + problem->outputs[0].count) * size;
}

static const case_variant variants[] = {
    { .element = &element_int32, .kind = INTERSECTION },
    { .element = &element_int32, .kind = SYMMETRIC, .value = &element_int32, .threads = 64, .items = 7 },
    { .element = &element_int8, .kind = UNION, .value = &element_uint64, .threads = 32, .items = 3, .passes = 2 },
    { .element = &element_uint64,
      .kind = UNION,
      .threads = 128,
      .items = 8,
      .source = FROM_STEP,
      .flags = MCL_INDEX_64 },
    { .element = &element_point, .kind = DIFFERENCE, .threads = 32, .items = 2, .source = FROM_EXPRESSION },
    { .element = &element_float,
      .kind = DIFFERENCE,
      .value = &element_point,
      .threads = 1,
      .items = 31,
      .flags = MCL_VALIDATE },
    { .element = &element_double, .kind = SYMMETRIC, .threads = 1, .items = 1, .descending = 1, .passes = 2 },
    { .element = &element_int32,
      .kind = INTERSECTION,
      .value = &element_int8,
      .threads = 256,
      .items = 1,
      .descending = 1,
      .flags = MCL_INDEX_64 },
    { .element = &element_half, .kind = SYMMETRIC, .threads = 64, .items = 31 },
    { .element = &element_point, .kind = UNION, .value = &element_int32, .threads = 1, .items = 300 },
    { .element = &element_uint32,
      .kind = DIFFERENCE,
      .value = &element_double,
      .threads = 32,
      .items = 5,
      .flags = MCL_UNIQUE_KEYS },
    { .element = &element_wide, .kind = INTERSECTION, .threads = 64, .items = 3, .passes = 1 },
    { .element = &element_uint64, .kind = SYMMETRIC, .value = &element_int32, .flags = MCL_UNIQUE_KEYS, .passes = 1 },
};

#define EACH_OPERATION(...)                                                                                            \
    { .kind = INTERSECTION, __VA_ARGS__ }, { .kind = UNION, __VA_ARGS__ }, { .kind = DIFFERENCE, __VA_ARGS__ },        \
    {                                                                                                                  \
        .kind = SYMMETRIC, __VA_ARGS__                                                                                 \
    }
/* What the product adds. */
static const case_variant all_variants[] = {
    EACH_OPERATION(.element = &element_int32),
    EACH_OPERATION(.element = &element_int32, .value = &element_int32),
    EACH_OPERATION(.element = &element_uint64, .passes = 2),
    EACH_OPERATION(.element = &element_uint32, .flags = MCL_UNIQUE_KEYS),
    EACH_OPERATION(.element = &element_point, .value = &element_wide),
    { .element = &element_int8, .kind = UNION },
    { .element = &element_float, .kind = DIFFERENCE, .descending = 1 },
    { .element = &element_double, .kind = SYMMETRIC },
    { .element = &element_half, .kind = INTERSECTION, .value = &element_half, .passes = 1 },
    { .element = &element_wide, .kind = SYMMETRIC, .value = &element_int64, .passes = 2 },
    { .element = &element_int32, .kind = UNION, .value = &element_point, .flags = MCL_VALIDATE },
};

const mcl_case sets_case = {
    .name = "sets",
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = sets_make,
    .call = sets_call,
    .bytes_moved = sets_bytes,
};
