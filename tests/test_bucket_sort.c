/* test_bucket_sort.c: the radix sort by buckets of groups, with every distribution, and the device's decisions about
 * it. */
#include "cases/bucket_call.h"
#include "cases/radix_call.h"
#include "facts/bucket_sort.h"
#include "operations/sort/sort_operands.h"
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum spread {
    UNIFORM,
    EQUAL,
    TWO_VALUES,
    FEW_VALUES,
    SMALL_RANGE, /* numbers of 16 bits */
    LAST_BITS,   /* only the last bits differ */
    CLUSTERS,    /* a few narrow clusters, far apart */
    HOT_VALUE,   /* half of the keys are equal, and the others uniform */
    HOT_VALUES,  /* many values of a harmonic law, scattered over all bits */
    SKEWED,      /* many small keys, few large ones */
    ASCENDING,
    DESCENDING,
    NEARLY_SORTED,
    ALTERNATING,   /* every second key is the largest one */
    OUTLIERS,      /* one key far below the others, one far above */
    TWO_PARTS,     /* a few high bits, a gap of equal bits, and low bits */
    STRAY_BITS,    /* as TWO_PARTS, but one key has a bit in the gap, so the usual passes sort */
    MANY_PARTS,    /* parts with short gaps between them, more than the map has */
    MANY_CLUSTERS, /* more clusters than the map can distinguish */
    ONE_MISPLACED, /* keys in order except one key, which few samples meet */
    SPREADS
} spread;

static const char *const spread_names[] = {
    "uniform",   "equal",      "two values", "few values", "small range",   "last bits",     "clusters",
    "hot value", "hot values", "skewed",     "ascending",  "descending",    "nearly sorted", "alternating",
    "outliers",  "two parts",  "stray bits", "many parts", "many clusters", "one misplaced"
};

/* Returns the key of rank k of n, by its bits as an unsigned number. */
static uint64_t spread_key(spread s, uint64_t seed, int64_t k, int64_t n, int bits)
{
    const uint64_t r = test_random(seed, (uint64_t)k), all = UINT64_MAX >> (64 - bits);
    const uint64_t step = all / (uint64_t)(n + 1);
    switch (s) {
    case UNIFORM:
        return r & all;
    case EQUAL:
        return seed * 77 & all;
    case TWO_VALUES:
        return r % 2 ? all / 3 : all / 5 * 4;
    case FEW_VALUES:
        return (r % 7) * (all / 9);
    case SMALL_RANGE:
        return 12345 + r % 65536;
    case LAST_BITS:
        return (all ^ all >> 3) + r % 5000;
    case CLUSTERS:
        return ((r % 3) * (all / 3) + (r >> 20) % 200000) & all;
    case HOT_VALUE:
        return r % 2 ? all / 7 : (r >> 1) & all;
    case HOT_VALUES:
        return test_random(99, 1000 / (1 + (r >> 8) % 1000)) & all;
    case SKEWED:
        return (r & all) >> (r >> 58) % (uint64_t)(bits - 1);
    case ASCENDING:
        return step * (uint64_t)k;
    case DESCENDING:
        return step * (uint64_t)(n - k);
    case NEARLY_SORTED:
        return r % 50 ? step * (uint64_t)k : r & all;
    case ALTERNATING:
        return k % 2 ? all : r & all;
    case STRAY_BITS:
    case TWO_PARTS:
        return (r % 61 << (bits - 8)) | (r >> 20) % 1024 |
               (s == STRAY_BITS && k == n / 7 * 5 + 3 ? UINT64_C(1) << (bits / 2) : 0);
    case MANY_PARTS:
        return r & UINT64_C(0xc78f183fc78f183f) >> (64 - bits);
    case ONE_MISPLACED:
        return k == n / 7 * 5 + 3 ? 0 : step * (uint64_t)k;
    case MANY_CLUSTERS:
        return (r % 25) * (all / 25) + (r >> 20) % 3000;
    case OUTLIERS:
        return k == n / 3 ? 0 : k == n / 2 ? all : all / 4 + (r & all) / 4;
    default:
        abort();
    }
}

typedef struct ranked_key {
    uint64_t rank, bits;
    int64_t index;
} ranked_key;

