/* row_sort.c: sorts rows of equal length. Kernels: cl/kernels/segmented_sort/row_sort.cl. Rows that fit a tile are
 * sorted in one launch. A group sorts as many whole rows as fit. So there are no head bits, no segments across tiles,
 * and no levels of merges. Long rows of built-in keys are sorted by digits (radix_sort.c), all rows at once. */
#include "operations/segmented_sort/tiled_operands.h"

#include <stdlib.h>

enum { KEYS = 1, OFFSETS, VALUES, BEFORE, OUT, OUT_VALUES, A_VALUES, SPARE, SPARE_VALUES, A }; /* operands */
enum { KEY = 1 };                  /* groups of operands with one type */
enum { ROWS };                     /* passes */
enum { ROW_LENGTH, ROWS_A_GROUP }; /* scalars */
/* Scratch of the serial mapping, which merges between two arrays of keys and two of values. */
enum { KEYS_HOME, KEYS_SPARE, VALUES_HOME, VALUES_SPARE };

static const mcl__declaration row_sort = {
    .file = "kernels/segmented_sort/row_sort.cl",
    .types = { [KEY] = "key" },
    .aliased = 1,
    .operands =
        (mcl__operands){
            [KEYS] = { "in", .kind = MCL__INPUT, .label = "keys" },
            [OFFSETS] = { "offsets", .kind = MCL__INPUT, .count_alone = 1 },
            [VALUES] = { "in_values", .kind = MCL__INPUT, .label = "values" },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = KEYS },
            [OUT] = { "out", .kind = MCL__OUTPUT },
            [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT },
            [A_VALUES] = { "a_values", .kind = MCL__INPUT },
            [SPARE] = { "spare", .kind = MCL__ARRAY },
            [SPARE_VALUES] = { "spare_values", .kind = MCL__ARRAY },
            [A] = { "a", .kind = MCL__INPUT },
        },
    .scalars = { [ROW_LENGTH] = "row_length", [ROWS_A_GROUP] = "rows_a_group" },
    .passes = (mcl__passes){ [ROWS] = { "sort_rows", .arguments = { MCL__ENVIRONMENT, OPERAND(KEYS), OPERAND(OFFSETS),
                                                                    OPERAND(VALUES), OPERAND(OUT), OPERAND(SPARE),
                                                                    OPERAND(OUT_VALUES), OPERAND(SPARE_VALUES),
                                                                    AS_INDEX(ROW_LENGTH), AS_INDEX(ROWS_A_GROUP) } } },
};

/* One call. Only types and counts of offsets, array and array_values are used. */
typedef struct row_run {
    mcl__call call;
    mcl__tiled_sort plan;
    mcl_input offsets, array, array_values;
    mcl__tile tile;
} row_run;

