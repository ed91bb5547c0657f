/* join_case.c: compares relational joins with two loops over all pairs of runs. variant.kind is the mcl_join_kind. */
#include "case.h"

#include "moderncl/join.h"

/* Approximate largest number of rows of a case. It is enough for several tiles and windows of every size. */
enum { ROWS_MAX = 1 << 21 };

/* Returns a's part of n: half, all or nothing, or an uneven part. */
static int64_t join_a_count(int64_t n, uint64_t seed)
{
    const int64_t counts[] = { n / 2, n - n / 7, n, 0, n / 3 };
    return counts[seed % 5];
}

/* Returns the number of different keys: many that repeat a little, some in runs of about 20 on either side, or very
 * few, for runs much longer than a tile. The number is large enough to keep the rows below ROWS_MAX. */
static int64_t join_span(const case_problem *problem)
{
    const int64_t n = problem->n;
    const int64_t least = n * n / 4 / ROWS_MAX + 1;
    const int64_t spans[] = { n / 2 + 2, n / 4 + 1, n / 40 + 2, least + 2, least, n / 2 + 2, n / 3 + 1 };
    const int64_t span = spans[problem->seed % 7] > least ? spans[problem->seed % 7] : least;
    const int64_t most = problem->variant->element->span;
    return span < most ? span : most;
}

static void join_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const case_order order = variant->descending ? ORDER_DESCENDING : ORDER_ASCENDING;
    const int64_t span = join_span(problem);
    int64_t a_count = join_a_count(problem->n, problem->seed);
    int64_t b_count = problem->n - a_count;

    while (a_count / span * b_count > ROWS_MAX) { /* for a type with few values */
        a_count /= 2;
        b_count /= 2;
    }
    case_add_input(problem, kind, variant->source, a_count, span, order);
    case_add_input(problem, kind, FROM_BUFFER, b_count, span, order);
}

static void join_put(const case_output *out, int64_t k, int64_t number)
{
    const int32_t narrow = (int32_t)number;

    if (out->element->type->size == sizeof number)
        memcpy(out->data + (size_t)k * sizeof number, &number, sizeof number);
    else
        memcpy(out->data + (size_t)k * sizeof narrow, &narrow, sizeof narrow);
}

/* Counts a row in the result, and stores the row where there are outputs. */
static void join_add(case_problem *problem, int64_t i, int64_t j)
{
    const int64_t numbers[] = { i, j };
    int64_t *count = (int64_t *)(void *)problem->result.data;

    for (int side = 0; side < problem->output_count; side++) join_put(&problem->outputs[side], *count, numbers[side]);
    ++*count;
}

static void join_add_key(case_problem *problem, int64_t i, int64_t first, int64_t end)
{
    const int kind = problem->variant->kind;
    const int has_match = first < end;

    if (kind == MCL_JOIN_SEMI || kind == MCL_JOIN_ANTI) {
        if (has_match == (kind == MCL_JOIN_SEMI)) join_add(problem, i, -1);
        return;
    }
    for (int64_t j = first; j < end; j++) join_add(problem, i, j);
    if (!has_match && (kind == MCL_JOIN_LEFT || kind == MCL_JOIN_OUTER)) join_add(problem, i, -1);
}

CASE_LOOP join_loop(case_problem *problem, case_type type)
{
    const case_variant variant = *problem->variant;
    const case_input a = problem->inputs[0];
    const case_input b = problem->inputs[1];
    int64_t first = 0;
    int64_t end = 0;

    memset(problem->result.data, 0, sizeof(int64_t));
    for (int64_t i = 0; i < a.count; i++) {
        const unsigned char *key = a.data + (size_t)i * type.size;
        while (first < b.count && case_before(&variant, type, b.data + (size_t)first * type.size, key)) first++;
        if (end < first) end = first;
        while (end < b.count && !case_before(&variant, type, key, b.data + (size_t)end * type.size)) end++;
        join_add_key(problem, i, first, end);
    }
    if (variant.kind != MCL_JOIN_RIGHT && variant.kind != MCL_JOIN_OUTER) return;
    for (int64_t j = 0, i = 0; j < b.count; j++) {
        const unsigned char *key = b.data + (size_t)j * type.size;
        while (i < a.count && case_before(&variant, type, a.data + (size_t)i * type.size, key)) i++;
        if (i == a.count || case_before(&variant, type, key, a.data + (size_t)i * type.size)) join_add(problem, -1, j);
    }
}

