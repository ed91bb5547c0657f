/* group_list.c: makes a list of groups. Tables fold the elements by their keys, and the tables' groups form the list.
 * If a table is too small, the list stays empty, and all elements are left to be grouped in another way. The device
 * decides. In the serial mapping each part of the elements has a table. If such tables are too small, each share of the
 * keys has a table instead. In the group mapping all work-groups share one table, and each first folds into a small
 * table of its own. Kernels: cl/kernels/group_by/group_by.cl. */
#include "operations/group_by/group_list.h"
#include "operations/group_by/group_plan.h"

#include "call/append.h"
#include "facts/group_by.h"

#include <string.h>

enum { FUSED = MCL__GROUP_FUSED };

enum { TABLED_KEYS = 1, TABLED_VALUES, TABLED_OP = TABLED_VALUES + FUSED }; /* operands */
/* Passes. The serial mapping has COUNT_SHARES instead of LIST. Only the serial mapping has the last three. */
enum { START, FOLD, LIST, SETTLE, COUNT_SHARES = LIST, SCAN_SHARES = SETTLE + 1, MOVE, FOLD_SHARES };
/* Scratch; the arrays from LISTED to COUNTS are in the list's own memory. Only the serial mapping has the last three.
 * In that mapping SUMS has the elements' values in the order of their shares, and MOVED the keys. */
enum { STATE, TABLE, SUMS, LISTED = SUMS + FUSED, LISTED_SUMS, COUNTS = LISTED_SUMS + FUSED, USED, PLACES, MOVED };
enum { SLOT_BITS, SHARE_BITS, SHARING, LIST_ROOM }; /* scalars; only the serial mapping has the last three */

#define WORDS_OF(first) first, (first) + 1, (first) + 2
#define LIST_ARGUMENTS SCRATCH(LISTED), WORDS_OF(SCRATCH(LISTED_SUMS))
#define TABLE_ARGUMENTS SCRATCH(TABLE), SCRATCH(USED), AS_INT(SLOT_BITS)
#define MOVED_ARGUMENTS SCRATCH(MOVED), WORDS_OF(SCRATCH(SUMS))
#define SETTLE_PASS                                                                                                    \
    {                                                                                                                  \
        "groups_settle", .threads = 1, .arguments = { OPERAND(TABLED_KEYS), SCRATCH(STATE), SCRATCH(COUNTS) }          \
    }

static mcl__operands tabled = {
    [TABLED_KEYS] = { "keys", .kind = MCL__INPUT },
    [TABLED_VALUES] = { "values", .kind = MCL__INPUT, .as_many = TABLED_KEYS },
    [TABLED_VALUES + 1] = { "values_2", .kind = MCL__INPUT, .as_many = TABLED_KEYS },
    [TABLED_VALUES + 2] = { "values_3", .kind = MCL__INPUT, .as_many = TABLED_KEYS },
    [TABLED_OP] = { "sum", .kind = MCL__OPERATOR, .label = "op", .use = MCL_ROLE_FOLD, .of = TABLED_VALUES,
                    .optional = 1 },
    [TABLED_OP + 1] = { "sum_2", .kind = MCL__OPERATOR, .label = "op", .use = MCL_ROLE_FOLD, .of = TABLED_VALUES + 1,
                        .optional = 1 },
    [TABLED_OP + 2] = { "sum_3", .kind = MCL__OPERATOR, .label = "op", .use = MCL_ROLE_FOLD, .of = TABLED_VALUES + 2,
                        .optional = 1 },
};

