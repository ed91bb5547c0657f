/* bucket_finish.cl: sorts the buckets that bucket_sort.cl has made of keys.
 *   bucket_finish   each group sorts buckets in its memory, at most BUCKET_MOST keys, in place; a program of a longer
 *                   tile has it once more, for larger buckets (IS_WIDE)
 *   bucket_crowds   sorts buckets of more keys, up to CROWD_KEYS, and larger ones where nearly all keys are equal
 * The interval of a bucket's images is cut into BINS bins of the same width. Keys are put into their bins. Nearly all
 * bins have few keys: a work-item sorts these in registers, with the keys around them. Larger bins are sorted by
 * insertion, and crowded bins of few values by these. Where a crowded bin has more values, a network sorts the whole
 * bucket (K. Batcher, 1968).
 *
 * A crowd has more keys than a bucket may have. A network sorts it where the group's memory has room for its keys.
 * Else, where it has one value and few other keys, these are sorted apart. Else it is parted by pivots of a sample, and
 * a network sorts each part. Where a part of many values has no room either, head->unsorted becomes 1.
 *
 * With values, equal keys of a bucket lie in the order that they must keep. So they are compared by their places, their
 * first indices in the bucket. Each crowd fits in the group's memory then, since bucket_plan refuses larger ones.
 *
 * Needs: index_type of 32 bits, TILE_THREADS TILE_ITEMS; IS_WIDE; KEEPS_ORDER, 1 with values; FINISH_BYTES and
 * CROWD_BYTES, the work-group memory of the two kernels; arrays out and spare of stored bits, with values out_values
 * and spare_values; what radix_digit.clh needs.
 * Bounds: a bin is below BINS, whatever a key is. So the ranks of keys in their bins are below the bucket's count. A
 * network compares only keys that exist. */
#define DIGIT_BITS 8
#define BINS (TILE_THREADS * TILE_ITEMS)
#define BUCKET_MOST BUCKET_KEYS(TILE_THREADS, TILE_ITEMS)
#include "facts/bucket_sort.h"
#include "kernels/sort/radix_digit.clh"
#include "pieces/fold/index_sum.clh"
#include "pieces/scan/scan_group.clh"
#include "kernels/sort/bucket_record.clh"
#include "kernels/sort/quantile_map.clh"
#define HAS_VALUES HAS_out_values
#include "kernels/sort/held_keys.clh"

enum {
    FEW = 5,          /* largest number of keys of a bin that is sorted in registers */
    CROWDED_BIN = 24, /* largest number of keys of a bin that is sorted by insertion */
    VALUES_MOST = 8,  /* largest number of values of a crowded bin that is sorted by its values */
    VALUES_KEYS = 512, /* largest number of keys of such a bin, since one work-item sorts it */
    CROWD_BATCH = 8,  /* keys that a work-item loads at once */
    WINDOW = TILE_ITEMS + 2 * (FEW - 1) /* number of keys that a work-item sorts in registers */
};

/* The index of a bin's counter. A work-item scans TILE_ITEMS counters. They lie TILE_ITEMS | 1 words from the counters
 * of the next work-item, so that the two read different banks. */
#if TILE_ITEMS % 2
#define BIN_PLACE(bin) (bin)
#else
#define BIN_PLACE(bin) ((bin) + (bin) / TILE_ITEMS)
#endif

/* Keys are images, which compare as integers. The least image stands before the first key, and the greatest after the
 * last, so that a window needs no bounds. */
typedef struct {
    image_type keys[FEW - 1 + BUCKET_MOST + WINDOW];
#if HAS_VALUES
    uint16_t places[FEW - 1 + BUCKET_MOST + WINDOW];
#endif
    index_type sums[SCAN_GROUP_SHARED];
    uint bins[BIN_PLACE(BINS)]; /* number of keys in each bin, later number of keys before each bin */
    uint has_many, is_crowded, differ, is_mixed;
} finish_store;
#define BIN_DIFFERS (1u << 31) /* bit of a bin's number of keys before it: keys of the bin differ */
#if HAS_VALUES
#define WINDOW_KEYS(store) make_held((store)->keys, (store)->places)
#else
#define WINDOW_KEYS(store) make_held((store)->keys)
#endif
#define FINISH_KEYS(store) held_from(WINDOW_KEYS(store), FEW - 1)

