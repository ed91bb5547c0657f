/* join_columns_check.c: checks the operands of mcl_join_columns. */
#include "operations/join/join_columns_check.h"

#include <stdio.h>
#include <stdlib.h>

/* The operands of a part, which join_columns_check.h numbers. The first and the last belong to the call. */
static const mcl__declaration part_of = {
    .of_steps = 1,
    .takes = MCL__TAKES_PASSES | MCL__TAKES_SORT_METHOD | MCL__TAKES_ANY_ORDER,
    .operands = (mcl__operands){ [KEYS] = { "keys", .kind = MCL__INPUT, .unused = 1 },
                                 [VALUES] = { "in", .kind = MCL__INPUT, .group = 1, .as_many = KEYS },
                                 [VALUES + 1] = { "in_2", .kind = MCL__INPUT, .group = 2, .as_many = KEYS },
                                 [VALUES + 2] = { "in_3", .kind = MCL__INPUT, .group = 3, .as_many = KEYS },
                                 [VALUES + 3] = { "in_4", .kind = MCL__INPUT, .group = 4, .as_many = KEYS },
                                 [OUT] = { "out", .kind = MCL__OUTPUT, .group = 1, .optional = 1 },
                                 [OUT + 1] = { "out_2", .kind = MCL__OUTPUT, .group = 2, .optional = 1 },
                                 [OUT + 2] = { "out_3", .kind = MCL__OUTPUT, .group = 3, .optional = 1 },
                                 [OUT + 3] = { "out_4", .kind = MCL__OUTPUT, .group = 4, .optional = 1 },
                                 [PART_COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS, .unused = 1 } },
};

static const char *name_column(mcl__column_part *of, int index, const mcl__column_side *of_side, int column,
                               const char *member)
{
    (void)snprintf(of->names[index], NAME_BYTES, "%s[%d].%s", of_side->name, column, member);
    return of->names[index];
}

static void part_begin(mcl__column_part *of, const mcl__call *plan, const mcl__column_side *of_side, int first)
{
    mcl__call_init(&of->call, &part_of, plan->function, plan->queue, plan->options);
    of->call.label = of->label;
    of->call.operands[KEYS].input = &of_side->sorted->keys;
    of->call.operands[PART_COUNT].result = plan->operands[COUNT].result;
    of->label[KEYS] = of_side->keys_name;
    for (int k = 0; k < WIDTH && first + k < of_side->given_count; ++k) {
        of->columns[k] = of_side->given[first + k];
        of->columns[k].in.count_slot = NULL;
        of->call.operands[VALUES + k].input = &of->columns[k].in;
        of->call.operands[OUT + k].output = &of->columns[k].out;
        of->label[VALUES + k] = name_column(of, 2 * k, of_side, first + k, "in");
        of->label[OUT + k] = name_column(of, 2 * k + 1, of_side, first + k, "out");
    }
}

static mcl_status check_list(const mcl__column_side *of)
{
    if (of->given_count >= 0 && (of->given_count == 0 || of->given)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is %s and column_count%s %d; expected 0 or more columns", of->name,
                     of->given ? "given" : "NULL", of->name + sizeof "columns" - 1, of->given_count);
}

static mcl_status begin_parts(const mcl__call *call, mcl__column_side *of)
{
    MCL__TRY(check_list(of));
    of->part_count = (int)mcl__divide_up(of->given_count, WIDTH);
    if (of->part_count == 0) return MCL_OK;
    of->parts = calloc((size_t)of->part_count, sizeof *of->parts);
    if (!of->parts) return mcl__fail(MCL_ERROR_MEMORY, "no host memory for %d columns", of->given_count);
    for (int k = 0; k < of->part_count; ++k) part_begin(&of->parts[k], call, of, k * WIDTH);
    return MCL_OK;
}

static mcl_status check_part(mcl__column_part *of, int64_t *capacity)
{
    MCL__TRY(mcl__call_check(&of->call));
    for (int k = 0; k < WIDTH && of->call.operands[VALUES + k].input; ++k) {
        const mcl_input *const in = &of->columns[k].in;
        if (in->expression && in->count > 0)
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "%s is an expression; expected a buffer (mcl_transform stores an expression in one)",
                             of->label[VALUES + k]);
        if (of->columns[k].out.capacity < *capacity) *capacity = of->columns[k].out.capacity;
    }
    return MCL_OK;
}

static mcl_status check_parts(const mcl__call *call, mcl__column_side *of, int64_t *capacity)
{
    MCL__TRY(begin_parts(call, of));
    for (int k = 0; k < of->part_count; ++k) MCL__TRY(check_part(&of->parts[k], capacity));
    return MCL_OK;
}

/* Checks the room of a part's outputs. Also checks that neither the part nor the call overlaps an output of the
 * other. */
static mcl_status check_part_memory(const mcl__columns_plan *plan, mcl__column_part *of)
{
    for (int k = 0; k < WIDTH; ++k) of->call.room[OUT + k] = plan->sorts.stored;
    MCL__TRY(mcl__call_check_memory(&of->call));
    MCL__TRY(mcl__call_check_apart(&of->call, &plan->call));
    return mcl__call_check_apart(&plan->call, &of->call);
}

static mcl_status check_memory(const mcl__columns_plan *plan)
{
    const int parts = mcl__column_parts(plan);
    for (int k = 0; k < parts; ++k) MCL__TRY(check_part_memory(plan, mcl__column_part_at(plan, k)));
    for (int k = 0; k < parts; ++k)
        for (int other = 0; other < parts; ++other)
            if (other != k)
                MCL__TRY(mcl__call_check_apart(&mcl__column_part_at(plan, k)->call,
                                               &mcl__column_part_at(plan, other)->call));
    return MCL_OK;
}

mcl_status mcl__columns_check(mcl__columns_plan *plan)
{
    mcl__call *const call = &plan->call;
    int64_t capacity = MCL__COUNT_MAX;
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(mcl__join_check_kind(plan->sorts.kind));
    if (!mcl__join_pairs(plan->sorts.kind)) plan->b.given_count = 0;
    if (plan->keys.capacity < capacity) capacity = plan->keys.capacity;
    MCL__TRY(check_parts(call, &plan->a, &capacity));
    MCL__TRY(check_parts(call, &plan->b, &capacity));
    if (capacity == MCL__COUNT_MAX) capacity = 0; /* no output is wanted */
    plan->sorts.stored = call->room[OUT_KEYS] = mcl__join_stored(call, plan->sorts.kind, capacity);
    MCL__TRY(mcl__call_ready(call));
    MCL__TRY(check_memory(plan));
    return mcl__join_check_count_type(call, plan->sorts.stored);
}

/* Checks the output with the least capacity. If several outputs have it, an error names the first. */
mcl_status mcl__columns_check_counted(const mcl__columns_plan *plan)
{
    const mcl__call *shortest = &plan->call;
    int output = OUT_KEYS;
    for (int k = 0; k < mcl__column_parts(plan) * WIDTH; ++k) {
        const mcl__call *const call = &mcl__column_part_at(plan, k / WIDTH)->call;
        const mcl_output *const out = call->operands[OUT + k % WIDTH].output;
        if (!out || out->capacity >= shortest->operands[output].output->capacity) continue;
        shortest = call;
        output = OUT + k % WIDTH;
    }
    if (mcl__is_left_out(shortest->operands[output].output)) return MCL_OK;
    return mcl__call_check_counted(shortest, output, shortest == &plan->call ? COUNT : PART_COUNT, 0);
}
