/* bucket_sort.cl: sorts keys by buckets. Keys are counted once and moved twice, from the top: to ranges, then in each
 * range to buckets. A group sorts a bucket in its memory.
 *   bucket_sample   takes samples, and clears the counters
 *   bucket_map      makes the map from keys to quantiles (bucket_map.clh)
 *   bucket_count    counts the keys of all slices, which are parts of ranges
 *   bucket_plan     makes buckets of slices, and decides whether the sort by buckets goes on
 *   bucket_part     moves keys to their ranges; or copies or reverses keys that are in order already
 *   bucket_gather   moves keys to their buckets, which bucket_finish.cl sorts
 * A tile takes the indices of its keys by atomic additions. So keys of a bucket come in any order, and no group waits
 * for another. (E. Stehle and H.-A. Jacobsen, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017: parts
 * from the top, and buckets in a group's memory.)
 *
 * Where buckets cannot sort the keys, head->unsorted becomes 1 and the passes of radix_sort.cl sort. Then the input
 * still holds the keys, or out holds them in some order. The causes are: a bucket is large and has many values; equal
 * keys differ in bits (zeros of both signs, NaN) and must keep their order; a few keys have bits that no sample has;
 * the sample shows that the usual passes are faster (map_begin); short keys are not in order, but their sample is.
 * Each is known before keys are moved, except a large bucket that only bucket_crowds finds to have many values.
 *
 * Values follow keys in bucket_pairs.cl, whose passes replace the last two. Equal keys keep their order then
 * (KEEPS_ORDER).
 *
 * Needs: index_type of 32 bits, TILE_THREADS TILE_ITEMS; BUCKET_MOST, the most keys of a bucket; WIDE_MOST, the most
 * keys of a bucket that a longer tile sorts, 0 where there is none; CROWD_LIMIT, the most keys of a larger bucket,
 * since with more the usual passes sort; KEEPS_ORDER; HELD_SLICES, the number of slices that a group counts, a multiple
 * of RANGE_SLICES; COUNT_TILES, the number of tiles whose work-items form such a group; RANGES_MOST, the largest number
 * of ranges, a power of two from RANGES_USUAL on; COUNT_BYTES and MOVE_BYTES, the work-group memory of the kernel that
 * counts and of the kernels that move; input keys; arrays spare and out of their stored bits; what radix_digit.clh
 * needs. KEYS_VARY: an expression gave the keys that were counted.
 *
 * Bounds: the map gives each key a quantile, whatever its bits are. Ranges, slices and buckets follow from it by shifts
 * and masks, so each is below the number of them. The keys that are moved were counted, unless an expression gives
 * other keys the second time. is_index drops such keys in bucket_part. bucket_gather takes the keys that bucket_part
 * has moved. It may find more keys in a slice than were counted, and is_index drops these, too. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define COUNTS_VARY KEYS_VARY
#define DIGIT_BITS 8
#include "facts/bucket_sort.h"
#include "pieces/words/bounded_index.clh"
#include "pieces/words/sample_of_part.clh"
#include "pieces/tile/part_range.clh"
#include "kernels/sort/radix_digit.clh"
#include "pieces/fold/index_sum.clh"
#include "pieces/scan/scan_group.clh"

#include "kernels/sort/bucket_record.clh"
#include "kernels/sort/bucket_map.clh"
#include "kernels/sort/bucket_move.clh"
#include "kernels/sort/bucket_cuts.clh"
#include "kernels/sort/bucket_ranges.clh"

/* Returns 1 where equal keys differ in bits, or keys have bits that no sample has. */
static inline int is_refused(__global const bucket_head *head)
{
    return head->strays != 0 || head->zeros == 3 ||
           (head->nan_set[0] & head->nan_clear[0]) || (head->nan_set[1] & head->nan_clear[1]);
}

