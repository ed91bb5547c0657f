/* top_k.c: random calls of top_k.h. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* indices of numbers: the number of wanted elements or the wanted rank; form; number of points; kind */
enum { WANTED, FORM, POINTS, KIND };

static void keys_draw(call *c, const kind *of)
{
    const int64_t n = draw_size(c);

    c->by = order_new(c, 0, of);
    input_any(c, 0, of, draw_chance(&c->data, 20) ? 8 * n : n, (fill)draw_below(&c->data, FILL_COUNT));
    const int64_t bound = c->sequences[0].bound;
    c->numbers[WANTED] = draw_chance(&c->data, 50) ? draw_below(&c->data, 20) : draw_between(&c->data, 0, bound + 2);
    c->numbers[FORM] = draw_below(&c->shape, 2);
}

/* Returns the amount from the host, or from an expression that the device evaluates. */
static mcl_amount amount_of(const call *c)
{
    const int64_t number = c->numbers[WANTED];

    if (!c->numbers[FORM]) return mcl_amount_of(number);
    return mcl_amount_of_each(number, mcl_from_constant(MCL_INT64, &number, 1));
}

static int64_t room_needed(const call *c)
{
    const int64_t bound = c->sequences[0].bound;

    return c->numbers[WANTED] < bound ? c->numbers[WANTED] : bound;
}

static void top_k_any_draw(call *c, int pairs)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *value = draw_kind(&c->shape, KINDS_ANY);

    keys_draw(c, of);
    if (pairs) input_carried(c, 1, value, 0);
    output_new(c, 0, of, draw_room(c, room_needed(c)), -1);
    if (pairs) output_new(c, 1, value, draw_room(c, room_needed(c)), -1);
    count_new(c, 0, 1);
}

static void top_k_draw(call *c)
{
    top_k_any_draw(c, 0);
}

static void top_k_pairs_draw(call *c)
{
    top_k_any_draw(c, 1);
}

static void top_k_indices_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);

    keys_draw(c, of);
    output_new(c, 0, index_kind, draw_room(c, room_needed(c)), -1);
    count_new(c, 0, 1);
}

static mcl_status top_k_run(mcl_queue *queue, call *c)
{
    return mcl_top_k(queue, c->in[0], amount_of(c), c->out[0], c->op_given[0], c->result[0], c->options_given);
}

static mcl_status top_k_pairs_run(mcl_queue *queue, call *c)
{
    return mcl_top_k_pairs(queue, c->in[0], c->in[1], amount_of(c), c->out[0], c->out[1], c->op_given[0], c->result[0],
                           c->options_given);
}

static mcl_status top_k_indices_run(mcl_queue *queue, call *c)
{
    return mcl_top_k_indices(queue, c->in[0], amount_of(c), c->out[0], c->op_given[0], c->result[0], c->options_given);
}

/* Returns the indices of the keys in their order. */
static int64_t *sorted_places(const call *c)
{
    const sequence *keys = &c->sequences[0];
    const size_t size = keys->of->type->size;
    int64_t *places = malloc((size_t)(keys->count + 1) * sizeof *places);
    unsigned char *copy = malloc((size_t)(keys->count + 1) * size);

    if (!places || !copy) abort();
    if (keys->count) memcpy(copy, keys->data, (size_t)keys->count * size);
    order_sort(&c->by, keys->of, copy, keys->count, places);
    free(copy);
    return places;
}

static int64_t chosen_of(const call *c)
{
    const int64_t count = c->sequences[0].count;

    return c->numbers[WANTED] < count ? c->numbers[WANTED] : count;
}

static void top_k_reference(call *c)
{
    int64_t *places = sorted_places(c);

    for (int64_t k = 0; k < chosen_of(c); k++) {
        output_expect_at(c, 0, k, element_at(&c->sequences[0], places[k]));
        if (c->in_count > 1) output_expect_at(c, 1, k, element_at(&c->sequences[1], places[k]));
    }
    result_expect_count(c, 0, chosen_of(c));
    free(places);
}

static void top_k_indices_reference(call *c)
{
    int64_t *places = sorted_places(c);
    unsigned char element[8];

    for (int64_t k = 0; k < chosen_of(c); k++) {
        integer_to(c->out_kind[0], places[k], element);
        output_expect_at(c, 0, k, element);
    }
    result_expect_count(c, 0, chosen_of(c));
    free(places);
}

