/* search.c: random calls of sorted_search.h and cuts.h. */
#include "fuzz.h"

#include <string.h>

/* Returns the number of elements that sort before the key; with upper, the number of elements that do not sort after
 * the key. */
static int64_t bound_of(const order *by, const sequence *in, const void *key, int upper)
{
    int64_t low = 0;
    int64_t high = in->count;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const void *at = element_at(in, middle);
        if (upper ? !order_before(by, key, at) : order_before(by, at, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void expect_number(call *c, int k, int64_t index, int64_t number)
{
    unsigned char element[8];

    integer_to(c->out_kind[k], number, element);
    output_expect_at(c, k, index, element);
}

static void two_sorted(call *c, const kind *of)
{
    c->by = order_new(c, 0, of);
    for (int k = 0; k < 2; k++) {
        sequence_begin(c, k, of, draw_size(c), 1);
        sequence_sorted(c, k, &c->by, 0);
        sequence_finish(c, k);
    }
}

/* ---- mcl_sorted_search ---------------------------------------------------------------------------------- */

enum { SEARCH_FIND = 0, SEARCH_BOUNDS = 2 };

static void search_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    two_sorted(c, of);
    c->numbers[SEARCH_BOUNDS] = draw_below(&c->shape, 2);
    for (int k = 0; k < 2; k++) {
        const mcl_find find = (mcl_find)draw_below(&c->shape, 4);
        const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);
        c->numbers[k] = find;
        if (find == MCL_FIND_MATCH) index_kind = draw_kind(&c->shape, KINDS_INTEGER);
        if (find == MCL_FIND_NOTHING) continue;
        output_new(c, k, index_kind, draw_room(c, c->sequences[k].bound), -1);
        if (find != MCL_FIND_INDEX) count_new(c, k, 1);
    }
}

static mcl_found found_of(const call *c, int k)
{
    return (mcl_found){ (mcl_find)c->numbers[k], c->out[k], c->result[k] };
}

static mcl_status search_run(mcl_queue *queue, call *c)
{
    return mcl_sorted_search(queue, c->in[0], c->in[1], (mcl_bounds)c->numbers[SEARCH_BOUNDS], found_of(c, 0),
                             found_of(c, 1), c->op_given[0], c->options_given);
}

static void search_side(call *c, int k)
{
    const sequence *keys = &c->sequences[k];
    const sequence *other = &c->sequences[1 - k];
    const int upper = (c->numbers[SEARCH_BOUNDS] == MCL_UPPER) != (k == 1);
    int64_t matches = 0;

    for (int64_t i = 0; i < keys->count; i++) {
        const void *key = element_at(keys, i);
        const int64_t bound = bound_of(&c->by, other, key, upper);
        const int match = bound_of(&c->by, other, key, 0) < bound_of(&c->by, other, key, 1);
        const uint64_t top = UINT64_C(1) << (c->out_kind[k]->type->size * 8 - 1);
        matches += match;
        if (c->numbers[k] == MCL_FIND_INDEX) expect_number(c, k, i, bound);
        if (c->numbers[k] == MCL_FIND_MATCH) expect_number(c, k, i, match);
        if (c->numbers[k] == MCL_FIND_INDEX_MATCH)
            expect_number(c, k, i, (int64_t)((uint64_t)bound | (match ? top : 0)));
    }
    if (c->numbers[k] > MCL_FIND_INDEX) result_expect_count(c, k, matches);
}

static int search_asks(const call *c, int k)
{
    const int counts = c->numbers[k] > MCL_FIND_INDEX && (c->result[k].host || c->result[k].buffer);

    return c->numbers[k] != MCL_FIND_NOTHING && (counts || !c->left_out[k]);
}

static void search_reference(call *c)
{
    if (!search_asks(c, 0) && !search_asks(c, 1)) refuse(c, "nothing to find");
    for (int k = 0; k < 2; k++)
        if (c->numbers[k] && c->result_kind[k])
            search_side(c, k);
        else if (c->numbers[k] == MCL_FIND_INDEX)
            search_side(c, k);
}

/* ---- mcl_sorted_search_needles, mcl_equality_count ------------------------------------------------------ */

static void needles_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);
    const int in_place = draw_chance(&c->shape, 20);

    two_sorted(c, of);
    c->numbers[SEARCH_BOUNDS] = draw_below(&c->shape, 2);
    output_new(c, 0, index_kind, draw_room(c, c->sequences[0].bound), in_place ? 0 : -1);
}

