/* join_table.cl: joins a large sequence with a small one, which is sorted and becomes a hash table. One work-item does
 * all of a part. Passes:
 *   join_table_fill    enters the first of equal keys of the small sequence, its head
 *   join_table_look    finds the head of each key of the large sequence, and counts the keys of each head in each part
 *   join_table_scan    turns the counts into places, in the order of heads, and of parts for each head; counts rows
 *   join_table_place   moves what each key of the large sequence carries to its place, an index in array moved
 *   join_table_rows    stores the rows in their order
 * Heads follow each other in the order of keys, and so do the rows. A key without a partner has head m, the number of
 * keys of the small sequence: what it carries comes last.
 * HAS_BUCKETS: there are many heads, and passes of join_table_buckets.clh come between join_table_look and
 * join_table_scan. They move the keys into buckets of 2^bucket_bits heads each. Then a key's place is near those of the
 * keys before it, in a core's first cache. join_table_look counts the keys of each bucket instead.
 * Needs: index_type TILE_THREADS TILE_ITEMS; numbers as keys; inputs large, small, carried and order; outputs
 * out_large, out_small; count; slot_bits, parts, capacity, bucket_bits; JOIN_KIND; FLOAT_BYTES: the size of keys that
 * are floats, else 0; DESCENDS: the small sequence is descending; LARGE_IS_A; HAS_BUCKETS. RESTORES_LARGE,
 * RESTORES_SMALL: a row has what the key of the side carries (for the small side in order), else the key's place or its
 * head.
 *
 * Bounds, whatever the keys are: a slot is an index below the slots by a mask. A head is at most m. Places are sums of
 * the counts of keys that the same parts place. A search takes at most PROBES_MOST steps. A key that finds no slot by
 * then is not entered, and a later search for it goes on in the small sequence. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "facts/join.h"
#include "pieces/search/table_slot.clh"
#include "pieces/tile/next_line.clh"
#include "pieces/tile/part_range.clh"

enum { PROBES_MOST = 32 };

typedef large_type join_key;
#include "kernels/join/join_image.clh"

typedef struct {
    key_image key;
    uint head;
} join_slot;

/* Returns 1 where key p comes before key q. NaN comes after every number. */
static INLINED int comes_before(const large_type p, const large_type q)
{
#if FLOAT_BYTES
    return !(p >= q) & (p == p);
#else
    return p < q;
#endif
}

/* Returns the slot at which a search for a key begins. */
static INLINED int first_slot(const int bits, const key_image key)
{
    return TABLE_SLOT(bits, key, 0);
}

#define BINARY_SEARCH head_in_order
#define RUN input_small
#define RUN_KEY large_type
#define RUN_BEFORE(env, run, i, key) \
    (DESCENDS ? comes_before(key, load_small(run, i)) : comes_before(load_small(run, i), key))
#include "pieces/search/binary_search.clh"

/* Returns the head of a key that may have no slot, by a search in the small sequence. */
static INLINED uint head_beside(const env_type env, const operands_type o, const large_type key)
{
    const index_type count = o.small.count, head = head_in_order(env, o.small, 0, count, key);
    return head < count && image_of(load_small(o.small, head)) == image_of(key) ? (uint)head : (uint)count;
}

/* Returns the head of a key. A free slot has head m, which says that the key has no partner. */
static INLINED uint head_of(const env_type env, const operands_type o, __global const join_slot *slots,
                            const large_type key)
{
    const int mask = (1 << o.slot_bits) - 1;
    const key_image image = image_of(key);
    int slot = first_slot(o.slot_bits, image);
    for (int probe = 0; probe < PROBES_MOST; ++probe) {
        const join_slot seen = slots[slot];
        if (seen.key == image || seen.head == (uint)o.small.count) return seen.head;
        slot = (slot + 1) & mask;
    }
    return head_beside(env, o, key);
}

static INLINED void enter_head(__global join_slot *slots, const int bits, const uint none, const key_image key,
                               const uint head)
{
    int slot = first_slot(bits, key);
    for (int probe = 0; probe < PROBES_MOST; ++probe) {
        if (slots[slot].head == none) {
            slots[slot].key = key;
            slots[slot].head = head;
            return;
        }
        slot = (slot + 1) & ((1 << bits) - 1);
    }
}

/* Returns 1 where key k of the small sequence is a head: the key before it is not equal. */
static INLINED int is_head(const input_small small, const index_type k)
{
    return k == 0 || image_of(load_small(small, k)) != image_of(load_small(small, k - 1));
}

