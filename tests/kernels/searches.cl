/* searches.cl: a kernel for each piece that searches: bounds, merge paths, balanced paths, sorted search, load balance;
 * and the merge of two inputs with values. A loop on the host can compute each result. Needs: key_type; inputs a, b,
 * a_values, b_values, offsets, work (its count alone); outputs out, out_values, found (int32_t); before; HAS_VALUES
 * 1. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define A_SEARCH SEARCH_INDEX_MATCH
#define B_SEARCH SEARCH_INDEX_MATCH
#define SEARCH_COUNTS 1
#include "pieces/load_balance_tile.clh"
#include "pieces/merge_tile.clh"
#include "pieces/name_join.clh"

/* ---- bounds ------------------------------------------------------------------------------------------------- */

#define BINARY_SEARCH lower_bound
#define RUN input_a
#define RUN_KEY key_type
#define RUN_BEFORE(env, a, i, key) before(env, load_a(a, i), key)
#include "pieces/binary_search.clh"
#define BINARY_SEARCH upper_bound
#define RUN input_a
#define RUN_KEY key_type
#define RUN_BEFORE(env, a, i, key) !before(env, key, load_a(a, i))
#include "pieces/binary_search.clh"
#define BIASED_SEARCH biased_bound
#define RUN input_a
#define RUN_AT(a, i) load_a(a, i)
#include "pieces/biased_search.clh"

/* For each key of b, finds bounds in a: the lower bound, the upper bound, and the lower bound by 0 to 4 biased cuts. */
MCL_KERNEL(TILE_THREADS) find_bounds(PARAMS_env PARAMS_a, PARAMS_b, PARAMS_found)
{
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const output_found found = MAKE_found;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, b.count);
    for (int place = (int)get_local_id(0); place < count; place += TILE_THREADS) {
        const index_type k = begin + place;
        const key_type key = load_b(b, k);
        store_found(found, k, (int32_t)lower_bound(env, a, 0, a.count, key));
        store_found(found, b.count + k, (int32_t)upper_bound(env, a, 0, a.count, key));
        for (int levels = 0; levels <= 4; ++levels)
            store_found(found, (2 + levels) * b.count + k, (int32_t)biased_bound(env, a, a.count, key, levels));
    }
}

/* ---- paths -------------------------------------------------------------------------------------------------- */

#define MERGE_PATH upper_path
#define MERGE_PATH_UPPER
#define A_RUN input_a
#define B_RUN input_b
#define A_AT(a, i) load_a(a, i)
#define B_AT(b, i) load_b(b, i)
#include "pieces/merge_path.clh"
#define BALANCED_PATH balanced_path
#define PATH_A input_a
#define PATH_B input_b
#define PATH_A_AT(a, i) load_a(a, i)
#define PATH_B_AT(b, i) load_b(b, i)
#include "pieces/balanced_path.clh"

/* Finds for each diagonal of the merge how many keys of a precede it: with a first among equals, with b first, and on
 * the balanced path. The last number is doubled, and 1 is added where the crossing is starred. */
MCL_KERNEL(TILE_THREADS) find_paths(PARAMS_env PARAMS_a, PARAMS_b, PARAMS_found)
{
    const env_type env = MAKE_env;
    const input_a a = MAKE_a;
    const input_b b = MAKE_b;
    const output_found found = MAKE_found;
    const index_type diagonals = a.count + b.count + 1;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, diagonals);
    for (int place = (int)get_local_id(0); place < count; place += TILE_THREADS) {
        const index_type d = begin + place;
        const index_type least = d > b.count ? d - b.count : 0, most = d < a.count ? d : a.count;
        const index_type star = balanced_path(env, a, a.count, b, b.count, d, 4, 0);
        store_found(found, d, (int32_t)merge_split(env, a, b, d));
        store_found(found, diagonals + d, (int32_t)upper_path(env, a, b, d, least, most));
        store_found(found, 2 * diagonals + d, (int32_t)(2 * path_a(star)) + path_star(star));
    }
}

/* ---- merges and sorted searches ----------------------------------------------------------------------------- */

MCL_KERNEL(TILE_THREADS) cut_tiles(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split), index_type splits)
{
    const env_type env = MAKE_env;
    const index_type s = (index_type)get_global_id(0);
    if (s < splits) ARRAY(index_type, split)[s] = merge_crossing(env, MAKE_a, MAKE_b, s);
}

