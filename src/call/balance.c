/* balance.c: the common steps of calls that balance work units. cl/pieces/balance/load_balance_tile.clh describes how
 * work is cut into tiles. */
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

int64_t mcl__balance_need(mcl__call *call)
{
    const int64_t merged = call->operands[WORK].input->count + call->operands[OFFSETS].input->count;
    const int64_t tiles = mcl__call_tiles(call, merged);
    call->scalars[SPLITS] = tiles + 1;
    mcl__call_scratch(call, SPLIT, mcl__call_is_serial(call) ? 0 : mcl__call_index_bytes(call, tiles + 1));
    return tiles;
}

mcl_status mcl__balance_launch(mcl__call *call, int64_t tiles)
{
    if (tiles == 0) return MCL_OK;
    if (!mcl__call_is_serial(call)) MCL__TRY(mcl__call_launch_items(call, PARTITION, tiles + 1));
    return mcl__call_launch(call, TILES, tiles);
}
