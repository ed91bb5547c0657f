/* case.c: the parts of problems that all cases share: inputs, memory, and the product of variants. */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);

    if (!memory) {
        fprintf(stderr, "out of host memory\n");
        exit(2);
    }
    return memory;
}

void case_make(const mcl_case *c, const case_variant *variant, int64_t n, uint64_t seed, int has_initial,
               case_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->variant = variant;
    problem->n = n;
    problem->seed = seed;
    problem->has_initial = has_initial && variant->fold && variant->fold->takes_initial;
    if (problem->has_initial) {
        const fold *fold_ = variant->fold;
        unsigned char element_bytes[MCL_VALUE_BYTES_MAX];
        fold_->in->from_integer(fold_->in->zero + 5, element_bytes);
        if (fold_->extract)
            fold_->extract(element_bytes, 0, problem->initial);
        else
            memcpy(problem->initial, element_bytes, fold_->in->type->size);
    }
    c->make(problem);
    if (c->expect) c->expect(problem);
}

void case_free(case_problem *problem)
{
    for (int i = 0; i < problem->input_count; i++) {
        free(problem->inputs[i].data);
        free(problem->inputs[i].table);
    }
    for (int i = 0; i < problem->output_count; i++) {
        free(problem->outputs[i].data);
        free(problem->outputs[i].earlier);
    }
    free(problem->result.data);
    memset(problem, 0, sizeof *problem);
}

/* Makes a call of a case. The problem is static, since the stack may be small. */
mcl_status case_call(const mcl_case *c, const case_variant *variant, int64_t n, const case_operands *operands,
                     mcl_queue *queue, const mcl_options *options)
{
    static case_problem problem;
    mcl_options own = options ? *options : (mcl_options){ 0 };

    own.flags |= variant->flags;
    if (variant->passes) own.passes = variant->passes;
    if (variant->sort_method) own.sort_method = variant->sort_method;
    memset(&problem, 0, sizeof problem);
    problem.variant = variant;
    problem.n = n;
    problem.tile = variant->wanted;
    while (problem.input_count < CASE_INPUTS && operands->in[problem.input_count].type) {
        case_input *const input = &problem.inputs[problem.input_count];
        input->element = variant->element;
        input->count = operands->in[problem.input_count].count;
        problem.input_count++;
    }
    return c->call(queue, &problem, operands, &own);
}

int case_needs_double(const case_variant *variant)
{
    const fold *by = variant->fold;
    const element *kinds[] = { variant->element, variant->value, by ? by->in : NULL, by ? by->value : NULL,
                               by ? by->stored : NULL };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i] && kinds[i]->needs_double) return 1;
    return 0;
}

static int ascending(const void *p, const void *q)
{
    const int64_t a = *(const int64_t *)p;
    const int64_t b = *(const int64_t *)q;

    return (a > b) - (a < b);
}

/* Makes numbers in [0, span), in a requested order. */
static int64_t *make_numbers(int64_t count, int64_t span, case_order order, uint64_t seed)
{
    int64_t *numbers = allocate((size_t)count * sizeof *numbers);

    for (int64_t k = 0; k < count; k++) numbers[k] = (int64_t)(test_random(seed, (uint64_t)k) >> 1) % span;
    if (order == ORDER_RANDOM) return numbers;
    qsort(numbers, (size_t)count, sizeof *numbers, ascending);
    for (int64_t k = 0; order == ORDER_DESCENDING && k < count / 2; k++) {
        const int64_t first = numbers[k];
        numbers[k] = numbers[count - 1 - k];
        numbers[count - 1 - k] = first;
    }
    return numbers;
}

static void fill_random(case_input *input, int64_t span, case_order order, uint64_t seed)
{
    const element *kind = input->element;
    int64_t *numbers = make_numbers(input->count, span, order, seed);

    for (int64_t k = 0; k < input->count; k++) kind->from_integer(numbers[k], case_at(kind, input->data, k));
    free(numbers);
    if (input->source != FROM_EXPRESSION) return;

    unsigned char shift[MCL_VALUE_BYTES_MAX];
    input->start = kind->zero + 3;
    kind->from_integer(input->start, shift);
    memcpy(input->table, input->data, (size_t)input->count * kind->type->size);
    for (int64_t k = 0; k < input->count; k++) {
        unsigned char *value = case_at(kind, input->data, k);
        kind->add(value, shift, value);
    }
}

void case_add_input(case_problem *problem, const element *kind, case_source source, int64_t count, int64_t span,
                    case_order order)
{
    case_input *input = &problem->inputs[problem->input_count];
    const uint64_t seed = problem->seed + (uint64_t)problem->input_count * 1000003u;
    const size_t bytes = (size_t)count * kind->type->size;

    input->element = kind;
    input->source = source;
    input->count = count;
    input->data = allocate(bytes);
    problem->input_count++;
    if (source == FROM_BUFFER || source == FROM_EXPRESSION) {
        if (source == FROM_EXPRESSION) input->table = allocate(bytes);
        fill_random(input, span ? span : kind->span, order, seed);
        return;
    }
    input->start = kind->zero + (source == FROM_CONSTANT ? 1 : 4);
    input->step = source == FROM_STEP ? 3 : source == FROM_COUNTING;
    for (int64_t k = 0; k < count; k++)
        kind->from_integer(input->start + k * input->step, case_at(kind, input->data, k));
}

void case_add_counting(case_problem *problem, const element *kind, int64_t first, int64_t count)
{
    case_input *input = &problem->inputs[problem->input_count];

    case_add_input(problem, kind, FROM_BUFFER, count, 0, ORDER_RANDOM);
    for (int64_t k = 0; k < count; k++) kind->from_integer((first + k) % kind->span, case_at(kind, input->data, k));
}

