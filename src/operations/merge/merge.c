/* merge.c: mcl_merge and mcl_merge_pairs. Kernels: cl/kernels/merge/merge.cl.
 * A tile of the output is cut from a and b by two merge-path searches (pass 1), then merged in a work-group's memory
 * (pass 2). Under the serial mapping one pass does both. */
#include "call/run.h"

#include "moderncl/merge.h"

enum { A = 1, B, OUT, BEFORE, A_VALUES, B_VALUES, OUT_VALUES }; /* operands */
enum { KEYS = 1, VALUES };                                      /* groups of types */
enum { PARTITION, TILES };                                      /* passes */
enum { SPLIT };                                                 /* scratch: where each tile begins in a */
enum { SPLITS };                                                /* numbers: elements of SPLIT */

static const mcl__declaration merge = {
    .file = "kernels/merge/merge.cl",
    .types = { [KEYS] = "key" },
    .operands = {
        [A] = { "a", "a_keys", MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
        [B] = { "b", "b_keys", MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
        [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEYS },
        [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A },
        [A_VALUES] = { "a_values", .kind = MCL__INPUT, .group = VALUES, .as_many = A },
        [B_VALUES] = { "b_values", .kind = MCL__INPUT, .group = VALUES, .as_many = B },
        [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUES },
    },
    .pieces = { [SPLIT] = { "split", "index_type" } },
    .numbers = { [SPLITS] = "splits" },
    .passes = {
        [PARTITION] = { "merge_partition", MCL__PARTITION_THREADS, "PARTITION_THREADS",
                        { MCL__ENV, MCL__OF + A, MCL__OF + B, MCL__PIECE + SPLIT, MCL__INDEX + SPLITS } },
        [TILES] = { "merge_tiles", .words = { MCL__ENV, MCL__OF + A, MCL__OF + B, MCL__PIECE + SPLIT, MCL__OF + OUT,
                                              MCL__OF + A_VALUES, MCL__OF + B_VALUES, MCL__OF + OUT_VALUES } },
    },
};

/* Shares of the output under the serial mapping: no larger than a tile, and several for each core, so that cores have
 * equal work. On a GPU each tile is a share. */
static int64_t merge_shares(const mcl_context *context, int64_t tiles)
{
    const int64_t wanted = context->limits.is_gpu ? 1 : mcl__tuned_a_unit(context, MCL__PARAMETER_merge_shares_serial);
    return tiles < 2 || tiles > wanted ? tiles : wanted;
}

/* 1: keys are loaded in whole lines. Values are not: they come in the order of the output. */
static int loads_lines(const mcl__run *run)
{
    enum { NEVER, FROM_OTHER_DEVICES, ALWAYS };
    const int64_t way = mcl__tuned(run->queue->context, MCL__PARAMETER_merge_lines);
    const mcl_buffer *const a = run->given[A].input->buffer, *const b = run->given[B].input->buffer;
    return way == ALWAYS || (way == FROM_OTHER_DEVICES && ((a && a->is_far) || (b && b->is_far)));
}

static mcl_status merge_program(mcl__run *run, int64_t total)
{
    const size_t element = run->types[KEYS]->size;
    /* merge_store: a key's bytes hold an index afterwards. Past the tile lie the keys of one work-item, 31 at most, and
     * one more (MERGE_GROUP_KEYS). Keys of an odd size are padded to whole indices. */
    const size_t key = element > sizeof(int) ? element : sizeof(int);
    const mcl__tile_need need = { .element_bytes = element,
                                  .local_bytes_per_item = key,
                                  .local_bytes_fixed = 32 * key + sizeof(int) };
    const mcl__operation operation = run->has_values ? MCL__OPERATION_merge_pairs : MCL__OPERATION_merge;
    const mcl__tile tile = mcl__run_choose_tile(run, operation, need);
    if (loads_lines(run)) mcl__run_define(run, "MERGE_LINES", 1);
    mcl__run_define(run, "COARSE_SPLITS", (int)mcl__tuned(run->queue->context, MCL__PARAMETER_merge_coarse_splits));
    /* A CPU's addresses have 64 bits: a shorter index would be widened at each step. */
    return mcl__run_program(run, tile, tile.threads == 1 ? 64 : mcl__index_bits(total, run->options));
}

static mcl_status merge_run(mcl__run *run)
{
    MCL__TRY(mcl__run_check(run));
    const int64_t total = run->given[A].input->count + run->given[B].input->count;
    run->room[OUT] = run->room[OUT_VALUES] = total;
    MCL__TRY(mcl__run_ready(run));
    MCL__TRY(merge_program(run, total));
    const int64_t tiles = mcl__run_tiles(run, total);
    const int is_serial = mcl__run_is_serial(run);
    run->numbers[SPLITS] = tiles + 1;
    mcl__run_need(run, SPLIT, is_serial ? 0 : mcl__run_index_bytes(run, tiles + 1));
    MCL__TRY(mcl__run_begin(run));
    if (tiles > 0 && !is_serial) MCL__TRY(mcl__run_launch_items(run, PARTITION, tiles + 1));
    MCL__TRY(mcl__run_launch(run, TILES, is_serial ? merge_shares(run->queue->context, tiles) : tiles));
    return mcl__run_end(run);
}

mcl_status mcl_merge(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                     const mcl_options *options)
{
    mcl__run run = { &merge, "mcl_merge", queue, options,
                     .given = { [A].input = &a, [B].input = &b, [OUT].output = &out, [BEFORE].op = before } };
    return merge_run(&run);
}

mcl_status mcl_merge_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys, mcl_input b_values,
                           mcl_output out_keys, mcl_output out_values, const mcl_op *before, const mcl_options *options)
{
    mcl__run run = { &merge,
                     "mcl_merge_pairs",
                     queue,
                     options,
                     .has_values = 1,
                     .given = { [A].input = &a_keys,
                                [B].input = &b_keys,
                                [OUT].output = &out_keys,
                                [BEFORE].op = before,
                                [A_VALUES].input = &a_values,
                                [B_VALUES].input = &b_values,
                                [OUT_VALUES].output = &out_values } };
    return merge_run(&run);
}
