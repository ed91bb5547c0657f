/* interval.c: mcl_interval_expand, _move, _gather and _scatter. Kernels: cl/kernels/balance/interval.cl. Pass 1 cuts
 * the merge of elements and intervals into tiles, and pass 2 moves the tiles' elements. If there are many intervals
 * with scattered targets, a rough sort first orders them by target. Without it, two intervals often share a memory line
 * that is no longer cached when the second one is moved. Such a line costs several times as much. */
#include "operations/fold/scan.h"
#include "call/balance.h"
#include "operations/sort/sort_operands.h"

#include "moderncl/interval.h"

#include <stdlib.h>

enum { IN = OTHERS, OUT, GATHER, SCATTER };
enum { MOVED = 1 };                                    /* groups of operands with one type */
enum { SORTED = OTHER_SCRATCH, MOVED_ALONG, LENGTHS }; /* scratch: the lists of sorted intervals */
enum { CAPACITY = OTHER_SCALARS };                     /* scalars */

static mcl__operands expand_operands = {
    [IN] = { "in", .kind = MCL__INPUT, .label = "values", .group = MOVED, .as_many = OFFSETS },
    [GATHER] = { "gather", .kind = MCL__INPUT },
    [SCATTER] = { "scatter", .kind = MCL__INPUT },
};

static const mcl__declaration interval = {
    .file = "kernels/balance/interval.cl",
    .operands =
        (mcl__operands){ [OFFSETS] = { "offsets", .kind = MCL__INPUT, .types = MCL__INTEGERS },
                         [WORK] = { "work", .kind = MCL__INPUT, .count_alone = 1 },
                         [IN] = { "in", .kind = MCL__INPUT, .group = MOVED },
                         [OUT] = { "out", .kind = MCL__OUTPUT, .group = MOVED },
                         [GATHER] = { "gather", .kind = MCL__INPUT, .types = MCL__INTEGERS, .as_many = OFFSETS },
                         [SCATTER] = { "scatter", .kind = MCL__INPUT, .types = MCL__INTEGERS, .as_many = OFFSETS } },
    .scratch = { [SPLIT] = { "split", "index_type" } },
    .scalars = { [SPLITS] = "splits", [CAPACITY] = "capacity" },
    .passes = (mcl__passes){ [PARTITION] = { "interval_partition",
                                             MCL__PARTITION_THREADS,
                                             "PARTITION_THREADS",
                                             { MCL__BALANCE_ARGUMENTS, AS_INDEX(SPLITS) } },
                             [TILES] = { "interval_tiles",
                                         .arguments = { MCL__BALANCE_ARGUMENTS, OPERAND(IN), OPERAND(GATHER),
                                                        OPERAND(SCATTER), OPERAND(OUT), AS_LONG(CAPACITY) } } },
};

