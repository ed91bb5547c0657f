/* scan.c: mcl_scan. Kernels: cl/kernels/scan.cl.
 * Single pass: a group takes the next tile, publishes its fold and looks back for the fold of the tiles before it.
 * Two passes, where groups may not wait for each other or the input would be overwritten under a group that has to fold
 * it again: in blocks that fit the device's cache, fold parts, scan their folds, scan the parts behind them. */
#include "call/fold.h"
#include "call/gate.h"
#include "call/look_back.h"
#include "facts/scan.h"

#include "moderncl/scan.h"

enum { CLEAR, TILES, FEW_TILES }; /* single pass */
enum { PARTS, SPINE, DOWN };      /* two passes */

typedef struct scan_call {
    mcl_input in;
    mcl_output out;
    const mcl_op *op;
    int inclusive;
    int total_at_end;
    mcl_result total;
    mcl__initial initial;
    int index_bits;
    size_t accumulator; /* bytes */
    int looks_back;
    int64_t part_wish;   /* two passes: parts that a block should have, as far as there are tiles */
    int64_t block_tiles; /* and tiles that fill the device */
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__look_back states; /* single pass */
} scan_call;

static mcl_status scan_check(const mcl_queue *queue, const scan_call *call, const mcl_options *options)
{
    const mcl__given operands[] = {
        { "in", .input = &call->in },
        { "out", .output = &call->out },
        { "op", .op = call->op, .use = MCL__FOLD, .of = &call->in },
        { "total", .result = &call->total },
        { NULL },
    };
    MCL__TRY(mcl__gate("mcl_scan", queue, options, MCL__TAKES_INITIAL, operands));
    const int64_t stored = call->in.count + call->total_at_end;
    MCL__TRY(mcl__check_room("mcl_scan", "out", &call->out, stored));
    const int needs_identity = !call->inclusive || (call->in.count == 0 && (call->total.type || call->total_at_end));
    MCL__TRY(mcl__check_fold("mcl_scan", call->op, options,
                             !needs_identity   ? NULL
                             : call->inclusive ? "a total of nothing"
                                               : "an exclusive scan"));
    MCL__TRY(mcl__check_fold_result("mcl_scan", "out", call->op, call->in.type, call->out.type));
    MCL__TRY(mcl__check_op_overlap("mcl_scan", "op", call->op, "out", &call->out, stored));
    MCL__TRY(call->in.expression ? mcl__check_no_overlap("mcl_scan", "in", &call->in, "out", &call->out, stored)
                                 : mcl__check_in_place("mcl_scan", "in", &call->in, "out", &call->out, stored));
    if (!call->total.type) return MCL_OK;
    MCL__TRY(mcl__check_fold_result("mcl_scan", "total", call->op, call->in.type, call->total.type));
    if (!call->total.buffer) return MCL_OK;
    const mcl_output slot = { call->total.type, call->total.buffer, call->total.offset, 1 };
    MCL__TRY(mcl__check_op_overlap("mcl_scan", "op", call->op, "total", &slot, 1));
    MCL__TRY(mcl__check_no_overlap("mcl_scan", "in", &call->in, "total", &slot, 1));
    const mcl_input stored_range = mcl_from_buffer(call->out.type, call->out.buffer, call->out.offset, stored);
    return mcl__check_no_overlap("mcl_scan", "out", &stored_range, "total", &slot, 1);
}

static int scan_looks_back(const mcl__limits *limits, const scan_call *call, const mcl_options *options)
{
    return limits->look_back && call->accumulator <= MCL__LOOK_BACK_BYTES_MAX &&
           !mcl__wants(options, MCL_DETERMINISTIC) && !mcl__same_place(&call->in, &call->out);
}

static void scan_describe(mcl__spec *spec, const mcl_context *context, const scan_call *call,
                          const mcl_options *options)
{
    const size_t in = mcl__staged_bytes(call->in.type), out = mcl__staged_bytes(call->out.type);
    const size_t wider = in > out ? in : out;
    const mcl__tile_need need = {
        .element_bytes = wider > call->accumulator ? wider : call->accumulator,
        .local_bytes_per_item = in == out ? in : in + out,
        .local_bytes_fixed = 34 * call->accumulator + 64,
        .lone_bytes_per_thread = call->accumulator,
    };
    const mcl__operation operation = call->looks_back ? MCL__OPERATION_scan : MCL__OPERATION_scan_two_pass;
    int64_t resident = 0; /* of larger accumulators: they spill anyway */
    *spec = (mcl__spec){
        .file = "kernels/scan.cl",
        .tile = mcl__tile_for(operation, &context->limits, context->tuning, need, options),
        .index_bits = call->index_bits,
        .aliased = mcl__same_place(&call->in, &call->out),
        .ops = { { "fold", call->op, MCL__OP_FOLD, call->in.type, call->out.type } },
        .inputs = { { "in", &call->in } },
        .outputs = { { "out", call->out.type }, { "total", call->total.type ? call->total.type : call->out.type } },
        .defines = { { "SCAN_LOOK_BACK", call->looks_back },
                     { "SCAN_INCLUSIVE", call->inclusive },
                     { "SCAN_SEPARATE", in != out },
                     { "HAS_INITIAL", call->initial.given } },
    };
    if (call->accumulator <= MCL__LOOK_BACK_BYTES_MAX)
        resident = mcl__resident(context, MCL__PARAMETER_scan_resident_4, call->accumulator, call->index_bits);
    mcl__spec_define(spec, "RESIDENT", resident);
    if (call->looks_back) {
        spec->kernels[CLEAR] = MCL__LOOK_BACK_CLEAR;
        spec->kernels[TILES] = "scan_tiles";
        spec->kernels[FEW_TILES] = "scan_few_tiles";
    } else {
        spec->kernels[PARTS] = "scan_parts";
        spec->kernels[SPINE] = "scan_spine";
        spec->kernels[DOWN] = "scan_down";
    }
}