static const mcl__declaration tables = {
    .file = "kernels/group_by/group_by.cl",
    .operands = tabled,
    .scratch = { [STATE] = { "state", "uint" },
                 [TABLE] = { "table", "key_word" },
                 [LISTED] = { "list", "keys_type" },
                 [COUNTS] = { "counts", "int64_t" },
                 [SUMS] = { "sums", "sum_word" },
                 [SUMS + 1] = { "sums_2", "sum_2_word" },
                 [SUMS + 2] = { "sums_3", "sum_3_word" },
                 [LISTED_SUMS] = { "list_sums", "sum_type" },
                 [LISTED_SUMS + 1] = { "list_sums_2", "sum_2_type" },
                 [LISTED_SUMS + 2] = { "list_sums_3", "sum_3_type" } },
    .scalars = { [SLOT_BITS] = "slot_bits" },
    .passes =
        (mcl__passes){
            [START] = { "groups_start", .arguments = { MCL__ENVIRONMENT, SCRATCH(STATE), SCRATCH(TABLE),
                                                       WORDS_OF(SCRATCH(SUMS)), AS_INT(SLOT_BITS) } },
            [FOLD] = { "groups_fold", .arguments = { MCL__ENVIRONMENT, OPERAND(TABLED_KEYS),
                                                     WORDS_OF(OPERAND(TABLED_VALUES)), SCRATCH(STATE), SCRATCH(TABLE),
                                                     WORDS_OF(SCRATCH(SUMS)), LIST_ARGUMENTS, AS_INT(SLOT_BITS) } },
            [LIST] = { "groups_list", .arguments = { SCRATCH(STATE), SCRATCH(TABLE), WORDS_OF(SCRATCH(SUMS)),
                                                     LIST_ARGUMENTS, AS_INT(SLOT_BITS) } },
            [SETTLE] = SETTLE_PASS },
};

static const mcl__declaration serial_tables = {
    .file = "kernels/group_by/group_by.cl",
    .operands = tabled,
    .scratch = { [STATE] = { "state", "uint" },
                 [TABLE] = { "slots", "group_slot" },
                 [LISTED] = { "list", "keys_type" },
                 [COUNTS] = { "counts", "int64_t" },
                 [SUMS] = { "sums", "sum_word" },
                 [SUMS + 1] = { "sums_2", "sum_2_word" },
                 [SUMS + 2] = { "sums_3", "sum_3_word" },
                 [LISTED_SUMS] = { "list_sums", "sum_word" },
                 [LISTED_SUMS + 1] = { "list_sums_2", "sum_2_word" },
                 [LISTED_SUMS + 2] = { "list_sums_3", "sum_3_word" },
                 [USED] = { "used", "int" },
                 [PLACES] = { "places", "index_type" },
                 [MOVED] = { "moved", "keys_type" } },
    .scalars = { [SLOT_BITS] = "slot_bits",
                 [SHARE_BITS] = "share_bits",
                 [SHARING] = "parts",
                 [LIST_ROOM] = "list_room" },
    .passes =
        (mcl__passes){
            [START] = { "groups_start", .arguments = { SCRATCH(STATE) } },
            [FOLD] = { "groups_fold",
                       .arguments = { MCL__ENVIRONMENT, OPERAND(TABLED_KEYS), WORDS_OF(OPERAND(TABLED_VALUES)),
                                      SCRATCH(STATE), TABLE_ARGUMENTS, LIST_ARGUMENTS, AS_INDEX(LIST_ROOM) } },
            [COUNT_SHARES] = { "groups_count", .arguments = { OPERAND(TABLED_KEYS), SCRATCH(STATE), SCRATCH(PLACES),
                                                              AS_INT(SHARE_BITS) } },
            [SETTLE] = SETTLE_PASS,
            [SCAN_SHARES] = { "groups_scan",
                              .arguments = { SCRATCH(STATE), SCRATCH(PLACES), AS_INT(SHARE_BITS), AS_INT(SHARING) } },
            [MOVE] = { "groups_move",
                       .arguments = { MCL__ENVIRONMENT, OPERAND(TABLED_KEYS), WORDS_OF(OPERAND(TABLED_VALUES)),
                                      SCRATCH(STATE), SCRATCH(PLACES), MOVED_ARGUMENTS, AS_INT(SHARE_BITS) } },
            [FOLD_SHARES] = { "groups_shares",
                              .arguments = { MCL__ENVIRONMENT, WORDS_OF(OPERAND(TABLED_VALUES)), SCRATCH(STATE),
                                             SCRATCH(PLACES), MOVED_ARGUMENTS, TABLE_ARGUMENTS, LIST_ARGUMENTS,
                                             AS_INDEX(LIST_ROOM), AS_INT(SHARE_BITS), AS_INT(SHARING) } },
        },
};

