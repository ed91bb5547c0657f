/* histogram.c: random calls of histogram.h, on integers. Wrong arguments are left to test_histogram.c, since here any
 * capacity is right. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS, LEVELS }; /* indices of sequences; the weights are the last sequence */
enum { WEIGHTED, WEIGHTS, LOW, HIGH };

static const kind *bins_kind(call *c)
{
    static const kind *const kinds[] = { &kind_int32, &kind_uint32, &kind_int64, &kind_uint64 };

    return kinds[draw_below(&c->shape, 4)];
}

/* Draws elements, perhaps levels, perhaps weights, and bins. */
static void begin_draw(call *c, const kind *of)
{
    input_any(c, ELEMENTS, of, draw_size(c), (fill)draw_below(&c->data, FILL_COUNT));
}

static void end_draw(call *c, int weights, int64_t bins)
{
    c->numbers[WEIGHTED] = draw_chance(&c->shape, 40);
    c->numbers[WEIGHTS] = weights;
    if (c->numbers[WEIGHTED]) input_carried(c, weights, draw_kind(&c->shape, KINDS_INTEGER), ELEMENTS);
    output_new(c, 0, bins_kind(c), bins, -1);
}

static int64_t draw_bins(call *c)
{
    return draw_chance(&c->data, 10) ? draw_between(&c->data, 8000, 20000) : draw_between(&c->data, 1, 300);
}

static const mcl_input *weights_of(const call *c)
{
    return c->numbers[WEIGHTED] ? &c->in[c->numbers[WEIGHTS]] : NULL;
}

/* Expects the sums. bin_of returns the bin of an element; a number outside the bins is left out. */
static void expect_sums(call *c, int64_t (*bin_of)(const call *c, int64_t k))
{
    const kind *of = c->out_kind[0];
    const int64_t bins = c->out[0].capacity;
    uint64_t *sums = calloc((size_t)bins, sizeof *sums);
    unsigned char element[8];

    if (!sums) abort();
    for (int64_t k = 0; k < c->sequences[ELEMENTS].count; k++) {
        const int64_t bin = bin_of(c, k);
        const sequence *weights = &c->sequences[c->numbers[WEIGHTS]];
        if (bin < 0 || bin >= bins) continue;
        sums[bin] += c->numbers[WEIGHTED] ? (uint64_t)integer_of(weights->of, element_at(weights, k)) : 1;
    }
    for (int64_t k = 0; k < bins; k++) {
        integer_to(of, (int64_t)sums[k], element);
        output_expect_at(c, 0, k, element);
    }
    free(sums);
}

static int64_t number_of(const call *c, int sequence_, int64_t k)
{
    return integer_of(c->sequences[sequence_].of, element_at(&c->sequences[sequence_], k));
}

/* ---- mcl_histogram_even ----------------------------------------------------------------------------------------- */

static void even_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_INTEGER);
    const int bits = of->type->size >= 4 ? 31 : (int)of->type->size * 8 - 1;
    const int64_t half = (int64_t)1 << bits;
    const int64_t least = of->traits & KIND_UNSIGNED ? 0 : -half;
    const int is_few = draw_chance(&c->data, 50);

    begin_draw(c, of);
    c->numbers[LOW] = draw_chance(&c->data, 30) ? least
                      : is_few                  ? draw_below(&c->data, 9)
                                                : least + draw_below(&c->data, half);
    c->numbers[HIGH] = is_few ? c->numbers[LOW] + draw_between(&c->data, 1, 40) : least + 2 * half;
    end_draw(c, 1, draw_bins(c));
}

static mcl_status even_run(mcl_queue *queue, call *c)
{
    return mcl_histogram_even(queue, c->in[0], (double)c->numbers[LOW], (double)c->numbers[HIGH], weights_of(c),
                              c->out[0], c->options_given);
}

static int64_t even_bin(const call *c, int64_t k)
{
    const int64_t x = number_of(c, ELEMENTS, k);

    if (x < c->numbers[LOW] || x >= c->numbers[HIGH]) return -1;
    return (x - c->numbers[LOW]) * c->out[0].capacity / (c->numbers[HIGH] - c->numbers[LOW]);
}

static void even_reference(call *c)
{
    expect_sums(c, even_bin);
}

/* ---- mcl_histogram_range ---------------------------------------------------------------------------------------- */

static int ascending(const void *p, const void *q)
{
    const int64_t a = *(const int64_t *)p;
    const int64_t b = *(const int64_t *)q;

    return (a > b) - (a < b);
}

static void range_draw(call *c)
{
    static const kind *const kinds[] = { &kind_int8, &kind_int32, &kind_int64, &kind_uint32 };
    const kind *of = kinds[draw_below(&c->shape, 4)];
    const int64_t bins = draw_between(&c->data, 1, 300);
    int64_t levels[301];
    sequence *made;

    begin_draw(c, of);
    made = sequence_begin(c, LEVELS, of, bins + 1, 0);
    fill_elements(&c->data, of, (fill)draw_below(&c->data, FILL_COUNT), made->data, made->bound);
    for (int64_t k = 0; k <= bins; k++) levels[k] = integer_of(of, made->data + (size_t)k * of->type->size);
    qsort(levels, (size_t)bins + 1, sizeof *levels, ascending);
    for (int64_t k = 0; k <= bins; k++) integer_to(of, levels[k], made->data + (size_t)k * of->type->size);
    sequence_finish(c, LEVELS);
    end_draw(c, 2, bins);
}

static mcl_status range_run(mcl_queue *queue, call *c)
{
    return mcl_histogram_range(queue, c->in[0], c->in[1], weights_of(c), c->out[0], c->options_given);
}

static int64_t range_bin(const call *c, int64_t k)
{
    const int64_t x = number_of(c, ELEMENTS, k);

    for (int64_t level = 0; level <= c->out[0].capacity; level++)
        if (x < number_of(c, LEVELS, level)) return level - 1;
    return -1;
}

static void range_reference(call *c)
{
    expect_sums(c, range_bin);
}

/* ---- mcl_histogram ---------------------------------------------------------------------------------------------- */

static void number_draw(call *c)
{
    begin_draw(c, draw_kind(&c->shape, KINDS_ANY));
    c->ops[0] = (mcl_op){ .role = MCL_ROLE_INDEX, .expression = "i * 7 % 400 - 9" };
    c->op_given[0] = &c->ops[0];
    c->op_count = 1;
    end_draw(c, 1, draw_bins(c));
}

static mcl_status number_run(mcl_queue *queue, call *c)
{
    return mcl_histogram(queue, c->in[0], c->op_given[0], weights_of(c), c->out[0], c->options_given);
}

static int64_t number_bin(const call *c, int64_t k)
{
    (void)c;
    return k * 7 % 400 - 9;
}

static void number_reference(call *c)
{
    expect_sums(c, number_bin);
}

const operation histogram_operations[] = {
    { "mcl_histogram", NO_SPOILING, number_draw, number_run, number_reference },
    { "mcl_histogram_even", NO_SPOILING, even_draw, even_run, even_reference },
    { "mcl_histogram_range", NO_SPOILING, range_draw, range_run, range_reference },
    { NULL, 0, NULL, NULL, NULL },
};