MCL_KERNEL(TILE_THREADS) merge_tiles(PARAMS_env PARAMS_a, PARAMS_b, PARAMS_a_values, PARAMS_b_values,
                                     ARRAY_PARAM(index_type, split), PARAMS_out, PARAMS_out_values)
{
    MCL_SHARED(merge_store, store);
    const env_type env = MAKE_env;
    merge_operands operands;
    operands.a = MAKE_a;
    operands.b = MAKE_b;
    operands.out = MAKE_out;
    operands.a_values = MAKE_a_values;
    operands.b_values = MAKE_b_values;
    operands.out_values = MAKE_out_values;
    const merge_tile tile = merge_tile_find(operands.a.count + operands.b.count, ARRAY(index_type, split),
                                            (index_type)get_group_id(0));
    merge_tile_parts(env, operands, tile, store);
}

typedef struct {
    input_a a;
    input_b b;
    output_found found;
} search_operands;

/* The bound, doubled, plus 1 where there is an equal key. The bounds of a's keys come first, then the bounds of b's
 * keys. */
static inline void put_a(const search_operands o, const index_type k, const index_type place, const int matches)
{
    store_found(o.found, k, (int32_t)(2 * place) + matches);
}

static inline void put_b(const env_type env, const search_operands o, const index_type k, const index_type place,
                         const int matches)
{
    (void)env;
    store_found(o.found, o.a.count + k, (int32_t)(2 * place) + matches);
}
#include "pieces/sorted_search.clh"

MCL_KERNEL(TILE_THREADS) search_tiles(PARAMS_env PARAMS_a, PARAMS_b, ARRAY_PARAM(index_type, split), PARAMS_found,
                                      ARRAY_PARAM(uint, counts))
{
    MCL_SHARED(search_store, store);
    const env_type env = MAKE_env;
    search_operands operands;
    operands.a = MAKE_a;
    operands.b = MAKE_b;
    operands.found = MAKE_found;
    const merge_tile tile = merge_tile_find(operands.a.count + operands.b.count, ARRAY(index_type, split),
                                            (index_type)get_group_id(0));
    const search_count count = search_tile(env, operands, tile, store);
    if (get_local_id(0) == 0) {
        ARRAY(uint, counts)[2 * get_group_id(0)] = count.a;
        ARRAY(uint, counts)[2 * get_group_id(0) + 1] = count.b;
    }
}

/* ---- load balance ------------------------------------------------------------------------------------------- */

MCL_KERNEL(TILE_THREADS) cut_work(PARAMS_env PARAMS_offsets, PARAMS_work, ARRAY_PARAM(index_type, split),
                                  index_type splits)
{
    const input_work work = MAKE_work;
    const index_type s = (index_type)get_global_id(0);
    if (s < splits) ARRAY(index_type, split)[s] = balance_crossing(MAKE_offsets, work.count, s);
}

/* found has first the object of each item, then the rank of each item. */
#if TILE_THREADS == 1
typedef struct {
    input_offsets offsets;
    index_type items;
    output_found found;
} balance_operands;

/* A run that is stored in blocks, as a user's kernel would store it. */
typedef struct {
    output_found out;
    int32_t first, step;
} number_run;
#define RUN store_numbers
#define RUN_OPERANDS number_run
#define RUN_OUT found
#define RUN_LOAD(o, k) ((o).first + (o).step * (int32_t)(k))
#include "pieces/run_serial.clh"

static inline void balance_run(const balance_operands o, const index_type object, const index_type offset,
                               const index_type begin, const index_type end, const index_type item_end)
{
    number_run objects = {o.found, (int32_t)object, 0}, ranks = {o.found, (int32_t)(begin - offset), 1};
    objects.out = shift_found(o.found, begin);
    ranks.out = shift_found(o.found, o.items + begin);
    store_numbers(objects, end - begin, item_end - begin);
    store_numbers(ranks, end - begin, item_end - begin);
}
#include "pieces/load_balance_serial.clh"
#else
#include "pieces/load_balance_group.clh"
#endif

MCL_KERNEL(TILE_THREADS) balance_tiles(PARAMS_env PARAMS_offsets, PARAMS_work, ARRAY_PARAM(index_type, split),
                                       PARAMS_found)
{
#if TILE_THREADS > 1
    MCL_SHARED(balance_store, store);
#endif
    const input_offsets offsets = MAKE_offsets;
    const input_work work = MAKE_work;
    const output_found found = MAKE_found;
    const balance_tile tile = balance_tile_find(offsets, work.count, ARRAY(index_type, split));
#if TILE_THREADS == 1
    balance_operands operands;
    operands.offsets = offsets;
    operands.items = work.count;
    operands.found = found;
    balance_objects(operands, tile);
#else
    balance_group(offsets, work.count, tile, store);
    for (int k = 0; k < TILE_ITEMS; ++k) {
        const balance_place at = balance_at(tile, offsets.count, store, k * TILE_THREADS + (int)get_local_id(0), 0);
        if (!at.is_item || offsets.count == 0) continue;
        store_found(found, at.item, (int32_t)at.object);
        store_found(found, work.count + at.item, (int32_t)(at.item - load_offsets(offsets, at.object)));
    }
#endif
}