/* Pass 1: takes samples, and compares each with the key after it. */
MCL_KERNEL(TILE_THREADS) bucket_sample(PARAMS_bucket_sample)
{
    MCL_SHARED(map_store, store);
    const input_keys keys = MAKE_keys;
    const output_spare sample = MAKE_spare;
    __global uint *const counts = ARRAY(uint, counts);
    const image_type flip = (image_type)image_flip;
    const image_type reference = keys.count > 0 ? image_of(key_bits(load_keys(keys, 0))) ^ flip : 0;
    const int id = (int)get_global_id(0);
    sample_seen own = sample_nothing();
    for (int64_t k = id; k < words; k += (int64_t)get_global_size(0)) counts[k] = 0;
    for (int k = id; k < samples; k += (int)get_global_size(0)) {
        const index_type index =
            keys.count > samples ? sample_of_part(keys.count, samples, k, sample_hash((uint)k)) : 0;
        const index_type after = index + 1 < keys.count ? index + 1 : index;
        const out_type bits = keys.count > 0 ? key_bits(load_keys(keys, index)) : 0;
        const image_type image = image_of(bits) ^ flip;
        const image_type next = keys.count > 0 ? image_of(key_bits(load_keys(keys, after))) ^ flip : image;
        own.low = image < own.low ? image : own.low;
        own.high = image > own.high ? image : own.high;
        own.differ |= image ^ reference;
        own.orders |= ORDER_OF(image, next);
        own.downs += next < image;
        store_spare(sample, k, bits);
    }
    sample_record(own, sample.data + samples, store);
}

/* Pass 2: makes the map. Where all samples are in order, the next pass checks the order of all keys. */
MCL_FEW_GROUPS_KERNEL(TILE_THREADS) bucket_map(PARAMS_bucket_map)
{
    MCL_SHARED(map_space, space);
    __local map_store *const store = &space->map;
    __global const out_type *const sample = MAKE_spare.data;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    const uint copies = map_copies(sample, samples, total, space->last);
    const sample_seen all = sample_recorded(sample + samples, sample_groups, store);
    __global quantile_map *const map = ARRAY(quantile_map, map);
    const int hard = map_begin(all, sample, samples, (image_type)image_flip, map, store) ||
                     map_repeats(all, copies, total);
    if (get_local_id(0) == 0) {
        head->sample_orders = hard ? all.orders | SAMPLE_IS_HARD : all.orders;
        head->orders = all.orders;
        if (hard) refuse_keys(head);
    }
    GROUP_LEAVES_IF(hard);
    map_make(MAKE_env, sample, samples, (image_type)image_flip, 32 - SLICE_BITS - range_bits, map, store);
}

/* Without this bound ptxas spills some registers to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)

/* A group that counts takes much of a compute unit's memory, so it has the work-items of COUNT_TILES tiles. */
#define COUNT_THREADS (COUNT_TILES * TILE_THREADS)
enum {
    COUNT_ITEMS = KEY_BITS == 64 ? 3 : 8, /* number of keys that a work-item loads at once; more would spill */
    COUNTER_BITS = 16,
    /* half of a counter's range, since other work-items may add COUNT_ITEMS each before it is emptied */
    COUNTER_FULL = 1 << 15
};

typedef struct {
    uint counts[HELD_SLICES / 2]; /* two counters in a word */
    quantile_held map;
} count_store;

/* The bits of a work-item's zeros and NaN: equal keys that may differ in bits. */
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

/* The global counters of slices and ranges, and the first slice that the group counts. */
typedef struct {
    __global uint *slices, *ranges;
    uint first;
} counted_slices;

static inline void add_slice(const counted_slices to, const uint slice, const uint count)
{
    (void)atomic_add_global(to.slices + slice, count);
    (void)atomic_add_global(to.ranges + slice / RANGE_SLICES, count);
}

/* Adds to a slice's counter, if the group holds that counter. A full counter is emptied into the global counter. */
static INLINED void count_slice(const counted_slices to, const uint slice, const uint count, __local uint *counts)
{
    const uint held = slice - to.first;
    if (held >= HELD_SLICES) return;
    const int shift = (int)(held % 2) * COUNTER_BITS;
    const uint before = atomic_add_local(counts + held / 2, count << shift) >> shift & ((1u << COUNTER_BITS) - 1);
    if (before < COUNTER_FULL && before + count >= COUNTER_FULL) {
        (void)atomic_add_local(counts + held / 2, 0u - ((uint)COUNTER_FULL << shift));
        add_slice(to, slice, COUNTER_FULL);
    }
}

