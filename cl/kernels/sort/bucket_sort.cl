/* bucket_sort.cl: sorts keys by buckets. Keys are parted twice, from the top: into ranges, then each range into
 * buckets. A group sorts a bucket in its memory.
 *   bucket_sample   takes samples, and clears what is counted
 *   bucket_map      makes the map from keys to quantiles (bucket_map.clh)
 *   bucket_ranges   counts the keys of each range
 *   bucket_part     moves keys to their ranges; or copies or reverses keys that are in order already
 *   bucket_slices   counts the keys of each range's slices
 *   bucket_plan     makes buckets of neighbouring slices
 *   bucket_gather   moves keys to their buckets
 *   bucket_finish   sorts each bucket
 *   bucket_crowds   sorts what is left: large buckets where nearly all keys are equal
 * A tile takes the places of its keys by atomic additions. So keys of a bucket come in any order, and no group waits
 * for another. (E. Stehle and H.-A. Jacobsen, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017: parts
 * from the top, and buckets in a group's memory.)
 *
 * Where buckets cannot serve, head->unsorted becomes 1 and the passes of radix_sort.cl sort. spare and out hold the
 * keys in some order at any time then, or the input still does. That is so where a bucket is large and of many values,
 * where equal keys differ in bits (zeros of both signs, NaN), which must keep their order, and where a few keys have
 * bits that no sample has.
 *
 * Needs: index_type of 32 bits, TILE_THREADS TILE_ITEMS FINISH_ITEMS; input keys; arrays spare and out of their stored
 * bits; what radix_digit.clh needs. KEYS_VARY: an expression gave the keys that were counted.
 *
 * Bounds: the map gives each key a quantile, whatever its bits are. Ranges, slices and buckets follow from it by shifts
 * and masks, so they are below their numbers. Counts are those of the keys that are moved, unless an expression gives
 * other keys the second time. is_index holds these back in bucket_part. From there on keys are bits in memory that no
 * other launch changes: each range's places are the keys that were counted in it. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define COUNTS_VARY KEYS_VARY
#define BUCKET_MOST BUCKET_KEYS(TILE_THREADS, FINISH_ITEMS)
#define BUCKET_AIM BUCKET_GOAL(TILE_THREADS, FINISH_ITEMS)
#define DIGIT_BITS 8
#include "facts/bucket_sort.h"
#include "pieces/words/bounded_index.clh"
#include "pieces/tile/part_range.clh"
#include "kernels/sort/radix_digit.clh"
#include "pieces/fold/index_sum.clh"
#include "pieces/scan/scan_group.clh"

/* What the device finds out. All zero at first. */
typedef struct {
    uint unsorted;       /* 1: the usual passes sort */
    uint orders;         /* ORDER_DOWN: some key sorts before the one before it; ORDER_UP: some after it */
    uint zeros;          /* of floats: 1: there is a zero; 2: there is a negative one */
    uint strays;         /* 1: the map is not for these keys (quantile_map.clh) */
    uint buckets, crowds; /* in the list of buckets: those from its begin on, and those before its end */
    uint nan_set[2], nan_clear[2]; /* bits that some NaN has set, and that some NaN has not */
} bucket_head;
typedef char bucket_head_is_as_the_host_thinks[sizeof(bucket_head) == BUCKET_HEAD_BYTES ? 1 : -1];

enum { ORDER_DOWN = 1, ORDER_UP = 2 };

typedef struct {
    index_type begin, count;
    uint first, scale; /* its first quantile; what turns the quantiles above it into numbers of bins */
} bucket_record;
typedef char bucket_record_is_as_the_host_thinks[sizeof(bucket_record) == BUCKET_RECORD_BYTES ? 1 : -1];

#include "kernels/sort/bucket_map.clh"
#include "kernels/sort/bucket_move.clh"
#include "kernels/sort/bucket_finish.clh"

/* 1: the keys are in order already, or in the opposite one. */
static inline int is_ordered(__global const bucket_head *head)
{
    return head->orders != (ORDER_DOWN | ORDER_UP);
}

/* 1: equal keys differ in bits, or keys have bits that no sample has. */
static inline int is_refused(__global const bucket_head *head)
{
    return head->strays != 0 || head->zeros == 3 ||
           (head->nan_set[0] & head->nan_clear[0]) || (head->nan_set[1] & head->nan_clear[1]);
}

