/* twice.cl: an example of a user's kernel. Pass: twice. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/part_range.clh"

MCL_KERNEL(TILE_THREADS) twice(PARAMS_in, PARAMS_out)
{
    const input_in in = MAKE_in;
    const output_out out = MAKE_out;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, in.count);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS)
        store_out(out, begin + k, 2 * load_in(in, begin + k));
}
