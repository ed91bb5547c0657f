/* compact_columns.c: columns of values that accompany the elements of a compaction. The elements are tested and ranked
 * once, and the first columns move together with them. Each further launch is a part, which moves up to WIDTH columns.
 * The compaction stores the indices of its elements in scratch, and each part fetches its values by these indices.
 * Kernels: compact_columns.cl. */
#include "operations/select/compact_operands.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = MCL__COMPACT_FUSED }; /* the most columns of a part */

/* Operands, groups of types, scratch and scalars of a part. The first and the last operand belong to the call. The
 * part's kernel does not use these two. */
enum {
    PART_IN = 1,
    PART_VALUES,
    PART_OUT = PART_VALUES + WIDTH,
    PART_REJECTED = PART_OUT + WIDTH,
    PART_COUNTS = PART_REJECTED + WIDTH,
    PART_OPERANDS
};
enum { PART_INDICES, PART_TOTALS };
enum { BOUND };

#define COLUMN_ARGUMENTS(k) OPERAND(PART_VALUES + (k)), OPERAND(PART_OUT + (k)), OPERAND(PART_REJECTED + (k))

static const mcl__declaration part_of = {
    .file = "kernels/select/compact_columns.cl",
    .operands = (mcl__operands){ [PART_IN] = { "in", .kind = MCL__INPUT, .unused = 1 },
                                 [PART_VALUES] = { "values", .kind = MCL__INPUT, .group = 1, .as_many = PART_IN },
                                 [PART_VALUES + 1] = { "values_2", .kind = MCL__INPUT, .group = 2, .as_many = PART_IN },
                                 [PART_VALUES + 2] = { "values_3", .kind = MCL__INPUT, .group = 3, .as_many = PART_IN },
                                 [PART_VALUES + 3] = { "values_4", .kind = MCL__INPUT, .group = 4, .as_many = PART_IN },
                                 [PART_OUT] = { "out", .kind = MCL__OUTPUT, .group = 1, .optional = 1,
                                                .in_place = MCL__BIT(PART_VALUES), .arrays_only = 1 },
                                 [PART_OUT + 1] = { "out_2", .kind = MCL__OUTPUT, .group = 2, .optional = 1,
                                                    .in_place = MCL__BIT(PART_VALUES + 1), .arrays_only = 1 },
                                 [PART_OUT + 2] = { "out_3", .kind = MCL__OUTPUT, .group = 3, .optional = 1,
                                                    .in_place = MCL__BIT(PART_VALUES + 2), .arrays_only = 1 },
                                 [PART_OUT + 3] = { "out_4", .kind = MCL__OUTPUT, .group = 4, .optional = 1,
                                                    .in_place = MCL__BIT(PART_VALUES + 3), .arrays_only = 1 },
                                 [PART_REJECTED] = { "rejected", .kind = MCL__OUTPUT, .group = 1, .optional = 1 },
                                 [PART_REJECTED + 1] = { "rejected_2", .kind = MCL__OUTPUT, .group = 2, .optional = 1 },
                                 [PART_REJECTED + 2] = { "rejected_3", .kind = MCL__OUTPUT, .group = 3, .optional = 1 },
                                 [PART_REJECTED + 3] = { "rejected_4", .kind = MCL__OUTPUT, .group = 4, .optional = 1 },
                                 [PART_COUNTS] = { "counts", .kind = MCL__RESULT, .label = "count",
                                                   .types = MCL__COUNTS, .unused = 1 } },
    .scratch = { [PART_INDICES] = { "indices", "index_type" }, [PART_TOTALS] = { "totals", "int64_t" } },
    .scalars = { [BOUND] = "count" },
    .passes = (mcl__passes){ { "columns_move",
                               .arguments = { COLUMN_ARGUMENTS(0), COLUMN_ARGUMENTS(1), COLUMN_ARGUMENTS(2),
                                              COLUMN_ARGUMENTS(3), LIMIT(PART_OUT), LIMIT(PART_REJECTED),
                                              SCRATCH(PART_INDICES), SCRATCH(PART_TOTALS), AS_INDEX(BOUND) } } },
};

enum { NAME_BYTES = 32 };
struct mcl__compact_part {
    mcl__call call;
    mcl_partition_column columns[WIDTH];
    char names[3 * WIDTH][NAME_BYTES];
    const char *label[PART_OPERANDS];
};

/* ---- the columns of a call ---------------------------------------------------------------------------------- */

