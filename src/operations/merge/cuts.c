/* cuts.c: mcl_cut_search, mcl_cut_merge_path and mcl_cut_balanced_path. Kernels: cl/kernels/merge/cuts.cl, one pass
 * each. */
#include "call/call.h"

#include "moderncl/cuts.h"

enum { A = 1, OUT, BEFORE, B };           /* operands; the binary search has only A and OUT */
enum { KEYS = 1 };                        /* groups of operands with one type */
enum { COUNT, TILE, SPLITS, PAIR_TILES }; /* scalars */

static const mcl__declaration binary_search = {
    .file = "kernels/merge/cuts.cl",
    .operands = (mcl__operands){ [A] = { "data", .kind = MCL__INPUT, .types = MCL__INTEGERS },
                                 [OUT] = { "out", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = A } },
    .scalars = { [COUNT] = "count", [TILE] = "tile", [SPLITS] = "splits" },
    .passes = (mcl__passes){ { "binary_search", .arguments = { MCL__ENVIRONMENT, OPERAND(A), AS_LONG(COUNT),
                                                               AS_LONG(TILE), AS_LONG(SPLITS), OPERAND(OUT) } } },
};

static mcl__operands path_operands = {
    [A] = { "a", .kind = MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
    [OUT] = { "out", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = A },
    [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A },
    [B] = { "b", .kind = MCL__INPUT, .group = KEYS, .sorted_by = BEFORE },
};

static const mcl__declaration merge_path = {
    .file = "kernels/merge/cuts.cl",
    .types = { [KEYS] = "key" },
    .operands = path_operands,
    .scalars = { [TILE] = "tile", [SPLITS] = "splits" },
    .passes = (mcl__passes){ { "merge_path", .arguments = { MCL__ENVIRONMENT, OPERAND(A), OPERAND(B), AS_LONG(TILE),
                                                            AS_LONG(SPLITS), OPERAND(OUT) } } },
};

/* The merge path with pair_tiles, for mergesorts. Both lists are in one array, and MCL_VALIDATE does not check them. */
static const mcl__declaration merge_path_of_lists = {
    .file = "kernels/merge/cuts.cl",
    .types = { [KEYS] = "key" },
    .operands = (mcl__operands){ [A] = { "a", .kind = MCL__INPUT, .group = KEYS },
                                 [OUT] = { "out", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = A },
                                 [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A } },
    .scalars = { [TILE] = "tile", [SPLITS] = "splits", [PAIR_TILES] = "pair_tiles" },
    .passes = (mcl__passes){ { "merge_path", .arguments = { MCL__ENVIRONMENT, OPERAND(A), AS_LONG(TILE),
                                                            AS_INT(PAIR_TILES), AS_LONG(SPLITS), OPERAND(OUT) } } },
};

static const mcl__declaration balanced_path = {
    .file = "kernels/merge/cuts.cl",
    .takes = MCL__TAKES_UNIQUE_KEYS,
    .types = { [KEYS] = "key" },
    .operands = path_operands,
    .scalars = { [TILE] = "tile", [SPLITS] = "splits" },
    .passes = (mcl__passes){ { "balanced_path", .arguments = { MCL__ENVIRONMENT, OPERAND(A), OPERAND(B), AS_LONG(TILE),
                                                               AS_LONG(SPLITS), OPERAND(OUT) } } },
};

static mcl_status check_numbers(const mcl__call *call, mcl_bounds bounds)
{
    if (call->scalars[TILE] < 1)
        return mcl__fail(MCL_ERROR_ARGUMENT, "tile is %lld; expected 1 or more", (long long)call->scalars[TILE]);
    if (bounds != MCL_LOWER && bounds != MCL_UPPER)
        return mcl__fail(MCL_ERROR_ARGUMENT, "bounds is %d; expected MCL_LOWER or MCL_UPPER", (int)bounds);
    return MCL_OK;
}

/* Makes the remaining checks, and finds the number of splits. count is the number of elements that are cut. */
static mcl_status prepare_splits(mcl__call *call, int64_t count, mcl_bounds bounds)
{
    MCL__TRY(check_numbers(call, bounds));
    call->scalars[SPLITS] = call->room[OUT] = mcl__divide_up(count, call->scalars[TILE]) + 1;
    return mcl__call_ready(call);
}

/* Launches the pass that finds the splits. bound is the largest index that the kernel needs. */
static mcl_status launch_splits(mcl__call *call, int64_t bound)
{
    const int64_t splits = call->scalars[SPLITS];
    const mcl__tile_need need = { .element_bytes = call->operands[A].input->type->size };
    MCL__TRY(mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_cuts, need),
                               mcl__index_bits(bound > splits ? bound : splits, call->options)));
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(mcl__call_launch_items(call, 0, splits));
    return mcl__call_end(call);
}

