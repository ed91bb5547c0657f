/* join_columns.c: mcl_join_columns. Both sides are sorted and joined, which gives rows: pairs of indices of sorted
 * keys. Then the columns are fetched by these rows. A fetch reads columns that the sort has moved with the keys. Or it
 * finds elements of the caller's columns through the order that the sort has stored. Kernels: join_columns.cl. */
#include "operations/join/join_columns_check.h"
#include "operations/transform/transform.h"

#include <stdio.h>
#include <stdlib.h>

static mcl__operands keys_operands = { [OUT_KEYS] = { "out_keys", .kind = MCL__OUTPUT, .group = 1, .optional = 1 } };

static const mcl__declaration columns_of = {
    .of_steps = 1,
    .takes = MCL__TAKES_PASSES | MCL__TAKES_SORT_METHOD | MCL__TAKES_ANY_ORDER,
    .operands = mcl__join_operands,
};

/* ---- the way of a side ------------------------------------------------------------------------------------------- */

/* Returns 1 where it is faster to move the side's columns before the fetch, since the join's rows read them often.
 * times is the cost of the move, as a multiple of the cost of one column that the sort carries. */
static int pays(const mcl__columns_plan *plan, const mcl__column_side *of, int times)
{
    const int64_t percent = mcl__tuned(plan->call.queue->context, MCL__PARAMETER_join_move_percent);
    return (double)plan->sorts.stored * 100 >= (double)percent * times * (double)of->sorted->keys.count;
}

/* The values that the sort would carry: their bytes, the number of columns, and whether all of them are numbers. */
typedef struct load {
    size_t bytes;
    int columns, are_numbers;
} load;

static load load_of(const mcl__column_side *of)
{
    load all = { 0, 0, 1 };
    for (int k = 0; k < of->part_count * WIDTH; ++k) {
        const mcl__column_part *const at = &of->parts[k / WIDTH];
        if (!mcl__column_is_wanted(at, k % WIDTH)) continue;
        const mcl_type *const type = at->columns[k % WIDTH].in.type;
        all.bytes += type->size;
        all.columns += 1;
        all.are_numbers &= type->kind != MCL_KIND_STRUCT;
    }
    return all;
}

static void choose_way(const mcl__columns_plan *plan, mcl__column_side *of)
{
    const load all = load_of(of);
    of->has_record = all.columns > 1;
    if (plan->sorts.stored == 0 || all.columns == 0)
        of->way = NOWHERE;
    else if (all.bytes <= RECORD_BYTES && (all.columns == 1 || all.are_numbers))
        of->way = pays(plan, of, 1) ? CARRIED : FOLLOWED;
    else
        of->way = pays(plan, of, 4) ? COPIED : FOLLOWED;
    of->has_record &= of->way == CARRIED;
}

static mcl_input counted_as_keys(const mcl__column_side *of, mcl_input input)
{
    mcl__adopt_count(&input, &of->sorted->keys);
    return input;
}

static mcl_input column_by_type(const mcl_join_column *column, const mcl_type *type)
{
    return mcl_from_buffer(type, column->in.buffer, column->in.offset, column->in.count);
}

/* Returns an expression that packs the columns of a key into one number. The sort computes it when it reads the key. */
static mcl_input record_of(mcl__column_side *of)
{
    static const char *const names[RECORD_BYTES] = { "mcl_column_0", "mcl_column_1", "mcl_column_2", "mcl_column_3",
                                                     "mcl_column_4", "mcl_column_5", "mcl_column_6", "mcl_column_7" };
    const mcl_type *const type = load_of(of).bytes > sizeof(uint32_t) ? MCL_UINT64 : MCL_UINT32;
    mcl_binding bound[RECORD_BYTES];
    char *at = of->text;
    int count = 0, shift = 0;
    for (int k = 0; k < of->part_count * WIDTH; ++k) {
        mcl__column_part *const in = &of->parts[k / WIDTH];
        const mcl_input *const column = &in->columns[k % WIDTH].in;
        if (!mcl__column_is_wanted(in, k % WIDTH)) continue;
        bound[count] =
            mcl_binding_buffer(names[count], mcl__column_moved(column->type), column->buffer, column->offset);
        at += sprintf(at, "%s(%s)%s[i] << %d", count > 0 ? " | " : "", type->name, names[count], shift);
        in->shifts[k % WIDTH] = shift;
        shift += 8 * (int)column->type->size;
        ++count;
    }
    return mcl_from_expression(type, of->text, NULL, bound, count, of->sorted->keys.count);
}