static mcl_partition_column column_at(const mcl__given_columns *given, int k)
{
    if (given->split) return given->split[k];
    return (mcl_partition_column){ .in = given->plain[k].in, .out = given->plain[k].out };
}

static const char *name_column(mcl__compact_part *part, int index, int column, const char *member)
{
    (void)snprintf(part->names[index], NAME_BYTES, "columns[%d].%s", column, member);
    return part->names[index];
}

/* Makes a part of up to WIDTH columns of the call, from column first on. */
static void part_begin(mcl__compact_part *part, const mcl__call *plan, const mcl__given_columns *given, int first)
{
    mcl__call_init(&part->call, &part_of, plan->function, plan->queue, plan->options);
    part->call.label = part->label;
    part->call.operands[PART_IN].input = plan->operands[IN].input;
    part->call.operands[PART_COUNTS].result = plan->operands[COUNTS].result;
    for (int k = 0; k < WIDTH && first + k < given->count; ++k) {
        mcl_partition_column *const column = &part->columns[k];
        *column = column_at(given, first + k);
        part->call.operands[PART_VALUES + k].input = &column->in;
        part->call.operands[PART_OUT + k].output = &column->out;
        if (given->split) part->call.operands[PART_REJECTED + k].output = &column->rejected;
        part->label[PART_VALUES + k] = name_column(part, 3 * k, first + k, "in");
        part->label[PART_OUT + k] = name_column(part, 3 * k + 1, first + k, "out");
        part->label[PART_REJECTED + k] = name_column(part, 3 * k + 2, first + k, "rejected");
    }
}

/* Gives the call the first columns as operands, so that its kernels move them together with the elements. */
static void fuse(mcl__call *call, mcl__compact_columns *columns, const mcl__given_columns *given, int fused)
{
    static const char *const label[OPERANDS] = {
        [VALUES] = "columns[0].in",
        [OUT_VALUES] = "columns[0].out",
        [VALUES + 1] = "columns[1].in",
        [OUT_VALUES + 1] = "columns[1].out",
        [VALUES + 2] = "columns[2].in",
        [OUT_VALUES + 2] = "columns[2].out",
        [VALUES + 3] = "columns[3].in",
        [OUT_VALUES + 3] = "columns[3].out",
        [REJECTED_VALUES] = "columns[0].rejected",
        [REJECTED_VALUES + 1] = "columns[1].rejected",
    };
    call->label = label;
    for (int k = 0; k < fused; ++k) {
        columns->fused[k] = column_at(given, k);
        call->operands[VALUES + k].input = &columns->fused[k].in;
        call->operands[OUT_VALUES + k].output = &columns->fused[k].out;
        if (given->split) call->operands[REJECTED_VALUES + k].output = &columns->fused[k].rejected;
    }
}

/* Returns the number of columns that move together with the elements. In a partition, no output of these columns or of
 * the elements may be left out: the serial mapping chooses one of two pointers for each store. */
static int fused_count(const mcl__call *call, const mcl__given_columns *given)
{
    if (!given->split) return given->count < MCL__COMPACT_FUSED ? given->count : MCL__COMPACT_FUSED;
    const int most = given->count <= MCL__COMPACT_SPLIT ? given->count : MCL__COMPACT_SPLIT - 1;
    if (!mcl__is_wanted(call->operands[OUT].output) || !mcl__is_wanted(call->operands[REJECTED].output)) return 0;
    for (int k = 0; k < most; ++k)
        if (!mcl__is_wanted(&given->split[k].out) || !mcl__is_wanted(&given->split[k].rejected)) return k;
    return most;
}

mcl_status mcl__compact_give_columns(mcl__call *call, const mcl__given_columns *given, mcl__compact_columns *columns)
{
    const int fused = fused_count(call, given);
    fuse(call, columns, given, fused);
    columns->part_count = (int)mcl__divide_up(given->count - fused, WIDTH);
    if (columns->part_count == 0) return MCL_OK;
    MCL__TRY(mcl__plan_new((size_t)columns->part_count * sizeof *columns->parts, &columns->parts));
    for (int k = 0; k < columns->part_count; ++k) part_begin(&columns->parts[k], call, given, fused + k * WIDTH);
    return MCL_OK;
}

/* ---- steps of a call ---------------------------------------------------------------------------------------- */

mcl_status mcl__compact_parts_check(const mcl__compact_columns *columns)
{
    for (int k = 0; k < columns->part_count; ++k) MCL__TRY(mcl__call_check(&columns->parts[k].call));
    return MCL_OK;
}

