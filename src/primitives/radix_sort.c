/* radix_sort.c: stable radix sort of built-in keys, the least significant digit first. Kernels: radix_sort.cl.
 * Keys travel as their stored bits, in unsigned integers; each pass orders them by one digit of their images, from one
 * array into another. The number of passes decides where the first one goes, so that the last ends where the result
 * belongs; in place it is even, since the first must not overwrite what it reads.
 * Where groups may wait for each other, one reading counts all digits, and each pass is one launch. Elsewhere each pass
 * counts, scans the counts and moves.
 * Wide values stay where they are: their places are moved, and they are fetched once at the end. */
#include "call/fold.h"
#include "facts/radix_sort.h"
#include "primitives/sort_call.h"

#include "moderncl/sort.h"

enum { CLEAR, COUNT, SWEEP };   /* with look-back */
enum { PARTS, SPINE, SCATTER }; /* without */

enum {
    MOVED_BYTES = 16, /* values up to this size are moved in every pass */
    DIGIT_BITS = 8,
    SMALL_DIGIT_BITS = 4, /* where each work-item has counters of its own */
    CLEARED_A_THREAD = 4
};
static const int64_t short_words = (int64_t)1 << (32 - STATE_STATUS_BITS); /* more keys than these have wider states */

/* Keys or values on their way through the passes. */
typedef struct radix_stream {
    mcl_input in;              /* what the first pass reads; an array is of type */
    const mcl_type *first_out; /* what the first pass writes: type, but for values that are an expression */
    const mcl_type *type;      /* what the other passes read and write */
    mcl__span home, spare;     /* the two arrays that passes alternate between; the result is in home */
} radix_stream;

/* A program with the tiles of one pass. */
typedef struct radix_program {
    mcl__spec spec;
    const mcl__kernels *kernels;
    int64_t tiles, parts;
} radix_program;

typedef struct radix_sort {
    const mcl__sort_call *call;
    int first_bit, window_bits, passes;
    uint64_t flip; /* image_flip */
    int order, digit_bits, index_bits, state_bits, looks_back;
    int has_values, values_stay;
    radix_stream keys, values;
    mcl_input array_keys, array_values; /* what programs of later passes are described by */
    radix_program first, later;
    mcl__gather gather; /* of values that stay */
} radix_sort;

int mcl__radix_sort_applies(const mcl__sort_call *call)
{
    return call->keys.type->kind != MCL_KIND_STRUCT &&
           (mcl__same_op(call->before, MCL_LESS) || mcl__same_op(call->before, MCL_GREATER));
}

/* ---- what is sorted ------------------------------------------------------------------------------------------ */

static const mcl_type *unsigned_type(size_t bytes)
{
    return bytes == 1 ? MCL_UINT8 : bytes == 2 ? MCL_UINT16 : bytes == 4 ? MCL_UINT32 : MCL_UINT64;
}

static const mcl_type *stored_type(const mcl_type *type)
{
    return type->kind == MCL_KIND_STRUCT ? type : unsigned_type(type->size);
}

/* An array is read as what it stores; count is the keys'. */
static mcl_input stored_input(mcl_input input, const mcl_input *keys)
{
    if (!input.expression) input.type = stored_type(input.type);
    input.count = keys->count;
    input.count_slot = keys->count_slot;
    input.count_slot_index = keys->count_slot_index;
    return input;
}

static void choose_operands(radix_sort *sort)
{
    const mcl__sort_call *call = sort->call;
    const int64_t zero = 0;
    const mcl_type *place = sort->index_bits == 64 ? MCL_INT64 : MCL_INT32;

    sort->keys.in = stored_input(call->keys, &call->keys);
    sort->keys.type = sort->keys.first_out = stored_type(call->keys.type);
    sort->array_keys = (mcl_input){ .type = sort->keys.type };
    sort->has_values = call->has_values;
    if (!call->has_values) return;
    sort->values_stay = call->values.type->size > MOVED_BYTES;
    const mcl_input moved = sort->values_stay ? mcl_counting(place, &zero, call->keys.count) : call->values;
    sort->values.in = stored_input(moved, &call->keys);
    sort->values.type = stored_type(moved.type);
    sort->values.first_out = sort->values.in.type;
    sort->array_values = (mcl_input){ .type = sort->values.type };
    if (!sort->values_stay) return;
    sort->gather = (mcl__gather){ .in = stored_input(call->values, &call->keys),
                                  .place_type = place,
                                  .in_place = mcl__same_place(&call->values, &call->out_values) };
}

