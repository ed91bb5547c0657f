/* by_key.c: calls that fold or scan runs: mcl_reduce_by_key, mcl_scan_by_key, and calls of segmented.c. Kernels:
 * cl/kernels/fold/by_key.cl.
 *
 * In a single pass, a group takes the next tile and publishes its fold and its number of heads. It then looks back for
 * the folds and the numbers of earlier tiles.
 *
 * Two passes use a tree over indices, so that sums do not depend on the tile (cl/pieces/tree/tree.clh). The first
 * launch folds each tile. The second makes the nodes of the tree above the tiles. The last stores each tile, starting
 * from the prefix that the nodes give. Calls take two passes where bits must be the same, and where groups may not wait
 * for each other. Calls with an output that replaces the values take two passes too: a group could not fold these
 * values again. */
#include "facts/runs.h"
#include "operations/fold/runs.h"

#include "moderncl/by_key.h"

#include <stdlib.h>

/* Operands. Only calls with keys have EQUAL, only reductions have COUNT, and only reductions by key have OUT_KEYS. */
enum { VALUES = 1, KEYS, FLAGS, OFFSETS, BEGINS, INDICES, OUT, OP, EQUAL, COUNT, OUT_KEYS, OPERANDS };
enum { KEY = 1 };                                     /* groups of operands with one type */
enum { CLEAR, TILES, FEW_TILES, FOLDS, SPINE, DOWN }; /* passes */
enum { NODES, PREFIXES };                             /* scratch for the tree above the tiles */
enum { KEYS_CAPACITY, CAPACITY, BLOCK, BLOCK_TILES }; /* scalars */
enum { INITIAL };                                     /* by-value arguments */
enum {
    SINGLE_PASS = MCL__BIT(CLEAR) | MCL__BIT(TILES) | MCL__BIT(FEW_TILES),
    TWO_PASSES = MCL__BIT(FOLDS) | MCL__BIT(SPINE) | MCL__BIT(DOWN)
};

#define INPUTS MCL__ENVIRONMENT, OPERAND(VALUES), OPERAND(KEYS), OPERAND(FLAGS), OPERAND(OFFSETS), OPERAND(BEGINS)
#define KEY_OUTPUT OPERAND(OUT_KEYS), AS_LONG(KEYS_CAPACITY)
#define FOLDED_OUTPUT OPERAND(OUT), AS_LONG(CAPACITY), OPERAND(COUNT), HAS_RESULT(COUNT)
#define BY_LOOK_BACK MCL__STATES, BY_VALUE(INITIAL)
#define BY_PREFIX SCRATCH(PREFIXES), BY_VALUE(INITIAL)
#define NODES_ARGUMENTS { INPUTS, SCRATCH(NODES), BY_VALUE(INITIAL) }
#define SPINE_ARGUMENTS                                                                                                \
    { INPUTS, SCRATCH(NODES), SCRATCH(PREFIXES), AS_INDEX(BLOCK), AS_INDEX(BLOCK_TILES), BY_VALUE(INITIAL) }

/* The operands of all calls. A reduction may leave out the output out; a scan may not (scan_operands). */
static mcl__operands runs_operands = {
    [VALUES] = { "values", .kind = MCL__INPUT, .label = "in", .as_many = KEYS },
    [KEYS] = { "by", .kind = MCL__INPUT, .label = "keys", .group = KEY },
    [FLAGS] = { "by", .kind = MCL__INPUT, .label = "segments", .types = MCL__FLAGS },
    [OFFSETS] = { "by", .kind = MCL__INPUT, .label = "segments", .types = MCL__INTEGERS, .offsets_of = VALUES },
    [BEGINS] = { "by", .kind = MCL__INPUT, .label = "segments", .types = MCL__INTEGERS, .offsets_of = VALUES },
    [INDICES] = { "segments", .kind = MCL__INPUT, .types = MCL__INTEGERS, .indices_of = VALUES, .unused = 1 },
    [OUT] = { "out", .kind = MCL__OUTPUT, .fold = OP, .in_place = MCL__BIT(VALUES), .arrays_only = 1, .optional = 1 },
    [OP] = { "sum", .kind = MCL__OPERATOR, .label = "op", .use = MCL_ROLE_FOLD, .of = VALUES },
    [EQUAL] = { "same", .kind = MCL__OPERATOR, .label = "equal", .use = MCL_ROLE_EQUALITY, .of = KEYS, .optional = 1 },
    [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS },
    [OUT_KEYS] = { "out_keys", .kind = MCL__OUTPUT, .group = KEY, .optional = 1 },
};
static mcl__operands scan_operands = {
    [OUT] = { "out", .kind = MCL__OUTPUT, .fold = OP, .combined = 1, .in_place = MCL__BIT(VALUES), .arrays_only = 1 },
};

