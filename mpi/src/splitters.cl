/* splitters.cl: counts the elements of a sorted part before each sample. A part is one rank's elements of one list.
 * Elements are ordered by key, then part, then index in the part. Samples are in the order of their parts. The first
 * own samples belong to earlier parts, so elements here that equal one of them come after it. Passes: splitter_ranks.
 * Needs: index_type TILE_THREADS TILE_ITEMS; inputs samples and sorted; before; output ranks. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile_count.clh"

#define BINARY_SEARCH lower_rank
#define RUN input_sorted
#define RUN_KEY sorted_type
#define RUN_BEFORE(env, run, i, key) before(env, load_sorted(run, i), key)
#include "pieces/binary_search.clh"

#define BINARY_SEARCH upper_rank
#define RUN input_sorted
#define RUN_KEY sorted_type
#define RUN_BEFORE(env, run, i, key) (!before(env, key, load_sorted(run, i)))
#include "pieces/binary_search.clh"

MCL_KERNEL(TILE_THREADS) splitter_ranks(PARAMS_env PARAMS_samples, PARAMS_sorted, PARAMS_ranks, index_type own)
{
    const env_type env = MAKE_env;
    const input_samples samples = MAKE_samples;
    const input_sorted sorted = MAKE_sorted;
    const output_ranks ranks = MAKE_ranks;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, samples.count);
    ROLLED
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) {
        const sorted_type key = load_samples(samples, begin + k);
        const index_type rank = begin + k < own ? lower_rank(env, sorted, 0, sorted.count, key)
                                                : upper_rank(env, sorted, 0, sorted.count, key);
        store_ranks(ranks, begin + k, (int64_t)rank);
    }
}
