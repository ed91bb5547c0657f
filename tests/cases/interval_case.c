/* interval_case.c: mcl_interval_expand, _move, _gather and _scatter against loops over intervals. element: what is
 * moved; value: offsets and starts. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

enum { EXPAND, MOVE, GATHER, SCATTER };

/* Starts of the intervals: in an order of their own, one after the other with a gap of gap elements after each, or,
 * with overlap, from anywhere in room. */
static void add_starts(case_problem *problem, const int64_t *offsets, int64_t count, int64_t gap, int64_t room,
                       int64_t *starts)
{
    const element *kind = problem->variant->value;
    case_input *input = &problem->inputs[problem->input_count];
    const int64_t step = count > 1 && count % 7 ? 7 : 1;
    int64_t place = 0;

    case_add_input(problem, kind, FROM_BUFFER, count, 2, ORDER_RANDOM);
    for (int64_t k = 0; k < count; k++) {
        const int64_t turn = k * step % count;
        const int64_t length = offsets[turn + 1] - offsets[turn];
        starts[turn] = gap < 0 ? (int64_t)(test_random(problem->seed, (uint64_t)k) >> 1) % (room - length + 1) : place;
        place += length + gap;
        kind->from_integer(starts[turn] + kind->zero, case_at(kind, input->data, turn));
    }
}

/* Room for the intervals with their gaps. */
static int64_t spread_room(int64_t n, int64_t count, int64_t gap)
{
    return n + count * gap;
}

static void interval_reference(case_problem *problem, const int64_t *offsets, int64_t count, const int64_t *gather,
                               const int64_t *scatter)
{
    const element *kind = problem->variant->element;
    const size_t size = kind->type->size;
    const unsigned char *in = problem->inputs[2].data;
    unsigned char *out = problem->outputs[0].data;

    for (int64_t k = 0; k < count; k++)
        for (int64_t i = offsets[k]; i < offsets[k + 1]; i++) {
            const int64_t rank = i - offsets[k];
            const int64_t from = problem->variant->form == EXPAND ? k : gather ? gather[k] + rank : i;
            const int64_t to = scatter ? scatter[k] + rank : i;
            memcpy(out + (size_t)to * size, in + (size_t)from * size, size);
        }
}

static int64_t *numbers_of(int64_t count)
{
    int64_t *numbers = calloc((size_t)count + 1, sizeof *numbers);
    if (!numbers) abort();
    return numbers;
}

static void interval_make(case_problem *problem)
{
    const case_variant *variant = problem->variant;
    const int gathers = variant->form == MOVE || variant->form == GATHER;
    const int scatters = variant->form == MOVE || variant->form == SCATTER;
    const int64_t gap = (int64_t)(problem->seed % 3);
    int64_t *offsets;
    const int64_t count = case_add_offsets(problem, variant->value, &offsets);
    int64_t *gather = numbers_of(count);
    int64_t *scatter = numbers_of(count);
    /* every fourth time the sources overlap */
    const int64_t in_gap = problem->seed % 4 == 3 ? -1 : gap;
    const int64_t in_count = variant->form == EXPAND ? count
                             : gathers               ? spread_room(problem->n, count, gap)
                                                     : problem->n;
    const int64_t out_count = scatters ? spread_room(problem->n, count, gap) : problem->n;

    case_add_input(problem, variant->element, variant->source, in_count, 0, ORDER_RANDOM);
    if (gathers) add_starts(problem, offsets, count, in_gap, in_count, gather);
    if (scatters) add_starts(problem, offsets, count, gap, out_count, scatter);
    unsigned char *out = case_add_output(problem, variant->element, out_count);
    const size_t bytes = (size_t)out_count * variant->element->type->size;
    problem->outputs[0].earlier = calloc(1, bytes + 1);
    if (!problem->outputs[0].earlier) abort();
    memset(problem->outputs[0].earlier, 0x3C, bytes);
    memset(out, 0x3C, bytes);
    interval_reference(problem, offsets, count, gathers ? gather : NULL, scatters ? scatter : NULL);
    free(offsets);
    free(gather);
    free(scatter);
}

static mcl_status interval_call(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                                const mcl_options *options)
{
    const mcl_input *const in = operands->in;
    const mcl_work work = { in[1].count, in[1].count_slot, in[1].count_slot_index };

    switch (problem->variant->form) {
    case EXPAND:
        return mcl_interval_expand(queue, work, in[2], in[0], operands->out[0], options);
    case MOVE:
        return mcl_interval_move(queue, work, in[2], in[3], in[4], in[0], operands->out[0], options);
    case GATHER:
        return mcl_interval_gather(queue, work, in[2], in[3], in[0], operands->out[0], options);
    default:
        return mcl_interval_scatter(queue, work, in[2], in[3], in[0], operands->out[0], options);
    }
}

static const case_variant variants[] = {
    { .element = &element_int32, .value = &element_int32, .form = EXPAND },
    { .element = &element_int8, .value = &element_int64, .form = EXPAND, .threads = 64, .items = 7 },
    { .element = &element_double, .value = &element_int32, .form = EXPAND, .threads = 1, .items = 31 },
    { .element = &element_point,
      .value = &element_uint32,
      .form = EXPAND,
      .threads = 32,
      .items = 5,
      .source = FROM_EXPRESSION },
    { .element = &element_int32, .value = &element_int32, .form = MOVE },
    { .element = &element_int8,
      .value = &element_uint64,
      .form = MOVE,
      .threads = 32,
      .items = 8,
      .flags = MCL_VALIDATE },
    { .element = &element_uint64,
      .value = &element_int64,
      .form = MOVE,
      .threads = 64,
      .items = 3,
      .flags = MCL_INDEX_64 },
    { .element = &element_point, .value = &element_int32, .form = MOVE, .threads = 1, .items = 100 },
    { .element = &element_int32,
      .value = &element_int32,
      .form = GATHER,
      .source = FROM_STEP,
      .threads = 128,
      .items = 2 },
    { .element = &element_half, .value = &element_int32, .form = GATHER, .threads = 64, .items = 31 },
    { .element = &element_float, .value = &element_int32, .form = SCATTER, .threads = 256, .items = 1 },
    { .element = &element_wide, .value = &element_int32, .form = SCATTER, .flags = MCL_VALIDATE },
};
/* What the product adds. */
static const case_variant all_variants[] = {
    { .element = &element_int8, .value = &element_int32, .form = MOVE },
    { .element = &element_int32, .value = &element_int32, .form = MOVE },
    { .element = &element_uint64, .value = &element_int64, .form = GATHER },
    { .element = &element_float, .value = &element_int32, .form = EXPAND },
    { .element = &element_double, .value = &element_uint32, .form = SCATTER },
    { .element = &element_half, .value = &element_int32, .form = EXPAND },
    { .element = &element_point, .value = &element_int32, .form = GATHER },
    { .element = &element_wide, .value = &element_uint64, .form = EXPAND },
};

const mcl_case interval_case = {
    .name = "interval",
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .all_variants = all_variants,
    .all_count = sizeof all_variants / sizeof all_variants[0],
    .sources = 1,
    .make = interval_make,
    .call = interval_call,
};
