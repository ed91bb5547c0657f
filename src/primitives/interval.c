/* interval.c: mcl_interval_expand, _move, _gather and _scatter. Kernels: cl/kernels/interval.cl.
 * The merge of elements and intervals is cut into tiles (pass 1), whose elements are moved (pass 2).
 * Many intervals whose targets lie anywhere are put in the order of these first, roughly: what memory moves at once and
 * two intervals share takes several times as long, unless the second one's part comes while it is cached. */
#include "call/balance.h"
#include "call/gate.h"
#include "primitives/sort_call.h"

#include "moderncl/interval.h"

typedef struct interval_call {
    const char *function;
    const char *in_name;
    mcl_input work, in, gather, scatter, offsets;
    mcl_output out;
    int expands, gathers, scatters;
    int is_ordered; /* the lists are those that an interval_order makes */
} interval_call;

/* What may be written: the elements in order, or anything in out. */
static int64_t interval_written(const interval_call *call)
{
    return call->scatters ? call->out.capacity : call->work.count;
}

static mcl_status interval_check_list(const interval_call *call, const char *parameter, const mcl_input *list)
{
    MCL__TRY(mcl__check_as_many(call->function, parameter, list, "offsets", call->offsets.count));
    return mcl__check_no_overlap(call->function, parameter, list, "out", &call->out, interval_written(call));
}

static mcl_status interval_gate(const mcl_queue *queue, const interval_call *call, const mcl_options *options)
{
    mcl__operand operands[8] = {
        { "work", .input = &call->work },
        { "offsets", .input = &call->offsets, .types = MCL__INTEGERS },
        { call->in_name, .input = &call->in },
        { "out", .output = &call->out },
    };
    mcl__operand *next = operands + 4;
    if (call->gathers) *next++ = (mcl__operand){ "gather", .input = &call->gather, .types = MCL__INTEGERS };
    if (call->scatters) *next++ = (mcl__operand){ "scatter", .input = &call->scatter, .types = MCL__INTEGERS };
    return mcl__gate(call->function, queue, options, 0, operands);
}

