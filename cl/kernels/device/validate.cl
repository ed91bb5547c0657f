/* validate.cl: finds the first element that breaks a precondition. One pass: first_offender.
 * Needs: index_type TILE_THREADS; input a. A macro or an input that the program has decides what breaks the
 * precondition:
 *   before          a comparator: an element that sorts before its predecessor
 *   offsets, work   inputs: an interval that does not lie in [low, high)
 *   KEY_BYTES       4 or 8, the size of a's elements: a key with the bits of low or high
 *   otherwise       an element outside [low, high]
 *
 * Each group checks one range of neighbouring elements, and each work-item every TILE_THREADS-th of them. A work-item
 * stores the index of the first offender that it finds, or -1, in its own element of found. No work-group memory is
 * shared, so any TILE_THREADS is right, and there are no barriers. Only elements of a below the count are read. */

#if HAS_before
static inline int offends(const env_type env, const operands_type o, const int64_t low, const int64_t high,
                          const index_type k)
{
    (void)low;
    (void)high;
    return k > 0 && before(env, load_a(o.a, k), load_a(o.a, k - 1));
}
#elif HAS_offsets
/* Returns 1 where interval k is not inside [low, high). It starts at a[k]. Its length is offset k + 1, or work.count
 * for the last interval, less offset k. */
static inline int offends(const env_type env, const operands_type o, const int64_t low, const int64_t high,
                          const index_type k)
{
    const int64_t offset = (int64_t)load_offsets(o.offsets, k), start = (int64_t)load_a(o.a, k);
    int64_t next = o.work.count;
    (void)env;
    if (k + 1 < o.offsets.count) next = (int64_t)load_offsets(o.offsets, k + 1);
    if (next > o.work.count) next = o.work.count; /* units past the work are left out */
    return next > offset && (start < low || start > high - (next - offset));
}
#elif KEY_BYTES
static inline int offends(const env_type env, const operands_type o, const int64_t low, const int64_t high,
                          const index_type k)
{
    union {
        a_type element;
        uint32_t bits;
        uint64_t wide_bits;
    } key;
    (void)env;
    key.element = load_a(o.a, k);
    if (KEY_BYTES == 8) return key.wide_bits == (uint64_t)low || key.wide_bits == (uint64_t)high;
    return key.bits == (uint32_t)low || key.bits == (uint32_t)high;
}
#else
static inline int offends(const env_type env, const operands_type o, const int64_t low, const int64_t high,
                          const index_type k)
{
    const int64_t x = (int64_t)load_a(o.a, k);
    (void)env;
    return x < low || x > high;
}
#endif

MCL_KERNEL(TILE_THREADS) first_offender(PARAMS_first_offender)
{
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_first_offender(o);
    const index_type count = HAS_offsets ? o.offsets.count : o.a.count;
    const index_type groups = (index_type)get_num_groups(0);
    const index_type length = count / groups + (count % groups != 0);
    const index_type begin = (index_type)get_group_id(0) * length;
    const index_type end = begin < count ? (count - begin < length ? count : begin + length) : begin;
    int64_t first = -1;
    for (index_type k = begin + (index_type)get_local_id(0); k < end && first < 0; k += TILE_THREADS)
        if (offends(env, o, low, high, k)) first = (int64_t)k;
    ARRAY(int64_t, found)[get_global_id(0)] = first;
}
