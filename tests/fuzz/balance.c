/* balance.c: random calls of load_balance.h, interval.h and bulk.h. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { OFFSETS = 0, IN = 1, GATHER = 2, SCATTER = 3, WORK = 0, WORK_BOUND = 1 };

static int64_t number_at(const call *c, int k, int64_t i)
{
    return integer_of(c->sequences[k].of, element_at(&c->sequences[k], i));
}

static void put_at(call *c, int k, int64_t i, int64_t number)
{
    sequence *of = &c->sequences[k];

    integer_to(of->of, number, of->data + (size_t)i * of->of->type->size);
}

/* Makes offsets of objects that have some items each. c->numbers[WORK] becomes the number of work units. */
static void offsets_draw(call *c)
{
    static const kind *const kinds[] = { &kind_int32, &kind_int64, &kind_uint32, &kind_uint64 };
    sequence *offsets = sequence_begin(c, OFFSETS, kinds[draw_below(&c->shape, 4)], draw_size(c), 1);
    const int64_t longest = draw_chance(&c->data, 80) ? draw_between(&c->data, 1, 12) : 400;
    int64_t total = 0;

    for (int64_t k = 0; k < offsets->bound; k++) {
        put_at(c, OFFSETS, k, total);
        total += draw_chance(&c->data, 30) || total > 20000 ? 0 : draw_below(&c->data, longest);
    }
    c->numbers[WORK] = draw_chance(&c->data, 60) ? total : draw_below(&c->data, total + 10);
    c->numbers[WORK_BOUND] = c->numbers[WORK];
    if (c->bent && offsets->bound > 1) {
        c->broken = 1;
        for (int64_t k = 0; k < offsets->bound; k++)
            if (draw_chance(&c->data, 30)) put_at(c, OFFSETS, k, (int64_t)draw(&c->data) >> draw_below(&c->data, 62));
    }
    sequence_finish(c, OFFSETS);
}

/* Returns the work as the call gets it. In some calls its count is in a slot, which sentences call input 4. */
static mcl_work work_of(const call *c)
{
    const mcl_input *slot = &c->in[4];

    return slot->count_slot ? mcl_work_in_slot_of(c->numbers[WORK_BOUND], slot->count_slot_type, slot->count_slot,
                                                  slot->count_slot_index)
                            : mcl_work_items(c->numbers[WORK_BOUND]);
}

static void work_draw(call *c)
{
    sequence *of = &c->sequences[4];
    const int64_t extra = draw_below(&c->data, 30);

    if (!draw_chance(&c->data, 25)) return;
    of->slot_value = c->numbers[WORK];
    if (draw_chance(&c->data, 10)) of->slot_value = -extra - 1;
    c->numbers[WORK_BOUND] += extra;
    if (draw_chance(&c->data, 10)) of->slot_value = INT64_MAX - extra;
    slot_type_draw(c, of);
    c->numbers[WORK] = of->slot_value < 0                        ? 0
                       : of->slot_value > c->numbers[WORK_BOUND] ? c->numbers[WORK_BOUND]
                                                                 : of->slot_value;
    slot_give(c, of, &c->in[4]);
}

typedef struct item {
    int64_t object;
    int64_t rank;
} item;

/* Returns the object of item i. *before is the object of item i - 1. */
static item item_at(const call *c, int64_t i, int64_t before)
{
    item found = { before, 0 };

    while (found.object + 1 < c->sequences[OFFSETS].count && number_at(c, OFFSETS, found.object + 1) <= i)
        found.object++;
    found.rank = i - number_at(c, OFFSETS, found.object);
    return found;
}

static int64_t items(const call *c)
{
    return c->sequences[OFFSETS].count ? c->numbers[WORK] : 0;
}

/* ---- load balance --------------------------------------------------------------------------------------- */

static void balance_draw(call *c)
{
    const int wanted = (int)draw_between(&c->shape, 1, 3);

    offsets_draw(c);
    work_draw(c);
    for (int k = 0; k < 2; k++) {
        const kind *of = draw_kind(&c->shape, KINDS_INDEX);
        if (wanted >> k & 1) output_new(c, k, of, draw_room(c, c->numbers[WORK_BOUND]), -1);
    }
}

static mcl_status balance_run(mcl_queue *queue, call *c)
{
    return mcl_load_balance_search(queue, work_of(c), c->in[OFFSETS], c->out[0], c->out[1], c->options_given);
}

static void balance_reference(call *c)
{
    item at = { 0, 0 };
    unsigned char element[8];
    int wanted = 0;

    for (int k = 0; k < 2; k++) wanted |= c->out_kind[k] && !c->left_out[k];
    if (!wanted) refuse(c, "no output at all");
    for (int64_t i = 0; i < items(c); i++) {
        at = item_at(c, i, at.object);
        for (int k = 0; k < 2; k++) {
            if (!c->out_kind[k]) continue;
            integer_to(c->out_kind[k], k ? at.rank : at.object, element);
            output_expect_at(c, k, i, element);
        }
    }
}

static void balanced_draw(call *c)
{
    offsets_draw(c);
    sequence *made = sequence_begin(c, 1, draw_kind(&c->shape, KINDS_INDEX), c->numbers[WORK], 0);
    c->in[1] = mcl_from_expression(made->of->type, "i * 3 + object * 5 + rank * 7", NULL, NULL, 0, c->numbers[WORK]);
    output_new(c, 0, draw_kind(&c->shape, KINDS_INDEX), draw_room(c, c->numbers[WORK]), -1);
}

