/* multisplit.c: mcl_multisplit and mcl_multisplit_by_splitters, also for pairs. Kernels: multisplit.cl. Elements are
 * counted by bucket, the counts are scanned, and the elements are moved. If groups may wait for each other, one pass
 * moves the elements, and its tiles look back for the counts of earlier tiles. Otherwise the elements of each part are
 * counted separately. */
#include "call/rank.h"
#include "call/call.h"
#include "facts/multisplit.h"
#include "facts/radix_sort.h"

#include "moderncl/multisplit.h"

/* Operands. OPERATOR is bucket or, in calls by splitters, before. */
enum { KEYS = 1, VALUES, OUT, OUT_VALUES, OFFSETS, COUNTS, OPERATOR, SPLITTERS, POSITIONS };
enum { MOVED = 1, BESIDE };                                  /* groups of operands with one type */
enum { CLEAR, COUNT, STARTS, SWEEP, PARTS, SPINE, SCATTER }; /* passes */
enum { BUCKET_COUNT, WORD_COUNT, PART_COUNT };               /* scalars */
enum { WORDS, TOTALS, BASES, TICKETS, STATE, TABLE };        /* scratch */
enum { BUCKETS_MAX = MULTISPLIT_BUCKETS_MOST, FEW_BITS = MULTISPLIT_FEW_BITS, WIDE_BYTES = 16, CLEARED_A_THREAD = 4 };

/* The arguments from which kernels find an element's bucket. */
#define BUCKETS AS_INT(BUCKET_COUNT), OPERAND(SPLITTERS), OPERAND(POSITIONS)

static const mcl__declaration multisplit = {
    .file = "kernels/select/multisplit.cl",
    .operands =
        (mcl__operands){
            [KEYS] = { "keys", .kind = MCL__INPUT, .group = MOVED },
            [VALUES] = { "values", .kind = MCL__INPUT, .group = BESIDE, .as_many = KEYS },
            [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = MOVED, .optional = 1 },
            [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = BESIDE, .optional = 1 },
            [OFFSETS] = { "offsets", .kind = MCL__OUTPUT, .types = MCL__OFFSETS, .indexes = KEYS, .optional = 1 },
            [COUNTS] = { "counts", .kind = MCL__OUTPUT, .types = MCL__OFFSETS, .indexes = KEYS, .optional = 1 },
            [OPERATOR] = { "bucket", .kind = MCL__OPERATOR, .use = MCL_ROLE_INDEX, .of = KEYS },
            [SPLITTERS] = { "splitters", .kind = MCL__INPUT, .group = MOVED, .sorted_by = OPERATOR },
            [POSITIONS] = { "positions", .kind = MCL__INPUT, .types = MCL__INDICES, .as_many = SPLITTERS },
        },
    .scratch = { [WORDS] = { "words", "uint" },
                 [TOTALS] = { "totals", "total_word" },
                 [BASES] = { "bases", "index_type" },
                 [TICKETS] = { "tickets", "uint" },
                 [STATE] = { "state", "state_word" },
                 [TABLE] = { "table", "index_type" } },
    .scalars = { [BUCKET_COUNT] = "bucket_count", [WORD_COUNT] = "count", [PART_COUNT] = "parts" },
    .passes =
        (mcl__passes){
            [CLEAR] = { "multisplit_clear", .arguments = { SCRATCH(WORDS), AS_LONG(WORD_COUNT) } },
            [COUNT] = { "multisplit_count",
                        .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), BUCKETS, SCRATCH(TOTALS) } },
            [STARTS] = { "multisplit_offsets", .arguments = { MCL__ENVIRONMENT, OPERAND(OFFSETS), OPERAND(COUNTS),
                                                              AS_INT(BUCKET_COUNT), SCRATCH(TOTALS), SCRATCH(BASES) } },
            [SWEEP] = { "multisplit_sweep", .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(VALUES),
                                                           OPERAND(OUT), OPERAND(OUT_VALUES), BUCKETS, SCRATCH(BASES),
                                                           SCRATCH(TICKETS), SCRATCH(STATE) } },
            [PARTS] = { "multisplit_parts", .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), BUCKETS, SCRATCH(TABLE) } },
            [SPINE] = { "multisplit_spine",
                        .arguments = { MCL__ENVIRONMENT, SCRATCH(TABLE), SCRATCH(TOTALS), AS_INDEX(PART_COUNT) } },
            [SCATTER] = { "multisplit_scatter",
                          .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(VALUES), OPERAND(OUT),
                                         OPERAND(OUT_VALUES), BUCKETS, SCRATCH(TABLE), SCRATCH(BASES) } },
        },
};