static int compare_ranked(const void *p, const void *q)
{
    const ranked_key *a = p, *b = q;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int compare_words(const void *p, const void *q)
{
    const uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;
    return (a > b) - (a < b);
}

/* Small tiles of the group mapping, whose counters lie differently for odd and even items. Rows let groups sort few
 * keys by buckets. */
static const mcl_options tile = { .tile_threads = 64, .tile_items = 7 };
static const mcl_options even_tile = { .tile_threads = 64, .tile_items = 8 };
static const mcl_options short_tile = { .tile_threads = 64, .tile_items = 1 };
static int takes_short_tile;
#define CHOSEN_BUCKETS                                                                                                 \
    "bucket_sort.keys \"\" 1\nbucket_sort.float_keys \"\" 1\nbucket_sort.wide_keys \"\" 1\n"                           \
    "bucket_sort.crowded_keys \"\" 1\nbucket_sort.shares \"\" 256\n"                                                   \
    "bucket_pairs.keys \"\" 1\nbucket_pairs.wide_keys \"\" 1\nsort_pairs.moved_bytes \"\" 16\n"
#define BUCKETS CHOSEN_BUCKETS "bucket_sort.crowds \"\" 256\n" /* rows for keys of any spread */

typedef struct shared_context {
    mcl_context *context; /* shared context; NULL before the first test */
    int device;
} shared_context;
/* context where keys of any spread are sorted by buckets; context where the device chooses */
static shared_context of_any, of_chosen;

/* Returns the context that a device's tests share. With a context for each test, the same programs would be compiled
 * again. */
static mcl_context *context_shared(shared_context *of, int device, const char *rows)
{
    if (of->context && of->device == device) return of->context;
    mcl_context_release(of->context);
    of->context = test_context_of_rows(device, rows);
    of->device = device;
    return of->context;
}

static mcl_context *bucket_context(int device)
{
    return context_shared(&of_any, device, BUCKETS);
}

static mcl_context *choosing_context(int device)
{
    return context_shared(&of_chosen, device, CHOSEN_BUCKETS "bucket_sort.crowds \"\" 64\n");
}

typedef struct pair_values {
    mcl_input in;
    mcl_output out;
} pair_values;

/* Sorts, and returns the answer of sort_by_buckets. */
static int sort_and_ask(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                        const pair_values *pairs)
{
    const mcl__sort_operands given = {
        .keys = keys,
        .out = out,
        .before = before,
        .values = pairs ? pairs->in : (mcl_input){ 0 },
        .out_values = pairs ? pairs->out : (mcl_output){ 0 },
        .has_values = pairs != NULL,
    };
    const mcl_options *options = takes_short_tile ? &short_tile : keys.count % 4 < 2 ? &tile : &even_tile;
    return sort_by_buckets(queue, &given, options);
}

/* Returns a type of keys for a turn; turns differ in type and sign. */
static const mcl_type *type_of(int turn)
{
    const mcl_type *types[] = { MCL_UINT32, MCL_INT32, MCL_UINT64, MCL_INT64, MCL_FLOAT, MCL_DOUBLE };

    return types[turn % 6];
}

/* Type of the values in the next sorts; NULL: none. Each value has its index, as far as its bytes allow. */
static const mcl_type *value_type;
static int values_in_place;

static mcl_buffer *buffer_of_values(mcl_context *context, int64_t count, int is_output)
{
    unsigned char *bytes = calloc((size_t)count, value_type->size);
    mcl_buffer *buffer;

    if (!bytes) abort();
    for (int64_t k = 0; k < count; k++) {
        const int64_t told = is_output ? ~k : k;
        memcpy(bytes + (size_t)k * value_type->size, &told, value_type->size < sizeof k ? value_type->size : sizeof k);
    }
    test_ok(mcl_buffer_create(context, (size_t)count * value_type->size, bytes, &buffer));
    free(bytes);
    return buffer;
}

/* Compares values with the indices of sorted keys. Values from count on must be unchanged. */
static void compare_values(mcl_queue *queue, mcl_buffer *values, const ranked_key *keys, int64_t count, int64_t bound,
                           const char *what)
{
    const size_t size = value_type->size, told = size < sizeof(int64_t) ? size : sizeof(int64_t);
    unsigned char *got = calloc((size_t)bound, size);

    if (!got) abort();
    test_ok(mcl_buffer_read(queue, values, 0, (size_t)bound * size, got));
    for (int64_t k = 0; k < bound; k++) {
        const int64_t index = k < count ? keys[k].index : values_in_place ? k : ~k;
        ck_assert_msg(memcmp(got + (size_t)k * size, &index, told) == 0, "%s, %s of %ld: value %ld is not that of %ld",
                      what, value_type->name, (long)count, (long)k, (long)index);
    }
    free(got);
}

static void fill_keys(spread s, const mcl_type *type, int64_t count, uint64_t seed, unsigned char *bytes)
{
    const int bits = 8 * (int)type->size;

    for (int64_t k = 0; k < count; k++) {
        uint64_t key = spread_key(s, seed, k, count, bits);
        if (type->kind == MCL_KIND_FLOAT) { /* no NaN, and zeros of one sign */
            key = spread_key(s, seed, k, count, bits - 3);
            if (s != ASCENDING && s != DESCENDING && s != NEARLY_SORTED && key % 2) key |= UINT64_C(1) << (bits - 1);
        }
        memcpy(bytes + (size_t)k * type->size, &key, type->size); /* hosts of the tests are little-endian */
    }
}

static int64_t bound_of(int turn)
{
    return test_is_small() ? 1300 + 61 * turn : turn % 4 == 3 ? 700 + 61 * turn : 20000 + 1111 * turn;
}

/* Sorts count of bound keys, and compares them with the host's order. Returns the answer of sort_and_ask. */
static int sort_spread(int device, mcl_queue *queue, spread s, const mcl_type *type, int64_t count, int64_t bound,
                       int descending, int in_place, uint64_t seed)
{
    ranked_key *keys = calloc((size_t)bound, sizeof *keys);
    unsigned char *bytes = calloc((size_t)bound, type->size), *got = calloc((size_t)bound, type->size);
    const int64_t slot_value = count;
    mcl_buffer *in;
    mcl_buffer *out;
    mcl_buffer *slot;
    mcl_buffer *values[2] = { NULL, NULL };
    pair_values pairs;

    if (!keys || !bytes || !got) abort();
    fill_keys(s, type, bound, seed, bytes);
    for (int64_t k = 0; k < count; k++) {
        uint64_t key = 0;
        memcpy(&key, bytes + (size_t)k * type->size, type->size);
        keys[k] = (ranked_key){ case_rank(type, bytes + (size_t)k * type->size), key, k };
        if (descending) keys[k].rank = ~keys[k].rank;
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_ranked);
    test_ok(mcl_buffer_create(queue->context, (size_t)bound * type->size, bytes, &in));
    for (size_t k = 0; k < (size_t)bound * type->size; k++) got[k] = (unsigned char)~bytes[k];
    test_ok(mcl_buffer_create(queue->context, (size_t)bound * type->size, got, &out));
    test_ok(mcl_buffer_create(queue->context, sizeof slot_value, &slot_value, &slot));
    mcl_input input = mcl_from_buffer(type, in, 0, bound);
    if (count < bound) input = mcl_with_count(input, slot, 0);
    if (value_type) {
        for (int k = 0; k < 2; k++) values[k] = buffer_of_values(queue->context, bound, k);
        pairs.in = mcl_from_buffer(value_type, values[0], 0, bound);
        pairs.out = mcl_to_buffer(value_type, values[!values_in_place], 0, bound);
    }
    const int asked = sort_and_ask(queue, input, mcl_to_buffer(type, in_place ? in : out, 0, bound),
                                   descending ? MCL_GREATER : MCL_LESS, value_type ? &pairs : NULL);
    if (value_type) compare_values(queue, values[!values_in_place], keys, count, bound, spread_names[s]);
    test_ok(mcl_buffer_read(queue, in_place ? in : out, 0, (size_t)bound * type->size, got));
    for (int64_t k = 0; k < bound; k++) {
        uint64_t key = 0, expected = 0;
        memcpy(&key, got + (size_t)k * type->size, type->size);
        memcpy(&expected, bytes + (size_t)k * type->size, type->size);
        if (!in_place) expected = ~expected & UINT64_MAX >> (64 - 8 * type->size);
        if (k < count) expected = keys[k].bits;
        ck_assert_msg(key == expected, "%s of %s, %ld of %ld%s%s, seed %ld: element %ld is %llx, expected %llx",
                      spread_names[s], type->name, (long)count, (long)bound, descending ? ", descending" : "",
                      in_place ? ", in place" : "", (long)seed, (long)k, (unsigned long long)key,
                      (unsigned long long)expected);
    }
    mcl_buffer *const made[] = { in, out, slot, values[0], values[1] };
    void *const allocated[] = { keys, bytes, got };
    for (int k = 0; k < 5; k++) mcl_buffer_release(made[k]);
    for (int k = 0; k < 3; k++) free(allocated[k]);
    (void)device;
    return asked;
}

static int has_double(int device)
{
    mcl_device_info info;

    test_ok(mcl_context_info(test_device_at(device)->context, &info));
    return info.has_double;
}

/* Zeros of both signs, and NaN of several bits, are equal keys that differ in bits. They keep their order, whatever
 * method sorts. */
START_TEST(equal_floats_keep_their_order)
{
    enum { COUNT = 5000 };
    const int count = test_is_small() ? 1300 : COUNT;
    static const uint32_t odd[][2] = { { 0, 0x80000000 },          /* zeros */
                                       { 0x7fc00000, 0x7fc00001 }, /* NaN */
                                       { 0x7fc00000, 0xffc00000 },
                                       { 0x80000000, 0x80000000 }, /* zeros with the same bits, which buckets sort */
                                       { 0x7fc00000, 0x7fc00000 } };
    static uint32_t keys[COUNT], got[COUNT], expected[COUNT];
    mcl_context *context = bucket_context(_i);
    mcl_queue *queue;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int turn = 0; turn < 5; turn += test_is_small() ? 2 : 1) {
        const uint32_t *pair = odd[turn % 5];
        int at = 0;
        for (int k = 0; k < count; k++)
            keys[k] = k % 7 == 3 ? pair[k / 7 % 2] : 0x3f800000 + (uint32_t)(k * 7919 % 4001);
        const int last = (pair[0] & 0x7fffffff) > 0x7f800000;
        for (int part = 0; part < 2; part++) {
            if ((part == 1) == last)
                for (int k = 3; k < count; k += 7) expected[at++] = keys[k];
            else
                for (uint32_t value = 0; value < 4001; value++)
                    for (int k = (int)((value * 2121) % 4001); k < count; k += 4001)
                        if (k % 7 != 3) expected[at++] = keys[k];
        }
        ck_assert_int_eq(at, count);
        mcl_buffer *own;
        test_ok(mcl_buffer_create(context, (size_t)count * sizeof *keys, keys, &own));
        const int asked = sort_and_ask(queue, mcl_from_buffer(MCL_FLOAT, own, 0, count),
                                       mcl_to_buffer(MCL_FLOAT, own, 0, count), MCL_LESS, NULL);
        test_ok(mcl_buffer_read(queue, own, 0, (size_t)count * sizeof *got, got));
        for (int k = 0; k < count; k++)
            ck_assert_msg(got[k] == expected[k], "turn %d: element %d is %08x, expected %08x", turn, k, got[k],
                          expected[k]);
        ck_assert_msg(asked < 0 || asked == (turn % 5 < 3), "turn %d: asked is %d", turn, asked);
        mcl_buffer_release(own);
    }
    mcl_queue_release(queue);
}
END_TEST

