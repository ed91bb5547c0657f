/* map_service.cl: kernels that every call on a hash map may need. They empty slots, zero counters and add counters up.
 * Needs: TILE_THREADS TILE_ITEMS. */
#include "facts/map.h"
#include "pieces/words/count_store.clh"

/* Zeroes words of 16 bytes: an empty slot is 0. */
MCL_KERNEL(TILE_THREADS) map_fill(PARAMS_map_fill)
{
    __global wide_word *const to = ARRAY(wide_word, words);
    const int64_t size = (int64_t)TILE_THREADS * TILE_ITEMS;
    const int64_t begin = (int64_t)get_group_id(0) * size;
    const int64_t end = word_count - begin < size ? word_count : begin + size;
    union {
        uint32_t parts[4];
        wide_word word;
    } zero;
    UNROLL
    for (int j = 0; j < 4; ++j) zero.parts[j] = 0;
    for (int64_t k = begin + (int64_t)get_local_id(0); k < end; k += TILE_THREADS) to[k] = zero.word;
}

static inline int64_t pair_value(__global const uint *pair)
{
    return (int64_t)((uint64_t)pair[1] << 32 | pair[0]);
}

/* Stores the sum of counter plus over the sub-maps, less the sum of counter minus. minus is -1 where nothing is taken
 * off. One group does the work. */
MCL_KERNEL(TILE_THREADS) map_total(PARAMS_map_total)
{
    __global const uint *const from = ARRAY(uint, counters);
    int64_t total = 0;
    if (get_local_id(0) == 0) {
        for (int k = 0; k < sub_maps; ++k) {
            total += pair_value(from + k * MAP_COUNTER_WORDS + 2 * plus);
            if (minus >= 0) total -= pair_value(from + k * MAP_COUNTER_WORDS + 2 * minus);
        }
        count_store(ARRAY(char, result), highest, total);
    }
}
