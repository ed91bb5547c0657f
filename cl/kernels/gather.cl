/* gather.cl: fetches elements from their places. Passes: gather_places, gather_back.
 * Needs: index_type TILE_THREADS TILE_ITEMS; inputs in, places and staged; output out. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/part_range.clh"

/* Places come from a sort. Should an order that contradicts itself have spoilt one, the last element is fetched. As an
 * unsigned number, a negative place is past every count. */
static inline index_type place_inside(const int64_t place, const index_type count)
{
    return (uint64_t)place < (uint64_t)count ? (index_type)place : count - 1;
}

/* out[k] = in[places[k]]: as many as there are places, which are no more than in has elements. */
MCL_KERNEL(TILE_THREADS) gather_places(PARAMS_in, PARAMS_places, PARAMS_out)
{
    const input_in in = MAKE_in;
    const input_places places = MAKE_places;
    const output_out out = MAKE_out;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, places.count);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS)
        store_out(out, begin + k, load_in(in, place_inside((int64_t)load_places(places, begin + k), in.count)));
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
