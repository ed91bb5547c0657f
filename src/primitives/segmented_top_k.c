/* segmented_top_k.c: mcl_segmented_top_k, its pairs and its indices. Kernels: cl/kernels/segmented_top_k.cl. Segments
 * by indices or flags become begins first: the lowest index of each segment, by mcl_segmented_reduce. */
#include "primitives/segments.h"

#include "moderncl/segmented.h"
#include "moderncl/segmented_top_k.h"

/* Operands, groups of types, passes, scratch, numbers. */
enum { IN = 1, IN_VALUES, OFFSETS, INDICES, FLAGS, BEFORE, OUT, OUT_VALUES, OUT_INDICES, COUNTS };
enum { KEY = 1, VALUE };
enum { SELECT };
enum { HEAPS };
enum { WANTED, ROW, ROWS };

static const mcl__declaration segmented_top_k = {
    .file = "kernels/segmented_top_k.cl",
    .operands = { [IN] = { "in", .kind = MCL__INPUT, .said = "keys", .group = KEY },
                  [IN_VALUES] = { "in_values", .kind = MCL__INPUT, .said = "values", .group = VALUE, .as_many = IN },
                  [OFFSETS] = { "offsets", .kind = MCL__INPUT, .said = "segments", .types = MCL__INTEGERS,
                                .offsets_of = IN },
                  [INDICES] = { "segments", .kind = MCL__INPUT, .types = MCL__INTEGERS, .indices_of = IN, .unused = 1 },
                  [FLAGS] = { "segments", .kind = MCL__INPUT, .types = MCL__FLAGS, .unused = 1 },
                  [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = IN },
                  [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEY },
                  [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUE },
                  [OUT_INDICES] = { "out_indices", .kind = MCL__OUTPUT, .said = "out", .types = MCL__INDICES,
                                    .indexes = IN },
                  [COUNTS] = { "counts", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = IN, .optional = 1 } },
    .pieces = { [HEAPS] = { "heaps", "key_type" } },
    .numbers = { [WANTED] = "wanted", [ROW] = "row", [ROWS] = "rows" },
    .passes = { [SELECT] = { "segmented_top_k",
                             .words = { MCL__ENV, MCL__OF + IN, MCL__OF + IN_VALUES, MCL__OF + OFFSETS, MCL__OF + OUT,
                                        MCL__OF + OUT_VALUES, MCL__OF + OUT_INDICES, MCL__OF + COUNTS,
                                        MCL__PIECE + HEAPS, MCL__INDEX + WANTED, MCL__INDEX + ROW,
                                        MCL__INDEX + ROWS } } },
};

/* ---- the program -------------------------------------------------------------------------------------------- */

enum { ITEMS_MAX = 31, THREADS_LEAST = 32 };

/* Every element of the input and of the outputs has an index. */
static int index_bits(const mcl__run *run)
{
    const int64_t in = run->given[IN].input->count, out = run->numbers[ROWS] * run->numbers[ROW];
    const int64_t offsets = run->given[OFFSETS].input->count, most = in > out ? in : out;
    return mcl__index_bits(most > offsets ? most : offsets, run->options);
}

/* Bytes of a key with its index, at most: a type's alignment divides its size. */
static size_t ranked_bytes(const mcl__run *run)
{
    const size_t key = mcl__staged_bytes(run->given[IN].input->type), index = (size_t)index_bits(run) / 8;
    const size_t whole = key & (~key + 1), alignment = whole > index ? whole : index;
    return (key + index + alignment - 1) / alignment * alignment;
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
    if (tile.threads > 1 && tile.items < 2) tile.items = 2;
    while (!is_given && tile.threads % 2 == 0 && tile.threads / 2 >= THREADS_LEAST &&
           mcl__tile_size(tile) / 2 >= average && mcl__tile_size(tile) / 4 >= run->numbers[WANTED])
        tile.threads /= 2;
    run->spec.local_bytes = mcl__tile_bytes(limits, need, tile);
    return tile;
}

static mcl_status find_program(mcl__run *run, int has_end)
{
    const mcl__tile tile = choose_tile(run);
    run->without = tile.threads == 1 ? 0 : MCL__BIT(HEAPS);
    mcl__run_define(run, "BLOCK_SIZE", (int)mcl__tile_size(tile));
    mcl__run_define(run, "HAS_END", has_end);
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
    if (parts > SERIAL_HEAPS / wanted) parts = SERIAL_HEAPS / wanted;
    if (parts < units) parts = units;
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

/* Checks k, and that the rows fit the outputs. */
static mcl_status take_k(mcl__run *run, int64_t rows, int64_t k)
{
    const int64_t count = run->given[IN].input->count;
    if (k < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "k is %lld; expected 0 or more", (long long)k);
    if (rows > 0 && k > INT64_MAX / rows)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%lld rows of k %lld elements are too many for an output", (long long)rows,
                         (long long)k);
    run->numbers[ROWS] = rows;
    run->numbers[ROW] = k;
    run->numbers[WANTED] = k < count ? k : count;
    run->room[OUT] = run->room[OUT_VALUES] = run->room[OUT_INDICES] = rows * k;
    run->room[COUNTS] = rows;
    return MCL_OK;
}

/* ---- segments by indices or flags ---------------------------------------------------------------------------- */

typedef struct heads_call {
    mcl__run *run;
    mcl_segments *segments;
    mcl_buffer *begins, *count;
} heads_call;

