/* bounds.cl: counts the keys before a bound, and keeps those between it and another, in their order. Bounds are samples
 * of the whole. A key comes before a bound in the order of the whole: by key, then by position. Passes: bounds_keep,
 * bounds_move. Needs: TILE_THREADS; inputs keys, samples, positions, stretches, counts and offsets; before; outputs
 * kept, befores and betweens.
 *
 * Each group has a stretch of the keys. A sub-group has a part of the stretch, or a work-item where there are no votes.
 * It stores what it keeps to a part of its own, so no group waits for another. The parts are moved together afterwards.
 *
 * Bounds, whatever before says: a key is stored only to an index below the part's room, and below its count later. */
#include "pieces/sub_group_lanes.clh"

#if SUB_GROUP_LANES
#define LANES SUB_GROUP_LANES
#define LANE ((int)get_local_id(0) % LANES)
#define VOTES(flag) sub_group_vote(flag)
#else
#define LANES 1
#define LANE 0
#define VOTES(flag) ((uint)(flag))
#endif
#define PARTS (TILE_THREADS / LANES)

/* Loads of a work-item that overlap; large keys would fill its registers. */
enum { KEYS = sizeof(keys_type) <= 4 ? 8 : sizeof(keys_type) <= 16 ? 4 : 1 };

typedef struct {
    keys_type key;
    index_type place; /* keys of this rank in front of it: equal ones come before it only there */
    int is_given;     /* 0: there is no such sample */
} bound;

typedef struct {
    input_keys keys;
    index_type begin, end; /* keys of the part */
    index_type to, room;   /* indices where it stores, and their number */
    bound low, high;
} part;

typedef struct {
    index_type before;  /* keys before the low bound that this work-item has seen */
    index_type between; /* keys between the bounds in the whole part */
} part_counts;

static inline bound load_bound(const input_samples samples, const input_positions positions, const int64_t sample,
                               const int64_t first, const index_type count)
{
    bound b;
    int64_t place = 0;
    b.is_given = sample >= 0 && sample < (int64_t)samples.count;
    b.key = load_samples(samples, b.is_given ? (index_type)sample : 0);
    if (b.is_given) place = load_positions(positions, (index_type)sample) - first;
    b.place = place < 0 ? 0 : place > (int64_t)count ? count : (index_type)place;
    return b;
}

static inline part load_part(const input_keys keys, const input_samples samples, const input_positions positions,
                             const int64_t first, const int64_t low, const int64_t high, const index_type stretch,
                             const index_type room)
{
    part p;
    const index_type size = (stretch + PARTS - 1) / PARTS, group = (index_type)get_group_id(0) * stretch;
    const index_type end = keys.count - group < stretch ? keys.count : group + stretch;
    const index_type number = (index_type)((int)get_local_id(0) / LANES), before = number * size;
    p.keys = keys;
    p.begin = end - group < before ? end : group + before;
    p.end = end - p.begin < size ? end : p.begin + size;
    p.room = room / PARTS;
    p.to = (index_type)get_group_id(0) * room + number * p.room;
    p.low = load_bound(samples, positions, low, first, keys.count);
    p.high = load_bound(samples, positions, high, first, keys.count);
    return p;
}

/* Returns whether a key comes before a bound. ties: whether one that equals it does. */
static inline int comes_before(const env_type env, const keys_type key, const bound b, const int ties)
{
    return before(env, key, b.key) || (ties && !before(env, b.key, key));
}

/* Counts KEYS keys of each lane, or count keys in all, from index k on. No place of a bound lies among them. Stores
 * those between the bounds from index to on, while there is room. */