MCL_KERNEL(TILE_THREADS) join_table_fill(PARAMS_join_table_fill)
{
    operands_type o;
    TAKE_join_table_fill(o);
    __global join_slot *const slots = ARRAY(join_slot, slots);
    const uint none = (uint)o.small.count;
    if (get_global_id(0) == 0) {
        for (int slot = 0; slot < 1 << o.slot_bits; ++slot) {
            slots[slot].key = 0;
            slots[slot].head = none;
        }
        for (index_type k = 0; k < o.small.count; ++k)
            if (is_head(o.small, k)) enter_head(slots, o.slot_bits, none, image_of(load_small(o.small, k)), (uint)k);
    }
}

enum {
    BATCH_KEYS = 32,
    FORESEEN_BITS = 12, /* with at most 2^FORESEEN_BITS slots a processor predicts the searches */
    NEAR_BITS = 15,     /* with at most 2^NEAR_BITS slots a core's second cache holds the table */
    NEAR_HEADS = 512    /* a core's first cache has a line for each of this number of heads, beside other data */
};

/* Finds the first slots of a batch of keys, and prefetches them where the table is large. */
static INLINED void batch_slots(const operands_type o, __global const join_slot *slots, const index_type first, int *at)
{
    for (int j = 0; j < BATCH_KEYS; ++j) at[j] = first_slot(o.slot_bits, image_of(load_large(o.large, first + j)));
    if (o.slot_bits <= NEAR_BITS) return;
    for (int j = 0; j < BATCH_KEYS; ++j) prefetch_load(slots + at[j]);
}

/* Finds the heads of a batch of keys. Most searches end in the first slot, and most of the others in the second one. No
 * branch depends on where a search ends, since the processor could not predict it. Compilers vectorize the hashes. */
static INLINED void look_up_batch(const env_type env, const operands_type o, __global const join_slot *slots,
                                  __global uint *heads, const index_type first, const int *at)
{
    const int mask = (1 << o.slot_bits) - 1;
    const uint none = (uint)o.small.count;
    int others[BATCH_KEYS], other_count = 0, last_count = 0;
    for (int j = 0; j < BATCH_KEYS; ++j) {
        const join_slot seen = slots[at[j]];
        heads[first + j] = seen.head;
        others[other_count] = j;
        other_count += (seen.key != image_of(load_large(o.large, first + j))) & (seen.head != none);
    }
    for (int k = 0; k < other_count; ++k) {
        const int j = others[k];
        const join_slot seen = slots[(at[j] + 1) & mask];
        heads[first + j] = seen.head;
        others[last_count] = j;
        last_count += (seen.key != image_of(load_large(o.large, first + j))) & (seen.head != none);
    }
    for (int k = 0; k < last_count; ++k) {
        const index_type other = first + others[k];
        heads[other] = head_of(env, o, slots, load_large(o.large, other));
    }
}

/* Returns 1 where all keys of a batch have one head, or one bucket of 2^bits heads. Such keys are done at once: one by
 * one, each key would wait for the key before it. */
static INLINED int is_one_head(__global const uint *heads, const index_type first, const int bits)
{
    uint differs = 0;
    for (int j = 0; j < BATCH_KEYS; ++j) differs |= heads[first + j] ^ heads[first];
    return differs >> bits == 0;
}

/* Counts the heads of a batch, or their buckets of 2^bits heads. */
static INLINED void count_batch(__global const uint *heads, const index_type first, const int bits,
                                __global index_type *counts)
{
    if (is_one_head(heads, first, bits)) counts[heads[first] >> bits] += BATCH_KEYS;
    else
        for (int j = 0; j < BATCH_KEYS; ++j) counts[heads[first + j] >> bits] += 1;
}

/* Where keys have buckets, join_table_look counts buckets and not heads. */
#if HAS_BUCKETS
#define COUNTED_BITS(o) (o).bucket_bits
#define COUNTED_ARRAY ARRAY(index_type, bucket_places)
#define PART_STEP(o) ((index_type)1 << (o).bucket_bits)
#else
#define COUNTED_BITS(o) 0
#define COUNTED_ARRAY ARRAY(index_type, places)
#define PART_STEP(o) ((o).small.count + 1)
#endif
/* The places of part p begin at p * PART_STEP. A part has a place for each head; with buckets, for the heads of its own
 * buckets alone. Two neighbours share one bucket at most, so their places do not overlap. */