/* As many segments as the outputs have room for. */
static int64_t rows_that_fit(const mcl__run *run, int64_t k)
{
    const int outputs[] = { OUT, OUT_VALUES, OUT_INDICES, COUNTS };
    int64_t rows = run->given[IN].input->count;
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; ++i) {
        const mcl_output *const out = run->given[outputs[i]].output;
        const int64_t each = outputs[i] == COUNTS ? 1 : k;
        if (!out || each <= 0 || mcl__is_left_out(out)) continue;
        if (out->capacity / each < rows) rows = out->capacity / each;
    }
    return rows;
}

static mcl_status heads_check(const mcl__run *run)
{
    const mcl_input *const flags = run->given[FLAGS].input;
    const int64_t count = run->given[IN].input->count, words = mcl__divide_up(count, 32);
    if (!flags || flags->count >= words) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "segments has %lld words; expected %lld for %lld elements",
                     (long long)flags->count, (long long)words, (long long)count);
}

/* One begin more than rows tells where the last row ends. */
static mcl_status heads_steps(void *of, const mcl_options *options)
{
    heads_call *const call = of;
    mcl__run run = *call->run;
    const mcl_input *const keys = run.given[IN].input;
    const mcl_type *const index = keys->count > INT32_MAX ? MCL_INT64 : MCL_INT32;
    const int64_t zero = 0, begins = run.numbers[ROWS] + 1;
    const mcl_options own = mcl__step_options(options);
    mcl_options beside = own; /* the tile is meant for the selection */
    mcl_input positions = mcl_from_counting(index, &zero, keys->count);
    size_t most = 0;
    beside.tile_threads = beside.tile_items = 0;
    mcl__adopt_slot(&positions, keys);
    MCL__TRY(mcl__buffer_create_for(run.queue, (size_t)begins * index->size, &call->begins));
    MCL__TRY(mcl__buffer_create_for(run.queue, sizeof(int64_t), &call->count));
    MCL__TRY(mcl_segmented_reduce(run.queue, positions, *call->segments, mcl_to_buffer(index, call->begins, 0, begins),
                                  MCL_MIN, mcl_to_slot(MCL_INT64, call->count, 0), &beside));
    mcl__steps_keep_most(run.queue, &most);
    mcl_input offsets = mcl_with_count(mcl_from_buffer(index, call->begins, 0, begins), call->count, 0);
    run.options = &own;
    run.given[OFFSETS].input = &offsets;
    run.given[INDICES].input = run.given[FLAGS].input = NULL;
    MCL__TRY(select_rows(&run, 0));
    mcl__steps_keep_most(run.queue, &most);
    run.queue->scratch_bytes = most;
    return MCL_OK;
}

/* The blocks are kept until the call's work is done. */
static void heads_release(heads_call *call)
{
    mcl_buffer_release(call->begins);
    mcl_buffer_release(call->count);
    call->begins = call->count = NULL;
}

static mcl_status heads_run(heads_call *call)
{
    mcl_queue *const queue = call->run->queue;
    const mcl_options *const options = call->run->options;
    MCL__TRY(mcl__steps_measure(queue, options, heads_steps, call));
    heads_release(call);
    MCL__TRY(mcl__steps_begin(queue, options));
    return mcl__steps_end(queue, options, heads_steps(call, options));
}

static mcl_status by_heads(mcl__run *run, mcl_segments *segments, int64_t k)
{
    heads_call call = { .run = run, .segments = segments };
    run->given[segments->kind == MCL_SEGMENT_FLAGS ? FLAGS : INDICES].input = &segments->input;
    MCL__TRY(mcl__run_check(run));
    MCL__TRY(heads_check(run));
    MCL__TRY(take_k(run, rows_that_fit(run, k), k));
    MCL__TRY(mcl__run_ready(run));
    const mcl_status status = heads_run(&call);
    heads_release(&call);
    return status;
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

static mcl_status segmented_run(mcl__run *run, mcl_segments *segments, int64_t k)
{
    const int has_end = segments->kind == MCL_SEGMENT_OFFSETS;
    const int64_t given = segments->input.count;
    MCL__TRY(mcl__segments_check(segments));
    if (segments->kind == MCL_SEGMENT_INDICES || segments->kind == MCL_SEGMENT_FLAGS) return by_heads(run, segments, k);
    run->given[OFFSETS].input = &segments->input;
    MCL__TRY(mcl__run_check(run));
    MCL__TRY(take_k(run, given > has_end ? given - has_end : 0, k));
    MCL__TRY(mcl__run_ready(run));
    return select_rows(run, has_end);
}

mcl_status mcl_segmented_top_k(mcl_queue *queue, mcl_input keys, mcl_segments segments, int64_t k, mcl_output out,
                               mcl_output counts, const mcl_op *before, const mcl_options *options)
{
    mcl__run run = mcl__run_of(&segmented_top_k, "mcl_segmented_top_k", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[OUT].output = &out;
    run.given[COUNTS].output = &counts;
    return segmented_run(&run, &segments, k);
}

mcl_status mcl_segmented_top_k_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_segments segments,
                                     int64_t k, mcl_output out_keys, mcl_output out_values, mcl_output counts,
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
    return segmented_run(&run, &segments, k);
}

mcl_status mcl_segmented_top_k_indices(mcl_queue *queue, mcl_input keys, mcl_segments segments, int64_t k,
                                       mcl_output out, mcl_output counts, const mcl_op *before,
                                       const mcl_options *options)
{
    mcl__run run = mcl__run_of(&segmented_top_k, "mcl_segmented_top_k_indices", queue, options);
    run.given[IN].input = &keys;
    run.given[BEFORE].op = before;
    run.given[OUT_INDICES].output = &out;
    run.given[COUNTS].output = &counts;
    return segmented_run(&run, &segments, k);
}