/* Returns 1 where short keys are nearly in order. Half of the ascending bit patterns are negative integers. */
static int is_nearly_in_order(spread s, const mcl_type *type)
{
    if (type->size > 4) return 0;
    return s == ONE_MISPLACED || ((s == ASCENDING || s == DESCENDING) && type->kind == MCL_KIND_SIGNED);
}

/* Sorts keys of a spread in turns, which differ in type, number, direction and place. A sample has at least three
 * spreads, or one where tests are small, and half of their turns; a small test has one turn. */
static void take_turns(int number, const mcl_type *const *values, void (*look)(spread, const mcl_type *, int))
{
    enum { TURNS = 24 };
    const spread s = (spread)(number % SPREADS);
    const int device = number / SPREADS, most = test_is_small() ? SPREADS : SPREADS / 3;
    const int step = test_sample_step() < most ? test_sample_step() : most;
    mcl_queue *queue = NULL;
    if ((int)s % step != test_sample_phase() % step) return;
    test_ok(mcl_queue_create(bucket_context(device), 0, &queue));
    for (int turn = 0; turn < TURNS; turn++) {
        const mcl_type *type = type_of(turn);
        const int64_t bound = bound_of(turn), count = turn % 5 == 4 ? bound / 3 : bound;
        const int is_taken = test_is_small() ? turn == (int)s * 7 / 3 % TURNS : test_takes_half((int)s / step + turn);
        if (!is_taken || (type == MCL_DOUBLE && !has_double(device))) continue;
        value_type = values ? values[(turn / 3 + (int)s) % 4] : NULL;
        values_in_place = turn / 2 % 2;
        look(s, type,
             sort_spread(device, queue, s, type, count, bound, turn / 6 % 2, turn / 3 % 2, (uint64_t)turn + 5));
    }
    value_type = NULL;
    mcl_queue_release(queue);
}