/* CROWD_KEYS is the number of keys that fit in the memory of the launch. */
enum {
    PIVOTS = 15,
    CROWD_PARTS = 2 * PIVOTS + 1, /* keys equal to one pivot are a part, and so are keys between two pivots */
    CROWD_KEYS = (CROWD_BYTES - (PIVOTS + 2) * 8 - (CROWD_PARTS + 2) * 4) / (KEY_BITS / 8)
};
#if HAS_VALUES
typedef struct {
    image_type keys[PAIR_CROWD_KEYS(CROWD_BYTES, KEY_BITS / 8)];
    uint16_t places[PAIR_CROWD_KEYS(CROWD_BYTES, KEY_BITS / 8)];
} crowd_store;
#else
typedef struct {
    image_type pivots[PIVOTS + 1];
    uint parts[CROWD_PARTS]; /* number of keys of a part, then the index of its next key, and at last the part's end */
    uint others, less;
    image_type keys[CROWD_KEYS];
} crowd_store;
#endif

/* The arrays that are sorted in place. */
typedef struct {
    __global out_type *keys;
#if HAS_VALUES
    __global out_values_type *values;
#endif
} sorted_arrays;

/* The numbers that turn images into stored bits, and stored bits into images. */
typedef struct {
    image_type flip;
    out_type zero, nan; /* bits of every zero, and of every NaN; is_refused refuses keys where they differ */
} stored_keys;

static inline stored_keys make_stored(__global const bucket_head *head, const int64_t image_flip)
{
    stored_keys made;
    made.flip = (image_type)image_flip;
    made.zero = head->zeros == 2 ? (out_type)1 << (KEY_BITS - 1) : 0;
    made.nan = (out_type)head->nan_set[0];
#if KEY_BITS == 64
    made.nan |= (out_type)head->nan_set[1] << 32;
#endif
    return made;
}

static inline image_type load_image(const stored_keys keys, __global const out_type *at)
{
    return image_of(*at) ^ keys.flip;
}

static inline void store_image(const stored_keys keys, const image_type image, __global out_type *at)
{
    *at = bits_of(image ^ keys.flip, keys.zero, keys.nan);
}

/* Returns the bin of a squeezed image. The bin grows with the image, and is below BINS for every image. */
static inline int bin_of(const bucket_record bucket, const image_type image)
{
    const image_type low = (image_type)bucket.low, most = ~(image_type)0 >> (bucket.lead & IMAGE_SHIFTS);
    const image_type above = image > low ? image - low : 0;
    const uint bin = (uint)((ulong)quantile_raised(bucket.lead, above < most ? above : most) * bucket.scale >> 32);
    return bin < BINS ? (int)bin : BINS - 1;
}

enum { RANK_BITS = 16 };

static inline int bin_kept(const uint at)
{
    return (int)(at & ((1u << RANK_BITS) - 1));
}

/* Returns the index in a bucket of a work-item's j-th key. There is no such key where the index is not below the
 * bucket's count. An index before the bucket's begin wraps round to a large number. */
static inline uint key_number(const bucket_record bucket, const int j)
{
    return (uint)get_local_id(0) + (uint)(j * TILE_THREADS) - (uint)bucket.begin % KEYS_ALIGNED;
}

/* Returns the index of a work-item's first key among all keys. Its j-th key is j * TILE_THREADS after it. */
static inline int64_t first_place(const bucket_record bucket)
{
    const uint begin = (uint)bucket.begin;
    return (int64_t)(begin - begin % KEYS_ALIGNED) + get_local_id(0);
}

#include "kernels/sort/bucket_bins.clh"

