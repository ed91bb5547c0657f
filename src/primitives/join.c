/* join.c: relational joins. Kernels: cl/kernels/join.cl.
 * Tiles of the merge of a and b count the rows of their keys and store the first of them; where a tile has many, groups
 * of a second launch make the others, a window each. The keys of b without a partner are listed by the way and follow
 * as the last rows, once it is known where these begin. */
#include "call/gate.h"
#include "call/look_back.h"
#include "facts/join.h"
#include "primitives/join_call.h"

_Static_assert((int)MCL_JOIN_INNER == JOIN_INNER && (int)MCL_JOIN_LEFT == JOIN_LEFT &&
                   (int)MCL_JOIN_RIGHT == JOIN_RIGHT && (int)MCL_JOIN_OUTER == JOIN_OUTER &&
                   (int)MCL_JOIN_SEMI == JOIN_SEMI && (int)MCL_JOIN_ANTI == JOIN_ANTI,
               "kernels know the kinds of mcl_join_kind by these numbers");

/* COUNT and SPINE where tiles do not wait for each other, SPINE and REST for the keys of b alone. */
enum { PARTITION, TILES, WINDOWS, COUNT, SPINE, REST };

/* Loop iterations of the spine for each tile, about, where they are limited. */
enum { SPINE_STEPS = 4 };

typedef struct join_call {
    const char *function;
    mcl_join_kind kind;
    mcl_input a, b;
    mcl_output out_a, out_b;
    const mcl_op *before;
    mcl_result count;
    int look_back;
    int index_bits;
} join_call;

static int join_pairs(const join_call *call)
{
    return call->kind < MCL_JOIN_SEMI;
}

/* The last rows are keys of b. */
static int join_has_rest(const join_call *call)
{
    return call->kind == MCL_JOIN_RIGHT || call->kind == MCL_JOIN_OUTER;
}

/* Rows that the outputs have room for. */
static int64_t join_capacity(const join_call *call)
{
    return join_pairs(call) && call->out_b.capacity < call->out_a.capacity ? call->out_b.capacity
                                                                           : call->out_a.capacity;
}

/* Rows that may be stored, at most. */
static int64_t join_stored(const join_call *call)
{
    const int64_t a = call->a.count, b = call->b.count;
    const int64_t most = !join_pairs(call) ? a : a > 0 && b > INT64_MAX / 2 / a ? INT64_MAX : a * b + a + b;
    return most < join_capacity(call) ? most : join_capacity(call);
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

static mcl_status join_gate(const mcl_queue *queue, const join_call *call, const mcl_options *options, unsigned takes)
{
    const mcl__given operands[] = {
        { "a", .input = &call->a },
        { "b", .input = &call->b },
        { "before", .op = call->before, .use = MCL__ORDER, .of = &call->a },
        { "out_a", .output = &call->out_a, .types = MCL__INDICES, .optional = 1 },
        { "count", .result = &call->count, .types = MCL__COUNTS },
        { join_pairs(call) ? "out_b" : NULL, .output = &call->out_b, .types = MCL__INDICES, .optional = 1 },
        { NULL },
    };
    if ((int)call->kind < MCL_JOIN_INNER || (int)call->kind > MCL_JOIN_ANTI)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: kind is %d; it must be one of mcl_join_kind", call->function,
                         (int)call->kind);
    MCL__TRY(mcl__gate(call->function, queue, options, takes, operands));
    if (!options || (options->passes >= 0 && options->passes <= 2)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s: options->passes is %d; it must be 0, 1 or 2", call->function,
                     options->passes);
}

/* Without any output the rows are only counted. */
static void join_leave_out(join_call *call)
{
    const int no_a = mcl__leave_out(&call->out_a, MCL_INT64);
    const int no_b = !join_pairs(call) || mcl__leave_out(&call->out_b, MCL_INT64);
    if (no_a && no_b) call->out_a.capacity = 0;
}