/* Returns the first wanted column. There must be one. */
static const mcl_join_column *first_column(const mcl__column_side *of)
{
    int k = 0;
    while (!mcl__column_is_wanted(&of->parts[k / WIDTH], k % WIDTH)) ++k;
    return &of->parts[k / WIDTH].columns[k % WIDTH];
}

/* Returns the input whose values the sort of a side carries. */
static mcl_input carried_by(mcl__column_side *of)
{
    const int64_t zero = 0;
    if (of->way == NOWHERE) return (mcl_input){ .type = NULL };
    if (of->way != CARRIED || of->sorted->keys.count == 0)
        return mcl_from_counting(mcl__join_index(of->sorted), &zero, of->sorted->keys.count);
    if (of->has_record) return record_of(of);
    const mcl_join_column *const column = first_column(of);
    return counted_as_keys(of, column_by_type(column, mcl__column_moved(column->in.type)));
}

/* ---- fetches ----------------------------------------------------------------------------------------------------- */

/* Operands, scalars and by-value arguments of a fetch. */
enum { ROWS = 1, ORDER, RECORD, FETCHED, STORED = FETCHED + WIDTH };
enum { KEY_COUNT, SHIFT };

#define COLUMN_ARGUMENTS(k) OPERAND(FETCHED + (k)), OPERAND(STORED + (k)), AS_INT(SHIFT + (k)), BY_VALUE(k)

static const mcl__declaration fetch_of = {
    .file = "kernels/join/join_columns.cl",
    .operands =
        (mcl__operands){
            [ROWS] = { "rows", .kind = MCL__INPUT },
            [ORDER] = { "order", .kind = MCL__INPUT },
            [RECORD] = { "record", .kind = MCL__INPUT },
            [FETCHED] = { "values", .kind = MCL__INPUT },
            [FETCHED + 1] = { "values_2", .kind = MCL__INPUT },
            [FETCHED + 2] = { "values_3", .kind = MCL__INPUT },
            [FETCHED + 3] = { "values_4", .kind = MCL__INPUT },
            [STORED] = { "out", .kind = MCL__OUTPUT },
            [STORED + 1] = { "out_2", .kind = MCL__OUTPUT },
            [STORED + 2] = { "out_3", .kind = MCL__OUTPUT },
            [STORED + 3] = { "out_4", .kind = MCL__OUTPUT },
        },
    .scalars = { [KEY_COUNT] = "keys",
                 [SHIFT] = "shift",
                 [SHIFT + 1] = "shift_2",
                 [SHIFT + 2] = "shift_3",
                 [SHIFT + 3] = "shift_4" },
    .by_value = { { "null_value", "out_type" },
                  { "null_value_2", "out_2_type" },
                  { "null_value_3", "out_3_type" },
                  { "null_value_4", "out_4_type" } },
    .passes =
        (mcl__passes){ { "columns_fetch", .arguments = { OPERAND(ROWS), OPERAND(ORDER), OPERAND(RECORD),
                                                         AS_INDEX(KEY_COUNT), COLUMN_ARGUMENTS(0), COLUMN_ARGUMENTS(1),
                                                         COLUMN_ARGUMENTS(2), COLUMN_ARGUMENTS(3) } } },
};

/* The operands of a launch that fetches columns by rows: from the columns, or from a record of packed columns. */
typedef struct fetch {
    mcl_input rows, order, record; /* rows, and order and record, which have no type where they are absent */
    int64_t keys;                  /* number of elements in a column */
    mcl_input in[WIDTH];
    mcl_output out[WIDTH]; /* outputs, without a type where the column is not wanted */
} fetch;

