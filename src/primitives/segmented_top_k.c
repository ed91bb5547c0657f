/* segmented_top_k.c: mcl_segmented_top_k, its pairs and its indices. Kernels: cl/kernels/segmented_top_k.cl. */
#include "primitives/segments_rows.h"

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
    AMOUNTS
};
enum { KEY = 1, VALUE };
enum { SELECT };
enum { HEAPS };
enum { ROWS = MCL__ROWS_COUNT, WANTED, ROW, LENGTH };

static const mcl__declaration segmented_top_k = {
    .file = "kernels/segmented_top_k.cl",
    .operands = { [IN] = { "in", .kind = MCL__INPUT, .said = "keys", .group = KEY },
                  [IN_VALUES] = { "in_values", .kind = MCL__INPUT, .said = "values", .group = VALUE, .as_many = IN },
                  MCL__ROWS_SEGMENTS,
                  [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = IN },
                  [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEY },
                  [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUE },
                  [OUT_INDICES] = { "out_indices", .kind = MCL__OUTPUT, .said = "out", .types = MCL__INDICES,
                                    .indexes = IN },
                  [COUNTS] = { "counts", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = IN, .optional = 1 },
                  [AMOUNTS] = { "amounts", .kind = MCL__INPUT, .said = "k", .types = MCL__COUNTS } },
    .pieces = { [HEAPS] = { "heaps", "key_type" } },
    .numbers = { [WANTED] = "wanted", [ROW] = "row", [ROWS] = "rows", [LENGTH] = "length" },
    .passes = { [SELECT] = { "segmented_top_k",
                             .words = { MCL__ENV, MCL__OF + IN, MCL__OF + IN_VALUES, MCL__OF + OFFSETS, MCL__OF + OUT,
                                        MCL__OF + OUT_VALUES, MCL__OF + OUT_INDICES, MCL__OF + COUNTS,
                                        MCL__OF + AMOUNTS, MCL__PIECE + HEAPS, MCL__INDEX + WANTED, MCL__INDEX + ROW,
                                        MCL__INDEX + ROWS } } },
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
static mcl_status select_rows(mcl__run *run, int has_end)
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
    mcl__run run = mcl__run_of(&segmented_top_k, "mcl_segmented_top_k", queue, options);
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
    mcl__run run = mcl__run_of(&segmented_top_k, "mcl_segmented_top_k_pairs", queue, options);
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
    mcl__run run = mcl__run_of(&segmented_top_k, "mcl_segmented_top_k_indices", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[OUT_INDICES].output = &out;
    run.given[COUNTS].output = &counts;
    return segmented_run(&run, &segments, &k);
}
