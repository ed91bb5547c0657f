/* selection.c: common steps of all selections, and selection by rounds. Kernels: cl/kernels/top_k/top_k.cl. Candidates
 * are the elements that may still be among the wanted ones. Each round has two launches. The first chooses two pivots
 * from a sample, and the second keeps the candidates between the pivots. The last launch sorts the few remaining
 * candidates. The host plans the number of rounds from its counts. The last launch does further rounds if they are
 * needed. */
#include "operations/top_k/selection.h"
#include "operations/top_k/top_k_operands.h"

enum { KEY = 1, VALUE };                                                        /* groups of operands with one type */
enum { PIVOTS, SPLIT, FINISH, COLLECT, FILL };                                  /* passes */
enum { STATE, PIVOTS_FOUND, LEVEL_KEYS, LEVEL_INDICES, SUMS, CURSORS, SAMPLE }; /* scratch */
enum { WANTED, LIMIT, EMITS, COLLECTS, ROUND, PARTS, IS_LAST };                 /* scalars */

#define SOURCE_ARGUMENTS                                                                                               \
    MCL__ENVIRONMENT, OPERAND(IN), SCRATCH(STATE), SCRATCH(PIVOTS_FOUND), SCRATCH(LEVEL_KEYS), SCRATCH(LEVEL_INDICES), \
        SCRATCH(SUMS), SCRATCH(CURSORS), AS_INT(ROUND)
#define ROUND_ARGUMENTS                                                                                                \
    SCRATCH(SAMPLE), OPERAND(AMOUNTS), AS_INDEX(WANTED), AS_INDEX(LIMIT), AS_INT(EMITS), AS_INT(COLLECTS),             \
        AS_INT(PARTS), AS_INT(IS_LAST)
#define OUTPUT_ARGUMENTS OPERAND(IN_VALUES), OPERAND(OUT), OPERAND(OUT_VALUES), OPERAND(OUT_INDICES)
#define RESULT_ARGUMENTS OPERAND(RESULT), HAS_RESULT(RESULT), OPERAND(CHOSEN), HAS_RESULT(CHOSEN)

mcl__operands mcl__top_k_operands = {
    [IN] = { "in", .kind = MCL__INPUT, .label = "keys", .group = KEY },
    [IN_VALUES] = { "in_values", .kind = MCL__INPUT, .label = "values", .group = VALUE, .as_many = IN },
    [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = IN },
    [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEY },
    [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUE },
    [OUT_INDICES] = { "out_indices", .kind = MCL__OUTPUT, .label = "out", .types = MCL__INDICES, .indexes = IN },
    [RESULT] = { "result", .kind = MCL__RESULT, .group = KEY },
    [CHOSEN] = { "chosen", .kind = MCL__RESULT, .label = "count", .types = MCL__COUNTS },
    [AMOUNTS] = { "amounts", .kind = MCL__INPUT, .label = "k", .types = MCL__COUNTS },
    [ORDER] = { "order", .kind = MCL__INPUT },
};

const mcl__declaration mcl__selection = {
    .file = "kernels/top_k/top_k.cl",
    .of_steps = 1,
    .operands = mcl__top_k_operands,
    .scratch = { [STATE] = { "state", "top_k_state" },
                 [PIVOTS_FOUND] = { "pivots", "key_type" },
                 [LEVEL_KEYS] = { "level_keys", "level_key" },
                 [LEVEL_INDICES] = { "level_indices", "index_type" },
                 [SUMS] = { "sums", "index_type" },
                 [CURSORS] = { "cursors", "uint" },
                 [SAMPLE] = { "sample", "key_type" } },
    .scalars = { [WANTED] = "wanted",
                 [LIMIT] = "limit",
                 [EMITS] = "emits",
                 [COLLECTS] = "collects",
                 [ROUND] = "round",
                 [PARTS] = "parts",
                 [IS_LAST] = "is_last" },
    .passes =
        (mcl__passes){
            [PIVOTS] = { "top_k_pivots", .arguments = { SOURCE_ARGUMENTS, ROUND_ARGUMENTS } },
            [SPLIT] = { "top_k_split", .arguments = { SOURCE_ARGUMENTS, OUTPUT_ARGUMENTS } },
            [FINISH] = { "top_k_finish",
                         .arguments = { SOURCE_ARGUMENTS, ROUND_ARGUMENTS, OUTPUT_ARGUMENTS, RESULT_ARGUMENTS } },
            [COLLECT] = { "top_k_collect", .arguments = { SOURCE_ARGUMENTS, OUTPUT_ARGUMENTS } },
            [FILL] = { "top_k_fill", .arguments = { SOURCE_ARGUMENTS, OUTPUT_ARGUMENTS } },
        },
};

