/* segmented_sort.c: random calls of segmented_sort.h, locality_sort.h and bulk.h. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS, VALUES, HEADS, STABLE = 0, KIND = 1, REPORTED = 2, PAIRS = 3, SEGMENTS = 4, ORIGIN = 5, ROW_LENGTH = 6 };
enum { MAKES_INDICES = 2 }; /* of PAIRS */

static _Thread_local mcl_sort_report the_report;

static int compare_numbers(const void *p, const void *q)
{
    const int64_t a = *(const int64_t *)p;
    const int64_t b = *(const int64_t *)q;

    return a < b ? -1 : a > b;
}

/* Draws offsets or begins in order, or indices. An index outside the elements has no effect; MCL_VALIDATE refuses
 * it. */
static void numbers_draw(call *c, const kind *of)
{
    const int64_t n = c->sequences[KEYS].count;
    sequence *heads = sequence_begin(c, HEADS, of, draw_between(&c->data, 0, n / 2 + 3), 1);
    int64_t *numbers = malloc((size_t)(heads->bound + 1) * sizeof *numbers);

    if (!numbers) abort();
    for (int64_t k = 0; k < heads->bound; k++) {
        numbers[k] = draw_between(&c->data, 0, n);
        if (c->numbers[KIND] != MCL_SEGMENT_INDICES || !c->bent || !draw_chance(&c->data, 10)) continue;
        numbers[k] = (int64_t)draw(&c->data) >> draw_below(&c->data, 60);
        c->expect = EXPECT_EITHER;
    }
    if (c->numbers[KIND] != MCL_SEGMENT_INDICES) qsort(numbers, (size_t)heads->bound, sizeof *numbers, compare_numbers);
    for (int64_t k = 0; k < heads->bound; k++) integer_to(of, numbers[k], heads->data + (size_t)k * of->type->size);
    free(numbers);
    sequence_finish(c, HEADS);
}

static void flags_draw(call *c, const kind *of)
{
    const int64_t needed = (c->sequences[KEYS].bound + 31) / 32;
    sequence *heads = sequence_begin(c, HEADS, of, draw_chance(&c->data, 80) ? needed : needed / 2, 1);
    const int64_t rarity = draw_between(&c->data, 0, 5);

    for (int64_t k = 0; k < heads->bound; k++) {
        int64_t bits = (int64_t)draw(&c->data);
        for (int64_t i = 0; i < rarity; i++) bits &= (int64_t)draw(&c->data);
        integer_to(of, bits, heads->data + (size_t)k * of->type->size);
    }
    sequence_finish(c, HEADS);
}

static void heads_draw(call *c)
{
    static const kind *const kinds[] = { &kind_int32, &kind_uint32, &kind_int64, &kind_uint64 };

    if (!c->bent && draw_chance(&c->shape, 25)) {
        c->numbers[KIND] = MCL_SEGMENT_OFFSETS;
        c->numbers[ROW_LENGTH] = rows_draw(c, KEYS, HEADS, kinds[draw_below(&c->shape, 4)]);
        return;
    }
    c->numbers[KIND] = draw_below(&c->shape, 4);
    if (c->numbers[KIND] == MCL_SEGMENT_FLAGS)
        flags_draw(c, kinds[draw_below(&c->shape, 2)]);
    else
        numbers_draw(c, kinds[draw_below(&c->shape, 4)]);
}

static void sort_any_draw(call *c, int segments, int pairs)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *value = draw_kind(&c->shape, KINDS_ANY);
    const int in_place = draw_chance(&c->shape, 30);

    c->by = order_new(c, 0, of);
    input_any(c, KEYS, of, draw_size(c), (fill)draw_below(&c->data, FILL_COUNT));
    if (pairs) input_carried(c, VALUES, value, KEYS);
    c->numbers[STABLE] = segments ? draw_below(&c->shape, 2) : 1;
    c->numbers[REPORTED] = draw_chance(&c->data, 20);
    c->numbers[PAIRS] = pairs;
    c->numbers[SEGMENTS] = segments;
    output_new(c, 0, of, draw_room(c, c->sequences[KEYS].bound), in_place ? KEYS : -1);
    if (pairs) output_new(c, 1, value, draw_room(c, c->sequences[KEYS].bound), in_place ? VALUES : -1);
    if (segments) heads_draw(c);
}

static int begins_by_flag(const call *c, int64_t k)
{
    const sequence *heads = &c->sequences[HEADS];

    return k / 32 < heads->count && (integer_of(heads->of, element_at(heads, k / 32)) >> (k % 32) & 1);
}

static int64_t number_at(const sequence *heads, int64_t k)
{
    return integer_of(heads->of, element_at(heads, k));
}

/* Marks elements outside all segments as begins of segments, since they stay where they are. */
static void outside_begins(const call *c, int64_t n, unsigned char *begins)
{
    const sequence *heads = &c->sequences[HEADS];
    const int has_end = c->numbers[KIND] == MCL_SEGMENT_OFFSETS;
    const int64_t first = heads->count > has_end ? number_at(heads, 0) : n;
    const int64_t last = has_end && heads->count > 1 ? number_at(heads, heads->count - 1) : n;

    for (int64_t k = 0; k < n; k++)
        if (k < first || k >= last) begins[k] = 1;
}

