/* cuts.c: mcl_cut_search, mcl_cut_merge_path and mcl_cut_balanced_path. Kernels: cl/kernels/merge/cuts.cl, one pass
 * each. */
#include "call/run.h"

#include "moderncl/cuts.h"

enum { A = 1, OUT, BEFORE, B };           /* operands; the binary search has A and OUT */
enum { KEYS = 1 };                        /* groups of types */
enum { COUNT, TILE, SPLITS, PAIR_TILES }; /* numbers */

#define SPLIT_OUT { "out", .kind = MCL__OUTPUT, .types = MCL__INDICES, .indexes = A }
#define NUMBERS { [COUNT] = "count", [TILE] = "tile", [SPLITS] = "splits", [PAIR_TILES] = "pair_tiles" }
#define SORTED(name) { name, .kind = MCL__INPUT, .group = KEYS, .sorted_by = BEFORE }
#define ORDER { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A }

static const mcl__declaration binary_search = {
    .file = "kernels/merge/cuts.cl",
    .operands = { [A] = { "data", .kind = MCL__INPUT, .types = MCL__INTEGERS }, [OUT] = SPLIT_OUT },
    .numbers = NUMBERS,
    .passes = { { "binary_search", .words = { MCL__ENV, MCL__OF + A, MCL__LONG + COUNT, MCL__LONG + TILE,
                                              MCL__LONG + SPLITS, MCL__OF + OUT } } },
};

static const mcl__declaration merge_path = {
    .file = "kernels/merge/cuts.cl",
    .types = { [KEYS] = "key" },
    .operands = { [A] = SORTED("a"), [OUT] = SPLIT_OUT, [BEFORE] = ORDER, [B] = SORTED("b") },
    .numbers = NUMBERS,
    .passes = { { "merge_path", .words = { MCL__ENV, MCL__OF + A, MCL__OF + B, MCL__LONG + TILE, MCL__LONG + SPLITS,
                                           MCL__OF + OUT } } },
};

/* The mergesort mode: the lists are parts of one array. MCL_VALIDATE does not check them. */
static const mcl__declaration merge_path_of_lists = {
    .file = "kernels/merge/cuts.cl",
    .types = { [KEYS] = "key" },
    .operands = { [A] = { "a", .kind = MCL__INPUT, .group = KEYS }, [OUT] = SPLIT_OUT, [BEFORE] = ORDER },
    .numbers = NUMBERS,
    .passes = { { "merge_path", .words = { MCL__ENV, MCL__OF + A, MCL__LONG + TILE, MCL__INT + PAIR_TILES,
                                           MCL__LONG + SPLITS, MCL__OF + OUT } } },
};

static const mcl__declaration balanced_path = {
    .file = "kernels/merge/cuts.cl",
    .takes = MCL__TAKES_UNIQUE_KEYS,
    .types = { [KEYS] = "key" },
    .operands = { [A] = SORTED("a"), [OUT] = SPLIT_OUT, [BEFORE] = ORDER, [B] = SORTED("b") },
    .numbers = NUMBERS,
    .passes = { { "balanced_path", .words = { MCL__ENV, MCL__OF + A, MCL__OF + B, MCL__LONG + TILE, MCL__LONG + SPLITS,
                                              MCL__OF + OUT } } },
};

static mcl_status check_numbers(const mcl__run *run, mcl_bounds bounds)
{
    if (run->numbers[TILE] < 1)
        return mcl__fail(MCL_ERROR_ARGUMENT, "tile is %lld; expected 1 or more", (long long)run->numbers[TILE]);
    if (bounds != MCL_LOWER && bounds != MCL_UPPER)
        return mcl__fail(MCL_ERROR_ARGUMENT, "bounds is %d; expected MCL_LOWER or MCL_UPPER", (int)bounds);
    return MCL_OK;
}

/* Makes the remaining checks, and finds the number of splits. count: elements that are cut. */
static mcl_status prepare_splits(mcl__run *run, int64_t count, mcl_bounds bounds)
{
    MCL__TRY(check_numbers(run, bounds));
    run->numbers[SPLITS] = run->room[OUT] = mcl__divide_up(count, run->numbers[TILE]) + 1;
    return mcl__run_ready(run);
}

