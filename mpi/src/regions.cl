/* regions.cl: finds the region of each key among sorted pivots, which are elements of the whole sequence. Elements are
 * ordered by key, then rank, then index on the rank. A region ends with its pivot; the last region has no pivot. places
 * has the index of each pivot among this rank's keys. It is -1 for a pivot of a lower rank, and the highest number for
 * one of a higher rank. There are 2^k - 1 pivots. Passes: key_regions. Needs: index_type TILE_THREADS TILE_ITEMS;
 * inputs keys, pivots and places; before; output regions. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile_count.clh"

/* Equal pivots are in the order of places. */
typedef struct {
    input_pivots keys;
    input_places places;
    keys_type key;
} pivot_list;
#define BINARY_SEARCH first_not_passed
#define RUN pivot_list
#define RUN_KEY int64_t
#define RUN_BEFORE(env, run, i, at)                                                                                    \
    (!before(env, (run).key, load_pivots((run).keys, i)) && load_places((run).places, i) < (at))
#include "pieces/binary_search.clh"

/* A work-item searches for KEYS keys at once, all in the same number of steps and without branches. So loads overlap.
 * Few keys equal a pivot, so the search among equal pivots is rare. */
enum { KEYS = 4 };
MCL_KERNEL(TILE_THREADS) key_regions(PARAMS_env PARAMS_keys, PARAMS_pivots, PARAMS_places, PARAMS_regions)
{
    const env_type env = MAKE_env;
    const input_keys keys = MAKE_keys;
    const input_pivots pivots = MAKE_pivots;
    const input_places places = MAKE_places;
    const output_regions regions = MAKE_regions;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, keys.count);
    ROLLED
    for (int k = (int)get_local_id(0); k < count; k += KEYS * TILE_THREADS) {
        keys_type key[KEYS];
        index_type region[KEYS];
        UNROLL
        for (int j = 0; j < KEYS; ++j) {
            const int at = k + j * TILE_THREADS;
            key[j] = load_keys(keys, begin + (at < count ? at : k));
            region[j] = 0;
        }
        ROLLED
        for (index_type step = (pivots.count + 1) / 2; step > 0; step /= 2) {
            UNROLL
            for (int j = 0; j < KEYS; ++j)
                region[j] += before(env, load_pivots(pivots, region[j] + step - 1), key[j]) ? step : 0;
        }
        UNROLL
        for (int j = 0; j < KEYS; ++j) {
            const int at = k + j * TILE_THREADS;
            if (at >= count) continue;
            if (region[j] < pivots.count && !before(env, key[j], load_pivots(pivots, region[j]))) {
                const pivot_list equal = { pivots, places, key[j] };
                region[j] = first_not_passed(env, equal, region[j], pivots.count, (int64_t)(begin + at));
            }
            store_regions(regions, begin + at, (uint8_t)region[j]);
        }
    }
}
