/* group_by_tables.c: groups that are few, under the serial mapping. Each part of the elements has a table of groups.
 * The groups of all tables make a list, which is sorted and folded in place of the elements. Where a table is too
 * small, the list is empty and the elements are sorted. The device decides. Kernels: cl/kernels/group_by.cl. */
#include "primitives/group_by_call.h"

#include "facts/group_by.h"

#include "moderncl/transform.h"

enum { KEYS = 1, VALUES, OP };                        /* operands */
enum { START, FOLD, SETTLE };                         /* passes */
enum { STATE, TABLE, SUMS, LIST, LIST_SUMS, COUNTS }; /* scratch, and memory of the call */
enum { SLOT_BITS = 13, PARTS_MOST = 64, LEAST = 1 << (SLOT_BITS + 1) };

static const mcl__declaration tables = {
    .file = "kernels/group_by.cl",
    .operands = { [KEYS] = { "keys", .kind = MCL__INPUT },
                  [VALUES] = { "values", .kind = MCL__INPUT, .as_many = KEYS },
                  [OP] = { "sum", .kind = MCL__OPERATOR, .said = "op", .use = MCL_ROLE_FOLD, .of = VALUES,
                           .optional = 1 } },
    .pieces = { [STATE] = { "state", "uint" },
                [TABLE] = { "table", "keys_type" },
                [SUMS] = { "sums", "sum_type" },
                [LIST] = { "list", "keys_type" },
                [LIST_SUMS] = { "list_sums", "sum_type" },
                [COUNTS] = { "counts", "int64_t" } },
    .passes = { [START] = { "groups_start", .threads = 1, .words = { MCL__PIECE + STATE } },
                [FOLD] = { "groups_fold", .words = { MCL__ENV, MCL__OF + KEYS, MCL__OF + VALUES, MCL__PIECE + STATE,
                                                     MCL__PIECE + TABLE, MCL__PIECE + SUMS, MCL__PIECE + LIST,
                                                     MCL__PIECE + LIST_SUMS } },
                [SETTLE] = { "groups_settle", .threads = 1,
                             .words = { MCL__OF + KEYS, MCL__PIECE + STATE, MCL__PIECE + COUNTS } } },
};

/* The only aggregate that is wanted, of one at most; NULL: none. */
static const mcl__grouped *wanted_part(const mcl__group_call *group)
{
    const mcl__grouped *found = NULL;
    for (int k = 0; k < group->part_count; ++k)
        if (!mcl__is_left_out(group->parts[k].run.given[MCL__GROUPED_OUT].output)) found = &group->parts[k];
    return found;
}

/* What a table's sums are. */
static const mcl_type *sum_type(const mcl__grouped *part)
{
    const mcl_op *const op = part->run.given[MCL__GROUPED_OP].op;
    return op->value ? op->value : part->given.values.type;
}