/* Counts a work-item's keys by slice. Where all of them lie in one slice, they are added at once. */
static INLINED void count_slices(const counted_slices to, const uint *slices, const int count, __local uint *counts)
{
    int same = count == COUNT_ITEMS;
    UNROLL
    for (int j = 1; j < COUNT_ITEMS; ++j) same &= slices[j] == slices[0];
    if (same) {
        count_slice(to, slices[0], COUNT_ITEMS, counts);
    } else {
        UNROLL
        for (int j = 0; j < COUNT_ITEMS; ++j)
            if (j < count) count_slice(to, slices[j], 1, counts);
    }
}

/* Adds a group's counters to the global counters. A work-item begins a range's sum at the counter of its own id, so
 * that neighbouring work-items read different banks. */
static INLINED void give_counts(const counted_slices to, const uint slices, __local const uint *counts)
{
    const uint id = (uint)get_local_id(0);
    for (uint k = id; k < slices; k += COUNT_THREADS) {
        const uint found = counts[k / 2] >> (k % 2 * COUNTER_BITS) & ((1u << COUNTER_BITS) - 1);
        if (found > 0) (void)atomic_add_global(to.slices + to.first + k, found);
    }
    for (uint range = id; range < slices / RANGE_SLICES; range += COUNT_THREADS) {
        uint sum = 0;
        for (uint k = 0; k < RANGE_SLICES / 2; ++k) {
            const uint two = counts[range * (RANGE_SLICES / 2) + (k + id) % (RANGE_SLICES / 2)];
            sum += (two & ((1u << COUNTER_BITS) - 1)) + (two >> COUNTER_BITS);
        }
        if (sum > 0) (void)atomic_add_global(to.ranges + to.first / RANGE_SLICES + range, sum);
    }
}

/* Returns how many of the COUNT_ITEMS indices k, k + COUNT_THREADS and so on are below end. */
static inline int items_before(const index_type k, const index_type end)
{
    const index_type rest = end > k ? (end - k + COUNT_THREADS - 1) / COUNT_THREADS : 0;
    return rest < COUNT_ITEMS ? (int)rest : COUNT_ITEMS;
}

/* Loads a work-item's keys. All loads start before the first is used. */
static INLINED void load_batch(const input_keys own, const int there, out_type *kept)
{
    if (there == COUNT_ITEMS) {
        UNROLL
        for (int j = 0; j < COUNT_ITEMS; ++j) kept[j] = key_bits(load_keys(own, j * COUNT_THREADS));
    } else {
        UNROLL
        for (int j = 0; j < COUNT_ITEMS; ++j) kept[j] = j < there ? key_bits(load_keys(own, j * COUNT_THREADS)) : 0;
    }
}

/* Returns the orders (ORDER_OF) of each of a work-item's keys and the key after it. rest: number of keys from the
 * work-item's first key on. */
static INLINED uint orders_of(const input_keys own, const out_type *kept, const int there, const index_type rest,
                              const image_type flip)
{
    uint orders = 0;
    UNROLL
    for (int j = 0; j < COUNT_ITEMS; ++j) {
        if (j >= there || j * COUNT_THREADS + 1 >= rest) continue;
        const image_type image = image_of(kept[j]) ^ flip;
        const image_type next = image_of(key_bits(load_keys(own, j * COUNT_THREADS + 1))) ^ flip;
        orders |= ORDER_OF(image, next);
    }
    return orders;
}

static INLINED void images_of(const out_type *kept, const image_type flip, image_type *images)
{
    UNROLL
    for (int j = 0; j < COUNT_ITEMS; ++j) images[j] = image_of(kept[j]) ^ flip;
}

static INLINED void quantiles_of_batch(const quantile_root root, __local const quantile_held *held,
                                       __global const quantile_map *map, const image_type *images, uint *quantiles)
{
    UNROLL
    for (int j = 0; j < COUNT_ITEMS; j += QUANTILE_BATCH) {
        const int rest = COUNT_ITEMS - j;
        quantiles_of(root, held, map, images + j, rest < QUANTILE_BATCH ? rest : QUANTILE_BATCH, quantiles + j);
    }
}

