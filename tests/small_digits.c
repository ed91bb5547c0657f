/* small_digits.c: walks through calls that distinguish elements by a small number: buckets, bins, bits, parts. */
#include "cases/elements.h"
#include "small_walks.h"
#include "tuning/rows.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 20001 };
static const mcl_output none = { 0 };

/* Returns key k, a number with random bits. */
static uint32_t key_at(int64_t k)
{
    return (uint32_t)test_random(7, (uint64_t)k);
}

static mcl_input input_of(const mcl_type *type, mcl_buffer *buffer, int64_t count)
{
    return mcl_from_buffer(type, buffer, 0, count);
}

static void one_to_256(const mcl_context *context, numbers *out)
{
    (void)context;
    numbers_all(out, 256);
}

/* ---- buckets ----------------------------------------------------------------------------------------------------- */

typedef struct split {
    int64_t count, buckets;
    uint32_t *keys, *out;
    int32_t *values, *out_values;
    uint8_t *bytes, *out_bytes;
    int32_t *numbers;
    int32_t offsets[257], counts[256];
} split;

static split split_make(const small_turn *turn)
{
    const int64_t count = small_count(COUNT);
    const size_t n = (size_t)count;
    split made = { .count = count, .buckets = turn->number };

    made.keys = small_memory(n * 4);
    made.out = small_memory(n * 4);
    made.values = small_memory(n * 4);
    made.out_values = small_memory(n * 4);
    made.numbers = small_memory(n * 4);
    made.bytes = small_memory(n);
    made.out_bytes = small_memory(n);
    for (int64_t k = 0; k < count; k++) {
        made.keys[k] = key_at(k);
        made.bytes[k] = (uint8_t)made.keys[k];
        made.values[k] = (int32_t)k;
    }
    return made;
}

static void split_free(split *s)
{
    free(s->keys);
    free(s->out);
    free(s->values);
    free(s->out_values);
    free(s->numbers);
    free(s->bytes);
    free(s->out_bytes);
}

/* Solves a split by numbers. A number that belongs to no bucket counts as the last bucket. */
static void split_solve(split *s)
{
    memset(s->counts, 0, sizeof s->counts);
    for (int64_t k = 0; k < s->count; k++) {
        if (s->numbers[k] >= s->buckets) s->numbers[k] = (int32_t)s->buckets - 1;
        s->counts[s->numbers[k]]++;
    }
    s->offsets[0] = 0;
    for (int64_t b = 0; b < s->buckets; b++) s->offsets[b + 1] = s->offsets[b] + s->counts[b];
    int32_t next[256];
    memcpy(next, s->offsets, sizeof next);
    for (int64_t k = 0; k < s->count; k++) {
        const int32_t to = next[s->numbers[k]]++;
        s->out[to] = s->keys[k];
        s->out_values[to] = s->values[k];
        s->out_bytes[to] = s->bytes[k];
    }
}

/* Splits keys alone, with all results about buckets. */
static void split_keys(const small_turn *turn, split *s, const mcl_op *op, const char *what)
{
    const size_t bytes = (size_t)s->count * 4, buckets = (size_t)s->buckets;
    mcl_buffer *const keys = array_of(turn->device, s->keys, bytes);
    mcl_buffer *const out = array_empty(turn->device, bytes);
    mcl_buffer *const offsets = array_empty(turn->device, sizeof s->offsets);
    mcl_buffer *const counts = array_empty(turn->device, sizeof s->counts);

    split_solve(s);
    small_ok(turn,
             mcl_multisplit(turn->queue, input_of(MCL_UINT32, keys, s->count),
                            mcl_to_buffer(MCL_UINT32, out, 0, s->count), op, (int)s->buckets,
                            ints_out(offsets, s->buckets + 1), ints_out(counts, s->buckets), turn->options),
             what);
    small_expect(turn, out, s->out, bytes, what);
    small_expect(turn, offsets, s->offsets, (buckets + 1) * 4, "offsets");
    small_expect(turn, counts, s->counts, buckets * 4, "counts");
    mcl_buffer_release(keys);
}