static void fetch_give(mcl__call *call, fetch *of, const mcl__column_part *from)
{
    static const unsigned char zeros[MCL_VALUE_BYTES_MAX];
    call->operands[ROWS].input = &of->rows;
    if (of->order.type) call->operands[ORDER].input = &of->order;
    if (of->record.type) call->operands[RECORD].input = &of->record;
    call->scalars[KEY_COUNT] = of->keys;
    for (int k = 0; k < WIDTH; ++k) {
        if (!of->out[k].type) continue;
        if (!of->record.type) call->operands[FETCHED + k].input = &of->in[k];
        call->operands[STORED + k].output = &of->out[k];
        call->room[STORED + k] = of->rows.count;
        call->scalars[SHIFT + k] = from->shifts[k];
        call->by_value[k].bytes = from->columns[k].null_value ? from->columns[k].null_value : zeros;
        call->by_value[k].size = of->out[k].type->size;
    }
}

static mcl_status fetch_run(mcl__columns_plan *plan, fetch *of, const mcl__column_part *from,
                            const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &fetch_of, NULL, plan->call.queue, options);
    mcl__tile_need need = { .element_bytes = 1 };
    fetch_give(&call, of, from);
    for (int k = 0; k < WIDTH; ++k)
        if (of->out[k].type && of->out[k].type->size > need.element_bytes) need.element_bytes = of->out[k].type->size;
    MCL__TRY(mcl__call_program(&call, mcl__call_choose_tile(&call, MCL__OPERATION_transform, need),
                               mcl__index_bits(of->keys > of->rows.count ? of->keys : of->rows.count, options)));
    MCL__TRY(mcl__call_begin(&call));
    MCL__TRY(mcl__call_launch_tiles(&call, 0, of->rows.count));
    return mcl__call_end(&call);
}

static int part_wants(const mcl__column_part *of)
{
    for (int k = 0; k < WIDTH; ++k)
        if (mcl__column_is_wanted(of, k)) return 1;
    return 0;
}

/* Returns the order that the sort has stored: for each sorted key, its index among the caller's keys. */
static mcl_input order_of(const mcl__column_side *of)
{
    return counted_as_keys(of, mcl_from_buffer(of->sorted->carried.type, of->sorted->moved, 0, 0));
}

/* Copies the columns of a part in the order of the sorted keys. */
static mcl_status copy_columns(mcl__columns_plan *plan, const mcl__column_side *of, mcl__column_part *at, fetch *copies,
                               const mcl_options *options)
{
    const int64_t keys = of->sorted->keys.count;
    copies->rows = order_of(of);
    copies->keys = keys;
    for (int k = 0; k < WIDTH; ++k) {
        if (!mcl__column_is_wanted(at, k)) continue;
        const mcl_type *const type = mcl__column_moved(at->columns[k].in.type);
        MCL__TRY(mcl__scratch_hold(plan->call.queue, (size_t)keys * type->size, &at->copies[k]));
        copies->in[k] = column_by_type(&at->columns[k], type);
        copies->out[k] = mcl_to_buffer(type, at->copies[k], 0, keys);
    }
    return fetch_run(plan, copies, at, options);
}

static mcl_status copy_part(mcl__columns_plan *plan, const mcl__column_side *of, mcl__column_part *at,
                            const mcl_options *options)
{
    fetch *copies = NULL;
    MCL__TRY(mcl__plan_new(sizeof *copies, &copies));
    const mcl_status status = copy_columns(plan, of, at, copies, options);
    free(copies);
    return status;
}

/* Returns the values of a column from the memory that holds them at present: the sort's, the copy's or the caller's. */
static mcl_input values_of(const mcl__column_side *of, const mcl__column_part *at, int k)
{
    const mcl_type *const type = mcl__column_moved(at->columns[k].in.type);
    const int64_t keys = of->sorted->keys.count;
    if (keys > 0 && of->way == CARRIED) return mcl_from_buffer(type, of->sorted->moved, 0, keys);
    if (keys > 0 && of->way == COPIED) return mcl_from_buffer(type, at->copies[k], 0, keys);
    return column_by_type(&at->columns[k], type);
}

