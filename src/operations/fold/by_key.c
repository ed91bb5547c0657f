/* by_key.c: calls that fold or scan runs: mcl_reduce_by_key, mcl_scan_by_key, and those of segmented.c. Kernels:
 * cl/kernels/fold/by_key.cl.
 * Single pass: a group takes the next tile, publishes what it hands on and looks back for what comes before it. Two
 * passes by a tree over indices, whose sums do not depend on the tile (cl/pieces/tree/tree.clh): fold each tile, make
 * nodes of the tree above the tiles, then store each tile after the prefix that the nodes give. Calls take two passes
 * where bits must be the same, and where groups may not wait for each other. So do calls with an output that replaces
 * the values, where a group could not fold these again. */
#include "facts/runs.h"
#include "operations/fold/runs.h"

#include "moderncl/by_key.h"

#include <stdlib.h>

enum {
    VALUES = MCL__RUNS_VALUES,
    KEYS = MCL__RUNS_KEYS,
    FLAGS = MCL__RUNS_FLAGS,
    OFFSETS = MCL__RUNS_OFFSETS,
    BEGINS = MCL__RUNS_BEGINS,
    INDICES = MCL__RUNS_INDICES,
    OUT = MCL__RUNS_OUT,
    OP = MCL__RUNS_OP,
    EQUAL = MCL__RUNS_EQUAL,
    COUNT = MCL__RUNS_COUNT,
    OUT_KEYS = MCL__RUNS_OUT_KEYS
};
enum { KEY = 1 };                                     /* groups of types */
enum { CLEAR, TILES, FEW_TILES, FOLDS, SPINE, DOWN }; /* passes */
enum { NODES, PREFIXES };                             /* scratch: of the tree above the tiles */
enum { KEYS_CAPACITY, CAPACITY, BLOCK, BLOCK_TILES }; /* numbers */
enum { INITIAL };                                     /* values */
enum {
    SINGLE_PASS = MCL__BIT(CLEAR) | MCL__BIT(TILES) | MCL__BIT(FEW_TILES),
    TWO_PASSES = MCL__BIT(FOLDS) | MCL__BIT(SPINE) | MCL__BIT(DOWN)
};

#define INPUTS MCL__ENV, MCL__OF + VALUES, MCL__OF + KEYS, MCL__OF + FLAGS, MCL__OF + OFFSETS, MCL__OF + BEGINS
#define FOLDED_OUTPUT MCL__OF + OUT, MCL__LONG + CAPACITY, MCL__OF + COUNT, MCL__ASKED + COUNT

/* The three declarations differ in the words of their outputs. A reduction may leave out its output out. */
#define DECLARATION(reduces, ...)                                                                                      \
    {                                                                                                                  \
        .file = "kernels/fold/by_key.cl",                                                                              \
        .takes = MCL__TAKES_INITIAL,                                                                                   \
        .operands = { [VALUES] = { "values", .kind = MCL__INPUT, .said = "in", .as_many = KEYS },                      \
                      [KEYS] = { "by", .kind = MCL__INPUT, .said = "keys", .group = KEY },                             \
                      [FLAGS] = { "by", .kind = MCL__INPUT, .said = "segments", .types = MCL__FLAGS },                 \
                      [OFFSETS] = { "by", .kind = MCL__INPUT, .said = "segments", .types = MCL__INTEGERS,              \
                                    .offsets_of = VALUES },                                                            \
                      [BEGINS] = { "by", .kind = MCL__INPUT, .said = "segments", .types = MCL__INTEGERS,               \
                                   .offsets_of = VALUES },                                                             \
                      [INDICES] = { "segments", .kind = MCL__INPUT, .types = MCL__INTEGERS, .indices_of = VALUES,      \
                                    .unused = 1 },                                                                     \
                      [OUT] = { "out", .kind = MCL__OUTPUT, .fold = OP, .in_place = MCL__BIT(VALUES),                  \
                                .arrays_only = 1, .optional = (reduces) },                                             \
                      [OP] = { "sum", .kind = MCL__OPERATOR, .said = "op", .use = MCL_ROLE_FOLD, .of = VALUES },       \
                      [EQUAL] = { "same", .kind = MCL__OPERATOR, .said = "equal", .use = MCL_ROLE_EQUALITY,            \
                                  .of = KEYS, .optional = 1 },                                                         \
                      [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS },                                \
                      [OUT_KEYS] = { "out_keys", .kind = MCL__OUTPUT, .group = KEY, .optional = 1 } },                 \
        .pieces = { [NODES] = { "nodes", "fold_type" }, [PREFIXES] = { "prefixes", "fold_type" } },                    \
        .numbers = { "keys_capacity", "capacity", "block", "block_tiles" },                                            \
        .values = { [INITIAL] = { "initial", "sum_type" } },                                                           \
        .passes = { [CLEAR] = { MCL__LOOK_BACK_CLEAR },                                                                \
                    [TILES] = { "runs_tiles", .words = { INPUTS, __VA_ARGS__, MCL__STATES, MCL__VALUE + INITIAL } },   \
                    [FEW_TILES] = { "runs_few_tiles",                                                                  \
                                    .words = { INPUTS, __VA_ARGS__, MCL__STATES, MCL__VALUE + INITIAL } },             \
                    [FOLDS] = { "runs_nodes", .words = { INPUTS, MCL__PIECE + NODES, MCL__VALUE + INITIAL } },         \
                    [SPINE] = { "runs_spine",                                                                          \
                                .words = { INPUTS, MCL__PIECE + NODES, MCL__PIECE + PREFIXES, MCL__INDEX + BLOCK,      \
                                           MCL__INDEX + BLOCK_TILES, MCL__VALUE + INITIAL } },                         \
                    [DOWN] = { "runs_down",                                                                            \
                               .words = { INPUTS, __VA_ARGS__, MCL__PIECE + PREFIXES, MCL__VALUE + INITIAL } } },      \
    }