static unsigned char *heads_of(const call *c)
{
    const int64_t n = c->sequences[KEYS].count;
    const sequence *heads = &c->sequences[HEADS];
    const int flagged = c->numbers[KIND] == MCL_SEGMENT_FLAGS;
    unsigned char *begins = calloc((size_t)n + 1, 1);

    if (!begins) abort();
    if (!c->numbers[SEGMENTS]) return begins;
    for (int64_t k = 0; k < n && flagged; k++) begins[k] = (unsigned char)begins_by_flag(c, k);
    for (int64_t k = 0; k < heads->count && !flagged; k++) {
        const int64_t at = number_at(heads, k);
        if (at >= 0 && at < n) begins[at] = 1;
    }
    if (!flagged && c->numbers[KIND] != MCL_SEGMENT_INDICES) outside_begins(c, n, begins);
    return begins;
}

static void index_expect(call *c, int64_t k, int64_t index)
{
    unsigned char element[8];

    integer_to(c->out_kind[1], index, element);
    output_expect_at(c, 1, k, element);
}

static void sort_reference(call *c)
{
    const sequence *keys = &c->sequences[KEYS];
    const size_t size = keys->of->type->size;
    unsigned char *begins = heads_of(c);
    unsigned char *copy = malloc((size_t)(keys->count + 1) * size);
    int64_t *places = malloc((size_t)(keys->count + 1) * sizeof *places);
    const int exact = c->numbers[STABLE] || (!c->numbers[PAIRS] && keys->of->traits & KIND_INTEGER && c->by.mode < 2);

    if (!copy || !places) abort();
    if (keys->count) memcpy(copy, keys->data, (size_t)keys->count * size);
    for (int64_t from = 0, end = 1; from < keys->count; from = end++) {
        while (end < keys->count && !begins[end]) end++;
        order_sort(&c->by, keys->of, copy + (size_t)from * size, end - from, places + from);
        for (int64_t k = from; k < end; k++) {
            output_expect_at(c, 0, k, copy + (size_t)k * size);
            if (c->numbers[PAIRS] == MAKES_INDICES)
                index_expect(c, k, places[k] + (c->numbers[ORIGIN] == MCL_INDEX_IN_SEGMENT ? 0 : from));
            else if (c->numbers[PAIRS])
                output_expect_at(c, 1, k, element_at(&c->sequences[VALUES], from + places[k]));
        }
    }
    for (int k = 0; k < c->out_count && !exact; k++) output_any_at(c, k, 0, keys->count);
    free(begins);
    free(copy);
    free(places);
}

static mcl_segments segments_of(const call *c)
{
    return segments_told(c, HEADS, (mcl_segment_kind)c->numbers[KIND], c->numbers[ROW_LENGTH]);
}

static mcl_sort_report *report_of(const call *c)
{
    return c->numbers[REPORTED] ? &the_report : NULL;
}

static void keys_draw(call *c)
{
    sort_any_draw(c, 1, 0);
}
static mcl_status keys_run(mcl_queue *queue, call *c)
{
    return mcl_segmented_sort(queue, c->in[KEYS], segments_of(c), c->out[0], c->op_given[0], (int)c->numbers[STABLE],
                              report_of(c), c->options_given);
}
static void pairs_draw(call *c)
{
    sort_any_draw(c, 1, 1);
}
static mcl_status pairs_run(mcl_queue *queue, call *c)
{
    return mcl_segmented_sort_pairs(queue, c->in[KEYS], c->in[VALUES], segments_of(c), c->out[0], c->out[1],
                                    c->op_given[0], (int)c->numbers[STABLE], report_of(c), c->options_given);
}
/* Draws a call for indices. The output of keys may be left out. */
static void indices_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);
    const int in_place = draw_chance(&c->shape, 30);

    c->by = order_new(c, 0, of);
    input_any(c, KEYS, of, draw_size(c), (fill)draw_below(&c->data, FILL_COUNT));
    c->numbers[STABLE] = draw_below(&c->shape, 2);
    c->numbers[REPORTED] = draw_chance(&c->data, 20);
    c->numbers[PAIRS] = MAKES_INDICES;
    c->numbers[SEGMENTS] = 1;
    c->numbers[ORIGIN] = draw_below(&c->shape, 2);
    output_new(c, 0, of, draw_room(c, c->sequences[KEYS].bound), in_place ? KEYS : -1);
    output_new(c, 1, index_kind, draw_room(c, c->sequences[KEYS].bound), -1);
    heads_draw(c);
}
static mcl_status indices_run(mcl_queue *queue, call *c)
{
    return mcl_segmented_sort_indices(queue, c->in[KEYS], segments_of(c), c->out[0], c->out[1],
                                      (mcl_index_origin)c->numbers[ORIGIN], c->op_given[0], (int)c->numbers[STABLE],
                                      report_of(c), c->options_given);
}
static void indices_reference(call *c)
{
    if (c->left_out[1]) refuse(c, "no output of indices");
    sort_reference(c);
}
static void locality_draw(call *c)
{
    sort_any_draw(c, 0, 0);
}
static mcl_status locality_run(mcl_queue *queue, call *c)
{
    return mcl_locality_sort(queue, c->in[KEYS], c->out[0], c->op_given[0], report_of(c), c->options_given);
}
static void locality_pairs_draw(call *c)
{
    sort_any_draw(c, 0, 1);
}
static mcl_status locality_pairs_run(mcl_queue *queue, call *c)
{
    return mcl_locality_sort_pairs(queue, c->in[KEYS], c->in[VALUES], c->out[0], c->out[1], c->op_given[0],
                                   report_of(c), c->options_given);
}

