/* bfs.cl: breadth-first search over a graph in compressed rows. Passes: bfs_clear, bfs_start, bfs_level.
 * Needs: index_type TILE_THREADS TILE_ITEMS; inputs rows (first edge of each vertex, and one more), columns (where an
 * edge leads) and offsets; fold, the sum of uint64_t; FRONTIERS, how many counts there are; GROUPS, how many groups a
 * compute unit is to hold.
 *
 * A frontier is a list of vertices that have edges. Of vertex k of it, offsets[k] is the number of edges of those in
 * front of it, and offsets[k] + shifts[k] its first edge in columns. split has what load_balance_tile.clh looks for:
 * how many vertices precede each tile. All three are written when the frontier is, so that nothing has to be searched
 * for in global memory. How many vertices and edges a frontier has is one word: places are given out by one atomic to
 * both, so that offsets grow along the list whatever the order of the groups. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/load_balance_tile.clh"
#undef KERNEL_GROUPS
#define KERNEL_GROUPS GROUPS

#define UNSEEN 0xffffffffu
#define COUNT_OF(word) ((index_type)((word) >> 32))
#define EDGES_OF(word) ((index_type)((word) & 0xffffffffu))
#define ONE_VERTEX ((uint64_t)1 << 32)

typedef struct {
    __global index_type *offsets, *shifts, *split;
} frontier;

typedef struct {
    input_rows rows;
    input_columns columns;
    input_offsets offsets;
    index_type items; /* edges of the frontier */
    __global const index_type *shifts, *split;
    frontier next;
    __global uint *levels;
    __global uint64_t *next_count;
    uint level; /* of the vertices that are found */
} bfs_state;

/* Reserves room for a number of vertices and edges. Devices without 64-bit atomics run one group. */
static inline uint64_t take_places(__global uint64_t *count, const uint64_t amount)
{
#if MCL_WORD_PATH
    return atomic_add_global_64((__global ulong *)count, amount);
#else
    const uint64_t before = *count;
    *count = before + amount;
    return before;
#endif
}

/* Vertex number index of the frontier, with edges from offset on. Of the tiles it knows the cuts after itself. */
static inline void put_vertex(const frontier to, const index_type index, const index_type offset,
                              const index_type first_edge, const index_type edges)
{
    to.offsets[index] = offset;
    to.shifts[index] = first_edge - offset;
    const index_type place = index + offset, next = place + 1 + edges;
    for (index_type s = place / TILE_SIZE + 1; s <= next / TILE_SIZE; ++s) to.split[s] = index + 1;
}

/* 1: this work-item is the one that found the vertex. */
static inline int claim(const bfs_state s, const index_type vertex)
{
    return atomic_compare_exchange_global(&s.levels[vertex], UNSEEN, s.level) == UNSEEN;
}

static inline balance_tile find_tile(const bfs_state s, const index_type number, const index_type tiles)
{
    balance_tile tile;
    tile.count = tile_count(number * TILE_SIZE, s.items + s.offsets.count);
    tile.object_begin = s.split[number];
    tile.item_begin = number * TILE_SIZE - tile.object_begin;
    tile.object_count = (int)((number + 1 < tiles ? s.split[number + 1] : s.offsets.count) - tile.object_begin);
    return tile;
}

/* ---- a tile -------------------------------------------------------------------------------------------------- */

#if TILE_THREADS == 1
enum { PENDING = 128 };

/* Vertices that have been found and have no place yet. */
typedef struct {
    int count;
    uint64_t sum; /* of vertices and edges */
    index_type first_edge[PENDING], edges[PENDING];
} bfs_store;

typedef struct {
    input_offsets offsets;
    index_type items;
    bfs_state state;
    bfs_store *pending;
} balance_operands;

static inline void put_pending(const bfs_state s, bfs_store *pending)
{
    if (pending->count == 0) return;
    const uint64_t place = take_places(s.next_count, pending->sum);
    index_type offset = EDGES_OF(place);
    for (int k = 0; k < pending->count; ++k) {
        put_vertex(s.next, COUNT_OF(place) + k, offset, pending->first_edge[k], pending->edges[k]);
        offset += pending->edges[k];
    }
    pending->count = 0;
    pending->sum = 0;
}