/* ---- folds ------------------------------------------------------------------------------------------------------- */

const mcl_type *mcl__group_sum_type(const mcl__group_fold *fold)
{
    return fold->op->value ? fold->op->value : fold->values.type;
}

/* Returns the bytes of a word that holds a value of the type. */
static int word_bytes(const mcl_type *type)
{
    return type->size > sizeof(uint32_t) ? 8 : 4;
}

/* Returns the most bytes of an accumulator in a shared table: a single atomic must be able to replace it. */
static size_t word_most(const mcl__call *call)
{
    return call->queue->context->limits.word_path != MCL__WORDS_NONE ? 8 : 4;
}

/* Returns the most bytes of a wide sum in a table. A GPU's work-item has too few registers for more. */
static size_t wide_most(const mcl__call *call)
{
    if (!mcl__call_asks_serial(call)) return word_most(call);
    return call->queue->context->limits.is_gpu ? 8 : 16;
}

/* Returns the SUM_WAY of a fold (facts/group_by.h). Only the operator's text tells whether accumulators are added. */
static int way_of(const mcl__call *call, const mcl__group_fold *fold)
{
    const mcl_type *const type = mcl__group_sum_type(fold);
    const int adds = strcmp(fold->op->expression, MCL_ADD->expression) == 0;
    if (mcl__is_integer(type)) return adds ? GROUP_BY_ADD : GROUP_BY_SWAP;
    return adds && type->kind == MCL_KIND_FLOAT && 2 * type->size <= wide_most(call) ? GROUP_BY_WIDE : GROUP_BY_FIRST;
}

/* Returns the bytes of an accumulator in a table. */
static size_t sum_bytes(const mcl__call *call, const mcl__group_fold *fold)
{
    const mcl_type *const type = mcl__group_sum_type(fold);
    if (way_of(call, fold) == GROUP_BY_WIDE) return 2 * type->size;
    return mcl__call_asks_serial(call) ? type->size : (size_t)word_bytes(type);
}

/* ---- which calls ------------------------------------------------------------------------------------------------- */

/* The most parts in the serial mapping: in total, and per compute unit. Parts are few, since each part lists its own
 * groups. */
enum { PARTS_MOST = 64, PARTS_A_UNIT = 2 };

/* The bits of the number of shares, and the most groups of a list. A share has about half as many elements as a large
 * table has slots. The number of shares is limited, since a kernel stores to all shares at the same time. */
enum { SHARE_BITS_LEAST = 4, SHARE_BITS_MOST = 8, LIST_MOST = 1 << 30 };

/* Returns 1 where tables can make the fold. Work-groups that share a table need accumulators that fit a word, and an
 * atomic for such words. */
int mcl__group_lists_fold(const mcl__call *call, const mcl_type *values, const mcl_op *op)
{
    const mcl__group_fold fold = { op, { .type = values } };
    const mcl_type *const type = mcl__group_sum_type(&fold);
    if (!op->commutative || mcl__same_type(type, MCL_HALF)) return 0;
    if (mcl__call_asks_serial(call)) return 1;
    return op->identity && type->size <= 8 && (type->size <= word_most(call) || way_of(call, &fold) == GROUP_BY_ADD);
}