static mcl_status needles_run(mcl_queue *queue, call *c)
{
    return mcl_sorted_search_needles(queue, c->in[0], c->in[1], (mcl_bounds)c->numbers[SEARCH_BOUNDS], c->out[0],
                                     c->op_given[0], c->options_given);
}

static void needles_reference(call *c)
{
    for (int64_t i = 0; i < c->sequences[0].count; i++)
        expect_number(c, 0, i,
                      bound_of(&c->by, &c->sequences[1], element_at(&c->sequences[0], i),
                               c->numbers[SEARCH_BOUNDS] == MCL_UPPER));
}

static void equality_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);
    const kind *count_kind = draw_kind(&c->shape, KINDS_INDEX);

    two_sorted(c, of);
    sequence *lower = sequence_follow(c, 2, index_kind, 0);
    for (int64_t i = 0; i < lower->bound; i++) {
        const int64_t bound =
            i < c->sequences[0].bound ? bound_of(&c->by, &c->sequences[1], element_at(&c->sequences[0], i), 0) : 0;
        integer_to(index_kind, bound, lower->data + (size_t)i * index_kind->type->size);
    }
    sequence_finish(c, 2);
    c->ops[1] = *MCL_EQUALITY;
    c->op_given[1] = MCL_EQUALITY;
    c->op_count = 2;
    output_new(c, 0, count_kind, draw_room(c, c->sequences[0].bound), draw_chance(&c->shape, 20) ? 2 : -1);
}

static mcl_status equality_run(mcl_queue *queue, call *c)
{
    return mcl_equality_count(queue, c->in[0], c->in[1], c->in[2], c->out[0], c->op_given[0], c->op_given[1],
                              c->options_given);
}

static void equality_reference(call *c)
{
    for (int64_t i = 0; i < c->sequences[0].count; i++) {
        const void *key = element_at(&c->sequences[0], i);
        expect_number(c, 0, i, bound_of(&c->by, &c->sequences[1], key, 1) - bound_of(&c->by, &c->sequences[1], key, 0));
    }
}

/* ---- partitions ----------------------------------------------------------------------------------------- */

enum { CUT_COUNT, CUT_TILE, CUT_BOUNDS, CUT_COOP };

static int64_t cuts(int64_t count, int64_t tile)
{
    return (count + tile - 1) / tile + 1;
}

static void binary_draw(call *c)
{
    const kind *drawn_kind = draw_kind(&c->shape, KINDS_INTEGER);
    const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);
    const int is_wide = drawn_kind == &kind_uint64 && is_skipped_for(c, "unsigned-positions");
    const kind *of = is_wide ? &kind_int64 : drawn_kind;

    c->by = (order){ .of = of };
    sequence_begin(c, 0, of, draw_size(c), 1);
    sequence_sorted(c, 0, &c->by, 0);
    sequence_finish(c, 0);
    c->numbers[CUT_COUNT] = draw_size(c);
    c->numbers[CUT_TILE] = draw_between(&c->data, 1, 400);
    c->numbers[CUT_BOUNDS] = draw_below(&c->shape, 2);
    output_new(c, 0, index_kind, draw_room(c, cuts(c->numbers[CUT_COUNT], c->numbers[CUT_TILE])), -1);
    if (draw_chance(&c->data, 6)) {
        const int which = draw_chance(&c->data, 50);
        c->numbers[which] = which == CUT_TILE ? -draw_below(&c->data, 3) : -draw_between(&c->data, 1, 3);
        refuse(c, "a count or tile that is too small");
    }
}

static mcl_status binary_run(mcl_queue *queue, call *c)
{
    return mcl_cut_search(queue, c->in[0], c->numbers[CUT_COUNT], c->numbers[CUT_TILE],
                          (mcl_bounds)c->numbers[CUT_BOUNDS], c->out[0], c->options_given);
}

static void binary_reference(call *c)
{
    const sequence *in = &c->sequences[0];
    const int64_t count = c->numbers[CUT_COUNT];

    if (c->expect == EXPECT_REFUSED) return;
    for (int64_t k = 0; k < cuts(count, c->numbers[CUT_TILE]); k++) {
        const int64_t position = k * c->numbers[CUT_TILE] < count ? k * c->numbers[CUT_TILE] : count;
        int64_t bound = 0;
        while (bound < in->count && (in->of->type == MCL_UINT64 ? (uint64_t)integer_of(in->of, element_at(in, bound)) <
                                                                      (uint64_t)position + (c->numbers[CUT_BOUNDS] != 0)
                                                                : integer_of(in->of, element_at(in, bound)) <
                                                                      position + c->numbers[CUT_BOUNDS]))
            bound++;
        expect_number(c, 0, k, bound);
    }
}

