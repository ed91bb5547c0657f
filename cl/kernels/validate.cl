/* validate.cl: finds the first element that breaks a precondition. One pass: first_unsorted, first_out_of_range,
 * first_outside or first_sentinel. Needs: index_type TILE_THREADS; input a; HAS_ORDER: before; HAS_INTERVALS: inputs
 * offsets, work; KEY_BYTES: 4 or 8, a's.
 *
 * A group takes one range of neighbours, its work-items TILE_THREADS apart. Each work-item stores the index of its
 * first offender, or -1, in its own element of found. Nothing is shared: any TILE_THREADS will do, and there are no
 * barriers. found has an element for each work-item; only elements below the count are read. */

/* Part of the sequence of count elements that belongs to this group: [*begin, *end). */
static inline void group_range(const index_type count, index_type *begin, index_type *end)
{
    const index_type groups = (index_type)get_num_groups(0);
    const index_type length = count / groups + (count % groups != 0);
    *begin = (index_type)get_group_id(0) * length;
    *end = *begin < count ? (count - *begin < length ? count : *begin + length) : *begin;
}

#if HAS_ORDER
MCL_KERNEL(TILE_THREADS) first_unsorted(PARAMS_env PARAMS_a, ARRAY_PARAM(int64_t, found))
{
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    __global int64_t *const found = ARRAY(int64_t, found);
    int64_t first = -1;
    index_type begin, end;
    group_range(a.count, &begin, &end);
    for (index_type k = begin + (index_type)get_local_id(0); k < end && first < 0; k += TILE_THREADS)
        if (k > 0 && before(env, load_a(a, k), load_a(a, k - 1))) first = (int64_t)k;
    found[get_global_id(0)] = first;
}
#elif HAS_INTERVALS
/* Interval k starts at a[k]; its length is the next offset, or the end, less its own offset. */
MCL_KERNEL(TILE_THREADS) first_outside(PARAMS_a, PARAMS_offsets, PARAMS_work, int64_t low, int64_t high,
                                       ARRAY_PARAM(int64_t, found))
{
    const input_a a = MAKE_a;
    const input_offsets offsets = MAKE_offsets;
    const input_work work = MAKE_work;
    __global int64_t *const found = ARRAY(int64_t, found);
    int64_t first = -1;
    index_type begin, end;
    group_range(offsets.count, &begin, &end);
    for (index_type k = begin + (index_type)get_local_id(0); k < end && first < 0; k += TILE_THREADS) {
        const int64_t offset = (int64_t)load_offsets(offsets, k);
        int64_t next = work.count;
        if (k + 1 < offsets.count) next = (int64_t)load_offsets(offsets, k + 1);
        if (next > work.count) next = work.count; /* units past the work are left out */
        const int64_t start = (int64_t)load_a(a, k);
        if (next > offset && (start < low || start > high - (next - offset))) first = (int64_t)k;
    }
    found[get_global_id(0)] = first;
}
#elif KEY_BYTES
#if KEY_BYTES == 8
typedef uint64_t key_bits;
#else
typedef uint32_t key_bits;
#endif
/* Finds elements that equal one of two values bit by bit. */
MCL_KERNEL(TILE_THREADS) first_sentinel(PARAMS_a, int64_t empty, int64_t erased, ARRAY_PARAM(int64_t, found))
{
    const input_a a = MAKE_a;
    __global int64_t *const found = ARRAY(int64_t, found);
    int64_t first = -1;
    index_type begin, end;
    group_range(a.count, &begin, &end);
    for (index_type k = begin + (index_type)get_local_id(0); k < end && first < 0; k += TILE_THREADS) {
        union {
            a_type element;
            key_bits bits;
        } key;
        key.element = load_a(a, k);
        if (key.bits == (key_bits)empty || key.bits == (key_bits)erased) first = (int64_t)k;
    }
    found[get_global_id(0)] = first;
}
#else
MCL_KERNEL(TILE_THREADS) first_out_of_range(PARAMS_a, int64_t low, int64_t high, ARRAY_PARAM(int64_t, found))
{
    const input_a a = MAKE_a;
    __global int64_t *const found = ARRAY(int64_t, found);
    int64_t first = -1;
    index_type begin, end;
    group_range(a.count, &begin, &end);
    for (index_type k = begin + (index_type)get_local_id(0); k < end && first < 0; k += TILE_THREADS) {
        const int64_t x = (int64_t)load_a(a, k);
        if (x < low || x > high) first = (int64_t)k;
    }
    found[get_global_id(0)] = first;
}
#endif