int mcl__group_lists_keys(const mcl__call *call, const mcl_input *keys)
{
    const mcl_context *const context = call->queue->context;
    const mcl__parameter least =
        mcl__call_asks_serial(call) ? MCL__PARAMETER_group_by_table_least_serial : MCL__PARAMETER_group_by_table_least;
    if (context->limits.loop_budget > 0 || mcl__wants_same_bits(call->options)) return 0;
    if (keys->type->kind == MCL_KIND_STRUCT || keys->expression) return 0;
    if (keys->count < mcl__tuned(context, least)) return 0;
    return mcl__call_asks_serial(call) || keys->type->size <= 4 || context->limits.word_path != MCL__WORDS_NONE;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

/* LOCAL_BYTES is the limit of a work-group's table, so that four groups fit a compute unit of an H200. LOCAL_SPARED
 * bytes of it are left free, since drivers also use this memory. */
enum { LOCAL_BYTES = 48 << 10, LOCAL_SPARED = 256, LOCAL_SLOTS_MOST = 4096 };
enum { MEMBER_BYTES = 16 };

/* Returns the bytes of a slot in the group mapping. */
static size_t slot_bytes(const mcl__call *call, const mcl__group_list *list)
{
    size_t bytes = (size_t)word_bytes(call->operands[TABLED_KEYS].input->type);
    for (int k = 0; k < list->fold_count; ++k) bytes += sum_bytes(call, &list->folds[k]);
    return bytes;
}

/* Returns the most bytes of a slot in the serial mapping. Each member may have the widest alignment. */
static size_t serial_slot_bytes(const mcl__call *call, const mcl__group_list *list)
{
    size_t bytes = MEMBER_BYTES;
    for (int k = 0; k < list->fold_count; ++k)
        bytes += (sum_bytes(call, &list->folds[k]) + MEMBER_BYTES - 1) / MEMBER_BYTES * MEMBER_BYTES;
    return bytes;
}

/* Returns a bit for each fold whose value is the same for all elements. Such values need not be moved. */
static int same_values(const mcl__group_list *list)
{
    int same = 0;
    for (int k = 0; k < list->fold_count; ++k) {
        const char *const expression = list->folds[k].values.expression;
        if (expression && !mcl__text_names(expression, 'i')) same |= 1 << k;
    }
    return same;
}

static int local_slots(const mcl__call *call, const mcl__group_list *list)
{
    const int64_t memory = call->queue->context->limits.local_memory;
    const int64_t room = (memory < LOCAL_BYTES ? memory : LOCAL_BYTES) - LOCAL_SPARED;
    const int64_t slots = room / (int64_t)slot_bytes(call, list) - 1;
    const int64_t buckets = (slots < LOCAL_SLOTS_MOST ? slots : LOCAL_SLOTS_MOST) / GROUP_BY_LOCAL_BUCKET;
    return (int)(buckets > 0 ? buckets : 1) * GROUP_BY_LOCAL_BUCKET;
}

static void define_folds(mcl__call *call, const mcl__group_list *list)
{
    static const char *const bytes[] = { "SUM_BYTES_1", "SUM_BYTES_2", "SUM_BYTES_3" };
    static const char *const ways[] = { "SUM_WAY_1", "SUM_WAY_2", "SUM_WAY_3" };
    mcl__call_define(call, "GROUP_FOLDS", list->fold_count);
    for (int k = 0; k < FUSED; ++k) {
        mcl__call_define(call, bytes[k], k < list->fold_count ? (int)sum_bytes(call, &list->folds[k]) : 0);
        if (k < list->fold_count) mcl__call_define(call, ways[k], way_of(call, &list->folds[k]));
        if (k >= list->fold_count) call->without |= MCL__BIT(SUMS + k) | MCL__BIT(LISTED_SUMS + k);
    }
}

static mcl_status find_program(mcl__call *call, const mcl__group_list *list)
{
    const mcl_input *const keys = call->operands[TABLED_KEYS].input;
    const int serial = mcl__call_asks_serial(call), slots = local_slots(call, list);
    const mcl__tile_need none = { .element_bytes = keys->type->size };
    define_folds(call, list);
    if (serial) {
        mcl__call_define(call, "SLOT_BYTES_MOST", (int)serial_slot_bytes(call, list));
        mcl__call_define(call, "SAME_VALUES", same_values(list));
        mcl__call_define(call, "LEAST_ELEMENTS", list->least_elements);
    } else {
        mcl__call_define(call, "KEY_BYTES", word_bytes(keys->type));
        mcl__call_define(call, "LOCAL_SLOTS", slots);
        mcl__append_define(call);
        mcl__call_define(call, "RESIDENT",
                         (int)mcl__tuned(call->queue->context, list->fold_count > 1
                                                                   ? MCL__PARAMETER_group_by_resident_many
                                                                   : MCL__PARAMETER_group_by_resident));
    }
    /* In the group mapping, work-group memory is needed for each element of a tile, to append to the list. A table
     * needs it for its slots. */
    mcl__tile tile =
        mcl__call_choose_tile(call, MCL__OPERATION_group_by, serial ? none : mcl__append_need(keys->type->size));
    mcl__call_takes_local(call, GROUP_BY_TABLE_LENGTH((int64_t)slots) * (int64_t)slot_bytes(call, list) + 64);
    if (serial && tile.threads > 1) tile = (mcl__tile){ 1, tile.threads * tile.items };
    return mcl__call_program(call, tile, mcl__index_bits(keys->count, call->options));
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* Plans parts, tables and list of the serial mapping. Large tables have at most half as many slots as a part has
 * elements. A list of more than half of all elements would save nothing, and each part has at most half as many groups
 * as elements. */
static void plan_serial(mcl__call *call, mcl__group_list *list, int64_t parts)
{
    const int64_t count = call->operands[TABLED_KEYS].input->count, room = count >> (GROUP_BY_LARGE_BITS + 1);
    const int64_t units = PARTS_A_UNIT * (int64_t)call->queue->context->limits.compute_units;
    const int64_t bound = units < PARTS_MOST ? units : PARTS_MOST, most = room < bound ? room : bound;
    int share_bits = SHARE_BITS_LEAST, bits = GROUP_BY_LARGE_BITS;
    list->parts = parts < most ? parts : most > 0 ? most : 1;
    while (bits < GROUP_BY_PART_BITS && count / list->parts >> (bits + 2) > 0) ++bits;
    while (bits < GROUP_BY_SHARE_BITS && count >> (SHARE_BITS_MOST + bits - 1) > 0) ++bits;
    while (share_bits < SHARE_BITS_MOST && count >> (share_bits + GROUP_BY_LARGE_BITS - 1) > 0) ++share_bits;
    list->slots = GROUP_BY_TABLE_LENGTH(1 << GROUP_BY_SMALL_BITS) + GROUP_BY_TABLE_LENGTH(1 << GROUP_BY_LARGE_BITS);
    if (bits > GROUP_BY_LARGE_BITS) list->slots += GROUP_BY_TABLE_LENGTH(1 << bits);
    list->slots *= list->parts;
    list->room = count / 2 < LIST_MOST ? count / 2 : LIST_MOST;
    if (list->room < GROUP_BY_PART_GROUPS(bits)) list->room = GROUP_BY_PART_GROUPS(bits);
    call->scalars[SLOT_BITS] = bits;
    call->scalars[SHARE_BITS] = share_bits;
    call->scalars[SHARING] = list->parts;
    call->scalars[LIST_ROOM] = list->room;
}

static void plan_list(mcl__call *call, mcl__group_list *list)
{
    const mcl_context *const context = call->queue->context;
    const int64_t count = call->operands[TABLED_KEYS].input->count, tiles = mcl__call_tiles(call, count);
    if (mcl__call_is_serial(call)) {
        plan_serial(call, list, mcl__call_parts(call, tiles, 8));
        return;
    }
    const int64_t items = mcl__tuned_a_unit(context, MCL__PARAMETER_group_by_work_items);
    const int64_t wanted = mcl__divide_up(items, mcl__call_tile(call).threads);
    int bits = 4; /* 16 slots: two buckets of 8 */
    while (bits < mcl__tuned(context, MCL__PARAMETER_group_by_slot_bits) && count >> (bits + 3) > 0) ++bits;
    call->scalars[SLOT_BITS] = bits;
    list->parts = mcl__fold_parts(&context->limits, mcl__call_tile(call), tiles, wanted, 8);
    list->slots = list->room = GROUP_BY_TABLE_LENGTH((int64_t)1 << bits);
}

static mcl_status take_memory(mcl_queue *queue, mcl__group_list *list)
{
    const size_t room = (size_t)list->room;
    MCL__TRY(mcl__scratch_hold(queue, room * list->keys.type->size, &list->listed_keys));
    MCL__TRY(mcl__scratch_hold(queue, GROUPS_COUNTS * sizeof(int64_t), &list->counts));
    for (int k = 0; k < list->fold_count; ++k)
        MCL__TRY(mcl__scratch_hold(queue, room * mcl__group_sum_type(&list->folds[k])->size, &list->sums[k]));
    return MCL_OK;
}

static mcl_status launch(mcl__call *call, const mcl__group_list *list)
{
    mcl__call_scratch_at(call, LISTED, (mcl__span){ list->listed_keys, 0 });
    for (int k = 0; k < list->fold_count; ++k)
        mcl__call_scratch_at(call, LISTED_SUMS + k, (mcl__span){ list->sums[k], 0 });
    mcl__call_scratch_at(call, COUNTS, (mcl__span){ list->counts, 0 });
    MCL__TRY(mcl__call_begin(call));
    if (mcl__call_is_serial(call)) {
        MCL__TRY(mcl__call_launch(call, START, 1));
        MCL__TRY(mcl__call_launch(call, FOLD, list->parts));
        MCL__TRY(mcl__call_launch(call, COUNT_SHARES, list->parts));
        MCL__TRY(mcl__call_launch(call, SCAN_SHARES, 1));
        MCL__TRY(mcl__call_launch(call, MOVE, list->parts));
        MCL__TRY(mcl__call_launch(call, FOLD_SHARES, list->parts));
    } else {
        MCL__TRY(mcl__call_launch_items(call, START, list->slots));
        MCL__TRY(mcl__call_launch(call, FOLD, list->parts));
        MCL__TRY(mcl__call_launch_tiles(call, LIST, list->slots));
    }
    MCL__TRY(mcl__call_launch(call, SETTLE, 1));
    return mcl__call_end(call);
}

static void take_scratch(mcl__call *call, const mcl__group_list *list)
{
    const mcl_input *const keys = call->operands[TABLED_KEYS].input;
    mcl__call_scratch(call, STATE, STATE_NUMBERS * sizeof(uint32_t));
    if (!mcl__call_is_serial(call)) {
        mcl__call_scratch(call, TABLE, (size_t)list->slots * (size_t)word_bytes(keys->type));
        for (int k = 0; k < list->fold_count; ++k)
            mcl__call_scratch(call, SUMS + k, (size_t)list->slots * sum_bytes(call, &list->folds[k]));
        return;
    }
    mcl__call_scratch(call, TABLE, (size_t)list->slots * serial_slot_bytes(call, list));
    mcl__call_scratch(call, USED, (size_t)list->slots * sizeof(int32_t));
    mcl__call_scratch(call, PLACES, mcl__call_index_bytes(call, ((list->parts + 1) << call->scalars[SHARE_BITS]) + 1));
    mcl__call_scratch(call, MOVED, (size_t)keys->count * keys->type->size);
    for (int k = 0; k < list->fold_count; ++k)
        mcl__call_scratch(
            call, SUMS + k,
            same_values(list) >> k & 1 ? 0 : (size_t)keys->count * mcl__group_sum_type(&list->folds[k])->size);
}

mcl_status mcl__group_list_make(mcl__group_list *list, mcl_queue *queue, const mcl_options *options)
{
    mcl__call *const call = &list->call;
    mcl__call_init(call, &tables, NULL, queue, options);
    if (mcl__call_asks_serial(call)) call->declaration = &serial_tables;
    list->keys.type = mcl__group_word(list->keys.type);
    call->operands[TABLED_KEYS].input = &list->keys;
    for (int k = 0; k < list->fold_count; ++k) {
        mcl__adopt_count(&list->folds[k].values, &list->keys);
        call->operands[TABLED_VALUES + k].input = &list->folds[k].values;
        call->operands[TABLED_OP + k].op = list->folds[k].op;
    }
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(mcl__call_ready(call));
    MCL__TRY(find_program(call, list));
    plan_list(call, list);
    MCL__TRY(take_memory(queue, list));
    take_scratch(call, list);
    return launch(call, list);
}

void mcl__group_list_release(mcl__group_list *list)
{
    mcl__buffer_drop(&list->listed_keys);
    mcl__buffer_drop(&list->counts);
    for (int k = 0; k < FUSED; ++k) mcl__buffer_drop(&list->sums[k]);
}
