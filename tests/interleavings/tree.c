/* tree.c: a tile by the tree of cl/pieces/tree/tree_tile.clh, whose work-items exchange values by shuffles. One group
 * takes every number of elements, with and without elements before them. The operator joins intervals: [p, q) and
 * [q, r) become [p, r). A fold of two intervals that are not neighbours is torn, and so is every fold of it.
 * Parameters: MODEL; TILE_THREADS; TILE_ITEMS, a power of two. */
#include "dialect.h"

typedef int32_t index_type;
#define INDEX_BITS 32
#define FOLD_ROLLED 1

typedef struct {
    int unused;
} env_type;
typedef struct {
    int32_t first, end;
} fold_type;

enum { TORN = -1, TILE = TILE_THREADS * TILE_ITEMS };

static fold_type interval(int32_t first, int32_t end)
{
    return (fold_type){ first, end };
}

/* Folds two intervals. Lanes whose value is not used may fold intervals that are not neighbours. */
static fold_type fold(const env_type env, const fold_type p, const fold_type q)
{
    (void)env;
    return p.first != TORN && q.first != TORN && p.end == q.first ? interval(p.first, q.end) : interval(TORN, TORN);
}

#include "pieces/tree/tree_tile.clh"

static void expect(const fold_type got, int32_t first, int32_t end, const char *sentence)
{
    claim(got.first == first && got.end == end, sentence);
}

/* Scans the first count elements. Element k is [k + 1, k + 2), and all elements before the tile are [0, 1). */
static void scan(int count, int has_before, tree_store *store)
{
    const env_type env = { 0 };
    const int id = get_local_id(0), begin = id * TILE_ITEMS, first = has_before ? 0 : 1;
    fold_type own[TILE_ITEMS], before = fold_nothing();
    for (int j = 0; j < TILE_ITEMS; ++j)
        own[j] = begin + j < count ? interval(begin + j + 1, begin + j + 2) : interval(TORN, TORN);
    if (id == 0) store->ends[0] = has_before ? interval(0, 1) : interval(TORN, TORN);
    if (id == 1 && count == TILE) store->ends[1] = interval(first, TILE + 1);
    tree_tile_scan(env, TILE_ITEMS, count, has_before, own, &before, store);
    group_barrier();
    for (int j = 0; j < TILE_ITEMS && begin + j < count; ++j)
        expect(own[j], first, begin + j + 2, "each prefix is the fold of all elements up to its own");
    if (begin < count && begin + has_before > 0)
        expect(before, first, begin + 1, "each work-item gets the fold of all elements before its own");
    if (count > 0) expect(store->sum, first, count + 1, "the sum is the fold of all elements");
    if (count == TILE) expect(store->whole, 1, TILE + 1, "the fold of a whole tile is told");
    group_barrier();
}

static void fold_tile(tree_store *store)
{
    const env_type env = { 0 };
    const int id = get_local_id(0);
    const fold_type node = tree_tile_node(env, interval(id, id + 1), store);
    if (id == 0) expect(node, 0, TILE_THREADS, "a tile's node is the fold of all its elements");
    group_barrier();
}

static void run(void)
{
    MCL_SHARED(tree_store, store);
    for (int count = 0; count <= TILE; ++count)
        for (int has_before = 0; has_before < 2; ++has_before) scan(count, has_before, store);
    fold_tile(store);
}

const model MODEL = { .name = MODEL_NAME,
                      .claims = "each prefix is right",
                      .groups = 1,
                      .lanes = TILE_THREADS,
                      .sharers = 1,
                      .are_alike = 1,
                      .run = run };