/* Looks up and counts whole batches of keys from begin on. Returns the first key after them. */
static INLINED index_type look_up_batches(const env_type env, const operands_type o, __global const join_slot *slots,
                                          __global uint *heads, __global index_type *counts, const index_type begin,
                                          const index_type end)
{
    const int is_foreseen = o.slot_bits <= FORESEEN_BITS;
    int at[BATCH_KEYS], next[BATCH_KEYS];
    index_type first = begin;
    if (end - begin >= BATCH_KEYS && !is_foreseen) batch_slots(o, slots, begin, next);
    for (; end - first >= BATCH_KEYS; first += BATCH_KEYS) {
        if (!is_foreseen) {
            for (int j = 0; j < BATCH_KEYS; ++j) at[j] = next[j];
            if (end - first >= 2 * BATCH_KEYS) batch_slots(o, slots, first + BATCH_KEYS, next);
        }
        if (is_foreseen)
            for (int j = 0; j < BATCH_KEYS; ++j)
                heads[first + j] = head_of(env, o, slots, load_large(o.large, first + j));
        else
            look_up_batch(env, o, slots, heads, first, at);
        count_batch(heads, first, COUNTED_BITS(o), counts);
    }
    return first;
}

MCL_KERNEL(TILE_THREADS) join_table_look(PARAMS_join_table_look)
{
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_join_table_look(o);
    __global const join_slot *const slots = ARRAY(join_slot, slots);
    __global uint *const heads = ARRAY(uint, heads);
    const index_type length = (o.small.count >> COUNTED_BITS(o)) + 1, part = (index_type)get_group_id(0);
    __global index_type *const counts = COUNTED_ARRAY + part * length;
    index_type begin, end;
    part_range(o.large.count, (index_type)get_num_groups(0), part, &begin, &end);
    if (get_local_id(0) == 0) {
        for (index_type k = 0; k < length; ++k) counts[k] = 0;
        for (index_type k = look_up_batches(env, o, slots, heads, counts, begin, end); k < end; ++k) {
            const uint head = head_of(env, o, slots, load_large(o.large, k));
            heads[k] = head;
            counts[head >> COUNTED_BITS(o)] += 1;
        }
    }
}

/* A range of parts: [begin, end). */
typedef struct {
    index_type begin, end;
} part_span;

/* Turns the counts of one head in these parts into places, from first on. Returns the place after the head's last key.
 * step: the distance from the count of one part to the count of the next part. */
static INLINED index_type scan_head(__global index_type *places, const index_type step, const part_span parts,
                                    const index_type first)
{
    index_type next = first;
    for (index_type part = parts.begin; part < parts.end; ++part) {
        const index_type count = places[part * step];
        places[part * step] = next;
        next += count;
    }
    return next;
}

/* PARTS_AT(o, head, before): the parts that have counts of a head. before: the parts of the previous head. */
#if HAS_BUCKETS
#include "kernels/join/join_table_buckets.clh"
#define PARTS_AT(o, head, before) parts_at(o, ARRAY(index_type, starts), head, before)
#else
static INLINED part_span all_parts(const operands_type o)
{
    const part_span all = {0, (index_type)o.parts};
    return all;
}
#define PARTS_AT(o, head, before) all_parts(o)
#endif

/* Returns the number of keys of the small sequence that equal the key at head. */
static INLINED index_type run_length(const input_small small, const index_type head)
{
    index_type end = head + 1;
    while (end < small.count && !is_head(small, end)) ++end;
    return end - head;
}

#define ALWAYS_ALONE (!LARGE_IS_A & ((JOIN_KIND == JOIN_SEMI) | (JOIN_KIND == JOIN_ANTI)))
#define SOMETIMES_ALONE (JOIN_KIND == (LARGE_IS_A ? JOIN_RIGHT : JOIN_LEFT))
/* Is 1 where rows of keys of the small sequence without a partner come after all other rows. */
#define ALONE_COMES_LAST (LARGE_IS_A & (JOIN_KIND == JOIN_RIGHT))
/* Returns 1 where a head has no keys in the large sequence, and its rows are its run: a row for each key of the run. */
static INLINED int is_run_alone(const index_type keys)
{
    return ALWAYS_ALONE | (SOMETIMES_ALONE & (keys == 0));
}

/* Returns the number of rows of a head. keys is the number of keys of the large sequence that equal the head. */
static INLINED int64_t head_rows(const input_small small, const index_type head, const index_type keys)
{
    const int has_partner = keys > 0, needs_partner = JOIN_KIND != JOIN_ANTI;
    if (JOIN_KIND != JOIN_LEFT && has_partner != needs_partner) return 0;
    if ((JOIN_KIND == JOIN_SEMI) & LARGE_IS_A) return (int64_t)keys;
    const int64_t run = (int64_t)run_length(small, head);
    return is_run_alone(keys) ? run : run * (int64_t)keys;
}

