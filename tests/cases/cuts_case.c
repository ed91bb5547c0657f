/* cuts_case.c: compares mcl_cut_search and mcl_cut_merge_path with counting one by one. */
#include "case.h"

#include <string.h>

enum { BINARY_SEARCH = -1 };

static int64_t cuts_tile(const case_problem *problem)
{
    static const int64_t tiles[] = { 128, 1, 7, 1000, 64, 5000 };
    const int64_t tile = tiles[problem->seed % 6];

    /* with many tiles in a long sequence the loop takes too long */
    return problem->n > 3000 && tile < 1000 ? problem->n / 30 : tile;
}

static void store_count(const element *kind, int64_t number, unsigned char *out)
{
    kind->from_integer(number + kind->zero, out);
}

/* Returns number j of length numbers in [0, span) that never fall. */
static int64_t rising(int64_t j, int64_t length, int64_t span, uint64_t seed)
{
    return (j * 64 + (int64_t)(test_random(seed, (uint64_t)j) % 64)) * span / (length * 64);
}

/* Makes positions in a sequence of 2 n elements. Some lie before its start or past its end, and no tile reaches
 * these. */
static void cuts_bounds(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t count = 2 * problem->n;
    const int64_t tiles = (count + problem->tile - 1) / problem->tile;
    const case_source source = variant->source;
    unsigned char position[MCL_VALUE_BYTES_MAX];
    int64_t bound = 0;

    case_add_input(problem, kind, source, problem->n, 0, ORDER_ASCENDING);
    for (int64_t k = 0; source == FROM_BUFFER && k < problem->n; k++)
        store_count(kind, rising(k, problem->n, count + 9, problem->seed) - 3,
                    case_at(kind, problem->inputs[0].data, k));
    unsigned char *out = case_add_output(problem, variant->value, tiles + 1);
    for (int64_t k = 0; k <= tiles; k++) {
        const int64_t start = k * problem->tile < count ? k * problem->tile : count;
        store_count(kind, start, position);
        for (; bound < problem->n; bound++) {
            const unsigned char *x = case_at(kind, problem->inputs[0].data, bound);
            if (variant->kind == MCL_LOWER ? !kind->before(x, position) : kind->before(position, x)) break;
        }
        store_count(variant->value, bound, case_at(variant->value, out, k));
    }
}

/* Counts the elements of a among the first diagonal elements of the merge of two lists. */
static int64_t crossing(const case_variant *variant, const unsigned char *a, int64_t a_count, const unsigned char *b,
                        int64_t b_count, int64_t diagonal)
{
    const element *kind = variant->element;
    const size_t size = kind->type->size;
    int64_t i = 0;

    for (int64_t k = 0; k < diagonal; k++) {
        const int64_t j = k - i;
        if (i == a_count) break;
        if (j == b_count)
            i++;
        else if (variant->kind == MCL_LOWER)
            i += !kind->before(b + (size_t)j * size, a + (size_t)i * size);
        else
            i += kind->before(a + (size_t)i * size, b + (size_t)j * size);
    }
    return i;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void cuts_path(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t a_count = problem->n / 3;
    const int64_t tiles = (problem->n + problem->tile - 1) / problem->tile;
    const int64_t span = smaller(kind->span, problem->n / 2 + 2);

    case_add_input(problem, kind, variant->source, a_count, span, ORDER_ASCENDING);
    case_add_input(problem, kind, FROM_BUFFER, problem->n - a_count, span, ORDER_ASCENDING);
    unsigned char *out = case_add_output(problem, variant->value, tiles + 1);
    for (int64_t k = 0; k <= tiles; k++) {
        const int64_t split = crossing(variant, problem->inputs[0].data, a_count, problem->inputs[1].data,
                                       problem->n - a_count, smaller(k * problem->tile, problem->n));
        store_count(variant->value, split, case_at(variant->value, out, k));
    }
}

static void cuts_mergesort(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const element *kind = variant->element;
    const int64_t n = problem->n;
    const int64_t length = problem->tile * variant->coop / 2;
    const int64_t tiles = (n + problem->tile - 1) / problem->tile;

    case_add_input(problem, kind, FROM_BUFFER, n, 0, ORDER_RANDOM);
    unsigned char *data = problem->inputs[0].data;
    for (int64_t k = 0; k < n; k++) {
        const uint64_t seed = problem->seed + (uint64_t)(k / length);
        kind->from_integer(rising(k % length, length, smaller(kind->span, n / 2 + 2), seed), case_at(kind, data, k));
    }
    unsigned char *out = case_add_output(problem, variant->value, tiles + 1);
    for (int64_t k = 0; k <= tiles; k++) {
        const int64_t first = smaller(k / variant->coop * variant->coop * problem->tile, n);
        const int64_t second = smaller(first + length, n);
        const int64_t end = smaller(second + length, n);
        const int64_t split = crossing(variant, case_at(kind, data, first), second - first, case_at(kind, data, second),
                                       end - second, smaller(k * problem->tile - first, end - first));
        store_count(variant->value, split, case_at(variant->value, out, k));
    }
}

static void cuts_make(case_problem *problem)
{
    const int coop = problem->variant->coop;

    problem->tile = cuts_tile(problem);
    if (coop == BINARY_SEARCH)
        cuts_bounds(problem);
    else if (coop == 0)
        cuts_path(problem);
    else
        cuts_mergesort(problem);
}

static mcl_status cuts_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                            const mcl_options *options)
{
    const case_variant *variant = problem->variant;
    const mcl_bounds bounds = (mcl_bounds)variant->kind;

    if (variant->coop == BINARY_SEARCH)
        return mcl_cut_search(queue, operands->in[0], 2 * problem->n, problem->tile, bounds, operands->out[0], options);
    return mcl_cut_merge_path(queue, operands->in[0], operands->in[variant->coop == 0], problem->tile, variant->coop,
                              bounds, operands->out[0], variant->element->less, options);
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32, .coop = BINARY_SEARCH },
    { .element = &element_int64, .value = &element_int64, .coop = BINARY_SEARCH, .kind = MCL_UPPER, .threads = 1 },
    { .element = &element_uint32,
      .value = &element_int32,
      .coop = BINARY_SEARCH,
      .source = FROM_STEP,
      .threads = 64,
      .flags = MCL_INDEX_64 },
    { .element = &element_int32, .value = &element_int32, .threads = 32 },
    { .element = &element_point, .value = &element_int64, .kind = MCL_UPPER, .source = FROM_EXPRESSION, .threads = 1 },
    { .element = &element_double, .value = &element_int32, .kind = MCL_UPPER, .flags = MCL_INDEX_64 },
    { .element = &element_int32, .value = &element_int32, .coop = 2 },
    { .element = &element_float, .value = &element_int32, .coop = 8, .kind = MCL_UPPER, .threads = 1 },
    { .element = &element_point, .value = &element_int64, .coop = 4, .threads = 64 },
};

const mcl_case cuts_case = {
    .name = "cuts",
    CASE_VARIANTS(variants),
    CASE_ALL(variants),
    .make = cuts_make,
    .call = cuts_call,
};
