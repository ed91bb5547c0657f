/* segmented_top_k.c: mcl_segmented_top_k, its pairs and its indices. Kernels: cl/kernels/top_k/segmented_top_k.cl.
 * Few long rows are cut into parts: one launch selects in the parts, another one in what these give. */
#include "operations/top_k/segments_rows.h"

#include "facts/top_k.h"

#include "moderncl/segmented_top_k.h"

/* Operands, groups of types, passes, scratch, numbers. */
enum {
    IN = MCL__ROWS_IN,
    OFFSETS = MCL__ROWS_OFFSETS,
    IN_VALUES = MCL__ROWS_OTHERS,
    BEFORE,
    OUT,
    OUT_VALUES,
    OUT_INDICES,
    COUNTS,
    AMOUNTS,
    POSITIONS /* indices of the elements in the caller's input; absent: they are in it */
};
enum { KEY = 1, VALUE };
enum { SELECT };
enum { HEAPS };
enum { ROWS = MCL__ROWS_COUNT, WANTED, ROW, APART, LENGTH };

static const mcl__declaration segmented_top_k = {
    .file = "kernels/top_k/segmented_top_k.cl",
    .operands = { [IN] = { "in", .kind = MCL__INPUT, .said = "keys", .group = KEY },
                  [IN_VALUES] = { "in_values", .kind = MCL__INPUT, .said = "values", .group = VALUE, .as_many = IN },
                  MCL__ROWS_SEGMENTS,
                  [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = IN },
                  [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEY },
                  [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUE },
                  [OUT_INDICES] = { "out_indices", .kind = MCL__OUTPUT, .said = "out", .types = MCL__INDICES,
                                    .indexes = IN },
                  [COUNTS] = { "counts", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = IN, .optional = 1 },
                  [AMOUNTS] = { "amounts", .kind = MCL__INPUT, .said = "k", .types = MCL__COUNTS },
                  [POSITIONS] = { "positions", .kind = MCL__INPUT } },
    .pieces = { [HEAPS] = { "heaps", "key_type" } },
    .numbers = { [WANTED] = "wanted", [ROW] = "row", [ROWS] = "rows", [APART] = "apart", [LENGTH] = "length" },
    .passes = { [SELECT] = { "segmented_top_k",
                             .words = { MCL__ENV, MCL__OF + IN, MCL__OF + IN_VALUES, MCL__OF + OFFSETS,
                                        MCL__OF + POSITIONS, MCL__OF + OUT, MCL__OF + OUT_VALUES, MCL__OF + OUT_INDICES,
                                        MCL__OF + COUNTS, MCL__OF + AMOUNTS, MCL__PIECE + HEAPS, MCL__INDEX + WANTED,
                                        MCL__INDEX + ROW, MCL__INDEX + ROWS, MCL__INDEX + APART } } },
};

/* ---- the program -------------------------------------------------------------------------------------------- */

enum { THREADS_LEAST = 32, ITEMS_OF_ROWS = 32 };

/* Every element of the input and of the outputs has an index. */
static int index_bits(const mcl__run *run)
{
    const int64_t in = run->given[IN].input->count, out = run->numbers[ROWS] * run->numbers[ROW];
    const int64_t offsets = run->given[OFFSETS].input->count, most = in > out ? in : out;
    return mcl__index_bits(most > offsets ? most : offsets, run->options);
}

static size_t ranked_bytes(const mcl__run *run)
{
    return mcl__top_k_ranked_bytes(run->given[IN].input->type, index_bits(run));
}

/* 1: a group has room for any row, and for two batches of k, so that it reads the row once and needs no sample. */
static int rows_fit(const mcl__run *run, mcl__tile tile)
{
    const int64_t length = run->numbers[LENGTH], batch = (int64_t)tile.threads * (tile.items / 2);
    return tile.threads > 1 && length > 0 && length <= mcl__tile_size(tile) && run->numbers[WANTED] <= batch;
}

/* Rows that fit are done by as few work-items as find a pivot for k in their best elements: each then has many elements
 * for what it does once. tile: as the tuning has it. */
static mcl__tile fit_rows(const mcl__run *run, mcl__tile tile)
{
    mcl__tile made = { THREADS_LEAST, 2 };
    while (made.threads < tile.threads && made.threads / 2 < run->numbers[WANTED]) made.threads *= 2;
    while (made.items < ITEMS_OF_ROWS && mcl__tile_size(made) < run->numbers[LENGTH]) made.items *= 2;
    return rows_fit(run, made) && mcl__tile_size(made) <= mcl__tile_size(tile) ? made : tile;
}

