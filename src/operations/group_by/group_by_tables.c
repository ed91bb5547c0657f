/* group_by_tables.c: groups that are few. Tables fold the elements by their keys. Their groups make a list, which is
 * sorted and folded in place of the elements. Where a table is too small, the list is empty and the elements are
 * sorted. The device decides. Under the serial mapping each part of the elements has a table. Under the group mapping
 * all groups share one, and each has a small one of its own in front of it. Kernels:
 * cl/kernels/group_by/group_by.cl. */
#include "operations/group_by/group_by_call.h"
#include "operations/transform/transform.h"

#include "call/append.h"
#include "facts/group_by.h"

#include <stdlib.h>

enum { FUSED = 3 }; /* aggregates that tables fold at once: a program has three operators */

enum { KEYS = 1, VALUES, OP = VALUES + FUSED }; /* operands */
enum { START, FOLD, LIST, SETTLE };             /* passes */
enum {
    STATE,
    TABLE,
    SUMS,
    LISTED = SUMS + FUSED,
    LISTED_SUMS,
    COUNTS = LISTED_SUMS + FUSED
}; /* scratch, and memory
                                                                                                 of the call */
enum { SLOT_BITS }; /* numbers */

#define AGGREGATE(k, suffix)                                                                                           \
    [VALUES + (k)] = { "values" suffix, .kind = MCL__INPUT, .as_many = KEYS },                                         \
              [OP + (k)] = { "sum" suffix,         .kind = MCL__OPERATOR, .said = "op",                                \
                             .use = MCL_ROLE_FOLD, .of = VALUES + (k),    .optional = 1 }
#define AGGREGATE_PIECES(k, suffix)                                                                                    \
    [SUMS + (k)] = { "sums" suffix, "sum" suffix "_word" },                                                            \
            [LISTED_SUMS + (k)] = { "list_sums" suffix, "sum" suffix "_type" }
#define WORDS_OF(first) first, (first) + 1, (first) + 2

static const mcl__declaration tables = {
    .file = "kernels/group_by/group_by.cl",
    .operands = { [KEYS] = { "keys", .kind = MCL__INPUT }, AGGREGATE(0, ""), AGGREGATE(1, "_2"), AGGREGATE(2, "_3") },
    .pieces = { [STATE] = { "state", "uint" },
                [TABLE] = { "table", "key_word" },
                [LISTED] = { "list", "keys_type" },
                [COUNTS] = { "counts", "int64_t" },
                AGGREGATE_PIECES(0, ""),
                AGGREGATE_PIECES(1, "_2"),
                AGGREGATE_PIECES(2, "_3") },
    .numbers = { [SLOT_BITS] = "slot_bits" },
    .passes = { [START] = { "groups_start", .words = { MCL__ENV, MCL__PIECE + STATE, MCL__PIECE + TABLE,
                                                       WORDS_OF(MCL__PIECE + SUMS), MCL__INT + SLOT_BITS } },
                [FOLD] = { "groups_fold",
                           .words = { MCL__ENV, MCL__OF + KEYS, WORDS_OF(MCL__OF + VALUES), MCL__PIECE + STATE,
                                      MCL__PIECE + TABLE, WORDS_OF(MCL__PIECE + SUMS), MCL__PIECE + LISTED,
                                      WORDS_OF(MCL__PIECE + LISTED_SUMS), MCL__INT + SLOT_BITS } },
                [LIST] = { "groups_list",
                           .words = { MCL__PIECE + STATE, MCL__PIECE + TABLE, WORDS_OF(MCL__PIECE + SUMS),
                                      MCL__PIECE + LISTED, WORDS_OF(MCL__PIECE + LISTED_SUMS), MCL__INT + SLOT_BITS } },
                [SETTLE] = { "groups_settle", .threads = 1,
                             .words = { MCL__OF + KEYS, MCL__PIECE + STATE, MCL__PIECE + COUNTS } } },
};

/* ---- aggregates -------------------------------------------------------------------------------------------------- */

static const mcl_op *op_of(const mcl__grouped *part)
{
    return part->run.given[MCL__GROUPED_OP].op;
}

static int is_serial(const mcl__run *run)
{
    const int threads = run->options ? run->options->tile_threads : 0;
    if (threads == 0) return run->queue->context->limits.mapping == MCL_MAPPING_SERIAL;
    return threads == 1;
}

/* Returns the type of a table's sums. */
static const mcl_type *sum_type(const mcl__grouped *part)
{
    const mcl_op *const op = op_of(part);
    return op->value ? op->value : part->given.values.type;
}