/* Notes the orders of the keys [begin, end) and the keys after them. */
static INLINED void look_at_orders(const input_keys keys, const index_type begin, const index_type end,
                                   const image_type flip, __global bucket_head *head)
{
    uint orders = 0;
    for (index_type k = begin + (int)get_local_id(0); k < end; k += COUNT_ITEMS * COUNT_THREADS) {
        const input_keys own = shift_keys(keys, k);
        const int there = items_before(k, end);
        out_type kept[COUNT_ITEMS];
        load_batch(own, there, kept);
        orders |= orders_of(own, kept, there, keys.count - k, flip);
    }
    if (orders > 0) (void)atomic_or_global(&head->orders, orders);
}

/* The values that bucket_count knows before it counts. */
typedef struct {
    __global const quantile_map *map;
    quantile_root root;
    image_type flip;
    int slice_shift, looks_at_order;
    counted_slices to;
} count_plan;

/* Counts the keys [begin, end), and stores in head the properties that it finds. */
static INLINED void count_part(const count_plan plan, const input_keys keys, const index_type begin,
                               const index_type end, __global bucket_head *head, __local count_store *store)
{
    const int has_gaps = plan.map->gap_count > 0;
    uint orders = 0, strays = 0;
    odd_keys odd;
    odd.zeros = 0;
    odd.nan_set = odd.nan_clear = 0;
    for (index_type k = begin + (int)get_local_id(0); k < end; k += COUNT_ITEMS * COUNT_THREADS) {
        const input_keys own = shift_keys(keys, k);
        const int there = items_before(k, end);
        out_type kept[COUNT_ITEMS];
        image_type images[COUNT_ITEMS];
        uint slices[COUNT_ITEMS];
        load_batch(own, there, kept);
        images_of(kept, plan.flip, images);
        quantiles_of_batch(plan.root, &store->map, plan.map, images, slices);
        UNROLL
        for (int j = 0; j < COUNT_ITEMS; ++j) {
            if (j < there) find_odd_keys(kept[j], &odd);
            if (j < there && has_gaps) strays |= (uint)quantile_is_stray(plan.map, images[j]);
            slices[j] >>= plan.slice_shift;
        }
        if (plan.looks_at_order) orders |= orders_of(own, kept, there, keys.count - k, plan.flip);
        count_slices(plan.to, slices, there, store->counts);
    }
    if (orders > 0) (void)atomic_or_global(&head->orders, orders);
    if (strays > 0) (void)atomic_or_global(&head->strays, 1);
    note_odd_keys(odd, head);
}

/* Pass 3: counts the keys of each slice and range, and finds their order, or finds the order alone. Where a group
 * cannot hold all counters, several groups read the same keys, and each counts some of the slices. shares is their
 * number. */
MCL_FEW_GROUPS_KERNEL(COUNT_THREADS) bucket_count(PARAMS_bucket_count)
{
    MCL_SHARED_AT_LAUNCH(count_store, store, COUNT_BYTES);
    const input_keys keys = MAKE_keys;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    /* number of groups that read the same keys */
    const int alone = looks_at_order_alone(head), readers = alone ? 1 : shares;
    const int share = (int)get_group_id(0) % readers;
    const uint all = (uint)RANGE_SLICES << range_bits, held = all < HELD_SLICES ? all : HELD_SLICES;
    count_plan plan;
    index_type begin, end;
    GROUP_LEAVES_IF(is_hard(head));
    plan.map = ARRAY(quantile_map, map);
    plan.root = quantile_map_root(plan.map);
    plan.flip = (image_type)image_flip;
    plan.slice_shift = 32 - SLICE_BITS - range_bits;
    /* not head->orders, which other groups change */
    plan.looks_at_order = share == 0 && is_one_order(head->sample_orders);
    plan.to.slices = ARRAY(uint, slices);
    plan.to.ranges = ARRAY(uint, ranges);
    plan.to.first = (uint)share * HELD_SLICES;
    part_range(is_hard(head) ? 0 : keys.count, (index_type)((int)get_num_groups(0) / readers),
               (index_type)((int)get_group_id(0) / readers), &begin, &end);
    if (alone) {
        look_at_orders(keys, begin, end, plan.flip, head);
        end = begin;
    }
    GROUP_LEAVES_IF(alone);
    quantile_hold(plan.map, COUNT_THREADS, &store->map);
    for (uint k = (uint)get_local_id(0); k < held / 2; k += COUNT_THREADS) store->counts[k] = 0;
    group_barrier();
    count_part(plan, keys, begin, end, head, store);
    group_barrier();
    give_counts(plan.to, held, store->counts);
}