/* A tile that is long enough for a segment of average length and for two batches of k. */
static mcl__tile choose_tile(mcl__run *run)
{
    const mcl__limits *const limits = &run->queue->context->limits;
    const size_t ranked = ranked_bytes(run);
    const mcl__tile_need need = {
        .element_bytes = run->given[IN].input->type->size,
        .local_bytes_per_item = ranked,
        .local_bytes_fixed = 35 * ranked + 128,
    };
    const int64_t rows = run->numbers[ROWS] > 0 ? run->numbers[ROWS] : 1;
    const int64_t average = run->given[IN].input->count / rows;
    const int is_given = run->options && run->options->tile_threads > 0;
    mcl__tile tile = mcl__run_choose_tile(run, MCL__OPERATION_segmented_top_k, need);
    /* llvmpipe, which alone ends long loops, runs barriers wrongly in a loop inside a loop that has barriers too. */
    if (limits->loop_budget > 0) tile = (mcl__tile){ 1, tile.threads * tile.items };
    if (tile.threads > 1 && tile.items < 2) tile = (mcl__tile){ tile.threads / 2, 2 }; /* a chunk is half a tile */
    while (!is_given && tile.threads % 2 == 0 && tile.threads / 2 >= THREADS_LEAST &&
           mcl__tile_size(tile) / 2 >= average && mcl__tile_size(tile) / 4 >= run->numbers[WANTED])
        tile.threads /= 2;
    const int has_images = mcl__top_k_image(run, run->given[BEFORE].op, index_bits(run)) != KEY_IMAGE_NONE;
    if (!is_given && limits->is_gpu && tile.threads > 1 && has_images) tile = fit_rows(run, tile);
    run->spec.local_bytes = mcl__tile_bytes(limits, need, tile);
    return tile;
}

static mcl_status find_program(mcl__run *run, int has_end)
{
    const mcl__tile tile = choose_tile(run);
    run->without = tile.threads == 1 ? 0 : MCL__BIT(HEAPS);
    mcl__run_define(run, "BLOCK_SIZE", (int)mcl__tile_size(tile));
    mcl__run_define(run, "FITS_BLOCK", rows_fit(run, tile));
    mcl__run_define(run, "HAS_END", has_end);
    mcl__top_k_define_image(run, run->given[BEFORE].op, index_bits(run));
    return mcl__run_program(run, tile, index_bits(run));
}

/* ---- the launch --------------------------------------------------------------------------------------------- */

/* Work-items that share the segments under the serial mapping: many, so that long segments do not wait for each other,
 * but each has some elements to read, and their heaps take little memory. */
enum { SERIAL_PARTS_MAX = 4096, SERIAL_ELEMENTS = 4096, SERIAL_HEAPS = 1 << 22 };
static int64_t serial_parts(const mcl__run *run)
{
    const int64_t rows = run->numbers[ROWS], wanted = run->numbers[WANTED] > 0 ? run->numbers[WANTED] : 1;
    const int64_t units = run->queue->context->limits.compute_units;
    int64_t parts = (run->given[IN].input->count + rows) / SERIAL_ELEMENTS + 1;
    if (parts > SERIAL_PARTS_MAX) parts = SERIAL_PARTS_MAX;
    if (parts < units) parts = units;
    if (parts > SERIAL_HEAPS / wanted) parts = SERIAL_HEAPS / wanted;
    if (parts < 1) parts = 1;
    return parts < rows ? parts : rows;
}

/* Segments by offsets or begins, of a checked call: at most run->numbers[ROWS]. */
static mcl_status select_segments(mcl__run *run, int has_end)
{
    int64_t groups = run->numbers[ROWS];
    MCL__TRY(find_program(run, has_end));
    if (mcl__run_is_serial(run)) {
        groups = serial_parts(run);
        mcl__run_need(run, HEAPS, (size_t)(groups * run->numbers[WANTED]) * ranked_bytes(run));
    }
    MCL__TRY(mcl__check_tiles(groups, 1));
    MCL__TRY(mcl__run_begin(run));
    if (groups > 0) MCL__TRY(mcl__run_launch(run, SELECT, groups));
    return mcl__run_end(run);
}

/* ---- rows in parts ------------------------------------------------------------------------------------------- */

typedef struct parts_call {
    mcl__run *run;
    int64_t parts;              /* of a row */
    mcl_buffer *keys, *indices; /* of each part, the first k in order */
} parts_call;