static void path_draw(call *c)
{
    two_sorted(c, draw_kind(&c->shape, KINDS_ANY));
    const int64_t most = c->sequences[0].bound + c->sequences[1].bound;

    c->numbers[CUT_TILE] = draw_between(&c->data, 1, 400);
    c->numbers[CUT_BOUNDS] = draw_below(&c->shape, 2);
    output_new(c, 0, draw_kind(&c->shape, KINDS_INDEX), draw_room(c, cuts(most, c->numbers[CUT_TILE])), -1);
}

static mcl_status path_run(mcl_queue *queue, call *c)
{
    return mcl_cut_merge_path(queue, c->in[0], c->in[1], c->numbers[CUT_TILE], 0, (mcl_bounds)c->numbers[CUT_BOUNDS],
                              c->out[0], c->op_given[0], c->options_given);
}

static void path_reference(call *c)
{
    const sequence *a = &c->sequences[0];
    const sequence *b = &c->sequences[1];
    const int64_t tile = c->numbers[CUT_TILE];
    int64_t i = 0;
    int64_t j = 0;

    for (int64_t k = 0; k < cuts(a->count + b->count, tile); k++) {
        while (i + j < k * tile && (i < a->count || j < b->count)) {
            const int lower = c->numbers[CUT_BOUNDS] == MCL_LOWER;
            const int take_a =
                j == b->count || (i < a->count && (lower ? !order_before(&c->by, element_at(b, j), element_at(a, i))
                                                         : order_before(&c->by, element_at(a, i), element_at(b, j))));
            take_a ? i++ : j++;
        }
        expect_number(c, 0, k, i);
    }
    /* With a count in a slot, the diagonals of its bound may be stored too. */
    for (int64_t k = cuts(a->count + b->count, tile); k < cuts(a->bound + b->bound, tile); k++)
        output_any_at(c, 0, k, 1);
}

/* Draws a balanced path, whose memory alone is checked. The set operations, which use it, have references. */
static void balanced_draw(call *c)
{
    path_draw(c);
    output_any_at(c, 0, 0, c->out[0].capacity);
    if (draw_chance(&c->shape, 20)) c->options.flags |= MCL_UNIQUE_KEYS;
}

static mcl_status balanced_run(mcl_queue *queue, call *c)
{
    return mcl_cut_balanced_path(queue, c->in[0], c->in[1], c->numbers[CUT_TILE], c->out[0], c->op_given[0],
                                 c->options_given);
}

static void lists_draw(call *c)
{
    path_draw(c);
    c->numbers[CUT_COOP] = INT64_C(2) << draw_below(&c->data, 5);
    if (draw_chance(&c->data, 10)) c->numbers[CUT_COOP] = draw_between(&c->data, -3, 9);
    c->broken = 1; /* a was not drawn as an array of such lists, so the call is broken */
}

static mcl_status lists_run(mcl_queue *queue, call *c)
{
    return mcl_cut_merge_path(queue, c->in[0], c->in[1], c->numbers[CUT_TILE], (int)c->numbers[CUT_COOP],
                              (mcl_bounds)c->numbers[CUT_BOUNDS], c->out[0], c->op_given[0], c->options_given);
}

const operation search_operations[] = {
    { "mcl_sorted_search", MAY_LACK_OUTPUTS | REPLACES_OWN, search_draw, search_run, search_reference },
    { "mcl_sorted_search_needles", REPLACES_OWN, needles_draw, needles_run, needles_reference },
    { "mcl_equality_count", REPLACES_OWN, equality_draw, equality_run, equality_reference },
    { "mcl_cut_search", 0, binary_draw, binary_run, binary_reference },
    { "mcl_cut_merge_path", 0, path_draw, path_run, path_reference },
    { "mcl_cut_merge_path", NO_SPOILING, lists_draw, lists_run, NULL },
    { "mcl_cut_balanced_path", TAKES_UNIQUE, balanced_draw, balanced_run, NULL },
    { NULL, 0, NULL, NULL, NULL },
};
