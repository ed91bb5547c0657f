/* interval_case.c: compares mcl_interval_expand, _move, _gather and _scatter with loops over intervals. element: type
 * of what is moved; value: type of offsets and starts. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

/* Adds starts of the intervals. The intervals lie in a shuffled order, one after the other, with gap elements after
 * each. With a negative gap they overlap: each start is anywhere in room. */
static void add_starts(case_problem *problem, const int64_t *offsets, int64_t count, int64_t gap, int64_t room)
{
    const element *kind = problem->variant->value;
    case_input *input = &problem->inputs[problem->input_count];
    const int64_t step = count > 1 && count % 7 ? 7 : 1;
    int64_t place = 0;

    case_add_input(problem, kind, FROM_BUFFER, count, 2, ORDER_RANDOM);
    for (int64_t k = 0; k < count; k++) {
        const int64_t turn = k * step % count;
        const int64_t length = offsets[turn + 1] - offsets[turn];
        const int64_t start =
            gap < 0 ? (int64_t)(test_random(problem->seed, (uint64_t)k) >> 1) % (room - length + 1) : place;
        place += length + gap;
        kind->from_integer(start + kind->zero, case_at(kind, input->data, turn));
    }
}

static int gathers(const case_problem *problem)
{
    return problem->variant->form == INTERVAL_MOVE || problem->variant->form == INTERVAL_GATHER;
}

static int scatters(const case_problem *problem)
{
    return problem->variant->form == INTERVAL_MOVE || problem->variant->form == INTERVAL_SCATTER;
}

/* Returns the number of elements between intervals that lie apart. */
static int64_t gap_of(const case_problem *problem)
{
    return (int64_t)(problem->seed % 3);
}

static void interval_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    int64_t *offsets;
    const int64_t count = case_add_offsets(problem, variant->value, &offsets);
    const int64_t spread = problem->n + count * gap_of(problem);
    /* in every fourth problem the sources overlap */
    const int64_t in_gap = problem->seed % 4 == 3 ? -1 : gap_of(problem);
    const int64_t in_count = variant->form == INTERVAL_EXPAND ? count : gathers(problem) ? spread : problem->n;

    case_add_input(problem, variant->element, variant->source, in_count, 0, ORDER_RANDOM);
    if (gathers(problem)) add_starts(problem, offsets, count, in_gap, in_count);
    if (scatters(problem)) add_starts(problem, offsets, count, gap_of(problem), spread);
    free(offsets);
}

/* Adds an output that keeps the elements between the intervals. */
static void interval_add_output(case_problem *problem)
{
    const int64_t gaps = scatters(problem) ? problem->inputs[0].count * gap_of(problem) : 0;
    const element *kind = problem->variant->element;
    unsigned char *out = case_add_output(problem, kind, problem->n + gaps);
    const size_t bytes = (size_t)(problem->n + gaps) * kind->type->size;

    problem->outputs[0].earlier = calloc(1, bytes + 1);
    if (!problem->outputs[0].earlier) abort();
    memset(problem->outputs[0].earlier, 0x3C, bytes);
    memset(out, 0x3C, bytes);
}

static void interval_expect(case_problem *problem)
{
    const case_input *offsets = &problem->inputs[0];
    const case_input *in = &problem->inputs[2];
    const case_input *targets = &problem->inputs[gathers(problem) ? 4 : 3];

    interval_add_output(problem);
    for (int64_t k = 0; k < offsets->count; k++) {
        const int64_t begin = case_index(offsets, k);
        const int64_t end = k + 1 < offsets->count ? case_index(offsets, k + 1) : problem->n;
        const int64_t from = gathers(problem) ? case_index(&problem->inputs[3], k) : begin;
        const int64_t to = scatters(problem) ? case_index(targets, k) : begin;
        const int repeats = problem->variant->form == INTERVAL_EXPAND;
        for (int64_t rank = 0; rank < end - begin; rank++)
            case_copy(in, repeats ? k : from + rank, problem->outputs[0].data, to + rank);
    }
}

static mcl_status interval_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                const mcl_options *options)
{
    const mcl_input *const in = operands->in;
    const mcl_work work = { in[1].count, in[1].count_slot, in[1].count_slot_index, in[1].count_slot_type };

    switch (problem->variant->form) {
    case INTERVAL_EXPAND:
        return mcl_interval_expand(queue, work, in[2], in[0], operands->out[0], options);
    case INTERVAL_MOVE:
        return mcl_interval_move(queue, work, in[2], in[3], in[4], in[0], operands->out[0], options);
    case INTERVAL_GATHER:
        return mcl_interval_gather(queue, work, in[2], in[3], in[0], operands->out[0], options);
    default:
        return mcl_interval_scatter(queue, work, in[2], in[3], in[0], operands->out[0], options);
    }
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32, .form = INTERVAL_EXPAND },
    { .element = &element_int8, .value = &element_int64, .form = INTERVAL_EXPAND, .threads = 64, .items = 7 },
    { .element = &element_double, .value = &element_int32, .form = INTERVAL_EXPAND, .threads = 1, .items = 31 },
    { .element = &element_point,
      .value = &element_uint32,
      .form = INTERVAL_EXPAND,
      .threads = 32,
      .items = 5,
      .source = FROM_EXPRESSION },
    { .element = &element_int32, .value = &element_int32, .form = INTERVAL_MOVE },
    { .element = &element_int8,
      .value = &element_uint64,
      .form = INTERVAL_MOVE,
      .threads = 32,
      .items = 8,
      .flags = MCL_VALIDATE },
    { .element = &element_uint64,
      .value = &element_int64,
      .form = INTERVAL_MOVE,
      .threads = 64,
      .items = 3,
      .flags = MCL_INDEX_64 },
    { .element = &element_point, .value = &element_int32, .form = INTERVAL_MOVE, .threads = 1, .items = 100 },
    { .element = &element_int32,
      .value = &element_int32,
      .form = INTERVAL_GATHER,
      .source = FROM_STEP,
      .threads = 128,
      .items = 2 },
    { .element = &element_half, .value = &element_int32, .form = INTERVAL_GATHER, .threads = 64, .items = 31 },
    { .element = &element_float, .value = &element_int32, .form = INTERVAL_SCATTER, .threads = 256, .items = 1 },
    { .element = &element_wide, .value = &element_int32, .form = INTERVAL_SCATTER, .flags = MCL_VALIDATE },
};
/* Types and operators for the product. */
static const case_variant all_variants[] = {
    { .element = &element_int8, .value = &element_int32, .form = INTERVAL_MOVE },
    { .element = &element_int32, .value = &element_int32, .form = INTERVAL_MOVE },
    { .element = &element_uint64, .value = &element_int64, .form = INTERVAL_GATHER },
    { .element = &element_float, .value = &element_int32, .form = INTERVAL_EXPAND },
    { .element = &element_double, .value = &element_uint32, .form = INTERVAL_SCATTER },
    { .element = &element_half, .value = &element_int32, .form = INTERVAL_EXPAND },
    { .element = &element_point, .value = &element_int32, .form = INTERVAL_GATHER },
    { .element = &element_wide, .value = &element_uint64, .form = INTERVAL_EXPAND },
};

const mcl_case interval_case = {
    .name = "interval",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = interval_make,
    .expect = interval_expect,
    .call = interval_call,
};
