/* segments.c: random calls of segmented.h, segmented_top_k.h and by_key.h. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 0, OFFSETS = 1, INDICES = 1, FLAGS = 1, KEYS = 1, INCLUSIVE = 0, STYLE = 1, ROW_LENGTH = 4 };
/* The kinds of segments, and keys as a fifth kind. */
enum {
    BY_OFFSETS = MCL_SEGMENT_OFFSETS,
    BY_BEGINS = MCL_SEGMENT_BEGINS,
    BY_INDICES = MCL_SEGMENT_INDICES,
    BY_FLAGS = MCL_SEGMENT_FLAGS,
    BY_KEYS
};
enum { INDICES_MAX = 60 }; /* few, since the reference looks at all of them for each element */

/* ---- segments ------------------------------------------------------------------------------------------- */

static int64_t cut_before(const void *data, int64_t k)
{
    return integer_of(&kind_int64, (const unsigned char *)data + 8 * k);
}

static int compare_cuts(const void *p, const void *q)
{
    const int64_t a = cut_before(p, 0);
    const int64_t b = cut_before(q, 0);

    return a < b ? -1 : a > b;
}

static const kind *draw_index_kind(call *c)
{
    static const kind *const kinds[] = { &kind_int32, &kind_int64, &kind_uint32, &kind_uint64 };
    return kinds[draw_below(&c->shape, 4)];
}

/* Draws sorted cuts of [0, n], which are offsets or begins. In a broken call they are in any order. */
static void offsets_draw(call *c)
{
    const kind *of = draw_index_kind(c);
    const int64_t n = c->sequences[VALUES].count;
    const int64_t most = draw_chance(&c->data, 50) ? 20 : draw_chance(&c->data, 50) ? 2000 : 2 * n + 2;
    sequence *offsets =
        sequence_begin(c, OFFSETS, of, draw_between(&c->data, c->numbers[STYLE] == BY_OFFSETS, most + 1), 1);
    int64_t *cuts = malloc((size_t)(offsets->bound + 1) * sizeof *cuts);

    if (!cuts) abort();
    for (int64_t k = 0; k < offsets->bound; k++) cuts[k] = draw_between(&c->data, 0, n);
    if (c->bent && draw_chance(&c->data, 80)) {
        c->broken = 1;
        for (int64_t k = 0; k < offsets->bound; k++)
            if (draw_chance(&c->data, 30)) cuts[k] = (int64_t)draw(&c->data) >> draw_below(&c->data, 62);
    } else {
        qsort(cuts, (size_t)offsets->bound, sizeof *cuts, compare_cuts);
    }
    if (!c->broken && draw_chance(&c->data, 50)) cuts[0] = 0;
    if (!c->broken && offsets->bound > 1 && draw_chance(&c->data, 50)) cuts[offsets->bound - 1] = n;
    for (int64_t k = 0; k < offsets->bound; k++) integer_to(of, cuts[k], offsets->data + (size_t)k * of->type->size);
    free(cuts);
    sequence_finish(c, OFFSETS);
}

/* Draws indices of heads in any order. A few lie outside the elements, which MCL_VALIDATE refuses. */
static void indices_draw(call *c)
{
    const kind *of = draw_index_kind(c);
    const int64_t n = c->sequences[VALUES].count;
    sequence *indices = sequence_begin(c, INDICES, of, draw_between(&c->data, 0, INDICES_MAX), 1);

    for (int64_t k = 0; k < indices->bound; k++) {
        int64_t index = draw_between(&c->data, 0, n);
        if (c->bent && draw_chance(&c->data, 10)) {
            index = (int64_t)draw(&c->data) >> draw_below(&c->data, 60);
            c->expect = EXPECT_EITHER;
        }
        integer_to(of, index, indices->data + (size_t)k * of->type->size);
    }
    sequence_finish(c, INDICES);
}