static void choose_window(radix_sort *sort, const mcl_options *options)
{
    const mcl_type *type = sort->call->keys.type;
    const int key_bits = 8 * (int)type->size;
    const uint64_t all = UINT64_MAX >> (64 - key_bits);
    const int is_float = type->kind == MCL_KIND_FLOAT;
    sort->window_bits = key_bits;
    if (options && options->end_bit > 0) {
        sort->first_bit = options->first_bit;
        sort->window_bits = options->end_bit - options->first_bit;
    }
    sort->order = !is_float ? ORDER_OF_INTEGERS : sort->window_bits == key_bits ? ORDER_OF_FLOATS : ORDER_OF_FLOAT_BITS;
    sort->flip = type->kind == MCL_KIND_SIGNED ? all - all / 2 : 0;
    if (mcl__same_op(sort->call->before, MCL_GREATER)) sort->flip ^= all;
}

static int in_place(const radix_sort *sort)
{
    const mcl__sort_call *call = sort->call;
    if (!call->drops_keys && mcl__same_place(&call->keys, &call->out)) return 1;
    return call->has_values && !sort->values_stay && mcl__same_place(&call->values, &call->out_values);
}

/* After the tile is known. A pass of no bits, where the window has fewer than there are passes, only copies. */
static void choose_passes(radix_sort *sort)
{
    sort->passes = (int)mcl__divide_up(sort->window_bits, sort->digit_bits);
    if (in_place(sort)) sort->passes += sort->passes % 2;
}

/* ---- the programs -------------------------------------------------------------------------------------------- */

