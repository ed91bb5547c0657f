/* bulk_case.c: compares mcl_bulk_remove and mcl_bulk_insert with the loop. Inputs of remove: in and indices; of insert:
 * a, b and indices. */
#include "case.h"

/* Returns the percentage of elements that are removed, or of the output that is inserted. */
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

static void remove_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int percent = percent_of(problem->seed);
    int64_t removed = 0;

    case_add_input(problem, variant->element, variant->source, problem->n, 0, ORDER_RANDOM);
    case_add_input(problem, variant->value, FROM_BUFFER, problem->n, 0, ORDER_RANDOM);
    for (int64_t k = 0; k < problem->n; k++)
        if (test_random(problem->seed, (uint64_t)k) % 100 < (uint64_t)percent)
            set_index(&problem->inputs[1], removed++, k);
    problem->inputs[1].count = removed;
}

/* Makes insert's inputs. Some positions lie close together, and some at the end. */
static void insert_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int percent = percent_of(problem->seed);
    const int64_t a_count = problem->n * percent / 100;
    const int64_t b_count = problem->n - a_count;
    int64_t inserted = 0;

    case_add_input(problem, variant->element, variant->source, a_count, 0, ORDER_RANDOM);
    case_add_input(problem, variant->element, FROM_BUFFER, b_count, 0, ORDER_RANDOM);
    case_add_input(problem, variant->value, FROM_BUFFER, a_count, 0, ORDER_RANDOM);
    for (int64_t k = 0; k < problem->n; k++) {
        const uint64_t random = test_random(problem->seed, (uint64_t)k);
        const uint64_t chance = random / 100 % 8 == 0 ? 100 - (uint64_t)percent : (uint64_t)percent;
        const int64_t kept = k - inserted;
        if (kept == b_count || (inserted < a_count && random % 100 < chance))
            set_index(&problem->inputs[2], inserted++, kept);
    }
}

static void bulk_make(case_problem *problem)
{
    if (problem->variant->kind == BULK_REMOVE)
        remove_make(problem);
    else
        insert_make(problem);
}

static void remove_expect(case_problem *problem)
{
    const case_input *in = &problem->inputs[0];
    const case_input *indices = &problem->inputs[1];
    unsigned char *out = case_add_output(problem, in->element, problem->n - indices->count);
    int64_t removed = 0;

    for (int64_t k = 0; k < problem->n; k++)
        if (removed < indices->count && case_index(indices, removed) == k)
            removed++;
        else
            case_copy(in, k, out, k - removed);
}

static void insert_expect(case_problem *problem)
{
    const case_input *indices = &problem->inputs[2];
    unsigned char *out = case_add_output(problem, problem->variant->element, problem->n);
    int64_t inserted = 0;

    for (int64_t k = 0; k < problem->n; k++)
        if (inserted < indices->count && case_index(indices, inserted) == k - inserted)
            case_copy(&problem->inputs[0], inserted++, out, k);
        else
            case_copy(&problem->inputs[1], k - inserted, out, k);
}

static void bulk_expect(case_problem *problem)
{
    if (problem->variant->kind == BULK_REMOVE)
        remove_expect(problem);
    else
        insert_expect(problem);
}

static mcl_status bulk_call(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                            const mcl_options *options)
{
    if (problem->variant->kind == BULK_INSERT)
        return mcl_bulk_insert(queue, o->in[0], o->in[2], o->in[1], o->out[0], options);
    /* The indices have no count on the device here, so out need not be as large as in. */
    mcl_input indices = o->in[1];
    indices.count = problem->inputs[1].count;
    indices.count_slot = NULL;
    return mcl_bulk_remove(queue, o->in[0], indices, o->out[0], options);
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32, .kind = BULK_REMOVE },
    { .element = &element_int32, .value = &element_int32, .kind = BULK_INSERT },
    { .element = &element_int8, .value = &element_uint64, .threads = 64, .items = 7, .kind = BULK_REMOVE },
    { .element = &element_uint64,
      .value = &element_uint32,
      .threads = 128,
      .items = 8,
      .source = FROM_STEP,
      .flags = MCL_INDEX_64,
      .kind = BULK_INSERT },
    { .element = &element_point, .value = &element_int64, .threads = 32, .items = 2, .kind = BULK_INSERT },
    { .element = &element_float,
      .value = &element_int32,
      .threads = 1,
      .items = 31,
      .source = FROM_EXPRESSION,
      .flags = MCL_VALIDATE,
      .kind = BULK_REMOVE },
    { .element = &element_double, .value = &element_int64, .threads = 1, .items = 1, .kind = BULK_INSERT },
    { .element = &element_half, .value = &element_int32, .threads = 256, .items = 31, .kind = BULK_REMOVE },
    { .element = &element_wide,
      .value = &element_int32,
      .threads = 64,
      .items = 3,
      .flags = MCL_INDEX_64,
      .kind = BULK_REMOVE },
    { .element = &element_point,
      .value = &element_int64,
      .threads = 1,
      .items = 100,
      .flags = MCL_VALIDATE,
      .kind = BULK_INSERT },
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    { .element = &element_int8, .value = &element_int32, .kind = BULK_REMOVE },
    { .element = &element_int32, .value = &element_int64, .kind = BULK_REMOVE },
    { .element = &element_uint64, .value = &element_uint64, .kind = BULK_REMOVE },
    { .element = &element_double, .value = &element_int32, .kind = BULK_REMOVE },
    { .element = &element_point, .value = &element_uint32, .kind = BULK_REMOVE },
    { .element = &element_wide, .value = &element_int32, .kind = BULK_REMOVE, .flags = MCL_VALIDATE },
    { .element = &element_int8, .value = &element_int64, .kind = BULK_INSERT },
    { .element = &element_int32, .value = &element_int32, .kind = BULK_INSERT, .flags = MCL_VALIDATE },
    { .element = &element_float, .value = &element_uint64, .kind = BULK_INSERT },
    { .element = &element_half, .value = &element_int32, .kind = BULK_INSERT },
    { .element = &element_point, .value = &element_int32, .kind = BULK_INSERT },
    { .element = &element_wide, .value = &element_uint32, .kind = BULK_INSERT },
};

const mcl_case bulk_case = {
    .name = "bulk_remove",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = bulk_make,
    .expect = bulk_expect,
    .call = bulk_call,
};
