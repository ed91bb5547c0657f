/* small_selections.c: walks through k, ranks and numbers of quantiles. */
#include "cases/elements.h"
#include "small_walks.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 100001, SHORT_ROW = 97 };
static const mcl_output none = { 0 };

/* A key with its index. Keys have few values. A sorted array of them is the expected order of a selection. */
typedef struct keyed {
    int32_t key, index;
} keyed;

static int compare_keyed(const void *p, const void *q)
{
    const keyed *const a = p, *const b = q;

    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* The keys of a call, where each part of that length has been sorted separately. The last part may be shorter. */
typedef struct chosen {
    int64_t count, length;
    int32_t *keys;
    keyed *sorted;
    mcl_buffer *in;
} chosen;

static chosen chosen_make(const small_turn *turn, int64_t count, int64_t length)
{
    chosen made = { count, length, small_memory((size_t)count * 4), small_memory((size_t)count * sizeof(keyed)), NULL };

    for (int64_t k = 0; k < count; k++) {
        made.keys[k] = (int32_t)(test_random(9, (uint64_t)k) % 50000) - 25000;
        made.sorted[k] = (keyed){ made.keys[k], (int32_t)(k % length) };
    }
    for (int64_t first = 0; first < count; first += length) {
        const int64_t rest = count - first;
        qsort(made.sorted + first, (size_t)(rest < length ? rest : length), sizeof(keyed), compare_keyed);
    }
    made.in = array_of(turn->device, made.keys, (size_t)count * 4);
    return made;
}

static void chosen_free(chosen *c)
{
    mcl_buffer_release(c->in);
    free(c->keys);
    free(c->sorted);
}

/* Returns the first k sorted elements of each part, or only number k. */
static int32_t *first_of(const chosen *c, int64_t k, int indices)
{
    int32_t *const wanted = small_memory((size_t)(c->count / c->length * k + 1) * 4);

    for (int64_t part = 0; part < c->count / c->length; part++)
        for (int64_t j = 0; j < k; j++) {
            const keyed *const at = &c->sorted[part * c->length + j];
            wanted[part * k + j] = indices ? at->index : at->key;
        }
    return wanted;
}

/* Checks that an output has the wanted keys, in any order. */
static void expect_sorted(const small_turn *turn, mcl_buffer *out, const int32_t *wanted, int64_t k)
{
    int32_t *const got = small_memory((size_t)k * 4);

    array_read(turn->device, out, got, (size_t)k * 4);
    mcl_buffer_release(out);
    qsort(got, (size_t)k, 4, compare_ints);
    mcl_buffer *const sorted = array_of(turn->device, got, (size_t)k * 4);
    free(got);
    small_expect(turn, sorted, wanted, (size_t)k * 4, "keys in any order");
}

/* Selects the first k in order and in any order, with and without indices, and the key of rank k. */
static void top_k(const small_turn *turn)
{
    const int64_t count = small_count(COUNT), k = turn->number < count ? turn->number : count;
    const size_t bytes = (size_t)k * 4;
    chosen c = chosen_make(turn, count, count);
    int32_t *const keys = first_of(&c, k, 0), *const indices = first_of(&c, k, 1);
    mcl_buffer *const out = array_empty(turn->device, bytes), *const any = array_empty(turn->device, bytes);
    mcl_buffer *const out_keys = array_empty(turn->device, bytes), *const beside = array_empty(turn->device, bytes);
    mcl_buffer *const last = array_empty(turn->device, 4);
    mcl_options unordered = *turn->options;
    static const int32_t zero = 0;

    unordered.flags |= MCL_UNORDERED;
    small_ok(turn,
             mcl_top_k(turn->queue, ints(c.in, count), mcl_amount_of(k), ints_out(out, k), MCL_LESS, mcl_to_nowhere(),
                       turn->options),
             "keys");
    small_expect(turn, out, keys, bytes, "keys");
    small_ok(turn,
             mcl_top_k_pairs(turn->queue, ints(c.in, count), mcl_from_counting(MCL_INT32, &zero, count),
                             mcl_amount_of(k), ints_out(out_keys, k), ints_out(beside, k), MCL_LESS, mcl_to_nowhere(),
                             turn->options),
             "pairs");
    small_expect(turn, out_keys, keys, bytes, "keys of pairs");
    small_expect(turn, beside, indices, bytes, "values");
    small_ok(turn,
             mcl_nth_element(turn->queue, ints(c.in, count), mcl_amount_of(k - 1), mcl_to_slot(MCL_INT32, last, 0),
                             MCL_LESS, turn->options),
             "rank");
    small_expect(turn, last, keys + k - 1, 4, "the element of a rank");
    small_ok(turn,
             mcl_top_k(turn->queue, ints(c.in, count), mcl_amount_of(k), ints_out(any, k), MCL_LESS, mcl_to_nowhere(),
                       &unordered),
             "keys in any order");
    expect_sorted(turn, any, keys, k);
    free(keys);
    free(indices);
    chosen_free(&c);
}

/* Selects in rows of one length. */
static void top_k_of_rows(const small_turn *turn, int64_t rows, int64_t length)
{
    const int64_t k = turn->number;
    const size_t bytes = (size_t)(rows * k) * 4;
    chosen c = chosen_make(turn, rows * length, length);
    int32_t *const keys = first_of(&c, k, 0), *const indices = first_of(&c, k, 1);
    int32_t *const lasts = small_memory((size_t)rows * 4);
    mcl_buffer *const out = array_empty(turn->device, bytes), *const places = array_empty(turn->device, bytes);
    mcl_buffer *const ranked = array_empty(turn->device, (size_t)rows * 4);
    const mcl_segments segments = mcl_segments_from_rows(rows, length);
    const mcl_input in = ints(c.in, c.count);

    for (int64_t row = 0; row < rows; row++) lasts[row] = keys[row * k + k - 1];
    small_ok(turn,
             mcl_segmented_top_k(turn->queue, in, segments, mcl_amount_of(k), ints_out(out, rows * k), none, MCL_LESS,
                                 turn->options),
             "rows");
    small_expect(turn, out, keys, bytes, "rows");
    small_ok(turn,
             mcl_segmented_top_k_indices(turn->queue, in, segments, mcl_amount_of(k), ints_out(places, rows * k), none,
                                         MCL_LESS, turn->options),
             "indices of rows");
    small_expect(turn, places, indices, bytes, "indices of rows");
    small_ok(turn,
             mcl_segmented_nth_element(turn->queue, in, segments, mcl_amount_of(k - 1), ints_out(ranked, rows),
                                       MCL_LESS, turn->options),
             "ranks of rows");
    small_expect(turn, ranked, lasts, (size_t)rows * 4, "ranks of rows");
    free(lasts);
    free(keys);
    free(indices);
    chosen_free(&c);
}

static void segmented_top_k(const small_turn *turn)
{
    const int64_t length = small_count(COUNT) / 3;

    if (turn->number <= SHORT_ROW) top_k_of_rows(turn, 31, SHORT_ROW);
    if (turn->number <= length) top_k_of_rows(turn, 3, length);
}

/* Finds quantiles at fractions in sixteenths. Each has its own key, since there are 16 * 187 + 1 keys. */
static void quantiles(const small_turn *turn)
{
    enum { KEYS = 16 * 187 + 1, ROWS = 2 };
    const int64_t n = turn->number;
    const size_t bytes = (size_t)n * 4;
    chosen c = chosen_make(turn, (int64_t)ROWS * KEYS, KEYS);
    float fractions[16];
    int32_t ranks[16], wanted[ROWS * 16];

    for (int64_t k = 0; k < n; k++) {
        const int sixteenths = (int)(test_random(10, (uint64_t)k) % 17);
        fractions[k] = (float)sixteenths / 16;
        ranks[k] = sixteenths * 187;
        for (int64_t row = 0; row < ROWS; row++) wanted[row * n + k] = c.sorted[row * KEYS + ranks[k]].key;
    }
    mcl_buffer *const of_fractions = ARRAY_OF(turn->device, fractions), *const of_ranks = ARRAY_OF(turn->device, ranks);
    mcl_buffer *const out = array_empty(turn->device, bytes), *const ranked = array_empty(turn->device, bytes);
    mcl_buffer *const rows = array_empty(turn->device, ROWS * bytes);
    const mcl_input at = mcl_from_buffer(MCL_FLOAT, of_fractions, 0, n);
    small_ok(turn,
             mcl_quantiles(turn->queue, ints(c.in, KEYS), at, ints_out(out, n), MCL_LESS, MCL_INTERPOLATION_NEAREST,
                           turn->options),
             "quantiles");
    small_expect(turn, out, wanted, bytes, "quantiles");
    small_ok(turn,
             mcl_nth_elements(turn->queue, ints(c.in, KEYS), ints(of_ranks, n), ints_out(ranked, n), MCL_LESS,
                              turn->options),
             "ranks");
    small_expect(turn, ranked, wanted, bytes, "ranks");
    small_ok(turn,
             mcl_segmented_quantiles(turn->queue, ints(c.in, c.count), mcl_segments_from_rows(ROWS, KEYS), at,
                                     ints_out(rows, ROWS * n), MCL_LESS, MCL_INTERPOLATION_NEAREST, turn->options),
             "quantiles of rows");
    small_expect(turn, rows, wanted, ROWS * bytes, "quantiles of rows");
    mcl_buffer_release(of_fractions);
    mcl_buffer_release(of_ranks);
    chosen_free(&c);
}

static void amounts(const mcl_context *context, numbers *out)
{
    numbers_of_amounts(context, out, small_count(COUNT));
}

static void amounts_of_rows(const mcl_context *context, numbers *out)
{
    numbers_of_amounts(context, out, small_count(COUNT) / 3);
}

static void one_to_16(const mcl_context *context, numbers *out)
{
    (void)context;
    numbers_all(out, 16);
}

const small_walk selection_walks[] = {
    { "top-k", top_k, amounts },
    { "segmented-top-k", segmented_top_k, amounts_of_rows },
    { "quantiles", quantiles, one_to_16 },
};
const int selection_walk_count = sizeof selection_walks / sizeof selection_walks[0];