/* Keys with one odd key may be left to the usual passes: that key may be no sample, or lie past the count. Gaps of
 * floats differ by sign. 63 octaves may need more nodes than the map has. */
static void look_at_keys(spread s, const mcl_type *type, int asked)
{
    const int may_be_left = s == STRAY_BITS || is_nearly_in_order(s, type);
    const int may_differ =
        s == SKEWED ? type->size == 8 : (s == TWO_PARTS || s == MANY_PARTS) && type->kind == MCL_KIND_FLOAT;
    ck_assert_msg(may_differ || asked <= may_be_left, "%s of %s: asked is %d", spread_names[s], type->name, asked);
}

START_TEST(every_distribution_is_sorted)
{
    take_turns(_i, NULL, look_at_keys);
}
END_TEST

static void look_at_pairs(spread s, const mcl_type *type, int asked)
{
    ck_assert_msg(asked <= 0 || is_nearly_in_order(s, type) || (s != UNIFORM && s != ASCENDING), "%s of %s",
                  spread_names[s], type->name);
}

/* The keys have values of any size, and equal keys keep their order. Large crowds are left to the usual passes. */
START_TEST(values_follow_their_keys)
{
    static const mcl_type four_words = {
        "four_words", 16, 0, "typedef struct four_words { uint w[4]; } four_words;", 0, NULL, MCL_KIND_STRUCT
    };
    const mcl_type *const types[] = { MCL_INT32, MCL_INT64, MCL_UINT8, &four_words };
    take_turns(_i, types, look_at_pairs);
}
END_TEST

