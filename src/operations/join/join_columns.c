/* join_columns.c: mcl_join_columns. Both sides are sorted and joined. Then rows of the sorted keys fetch the columns.
 * They read what the sort has moved with the keys, or follow the order that the sort has left. Kernels:
 * join_columns.cl. */
#include "operations/join/join.h"
#include "operations/transform/transform.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 4 }; /* columns of a part, which one launch fetches */
enum { RECORD_BYTES = 8, NAME_BYTES = 40, TERM_BYTES = 64 };

/* ---- the columns of a side --------------------------------------------------------------------------------------- */

/* Operands of the check of a part. The first and the last are those of the call. */
enum { KEYS = 1, VALUES, OUT = VALUES + WIDTH, PART_COUNT = OUT + WIDTH, PART_OPERANDS };

static const mcl__declaration part_of = {
    .takes = MCL__TAKES_PASSES | MCL__TAKES_SORT_METHOD,
    .operands = (mcl__operands){ [KEYS] = { "keys", .kind = MCL__INPUT, .unused = 1 },
                                 [VALUES] = { "in", .kind = MCL__INPUT, .group = 1, .as_many = KEYS },
                                 [VALUES + 1] = { "in_2", .kind = MCL__INPUT, .group = 2, .as_many = KEYS },
                                 [VALUES + 2] = { "in_3", .kind = MCL__INPUT, .group = 3, .as_many = KEYS },
                                 [VALUES + 3] = { "in_4", .kind = MCL__INPUT, .group = 4, .as_many = KEYS },
                                 [OUT] = { "out", .kind = MCL__OUTPUT, .group = 1, .optional = 1 },
                                 [OUT + 1] = { "out_2", .kind = MCL__OUTPUT, .group = 2, .optional = 1 },
                                 [OUT + 2] = { "out_3", .kind = MCL__OUTPUT, .group = 3, .optional = 1 },
                                 [OUT + 3] = { "out_4", .kind = MCL__OUTPUT, .group = 4, .optional = 1 },
                                 [PART_COUNT] = { "count", .kind = MCL__RESULT, .types = MCL__COUNTS, .unused = 1 } },
};

typedef struct part {
    mcl__call call; /* of the checks */
    mcl_join_column columns[WIDTH];
    mcl_buffer *copies[WIDTH]; /* in the order of the sorted keys */
    int shifts[WIDTH];         /* the bit at which a record has a column */
    char names[2 * WIDTH][NAME_BYTES];
    const char *label[PART_OPERANDS];
} part;

/* The way of a side's columns to their rows. */
typedef enum way {
    NOWHERE, /* there are none */
    CARRIED, /* the sort moves them with the keys */
    COPIED,  /* they are copied in the order of the sorted keys */
    FOLLOWED /* each row follows the order to the caller's array */
} way;

typedef struct side {
    const char *name, *keys_name;
    const mcl_join_column *given;
    int given_count, part_count;
    part *parts;
    mcl__join_side *sorted;
    way way;
    int has_record;  /* CARRIED: several columns as one number */
    int wants_rows;  /* for columns, or for out_keys */
    mcl_output rows; /* of the sorted keys */
    char text[RECORD_BYTES * TERM_BYTES];
} side;

typedef struct columns_plan {
    mcl__call call;
    mcl__join_sorts sorts;
    side a, b;
    mcl_output keys;
} columns_plan;

static int is_wanted(const part *of, int k)
{
    return of->call.operands[OUT + k].output && !mcl__is_left_out(of->call.operands[OUT + k].output);
}