/* ---- the program -------------------------------------------------------------------------------------------- */

/* The number of elements that one work-item sorts in the serial mapping. */
enum { SERIAL_BLOCK = 2048 };
/* The least elements that a work-group sorts, since it chooses pivots from them, and the most elements per
 * work-item. */
enum { BLOCK_LEAST = 64, ITEMS_MAX = 31 };

static int is_rank(const mcl__call *call)
{
    return call->operands[RESULT].result != NULL;
}

static int index_bits(const mcl__call *call)
{
    return mcl__index_bits(call->operands[IN].input->count, call->options);
}

int mcl__top_k_image(const mcl__call *call, const mcl_op *before, int index_bits)
{
    static const int images[] = { [MCL_KIND_UNSIGNED] = KEY_IMAGE_UNSIGNED,
                                  [MCL_KIND_SIGNED] = KEY_IMAGE_SIGNED,
                                  [MCL_KIND_FLOAT] = KEY_IMAGE_FLOAT };
    const mcl_type *const type = call->operands[IN].input->type;
    const int is_built_in = type->kind != MCL_KIND_STRUCT;
    const int packs = is_built_in && type->size == sizeof(uint32_t) && index_bits == 32;
    if (!packs || !(mcl__same_op(before, MCL_GREATER) || mcl__same_op(before, MCL_LESS))) return KEY_IMAGE_NONE;
    return images[type->kind];
}

void mcl__top_k_define_image(mcl__call *call, const mcl_op *before, int index_bits)
{
    mcl__call_define(call, "KEY_IMAGE", mcl__top_k_image(call, before, index_bits));
    mcl__call_define(call, "KEY_DESCENDING", mcl__same_op(before, MCL_GREATER));
}

size_t mcl__top_k_ranked_bytes(const mcl_type *key, int index_bits)
{
    return TOP_K_RANKED_BYTES(mcl__staged_bytes(key), (size_t)index_bits / 8);
}

size_t mcl__top_k_state_bytes(const mcl_type *key, int index_bits)
{
    return TOP_K_STATE_BYTES + TOP_K_MARKS * mcl__top_k_ranked_bytes(key, index_bits);
}

mcl__tile mcl__top_k_tile(mcl__call *call, int index_bits)
{
    const mcl_type *const type = call->operands[IN].input->type;
    const size_t ranked = mcl__top_k_ranked_bytes(type, index_bits), index = (size_t)index_bits / 8;
    const mcl__tile_need need = {
        .element_bytes = type->size,
        .local_bytes_per_item = ranked,
        .local_bytes_per_thread = 2 * index,
        .local_bytes_fixed = 33 * ranked + mcl__top_k_state_bytes(type, index_bits) + 160 * sizeof(uint32_t),
        .lone_bytes_per_item = sizeof(uint32_t),
        .lone_bytes_per_thread = sizeof(uint32_t),
    };
    mcl__tile tile = mcl__call_choose_tile(call, MCL__OPERATION_top_k, need);
    /* llvmpipe, the only driver that ends long loops, runs barriers wrongly in nested loops that both have barriers. */
    if (call->queue->context->limits.loop_budget > 0) tile = (mcl__tile){ 1, tile.threads * tile.items };
    while (tile.threads > 1 && tile.items < ITEMS_MAX && mcl__tile_size(tile) < BLOCK_LEAST) ++tile.items;
    call->spec.local_bytes = mcl__tile_bytes(&call->queue->context->limits, need, tile);
    return tile;
}

int64_t mcl__top_k_block(mcl__tile tile)
{
    return tile.threads == 1 ? SERIAL_BLOCK : mcl__tile_size(tile);
}