/* ---- bulk ----------------------------------------------------------------------------------------------- */

/* Draws sorted positions up to limit. Distinct positions come once. In a broken call they are in any order. */
static void positions_draw(call *c, int k, int64_t most, int64_t limit, int distinct)
{
    static const kind *const kinds[] = { &kind_int32, &kind_int64, &kind_uint32, &kind_uint64 };
    const kind *of = kinds[draw_below(&c->shape, 4)];
    sequence *at = sequence_begin(c, k, of, most, 0);
    int64_t position = 0;
    int64_t count = 0;

    for (; count < most; count++) {
        const int64_t left = limit - position - (distinct ? most - count : 0);
        if (left > 0) position += draw_below(&c->data, left / (most - count) * 2 + 2);
        if (position > limit - distinct) position = limit - distinct;
        if (distinct && count && position <= integer_of(of, element_at(at, count - 1))) position++;
        if (position > limit - distinct) break;
        integer_to(of, position, at->data + (size_t)count * of->type->size);
    }
    at->bound = at->count = count;
    if (c->bent && count > 0) {
        c->broken = 1;
        fill_elements(&c->data, of, draw_chance(&c->data, 50) ? FILL_ANY : FILL_FEW, at->data, count);
    }
    sequence_finish(c, k);
}

static void remove_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    input_any(c, 0, of, draw_size(c), FILL_ANY);
    const int64_t n = c->sequences[0].count;
    positions_draw(c, 1, draw_below(&c->data, n + 1), n, 1);
    if (c->sequences[1].bound > c->sequences[0].bound) c->expect = EXPECT_EITHER;
    output_new(c, 0, of, draw_room(c, c->sequences[0].bound), -1);
}

static mcl_status remove_run(mcl_queue *queue, call *c)
{
    return mcl_bulk_remove(queue, c->in[0], c->in[1], c->out[0], c->options_given);
}

static void remove_reference(call *c)
{
    const sequence *at = &c->sequences[1];
    int64_t next = 0;
    int64_t count = 0;

    for (int64_t k = 0; k < c->sequences[0].count; k++) {
        if (next < at->count && integer_of(at->of, element_at(at, next)) == k)
            next++;
        else
            output_expect_at(c, 0, count++, element_at(&c->sequences[0], k));
    }
}

enum { INSERTED = 0, POSITIONS = 1, BASE = 2 };

static void insert_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    input_any(c, BASE, of, draw_size(c), FILL_ANY);
    positions_draw(c, POSITIONS, draw_size(c), c->sequences[BASE].count, 0);
    input_any(c, INSERTED, of, c->sequences[POSITIONS].bound, FILL_ANY);
    output_new(c, 0, of, draw_room(c, c->sequences[BASE].bound + c->sequences[INSERTED].bound), -1);
}

static mcl_status insert_run(mcl_queue *queue, call *c)
{
    return mcl_bulk_insert(queue, c->in[INSERTED], c->in[POSITIONS], c->in[BASE], c->out[0], c->options_given);
}

static void insert_reference(call *c)
{
    const sequence *at = &c->sequences[POSITIONS];
    int64_t next = 0;
    int64_t count = 0;

    for (int64_t k = 0; k <= c->sequences[BASE].count; k++) {
        while (next < c->sequences[INSERTED].count && integer_of(at->of, element_at(at, next)) == k)
            output_expect_at(c, 0, count++, element_at(&c->sequences[INSERTED], next++));
        if (k < c->sequences[BASE].count) output_expect_at(c, 0, count++, element_at(&c->sequences[BASE], k));
    }
}

const operation segmented_sort_operations[] = {
    { "mcl_segmented_sort", 0, keys_draw, keys_run, sort_reference },
    { "mcl_segmented_sort_pairs", 0, pairs_draw, pairs_run, sort_reference },
    { "mcl_segmented_sort_indices", MAY_LACK_OUTPUTS, indices_draw, indices_run, indices_reference },
    { "mcl_locality_sort", 0, locality_draw, locality_run, sort_reference },
    { "mcl_locality_sort_pairs", 0, locality_pairs_draw, locality_pairs_run, sort_reference },
    { "mcl_bulk_remove", 0, remove_draw, remove_run, remove_reference },
    { "mcl_bulk_insert", 0, insert_draw, insert_run, insert_reference },
    { NULL, 0, NULL, NULL, NULL },
};
