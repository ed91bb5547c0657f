/* row_sort.c: sorts rows of one length. Kernels: cl/kernels/sort/row_sort.cl.
 * Rows that fit a tile are sorted in one launch. A group sorts as many whole rows as fit, so there are no head bits, no
 * seams, and no levels of merges. Long rows of built-in keys are sorted by digits (radix_sort.c), all rows at once. */
#include "operations/sort/tiled_sort.h"

#include <stdlib.h>

enum { KEYS = 1, OFFSETS, VALUES, BEFORE, OUT, OUT_VALUES, A_VALUES, SPARE, SPARE_VALUES, A }; /* operands */
enum { KEY = 1 };                                                                              /* groups of types */
enum { ROWS };                                                                                 /* passes */
enum { ROW_LENGTH, ROWS_A_GROUP };                                                             /* numbers */
/* Scratch of the serial mapping, which merges between two arrays. */
enum { KEYS_HOME, KEYS_SPARE, VALUES_HOME, VALUES_SPARE };

static const mcl__declaration row_sort = {
    .file = "kernels/sort/row_sort.cl",
    .types = { [KEY] = "key" },
    .aliased = 1,
    .operands = {
        [KEYS] = { "in", .kind = MCL__INPUT },
        [OFFSETS] = { "offsets", .kind = MCL__INPUT, .count_alone = 1 },
        [VALUES] = { "in_values", .kind = MCL__INPUT },
        [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = KEYS },
        [OUT] = { "out", .kind = MCL__OUTPUT },
        [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT },
        [A_VALUES] = { "a_values", .kind = MCL__INPUT },
        [SPARE] = { "spare", .kind = MCL__SCRATCH },
        [SPARE_VALUES] = { "spare_values", .kind = MCL__SCRATCH },
        [A] = { "a", .kind = MCL__INPUT },
    },
    .numbers = { [ROW_LENGTH] = "row_length", [ROWS_A_GROUP] = "rows_a_group" },
    .passes = { [ROWS] = { "sort_rows", .words = { MCL__ENV, MCL__OF + KEYS, MCL__OF + OFFSETS, MCL__OF + VALUES,
                                                   MCL__OF + OUT, MCL__OF + SPARE, MCL__OF + OUT_VALUES,
                                                   MCL__OF + SPARE_VALUES, MCL__INDEX + ROW_LENGTH,
                                                   MCL__INDEX + ROWS_A_GROUP } } },
};

/* One call. The inputs beside it give operands their types and counts. */
typedef struct row_run {
    mcl__run run;
    mcl__tiled_sort call;
    mcl_input offsets, array, array_values;
    mcl__tile tile;
} row_run;