/* Pass 1: takes samples and the keys after them. A sample is at a random place of its share of the keys, since a fixed
 * distance may be that of the columns of a table. */
MCL_KERNEL(TILE_THREADS) bucket_sample(PARAMS_bucket_sample)
{
    const input_keys keys = MAKE_keys;
    const output_spare sample = MAKE_spare;
    __global uint *const counts = ARRAY(uint, counts);
    const int id = (int)get_global_id(0);
    for (int64_t k = id; k < words; k += (int64_t)get_global_size(0)) counts[k] = 0;
    for (int k = id; k < samples; k += (int)get_global_size(0)) {
        const ulong share = ((ulong)(uint)keys.count << 32) / (uint)samples;
        const index_type index = (index_type)((share * (uint)k + (share >> 16) * ((uint)k * 40503u & 0xffff)) >> 32);
        const index_type next = index + 1 < keys.count ? index + 1 : index;
        store_spare(sample, k, keys.count > 0 ? key_bits(load_keys(keys, index)) : 0);
        store_spare(sample, samples + k, keys.count > 0 ? key_bits(load_keys(keys, next)) : 0);
    }
}

/* Pass 2: makes the map. Samples that are all in order let the next pass look at all keys. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS) bucket_map(PARAMS_bucket_map)
{
    MCL_SHARED(map_store, store);
    __global const out_type *const sample = MAKE_spare.data;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    const image_type flip = (image_type)image_flip;
    uint orders = 0;
    for (int k = (int)get_local_id(0); k < samples; k += SAMPLE_BATCH * TILE_THREADS) {
        image_type kept[SAMPLE_BATCH], next[SAMPLE_BATCH];
        UNROLL
        for (int j = 0; j < SAMPLE_BATCH; ++j) {
            kept[j] = image_of(sample[k + j * TILE_THREADS]) ^ flip;
            next[j] = image_of(sample[samples + k + j * TILE_THREADS]) ^ flip;
        }
        UNROLL
        for (int j = 0; j < SAMPLE_BATCH; ++j)
            orders |= next[j] < kept[j] ? ORDER_DOWN : next[j] > kept[j] ? ORDER_UP : 0;
    }
    if (orders > 0) (void)atomic_or_global(&head->orders, orders);
    map_make(MAKE_env, sample, samples, flip, 32 - SLICE_BITS - range_bits, ARRAY(quantile_map, map), store);
}

/* Without this bound ptxas spills some registers to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

enum { COUNT_ITEMS = 8 }; /* keys that a work-item loads at once */

typedef struct {
    uint counts[1 << SLICE_BITS];
    uint entries[QUANTILE_ROOT_ENTRIES];
    index_type tiles[RANGES_MOST + 1], begins[RANGES_MOST];
    index_type sums[SCAN_GROUP_SHARED];
} count_store;

/* What bits say of keys that are equal and differ, gathered by a work-item. */
typedef struct {
    uint zeros;
    image_type nan_set, nan_clear;
} odd_keys;

static inline void find_odd_keys(const out_type bits, odd_keys *odd)
{
#if KEY_ORDER != ORDER_OF_INTEGERS
    const image_type top = (image_type)1 << (KEY_BITS - 1), x = bits;
    if (image_of(bits) == image_of((out_type)~(out_type)0)) {
        odd->nan_set |= x;
        odd->nan_clear |= ~x & (top | (top - 1));
    }
    if ((x & ~top) == 0) odd->zeros |= x == 0 ? 1 : 2;
#else
    (void)bits;
    (void)odd;
#endif
}

static inline void note_odd_keys(const odd_keys odd, __global bucket_head *head)
{
    if (odd.zeros > 0) (void)atomic_or_global(&head->zeros, odd.zeros);
    if ((odd.nan_set | odd.nan_clear) != 0) {
        (void)atomic_or_global(head->nan_set, (uint)odd.nan_set);
        (void)atomic_or_global(head->nan_clear, (uint)odd.nan_clear);
#if KEY_BITS == 64
        (void)atomic_or_global(head->nan_set + 1, (uint)(odd.nan_set >> 32));
        (void)atomic_or_global(head->nan_clear + 1, (uint)(odd.nan_clear >> 32));
#endif
    }
}

