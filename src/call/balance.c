/* balance.c: the parts of calls that balance work units. cl/pieces/balance/load_balance_tile.clh says how tiles are
 * cut. */
#include "call/balance.h"

mcl_work mcl_work_items(int64_t count)
{
    return (mcl_work){ .count = count };
}

mcl_work mcl_work_in_slot(int64_t bound, mcl_buffer *slot, int64_t slot_index)
{
    return mcl_work_in_slot_of(bound, MCL_INT64, slot, slot_index);
}

mcl_work mcl_work_in_slot_of(int64_t bound, const mcl_type *type, mcl_buffer *slot, int64_t slot_index)
{
    return (mcl_work){ .count = bound, .count_slot = slot, .count_slot_index = slot_index, .count_slot_type = type };
}

mcl_input mcl__work_input(const mcl_work *work)
{
    return (mcl_input){ .type = MCL_INT32,
                        .count = work->count,
                        .count_slot = work->count_slot,
                        .count_slot_index = work->count_slot_index,
                        .count_slot_type = work->count_slot_type,
                        .expression = "0" };
}

mcl_status mcl__validate_exclusive_offsets(mcl_queue *queue, const mcl_input *offsets, const mcl_options *options)
{
    mcl_input first = *offsets;
    if (first.count > 1) first.count = 1;
    MCL__TRY(mcl__validate_range(queue, "offsets", &first, 0, 0, options));
    return mcl__validate_sorted(queue, "offsets", offsets, MCL_LESS, options);
}

int64_t mcl__balance_need(mcl__run *run)
{
    const int64_t merged = run->given[MCL__BALANCE_WORK].input->count + run->given[MCL__BALANCE_OFFSETS].input->count;
    const int64_t tiles = mcl__run_tiles(run, merged);
    run->numbers[MCL__BALANCE_SPLITS] = tiles + 1;
    mcl__run_need(run, MCL__BALANCE_SPLIT, mcl__run_is_serial(run) ? 0 : mcl__run_index_bytes(run, tiles + 1));
    return tiles;
}

mcl_status mcl__balance_launch(mcl__run *run, int64_t tiles)
{
    if (tiles == 0) return MCL_OK;
    if (!mcl__run_is_serial(run)) MCL__TRY(mcl__run_launch_items(run, MCL__BALANCE_PARTITION, tiles + 1));
    return mcl__run_launch(run, MCL__BALANCE_TILES, tiles);
}