int mcl__group_has_tables(const mcl__group_call *group)
{
    const mcl__run *const run = group->run;
    const mcl_input *const keys = run->given[MCL__GROUP_KEYS].input;
    const mcl__limits *const limits = &run->queue->context->limits;
    const mcl__grouped *const part = wanted_part(group);
    const int threads = run->options ? run->options->tile_threads : 0;
    int wanted = 0;
    if (threads > 1 || (threads == 0 && limits->mapping != MCL_MAPPING_SERIAL)) return 0;
    if (limits->loop_budget > 0 || mcl__wants_same_bits(run->options)) return 0;
    if (keys->type->kind == MCL_KIND_STRUCT || keys->expression || keys->count < LEAST) return 0;
    for (int k = 0; k < group->part_count; ++k)
        wanted += !mcl__is_left_out(group->parts[k].run.given[MCL__GROUPED_OUT].output);
    if (!part) return 1;
    return wanted == 1 && part->run.given[MCL__GROUPED_OP].op->commutative && !mcl__same_type(sum_type(part), MCL_HALF);
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static mcl_status find_program(mcl__run *run, const mcl__grouped *part)
{
    const mcl_input *const keys = run->given[KEYS].input;
    run->without = part ? 0 : MCL__BIT(SUMS) | MCL__BIT(LIST_SUMS);
    mcl__run_define(run, "SLOT_BITS", SLOT_BITS);
    mcl__run_define(run, "GROUP_FOLDS", part != NULL);
    const mcl__tile_need need = { .element_bytes = keys->type->size };
    mcl__tile tile = mcl__run_choose_tile(run, MCL__OPERATION_reduce_by_key, need);
    if (tile.threads > 1) tile = (mcl__tile){ 1, tile.threads * tile.items };
    return mcl__run_program(run, tile, mcl__index_bits(keys->count, run->options));
}

/* Tables have at most half as many slots as there are elements. */
static int64_t parts_of(const mcl__run *run)
{
    const int64_t count = run->given[KEYS].input->count, parts = mcl__run_parts(run, mcl__run_tiles(run, count), 8);
    const int64_t room = count >> (SLOT_BITS + 1), most = room < PARTS_MOST ? room : PARTS_MOST;
    return parts < most ? parts : most;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* The groups of all tables, and the counts of the two sources: GROUPS_LISTED, GROUPS_LEFT. */
typedef struct group_list {
    int64_t room;
    mcl_buffer *keys, *sums, *counts;
} group_list;

static mcl_status create_list(mcl_queue *queue, group_list *list, size_t key_bytes, size_t sum_bytes)
{
    const size_t room = (size_t)list->room;
    MCL__TRY(mcl__buffer_create_for(queue, room * key_bytes, &list->keys));
    MCL__TRY(mcl__buffer_create_for(queue, GROUPS_COUNTS * sizeof(int64_t), &list->counts));
    return sum_bytes > 0 ? mcl__buffer_create_for(queue, room * sum_bytes, &list->sums) : MCL_OK;
}

static mcl_status launch(mcl__run *run, const group_list *list, int64_t parts)
{
    mcl__run_give(run, LIST, (mcl__span){ list->keys, 0 });
    if (list->sums) mcl__run_give(run, LIST_SUMS, (mcl__span){ list->sums, 0 });
    mcl__run_give(run, COUNTS, (mcl__span){ list->counts, 0 });
    MCL__TRY(mcl__run_begin(run));
    MCL__TRY(mcl__run_launch(run, START, 1));
    MCL__TRY(mcl__run_launch(run, FOLD, parts));
    MCL__TRY(mcl__run_launch(run, SETTLE, 1));
    return mcl__run_end(run);
}

static mcl_status make_list(const mcl__grouped *part, mcl_queue *queue, mcl_input keys, const mcl_options *options,
                            group_list *list)
{
    mcl__run run = mcl__run_of(&tables, NULL, queue, options);
    mcl_input values = { 0 };
    const size_t sum_bytes = part ? sum_type(part)->size : 0;
    run.given[KEYS].input = &keys;
    if (part) {
        values = part->given.values;
        mcl__adopt_count(&values, &keys);
        run.given[VALUES].input = &values;
        run.given[OP].op = part->run.given[MCL__GROUPED_OP].op;
    }
    MCL__TRY(mcl__run_check(&run));
    MCL__TRY(mcl__run_ready(&run));
    MCL__TRY(find_program(&run, part));
    const int64_t parts = parts_of(&run);
    list->room = parts * (((int64_t)1 << SLOT_BITS) + 1);
    MCL__TRY(create_list(queue, list, keys.type->size, sum_bytes));
    mcl__run_need(&run, STATE, 2 * sizeof(uint32_t));
    mcl__run_need(&run, TABLE, (size_t)list->room * keys.type->size);
    if (part) mcl__run_need(&run, SUMS, (size_t)list->room * sum_bytes);
    return launch(&run, list, parts);
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

/* The call with other keys and values. */
typedef struct source {
    mcl__run run;
    mcl__grouped part;
    mcl__group_call group;
    mcl_input keys;
    mcl_result count;
    mcl_op op;
    mcl__group_sort sort;
} source;

typedef struct tabled_call {
    const mcl__group_call *group;
    group_list list;
    source listed, left;
    mcl_buffer *totals; /* the groups of both sources */
    mcl_buffer *slot;   /* the count's, where the caller has none */
} tabled_call;

static void release_memory(tabled_call *call)
{
    mcl_buffer **const owned[] = { &call->list.keys, &call->list.sums, &call->list.counts, &call->totals, &call->slot };
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; ++k) {
        mcl_buffer_release(*owned[k]);
        *owned[k] = NULL;
    }
    mcl__group_sort_release(&call->listed.sort);
    mcl__group_sort_release(&call->left.sort);
}

/* index: of its count in totals. */
static void source_begin(source *made, const tabled_call *call, mcl_input keys, int index)
{
    const mcl__grouped *const part = wanted_part(call->group);
    made->run = *call->group->run;
    made->keys = mcl_with_count(keys, call->list.counts, index);
    made->count = mcl_to_slot(MCL_INT64, call->totals, index);
    made->run.given[MCL__GROUP_KEYS].input = &made->keys;
    made->run.given[MCL__GROUP_COUNT].result = &made->count;
    made->group = (mcl__group_call){ .run = &made->run };
    if (!part) return;
    made->part = *part;
    made->part.run.given[MCL__GROUPED_VALUES].input = &made->part.given.values;
    made->group.parts = &made->part;
    made->group.part_count = 1;
}

static mcl_status source_steps(source *made, const mcl_options *options, size_t *most)
{
    mcl_queue *const queue = made->run.queue;
    made->sort = mcl__group_sort_of(&made->group);
    MCL__TRY(mcl__group_sort_steps(&made->sort, options));
    mcl__steps_keep_most(queue, most);
    return MCL_OK;
}

/* The groups in the list, folded by the same operator. */
static mcl_status listed_steps(tabled_call *call, const mcl_type *type, const mcl_options *options, size_t *most)
{
    const mcl__grouped *const part = wanted_part(call->group);
    source *const made = &call->listed;
    source_begin(made, call, mcl_from_buffer(type, call->list.keys, 0, call->list.room), GROUPS_LISTED);
    if (part) {
        made->op = *part->run.given[MCL__GROUPED_OP].op;
        made->op.extract = NULL;
        made->part.given.values = mcl_from_buffer(sum_type(part), call->list.sums, 0, call->list.room);
        made->part.run.given[MCL__GROUPED_OP].op = &made->op;
    }
    return source_steps(made, options, most);
}

/* Where the count is in device memory. */
static mcl_status count_slot(tabled_call *call, mcl_result *count)
{
    const mcl__run *const run = call->group->run;
    const mcl_result *const given = run->given[MCL__GROUP_COUNT].result;
    const mcl_type *const type = given->type ? given->type : MCL_INT64;
    *count = mcl_to_slot(type, given->buffer, given->offset);
    if (given->buffer) return MCL_OK;
    if (!call->slot) MCL__TRY(mcl__buffer_create_for(run->queue, type->size, &call->slot));
    *count = mcl_to_slot(type, call->slot, 0);
    return MCL_OK;
}

/* One of the sources has no groups. */
static mcl_status add_counts(tabled_call *call, const mcl_options *options)
{
    const mcl_binding bound = mcl_binding_buffer("mcl_totals", MCL_INT64, call->totals, 0);
    mcl_result count;
    MCL__TRY(count_slot(call, &count));
    return mcl_transform(call->group->run->queue,
                         mcl_from_expression(count.type, "mcl_totals[0] + mcl_totals[1]", NULL, &bound, 1, 1),
                         mcl_to_buffer(count.type, count.buffer, count.offset, 1), options);
}

static mcl_status tabled_steps(void *of, const mcl_options *options)
{
    tabled_call *const call = of;
    mcl_queue *const queue = call->group->run->queue;
    mcl_input keys = *call->group->run->given[MCL__GROUP_KEYS].input;
    const mcl_options own = mcl__step_options(options);
    size_t most = 0;
    keys.type = mcl__group_word(keys.type);
    MCL__TRY(mcl__buffer_create_for(queue, GROUPS_COUNTS * sizeof(int64_t), &call->totals));
    MCL__TRY(make_list(wanted_part(call->group), queue, keys, &own, &call->list));
    mcl__steps_keep_most(queue, &most);
    MCL__TRY(listed_steps(call, keys.type, &own, &most));
    source_begin(&call->left, call, keys, GROUPS_LEFT);
    MCL__TRY(source_steps(&call->left, &own, &most));
    mcl_options beside = own;
    beside.tile_threads = beside.tile_items = 0;
    MCL__TRY(add_counts(call, &beside));
    mcl__steps_keep_most(queue, &most);
    queue->scratch_bytes = most;
    return MCL_OK;
}

static mcl_status tabled_run(tabled_call *call)
{
    const mcl__run *const run = call->group->run;
    mcl_result count;
    MCL__TRY(mcl__steps_measure(run->queue, run->options, tabled_steps, call));
    release_memory(call);
    MCL__TRY(mcl__steps_begin(run->queue, run->options));
    MCL__TRY(mcl__steps_end(run->queue, run->options, tabled_steps(call, run->options)));
    MCL__TRY(count_slot(call, &count));
    return mcl__run_read(run, MCL__GROUP_COUNT, (mcl__span){ count.buffer, (size_t)count.offset * count.type->size });
}

mcl_status mcl__group_tabled(const mcl__group_call *group)
{
    tabled_call call = { .group = group };
    const mcl_status status = tabled_run(&call);
    release_memory(&call);
    return status;
}
