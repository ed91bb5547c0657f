/* join_unsorted.c: mcl_join_unsorted, which sorts and then joins, and mcl_join_gather, which fetches the elements that
 * rows have indices of. */
#include "primitives/join_call.h"

#include "moderncl/sort.h"
#include "moderncl/transform.h"

/* The steps are calls of their own: the operands are only checked. */
static const mcl__declaration unsorted = {
    .takes = MCL__TAKES_PASSES | MCL__TAKES_SORT_METHOD,
    .operands = { MCL__JOIN_OPERANDS(0) },
};

enum { ROWS = 1, COLUMN, OUT }; /* operands of a gather */

static const mcl__declaration gather = {
    .operands = { [ROWS] = { "rows", .kind = MCL__INPUT, .types = MCL__INDICES },
                  [COLUMN] = { "column", .kind = MCL__INPUT, .group = 1 },
                  [OUT] = { "out", .kind = MCL__OUTPUT, .group = 1 } },
};

/* One of the two sequences: its keys in order, and the index that each had. */
typedef struct join_side {
    mcl_input keys;
    mcl_output out;
    mcl_buffer *sorted, *order;
} join_side;

static const mcl_type *order_type(const join_side *side)
{
    return side->keys.count > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

/* The options of a step that is not the join: tile and passes are meant for the join. */
static mcl_options beside_join(const mcl_options *options)
{
    mcl_options own = *options;
    own.tile_threads = own.tile_items = own.passes = 0;
    own.sort_method = MCL_SORT_AUTO;
    return own;
}

static mcl_status side_sort(mcl_queue *queue, join_side *side, const mcl_op *before, const mcl_options *options)
{
    const int64_t zero = 0, count = side->keys.count;
    const mcl_type *const order = order_type(side);
    mcl_options own = beside_join(options);
    own.sort_method = options->sort_method;
    MCL__TRY(mcl__buffer_create_for(queue, (size_t)(count > 0 ? count : 1) * side->keys.type->size, &side->sorted));
    MCL__TRY(mcl__buffer_create_for(queue, (size_t)(count > 0 ? count : 1) * order->size, &side->order));
    return mcl_sort_pairs(queue, side->keys, mcl_from_counting(order, &zero, count),
                          mcl_to_buffer(side->keys.type, side->sorted, 0, count),
                          mcl_to_buffer(order, side->order, 0, count), before, &own);
}

/* The sorted keys, as many as there were. */
static mcl_input side_input(const join_side *side)
{
    mcl_input sorted = mcl_from_buffer(side->keys.type, side->sorted, 0, side->keys.count);
    mcl__adopt_slot(&sorted, &side->keys);
    return sorted;
}

/* The output as the join sees it. */
static mcl_output side_output(const join_side *side)
{
    return mcl__is_left_out(&side->out) ? (mcl_output){ 0 } : side->out;
}

/* Turns indices of sorted keys into indices of the caller's keys. An order that contradicts itself does not sort. Rows
 * of keys that are not sorted may be any numbers, or not be stored at all: what is no index becomes -1. */
static mcl_status side_restore(mcl_queue *queue, const join_side *side, int64_t stored, const mcl_type *type,
                               mcl__span count, const mcl_options *options)
{
    const mcl_output *const out = &side->out;
    const int64_t keys = side->keys.count;
    const mcl_binding bound[] = { mcl_binding_buffer("mcl_rows", out->type, out->buffer, out->offset),
                                  mcl_binding_buffer("mcl_order", order_type(side), side->order, 0),
                                  mcl_binding_value("mcl_keys", MCL_INT64, &keys) };
    const mcl_input restored = mcl_from_expression(
        out->type, "mcl_rows[i] >= 0 && mcl_rows[i] < mcl_keys ? mcl_order[mcl_rows[i]] : -1", NULL, bound, 3, stored);
    const mcl_options own = beside_join(options);
    if (mcl__is_left_out(out)) return MCL_OK;
    return mcl_transform(queue, mcl_with_count_of(restored, type, count.buffer, (int64_t)(count.offset / type->size)),
                         mcl_to_buffer(out->type, out->buffer, out->offset, stored), &own);
}

typedef struct unsorted_call {
    mcl__run *run;
    mcl_join_kind kind;
    join_side a, b;
    mcl_buffer *slot; /* the count's, where the caller has none */
} unsorted_call;

/* The type of the count, in device memory too. */
static const mcl_type *count_type(const mcl__run *run)
{
    const mcl_type *const type = run->given[MCL__JOIN_COUNT].result->type;
    return type ? type : MCL_INT64;
}

/* The steps know by the stored count how many rows there are. */
static mcl_status check_count_type(const mcl__run *run)
{
    const mcl_type *const type = count_type(run);
    const int64_t rows = run->room[MCL__JOIN_OUT_A], highest = mcl__count_highest(type);
    if (rows <= highest) return MCL_OK;
    return mcl__fail(MCL_ERROR_TYPE,
                     "count is %s and the outputs have room for %lld rows; expected MCL_INT64 for "
                     "more than %lld rows",
                     type->name, (long long)rows, (long long)highest);
}

/* Where the count is in device memory. */
static mcl_status unsorted_count(unsorted_call *call, mcl__span *count)
{
    const mcl_result *const result = call->run->given[MCL__JOIN_COUNT].result;
    const size_t bytes = count_type(call->run)->size;
    *count = (mcl__span){ result->buffer, (size_t)result->offset * bytes };
    if (count->buffer) return MCL_OK;
    if (!call->slot) MCL__TRY(mcl__buffer_create_for(call->run->queue, bytes, &call->slot));
    *count = (mcl__span){ call->slot, 0 };
    return MCL_OK;
}

static mcl_status unsorted_steps(void *of, const mcl_options *options)
{
    unsorted_call *const call = of;
    mcl_queue *const queue = call->run->queue;
    const mcl_op *const before = call->run->given[MCL__JOIN_BEFORE].op;
    const mcl_options own = mcl__step_options(options);
    mcl_options join_options = own;
    join_options.sort_method = MCL_SORT_AUTO;
    const mcl_type *const type = count_type(call->run);
    const int64_t stored = call->run->room[MCL__JOIN_OUT_A];
    mcl__span count;
    size_t most = 0;
    MCL__TRY(unsorted_count(call, &count));
    MCL__TRY(side_sort(queue, &call->a, before, &own));
    mcl__steps_keep_most(queue, &most);
    MCL__TRY(side_sort(queue, &call->b, before, &own));
    mcl__steps_keep_most(queue, &most);
    MCL__TRY(mcl_join(queue, call->kind, side_input(&call->a), side_input(&call->b), side_output(&call->a),
                      side_output(&call->b), before,
                      mcl_to_slot(type, count.buffer, (int64_t)(count.offset / type->size)), &join_options));
    mcl__steps_keep_most(queue, &most);
    if (stored > 0) {
        MCL__TRY(side_restore(queue, &call->a, stored, type, count, &own));
        if (mcl__join_pairs(call->kind)) MCL__TRY(side_restore(queue, &call->b, stored, type, count, &own));
    }
    queue->scratch_bytes = most;
    return MCL_OK;
}

static void unsorted_release(unsorted_call *call)
{
    mcl_buffer **const owned[] = { &call->a.sorted, &call->a.order, &call->b.sorted, &call->b.order, &call->slot };
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; ++k) {
        mcl_buffer_release(*owned[k]); /* the block is kept until the call's work is done */
        *owned[k] = NULL;
    }
}

