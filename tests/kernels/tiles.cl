/* tiles.cl: a kernel for each piece that works on one tile: loads and stores, folds, scans, ranks, appending, bits and
 * small arithmetic. Outputs are in sections as long as the input.
 * Needs: inputs in, places (int32_t); outputs out (int32_t), numbers (int64_t); fold of int32_t to uint32_t;
 * keep; SCAN_INCLUSIVE. */
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define TILE_SLOTS (TILE_THREADS * TILE_ITEMS)
/* Without this bound ptxas spills registers to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS 8
#include "pieces/bits.clh"
#include "pieces/limits.clh"
#include "pieces/part_range.clh"
#include "pieces/quotients.clh"
#include "pieces/shuffle_add.clh"
#include "pieces/wide_run.clh"
#define TILE_INPUT in
#include "pieces/tile_input.clh"
#define TILE_OUTPUT out
#include "pieces/tile_output.clh"

/* ---- loads and stores --------------------------------------------------------------------------------------- */

typedef struct {
    int32_t elements[TILE_SLOTS];
    index_type places[TILE_SLOTS];
} move_store;

/* Marks elements with their index in the tile, so that a wrong order between neighbours and strides is found. */
static inline void mark_items(int32_t *elements)
{
    for (int k = 0; k < TILE_ITEMS; ++k) elements[k] = elements[k] * 3 + (int)get_local_id(0) * TILE_ITEMS + k;
}

static inline void set_zero(int32_t *elements)
{
    for (int k = 0; k < TILE_ITEMS; ++k) elements[k] = 0;
}

MCL_KERNEL(TILE_THREADS) move_tiles(PARAMS_env PARAMS_in, PARAMS_out)
{
    MCL_SHARED(move_store, store);
    const input_in in = MAKE_in;
    const output_out out = MAKE_out;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, in.count);
    int32_t own[TILE_ITEMS];
    set_zero(own);
    load_strided_in(in, begin, count, own); /* section 0: the unchanged elements */
    store_strided_out(own, out, begin, count);
    load_items_in(in, begin, count, store->elements, own); /* section 1: marked elements */
    group_barrier();
    mark_items(own);
    store_items_out(own, store->elements, shift_out(out, in.count), begin, count);
    group_barrier();
    load_shared_in(in, begin, count, store->elements); /* section 2: the unchanged elements */
    group_barrier();
    store_shared_out(store->elements, shift_out(out, 2 * in.count), begin, count);
    group_barrier();
    load_strided_in(in, begin, count, own); /* section 3: marked elements */
    strided_to_shared_in(own, store->elements);
    group_barrier();
    shared_to_items_in(store->elements, own);
    mark_items(own);
    group_barrier();
    items_to_shared_out(own, store->elements);
    group_barrier();
    shared_to_strided_out(store->elements, own);
    store_strided_out(own, shift_out(out, 3 * in.count), begin, count);
}

MCL_KERNEL(TILE_THREADS) gather_tiles(PARAMS_env PARAMS_in, PARAMS_places, PARAMS_out)
{
    MCL_SHARED(move_store, store);
    const input_in in = MAKE_in;
    const input_places places = MAKE_places;
    const output_out out = MAKE_out;
    const int item = (int)get_local_id(0);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, in.count);
    int32_t own[TILE_ITEMS];
    index_type from[TILE_ITEMS];
    set_zero(own);
    for (int k = 0; k < TILE_ITEMS; ++k) {
        const int place = item + k * TILE_THREADS;
        from[k] = place < count ? (index_type)load_places(places, begin + place) : 0;
        if (place < count) store->places[place] = from[k];
    }
    group_barrier();
    gather_in(in, from, count, own); /* section 0 */
    store_strided_out(own, out, begin, count);
    set_zero(own);
    gather_shared_in(in, store->places, count, own); /* section 1 */
    store_strided_out(own, shift_out(out, in.count), begin, count);
    load_strided_in(in, begin, count, own); /* section 2 */
    scatter_out(own, from, shift_out(out, 2 * in.count), count);
    const input_in in_tile = shift_in(in, begin);
    if (!wide_copy(in_tile, shift_out(out, 3 * in.count + begin), count)) /* section 3 */
        for (int k = item; k < count; k += TILE_THREADS) store_out(out, 3 * in.count + begin + k, load_in(in_tile, k));
    if (!wide_fill(shift_out(out, 4 * in.count + begin), count, 77)) /* section 4 */
        for (int k = item; k < count; k += TILE_THREADS) store_out(out, 4 * in.count + begin + k, 77);
}

