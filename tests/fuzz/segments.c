/* segments.c: random calls of segmented.h and by_key.h. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES = 0, OFFSETS = 1, FLAGS = 1, KEYS = 1, INCLUSIVE = 0, STYLE = 1, BY_OFFSETS = 0, BY_FLAGS, BY_KEYS };

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

/* Sorted cuts of [0, n]; of a broken call any. */
static void offsets_draw(call *c)
{
    static const kind *const kinds[] = { &kind_int32, &kind_int64, &kind_uint32, &kind_uint64 };
    const kind *of = kinds[draw_below(&c->shape, 4)];
    const int64_t n = c->sequences[VALUES].count;
    const int64_t most = draw_chance(&c->data, 50) ? 20 : draw_chance(&c->data, 50) ? 2000 : 2 * n + 2;
    sequence *offsets = sequence_begin(c, OFFSETS, of, draw_between(&c->data, 1, most + 1), 0);
    int64_t *cuts = malloc((size_t)offsets->bound * sizeof *cuts);

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
    if (!c->broken && draw_chance(&c->data, 50)) cuts[offsets->bound - 1] = n;
    for (int64_t k = 0; k < offsets->bound; k++) integer_to(of, cuts[k], offsets->data + (size_t)k * of->type->size);
    free(cuts);
    sequence_finish(c, OFFSETS);
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
    sequence_finish(c, KEYS);
    if (!draw_chance(&c->data, 25)) return;
    keys->has_slot = 1;
    keys->slot_value = draw_between(&c->data, -2, keys->bound + 2);
    keys->count = keys->slot_value < 0 ? 0 : keys->slot_value > keys->bound ? keys->bound : keys->slot_value;
    values->count = keys->count;
    keys->slot = memory_new(c, sizeof(int64_t), sizeof(int64_t));
    memcpy(keys->slot->before + keys->slot->start, &keys->slot_value, sizeof keys->slot_value);
    c->in[KEYS] =
        mcl_with_count(c->in[KEYS], memory_buffer(c, keys->slot), (int64_t)(keys->slot->start / sizeof(int64_t)));
}

/* ---- what is common to all ------------------------------------------------------------------------------ */

static void values_draw(call *c, int style)
{
    c->with = fold_new(c, 0);
    fold_initial(c, &c->with);
    c->numbers[STYLE] = style;
    if (style == BY_KEYS) { /* the keys' count is taken */
        sequence_begin(c, VALUES, c->with.in, draw_size(c), 0);
        fill_elements(&c->data, c->with.in, c->with.how, c->sequences[VALUES].data, c->sequences[VALUES].bound);
        sequence_finish(c, VALUES);
        keys_draw(c);
        return;
    }
    input_any(c, VALUES, c->with.in, draw_size(c), c->with.how);
    if (style == BY_OFFSETS) offsets_draw(c);
    if (style == BY_FLAGS) flags_draw(c);
}

static int begins(const call *c, int64_t k)
{
    if (k == 0) return 1;
    if (c->numbers[STYLE] == BY_KEYS)
        return !equality_same(&c->same, element_at(&c->sequences[KEYS], k - 1), element_at(&c->sequences[KEYS], k));
    return (int)(integer_of(c->sequences[FLAGS].of, element_at(&c->sequences[FLAGS], k / 32)) >> (k % 32) & 1);
}

static int64_t segment_count(const call *c)
{
    int64_t count = 0;

    if (c->numbers[STYLE] == BY_OFFSETS) return c->sequences[OFFSETS].count - 1;
    for (int64_t k = 0; k < c->sequences[VALUES].count; k++) count += begins(c, k);
    return count;
}