static int expands(const mcl__call *call)
{
    return call->own == expand_operands;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static mcl_status interval_check(mcl__call *call)
{
    const mcl_input *const in = call->operands[IN].input, *const work = call->operands[WORK].input;
    MCL__TRY(mcl__call_check(call));
    if (!expands(call) && !call->operands[GATHER].input) MCL__TRY(mcl__check_as_many("in", in, "work", work->count));
    call->scalars[CAPACITY] = call->operands[OUT].output->capacity;
    call->room[OUT] = call->operands[SCATTER].input ? call->scalars[CAPACITY] : work->count;
    return mcl__call_ready(call);
}

/* Drops the count slots of the other lists. Kernels use only the count of offsets, which is the lowest of all lists. */
static void drop_counts(mcl__call *call)
{
    if (call->operands[GATHER].input) call->operands[GATHER].input->count_slot = NULL;
    if (call->operands[SCATTER].input) call->operands[SCATTER].input->count_slot = NULL;
    if (expands(call)) call->operands[IN].input->count_slot = NULL;
}

static mcl_status interval_validate(const mcl__call *call)
{
    const mcl_input *const gather = call->operands[GATHER].input, *const scatter = call->operands[SCATTER].input;
    const mcl_input *const offsets = call->operands[OFFSETS].input, *const work = call->operands[WORK].input;
    MCL__TRY(mcl__validate_exclusive_offsets(call->queue, offsets, call->options));
    if (gather)
        MCL__TRY(mcl__validate_intervals(call->queue, "gather", gather, offsets, work, "in",
                                         call->operands[IN].input->count, call->options));
    if (!scatter) return MCL_OK;
    return mcl__validate_intervals(call->queue, "scatter", scatter, offsets, work, "out", call->scalars[CAPACITY],
                                   call->options);
}

/* Finds the program. is_ordered is 1 where the lists come from an interval_order. */
static mcl_status interval_program(mcl__call *call, int is_ordered)
{
    /* Up to an eighth of the tile are objects in work-group memory. Each has three indices into the tile, and a value
     * or two 64-bit indices. */
    const size_t element = call->types[MOVED]->size;
    const size_t staged = 3 * sizeof(uint16_t) + (expands(call) ? element : 2 * sizeof(int64_t));
    const mcl__tile_need need = { .element_bytes = element,
                                  .local_bytes_per_item = MCL__BALANCE_ITEM_BYTES + (staged + 7) / 8,
                                  .local_bytes_per_thread = MCL__BALANCE_THREAD_BYTES,
                                  .local_bytes_fixed = MCL__BALANCE_FIXED_BYTES + staged };
    const int64_t merged = call->operands[WORK].input->count + call->operands[OFFSETS].input->count;
    const int64_t moved = larger(call->operands[IN].input->count, call->scalars[CAPACITY]);
    const int index_bits = mcl__index_bits(larger(merged, moved), call->options);
    const mcl__parameter resident =
        expands(call) ? MCL__PARAMETER_interval_expand_resident_4 : MCL__PARAMETER_interval_resident_4;
    mcl__call_define(call, "INTERVAL_EXPAND", expands(call));
    mcl__call_define(call, "GATHER_IS_UPPER", is_ordered);
    mcl__call_define(call, "RESIDENT", (int)mcl__resident(call->queue->context, resident, element, index_bits));
    return mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_interval, need), index_bits);
}

/* ---- the order of targets ------------------------------------------------------------------------------------- */

/* A radix sort by the upper bits of targets moves each interval's source and length too, as the two halves of 64 bits.
 * A scan of the lengths then gives the offsets. A source that does not fit 32 bits becomes 0x80000000, which is no
 * valid index. */
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
static const mcl_op add_lengths = { .role = MCL_ROLE_FOLD,
                                    .expression = "p + q",
                                    .identity = "0",
                                    .value = MCL_UINT32,
                                    .extract = "(uint32_t)x",
                                    .commutative = 1 };

typedef struct interval_order {
    mcl__radix sort;
    mcl__call scan;
    mcl_options sort_options, scan_options;
    mcl_input gather; /* the list of sources and lengths, which is filled later */
    mcl_output lengths;
} interval_order;

/* Returns 1 where targets are given, all lists are arrays, the host knows their counts, and 32 bits hold an index. */
static int interval_may_order(const mcl__call *call)
{
    const mcl_input *const offsets = call->operands[OFFSETS].input, *const work = call->operands[WORK].input;
    const mcl_input *const gather = call->operands[GATHER].input, *const scatter = call->operands[SCATTER].input;
    if (!scatter || offsets->expression || scatter->expression || (gather && gather->expression)) return 0;
    const int64_t moved = larger(call->operands[IN].input->count, call->scalars[CAPACITY]);
    return offsets->count > 0 && call->scalars[CAPACITY] > 1 && !offsets->count_slot && !work->count_slot &&
           mcl__index_bits(larger(work->count + offsets->count, moved), call->options) == 32;
}

