/* segmented_top_k.c: mcl_segmented_top_k, and its variants for pairs and indices. Kernels:
 * cl/kernels/top_k/segmented_top_k.cl. A few long rows are cut into parts. One launch selects in the parts, and another
 * selects among the elements of all parts. */
#include "operations/top_k/segments_rows.h"

#include "tuning/cost.h"

#include "moderncl/segmented_top_k.h"

/* Passes, scratch, scalars. */
enum { SELECT };
enum { HEAPS };
enum { APART = OTHER_SCALARS };

static const mcl__declaration segmented_top_k = {
    .file = "kernels/top_k/segmented_top_k.cl",
    .of_steps = 1,
    .operands = mcl__rows_operands,
    .scratch = { [HEAPS] = { "heaps", "key_type" } },
    .scalars = { [WANTED] = "wanted", [ROW] = "row", [ROWS] = "rows", [APART] = "apart", [LENGTH] = "length" },
    .passes = (mcl__passes){ [SELECT] = { "segmented_top_k",
                                          .arguments = { MCL__ENVIRONMENT, OPERAND(IN), OPERAND(IN_VALUES),
                                                         OPERAND(OFFSETS), OPERAND(POSITIONS), OPERAND(OUT),
                                                         OPERAND(OUT_VALUES), OPERAND(OUT_INDICES), OPERAND(COUNTS),
                                                         OPERAND(AMOUNTS), SCRATCH(HEAPS), AS_INDEX(WANTED),
                                                         AS_INDEX(ROW), AS_INDEX(ROWS), AS_INDEX(APART) } } },
};

/* ---- the program -------------------------------------------------------------------------------------------- */

enum { THREADS_LEAST = 32, ITEMS_OF_ROWS = 32 };

/* Returns the bits of an index that can count every element of the input and of the outputs. */
static int index_bits(const mcl__call *call)
{
    const int64_t in = call->operands[IN].input->count, out = call->scalars[ROWS] * call->scalars[ROW];
    const int64_t offsets = call->operands[OFFSETS].input->count, most = in > out ? in : out;
    return mcl__index_bits(most > offsets ? most : offsets, call->options);
}

static size_t ranked_bytes(const mcl__call *call)
{
    return mcl__top_k_ranked_bytes(call->operands[IN].input->type, index_bits(call));
}

/* Returns 1 where a group has room for any row and for two batches of k. It then reads a row once, without a sample. */
static int rows_fit(const mcl__call *call, mcl__tile tile)
{
    const int64_t length = call->scalars[LENGTH], batch = (int64_t)tile.threads * (tile.items / 2);
    return tile.threads > 1 && length > 0 && length <= mcl__tile_size(tile) && call->scalars[WANTED] <= batch;
}

/* Returns a tile for rows that fit. It has the fewest work-items that can find a pivot for k among their best elements.
 * So work that each work-item does once is spread over many elements. If rows do not fit, it returns tile, which the
 * tuning gives. */
static mcl__tile fit_rows(const mcl__call *call, mcl__tile tile)
{
    mcl__tile made = { THREADS_LEAST, 2 };
    while (made.threads < tile.threads && made.threads / 2 < call->scalars[WANTED]) made.threads *= 2;
    while (made.items < ITEMS_OF_ROWS && mcl__tile_size(made) < call->scalars[LENGTH]) made.items *= 2;
    return rows_fit(call, made) && mcl__tile_size(made) <= mcl__tile_size(tile) ? made : tile;
}

/* Returns a tile with room for a segment of average length and for two batches of k. */
static mcl__tile choose_tile(mcl__call *call)
{
    const mcl__limits *const limits = &call->queue->context->limits;
    const size_t ranked = ranked_bytes(call);
    const mcl__tile_need need = {
        .element_bytes = call->operands[IN].input->type->size,
        .local_bytes_per_item = ranked,
        .local_bytes_fixed = 35 * ranked + 128,
    };
    const int64_t rows = call->scalars[ROWS] > 0 ? call->scalars[ROWS] : 1;
    const int64_t average = call->operands[IN].input->count / rows;
    const int is_given = call->options && call->options->tile_threads > 0;
    mcl__tile tile = mcl__call_choose_tile(call, MCL__OPERATION_segmented_top_k, need);
    /* llvmpipe, the only driver that ends long loops, runs barriers wrongly in nested loops that both have barriers. */
    if (limits->loop_budget > 0) tile = (mcl__tile){ 1, tile.threads * tile.items };
    if (tile.threads > 1 && tile.items < 2) tile = (mcl__tile){ tile.threads / 2, 2 }; /* a batch is half a tile */
    while (!is_given && tile.threads % 2 == 0 && tile.threads / 2 >= THREADS_LEAST &&
           mcl__tile_size(tile) / 2 >= average && mcl__tile_size(tile) / 4 >= call->scalars[WANTED])
        tile.threads /= 2;
    const int has_images = mcl__top_k_image(call, call->operands[BEFORE].op, index_bits(call)) != KEY_IMAGE_NONE;
    if (!is_given && limits->is_gpu && tile.threads > 1 && has_images) tile = fit_rows(call, tile);
    call->spec.local_bytes = mcl__tile_bytes(limits, need, tile);
    return tile;
}