#define LONGEST_MOST (WIDE_MOST > 0 ? WIDE_MOST : BUCKET_MOST)

/* Stores in a bucket's record where its images begin, and how they are scaled. Its quantiles are first to last. */
static inline void note_images(const env_type env, __global const quantile_map *map, const uint first, const uint last,
                               bucket_record *bucket)
{
    const image_type low = quantile_image(env, map, first, 0), end = quantile_image(env, map, last, 1);
    const image_type span = end > low ? end - low : 1;
    bucket->low = low;
    bucket->lead = IMAGE_SHIFTS - highest_image_bit(span);
    const int bins = bucket->count > BUCKET_MOST ? LONGEST_MOST : BUCKET_MOST;
    bucket->scale = (uint)(((ulong)bins << 32) / ((ulong)quantile_raised(bucket->lead, span) + 1));
}

/* Stores the record of a bucket for the longer tile. Where many short keys are in such buckets, keys repeat so often
 * that the usual passes are faster. Long keys have more of these passes. */
static inline void note_wide(__global bucket_record *list, const bucket_record bucket, const int total,
                             __global bucket_head *head)
{
    const uint before = atomic_add_global(&head->wide_keys, (uint)bucket.count);
    list[(int)atomic_increment_global(&head->wides)] = bucket;
    if (KEY_BITS == 32 && before + (uint)bucket.count > (uint)total / 8 * WIDE_EIGHTHS) refuse_keys(head);
}

/* Stores a bucket's record for bucket_finish. Equal keys get count 0, since they need no sort. Larger buckets are for
 * its longer tile, whose records begin at first_wide, or for bucket_crowds. */
static inline void note_bucket(__global bucket_record *list, const index_type place, const int first_wide,
                               const int list_size, const int total, const bucket_record bucket, const int is_equal,
                               __global bucket_head *head)
{
    bucket_record noted = bucket;
    if (is_equal || bucket.count > BUCKET_MOST) noted.count = 0;
    list[place] = noted;
    if (is_equal || bucket.count <= BUCKET_MOST) return;
    if (bucket.count <= WIDE_MOST) note_wide(list + first_wide, bucket, total, head);
    else if (bucket.count > CROWD_LIMIT) refuse_keys(head);
    else list[list_size - 1 - (int)atomic_increment_global(&head->crowds)] = bucket;
}