static inline void balance_run(const balance_operands o, const index_type object, const index_type offset,
                               const index_type begin, const index_type end, const index_type item_end)
{
    const index_type shift = o.state.shifts[object];
    (void)offset;
    (void)item_end;
    for (index_type item = begin; item < end; ++item) {
        const index_type vertex = load_columns(o.state.columns, item + shift);
        if (o.state.levels[vertex] != UNSEEN || !claim(o.state, vertex)) continue;
        const index_type first = load_rows(o.state.rows, vertex);
        const index_type edges = load_rows(o.state.rows, vertex + 1) - first;
        if (edges == 0) continue;
        const int k = o.pending->count++;
        o.pending->first_edge[k] = first;
        o.pending->edges[k] = edges;
        o.pending->sum += ONE_VERTEX + (uint64_t)edges;
        if (k + 1 == PENDING) put_pending(o.state, o.pending);
    }
}
#include "pieces/load_balance_serial.clh"

static inline void expand_tile(const env_type env, const bfs_state s, const balance_tile tile, bfs_store *store)
{
    balance_operands o;
    o.offsets = s.offsets;
    o.items = s.items;
    o.state = s;
    o.pending = store;
    store->count = 0;
    store->sum = 0;
    balance_objects(o, tile);
    put_pending(s, store);
    (void)env;
}
#else
#include "pieces/load_balance_group.clh"
#include "pieces/scan_group.clh"

typedef struct {
    balance_store balance;
    fold_type sums[SCAN_GROUP_SHARED];
    fold_type place;
} bfs_store;

/* The vertices that the work-item's edges lead to; -1: none. Loads depend on no condition, so that all are under way
 * before the first is used: what is loaded for no edge is there and not looked at. */
static INLINED void look_up_edges(const bfs_state s, const balance_tile tile, index_type *vertex,
                                  __local const bfs_store *store)
{
    index_type item[TILE_ITEMS], shift[TILE_ITEMS];
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) {
        const balance_place at =
            balance_at(tile, s.offsets.count, &store->balance, k * TILE_THREADS + (int)get_local_id(0), 0);
        item[k] = at.is_item ? at.item : -1;
        shift[k] = s.shifts[at.object];
    }
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) vertex[k] = load_columns(s.columns, item[k] < 0 ? 0 : item[k] + shift[k]);
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k)
        if (item[k] < 0) vertex[k] = -1;
}

/* Of those that nobody has found before, the edges; 0 of all others. Most are known, and a plain load says so; what it
 * says of the others may be out of date. */
static INLINED void claim_vertices(const bfs_state s, const index_type *vertex, index_type *first_edge,
                                   index_type *edges)
{
    uint level[TILE_ITEMS];
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) level[k] = s.levels[vertex[k] < 0 ? 0 : vertex[k]];
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) {
        const int is_new = vertex[k] >= 0 && level[k] == UNSEEN && claim(s, vertex[k]);
        first_edge[k] = edges[k] = 0;
        if (!is_new) continue;
        first_edge[k] = load_rows(s.rows, vertex[k]);
        edges[k] = load_rows(s.rows, vertex[k] + 1) - first_edge[k];
    }
}

static inline void expand_tile(const env_type env, const bfs_state s, const balance_tile tile, __local bfs_store *store)
{
    index_type vertex[TILE_ITEMS], first_edge[TILE_ITEMS], edges[TILE_ITEMS];
    fold_type sum = 0, total;
    balance_group(s.offsets, s.items, tile, &store->balance);
    look_up_edges(s, tile, vertex, store);
    claim_vertices(s, vertex, first_edge, edges);
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k)
        if (edges[k] > 0) sum += ONE_VERTEX + (uint64_t)edges[k];
    const fold_type before = scan_group(env, sum, TILE_THREADS, &total, store->sums);
    if (get_local_id(0) == 0 && total > 0) store->place = take_places(s.next_count, total);
    group_barrier_global();
    fold_type place = store->place + (get_local_id(0) > 0 ? before : 0);
    UNROLL
    for (int k = 0; k < TILE_ITEMS; ++k) {
        if (edges[k] == 0) continue;
        put_vertex(s.next, COUNT_OF(place), EDGES_OF(place), first_edge[k], edges[k]);
        place += ONE_VERTEX + (uint64_t)edges[k];
    }
}
#endif