/* The three declarations differ only in the arguments for their outputs. */
static const mcl__declaration reduce_by_key = {
    .file = "kernels/fold/by_key.cl",
    .takes = MCL__TAKES_INITIAL,
    .operands = runs_operands,
    .scratch = { [NODES] = { "nodes", "fold_type" }, [PREFIXES] = { "prefixes", "fold_type" } },
    .scalars = { "keys_capacity", "capacity", "block", "block_tiles" },
    .by_value = { [INITIAL] = { "initial", "sum_type" } },
    .passes =
        (mcl__passes){
            [CLEAR] = { MCL__LOOK_BACK_CLEAR },
            [TILES] = { "runs_tiles", .arguments = { INPUTS, KEY_OUTPUT, FOLDED_OUTPUT, BY_LOOK_BACK } },
            [FEW_TILES] = { "runs_few_tiles", .arguments = { INPUTS, KEY_OUTPUT, FOLDED_OUTPUT, BY_LOOK_BACK } },
            [FOLDS] = { "runs_nodes", .arguments = NODES_ARGUMENTS },
            [SPINE] = { "runs_spine", .arguments = SPINE_ARGUMENTS },
            [DOWN] = { "runs_down", .arguments = { INPUTS, KEY_OUTPUT, FOLDED_OUTPUT, BY_PREFIX } },
        },
};
const mcl__declaration mcl__reduce_by_flags = {
    .file = "kernels/fold/by_key.cl",
    .takes = MCL__TAKES_INITIAL,
    .operands = runs_operands,
    .scratch = { [NODES] = { "nodes", "fold_type" }, [PREFIXES] = { "prefixes", "fold_type" } },
    .scalars = { "keys_capacity", "capacity", "block", "block_tiles" },
    .by_value = { [INITIAL] = { "initial", "sum_type" } },
    .passes =
        (mcl__passes){
            [CLEAR] = { MCL__LOOK_BACK_CLEAR },
            [TILES] = { "runs_tiles", .arguments = { INPUTS, FOLDED_OUTPUT, BY_LOOK_BACK } },
            [FEW_TILES] = { "runs_few_tiles", .arguments = { INPUTS, FOLDED_OUTPUT, BY_LOOK_BACK } },
            [FOLDS] = { "runs_nodes", .arguments = NODES_ARGUMENTS },
            [SPINE] = { "runs_spine", .arguments = SPINE_ARGUMENTS },
            [DOWN] = { "runs_down", .arguments = { INPUTS, FOLDED_OUTPUT, BY_PREFIX } },
        },
};
const mcl__declaration mcl__scan_runs = {
    .file = "kernels/fold/by_key.cl",
    .takes = MCL__TAKES_INITIAL,
    .operands = runs_operands,
    .scratch = { [NODES] = { "nodes", "fold_type" }, [PREFIXES] = { "prefixes", "fold_type" } },
    .scalars = { "keys_capacity", "capacity", "block", "block_tiles" },
    .by_value = { [INITIAL] = { "initial", "sum_type" } },
    .passes =
        (mcl__passes){
            [CLEAR] = { MCL__LOOK_BACK_CLEAR },
            [TILES] = { "runs_tiles", .arguments = { INPUTS, OPERAND(OUT), BY_LOOK_BACK } },
            [FEW_TILES] = { "runs_few_tiles", .arguments = { INPUTS, OPERAND(OUT), BY_LOOK_BACK } },
            [FOLDS] = { "runs_nodes", .arguments = NODES_ARGUMENTS },
            [SPINE] = { "runs_spine", .arguments = SPINE_ARGUMENTS },
            [DOWN] = { "runs_down", .arguments = { INPUTS, OPERAND(OUT), BY_PREFIX } },
        },
};

static int scans(const mcl__call *call)
{
    return call->declaration == &mcl__scan_runs;
}

/* Returns the input from which kernels find the heads. */
static const mcl_input *heads_of(const mcl__call *call)
{
    static const int tellers[] = { KEYS, FLAGS, OFFSETS, BEGINS };
    int k = 0;
    while (!call->operands[tellers[k]].input) ++k;
    return call->operands[tellers[k]].input;
}