/* ---- folds and scans ---------------------------------------------------------------------------------------- */

/* Folds and scans tiles. out gets the scan of each tile. numbers[tile] gets its last value, and numbers[tiles + tile]
 * the tile's fold. In the group mapping out has a second section: a scan that starts anew after every element that is
 * kept. */
#if TILE_THREADS == 1
#include "pieces/scan_serial.clh"

MCL_KERNEL(TILE_THREADS) fold_tiles(PARAMS_env PARAMS_in, PARAMS_out, PARAMS_numbers)
{
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const index_type tile = (index_type)get_group_id(0), tiles = (index_type)get_num_groups(0);
    const index_type begin = tile * TILE_SIZE, end = begin + tile_count(begin, in.count);
    fold_type sums[4];
    const fold_type sum = fold_with_streams(env, in, begin, end, sums);
    const fold_type last = scan_range(env, in, MAKE_out, begin, end, 0, sum, sums);
    store_numbers(MAKE_numbers, tile, (int64_t)last);
    store_numbers(MAKE_numbers, tiles + tile, (int64_t)fold_range(env, in, begin, end));
}
#else
#define RANK_CLASSES 1
#include "pieces/rank_group.clh"
#define APPEND_WAY 4
#define APPEND_WIDTH 32
#include "pieces/append_group.clh"
#include "pieces/reduce_group.clh"
#include "pieces/scan_group.clh"
#include "pieces/segment_sum.clh"

typedef struct {
    int32_t elements[TILE_SLOTS];
    segment_sum segments[SEGMENT_GROUP_SHARED];
    fold_type scanned[SCAN_GROUP_SHARED];
    fold_type reduced[REDUCE_GROUP_SHARED];
} fold_store;

/* Returns the sum after the work-item's first valid elements, where before is the sum before them. A sum begins after
 * the last element that is kept. Each element gets its own sum. */
static inline segment_sum sum_segments(const env_type env, const segment_sum before, const int valid, int32_t *elements)
{
    segment_sum sum = before;
    for (int k = 0; k < TILE_ITEMS; ++k) {
        if (k >= valid) continue;
        const int32_t x = elements[k];
        const fold_type v = fold_extract(env, x, 0);
        sum.value = sum.flags & SEGMENT_VALUE ? fold(env, sum.value, v) : v;
        sum.flags |= SEGMENT_VALUE;
        elements[k] = (int32_t)sum.value;
        if (keep(env, x, 0)) sum.flags = SEGMENT_CUT;
    }
    return sum;
}

