/* new_name.cl: adds to each element the element before it; the first stays as it is. One pass.
 * Needs: index_type TILE_THREADS TILE_ITEMS, input in, output out. */
#define TILE_SIZE (TILE_THREADS * TILE_ITEMS)

/* Returns the result of an element x and the element before it. */
static inline out_type new_name_of(const in_type earlier, const in_type x)
{
    return (out_type)(earlier + x);
}

/* The function for a tile has two bodies. It does elements [begin, begin + count) of in and out. count is 0 to
 * TILE_SIZE. */
#if TILE_THREADS == 1
typedef int tile_shared; /* nothing is shared */

static inline void new_name_tile(
    const input_in in, const output_out out, const index_type begin, const int count, __local tile_shared *const shared)
{
    (void)shared;
    if (count == 0) return;
    in_type earlier = load_in(in, begin);
    store_out(out, begin, begin == 0 ? earlier : new_name_of(load_in(in, begin - 1), earlier));
    for (int k = 1; k < count; ++k) {
        const in_type x = load_in(in, begin + k);
        store_out(out, begin + k, new_name_of(earlier, x));
        earlier = x;
    }
}
#else
typedef struct tile_shared {
    in_type x[TILE_SIZE + 1]; /* the element before the tile, then the tile's elements */
} tile_shared;

static inline void new_name_tile(
    const input_in in, const output_out out, const index_type begin, const int count, __local tile_shared *const shared)
{
    const int id = (int)get_local_id(0);
    /* the elements of a work-item are TILE_THREADS apart, so that neighbours are read and written together */
    for (int k = id; k < count; k += TILE_THREADS) shared->x[k + 1] = load_in(in, begin + k);
    if (id == 0 && begin > 0 && count > 0) shared->x[0] = load_in(in, begin - 1);
    group_barrier(); /* every work-item reaches it, also where count is 0 */
    for (int k = id; k < count; k += TILE_THREADS) {
        const in_type x = shared->x[k + 1];
        store_out(out, begin + k, begin + k == 0 ? x : new_name_of(shared->x[k], x));
    }
}
#endif

MCL_KERNEL(TILE_THREADS) new_name(PARAMS_new_name)
{
    MCL_SHARED(tile_shared, shared);
    operands_type o;
    TAKE_new_name(o);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const index_type rest = o.in.count > begin ? o.in.count - begin : 0; /* the count may come from the device */
    new_name_tile(o.in, o.out, begin, (int)(rest < TILE_SIZE ? rest : TILE_SIZE), shared);
}