/* Splits keys of a type with values. */
static void split_pairs(const small_turn *turn, split *s, const mcl_type *type, const mcl_op *op, const char *what)
{
    const size_t bytes = (size_t)s->count * type->size, value_bytes = (size_t)s->count * 4;
    const int is_byte = type->size == 1;
    mcl_buffer *const keys = array_of(turn->device, is_byte ? (void *)s->bytes : (void *)s->keys, bytes);
    mcl_buffer *const values = array_of(turn->device, s->values, value_bytes);
    mcl_buffer *const out = array_empty(turn->device, bytes);
    mcl_buffer *const out_values = array_empty(turn->device, value_bytes);

    split_solve(s);
    small_ok(turn,
             mcl_multisplit_pairs(turn->queue, input_of(type, keys, s->count), ints(values, s->count),
                                  mcl_to_buffer(type, out, 0, s->count), ints_out(out_values, s->count), op,
                                  (int)s->buckets, none, none, turn->options),
             what);
    small_expect(turn, out, is_byte ? (void *)s->out_bytes : (void *)s->out, bytes, what);
    small_expect(turn, out_values, s->out_values, value_bytes, "values");
    mcl_buffer_release(keys);
    mcl_buffer_release(values);
}

/* Splits by a bound number of buckets, so that few programs are made. */
static void multisplit(const small_turn *turn)
{
    const int32_t number = (int32_t)turn->number;
    const mcl_binding bound = mcl_binding_value("buckets", MCL_INT32, &number);
    const mcl_op by_key = {
        .role = MCL_ROLE_INDEX, .expression = "x % ((uint32_t)buckets + 1)", .binding_count = 1, .bindings = { bound }
    };
    const mcl_op by_index = {
        .role = MCL_ROLE_INDEX, .expression = "i % (buckets + 1)", .binding_count = 1, .bindings = { bound }
    };
    const mcl_op by_itself = { .role = MCL_ROLE_INDEX, .expression = "x" };
    split s = split_make(turn);

    for (int64_t k = 0; k < s.count; k++) s.numbers[k] = (int32_t)(s.keys[k] % (uint32_t)(number + 1));
    split_keys(turn, &s, &by_key, "keys by keys");
    for (int64_t k = 0; k < s.count; k++) s.numbers[k] = (int32_t)(s.keys[k] % (uint32_t)(number + 1));
    split_pairs(turn, &s, MCL_UINT32, &by_key, "pairs by keys");
    for (int64_t k = 0; k < s.count; k++) s.numbers[k] = (int32_t)(k % (number + 1));
    split_keys(turn, &s, &by_index, "keys by indices");
    for (int64_t k = 0; k < s.count; k++) s.numbers[k] = s.bytes[k];
    split_pairs(turn, &s, MCL_UINT8, &by_itself, "pairs of bytes");
    split_free(&s);
}

/* ---- bins -------------------------------------------------------------------------------------------------------- */

enum { BINS_MOST = 1 << 20, KEY_BITS = 30 };

static void bins(const mcl_context *context, numbers *out)
{
    (void)context;
    numbers_of_bins(out, BINS_MOST);
}

typedef struct binned {
    int64_t count, bins;
    uint32_t *keys;
    int64_t *wide; /* wide copies of the keys, and weights */
    int32_t *counts;
    int64_t *sums;
    mcl_buffer *of_keys, *of_wide;
} binned;

static binned binned_make(const small_turn *turn)
{
    binned made = { .count = small_count(COUNT), .bins = turn->number };
    const size_t n = (size_t)made.count;

    made.keys = small_memory(n * 4);
    made.wide = small_memory(n * 8);
    made.counts = small_memory((size_t)made.bins * 4);
    made.sums = small_memory((size_t)made.bins * 8);
    for (int64_t k = 0; k < made.count; k++) {
        made.keys[k] = key_at(k) >> (32 - KEY_BITS);
        if (k % 3 == 0) made.keys[k] %= 1500000; /* some keys are small, so that few bins have some too */
        made.wide[k] = made.keys[k];
    }
    made.of_keys = array_of(turn->device, made.keys, n * 4);
    made.of_wide = array_of(turn->device, made.wide, n * 8);
    return made;
}

static void binned_free(binned *b)
{
    mcl_buffer_release(b->of_keys);
    mcl_buffer_release(b->of_wide);
    free(b->keys);
    free(b->wide);
    free(b->counts);
    free(b->sums);
}

static void binned_clear(binned *b)
{
    memset(b->counts, 0, (size_t)b->bins * 4);
    memset(b->sums, 0, (size_t)b->bins * 8);
}

static void binned_add(binned *b, int64_t k, int64_t bin)
{
    if (bin < 0 || bin >= b->bins) return;
    b->counts[bin]++;
    b->sums[bin] += b->wide[k];
}

