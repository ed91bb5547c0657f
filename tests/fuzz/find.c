/* find.c: random calls of find.h. */
#include "fuzz.h"

static void find_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    input_any(c, 0, of, draw_size(c), (fill)draw_below(&c->data, FILL_COUNT));
    c->tests[0] = test_new(c, 0, of);
    count_new(c, 0, 1);
    result_holds_bound(c, 0);
}

static mcl_status find_run(mcl_queue *queue, call *c)
{
    return mcl_find_if(queue, c->in[0], c->op_given[0], c->result[0], c->options_given);
}

static mcl_status count_run(mcl_queue *queue, call *c)
{
    return mcl_count_if(queue, c->in[0], c->op_given[0], c->result[0], c->options_given);
}

static void find_reference(call *c)
{
    const sequence *in = &c->sequences[0];
    int64_t k = 0;

    while (k < in->count && !test_passes(&c->tests[0], element_at(in, k), k)) k++;
    counts_expect(c, 0, &k);
}

static void count_reference(call *c)
{
    const sequence *in = &c->sequences[0];
    int64_t count = 0;

    for (int64_t k = 0; k < in->count; k++) count += test_passes(&c->tests[0], element_at(in, k), k);
    counts_expect(c, 0, &count);
}

const operation find_operations[] = {
    { "mcl_find_if", MAY_BE_HUGE, find_draw, find_run, find_reference },
    { "mcl_count_if", MAY_BE_HUGE, find_draw, count_run, count_reference },
    { NULL, 0, NULL, NULL, NULL },
};
