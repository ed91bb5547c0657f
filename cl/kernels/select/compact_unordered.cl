/* compact_unordered.cl: stores the elements of a sequence that pass a test next to each other, in any order. Passes:
 * compact_clear, compact_append for each part of the sequence, compact_total.
 * Needs: index_type TILE_THREADS TILE_ITEMS; APPEND_WAY, APPEND_WIDTH (append_group.clh); input in, which is tested;
 * output out, with room for limit elements; output counts. COMPACT_TEST: TEST_KEEP or TEST_FLAG. HAS_DATA: input data,
 * which is moved instead of in.
 *
 * Bounds, whatever the test says: an element is stored only to an index below limit. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "facts/compact.h"
#include "pieces/tile/part_range.clh"

#if HAS_DATA
#define PARAMS_moved PARAMS_data,
typedef data_type moved_type;
#else
#define PARAMS_moved
typedef in_type moved_type;
#endif

typedef struct {
    input_in in;
#if HAS_DATA
    input_data data;
#endif
    output_out out;
    index_type limit;
} compact_operands;

static inline int is_kept(const env_type env, const in_type x, const index_type k)
{
#if COMPACT_TEST == TEST_FLAG
    (void)env;
    (void)k;
    return x != 0;
#else
    return keep(env, x, k);
#endif
}

static inline moved_type moved_at(const compact_operands o, const index_type k)
{
#if HAS_DATA
    return load_data(o.data, k);
#else
    return load_in(o.in, k);
#endif
}

#include "pieces/tile/append_group.clh"

#if TILE_THREADS == 1
/* Moves the kept elements of the tile. It counts them first, takes their indices at once, and reads them again from the
 * cache. With APPEND_GLOBAL_ATOMIC it takes an index for each element instead. */
static inline void append_tile(const env_type env, const compact_operands o, const index_type begin, const int count,
                               const index_type base, __global uint *cursor, __local append_store *store)
{
    uint index = 0;
    (void)store;
#if APPEND_WAY != APPEND_GLOBAL_ATOMIC
    for (index_type k = begin; k < begin + count; ++k) index += (uint)is_kept(env, load_in(o.in, k), k);
    if (index > 0) index = atomic_add_global(cursor, index);
#endif
    for (index_type k = begin; k < begin + count; ++k) {
        if (!is_kept(env, load_in(o.in, k), k)) continue;
#if APPEND_WAY == APPEND_GLOBAL_ATOMIC
        index = atomic_add_global(cursor, 1);
#endif
        const index_type to = base + (index_type)index++;
        if (to < o.limit) store_out(o.out, to, moved_at(o, k));
    }
}
#else
static inline void append_tile(const env_type env, const compact_operands o, const index_type begin, const int count,
                               const index_type base, __global uint *cursor, __local append_store *store)
{
    const int first = tile_first((int)get_local_id(0));
    in_type x[TILE_ITEMS];
    uint indices[TILE_ITEMS];
    uint chosen = 0;
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        if (first + j * TILE_STEP >= count) continue;
        x[j] = load_in(o.in, begin + first + j * TILE_STEP);
    }
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        if (first + j * TILE_STEP >= count) continue;
        chosen |= (uint)is_kept(env, x[j], begin + first + j * TILE_STEP) << j;
    }
    append_indices(chosen, cursor, store, indices);
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        const index_type to = base + (index_type)indices[j];
        if ((chosen >> j & 1u) == 0 || to >= o.limit) continue;
#if HAS_DATA
        store_out(o.out, to, load_data(o.data, begin + first + j * TILE_STEP));
#else
        store_out(o.out, to, x[j]);
#endif
    }
}
#endif

/* Pass 1: one group sets the cursors to 0. */
MCL_KERNEL(TILE_THREADS) compact_clear(ARRAY_PARAM(uint, cursors), int count)
{
    __global uint *const cursors = ARRAY(uint, cursors);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) cursors[k] = 0;
}

/* Pass 2 for each part of the sequence: moves the part's kept elements. The part is the size elements from begin on.
 * cursors[k] is the count of part k, and this part is part turn. */
MCL_KERNEL(TILE_THREADS) compact_append(PARAMS_env PARAMS_in, PARAMS_moved PARAMS_out, index_type limit,
                                        index_type begin, index_type size, ARRAY_PARAM(uint, cursors), int turn)
{
    MCL_SHARED(append_store, store);
    const env_type env = MAKE_env;
    __global uint *const cursors = ARRAY(uint, cursors);
    compact_operands o;
    o.in = MAKE_in;
#if HAS_DATA
    o.data = MAKE_data;
#endif
    o.out = MAKE_out;
    o.limit = limit;
    index_type base = 0;
    for (int k = 0; k < turn; ++k) base += (index_type)cursors[k];
    const index_type tile = (index_type)get_group_id(0) * TILE_SIZE;
    append_tile(env, o, begin + tile, tile_count(tile, block_count(o.in.count, begin, size)), base, cursors + turn,
                store);
}

/* Pass 3: one group stores the sum of the parts' counts. */
MCL_KERNEL(TILE_THREADS) compact_total(ARRAY_PARAM(uint, cursors), int count, PARAMS_counts)
{
    __global const uint *const cursors = ARRAY(uint, cursors);
    const output_counts counts = MAKE_counts;
    int64_t total = 0;
    if (get_local_id(0) == 0) {
        for (int k = 0; k < count; ++k) total += (int64_t)cursors[k];
        store_counts(counts, 0, total);
    }
}