static mcl_status interval_check(const interval_call *call)
{
    if (!call->scatters) MCL__TRY(mcl__check_room(call->function, "out", &call->out, call->work.count));
    if (!mcl__same_type(call->in.type, call->out.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is %s and out is %s; they must be of one type", call->function,
                         call->in_name, call->in.type->name, call->out.type->name);
    if (!call->expands && !call->gathers)
        MCL__TRY(mcl__check_as_many(call->function, "in", &call->in, "work", call->work.count));
    MCL__TRY(mcl__check_balance_overlap(call->function, &call->work, &call->offsets, "out", &call->out,
                                        interval_written(call)));
    MCL__TRY(
        mcl__check_no_overlap(call->function, call->in_name, &call->in, "out", &call->out, interval_written(call)));
    if (call->expands) MCL__TRY(interval_check_list(call, "values", &call->in));
    if (call->gathers) MCL__TRY(interval_check_list(call, "gather", &call->gather));
    return call->scatters ? interval_check_list(call, "scatter", &call->scatter) : MCL_OK;
}

static mcl_status interval_validate(mcl_queue *queue, const interval_call *call, const mcl_options *options)
{
    MCL__TRY(mcl__validate_exclusive_offsets(queue, call->function, &call->offsets, options));
    if (call->gathers)
        MCL__TRY(mcl__validate_intervals(queue, call->function, "gather", &call->gather, &call->offsets, &call->work,
                                         "in", call->in.count, options));
    if (!call->scatters) return MCL_OK;
    return mcl__validate_intervals(queue, call->function, "scatter", &call->scatter, &call->offsets, &call->work, "out",
                                   call->out.capacity, options);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void interval_describe(mcl__spec *spec, const mcl_context *context, const interval_call *call,
                              const mcl_options *options)
{
    /* an eighth of the tile may be objects that are staged: each three places in it, and a value or two places */
    const size_t staged = 3 * sizeof(uint16_t) + (call->expands ? call->out.type->size : 2 * sizeof(int64_t));
    const mcl__tile_need need = { .element_bytes = call->out.type->size,
                                  .local_bytes_per_item = MCL__BALANCE_ITEM_BYTES + (staged + 7) / 8,
                                  .local_bytes_per_thread = MCL__BALANCE_THREAD_BYTES,
                                  .local_bytes_fixed = MCL__BALANCE_FIXED_BYTES + staged };
    const int64_t places = larger(call->in.count, call->out.capacity);
    *spec = (mcl__spec){
        .file = "kernels/interval.cl",
        .kernels = { [MCL__BALANCE_PARTITION] = "interval_partition", [MCL__BALANCE_TILES] = "interval_tiles" },
        .tile = mcl__tile_for(MCL__OPERATION_interval, &context->limits, context->tuning, need, options),
        .index_bits = mcl__index_bits(larger(call->work.count + call->offsets.count, places), options),
        .inputs = { { "offsets", &call->offsets, 0 }, { "work", &call->work, 0 }, { "in", &call->in, 0 } },
        .outputs = { { "out", call->out.type } },
    };
    if (call->gathers) {
        spec->inputs[3].name = "gather";
        spec->inputs[3].input = &call->gather;
    }
    if (call->scatters) {
        spec->inputs[4].name = "scatter";
        spec->inputs[4].input = &call->scatter;
    }
    spec->defines[0].name = "PARTITION_THREADS";
    spec->defines[0].value = mcl__balance_partition_threads(spec->tile);
    spec->defines[1].name = "INTERVAL_EXPAND";
    spec->defines[1].value = call->expands;
    spec->defines[2].name = "HAS_GATHER";
    spec->defines[2].value = call->gathers;
    spec->defines[3].name = "HAS_SCATTER";
    spec->defines[3].value = call->scatters;
    spec->defines[4].name = "GATHER_IS_UPPER";
    spec->defines[4].value = call->is_ordered;
}

/* ---- the order of targets ------------------------------------------------------------------------------------- */

/* A radix sort by the upper bits of the targets moves each interval's source and length along, as the two halves of 64
 * bits; the offsets are the lengths' scan. Starts that are no index stay so. */
static const char moved_source[] =
    "static inline uint64_t mcl_interval(const int64_t from, const int64_t begin, const int64_t end, const int64_t n)\n"
    "{\n"
    "    const uint64_t items = (uint64_t)n;\n"
    "    const uint64_t first = (uint64_t)begin < items ? (uint64_t)begin : items;\n"
    "    const uint64_t last = (uint64_t)end < items ? (uint64_t)end : items;\n"
    "    const uint32_t start = from == (int64_t)(int32_t)from ? (uint32_t)from : 0x80000000u;\n"
    "    return (uint64_t)start << 32 | (first < last ? last - first : 0);\n"
    "}\n";
static const char moved_expression[] = "mcl_interval((int64_t)mcl_gather[i], (int64_t)mcl_offsets[i], "
                                       "i < mcl_last ? (int64_t)mcl_offsets[i + 1] : mcl_items, mcl_items)";
static const mcl_op add_lengths = {
    .expression = "p + q", .identity = "0", .value = MCL_UINT32, .extract = "(uint32_t)x", .commutative = 1
};

typedef struct interval_order {
    mcl__sort_call sort;
    mcl__scan scan;
    mcl_options sort_options, scan_options;
    size_t sort_bytes, scan_bytes;
} interval_order;

/* 1: all lists are arrays, with counts that the host knows, and 32 bits hold every place. */
static int interval_may_order(const interval_call *call, const mcl_options *options)
{
    const int are_arrays =
        !call->offsets.expression && !call->scatter.expression && !(call->gathers && call->gather.expression);
    const int64_t places = larger(call->in.count, call->out.capacity);
    return call->scatters && are_arrays && call->offsets.count > 0 && call->out.capacity > 1 &&
           !call->offsets.count_slot && !call->work.count_slot &&
           mcl__index_bits(larger(call->work.count + call->offsets.count, places), options) == 32;
}

/* Here are all thresholds. */
static int interval_orders(const mcl__limits *limits, const interval_call *call, const mcl_options *options)
{
    const int64_t count_min = 250000;      /* of fewer intervals the ends take less than the launches of a sort */
    const int64_t cached_bytes = 64 << 20; /* stay in the caches of GPUs, of which not all drivers tell */
    const int64_t size_max = 16;           /* memory is written whole by larger elements */
    const int64_t size = (int64_t)call->out.type->size;
    if (limits->interval_order == MCL__ORDER_NEVER || !interval_may_order(call, options)) return 0;
    return limits->interval_order == MCL__ORDER_ALWAYS ||
           (limits->is_gpu && call->offsets.count >= count_min && size <= size_max &&
            call->work.count * size > larger(cached_bytes, limits->cache_bytes));
}

/* The bits of targets that stretches of out differ in. */
static void interval_order_bits(const interval_call *call, mcl_options *sort_options)
{
    enum { ORDER_BITS = 8 }; /* a pass of the sort */
    const int most = 8 * (int)call->scatter.type->size;
    int bits = 0;
    while (bits < most && (call->out.capacity - 1) >> bits > 0) ++bits;
    sort_options->end_bit = bits;
    sort_options->first_bit = bits > ORDER_BITS ? bits - ORDER_BITS : 0;
}

/* Plans the order, and gives the call the lists to come in place of the caller's. */
static mcl_status interval_order_plan(mcl_queue *queue, interval_order *order, interval_call *call,
                                      const mcl_options *options)
{
    const int64_t count = call->offsets.count, last = count - 1;
    const mcl_input *const from = call->gathers ? &call->gather : &call->offsets;
    const mcl_binding bound[] = {
        mcl_bind_buffer("mcl_gather", from->type, from->buffer, from->offset),
        mcl_bind_buffer("mcl_offsets", call->offsets.type, call->offsets.buffer, call->offsets.offset),
        mcl_bind_value("mcl_last", MCL_INT64, &last),
        mcl_bind_value("mcl_items", MCL_INT64, &call->work.count),
    };
    *order = (interval_order){
        .sort = { .function = call->function, .keys = call->scatter, .before = MCL_LESS, .has_values = 1 },
        .scan = { .op = &add_lengths }
    };
    order->sort.keys.count = count;
    order->sort.values = mcl_expression(MCL_UINT64, moved_expression, moved_source, bound, 4, count);
    interval_order_bits(call, &order->sort_options);
    if (options) order->scan_options.scratch = options->scratch; /* a caller's: then nothing else is taken */
    call->scatter = mcl_from_buffer(call->scatter.type, NULL, 0, count);
    call->gather = mcl_from_buffer(MCL_UINT64, NULL, 0, count);
    call->offsets = mcl_from_buffer(MCL_UINT32, NULL, 0, count);
    call->gathers = call->is_ordered = 1;
    order->scan.in = call->gather;
    order->scan.out.type = call->offsets.type;
    MCL__TRY(mcl__radix_measure(queue, &order->sort, &order->sort_options, &order->sort_bytes));
    return mcl__scan_measure(queue, &order->scan, &order->scan_options, &order->scan_bytes);
}

static size_t interval_list_bytes(const mcl_input *list)
{
    return (size_t)list->count * list->type->size;
}

static size_t interval_order_scratch(const interval_order *order, const interval_call *call)
{
    return order->sort_bytes + order->scan_bytes + mcl__scratch_round(interval_list_bytes(&call->scatter)) +
           mcl__scratch_round(interval_list_bytes(&call->gather)) +
           mcl__scratch_round(interval_list_bytes(&call->offsets));
}

/* The list's place in scratch, and the same as an output. */
static mcl_output interval_list_take(mcl_queue *queue, mcl_input *list)
{
    const mcl__span span = mcl__scratch_take(queue, interval_list_bytes(list));
    list->buffer = span.buffer;
    list->offset = (int64_t)(span.offset / list->type->size);
    return mcl_to_buffer(list->type, list->buffer, list->offset, list->count);
}

static mcl_status interval_order_launch(mcl_queue *queue, interval_order *order, interval_call *call)
{
    order->sort.out = interval_list_take(queue, &call->scatter);
    order->sort.out_values = interval_list_take(queue, &call->gather);
    order->scan.out = interval_list_take(queue, &call->offsets);
    order->scan.in = call->gather;
    MCL__TRY(mcl__radix_launch(queue, &order->sort, &order->sort_options));
    return mcl__scan_launch(queue, &order->scan, &order->scan_options);
}

/* ---- the call ------------------------------------------------------------------------------------------------- */

static mcl_status interval_run(mcl_queue *queue, interval_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    mcl__args args;
    interval_order order;

    MCL__TRY(interval_gate(queue, call, options));
    MCL__TRY(interval_check(call));
    MCL__TRY(mcl__context_probe(queue->context));
    /* the offsets' count is that of all lists, which are as long at least */
    call->gather.count_slot = call->scatter.count_slot = NULL;
    if (call->expands) call->in.count_slot = NULL;
    if (mcl__validates(options)) MCL__TRY(interval_validate(queue, call, options));
    if (interval_orders(&queue->context->limits, call, options))
        MCL__TRY(interval_order_plan(queue, &order, call, options));
    interval_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    const size_t bytes = mcl__balance_scratch(&spec, kernels);
    MCL__TRY(mcl__call_begin(queue, call->function,
                             call->is_ordered ? bytes + interval_order_scratch(&order, call) : bytes, options));
    if (call->is_ordered) MCL__TRY(interval_order_launch(queue, &order, call));
    MCL__TRY(mcl__balance_launch(queue, &spec, kernels, &args));
    mcl__args_input(&args, &call->in);
    if (call->gathers) mcl__args_input(&args, &call->gather);
    if (call->scatters) mcl__args_input(&args, &call->scatter);
    mcl__args_output(&args, &call->out);
    mcl__args_long(&args, call->out.capacity);
    MCL__TRY(mcl__launch_groups(queue, kernels, MCL__BALANCE_TILES, mcl__balance_tiles(&spec, kernels),
                                kernels->tile.threads, &args));
    return mcl__call_end(queue, options);
}

mcl_status mcl_interval_expand(mcl_queue *queue, mcl_work work, mcl_input values, mcl_input offsets, mcl_output out,
                               const mcl_options *options)
{
    interval_call call = { .function = "mcl_interval_expand",
                           .in_name = "values",
                           .work = mcl__work_input(&work),
                           .in = values,
                           .offsets = offsets,
                           .out = out,
                           .expands = 1 };
    return interval_run(queue, &call, options);
}

mcl_status mcl_interval_move(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input gather, mcl_input scatter,
                             mcl_input offsets, mcl_output out, const mcl_options *options)
{
    interval_call call = { .function = "mcl_interval_move",
                           .in_name = "in",
                           .work = mcl__work_input(&work),
                           .in = in,
                           .gather = gather,
                           .scatter = scatter,
                           .offsets = offsets,
                           .out = out,
                           .gathers = 1,
                           .scatters = 1 };
    return interval_run(queue, &call, options);
}

mcl_status mcl_interval_gather(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input gather, mcl_input offsets,
                               mcl_output out, const mcl_options *options)
{
    interval_call call = { .function = "mcl_interval_gather",
                           .in_name = "in",
                           .work = mcl__work_input(&work),
                           .in = in,
                           .gather = gather,
                           .offsets = offsets,
                           .out = out,
                           .gathers = 1 };
    return interval_run(queue, &call, options);
}

mcl_status mcl_interval_scatter(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input scatter, mcl_input offsets,
                                mcl_output out, const mcl_options *options)
{
    interval_call call = { .function = "mcl_interval_scatter",
                           .in_name = "in",
                           .work = mcl__work_input(&work),
                           .in = in,
                           .scatter = scatter,
                           .offsets = offsets,
                           .out = out,
                           .scatters = 1 };
    return interval_run(queue, &call, options);
}