/* Counts the parts of a work-item's keys; neighbours of one part are added at once. */
static INLINED void count_parts(const uint *parts, const int count, __local uint *counts)
{
    uint run = 1;
    UNROLL
    for (int j = 0; j < COUNT_ITEMS; ++j) {
        if (j >= count) continue;
        if (j + 1 < count && parts[j + 1 < COUNT_ITEMS ? j + 1 : j] == parts[j]) {
            ++run;
        } else {
            (void)atomic_add_local(counts + parts[j], run);
            run = 1;
        }
    }
}

/* Returns how many of a work-item's keys there are from k on, TILE_THREADS apart and before end. */
static inline int items_before(const index_type k, const index_type end)
{
    const index_type rest = end > k ? (end - k + TILE_THREADS - 1) / TILE_THREADS : 0;
    return rest < COUNT_ITEMS ? (int)rest : COUNT_ITEMS;
}

/* Pass 3: counts the keys of each range, and finds out about their order. */
MCL_KERNEL(TILE_THREADS) bucket_ranges(PARAMS_bucket_ranges)
{
    MCL_SHARED(count_store, store);
    const input_keys keys = MAKE_keys;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    __global uint *const counts = ARRAY(uint, ranges);
    const quantile_root root = quantile_map_root(map);
    const image_type flip = (image_type)image_flip;
    const int id = (int)get_local_id(0);
    const int looks_at_order = is_ordered(head);
    index_type begin, end;
    odd_keys odd;
    uint orders = 0, strays = 0;
    odd.zeros = 0;
    odd.nan_set = odd.nan_clear = 0;
    part_range(keys.count, (index_type)get_num_groups(0), (index_type)get_group_id(0), &begin, &end);
    load_entries(map, store->entries);
    for (int k = id; k < RANGES_MOST; k += TILE_THREADS) store->counts[k] = 0;
    group_barrier();
    for (index_type k = begin + id; k < end; k += COUNT_ITEMS * TILE_THREADS) {
        const input_keys own = shift_keys(keys, k);
        const int there = items_before(k, end);
        out_type kept[COUNT_ITEMS];
        uint parts[COUNT_ITEMS];
        if (there == COUNT_ITEMS) { /* all loads start before the first is used */
            UNROLL
            for (int j = 0; j < COUNT_ITEMS; ++j) kept[j] = key_bits(load_keys(own, j * TILE_THREADS));
        } else {
            UNROLL
            for (int j = 0; j < COUNT_ITEMS; ++j) kept[j] = j < there ? key_bits(load_keys(own, j * TILE_THREADS)) : 0;
        }
        UNROLL
        for (int j = 0; j < COUNT_ITEMS; ++j) {
            const image_type image = image_of(kept[j]) ^ flip;
            if (j < there) find_odd_keys(kept[j], &odd);
            if (j < there && root.gaps > 0) strays |= (uint)quantile_is_stray(map, image);
            parts[j] = quantile_of(root, store->entries, map, image) >> (32 - range_bits);
            if (looks_at_order && j < there && k + j * TILE_THREADS + 1 < keys.count) {
                const image_type next = image_of(key_bits(load_keys(own, j * TILE_THREADS + 1))) ^ flip;
                orders |= next < image ? ORDER_DOWN : next > image ? ORDER_UP : 0;
            }
        }
        count_parts(parts, there, store->counts);
    }
    if (orders > 0) (void)atomic_or_global(&head->orders, orders);
    if (strays > 0) (void)atomic_or_global(&head->strays, 1);
    note_odd_keys(odd, head);
    group_barrier();
    for (int k = id; k < RANGES_MOST; k += TILE_THREADS)
        if (store->counts[k] > 0) (void)atomic_add_global(counts + k, store->counts[k]);
}

