/* gather.cl: fetches elements by their indices. Passes: gather_indices, gather_back.
 * Needs: index_type TILE_THREADS TILE_ITEMS; input staged; output out; for gather_indices inputs in and indices. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/tile_count.clh"

#if HAS_in
/* Returns an index, or count - 1 for an index outside [0, count). Indices come from a sort, where an order that
 * contradicts itself may spoil one. As an unsigned number, a negative index is past every count. */
static inline index_type index_inside(const int64_t index, const index_type count)
{
    return (uint64_t)index < (uint64_t)count ? (index_type)index : count - 1;
}

/* Stores out[k] = in[indices[k]] for each index. There are at most as many indices as elements of in. */
MCL_KERNEL(TILE_THREADS) gather_indices(PARAMS_gather_indices)
{
    const input_in in = MAKE_in;
    const input_indices indices = MAKE_indices;
    const output_out out = MAKE_out;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, indices.count);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS)
        store_out(out, begin + k, load_in(in, index_inside((int64_t)load_indices(indices, begin + k), in.count)));
}

#endif

/* Stores out[k] = staged[k] for each element. */
MCL_KERNEL(TILE_THREADS) gather_back(PARAMS_gather_back)
{
    const input_staged staged = MAKE_staged;
    const output_out out = MAKE_out;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, staged.count);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS)
        store_out(out, begin + k, load_staged(staged, begin + k));
}