/* Stores in bases the first row of each head without a partner. These rows come after the first pairs rows. Returns the
 * number of all rows. */
static INLINED int64_t scan_last(const input_small small, __global const index_type *firsts, __global int64_t *bases,
                                 const int64_t pairs)
{
    int64_t rows = pairs;
    for (index_type k = 0; k < small.count; ++k) {
        bases[k] = rows;
        if (is_head(small, k) && firsts[k] == firsts[k + 1]) rows += (int64_t)run_length(small, k);
    }
    bases[small.count] = rows;
    return rows;
}

/* Stores in firsts the place of each head's first key, and in bases the head's first row. A key that is no head gets
 * the numbers of the next head. */
MCL_KERNEL(TILE_THREADS) join_table_scan(PARAMS_join_table_scan)
{
    operands_type o;
    TAKE_join_table_scan(o);
    __global index_type *const places = ARRAY(index_type, places), *const firsts = ARRAY(index_type, firsts);
    __global int64_t *const bases = ARRAY(int64_t, bases);
    part_span span = {0, 0};
    index_type place = 0;
    int64_t rows = 0;
    if (get_global_id(0) == 0) {
        for (index_type k = 0; k < o.small.count; ++k) {
            const index_type first = place;
            firsts[k] = place;
            bases[k] = rows;
            span = PARTS_AT(o, k, span);
            if (!is_head(o.small, k)) continue;
            place = scan_head(places + k, PART_STEP(o), span, place);
            rows += head_rows(o.small, k, place - first);
        }
        firsts[o.small.count] = place;
        bases[o.small.count] = rows;
        span = PARTS_AT(o, o.small.count, span);
        (void)scan_head(places + o.small.count, PART_STEP(o), span, place);
        if (ALONE_COMES_LAST) rows = scan_last(o.small, firsts, bases + o.small.count, rows);
        if (o.has_count) store_count(o.count, 0, rows);
    }
}

#ifdef PARAMS_join_table_place
/* The keys in the order in which they are placed: their heads, and what they carry. */
#if HAS_BUCKETS
typedef __global const carried_type *placed_values;
#define PLACED_HEADS ARRAY(uint, bucket_heads)
#define PLACED_VALUES ARRAY(carried_type, bucket_carried)
#define PLACED_VALUE(values, k) (values)[k]
#else
typedef input_carried placed_values;
#define PLACED_HEADS ARRAY(uint, heads)
#define PLACED_VALUES o.carried
#define PLACED_VALUE(values, k) load_carried(values, k)
#endif

/* Stores what a batch of keys carries at their places. */
static INLINED void place_batch(__global carried_type *moved, __global index_type *places, __global const uint *heads,
                                const placed_values values, const index_type first)
{
    for (int j = 0; j < BATCH_KEYS; ++j) {
        const index_type place = places[heads[first + j]]++;
        moved[place] = PLACED_VALUE(values, first + j);
        if (!HAS_BUCKETS) prefetch_next_line(moved + place);
    }
}

/* As place_batch, for more heads than NEAR_HEADS: a core's first cache does not hold the lines of all. A store waits
 * for those before it, so the lines of a batch are fetched first. */
static INLINED void place_wide_batch(__global carried_type *moved, __global index_type *places,
                                     __global const uint *heads, const placed_values values, const index_type first)
{
    index_type at[BATCH_KEYS];
    for (int j = 0; j < BATCH_KEYS; ++j) {
        at[j] = places[heads[first + j]]++;
        prefetch_store(moved + at[j]);
    }
    for (int j = 0; j < BATCH_KEYS; ++j) {
        moved[at[j]] = PLACED_VALUE(values, first + j);
        prefetch_next_line(moved + at[j]);
    }
}

MCL_KERNEL(TILE_THREADS) join_table_place(PARAMS_join_table_place)
{
    operands_type o;
    TAKE_join_table_place(o);
    __global const uint *const heads = PLACED_HEADS;
    const placed_values values = PLACED_VALUES;
    const index_type part = (index_type)get_group_id(0);
    __global index_type *const places = ARRAY(index_type, places) + part * PART_STEP(o);
    __global carried_type *const moved = ARRAY(carried_type, moved);
    const int is_wide = !HAS_BUCKETS && o.small.count > NEAR_HEADS;
    index_type k, end;
    part_range(o.large.count, (index_type)get_num_groups(0), part, &k, &end);
    if (get_local_id(0) == 0) {
        for (; end - k >= BATCH_KEYS; k += BATCH_KEYS) {
            if (is_one_head(heads, k, 0)) {
                const index_type place = places[heads[k]];
                places[heads[k]] = place + BATCH_KEYS;
                for (int j = 0; j < BATCH_KEYS; ++j) moved[place + j] = PLACED_VALUE(values, k + j);
            } else if (is_wide)
                place_wide_batch(moved, places, heads, values, k);
            else
                place_batch(moved, places, heads, values, k);
        }
        for (; k < end; ++k) moved[places[heads[k]]++] = PLACED_VALUE(values, k);
    }
}
#endif

