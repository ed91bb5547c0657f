/* bucket_finish.cl: sorts the buckets that bucket_sort.cl has made of keys.
 *   bucket_finish   each group sorts buckets in its memory, at most BUCKET_MOST keys, in place
 *   bucket_crowds   sorts buckets of more keys, up to CROWD_KEYS, and larger ones where nearly all keys are equal
 * A bucket's quantiles are cut into bins, as many as a bucket may have keys. Keys are put into their bins. Most bins
 * have few keys, and a work-item sorts its bins by insertion. Where many keys meet in a bin and differ, a network sorts
 * the bucket (K. Batcher, 1968).
 *
 * A crowd has more keys than a bucket may have. A network sorts it where the group's memory has room for its keys. Else
 * it has one value and at most CROWD_KEYS other keys: the value is the median of a sample, the others are sorted apart.
 * Where there are more, head->unsorted becomes 1 and the keys stay as they are.
 *
 * Needs: index_type of 32 bits, TILE_THREADS TILE_ITEMS; array keys of stored bits; what radix_digit.clh needs.
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

enum {
    CROWDED_BIN = 24, /* keys that are not sorted by insertion any more */
    CROWD_BATCH = 8   /* keys that a work-item loads at once */
};

/* Where a bin's counter is. A work-item scans TILE_ITEMS of them, which lie TILE_ITEMS | 1 from those of its neighbour:
 * on different banks. */
#if TILE_ITEMS % 2
#define BIN_PLACE(bin) (bin)
#else
#define BIN_PLACE(bin) ((bin) + (bin) / TILE_ITEMS)
#endif

typedef struct {
    out_type keys[BUCKET_MOST];
    index_type sums[SCAN_GROUP_SHARED];
    uint bins[BIN_PLACE(BINS)]; /* keys of a bin, then keys before it */
    uint entries[QUANTILE_ROOT_ENTRIES];
    uint is_crowded, differ;
} finish_store;

/* As many keys as have room where a bucket has keys and counters. */
enum { CROWD_KEYS = BUCKET_MOST + BIN_PLACE(BINS) * 4 / (KEY_BITS / 8) };
typedef struct {
    out_type keys[CROWD_KEYS];
    uint others, less;
} crowd_store;

static inline int sorts_before(const out_type p, const out_type q, const image_type flip)
{
    return (image_of(p) ^ flip) < (image_of(q) ^ flip);
}

static INLINED void put_in_order(__local out_type *keys, const int low, const int high, const image_type flip)
{
    const out_type p = keys[low], q = keys[high];
    if (sorts_before(q, p, flip)) {
        keys[low] = q;
        keys[high] = p;
    }
}

/* Sorts count keys: blocks of size / 2 are in order, and the first step of each size compares them end to end. */
static INLINED void sort_by_network(__local out_type *keys, const int count, const image_type flip)
{
    const int id = (int)get_local_id(0);
    for (int size = 2; size / 2 < count; size *= 2) {
        const int pairs = (count + size - 1) / size * (size / 2);
        for (int k = id; k < pairs; k += TILE_THREADS) {
            const int low = k / (size / 2) * size + k % (size / 2);
            const int high = k / (size / 2) * size + size - 1 - k % (size / 2);
            if (high < count) put_in_order(keys, low, high, flip);
        }
        group_barrier();
        for (int step = size / 4; step > 0; step /= 2) {
            for (int k = id; k < pairs; k += TILE_THREADS) {
                const int low = k / step * step * 2 + k % step;
                if (low + step < count) put_in_order(keys, low, low + step, flip);
            }
            group_barrier();
        }
    }
}

static inline int bin_of(const bucket_record bucket, const uint quantile)
{
    const uint above = quantile > bucket.first ? quantile - bucket.first : 0;
    const uint bin = (uint)((ulong)above * bucket.scale >> 32);
    return bin < BINS ? (int)bin : BINS - 1;
}

enum { RANK_BITS = 16 };

static inline int bin_kept(const uint at)
{
    return (int)(at & ((1u << RANK_BITS) - 1));
}

/* Returns the number of a work-item's j-th key of a bucket. There is none where the number is not below the bucket's
 * count, as is that of a key before its begin. */
static inline uint key_number(const bucket_record bucket, const int j)
{
    return (uint)((int)get_local_id(0) + j * TILE_THREADS - bucket.begin % KEYS_ALIGNED);
}