/* Keys whose digits sub-groups compare; 1: each work-item counts by itself. */
static int rank_lanes(const mcl__limits *limits)
{
    const int size = limits->sub_group_path == MCL__SUB_GROUP_NONE ? 1 : limits->sub_group_size;
    return size >= RANK_LANES_MIN && size <= RANK_LANES_MAX ? size : 1;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static mcl__tile choose_tile(const radix_sort *sort, const mcl_context *context, const mcl_options *options)
{
    const mcl__limits *limits = &context->limits;
    const int lanes = rank_lanes(limits);
    const size_t digits = (size_t)1 << (lanes > 1 ? DIGIT_BITS : SMALL_DIGIT_BITS);
    const size_t value = !sort->has_values ? 0 : larger(sort->values.type->size, sort->values.in.expression ? 4 : 0);
    const size_t index = (size_t)sort->index_bits / 8;
    const mcl__tile_need need = {
        .element_bytes = larger(sort->keys.type->size, value),
        .local_bytes_per_item = larger(sort->keys.type->size, value),
        .local_bytes_per_thread = digits * sizeof(uint32_t) / (size_t)lanes + (lanes > 1 ? 0 : index),
        .local_bytes_fixed = (digits + 40) * index,
        .lone_bytes_per_thread = lanes > 1 ? ((size_t)1 << SMALL_DIGIT_BITS) * sizeof(uint32_t) + index : 0,
    };
    return mcl__tile_for(sort->has_values ? MCL__OPERATION_radix_sort_pairs : MCL__OPERATION_radix_sort, limits,
                         context->tuning, need, options);
}

static void describe(radix_sort *sort, const mcl_context *context, mcl__spec *spec, int is_first)
{
    /* with look-back one reading counts the digits of every pass */
    const int counts_expression = sort->keys.in.expression && (is_first || sort->looks_back);
    *spec = (mcl__spec){
        .file = "kernels/radix_sort.cl",
        .tile = spec->tile,
        .index_bits = sort->index_bits,
        .inputs = { { "keys", is_first ? &sort->keys.in : &sort->array_keys } },
        .outputs = { { "out", sort->keys.type } },
        .defines = { { "RADIX_LOOK_BACK", sort->looks_back },
                     { "HAS_VALUES", sort->has_values },
                     { "DIGIT_BITS", sort->digit_bits },
                     { "KEY_BITS", 8 * (int)sort->keys.type->size },
                     { "KEY_ORDER", sort->order },
                     { "STATE_BITS", sort->state_bits },
                     { "KEYS_VARY", counts_expression },
                     { "RESIDENT", (int)mcl__tuned(context, MCL__PARAMETER_radix_sort_resident) } },
    };
    if (sort->has_values) {
        spec->inputs[1].name = "values";
        spec->inputs[1].input = is_first ? &sort->values.in : &sort->array_values;
        spec->outputs[1].name = "out_values";
        spec->outputs[1].type = is_first ? sort->values.first_out : sort->values.type;
    }
    if (sort->looks_back) {
        spec->kernels[CLEAR] = "radix_clear";
        spec->kernels[COUNT] = "radix_count";
        spec->kernels[SWEEP] = "radix_sweep";
    } else {
        spec->kernels[PARTS] = "radix_parts";
        spec->kernels[SPINE] = "radix_spine";
        spec->kernels[SCATTER] = "radix_scatter";
    }
}

/* Parts of a pass without look-back: tiles, or under the serial mapping a few ranges for each core. */
static int64_t count_parts(const mcl_context *context, mcl__tile tile, int64_t tiles)
{
    const int64_t wanted = mcl__tuned_a_unit(context, MCL__PARAMETER_radix_sort_parts_serial);
    return tile.threads > 1 ? tiles : mcl__fold_parts(&context->limits, tile, tiles, wanted, 2);
}

static mcl_status get_program(mcl_queue *queue, const radix_sort *sort, radix_program *program)
{
    MCL__TRY(mcl__program_get(queue, &program->spec, &program->kernels));
    program->tiles = mcl__divide_up(sort->call->keys.count, mcl__tile_size(program->kernels->tile));
    program->parts = count_parts(queue->context, program->kernels->tile, program->tiles);
    return MCL_OK;
}

/* Everything that depends on types and limits alone, and the programs. */
static mcl_status plan(mcl_queue *queue, radix_sort *sort, const mcl_options *options)
{
    const mcl__limits *limits = &queue->context->limits;
    sort->index_bits = mcl__index_bits(sort->call->keys.count, options);
    sort->state_bits = sort->index_bits == 32 && sort->call->keys.count < short_words ? 32 : 64;
    choose_operands(sort);
    choose_window(sort, options);
    const mcl__tile tile = choose_tile(sort, queue->context, options);
    const int by_sub_groups = rank_lanes(limits) > 1 && tile.threads % rank_lanes(limits) == 0;
    sort->looks_back = tile.threads > 1 && limits->look_back;
    sort->digit_bits = tile.threads == 1 || by_sub_groups ? DIGIT_BITS : SMALL_DIGIT_BITS;
    choose_passes(sort);
    sort->first.spec.tile = sort->later.spec.tile = tile;
    describe(sort, queue->context, &sort->first.spec, 1);
    describe(sort, queue->context, &sort->later.spec, 0);
    MCL__TRY(get_program(queue, sort, &sort->first));
    MCL__TRY(get_program(queue, sort, &sort->later));
    return sort->values_stay ? mcl__gather_get(queue, options, &sort->gather) : MCL_OK;
}

/* ---- scratch ------------------------------------------------------------------------------------------------- */

/* What the passes share besides the arrays. With look-back: the states of two passes in turn, bases and tickets; the
 * first states, bases and tickets are one block, which one launch clears. Without: table and totals. */
typedef struct radix_scratch {
    size_t state_bytes, base_bytes, ticket_bytes;
    size_t table_bytes, total_bytes;
    mcl__span states[2], bases, tickets;
    mcl__span table, totals;
} radix_scratch;

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void measure(const radix_sort *sort, radix_scratch *scratch)
{
    const size_t digits = (size_t)1 << sort->digit_bits;
    const size_t index = (size_t)sort->index_bits / 8;
    *scratch = (radix_scratch){ 0 };
    if (sort->looks_back) {
        const int64_t tiles = most(sort->first.tiles, sort->later.tiles);
        scratch->state_bytes = (size_t)tiles * digits * ((size_t)sort->state_bits / 8);
        scratch->base_bytes = (size_t)sort->passes * digits * index;
        scratch->ticket_bytes = (size_t)sort->passes * sizeof(uint32_t);
    } else {
        scratch->table_bytes = (size_t)most(sort->first.parts, sort->later.parts) * digits * index;
        scratch->total_bytes = digits * index;
    }
}

static size_t stream_bytes(const radix_sort *sort, const radix_stream *stream)
{
    return (size_t)sort->call->keys.count * stream->type->size;
}

/* Arrays of a stream that lie in scratch: the spare one, and the result's where it belongs nowhere. */
static size_t stream_scratch(const radix_sort *sort, const radix_stream *stream, int stays)
{
    return mcl__scratch_round(stream_bytes(sort, stream)) * (size_t)((sort->passes > 1) + stays);
}

static size_t scratch_bytes(const radix_sort *sort, const radix_scratch *scratch)
{
    size_t bytes = stream_scratch(sort, &sort->keys, sort->call->drops_keys);
    if (sort->has_values) bytes += stream_scratch(sort, &sort->values, sort->values_stay);
    if (sort->values_stay) bytes += mcl__scratch_round(mcl__gather_scratch(&sort->gather));
    bytes += mcl__scratch_round(scratch->state_bytes + scratch->base_bytes + scratch->ticket_bytes);
    return bytes + mcl__scratch_round(scratch->state_bytes) + mcl__scratch_round(scratch->table_bytes) +
           mcl__scratch_round(scratch->total_bytes);
}

static mcl__span output_span(const mcl_output *output)
{
    return (mcl__span){ output->buffer, (size_t)output->offset * output->type->size };
}

static void take_stream(mcl_queue *queue, const radix_sort *sort, radix_stream *stream, const mcl_output *out)
{
    const size_t bytes = stream_bytes(sort, stream);
    stream->home = out ? output_span(out) : mcl__scratch_take(queue, bytes);
    if (sort->passes > 1) stream->spare = mcl__scratch_take(queue, bytes);
}

static void take_scratch(mcl_queue *queue, radix_sort *sort, radix_scratch *scratch)
{
    take_stream(queue, sort, &sort->keys, sort->call->drops_keys ? NULL : &sort->call->out);
    if (sort->has_values) take_stream(queue, sort, &sort->values, sort->values_stay ? NULL : &sort->call->out_values);
    if (sort->looks_back) {
        const mcl__span cleared =
            mcl__scratch_take(queue, scratch->state_bytes + scratch->base_bytes + scratch->ticket_bytes);
        scratch->states[0] = scratch->bases = scratch->tickets = cleared;
        scratch->bases.offset += scratch->state_bytes;
        scratch->tickets.offset += scratch->state_bytes + scratch->base_bytes;
        scratch->states[1] = mcl__scratch_take(queue, scratch->state_bytes);
    } else {
        scratch->table = mcl__scratch_take(queue, scratch->table_bytes);
        scratch->totals = mcl__scratch_take(queue, scratch->total_bytes);
    }
}

/* ---- launches ------------------------------------------------------------------------------------------------ */

static const radix_program *pass_program(const radix_sort *sort, int pass)
{
    return pass == 0 ? &sort->first : &sort->later;
}

/* PARAMS of what a pass reads. */
static void args_from(mcl__args *args, const radix_sort *sort, const radix_stream *stream, int pass)
{
    const int from_home = (sort->passes - pass) % 2 == 0;
    if (pass == 0)
        mcl__args_input(args, &stream->in);
    else
        mcl__args_array(args, from_home ? stream->home : stream->spare, &sort->keys.in);
}

/* PARAMS of what it writes. */
static void args_to(mcl__args *args, const radix_sort *sort, const radix_stream *stream, int pass)
{
    const int to_home = (sort->passes - pass) % 2 == 1;
    mcl__args_span(args, to_home ? stream->home : stream->spare);
}

/* PARAMS_operands. */
static void args_operands(mcl__args *args, const radix_sort *sort, int pass)
{
    args_from(args, sort, &sort->keys, pass);
    args_to(args, sort, &sort->keys, pass);
    if (!sort->has_values) return;
    args_from(args, sort, &sort->values, pass);
    args_to(args, sort, &sort->values, pass);
}

/* PARAMS_digits. */
static void args_digits(mcl__args *args, const radix_sort *sort)
{
    mcl__args_int(args, sort->first_bit);
    mcl__args_int(args, sort->window_bits);
    mcl__args_int(args, sort->passes);
    mcl__args_long(args, (int64_t)sort->flip);
}

static mcl_status launch_clear(mcl_queue *queue, const radix_sort *sort, const radix_scratch *scratch)
{
    mcl__args args = { .index_bits = sort->index_bits };
    const mcl__kernels *kernels = sort->first.kernels;
    const int64_t words =
        (int64_t)((scratch->state_bytes + scratch->base_bytes + scratch->ticket_bytes) / sizeof(uint32_t));
    const int threads = kernels->tile.threads;
    mcl__args_span(&args, scratch->states[0]);
    mcl__args_long(&args, words);
    return mcl__launch_groups(queue, kernels, CLEAR, mcl__divide_up(words, (int64_t)threads * CLEARED_A_THREAD),
                              threads, &args);
}

/* Groups that fill the device once: each leaves its counts to be added. */
static mcl_status launch_count(mcl_queue *queue, const radix_sort *sort, const radix_scratch *scratch)
{
    mcl__args args;
    const mcl__kernels *kernels = sort->first.kernels;
    const int threads = kernels->tile.threads;
    const int a_unit = (int)mcl__tuned(queue->context, MCL__PARAMETER_radix_sort_count_work_items) / threads;
    const int64_t groups = (int64_t)queue->context->limits.compute_units * most(a_unit, 1);
    mcl__args_start(&args, &sort->first.spec);
    args_from(&args, sort, &sort->keys, 0);
    args_digits(&args, sort);
    mcl__args_span(&args, scratch->bases);
    return mcl__launch_groups(queue, kernels, COUNT, groups < sort->first.tiles ? groups : sort->first.tiles, threads,
                              &args);
}

static mcl_status launch_sweep(mcl_queue *queue, const radix_sort *sort, const radix_scratch *scratch, int pass)
{
    mcl__args args;
    const radix_program *program = pass_program(sort, pass);
    const int is_last = pass == sort->passes - 1;
    mcl__args_start(&args, &program->spec);
    args_operands(&args, sort, pass);
    args_digits(&args, sort);
    mcl__args_int(&args, pass);
    mcl__args_span(&args, scratch->bases);
    mcl__args_span(&args, scratch->tickets);
    mcl__args_span(&args, scratch->states[pass % 2]);
    mcl__args_span(&args, scratch->states[1 - pass % 2]);
    mcl__args_long(&args, is_last ? 0 : (int64_t)(scratch->state_bytes / ((size_t)sort->state_bits / 8)));
    return mcl__launch_groups(queue, program->kernels, SWEEP, program->tiles, program->kernels->tile.threads, &args);
}

/* A digit for each group; on CPUs, where groups are dear and parts few, several. */
static int64_t spine_groups(const radix_sort *sort, const mcl_context *context, mcl__tile tile)
{
    const int64_t digits = (int64_t)1 << sort->digit_bits;
    const int64_t few = mcl__tuned_a_unit(context, MCL__PARAMETER_radix_sort_spine_groups_serial);
    return tile.threads > 1 || context->limits.loop_budget > 0 || few > digits ? digits : few;
}

static mcl_status launch_three(mcl_queue *queue, const radix_sort *sort, const radix_scratch *scratch, int pass)
{
    mcl__args args;
    const radix_program *program = pass_program(sort, pass);
    const mcl__kernels *kernels = program->kernels;
    const int threads = kernels->tile.threads;

    mcl__args_start(&args, &program->spec);
    args_from(&args, sort, &sort->keys, pass);
    args_digits(&args, sort);
    mcl__args_int(&args, pass);
    mcl__args_span(&args, scratch->table);
    MCL__TRY(mcl__launch_groups(queue, kernels, PARTS, program->parts, threads, &args));

    mcl__args_start(&args, &program->spec);
    mcl__args_span(&args, scratch->table);
    mcl__args_span(&args, scratch->totals);
    mcl__args_index(&args, program->parts);
    MCL__TRY(
        mcl__launch_groups(queue, kernels, SPINE, spine_groups(sort, queue->context, kernels->tile), threads, &args));

    mcl__args_start(&args, &program->spec);
    args_operands(&args, sort, pass);
    args_digits(&args, sort);
    mcl__args_int(&args, pass);
    mcl__args_span(&args, scratch->table);
    mcl__args_span(&args, scratch->totals);
    return mcl__launch_groups(queue, kernels, SCATTER, program->parts, threads, &args);
}

static mcl_status launch_passes(mcl_queue *queue, const radix_sort *sort, const radix_scratch *scratch)
{
    if (sort->looks_back) {
        MCL__TRY(launch_clear(queue, sort, scratch));
        MCL__TRY(launch_count(queue, sort, scratch));
    }
    for (int pass = 0; pass < sort->passes; ++pass)
        MCL__TRY(sort->looks_back ? launch_sweep(queue, sort, scratch, pass)
                                  : launch_three(queue, sort, scratch, pass));
    return MCL_OK;
}

/* Plans and measures. */
static mcl_status radix_begin(mcl_queue *queue, radix_sort *sort, radix_scratch *scratch, const mcl_options *options)
{
    MCL__TRY(plan(queue, sort, options));
    measure(sort, scratch);
    return MCL_OK;
}

static mcl_status radix_enqueue(mcl_queue *queue, radix_sort *sort, radix_scratch *scratch)
{
    if (sort->call->keys.count == 0) return MCL_OK;
    take_scratch(queue, sort, scratch);
    MCL__TRY(launch_passes(queue, sort, scratch));
    if (!sort->values_stay) return MCL_OK;
    return mcl__gather_run(queue, &sort->gather, sort->values.home, output_span(&sort->call->out_values),
                           mcl__scratch_take(queue, mcl__gather_scratch(&sort->gather)));
}

mcl_status mcl__radix_sort(mcl_queue *queue, const mcl__sort_call *call, const mcl_options *options)
{
    radix_sort sort = { .call = call };
    radix_scratch scratch;
    MCL__TRY(radix_begin(queue, &sort, &scratch, options));
    MCL__TRY(mcl__call_begin(queue, call->function, scratch_bytes(&sort, &scratch), options));
    MCL__TRY(radix_enqueue(queue, &sort, &scratch));
    return mcl__call_end(queue, options);
}

mcl_status mcl__radix_measure(mcl_queue *queue, const mcl__sort_call *call, const mcl_options *options, size_t *bytes)
{
    radix_sort sort = { .call = call };
    radix_scratch scratch;
    MCL__TRY(radix_begin(queue, &sort, &scratch, options));
    *bytes = scratch_bytes(&sort, &scratch);
    return MCL_OK;
}

mcl_status mcl__radix_launch(mcl_queue *queue, const mcl__sort_call *call, const mcl_options *options)
{
    radix_sort sort = { .call = call };
    radix_scratch scratch;
    MCL__TRY(radix_begin(queue, &sort, &scratch, options));
    return radix_enqueue(queue, &sort, &scratch);
}
