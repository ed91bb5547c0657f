/* scan.c: random calls of reduce.h and scan.h. */
#include "fuzz.h"

#include <string.h>

static int has_start(const call *c)
{
    return c->with.has_identity || c->options.initial;
}

static void reduce_draw(call *c)
{
    c->with = fold_new(c, 0);
    fold_initial(c, &c->with);
    input_any(c, 0, c->with.in, draw_size(c), c->with.how);
    result_new(c, 0, c->with.out, 1);
    if (c->with.value == &kind_indexed) result_holds_bound(c, 0);
    if (!has_start(c) && c->sequences[0].count == 0 && !c->sequences[0].has_slot)
        refuse(c, "nothing to reduce and no identity");
    if (!has_start(c) && c->sequences[0].count == 0) doubt(c, "nothing to reduce and no identity");
}

static mcl_status reduce_run(mcl_queue *queue, call *c)
{
    return mcl_reduce(queue, c->in[0], c->op_given[0], c->result[0], c->options_given);
}

/* Folds element k into sum. *has: 1 where sum has a value. */
static void fold_add(const fold *by, const sequence *of, int64_t k, int *has, void *sum)
{
    unsigned char v[MCL_VALUE_BYTES_MAX];

    fold_extract(by, element_at(of, k), k, v);
    if (*has)
        fold_plus(by, sum, v, sum);
    else
        memcpy(sum, v, by->value->type->size);
    *has = 1;
}

static void reduce_reference(call *c)
{
    const sequence *in = &c->sequences[0];
    unsigned char sum[MCL_VALUE_BYTES_MAX];
    unsigned char stored[MCL_VALUE_BYTES_MAX];
    int has = c->options.initial != NULL;

    if (has) (void)fold_begin(&c->with, c, sum);
    for (int64_t k = 0; k < in->count; k++) fold_add(&c->with, in, k, &has, sum);
    if (!has) fold_identity(&c->with, sum);
    fold_store(&c->with, sum, stored);
    result_expect(c, 0, stored);
}

static void scan_draw(call *c)
{
    const int in_place = draw_chance(&c->shape, 20);

    c->with = fold_new(c, 0);
    fold_initial(c, &c->with);
    c->numbers[0] = draw_below(&c->shape, 4);
    input_any(c, 0, c->with.in, draw_size(c), c->with.how);
    const int at_end = (c->numbers[0] & MCL_EXCLUSIVE_WITH_TOTAL) != 0;
    output_new(c, 0, c->with.out, draw_room(c, c->sequences[0].bound + at_end), in_place && !at_end ? 0 : -1);
    result_new(c, 0, c->with.out, 1);
    if (has_start(c)) return;
    if (!(c->numbers[0] & MCL_INCLUSIVE))
        refuse(c, "an exclusive scan without a start");
    else if (c->sequences[0].count == 0)
        doubt(c, "a total of nothing without an identity");
}

static mcl_status scan_run(mcl_queue *queue, call *c)
{
    return mcl_scan(queue, c->in[0], c->out[0], c->op_given[0], (mcl_scan_kind)c->numbers[0], c->result[0],
                    c->options_given);
}

static void scan_reference(call *c)
{
    const sequence *in = &c->sequences[0];
    const int inclusive = (c->numbers[0] & MCL_INCLUSIVE) != 0;
    unsigned char sum[MCL_VALUE_BYTES_MAX];
    unsigned char stored[MCL_VALUE_BYTES_MAX];
    int has = c->options.initial != NULL;

    if (!fold_begin(&c->with, c, sum) && !inclusive) return;
    for (int64_t k = 0; k < in->count; k++) {
        fold_store(&c->with, sum, stored);
        if (!inclusive) output_expect_at(c, 0, k, stored);
        fold_add(&c->with, in, k, &has, sum);
        fold_store(&c->with, sum, stored);
        if (inclusive) output_expect_at(c, 0, k, stored);
    }
    fold_store(&c->with, sum, stored);
    if (c->numbers[0] & MCL_EXCLUSIVE_WITH_TOTAL) output_expect_at(c, 0, in->count, stored);
    result_expect(c, 0, stored);
}

const operation fold_operations[] = {
    { "mcl_reduce", TAKES_INITIAL | MAY_BE_HUGE, reduce_draw, reduce_run, reduce_reference },
    { "mcl_scan", TAKES_INITIAL | MAY_LACK_OUTPUTS, scan_draw, scan_run, scan_reference },
    { NULL, 0, NULL, NULL, NULL },
};