const mcl__declaration mcl__reduce_by_key =
    DECLARATION(1, MCL__OF + OUT_KEYS, MCL__LONG + KEYS_CAPACITY, FOLDED_OUTPUT);
const mcl__declaration mcl__reduce_by_flags = DECLARATION(1, FOLDED_OUTPUT);
const mcl__declaration mcl__scan_runs = DECLARATION(0, MCL__OF + OUT);

static int scans(const mcl__run *run)
{
    return run->declaration == &mcl__scan_runs;
}

/* The input that tells the kernels the heads. */
static const mcl_input *heads_of(const mcl__run *run)
{
    static const int tellers[] = { KEYS, FLAGS, OFFSETS, BEGINS };
    int k = 0;
    while (!run->given[tellers[k]].input) ++k;
    return run->given[tellers[k]].input;
}

/* RUNS_HEADS. */
static int heads_kind(const mcl__run *run)
{
    if (run->given[KEYS].input) return HEADS_KEYS;
    if (run->given[FLAGS].input) return HEADS_FLAGS;
    return run->given[OFFSETS].input ? HEADS_OFFSETS : HEADS_BEGINS;
}

static int64_t runs_elements(const mcl__run *run)
{
    return run->given[KEYS].input ? run->given[KEYS].input->count : run->given[VALUES].input->count;
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

static mcl_status check_heads(mcl__run *run)
{
    static const mcl_op same_number = { .role = MCL_ROLE_EQUALITY, .expression = "p == q" };
    const mcl_input *const keys = run->given[KEYS].input, *const flags = run->given[FLAGS].input;
    const int64_t words = mcl__divide_up(runs_elements(run), HEAD_FLAG_BITS);
    if (flags && flags->count < words)
        return mcl__fail(MCL_ERROR_ARGUMENT, "segments has %lld words; expected %lld for %lld elements",
                         (long long)flags->count, (long long)words, (long long)runs_elements(run));
    if (!keys || run->given[EQUAL].op) return MCL_OK;
    if (keys->type->kind == MCL_KIND_STRUCT)
        return mcl__fail(MCL_ERROR_ARGUMENT, "equal is NULL and keys is %s; expected an equality for a struct type",
                         keys->type->name);
    run->given[EQUAL].op = &same_number;
    return MCL_OK;
}

/* How many elements an output is sure to take. */
static int64_t runs_room(const mcl__run *run, int k)
{
    const mcl_output *const out = run->given[k].output;
    const int64_t elements = runs_elements(run);
    if (!out) return 0;
    return scans(run) || out->capacity > elements ? elements : out->capacity;
}

static mcl_status runs_check(mcl__run *run, mcl_scan_kind kind)
{
    MCL__TRY(mcl__run_check(run));
    if (kind != MCL_EXCLUSIVE && kind != MCL_INCLUSIVE)
        return mcl__fail(MCL_ERROR_ARGUMENT, "kind is %d; expected MCL_EXCLUSIVE or MCL_INCLUSIVE", (int)kind);
    MCL__TRY(check_heads(run));
    MCL__TRY(mcl__check_fold(run->given[OP].op, run->options, kind == MCL_EXCLUSIVE ? "an exclusive scan" : NULL));
    run->never_in_place = !scans(run);
    run->room[OUT] = runs_room(run, OUT);
    run->room[OUT_KEYS] = runs_room(run, OUT_KEYS);
    return mcl__run_ready(run);
}

/* ---- the program -------------------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* value: bytes of the operator's accumulator. hands_on: bytes of what a tile hands on. */
static mcl__tile runs_tile(mcl__run *run, size_t value, size_t hands_on, int looks_back)
{
    const int has_keys = run->given[KEYS].input != NULL;
    const size_t in = mcl__staged_bytes(run->given[VALUES].input->type);
    const size_t out = mcl__staged_bytes(run->given[OUT].output->type);
    const size_t key = has_keys ? mcl__staged_bytes(run->given[KEYS].input->type) : 0;
    const size_t widest = larger(larger(in, key), out);
    const size_t held = scans(run) ? widest : larger(widest, value) + sizeof(uint16_t);
    const mcl__tile_need need = {
        .element_bytes = larger(widest, value),
        .local_bytes_per_item = scans(run) && in != out ? held + out : held,
        .local_bytes_per_thread = looks_back ? 0 : hands_on,
        .local_bytes_fixed = (looks_back ? 36 : 40) * hands_on + key + 64,
        .lone_bytes_per_thread = hands_on,
    };
    const mcl__operation operation = !scans(run) ? MCL__OPERATION_reduce_by_key
                                     : has_keys  ? MCL__OPERATION_scan_by_key
                                                 : MCL__OPERATION_segmented_scan;
    const mcl__tile tile = mcl__run_choose_tile(run, operation, need);
    return looks_back ? tile : mcl__tree_tile(tile);
}

/* In status_words.clh a count of 32 bits stands beside the status. */
static size_t state_bytes(size_t value, size_t hands_on, int index_bits)
{
    return index_bits == 32 ? value : hands_on;
}

static mcl_status runs_program(mcl__run *run, mcl_scan_kind kind, int index_bits, size_t value, size_t hands_on)
{
    const mcl_context *const context = run->queue->context;
    const int by_tree = mcl__fold_by_tree(mcl__run_accumulator(run, OP), run->options);
    const int looks_back =
        context->limits.look_back && value <= MCL__LOOK_BACK_BYTES_MAX && !by_tree && !mcl__run_aliases(run);
    const int is_separate =
        mcl__staged_bytes(run->given[VALUES].input->type) != mcl__staged_bytes(run->given[OUT].output->type);
    const mcl__parameter resident =
        scans(run) ? MCL__PARAMETER_scan_by_key_resident_4 : MCL__PARAMETER_reduce_by_key_resident_4;
    run->passes = looks_back ? SINGLE_PASS : TWO_PASSES;
    mcl__run_initial(run, OP, INITIAL);
    mcl__run_define(run, "RUNS_LOOK_BACK", looks_back);
    mcl__run_define(run, "RUNS_HEADS", heads_kind(run));
    mcl__run_define(run, "RUNS_REDUCE", !scans(run));
    mcl__run_define(run, "RUNS_KEYS", run->declaration == &mcl__reduce_by_key);
    mcl__run_define(run, "RUNS_INCLUSIVE", scans(run) && kind == MCL_INCLUSIVE);
    mcl__run_define(run, "RUNS_SEPARATE", is_separate);
    mcl__run_define(run, "RUN_INITIAL", run->initial.given);
    mcl__run_define(run, "RESIDENT", (int)mcl__resident(context, resident, value, index_bits));
    mcl__run_keeps_folds(run, hands_on, state_bytes(value, hands_on, index_bits));
    return mcl__run_program(run, runs_tile(run, value, hands_on, looks_back), index_bits);
}

/* Finds the program and asks for its scratch. */
static mcl_status runs_plan(mcl__run *run, mcl_scan_kind kind)
{
    const int64_t count = runs_elements(run), head_count = heads_of(run)->count;
    const int index_bits = mcl__index_bits(head_count > count ? head_count : count, run->options);
    const size_t value = mcl__fold_bytes(mcl__run_accumulator(run, OP), run->given[VALUES].input->type, index_bits);
    const size_t hands_on = RUNS_FOLD_BYTES(value, (size_t)index_bits / 8);
    MCL__TRY(runs_program(run, kind, index_bits, value, hands_on));
    if (run->passes == SINGLE_PASS) return mcl__run_look_back(run, count, state_bytes(value, hands_on, index_bits));
    MCL__TRY(mcl__check_tiles(count, mcl__run_tile_size(run)));
    mcl__run_need(run, NODES, (size_t)(count / mcl__run_tile_size(run)) * hands_on);
    mcl__run_need(run, PREFIXES, (size_t)(count / mcl__run_tile_size(run) + 1) * hands_on);
    return MCL_OK;
}

/* ---- heads by indices --------------------------------------------------------------------------------------- */

/* Head indices become bits in scratch, which the kernels read as flags. */
typedef struct runs_heads {
    mcl__run part;
    mcl_segments segments;
    mcl_input words;
} runs_heads;

static mcl_status runs_plan_heads(mcl__run *run, runs_heads *heads)
{
    const mcl_input *const indices = run->given[INDICES].input;
    const int64_t elements = runs_elements(run);
    if (!heads) return MCL_OK;
    heads->segments = mcl_segments_from_indices(*indices);
    heads->words = mcl_from_buffer(MCL_UINT32, NULL, 0, mcl__head_words(elements));
    run->given[FLAGS].input = &heads->words;
    MCL__TRY(mcl__heads_plan(run->queue, &heads->segments, elements, run->options, &heads->part));
    mcl__run_need_part(run, &heads->part);
    return MCL_OK;
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static mcl_status runs_launch(mcl__run *run)
{
    const int64_t count = runs_elements(run), whole = count / mcl__run_tile_size(run);
    const int64_t block = mcl__run_tree_block(run, whole);
    run->numbers[CAPACITY] = run->given[OUT].output->capacity;
    if (run->given[OUT_KEYS].output) run->numbers[KEYS_CAPACITY] = run->given[OUT_KEYS].output->capacity;
    if (run->passes == SINGLE_PASS) {
        return mcl__run_launch_look_back(run, CLEAR, TILES, FEW_TILES, run->look_back.tiles);
    }
    if (whole > 0) MCL__TRY(mcl__run_launch(run, FOLDS, mcl__run_tree_groups(run, whole, 16)));
    run->numbers[BLOCK_TILES] = block;
    for (int64_t first = 0; first < whole; first += block) {
        run->numbers[BLOCK] = first;
        MCL__TRY(mcl__run_launch(run, SPINE, 1));
    }
    return mcl__run_launch(run, DOWN, mcl__run_tree_groups(run, mcl__run_tiles(run, count), 16));
}

/* The number of runs, which the host knows by now, fits the output. */
static mcl_status check_capacity(const mcl__run *run, int k)
{
    const mcl_output *const out = run->given[k].output;
    const mcl_result *const result = run->given[COUNT].result;
    if (!out || !result || !result->host || run->queue->preparing) return MCL_OK;
    const int64_t count = mcl__count_load(result->type, result->host);
    if (out->capacity == 0 || count <= out->capacity) return MCL_OK;
    return mcl__fail(MCL_ERROR_CAPACITY, "%s has capacity %lld; expected %lld or more, or 0 to leave it out",
                     mcl__run_name(run, k), (long long)out->capacity, (long long)count);
}

/* heads: of head indices, or NULL. */
static mcl_status runs_run(mcl__run *run, mcl_scan_kind kind, runs_heads *heads)
{
    MCL__TRY(runs_plan_heads(run, heads));
    MCL__TRY(runs_plan(run, kind));
    MCL__TRY(mcl__run_begin(run));
    if (heads) MCL__TRY(mcl__heads_launch(&heads->part, &heads->words));
    MCL__TRY(runs_launch(run));
    MCL__TRY(mcl__run_end(run));
    MCL__TRY(check_capacity(run, OUT_KEYS));
    return check_capacity(run, OUT);
}

mcl_status mcl__runs_call(mcl__run *run, mcl_scan_kind kind)
{
    runs_heads *heads = NULL;
    MCL__TRY(runs_check(run, kind));
    if (run->given[INDICES].input) MCL__TRY(mcl__plan_new(sizeof *heads, &heads));
    const mcl_status status = runs_run(run, kind, heads);
    free(heads);
    return status;
}

mcl_status mcl_reduce_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                             mcl_output out_values, const mcl_op *op, const mcl_op *equal, mcl_result count,
                             const mcl_options *options)
{
    static const char *const said[MCL__RUNS_OPERANDS] = { [VALUES] = "values", [OUT] = "out_values" };
    mcl__run run;
    mcl__runs_init(&run, &mcl__reduce_by_key, "mcl_reduce_by_key", queue, &values, &out_values, op, options);
    run.said = said;
    run.given[KEYS].input = &keys;
    run.given[EQUAL].op = equal;
    run.given[OUT_KEYS].output = &out_keys;
    run.given[COUNT].result = &count;
    return mcl__runs_call(&run, MCL_INCLUSIVE);
}

mcl_status mcl_scan_by_key(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out, const mcl_op *op,
                           const mcl_op *equal, mcl_scan_kind kind, const mcl_options *options)
{
    static const char *const said[MCL__RUNS_OPERANDS] = { [VALUES] = "values" };
    mcl__run run;
    mcl__runs_init(&run, &mcl__scan_runs, "mcl_scan_by_key", queue, &values, &out, op, options);
    run.said = said;
    run.given[KEYS].input = &keys;
    run.given[EQUAL].op = equal;
    return mcl__runs_call(&run, kind);
}