static mcl_status balanced_run(mcl_queue *queue, call *c)
{
    return mcl_transform_load_balanced(queue, c->in[1], c->in[OFFSETS], c->out[0], c->options_given);
}

static void balanced_reference(call *c)
{
    item at = { 0, 0 };
    unsigned char element[8];

    for (int64_t i = 0; i < items(c); i++) {
        at = item_at(c, i, at.object);
        integer_to(c->out_kind[0], i * 3 + at.object * 5 + at.rank * 7, element);
        output_expect_at(c, 0, i, element);
    }
}

/* ---- intervals ------------------------------------------------------------------------------------------ */

static void expand_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    offsets_draw(c);
    work_draw(c);
    input_carried(c, IN, of, OFFSETS);
    output_new(c, 0, of, draw_room(c, c->numbers[WORK_BOUND]), -1);
}

static mcl_status expand_run(mcl_queue *queue, call *c)
{
    return mcl_interval_expand(queue, work_of(c), c->in[IN], c->in[OFFSETS], c->out[0], c->options_given);
}

static void expand_reference(call *c)
{
    item at = { 0, 0 };

    for (int64_t i = 0; i < items(c); i++) {
        at = item_at(c, i, at.object);
        output_expect_at(c, 0, i, element_at(&c->sequences[IN], at.object));
    }
}

/* Makes starts of intervals. They are apart from each other in a sequence that is longer than the work, and some lie
 * outside it. */
static void starts_draw(call *c, int k)
{
    sequence *starts = sequence_follow(c, k, draw_kind(&c->shape, KINDS_INDEX), OFFSETS);
    int64_t gap = draw_chance(&c->data, 20) ? -draw_below(&c->data, 20) : 0;

    if (gap < 0) c->expect = EXPECT_EITHER;
    for (int64_t i = 0; i < starts->bound; i++) {
        put_at(c, k, i, gap + (i < c->sequences[OFFSETS].bound && !c->broken ? number_at(c, OFFSETS, i) : i));
        if (draw_chance(&c->data, 10)) gap++;
    }
    sequence_finish(c, k);
}

static void move_any_draw(call *c, int gathers, int scatters)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const int64_t short_by = draw_chance(&c->data, 20) ? 20 : -5;

    offsets_draw(c);
    work_draw(c);
    if (gathers) starts_draw(c, GATHER);
    if (scatters) starts_draw(c, SCATTER);
    const int64_t all = c->numbers[WORK_BOUND];
    const int64_t other =
        all + c->sequences[OFFSETS].bound > short_by ? all + c->sequences[OFFSETS].bound - short_by : 0;
    if (short_by > 0) c->expect = EXPECT_EITHER;
    input_any(c, IN, of, gathers ? other : all, FILL_ANY);
    if (!gathers && c->sequences[IN].has_slot) c->expect = EXPECT_EITHER;
    output_new(c, 0, of, scatters ? other : all, -1);
    if (c->options.flags & MCL_VALIDATE) c->expect = EXPECT_EITHER;
}

static void move_draw(call *c)
{
    move_any_draw(c, 1, 1);
}

static mcl_status move_run(mcl_queue *queue, call *c)
{
    return mcl_interval_move(queue, work_of(c), c->in[IN], c->in[GATHER], c->in[SCATTER], c->in[OFFSETS], c->out[0],
                             c->options_given);
}

static void gather_draw(call *c)
{
    move_any_draw(c, 1, 0);
}

static mcl_status gather_run(mcl_queue *queue, call *c)
{
    return mcl_interval_gather(queue, work_of(c), c->in[IN], c->in[GATHER], c->in[OFFSETS], c->out[0],
                               c->options_given);
}

static void scatter_draw(call *c)
{
    move_any_draw(c, 0, 1);
}

static mcl_status scatter_run(mcl_queue *queue, call *c)
{
    return mcl_interval_scatter(queue, work_of(c), c->in[IN], c->in[SCATTER], c->in[OFFSETS], c->out[0],
                                c->options_given);
}

static void move_reference(call *c)
{
    item at = { 0, 0 };

    for (int64_t i = 0; i < items(c); i++) {
        at = item_at(c, i, at.object);
        const int64_t from = c->sequences[GATHER].of ? number_at(c, GATHER, at.object) + at.rank : i;
        const int64_t to = c->sequences[SCATTER].of ? number_at(c, SCATTER, at.object) + at.rank : i;
        if (from < 0 || from >= c->sequences[IN].count) continue;
        output_expect_at(c, 0, to, element_at(&c->sequences[IN], from));
    }
}

const operation balance_operations[] = {
    { "mcl_load_balance_search", MAY_LACK_OUTPUTS | STORES_WORK, balance_draw, balance_run, balance_reference },
    { "mcl_transform_load_balanced", 0, balanced_draw, balanced_run, balanced_reference },
    { "mcl_interval_expand", STORES_WORK, expand_draw, expand_run, expand_reference },
    { "mcl_interval_move", 0, move_draw, move_run, move_reference },
    { "mcl_interval_gather", STORES_WORK, gather_draw, gather_run, move_reference },
    { "mcl_interval_scatter", 0, scatter_draw, scatter_run, move_reference },
    { NULL, 0, NULL, NULL, NULL },
};