static void histogram(const small_turn *turn)
{
    binned b = binned_make(turn);
    const int32_t number = (int32_t)b.bins;
    const mcl_op bin = { .role = MCL_ROLE_INDEX,
                         .expression = "x % ((uint32_t)bin_number + 1)",
                         .binding_count = 1,
                         .bindings = { mcl_binding_value("bin_number", MCL_INT32, &number) } };
    const mcl_input weights = input_of(MCL_INT64, b.of_wide, b.count);

    binned_clear(&b);
    for (int64_t k = 0; k < b.count; k++) binned_add(&b, k, b.keys[k] % (uint32_t)(number + 1));
    mcl_buffer *const counts = array_empty(turn->device, (size_t)b.bins * 4);
    small_ok(turn,
             mcl_histogram(turn->queue, input_of(MCL_UINT32, b.of_keys, b.count), &bin, NULL, ints_out(counts, b.bins),
                           turn->options),
             "counts");
    small_expect(turn, counts, b.counts, (size_t)b.bins * 4, "counts");
    mcl_buffer *const sums = array_empty(turn->device, (size_t)b.bins * 8);
    small_ok(turn,
             mcl_histogram(turn->queue, input_of(MCL_UINT32, b.of_keys, b.count), &bin, &weights,
                           mcl_to_buffer(MCL_INT64, sums, 0, b.bins), turn->options),
             "sums");
    small_expect(turn, sums, b.sums, (size_t)b.bins * 8, "sums");
    binned_free(&b);
}

/* Counts in even bins: their width is a power of two, or no whole number, or below one. */
static void histogram_even(const small_turn *turn)
{
    static const struct {
        int64_t high;
        int is_wide;
    } ways[] = { { 1 << KEY_BITS, 0 }, { 1000003, 0 }, { 1000, 0 }, { 1000003, 1 } };
    binned b = binned_make(turn);

    for (int way = 0; way < 4; way++) {
        const int64_t high = ways[way].high;
        const mcl_input in =
            ways[way].is_wide ? input_of(MCL_INT64, b.of_wide, b.count) : input_of(MCL_UINT32, b.of_keys, b.count);
        mcl_buffer *const counts = array_empty(turn->device, (size_t)b.bins * 4);
        binned_clear(&b);
        for (int64_t k = 0; k < b.count; k++)
            if (b.wide[k] < high) binned_add(&b, k, b.wide[k] * b.bins / high);
        small_ok(turn,
                 mcl_histogram_even(turn->queue, in, 0, (double)high, NULL, ints_out(counts, b.bins), turn->options),
                 "even bins");
        small_expect(turn, counts, b.counts, (size_t)b.bins * 4, "even bins");
    }
    binned_free(&b);
}