static void flags_draw(call *c)
{
    const kind *of = draw_chance(&c->shape, 50) ? &kind_int32 : &kind_uint32;
    const int64_t words = (c->sequences[VALUES].bound + 31) / 32;
    const int64_t rarity = draw_between(&c->data, 0, 5);
    sequence *flags = sequence_begin(c, FLAGS, of, words, 0);

    for (int64_t k = 0; k < words; k++) {
        uint64_t bits = draw(&c->data);
        for (int64_t i = 0; i < rarity; i++) bits &= draw(&c->data);
        integer_to(of, (int64_t)bits, flags->data + 4 * k);
    }
    sequence_finish(c, FLAGS);
}

static void keys_draw(call *c)
{
    const int plain = c->with.value == &kind_indexed && is_skipped_for(c, "indexed-keys");
    const kind *of = draw_kind(&c->shape, plain ? KINDS_NUMBER : KINDS_ANY);

    c->same = equality_new(c, 1, of, 1);
    sequence *keys = sequence_follow(c, KEYS, of, VALUES);
    sequence *values = &c->sequences[VALUES];
    keys->bound = values->bound;
    keys->has_slot = 0;
    fill_elements(&c->data, of, draw_chance(&c->data, 80) ? FILL_FEW : FILL_EQUAL, keys->data, keys->bound);
    sequence_heat(c, keys);
    sequence_finish(c, KEYS);
    if (!draw_chance(&c->data, 25)) return;
    keys->has_slot = 1;
    keys->slot_value = draw_between(&c->data, -2, keys->bound + 2);
    slot_type_draw(c, keys);
    keys->count = keys->slot_value < 0 ? 0 : keys->slot_value > keys->bound ? keys->bound : keys->slot_value;
    values->count = keys->count;
    slot_give(c, keys, &c->in[KEYS]);
}

/* ---- what is common to all ------------------------------------------------------------------------------ */

static void segments_draw(call *c, int style)
{
    if (style == BY_OFFSETS || style == BY_BEGINS) offsets_draw(c);
    if (style == BY_INDICES) indices_draw(c);
    if (style == BY_FLAGS) flags_draw(c);
}

static void values_draw(call *c, int style)
{
    c->with = fold_new(c, 0);
    fold_initial(c, &c->with);
    c->numbers[STYLE] = style;
    if (style == BY_KEYS) { /* the count of the keys is taken */
        sequence_begin(c, VALUES, c->with.in, draw_size(c), 0);
        fill_elements(&c->data, c->with.in, c->with.how, c->sequences[VALUES].data, c->sequences[VALUES].bound);
        sequence_finish(c, VALUES);
        keys_draw(c);
        return;
    }
    input_any(c, VALUES, c->with.in, draw_size(c), c->with.how);
    segments_draw(c, style);
}

static int has_offsets(const call *c)
{
    return c->numbers[STYLE] == BY_OFFSETS || c->numbers[STYLE] == BY_BEGINS;
}

static int is_index(const call *c, int64_t k)
{
    const sequence *indices = &c->sequences[INDICES];
    for (int64_t j = 0; j < indices->count; j++)
        if (integer_of(indices->of, element_at(indices, j)) == k) return 1;
    return 0;
}

static int begins(const call *c, int64_t k)
{
    if (k == 0) return 1;
    if (c->numbers[STYLE] == BY_KEYS)
        return !equality_same(&c->same, element_at(&c->sequences[KEYS], k - 1), element_at(&c->sequences[KEYS], k));
    if (c->numbers[STYLE] == BY_INDICES) return is_index(c, k);
    return (int)(integer_of(c->sequences[FLAGS].of, element_at(&c->sequences[FLAGS], k / 32)) >> (k % 32) & 1);
}

/* Returns the number of segments. With head flags or indices it looks at all elements, so callers ask once. */
static int64_t segment_count(const call *c)
{
    const int64_t offsets = c->sequences[OFFSETS].count;
    int64_t count = 0;

    if (c->numbers[STYLE] == BY_OFFSETS) return offsets > 0 ? offsets - 1 : 0;
    if (c->numbers[STYLE] == BY_BEGINS) return offsets;
    for (int64_t k = 0; k < c->sequences[VALUES].count; k++) count += begins(c, k);
    return count;
}