static INLINED void finish_bucket(const env_type env, const bucket_record bucket, __global const quantile_map *map,
                                  const int gaps, const stored_keys stored, const sorted_arrays to,
                                  __local finish_store *store)
{
    const int id = (int)get_local_id(0), count = (int)bucket.count;
    __global out_type *const own = to.keys + first_place(bucket);
    const held_keys keys = FINISH_KEYS(store);
    image_type kept[TILE_ITEMS];
    uint at[TILE_ITEMS];
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        kept[j] = key_number(bucket, j) < (uint)count ? load_image(stored, own + j * TILE_THREADS) : 0;
    for (int k = id; k < BIN_PLACE(BINS); k += TILE_THREADS) store->bins[k] = 0;
    if (id == 0) store->has_many = store->is_crowded = store->differ = store->is_mixed = 0;
    group_barrier();
    fill_bins(bucket, map, gaps, kept, store, at);
    group_barrier();
    scan_bins(env, store);
    group_barrier();
    for (int k = id; k < WINDOW; k += TILE_THREADS)
        held_store(keys, (uint)(count + k), key_in_place(~(image_type)0, LAST_PLACE));
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (key_number(bucket, j) < (uint)count)
            held_store(keys, store->bins[BIN_PLACE(bin_kept(at[j]))] + (at[j] >> RANK_BITS),
                       key_in_place(kept[j], key_number(bucket, j)));
    group_barrier();
    if (store->has_many) sort_large_bins(count, store);
    const uint differ = store->is_crowded ? compare_crowded(bucket, kept, at, store) : 0;
    group_barrier();
    if (differ) mark_mixed_bins(differ, at, store);
    group_barrier();
    if (store->differ) sort_mixed_bins(count, store);
    group_barrier();
    sort_by_network(keys, store->is_mixed != 0 ? count : 0);
    sort_small_bins(count, store);
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (key_number(bucket, j) < (uint)count)
            store_image(stored, keys.keys[key_number(bucket, j)], own + j * TILE_THREADS);
#if HAS_VALUES
    __global out_values_type *const values = to.values + bucket.begin;
    out_values_type moved[TILE_ITEMS];
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (key_number(bucket, j) < (uint)count) moved[j] = values[keys.places[key_number(bucket, j)]];
    group_barrier_global(); /* all values have been read */
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (key_number(bucket, j) < (uint)count) to.values[first_place(bucket) + j * TILE_THREADS] = moved[j];
#endif
    group_barrier();
}

#if HAS_VALUES && !IS_WIDE
/* Sorts a crowd of keys with values. It fits in the group's memory, since bucket_plan refuses larger crowds. */
static inline void finish_crowd(const bucket_record crowd, const stored_keys stored, const operands_type o,
                                __local crowd_store *store)
{
    const held_keys keys = make_held(store->keys, store->places);
    const int id = (int)get_local_id(0), room = PAIR_CROWD_KEYS(CROWD_BYTES, KEY_BITS / 8);
    const int count = (int)crowd.count < room ? (int)crowd.count : room;
    __global out_type *const own = o.out.data + crowd.begin;
    __global out_values_type *const values = o.out_values.data + crowd.begin;
    __global out_values_type *const others = o.spare_values.data + crowd.begin;
    for (int k = id; k < count; k += TILE_THREADS)
        held_store(keys, (uint)k, key_in_place(load_image(stored, own + k), (uint)k));
    group_barrier();
    sort_by_network(keys, count);
    for (int k = id; k < count; k += TILE_THREADS) {
        store_image(stored, store->keys[k], own + k);
        others[k] = values[store->places[k]];
    }
    group_barrier_global();
    for (int k = id; k < count; k += TILE_THREADS) values[k] = others[k];
    group_barrier();
}
#elif !IS_WIDE
/* The arrays of a crowd. Its keys lie in own, and after part_crowd in other. */
typedef struct {
    __global out_type *own, *other;
    int count;
} crowd_keys;

/* The rounds of a crowd. Each puts keys into the group's memory, where a network sorts them: all keys, or a sample of
 * them; the keys that differ from the middle pivot; those of a part. */
enum { ROUND_FIRST, ROUND_OTHERS, ROUND_PARTS };

/* The keys that a round sorts. A part of many keys, or of keys equal to a pivot, is not sorted. */
typedef struct {
    __global const out_type *from;
    int begin, count; /* keys of the round: count of them from index begin on */
    int sorted;       /* number of keys that the network sorts */
    int is_sample, is_part;
} crowd_round;

/* Returns the part of a key. The keys of an odd part are equal to a pivot. */
static inline int crowd_part(const image_type image, __local const crowd_store *store)
{
    int pivot = 0; /* number of pivots that are at most the key */
    for (int step = (PIVOTS + 1) / 2; step > 0; step /= 2)
        if (store->pivots[pivot + step - 1] <= image) pivot += step;
    return pivot > 0 && store->pivots[pivot - 1] == image ? 2 * pivot - 1 : 2 * pivot;
}

/* Moves a crowd's keys from own to other, so that the keys of each part lie together. */
static inline void part_crowd(const crowd_keys crowd, const stored_keys stored, __local crowd_store *store)
{
    const int id = (int)get_local_id(0), parts = crowd.count > 0 ? CROWD_PARTS : 0;
    for (int k = id; k < parts; k += TILE_THREADS) store->parts[k] = 0;
    group_barrier();
    for (int k = id; k < crowd.count; k += TILE_THREADS)
        (void)atomic_add_local(store->parts + crowd_part(load_image(stored, crowd.own + k), store), 1);
    group_barrier();
    if (id == 0) {
        uint before = 0;
        for (int part = 0; part < parts; ++part) {
            const uint keys = store->parts[part];
            store->parts[part] = before;
            before += keys;
        }
    }
    group_barrier();
    for (int k = id; k < crowd.count; k += TILE_THREADS) {
        const uint to = atomic_add_local(store->parts + crowd_part(load_image(stored, crowd.own + k), store), 1);
        if (to < (uint)crowd.count) crowd.other[to] = crowd.own[k];
    }
    group_barrier_global();
}