int64_t mcl__top_k_room(int64_t count, int64_t block, int64_t least)
{
    int64_t all = 0;
    for (int64_t room = count; room > block;) {
        room /= TOP_K_SHRINK;
        all += TOP_K_LEVEL_ROOM(room, least);
    }
    return all;
}

/* Returns 1 where groups count the ranks in a sample, each rank once (counted_rank.clh). Otherwise one group sorts the
 * sample. */
static int counts_ranks(const mcl__call *call, mcl__tile tile)
{
    const mcl_context *const context = call->queue->context;
    const int is_image = mcl__top_k_image(call, call->operands[BEFORE].op, index_bits(call)) != KEY_IMAGE_NONE;
    return tile.threads > 1 && is_image && !call->operands[IN].input->expression &&
           context->limits.compute_units >= mcl__tuned(context, MCL__PARAMETER_top_k_counting_units);
}

static mcl_status find_program(mcl__call *call)
{
    const mcl__tile tile = mcl__top_k_tile(call, index_bits(call));
    call->passes = MCL__BIT(PIVOTS) | MCL__BIT(SPLIT) | MCL__BIT(FINISH);
    if (!is_rank(call)) call->passes |= MCL__BIT(COLLECT) | MCL__BIT(FILL);
    call->without = MCL__BIT(tile.threads == 1 ? PIVOTS_FOUND : SAMPLE);
    mcl__call_define(call, "BLOCK_SIZE", (int)mcl__top_k_block(tile));
    mcl__call_define(call, "TOP_K_RANK", is_rank(call));
    mcl__call_define(call, "COUNTS_RANKS", counts_ranks(call, tile));
    mcl__top_k_define_image(call, call->operands[BEFORE].op, index_bits(call));
    return mcl__call_program(call, tile, index_bits(call));
}

/* ---- the plan ----------------------------------------------------------------------------------------------- */

/* The plan of a selection. Rounds are launched for the expected number of candidates. */
enum { ROUNDS_MAX = 12 };
typedef struct plan {
    mcl__tile tile;
    int rounds;
    int64_t block, room; /* elements of a block, and room of all levels */
    int64_t wanted;
    int64_t left; /* expected number of candidates after the rounds */
} plan;

/* Returns the distance of pivots from the wanted rank in a sample (top_k_state.clh). */
static int64_t reach_of(int64_t rank, int64_t sample)
{
    int64_t reach = 0;
    while (reach * reach < 16 * (rank * (sample - rank) / sample)) reach += 4;
    reach += 4;
    return reach < sample / 8 + 1 ? reach : sample / 8 + 1;
}

/* Returns the number of candidates to plan for after a round that begins with count candidates: a fifth more than
 * expected. */
static int64_t expected(const mcl__call *call, const plan *made, int64_t count)
{
    const int emits = (int)call->scalars[EMITS];
    const int64_t block = made->block, middle = block / 2;
    const int64_t rank = emits ? (int64_t)((double)block * (double)made->wanted / (double)count) : middle;
    const double share = (double)(emits ? rank + reach_of(rank, block) : 2 * reach_of(middle, block)) / (double)block;
    const int64_t left = (int64_t)((double)count * share * 1.2);
    return left < count ? left : count;
}

static plan make_plan(mcl__call *call, int64_t wanted)
{
    const mcl__tile tile = mcl__call_tile(call);
    const int64_t count = call->operands[IN].input->count;
    plan made = { .tile = tile, .block = mcl__top_k_block(tile), .wanted = wanted, .left = count };
    const int emits = !is_rank(call) && wanted <= made.block / 2;
    call->scalars[EMITS] = emits;
    call->scalars[COLLECTS] = !is_rank(call) && !emits;
    for (; made.left > made.block && made.rounds < ROUNDS_MAX; ++made.rounds)
        made.left = expected(call, &made, made.left);
    made.room = mcl__top_k_room(count, made.block, made.block);
    return made;
}

static int64_t parts_of(const mcl__call *call, int64_t count)
{
    return mcl__call_parts(call, mcl__call_tiles(call, count), 8);
}