/* Finds segment number s. With head flags or indices the caller's *from is the end of the segment before. */
static void segment_of(const call *c, int64_t s, int64_t *from, int64_t *end)
{
    const sequence *offsets = &c->sequences[OFFSETS];

    if (has_offsets(c)) {
        *from = integer_of(offsets->of, element_at(offsets, s));
        *end =
            s + 1 < offsets->count ? integer_of(offsets->of, element_at(offsets, s + 1)) : c->sequences[VALUES].count;
        return;
    }
    *from = *end;
    for (++*end; *end < c->sequences[VALUES].count && !begins(c, *end);) ++*end;
}

static void expect_fold(call *c, int k, int64_t index, const void *sum)
{
    unsigned char stored[MCL_VALUE_BYTES_MAX];

    fold_store(&c->with, sum, stored);
    output_expect_at(c, k, index, stored);
}

static void fold_in(const call *c, int64_t k, int *has, void *sum)
{
    unsigned char v[MCL_VALUE_BYTES_MAX];

    fold_extract(&c->with, element_at(&c->sequences[VALUES], k), k, v);
    if (*has)
        fold_plus(&c->with, sum, v, sum);
    else
        memcpy(sum, v, c->with.value->type->size);
    *has = 1;
}

/* ---- reductions ----------------------------------------------------------------------------------------- */

static void reduce_segments(call *c, int k)
{
    int64_t from = 0;
    int64_t end = 0;
    const int64_t count = segment_count(c);
    unsigned char sum[MCL_VALUE_BYTES_MAX];

    for (int64_t s = 0; s < count; s++) {
        segment_of(c, s, &from, &end);
        int has = c->options.initial != NULL;
        int stored = fold_begin(&c->with, c, sum);
        for (int64_t i = from; i < end; i++) fold_in(c, i, &has, sum);
        stored |= from < end;
        if (stored) expect_fold(c, k, s, sum);
    }
}

static int64_t draw_segments(call *c)
{
    const int64_t n = c->sequences[VALUES].bound;

    return draw_chance(&c->data, 70) ? n : draw_chance(&c->data, 20) ? 0 : draw_below(&c->data, n + 1);
}

static mcl_segments segments_of(const call *c)
{
    return segments_told(c, OFFSETS, (mcl_segment_kind)c->numbers[STYLE], c->numbers[ROW_LENGTH]);
}

static void segments_reduce_draw(call *c)
{
    const int style = (int)draw_below(&c->shape, BY_KEYS);

    values_draw(c, style);
    const int64_t room = c->sequences[OFFSETS].bound - (style == BY_OFFSETS);
    output_new(c, 0, c->with.out, has_offsets(c) ? draw_room(c, room) : draw_segments(c), -1);
    count_new(c, 0, 1);
}

static mcl_status segments_reduce_run(mcl_queue *queue, call *c)
{
    return mcl_segmented_reduce(queue, c->in[VALUES], segments_of(c), c->out[0], c->op_given[0], c->result[0],
                                c->options_given);
}

static void segments_reduce_reference(call *c)
{
    reduce_segments(c, 0);
    result_expect_count(c, 0, segment_count(c));
    if (!has_offsets(c)) expect_capacity(c, 0, segment_count(c), c->out[0].capacity);
}

static void keys_reduce_draw(call *c)
{
    values_draw(c, BY_KEYS);
    output_new(c, 0, c->sequences[KEYS].of, draw_segments(c), -1);
    output_new(c, 1, c->with.out, draw_segments(c), -1);
    count_new(c, 0, 1);
}

static mcl_status keys_reduce_run(mcl_queue *queue, call *c)
{
    return mcl_reduce_by_key(queue, c->in[KEYS], c->in[VALUES], c->out[0], c->out[1], c->op_given[0], c->op_given[1],
                             c->result[0], c->options_given);
}