/* PARAMS_out, PARAMS_total, flags. */
static void scan_outputs(mcl__args *args, const scan_call *call, mcl__span total)
{
    mcl__args_output(args, &call->out);
    mcl__args_span(args, total);
    mcl__args_int(args, (total.buffer ? TOTAL_TO_SLOT : 0) | (call->total_at_end ? TOTAL_AT_END : 0));
}

static void scan_initial(mcl__args *args, const scan_call *call)
{
    if (call->initial.given) mcl__args_value(args, call->initial.value.bytes, call->initial.size);
}

/* The way, and its program. */
static mcl_status scan_plan(mcl_queue *queue, scan_call *call, const mcl_options *options)
{
    MCL__TRY(mcl__context_probe(queue->context));
    call->initial = mcl__fold_initial(call->op, call->in.type, options);
    call->index_bits = mcl__index_bits(call->in.count, options);
    call->accumulator = mcl__fold_bytes(call->op, call->in.type, call->index_bits);
    call->looks_back = scan_looks_back(&queue->context->limits, call, options);
    scan_describe(&call->spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &call->spec, &call->kernels));
    call->part_wish = mcl__tuned_a_unit(queue->context, MCL__PARAMETER_any_parts);
    call->block_tiles = mcl__tuned_a_unit(queue->context, MCL__PARAMETER_any_block_tiles);
    if (!call->looks_back) return MCL_OK;
    MCL__TRY(mcl__check_tiles("mcl_scan", call->in.count, mcl__tile_size(call->kernels->tile)));
    return mcl__look_back_plan(queue, call->in.count, mcl__tile_size(call->kernels->tile), call->accumulator, options,
                               &call->states);
}

/* ---- single pass -------------------------------------------------------------------------------------------- */

static mcl_status scan_single_pass(mcl_queue *queue, scan_call *call, mcl__span total)
{
    const mcl__kernels *const kernels = call->kernels;
    mcl__look_back *const states = &call->states;
    mcl__args args;
    mcl__look_back_take(queue, states);
    MCL__TRY(mcl__look_back_clear(queue, states, kernels, CLEAR));
    mcl__args_start(&args, &call->spec);
    mcl__args_input(&args, &call->in);
    scan_outputs(&args, call, total);
    mcl__look_back_args(&args, states);
    scan_initial(&args, call);
    const int64_t groups = mcl__fold_groups(queue->context, kernels->tile, states->tiles, states->tiles);
    return mcl__launch_groups(queue, kernels, states->few ? FEW_TILES : TILES, groups, kernels->tile.threads, &args);
}

/* ---- two passes --------------------------------------------------------------------------------------------- */

/* Elements of a block: half of the device's cache, in whole tiles, but enough to fill the device. */
static int64_t scan_block(const mcl__limits *limits, const scan_call *call)
{
    const int64_t tile_size = mcl__tile_size(call->kernels->tile);
    const int64_t element = (int64_t)(call->in.type->size + call->out.type->size);
    const int64_t cached =
        (limits->cache_bytes > 0 ? limits->cache_bytes : (int64_t)limits->compute_units << 15) / element;
    const int64_t filling = call->block_tiles * tile_size;
    const int64_t block = cached > filling ? cached : filling;
    return mcl__divide_up(block, tile_size) * tile_size;
}

static int64_t scan_parts(const mcl__limits *limits, const scan_call *call, int64_t size)
{
    const mcl__tile tile = call->kernels->tile;
    return mcl__fold_parts(limits, tile, mcl__divide_up(size, mcl__tile_size(tile)), call->part_wish, 8);
}