/* Returns the bytes of a word that has one. */
static int word_bytes(const mcl_type *type)
{
    return type->size > sizeof(uint32_t) ? 8 : 4;
}

/* Returns the most bytes of an accumulator in a table that groups share: what they replace at once. */
static size_t word_most(const mcl__run *run)
{
    return run->queue->context->limits.word_path != MCL__WORDS_NONE ? 8 : 4;
}

/* Returns the most bytes of a wide sum in a table. One work-item of a GPU has too few registers for more. */
static size_t wide_most(const mcl__run *run)
{
    if (!is_serial(run)) return word_most(run);
    return run->queue->context->limits.is_gpu ? 8 : 16;
}

/* The text alone says that the accumulators are added. */
static int way_of(const mcl__run *run, const mcl__grouped *part)
{
    const mcl_type *const type = sum_type(part);
    const int adds = strcmp(op_of(part)->expression, MCL_ADD->expression) == 0;
    if (mcl__is_integer(type)) return adds ? GROUP_BY_ADD : GROUP_BY_SWAP;
    return adds && type->kind == MCL_KIND_FLOAT && 2 * type->size <= wide_most(run) ? GROUP_BY_WIDE : GROUP_BY_FIRST;
}

/* Returns the bytes of an accumulator in a table. */
static size_t sum_bytes(const mcl__run *run, const mcl__grouped *part)
{
    const mcl_type *const type = sum_type(part);
    if (way_of(run, part) == GROUP_BY_WIDE) return 2 * type->size;
    return is_serial(run) ? type->size : (size_t)word_bytes(type);
}

/* Aggregates that tables fold at once. */
typedef struct batch {
    const mcl__grouped *parts[FUSED];
    int count;
} batch;

/* Returns the next aggregates that are wanted, from part number *next on. */
static batch next_batch(const mcl__group_call *group, int *next)
{
    batch made = { .count = 0 };
    for (; *next < group->part_count && made.count < FUSED; ++*next)
        if (mcl__grouped_is_wanted(&group->parts[*next])) made.parts[made.count++] = &group->parts[*next];
    return made;
}

/* ---- which calls ------------------------------------------------------------------------------------------------- */

/* Tables have at most a quarter as many slots as there are elements, on GPUs a fifth as many. */
enum { PARTS_MOST = 64 };

/* Groups that share a table need accumulators that fit a word, and an atomic for that. */
static int can_fold(const mcl__run *run, const mcl__grouped *part)
{
    const mcl_op *const op = op_of(part);
    const mcl_type *const type = sum_type(part);
    if (!op->commutative || mcl__same_type(type, MCL_HALF)) return 0;
    if (is_serial(run)) return 1;
    return op->identity && type->size <= 8 && (type->size <= word_most(run) || way_of(run, part) == GROUP_BY_ADD);
}

