/* run_length_decode.c: mcl_run_length_decode. A scan turns the lengths into offsets, and mcl_interval_expand repeats
 * the values. Each step is a call of another operation. */
#include "call/call.h"
#include "operations/transform/transform.h"

#include "moderncl/compact.h"
#include "moderncl/interval.h"
#include "moderncl/scan.h"

enum { VALUES = 1, LENGTHS, OUT, COUNT }; /* operands */

static const mcl__declaration decode = {
    .of_steps = 1,
    .operands =
        (mcl__operands){ [VALUES] = { "values", .kind = MCL__INPUT, .group = 1 },
                         [LENGTHS] = { "lengths", .kind = MCL__INPUT, .types = MCL__INTEGERS, .as_many = VALUES },
                         [OUT] = { "out", .kind = MCL__OUTPUT, .group = 1, .optional = 1 },
                         [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS } },
};

typedef struct decode_plan {
    mcl__call *call;
    mcl_buffer *offsets, *total; /* scratch: arrays of int64_t */
    mcl__span total_at;
} decode_plan;

/* Negative lengths count as 0, so that offsets never decrease. */
static const mcl_op sum_of_lengths = { .role = MCL_ROLE_FOLD,
                                       .expression = "p + q",
                                       .identity = "0",
                                       .value = MCL_INT64,
                                       .extract = "x > 0 ? x : 0",
                                       .commutative = 1 };

static mcl_status scan_step(const decode_plan *plan, const mcl_options *options)
{
    const mcl__call *const call = plan->call;
    const mcl_input *const values = call->operands[VALUES].input;
    mcl_input lengths = *call->operands[LENGTHS].input;
    mcl__adopt_count(&lengths, values);
    return mcl_scan(call->queue, lengths, mcl_to_buffer(MCL_INT64, plan->offsets, 0, values->count), &sum_of_lengths,
                    MCL_EXCLUSIVE, mcl_to_slot(MCL_INT64, plan->total, 0), options);
}

/* Stores the count. A count above the highest value of its type is stored as that value. */
static mcl_status count_step(const decode_plan *plan, const mcl_options *options)
{
    const mcl_result *const count = plan->call->operands[COUNT].result;
    if (!count->buffer) return MCL_OK;
    const int64_t highest = mcl__count_highest(count->type);
    const mcl_binding bound[] = { mcl_binding_buffer("total", MCL_INT64, plan->total, 0),
                                  mcl_binding_value("highest", MCL_INT64, &highest) };
    mcl_input stored = mcl_from_expression(MCL_INT64, "total[0] < highest ? total[0] : highest", NULL, bound, 2, 1);
    return mcl__transform(plan->call->queue, &stored, mcl_to_buffer(count->type, count->buffer, count->offset, 1),
                          options);
}

/* Repeats the values. Without an output it stores none, but still refuses an expression that does not compile. */
static mcl_status expand_step(const decode_plan *plan, const mcl_options *options)
{
    const mcl__call *const call = plan->call;
    const mcl_input *const values = call->operands[VALUES].input;
    mcl_output out = *call->operands[OUT].output;
    if (!out.buffer) out = mcl_to_buffer(values->type, plan->total, 0, 0);
    mcl_input offsets = mcl_from_buffer(MCL_INT64, plan->offsets, 0, values->count);
    mcl__adopt_slot(&offsets, values);
    return mcl_interval_expand(call->queue, mcl_work_in_slot(out.capacity, plan->total, 0), *values, offsets, out,
                               options);
}

static mcl_status decode_steps(void *of, const mcl_options *options)
{
    decode_plan *const plan = of;
    mcl_queue *const queue = plan->call->queue;
    const mcl_input *const values = plan->call->operands[VALUES].input;
    const mcl_options beside = mcl__beside_options(options); /* leaves out the tile, which is for the expansion */
    const size_t offsets = (size_t)(values->count > 0 ? values->count : 1);
    MCL__TRY(mcl__scratch_hold(queue, offsets * sizeof(int64_t), &plan->offsets));
    MCL__TRY(mcl__scratch_hold(queue, sizeof(int64_t), &plan->total));
    plan->total_at = mcl__result_span(&(mcl_result){ .type = MCL_INT64, .buffer = plan->total });
    MCL__TRY(scan_step(plan, &beside));
    MCL__TRY(count_step(plan, &beside));
    return expand_step(plan, options);
}

static void release_memory(void *of)
{
    decode_plan *const plan = of;
    mcl__buffer_drop(&plan->offsets);
    mcl__buffer_drop(&plan->total);
}

static mcl_status read_count(const decode_plan *plan)
{
    mcl__call *const call = plan->call;
    const mcl_result *const count = call->operands[COUNT].result;
    int64_t total = 0;
    if (!count->host || call->queue->preparing) return MCL_OK;
    MCL__TRY(call->queue->context->backend->read(call->queue, plan->total_at.buffer, plan->total_at.offset,
                                                 sizeof total, &total, 1));
    const int64_t highest = mcl__count_highest(count->type);
    mcl__count_store(count->type, count->host, total < highest ? total : highest);
    return mcl__call_check_counted(call, OUT, COUNT, 0);
}

static mcl_status decode_run(decode_plan *plan)
{
    MCL__TRY(mcl__steps_run(plan->call->queue, plan->call->options, decode_steps, release_memory, plan));
    return read_count(plan);
}

mcl_status mcl_run_length_decode(mcl_queue *queue, mcl_input values, mcl_input lengths, mcl_output out,
                                 mcl_result count, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &decode, "mcl_run_length_decode", queue, options);
    call.operands[VALUES].input = &values;
    call.operands[LENGTHS].input = &lengths;
    call.operands[OUT].output = &out;
    call.operands[COUNT].result = &count;
    MCL__TRY(mcl__call_check(&call));
    call.room[OUT] = out.capacity;
    MCL__TRY(mcl__call_ready(&call));
    decode_plan plan = { .call = &call };
    return decode_run(&plan);
}