static mcl_status find_program(mcl__call *call, int has_end)
{
    const mcl__tile tile = choose_tile(call);
    call->without = tile.threads == 1 ? 0 : MCL__BIT(HEAPS);
    mcl__call_define(call, "BLOCK_SIZE", (int)mcl__tile_size(tile));
    mcl__call_define(call, "FITS_BLOCK", rows_fit(call, tile));
    mcl__call_define(call, "HAS_END", has_end);
    mcl__top_k_define_image(call, call->operands[BEFORE].op, index_bits(call));
    return mcl__call_program(call, tile, index_bits(call));
}

/* ---- the launch --------------------------------------------------------------------------------------------- */

/* Limits for the number of work-items that share the segments in the serial mapping. There are many work-items, so that
 * long segments do not wait for each other. But each must have enough elements to read, and all heaps together must
 * take little memory. */
enum { SERIAL_PARTS_MAX = 4096, SERIAL_ELEMENTS = 4096, SERIAL_HEAPS = 1 << 22 };
static int64_t serial_parts(const mcl__call *call)
{
    const int64_t rows = call->scalars[ROWS], wanted = call->scalars[WANTED] > 0 ? call->scalars[WANTED] : 1;
    const int64_t units = call->queue->context->limits.compute_units;
    int64_t parts = (call->operands[IN].input->count + rows) / SERIAL_ELEMENTS + 1;
    if (parts > SERIAL_PARTS_MAX) parts = SERIAL_PARTS_MAX;
    if (parts < units) parts = units;
    if (parts > SERIAL_HEAPS / wanted) parts = SERIAL_HEAPS / wanted;
    if (parts < 1) parts = 1;
    return parts < rows ? parts : rows;
}

/* Selects in the segments of a checked call, which have offsets or begins. There are at most call->scalars[ROWS]
 * segments. */
static mcl_status select_segments(mcl__call *call, int has_end)
{
    int64_t groups = call->scalars[ROWS];
    MCL__TRY(find_program(call, has_end));
    if (mcl__call_is_serial(call)) {
        groups = serial_parts(call);
        mcl__call_scratch(call, HEAPS, (size_t)(groups * call->scalars[WANTED]) * ranked_bytes(call));
    }
    MCL__TRY(mcl__check_tiles(groups, 1));
    MCL__TRY(mcl__call_begin(call));
    if (groups > 0) MCL__TRY(mcl__call_launch(call, SELECT, groups));
    return mcl__call_end(call);
}

/* ---- rows in parts ------------------------------------------------------------------------------------------- */

typedef struct parts_plan {
    mcl__call *call;
    int64_t parts;              /* number of parts of a row */
    mcl_buffer *keys, *indices; /* the first k elements of each part, in order */
} parts_plan;

/* Returns the number of parts of a row that make good use of the device. It returns 1 for rows that stay whole: they
 * are short, or the host does not know them. One group reads a part, and a later group reads k elements of each part of
 * a row. With sqrt(length / k) parts both groups read the same number of elements. */
static int64_t parts_of(const mcl__call *call)
{
    const mcl_context *const context = call->queue->context;
    const int64_t length = call->scalars[LENGTH], rows = call->scalars[ROWS], wanted = call->scalars[WANTED];
    if (length == 0 || rows == 0 || wanted == 0 || rows * length > call->operands[IN].input->count) return 1;
    if (call->operands[IN].input->count_slot || call->operands[OFFSETS].input->count_slot) return 1;
    const int64_t groups = mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_top_k_part_groups) / rows;
    const int64_t long_enough = length / mcl__tuned(context, MCL__PARAMETER_segmented_top_k_part_length);
    const int64_t most = groups < long_enough ? groups : long_enough;
    int64_t parts = 1;
    while (parts < most && (parts + 1) * (parts + 1) <= length / wanted) ++parts;
    return parts;
}