/* Finds where ranges begin, and how many tiles come before each. tiles has one entry more than ranges. */
static INLINED void find_ranges(const env_type env, __global const uint *counts, __local index_type *begins,
                               __local index_type *tiles, __local index_type *sums)
{
    index_type own = 0, own_tiles = 0, sum;
    UNROLL
    for (int s = 0; s < PART_SHARE; ++s) {
        if (PART(s) < RANGES_MOST) {
            own += (index_type)counts[PART(s)];
            own_tiles += tile_number((index_type)counts[PART(s)]);
        }
    }
    index_type begin = sums_before(env, own, &sum, sums);
    group_barrier();
    index_type tile = sums_before(env, own_tiles, &sum, sums);
    UNROLL
    for (int s = 0; s < PART_SHARE; ++s) {
        if (PART(s) < RANGES_MOST) {
            begins[PART(s)] = begin;
            tiles[PART(s)] = tile;
            begin += (index_type)counts[PART(s)];
            tile += tile_number((index_type)counts[PART(s)]);
        }
    }
    if (get_local_id(0) == 0) tiles[RANGES_MOST] = sum;
    group_barrier();
}

#define BINARY_SEARCH ranges_up_to
#define RUN __local index_type *
#define RUN_KEY index_type
#define RUN_BEFORE(env, tiles, range, tile) ((tiles)[range] <= (tile))
#include "pieces/search/binary_search.clh"

/* Returns the range of a tile: the last one with no more tiles before it. Range 0 has none before it. */
static inline int range_of_tile(const env_type env, __local const index_type *tiles, const index_type tile)
{
    return (int)ranges_up_to(env, tiles, 1, RANGES_MOST, tile) - 1;
}

/* The keys are in order, or in the opposite one: moves them to out, which may be where they are. */
static inline void move_ordered(const input_keys keys, const output_out out, const int in_place, const int is_reverse)
{
    const index_type step = (index_type)get_global_size(0);
    if (is_reverse) {
        for (index_type k = (index_type)get_global_id(0); k < (keys.count + 1) / 2; k += step) {
            const out_type x = key_bits(load_keys(keys, k)), y = key_bits(load_keys(keys, keys.count - 1 - k));
            store_out(out, k, y);
            store_out(out, keys.count - 1 - k, x);
        }
    } else if (!in_place) {
        for (index_type k = (index_type)get_global_id(0); k < keys.count; k += step)
            store_out(out, k, key_bits(load_keys(keys, k)));
    }
}

/* Pass 4: each group moves a part of the tiles to their ranges. */
MCL_KERNEL(TILE_THREADS) bucket_part(PARAMS_bucket_part)
{
    MCL_SHARED(move_store, store);
    const env_type env = MAKE_env;
    const input_keys keys = MAKE_keys;
    const output_out out = MAKE_out;
    const output_spare spare = MAKE_spare;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    const key_place place = make_place(map, image_flip, range_bits, 0);
    const int ordered = is_ordered(head), refused = is_refused(head);
    const int id = (int)get_local_id(0);
    index_type first, last;
    output_out to;
    to.data = spare.data;
    if (ordered) move_ordered(keys, out, in_place, head->orders == ORDER_DOWN);
    else if (refused && id == 0) (void)atomic_or_global(&head->unsorted, 1);
    load_entries(map, store->entries);
    find_ranges(env, ARRAY(uint, ranges), store->begins, store->tiles, store->sums);
    part_tiles(ordered || refused ? 0 : tile_number(keys.count), (index_type)get_num_groups(0),
               (index_type)get_group_id(0), &first, &last);
    for (index_type tile = first; tile < last; ++tile) {
        const int count = tile_count(tile * TILE_SIZE, keys.count);
        const input_keys own = shift_keys(keys, tile * TILE_SIZE + id);
        out_type kept[TILE_ITEMS];
        if (count == TILE_SIZE) {
            UNROLL
            for (int j = 0; j < TILE_ITEMS; ++j) kept[j] = key_bits(load_keys(own, j * TILE_THREADS));
        } else {
            UNROLL
            for (int j = 0; j < TILE_ITEMS; ++j)
                kept[j] = id + j * TILE_THREADS < count ? key_bits(load_keys(own, j * TILE_THREADS)) : 0;
        }
        move_keys(env, kept, count, place, ARRAY(uint, reserved), keys.count, to, store);
    }
}

/* 1: nothing is left to do for the passes after bucket_part. */
static inline int is_done(__global const bucket_head *head)
{
    return is_ordered(head) || head->unsorted != 0;
}

