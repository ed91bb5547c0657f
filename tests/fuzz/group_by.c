/* group_by.c: random calls of group_by.h, on integer keys. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static void distinct_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_INTEGER);
    const int64_t n = draw_size(c);

    input_any(c, 0, of, draw_chance(&c->data, 20) ? 20 * n : n, (fill)draw_below(&c->data, FILL_COUNT));
    output_new(c, 0, of, draw_room(c, c->sequences[0].bound), -1);
    count_new(c, 0, 1);
}

/* What an aggregate may be. Counts take any number of values. */
enum { GROUPED_COUNT, GROUPED_SUM, GROUPED_LEAST, GROUPED_LAST, GROUPED_MEAN, GROUPED_WIDE, GROUPED_REAL };
enum { AGGREGATES, WAYS, AGGREGATES_MAX = 5 }; /* numbers: how many aggregates; the way of each */

static const mcl_op wide_sum = {
    .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_INT64, .commutative = 1
};
static const mcl_op last = { .role = MCL_ROLE_FOLD, .expression = "q" };

static const struct {
    const kind *out;
    const mcl_op *op;
} ways[] = {
    [GROUPED_COUNT] = { &kind_int64, MCL_ADD },  [GROUPED_SUM] = { &kind_int64, &wide_sum },
    [GROUPED_LEAST] = { &kind_int32, MCL_MIN },  [GROUPED_LAST] = { &kind_int32, &last },
    [GROUPED_MEAN] = { &kind_double, MCL_MEAN }, [GROUPED_WIDE] = { &kind_int64, MCL_ADD },
    [GROUPED_REAL] = { &kind_double, MCL_ADD },
};

static void group_by_draw(call *c)
{
    distinct_draw(c);
    c->numbers[AGGREGATES] = draw_below(&c->shape, AGGREGATES_MAX + 1);
    if (c->numbers[AGGREGATES] > 0) input_carried(c, 1, &kind_int32, 0);
    for (int k = 0; k < c->numbers[AGGREGATES]; k++) {
        int64_t way = draw_between(&c->shape, k > 0 ? GROUPED_COUNT : GROUPED_SUM, GROUPED_REAL); /* one takes values */
        if (ways[way].out == &kind_double && !c->w->info.has_double) way = GROUPED_SUM;
        c->numbers[WAYS + k] = way;
        output_new(c, 1 + k, ways[way].out, draw_room(c, c->sequences[0].bound), -1);
    }
}

static mcl_status distinct_run(mcl_queue *queue, call *c)
{
    return mcl_distinct(queue, c->in[0], c->out[0], c->result[0], c->options_given);
}

static mcl_status group_by_run(mcl_queue *queue, call *c)
{
    const int64_t one = 1;
    const int64_t count = c->in[0].count > 0 ? c->in[0].count : 0;
    mcl_aggregate list[AGGREGATES_MAX];

    for (int k = 0; k < c->numbers[AGGREGATES]; k++) {
        const int64_t way = c->numbers[WAYS + k];
        list[k] = (mcl_aggregate){ c->in[1], ways[way].op, c->out[1 + k] };
        if (way == GROUPED_COUNT) list[k].values = mcl_from_constant(MCL_INT64, &one, count);
    }
    return mcl_group_by(queue, c->in[0], c->out[0], list, (int)c->numbers[AGGREGATES], c->result[0], c->options_given);
}

/* The indices of the keys in ascending order. */
static int64_t *sorted_places(const call *c)
{
    const sequence *keys = &c->sequences[0];
    const size_t size = keys->of->type->size;
    const order by = { .of = keys->of };
    int64_t *places = malloc((size_t)(keys->count + 1) * sizeof *places);
    unsigned char *copy = malloc((size_t)(keys->count + 1) * size);

    if (!places || !copy) abort();
    if (keys->count) memcpy(copy, keys->data, (size_t)keys->count * size);
    order_sort(&by, keys->of, copy, keys->count, places);
    free(copy);
    return places;
}

/* The aggregates of the elements places[begin .. end), which order_sort has kept in the order of their indices. */
static void aggregates_expect(call *c, int64_t group, const int64_t *places, int64_t begin, int64_t end)
{
    const int64_t length = end - begin;
    int64_t sum = 0, least = INT32_MAX;
    int32_t latest = 0;

    for (int64_t k = begin; k < end; k++) {
        const unsigned char *value = element_at(&c->sequences[1], places[k]);
        memcpy(&latest, value, sizeof latest);
        sum += latest;
        if (latest < least) least = latest;
    }
    const int32_t lowest = (int32_t)least;
    const double real = (double)sum;
    const double mean = (double)sum / (double)length;
    const void *const found[] = {
        [GROUPED_COUNT] = &length, [GROUPED_SUM] = &sum,  [GROUPED_LEAST] = &lowest, [GROUPED_LAST] = &latest,
        [GROUPED_MEAN] = &mean,    [GROUPED_WIDE] = &sum, [GROUPED_REAL] = &real
    };
    for (int k = 0; k < c->numbers[AGGREGATES]; k++) output_expect_at(c, 1 + k, group, found[c->numbers[WAYS + k]]);
}

static void group_by_reference(call *c)
{
    const sequence *keys = &c->sequences[0];
    int64_t *places = sorted_places(c);
    int64_t groups = 0;
    int64_t end;

    for (int64_t begin = 0; begin < keys->count; begin = end, groups++) {
        const unsigned char *key = element_at(keys, places[begin]);
        for (end = begin + 1; end < keys->count; end++)
            if (memcmp(key, element_at(keys, places[end]), keys->of->type->size) != 0) break;
        output_expect_at(c, 0, groups, key);
        if (c->out_count > 1) aggregates_expect(c, groups, places, begin, end);
    }
    result_expect_count(c, 0, groups);
    free(places);
}

const operation group_by_operations[] = {
    { "mcl_distinct", MAY_LACK_OUTPUTS, distinct_draw, distinct_run, group_by_reference },
    { "mcl_group_by", MAY_LACK_OUTPUTS, group_by_draw, group_by_run, group_by_reference },
    { NULL, 0, NULL, NULL, NULL },
};