static void keys_reduce_reference(call *c)
{
    int64_t runs = 0;

    reduce_segments(c, 1);
    for (int64_t k = 0; k < c->sequences[KEYS].count; k++)
        if (begins(c, k)) output_expect_at(c, 0, runs++, element_at(&c->sequences[KEYS], k));
    result_expect_count(c, 0, runs);
    for (int k = 0; k < 2; k++) expect_capacity(c, 0, runs, c->out[k].capacity);
}

/* ---- scans ---------------------------------------------------------------------------------------------- */

static void scan_any_draw(call *c, int style)
{
    const int in_place = draw_chance(&c->shape, 20);

    c->numbers[INCLUSIVE] = draw_below(&c->shape, 2);
    values_draw(c, style);
    output_new(c, 0, c->with.out, draw_room(c, c->sequences[VALUES].bound), in_place ? VALUES : -1);
    if (!c->with.has_identity && !c->options.initial && !c->numbers[INCLUSIVE])
        refuse(c, "an exclusive scan without a start");
}

static void scan_segments_reference(call *c)
{
    int64_t from = 0;
    int64_t end = 0;
    const int64_t count = segment_count(c);
    unsigned char sum[MCL_VALUE_BYTES_MAX];

    if (c->expect == EXPECT_REFUSED) return;
    for (int64_t s = 0; s < count; s++) {
        segment_of(c, s, &from, &end);
        int has = c->options.initial != NULL;
        fold_begin(&c->with, c, sum);
        for (int64_t i = from; i < end; i++) {
            if (!c->numbers[INCLUSIVE]) expect_fold(c, 0, i, sum);
            fold_in(c, i, &has, sum);
            if (c->numbers[INCLUSIVE]) expect_fold(c, 0, i, sum);
        }
    }
}

static void segments_scan_draw(call *c)
{
    scan_any_draw(c, (int)draw_below(&c->shape, BY_KEYS));
}

static mcl_status segments_scan_run(mcl_queue *queue, call *c)
{
    return mcl_segmented_scan(queue, c->in[VALUES], segments_of(c), c->out[0], c->op_given[0],
                              (mcl_scan_kind)c->numbers[INCLUSIVE], c->options_given);
}

static void keys_scan_draw(call *c)
{
    scan_any_draw(c, BY_KEYS);
}

static mcl_status keys_scan_run(mcl_queue *queue, call *c)
{
    return mcl_scan_by_key(queue, c->in[KEYS], c->in[VALUES], c->out[0], c->op_given[0], c->op_given[1],
                           (mcl_scan_kind)c->numbers[INCLUSIVE], c->options_given);
}

/* ---- top-k of segments ---------------------------------------------------------------------------------- */

enum { TOP_KEYS, TOP_PAIRS, TOP_INDICES, STORES_COUNTS = 0, WANTED = 2, FORM = 3 };

/* Returns the index of the output that receives counts. It is the last output. */
static int counts_of(const call *c)
{
    return c->numbers[FORM] == TOP_PAIRS ? 2 : 1;
}

static void top_k_draw(call *c, int form)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY), *value = draw_kind(&c->shape, KINDS_ANY);
    const kind *index = draw_kind(&c->shape, KINDS_INDEX);
    const int style = (int)draw_below(&c->shape, BY_KEYS);

    c->numbers[STYLE] = style;
    c->numbers[FORM] = form;
    c->numbers[STORES_COUNTS] = draw_chance(&c->shape, 50);
    c->by = order_new(c, 0, of);
    input_any(c, VALUES, of, draw_size(c), (fill)draw_below(&c->data, FILL_COUNT));
    if (style == BY_OFFSETS && !c->bent && draw_chance(&c->shape, 50))
        c->numbers[ROW_LENGTH] = rows_draw(c, VALUES, OFFSETS, draw_index_kind(c));
    else
        segments_draw(c, style);
    if (form == TOP_PAIRS) input_carried(c, 2, value, VALUES);
    const int64_t n = c->sequences[VALUES].bound, bound = c->sequences[OFFSETS].bound;
    const int64_t rows = has_offsets(c) ? bound - (style == BY_OFFSETS) : draw_below(&c->data, n + 2);
    const int64_t most = draw_chance(&c->data, 70) ? 20 : draw_chance(&c->data, 50) ? 400 : n + 2;
    c->numbers[WANTED] = draw_below(&c->data, rows > 1000 && most > 100 ? 100 : most);
    const int64_t room = rows * c->numbers[WANTED];
    output_new(c, 0, form == TOP_INDICES ? index : of, draw_room(c, room), -1);
    if (form == TOP_PAIRS) output_new(c, 1, value, draw_room(c, room), -1);
    c->may_lack = 1u << counts_of(c);
    if (c->numbers[STORES_COUNTS]) output_new(c, counts_of(c), index, draw_room(c, rows), -1);
}

