/* splitters.c: mcl_splitters_sample and mcl_splitters_choose. Kernels: cl/kernels/select/splitters.cl, one pass
 * each. */
#include "call/call.h"

#include "moderncl/splitters.h"

enum { IN = 1, OUT, POSITIONS };                           /* operands of samples */
enum { SAMPLES = 1, AT, SHARES, SPLITTERS, SPLITTERS_AT }; /* operands of splitters */
enum { ELEMENTS = 1, INDICES };                            /* groups of operands with one type */
enum { STRIDE, FIRST };                                    /* scalars */
enum { SHARES_MOST = 32768 };                              /* 2^48 elements for each share fit 64 bits in total */

static const mcl__declaration sampling = {
    .file = "kernels/select/splitters.cl",
    .operands =
        (mcl__operands){
            [IN] = { "in", .kind = MCL__INPUT, .group = ELEMENTS },
            [OUT] = { "out", .kind = MCL__OUTPUT, .group = ELEMENTS },
            [POSITIONS] = { "positions", .kind = MCL__OUTPUT, .types = MCL__INDICES, .optional = 1 },
        },
    .scalars = { [STRIDE] = "stride", [FIRST] = "first" },
    .passes = (mcl__passes){ { "splitters_sample",
                               MCL__PARTITION_THREADS,
                               "PARTITION_THREADS",
                               { OPERAND(IN), OPERAND(OUT), OPERAND(POSITIONS), AS_LONG(STRIDE), AS_LONG(FIRST) } } },
};

static const mcl__declaration choosing = {
    .file = "kernels/select/splitters.cl",
    .operands =
        (mcl__operands){
            [SAMPLES] = { "samples", .kind = MCL__INPUT, .group = ELEMENTS },
            [AT] = { "positions", .kind = MCL__INPUT, .types = MCL__INDICES, .group = INDICES, .as_many = SAMPLES },
            [SHARES] = { "shares", .kind = MCL__INPUT, .types = MCL__COUNTS },
            [SPLITTERS] = { "out", .kind = MCL__OUTPUT, .group = ELEMENTS },
            [SPLITTERS_AT] = { "out_positions", .kind = MCL__OUTPUT, .types = MCL__INDICES, .group = INDICES,
                               .optional = 1 },
        },
    .passes = (mcl__passes){ { "splitters_choose",
                               MCL__PARTITION_THREADS,
                               "PARTITION_THREADS",
                               { OPERAND(SAMPLES), OPERAND(AT), OPERAND(SHARES), OPERAND(SPLITTERS),
                                 OPERAND(SPLITTERS_AT) } } },
};

/* Launches the only pass, with one work-item for each of items. samples is the number of elements that the kernel
 * indexes. */
static mcl_status launch(mcl__call *call, int takes_samples, int64_t items, int64_t samples)
{
    const mcl__tile_need need = { .element_bytes = call->types[ELEMENTS]->size };
    mcl__call_define(call, "SAMPLES", takes_samples);
    MCL__TRY(mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_transform, need),
                               mcl__index_bits(samples > items ? samples : items, call->options)));
    MCL__TRY(mcl__call_begin(call));
    if (items > 0) MCL__TRY(mcl__call_launch_items(call, 0, items));
    return mcl__call_end(call);
}

mcl_status mcl_splitters_sample(mcl_queue *queue, mcl_input in, int64_t stride, int64_t first, mcl_output out,
                                mcl_output positions, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &sampling, "mcl_splitters_sample", queue, options);
    call.operands[IN].input = &in;
    call.operands[OUT].output = &out;
    call.operands[POSITIONS].output = &positions;
    MCL__TRY(mcl__call_check(&call));
    if (stride < 1) return mcl__fail(MCL_ERROR_ARGUMENT, "stride is %lld; expected 1 or more", (long long)stride);
    if (first < 0 || first > MCL__COUNT_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "first is %lld; expected 0 to %lld", (long long)first,
                         (long long)MCL__COUNT_MAX);
    if (!mcl__is_left_out(&positions))
        MCL__TRY(mcl__check_holds_indices("positions", positions.type, first + in.count));
    const int64_t samples = in.count / stride + (in.count % stride > 0);
    call.room[OUT] = call.room[POSITIONS] = samples;
    call.scalars[STRIDE] = stride < in.count ? stride : in.count > 0 ? in.count : 1;
    call.scalars[FIRST] = first;
    MCL__TRY(mcl__call_ready(&call));
    return launch(&call, 1, samples, in.count);
}

mcl_status mcl_splitters_choose(mcl_queue *queue, mcl_input samples, mcl_input positions, mcl_input shares,
                                mcl_output out, mcl_output out_positions, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &choosing, "mcl_splitters_choose", queue, options);
    call.operands[SAMPLES].input = &samples;
    if (positions.type || positions.buffer || positions.expression) call.operands[AT].input = &positions;
    call.operands[SHARES].input = &shares;
    call.operands[SPLITTERS].output = &out;
    if (call.operands[AT].input || out_positions.type || out_positions.buffer)
        call.operands[SPLITTERS_AT].output = &out_positions;
    shares.count_slot = NULL;
    MCL__TRY(mcl__call_check(&call));
    if (call.operands[SPLITTERS_AT].output && !call.operands[AT].input)
        return mcl__fail(MCL_ERROR_ARGUMENT, "out_positions is given without positions; expected both");
    if (shares.count < 1 || shares.count > SHARES_MOST)
        return mcl__fail(MCL_ERROR_ARGUMENT, "shares has %lld elements; expected 1 to %d, one for each part",
                         (long long)shares.count, SHARES_MOST);
    call.room[SPLITTERS] = call.room[SPLITTERS_AT] = shares.count - 1;
    MCL__TRY(mcl__call_ready(&call));
    return launch(&call, 0, shares.count - 1, samples.count);
}