/* The operator of calls by splitters, instead of bucket. */
static mcl__operands ordered = {
    [OPERATOR] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = KEYS },
};

/* One call. */
typedef struct split {
    mcl__call call;
    int digit_bits; /* bits of a bucket's number */
    int looks_back;
    int moves;       /* 1 if elements are moved; 0 if they are only counted */
    int state_bits;  /* bits of a look-back word */
    int finds_again; /* 1 if kernels compute a key's bucket again instead of keeping it */
} split;

/* ---- checks ------------------------------------------------------------------------------------------------- */

static int is_stored(const mcl__call *call, int output)
{
    return call->operands[output].output && !mcl__is_left_out(call->operands[output].output);
}

static mcl_status check(split *plan, int bucket_count)
{
    mcl__call *const call = &plan->call;
    MCL__TRY(mcl__call_check(call));
    if (bucket_count < 1 || bucket_count > BUCKETS_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "bucket_count is %d; expected 1 to %d", bucket_count, BUCKETS_MAX);
    call->scalars[BUCKET_COUNT] = bucket_count;
    call->room[OUT] = call->room[OUT_VALUES] = call->operands[KEYS].input->count;
    call->room[OFFSETS] = bucket_count + 1;
    call->room[COUNTS] = bucket_count;
    plan->moves = is_stored(call, OUT) || is_stored(call, OUT_VALUES);
    for (plan->digit_bits = 1; 1 << plan->digit_bits < bucket_count;) ++plan->digit_bits;
    return mcl__call_ready(call);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

static int64_t key_count(const mcl__call *call)
{
    return call->operands[KEYS].input->count;
}

/* Returns 1 where there are many buckets. Then other tuning rows are used, since many buckets need more work-group
 * memory. */
static int is_many(const split *plan)
{
    return plan->digit_bits > FEW_BITS;
}

/* Returns 1 where kernels compute a key's bucket again instead of keeping it. This costs less where the bucket is an
 * expression of the key alone, without tables or functions. It costs more for a search among splitters. It also costs
 * more for pairs with few buckets or with 64-bit indices, since values use the registers. */
static int finds_again(const split *plan, int index_bits)
{
    const mcl_op *const bucket = plan->call.operands[OPERATOR].op;
    if (plan->call.operands[SPLITTERS].input) return 0;
    const int has_registers = !is_stored(&plan->call, OUT_VALUES) || (is_many(plan) && index_bits == 32);
    return has_registers && is_stored(&plan->call, OUT) && !bucket->source && bucket->binding_count == 0 &&
           !mcl__text_names(bucket->expression, 'i');
}

static mcl__tile choose_tile(split *plan, int index_bits)
{
    static const mcl__operation operations[2][2] = {
        { MCL__OPERATION_multisplit, MCL__OPERATION_multisplit_pairs },
        { MCL__OPERATION_multisplit_many, MCL__OPERATION_multisplit_many_pairs },
    };
    mcl__call *const call = &plan->call;
    const size_t key = mcl__staged_bytes(call->types[MOVED]);
    const size_t value = is_stored(call, OUT_VALUES) ? mcl__staged_bytes(call->types[BESIDE]) : 0;
    const size_t wider = key > value ? key : value, digits = (size_t)1 << plan->digit_bits;
    const size_t kept = plan->finds_again ? 0 : sizeof(uint8_t);
    mcl__tile_need need = { .element_bytes = wider, .local_bytes_per_item = wider + kept };
    mcl__digits_need(&need, digits, digits, (size_t)index_bits / 8);
    return mcl__call_choose_tile(call, operations[is_many(plan)][call->has_values], need);
}

/* Returns the number of parts where tiles do not look back. A part is a tile; in the serial mapping there are a few
 * parts per core. */
static int64_t count_parts(const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int64_t tiles = mcl__call_tiles(call, key_count(call));
    const int64_t wanted = mcl__tuned_a_unit(context, MCL__PARAMETER_multisplit_parts_serial);
    if (!mcl__call_is_serial(call)) return tiles;
    return mcl__fold_parts(&context->limits, mcl__call_tile(call), tiles, wanted, 2);
}

/* Returns the number of work-items that a compute unit should run at once. Groups that move wide elements get all
 * registers. */
static int64_t resident(const split *plan)
{
    const mcl_context *const context = plan->call.queue->context;
    const int has_values = is_stored(&plan->call, OUT_VALUES);
    const size_t key = plan->call.types[MOVED]->size, value = has_values ? plan->call.types[BESIDE]->size : 0;
    if (key > WIDE_BYTES || value > WIDE_BYTES) return 1;
    /* A search among splitters needs as many registers as many buckets do. */
    const int has_room = is_many(plan) || plan->call.operands[SPLITTERS].input;
    return mcl__tuned(context, has_room ? MCL__PARAMETER_multisplit_resident_many : MCL__PARAMETER_multisplit_resident);
}

static mcl_status plan_split(split *plan)
{
    static const int64_t short_words = (int64_t)1 << (32 - STATE_STATUS_BITS);
    mcl__call *const call = &plan->call;
    const mcl__limits *const limits = &call->queue->context->limits;
    const int64_t count = key_count(call);
    const int index_bits = mcl__index_bits(count, call->options);
    plan->finds_again = finds_again(plan, index_bits);
    const mcl__tile tile = choose_tile(plan, index_bits);
    plan->looks_back = tile.threads > 1 && limits->look_back;
    plan->state_bits = index_bits == 32 && count < short_words ? 32 : 64;
    call->passes = plan->looks_back ? MCL__BIT(CLEAR) | MCL__BIT(COUNT) | MCL__BIT(STARTS) | MCL__BIT(SWEEP)
                                    : MCL__BIT(PARTS) | MCL__BIT(SPINE) | MCL__BIT(STARTS) | MCL__BIT(SCATTER);
    mcl__call_takes_local(call, DIGIT_COUNT_WORDS(1 << plan->digit_bits) * (int64_t)sizeof(uint32_t));
    mcl__call_define(call, "MULTISPLIT_LOOK_BACK", plan->looks_back);
    mcl__call_define(call, "DIGIT_BITS", plan->digit_bits);
    mcl__call_define(call, "STATE_BITS", plan->state_bits);
    mcl__call_define(call, "RESIDENT", (int)resident(plan));
    mcl__call_define(call, "BUCKETS_ANEW", plan->finds_again);
    MCL__TRY(mcl__call_program(call, tile, index_bits));
    call->scalars[PART_COUNT] = count_parts(call);
    return mcl__check_tiles(count, mcl__call_tile_size(call));
}

/* ---- scratch ------------------------------------------------------------------------------------------------ */

static size_t digit_count(const split *plan)
{
    return (size_t)1 << plan->digit_bits;
}

static size_t state_bytes(const split *plan)
{
    const size_t tiles = plan->moves ? (size_t)mcl__call_tiles(&plan->call, key_count(&plan->call)) : 0;
    return tiles * digit_count(plan) * (size_t)plan->state_bits / 8;
}

/* Asks for scratch. With look-back, one launch clears WORDS, which contains states, totals and a ticket. */
static void need_scratch(split *plan)
{
    mcl__call *const call = &plan->call;
    const size_t digits = digit_count(plan), totals = mcl__call_index_bytes(call, (int64_t)digits);
    mcl__call_scratch(call, BASES, totals);
    if (plan->looks_back) {
        mcl__call_scratch(call, WORDS, state_bytes(plan) + totals + sizeof(uint32_t));
        call->scalars[WORD_COUNT] = (int64_t)(call->scratch[WORDS].bytes / sizeof(uint32_t));
        return;
    }
    mcl__call_scratch(call, TABLE, (size_t)call->scalars[PART_COUNT] * totals);
    mcl__call_scratch(call, TOTALS, totals);
}

/* Assigns the arrays inside WORDS their memory, after the scratch is taken. */
static void share_words(split *plan)
{
    mcl__call *const call = &plan->call;
    mcl__span span = call->scratch[WORDS].span;
    mcl__call_scratch_at(call, STATE, span);
    span.offset += state_bytes(plan);
    mcl__call_scratch_at(call, TOTALS, span);
    span.offset += mcl__call_index_bytes(call, (int64_t)digit_count(plan));
    mcl__call_scratch_at(call, TICKETS, span);
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

/* Returns the number of groups that count. They fill the device only once, since the counts of all groups must be
 * added. A group has at most as many elements as its counters can count. */
static int64_t count_groups(const mcl__call *call)
{
    static const int64_t counted_most = (int64_t)1 << 31;
    const mcl_context *const context = call->queue->context;
    const int64_t filling =
        mcl__tuned_groups(context, MCL__PARAMETER_multisplit_count_work_items, mcl__call_tile(call).threads);
    const int64_t tiles = mcl__call_tiles(call, key_count(call)), least = mcl__divide_up(key_count(call), counted_most);
    const int64_t groups = filling < tiles ? filling : tiles;
    return groups > least ? groups : least;
}

static mcl_status launch_look_back(split *plan)
{
    mcl__call *const call = &plan->call;
    share_words(plan);
    MCL__TRY(mcl__call_launch_items(call, CLEAR, mcl__divide_up(call->scalars[WORD_COUNT], CLEARED_A_THREAD)));
    MCL__TRY(mcl__call_launch(call, COUNT, count_groups(call)));
    MCL__TRY(mcl__call_launch(call, STARTS, 1));
    return plan->moves ? mcl__call_launch_tiles(call, SWEEP, key_count(call)) : MCL_OK;
}

/* Returns the number of groups that scan counts: one per bucket. On CPUs a group has several buckets, since groups cost
 * much there and parts are few. */
static int64_t spine_groups(const split *plan)
{
    const mcl__call *const call = &plan->call;
    const mcl_context *const context = call->queue->context;
    const int64_t digits = (int64_t)digit_count(plan);
    const int64_t few = mcl__tuned_a_unit(context, MCL__PARAMETER_multisplit_spine_groups_serial);
    return !mcl__call_is_serial(call) || context->limits.loop_budget > 0 || few > digits ? digits : few;
}

static mcl_status launch_parts(split *plan)
{
    mcl__call *const call = &plan->call;
    MCL__TRY(mcl__call_launch(call, PARTS, call->scalars[PART_COUNT]));
    MCL__TRY(mcl__call_launch(call, SPINE, spine_groups(plan)));
    MCL__TRY(mcl__call_launch(call, STARTS, 1));
    return plan->moves ? mcl__call_launch(call, SCATTER, call->scalars[PART_COUNT]) : MCL_OK;
}

/* ---- the call ----------------------------------------------------------------------------------------------- */

static mcl_status split_run(split *plan, int bucket_count)
{
    MCL__TRY(check(plan, bucket_count));
    MCL__TRY(plan_split(plan));
    need_scratch(plan);
    MCL__TRY(mcl__call_begin(&plan->call));
    MCL__TRY(plan->looks_back ? launch_look_back(plan) : launch_parts(plan));
    return mcl__call_end(&plan->call);
}

/* The operands that every call has. values is NULL where there are only keys. */
typedef struct split_given {
    mcl_input *keys, *values;
    mcl_output *out, *out_values, *offsets, *counts;
} split_given;

static void split_init(split *plan, const char *function, mcl_queue *queue, const split_given *given,
                       const mcl_options *options)
{
    static const char *const alone[MCL__DECLARED_MAX] = { [KEYS] = "in" };
    mcl__call *const call = &plan->call;
    *plan = (split){ 0 };
    mcl__call_init(call, &multisplit, function, queue, options);
    call->operands[KEYS].input = given->keys;
    call->operands[OUT].output = given->out;
    call->operands[OFFSETS].output = given->offsets;
    call->operands[COUNTS].output = given->counts;
    call->has_values = given->values != NULL;
    if (call->has_values) {
        call->operands[VALUES].input = given->values;
        call->operands[OUT_VALUES].output = given->out_values;
    } else
        call->label = alone;
}

mcl_status mcl_multisplit(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_op *bucket, int bucket_count,
                          mcl_output offsets, mcl_output counts, const mcl_options *options)
{
    const split_given given = { .keys = &in, .out = &out, .offsets = &offsets, .counts = &counts };
    split plan;
    split_init(&plan, "mcl_multisplit", queue, &given, options);
    plan.call.operands[OPERATOR].op = bucket;
    return split_run(&plan, bucket_count);
}

mcl_status mcl_multisplit_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                mcl_output out_values, const mcl_op *bucket, int bucket_count, mcl_output offsets,
                                mcl_output counts, const mcl_options *options)
{
    const split_given given = { &keys, &values, &out_keys, &out_values, &offsets, &counts };
    split plan;
    split_init(&plan, "mcl_multisplit_pairs", queue, &given, options);
    plan.call.operands[OPERATOR].op = bucket;
    return split_run(&plan, bucket_count);
}

/* ---- by splitters ------------------------------------------------------------------------------------------- */

/* Runs a call by splitters. Count slots of splitters and positions are ignored. */
static mcl_status split_by_splitters(split *plan, mcl_input *splitters, mcl_input *positions, const mcl_op *before)
{
    mcl__call *const call = &plan->call;
    const int64_t count = splitters->count;
    call->own = ordered;
    call->operands[OPERATOR].op = before;
    call->operands[SPLITTERS].input = splitters;
    if (positions->type || positions->buffer || positions->expression) call->operands[POSITIONS].input = positions;
    splitters->count_slot = positions->count_slot = NULL;
    if (count < 0 || count >= BUCKETS_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "splitters has %lld elements; expected 0 to %d, one less than buckets",
                         (long long)count, BUCKETS_MAX - 1);
    return split_run(plan, (int)count + 1);
}

mcl_status mcl_multisplit_by_splitters(mcl_queue *queue, mcl_input in, mcl_output out, mcl_input splitters,
                                       mcl_input positions, const mcl_op *before, mcl_output offsets, mcl_output counts,
                                       const mcl_options *options)
{
    const split_given given = { .keys = &in, .out = &out, .offsets = &offsets, .counts = &counts };
    split plan;
    split_init(&plan, "mcl_multisplit_by_splitters", queue, &given, options);
    return split_by_splitters(&plan, &splitters, &positions, before);
}

mcl_status mcl_multisplit_by_splitters_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                             mcl_output out_values, mcl_input splitters, mcl_input positions,
                                             const mcl_op *before, mcl_output offsets, mcl_output counts,
                                             const mcl_options *options)
{
    const split_given given = { &keys, &values, &out_keys, &out_values, &offsets, &counts };
    split plan;
    split_init(&plan, "mcl_multisplit_by_splitters_pairs", queue, &given, options);
    return split_by_splitters(&plan, &splitters, &positions, before);
}