/* ---- passes -------------------------------------------------------------------------------------------------- */

MCL_KERNEL(TILE_THREADS) bfs_clear(ARRAY_PARAM(uint, levels), index_type vertices)
{
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, vertices);
    __global uint *const levels = ARRAY(uint, levels) + begin;
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) levels[k] = UNSEEN;
}

/* The first frontier, of the source alone; the second has its first cut from here too. */
MCL_KERNEL(1) bfs_start(PARAMS_rows, ARRAY_PARAM(index_type, offsets), ARRAY_PARAM(index_type, shifts),
                        ARRAY_PARAM(index_type, split), ARRAY_PARAM(index_type, next_split), ARRAY_PARAM(uint, levels),
                        ARRAY_PARAM(uint64_t, counts), index_type source)
{
    const input_rows rows = MAKE_rows;
    const index_type first = load_rows(rows, source), edges = load_rows(rows, source + 1) - first;
    frontier to;
    to.offsets = ARRAY(index_type, offsets);
    to.shifts = ARRAY(index_type, shifts);
    to.split = ARRAY(index_type, split);
    to.split[0] = 0;
    ARRAY(index_type, next_split)[0] = 0;
    ARRAY(uint, levels)[source] = 0;
    for (int k = 0; k < FRONTIERS; ++k) ARRAY(uint64_t, counts)[k] = 0;
    if (edges > 0) {
        put_vertex(to, 0, 0, first, edges);
        ARRAY(uint64_t, counts)[0] = ONE_VERTEX + (uint64_t)edges;
    }
}

/* One level: goes along the edges of a frontier and makes the next one. */
MCL_KERNEL(TILE_THREADS) bfs_level(PARAMS_env PARAMS_rows, PARAMS_columns, PARAMS_offsets,
                                   ARRAY_PARAM(index_type, shifts), ARRAY_PARAM(index_type, split),
                                   ARRAY_PARAM(index_type, next_offsets), ARRAY_PARAM(index_type, next_shifts),
                                   ARRAY_PARAM(index_type, next_split), ARRAY_PARAM(uint, levels),
                                   ARRAY_PARAM(uint64_t, counts), int32_t level)
{
#if TILE_THREADS > 1
    MCL_SHARED(bfs_store, store);
#else
    bfs_store storage;
    bfs_store *const store = &storage;
#endif
    const env_type env = MAKE_env;
    __global uint64_t *const counts = ARRAY(uint64_t, counts);
    const uint64_t count = counts[level % FRONTIERS];
    bfs_state s;
    s.rows = MAKE_rows;
    s.columns = MAKE_columns;
    s.offsets = MAKE_offsets;
    s.offsets.count = COUNT_OF(count);
    s.items = EDGES_OF(count);
    s.shifts = ARRAY(index_type, shifts);
    s.split = ARRAY(index_type, split);
    s.next.offsets = ARRAY(index_type, next_offsets);
    s.next.shifts = ARRAY(index_type, next_shifts);
    s.next.split = ARRAY(index_type, next_split);
    s.levels = ARRAY(uint, levels);
    s.next_count = &counts[(level + 1) % FRONTIERS];
    s.level = (uint)level + 1u;
    if (get_global_id(0) == 0) counts[(level + 2) % FRONTIERS] = 0; /* the next level's */
    const index_type tiles = tile_number(s.items + s.offsets.count);
    for (index_type t = (index_type)get_group_id(0); t < tiles; t += (index_type)get_num_groups(0)) {
        const balance_tile tile = find_tile(s, t, tiles);
        expand_tile(env, s, tile, store);
        group_barrier();
    }
}