/* ---- rows -------------------------------------------------------------------------------------------------------- */

#ifdef PARAMS_join_table_rows
static INLINED void store_row(const operands_type o, __global const carried_type *moved, const index_type row,
                              const index_type place, const index_type head)
{
#if RESTORES_LARGE
    if (HAS_out_large) store_out_large(o.out_large, row, moved[place]);
#else
    (void)moved;
    if (HAS_out_large) store_out_large(o.out_large, row, (out_large_type)place);
#endif
#if RESTORES_SMALL
    if (HAS_out_small) store_out_small(o.out_small, row, load_order(o.order, head));
#else
    if (HAS_out_small) store_out_small(o.out_small, row, (out_small_type)head);
#endif
}

/* Stores count rows from row on, for keys of the small sequence from head on. These rows have no partner. */
static INLINED void store_run(const operands_type o, const index_type row, const index_type count,
                              const index_type head)
{
    for (index_type k = 0; k < count; ++k) {
        if (HAS_out_large) store_out_large(o.out_large, row + k, (out_large_type)-1);
#if RESTORES_SMALL
        if (HAS_out_small) store_out_small(o.out_small, row + k, load_order(o.order, head + k));
#else
        if (HAS_out_small) store_out_small(o.out_small, row + k, (out_small_type)(head + k));
#endif
    }
}

/* Stores rows [row, row + count) of a head. The rows pair the head's keys in the large sequence, from place first on,
 * with the head's run in the small one. skipped is the number of the head's rows before row. */
static INLINED void store_rows(const operands_type o, __global const carried_type *moved,
                               const index_type row, const index_type count, const index_type skipped,
                               const index_type first, const index_type keys, const index_type head,
                               const index_type run)
{
    const index_type inner = LARGE_IS_A ? run : keys;
    index_type outside = skipped / inner, inside = skipped % inner;
    for (index_type k = 0; k < count; ++k) {
        store_row(o, moved, row + k, first + (LARGE_IS_A ? outside : inside), head + (LARGE_IS_A ? inside : outside));
        if (++inside == inner) {
            inside = 0;
            ++outside;
        }
    }
}

typedef __global const int64_t *row_bases;
#define BINARY_SEARCH head_of_row
#define RUN row_bases
#define RUN_KEY int64_t
#define RUN_BEFORE(env, run, i, key) ((run)[i] <= (key))
#include "pieces/search/binary_search.clh"

MCL_KERNEL(TILE_THREADS) join_table_rows(PARAMS_join_table_rows)
{
    const env_type env = MAKE_env;
    operands_type o;
    TAKE_join_table_rows(o);
    __global const index_type *const firsts = ARRAY(index_type, firsts);
    const row_bases bases = ARRAY(int64_t, bases);
    __global const carried_type *const moved = ARRAY(carried_type, moved);
    const index_type m = o.small.count, base_count = ALONE_COMES_LAST ? 2 * m : m;
    const int64_t rows = bases[base_count];
    const index_type stored = rows < (int64_t)o.capacity ? (index_type)rows : o.capacity;
    index_type row, end;
    part_range(stored, (index_type)get_num_groups(0), (index_type)get_group_id(0), &row, &end);
    if (get_local_id(0) == 0 && row < end) {
        index_type at = head_of_row(env, bases, 0, base_count, (int64_t)row) - 1;
        for (; row < end; ++at) {
            const index_type head = at < m ? at : at - m;
            const index_type first = firsts[head], keys = firsts[head + 1] - first;
            const int64_t base = bases[at], left = bases[at + 1] - (int64_t)row;
            const index_type count = left < (int64_t)(end - row) ? (index_type)left : end - row;
            if (count <= 0) continue;
            if (is_run_alone(keys))
                store_run(o, row, count, head + (index_type)((int64_t)row - base));
            else if (bases[at + 1] - base == (int64_t)keys)
                for (index_type k = 0; k < count; ++k)
                    store_row(o, moved, row + k, first + (index_type)((int64_t)row - base) + k, head);
            else
                store_rows(o, moved, row, count, (index_type)((int64_t)row - base), first, keys, head,
                           (index_type)((bases[at + 1] - base) / (int64_t)keys));
            row += count;
        }
    }
}
#endif
