/* regions.cl: finds the region of each key among pivots, which are elements of the whole sequence in their order. The
 * order is that of the whole: keys first, then the rank, then the index on it. A region ends with its pivot; the last
 * one has none. places tells where a pivot stands: its index among this rank's keys, -1 on a lower rank, and the
 * highest number on a higher one. Passes: key_regions. Needs: index_type TILE_THREADS TILE_ITEMS; inputs keys, pivots
 * and places; before; output regions. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile_count.clh"

typedef struct {
    input_pivots keys;
    input_places places;
} pivot_list;

typedef struct {
    keys_type key;
    index_type at;
} placed_key;

/* Two keys are equal where before says the same of them both ways. */
static inline int pivot_before(const env_type env, const pivot_list pivots, const index_type i, const placed_key x)
{
    const keys_type pivot = load_pivots(pivots.keys, i);
    const int is_before = before(env, pivot, x.key) != 0;
    const int is_after = before(env, x.key, pivot) != 0;
    return is_before != is_after ? is_before : load_places(pivots.places, i) < (int64_t)x.at;
}

#define BINARY_SEARCH region_of
#define RUN pivot_list
#define RUN_KEY placed_key
#define RUN_BEFORE(env, run, i, key) pivot_before(env, run, i, key)
#include "pieces/binary_search.clh"

MCL_KERNEL(TILE_THREADS) key_regions(PARAMS_env PARAMS_keys, PARAMS_pivots, PARAMS_places, PARAMS_regions)
{
    const env_type env = MAKE_env;
    const input_keys keys = MAKE_keys;
    const input_pivots pivot_keys = MAKE_pivots;
    const input_places pivot_places = MAKE_places;
    const output_regions regions = MAKE_regions;
    const pivot_list pivots = { pivot_keys, pivot_places };
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, keys.count);
    ROLLED
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) {
        const placed_key x = { load_keys(keys, begin + k), begin + k };
        store_regions(regions, begin + k, (uint8_t)region_of(env, pivots, 0, pivot_keys.count, x));
    }
}