static int interval_orders(const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const mcl__limits *const limits = &context->limits;
    const int64_t count_min = mcl__tuned(context, MCL__PARAMETER_interval_order_count);
    const int64_t cached_bytes = mcl__tuned(context, MCL__PARAMETER_interval_order_bytes);
    const int64_t size_max = mcl__tuned(context, MCL__PARAMETER_interval_order_element_bytes);
    const int64_t size = (int64_t)call->types[MOVED]->size;
    if (limits->interval_order == MCL__ORDER_NEVER || !interval_may_order(call)) return 0;
    return limits->interval_order == MCL__ORDER_ALWAYS ||
           (limits->is_gpu && call->operands[OFFSETS].input->count >= count_min && size <= size_max &&
            call->operands[WORK].input->count * size > larger(cached_bytes, limits->cache_bytes));
}

/* Chooses the upper bits of targets by which the sort orders intervals. */
static void interval_order_bits(const mcl__call *call, mcl_options *sort_options)
{
    enum { ORDER_BITS = 8 }; /* bits that one pass of the sort handles */
    const int most = 8 * (int)call->operands[SCATTER].input->type->size;
    int bits = 0;
    while (bits < most && (call->scalars[CAPACITY] - 1) >> bits > 0) ++bits;
    sort_options->end_bit = bits;
    sort_options->first_bit = bits > ORDER_BITS ? bits - ORDER_BITS : 0;
}

/* Replaces the caller's list by a list in scratch, which is filled later. */
static void list_to_come(mcl__call *call, int array, mcl_input *list, const mcl_type *type, int64_t count)
{
    *list = mcl_from_buffer(type, NULL, 0, count);
    mcl__call_scratch(call, array, (size_t)count * type->size);
}

/* Plans the sort of intervals. It replaces the caller's lists by lists that are filled later. */
static mcl_status interval_order_plan(mcl__call *call, interval_order *order)
{
    mcl_input *const offsets = call->operands[OFFSETS].input, *const scatter = call->operands[SCATTER].input;
    const int64_t count = offsets->count, last = count - 1;
    const mcl_input *const from = call->operands[GATHER].input ? call->operands[GATHER].input : offsets;
    const mcl_binding bound[] = {
        mcl_binding_buffer("mcl_gather", from->type, from->buffer, from->offset),
        mcl_binding_buffer("mcl_offsets", offsets->type, offsets->buffer, offsets->offset),
        mcl_binding_value("mcl_last", MCL_INT64, &last),
        mcl_binding_value("mcl_items", MCL_INT64, &call->operands[WORK].input->count),
    };
    *order = (interval_order){ .lengths.type = MCL_UINT32 };
    mcl__sort_operands sort = { .keys = *scatter, .before = MCL_LESS, .has_values = 1 };
    sort.keys.count = count;
    sort.values = mcl_from_expression(MCL_UINT64, moved_expression, moved_source, bound, 4, count);
    interval_order_bits(call, &order->sort_options);
    /* If the caller gives the scratch, the call must allocate nothing else. */
    if (call->options) order->scan_options.scratch = call->options->scratch;
    list_to_come(call, SORTED, scatter, scatter->type, count);
    list_to_come(call, MOVED_ALONG, &order->gather, MCL_UINT64, count);
    list_to_come(call, LENGTHS, offsets, MCL_UINT32, count);
    call->operands[GATHER].input = &order->gather;
    MCL__TRY(mcl__radix_plan(call->queue, &sort, &order->sort_options, &order->sort));
    MCL__TRY(
        mcl__scan_plan(call->queue, &order->gather, &order->lengths, &add_lengths, &order->scan_options, &order->scan));
    mcl__call_scratch_of_part(call, &order->sort.first);
    mcl__call_scratch_of_part(call, &order->scan);
    return MCL_OK;
}

