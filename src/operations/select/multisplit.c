/* multisplit.c: mcl_multisplit and mcl_multisplit_pairs. Kernels: multisplit.cl.
 * The elements are counted by bucket, the counts are scanned, the elements are moved. Where groups may wait for each
 * other, one sweep moves them, and tiles look back for the counts of earlier ones. Elsewhere each part of the elements
 * is counted by itself. */
#include "call/rank.h"
#include "call/run.h"
#include "facts/radix_sort.h"

#include "moderncl/multisplit.h"

enum { KEYS = 1, VALUES, OUT, OUT_VALUES, OFFSETS, COUNTS, BUCKET }; /* operands */
enum { MOVED = 1, BESIDE };                                          /* groups of types */
enum { CLEAR, COUNT, STARTS, SWEEP, PARTS, SPINE, SCATTER };         /* passes */
enum { BUCKET_COUNT, WORD_COUNT, PART_COUNT };                       /* numbers */
enum { WORDS, TOTALS, BASES, TICKETS, STATE, TABLE };                /* scratch */
enum { BUCKETS_MAX = 256, FEW_BITS = 5, WIDE_BYTES = 16, CLEARED_A_THREAD = 4 };

static const mcl__declaration multisplit = {
    .file = "kernels/select/multisplit.cl",
    .operands = {
        [KEYS] = { "keys", .kind = MCL__INPUT, .group = MOVED },
        [VALUES] = { "values", .kind = MCL__INPUT, .group = BESIDE, .as_many = KEYS },
        [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = MOVED, .optional = 1 },
        [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = BESIDE, .optional = 1 },
        [OFFSETS] = { "offsets", .kind = MCL__OUTPUT, .types = MCL__OFFSETS, .indexes = KEYS, .optional = 1 },
        [COUNTS] = { "counts", .kind = MCL__OUTPUT, .types = MCL__OFFSETS, .indexes = KEYS, .optional = 1 },
        [BUCKET] = { "bucket", .kind = MCL__OPERATOR, .use = MCL_ROLE_INDEX, .of = KEYS },
    },
    .pieces = { [WORDS] = { "words", "uint" },
                [TOTALS] = { "totals", "total_word" },
                [BASES] = { "bases", "index_type" },
                [TICKETS] = { "tickets", "uint" },
                [STATE] = { "state", "state_word" },
                [TABLE] = { "table", "index_type" } },
    .numbers = { [BUCKET_COUNT] = "bucket_count", [WORD_COUNT] = "count", [PART_COUNT] = "parts" },
    .passes = {
        [CLEAR] = { "multisplit_clear", .words = { MCL__PIECE + WORDS, MCL__LONG + WORD_COUNT } },
        [COUNT] = { "multisplit_count", .words = { MCL__ENV, MCL__OF + KEYS, MCL__INT + BUCKET_COUNT,
                                                   MCL__PIECE + TOTALS } },
        [STARTS] = { "multisplit_offsets", .words = { MCL__ENV, MCL__OF + OFFSETS, MCL__OF + COUNTS,
                                                      MCL__INT + BUCKET_COUNT, MCL__PIECE + TOTALS,
                                                      MCL__PIECE + BASES } },
        [SWEEP] = { "multisplit_sweep", .words = { MCL__ENV, MCL__OF + KEYS, MCL__OF + VALUES, MCL__OF + OUT,
                                                   MCL__OF + OUT_VALUES, MCL__INT + BUCKET_COUNT, MCL__PIECE + BASES,
                                                   MCL__PIECE + TICKETS, MCL__PIECE + STATE } },
        [PARTS] = { "multisplit_parts", .words = { MCL__ENV, MCL__OF + KEYS, MCL__INT + BUCKET_COUNT,
                                                   MCL__PIECE + TABLE } },
        [SPINE] = { "multisplit_spine", .words = { MCL__ENV, MCL__PIECE + TABLE, MCL__PIECE + TOTALS,
                                                   MCL__INDEX + PART_COUNT } },
        [SCATTER] = { "multisplit_scatter", .words = { MCL__ENV, MCL__OF + KEYS, MCL__OF + VALUES, MCL__OF + OUT,
                                                       MCL__OF + OUT_VALUES, MCL__INT + BUCKET_COUNT,
                                                       MCL__PIECE + TABLE, MCL__PIECE + BASES } },
    },
};