static void histogram_range(const small_turn *turn)
{
    binned b = binned_make(turn);
    const uint32_t width = (uint32_t)((1 << KEY_BITS) / (b.bins + 1));
    const size_t bytes = (size_t)(b.bins + 1) * 4;
    uint32_t *const bounds = small_memory(bytes);

    for (int64_t k = 0; k <= b.bins; k++) bounds[k] = (uint32_t)k * width + width / 2;
    binned_clear(&b);
    for (int64_t k = 0; k < b.count; k++)
        if (b.keys[k] >= bounds[0]) binned_add(&b, k, (b.keys[k] - bounds[0]) / width);
    mcl_buffer *const levels = array_of(turn->device, bounds, bytes);
    mcl_buffer *const counts = array_empty(turn->device, (size_t)b.bins * 4);
    small_ok(turn,
             mcl_histogram_range(turn->queue, input_of(MCL_UINT32, b.of_keys, b.count),
                                 input_of(MCL_UINT32, levels, b.bins + 1), NULL, ints_out(counts, b.bins),
                                 turn->options),
             "ranges");
    small_expect(turn, counts, b.counts, (size_t)b.bins * 4, "ranges");
    mcl_buffer_release(levels);
    free(bounds);
    binned_free(&b);
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

typedef struct imaged {
    uint64_t image; /* the bits of the key by which it is sorted */
    int64_t index;
} imaged;

static int compare_imaged(const void *p, const void *q)
{
    const imaged *const a = p, *const b = q;

    if (a->image != b->image) return a->image < b->image ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Sorts signed keys of size bytes by a number of bits from first on. */
static void sort_window(const small_turn *turn, size_t size, int first)
{
    enum { ROWS = 3001 };
    static imaged order[ROWS];
    static uint64_t wide[ROWS];
    static uint32_t narrow[ROWS];
    static int32_t indices[ROWS], wanted[ROWS];
    const int bits = (int)turn->number;
    const uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    const mcl_type *const type = size == 8 ? MCL_INT64 : MCL_INT32;
    mcl_options options = *turn->options;

    options.sort_method = MCL_SORT_RADIX;
    options.first_bit = first;
    options.end_bit = first + bits;
    for (int k = 0; k < ROWS; k++) {
        wide[k] = test_random(8, (uint64_t)k);
        if (k % 2) wide[k] = wide[k / 2]; /* keys repeat, so that an unstable sort is noticed */
        narrow[k] = (uint32_t)wide[k];
        const uint64_t image = size == 8 ? wide[k] ^ (uint64_t)1 << 63 : narrow[k] ^ 0x80000000u;
        order[k] = (imaged){ image >> first & mask, k };
        indices[k] = k;
    }
    qsort(order, ROWS, sizeof order[0], compare_imaged);
    for (int k = 0; k < ROWS; k++) wanted[k] = (int32_t)order[k].index;
    mcl_buffer *const keys = array_of(turn->device, size == 8 ? (void *)wide : (void *)narrow, ROWS * size);
    mcl_buffer *const out = array_empty(turn->device, ROWS * size);
    mcl_buffer *const values = ARRAY_OF(turn->device, indices);
    mcl_buffer *const out_values = array_empty(turn->device, sizeof wanted);
    small_ok(turn,
             mcl_sort_pairs(turn->queue, input_of(type, keys, ROWS), ints(values, ROWS),
                            mcl_to_buffer(type, out, 0, ROWS), ints_out(out_values, ROWS), MCL_LESS, &options),
             "bits");
    small_expect(turn, out_values, wanted, sizeof wanted, first ? "upper bits" : "lower bits");
    mcl_buffer_release(keys);
    mcl_buffer_release(out);
    mcl_buffer_release(values);
}

static void sort_bits(const small_turn *turn)
{
    const int bits = (int)turn->number;

    if (bits <= 32) sort_window(turn, 4, 0);
    if (bits < 32) sort_window(turn, 4, 32 - bits);
    sort_window(turn, 8, 0);
    if (bits < 64) sort_window(turn, 8, 64 - bits);
}

static void one_to_64(const mcl_context *context, numbers *out)
{
    (void)context;
    numbers_all(out, 64);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* Enters keys in a map in as many parts as the turn's number, or in one part more, by rounding. */
static void map_parts(const small_turn *turn)
{
    enum { KEYS = 3001, SLOT_BYTES = 8 };
    static int32_t keys[KEYS], values[KEYS];
    int *const parameters = turn->queue->context->tuning->parameters;
    const int earlier[] = { parameters[MCL__PARAMETER_map_parted_bytes], parameters[MCL__PARAMETER_map_part_bytes] };
    const mcl_map_config config = { .key = MCL_INT32, .value = MCL_INT32, .capacity = 2 * KEYS };
    mcl_map *map = NULL;

    for (int k = 0; k < KEYS; k++) {
        keys[k] = (int32_t)((uint32_t)k * 2654435761u >> 1);
        values[k] = k;
    }
    mcl_buffer *const in = ARRAY_OF(turn->device, keys);
    mcl_buffer *const beside = ARRAY_OF(turn->device, values);
    mcl_buffer *const found = array_empty(turn->device, sizeof values);
    test_ok(mcl_map_create(mcl_queue_context(turn->queue), &config, &map));
    parameters[MCL__PARAMETER_map_parted_bytes] = 1;
    parameters[MCL__PARAMETER_map_part_bytes] = (int)(2 * KEYS * SLOT_BYTES / turn->number);
    const mcl_status status = mcl_map_insert(turn->queue, map, ints(in, KEYS), ints(beside, KEYS), turn->options);
    parameters[MCL__PARAMETER_map_parted_bytes] = earlier[0];
    parameters[MCL__PARAMETER_map_part_bytes] = earlier[1];
    small_ok(turn, status, "insert");
    small_ok(turn, mcl_map_find(turn->queue, map, ints(in, KEYS), ints_out(found, KEYS), NULL, none, turn->options),
             "find");
    small_expect(turn, found, values, sizeof values, "values");
    mcl_buffer_release(in);
    mcl_buffer_release(beside);
    mcl_map_release(map);
}

const small_walk digit_walks[] = {
    { "multisplit", multisplit, one_to_256 },   { "histogram", histogram, bins },
    { "histogram-even", histogram_even, bins }, { "histogram-range", histogram_range, bins },
    { "sort-bits", sort_bits, one_to_64 },      { "map-parts", map_parts, one_to_256 },
};
const int digit_walk_count = sizeof digit_walks / sizeof digit_walks[0];
