/* join.c: relational joins. Kernels: cl/kernels/join/join.cl. Tiles are cut from the merge of a and b. Each tile counts
 * the rows of its keys, and stores its first rows. If a tile has more rows, groups of a second launch store the rest,
 * one window of rows each. The tiles also list the keys of b without a partner. Another launch stores these keys as the
 * last rows, once the beginning of the last rows is known. */
#include "operations/join/join.h"
#include "facts/join.h"

enum { FOLD = OTHERS, ORDER, VALUES, ROW_KEYS }; /* operator that adds numbers of rows; operands of mcl__join_hash */
enum { KEYS = 1 };                               /* groups of operands with one type */
enum { PARTITION, TILES, COUNT_TILES, COUNTED_TILES, SPINE, WINDOWS, REST_TILES, CLEAR, FILL }; /* passes */
/* Scratch; SUMS and BASE stand for two of the other arrays. */
enum { SPLIT, ROWS, REST, LIST, CARRY, HAS_MORE, SUMS, BASE, SLOTS };
enum { SPLITS, CAPACITY, FIRST, MOST, HAS_BASE, HAS_COUNT }; /* scalars */

#define OPERAND_ARGUMENTS OPERAND(A), OPERAND(B), OPERAND(ORDER), OPERAND(VALUES), SCRATCH(SPLIT), SCRATCH(SLOTS)
#define RESULT_ARGUMENTS OPERAND(OUT_A), OPERAND(OUT_B), OPERAND(ROW_KEYS), AS_INDEX(CAPACITY)
#define COUNT_ARGUMENTS OPERAND(COUNT), AS_INT(HAS_COUNT)
#define TILE_ARGUMENTS                                                                                                 \
    MCL__ENVIRONMENT, OPERAND_ARGUMENTS, RESULT_ARGUMENTS, SCRATCH(ROWS), SCRATCH(HAS_MORE), SCRATCH(LIST),            \
        SCRATCH(REST)

