/* sets.c: random calls of sets.h. */
#include "fuzz.h"

enum { INTERSECTION, UNION, DIFFERENCE, SYMMETRIC, A = 0, B = 1, A_VALUES = 2, B_VALUES = 3 };

static void sets_draw(call *c, int kind_of_set, int pairs)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *value = draw_kind(&c->shape, KINDS_ANY);
    const int unique = draw_chance(&c->shape, 15);

    c->numbers[0] = kind_of_set;
    c->numbers[1] = pairs;
    c->by = order_new(c, 0, of);
    if (unique) c->options.flags |= MCL_UNIQUE_KEYS;
    for (int k = A; k <= B; k++) {
        sequence_begin(c, k, of, draw_size(c), 1);
        sequence_sorted(c, k, &c->by, unique);
        sequence_finish(c, k);
    }
    const int has_b = kind_of_set == UNION || kind_of_set == SYMMETRIC;
    if (pairs) input_carried(c, A_VALUES, value, A);
    if (pairs && has_b) input_carried(c, B_VALUES, value, B);
    const int64_t most = c->sequences[A].bound + c->sequences[B].bound;
    for (int k = 0; k <= pairs; k++)
        output_new(c, k, k ? value : of, draw_chance(&c->data, 75) ? most : draw_below(&c->data, most + 1), -1);
    count_new(c, 0, 1);
}

/* ---- by the obvious loops ------------------------------------------------------------------------------- */

typedef struct emission {
    call *c;
    int64_t count;
    int64_t capacity; /* capacity of the shorter output */
} emission;

static void emit(emission *to, int side, int64_t from, int64_t end)
{
    for (int64_t k = from; k < end; k++, to->count++) {
        if (to->count >= to->capacity) continue;
        output_expect_at(to->c, 0, to->count, element_at(&to->c->sequences[side], k));
        if (to->c->numbers[1])
            output_expect_at(to->c, 1, to->count, element_at(&to->c->sequences[side ? B_VALUES : A_VALUES], k));
    }
}

static int64_t run_end(const order *by, const sequence *of, int64_t from, const void *key)
{
    while (from < of->count && !order_before(by, key, element_at(of, from))) from++;
    return from;
}

static void emit_key(emission *to, int kind_of_set, const int64_t *from, const int64_t *end)
{
    const int64_t m = end[A] - from[A];
    const int64_t n = end[B] - from[B];
    const int64_t both = m < n ? m : n;

    if (kind_of_set == INTERSECTION) emit(to, A, from[A], from[A] + both);
    if (kind_of_set == UNION) emit(to, A, from[A], end[A]);
    if (kind_of_set == UNION || kind_of_set == SYMMETRIC) emit(to, B, from[B] + both, end[B]);
    if (kind_of_set == DIFFERENCE || kind_of_set == SYMMETRIC) emit(to, A, from[A] + both, end[A]);
}

static void sets_reference(call *c)
{
    const sequence *a = &c->sequences[A];
    const sequence *b = &c->sequences[B];
    emission to = { c, 0, c->out[0].capacity };
    int64_t from[2] = { 0, 0 };

    if (c->numbers[1] && c->out[1].capacity < to.capacity) to.capacity = c->out[1].capacity;
    while (from[A] < a->count || from[B] < b->count) {
        const int b_first = from[A] == a->count || (from[B] < b->count && order_before(&c->by, element_at(b, from[B]),
                                                                                       element_at(a, from[A])));
        const void *key = b_first ? element_at(b, from[B]) : element_at(a, from[A]);
        const int64_t end[2] = { run_end(&c->by, a, from[A], key), run_end(&c->by, b, from[B], key) };
        emit_key(&to, (int)c->numbers[0], from, end);
        from[A] = end[A];
        from[B] = end[B];
    }
    result_expect_count(c, 0, to.count);
    expect_capacity(c, 0, to.count, to.capacity);
    if (to.capacity == 0 && is_skipped_for(c, "count-only")) c->expect = EXPECT_EITHER;
}

/* ---- the eight ------------------------------------------------------------------------------------------ */

#define SET(lower, which)                                                                                              \
    static void lower##_draw(call *c)                                                                                  \
    {                                                                                                                  \
        sets_draw(c, which, 0);                                                                                        \
    }                                                                                                                  \
    static mcl_status lower##_run(mcl_queue *queue, call *c)                                                           \
    {                                                                                                                  \
        return mcl_set_##lower(queue, c->in[A], c->in[B], c->out[0], c->op_given[0], c->result[0], c->options_given);  \
    }                                                                                                                  \
    static void lower##_pairs_draw(call *c)                                                                            \
    {                                                                                                                  \
        sets_draw(c, which, 1);                                                                                        \
    }                                                                                                                  \
    static mcl_status lower##_pairs_run(mcl_queue *queue, call *c)                                                     \
    {                                                                                                                  \
        return mcl_set_##lower##_pairs(queue, c->in[A], c->in[A_VALUES], c->in[B], c->in[B_VALUES], c->out[0],         \
                                       c->out[1], c->op_given[0], c->result[0], c->options_given);                     \
    }

SET(intersection, INTERSECTION)
SET(union, UNION)
SET(difference, DIFFERENCE)
SET(symmetric_difference, SYMMETRIC)

#define SET_OPTIONS (TAKES_PASSES | TAKES_UNIQUE | MAY_LACK_OUTPUTS)
#define ROWS(lower)                                                                                                    \
    { "mcl_set_" #lower, SET_OPTIONS, lower##_draw, lower##_run, sets_reference },                                     \
    {                                                                                                                  \
        "mcl_set_" #lower "_pairs", SET_OPTIONS, lower##_pairs_draw, lower##_pairs_run, sets_reference                 \
    }
const operation sets_operations[] = {
    ROWS(intersection), ROWS(union), ROWS(difference), ROWS(symmetric_difference), { NULL, 0, NULL, NULL, NULL },
};