/* The crowd has many values, and no room in the memory of a group with a short tile. */
START_TEST(large_crowds_are_left_to_digits)
{
    if (test_is_small()) return;
    mcl_context *context = bucket_context(_i);
    mcl_queue *queue;
    test_ok(mcl_queue_create(context, 0, &queue));
    takes_short_tile = 1;
    ck_assert_int_eq(sort_spread(_i, queue, MANY_CLUSTERS, MCL_UINT32, 200000, 200000, 0, 0, 9), 1);
    takes_short_tile = 0;
    mcl_queue_release(queue);
}
END_TEST

/* There are more keys than buckets of a short tile hold. The tile gets more keys for each work-item, or more
 * work-items. Where neither can be, wide keys get more ranges: twice as many, and on GPUs four times. */
START_TEST(more_keys_take_longer_tiles)
{
    enum { ITEMS, WORK_ITEMS, RANGES, WAYS };
    const int64_t most = BUCKET_KEYS(short_tile.tile_threads, short_tile.tile_items);
    const int64_t usual = (int64_t)SLICE_GOAL(most) * RANGE_SLICES * RANGES_USUAL;
    if (test_is_small()) return;
    mcl_context *const ranges = test_context_of_rows(_i, BUCKETS "bucket_finish.items_most \"\" 1\n");
    mcl_context *const contexts[WAYS] = { bucket_context(_i), bucket_context(_i), ranges };
    const int most_threads = ranges->limits.max_threads;

    takes_short_tile = 1;
    for (int way = ITEMS; way < WAYS; way++) {
        const int64_t count = usual * (way == RANGES && ranges->limits.is_gpu ? 2 : 1) + 1;
        const mcl_type *const type = way == RANGES ? MCL_UINT64 : MCL_UINT32;
        mcl_queue *queue;
        contexts[way]->limits.max_threads = way == WORK_ITEMS ? most_threads : short_tile.tile_threads;
        test_ok(mcl_queue_create(contexts[way], 0, &queue));
        ck_assert_int_eq(sort_spread(_i, queue, UNIFORM, type, count, count, 0, 0, 9 + (uint64_t)way), 0);
        mcl_queue_release(queue);
    }
    takes_short_tile = 0;
    mcl_context_release(ranges);
}
END_TEST