MCL_KERNEL(TILE_THREADS) fold_tiles(PARAMS_env PARAMS_in, PARAMS_out, PARAMS_numbers)
{
    MCL_SHARED(fold_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const int item = (int)get_local_id(0), first = item * TILE_ITEMS;
    const index_type tile = (index_type)get_group_id(0), tiles = (index_type)get_num_groups(0);
    const index_type begin = tile * TILE_SIZE;
    const int count = tile_count(begin, in.count);
    const int valid = (count + TILE_ITEMS - 1) / TILE_ITEMS;
    int32_t own[TILE_ITEMS];
    fold_type sum = fold_nothing(), total;
    load_items_in(in, begin, count, store->elements, own);
    for (int k = 0; k < TILE_ITEMS; ++k) {
        if (first + k >= count) continue;
        const fold_type x = fold_extract(env, own[k], begin + first + k);
        sum = k > 0 ? fold(env, sum, x) : x;
    }
    fold_type running = scan_group(env, sum, valid, &total, store->scanned);
    const fold_type reduced = reduce_group(env, sum, valid, store->reduced);
    for (int k = 0; k < TILE_ITEMS; ++k) {
        if (first + k >= count) continue;
        const fold_type x = fold_extract(env, own[k], begin + first + k);
        running = item + k > 0 ? fold(env, running, x) : x;
        own[k] = (int32_t)running;
    }
    group_barrier();
    store_items_out(own, store->elements, MAKE_out, begin, count);
    group_barrier();
    load_items_in(in, begin, count, store->elements, own);
    int32_t copy[TILE_ITEMS];
    for (int k = 0; k < TILE_ITEMS; ++k) copy[k] = first + k < count ? own[k] : 0;
    segment_sum left;
    const segment_sum mine = sum_segments(env, segment_nothing(), count - first, copy);
    const segment_sum earlier = segment_scan_group(env, mine, &left, store->segments);
    (void)sum_segments(env, earlier, count - first, own);
    group_barrier();
    store_items_out(own, store->elements, shift_out(MAKE_out, in.count), begin, count);
    if (item == 0) {
        store_numbers(MAKE_numbers, tile, (int64_t)total);
        store_numbers(MAKE_numbers, tiles + tile, (int64_t)reduced);
    }
}

/* ---- ranks and appending ------------------------------------------------------------------------------------ */

typedef struct {
    rank_store ranks;
    append_store appended;
} choose_store;

/* Ranks the elements of a tile that are kept. out gets the rank of each kept element, -1 for others. Then the indices
 * of the kept elements follow in any order, from the index in cursor on. numbers[tile] gets their number. */
MCL_KERNEL(TILE_THREADS) choose_tiles(PARAMS_env PARAMS_in, PARAMS_out, PARAMS_numbers, ARRAY_PARAM(uint, cursor))
{
    MCL_SHARED(choose_store, store);
    const env_type env = MAKE_env;
    const input_in in = MAKE_in;
    const output_out out = MAKE_out;
    const int item = (int)get_local_id(0);
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE;
    const int count = tile_count(begin, in.count);
    rank_flags chosen = {0, 0};
    uint before = 0, to[TILE_ITEMS];
    for (int k = 0; k < TILE_ITEMS; ++k) {
        const int place = tile_first(item) + k * TILE_STEP;
        if (place < count && keep(env, load_in(in, begin + place), begin + place)) chosen.first |= 1u << k;
    }
    const uint total = rank_start(chosen, &before, &store->ranks);
    for (int k = 0; k < TILE_ITEMS; ++k) {
        const int place = tile_first(item) + k * TILE_STEP;
        const uint rank = rank_next(chosen, k, &before, &store->ranks);
        if (place < count) store_out(out, begin + place, chosen.first >> k & 1u ? (int32_t)rank : -1);
    }
    if (item == 0) store_numbers(MAKE_numbers, (index_type)get_group_id(0), (int64_t)total);
    append_indices(chosen.first, ARRAY(uint, cursor), &store->appended, to);
    for (int k = 0; k < TILE_ITEMS; ++k)
        if (chosen.first >> k & 1u)
            store_out(out, in.count + (index_type)to[k], (int32_t)(begin + tile_first(item) + k * TILE_STEP));
}

/* Stores the passes of a scan of the first 32 sums: step k goes to out[32 * k ..]. numbers[0] gets the largest width of
 * a step. */
typedef struct {
    uint words[SHUFFLE_ADD_SHARED];
} shuffle_store;

MCL_KERNEL(TILE_THREADS) shuffle_tiles(PARAMS_env PARAMS_in, PARAMS_out, PARAMS_numbers)
{
    MCL_SHARED(shuffle_store, store);
    const input_in in = MAKE_in;
    const int item = (int)get_local_id(0);
    const int width = SHUFFLE_ADD_WIDTH < 32 ? SHUFFLE_ADD_WIDTH : 32;
    uint x = item < in.count ? (uint)load_in(in, item) : 0;
    UNROLL
    for (int k = 0; k < 5; ++k) {
        if (1 << k < width) x = shuffle_add(x, 1 << k, width, store->words);
        if (item < 32) store_out(MAKE_out, 32 * k + item, (int32_t)x);
    }
    if (item == 0) store_numbers(MAKE_numbers, 0, width);
}
#endif

/* ---- words, numbers, parts ---------------------------------------------------------------------------------- */

MCL_KERNEL(TILE_THREADS) word_tiles(PARAMS_env PARAMS_in, PARAMS_out)
{
    const input_in in = MAKE_in;
    const output_out out = MAKE_out;
    const index_type begin = (index_type)get_group_id(0) * TILE_SIZE, n = in.count;
    const int count = tile_count(begin, in.count);
    for (int place = (int)get_local_id(0); place < count; place += TILE_THREADS) {
        const index_type k = begin + place;
        const uint x = (uint)load_in(in, k);
        const int first = (int)(k % 32), size = (int)(k / 32 % (33 - first));
        store_out(out, k, lowest_bit(x));
        store_out(out, n + k, highest_bit(x));
        store_out(out, 2 * n + k, (int32_t)bits_reversed(x));
        store_out(out, 3 * n + k, (int32_t)bits_extracted(x, first, size));
        store_out(out, 4 * n + k, (int32_t)bits_inserted(x, x * 2654435761u, first, size));
        store_out(out, 5 * n + k, log2_down((index_type)(x >> 2) + 1));
        store_out(out, 6 * n + k, log2_up((index_type)(x >> 2) + 1));
        store_out(out, 7 * n + k, (int32_t)divided_up((index_type)(x >> 2), (index_type)(1 + k)));
        store_out(out, 8 * n + k, padded_place((int)k, 16));
    }
}

#define PUT(value) store_numbers(numbers, to++, (int64_t)(value))

/* Stores the limits of types, and then, in tiles, where parts begin and end, and the number of parts. */
MCL_KERNEL(1) put_numbers(PARAMS_env PARAMS_numbers, int32_t tiles, int32_t parts)
{
    const output_numbers numbers = MAKE_numbers;
    const index_type count = (index_type)tiles * TILE_SIZE;
    index_type to = 0;
    PUT(LOWEST_OF(int8_t)), PUT(HIGHEST_OF(int8_t));
    PUT(LOWEST_OF(uint8_t)), PUT(HIGHEST_OF(uint8_t));
    PUT(LOWEST_OF(int16_t)), PUT(HIGHEST_OF(int16_t));
    PUT(LOWEST_OF(uint16_t)), PUT(HIGHEST_OF(uint16_t));
    PUT(LOWEST_OF(int32_t)), PUT(HIGHEST_OF(int32_t));
    PUT(LOWEST_OF(uint32_t)), PUT(HIGHEST_OF(uint32_t));
    PUT(LOWEST_OF(int64_t)), PUT(HIGHEST_OF(int64_t));
    PUT(LOWEST_OF(uint64_t)), PUT(HIGHEST_OF(uint64_t));
    PUT(LOWEST_OF(float) == -INFINITY), PUT(HIGHEST_OF(float) == INFINITY);
    for (index_type part = 0; part < parts; ++part) {
        index_type begin, end;
        part_range(count, parts, part, &begin, &end);
        PUT(begin / TILE_SIZE), PUT(end / TILE_SIZE);
    }
    PUT(part_count(count, parts)), PUT(tile_number(count - 1)), PUT(block_count(count, count - 3, 7));
}