/* Pass 5: counts the keys of each range's slices. */
MCL_KERNEL(TILE_THREADS) bucket_slices(PARAMS_bucket_slices)
{
    MCL_SHARED(count_store, store);
    const env_type env = MAKE_env;
    __global const out_type *const keys = MAKE_spare.data;
    __global const bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    __global const uint *const counts = ARRAY(uint, ranges);
    __global uint *const slices = ARRAY(uint, slices);
    const quantile_root root = quantile_map_root(map);
    const image_type flip = (image_type)image_flip;
    const int id = (int)get_local_id(0);
    index_type first, last;
    load_entries(map, store->entries);
    for (int k = id; k < 1 << SLICE_BITS; k += TILE_THREADS) store->counts[k] = 0;
    find_ranges(env, counts, store->begins, store->tiles, store->sums);
    part_tiles(is_done(head) ? 0 : store->tiles[RANGES_MOST], (index_type)get_num_groups(0),
               (index_type)get_group_id(0), &first, &last);
    index_type tile = first;
    while (tile < last) { /* a range's share of the group's tiles */
        const int range = range_of_tile(env, store->tiles, tile);
        const index_type range_end = store->begins[range] + (index_type)counts[range];
        const index_type until = store->tiles[range + 1] < last ? store->tiles[range + 1] : last;
        const index_type begin = store->begins[range] + (tile - store->tiles[range]) * TILE_SIZE;
        const index_type wanted = store->begins[range] + (until - store->tiles[range]) * TILE_SIZE;
        const index_type end = wanted < range_end ? wanted : range_end;
        for (index_type k = begin + id; k < end; k += COUNT_ITEMS * TILE_THREADS) {
            const int there = items_before(k, end);
            out_type kept[COUNT_ITEMS];
            uint parts[COUNT_ITEMS];
            if (there == COUNT_ITEMS) {
                UNROLL
                for (int j = 0; j < COUNT_ITEMS; ++j) kept[j] = keys[k + j * TILE_THREADS];
            } else {
                UNROLL
                for (int j = 0; j < COUNT_ITEMS; ++j) kept[j] = j < there ? keys[k + j * TILE_THREADS] : 0;
            }
            UNROLL
            for (int j = 0; j < COUNT_ITEMS; ++j)
                parts[j] = slice_of(quantile_of(root, store->entries, map, image_of(kept[j]) ^ flip), range_bits);
            count_parts(parts, there, store->counts);
        }
        group_barrier();
        for (int k = id; k < 1 << SLICE_BITS; k += TILE_THREADS) {
            const uint found = store->counts[k];
            if (found > 0) (void)atomic_add_global(slices + (range << SLICE_BITS) + k, found);
            store->counts[k] = 0;
        }
        group_barrier();
        tile = until;
    }
}

enum { SLICE_SHARE = ((1 << SLICE_BITS) + TILE_THREADS - 1) / TILE_THREADS };

typedef struct {
    index_type sums[SCAN_GROUP_SHARED];
    index_type begins[RANGE_BUCKETS + 1], first_slices[RANGE_BUCKETS + 1];
    index_type tiles[RANGES_MOST + 1], range_begins[RANGES_MOST];
    index_type at;
} plan_store;

/* What a slice adds to the sum by which buckets are cut: its keys. A slice with more than a bucket can take beside its
 * goal is a bucket of its own: the sum passes the goal before it and after it. */
static inline int is_large(const index_type count)
{
    return count > BUCKET_MOST - BUCKET_AIM;
}

static inline index_type slice_weight(const index_type count)
{
    return is_large(count) ? 2 * BUCKET_AIM : count;
}

/* Returns a number that slices of one bucket share, and no other slice has. */
static inline index_type bucket_number(const index_type weight_before, const index_type count)
{
    return (weight_before + (is_large(count) ? BUCKET_AIM : 0)) / BUCKET_AIM;
}

