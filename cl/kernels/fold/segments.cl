/* segments.cl: makes a head flag for each element from offsets, begins or indices of heads; or counts the segments.
 * Passes: heads_clear, heads_set; or heads_search alone, for far more offsets than elements; or segments_count alone.
 * Needs: index_type TILE_THREADS TILE_ITEMS; input given; for segments_count output count. HAS_OUTSIDE: elements can be
 * outside all segments. HAS_END: the last number of given is the end of the last segment. HEADS_SEARCHED: 1 for
 * heads_search.
 *
 * Bounds, whatever numbers given has: numbers are compared with the number of elements before they are used. A word
 * that is written is in the tile's range of words, or has the bit of an index in [0, elements). */
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

/* The elements inside the segments. */
typedef struct {
    int64_t first, last;
} inside_range;

static inline inside_range inside_segments(const input_given given, const int64_t elements)
{
    inside_range inside;
    inside.first = 0;
    inside.last = elements;
    if (HAS_OUTSIDE) inside.first = given.count > HAS_END ? given_clamped(given, 0, elements) : elements;
    if (HAS_END && given.count > 0) inside.last = given_clamped(given, given.count - 1, elements);
    return inside;
}

/* Returns the bits of a word's elements outside the segments. Such an element is a segment of its own, which no
 * operation changes. */
static inline uint bits_outside(const inside_range inside, const int64_t word)
{
    return bits_below(word * 32, inside.first) | ~bits_below(word * 32, inside.last);
}

#if HEADS_SEARCHED
#define BINARY_SEARCH head_from
#define RUN input_given
#define RUN_KEY int64_t
#define RUN_BEFORE(env, run, i, key) ((int64_t)load_given(run, i) < (key))
#include "pieces/search/binary_search.clh"

/* Makes each word by searches in the offsets. A search goes on where the last one ended, so empty segments are passed
 * over. The heads of a word always ascend, so a word takes at most 32 steps. */
MCL_KERNEL(TILE_THREADS) heads_search(PARAMS_heads_search)
{
    const env_type env = MAKE_env;
    const input_given given = MAKE_given;
    const inside_range inside = inside_segments(given, elements);
    const int64_t begin = (int64_t)get_group_id(0) * TILE_SIZE;
    const int64_t end = words - begin < TILE_SIZE ? words : begin + TILE_SIZE;
    for (int64_t k = begin + (int64_t)get_local_id(0); k < end; k += TILE_THREADS) {
        int64_t next = k * 32;
        uint own = bits_outside(inside, k);
        for (index_type at = head_from(env, given, 0, given.count, next); at < given.count;
             at = head_from(env, given, at, given.count, next)) {
            const int64_t head = (int64_t)load_given(given, at);
            if (head < next || head >= k * 32 + 32) break;
            own |= (uint)1 << (int)(head & 31);
            next = head + 1;
        }
        ARRAY(uint, bits)[k] = own;
    }
}
#else
/* Pass 1: clears the bits of elements inside the segments, and sets the bits of elements outside. */
MCL_KERNEL(TILE_THREADS) heads_clear(PARAMS_heads_clear)
{
    __global uint *const bits = ARRAY(uint, bits);
    const inside_range inside = inside_segments(MAKE_given, elements);
    const int64_t begin = (int64_t)get_group_id(0) * TILE_SIZE;
    const int64_t end = words - begin < TILE_SIZE ? words : begin + TILE_SIZE;
    for (int64_t k = begin + (int64_t)get_local_id(0); k < end; k += TILE_THREADS) bits[k] = bits_outside(inside, k);
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
#endif