static int64_t candidate_count(const parts_plan *plan)
{
    return plan->call->scalars[ROWS] * plan->parts * plan->call->scalars[WANTED];
}

static const mcl_type *index_type(const parts_plan *plan)
{
    return index_bits(plan->call) == 64 ? MCL_INT64 : MCL_INT32;
}

/* Returns the offsets of all parts. The lengths of parts differ by at most one element. The number of parts has 32
 * bits. */
static mcl_input part_offsets(const parts_plan *plan)
{
    const int64_t *const length = &plan->call->scalars[LENGTH];
    const int64_t each = *length / plan->parts, longer = *length % plan->parts;
    const mcl_binding bindings[] = { mcl_binding_value("mcl_length", MCL_INT64, length),
                                     mcl_binding_value("mcl_parts", MCL_INT64, &plan->parts),
                                     mcl_binding_value("mcl_each", MCL_INT64, &each),
                                     mcl_binding_value("mcl_longer", MCL_INT64, &longer) };
    static const char begin[] = "(uint32_t)i / (uint32_t)mcl_parts * mcl_length + "
                                "(uint32_t)i % (uint32_t)mcl_parts * mcl_each + "
                                "((uint32_t)i % (uint32_t)mcl_parts < mcl_longer ? "
                                "(uint32_t)i % (uint32_t)mcl_parts : mcl_longer)";
    return mcl_from_expression(index_type(plan), begin, NULL, bindings, 4, plan->call->scalars[ROWS] * plan->parts + 1);
}

/* Returns 1 where values or indices of elements are stored, not only keys. */
static int has_positions(const parts_plan *plan)
{
    return plan->call->operands[IN_VALUES].input || plan->call->operands[OUT_INDICES].output;
}

static mcl_status select_in_parts(parts_plan *plan, const mcl_options *options)
{
    const mcl_type *const type = plan->call->operands[IN].input->type;
    const int64_t count = candidate_count(plan);
    const int64_t zero = 0;
    mcl_input offsets = part_offsets(plan);
    mcl_input positions = mcl_from_counting(index_type(plan), &zero, plan->call->operands[IN].input->count);
    mcl__call call = *plan->call;
    MCL__TRY(mcl__scratch_hold(call.queue, (size_t)count * type->size, &plan->keys));
    mcl_output keys = mcl_to_buffer(type, plan->keys, 0, count), indices = { 0 };
    if (has_positions(plan)) {
        MCL__TRY(mcl__scratch_hold(call.queue, (size_t)count * index_type(plan)->size, &plan->indices));
        indices = mcl_to_buffer(index_type(plan), plan->indices, 0, count);
    }
    call.options = options;
    call.operands[OFFSETS].input = &offsets;
    call.operands[OUT].output = &keys;
    call.operands[OUT_INDICES].output = has_positions(plan) ? &indices : NULL;
    call.operands[POSITIONS].input = has_positions(plan) ? &positions : NULL;
    call.operands[IN_VALUES].input = call.operands[AMOUNTS].input = NULL;
    call.operands[OUT_VALUES].output = call.operands[COUNTS].output = NULL;
    call.scalars[ROWS] *= plan->parts;
    call.scalars[ROW] = call.scalars[WANTED];
    call.scalars[LENGTH] = mcl__divide_up(call.scalars[LENGTH], plan->parts);
    return select_segments(&call, 1);
}

static mcl_status select_of_parts(parts_plan *plan, const mcl_options *options)
{
    const int64_t length = plan->parts * plan->call->scalars[WANTED];
    mcl_input keys = mcl_from_buffer(plan->call->operands[IN].input->type, plan->keys, 0, candidate_count(plan));
    mcl_input positions = mcl_from_buffer(index_type(plan), plan->indices, 0, candidate_count(plan));
    mcl_segments rows = mcl_segments_from_rows(plan->call->scalars[ROWS], length);
    mcl_options own = *options;
    mcl__call call = *plan->call;
    if (index_bits(&call) == 64) own.flags |= MCL_INDEX_64; /* positions are indices in the whole input */
    call.options = &own;
    call.operands[IN].input = &keys;
    call.operands[OFFSETS].input = &rows.input;
    call.operands[POSITIONS].input = has_positions(plan) ? &positions : NULL;
    call.scalars[APART] = call.scalars[LENGTH];
    call.scalars[LENGTH] = length;
    return select_segments(&call, 1);
}