/* One call. */
typedef struct split {
    mcl__run run;
    int digit_bits; /* the buckets' numbers have as many bits */
    int looks_back;
    int moves;       /* elements; 0: they are only counted */
    int state_bits;  /* of a word of look-back */
    int finds_again; /* buckets, from keys that are in their order already */
} split;

/* ---- checks ------------------------------------------------------------------------------------------------- */

static int is_stored(const mcl__run *run, int output)
{
    return run->given[output].output && !mcl__is_left_out(run->given[output].output);
}

static mcl_status check(split *call, int bucket_count)
{
    mcl__run *const run = &call->run;
    MCL__TRY(mcl__run_check(run));
    if (bucket_count < 1 || bucket_count > BUCKETS_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "bucket_count is %d; expected 1 to %d", bucket_count, BUCKETS_MAX);
    run->numbers[BUCKET_COUNT] = bucket_count;
    run->room[OUT] = run->room[OUT_VALUES] = run->given[KEYS].input->count;
    run->room[OFFSETS] = bucket_count + 1;
    run->room[COUNTS] = bucket_count;
    call->moves = is_stored(run, OUT) || is_stored(run, OUT_VALUES);
    for (call->digit_bits = 1; 1 << call->digit_bits < bucket_count;) ++call->digit_bits;
    return mcl__run_ready(run);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

static int64_t key_count(const mcl__run *run)
{
    return run->given[KEYS].input->count;
}

/* Rows of tuning are for few buckets or for many, which take more work-group memory and fewer tiles. */
static int is_many(const split *call)
{
    return call->digit_bits > FEW_BITS;
}

/* A bucket of the key alone, without tables or functions, costs less to find again than to keep beside the key. It does
 * not where pairs go to few buckets, or have indices of 64 bits: values take the registers. */
static int finds_again(const split *call, int index_bits)
{
    const mcl_op *const bucket = call->run.given[BUCKET].op;
    const int has_registers = !is_stored(&call->run, OUT_VALUES) || (is_many(call) && index_bits == 32);
    return has_registers && is_stored(&call->run, OUT) && !bucket->source && bucket->binding_count == 0 &&
           !mcl__text_names(bucket->expression, 'i');
}

static mcl__tile choose_tile(split *call, int index_bits)
{
    static const mcl__operation operations[2][2] = {
        { MCL__OPERATION_multisplit, MCL__OPERATION_multisplit_pairs },
        { MCL__OPERATION_multisplit_many, MCL__OPERATION_multisplit_many_pairs },
    };
    mcl__run *const run = &call->run;
    const size_t key = mcl__staged_bytes(run->types[MOVED]);
    const size_t value = is_stored(run, OUT_VALUES) ? mcl__staged_bytes(run->types[BESIDE]) : 0;
    const size_t wider = key > value ? key : value, digits = (size_t)1 << call->digit_bits;
    const size_t kept = call->finds_again ? 0 : sizeof(uint8_t);
    mcl__tile_need need = { .element_bytes = wider, .local_bytes_per_item = wider + kept };
    mcl__digits_need(&need, digits, digits, (size_t)index_bits / 8);
    return mcl__run_choose_tile(run, operations[is_many(call)][run->has_values], need);
}

/* Returns the number of parts where tiles do not look back: tiles, or under the serial mapping a few ranges for each
 * core. */
static int64_t count_parts(const mcl__run *run)
{
    const mcl_context *const context = run->queue->context;
    const int64_t tiles = mcl__run_tiles(run, key_count(run));
    const int64_t wanted = mcl__tuned_a_unit(context, MCL__PARAMETER_multisplit_parts_serial);
    if (!mcl__run_is_serial(run)) return tiles;
    return mcl__fold_parts(&context->limits, mcl__run_tile(run), tiles, wanted, 2);
}

/* Returns the number of work-items that a unit holds together. Of wide elements a group has all registers. */
static int64_t resident(const split *call)
{
    const mcl_context *const context = call->run.queue->context;
    const int has_values = is_stored(&call->run, OUT_VALUES);
    const size_t key = call->run.types[MOVED]->size, value = has_values ? call->run.types[BESIDE]->size : 0;
    if (key > WIDE_BYTES || value > WIDE_BYTES) return 1;
    return mcl__tuned(context,
                      is_many(call) ? MCL__PARAMETER_multisplit_resident_many : MCL__PARAMETER_multisplit_resident);
}

static mcl_status plan(split *call)
{
    static const int64_t short_words = (int64_t)1 << (32 - STATE_STATUS_BITS);
    mcl__run *const run = &call->run;
    const mcl__limits *const limits = &run->queue->context->limits;
    const int64_t count = key_count(run);
    const int index_bits = mcl__index_bits(count, run->options);
    call->finds_again = finds_again(call, index_bits);
    const mcl__tile tile = choose_tile(call, index_bits);
    call->looks_back = tile.threads > 1 && limits->look_back;
    call->state_bits = index_bits == 32 && count < short_words ? 32 : 64;
    run->passes = call->looks_back ? MCL__BIT(CLEAR) | MCL__BIT(COUNT) | MCL__BIT(STARTS) | MCL__BIT(SWEEP)
                                   : MCL__BIT(PARTS) | MCL__BIT(SPINE) | MCL__BIT(STARTS) | MCL__BIT(SCATTER);
    mcl__run_takes_local(run, DIGIT_COUNT_WORDS(1 << call->digit_bits) * (int64_t)sizeof(uint32_t));
    mcl__run_define(run, "MULTISPLIT_LOOK_BACK", call->looks_back);
    mcl__run_define(run, "DIGIT_BITS", call->digit_bits);
    mcl__run_define(run, "STATE_BITS", call->state_bits);
    mcl__run_define(run, "RESIDENT", (int)resident(call));
    mcl__run_define(run, "BUCKETS_ANEW", call->finds_again);
    MCL__TRY(mcl__run_program(run, tile, index_bits));
    run->numbers[PART_COUNT] = count_parts(run);
    return mcl__check_tiles(count, mcl__run_tile_size(run));
}

/* ---- scratch ------------------------------------------------------------------------------------------------ */

static size_t digit_count(const split *call)
{
    return (size_t)1 << call->digit_bits;
}

static size_t state_bytes(const split *call)
{
    const size_t tiles = call->moves ? (size_t)mcl__run_tiles(&call->run, key_count(&call->run)) : 0;
    return tiles * digit_count(call) * (size_t)call->state_bits / 8;
}

/* Under look-back one launch clears WORDS, which has states, totals and a ticket. */
static void need_scratch(split *call)
{
    mcl__run *const run = &call->run;
    const size_t digits = digit_count(call), totals = mcl__run_index_bytes(run, (int64_t)digits);
    mcl__run_need(run, BASES, totals);
    if (call->looks_back) {
        mcl__run_need(run, WORDS, state_bytes(call) + totals + sizeof(uint32_t));
        run->numbers[WORD_COUNT] = (int64_t)(run->pieces[WORDS].bytes / sizeof(uint32_t));
        return;
    }
    mcl__run_need(run, TABLE, (size_t)run->numbers[PART_COUNT] * totals);
    mcl__run_need(run, TOTALS, totals);
}

/* Gives out the parts of WORDS after scratch is taken. */
static void share_words(split *call)
{
    mcl__run *const run = &call->run;
    mcl__span span = run->pieces[WORDS].span;
    mcl__run_give(run, STATE, span);
    span.offset += state_bytes(call);
    mcl__run_give(run, TOTALS, span);
    span.offset += mcl__run_index_bytes(run, (int64_t)digit_count(call));
    mcl__run_give(run, TICKETS, span);
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

/* The groups that count fill the device once, no more, since each leaves counts that must be added. Each has fewer
 * elements than its counters hold. */
static int64_t count_groups(const mcl__run *run)
{
    static const int64_t counted_most = (int64_t)1 << 31;
    const mcl_context *const context = run->queue->context;
    const int64_t filling =
        mcl__tuned_groups(context, MCL__PARAMETER_multisplit_count_work_items, mcl__run_tile(run).threads);
    const int64_t tiles = mcl__run_tiles(run, key_count(run)), least = mcl__divide_up(key_count(run), counted_most);
    const int64_t groups = filling < tiles ? filling : tiles;
    return groups > least ? groups : least;
}

static mcl_status launch_look_back(split *call)
{
    mcl__run *const run = &call->run;
    share_words(call);
    MCL__TRY(mcl__run_launch_items(run, CLEAR, mcl__divide_up(run->numbers[WORD_COUNT], CLEARED_A_THREAD)));
    MCL__TRY(mcl__run_launch(run, COUNT, count_groups(run)));
    MCL__TRY(mcl__run_launch(run, STARTS, 1));
    return call->moves ? mcl__run_launch_tiles(run, SWEEP, key_count(run)) : MCL_OK;
}

/* One group for each bucket. On CPUs, where groups are dear and parts few, a group has several. */
static int64_t spine_groups(const split *call)
{
    const mcl__run *const run = &call->run;
    const mcl_context *const context = run->queue->context;
    const int64_t digits = (int64_t)digit_count(call);
    const int64_t few = mcl__tuned_a_unit(context, MCL__PARAMETER_multisplit_spine_groups_serial);
    return !mcl__run_is_serial(run) || context->limits.loop_budget > 0 || few > digits ? digits : few;
}

static mcl_status launch_parts(split *call)
{
    mcl__run *const run = &call->run;
    MCL__TRY(mcl__run_launch(run, PARTS, run->numbers[PART_COUNT]));
    MCL__TRY(mcl__run_launch(run, SPINE, spine_groups(call)));
    MCL__TRY(mcl__run_launch(run, STARTS, 1));
    return call->moves ? mcl__run_launch(run, SCATTER, run->numbers[PART_COUNT]) : MCL_OK;
}

/* ---- the call ----------------------------------------------------------------------------------------------- */

static mcl_status split_run(split *call, int bucket_count)
{
    MCL__TRY(check(call, bucket_count));
    MCL__TRY(plan(call));
    need_scratch(call);
    MCL__TRY(mcl__run_begin(&call->run));
    MCL__TRY(call->looks_back ? launch_look_back(call) : launch_parts(call));
    return mcl__run_end(&call->run);
}

mcl_status mcl_multisplit(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *bucket, int bucket_count,
                          mcl_output offsets, mcl_output counts, const mcl_options *options)
{
    static const char *const said[MCL__DECLARED_MAX] = { [KEYS] = "in" };
    split call = { 0 };
    mcl__run_init(&call.run, &multisplit, "mcl_multisplit", queue, options);
    call.run.said = said;
    call.run.given[KEYS].input = &in;
    call.run.given[OUT].output = &out;
    call.run.given[BUCKET].op = bucket;
    call.run.given[OFFSETS].output = &offsets;
    call.run.given[COUNTS].output = &counts;
    return split_run(&call, bucket_count);
}

mcl_status mcl_multisplit_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                mcl_output out_values, const mcl_op *bucket, int bucket_count, mcl_output offsets,
                                mcl_output counts, const mcl_options *options)
{
    split call = { 0 };
    mcl__run_init(&call.run, &multisplit, "mcl_multisplit_pairs", queue, options);
    call.run.has_values = 1;
    call.run.given[KEYS].input = &keys;
    call.run.given[VALUES].input = &values;
    call.run.given[OUT].output = &out_keys;
    call.run.given[OUT_VALUES].output = &out_values;
    call.run.given[BUCKET].op = bucket;
    call.run.given[OFFSETS].output = &offsets;
    call.run.given[COUNTS].output = &counts;
    return split_run(&call, bucket_count);
}