/* Stores what bucket_finish or bucket_crowds must know of a bucket, unless its keys are all equal. */
static inline void note_bucket(const env_type env, __global bucket_record *list, const index_type place,
                               const int list_size, const bucket_record bucket, const uint quantiles,
                               __global const quantile_map *map, __global bucket_head *head)
{
    bucket_record noted = bucket;
    noted.scale = (uint)(((ulong)BUCKET_MOST << 32) / ((ulong)quantiles + 1));
    if (bucket.count > BUCKET_MOST) {
        noted.count = 0; /* bucket_finish passes over it */
        if (!quantile_is_exact(env, map, bucket.first, bucket.first + quantiles)) {
            if (bucket.count > CROWD_MOST) (void)atomic_or_global(&head->unsorted, 1);
            else list[list_size - 1 - (int)atomic_increment_global(&head->crowds)] = bucket;
        }
    }
    list[place] = noted;
}

/* Cuts a range's slices into buckets, and returns how many. Those past RANGE_BUCKETS are joined to the last. The first
 * entry after the last bucket has the range's end. Each work-item takes neighbouring slices. */
static inline index_type cut_range(const env_type env, __global const uint *slices, const index_type range_begin,
                                   __global uint8_t *buckets, __local plan_store *store)
{
    const int id = (int)get_local_id(0), most = 1 << SLICE_BITS;
    const int first = id * SLICE_SHARE < most ? id * SLICE_SHARE : most;
    const int last = first + SLICE_SHARE < most ? first + SLICE_SHARE : most;
    index_type own = 0, weight = 0, heads = 0, counted, sum, total;
    for (int k = first; k < last; ++k) {
        own += (index_type)slices[k];
        weight += slice_weight((index_type)slices[k]);
    }
    index_type begin = range_begin + sums_before(env, own, &counted, store->sums);
    group_barrier();
    const index_type weight_before = sums_before(env, weight, &sum, store->sums);
    group_barrier();
    index_type earlier = -1; /* the number of the slice before */
    if (first > 0 && first < last) {
        const index_type count = (index_type)slices[first - 1];
        earlier = bucket_number(weight_before - slice_weight(count), count);
    }
    index_type passed = weight_before, number = earlier;
    for (int k = first; k < last; ++k) {
        const index_type count = (index_type)slices[k], next = bucket_number(passed, count);
        heads += next != number;
        number = next;
        passed += slice_weight(count);
    }
    index_type bucket = sums_before(env, heads, &total, store->sums);
    passed = weight_before;
    number = earlier;
    for (int k = first; k < last; ++k) {
        const index_type count = (index_type)slices[k], next = bucket_number(passed, count);
        if (next != number && bucket++ < RANGE_BUCKETS) {
            store->begins[bucket - 1] = begin;
            store->first_slices[bucket - 1] = k;
        }
        buckets[k] = (uint8_t)(bucket <= RANGE_BUCKETS ? bucket - 1 : RANGE_BUCKETS - 1);
        number = next;
        begin += count;
        passed += slice_weight(count);
    }
    const index_type made = total < RANGE_BUCKETS ? total : RANGE_BUCKETS;
    if (id == 0) {
        store->begins[made] = range_begin + counted;
        store->first_slices[made] = most;
    }
    return total;
}

/* Pass 6: each group makes buckets of one range's slices. */
MCL_KERNEL(TILE_THREADS) bucket_plan(PARAMS_bucket_plan)
{
    MCL_SHARED(plan_store, store);
    const env_type env = MAKE_env;
    const int id = (int)get_local_id(0), range = (int)get_group_id(0);
    const int64_t slices_before = (int64_t)range << SLICE_BITS;
    const int slice_shift = 32 - SLICE_BITS - range_bits;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global uint *const cursors = ARRAY(uint, cursors) + (int64_t)range * RANGE_BUCKETS;
    const int done = is_done(head);
    find_ranges(env, ARRAY(uint, ranges), store->range_begins, store->tiles, store->sums);
    const index_type total = cut_range(env, ARRAY(uint, slices) + slices_before, store->range_begins[range],
                                       ARRAY(uint8_t, buckets) + slices_before, store);
    const index_type made = total < RANGE_BUCKETS ? total : RANGE_BUCKETS;
    if (id == 0) {
        store->at = done ? 0 : (index_type)atomic_add_global(&head->buckets, (uint)made);
        if (total > RANGE_BUCKETS && !done) (void)atomic_or_global(&head->unsorted, 1);
    }
    group_barrier();
    for (index_type k = id; k < (done ? 0 : made); k += TILE_THREADS) {
        const uint slices = (uint)(store->first_slices[k + 1] - store->first_slices[k]);
        bucket_record record;
        record.begin = store->begins[k];
        record.count = store->begins[k + 1] - record.begin;
        record.first = ((uint)slices_before | (uint)store->first_slices[k]) << slice_shift;
        record.scale = 0;
        cursors[k] = (uint)record.begin;
        note_bucket(env, ARRAY(bucket_record, list), store->at + k, list_size, record, (slices << slice_shift) - 1,
                    ARRAY(quantile_map, map), head);
    }
}