/* Puts keys into their bins and counts them. at: a key's rank among those that met there, and below it its bin. */
static INLINED void fill_bins(const bucket_record bucket, const quantile_root root, __global const quantile_map *map,
                              const image_type flip, const out_type *kept, __local finish_store *store, uint *at)
{
    quantiles_of(root, store->entries, map, flip, kept, TILE_ITEMS, at);
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        const int bin = bin_of(bucket, at[j]);
        if (key_number(bucket, j) < (uint)bucket.count)
            at[j] = atomic_add_local(store->bins + BIN_PLACE(bin), 1) << RANK_BITS | (uint)bin;
    }
}

/* Turns the counts of bins into the keys before them. counts, before: of the work-item's own bins. */
static INLINED index_type scan_bins(const env_type env, __local finish_store *store, uint *counts)
{
    const int first = BIN_PLACE((int)get_local_id(0) * TILE_ITEMS);
    uint most = 0;
    index_type own = 0, total;
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        counts[j] = store->bins[first + j];
        own += (index_type)counts[j];
        most = counts[j] > most ? counts[j] : most;
    }
    if (most > CROWDED_BIN) (void)atomic_or_local(&store->is_crowded, 1);
    const index_type before = sums_before(env, own, &total, store->sums);
    index_type passed = before;
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        store->bins[first + j] = (uint)passed;
        passed += (index_type)counts[j];
    }
    return before;
}

static inline void sort_by_insertion(__local out_type *keys, const int count, const image_type flip)
{
    image_type last = count > 0 ? image_of(keys[0]) ^ flip : 0; /* the largest so far */
    ROLLED
    for (int k = 1; k < count; ++k) {
        const out_type key = keys[k];
        const image_type image = image_of(key) ^ flip;
        if (image >= last) {
            last = image;
            continue;
        }
        int at = k;
        ROLLED
        while (at > 0 && sorts_before(key, keys[at - 1], flip)) {
            keys[at] = keys[at - 1];
            --at;
        }
        keys[at] = key;
    }
}

/* Sorts the work-item's own bins, whose keys begin with number before. Bins are in order, so that one insertion sort of
 * all their keys moves keys inside a bin alone. Crowded bins, whose keys are all equal, are passed over. */
static INLINED void sort_bins(const index_type before, const uint *counts, const image_type flip,
                              __local finish_store *store)
{
    __local out_type *keys = store->keys + before;
    uint all = 0, most = 0;
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        all += counts[j];
        most = counts[j] > most ? counts[j] : most;
    }
    if (most <= CROWDED_BIN) {
        sort_by_insertion(keys, (int)all, flip);
        return;
    }
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        if (counts[j] <= CROWDED_BIN) sort_by_insertion(keys, (int)counts[j], flip);
        keys += counts[j];
    }
}

/* Notes whether keys of a crowded bin differ. */
static INLINED void compare_crowded(const bucket_record bucket, const out_type *kept, const uint *at,
                                    __local finish_store *store)
{
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j) {
        if (key_number(bucket, j) >= (uint)bucket.count) continue;
        const int bin = bin_kept(at[j]);
        const uint begin = store->bins[BIN_PLACE(bin)];
        const uint end = bin + 1 < BINS ? store->bins[BIN_PLACE(bin + 1)] : (uint)bucket.count;
        if (end - begin > CROWDED_BIN && store->keys[begin] != kept[j]) (void)atomic_or_local(&store->differ, 1);
    }
}

static INLINED void finish_bucket(const env_type env, const bucket_record bucket, const quantile_root root,
                                  __global const quantile_map *map, const image_type flip, __global out_type *data,
                                  __local finish_store *store)
{
    const int id = (int)get_local_id(0), count = (int)bucket.count;
    __global out_type *const own = data + bucket.begin;
    out_type kept[TILE_ITEMS];
    uint at[TILE_ITEMS], counts[TILE_ITEMS];
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        kept[j] = key_number(bucket, j) < (uint)count ? own[key_number(bucket, j)] : 0;
    for (int k = id; k < BIN_PLACE(BINS); k += TILE_THREADS) store->bins[k] = 0;
    if (id == 0) store->is_crowded = store->differ = 0;
    group_barrier();
    fill_bins(bucket, root, map, flip, kept, store, at);
    group_barrier();
    const index_type before = scan_bins(env, store, counts);
    group_barrier();
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (key_number(bucket, j) < (uint)count)
            store->keys[store->bins[BIN_PLACE(bin_kept(at[j]))] + (at[j] >> RANK_BITS)] = kept[j];
    group_barrier();
    if (store->is_crowded) compare_crowded(bucket, kept, at, store);
    group_barrier();
    const int differ = store->differ != 0;
    sort_by_network(store->keys, differ ? count : 0, flip);
    if (!differ) sort_bins(before, counts, flip, store);
    group_barrier();
    UNROLL
    for (int j = 0; j < TILE_ITEMS; ++j)
        if (key_number(bucket, j) < (uint)count) own[key_number(bucket, j)] = store->keys[key_number(bucket, j)];
    group_barrier();
}

