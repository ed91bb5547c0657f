/* load_balance.cl: finds the object that each work unit belongs to, and the unit's rank in the object. In names a work
 * unit is an item. Passes: balance_partition, balance_tiles; under the serial mapping balance_tiles alone. Needs:
 * index_type TILE_THREADS TILE_ITEMS; inputs offsets, work (its count alone). These may be absent: outputs objects and
 * ranks; balanced input value, whose element for every unit goes to output out.
 *
 * Bounds: numbers of units and objects are below their counts (load_balance_tile.clh), and outputs are as long as the
 * work. A rank is a unit's index less its object's offset. It is negative for offsets that fall, or that do not begin
 * with 0. */
#include "kernels/balance/balance_operands.clh"

/* Pass 1: one work-item for each tile boundary finds how many objects precede the boundary. */
MCL_KERNEL(PARTITION_THREADS) balance_partition(PARAMS_balance_partition)
{
    const index_type s = (index_type)get_global_id(0);
    if (s < splits) ARRAY(index_type, split)[s] = balance_crossing(MAKE_offsets, MAKE_work.count, s);
}

#if TILE_THREADS == 1
#include "kernels/balance/balance_serial.clh"
#else
#include "kernels/balance/balance_group.clh"
#endif

/* Pass 2: each group finds the objects of one tile's units. */
MCL_KERNEL(TILE_THREADS) balance_tiles(PARAMS_balance_tiles)
{
    MCL_SHARED(balance_store, store);
    balance_operands o;
    TAKE_balance_tiles(o);
    balance_items(o, balance_tile_find(o.offsets, o.work.count, ARRAY(index_type, split)), store);
}
