/* gather.cl: fetches elements from their places. Passes: gather_places, gather_back.
 * Needs: index_type TILE_THREADS TILE_ITEMS; inputs in, places and staged; output out. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "group/part_range.clh"

/* out[k] = in[places[k]]. */
MCL_KERNEL(TILE_THREADS) gather_places(PARAMS_in, PARAMS_places, PARAMS_out)
{
    const input_in in = MAKE_in;
    const input_places places = MAKE_places;
    const output_out out = MAKE_out;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, places.count);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS)
        store_out(out, begin + k, load_in(in, (index_type)load_places(places, begin + k)));
}

/* out[k] = staged[k]. */
MCL_KERNEL(TILE_THREADS) gather_back(PARAMS_staged, PARAMS_out)
{
    const input_staged staged = MAKE_staged;
    const output_out out = MAKE_out;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, staged.count);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS)
        store_out(out, begin + k, load_staged(staged, begin + k));
}