/* Returns the value of RUNS_HEADS (facts/runs.h) for the call. */
static int heads_kind(const mcl__call *call)
{
    if (call->operands[KEYS].input) return HEADS_KEYS;
    if (call->operands[FLAGS].input) return HEADS_FLAGS;
    return call->operands[OFFSETS].input ? HEADS_OFFSETS : HEADS_BEGINS;
}

static int64_t runs_elements(const mcl__call *call)
{
    return call->operands[KEYS].input ? call->operands[KEYS].input->count : call->operands[VALUES].input->count;
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

static mcl_status check_heads(mcl__call *call)
{
    static const mcl_op same_number = { .role = MCL_ROLE_EQUALITY, .expression = "p == q" };
    const mcl_input *const keys = call->operands[KEYS].input, *const flags = call->operands[FLAGS].input;
    const int64_t words = mcl__divide_up(runs_elements(call), HEAD_FLAG_BITS);
    if (flags && flags->count < words)
        return mcl__fail(MCL_ERROR_ARGUMENT, "segments has %lld words; expected %lld for %lld elements",
                         (long long)flags->count, (long long)words, (long long)runs_elements(call));
    if (!keys || call->operands[EQUAL].op) return MCL_OK;
    if (keys->type->kind == MCL_KIND_STRUCT)
        return mcl__fail(MCL_ERROR_ARGUMENT, "equal is NULL and keys is %s; expected an equality for a struct type",
                         keys->type->name);
    call->operands[EQUAL].op = &same_number;
    return MCL_OK;
}

/* Returns the most elements that the call stores in output k. */
static int64_t runs_room(const mcl__call *call, int k)
{
    const mcl_output *const out = call->operands[k].output;
    const int64_t elements = runs_elements(call);
    if (!out) return 0;
    return scans(call) || out->capacity > elements ? elements : out->capacity;
}

static mcl_status runs_check(mcl__call *call, mcl_scan_kind kind)
{
    MCL__TRY(mcl__call_check(call));
    if (kind != MCL_EXCLUSIVE && kind != MCL_INCLUSIVE)
        return mcl__fail(MCL_ERROR_ARGUMENT, "kind is %d; expected MCL_EXCLUSIVE or MCL_INCLUSIVE", (int)kind);
    MCL__TRY(check_heads(call));
    MCL__TRY(mcl__check_fold(call->operands[OP].op, call->options, kind == MCL_EXCLUSIVE ? "an exclusive scan" : NULL));
    call->never_in_place = !scans(call);
    call->room[OUT] = runs_room(call, OUT);
    call->room[OUT_KEYS] = runs_room(call, OUT_KEYS);
    return mcl__call_ready(call);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Chooses the tile. value: bytes of the operator's accumulator. hands_on: bytes that a tile passes to later tiles. */
static mcl__tile runs_tile(mcl__call *call, size_t value, size_t hands_on, int looks_back)
{
    const int has_keys = call->operands[KEYS].input != NULL;
    const size_t in = mcl__staged_bytes(call->operands[VALUES].input->type);
    const size_t out = mcl__staged_bytes(call->operands[OUT].output->type);
    const size_t key = has_keys ? mcl__staged_bytes(call->operands[KEYS].input->type) : 0;
    const size_t widest = larger(larger(in, key), out);
    const size_t held = scans(call) ? widest : larger(widest, value) + sizeof(uint16_t);
    const mcl__tile_need need = {
        .element_bytes = larger(widest, value),
        .local_bytes_per_item = scans(call) && in != out ? held + out : held,
        .local_bytes_per_thread = looks_back ? 0 : hands_on,
        .local_bytes_fixed = (looks_back ? 36 : 40) * hands_on + key + 64,
        .lone_bytes_per_thread = hands_on,
    };
    const mcl__operation operation = !scans(call) ? MCL__OPERATION_reduce_by_key
                                     : has_keys   ? MCL__OPERATION_scan_by_key
                                                  : MCL__OPERATION_segmented_scan;
    const mcl__tile tile = mcl__call_choose_tile(call, operation, need);
    return looks_back ? tile : mcl__tree_tile(tile);
}

/* Returns the bytes of a tile's published state, without its tags. A 32-bit count takes no bytes of it: the count is in
 * the tags, together with the status (status_words.clh). */
static size_t state_bytes(size_t value, size_t hands_on, int index_bits)
{
    return index_bits == 32 ? value : hands_on;
}

static mcl_status runs_program(mcl__call *call, mcl_scan_kind kind, int index_bits, size_t value, size_t hands_on)
{
    const mcl_context *const context = call->queue->context;
    const int by_tree = mcl__call_by_tree(call, OP);
    const int looks_back =
        context->limits.look_back && value <= MCL__LOOK_BACK_BYTES_MAX && !by_tree && !mcl__call_aliases(call);
    const int is_separate =
        mcl__staged_bytes(call->operands[VALUES].input->type) != mcl__staged_bytes(call->operands[OUT].output->type);
    const mcl__parameter resident =
        scans(call) ? MCL__PARAMETER_scan_by_key_resident_4 : MCL__PARAMETER_reduce_by_key_resident_4;
    call->passes = looks_back ? SINGLE_PASS : TWO_PASSES;
    mcl__call_initial(call, OP, INITIAL);
    mcl__call_define(call, "RUNS_LOOK_BACK", looks_back);
    mcl__call_define(call, "RUNS_HEADS", heads_kind(call));
    mcl__call_define(call, "RUNS_REDUCE", !scans(call));
    mcl__call_define(call, "RUNS_KEYS", call->declaration == &reduce_by_key);
    mcl__call_define(call, "RUNS_INCLUSIVE", scans(call) && kind == MCL_INCLUSIVE);
    mcl__call_define(call, "RUNS_SEPARATE", is_separate);
    mcl__call_define(call, "RUN_INITIAL", call->initial.given);
    mcl__call_define(call, "RESIDENT", (int)mcl__resident(context, resident, value, index_bits));
    mcl__call_keeps_folds(call, hands_on, state_bytes(value, hands_on, index_bits));
    return mcl__call_program(call, runs_tile(call, value, hands_on, looks_back), index_bits);
}

/* Finds the program and asks for its scratch. */
static mcl_status runs_plan(mcl__call *call, mcl_scan_kind kind)
{
    const int64_t count = runs_elements(call), head_count = heads_of(call)->count;
    const int index_bits = mcl__index_bits(head_count > count ? head_count : count, call->options);
    const size_t value =
        mcl__fold_bytes(mcl__call_accumulator(call, OP), call->operands[VALUES].input->type, index_bits);
    const size_t hands_on = RUNS_FOLD_BYTES(value, (size_t)index_bits / 8);
    MCL__TRY(runs_program(call, kind, index_bits, value, hands_on));
    if (call->passes == SINGLE_PASS) return mcl__call_look_back(call, count, state_bytes(value, hands_on, index_bits));
    MCL__TRY(mcl__check_tiles(count, mcl__call_tile_size(call)));
    mcl__call_scratch(call, NODES, (size_t)(count / mcl__call_tile_size(call)) * hands_on);
    mcl__call_scratch(call, PREFIXES, (size_t)(count / mcl__call_tile_size(call) + 1) * hands_on);
    return MCL_OK;
}

/* ---- heads by indices --------------------------------------------------------------------------------------- */

/* The part of a call that makes head bits from the head indices, in scratch. The kernels read these bits as flags. */
typedef struct runs_heads {
    mcl__call part;
    mcl_segments segments;
    mcl_input words;
} runs_heads;

static mcl_status runs_plan_heads(mcl__call *call, runs_heads *heads)
{
    const mcl_input *const indices = call->operands[INDICES].input;
    const int64_t elements = runs_elements(call);
    if (!heads) return MCL_OK;
    heads->segments = mcl_segments_from_indices(*indices);
    heads->words = mcl_from_buffer(MCL_UINT32, NULL, 0, mcl__head_words(elements));
    call->operands[FLAGS].input = &heads->words;
    MCL__TRY(mcl__heads_plan(call->queue, &heads->segments, elements, call->options, &heads->part));
    mcl__call_scratch_of_part(call, &heads->part);
    return MCL_OK;
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static mcl_status runs_launch(mcl__call *call)
{
    const int64_t count = runs_elements(call), whole = count / mcl__call_tile_size(call);
    const int64_t block = mcl__call_tree_block(call, whole);
    call->scalars[CAPACITY] = call->operands[OUT].output->capacity;
    if (call->operands[OUT_KEYS].output) call->scalars[KEYS_CAPACITY] = call->operands[OUT_KEYS].output->capacity;
    if (call->passes == SINGLE_PASS) {
        return mcl__call_launch_look_back(call, CLEAR, TILES, FEW_TILES, call->look_back.tiles);
    }
    if (whole > 0) MCL__TRY(mcl__call_launch(call, FOLDS, mcl__call_tree_groups(call, whole, 16)));
    call->scalars[BLOCK_TILES] = block;
    for (int64_t first = 0; first < whole; first += block) {
        call->scalars[BLOCK] = first;
        MCL__TRY(mcl__call_launch(call, SPINE, 1));
    }
    return mcl__call_launch(call, DOWN, mcl__call_tree_groups(call, mcl__call_tiles(call, count), 16));
}

/* Checks that the output has room for all runs. The host knows their number by now. */
static mcl_status check_capacity(const mcl__call *call, int k)
{
    const mcl_output *const out = call->operands[k].output;
    const mcl_result *const result = call->operands[COUNT].result;
    if (!out || !result || !result->host || call->queue->preparing) return MCL_OK;
    const int64_t count = mcl__count_load(result->type, result->host);
    if (out->capacity == 0 || count <= out->capacity) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY, "%s has capacity %lld; expected %lld or more, or 0 to leave it out",
                     mcl__call_name(call, k), (long long)out->capacity, (long long)count);
}

/* Runs a checked call. heads is the part for head indices, or NULL where heads are given in another form. */
static mcl_status runs_run(mcl__call *call, mcl_scan_kind kind, runs_heads *heads)
{
    MCL__TRY(runs_plan_heads(call, heads));
    MCL__TRY(runs_plan(call, kind));
    MCL__TRY(mcl__call_begin(call));
    if (heads) MCL__TRY(mcl__heads_launch(&heads->part, &heads->words));
    MCL__TRY(runs_launch(call));
    MCL__TRY(mcl__call_end(call));
    MCL__TRY(check_capacity(call, OUT_KEYS));
    return check_capacity(call, OUT);
}

void mcl__runs_init(mcl__call *call, const mcl__declaration *declaration, const char *function, mcl_queue *queue,
                    mcl_input *values, mcl_output *out, const mcl_op *op, const mcl_options *options)
{
    mcl__call_init(call, declaration, function, queue, options);
    if (scans(call)) call->own = scan_operands;
    call->operands[VALUES].input = values;
    call->operands[OUT].output = out;
    call->operands[OP].op = op;
}

void mcl__runs_by(mcl__call *call, mcl_segments *segments, const mcl_result *count)
{
    static const int operands[] = { [MCL_SEGMENT_OFFSETS] = OFFSETS,
                                    [MCL_SEGMENT_BEGINS] = BEGINS,
                                    [MCL_SEGMENT_INDICES] = INDICES,
                                    [MCL_SEGMENT_FLAGS] = FLAGS };
    call->operands[operands[segments->kind]].input = &segments->input;
    call->operands[COUNT].result = count;
}

mcl_status mcl__runs_call(mcl__call *call, mcl_scan_kind kind)
{
    runs_heads *heads = NULL;
    MCL__TRY(runs_check(call, kind));
    if (call->operands[INDICES].input) MCL__TRY(mcl__plan_new(sizeof *heads, &heads));
    const mcl_status status = runs_run(call, kind, heads);
    free(heads);
    return status;
}

mcl_status mcl_reduce_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                             mcl_output out_values, const mcl_op *op, const mcl_op *equal, mcl_result count,
                             const mcl_options *options)
{
    static const char *const label[OPERANDS] = { [VALUES] = "values", [OUT] = "out_values" };
    mcl__call call;
    mcl__runs_init(&call, &reduce_by_key, "mcl_reduce_by_key", queue, &values, &out_values, op, options);
    call.label = label;
    call.operands[KEYS].input = &keys;
    call.operands[EQUAL].op = equal;
    call.operands[OUT_KEYS].output = &out_keys;
    call.operands[COUNT].result = &count;
    return mcl__runs_call(&call, MCL_INCLUSIVE);
}

mcl_status mcl_scan_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out, const mcl_op *op,
                           const mcl_op *equal, mcl_scan_kind kind, const mcl_options *options)
{
    static const char *const label[OPERANDS] = { [VALUES] = "values" };
    mcl__call call;
    mcl__runs_init(&call, &mcl__scan_runs, "mcl_scan_by_key", queue, &values, &out, op, options);
    call.label = label;
    call.operands[KEYS].input = &keys;
    call.operands[EQUAL].op = equal;
    return mcl__runs_call(&call, kind);
}