static void give_operands(row_run *sort)
{
    mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    sort->offsets.type = MCL_INT32;
    mcl__adopt_count(&sort->offsets, &plan->segments.input);
    sort->array = mcl_from_buffer(plan->keys.type, NULL, 0, 0);
    call->types[KEY] = call->operands[SPARE].scratch = plan->keys.type;
    call->operands[KEYS].input = &plan->keys;
    call->operands[OFFSETS].input = &sort->offsets;
    call->operands[BEFORE].op = plan->before;
    call->operands[OUT].output = &plan->out;
    call->operands[A].input = &sort->array;
    if (!plan->has_values) return;
    sort->array_values = mcl_from_buffer(plan->out_values.type, NULL, 0, 0);
    call->operands[VALUES].input = &plan->values;
    call->operands[OUT_VALUES].output = &plan->out_values;
    call->operands[A_VALUES].input = &sort->array_values;
    call->operands[SPARE_VALUES].scratch = plan->out_values.type;
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Returns the cost per element of a row where each work-item has items elements, in arbitrary units. A network sorts a
 * work-item's elements. Insertion sorts the row's last elements where they are fewer. Rounds of merges follow. With an
 * even number of items, work-items use the same banks of work-group memory. Lanes without work cost as much as lanes
 * with work. The constants were fitted to argsort_rows_1000 and segsort_rows_64 on the H200. */
static int64_t cost_of_items(mcl__tile tile, int items, int64_t length)
{
    enum { FIXED = 40, NETWORK = 20, ROUND = 170, INSERTION = 1200, CONFLICT = 26, LANES = 32 };
    const int64_t share = mcl__divide_up(length, items), rows = tile.threads / share, few = length % items;
    /* The number of elements that share the cost of one insertion. */
    const int64_t sub_group = LANES * items > length ? LANES * items : length;
    const int conflicts = (items & -items) - 1;
    int64_t rounds = 0;
    if (rows == 0) return INT64_MAX;
    for (int64_t width = 1; width < share; width *= 2) ++rounds;
    const int64_t cost = FIXED + NETWORK * items + ROUND * rounds + INSERTION * few * few / sub_group +
                         CONFLICT * conflicts * (2 + rounds);
    return cost * 1024 * mcl__divide_up(rows * share, LANES) * LANES * items / (rows * length);
}

static int is_given(const mcl_options *options)
{
    return options && options->tile_threads > 0;
}

/* Returns a tile that rows of this length fill well. If rows are short, a work-item sorts whole rows. */
static mcl__tile fit_tile(mcl__tile tile, int64_t length)
{
    mcl__tile best = tile;
    if (length <= tile.items) return (mcl__tile){ tile.threads, tile.items / (int)length * (int)length };
    for (int items = 1; items < tile.items; ++items)
        if (cost_of_items(tile, items, length) < cost_of_items(tile, best.items, length)) best.items = items;
    return best;
}

static void choose_tile(row_run *sort)
{
    mcl__call *const call = &sort->call;
    const mcl__tile_need need = mcl__tiled_sort_need(&sort->plan);
    sort->tile = mcl__call_choose_tile(call, mcl__tiled_sort_operation(&sort->plan), need);
    /* llvmpipe, the only driver with a loop limit, gives wrong structs in the group mapping. */
    if (call->queue->context->limits.loop_budget > 0)
        sort->tile = (mcl__tile){ 1, sort->tile.threads * sort->tile.items };
    if (sort->tile.threads == 1 || is_given(call->options)) return;
    sort->tile = fit_tile(sort->tile, sort->plan.segments.row_length);
    call->spec.local_bytes = mcl__tile_bytes(&call->queue->context->limits, need, sort->tile);
}

/* Returns the number of rows that a group sorts, or 0 where the tile has no room for one row. */
static int64_t rows_a_group(const row_run *sort)
{
    const int64_t length = sort->plan.segments.row_length;
    if (length <= sort->tile.items) return sort->tile.threads * (sort->tile.items / length);
    return sort->tile.threads / mcl__divide_up(length, sort->tile.items);
}

/* Limits in the serial mapping. A network in vectors sorts several short rows at once. In longer rows the network sorts
 * runs, which are then merged. */
enum { BASE_RUN_MAX = 16, COLUMNS_MAX = 16, SIDE_BY_SIDE_MAX = 63 };
static void define_base(row_run *sort)
{
    mcl__call *const call = &sort->call;
    const mcl__tiled_sort *const plan = &sort->plan;
    const mcl_type *const type = plan->keys.type;
    const int length = (int)plan->segments.row_length;
    const int by_vectors = mcl__tiled_sort_by_vectors(plan);
    const int side_by_side = by_vectors && length <= SIDE_BY_SIDE_MAX;
    const int columns = length / BASE_RUN_MAX < COLUMNS_MAX ? length / BASE_RUN_MAX : COLUMNS_MAX;
    mcl__call_define(call, "ROWS_SIDE_BY_SIDE", side_by_side);
    const int run_length = type->size > 8 ? BASE_RUN_MAX / 2 : BASE_RUN_MAX;
    mcl__call_define(call, "BASE_RUN", side_by_side ? length : run_length);
    mcl__call_define(call, "BASE_COLUMNS", side_by_side ? COLUMNS_MAX : by_vectors && columns >= 4 ? columns & -4 : 1);
    mcl__tiled_sort_define_short(call, plan);
}

/* Returns the resident work-items (KERNEL_GROUPS) of the kernel whose work-items hold whole rows in registers. Returns
 * 0 for the other kernel, so that the compiler chooses. */
static int resident(const row_run *sort, int index_bits)
{
    const mcl__tile_need need = mcl__tiled_sort_need(&sort->plan);
    const mcl__parameter first = MCL__PARAMETER_segmented_sort_row_resident_4;
    if (sort->plan.segments.row_length > sort->tile.items) return 0;
    return (int)mcl__resident(sort->call.queue->context, first, need.element_bytes, index_bits);
}

static mcl_status get_program(row_run *sort)
{
    const mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    const int is_serial = sort->tile.threads == 1;
    const int index_bits = mcl__index_bits(plan->keys.count, call->options);
    const int64_t length = plan->segments.row_length;
    mcl__call_define(call, "VALUES_ARE_INDICES", plan->makes_indices);
    mcl__call_define(call, "INDICES_IN_ROWS", plan->origin == MCL_INDEX_IN_SEGMENT);
    mcl__call_define(call, "KEYS_DROPPED", !is_serial && plan->drops_keys);
    mcl__call_define(call, "ROW_ITEMS", !is_serial && length <= sort->tile.items ? (int)length : 0);
    mcl__call_define(call, "STABLE", plan->stability == MCL_STABLE && !mcl__order_is_hidden(plan));
    mcl__call_define(call, "RESIDENT", resident(sort, index_bits));
    if (is_serial) define_base(sort);
    return mcl__call_program(call, sort->tile, index_bits);
}

/* ---- the call -------------------------------------------------------------------------------------------------- */

/* Asks for scratch. The group mapping needs no arrays besides the outputs. The serial mapping merges between two arrays
 * of keys and two of values, like mergesort. */
static void need_scratch(row_run *sort)
{
    const mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    const size_t count = mcl__call_is_serial(call) ? (size_t)plan->keys.count : 0;
    const int alternates = plan->segments.row_length > BASE_RUN_MAX / 2;
    mcl__sort_need_arrays(call, KEYS_HOME, KEYS_SPARE, count * plan->keys.type->size,
                          plan->drops_keys ? NULL : &plan->out, alternates);
    if (!plan->has_values) return;
    mcl__sort_need_arrays(call, VALUES_HOME, VALUES_SPARE, count * plan->out_values.type->size, &plan->out_values,
                          alternates);
}

static mcl_status launch(row_run *sort)
{
    const mcl__tiled_sort *const plan = &sort->plan;
    mcl__call *const call = &sort->call;
    const int64_t length = plan->segments.row_length;
    const int64_t groups = mcl__divide_up(plan->keys.count, rows_a_group(sort) * length);
    call->scalars[ROW_LENGTH] = length;
    call->scalars[ROWS_A_GROUP] = rows_a_group(sort);
    mcl__call_put(call, OUT, call->scratch[KEYS_HOME].span);
    mcl__call_put(call, SPARE, call->scratch[KEYS_SPARE].span);
    mcl__call_put(call, OUT_VALUES, call->scratch[VALUES_HOME].span);
    mcl__call_put(call, SPARE_VALUES, call->scratch[VALUES_SPARE].span);
    if (plan->report) *plan->report = (mcl_sort_report){ .tile = rows_a_group(sort) * length, .tiles = groups };
    return groups > 0 ? mcl__call_launch(call, ROWS, groups) : MCL_OK;
}

/* Sorts rows that fit a tile. If the compiled kernel allows too few work-items for a row, *applies receives 0 and
 * nothing is sorted. */
static mcl_status sort_in_tiles(row_run *sort, int *applies)
{
    const mcl__tiled_sort *const plan = &sort->plan;
    MCL__TRY(get_program(sort));
    sort->tile = mcl__call_tile(&sort->call);
    *applies = rows_a_group(sort) > 0;
    if (!*applies) return MCL_OK;
    MCL__TRY(mcl__check_tiles(plan->keys.count, rows_a_group(sort) * plan->segments.row_length));
    need_scratch(sort);
    MCL__TRY(mcl__call_begin(&sort->call));
    MCL__TRY(launch(sort));
    return mcl__call_end(&sort->call);
}

/* ---- by digits -------------------------------------------------------------------------------------------------- */

/* Returns 1 where all keys are in rows, and a sort by digits takes no more passes than a sort by merges takes levels.
 * There is one pass per byte of a key, and one level per doubling of a tile. */
static int digits_are_faster(const row_run *sort, const mcl__sort_operands *by_digits)
{
    const mcl__tiled_sort *const plan = &sort->plan;
    const mcl_input *const offsets = &plan->segments.input;
    const int64_t length = plan->segments.row_length;
    const int all_in_rows = !offsets->count_slot && (offsets->count - 1) * length >= plan->keys.count;
    return all_in_rows && !plan->report && sort->tile.threads > 1 && sort->call.queue->context->limits.look_back &&
           mcl__radix_sort_applies(by_digits) && length > mcl__tile_size(sort->tile) << (plan->keys.type->size - 1);
}

/* Returns an input with each key's index in its row. Kernels compute it from the key's index among all keys. */
static mcl_input rank_in_row(const mcl__tiled_sort *plan)
{
    const mcl_type *const index = plan->out_values.type;
    const mcl_binding length = mcl_binding_value("mcl_row_length", MCL_INT64, &plan->segments.row_length);
    return mcl_from_expression(index, "i % (index_type)mcl_row_length", NULL, &length, 1, plan->keys.count);
}

static mcl__sort_operands sort_by_digits(const mcl__tiled_sort *plan)
{
    return (mcl__sort_operands){ .keys = plan->keys,
                                 .values = plan->origin == MCL_INDEX_IN_SEGMENT ? rank_in_row(plan) : plan->values,
                                 .out = plan->out,
                                 .out_values = plan->out_values,
                                 .before = plan->before,
                                 .has_values = plan->has_values,
                                 .drops_keys = plan->drops_keys,
                                 .row_length = plan->segments.row_length };
}

static mcl_status sort_digits(const row_run *sort, int *applies)
{
    const mcl__sort_operands by_digits = sort_by_digits(&sort->plan);
    *applies = digits_are_faster(sort, &by_digits);
    return *applies ? mcl__radix_sort(sort->call.queue, &by_digits, sort->call.options) : MCL_OK;
}

mcl_status mcl__row_sort(mcl_queue *queue, const mcl__tiled_sort *plan, const mcl_options *options, int *applies)
{
    row_run *sort = NULL;
    *applies = plan->segments.row_length > 0;
    if (!*applies) return MCL_OK;
    MCL__TRY(mcl__plan_new(sizeof *sort, &sort));
    mcl__call_init(&sort->call, &row_sort, NULL, queue, options);
    sort->plan = *plan;
    give_operands(sort);
    choose_tile(sort);
    const mcl_status status = rows_a_group(sort) > 0 ? sort_in_tiles(sort, applies) : sort_digits(sort, applies);
    free(sort);
    return status;
}