/* A number goes by its bits, which no conversion may change. */
static const mcl_type *moved_type(const mcl_type *type)
{
    static const mcl_type *const by_size[] = { [1] = MCL_UINT8, [2] = MCL_UINT16, [4] = MCL_UINT32, [8] = MCL_UINT64 };
    return type->kind == MCL_KIND_STRUCT ? type : by_size[type->size];
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

enum { OUT_KEYS = OTHERS };

static mcl__operands keys_operands = { [OUT_KEYS] = { "out_keys", .kind = MCL__OUTPUT, .group = 1, .optional = 1 } };

static const mcl__declaration columns_of = {
    .takes = MCL__TAKES_PASSES | MCL__TAKES_SORT_METHOD,
    .operands = mcl__join_operands,
};

static const char *name_column(part *of, int index, const side *of_side, int column, const char *member)
{
    (void)snprintf(of->names[index], NAME_BYTES, "%s[%d].%s", of_side->name, column, member);
    return of->names[index];
}

static void part_begin(part *of, const mcl__call *plan, const side *of_side, int first)
{
    mcl__call_init(&of->call, &part_of, plan->function, plan->queue, plan->options);
    of->call.label = of->label;
    of->call.operands[KEYS].input = &of_side->sorted->keys;
    of->call.operands[PART_COUNT].result = plan->operands[COUNT].result;
    of->label[KEYS] = of_side->keys_name;
    for (int k = 0; k < WIDTH && first + k < of_side->given_count; ++k) {
        of->columns[k] = of_side->given[first + k];
        of->columns[k].in.count_slot = NULL;
        of->call.operands[VALUES + k].input = &of->columns[k].in;
        of->call.operands[OUT + k].output = &of->columns[k].out;
        of->label[VALUES + k] = name_column(of, 2 * k, of_side, first + k, "in");
        of->label[OUT + k] = name_column(of, 2 * k + 1, of_side, first + k, "out");
    }
}

static mcl_status check_list(const side *of)
{
    if (of->given_count >= 0 && (of->given_count == 0 || of->given)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is %s and column_count%s %d; expected 0 or more columns", of->name,
                     of->given ? "given" : "NULL", of->name + sizeof "columns" - 1, of->given_count);
}

static mcl_status begin_parts(const mcl__call *call, side *of)
{
    MCL__TRY(check_list(of));
    of->part_count = (int)mcl__divide_up(of->given_count, WIDTH);
    if (of->part_count == 0) return MCL_OK;
    of->parts = calloc((size_t)of->part_count, sizeof *of->parts);
    if (!of->parts) return mcl__fail(MCL_ERROR_MEMORY, "no host memory for %d columns", of->given_count);
    for (int k = 0; k < of->part_count; ++k) part_begin(&of->parts[k], call, of, k * WIDTH);
    return MCL_OK;
}

static mcl_status check_part(part *of, int64_t *capacity)
{
    MCL__TRY(mcl__call_check(&of->call));
    for (int k = 0; k < WIDTH && of->call.operands[VALUES + k].input; ++k) {
        const mcl_input *const in = &of->columns[k].in;
        if (in->expression && in->count > 0)
            return mcl__fail(MCL_ERROR_ARGUMENT, "%s is an expression; expected one that mcl_from_buffer made",
                             of->label[VALUES + k]);
        if (of->columns[k].out.capacity < *capacity) *capacity = of->columns[k].out.capacity;
    }
    return MCL_OK;
}

static mcl_status check_parts(const mcl__call *call, side *of, int64_t *capacity)
{
    MCL__TRY(begin_parts(call, of));
    for (int k = 0; k < of->part_count; ++k) MCL__TRY(check_part(&of->parts[k], capacity));
    return MCL_OK;
}

/* Returns part k of a call, of both sides. */
static part *part_at(const columns_plan *plan, int k)
{
    return k < plan->a.part_count ? &plan->a.parts[k] : &plan->b.parts[k - plan->a.part_count];
}

static int parts_of(const columns_plan *plan)
{
    return plan->a.part_count + plan->b.part_count;
}

/* Checks room, and what one part stores against all that the call reads and stores. */
static mcl_status check_part_memory(const columns_plan *plan, part *of)
{
    for (int k = 0; k < WIDTH; ++k) of->call.room[OUT + k] = plan->sorts.stored;
    MCL__TRY(mcl__call_check_memory(&of->call));
    MCL__TRY(mcl__call_check_apart(&of->call, &plan->call));
    return mcl__call_check_apart(&plan->call, &of->call);
}

static mcl_status check_memory(const columns_plan *plan)
{
    const int parts = parts_of(plan);
    for (int k = 0; k < parts; ++k) MCL__TRY(check_part_memory(plan, part_at(plan, k)));
    for (int k = 0; k < parts; ++k)
        for (int other = 0; other < parts; ++other)
            if (other != k) MCL__TRY(mcl__call_check_apart(&part_at(plan, k)->call, &part_at(plan, other)->call));
    return MCL_OK;
}

static mcl_status columns_check(columns_plan *plan)
{
    mcl__call *const call = &plan->call;
    int64_t capacity = MCL__COUNT_MAX;
    MCL__TRY(mcl__call_check(call));
    MCL__TRY(mcl__join_check_kind(plan->sorts.kind));
    if (!mcl__join_pairs(plan->sorts.kind)) plan->b.given_count = 0;
    if (plan->keys.capacity < capacity) capacity = plan->keys.capacity;
    MCL__TRY(check_parts(call, &plan->a, &capacity));
    MCL__TRY(check_parts(call, &plan->b, &capacity));
    if (capacity == MCL__COUNT_MAX) capacity = 0; /* nothing is wanted */
    plan->sorts.stored = call->room[OUT_KEYS] = mcl__join_stored(call, plan->sorts.kind, capacity);
    MCL__TRY(mcl__call_ready(call));
    MCL__TRY(check_memory(plan));
    return mcl__join_check_count_type(call, plan->sorts.stored);
}

/* The first of the shortest outputs is named. */
static mcl_status check_counted(const columns_plan *plan)
{
    const mcl__call *shortest = &plan->call;
    int output = OUT_KEYS;
    for (int k = 0; k < parts_of(plan) * WIDTH; ++k) {
        const mcl__call *const call = &part_at(plan, k / WIDTH)->call;
        const mcl_output *const out = call->operands[OUT + k % WIDTH].output;
        if (!out || out->capacity >= shortest->operands[output].output->capacity) continue;
        shortest = call;
        output = OUT + k % WIDTH;
    }
    if (mcl__is_left_out(shortest->operands[output].output)) return MCL_OK;
    return mcl__call_check_counted(shortest, output, shortest == &plan->call ? COUNT : PART_COUNT, 0);
}

/* ---- the way of a side ------------------------------------------------------------------------------------------- */

/* 1: rows will read the side's columns often enough that moving them pays, even where that costs times as much. */
static int pays(const columns_plan *plan, const side *of, int times)
{
    const int64_t percent = mcl__tuned(plan->call.queue->context, MCL__PARAMETER_join_move_percent);
    return (double)plan->sorts.stored * 100 >= (double)percent * times * (double)of->sorted->keys.count;
}

/* The load that the sort would carry: its bytes, the number of columns, and whether all of them are numbers. */
typedef struct load {
    size_t bytes;
    int columns, are_numbers;
} load;

static load load_of(const side *of)
{
    load all = { 0, 0, 1 };
    for (int k = 0; k < of->part_count * WIDTH; ++k) {
        const part *const at = &of->parts[k / WIDTH];
        if (!is_wanted(at, k % WIDTH)) continue;
        const mcl_type *const type = at->columns[k % WIDTH].in.type;
        all.bytes += type->size;
        all.columns += 1;
        all.are_numbers &= type->kind != MCL_KIND_STRUCT;
    }
    return all;
}

static void choose_way(const columns_plan *plan, side *of)
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

static mcl_input counted_as_keys(const side *of, mcl_input input)
{
    mcl__adopt_count(&input, &of->sorted->keys);
    return input;
}

static mcl_input column_by_type(const mcl_join_column *column, const mcl_type *type)
{
    return mcl_from_buffer(type, column->in.buffer, column->in.offset, column->in.count);
}

/* Returns the columns of a key as bits of one number, an expression that is made where the sort reads it. */
static mcl_input record_of(side *of)
{
    static const char *const names[RECORD_BYTES] = { "mcl_column_0", "mcl_column_1", "mcl_column_2", "mcl_column_3",
                                                     "mcl_column_4", "mcl_column_5", "mcl_column_6", "mcl_column_7" };
    const mcl_type *const type = load_of(of).bytes > sizeof(uint32_t) ? MCL_UINT64 : MCL_UINT32;
    mcl_binding bound[RECORD_BYTES];
    char *at = of->text;
    int count = 0, shift = 0;
    for (int k = 0; k < of->part_count * WIDTH; ++k) {
        part *const in = &of->parts[k / WIDTH];
        const mcl_input *const column = &in->columns[k % WIDTH].in;
        if (!is_wanted(in, k % WIDTH)) continue;
        bound[count] = mcl_binding_buffer(names[count], moved_type(column->type), column->buffer, column->offset);
        at += sprintf(at, "%s(%s)%s[i] << %d", count > 0 ? " | " : "", type->name, names[count], shift);
        in->shifts[k % WIDTH] = shift;
        shift += 8 * (int)column->type->size;
        ++count;
    }
    return mcl_from_expression(type, of->text, NULL, bound, count, of->sorted->keys.count);
}

/* Returns the input that the sort of a side carries. */
static mcl_input carried_by(side *of)
{
    const int64_t zero = 0;
    if (of->way == NOWHERE) return (mcl_input){ .type = NULL };
    if (of->way != CARRIED || of->sorted->keys.count == 0)
        return mcl_from_counting(mcl__join_index(of->sorted), &zero, of->sorted->keys.count);
    if (of->has_record) return record_of(of);
    for (int k = 0;; ++k) {
        const mcl_join_column *const column = &of->parts[k / WIDTH].columns[k % WIDTH];
        if (is_wanted(&of->parts[k / WIDTH], k % WIDTH))
            return counted_as_keys(of, column_by_type(column, moved_type(column->in.type)));
    }
}

/* ---- fetches ----------------------------------------------------------------------------------------------------- */

/* Operands, scalars and values of a fetch. */
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

/* The operands of a launch that fetches for rows: from columns with keys elements, or from a record of such columns. */
typedef struct fetch {
    mcl_input rows, order, record; /* the last two: no type where there is none */
    int64_t keys;
    mcl_input in[WIDTH];
    mcl_output out[WIDTH]; /* no type where the column is not wanted */
} fetch;

static void fetch_give(mcl__call *call, fetch *of, const part *from)
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

static mcl_status fetch_run(columns_plan *plan, fetch *of, const part *from, const mcl_options *options)
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

static int part_wants(const part *of)
{
    for (int k = 0; k < WIDTH; ++k)
        if (is_wanted(of, k)) return 1;
    return 0;
}

/* Returns the order that the sort has left. */
static mcl_input order_of(const side *of)
{
    return counted_as_keys(of, mcl_from_buffer(of->sorted->carried.type, of->sorted->moved, 0, 0));
}

/* Copies the columns of a part in the order of the sorted keys. */
static mcl_status copy_columns(columns_plan *plan, const side *of, part *at, fetch *copies, const mcl_options *options)
{
    const int64_t keys = of->sorted->keys.count;
    copies->rows = order_of(of);
    copies->keys = keys;
    for (int k = 0; k < WIDTH; ++k) {
        if (!is_wanted(at, k)) continue;
        const mcl_type *const type = moved_type(at->columns[k].in.type);
        MCL__TRY(mcl__scratch_hold(plan->call.queue, (size_t)keys * type->size, &at->copies[k]));
        copies->in[k] = column_by_type(&at->columns[k], type);
        copies->out[k] = mcl_to_buffer(type, at->copies[k], 0, keys);
    }
    return fetch_run(plan, copies, at, options);
}

static mcl_status copy_part(columns_plan *plan, const side *of, part *at, const mcl_options *options)
{
    fetch *copies = NULL;
    MCL__TRY(mcl__plan_new(sizeof *copies, &copies));
    const mcl_status status = copy_columns(plan, of, at, copies, options);
    free(copies);
    return status;
}

/* Returns the values of a column where they lie by now. */
static mcl_input values_of(const side *of, const part *at, int k)
{
    const mcl_type *const type = moved_type(at->columns[k].in.type);
    const int64_t keys = of->sorted->keys.count;
    if (keys > 0 && of->way == CARRIED) return mcl_from_buffer(type, of->sorted->moved, 0, keys);
    if (keys > 0 && of->way == COPIED) return mcl_from_buffer(type, at->copies[k], 0, keys);
    return column_by_type(&at->columns[k], type);
}

static mcl_status fetch_columns(columns_plan *plan, const side *of, part *at, const mcl_result *count, fetch *fetched,
                                const mcl_options *options)
{
    const int64_t keys = of->sorted->keys.count;
    fetched->rows = mcl__join_rows(&plan->sorts, &of->rows, count);
    fetched->keys = keys;
    if (of->way == FOLLOWED) fetched->order = order_of(of);
    if (of->has_record && keys > 0)
        fetched->record = mcl_from_buffer(of->sorted->carried.type, of->sorted->moved, 0, keys);
    for (int k = 0; k < WIDTH; ++k) {
        if (!is_wanted(at, k)) continue;
        const mcl_output *const out = &at->columns[k].out;
        fetched->in[k] = values_of(of, at, k);
        fetched->out[k] = mcl_to_buffer(moved_type(out->type), out->buffer, out->offset, plan->sorts.stored);
    }
    return fetch_run(plan, fetched, at, options);
}

static mcl_status fetch_part(columns_plan *plan, const side *of, part *at, const mcl_result *count,
                             const mcl_options *options)
{
    fetch *fetched = NULL;
    MCL__TRY(mcl__plan_new(sizeof *fetched, &fetched));
    const mcl_status status = fetch_columns(plan, of, at, count, fetched, options);
    free(fetched);
    return status;
}

static mcl_status fetch_side(columns_plan *plan, side *of, const mcl_result *count, const mcl_options *options)
{
    const mcl_options own = mcl__join_beside(options);
    if (of->way == NOWHERE) return MCL_OK;
    for (int k = 0; k < of->part_count; ++k) {
        if (!part_wants(&of->parts[k])) continue;
        if (of->way == COPIED && of->sorted->keys.count > 0) MCL__TRY(copy_part(plan, of, &of->parts[k], &own));
        MCL__TRY(fetch_part(plan, of, &of->parts[k], count, &own));
    }
    return MCL_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* out_keys: of a, else of b. */
static mcl_status store_keys(columns_plan *plan, const mcl_result *count, const mcl_options *options)
{
    static const unsigned char zeros[MCL_VALUE_BYTES_MAX];
    const mcl__join_side *const a = &plan->sorts.a, *const b = &plan->sorts.b;
    const mcl_type *const type = moved_type(plan->keys.type);
    const int has_b = plan->b.wants_rows;
    const mcl_output *const rows_b = has_b ? &plan->b.rows : &plan->a.rows;
    const mcl_options own = mcl__join_beside(options);
    const mcl_binding bound[] = { mcl_binding_buffer("mcl_rows_a", plan->a.rows.type, plan->a.rows.buffer, 0),
                                  mcl_binding_buffer("mcl_rows_b", rows_b->type, rows_b->buffer, 0),
                                  mcl_binding_buffer("mcl_a", type, a->sorted, 0),
                                  mcl_binding_buffer("mcl_b", type, b->sorted, 0),
                                  mcl_binding_value("mcl_count_a", MCL_INT64, &a->keys.count),
                                  mcl_binding_value("mcl_count_b", MCL_INT64, has_b ? &b->keys.count : &(int64_t){ 0 }),
                                  mcl_binding_value("mcl_null", type, zeros) };
    const mcl_input rows = mcl__join_rows(&plan->sorts, &plan->a.rows, count);
    mcl_input keys =
        mcl_from_expression(type,
                            "mcl_rows_a[i] >= 0 && mcl_rows_a[i] < mcl_count_a ? mcl_a[mcl_rows_a[i]] : "
                            "mcl_rows_b[i] >= 0 && mcl_rows_b[i] < mcl_count_b ? mcl_b[mcl_rows_b[i]] : mcl_null",
                            NULL, bound, 7, rows.count);
    mcl__adopt_slot(&keys, &rows);
    return mcl__transform(plan->call.queue, &keys,
                          mcl_to_buffer(type, plan->keys.buffer, plan->keys.offset, rows.count), &own);
}

/* Creates the array of a side's rows, if there is need of one. */
static mcl_status create_rows(const columns_plan *plan, side *of)
{
    const mcl_type *const type = mcl__join_index(of->sorted);
    mcl_buffer *made = NULL;
    of->rows = (mcl_output){ .type = NULL };
    if (!of->wants_rows) return MCL_OK;
    MCL__TRY(mcl__scratch_hold(plan->call.queue, (size_t)plan->sorts.stored * type->size, &made));
    of->rows = mcl_to_buffer(type, made, 0, plan->sorts.stored);
    return MCL_OK;
}

static mcl_status columns_steps(void *of, const mcl_options *options)
{
    columns_plan *const plan = of;
    mcl__join_sorts *const sorts = &plan->sorts;
    mcl_result count;
    MCL__TRY(create_rows(plan, &plan->a));
    MCL__TRY(create_rows(plan, &plan->b));
    MCL__TRY(mcl__join_sort_and_join(sorts, plan->a.rows, plan->b.rows, options, &count));
    MCL__TRY(fetch_side(plan, &plan->a, &count, options));
    MCL__TRY(fetch_side(plan, &plan->b, &count, options));
    if (sorts->stored > 0 && !mcl__is_left_out(&plan->keys)) MCL__TRY(store_keys(plan, &count, options));
    return MCL_OK;
}

static void release_side(side *of)
{
    mcl_buffer_release(of->rows.buffer);
    of->rows = (mcl_output){ .type = NULL };
    for (int k = 0; k < of->part_count * WIDTH; ++k) {
        mcl_buffer_release(of->parts[k / WIDTH].copies[k % WIDTH]);
        of->parts[k / WIDTH].copies[k % WIDTH] = NULL;
    }
}

static void columns_release(void *of)
{
    columns_plan *const plan = of;
    release_side(&plan->a);
    release_side(&plan->b);
    mcl__join_release(&plan->sorts);
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

static void choose_ways(columns_plan *plan)
{
    const mcl_join_kind kind = plan->sorts.kind;
    const int has_keys = plan->sorts.stored > 0 && !mcl__is_left_out(&plan->keys);
    choose_way(plan, &plan->a);
    choose_way(plan, &plan->b);
    plan->a.wants_rows = plan->a.way != NOWHERE || has_keys;
    plan->b.wants_rows = plan->b.way != NOWHERE || (has_keys && (kind == MCL_JOIN_RIGHT || kind == MCL_JOIN_OUTER));
    plan->sorts.a.carried = carried_by(&plan->a);
    plan->sorts.b.carried = carried_by(&plan->b);
}

static mcl_status columns_run(columns_plan *plan)
{
    MCL__TRY(columns_check(plan));
    choose_ways(plan);
    MCL__TRY(mcl__join_run(&plan->sorts, columns_steps, columns_release, plan));
    return check_counted(plan);
}

mcl_status mcl_join_columns(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b,
                            const mcl_join_column *columns_a, int column_count_a, const mcl_join_column *columns_b,
                            int column_count_b, mcl_output out_keys, const mcl_op *before, mcl_result count,
                            const mcl_options *options)
{
    columns_plan *plan = NULL;
    mcl__function_is("mcl_join_columns");
    MCL__TRY(mcl__plan_new(sizeof *plan, &plan));
    plan->sorts.kind = kind;
    plan->sorts.a.keys = a;
    plan->sorts.b.keys = b;
    plan->a = (side){ .name = "columns_a", .keys_name = "a", .given = columns_a, .given_count = column_count_a };
    plan->b = (side){ .name = "columns_b", .keys_name = "b", .given = columns_b, .given_count = column_count_b };
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
