/* bulk_case.c: mcl_bulk_remove and mcl_bulk_insert against the loop. Remove: inputs in and indices; insert: a, b and
 * indices. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

enum { REMOVE, INSERT };

/* How many of a hundred elements are removed, or of the output inserted. */
static int percent_of(uint64_t seed)
{
    static const int percents[] = { 50, 1, 100, 10, 0, 99, 25 };

    return percents[seed % (sizeof percents / sizeof percents[0])];
}

static void set_index(case_input *indices, int64_t k, int64_t position)
{
    const element *kind = indices->element;

    kind->from_integer(position + kind->zero, case_at(kind, indices->data, k));
}

static void copy_element(const case_input *from, int64_t k, case_output *to, int64_t *count)
{
    memcpy(case_at(to->element, to->data, *count), case_at(from->element, from->data, k), from->element->type->size);
    ++*count;
}

static void remove_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int percent = percent_of(problem->seed);
    int64_t removed = 0;
    int64_t kept = 0;

    case_add_input(problem, variant->element, variant->source, problem->n, 0, ORDER_RANDOM);
    case_add_input(problem, variant->value, FROM_BUFFER, problem->n, 0, ORDER_RANDOM);
    case_add_output(problem, variant->element, problem->n);
    for (int64_t k = 0; k < problem->n; k++) {
        if (test_random(problem->seed, (uint64_t)k) % 100 < (uint64_t)percent)
            set_index(&problem->inputs[1], removed++, k);
        else
            copy_element(&problem->inputs[0], k, &problem->outputs[0], &kept);
    }
    problem->inputs[1].count = removed;
    problem->outputs[0].count = kept;
}

/* Positions come in heaps at times, and at the end. */
static void insert_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int percent = percent_of(problem->seed);
    const int64_t a_count = problem->n * percent / 100;
    const int64_t b_count = problem->n - a_count;
    int64_t inserted = 0;
    int64_t kept = 0;
    int64_t stored = 0;

    case_add_input(problem, variant->element, variant->source, a_count, 0, ORDER_RANDOM);
    case_add_input(problem, variant->element, FROM_BUFFER, b_count, 0, ORDER_RANDOM);
    case_add_input(problem, variant->value, FROM_BUFFER, a_count, 0, ORDER_RANDOM);
    case_add_output(problem, variant->element, problem->n);
    while (stored < problem->n) {
        const uint64_t random = test_random(problem->seed, (uint64_t)stored);
        const uint64_t chance = random / 100 % 8 == 0 ? 100 - (uint64_t)percent : (uint64_t)percent;
        const int inserts = kept == b_count || (inserted < a_count && random % 100 < chance);
        if (inserts) set_index(&problem->inputs[2], inserted, kept);
        copy_element(&problem->inputs[inserts ? 0 : 1], inserts ? inserted++ : kept++, &problem->outputs[0], &stored);
    }
}

static void bulk_make(case_problem *problem)
{
    if (problem->variant->kind == REMOVE)
        remove_make(problem);
    else
        insert_make(problem);
}

static mcl_status bulk_call(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                            const mcl_options *options)
{
    if (problem->variant->kind == INSERT)
        return mcl_bulk_insert(queue, o->in[0], o->in[2], o->in[1], o->out[0], options);
    /* Without a count of their own, so that out need not be as large as in. */
    mcl_input indices = o->in[1];
    indices.count = problem->inputs[1].count;
    indices.count_slot = NULL;
    return mcl_bulk_remove(queue, o->in[0], indices, o->out[0], options);
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32, .kind = REMOVE },
    { .element = &element_int32, .value = &element_int32, .kind = INSERT },
    { .element = &element_int8, .value = &element_uint64, .threads = 64, .items = 7, .kind = REMOVE },
    { .element = &element_uint64,
      .value = &element_uint32,
      .threads = 128,
      .items = 8,
      .source = FROM_STEP,
      .flags = MCL_INDEX_64,
      .kind = INSERT },
    { .element = &element_point, .value = &element_int64, .threads = 32, .items = 2, .kind = INSERT },
    { .element = &element_float,
      .value = &element_int32,
      .threads = 1,
      .items = 31,
      .source = FROM_EXPRESSION,
      .flags = MCL_VALIDATE,
      .kind = REMOVE },
    { .element = &element_double, .value = &element_int64, .threads = 1, .items = 1, .kind = INSERT },
    { .element = &element_half, .value = &element_int32, .threads = 256, .items = 31, .kind = REMOVE },
    { .element = &element_wide,
      .value = &element_int32,
      .threads = 64,
      .items = 3,
      .flags = MCL_INDEX_64,
      .kind = REMOVE },
    { .element = &element_point,
      .value = &element_int64,
      .threads = 1,
      .items = 100,
      .flags = MCL_VALIDATE,
      .kind = INSERT },
};
/* What the product adds. */
static const case_variant all_variants[] = {
    { .element = &element_int8, .value = &element_int32, .kind = REMOVE },
    { .element = &element_int32, .value = &element_int64, .kind = REMOVE },
    { .element = &element_uint64, .value = &element_uint64, .kind = REMOVE },
    { .element = &element_double, .value = &element_int32, .kind = REMOVE },
    { .element = &element_point, .value = &element_uint32, .kind = REMOVE },
    { .element = &element_wide, .value = &element_int32, .kind = REMOVE, .flags = MCL_VALIDATE },
    { .element = &element_int8, .value = &element_int64, .kind = INSERT },
    { .element = &element_int32, .value = &element_int32, .kind = INSERT, .flags = MCL_VALIDATE },
    { .element = &element_float, .value = &element_uint64, .kind = INSERT },
    { .element = &element_half, .value = &element_int32, .kind = INSERT },
    { .element = &element_point, .value = &element_int32, .kind = INSERT },
    { .element = &element_wide, .value = &element_uint32, .kind = INSERT },
};

const mcl_case bulk_case = {
    .name = "bulk_remove",
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = bulk_make,
    .call = bulk_call,
};