/* Indices of a sequence of bound keys, which do not lie on anything that is read. */
static mcl_status join_check_output(const join_call *call, const char *name, const mcl_output *output, int64_t bound)
{
    const int64_t needed = join_stored(call);
    if (output->type->size == sizeof(int32_t) && bound > INT32_MAX)
        return mcl__fail(MCL_ERROR_TYPE, "%s: %s is MCL_INT32 and its sequence has %lld keys; it must be MCL_INT64",
                         call->function, name, (long long)bound);
    MCL__TRY(mcl__check_no_overlap(call->function, "a", &call->a, name, output, needed));
    MCL__TRY(mcl__check_no_overlap(call->function, "b", &call->b, name, output, needed));
    return mcl__check_op_overlap(call->function, "before", call->before, name, output, needed);
}

/* Nor do the outputs and the count's slot lie on each other. */
static mcl_status join_check_apart(const join_call *call)
{
    const int64_t stored = join_stored(call);
    const mcl_output slot = { MCL_INT64, call->count.buffer, call->count.offset, 1 };
    const mcl_input rows_a = mcl_from_buffer(call->out_a.type, call->out_a.buffer, call->out_a.offset, stored);
    const mcl_input rows_b = mcl_from_buffer(call->out_b.type, call->out_b.buffer, call->out_b.offset, stored);
    if (join_pairs(call))
        MCL__TRY(mcl__check_no_overlap(call->function, "out_a", &rows_a, "out_b", &call->out_b, stored));
    if (!slot.buffer) return MCL_OK;
    MCL__TRY(mcl__check_no_overlap(call->function, "out_a", &rows_a, "count", &slot, 1));
    if (join_pairs(call)) MCL__TRY(mcl__check_no_overlap(call->function, "out_b", &rows_b, "count", &slot, 1));
    MCL__TRY(mcl__check_no_overlap(call->function, "a", &call->a, "count", &slot, 1));
    MCL__TRY(mcl__check_no_overlap(call->function, "b", &call->b, "count", &slot, 1));
    return mcl__check_op_overlap(call->function, "before", call->before, "count", &slot, 1);
}

/* All that can be known beforehand; afterwards the outputs have types, and those that are not wanted no limit. */
static mcl_status join_check(const mcl_queue *queue, join_call *call, const mcl_options *options, unsigned takes)
{
    MCL__TRY(join_gate(queue, call, options, takes));
    join_leave_out(call);
    if (!mcl__same_type(call->a.type, call->b.type))
        return mcl__fail(MCL_ERROR_TYPE, "%s: keys of a are %s, of b %s; they must be of one type", call->function,
                         call->a.type->name, call->b.type->name);
    MCL__TRY(join_check_output(call, "out_a", &call->out_a, call->a.count));
    if (join_pairs(call)) MCL__TRY(join_check_output(call, "out_b", &call->out_b, call->b.count));
    return join_check_apart(call);
}