static INLINED void keep_step(const env_type env, const part p, const output_kept kept, const index_type to,
                              const index_type room, const index_type k, const int count, part_counts *counts)
{
    const int low_ties = k < p.low.place, high_ties = k < p.high.place;
    keys_type key[KEYS];
    UNROLL
    for (int j = 0; j < KEYS; ++j) {
        if (j * LANES + LANE < count) key[j] = load_keys(p.keys, k + j * LANES + LANE);
    }
    UNROLL
    for (int j = 0; j < KEYS; ++j) {
        int is_before = 0, is_between = 0;
        if (j * LANES + LANE < count) {
            is_before = p.low.is_given && comes_before(env, key[j], p.low, low_ties);
            is_between = !is_before && (!p.high.is_given || comes_before(env, key[j], p.high, high_ties));
        }
        const uint votes = VOTES(is_between);
        counts->before += is_before;
        if (votes == 0) continue; /* the same in all lanes */
        const index_type rank = counts->between + (index_type)popcount(votes & ((1u << LANE) - 1));
        if (is_between && rank < room) store_kept(kept, to + rank, key[j]);
        counts->between += (index_type)popcount(votes);
    }
}

/* Counts the part's keys, and stores the first room of those between the bounds from index to on. */
static INLINED part_counts keep_between(const env_type env, const part p, const output_kept kept, const index_type to,
                                        const index_type room)
{
    part_counts counts = {0, 0};
    index_type k = p.begin;
    ROLLED
    while (k < p.end) {
        index_type end = p.end;
        if (k < p.low.place && p.low.place < end) end = p.low.place;
        if (k < p.high.place && p.high.place < end) end = p.high.place;
        ROLLED
        for (; end - k >= KEYS * LANES; k += KEYS * LANES) keep_step(env, p, kept, to, room, k, KEYS * LANES, &counts);
        if (k < end) keep_step(env, p, kept, to, room, k, (int)(end - k), &counts);
        k = end;
    }
    return counts;
}

/* Pass 1: counts, and keeps what has room. stretch and room are those of a group. The first work-item of a part stores
 * the part's count of keys between the bounds, the others 0. */
MCL_KERNEL(TILE_THREADS) bounds_keep(PARAMS_env PARAMS_keys, PARAMS_samples, PARAMS_positions, PARAMS_kept,
                                     PARAMS_befores, PARAMS_betweens, int64_t first, int64_t low, int64_t high,
                                     index_type stretch, index_type room)
{
    const env_type env = MAKE_env;
    const part p = load_part(MAKE_keys, MAKE_samples, MAKE_positions, first, low, high, stretch, room);
    const output_befores befores = MAKE_befores;
    const output_betweens betweens = MAKE_betweens;
    const index_type id = (index_type)get_group_id(0) * TILE_THREADS + (index_type)get_local_id(0);
    const part_counts counts = keep_between(env, p, MAKE_kept, p.to, p.room);
    store_befores(befores, id, (int64_t)counts.before);
    store_betweens(betweens, id, LANE == 0 ? (int64_t)counts.between : 0);
}

/* Pass 2: moves together what was kept. offsets are the sums of the counts up to each work-item, with its own. Where a
 * part had not enough room, its keys are read again. Few are, so they may have all registers. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS) bounds_move(PARAMS_env PARAMS_keys, PARAMS_samples, PARAMS_positions,
                                                PARAMS_stretches, PARAMS_counts, PARAMS_offsets, PARAMS_kept,
                                                int64_t first, int64_t low, int64_t high, index_type stretch,
                                                index_type room)
{
    const env_type env = MAKE_env;
    const part p = load_part(MAKE_keys, MAKE_samples, MAKE_positions, first, low, high, stretch, room);
    const output_kept kept = MAKE_kept;
    const index_type first_id = (index_type)get_group_id(0) * TILE_THREADS + ((index_type)get_local_id(0) - LANE);
    const index_type count = (index_type)load_counts(MAKE_counts, first_id);
    const index_type to = (index_type)load_offsets(MAKE_offsets, first_id) - count;
    if (count > p.room) {
        keep_between(env, p, kept, to, count);
    } else {
        const input_stretches stretches = MAKE_stretches;
        ROLLED
        for (index_type k = LANE; k < count; k += LANES) store_kept(kept, to + k, load_stretches(stretches, p.to + k));
    }
}