/* Sorts a crowd that has room in the group's memory. */
static inline void finish_small_crowd(const int count, const image_type flip, __global out_type *own,
                                      __local crowd_store *store)
{
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) store->keys[k] = own[k];
    group_barrier();
    sort_by_network(store->keys, count, flip);
    for (int k = (int)get_local_id(0); k < count; k += TILE_THREADS) own[k] = store->keys[k];
    group_barrier();
}

/* Sorts a crowd of one value and few other keys. */
static inline void finish_large_crowd(const int count, const image_type flip, __global out_type *own,
                                      __global uint *unsorted, __local crowd_store *store)
{
    enum { SAMPLES = TILE_THREADS < CROWD_KEYS ? TILE_THREADS : CROWD_KEYS };
    const int id = (int)get_local_id(0);
    if (id < SAMPLES) store->keys[id] = own[(int64_t)id * count / SAMPLES];
    if (id == 0) store->others = store->less = 0;
    group_barrier();
    sort_by_network(store->keys, SAMPLES, flip);
    const out_type value = store->keys[SAMPLES / 2];
    group_barrier();
    for (int k = id; k < count; k += CROWD_BATCH * TILE_THREADS) {
        out_type kept[CROWD_BATCH];
        UNROLL
        for (int j = 0; j < CROWD_BATCH; ++j)
            kept[j] = k + j * TILE_THREADS < count ? own[k + j * TILE_THREADS] : value;
        UNROLL
        for (int j = 0; j < CROWD_BATCH; ++j) {
            if (kept[j] == value) continue;
            const uint other = atomic_add_local(&store->others, 1);
            if (other < CROWD_KEYS) store->keys[other] = kept[j];
        }
    }
    group_barrier();
    const int others = store->others <= CROWD_KEYS ? (int)store->others : 0;
    const int is_crowd = store->others <= CROWD_KEYS;
    if (!is_crowd && id == 0) (void)atomic_or_global(unsorted, 1);
    sort_by_network(store->keys, others, flip);
    for (int k = id; k < others; k += TILE_THREADS)
        if (sorts_before(store->keys[k], value, flip)) (void)atomic_add_local(&store->less, 1);
    group_barrier();
    const int less = (int)store->less, equal = count - others;
    for (int k = id; k < (is_crowd ? count : 0); k += TILE_THREADS)
        own[k] = k < less ? store->keys[k] : k < less + equal ? value : store->keys[k - equal];
    group_barrier();
}

/* Without this bound ptxas spills some registers to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

/* Each group sorts buckets, one after the other. */
MCL_KERNEL(TILE_THREADS) bucket_finish(PARAMS_bucket_finish)
{
    MCL_SHARED(finish_store, store);
    const output_out out = MAKE_out;
    __global const bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    __global const bucket_record *const list = ARRAY(bucket_record, list);
    const quantile_root root = quantile_map_root(map);
    const int buckets = is_done(head) ? 0 : (int)head->buckets;
    quantile_load_entries(map, store->entries);
    for (int k = (int)get_group_id(0); k < buckets; k += (int)get_num_groups(0))
        finish_bucket(MAKE_env, list[k], root, map, (image_type)image_flip, out.data, store);
}

/* Each group sorts crowds, one after the other. Another group may find out meanwhile that one is none, so that
 * head->unsorted is no condition: what is done to the keys leaves them a permutation. */
MCL_KERNEL(TILE_THREADS) bucket_crowds(PARAMS_bucket_crowds)
{
    MCL_SHARED(crowd_store, store);
    const output_out out = MAKE_out;
    const image_type flip = (image_type)image_flip;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global const bucket_record *const list = ARRAY(bucket_record, list);
    const int crowds = is_done(head) ? 0 : (int)head->crowds;
    for (int k = (int)get_group_id(0); k < crowds; k += (int)get_num_groups(0)) {
        const bucket_record crowd = list[list_size - 1 - k];
        __global out_type *const own = out.data + crowd.begin;
        if (crowd.count <= CROWD_KEYS) finish_small_crowd((int)crowd.count, flip, own, store);
        else finish_large_crowd((int)crowd.count, flip, own, &head->unsorted, store);
    }
}