static unsigned char *add_output(case_output *output, const element *kind, int64_t count)
{
    output->element = kind;
    output->room = count;
    output->count = count;
    output->data = allocate((size_t)count * kind->type->size);
    return output->data;
}

unsigned char *case_add_output(case_problem *problem, const element *kind, int64_t count)
{
    return add_output(&problem->outputs[problem->output_count++], kind, count);
}

unsigned char *case_add_result(case_problem *problem, const element *kind)
{
    return add_output(&problem->result, kind, 1);
}

unsigned char *case_add_results(case_problem *problem, const element *kind, int64_t count)
{
    return add_output(&problem->result, kind, count);
}

int64_t case_index(const case_input *input, int64_t k)
{
    const unsigned char *at = case_at(input->element, input->data, k);
    uint32_t narrow;
    int64_t wide;

    memcpy(&narrow, at, sizeof narrow);
    if (input->element->type->size == sizeof narrow)
        return input->element->type->kind == MCL_KIND_SIGNED ? (int32_t)narrow : (int64_t)narrow;
    memcpy(&wide, at, sizeof wide);
    return wide;
}

/* ---- the product ------------------------------------------------------------------------------------------------ */

/* Tiles for both mappings: odd, even and extreme. */
static const struct {
    int threads;
    int items;
} tiles[] = { { 0, 0 },  { 1, 1 },  { 1, 2 },  { 1, 31 },  { 1, 4096 },
              { 32, 1 }, { 32, 8 }, { 64, 7 }, { 128, 2 }, { 256, 31 } };

static int source_fits(const case_variant *variant, case_source source)
{
    const element *kind = case_element(variant);

    if (source == FROM_BUFFER || source == variant->source) return 1;
    if (variant->in_place) return 0;
    if (source == FROM_EXPRESSION) return kind->shifted != NULL;
    /* floats are left out, since sums of long sequences leave the whole numbers that a float holds */
    return kind->is_number && kind->type->kind != MCL_KIND_FLOAT && (kind->type->size > 1 || variant->fold);
}

case_variant *case_product(const mcl_case *c, int *count)
{
    enum { TILES = sizeof tiles / sizeof tiles[0], SOURCES = 5 };
    case_variant *product = allocate((size_t)c->all_count * TILES * SOURCES * sizeof *product);

    *count = 0;
    for (int i = 0; i < c->all_count * TILES * SOURCES; i++) {
        case_variant variant = c->all_variants[i / (TILES * SOURCES)];
        const int tile = i / SOURCES % TILES;
        const case_source source = (case_source)(i % SOURCES);
        if (!source_fits(&variant, source) || (!c->sources && source != variant.source)) continue;
        variant.source = source;
        variant.threads = tiles[tile].threads;
        variant.items = tiles[tile].items;
        if ((i + i / SOURCES) % 4 == 1) variant.flags ^= MCL_INDEX_64;
        product[(*count)++] = variant;
    }
    return product;
}

void case_describe(const mcl_case *c, const case_variant *variant, char *text, size_t capacity)
{
    static const char *const sources[] = { "a buffer", "counting", "a step", "a constant", "an expression" };

    snprintf(text, capacity, "%s%s%s of %s%s%s from %s, tile %d x %d, kind %d%s%s%s%s%s%s", c->name,
             variant->fold ? ", " : "", variant->fold ? variant->fold->name : "", case_element(variant)->name,
             variant->value ? " with " : "", variant->value ? variant->value->name : "", sources[variant->source],
             variant->threads, variant->items, variant->kind, variant->in_place ? ", in place" : "",
             variant->flags & MCL_INDEX_64 ? ", 64-bit indices" : "",
             variant->flags & MCL_DETERMINISTIC ? ", deterministic" : "",
             variant->flags & MCL_VALIDATE ? ", validated" : "", variant->flags & MCL_UNIQUE_KEYS ? ", unique" : "",
             variant->passes == 1   ? ", one pass"
             : variant->passes == 2 ? ", two passes"
                                    : "");
}

mcl_op case_above(const element *kind, const unsigned char *limit)
{
    mcl_op op = { .role = MCL_ROLE_TEST, .expression = "LESS(limit, x)", .binding_count = 1 };

    if (kind == &element_point) op.expression = "point_before(limit, x)";
    if (kind == &element_wide) op.expression = "wide_before(limit, x)";
    op.bindings[0] = mcl_binding_value("limit", kind->type, limit);
    return op;
}

static void put_numbers(case_problem *problem, const int64_t *numbers, int64_t count)
{
    const element *kind = problem->variant->index_element;
    unsigned char *to = case_add_output(problem, kind, count);

    for (int64_t k = 0; k < count; k++) kind->from_integer(numbers[k] + kind->zero, case_at(kind, to, k));
}

void case_expect_buckets(case_problem *problem, int moved, int64_t (*bucket_of)(const case_problem *problem, int64_t k))
{
    const int64_t buckets = problem->variant->length;
    int64_t offsets[257] = { 0 }, counts[256] = { 0 }, next[256];

    for (int m = 0; m < moved; m++) case_add_output(problem, problem->inputs[m].element, problem->n);
    for (int64_t k = 0; k < problem->n; k++) counts[bucket_of(problem, k)]++;
    for (int64_t b = 0; b < buckets; b++) offsets[b + 1] = offsets[b] + counts[b];
    memcpy(next, offsets, sizeof next);
    for (int64_t k = 0; k < problem->n; k++) {
        const int64_t to = next[bucket_of(problem, k)]++;
        for (int m = 0; m < moved; m++) case_copy(&problem->inputs[m], k, problem->outputs[m].data, to);
    }
    if (!problem->variant->index_element) return;
    put_numbers(problem, offsets, buckets + 1);
    put_numbers(problem, counts, buckets);
}