static mcl_status fetch_columns(mcl__columns_plan *plan, const mcl__column_side *of, mcl__column_part *at,
                                const mcl_result *count, fetch *fetched, const mcl_options *options)
{
    const int64_t keys = of->sorted->keys.count;
    fetched->rows = mcl__join_rows(&plan->sorts, &of->rows, count);
    fetched->keys = keys;
    if (of->way == FOLLOWED) fetched->order = order_of(of);
    if (of->has_record && keys > 0)
        fetched->record = mcl_from_buffer(of->sorted->carried.type, of->sorted->moved, 0, keys);
    for (int k = 0; k < WIDTH; ++k) {
        if (!mcl__column_is_wanted(at, k)) continue;
        const mcl_output *const out = &at->columns[k].out;
        fetched->in[k] = values_of(of, at, k);
        fetched->out[k] = mcl_to_buffer(mcl__column_moved(out->type), out->buffer, out->offset, plan->sorts.stored);
    }
    return fetch_run(plan, fetched, at, options);
}

static mcl_status fetch_part(mcl__columns_plan *plan, const mcl__column_side *of, mcl__column_part *at,
                             const mcl_result *count, const mcl_options *options)
{
    fetch *fetched = NULL;
    MCL__TRY(mcl__plan_new(sizeof *fetched, &fetched));
    const mcl_status status = fetch_columns(plan, of, at, count, fetched, options);
    free(fetched);
    return status;
}