/* Returns the keys of a round. */
static inline crowd_round round_keys(const crowd_keys crowd, const int round, __local const crowd_store *store)
{
    enum { SAMPLES = TILE_THREADS < CROWD_KEYS ? TILE_THREADS : CROWD_KEYS };
    const int part = round - ROUND_PARTS;
    crowd_round r;
    r.is_part = part >= 0;
    r.is_sample = round == ROUND_FIRST && crowd.count > CROWD_KEYS;
    r.from = r.is_part ? crowd.other : crowd.own;
    r.begin = part > 0 ? (int)store->parts[part - 1] : 0;
    r.count = r.is_part ? (int)store->parts[part] - r.begin : crowd.count;
    r.sorted = r.is_sample ? SAMPLES : round != ROUND_OTHERS && part % 2 == 0 && r.count <= CROWD_KEYS ? r.count : 0;
    return r;
}

/* Puts the keys that a round sorts into the group's memory. others becomes 1 where two of them differ. */
static inline void load_round(const crowd_round round, const stored_keys stored, __local crowd_store *store)
{
    const image_type first = round.sorted > 0 ? load_image(stored, round.from + round.begin) : 0;
    uint differ = 0;
    for (int k = (int)get_local_id(0); k < round.sorted; k += TILE_THREADS) {
        const int at = round.is_sample ? (int)((int64_t)k * round.count / round.sorted) : k;
        store->keys[k] = load_image(stored, round.from + round.begin + at);
        differ |= store->keys[k] != first;
    }
    if (differ) (void)atomic_or_local(&store->others, 1);
}

/* Stores a part that is not sorted. Where its keys may differ, the crowd is not sorted. */
static inline void store_unsorted(const crowd_keys crowd, const crowd_round round, const int may_differ,
                                  __global uint *unsorted)
{
    const int id = (int)get_local_id(0), count = round.is_part && round.sorted == 0 ? round.count : 0;
    for (int k = id; k < count; k += TILE_THREADS) crowd.own[round.begin + k] = crowd.other[round.begin + k];
    if (id == 0 && count > 0 && may_differ) (void)atomic_or_global(unsorted, 1);
}

/* Stores the keys that a round has sorted, or chooses pivots among them. */
static inline void store_round(const crowd_keys crowd, const crowd_round round, const stored_keys stored,
                               __local crowd_store *store)
{
    const int id = (int)get_local_id(0), count = round.is_sample ? 0 : round.sorted;
    for (int k = id; k < (round.is_sample ? PIVOTS : 0); k += TILE_THREADS)
        store->pivots[k] = store->keys[(k + 1) * round.sorted / (PIVOTS + 1)];
    for (int k = id; k < count; k += TILE_THREADS)
        store_image(stored, store->keys[k], crowd.own + round.begin + k);
}

/* Puts the keys of a crowd that differ from value into the group's memory, and counts them in others. */
static inline void load_others(const int count, const image_type value, const stored_keys stored,
                               __global const out_type *own, __local crowd_store *store)
{
    for (int k = (int)get_local_id(0); k < count; k += CROWD_BATCH * TILE_THREADS) {
        image_type kept[CROWD_BATCH];
        UNROLL
        for (int j = 0; j < CROWD_BATCH; ++j)
            kept[j] = k + j * TILE_THREADS < count ? load_image(stored, own + k + j * TILE_THREADS) : value;
        UNROLL
        for (int j = 0; j < CROWD_BATCH; ++j) {
            if (kept[j] == value) continue;
            const uint other = atomic_add_local(&store->others, 1);
            if (other < CROWD_KEYS) store->keys[other] = kept[j];
        }
    }
}

/* Stores count keys. The others, which differ from value, are sorted in the group's memory. */
static inline void store_others(const int count, const int others, const image_type value, const stored_keys stored,
                                __global out_type *own, __local crowd_store *store)
{
    const int id = (int)get_local_id(0);
    for (int k = id; k < (count > 0 ? others : 0); k += TILE_THREADS)
        if (store->keys[k] < value) (void)atomic_add_local(&store->less, 1);
    group_barrier();
    const int less = (int)store->less, equal = count - others;
    for (int k = id; k < count; k += TILE_THREADS)
        store_image(stored, k < less ? store->keys[k] : k < less + equal ? value : store->keys[k - equal], own + k);
}