/* Folds of the parts of the largest block. */
static size_t scan_partials_bytes(const mcl__limits *limits, const scan_call *call)
{
    const int64_t count = call->in.count, block = scan_block(limits, call);
    return (size_t)scan_parts(limits, call, count < block ? count : block) * call->accumulator;
}

typedef struct scan_scratch {
    mcl__span partials, carry, total;
    int turn; /* which of carry's two slots has the fold of everything before the block */
} scan_scratch;

static mcl_status scan_one_block(mcl_queue *queue, const scan_call *call, const scan_scratch *scratch, int64_t begin,
                                 int64_t size, int needs_carry)
{
    mcl__args args;
    const mcl__kernels *const kernels = call->kernels;
    const int threads = kernels->tile.threads;
    const int64_t parts = scan_parts(&queue->context->limits, call, size);

    mcl__args_start(&args, &call->spec);
    mcl__args_input(&args, &call->in);
    mcl__args_index(&args, begin);
    mcl__args_index(&args, size);
    mcl__args_span(&args, scratch->partials);
    const mcl__args shared = args;
    if (parts > 1 || needs_carry) {
        MCL__TRY(mcl__launch_groups(queue, kernels, PARTS, parts, threads, &args));
        mcl__args_int(&args, (int)parts);
        mcl__args_span(&args, scratch->carry);
        mcl__args_int(&args, scratch->turn);
        scan_initial(&args, call);
        MCL__TRY(mcl__launch_groups(queue, kernels, SPINE, 1, threads, &args));
    }
    args = shared;
    scan_outputs(&args, call, scratch->total);
    scan_initial(&args, call);
    return mcl__launch_groups(queue, kernels, DOWN, parts, threads, &args);
}

static mcl_status scan_two_passes(mcl_queue *queue, const scan_call *call, mcl__span total)
{
    const mcl__limits *limits = &queue->context->limits;
    const int64_t count = call->in.count;
    const int64_t block = scan_block(limits, call);
    scan_scratch scratch = { .total = total };
    scratch.partials = mcl__scratch_take(queue, scan_partials_bytes(limits, call));
    scratch.carry = mcl__scratch_take(queue, 2 * call->accumulator);
    int64_t begin = 0;
    do {
        const int64_t size = count - begin < block ? count - begin : block;
        MCL__TRY(scan_one_block(queue, call, &scratch, begin, size, count > block));
        begin += block;
        scratch.turn = !scratch.turn;
    } while (begin < count);
    return MCL_OK;
}

/* ---- both --------------------------------------------------------------------------------------------------- */

static size_t scan_bytes(const mcl_queue *queue, const scan_call *call)
{
    const size_t total = mcl__scratch_round(mcl__result_scratch(&call->total));
    if (call->looks_back) return total + mcl__look_back_scratch(&call->states);
    return total + mcl__scratch_round(scan_partials_bytes(&queue->context->limits, call)) +
           mcl__scratch_round(2 * call->accumulator);
}

static mcl_status scan_launch(mcl_queue *queue, scan_call *call, mcl__span total)
{
    return call->looks_back ? scan_single_pass(queue, call, total) : scan_two_passes(queue, call, total);
}

mcl_status mcl_scan(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *op, int kind, mcl_result total,
                    const mcl_options *options)
{
    scan_call call = { .in = in, .out = out, .op = op, .total = total };

    if (kind & ~(MCL_INCLUSIVE | MCL_TOTAL_AT_END))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "mcl_scan: kind is %d; it must be MCL_EXCLUSIVE or MCL_INCLUSIVE, | MCL_TOTAL_AT_END", kind);
    call.inclusive = (kind & MCL_INCLUSIVE) != 0;
    call.total_at_end = (kind & MCL_TOTAL_AT_END) != 0;
    MCL__TRY(scan_check(queue, &call, options));
    MCL__TRY(scan_plan(queue, &call, options));
    MCL__TRY(mcl__call_begin(queue, "mcl_scan", scan_bytes(queue, &call), options));
    const mcl__span total_span = mcl__result_span(queue, &call.total);
    MCL__TRY(scan_launch(queue, &call, total_span));
    MCL__TRY(mcl__call_end(queue, options));
    return mcl__result_read(queue, &call.total, total_span);
}

mcl_status mcl__scan_measure(mcl_queue *queue, const mcl__scan *scan, const mcl_options *options, size_t *bytes)
{
    scan_call call = { .in = scan->in, .out = scan->out, .op = scan->op };
    MCL__TRY(scan_plan(queue, &call, options));
    *bytes = scan_bytes(queue, &call);
    return MCL_OK;
}

mcl_status mcl__scan_launch(mcl_queue *queue, const mcl__scan *scan, const mcl_options *options)
{
    scan_call call = { .in = scan->in, .out = scan->out, .op = scan->op };
    MCL__TRY(scan_plan(queue, &call, options));
    return scan_launch(queue, &call, (mcl__span){ 0 });
}