static void give_operands(row_run *sort)
{
    mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    sort->offsets.type = MCL_INT32;
    mcl__adopt_count(&sort->offsets, &call->segments.input);
    sort->array = mcl_from_buffer(call->keys.type, NULL, 0, 0);
    run->types[KEY] = run->given[SPARE].scratch = call->keys.type;
    run->given[KEYS].input = &call->keys;
    run->given[OFFSETS].input = &sort->offsets;
    run->given[BEFORE].op = call->before;
    run->given[OUT].output = &call->out;
    run->given[A].input = &sort->array;
    if (!call->has_values) return;
    sort->array_values = mcl_from_buffer(call->out_values.type, NULL, 0, 0);
    run->given[VALUES].input = &call->values;
    run->given[OUT_VALUES].output = &call->out_values;
    run->given[A_VALUES].input = &sort->array_values;
    run->given[SPARE_VALUES].scratch = call->out_values.type;
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Returns the cost of a row's element where each work-item has items elements. A network sorts a work-item's elements;
 * insertion sorts those of the last one if they are fewer. Then come rounds of merges. Even items share banks of
 * work-group memory. In a sub-group with work, lanes without work cost as much. Fitted to argsort_rows_1000,
 * segsort_rows_64 on the H200. */
static int64_t cost_of_items(mcl__tile tile, int items, int64_t length)
{
    enum { FIXED = 40, NETWORK = 20, ROUND = 170, INSERTION = 1200, CONFLICT = 26, LANES = 32 };
    const int64_t share = mcl__divide_up(length, items), rows = tile.threads / share, few = length % items;
    const int64_t sub_group = LANES * items > length ? LANES * items : length; /* elements for each insertion */
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

/* Returns a tile that rows of length fill well. A work-item has short rows as a whole. */
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
    mcl__run *const run = &sort->run;
    const mcl__tile_need need = mcl__tiled_sort_need(&sort->call);
    sort->tile = mcl__run_choose_tile(run, mcl__tiled_sort_operation(&sort->call), need);
    /* llvmpipe, which alone ends long loops, gives wrong structs in the group mapping. */
    if (run->queue->context->limits.loop_budget > 0)
        sort->tile = (mcl__tile){ 1, sort->tile.threads * sort->tile.items };
    if (sort->tile.threads == 1 || is_given(run->options)) return;
    sort->tile = fit_tile(sort->tile, sort->call.segments.row_length);
    run->spec.local_bytes = mcl__tile_bytes(&run->queue->context->limits, need, sort->tile);
}

/* 0: not even one row fits the tile. */
static int64_t rows_a_group(const row_run *sort)
{
    const int64_t length = sort->call.segments.row_length;
    if (length <= sort->tile.items) return sort->tile.threads * (sort->tile.items / length);
    return sort->tile.threads / mcl__divide_up(length, sort->tile.items);
}

/* Limits under the serial mapping. A network in vectors sorts short rows side by side; longer rows begin with runs that
 * it sorts. */
enum { BASE_RUN_MAX = 16, COLUMNS_MAX = 16 };
static void define_base(row_run *sort)
{
    mcl__run *const run = &sort->run;
    const mcl__tiled_sort *const call = &sort->call;
    const mcl_type *const type = call->keys.type;
    const int length = (int)call->segments.row_length;
    const int is_number =
        type->kind != MCL_KIND_STRUCT && !(call->has_values && call->values.type->kind == MCL_KIND_STRUCT);
    const int side_by_side = is_number && length <= BASE_RUN_MAX;
    const int columns = length / BASE_RUN_MAX < COLUMNS_MAX ? length / BASE_RUN_MAX : COLUMNS_MAX;
    mcl__run_define(run, "ROWS_SIDE_BY_SIDE", side_by_side);
    const int run_length = type->size > 8 ? BASE_RUN_MAX / 2 : BASE_RUN_MAX;
    mcl__run_define(run, "BASE_RUN", side_by_side ? length : run_length);
    mcl__run_define(run, "BASE_COLUMNS", side_by_side ? COLUMNS_MAX : is_number && columns >= 4 ? columns & -4 : 1);
}

/* Returns the resident work-items (KERNEL_GROUPS) of the kernel that has whole rows in registers. For the other kernel
 * the compiler chooses. */
static int resident(const row_run *sort, int index_bits)
{
    const mcl__tile_need need = mcl__tiled_sort_need(&sort->call);
    const mcl__parameter first = MCL__PARAMETER_segmented_sort_row_resident_4;
    if (sort->call.segments.row_length > sort->tile.items) return 0;
    return (int)mcl__resident(sort->run.queue->context, first, need.element_bytes, index_bits);
}

static mcl_status get_program(row_run *sort)
{
    const mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    const int is_serial = sort->tile.threads == 1;
    const int index_bits = mcl__index_bits(call->keys.count, run->options);
    const int64_t length = call->segments.row_length;
    mcl__run_define(run, "VALUES_ARE_INDICES", call->makes_indices);
    mcl__run_define(run, "INDICES_IN_ROWS", call->origin == MCL_INDEX_IN_SEGMENT);
    mcl__run_define(run, "KEYS_DROPPED", !is_serial && call->drops_keys);
    mcl__run_define(run, "ROW_ITEMS", !is_serial && length <= sort->tile.items ? (int)length : 0);
    mcl__run_define(run, "STABLE", call->stability == MCL_STABLE && !mcl__order_is_hidden(call));
    mcl__run_define(run, "RESIDENT", resident(sort, index_bits));
    if (is_serial) define_base(sort);
    return mcl__run_program(run, sort->tile, index_bits);
}

/* ---- the call -------------------------------------------------------------------------------------------------- */

/* A group needs no arrays but the outputs. The serial mapping has two of keys and of values, as mergesort has. */
static void need_scratch(row_run *sort)
{
    const mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    const size_t count = mcl__run_is_serial(run) ? (size_t)call->keys.count : 0;
    const int alternates = call->segments.row_length > BASE_RUN_MAX / 2;
    mcl__sort_need_arrays(run, KEYS_HOME, KEYS_SPARE, count * call->keys.type->size,
                          call->drops_keys ? NULL : &call->out, alternates);
    if (!call->has_values) return;
    mcl__sort_need_arrays(run, VALUES_HOME, VALUES_SPARE, count * call->out_values.type->size, &call->out_values,
                          alternates);
}

static mcl_status launch(row_run *sort)
{
    const mcl__tiled_sort *const call = &sort->call;
    mcl__run *const run = &sort->run;
    const int64_t length = call->segments.row_length;
    const int64_t groups = mcl__divide_up(call->keys.count, rows_a_group(sort) * length);
    run->numbers[ROW_LENGTH] = length;
    run->numbers[ROWS_A_GROUP] = rows_a_group(sort);
    mcl__run_put(run, OUT, run->pieces[KEYS_HOME].span);
    mcl__run_put(run, SPARE, run->pieces[KEYS_SPARE].span);
    mcl__run_put(run, OUT_VALUES, run->pieces[VALUES_HOME].span);
    mcl__run_put(run, SPARE_VALUES, run->pieces[VALUES_SPARE].span);
    if (call->report) *call->report = (mcl_sort_report){ .tile = rows_a_group(sort) * length, .tiles = groups };
    return groups > 0 ? mcl__run_launch(run, ROWS, groups) : MCL_OK;
}

/* *applies: 0: the compiled kernel allows so few work-items that no row fits a tile. */
static mcl_status sort_in_tiles(row_run *sort, int *applies)
{
    const mcl__tiled_sort *const call = &sort->call;
    MCL__TRY(get_program(sort));
    sort->tile = mcl__run_tile(&sort->run);
    *applies = rows_a_group(sort) > 0;
    if (!*applies) return MCL_OK;
    MCL__TRY(mcl__check_tiles(call->keys.count, rows_a_group(sort) * call->segments.row_length));
    need_scratch(sort);
    MCL__TRY(mcl__run_begin(&sort->run));
    MCL__TRY(launch(sort));
    return mcl__run_end(&sort->run);
}

/* ---- by digits -------------------------------------------------------------------------------------------------- */

/* 1: all keys are in rows, and sorting by digits takes no more passes than sorting by merges takes levels. There is a
 * pass for each byte of a key, and a level for each doubling of a tile. */
static int digits_are_faster(const row_run *sort, const mcl__sort_call *by_digits)
{
    const mcl__tiled_sort *const call = &sort->call;
    const mcl_input *const offsets = &call->segments.input;
    const int64_t length = call->segments.row_length;
    const int all_in_rows = !offsets->count_slot && (offsets->count - 1) * length >= call->keys.count;
    return all_in_rows && !call->report && sort->tile.threads > 1 && sort->run.queue->context->limits.look_back &&
           mcl__radix_sort_applies(by_digits) && length > mcl__tile_size(sort->tile) << (call->keys.type->size - 1);
}

/* Returns the index of a key in its row; the kernels make it of the key's own. */
static mcl_input rank_in_row(const mcl__tiled_sort *call)
{
    const mcl_type *const index = call->out_values.type;
    const mcl_binding length = mcl_binding_value("mcl_row_length", MCL_INT64, &call->segments.row_length);
    return mcl_from_expression(index, "i % (index_type)mcl_row_length", NULL, &length, 1, call->keys.count);
}

static mcl__sort_call sort_by_digits(const mcl__tiled_sort *call)
{
    return (mcl__sort_call){ .keys = call->keys,
                             .values = call->origin == MCL_INDEX_IN_SEGMENT ? rank_in_row(call) : call->values,
                             .out = call->out,
                             .out_values = call->out_values,
                             .before = call->before,
                             .has_values = call->has_values,
                             .drops_keys = call->drops_keys,
                             .row_length = call->segments.row_length };
}

static mcl_status sort_digits(const row_run *sort, int *applies)
{
    const mcl__sort_call by_digits = sort_by_digits(&sort->call);
    *applies = digits_are_faster(sort, &by_digits);
    return *applies ? mcl__radix_sort(sort->run.queue, &by_digits, sort->run.options) : MCL_OK;
}

mcl_status mcl__row_sort(mcl_queue *queue, const mcl__tiled_sort *call, const mcl_options *options, int *applies)
{
    row_run *sort = NULL;
    *applies = call->segments.row_length > 0;
    if (!*applies) return MCL_OK;
    MCL__TRY(mcl__plan_new(sizeof *sort, &sort));
    mcl__run_init(&sort->run, &row_sort, NULL, queue, options);
    sort->call = *call;
    give_operands(sort);
    choose_tile(sort);
    const mcl_status status = rows_a_group(sort) > 0 ? sort_in_tiles(sort, applies) : sort_digits(sort, applies);
    free(sort);
    return status;
}