mcl_status mcl__join_check(mcl_queue *queue, const char *function, mcl_join_kind kind, const mcl_input *a,
                           const mcl_input *b, mcl_output *out_a, mcl_output *out_b, const mcl_op *before,
                           const mcl_result *count, const mcl_options *options, unsigned takes)
{
    join_call call = { .function = function,
                       .kind = kind,
                       .a = *a,
                       .b = *b,
                       .out_a = *out_a,
                       .out_b = *out_b,
                       .before = before,
                       .count = *count };
    MCL__TRY(join_check(queue, &call, options, takes));
    *out_a = call.out_a;
    *out_b = call.out_b;
    return MCL_OK;
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Of a group's store in join_group.clh: keys and, in their place, indices; owners, heads and the bits of rows. Under
 * the serial mapping: bounds and matches. */
static mcl__tile join_tile(const mcl_context *context, const join_call *call, const mcl_options *options)
{
    const size_t size = mcl__staged_bytes(call->a.type);
    const size_t key = size > sizeof(int64_t) ? size : (size_t)call->index_bits / 8 > size ? 8 : size;
    const mcl__tile_need need = { .element_bytes = call->a.type->size,
                                  .local_bytes_per_item = key + 2 * sizeof(uint16_t) + 1,
                                  .local_bytes_fixed = 36 * key + 260 * sizeof(int64_t) + 128 };
    const size_t serial = sizeof(int) + (size_t)call->index_bits / 8, serial_fixed = 128;
    mcl__tile tile = mcl__tile_for(MCL__OPERATION_join, &context->limits, context->tuning, need, options);
    while (tile.threads == 1 && tile.items > 1 &&
           (uint64_t)tile.items * serial + serial_fixed > (uint64_t)context->limits.local_memory)
        tile.items /= 2;
    return tile;
}

static void join_describe(mcl__spec *spec, const mcl_context *context, const join_call *call,
                          const mcl_options *options)
{
    *spec = (mcl__spec){
        .file = "kernels/join.cl",
        .kernels = { [PARTITION] = "join_partition", [TILES] = "join_tiles" },
        .tile = join_tile(context, call, options),
        .index_bits = call->index_bits,
        .types = { { "key", call->a.type } },
        .ops = { { "before", call->before, MCL__OP_COMPARE, call->a.type, NULL },
                 { "fold", MCL_ADD, MCL__OP_FOLD, MCL_INT64, NULL } },
        .inputs = { { "a", &call->a, 0 }, { "b", &call->b, 0 } },
        .outputs = { { "out_a", call->out_a.type, mcl__is_left_out(&call->out_a) }, { "count", MCL_INT64 } },
        .defines = { { "JOIN_KIND", (int)call->kind }, { "JOIN_LOOK_BACK", call->look_back } },
    };
    spec->defines[2].name = "PARTITION_THREADS";
    spec->defines[2].value = mcl__partition_threads(spec->tile);
    mcl__spec_define(spec, "RESIDENT", mcl__tuned(context, MCL__PARAMETER_join_resident));
    if (join_pairs(call)) {
        spec->outputs[2].name = "out_b";
        spec->outputs[2].type = call->out_b.type;
        spec->outputs[2].is_left_out = mcl__is_left_out(&call->out_b);
        spec->kernels[WINDOWS] = "join_windows";
    }
    if (!call->look_back) spec->kernels[COUNT] = "join_count";
    if (!call->look_back || join_has_rest(call)) spec->kernels[SPINE] = "join_spine";
    if (join_has_rest(call)) spec->kernels[REST] = "join_rest";
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

/* What a call takes of the scratch. rows and rest: of each tile, with room for their sum; has_more: whether any
 * tile has rows left over. */
typedef struct join_scratch {
    int64_t tiles;
    size_t split_bytes, rows_bytes, rest_bytes, list_bytes;
    mcl__look_back states;
    mcl__span split, rows, rest, list, carry, has_more, count;
} join_scratch;

static mcl_status join_scratch_begin(mcl_queue *queue, const join_call *call, mcl__tile tile, join_scratch *s,
                                     const mcl_options *options)
{
    const size_t index = (size_t)call->index_bits / 8;
    const int64_t keys = call->a.count + call->b.count;
    const int64_t needed = mcl__divide_up(keys, mcl__tile_size(tile));
    s->tiles = needed > 0 ? needed : 1; /* the first tile stores the count of nothing */
    s->split_bytes = (size_t)(s->tiles + 1) * index;
    s->rows_bytes = (size_t)(s->tiles + 1) * sizeof(int64_t);
    s->states = call->look_back ? mcl__look_back_in_scratch(keys, mcl__tile_size(tile), sizeof(int64_t))
                                : (mcl__look_back){ 0 };
    s->rest_bytes = join_has_rest(call) ? s->rows_bytes : 0;
    s->list_bytes = join_has_rest(call) ? (size_t)call->b.count * index : 0;
    MCL__TRY(mcl__call_begin(queue, call->function,
                             mcl__scratch_round(s->split_bytes) + mcl__look_back_scratch(&s->states) +
                                 mcl__scratch_round(s->rows_bytes) + mcl__scratch_round(s->rest_bytes) +
                                 mcl__scratch_round(s->list_bytes) + mcl__scratch_round(sizeof(int64_t)) +
                                 mcl__scratch_round(sizeof(uint32_t)) +
                                 mcl__scratch_round(mcl__result_scratch(&call->count)),
                             options));
    s->split = mcl__scratch_take(queue, s->split_bytes);
    mcl__look_back_take(queue, &s->states);
    s->rows = mcl__scratch_take(queue, s->rows_bytes);
    s->rest = mcl__scratch_take(queue, s->rest_bytes);
    s->list = mcl__scratch_take(queue, s->list_bytes);
    s->carry = mcl__scratch_take(queue, sizeof(int64_t));
    s->has_more = mcl__scratch_take(queue, sizeof(uint32_t));
    s->count = mcl__result_span(queue, &call->count);
    return MCL_OK;
}

/* PARAMS_operands. */
static void join_args_operands(mcl__args *args, const join_call *call, const join_scratch *s)
{
    mcl__args_input(args, &call->a);
    mcl__args_input(args, &call->b);
    mcl__args_span(args, s->split);
}

/* PARAMS_results. */
static void join_args_results(mcl__args *args, const join_call *call)
{
    mcl__args_output(args, &call->out_a);
    if (join_pairs(call)) mcl__args_output(args, &call->out_b);
    mcl__args_index(args, join_stored(call));
}

static void join_args_count(mcl__args *args, const join_scratch *s, int has_count)
{
    mcl__args_span(args, has_count ? s->count : (mcl__span){ NULL, 0 });
    mcl__args_int(args, has_count && s->count.buffer != NULL);
}

static mcl_status join_launch_partition(mcl_queue *queue, const join_call *call, const mcl__spec *spec,
                                        const mcl__kernels *kernels, const join_scratch *s)
{
    mcl__args args;
    const int threads = spec->defines[2].value;
    mcl__args_start(&args, spec);
    join_args_operands(&args, call, s);
    mcl__args_index(&args, s->tiles + 1);
    mcl__args_span(&args, s->has_more);
    if (call->look_back) mcl__look_back_args(&args, &s->states);
    return mcl__launch_groups(queue, kernels, PARTITION, mcl__divide_up(s->tiles + 1, threads), threads, &args);
}

/* Sums up tiles' counts; base: what the sum is added to for the count (NULL: nothing). In as many launches as a
 * device's loop budget asks for. */
static mcl_status join_launch_spine(mcl_queue *queue, const join_call *call, const mcl__spec *spec,
                                    const mcl__kernels *kernels, const join_scratch *s, mcl__span sums,
                                    const mcl__span *base, int has_count)
{
    const int64_t budget = queue->context->limits.loop_budget;
    const int64_t most = budget > 0 ? budget / SPINE_STEPS * kernels->tile.threads : s->tiles;
    for (int64_t first = 0; first < s->tiles; first += most) {
        mcl__args args;
        mcl__args_start(&args, spec);
        mcl__args_input(&args, &call->a);
        mcl__args_input(&args, &call->b);
        mcl__args_span(&args, sums);
        mcl__args_span(&args, s->carry);
        mcl__args_span(&args, base ? *base : (mcl__span){ NULL, 0 });
        mcl__args_int(&args, base != NULL);
        mcl__args_index(&args, first);
        mcl__args_index(&args, most);
        join_args_count(&args, s, has_count);
        MCL__TRY(mcl__launch_groups(queue, kernels, SPINE, 1, kernels->tile.threads, &args));
    }
    return MCL_OK;
}

static mcl_status join_launch_tiles(mcl_queue *queue, const join_call *call, const mcl__spec *spec,
                                    const mcl__kernels *kernels, const join_scratch *s)
{
    const int has_rest = join_has_rest(call);
    mcl__args args;
    if (!call->look_back) {
        mcl__args_start(&args, spec);
        join_args_operands(&args, call, s);
        mcl__args_span(&args, s->rows);
        MCL__TRY(mcl__launch_groups(queue, kernels, COUNT, s->tiles, kernels->tile.threads, &args));
        MCL__TRY(join_launch_spine(queue, call, spec, kernels, s, s->rows, NULL, !has_rest));
        if (join_stored(call) == 0 && !has_rest) return MCL_OK;
    }
    mcl__args_start(&args, spec);
    join_args_operands(&args, call, s);
    join_args_results(&args, call);
    mcl__args_span(&args, s->rows);
    mcl__args_span(&args, s->has_more);
    if (has_rest) {
        mcl__args_span(&args, s->list);
        mcl__args_span(&args, s->rest);
    }
    if (call->look_back) {
        join_args_count(&args, s, !has_rest);
        mcl__look_back_args(&args, &s->states);
    }
    return mcl__launch_groups(queue, kernels, TILES, s->tiles, kernels->tile.threads, &args);
}

static mcl_status join_launch_others(mcl_queue *queue, const join_call *call, const mcl__spec *spec,
                                     const mcl__kernels *kernels, const join_scratch *s)
{
    const int64_t stored = join_stored(call);
    mcl__args args;
    if (join_pairs(call) && stored > 0) {
        const int64_t windows =
            mcl__divide_up(stored, JOIN_WINDOW_ROWS((int64_t)kernels->tile.threads, kernels->tile.items));
        const int64_t groups = mcl__tuned_a_unit(queue->context, MCL__PARAMETER_join_window_groups);
        mcl__args_start(&args, spec);
        join_args_operands(&args, call, s);
        join_args_results(&args, call);
        mcl__args_span(&args, s->rows);
        mcl__args_span(&args, s->has_more);
        MCL__TRY(mcl__launch_groups(queue, kernels, WINDOWS, windows < groups ? windows : groups, kernels->tile.threads,
                                    &args));
    }
    if (!join_has_rest(call)) return MCL_OK;
    MCL__TRY(join_launch_spine(queue, call, spec, kernels, s, s->rest, &s->rows, 1));
    if (stored == 0) return MCL_OK;
    args = (mcl__args){ .index_bits = spec->index_bits };
    join_args_operands(&args, call, s);
    join_args_results(&args, call);
    mcl__args_span(&args, s->rows);
    mcl__args_span(&args, s->list);
    mcl__args_span(&args, s->rest);
    return mcl__launch_groups(queue, kernels, REST, s->tiles, kernels->tile.threads, &args);
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

static mcl_status join_read_count(mcl_queue *queue, const join_call *call, mcl__span span)
{
    MCL__TRY(mcl__result_read(queue, &call->count, span));
    if (!call->count.host || queue->preparing) return MCL_OK;
    int64_t needed;
    memcpy(&needed, call->count.host, sizeof needed);
    if (needed <= join_capacity(call) || join_capacity(call) == 0) return MCL_OK; /* 0: only counted */
    return mcl__fail(MCL_ERROR_CAPACITY, "%s: there are %lld rows; %s has room for %lld", call->function,
                     (long long)needed, join_pairs(call) ? "the shorter of out_a and out_b" : "out_a",
                     (long long)join_capacity(call));
}

static mcl_status join_run(mcl_queue *queue, join_call *call, const mcl_options *options)
{
    mcl__spec spec;
    const mcl__kernels *kernels;
    join_scratch scratch;

    MCL__TRY(join_check(queue, call, options, MCL__TAKES_PASSES));
    MCL__TRY(mcl__context_probe(queue->context));
    if (mcl__validates(options)) {
        MCL__TRY(mcl__validate_sorted(queue, call->function, "a", &call->a, call->before, options));
        MCL__TRY(mcl__validate_sorted(queue, call->function, "b", &call->b, call->before, options));
    }
    const int64_t keys = call->a.count + call->b.count, stored = join_stored(call);
    call->look_back = queue->context->limits.look_back && !(options && options->passes == 2);
    call->index_bits = mcl__index_bits(keys > stored ? keys : stored, options);
    join_describe(&spec, queue->context, call, options);
    MCL__TRY(mcl__program_get(queue, &spec, &kernels));
    MCL__TRY(join_scratch_begin(queue, call, kernels->tile, &scratch, options));
    MCL__TRY(join_launch_partition(queue, call, &spec, kernels, &scratch));
    MCL__TRY(join_launch_tiles(queue, call, &spec, kernels, &scratch));
    MCL__TRY(join_launch_others(queue, call, &spec, kernels, &scratch));
    MCL__TRY(mcl__call_end(queue, options));
    return join_read_count(queue, call, scratch.count);
}

mcl_status mcl_join(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b, mcl_output out_a, mcl_output out_b,
                    const mcl_op *before, mcl_result count, const mcl_options *options)
{
    join_call call = { .function = "mcl_join",
                       .kind = kind,
                       .a = a,
                       .b = b,
                       .out_a = out_a,
                       .out_b = out_b,
                       .before = before,
                       .count = count };
    return join_run(queue, &call, options);
}