static void join_expect(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *index = variant->index_element ? variant->index_element : &element_int32;
    int64_t count;

    case_add_result(problem, &element_int64);
    CASE_TYPED(join_loop, problem, variant->element);
    memcpy(&count, problem->result.data, sizeof count);
    case_add_output(problem, index, count);
    if (variant->kind < MCL_JOIN_SEMI) case_add_output(problem, index, count);
    CASE_TYPED(join_loop, problem, variant->element);
}

static mcl_status join_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                            const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_op *before = variant->descending ? MCL_GREATER : variant->element->less;
    const mcl_output none = { .type = NULL };

    return mcl_join(queue, (mcl_join_kind)variant->kind, operands->in[0], operands->in[1], operands->out[0],
                    variant->kind < MCL_JOIN_SEMI ? operands->out[1] : none, before, operands->result, options);
}

static const case_variant variants[] = {
    { .element = &element_int32, .kind = MCL_JOIN_INNER },
    { .element = &element_int32, .kind = MCL_JOIN_OUTER, .threads = 64, .items = 7 },
    { .element = &element_int8, .kind = MCL_JOIN_RIGHT, .threads = 32, .items = 3, .passes = 2 },
    { .element = &element_uint64,
      .kind = MCL_JOIN_LEFT,
      .index_element = &element_int64,
      .threads = 128,
      .items = 8,
      .source = FROM_STEP,
      .flags = MCL_INDEX_64 },
    { .element = &element_point, .kind = MCL_JOIN_INNER, .threads = 32, .items = 2, .source = FROM_EXPRESSION },
    { .element = &element_float, .kind = MCL_JOIN_OUTER, .threads = 1, .items = 31, .flags = MCL_VALIDATE },
    { .element = &element_double,
      .kind = MCL_JOIN_RIGHT,
      .index_element = &element_int64,
      .threads = 1,
      .items = 1,
      .descending = 1,
      .passes = 2 },
    { .element = &element_int32,
      .kind = MCL_JOIN_SEMI,
      .threads = 256,
      .items = 1,
      .descending = 1,
      .flags = MCL_INDEX_64 },
    { .element = &element_half, .kind = MCL_JOIN_ANTI, .threads = 64, .items = 31 },
    { .element = &element_point, .kind = MCL_JOIN_LEFT, .threads = 1, .items = 300, .passes = 1 },
    { .element = &element_wide, .kind = MCL_JOIN_OUTER, .threads = 64, .items = 3, .passes = 1 },
    { .element = &element_uint32, .kind = MCL_JOIN_SEMI, .passes = 2 },
};

#define EACH_KIND(...)                                                                                                 \
    { .kind = MCL_JOIN_INNER, __VA_ARGS__ }, { .kind = MCL_JOIN_LEFT, __VA_ARGS__ },                                   \
        { .kind = MCL_JOIN_RIGHT, __VA_ARGS__ }, { .kind = MCL_JOIN_OUTER, __VA_ARGS__ },                              \
        { .kind = MCL_JOIN_SEMI, __VA_ARGS__ },                                                                        \
    {                                                                                                                  \
        .kind = MCL_JOIN_ANTI, __VA_ARGS__                                                                             \
    }
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    EACH_KIND(.element = &element_int32),
    EACH_KIND(.element = &element_uint64, .index_element = &element_int64, .passes = 2),
    EACH_KIND(.element = &element_point),
    { .element = &element_int8, .kind = MCL_JOIN_OUTER },
    { .element = &element_float, .kind = MCL_JOIN_RIGHT, .descending = 1 },
    { .element = &element_double, .kind = MCL_JOIN_INNER },
    { .element = &element_half, .kind = MCL_JOIN_OUTER, .passes = 1 },
    { .element = &element_wide, .kind = MCL_JOIN_RIGHT, .passes = 2 },
    { .element = &element_int32, .kind = MCL_JOIN_OUTER, .flags = MCL_VALIDATE },
};

const mcl_case join_case = {
    .name = "join",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = join_make,
    .expect = join_expect,
    .call = join_call,
};