/* Keys of 4 bytes that are few values, or nearly in order, are left to the usual passes by their sample alone. */
START_TEST(samples_tell_which_keys_are_hard)
{
    static const spread easy[] = { UNIFORM, OUTLIERS, EQUAL, ASCENDING, DESCENDING };
    static const spread hard[] = { TWO_VALUES, FEW_VALUES,  SMALL_RANGE,   LAST_BITS, CLUSTERS,     HOT_VALUE,
                                   SKEWED,     ALTERNATING, NEARLY_SORTED, TWO_PARTS, MANY_CLUSTERS };
    enum { EASY = sizeof easy / sizeof *easy, HARD = sizeof hard / sizeof *hard };
    const int64_t count = test_is_small() ? 2000 : 60000;
    mcl_context *context = choosing_context(_i);
    mcl_queue *queue;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < EASY + HARD; k++) {
        const spread s = k < EASY ? easy[k] : hard[k - EASY];
        if (!test_sample_takes(k, EASY + HARD)) continue;
        const int asked = sort_spread(_i, queue, s, MCL_UINT32, count - k, count, 0, k % 2, (uint64_t)k + 3);
        ck_assert_msg(asked == (k >= EASY), "%s: asked is %d", spread_names[s], asked);
        if (k < EASY) continue;
        const int wide = sort_spread(_i, queue, s, MCL_UINT64, count - k, count, 0, k % 2, (uint64_t)k + 3);
        ck_assert_msg(wide == 0 || s == SKEWED, "%s of 8 bytes: asked is %d", spread_names[s], wide);
    }
    mcl_queue_release(queue);
}
END_TEST

/* A recorded sort may get other keys, and another number of them, at each replay. So the device decides anew. */
START_TEST(a_replay_decides_anew)
{
    static const spread given[] = { UNIFORM, TWO_VALUES, ASCENDING, NEARLY_SORTED, EQUAL, DESCENDING, UNIFORM };
    enum { TURNS = sizeof given / sizeof *given, BOUND = 6000 };
    static uint32_t keys[BOUND], got[BOUND];
    const int64_t bound = test_is_small() ? 1400 : BOUND, less = bound / 10;
    mcl_context *context = choosing_context(_i);
    mcl_queue *queue;
    mcl_buffer *in;
    mcl_buffer *out;
    mcl_buffer *slot;
    mcl_recording *recording;

    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, sizeof keys, NULL, &in));
    test_ok(mcl_buffer_create(context, sizeof keys, NULL, &out));
    test_ok(mcl_buffer_create(context, sizeof(int64_t), NULL, &slot));
    test_ok(mcl_record_begin(queue));
    test_ok(mcl_sort(queue, mcl_with_count(mcl_from_buffer(MCL_UINT32, in, 0, bound), slot, 0),
                     mcl_to_buffer(MCL_UINT32, out, 0, bound), MCL_LESS, &tile));
    test_ok(mcl_record_end(queue, &recording));
    for (int turn = 0; turn < TURNS; turn += test_is_small() ? 3 : 1) {
        const int64_t count = turn == 4 ? 0 : bound - less * turn;
        fill_keys(given[turn], MCL_UINT32, bound, (uint64_t)turn + 1, (unsigned char *)keys);
        memset(got, 0xee, sizeof got);
        test_ok(mcl_buffer_write(queue, in, 0, sizeof keys, keys));
        test_ok(mcl_buffer_write(queue, out, 0, sizeof got, got));
        test_ok(mcl_buffer_write(queue, slot, 0, sizeof count, &count));
        test_ok(mcl_replay(queue, recording, NULL));
        test_ok(mcl_buffer_read(queue, out, 0, sizeof got, got));
        qsort(keys, (size_t)count, sizeof *keys, compare_words);
        for (int64_t k = 0; k < bound; k++)
            ck_assert_msg(got[k] == (k < count ? keys[k] : 0xeeeeeeee), "%s, %ld keys: element %ld is %u",
                          spread_names[given[turn]], (long)count, (long)k, got[k]);
    }
    mcl_recording_release(recording);
    mcl_buffer_release(slot);
    mcl_buffer_release(out);
    mcl_buffer_release(in);
    mcl_queue_release(queue);
}
END_TEST