/* bound: the largest number that the kernel counts to. */
static mcl_status launch_splits(mcl__run *run, int64_t bound)
{
    const int64_t splits = run->numbers[SPLITS];
    const mcl__tile_need need = { .element_bytes = run->given[A].input->type->size };
    MCL__TRY(mcl__run_program(run, mcl__run_choose_tile(run, MCL__OPERATION_cuts, need),
                              mcl__index_bits(bound > splits ? bound : splits, run->options)));
    MCL__TRY(mcl__run_begin(run));
    MCL__TRY(mcl__run_launch_items(run, 0, splits));
    return mcl__run_end(run);
}

mcl_status mcl_cut_search(mcl_queue *queue, mcl_input data, int64_t count, int64_t tile, mcl_bounds bounds,
                          mcl_output out, const mcl_options *options)
{
    mcl__run run = { &binary_search,
                     "mcl_cut_search",
                     queue,
                     options,
                     .given = { [A].input = &data, [OUT].output = &out },
                     .numbers = { [COUNT] = count, [TILE] = tile } };
    MCL__TRY(mcl__run_check(&run));
    if (count < 0 || count > MCL__COUNT_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "count is %lld; expected 0 to %lld", (long long)count,
                         (long long)MCL__COUNT_MAX);
    MCL__TRY(prepare_splits(&run, count, bounds));
    if (mcl__validates(options)) MCL__TRY(mcl__validate_sorted(queue, "data", &data, MCL_LESS, options));
    mcl__run_define(&run, "PARTITION_SEARCH", 1);
    mcl__run_define(&run, "SEARCH_UPPER", bounds == MCL_UPPER);
    return launch_splits(&run, data.count);
}

/* count: keys of both inputs, or only of a with pair_tiles. */
static mcl_status merge_path_run(mcl__run *run, int64_t count, mcl_bounds bounds)
{
    const int is_balanced = run->declaration == &balanced_path;
    MCL__TRY(prepare_splits(run, count, bounds));
    mcl__run_define(run, "PARTITION_PAIR_TILES", run->numbers[PAIR_TILES] > 0);
    mcl__run_define(run, "MERGE_UPPER", bounds == MCL_UPPER);
    mcl__run_define(run, "PARTITION_BALANCED", is_balanced);
    mcl__run_define(run, "PARTITION_UNIQUE", is_balanced && mcl__wants(run->options, MCL_UNIQUE_KEYS));
    return launch_splits(run, count);
}

mcl_status mcl_cut_merge_path(mcl_queue *queue, mcl_input a, mcl_input b, int64_t tile, int pair_tiles,
                              mcl_bounds bounds, mcl_output out, const mcl_op *before, const mcl_options *options)
{
    mcl__run run = { pair_tiles == 0 ? &merge_path : &merge_path_of_lists,
                     "mcl_cut_merge_path",
                     queue,
                     options,
                     .given = { [A].input = &a, [OUT].output = &out, [BEFORE].op = before },
                     .numbers = { [TILE] = tile, [PAIR_TILES] = pair_tiles } };
    if (pair_tiles == 0) run.given[B].input = &b;
    MCL__TRY(mcl__run_check(&run));
    if (pair_tiles < 0 || pair_tiles == 1 || (pair_tiles & (pair_tiles - 1)))
        return mcl__fail(MCL_ERROR_ARGUMENT, "pair_tiles is %d; expected 0 or a power of two from 2 on", pair_tiles);
    return merge_path_run(&run, a.count + (pair_tiles ? 0 : b.count), bounds);
}

mcl_status mcl_cut_balanced_path(mcl_queue *queue, mcl_input a, mcl_input b, int64_t tile, mcl_output out,
                                 const mcl_op *before, const mcl_options *options)
{
    mcl__run run = { &balanced_path,
                     "mcl_cut_balanced_path",
                     queue,
                     options,
                     .given = { [A].input = &a, [OUT].output = &out, [BEFORE].op = before, [B].input = &b },
                     .numbers = { [TILE] = tile } };
    MCL__TRY(mcl__run_check(&run));
    return merge_path_run(&run, a.count + b.count, MCL_LOWER);
}
