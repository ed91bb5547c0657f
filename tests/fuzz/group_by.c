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

/* How many of each, and so any number of values fits. */
static void group_by_draw(call *c)
{
    distinct_draw(c);
    output_new(c, 1, &kind_int64, draw_room(c, c->sequences[0].bound), -1);
}

static mcl_status distinct_run(mcl_queue *queue, call *c)
{
    return mcl_distinct(queue, c->in[0], c->out[0], c->result[0], c->options_given);
}

static mcl_status group_by_run(mcl_queue *queue, call *c)
{
    const int64_t one = 1;
    const int64_t count = c->in[0].count > 0 ? c->in[0].count : 0;
    const mcl_aggregate counts = { mcl_from_constant(MCL_INT64, &one, count), MCL_ADD, c->out[1] };

    return mcl_group_by(queue, c->in[0], c->out[0], &counts, 1, c->result[0], c->options_given);
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
        const int64_t length = end - begin;
        output_expect_at(c, 0, groups, key);
        if (c->out_count > 1) output_expect_at(c, 1, groups, &length);
    }
    result_expect_count(c, 0, groups);
    free(places);
}

const operation group_by_operations[] = {
    { "mcl_distinct", MAY_LACK_OUTPUTS, distinct_draw, distinct_run, group_by_reference },
    { "mcl_group_by", MAY_LACK_OUTPUTS, group_by_draw, group_by_run, group_by_reference },
    { NULL, 0, NULL, NULL, NULL },
};