static mcl_status parts_steps(void *of, const mcl_options *options)
{
    parts_plan *const plan = of;
    MCL__TRY(select_in_parts(plan, options));
    return select_of_parts(plan, options);
}

static void parts_release(void *of)
{
    parts_plan *const plan = of;
    mcl__buffer_drop(&plan->keys);
    mcl__buffer_drop(&plan->indices);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static mcl_status select_rows(mcl__call *call, int has_end)
{
    parts_plan plan = { .call = call, .parts = parts_of(call) };
    if (plan.parts == 1) return select_segments(call, has_end);
    return mcl__steps_run(call->queue, call->options, parts_steps, parts_release, &plan);
}

static int64_t row_length(const mcl__call *call, int output)
{
    return output == COUNTS ? 1 : call->scalars[ROW];
}

static mcl_status plan_rows(mcl__call *call)
{
    const int64_t count = call->operands[IN].input->count, rows = call->scalars[ROWS], k = call->scalars[ROW];
    MCL__TRY(mcl__amount_check("k", call->operands[AMOUNTS].input, rows));
    if (k < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "k is %lld; expected 0 or more", (long long)k);
    if (rows > 0 && k > INT64_MAX / rows)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%lld rows of k %lld elements are too many for an output", (long long)rows,
                         (long long)k);
    call->scalars[WANTED] = k < count ? k : count;
    call->room[OUT] = call->room[OUT_VALUES] = call->room[OUT_INDICES] = rows * k;
    call->room[COUNTS] = rows;
    return MCL_OK;
}

/* Returns how often a group reads a segment: once per batch. A batch is half of the elements that the group sorts. */
static int64_t rounds(mcl__call *call)
{
    const mcl__tile tile = choose_tile(call);
    return mcl__divide_up(call->scalars[WANTED], (int64_t)tile.threads * (tile.items > 1 ? tile.items / 2 : 1));
}

static double cost(const mcl__call *call, int64_t length)
{
    return mcl__cost_heap(call->queue->context, length, call->scalars[WANTED]);
}

static mcl_status segmented_run(mcl__call *call, mcl_segments *segments, mcl_amount *k)
{
    static const mcl__rows rows = { .each = row_length,
                                    .plan = plan_rows,
                                    .select = select_rows,
                                    .first_output = OUT,
                                    .last_output = COUNTS,
                                    .sort_length = MCL__PARAMETER_segmented_top_k_sort_length,
                                    .rounds = rounds,
                                    .cost = cost };
    call->operands[AMOUNTS].input = mcl__amount_numbers(k);
    call->scalars[ROW] = k->number;
    return mcl__rows_plan(call, segments, &rows);
}

mcl_status mcl_segmented_top_k(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_amount k, mcl_output out,
                               mcl_output counts, const mcl_op *before, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &segmented_top_k, "mcl_segmented_top_k", queue, options);
    call.operands[IN].input = &keys;
    call.operands[BEFORE].op = before;
    call.operands[OUT].output = &out;
    call.operands[COUNTS].output = &counts;
    return segmented_run(&call, &segments, &k);
}

mcl_status mcl_segmented_top_k_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_segments segments,
                                     mcl_amount k, mcl_output out_keys, mcl_output out_values, mcl_output counts,
                                     const mcl_op *before, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &segmented_top_k, "mcl_segmented_top_k_pairs", queue, options);
    call.has_values = 1;
    call.operands[IN].input = &keys;
    call.operands[IN_VALUES].input = &values;
    call.operands[BEFORE].op = before;
    call.operands[OUT].output = &out_keys;
    call.operands[OUT_VALUES].output = &out_values;
    call.operands[COUNTS].output = &counts;
    return segmented_run(&call, &segments, &k);
}

mcl_status mcl_segmented_top_k_indices(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_amount k,
                                       mcl_output out, mcl_output counts, const mcl_op *before,
                                       const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &segmented_top_k, "mcl_segmented_top_k_indices", queue, options);
    call.operands[IN].input = &keys;
    call.operands[BEFORE].op = before;
    call.operands[OUT_INDICES].output = &out;
    call.operands[COUNTS].output = &counts;
    return segmented_run(&call, &segments, &k);
}