/* Sorts a crowd. One that has no room in the group's memory has one value and few other keys, or it is parted by its
 * pivots. Keys equal to a pivot are a part of their own. (M. Axtmann, S. Witt, D. Ferizovic and P. Sanders, "In-place
 * parallel super scalar samplesort", 2017.) A single network keeps the kernel small: POCL copies it into each call. */
static inline void finish_crowd(const bucket_record bucket, const stored_keys stored, const operands_type o,
                                __global uint *unsorted, __local crowd_store *store)
{
    crowd_keys crowd;
    crowd.own = o.out.data + bucket.begin;
    crowd.other = o.spare.data + bucket.begin;
    crowd.count = (int)bucket.count;
    int rounds = crowd.count > CROWD_KEYS ? ROUND_PARTS : ROUND_FIRST + 1;
    ROLLED
    for (int round = ROUND_FIRST; round < rounds; ++round) {
        crowd_round r = round_keys(crowd, round, store);
        const int is_others = round == ROUND_OTHERS, count = is_others ? crowd.count : 0;
        const image_type value = is_others ? store->pivots[PIVOTS / 2] : 0;
        if (get_local_id(0) == 0) store->others = store->less = 0;
        group_barrier();
        load_round(r, stored, store);
        load_others(count, value, stored, crowd.own, store);
        store_unsorted(crowd, r, (round - ROUND_PARTS) % 2 == 0, unsorted);
        group_barrier();
        const int others = (int)store->others, is_one = is_others && others <= CROWD_KEYS;
        sort_by_network(make_held(store->keys), is_one ? others : others > 0 ? r.sorted : 0);
        if (others == 0 && !r.is_part && !r.is_sample) r.sorted = 0; /* all keys are equal */
        store_round(crowd, r, stored, store);
        store_others(is_one ? count : 0, others, value, stored, crowd.own, store);
        group_barrier();
        crowd_keys parted = crowd;
        parted.count = is_one ? 0 : count;
        GROUP_IF(parted.count > 0) part_crowd(parted, stored, store);
        if (parted.count > 0) rounds = ROUND_PARTS + CROWD_PARTS;
    }
}
#endif

/* Without this bound ptxas spills some registers to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

/* Each group sorts buckets, one after the other. */
MCL_KERNEL(TILE_THREADS) bucket_finish(PARAMS_bucket_finish)
{
    MCL_SHARED_AT_LAUNCH(finish_store, store, FINISH_BYTES);
    sorted_arrays to;
    to.keys = MAKE_out.data;
#if HAS_VALUES
    to.values = MAKE_out_values.data;
#endif
    __global const bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
#if IS_WIDE
    __global const bucket_record *const list = ARRAY(bucket_record, list) + first_wide;
    const uint listed = head->wides;
#else
    __global const bucket_record *const list = ARRAY(bucket_record, list);
    const uint listed = head->buckets;
#endif
    const stored_keys stored = make_stored(head, image_flip);
    const int gaps = map->gap_count, buckets = is_done(head) ? 0 : (int)listed;
    for (int k = (int)get_local_id(0); k < FEW - 1; k += TILE_THREADS)
        held_store(WINDOW_KEYS(store), (uint)k, key_in_place(0, 0));
    for (int k = (int)get_group_id(0); k < buckets; k += (int)get_num_groups(0))
        finish_bucket(MAKE_env, list[k], map, gaps, stored, to, store);
}

#if !IS_WIDE
/* Each group sorts crowds, one after the other. It does not test head->unsorted, which another group may set meanwhile.
 * That is safe, since the keys stay a permutation in any case. */
MCL_KERNEL(TILE_THREADS) bucket_crowds(PARAMS_bucket_crowds)
{
    MCL_SHARED_AT_LAUNCH(crowd_store, store, CROWD_BYTES);
    operands_type o;
    TAKE_bucket_crowds(o);
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global const bucket_record *const list = ARRAY(bucket_record, list);
    const stored_keys stored = make_stored(head, image_flip);
    const int crowds = is_done(head) ? 0 : (int)head->crowds;
    for (int k = (int)get_group_id(0); k < crowds; k += (int)get_num_groups(0)) {
#if HAS_VALUES
        finish_crowd(list[list_size - 1 - k], stored, o, store);
#else
        finish_crowd(list[list_size - 1 - k], stored, o, &head->unsorted, store);
#endif
    }
}
#endif