/* Parts of a row that make good use of the device; 1: rows stay whole, or the host does not know them. A group reads a
 * part, and another one the k elements of each part of a row: with sqrt(length / k) parts both are as many. */
static int64_t parts_of(const mcl__run *run)
{
    const mcl_context *const context = run->queue->context;
    const int64_t length = run->numbers[LENGTH], rows = run->numbers[ROWS], wanted = run->numbers[WANTED];
    if (length == 0 || rows == 0 || wanted == 0 || rows * length > run->given[IN].input->count) return 1;
    if (run->given[IN].input->count_slot || run->given[OFFSETS].input->count_slot) return 1;
    const int64_t groups = mcl__tuned_a_unit(context, MCL__PARAMETER_segmented_top_k_part_groups) / rows;
    const int64_t long_enough = length / mcl__tuned(context, MCL__PARAMETER_segmented_top_k_part_length);
    const int64_t most = groups < long_enough ? groups : long_enough;
    int64_t parts = 1;
    while (parts < most && (parts + 1) * (parts + 1) <= length / wanted) ++parts;
    return parts;
}

static int64_t candidate_count(const parts_call *call)
{
    return call->run->numbers[ROWS] * call->parts * call->run->numbers[WANTED];
}

static const mcl_type *index_type(const parts_call *call)
{
    return index_bits(call->run) == 64 ? MCL_INT64 : MCL_INT32;
}

/* Parts differ by one element at most. Their number has 32 bits. */
static mcl_input part_offsets(const parts_call *call)
{
    const int64_t *const length = &call->run->numbers[LENGTH];
    const int64_t each = *length / call->parts, longer = *length % call->parts;
    const mcl_binding bindings[] = { mcl_binding_value("mcl_length", MCL_INT64, length),
                                     mcl_binding_value("mcl_parts", MCL_INT64, &call->parts),
                                     mcl_binding_value("mcl_each", MCL_INT64, &each),
                                     mcl_binding_value("mcl_longer", MCL_INT64, &longer) };
    static const char begin[] = "(uint32_t)i / (uint32_t)mcl_parts * mcl_length + "
                                "(uint32_t)i % (uint32_t)mcl_parts * mcl_each + "
                                "((uint32_t)i % (uint32_t)mcl_parts < mcl_longer ? "
                                "(uint32_t)i % (uint32_t)mcl_parts : mcl_longer)";
    return mcl_from_expression(index_type(call), begin, NULL, bindings, 4, call->run->numbers[ROWS] * call->parts + 1);
}

/* 1: the keys alone are not all that is stored of an element. */
static int has_positions(const parts_call *call)
{
    return call->run->given[IN_VALUES].input || call->run->given[OUT_INDICES].output;
}

static mcl_status select_in_parts(parts_call *call, const mcl_options *options)
{
    const mcl_type *const type = call->run->given[IN].input->type;
    const int64_t count = candidate_count(call);
    const int64_t zero = 0;
    mcl_input offsets = part_offsets(call);
    mcl_input positions = mcl_from_counting(index_type(call), &zero, call->run->given[IN].input->count);
    mcl__run run = *call->run;
    MCL__TRY(mcl__buffer_create_for(run.queue, (size_t)count * type->size, &call->keys));
    mcl_output keys = mcl_to_buffer(type, call->keys, 0, count), indices = { 0 };
    if (has_positions(call)) {
        MCL__TRY(mcl__buffer_create_for(run.queue, (size_t)count * index_type(call)->size, &call->indices));
        indices = mcl_to_buffer(index_type(call), call->indices, 0, count);
    }
    run.options = options;
    run.given[OFFSETS].input = &offsets;
    run.given[OUT].output = &keys;
    run.given[OUT_INDICES].output = has_positions(call) ? &indices : NULL;
    run.given[POSITIONS].input = has_positions(call) ? &positions : NULL;
    run.given[IN_VALUES].input = run.given[AMOUNTS].input = NULL;
    run.given[OUT_VALUES].output = run.given[COUNTS].output = NULL;
    run.numbers[ROWS] *= call->parts;
    run.numbers[ROW] = run.numbers[WANTED];
    run.numbers[LENGTH] = mcl__divide_up(run.numbers[LENGTH], call->parts);
    return select_segments(&run, 1);
}