/* Makes launches read the list from its scratch from now on. Returns the list as an output. */
static mcl_output list_in_scratch(const mcl__call *call, int array, mcl_input *list)
{
    const mcl__span span = call->scratch[array].span;
    list->buffer = span.buffer;
    list->offset = (int64_t)(span.offset / list->type->size);
    return mcl_to_buffer(list->type, list->buffer, list->offset, list->count);
}

static mcl_status interval_order_launch(mcl__call *call, interval_order *order)
{
    const mcl_output targets = list_in_scratch(call, SORTED, call->operands[SCATTER].input);
    const mcl_output moved = list_in_scratch(call, MOVED_ALONG, call->operands[GATHER].input);
    order->lengths = list_in_scratch(call, LENGTHS, call->operands[OFFSETS].input);
    MCL__TRY(mcl__radix_launch(&order->sort, &targets, &moved));
    return mcl__scan_launch(&order->scan);
}

/* ---- the call ------------------------------------------------------------------------------------------------- */

/* Plans and launches a call. order is NULL where the intervals keep the caller's order. */
static mcl_status interval_steps(mcl__call *call, interval_order *order)
{
    if (order) MCL__TRY(interval_order_plan(call, order));
    MCL__TRY(interval_program(call, order != NULL));
    const int64_t tiles = mcl__balance_need(call);
    MCL__TRY(mcl__call_begin(call));
    if (order) MCL__TRY(interval_order_launch(call, order));
    MCL__TRY(mcl__balance_launch(call, tiles));
    return mcl__call_end(call);
}

static mcl_status interval_run(mcl__call *call)
{
    interval_order *order = NULL;
    MCL__TRY(interval_check(call));
    drop_counts(call);
    if (mcl__validates(call->options)) MCL__TRY(interval_validate(call));
    if (interval_orders(call)) MCL__TRY(mcl__plan_new(sizeof *order, &order));
    const mcl_status status = interval_steps(call, order);
    free(order);
    return status;
}

mcl_status mcl_interval_expand(mcl_queue *queue, mcl_work work, mcl_input values, mcl_input offsets, mcl_output out,
                               const mcl_options *options)
{
    mcl_input items = mcl__work_input(&work);
    mcl__call call = {
        &interval,
        "mcl_interval_expand",
        queue,
        options,
        .own = expand_operands,
        .operands = { [OFFSETS].input = &offsets, [WORK].input = &items, [IN].input = &values, [OUT].output = &out },
    };
    return interval_run(&call);
}

/* Makes a call and runs it. gather and scatter are NULL where the call has no such list. */
static mcl_status interval_move_run(mcl_queue *queue, const char *function, const mcl_work *work, mcl_input *in,
                                    mcl_input *gather, mcl_input *scatter, mcl_input *offsets, mcl_output *out,
                                    const mcl_options *options)
{
    mcl_input items = mcl__work_input(work);
    mcl__call call;
    mcl__call_init(&call, &interval, function, queue, options);
    call.operands[OFFSETS].input = offsets;
    call.operands[WORK].input = &items;
    call.operands[IN].input = in;
    call.operands[OUT].output = out;
    call.operands[GATHER].input = gather;
    call.operands[SCATTER].input = scatter;
    return interval_run(&call);
}

mcl_status mcl_interval_move(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input gather, mcl_input scatter,
                             mcl_input offsets, mcl_output out, const mcl_options *options)
{
    return interval_move_run(queue, "mcl_interval_move", &work, &in, &gather, &scatter, &offsets, &out, options);
}

mcl_status mcl_interval_gather(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input gather, mcl_input offsets,
                               mcl_output out, const mcl_options *options)
{
    return interval_move_run(queue, "mcl_interval_gather", &work, &in, &gather, NULL, &offsets, &out, options);
}

mcl_status mcl_interval_scatter(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input scatter, mcl_input offsets,
                                mcl_output out, const mcl_options *options)
{
    return interval_move_run(queue, "mcl_interval_scatter", &work, &in, NULL, &scatter, &offsets, &out, options);
}
