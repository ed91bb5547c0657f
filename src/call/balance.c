/* balance.c: the parts of calls that balance work items. cl/pieces/load_balance_tile.clh says how tiles are cut. */
#include "call/balance.h"

/* Searches diverge, so small groups spread them. */
enum { PARTITION_THREADS = 64 };

mcl_work mcl_work_items(int64_t count)
{
    return (mcl_work){ .count = count };
}

mcl_work mcl_work_in_slot(int64_t bound, mcl_buffer *slot, int64_t slot_index)
{
    return (mcl_work){ .count = bound, .count_slot = slot, .count_slot_index = slot_index };
}

mcl_input mcl__work_input(const mcl_work *work)
{
    return (mcl_input){ .type = MCL_INT32,
                        .count = work->count,
                        .count_slot = work->count_slot,
                        .count_slot_index = work->count_slot_index,
                        .expression = "0" };
}

mcl_status mcl__check_balance_overlap(const char *function, const mcl_input *work, const mcl_input *offsets,
                                      const char *output_name, const mcl_output *output, int64_t needed)
{
    MCL__TRY(mcl__check_no_overlap(function, "work", work, output_name, output, needed));
    return mcl__check_no_overlap(function, "offsets", offsets, output_name, output, needed);
}

mcl_status mcl__validate_exclusive_offsets(mcl_queue *queue, const char *function, const mcl_input *offsets,
                                           const mcl_options *options)
{
    mcl_input first = *offsets;
    if (first.count > 1) first.count = 1;
    MCL__TRY(mcl__validate_range(queue, function, "offsets", &first, 0, 0, options));
    return mcl__validate_sorted(queue, function, "offsets", offsets, MCL_LESS, options);
}

int mcl__balance_partition_threads(mcl__tile tile)
{
    return tile.threads < PARTITION_THREADS ? tile.threads : PARTITION_THREADS;
}

int64_t mcl__balance_tiles(const mcl__spec *spec, const mcl__kernels *kernels)
{
    return mcl__divide_up(spec->inputs[1].input->count + spec->inputs[0].input->count, mcl__tile_size(kernels->tile));
}

static size_t split_bytes(const mcl__spec *spec, const mcl__kernels *kernels)
{
    if (kernels->tile.threads == 1) return 0;
    return (size_t)(mcl__balance_tiles(spec, kernels) + 1) * (size_t)(spec->index_bits / 8);
}

size_t mcl__balance_scratch(const mcl__spec *spec, const mcl__kernels *kernels)
{
    return mcl__scratch_round(split_bytes(spec, kernels));
}

mcl_status mcl__balance_launch(mcl_queue *queue, const mcl__spec *spec, const mcl__kernels *kernels, mcl__args *args)
{
    const int64_t tiles = mcl__balance_tiles(spec, kernels);
    const int threads = spec->defines[0].value;
    mcl__args_start(args, spec);
    mcl__args_input(args, spec->inputs[0].input);
    mcl__args_input(args, spec->inputs[1].input);
    mcl__args_span(args, mcl__scratch_take(queue, split_bytes(spec, kernels)));
    if (tiles == 0 || kernels->tile.threads == 1) return MCL_OK;
    mcl__args partition = *args;
    mcl__args_index(&partition, tiles + 1);
    return mcl__launch_groups(queue, kernels, MCL__BALANCE_PARTITION, mcl__divide_up(tiles + 1, threads), threads,
                              &partition);
}
