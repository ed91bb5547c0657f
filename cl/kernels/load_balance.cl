/* load_balance.cl: which object each work unit belongs to, and its rank there. Passes: balance_partition,
 * balance_tiles; under the serial mapping balance_tiles alone. Needs: index_type TILE_THREADS TILE_ITEMS; inputs
 * offsets, work (its count alone). HAS_OBJECTS: output objects; HAS_RANKS: output ranks; HAS_VALUES: balanced input
 * value, whose element for every item goes to output out.
 *
 * Bounds: items and objects are some of those there are (load_balance_tile.clh), and outputs are as long as the work. A
 * rank is an item less its object's offset: a negative number for offsets that fall, or that do not begin with 0. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/load_balance_tile.clh"
#include "pieces/name_join.clh"

/* Pass 1: one work-item a tile boundary finds how many objects precede it. */
MCL_KERNEL(PARTITION_THREADS) balance_partition(PARAMS_offsets, PARAMS_work, ARRAY_PARAM(index_type, split),
                                                index_type splits)
{
    const input_offsets offsets = MAKE_offsets;
    const input_work work = MAKE_work;
    const index_type s = (index_type)get_global_id(0);
    if (s < splits) ARRAY(index_type, split)[s] = balance_crossing(offsets, work.count, s);
}

typedef struct {
    input_offsets offsets;
    index_type items;
#if HAS_OBJECTS
    output_objects objects;
#endif
#if HAS_RANKS
    output_ranks ranks;
#endif
#if HAS_VALUES
    input_value value;
    output_out out;
#endif
} balance_operands;

#if TILE_THREADS == 1
#if HAS_OBJECTS
typedef struct {
    output_objects out;
    objects_type object;
} object_run;
#define RUN store_object_run
#define RUN_OPERANDS object_run
#define RUN_OUT objects
#define RUN_LOAD(o, k) (o).object
#define RUN_VECTOR(o, k) (objects_vector)((o).object)
#include "pieces/run_serial.clh"
#endif
#if HAS_RANKS
typedef struct {
    output_ranks out;
    index_type first;
} rank_run;
#define RUN store_rank_run
#define RUN_OPERANDS rank_run
#define RUN_OUT ranks
#define RUN_LOAD(o, k) (ranks_type)((o).first + (k))
#define RUN_VECTOR(o, k) ((ranks_vector)(RUN_LOAD(o, k)) + (ranks_vector)(0, 1, 2, 3, 4, 5, 6, 7))
#include "pieces/run_serial.clh"
#endif

static inline void balance_run(const balance_operands o, const index_type object, const index_type offset,
                               const index_type begin, const index_type end, const index_type item_end)
{
#if HAS_OBJECTS
    object_run objects;
    objects.out = shift_objects(o.objects, begin);
    objects.object = (objects_type)object;
    store_object_run(objects, end - begin, item_end - begin);
#endif
#if HAS_RANKS
    rank_run ranks;
    ranks.out = shift_ranks(o.ranks, begin);
    ranks.first = begin - offset;
    store_rank_run(ranks, end - begin, item_end - begin);
#endif
#if HAS_VALUES
    for (index_type k = begin; k < end; ++k) store_out(o.out, k, (out_type)load_value(o.value, k, object, k - offset));
#endif
}
#include "pieces/load_balance_serial.clh"
typedef struct {
    int unused;
} balance_store;

static inline void balance_items(const balance_operands o, const balance_tile tile, __local balance_store *store)
{
    (void)store;
    balance_objects(o, tile);
}
#else
#include "pieces/load_balance_group.clh"

static inline void balance_places(const balance_operands o, const balance_tile tile,
                                  __local const balance_store *store, const int is_regular)
{
    const int first = (int)get_local_id(0);
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) {
        const balance_place at = balance_at(tile, o.offsets.count, store, k * TILE_THREADS + first, is_regular);
        if (!at.is_item) continue;
#if HAS_RANKS || HAS_VALUES
        const index_type rank = at.item - balance_offset(o.offsets, at.object, o.items);
#endif
#if HAS_OBJECTS
        store_objects(o.objects, at.item, (objects_type)at.object);
#endif
#if HAS_RANKS
        store_ranks(o.ranks, at.item, (ranks_type)rank);
#endif
#if HAS_VALUES
        store_out(o.out, at.item, (out_type)load_value(o.value, at.item, at.object, rank));
#endif
    }
}

static inline void balance_items(const balance_operands o, const balance_tile tile, __local balance_store *store)
{
    balance_group(o.offsets, o.items, tile, store);
    if (o.offsets.count == 0) return;
    if (balance_is_regular(tile, store)) balance_places(o, tile, store, 1);
    else balance_places(o, tile, store, 0);
}
#endif

/* Pass 2: each group finds the objects of one tile's items. */
MCL_KERNEL(TILE_THREADS) balance_tiles(PARAMS_offsets, PARAMS_work, ARRAY_PARAM(index_type, split)
#if HAS_OBJECTS
                                       , PARAMS_objects
#endif
#if HAS_RANKS
                                       , PARAMS_ranks
#endif
#if HAS_VALUES
                                       , PARAMS_value, PARAMS_out
#endif
)
{
    MCL_SHARED(balance_store, store);
    balance_operands operands;
    operands.offsets = MAKE_offsets;
    const input_work work = MAKE_work;
    operands.items = work.count;
#if HAS_OBJECTS
    operands.objects = MAKE_objects;
#endif
#if HAS_RANKS
    operands.ranks = MAKE_ranks;
#endif
#if HAS_VALUES
    operands.value = MAKE_value;
    operands.out = MAKE_out;
#endif
    const balance_tile tile = balance_tile_find(operands.offsets, operands.items, ARRAY(index_type, split));
    balance_items(operands, tile, store);
}