static mcl_status unsorted_run(unsorted_call *call)
{
    mcl_queue *const queue = call->run->queue;
    const mcl_options *const options = call->run->options;
    mcl__span count;
    MCL__TRY(mcl__steps_measure(queue, options, unsorted_steps, call));
    unsorted_release(call);
    MCL__TRY(mcl__steps_begin(queue, options));
    MCL__TRY(mcl__steps_end(queue, options, unsorted_steps(call, options)));
    MCL__TRY(unsorted_count(call, &count));
    MCL__TRY(mcl__run_read(call->run, MCL__JOIN_COUNT, count));
    return mcl__join_check_counted(call->run);
}

mcl_status mcl_join_unsorted(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b, mcl_output out_a,
                             mcl_output out_b, const mcl_op *before, mcl_result count, const mcl_options *options)
{
    mcl__run run = { &unsorted, "mcl_join_unsorted", queue, options,
                     .given = { [MCL__JOIN_A].input = &a,
                                [MCL__JOIN_B].input = &b,
                                [MCL__JOIN_BEFORE].op = before,
                                [MCL__JOIN_OUT_A].output = &out_a,
                                [MCL__JOIN_COUNT].result = &count,
                                [MCL__JOIN_OUT_B].output = &out_b } };
    MCL__TRY(mcl__join_check(&run, kind));
    MCL__TRY(check_count_type(&run));
    unsorted_call call = { &run, kind, .a = { .keys = a, .out = out_a }, .b = { .keys = b, .out = out_b } };
    const mcl_status status = unsorted_run(&call);
    unsorted_release(&call);
    return status;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static mcl_status gather_check(mcl__run *run)
{
    const mcl_input *const rows = run->given[ROWS].input, *const column = run->given[COLUMN].input;
    MCL__TRY(mcl__run_check(run));
    if ((rows->expression && rows->count > 0) || (column->expression && column->count > 0))
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s is an expression; expected one that mcl_from_buffer made",
                         rows->expression ? "rows" : "column");
    run->room[OUT] = rows->count;
    return mcl__run_ready(run);
}

/* As a part of mcl_join_gather. */
static mcl_status gather_transform(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    mcl__function_hold();
    const mcl_status status = mcl_transform(queue, in, out, options);
    mcl__function_let_go();
    return status;
}

mcl_status mcl_join_gather(mcl_queue *queue, mcl_input rows, mcl_input column, const void *null_value, mcl_output out,
                           const mcl_options *options)
{
    static const unsigned char zeros[MCL_VALUE_BYTES_MAX];
    mcl__run run = { &gather, "mcl_join_gather", queue, options,
                     .given = { [ROWS].input = &rows, [COLUMN].input = &column, [OUT].output = &out } };
    MCL__TRY(gather_check(&run));
    const int64_t count = column.buffer ? column.count : 0;
    if (mcl__same_type(column.type, MCL_HALF))
        column.type = out.type = MCL_UINT16;                       /* bits that are fetched as they are */
    const mcl_input *const bound_to = count > 0 ? &column : &rows; /* an empty column is never looked at */
    const mcl_binding bound[] = { mcl_binding_buffer("mcl_rows", rows.type, rows.buffer, rows.offset),
                                  mcl_binding_buffer("mcl_column", column.type, bound_to->buffer,
                                                     count > 0 ? column.offset : 0),
                                  mcl_binding_value("mcl_null", column.type, null_value ? null_value : zeros),
                                  mcl_binding_value("mcl_count", MCL_INT64, &count) };
    if (rows.count == 0) return gather_transform(queue, mcl_from_buffer(out.type, NULL, 0, 0), out, options);
    mcl_input fetched = mcl_from_expression(
        column.type, "mcl_rows[i] >= 0 && mcl_rows[i] < mcl_count ? mcl_column[mcl_rows[i]] : mcl_null", NULL, bound, 4,
        rows.count);
    mcl__adopt_slot(&fetched, &rows);
    return gather_transform(queue, fetched, out, options);
}