/* Draws a call. A result slot keeps its content where the count on the device is not above the rank. */
static void nth_element_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    keys_draw(c, of);
    const int64_t bound = c->sequences[0].bound;
    if (c->numbers[WANTED] >= bound && bound > 0 && draw_chance(&c->data, 90)) c->numbers[WANTED] = bound / 2;
    if (c->numbers[WANTED] >= bound) refuse(c, "a rank that no key has");
    result_new(c, 0, of, 1);
}

static mcl_status nth_element_run(mcl_queue *queue, call *c)
{
    return mcl_nth_element(queue, c->in[0], amount_of(c), c->result[0], c->op_given[0], c->options_given);
}

static void nth_element_reference(call *c)
{
    int64_t *places = sorted_places(c);

    if (c->numbers[WANTED] < c->sequences[0].count)
        result_expect(c, 0, element_at(&c->sequences[0], places[c->numbers[WANTED]]));
    else
        c->host_any[0] = result_on_host(c, 0);
    free(places);
}

/* ---- many ranks, and quantiles --------------------------------------------------------------------------- */

/* Draws ranks in steps of three, or fractions in steps of an eighth, some above 1. */
static void points_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    keys_draw(c, of);
    c->numbers[WANTED] = draw_between(&c->data, -2, 10);
    c->numbers[POINTS] = draw_chance(&c->data, 80) ? draw_below(&c->data, 10) : draw_below(&c->data, 300);
    c->numbers[KIND] = draw_below(&c->shape, MCL_INTERPOLATION_MIDPOINT);
    output_new(c, 0, of, draw_room(c, c->numbers[POINTS]), -1);
}

static mcl_status nth_elements_run(mcl_queue *queue, call *c)
{
    const int64_t step = 3;

    return mcl_nth_elements(queue, c->in[0], mcl_from_step(MCL_INT64, &c->numbers[WANTED], &step, c->numbers[POINTS]),
                            c->out[0], c->op_given[0], c->options_given);
}

static mcl_status quantiles_run(mcl_queue *queue, call *c)
{
    const float start = (float)c->numbers[WANTED] / 8, step = 0.125f;

    return mcl_quantiles(queue, c->in[0], mcl_from_step(MCL_FLOAT, &start, &step, c->numbers[POINTS]), c->out[0],
                         c->op_given[0], (mcl_interpolation)c->numbers[KIND], c->options_given);
}

static int64_t clamped(int64_t number, int64_t highest)
{
    return number < 0 ? 0 : number < highest ? number : highest;
}

static void nth_elements_reference(call *c)
{
    int64_t *places = sorted_places(c);
    const int64_t last = c->sequences[0].count - 1;

    for (int64_t k = 0; last >= 0 && k < c->numbers[POINTS]; k++)
        output_expect_at(c, 0, k, element_at(&c->sequences[0], places[clamped(c->numbers[WANTED] + 3 * k, last)]));
    free(places);
}

/* Expects quantiles. Positions are in eighths of an element. */
static void quantiles_reference(call *c)
{
    int64_t *places = sorted_places(c);
    const int64_t last = c->sequences[0].count - 1;

    for (int64_t k = 0; last >= 0 && k < c->numbers[POINTS]; k++) {
        const int64_t position = clamped(c->numbers[WANTED] + k, 8) * last, low = position / 8, share = position % 8;
        const int64_t ranks[] = { low, low + (share > 0), low + (share > 4) };
        output_expect_at(c, 0, k, element_at(&c->sequences[0], places[ranks[c->numbers[KIND]]]));
    }
    free(places);
}

const operation top_k_operations[] = {
    { "mcl_top_k", 0, top_k_draw, top_k_run, top_k_reference },
    { "mcl_top_k_pairs", 0, top_k_pairs_draw, top_k_pairs_run, top_k_reference },
    { "mcl_top_k_indices", 0, top_k_indices_draw, top_k_indices_run, top_k_indices_reference },
    { "mcl_nth_element", 0, nth_element_draw, nth_element_run, nth_element_reference },
    { "mcl_nth_elements", STORES_POINTS, points_draw, nth_elements_run, nth_elements_reference },
    { "mcl_quantiles", STORES_POINTS, points_draw, quantiles_run, quantiles_reference },
    { NULL, 0, NULL, NULL, NULL },
};
