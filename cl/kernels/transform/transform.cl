/* transform.cl: stores elements, each separately. Each of these kernels is one pass:
 *   transform   input in, output out
 *   scatter     WITH_SCATTER: inputs values, indices and, maybe absent, flags; output out
 *   random      WITH_RANDOM: output out, RANDOM_REAL: bits of a fraction, 0 for integers
 * Needs: index_type TILE_THREADS TILE_ITEMS; the operands of the pass. A program has one of the kernels.
 *
 * Bounds: out has room for all elements that are stored; an index outside the capacity is skipped. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)

/* The kernels share one scheme: each work-item takes every TILE_THREADS-th element of a tile. So neighbouring
 * work-items access neighbouring elements. In the serial mapping one work-item goes through its tile. */
#if WITH_SCATTER
MCL_KERNEL(TILE_THREADS) scatter(PARAMS_scatter)
{
    const input_values values = MAKE_values;
    const input_indices indices = MAKE_indices;
    const output_out out = MAKE_out;
    const input_flags flags = MAKE_flags;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const index_type end = values.count - begin < TILE_SIZE ? values.count : begin + TILE_SIZE;
    for (index_type k = begin + (index_type)get_local_id(0); k < end; k += TILE_THREADS) {
        if (HAS_flags && !load_flags(flags, k)) continue;
        /* as unsigned, a negative index is past every capacity */
        const uint64_t index = (uint64_t)(int64_t)load_indices(indices, k);
        if (index < (uint64_t)capacity) store_out(out, (index_type)index, load_values(values, k));
    }
}
#elif WITH_RANDOM
/* Mixes bits by the finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * 2014). */
static inline uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * (uint64_t)0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * (uint64_t)0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/* Returns the high 64 bits of the product. */
static inline uint64_t multiply_high(const uint64_t a, const uint64_t b)
{
    const uint64_t a_low = a & 0xffffffffu, a_high = a >> 32, b_low = b & 0xffffffffu, b_high = b >> 32;
    const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    return a_high * b_high + (middle >> 32) + ((a_low * b_high + (middle & 0xffffffffu)) >> 32);
}

/* The range of the random numbers, as transform.c makes it. Floats: (low + span * unit) * scale. Integers: a span of 0
 * stands for 2^64. */
#if RANDOM_REAL
typedef struct {
    out_type low, span, scale, least, above;
} random_range;

/* Returns a random number of the range. unit takes only as many bits of r as the type's fraction holds, so it stays
 * below 1. Where rounding still reaches range.above, the result is range.least. */
static inline out_type number_in(const random_range range, const uint64_t r)
{
    const out_type unit = (out_type)(r >> (64 - RANDOM_REAL)) / (out_type)((uint64_t)1 << RANDOM_REAL);
    const out_type x = (range.low + range.span * unit) * range.scale;
    return x < range.above ? x : range.least;
}
#else
typedef struct {
    uint64_t low, span;
} random_range;

/* Returns a random integer of the range. A span of more than 32 bits takes 64 more random bits. Without them some
 * numbers would come twice as often as others. */
static inline out_type number_in(const random_range range, const uint64_t r)
{
    uint64_t part = multiply_high(r, range.span);
    if (sizeof(out_type) == sizeof(uint64_t) && range.span >> 32) {
        const uint64_t below = r * range.span;
        part += below + multiply_high(mix(r + (uint64_t)0x9E3779B97F4A7C15), range.span) < below;
    }
    return (out_type)(range.low + (range.span ? part : r));
}
#endif
typedef char random_range_is_as_the_host_thinks[sizeof(random_range) == RANGE_BYTES ? 1 : -1];

/* Stores random numbers. start is the state of the first number, and each next state is gamma more. */
MCL_KERNEL(TILE_THREADS) random(PARAMS_random)
{
    const output_out out = MAKE_out;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const index_type end = (index_type)count - begin < TILE_SIZE ? (index_type)count : begin + TILE_SIZE;
    for (index_type k = begin + (index_type)get_local_id(0); k < end; k += TILE_THREADS)
        store_out(out, k, number_in(range, mix((uint64_t)start + (uint64_t)k * (uint64_t)gamma)));
}
#else
MCL_KERNEL(TILE_THREADS) transform(PARAMS_transform)
{
    const input_in in = MAKE_in;
    const output_out out = MAKE_out;
    const int id = (int)get_local_id(0);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    if (begin >= in.count) return;
    const index_type count = in.count - begin;
    /* Starts all loads before the first store. In the serial mapping a tile has too many elements for that. */
    if ((MCL_IS_GPU & (TILE_THREADS > 1)) && count >= TILE_SIZE) {
        const input_in in_item = shift_in(in, begin + id);
        const output_out out_item = shift_out(out, begin + id);
        out_type kept[TILE_ITEMS];
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) kept[k] = load_in(in_item, k * TILE_THREADS);
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) store_out(out_item, k * TILE_THREADS, kept[k]);
    } else {
        const index_type end = begin + (count < TILE_SIZE ? count : TILE_SIZE);
        for (index_type k = begin + id; k < end; k += TILE_THREADS) store_out(out, k, load_in(in, k));
    }
}
#endif