/* Segment number s begins at *from, which is where the one before it ended if they are not given by offsets. */
static void segment_of(const call *c, int64_t s, int64_t *from, int64_t *end)
{
    if (c->numbers[STYLE] == BY_OFFSETS) {
        *from = integer_of(c->sequences[OFFSETS].of, element_at(&c->sequences[OFFSETS], s));
        *end = integer_of(c->sequences[OFFSETS].of, element_at(&c->sequences[OFFSETS], s + 1));
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
    unsigned char sum[MCL_VALUE_BYTES_MAX];

    for (int64_t s = 0; s < segment_count(c); s++) {
        segment_of(c, s, &from, &end);
        int has = c->options.initial != NULL;
        int stored = fold_begin(&c->with, c, sum);
        for (int64_t i = from; i < end; i++) fold_in(c, i, &has, sum);
        stored |= from < end;
        if (stored) expect_fold(c, k, s, sum);
    }
}

static void offsets_reduce_draw(call *c)
{
    values_draw(c, BY_OFFSETS);
    output_new(c, 0, c->with.out, draw_room(c, c->sequences[OFFSETS].bound - 1), -1);
}

static mcl_status offsets_reduce_run(mcl_queue *queue, call *c)
{
    return mcl_segmented_reduce(queue, c->in[VALUES], c->in[OFFSETS], c->out[0], c->op_given[0], c->options_given);
}

static void offsets_reduce_reference(call *c)
{
    reduce_segments(c, 0);
}

static int64_t draw_segments(call *c)
{
    const int64_t n = c->sequences[VALUES].bound;

    return draw_chance(&c->data, 70) ? n : draw_chance(&c->data, 20) ? 0 : draw_below(&c->data, n + 1);
}

static void flags_reduce_draw(call *c)
{
    values_draw(c, BY_FLAGS);
    output_new(c, 0, c->with.out, draw_segments(c), -1);
    result_new(c, 0, &kind_int64, 1);
}

static mcl_status flags_reduce_run(mcl_queue *queue, call *c)
{
    return mcl_segmented_reduce_flags(queue, c->in[VALUES], c->in[FLAGS], c->out[0], c->op_given[0], c->result[0],
                                      c->options_given);
}

static void flags_reduce_reference(call *c)
{
    reduce_segments(c, 0);
    result_expect_count(c, 0, segment_count(c));
    expect_capacity(c, 0, segment_count(c), c->out[0].capacity);
}

static void keys_reduce_draw(call *c)
{
    values_draw(c, BY_KEYS);
    output_new(c, 0, c->sequences[KEYS].of, draw_segments(c), -1);
    output_new(c, 1, c->with.out, draw_segments(c), -1);
    result_new(c, 0, &kind_int64, 1);
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
    unsigned char sum[MCL_VALUE_BYTES_MAX];

    if (c->expect == EXPECT_REFUSED) return;
    for (int64_t s = 0; s < segment_count(c); s++) {
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

#define SCAN(lower, style, ...)                                                                                        \
    static void lower##_draw(call *c)                                                                                  \
    {                                                                                                                  \
        scan_any_draw(c, style);                                                                                       \
    }                                                                                                                  \
    static mcl_status lower##_run(mcl_queue *queue, call *c)                                                           \
    {                                                                                                                  \
        return mcl_##lower(queue, __VA_ARGS__, (int)c->numbers[INCLUSIVE], c->options_given);                          \
    }
SCAN(segmented_scan, BY_OFFSETS, c->in[VALUES], c->in[OFFSETS], c->out[0], c->op_given[0])
SCAN(segmented_scan_flags, BY_FLAGS, c->in[VALUES], c->in[FLAGS], c->out[0], c->op_given[0])
SCAN(scan_by_key, BY_KEYS, c->in[KEYS], c->in[VALUES], c->out[0], c->op_given[0], c->op_given[1])

#define BOTH (TAKES_INITIAL | MAY_LACK_OUTPUTS)
const operation segment_operations[] = {
    { "mcl_segmented_reduce", BOTH, offsets_reduce_draw, offsets_reduce_run, offsets_reduce_reference },
    { "mcl_segmented_reduce_flags", BOTH, flags_reduce_draw, flags_reduce_run, flags_reduce_reference },
    { "mcl_reduce_by_key", BOTH, keys_reduce_draw, keys_reduce_run, keys_reduce_reference },
    { "mcl_segmented_scan", BOTH, segmented_scan_draw, segmented_scan_run, scan_segments_reference },
    { "mcl_segmented_scan_flags", BOTH, segmented_scan_flags_draw, segmented_scan_flags_run, scan_segments_reference },
    { "mcl_scan_by_key", BOTH, scan_by_key_draw, scan_by_key_run, scan_segments_reference },
    { NULL, 0, NULL, NULL, NULL },
};