int mcl__group_has_tables(const mcl__group_call *group)
{
    const mcl__run *const run = group->run;
    const mcl_context *const context = run->queue->context;
    const mcl_input *const keys = run->given[MCL__GROUP_KEYS].input;
    const mcl__parameter least =
        is_serial(run) ? MCL__PARAMETER_group_by_table_least_serial : MCL__PARAMETER_group_by_table_least;
    if (context->limits.loop_budget > 0 || mcl__wants_same_bits(run->options)) return 0;
    if (keys->type->kind == MCL_KIND_STRUCT || keys->expression) return 0;
    if (keys->count < mcl__tuned(context, least)) return 0;
    if (!is_serial(run) && keys->type->size > 4 && context->limits.word_path == MCL__WORDS_NONE) return 0;
    for (int k = 0; k < group->part_count; ++k)
        if (mcl__grouped_is_wanted(&group->parts[k]) && !can_fold(run, &group->parts[k])) return 0;
    return 1;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

/* The table of a work-group has about this much of its memory: four groups fit a unit of an H200. A little is left for
 * what drivers put there. */
enum { LOCAL_BYTES = 48 << 10, LOCAL_SPARED = 256, LOCAL_SLOTS_MOST = 4096 };

/* Returns the bytes of a slot. */
static size_t slot_bytes(const mcl__run *run, const batch *folds)
{
    size_t bytes = (size_t)word_bytes(run->given[KEYS].input->type);
    for (int k = 0; k < folds->count; ++k) bytes += sum_bytes(run, folds->parts[k]);
    return bytes;
}

static int local_slots(const mcl__run *run, const batch *folds)
{
    const int64_t memory = run->queue->context->limits.local_memory;
    const int64_t room = (memory < LOCAL_BYTES ? memory : LOCAL_BYTES) - LOCAL_SPARED;
    const int64_t slots = room / (int64_t)slot_bytes(run, folds) - 1;
    const int64_t buckets = (slots < LOCAL_SLOTS_MOST ? slots : LOCAL_SLOTS_MOST) / GROUP_BY_LOCAL_BUCKET;
    return (int)(buckets > 0 ? buckets : 1) * GROUP_BY_LOCAL_BUCKET;
}

static void define_folds(mcl__run *run, const batch *folds)
{
    static const char *const bytes[] = { "SUM_BYTES_1", "SUM_BYTES_2", "SUM_BYTES_3" };
    static const char *const ways[] = { "SUM_WAY_1", "SUM_WAY_2", "SUM_WAY_3" };
    mcl__run_define(run, "GROUP_FOLDS", folds->count);
    for (int k = 0; k < FUSED; ++k) {
        mcl__run_define(run, bytes[k], k < folds->count ? (int)sum_bytes(run, folds->parts[k]) : 0);
        if (k < folds->count) mcl__run_define(run, ways[k], way_of(run, folds->parts[k]));
        if (k >= folds->count) run->without |= MCL__BIT(SUMS + k) | MCL__BIT(LISTED_SUMS + k);
    }
}

static mcl_status find_program(mcl__run *run, const batch *folds)
{
    const mcl_input *const keys = run->given[KEYS].input;
    const int serial = is_serial(run), slots = local_slots(run, folds);
    const mcl__tile_need none = { .element_bytes = keys->type->size };
    run->passes = MCL__BIT(START) | MCL__BIT(FOLD) | MCL__BIT(SETTLE) | (serial ? 0 : MCL__BIT(LIST));
    define_folds(run, folds);
    if (!serial) {
        mcl__run_define(run, "KEY_BYTES", word_bytes(keys->type));
        mcl__run_define(run, "LOCAL_SLOTS", slots);
        mcl__append_define(run);
        mcl__run_define(run, "RESIDENT",
                        (int)mcl__tuned(run->queue->context, folds->count > 1 ? MCL__PARAMETER_group_by_resident_many
                                                                              : MCL__PARAMETER_group_by_resident));
    }
    /* The list takes memory for each element of a tile, a table for its slots alone. */
    mcl__tile tile =
        mcl__run_choose_tile(run, MCL__OPERATION_group_by, serial ? none : mcl__append_need(keys->type->size));
    mcl__run_takes_local(run, GROUP_BY_TABLE_LENGTH((int64_t)slots) * (int64_t)slot_bytes(run, folds) + 64);
    if (serial && tile.threads > 1) tile = (mcl__tile){ 1, tile.threads * tile.items };
    return mcl__run_program(run, tile, mcl__index_bits(keys->count, run->options));
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* The groups of all tables, and the counts of the two sources: GROUPS_LISTED, GROUPS_LEFT. */
typedef struct group_list {
    int64_t parts; /* work-groups that fold */
    int64_t slots; /* of all tables */
    int64_t room;
    mcl_buffer *keys, *sums[FUSED], *counts;
} group_list;

static void plan_list(mcl__run *run, group_list *list)
{
    const mcl_context *const context = run->queue->context;
    const int64_t count = run->given[KEYS].input->count, tiles = mcl__run_tiles(run, count);
    if (mcl__run_is_serial(run)) {
        const int64_t parts = mcl__run_parts(run, tiles, 8), room = count >> (GROUP_BY_LARGE_BITS + 1);
        const int64_t most = room < PARTS_MOST ? room : PARTS_MOST;
        list->parts = parts < most ? parts : most > 0 ? most : 1;
        list->room = list->parts * GROUP_BY_TABLE_LENGTH(1 << GROUP_BY_LARGE_BITS);
        list->slots = list->room + list->parts * GROUP_BY_TABLE_LENGTH(1 << GROUP_BY_SMALL_BITS);
        return;
    }
    const int64_t items = mcl__tuned_a_unit(context, MCL__PARAMETER_group_by_work_items);
    const int64_t wanted = mcl__divide_up(items, mcl__run_tile(run).threads);
    int bits = 4; /* two buckets of 8 */
    while (bits < mcl__tuned(context, MCL__PARAMETER_group_by_slot_bits) && count >> (bits + 3) > 0) ++bits;
    run->numbers[SLOT_BITS] = bits;
    list->parts = mcl__fold_parts(&context->limits, mcl__run_tile(run), tiles, wanted, 8);
    list->slots = list->room = GROUP_BY_TABLE_LENGTH((int64_t)1 << bits);
}

static mcl_status create_list(mcl_queue *queue, group_list *list, size_t key_bytes, const batch *folds)
{
    const size_t room = (size_t)list->room;
    MCL__TRY(mcl__buffer_create_for(queue, room * key_bytes, &list->keys));
    MCL__TRY(mcl__buffer_create_for(queue, GROUPS_COUNTS * sizeof(int64_t), &list->counts));
    for (int k = 0; k < folds->count; ++k)
        MCL__TRY(mcl__buffer_create_for(queue, room * sum_type(folds->parts[k])->size, &list->sums[k]));
    return MCL_OK;
}

static mcl_status launch(mcl__run *run, const group_list *list, const batch *folds)
{
    mcl__run_give(run, LISTED, (mcl__span){ list->keys, 0 });
    for (int k = 0; k < folds->count; ++k) mcl__run_give(run, LISTED_SUMS + k, (mcl__span){ list->sums[k], 0 });
    mcl__run_give(run, COUNTS, (mcl__span){ list->counts, 0 });
    MCL__TRY(mcl__run_begin(run));
    if (mcl__run_is_serial(run)) {
        MCL__TRY(mcl__run_launch(run, START, 1));
        MCL__TRY(mcl__run_launch(run, FOLD, list->parts));
    } else {
        MCL__TRY(mcl__run_launch_items(run, START, list->slots));
        MCL__TRY(mcl__run_launch(run, FOLD, list->parts));
        MCL__TRY(mcl__run_launch_tiles(run, LIST, list->slots));
    }
    MCL__TRY(mcl__run_launch(run, SETTLE, 1));
    return mcl__run_end(run);
}

static mcl_status make_list(const batch *folds, mcl_queue *queue, mcl_input keys, const mcl_options *options,
                            group_list *list)
{
    mcl__run run;
    mcl__run_init(&run, &tables, NULL, queue, options);
    mcl_input values[FUSED];
    run.given[KEYS].input = &keys;
    for (int k = 0; k < folds->count; ++k) {
        values[k] = folds->parts[k]->given.values;
        mcl__adopt_count(&values[k], &keys);
        run.given[VALUES + k].input = &values[k];
        run.given[OP + k].op = op_of(folds->parts[k]);
    }
    MCL__TRY(mcl__run_check(&run));
    MCL__TRY(mcl__run_ready(&run));
    MCL__TRY(find_program(&run, folds));
    const int serial = mcl__run_is_serial(&run);
    plan_list(&run, list);
    MCL__TRY(create_list(queue, list, keys.type->size, folds));
    mcl__run_need(&run, STATE, STATE_NUMBERS * sizeof(uint32_t));
    mcl__run_need(&run, TABLE, (size_t)list->slots * (serial ? keys.type->size : (size_t)word_bytes(keys.type)));
    for (int k = 0; k < folds->count; ++k)
        mcl__run_need(&run, SUMS + k, (size_t)list->slots * sum_bytes(&run, folds->parts[k]));
    return launch(&run, list, folds);
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

/* The call with other keys and values. */
typedef struct source {
    mcl__run run;
    mcl__grouped parts[FUSED];
    mcl_op ops[FUSED];
    mcl__group_call group;
    mcl_input keys;
    mcl_output out_keys;
    mcl_result count;
    mcl__group_sort sort;
} source;

typedef struct tabled_call {
    const mcl__group_call *group;
    batch folds;
    group_list list;
    source listed, left;
    mcl_buffer *totals; /* the groups of both sources */
    mcl_buffer *slot;   /* the count's, where the caller has none */
} tabled_call;

static void release(mcl_buffer **owned)
{
    mcl_buffer_release(*owned);
    *owned = NULL;
}

/* Releases the memory of one batch of aggregates. */
static void release_batch(void *of)
{
    tabled_call *const call = of;
    release(&call->list.keys);
    release(&call->list.counts);
    for (int k = 0; k < FUSED; ++k) release(&call->list.sums[k]);
    release(&call->totals);
    mcl__group_sort_release(&call->listed.sort);
    mcl__group_sort_release(&call->left.sort);
}

/* index: of its count in totals. The first batch has the keys. */
static void source_begin(source *made, const tabled_call *call, mcl_input keys, int index, int is_first)
{
    const mcl__run *const run = call->group->run;
    made->run = *run;
    made->keys = mcl_with_count(keys, call->list.counts, index);
    made->count = mcl_to_slot(MCL_INT64, call->totals, index);
    made->out_keys = *run->given[MCL__GROUP_OUT_KEYS].output;
    if (!is_first) made->out_keys = (mcl_output){ .type = made->out_keys.type, .capacity = 1 };
    made->run.given[MCL__GROUP_KEYS].input = &made->keys;
    made->run.given[MCL__GROUP_OUT_KEYS].output = &made->out_keys;
    made->run.given[MCL__GROUP_COUNT].result = &made->count;
    made->group = (mcl__group_call){ .run = &made->run, .parts = made->parts, .part_count = call->folds.count };
    for (int k = 0; k < call->folds.count; ++k) {
        made->parts[k] = *call->folds.parts[k];
        made->parts[k].run.given[MCL__GROUPED_VALUES].input = &made->parts[k].given.values;
    }
}

static mcl_status source_steps(source *made, const mcl_options *options)
{
    mcl__group_sort_init(&made->sort, &made->group);
    return mcl__group_sort_steps(&made->sort, options);
}

/* Folds the groups in the list by the same operators. */
static mcl_status listed_steps(tabled_call *call, const mcl_type *type, int is_first, const mcl_options *options)
{
    source *const made = &call->listed;
    source_begin(made, call, mcl_from_buffer(type, call->list.keys, 0, call->list.room), GROUPS_LISTED, is_first);
    for (int k = 0; k < call->folds.count; ++k) {
        mcl__grouped *const part = &made->parts[k];
        const mcl_type *const sums = sum_type(part);
        made->ops[k] = *op_of(part);
        made->ops[k].extract = NULL;
        part->given.values = mcl_from_buffer(sums, call->list.sums[k], 0, call->list.room);
        part->run.given[MCL__GROUPED_OP].op = &made->ops[k];
    }
    return source_steps(made, options);
}

static mcl_status count_slot(tabled_call *call, mcl_result *count)
{
    return mcl__group_count_slot(call->group->run, call->group->run->queue, &call->slot, count);
}

/* One of the sources has no groups. */
static mcl_status add_counts(tabled_call *call, const mcl_options *options)
{
    const mcl_binding bound = mcl_binding_buffer("mcl_totals", MCL_INT64, call->totals, 0);
    mcl_result count;
    MCL__TRY(count_slot(call, &count));
    mcl_input total = mcl_from_expression(count.type, "mcl_totals[0] + mcl_totals[1]", NULL, &bound, 1, 1);
    return mcl__transform(call->group->run->queue, &total, mcl_to_buffer(count.type, count.buffer, count.offset, 1),
                          options);
}

static mcl_status batch_steps(tabled_call *call, int is_first, const mcl_options *options)
{
    mcl_queue *const queue = call->group->run->queue;
    mcl_input keys = *call->group->run->given[MCL__GROUP_KEYS].input;
    const mcl_options beside = mcl__beside_options(options);
    keys.type = mcl__group_word(keys.type);
    MCL__TRY(mcl__buffer_create_for(queue, GROUPS_COUNTS * sizeof(int64_t), &call->totals));
    MCL__TRY(make_list(&call->folds, queue, keys, options, &call->list));
    MCL__TRY(listed_steps(call, keys.type, is_first, options));
    source_begin(&call->left, call, keys, GROUPS_LEFT, is_first);
    MCL__TRY(source_steps(&call->left, options));
    return is_first ? add_counts(call, &beside) : MCL_OK;
}

static mcl_status tabled_steps(void *of, const mcl_options *options)
{
    tabled_call *const call = of;
    int next = 0, is_first = 1;
    for (call->folds = next_batch(call->group, &next); is_first || call->folds.count > 0;
         call->folds = next_batch(call->group, &next)) {
        if (!is_first) release_batch(call);
        MCL__TRY(batch_steps(call, is_first, options));
        is_first = 0;
    }
    return MCL_OK;
}

static mcl_status tabled_run(tabled_call *call)
{
    const mcl__run *const run = call->group->run;
    mcl_result count;
    MCL__TRY(mcl__steps_run(run->queue, run->options, tabled_steps, release_batch, call));
    MCL__TRY(count_slot(call, &count));
    return mcl__run_read(run, MCL__GROUP_COUNT, (mcl__span){ count.buffer, (size_t)count.offset * count.type->size });
}

mcl_status mcl__group_tabled(const mcl__group_call *group)
{
    tabled_call *call = NULL;
    MCL__TRY(mcl__plan_new(sizeof *call, &call));
    call->group = group;
    const mcl_status status = tabled_run(call);
    release_batch(call);
    release(&call->slot);
    free(call);
    return status;
}
