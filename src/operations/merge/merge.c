/* merge.c: mcl_merge and mcl_merge_pairs. Kernels: cl/kernels/merge/merge.cl. In pass 1, merge-path searches cut the
 * inputs a and b for each tile of the output. In pass 2, each tile is merged in work-group memory. In the serial
 * mapping one pass does both. */
#include "call/call.h"

#include "moderncl/merge.h"

enum { A = 1, B, OUT, BEFORE, A_VALUES, B_VALUES, OUT_VALUES }; /* operands */
enum { KEYS = 1, VALUES };                                      /* groups of operands with one type */
enum { PARTITION, TILES };                                      /* passes */
enum { SPLIT };                                                 /* scratch: the beginning of each tile in a */
enum { SPLITS };                                                /* scalars: the number of elements of SPLIT */

static const mcl__declaration merge = {
    .file = "kernels/merge/merge.cl",
    .types = { [KEYS] = "key" },
    .operands =
        (mcl__operands){
            [A] = { "a", "a_keys", MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
            [B] = { "b", "b_keys", MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
            [OUT] = { "out", "out_keys", MCL__OUTPUT, .group = KEYS },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A },
            [A_VALUES] = { "a_values", .kind = MCL__INPUT, .group = VALUES, .as_many = A },
            [B_VALUES] = { "b_values", .kind = MCL__INPUT, .group = VALUES, .as_many = B },
            [OUT_VALUES] = { "out_values", .kind = MCL__OUTPUT, .group = VALUES },
        },
    .scratch = { [SPLIT] = { "split", "index_type" } },
    .scalars = { [SPLITS] = "splits" },
    .passes =
        (mcl__passes){
            [PARTITION] = { "merge_partition",
                            MCL__PARTITION_THREADS,
                            "PARTITION_THREADS",
                            { MCL__ENVIRONMENT, OPERAND(A), OPERAND(B), SCRATCH(SPLIT), AS_INDEX(SPLITS) } },
            [TILES] = { "merge_tiles",
                        .arguments = { MCL__ENVIRONMENT, OPERAND(A), OPERAND(B), SCRATCH(SPLIT), OPERAND(OUT),
                                       OPERAND(A_VALUES), OPERAND(B_VALUES), OPERAND(OUT_VALUES) } },
        },
};

/* Returns the number of shares of the output in the serial mapping. A share is at most a tile, and each core gets
 * several shares, so that cores have equal work. On a GPU each tile is a share. */
static int64_t merge_shares(const mcl_context *context, int64_t tiles)
{
    const int64_t wanted = context->limits.is_gpu ? 1 : mcl__tuned_a_unit(context, MCL__PARAMETER_merge_shares_serial);
    return tiles < 2 || tiles > wanted ? tiles : wanted;
}

/* Returns 1 where keys are loaded in whole lines of memory. Values never are, since their loads are in the output's
 * order. */
static int loads_lines(const mcl__call *call)
{
    enum { NEVER, FROM_OTHER_DEVICES, ALWAYS };
    const int64_t way = mcl__tuned(call->queue->context, MCL__PARAMETER_merge_lines);
    const mcl_buffer *const a = call->operands[A].input->buffer, *const b = call->operands[B].input->buffer;
    return way == ALWAYS || (way == FROM_OTHER_DEVICES && ((a && a->is_far) || (b && b->is_far)));
}

static mcl_status merge_program(mcl__call *call, int64_t total)
{
    const size_t element = call->types[KEYS]->size;
    /* merge_store uses a key's bytes again for an index. After the tile it has room for the keys of one work-item, at
     * most 31, and one more key (MERGE_GROUP_KEYS). Keys of an odd size are padded to whole indices. */
    const size_t key = element > sizeof(int) ? element : sizeof(int);
    const mcl__tile_need need = { .element_bytes = element,
                                  .local_bytes_per_item = key,
                                  .local_bytes_fixed = 32 * key + sizeof(int) };
    const mcl__operation operation = call->has_values ? MCL__OPERATION_merge_pairs : MCL__OPERATION_merge;
    const mcl__tile tile = mcl__call_choose_tile(call, operation, need);
    if (loads_lines(call)) mcl__call_define(call, "MERGE_LINES", 1);
    mcl__call_define(call, "COARSE_SPLITS", (int)mcl__tuned(call->queue->context, MCL__PARAMETER_merge_coarse_splits));
    /* On a CPU, whose addresses have 64 bits, each step would widen a shorter index. */
    return mcl__call_program(call, tile, tile.threads == 1 ? 64 : mcl__index_bits(total, call->options));
}

static mcl_status merge_run(mcl__call *call)
{
    MCL__TRY(mcl__call_check(call));
    const int64_t total = call->operands[A].input->count + call->operands[B].input->count;
    call->room[OUT] = call->room[OUT_VALUES] = total;
    MCL__TRY(mcl__call_ready(call));
    MCL__TRY(merge_program(call, total));
    const int64_t tiles = mcl__call_tiles(call, total);
    const int is_serial = mcl__call_is_serial(call);
    call->scalars[SPLITS] = tiles + 1;
    mcl__call_scratch(call, SPLIT, is_serial ? 0 : mcl__call_index_bytes(call, tiles + 1));
    MCL__TRY(mcl__call_begin(call));
    if (tiles > 0 && !is_serial) MCL__TRY(mcl__call_launch_items(call, PARTITION, tiles + 1));
    MCL__TRY(mcl__call_launch(call, TILES, is_serial ? merge_shares(call->queue->context, tiles) : tiles));
    return mcl__call_end(call);
}

mcl_status mcl_merge(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                     const mcl_options *options)
{
    mcl__call call = { &merge, "mcl_merge", queue, options,
                       .operands = { [A].input = &a, [B].input = &b, [OUT].output = &out, [BEFORE].op = before } };
    return merge_run(&call);
}

mcl_status mcl_merge_pairs(mcl_queue *queue, mcl_input a_keys, mcl_input a_values, mcl_input b_keys, mcl_input b_values,
                           mcl_output out_keys, mcl_output out_values, const mcl_op *before, const mcl_options *options)
{
    mcl__call call = { &merge,
                       "mcl_merge_pairs",
                       queue,
                       options,
                       .has_values = 1,
                       .operands = { [A].input = &a_keys,
                                     [B].input = &b_keys,
                                     [OUT].output = &out_keys,
                                     [BEFORE].op = before,
                                     [A_VALUES].input = &a_values,
                                     [B_VALUES].input = &b_values,
                                     [OUT_VALUES].output = &out_values } };
    return merge_run(&call);
}