static void need_scratch(mcl__call *call, const plan *made)
{
    const mcl_type *const type = call->operands[IN].input->type;
    const int64_t parts = parts_of(call, call->operands[IN].input->count);
    const size_t ranked = mcl__top_k_ranked_bytes(type, index_bits(call));
    const int is_serial = mcl__call_is_serial(call), copies = is_serial ? 1 : 2;
    mcl__call_scratch(call, STATE, (size_t)copies * mcl__top_k_state_bytes(type, index_bits(call)));
    mcl__call_scratch(call, LEVEL_KEYS, (size_t)made->room * mcl__staged_bytes(type));
    mcl__call_scratch(call, LEVEL_INDICES, mcl__call_index_bytes(call, made->room));
    mcl__call_scratch(call, SUMS, mcl__call_index_bytes(call, 2 * (parts + 1)));
    mcl__call_scratch(call, CURSORS, TOP_K_CURSORS * sizeof(uint32_t));
    if (is_serial)
        mcl__call_scratch(call, SAMPLE, 2 * SERIAL_BLOCK * ranked);
    else
        mcl__call_scratch(call, PIVOTS_FOUND, (size_t)copies * 2 * ranked);
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

/* Returns the number of groups that choose pivots. */
static int64_t pivot_groups(const mcl__call *call, const plan *made)
{
    const int64_t groups = mcl__divide_up(made->block, mcl__top_k_counted(made->tile.threads));
    const int64_t units = call->queue->context->limits.compute_units;
    if (!counts_ranks(call, made->tile)) return 1;
    return groups < units ? groups : units;
}

/* Launches the rounds. A launch is as large as the planned number of candidates requires. If a round has more
 * candidates, its parts are longer. Without EMITS, groups that count ranks find the wanted element in one more launch
 * of PIVOTS, since the last launch has only one group. */
static mcl_status launch_rounds(mcl__call *call, const plan *made)
{
    int64_t left = call->operands[IN].input->count;
    call->scalars[PARTS] = call->scalars[ROUND] = call->scalars[IS_LAST] = 0;
    for (int round = 0; round < made->rounds; ++round) {
        MCL__TRY(mcl__call_launch(call, PIVOTS, pivot_groups(call, made)));
        call->scalars[ROUND] = round + 1;
        MCL__TRY(mcl__call_launch(call, SPLIT, parts_of(call, left)));
        call->scalars[PARTS] = parts_of(call, left);
        left = expected(call, made, left);
    }
    call->scalars[IS_LAST] = 1;
    if (counts_ranks(call, made->tile) && made->rounds > 0 && !call->scalars[EMITS]) {
        MCL__TRY(mcl__call_launch(call, PIVOTS, pivot_groups(call, made)));
        call->scalars[ROUND] = made->rounds + 1;
    }
    return mcl__call_launch(call, FINISH, 1);
}

int64_t mcl__top_k_block_of(const mcl__call *call)
{
    mcl__call own = *call;
    return mcl__top_k_block(mcl__top_k_tile(&own, index_bits(&own)));
}

int mcl__top_k_sorts(const mcl__call *call, int64_t wanted)
{
    return wanted <= mcl__top_k_block_of(call) / 2;
}

mcl_status mcl__top_k_select(mcl__call *call, int64_t wanted)
{
    MCL__TRY(find_program(call));
    if (is_rank(call) && !mcl__is_asked(call->operands[RESULT].result))
        return mcl__enqueue_nothing(call->queue, call->options);
    call->scalars[WANTED] = wanted;
    call->scalars[LIMIT] = call->operands[IN].input->count;
    const plan made = make_plan(call, wanted);
    need_scratch(call, &made);
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(launch_rounds(call, &made));
    if (call->scalars[COLLECTS]) {
        MCL__TRY(mcl__call_launch(call, COLLECT, parts_of(call, call->scalars[LIMIT])));
        MCL__TRY(mcl__call_launch(call, FILL, 1));
    }
    return mcl__call_end(call);
}

mcl_status mcl__amount_check(const char *name, mcl_input *numbers, int64_t most)
{
    if (!numbers) return MCL_OK;
    if (numbers->count < 1) return mcl__fail(MCL_ERROR_ARGUMENT, "%s has no element; expected one or more", name);
    if (numbers->count > most) numbers->count = most > 1 ? most : 1;
    return MCL_OK;
}