mcl__operands mcl__join_operands = {
    [A] = { "a", .kind = MCL__INPUT, .group = KEYS },
    [B] = { "b", .kind = MCL__INPUT, .group = KEYS },
    [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A },
    [OUT_A] = { "out_a", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = A, .optional = 1 },
    [COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS },
    [OUT_B] = { "out_b", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = B, .optional = 1 },
};
static mcl__operands of_sorted = {
    [A] = { "a", .kind = MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
    [B] = { "b", .kind = MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
    [FOLD] = { "fold", .kind = MCL__OPERATOR, .use = MCL_ROLE_FOLD },
};

static mcl__operands of_hash = {
    [FOLD] = { "fold", .kind = MCL__OPERATOR, .use = MCL_ROLE_FOLD },
    [ORDER] = { "order", .kind = MCL__INPUT },
    [VALUES] = { "values", .kind = MCL__INPUT },
    [ROW_KEYS] = { "row_keys", .kind = MCL__OUTPUT, .group = KEYS },
};

/* COUNT_TILES, SPINE and COUNTED_TILES run where tiles do not wait for each other. SPINE and REST_TILES run for keys of
 * b without a partner. CLEAR and FILL make a hash table, in place of PARTITION. ROWS and REST have a number for each
 * tile, and their total. HAS_MORE says whether any tile has further rows. */
const mcl__declaration mcl__join_rows_of_keys = {
    .file = "kernels/join/join.cl",
    .takes = MCL__TAKES_PASSES,
    .types = { [KEYS] = "key" },
    .operands = mcl__join_operands,
    .scratch = {
        [SPLIT] = { "split", "index_type" },
        [ROWS] = { "rows", "fold_type" },
        [REST] = { "rest", "fold_type" },
        [LIST] = { "list", "index_type" },
        [CARRY] = { "carry", "fold_type" },
        [HAS_MORE] = { "has_more", "uint" },
        [SUMS] = { "sums", "fold_type" },
        [BASE] = { "base", "fold_type" },
        [SLOTS] = { "slots", "join_slot" },
    },
    .scalars = { [SPLITS] = "splits", [CAPACITY] = "capacity", [FIRST] = "first", [MOST] = "most",
                 [HAS_BASE] = "has_base", [HAS_COUNT] = "has_count" },
    .passes = (mcl__passes){
        [PARTITION] = { "join_partition", MCL__PARTITION_THREADS, "PARTITION_THREADS",
                        { MCL__ENVIRONMENT, OPERAND_ARGUMENTS, AS_INDEX(SPLITS), SCRATCH(HAS_MORE), MCL__STATES } },
        [TILES] = { "join_tiles", .arguments = { TILE_ARGUMENTS, COUNT_ARGUMENTS, MCL__STATES } },
        [COUNT_TILES] = { "join_count", .arguments = { MCL__ENVIRONMENT, OPERAND_ARGUMENTS, SCRATCH(ROWS) } },
        [COUNTED_TILES] = { "join_tiles", .arguments = { TILE_ARGUMENTS } },
        [SPINE] = { "join_spine",
                    .arguments = { MCL__ENVIRONMENT, OPERAND(A), OPERAND(B), SCRATCH(SUMS), SCRATCH(CARRY),
                                   SCRATCH(BASE), AS_INT(HAS_BASE), AS_INDEX(FIRST), AS_INDEX(MOST), COUNT_ARGUMENTS }
                                   },
        [WINDOWS] = { "join_windows",
                      .arguments = { MCL__ENVIRONMENT, OPERAND_ARGUMENTS, RESULT_ARGUMENTS, SCRATCH(ROWS),
                                     SCRATCH(HAS_MORE) } },
        [REST_TILES] = { "join_rest", .arguments = { OPERAND_ARGUMENTS, RESULT_ARGUMENTS, SCRATCH(ROWS), SCRATCH(LIST),
                                                 SCRATCH(REST) } },
        [CLEAR] = { "join_clear",
                    .arguments = { OPERAND(B), SCRATCH(SLOTS), AS_INDEX(SPLITS), SCRATCH(HAS_MORE), MCL__STATES } },
        [FILL] = { "join_fill", .arguments = { MCL__ENVIRONMENT, OPERAND(B), OPERAND(ORDER), SCRATCH(SLOTS) } },
    },
};

_Static_assert((int)MCL_JOIN_INNER == JOIN_INNER && (int)MCL_JOIN_LEFT == JOIN_LEFT &&
                   (int)MCL_JOIN_RIGHT == JOIN_RIGHT && (int)MCL_JOIN_OUTER == JOIN_OUTER &&
                   (int)MCL_JOIN_SEMI == JOIN_SEMI && (int)MCL_JOIN_ANTI == JOIN_ANTI,
               "kernels know the kinds of mcl_join_kind by these numbers");

/* The approximate number of loop iterations of the spine per tile, for devices that limit iterations. */
enum { SPINE_STEPS = 4 };

/* Returns 1 where keys of b without a partner are the last rows. */
static int join_has_rest(mcl_join_kind kind)
{
    return kind == MCL_JOIN_RIGHT || kind == MCL_JOIN_OUTER;
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

/* Returns the operand of the output that has room for fewer rows. */
static int join_shorter(const mcl__call *call)
{
    const mcl_output *const out_b = call->operands[OUT_B].output;
    return out_b && out_b->capacity < call->operands[OUT_A].output->capacity ? OUT_B : OUT_A;
}

int64_t mcl__join_stored(const mcl__call *call, mcl_join_kind kind, int64_t capacity)
{
    const int64_t a = call->operands[A].input->count, b = call->operands[B].input->count;
    const int64_t most = !mcl__join_pairs(kind) ? a : a > 0 && b > INT64_MAX / 2 / a ? INT64_MAX : a * b + a + b;
    return most < capacity ? most : capacity;
}

/* Sets the capacity to 0 where there is no output, so that rows are only counted. */
static void count_alone(const mcl__call *call)
{
    mcl_output *const out_a = call->operands[OUT_A].output, *const out_b = call->operands[OUT_B].output;
    if (mcl__is_left_out(out_a) && (!out_b || mcl__is_left_out(out_b))) out_a->capacity = 0;
}

mcl_status mcl__join_check_kind(mcl_join_kind kind)
{
    if ((unsigned)kind <= MCL_JOIN_ANTI) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "kind is %d; expected one of mcl_join_kind", (int)kind);
}

mcl_status mcl__join_check(mcl__call *call, mcl_join_kind kind)
{
    if (!mcl__join_pairs(kind)) call->operands[OUT_B].output = NULL;
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(mcl__join_check_kind(kind));
    count_alone(call);
    call->room[OUT_A] = call->room[OUT_B] =
        mcl__join_stored(call, kind, call->operands[join_shorter(call)].output->capacity);
    return mcl__call_ready(call);
}

mcl_status mcl__join_check_counted(const mcl__call *call)
{
    return mcl__call_check_counted(call, join_shorter(call), COUNT, 0);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Chooses the tile. A group's memory is its store in join_group.clh: keys, which are later replaced by indices, then
 * owners, heads and the bits of rows. In the serial mapping a tile's memory has bounds and matches. */
static mcl__tile join_tile(mcl__call *call, int index_bits)
{
    const size_t index = (size_t)index_bits / 8, size = mcl__staged_bytes(call->types[KEYS]);
    const size_t key = size > sizeof(int64_t) ? size : index > size ? 8 : size;
    const mcl__tile_need need = { .element_bytes = call->types[KEYS]->size,
                                  .local_bytes_per_item = key + 2 * sizeof(uint16_t) + 1,
                                  .local_bytes_fixed = 36 * key + 260 * sizeof(int64_t) + 128,
                                  .lone_bytes_per_thread = sizeof(int64_t),
                                  .serial_bytes_per_item = sizeof(int) + index,
                                  .serial_bytes_fixed = 128 };
    return mcl__call_choose_tile(call, MCL__OPERATION_join, need);
}

/* Chooses the tile of a join by a hash table. A group's memory is its store in join_hash_group.clh: the head of each
 * key, and the owner and the bit of each row. */
static mcl__tile hash_tile(mcl__call *call)
{
    const mcl__tile_need need = { .element_bytes = call->types[KEYS]->size,
                                  .local_bytes_per_item = sizeof(uint32_t) + sizeof(uint16_t) + 1,
                                  .local_bytes_fixed = 260 * sizeof(int64_t) + 128,
                                  .lone_bytes_per_thread = sizeof(int64_t),
                                  .serial_bytes_per_item = sizeof(uint32_t),
                                  .serial_bytes_fixed = 128 };
    return mcl__call_choose_tile(call, MCL__OPERATION_join, need);
}

/* Returns the number of keys that tiles are cut from. */
static int64_t tiled_keys(const mcl__call *call, int is_hash)
{
    return call->operands[A].input->count + (is_hash ? 0 : call->operands[B].input->count);
}

static mcl_status join_program(mcl__call *call, mcl_join_kind kind, int look_back, int is_hash)
{
    const int64_t keys = tiled_keys(call, is_hash), stored = call->scalars[CAPACITY];
    const int index_bits = mcl__index_bits(keys > stored ? keys : stored, call->options);
    call->element = MCL_INT64;
    call->passes = is_hash ? MCL__BIT(CLEAR) | MCL__BIT(FILL) : MCL__BIT(PARTITION);
    call->passes |= look_back ? MCL__BIT(TILES) : MCL__BIT(COUNT_TILES) | MCL__BIT(SPINE) | MCL__BIT(COUNTED_TILES);
    if (mcl__join_pairs(kind)) call->passes |= MCL__BIT(WINDOWS);
    if (join_has_rest(kind)) call->passes |= MCL__BIT(SPINE) | MCL__BIT(REST_TILES);
    call->without |= is_hash ? MCL__BIT(SPLIT) : MCL__BIT(SLOTS);
    if (!join_has_rest(kind)) call->without |= MCL__BIT(LIST) | MCL__BIT(REST);
    if (!look_back) call->without |= MCL__NO_STATES;
    mcl__call_define(call, "JOIN_KIND", (int)kind);
    mcl__call_define(call, "JOIN_HASH", is_hash);
    mcl__call_define(call, "JOIN_LOOK_BACK", look_back);
    mcl__call_define(call, "RESIDENT", (int)mcl__tuned(call->queue->context, MCL__PARAMETER_join_resident));
    mcl__call_keeps_folds(call, sizeof(int64_t), sizeof(int64_t));
    return mcl__call_program(call, is_hash ? hash_tile(call) : join_tile(call, index_bits), index_bits);
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

/* Returns the most slots of a hash table: two to four for each key, twice as many for few keys in the serial mapping
 * (join_hash.clh). A count on the device may be lower, and its slots are no more. */
static int64_t hash_slots(const mcl__call *call)
{
    const int64_t keys = call->operands[B].input->count;
    const int64_t least = mcl__call_is_serial(call) && keys < JOIN_SPARSE_KEYS ? 4 * keys : 2 * keys;
    int64_t slots = 16;
    while (slots <= least) slots *= 2;
    return slots;
}

/* Returns the bytes of a slot: a key's image of 4 or 8 bytes, or a smaller key, and 4 bytes, in whole units of the
 * image. */
static size_t slot_bytes(const mcl__call *call)
{
    return call->types[KEYS]->size > sizeof(uint32_t) ? 16 : 8;
}

static void join_scratch(mcl__call *call, int has_rest, int look_back, int64_t keys, int64_t tiles)
{
    const int64_t b = call->operands[B].input->count;
    const size_t sums_bytes = (size_t)(tiles + 1) * sizeof(int64_t);
    call->scalars[SPLITS] = tiles + 1;
    if (call->passes & MCL__BIT(FILL))
        mcl__call_scratch(call, SLOTS, (size_t)hash_slots(call) * slot_bytes(call));
    else
        mcl__call_scratch(call, SPLIT, mcl__call_index_bytes(call, tiles + 1));
    mcl__call_scratch(call, ROWS, sums_bytes);
    if (has_rest) mcl__call_scratch(call, REST, sums_bytes);
    if (has_rest) mcl__call_scratch(call, LIST, mcl__call_index_bytes(call, b));
    mcl__call_scratch(call, CARRY, sizeof(int64_t));
    mcl__call_scratch(call, HAS_MORE, sizeof(uint32_t));
    if (look_back) mcl__call_look_back_in_scratch(call, keys, mcl__call_tile_size(call), sizeof(int64_t));
}

/* Makes the next launch store the count, if that launch knows the count and the caller asks for it. */
static void join_set_count(mcl__call *call, int is_known)
{
    call->scalars[HAS_COUNT] = is_known && call->results[COUNT].buffer;
}

/* Adds the tiles' numbers in array sums, in as many launches as the device's loop limit requires. base is NULL, or an
 * array whose sum is added to the count. */
static mcl_status join_sum(mcl__call *call, int64_t tiles, int sums, const mcl__span *base)
{
    const int64_t budget = call->queue->context->limits.loop_budget;
    const int64_t most = budget > 0 ? budget / SPINE_STEPS * mcl__call_tile(call).threads : tiles;
    mcl__call_scratch_at(call, SUMS, call->scratch[sums].span);
    mcl__call_scratch_at(call, BASE, base ? *base : (mcl__span){ NULL, 0 });
    call->scalars[HAS_BASE] = base != NULL;
    call->scalars[MOST] = most;
    for (int64_t first = 0; first < tiles; first += most) {
        call->scalars[FIRST] = first;
        MCL__TRY(mcl__call_launch(call, SPINE, 1));
    }
    return MCL_OK;
}

/* Launches what comes before the tiles: their cuts, or a hash table of b. */
static mcl_status launch_first(mcl__call *call, int64_t splits)
{
    if (call->passes & MCL__BIT(PARTITION)) return mcl__call_launch_items(call, PARTITION, splits);
    const int64_t slots = hash_slots(call), cleared = slots > splits ? slots : splits;
    MCL__TRY(mcl__call_launch(call, CLEAR, mcl__call_parts(call, mcl__call_tiles(call, cleared), 1)));
    return mcl__call_launch_tiles(call, FILL, call->operands[B].input->count);
}

static mcl_status join_launch_tiles(mcl__call *call, int has_rest, int look_back, int64_t tiles)
{
    MCL__TRY(launch_first(call, tiles + 1));
    join_set_count(call, !has_rest);
    if (look_back) return mcl__call_launch(call, TILES, tiles);
    MCL__TRY(mcl__call_launch(call, COUNT_TILES, tiles));
    MCL__TRY(join_sum(call, tiles, ROWS, NULL));
    if (call->scalars[CAPACITY] == 0 && !has_rest) return MCL_OK;
    return mcl__call_launch(call, COUNTED_TILES, tiles);
}

static mcl_status join_launch_windows(mcl__call *call)
{
    const mcl__tile tile = mcl__call_tile(call);
    const int64_t rows = JOIN_WINDOW_ROWS((int64_t)tile.threads, tile.items);
    const int64_t windows = mcl__divide_up(call->scalars[CAPACITY], rows);
    const int64_t groups = mcl__tuned_a_unit(call->queue->context, MCL__PARAMETER_join_window_groups);
    return mcl__call_launch(call, WINDOWS, windows < groups ? windows : groups);
}

static mcl_status join_launch_rest(mcl__call *call, int64_t tiles)
{
    join_set_count(call, 1);
    MCL__TRY(join_sum(call, tiles, REST, &call->scratch[ROWS].span));
    return call->scalars[CAPACITY] > 0 ? mcl__call_launch(call, REST_TILES, tiles) : MCL_OK;
}

/* ---- the call --------------------------------------------------------------------------------------------------- */

/* Makes the rows of a call whose operands are checked. */
static mcl_status join_rows(mcl__call *call, mcl_join_kind kind, int is_hash)
{
    const int has_rest = join_has_rest(kind);
    const int look_back = call->queue->context->limits.look_back && !(call->options && call->options->passes == 2);
    call->scalars[CAPACITY] = call->room[OUT_A];
    MCL__TRY(join_program(call, kind, look_back, is_hash));
    const int64_t keys = tiled_keys(call, is_hash), needed = mcl__call_tiles(call, keys);
    const int64_t tiles = needed > 0 ? needed : 1; /* without keys, the first tile stores count 0 */
    join_scratch(call, has_rest, look_back, keys, tiles);
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(join_launch_tiles(call, has_rest, look_back, tiles));
    if (mcl__join_pairs(kind) && call->scalars[CAPACITY] > 0) MCL__TRY(join_launch_windows(call));
    if (has_rest) MCL__TRY(join_launch_rest(call, tiles));
    return mcl__call_end(call);
}

mcl_status mcl__join_run_hash(mcl__call *call, mcl_join_kind kind, mcl__join_hash *hash)
{
    const mcl_type *const key = call->operands[A].input->type;
    call->own = of_hash;
    call->types[KEYS] = key;
    call->operands[FOLD].op = MCL_ADD;
    if (call->operands[OUT_B].output) call->operands[ORDER].input = &hash->order;
    if (hash->values.type) call->operands[VALUES].input = &hash->values;
    if (hash->row_keys.type) call->operands[ROW_KEYS].output = &hash->row_keys;
    call->room[ROW_KEYS] = call->room[OUT_A];
    mcl__call_define(call, "FLOAT_BYTES", mcl__is_integer(key) ? 0 : (int)key->size);
    mcl__call_define(call, "KEYS_OF_B", hash->keys_of_b);
    mcl__call_define(call, "ORDER_IS_INDEX", hash->order_is_index);
    return join_rows(call, kind, 1);
}

static mcl_status join_run(mcl__call *call, mcl_join_kind kind)
{
    call->own = of_sorted;
    MCL__TRY(mcl__join_check(call, kind));
    MCL__TRY(join_rows(call, kind, 0));
    return mcl__join_check_counted(call);
}

mcl_status mcl_join(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b, mcl_output out_a, mcl_output out_b,
                    const mcl_op *before, mcl_result count, const mcl_options *options)
{
    mcl__call call = { &mcl__join_rows_of_keys, "mcl_join", queue, options,
                       .operands = { [A].input = &a,
                                     [B].input = &b,
                                     [BEFORE].op = before,
                                     [OUT_A].output = &out_a,
                                     [COUNT].result = &count,
                                     [OUT_B].output = &out_b,
                                     [FOLD].op = MCL_ADD } };
    return join_run(&call, kind);
}