static void top_k_keys_draw(call *c)
{
    top_k_draw(c, TOP_KEYS);
}

static void top_k_pairs_draw(call *c)
{
    top_k_draw(c, TOP_PAIRS);
}

static void top_k_indices_draw(call *c)
{
    top_k_draw(c, TOP_INDICES);
}

static mcl_status top_k_run(mcl_queue *queue, call *c)
{
    const mcl_output none = { 0 }, counts = c->numbers[STORES_COUNTS] ? c->out[counts_of(c)] : none;
    const mcl_amount k = mcl_amount_of(c->numbers[WANTED]);

    if (c->numbers[FORM] == TOP_PAIRS)
        return mcl_segmented_top_k_pairs(queue, c->in[VALUES], c->in[2], segments_of(c), k, c->out[0], c->out[1],
                                         counts, c->op_given[0], c->options_given);
    if (c->numbers[FORM] == TOP_INDICES)
        return mcl_segmented_top_k_indices(queue, c->in[VALUES], segments_of(c), k, c->out[0], counts, c->op_given[0],
                                           c->options_given);
    return mcl_segmented_top_k(queue, c->in[VALUES], segments_of(c), k, c->out[0], counts, c->op_given[0],
                               c->options_given);
}

/* Expects row s of the outputs, from the segment [from, end). */
static void top_k_expect_row(call *c, int64_t s, int64_t from, int64_t end)
{
    const sequence *keys = &c->sequences[VALUES];
    const size_t size = keys->of->type->size;
    const int64_t length = end > from ? end - from : 0, k = c->numbers[WANTED], count = k < length ? k : length;
    unsigned char *copy = malloc((size_t)(length + 1) * size), number[8];
    int64_t *places = malloc((size_t)(length + 1) * sizeof *places);

    if (!copy || !places) abort();
    if (length) memcpy(copy, element_at(keys, from), (size_t)length * size);
    order_sort(&c->by, keys->of, copy, length, places);
    for (int64_t i = 0; i < count; i++) {
        if (c->numbers[FORM] == TOP_INDICES) integer_to(c->out_kind[0], places[i], number);
        output_expect_at(c, 0, s * k + i, c->numbers[FORM] == TOP_INDICES ? number : copy + (size_t)i * size);
        if (c->numbers[FORM] != TOP_PAIRS) continue;
        output_expect_at(c, 1, s * k + i, element_at(&c->sequences[2], from + places[i]));
    }
    if (c->numbers[STORES_COUNTS]) {
        integer_to(c->out_kind[counts_of(c)], count, number);
        output_expect_at(c, counts_of(c), s, number);
    }
    free(copy);
    free(places);
}

/* Expects all rows. With heads, rows past the capacity of an output are not stored. */
static void top_k_reference(call *c)
{
    const int64_t count = segment_count(c);
    int64_t from = 0;
    int64_t end = 0;

    for (int64_t s = 0; s < count; s++) {
        int fits = 1;
        for (int k = 0; k < c->out_count; k++)
            fits &= (s + 1) * (k == counts_of(c) ? 1 : c->numbers[WANTED]) <= output_capacity(c, k);
        segment_of(c, s, &from, &end);
        if (fits) top_k_expect_row(c, s, from, end);
    }
}

/* ---- ranks in segments ---------------------------------------------------------------------------------- */