int mcl__compact_parts_limit(const mcl__compact_columns *columns, int way, int64_t *limit)
{
    const int first = way == OUT ? PART_OUT : PART_REJECTED;
    int some = 0;
    for (int k = 0; k < columns->part_count * WIDTH; ++k) {
        const mcl_output *const output = columns->parts[k / WIDTH].call.operands[first + k % WIDTH].output;
        if (!output || mcl__is_left_out(output)) continue;
        some = 1;
        if (output->capacity < *limit) *limit = output->capacity;
    }
    return some;
}

/* Sets the room of a part's outputs and the kernel's scalars, then checks room and overlap. */
static mcl_status part_ready(mcl__call *part, int64_t limit, int64_t rejected_limit)
{
    for (int k = 0; k < WIDTH; ++k) {
        part->room[PART_OUT + k] = limit;
        part->room[PART_REJECTED + k] = rejected_limit;
    }
    part->room[PART_COUNTS] = part->operands[PART_REJECTED].output ? 2 : 1;
    part->scalars[BOUND] = part->operands[PART_IN].input->count;
    MCL__TRY(mcl__call_check_memory(part));
    part->never_in_place = 1; /* kernels store outputs that replace an input to scratch */
    return MCL_OK;
}

mcl_status mcl__compact_parts_ready(const mcl__call *call, const mcl__compact_columns *columns, int64_t limit,
                                    int64_t rejected_limit)
{
    for (int k = 0; k < columns->part_count; ++k) {
        mcl__call *const part = &columns->parts[k].call;
        MCL__TRY(part_ready(part, limit, rejected_limit));
        MCL__TRY(mcl__call_check_apart(part, call));
        MCL__TRY(mcl__call_check_apart(call, part));
        for (int other = 0; other < k; ++other) {
            MCL__TRY(mcl__call_check_apart(part, &columns->parts[other].call));
            MCL__TRY(mcl__call_check_apart(&columns->parts[other].call, part));
        }
    }
    return MCL_OK;
}

static mcl_status part_program(mcl__call *part)
{
    mcl__tile_need need = { .element_bytes = 1 };
    for (int k = 0; k < WIDTH; ++k) {
        mcl_input *const values = part->operands[PART_VALUES + k].input;
        if (!values) continue;
        values->count_slot = NULL; /* a column takes the count of the call's in */
        if (values->type->size > need.element_bytes) need.element_bytes = values->type->size;
    }
    MCL__TRY(mcl__call_program(part, mcl__call_choose_tile(part, MCL__OPERATION_transform, need),
                               mcl__index_bits(part->scalars[BOUND], part->options)));
    return mcl__compact_stage(part);
}

mcl_status mcl__compact_parts_program(mcl__call *call, const mcl__compact_columns *columns)
{
    for (int k = 0; k < columns->part_count; ++k) {
        MCL__TRY(part_program(&columns->parts[k].call));
        mcl__call_scratch_of_part(call, &columns->parts[k].call);
    }
    return MCL_OK;
}

mcl_status mcl__compact_parts_launch(const mcl__call *call, const mcl__compact_columns *columns)
{
    for (int k = 0; k < columns->part_count; ++k) {
        mcl__call *const part = &columns->parts[k].call;
        const int64_t most =
            part->room[PART_OUT] > part->room[PART_REJECTED] ? part->room[PART_OUT] : part->room[PART_REJECTED];
        mcl__call_scratch_at(part, PART_INDICES, call->results[INDICES]);
        mcl__call_scratch_at(part, PART_TOTALS, call->results[TOTALS]);
        mcl__compact_stage_begin(part);
        if (most > 0) MCL__TRY(mcl__call_launch_tiles(part, 0, most));
        MCL__TRY(mcl__compact_stage_end(part, call->results[TOTALS]));
    }
    return MCL_OK;
}

mcl_status mcl__compact_parts_check_counted(const mcl__compact_columns *columns)
{
    for (int k = 0; k < columns->part_count * WIDTH; ++k) {
        const mcl__call *const part = &columns->parts[k / WIDTH].call;
        for (int slot = 0; slot < 2; ++slot) {
            const int output = (slot == 0 ? PART_OUT : PART_REJECTED) + k % WIDTH;
            if (part->operands[output].output) MCL__TRY(mcl__call_check_counted(part, output, PART_COUNTS, slot));
        }
    }
    return MCL_OK;
}