static mcl_status fetch_side(mcl__columns_plan *plan, mcl__column_side *of, const mcl_result *count,
                             const mcl_options *options)
{
    const mcl_options own = mcl__join_beside(options);
    if (of->way == NOWHERE || of->sorted->restores) return MCL_OK;
    for (int k = 0; k < of->part_count; ++k) {
        if (!part_wants(&of->parts[k])) continue;
        if (of->way == COPIED && of->sorted->keys.count > 0) MCL__TRY(copy_part(plan, of, &of->parts[k], &own));
        MCL__TRY(fetch_part(plan, of, &of->parts[k], count, &own));
    }
    return MCL_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Stores out_keys: for each row the key of a, or the key of b where the row has no key of a. */
static mcl_status store_keys(mcl__columns_plan *plan, const mcl_result *count, const mcl_options *options)
{
    static const unsigned char zeros[MCL_VALUE_BYTES_MAX];
    const mcl_type *const type = mcl__column_moved(plan->keys.type);
    /* A row's key comes from side a or, in a join by a table, from the smaller side. Then only that side has sorted
     * keys, and each row has one of its keys. */
    const mcl__column_side *const first =
        plan->sorts.has_table && mcl__join_large_is_a(&plan->sorts) ? &plan->b : &plan->a;
    const int has_b = !plan->sorts.has_table && plan->b.wants_rows;
    const mcl__column_side *const second = has_b ? &plan->b : first;
    const mcl__join_side *const a = first->sorted, *const b = second->sorted;
    const mcl_options own = mcl__join_beside(options);
    const mcl_binding bound[] = { mcl_binding_buffer("mcl_rows_a", first->rows.type, first->rows.buffer, 0),
                                  mcl_binding_buffer("mcl_rows_b", second->rows.type, second->rows.buffer, 0),
                                  mcl_binding_buffer("mcl_a", type, a->sorted, 0),
                                  mcl_binding_buffer("mcl_b", type, b->sorted, 0),
                                  mcl_binding_value("mcl_count_a", MCL_INT64, &a->keys.count),
                                  mcl_binding_value("mcl_count_b", MCL_INT64, has_b ? &b->keys.count : &(int64_t){ 0 }),
                                  mcl_binding_value("mcl_null", type, zeros) };
    const mcl_input rows = mcl__join_rows(&plan->sorts, &first->rows, count);
    mcl_input keys =
        mcl_from_expression(type,
                            "mcl_rows_a[i] >= 0 && mcl_rows_a[i] < mcl_count_a ? mcl_a[mcl_rows_a[i]] : "
                            "mcl_rows_b[i] >= 0 && mcl_rows_b[i] < mcl_count_b ? mcl_b[mcl_rows_b[i]] : mcl_null",
                            NULL, bound, 7, rows.count);
    mcl__adopt_slot(&keys, &rows);
    return mcl__transform(plan->call.queue, &keys,
                          mcl_to_buffer(type, plan->keys.buffer, plan->keys.offset, rows.count), &own);
}

/* Returns the output of a side's only column, which the join itself stores. */
static mcl_output restored_rows(const mcl__columns_plan *plan, const mcl__column_side *of)
{
    const mcl_output *const out = &first_column(of)->out;
    return mcl_to_buffer(mcl__column_moved(out->type), out->buffer, out->offset, plan->sorts.stored);
}

/* Creates the array for a side's rows, if it is needed. */
static mcl_status create_rows(const mcl__columns_plan *plan, mcl__column_side *of)
{
    const mcl_type *const type = mcl__join_index(of->sorted);
    mcl_buffer *made = NULL;
    of->rows = (mcl_output){ .type = NULL };
    if (of->sorted->restores) of->rows = restored_rows(plan, of);
    if (!of->wants_rows || of->sorted->restores) return MCL_OK;
    MCL__TRY(mcl__scratch_hold(plan->call.queue, (size_t)plan->sorts.stored * type->size, &made));
    of->rows = mcl_to_buffer(type, made, 0, plan->sorts.stored);
    return MCL_OK;
}

static mcl_status columns_steps(void *of, const mcl_options *options)
{
    mcl__columns_plan *const plan = of;
    mcl__join_sorts *const sorts = &plan->sorts;
    mcl_result count;
    MCL__TRY(create_rows(plan, &plan->a));
    MCL__TRY(create_rows(plan, &plan->b));
    MCL__TRY(mcl__join_sort_and_join(sorts, plan->a.rows, plan->b.rows, options, &count));
    MCL__TRY(fetch_side(plan, &plan->a, &count, options));
    MCL__TRY(fetch_side(plan, &plan->b, &count, options));
    if (sorts->stored == 0 || sorts->has_hash || mcl__is_left_out(&plan->keys)) return MCL_OK;
    return store_keys(plan, &count, options);
}

static void release_side(mcl__column_side *of)
{
    if (!of->sorted->restores) mcl_buffer_release(of->rows.buffer);
    of->rows = (mcl_output){ .type = NULL };
    for (int k = 0; k < of->part_count * WIDTH; ++k) {
        mcl_buffer_release(of->parts[k / WIDTH].copies[k % WIDTH]);
        of->parts[k / WIDTH].copies[k % WIDTH] = NULL;
    }
}

static void columns_release(void *of)
{
    mcl__columns_plan *const plan = of;
    release_side(&plan->a);
    release_side(&plan->b);
    mcl__join_release(&plan->sorts);
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

/* Chooses for a join by a table which sides need rows, and which restore. If a side carries a single column, the join
 * itself stores it. Rows of the smaller side are needed for out_keys too. */
static void choose_restored(mcl__columns_plan *plan, int has_keys)
{
    const int a_is_large = mcl__join_large_is_a(&plan->sorts);
    mcl__column_side *const large = a_is_large ? &plan->a : &plan->b, *const small = a_is_large ? &plan->b : &plan->a;
    large->wants_rows = large->way != NOWHERE;
    small->wants_rows = small->way != NOWHERE || has_keys;
    large->sorted->restores = large->way == CARRIED && !large->has_record;
    small->sorted->restores = small->way == CARRIED && !small->has_record && !has_keys && small->sorted->keys.count > 0;
}

/* Chooses the way of a side in a join by a hash table. Only the side in the table is sorted. The join itself stores a
 * single column, where each row has a key of the side, and where the sort, if any, can carry the column. */
static void choose_direct(mcl__columns_plan *plan, mcl__column_side *of)
{
    const load all = load_of(of);
    const int is_sorted = of->sorted == mcl__join_hashed(&plan->sorts), keys = of->sorted->keys.count > 0;
    const int has_keys = plan->sorts.kind == MCL_JOIN_INNER || !mcl__join_pairs(plan->sorts.kind) || !is_sorted;
    const int restores = keys && has_keys && all.columns == 1 && (!is_sorted || all.bytes <= RECORD_BYTES);
    of->way = plan->sorts.stored == 0 || all.columns == 0 ? NOWHERE : restores ? CARRIED : DIRECT;
    of->wants_rows = of->way == DIRECT;
    of->sorted->restores = of->way == CARRIED;
    of->sorted->carried = carried_by(of);
}

static void choose_ways(mcl__columns_plan *plan)
{
    const mcl_join_kind kind = plan->sorts.kind;
    const int has_keys = plan->sorts.stored > 0 && !mcl__is_left_out(&plan->keys);
    plan->sorts.has_hash = mcl__join_has_hash(&plan->sorts);
    if (plan->sorts.has_hash) {
        choose_direct(plan, &plan->a);
        choose_direct(plan, &plan->b);
        if (has_keys) plan->sorts.keys = plan->keys;
        return;
    }
    choose_way(plan, &plan->a);
    choose_way(plan, &plan->b);
    plan->a.wants_rows = plan->a.way != NOWHERE || has_keys;
    plan->b.wants_rows = plan->b.way != NOWHERE || (has_keys && (kind == MCL_JOIN_RIGHT || kind == MCL_JOIN_OUTER));
    plan->sorts.has_table = kind == MCL_JOIN_INNER && mcl__join_has_table(&plan->sorts);
    if (plan->sorts.has_table) choose_restored(plan, has_keys);
    plan->sorts.a.carried = carried_by(&plan->a);
    plan->sorts.b.carried = carried_by(&plan->b);
}

static mcl_status columns_run(mcl__columns_plan *plan)
{
    MCL__TRY(mcl__columns_check(plan));
    choose_ways(plan);
    MCL__TRY(mcl__join_run(&plan->sorts, columns_steps, columns_release, plan));
    return mcl__columns_check_counted(plan);
}

mcl_status mcl_join_columns(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b,
                            const mcl_join_column *columns_a, int column_count_a, const mcl_join_column *columns_b,
                            int column_count_b, mcl_output out_keys, const mcl_op *before, mcl_result count,
                            const mcl_options *options)
{
    mcl__columns_plan *plan = NULL;
    mcl__function_is("mcl_join_columns");
    MCL__TRY(mcl__plan_new(sizeof *plan, &plan));
    plan->sorts.kind = kind;
    plan->sorts.a.keys = a;
    plan->sorts.b.keys = b;
    plan->a =
        (mcl__column_side){ .name = "columns_a", .keys_name = "a", .given = columns_a, .given_count = column_count_a };
    plan->b =
        (mcl__column_side){ .name = "columns_b", .keys_name = "b", .given = columns_b, .given_count = column_count_b };
    plan->keys = out_keys;
    mcl__call_init(&plan->call, &columns_of, "mcl_join_columns", queue, options);
    plan->call.own = keys_operands;
    plan->call.operands[A].input = &plan->sorts.a.keys;
    plan->call.operands[B].input = &plan->sorts.b.keys;
    plan->call.operands[BEFORE].op = before;
    plan->call.operands[COUNT].result = &count;
    plan->call.operands[OUT_KEYS].output = &plan->keys;
    plan->sorts.call = &plan->call;
    plan->a.sorted = &plan->sorts.a;
    plan->b.sorted = &plan->sorts.b;
    const mcl_status status = columns_run(plan);
    free(plan->a.parts);
    free(plan->b.parts);
    free(plan);
    return status;
}