/* Counts near the limits where samples are too many for the keys, and where a batch of samples is full. */
START_TEST(few_keys_are_sorted)
{
    static const int64_t counts[] = { 1, 2, 8, 127, 128, 129, 271, 272, 273, 1023, 1024, 1025, 1279, 2047, 2049 };
    const int64_t least =
        4 * tile.tile_threads + 4 * SAMPLE_RECORDS; /* a batch of samples, and a record for each group */
    mcl_context *context = bucket_context(_i);
    mcl_queue *queue;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < (int)(sizeof counts / sizeof *counts); k += test_is_small() ? 3 : 1) {
        const int asked = sort_spread(_i, queue, UNIFORM, MCL_UINT32, counts[k], counts[k], k % 2, k / 2 % 2, 3);
        ck_assert_msg(asked == (counts[k] < least ? -1 : 0), "%ld keys: asked is %d", (long)counts[k], asked);
    }
    mcl_queue_release(queue);
}
END_TEST

/* Counts near the limits where the number of ranges doubles, and where slices need twice as many groups. */
START_TEST(ranges_double_with_the_keys)
{
    mcl_context *context = test_context_of_rows(_i, BUCKETS "bucket_sort.held \"\" 512\n");
    mcl_queue *queue;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int bits = 1; bits <= (test_is_small() ? 0 : 2); bits++) {
        const int64_t most = BUCKET_KEYS(tile.tile_threads, tile.tile_items);
        const int64_t last = (int64_t)SLICE_GOAL(most) * RANGE_SLICES << bits;
        for (int64_t count = last - 1; count <= last + 1; count++)
            ck_assert_int_eq(sort_spread(_i, queue, UNIFORM, MCL_UINT32, count, count, 0, 0, 9), 0);
    }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

/* A group that holds few counters leaves the other slices to other groups. A full counter is emptied. */
START_TEST(counters_are_shared_and_emptied)
{
    static const spread spreads[] = { UNIFORM, HOT_VALUE, ALTERNATING, FEW_VALUES };
    const int64_t count = test_is_small() ? 3000 : 400000; /* eight groups hold the slices, 256 each */
    mcl_context *context = test_context_of_rows(_i, BUCKETS "bucket_sort.held \"\" 256\n");
    mcl_queue *queue;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int k = 0; k < (int)(sizeof spreads / sizeof *spreads); k += test_is_small() ? 3 : 1) {
        const int asked = sort_spread(_i, queue, spreads[k], k % 2 ? MCL_INT64 : MCL_UINT32, count - k, count, k / 2,
                                      k % 2, (uint64_t)k + 11);
        ck_assert_msg(asked <= 0, "%s: asked is %d", spread_names[spreads[k]], asked);
    }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, counters_are_shared_and_emptied, device);
    test_add(tcase, ranges_double_with_the_keys, device);
    test_add(tcase, few_keys_are_sorted, device);
    test_add(tcase, samples_tell_which_keys_are_hard, device);
    test_add(tcase, a_replay_decides_anew, device);
    test_add(tcase, large_crowds_are_left_to_digits, device);
    test_add(tcase, more_keys_take_longer_tiles, device);
    test_add(tcase, equal_floats_keep_their_order, device);
    tcase_add_loop_test(tcase, every_distribution_is_sorted, device * SPREADS, device * SPREADS + SPREADS);
    tcase_add_loop_test(tcase, values_follow_their_keys, device * SPREADS, device * SPREADS + SPREADS);
}

int main(void)
{
    const int result = test_main("bucket_sort", add);

    mcl_context_release(of_any.context);
    mcl_context_release(of_chosen.context);
    return result;
}