static mcl_status select_of_parts(parts_call *call, const mcl_options *options)
{
    const int64_t length = call->parts * call->run->numbers[WANTED];
    mcl_input keys = mcl_from_buffer(call->run->given[IN].input->type, call->keys, 0, candidate_count(call));
    mcl_input positions = mcl_from_buffer(index_type(call), call->indices, 0, candidate_count(call));
    mcl_segments rows = mcl_segments_from_rows(call->run->numbers[ROWS], length);
    mcl_options own = *options;
    mcl__run run = *call->run;
    if (index_bits(&run) == 64) own.flags |= MCL_INDEX_64; /* positions are those of the whole input */
    run.options = &own;
    run.given[IN].input = &keys;
    run.given[OFFSETS].input = &rows.input;
    run.given[POSITIONS].input = has_positions(call) ? &positions : NULL;
    run.numbers[APART] = run.numbers[LENGTH];
    run.numbers[LENGTH] = length;
    return select_segments(&run, 1);
}

static mcl_status parts_steps(void *of, const mcl_options *options)
{
    parts_call *const call = of;
    MCL__TRY(select_in_parts(call, options));
    return select_of_parts(call, options);
}

/* The blocks are kept until the call's work is done. */
static void parts_release(void *of)
{
    parts_call *const call = of;
    mcl_buffer_release(call->keys);
    mcl_buffer_release(call->indices);
    call->keys = call->indices = NULL;
}

static mcl_status select_rows(mcl__run *run, int has_end)
{
    parts_call call = { .run = run, .parts = parts_of(run) };
    if (call.parts == 1) return select_segments(run, has_end);
    const mcl_status status = mcl__steps_run(run->queue, run->options, parts_steps, parts_release, &call);
    parts_release(&call);
    return status;
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static int64_t row_length(const mcl__run *run, int output)
{
    return output == COUNTS ? 1 : run->numbers[ROW];
}

static mcl_status plan_rows(mcl__run *run)
{
    const int64_t count = run->given[IN].input->count, rows = run->numbers[ROWS], k = run->numbers[ROW];
    MCL__TRY(mcl__amount_check("k", run->given[AMOUNTS].input, rows));
    if (k < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "k is %lld; expected 0 or more", (long long)k);
    if (rows > 0 && k > INT64_MAX / rows)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%lld rows of k %lld elements are too many for an output", (long long)rows,
                         (long long)k);
    run->numbers[WANTED] = k < count ? k : count;
    run->room[OUT] = run->room[OUT_VALUES] = run->room[OUT_INDICES] = rows * k;
    run->room[COUNTS] = rows;
    return MCL_OK;
}

static mcl_status segmented_run(mcl__run *run, mcl_segments *segments, mcl_amount *k)
{
    static const mcl__rows rows = { row_length, plan_rows, select_rows, OUT, COUNTS };
    run->given[AMOUNTS].input = mcl__amount_numbers(k);
    run->numbers[ROW] = k->number;
    run->numbers[LENGTH] = segments->row_length;
    return mcl__rows_call(run, segments, &rows);
}

mcl_status mcl_segmented_top_k(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_amount k, mcl_output out,
                               mcl_output counts, const mcl_op *before, const mcl_options *options)
{
    mcl__run run;
    mcl__run_init(&run, &segmented_top_k, "mcl_segmented_top_k", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[OUT].output = &out;
    run.given[COUNTS].output = &counts;
    return segmented_run(&run, &segments, &k);
}

mcl_status mcl_segmented_top_k_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_segments segments,
                                     mcl_amount k, mcl_output out_keys, mcl_output out_values, mcl_output counts,
                                     const mcl_op *before, const mcl_options *options)
{
    mcl__run run;
    mcl__run_init(&run, &segmented_top_k, "mcl_segmented_top_k_pairs", queue, options);
    run.has_values = 1;
    run.given[IN].input = &keys;
    run.given[IN_VALUES].input = &values;
    run.given[BEFORE].op = before;
    run.given[OUT].output = &out_keys;
    run.given[OUT_VALUES].output = &out_values;
    run.given[COUNTS].output = &counts;
    return segmented_run(&run, &segments, &k);
}

mcl_status mcl_segmented_top_k_indices(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_amount k,
                                       mcl_output out, mcl_output counts, const mcl_op *before,
                                       const mcl_options *options)
{
    mcl__run run;
    mcl__run_init(&run, &segmented_top_k, "mcl_segmented_top_k_indices", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[OUT_INDICES].output = &out;
    run.given[COUNTS].output = &counts;
    return segmented_run(&run, &segments, &k);
}