mcl_status mcl_cut_search(mcl_queue *queue, mcl_input data, int64_t count, int64_t tile, mcl_bounds bounds,
                          mcl_output out, const mcl_options *options)
{
    mcl__call call = { &binary_search,
                       "mcl_cut_search",
                       queue,
                       options,
                       .operands = { [A].input = &data, [OUT].output = &out },
                       .scalars = { [COUNT] = count, [TILE] = tile } };
    MCL__TRY(mcl__call_check(&call));
    if (count < 0 || count > MCL__COUNT_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "count is %lld; expected 0 to %lld", (long long)count,
                         (long long)MCL__COUNT_MAX);
    MCL__TRY(prepare_splits(&call, count, bounds));
    if (mcl__validates(options)) MCL__TRY(mcl__validate_sorted(queue, "data", &data, MCL_LESS, options));
    mcl__call_define(&call, "PARTITION_SEARCH", 1);
    mcl__call_define(&call, "SEARCH_UPPER", bounds == MCL_UPPER);
    return launch_splits(&call, data.count);
}

/* Makes the cuts of a merge path or a balanced path. count is the number of keys of both inputs, or of a alone with
 * pair_tiles. */
static mcl_status merge_path_run(mcl__call *call, int64_t count, mcl_bounds bounds)
{
    const int is_balanced = call->declaration == &balanced_path;
    MCL__TRY(prepare_splits(call, count, bounds));
    mcl__call_define(call, "PARTITION_PAIR_TILES", call->scalars[PAIR_TILES] > 0);
    mcl__call_define(call, "MERGE_UPPER", bounds == MCL_UPPER);
    mcl__call_define(call, "PARTITION_BALANCED", is_balanced);
    mcl__call_define(call, "PARTITION_UNIQUE", is_balanced && mcl__wants(call->options, MCL_UNIQUE_KEYS));
    return launch_splits(call, count);
}

mcl_status mcl_cut_merge_path(mcl_queue *queue, mcl_input a, mcl_input b, int64_t tile, int pair_tiles,
                              mcl_bounds bounds, mcl_output out, const mcl_op *before, const mcl_options *options)
{
    mcl__call call = { pair_tiles == 0 ? &merge_path : &merge_path_of_lists,
                       "mcl_cut_merge_path",
                       queue,
                       options,
                       .operands = { [A].input = &a, [OUT].output = &out, [BEFORE].op = before },
                       .scalars = { [TILE] = tile, [PAIR_TILES] = pair_tiles } };
    if (pair_tiles == 0) call.operands[B].input = &b;
    MCL__TRY(mcl__call_check(&call));
    if (pair_tiles < 0 || pair_tiles == 1 || (pair_tiles & (pair_tiles - 1)))
        return mcl__fail(MCL_ERROR_ARGUMENT, "pair_tiles is %d; expected 0 or a power of two from 2 on", pair_tiles);
    return merge_path_run(&call, a.count + (pair_tiles ? 0 : b.count), bounds);
}

mcl_status mcl_cut_balanced_path(mcl_queue *queue, mcl_input a, mcl_input b, int64_t tile, mcl_output out,
                                 const mcl_op *before, const mcl_options *options)
{
    mcl__call call = { &balanced_path,
                       "mcl_cut_balanced_path",
                       queue,
                       options,
                       .operands = { [A].input = &a, [OUT].output = &out, [BEFORE].op = before, [B].input = &b },
                       .scalars = { [TILE] = tile } };
    MCL__TRY(mcl__call_check(&call));
    return merge_path_run(&call, a.count + b.count, MCL_LOWER);
}