/* Pass 4: each group makes buckets of one range's slices. */
MCL_KERNEL(TILE_THREADS) bucket_plan(PARAMS_bucket_plan)
{
    MCL_SHARED(plan_store, store);
    const env_type env = MAKE_env;
    const int id = (int)get_local_id(0), range = (int)get_group_id(0);
    const int64_t slices_before = (int64_t)range << SLICE_BITS;
    const int slice_shift = 32 - SLICE_BITS - range_bits;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global uint *const cursors = ARRAY(uint, cursors) + slices_before;
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    const int is_uncounted = looks_at_order_alone(head) && !is_ordered(head);
    const int refused = is_refused(head) || is_uncounted, done = refused || is_ordered(head) || is_hard(head);
    if (id == 0 && range == 0 && refused) refuse_keys(head);
    GROUP_LEAVES_IF(done);
    find_ranges(env, ARRAY(uint, ranges), store->range_begins, store->tiles, store->sums);
    const index_type made = cut_range(env, ARRAY(uint, slices) + slices_before, store->range_begins[range],
                                      ARRAY(uint16_t, buckets) + slices_before, store);
    if (id == 0) store->at = done ? 0 : (index_type)atomic_add_global(&head->buckets, (uint)made);
    group_barrier();
    for (index_type k = made + id; k < RANGE_SLICES; k += TILE_THREADS) cursors[k] = (uint)store->begins[made];
    for (index_type k = id; k < (done ? 0 : made); k += TILE_THREADS) {
        const uint slices = (uint)(store->ends[k] - store->slices[k]);
        bucket_record record;
        record.begin = store->begins[k];
        record.count = store->begins[k + 1] - record.begin;
        const uint first = ((uint)slices_before | (uint)store->slices[k]) << slice_shift;
        const uint last = first + (slices << slice_shift) - 1;
        cursors[k] = (uint)record.begin;
        note_images(env, map, first, last, &record);
        note_bucket(ARRAY(bucket_record, list), store->at + k, RANGE_SLICES << range_bits, list_size, total, record,
                    slices == 1 && quantile_is_exact(env, map, first, last), head);
    }
}

#if !KEEPS_ORDER
/* Copies keys that are in order to out, or reverses keys in the opposite order. out may be the keys' memory. */
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

/* Pass 5: each group moves the keys of a part to their ranges. */
MCL_KERNEL(TILE_THREADS) bucket_part(PARAMS_bucket_part)
{
    MCL_SHARED_AT_LAUNCH(move_store, store, MOVE_BYTES);
    const env_type env = MAKE_env;
    const input_keys keys = MAKE_keys;
    const output_out out = MAKE_out;
    const output_spare spare = MAKE_spare;
    __global bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    const key_place place = make_place(map, image_flip, range_bits, 0);
    const int ordered = is_ordered(head);
    const int id = (int)get_local_id(0);
    index_type first, last;
    output_out to;
    to.data = spare.data;
    if (ordered) move_ordered(keys, out, in_place, head->orders == ORDER_DOWN);
    GROUP_LEAVES_IF(is_done(head));
    quantile_hold(map, TILE_THREADS, &store->places.map);
    find_ranges(env, ARRAY(uint, ranges), store->begins, store->tiles, store->of.sums);
    part_tiles(is_done(head) ? 0 : tile_number(keys.count), (index_type)get_num_groups(0),
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

/* Pass 6: moves the keys of the ranges' tiles to their buckets. Groups take tiles in turn, so that few ranges are
 * written at once. So the cache lines of the buckets are full before they leave the cache. */
MCL_KERNEL(TILE_THREADS) bucket_gather(PARAMS_bucket_gather)
{
    MCL_SHARED_AT_LAUNCH(move_store, store, MOVE_BYTES);
    const env_type env = MAKE_env;
    const output_out out = MAKE_out;
    __global const out_type *const keys = MAKE_spare.data;
    __global const bucket_head *const head = ARRAY(bucket_head, head);
    __global const quantile_map *const map = ARRAY(quantile_map, map);
    __global const uint *const counts = ARRAY(uint, ranges);
    __global const uint16_t *const buckets = ARRAY(uint16_t, buckets);
    const key_place place = make_place(map, image_flip, range_bits, 1);
    const int id = (int)get_local_id(0);
    GROUP_LEAVES_IF(is_done(head));
    quantile_hold(map, TILE_THREADS, &store->places.map);
    find_ranges(env, counts, store->begins, store->tiles, store->of.sums);
    if (id == 0 && is_done(head)) store->tiles[RANGES_MOST] = 0;
    group_barrier();
    for (index_type tile = (index_type)get_group_id(0); tile < store->tiles[RANGES_MOST];
         tile += (index_type)get_num_groups(0)) {
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
        for (int k = id; k < RANGE_SLICES; k += TILE_THREADS)
            store->places.buckets[k] = buckets[((int64_t)range << SLICE_BITS) + k];
        move_keys(env, kept, count, place, ARRAY(uint, cursors) + ((int64_t)range << SLICE_BITS), (index_type)total,
                  out, store);
    }
}
#endif
