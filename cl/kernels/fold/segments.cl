/* segments.cl: makes a head flag for each element from offsets, begins or indices of heads; or counts the segments.
 * Passes: heads_clear, heads_set; or segments_count alone.
 * Needs: index_type TILE_THREADS TILE_ITEMS; input given; for segments_count output count. HAS_OUTSIDE: elements can be
 * outside all segments. HAS_END: the last number of given is the end of the last segment.
 *
 * Bounds, whatever stands in given: numbers are compared with the number of elements before they are used. A word that
 * is written is in the tile's range of words, or has the bit of an index in [0, elements). */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/tile_count.clh"

#if HAS_count
MCL_KERNEL(TILE_THREADS) segments_count(PARAMS_segments_count)
{
    const input_given given = MAKE_given;
    const output_count count = MAKE_count;
    if (get_global_id(0) > 0) return;
    store_count(count, 0, given.count > HAS_END ? (int64_t)given.count - HAS_END : 0);
}
#else
static inline int64_t given_clamped(const input_given given, const index_type k, const int64_t elements)
{
    const int64_t number = (int64_t)load_given(given, k);
    return number < 0 ? 0 : number > elements ? elements : number;
}

/* Returns a word with a bit for each of the 32 elements from begin on, set where the element is below end. */
static inline uint bits_below(const int64_t begin, const int64_t end)
{
    return end <= begin ? 0 : end - begin >= 32 ? ~(uint)0 : ((uint)1 << (int)(end - begin)) - 1;
}

/* Pass 1: clears the bits of elements inside the segments, and sets the bits of elements outside. An element outside is
 * so a segment of one element, which no operation changes. */
MCL_KERNEL(TILE_THREADS) heads_clear(PARAMS_heads_clear)
{
    const input_given given = MAKE_given;
    __global uint *const bits = ARRAY(uint, bits);
    const int64_t begin = (int64_t)get_group_id(0) * TILE_SIZE;
    const int64_t end = words - begin < TILE_SIZE ? words : begin + TILE_SIZE;
    int64_t first = 0, last = elements;
    if (HAS_OUTSIDE) first = given.count > HAS_END ? given_clamped(given, 0, elements) : elements;
    if (HAS_END && given.count > 0) last = given_clamped(given, given.count - 1, elements);
    for (int64_t k = begin + (int64_t)get_local_id(0); k < end; k += TILE_THREADS)
        bits[k] = bits_below(k * 32, first) | ~bits_below(k * 32, last);
}

/* Pass 2: sets the bits of the heads. A work-item gathers successive bits of one word before it stores them. It uses
 * shifts, since llvmpipe (Mesa 22.3) divides 64-bit numbers wrongly here. */
MCL_KERNEL(TILE_THREADS) heads_set(PARAMS_heads_set)
{
    const input_given given = MAKE_given;
    __global uint *const bits = ARRAY(uint, bits);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, given.count);
    index_type word = 0;
    uint own = 0;
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) {
        const int64_t head = (int64_t)load_given(given, begin + k);
        if (head < 0 || head >= elements) continue;
        const index_type next = (index_type)(head >> 5);
        if (next != word && own) atomic_or_global(bits + word, own);
        own = (next == word ? own : 0) | (uint)1 << (int)(head & 31);
        word = next;
    }
    if (own) atomic_or_global(bits + word, own);
}
#endif