/* Draws ranks, or fractions in eighths. */
static void rank_draw(call *c, int is_fraction)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const int style = (int)draw_below(&c->shape, BY_KEYS);

    c->numbers[STYLE] = style;
    c->numbers[FORM] = is_fraction;
    c->by = order_new(c, 0, of);
    input_any(c, VALUES, of, draw_size(c), (fill)draw_below(&c->data, FILL_COUNT));
    segments_draw(c, style);
    const int64_t n = c->sequences[VALUES].bound, bound = c->sequences[OFFSETS].bound;
    c->numbers[WANTED] = draw_below(&c->data, is_fraction ? 9 : draw_chance(&c->data, 70) ? 20 : n + 2);
    output_new(c, 0, of, has_offsets(c) ? draw_room(c, bound - (style == BY_OFFSETS)) : draw_below(&c->data, n + 2),
               -1);
}

static void nth_draw(call *c)
{
    rank_draw(c, 0);
}

static void quantile_draw(call *c)
{
    rank_draw(c, 1);
}

static mcl_status nth_run(mcl_queue *queue, call *c)
{
    return mcl_segmented_nth_element(queue, c->in[VALUES], segments_of(c), mcl_amount_of(c->numbers[WANTED]), c->out[0],
                                     c->op_given[0], c->options_given);
}

static mcl_status quantile_run(mcl_queue *queue, call *c)
{
    const float fraction = (float)c->numbers[WANTED] / 8;

    return mcl_segmented_quantiles(queue, c->in[VALUES], segments_of(c), mcl_from_constant(MCL_FLOAT, &fraction, 1),
                                   c->out[0], c->op_given[0], MCL_INTERPOLATION_LOWER, c->options_given);
}

static void rank_reference(call *c)
{
    const sequence *keys = &c->sequences[VALUES];
    const size_t size = keys->of->type->size;
    const int64_t count = segment_count(c);
    int64_t from = 0;
    int64_t end = 0;

    for (int64_t s = 0; s < count && s < output_capacity(c, 0); s++) {
        segment_of(c, s, &from, &end);
        const int64_t length = end > from ? end - from : 0;
        const int64_t rank = c->numbers[FORM] ? (length - 1) * c->numbers[WANTED] / 8 : c->numbers[WANTED];
        if (length == 0 || rank >= length) continue;
        unsigned char *copy = malloc((size_t)length * size);
        int64_t *places = malloc((size_t)length * sizeof *places);
        if (!copy || !places) abort();
        memcpy(copy, element_at(keys, from), (size_t)length * size);
        order_sort(&c->by, keys->of, copy, length, places);
        output_expect_at(c, 0, s, copy + (size_t)rank * size);
        free(copy);
        free(places);
    }
}

#define BOTH (TAKES_INITIAL | MAY_LACK_OUTPUTS)
const operation segment_operations[] = {
    { "mcl_segmented_reduce", BOTH, segments_reduce_draw, segments_reduce_run, segments_reduce_reference },
    { "mcl_reduce_by_key", BOTH, keys_reduce_draw, keys_reduce_run, keys_reduce_reference },
    { "mcl_segmented_scan", TAKES_INITIAL, segments_scan_draw, segments_scan_run, scan_segments_reference },
    { "mcl_scan_by_key", TAKES_INITIAL, keys_scan_draw, keys_scan_run, scan_segments_reference },
    { "mcl_segmented_top_k", STORES_POINTS, top_k_keys_draw, top_k_run, top_k_reference },
    { "mcl_segmented_top_k_pairs", STORES_POINTS, top_k_pairs_draw, top_k_run, top_k_reference },
    { "mcl_segmented_top_k_indices", STORES_POINTS, top_k_indices_draw, top_k_run, top_k_reference },
    { "mcl_segmented_nth_element", 0, nth_draw, nth_run, rank_reference },
    { "mcl_segmented_quantiles", 0, quantile_draw, quantile_run, rank_reference },
    { NULL, 0, NULL, NULL, NULL },
};