/* Pass 7: each group moves a part of the ranges' tiles to their buckets. */
MCL_KERNEL(TILE_THREADS) bucket_gather(PARAMS_bucket_gather)
{
    MCL_SHARED(move_store, store);
    const env_type env = MAKE_env;
    const output_out out = MAKE_out;
    __global const out_type *const keys = MAKE_spare.data;
    __global const bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    __global const uint *const counts = ARRAY(uint, ranges);
    __global const uint8_t *const buckets = ARRAY(uint8_t, buckets);
    const key_place place = make_place(map, image_flip, range_bits, 1);
    const int id = (int)get_local_id(0);
    index_type first, last;
    int earlier = -1;
    load_entries(map, store->entries);
    find_ranges(env, counts, store->begins, store->tiles, store->sums);
    part_tiles(is_done(head) ? 0 : store->tiles[RANGES_MOST], (index_type)get_num_groups(0),
               (index_type)get_group_id(0), &first, &last);
    for (index_type tile = first; tile < last; ++tile) {
        const int range = range_of_tile(env, store->tiles, tile);
        const index_type begin = (tile - store->tiles[range]) * TILE_SIZE;
        const int count = tile_count(begin, (index_type)counts[range]);
        __global const out_type *const own = keys + store->begins[range] + begin + id;
        out_type kept[TILE_ITEMS];
        if (count == TILE_SIZE) {
            UNROLL
            for (int j = 0; j < TILE_ITEMS; ++j) kept[j] = own[j * TILE_THREADS];
        } else {
            UNROLL
            for (int j = 0; j < TILE_ITEMS; ++j) kept[j] = id + j * TILE_THREADS < count ? own[j * TILE_THREADS] : 0;
        }
        if (range != earlier)
            for (int k = id; k < 1 << SLICE_BITS; k += TILE_THREADS)
                store->buckets[k] = buckets[((int64_t)range << SLICE_BITS) + k];
        earlier = range;
        move_keys(env, kept, count, place, ARRAY(uint, cursors) + (int64_t)range * RANGE_BUCKETS,
                  (index_type)0x7fffffff, out, store);
    }
}

#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(FINISH_RESIDENT)

/* Pass 8: each group sorts buckets, one after the other. */
MCL_KERNEL(TILE_THREADS) bucket_finish(PARAMS_bucket_finish)
{
    MCL_SHARED(finish_store, store);
    const output_out out = MAKE_out;
    __global const bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    __global const bucket_record *const list = ARRAY(bucket_record, list);
    const quantile_root root = quantile_map_root(map);
    const int buckets = is_done(head) ? 0 : (int)head->buckets;
    for (int k = (int)get_group_id(0); k < buckets; k += (int)get_num_groups(0))
        finish_bucket(MAKE_env, list[k], root, map, (image_type)image_flip, out.data, store);
}

/* Pass 9: each group sorts crowds, one after the other. Another group may find out meanwhile that one is none, so that
 * head->unsorted is no condition: what is done to the keys leaves them a permutation. */
MCL_KERNEL(TILE_THREADS) bucket_crowds(PARAMS_bucket_crowds)
{
    MCL_SHARED(finish_store, store);
    const output_out out = MAKE_out;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global const bucket_record *const list = ARRAY(bucket_record, list);
    const int crowds = is_ordered(head) ? 0 : (int)head->crowds;
    for (int k = (int)get_group_id(0); k < crowds; k += (int)get_num_groups(0))
        finish_crowd(list[list_size - 1 - k], (image_type)image_flip, out.data, &head->unsorted, store);
}
