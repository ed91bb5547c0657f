/* merge.cl: merges two sorted sequences. Passes: merge_partition, merge_tiles; under the serial mapping merge_tiles
 * alone.
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS; inputs a, b; output out; before. HAS_VALUES: inputs a_values,
 * b_values and output out_values, which follow their keys. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "group/part_range.clh"

#define MERGE_PATH merge_path_input
#define A_RUN input_a
#define B_RUN input_b
#define A_AT(a, i) load_a(a, i)
#define B_AT(b, i) load_b(b, i)
#include "group/merge_path.clh"

/* How many keys of a are among the first diagonal of all. */
static inline index_type merge_split(const env_type env, const input_a a, const input_b b, const index_type diagonal)
{
    return merge_path_input(env, a, b, diagonal, diagonal > b.count ? diagonal - b.count : 0,
                            diagonal < a.count ? diagonal : a.count);
}

/* Pass 1: one work-item a tile boundary finds how many keys of a precede it. */
MCL_KERNEL(PARTITION_THREADS) merge_partition(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split),
                                              index_type splits)
{
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const index_type s = (index_type)get_global_id(0);
    if (s >= splits) return;
    const index_type total = a.count + b.count;
    const index_type diagonal = s < total / TILE_SIZE + 1 ? s * TILE_SIZE : total;
    ARRAY(index_type, split)[s] = merge_split(env, a, b, diagonal);
}

typedef struct {
    input_a a;
    input_b b;
    output_out out;
#if HAS_VALUES
    input_a_values a_values;
    input_b_values b_values;
    output_out_values out_values;
#endif
} merge_operands;

#if TILE_THREADS == 1
#include "serial/merge_serial.clh"
#define SPLIT_PARAM
#else
#include "group/merge_group.clh"
#define SPLIT_PARAM ARRAY_PARAM(index_type, split),

/* A tile of the output: count elements from begin on, a_part of them from a_begin on in a, the rest from b_begin on
 * in b. */
typedef struct {
    index_type begin, a_begin, b_begin;
    int count, a_part;
} merge_tile;

static inline merge_tile find_tile(const index_type total, __global const index_type *split)
{
    const index_type number = (index_type)get_group_id(0);
    merge_tile tile;
    tile.begin = number * TILE_SIZE;
    tile.count = tile_count(tile.begin, total);
    tile.a_begin = split[number];
    tile.b_begin = tile.begin - tile.a_begin;
    /* inputs that are not sorted can give splits that run backwards */
    const index_type length = split[number + 1] - tile.a_begin;
    tile.a_part = length < 0 ? 0 : length < tile.count ? (int)length : tile.count;
    return tile;
}

typedef union {
    key_type keys[MERGE_GROUP_KEYS];
    int source[TILE_THREADS * TILE_ITEMS];
} merge_store;

/* The tile's keys of a, then those of b, to work-group memory. */
static inline void load_keys(const merge_operands o, const merge_tile tile, __local merge_store *store)
{
    const int item = (int)get_local_id(0);
    const input_a a = shift_a(o.a, tile.a_begin + item);
    const input_b b = shift_b(o.b, tile.b_begin - tile.a_part + item);
    if (tile.count == TILE_SIZE) { /* all loads are under way before the first is used */
        key_type keys[TILE_ITEMS];
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k)
            keys[k] = item + k * TILE_THREADS < tile.a_part ? load_a(a, k * TILE_THREADS) : load_b(b, k * TILE_THREADS);
        UNROLL
        for (int k = 0; k < TILE_ITEMS; ++k) store->keys[item + k * TILE_THREADS] = keys[k];
    } else {
        for (int k = 0; item + k < tile.count; k += TILE_THREADS)
            store->keys[item + k] = item + k < tile.a_part ? load_a(a, k) : load_b(b, k);
    }
    group_barrier();
}

#if HAS_VALUES
/* Each value comes from where its key came from. */
static inline void move_values(const merge_operands o, const merge_tile tile, __local const merge_store *store)
{
    const input_a_values a = shift_a_values(o.a_values, tile.a_begin);
    const input_b_values b = shift_b_values(o.b_values, tile.b_begin - tile.a_part);
    for (int k = (int)get_local_id(0); k < tile.count; k += TILE_THREADS) {
        const int source = store->source[k];
        store_out_values(o.out_values, tile.begin + k,
                         source < tile.a_part ? load_a_values(a, source) : load_b_values(b, source));
    }
}
#endif

static inline void merge_tile_parts(const env_type env, const merge_operands o, const merge_tile tile,
                                    __local merge_store *store)
{
    const int item = (int)get_local_id(0);
    key_type keys[TILE_ITEMS];
    int source[TILE_ITEMS];
    load_keys(o, tile, store);
    merge_items(env, store->keys, tile.a_part, tile.count, keys, source);
    group_barrier();
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) store->keys[item * TILE_ITEMS + k] = keys[k];
    group_barrier();
    for (int k = item; k < tile.count; k += TILE_THREADS) store_out(o.out, tile.begin + k, store->keys[k]);
#if HAS_VALUES
    group_barrier();
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) store->source[item * TILE_ITEMS + k] = source[k];
    group_barrier();
    move_values(o, tile, store);
#endif
}
#endif

/* Pass 2: each tile of the output is merged from its parts of a and b. */
MCL_KERNEL(TILE_THREADS) merge_tiles(PARAMS_env PARAMS_a, PARAMS_b, SPLIT_PARAM PARAMS_out
#if HAS_VALUES
                                     , PARAMS_a_values, PARAMS_b_values, PARAMS_out_values
#endif
)
{
#if TILE_THREADS > 1
    MCL_SHARED(merge_store, store);
#endif
    const env_type env = MAKE_env;
    merge_operands operands;
    operands.a = MAKE_a;
    operands.b = MAKE_b;
    operands.out = MAKE_out;
#if HAS_VALUES
    operands.a_values = MAKE_a_values;
    operands.b_values = MAKE_b_values;
    operands.out_values = MAKE_out_values;
#endif
#if TILE_THREADS > 1
    const merge_tile tile = find_tile(operands.a.count + operands.b.count, ARRAY(index_type, split));
    merge_tile_parts(env, operands, tile, store);
#else
    merge_share(env, operands);
#endif
}
