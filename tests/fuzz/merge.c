/* merge.c: random calls of merge.h and sort.h. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* ---- merges --------------------------------------------------------------------------------------------- */

enum { A, A_VALUES, B, B_VALUES };

static void merge_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    c->by = order_new(c, 0, of);
    sequence_begin(c, 0, of, draw_size(c), 1);
    sequence_sorted(c, 0, &c->by, 0);
    sequence_finish(c, 0);
    sequence_begin(c, 1, of, draw_size(c), 1);
    sequence_sorted(c, 1, &c->by, 0);
    sequence_finish(c, 1);
    output_new(c, 0, of, draw_room(c, c->sequences[0].bound + c->sequences[1].bound), -1);
}

static mcl_status merge_run(mcl_queue *queue, call *c)
{
    return mcl_merge(queue, c->in[0], c->in[1], c->out[0], c->op_given[0], c->options_given);
}

static void merge_reference(call *c)
{
    const sequence *a = &c->sequences[0];
    const sequence *b = &c->sequences[1];
    int64_t i = 0;
    int64_t j = 0;

    while (i < a->count || j < b->count) {
        const int take_b = i == a->count || (j < b->count && order_before(&c->by, element_at(b, j), element_at(a, i)));
        output_expect_at(c, 0, i + j, take_b ? element_at(b, j) : element_at(a, i));
        take_b ? j++ : i++;
    }
}

static void merge_pairs_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *value = draw_kind(&c->shape, KINDS_ANY);
    static const int keys[] = { A, B };

    c->by = order_new(c, 0, of);
    for (int k = 0; k < 2; k++) {
        sequence_begin(c, keys[k], of, draw_size(c), 1);
        sequence_sorted(c, keys[k], &c->by, 0);
        sequence_finish(c, keys[k]);
        input_carried(c, keys[k] + 1, value, keys[k]);
    }
    const int64_t needed = c->sequences[A].bound + c->sequences[B].bound;
    output_new(c, 0, of, draw_room(c, needed), -1);
    output_new(c, 1, value, draw_room(c, needed), -1);
}

static mcl_status merge_pairs_run(mcl_queue *queue, call *c)
{
    return mcl_merge_pairs(queue, c->in[A], c->in[A_VALUES], c->in[B], c->in[B_VALUES], c->out[0], c->out[1],
                           c->op_given[0], c->options_given);
}

static void merge_pairs_reference(call *c)
{
    const sequence *a = &c->sequences[A];
    const sequence *b = &c->sequences[B];
    int64_t i = 0;
    int64_t j = 0;

    while (i < a->count || j < b->count) {
        const int take_b = i == a->count || (j < b->count && order_before(&c->by, element_at(b, j), element_at(a, i)));
        output_expect_at(c, 0, i + j, take_b ? element_at(b, j) : element_at(a, i));
        output_expect_at(c, 1, i + j,
                         take_b ? element_at(&c->sequences[B_VALUES], j) : element_at(&c->sequences[A_VALUES], i));
        take_b ? j++ : i++;
    }
}

/* ---- merges of runs ------------------------------------------------------------------------------------- */

/* Indices of sequences: keys, perhaps values, then offsets, whose index is in numbers[OFFSETS_AT]. */
enum { OFFSETS_AT = 0, RUNS_MOST = 70 };

static int64_t offset_of(const call *c, int64_t r)
{
    const sequence *offsets = &c->sequences[c->numbers[OFFSETS_AT]];

    return integer_of(offsets->of, element_at(offsets, r));
}

/* Draws ascending offsets in the range of the keys. In a broken call some descend. */
static void run_offsets_draw(call *c, int k)
{
    sequence *const offsets =
        sequence_begin(c, k, draw_kind(&c->shape, KINDS_INDEX), 1 + draw_below(&c->shape, RUNS_MOST), 0);
    const int64_t count = c->sequences[0].count, longest = 1 + 2 * count / offsets->bound;
    int64_t at = draw_chance(&c->data, 50) ? 0 : draw_below(&c->data, count / 4 + 1);

    c->broken |= c->bent;
    for (int64_t r = 0; r < offsets->bound; r++) {
        const int64_t told = c->bent && draw_chance(&c->data, 20) ? count - at : at;
        integer_to(offsets->of, told, offsets->data + (size_t)r * offsets->of->type->size);
        at += draw_chance(&c->data, 30) ? 0 : draw_below(&c->data, longest + 1);
        if (at > count) at = count;
    }
}

static void merge_runs_any_draw(call *c, int has_values)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *value = has_values ? draw_kind(&c->shape, KINDS_ANY) : NULL;
    const int k = 1 + has_values;

    c->by = order_new(c, 0, of);
    c->numbers[OFFSETS_AT] = k;
    sequence *const keys = sequence_begin(c, 0, of, draw_size(c), 1);
    fill_elements(&c->data, of, draw_chance(&c->data, 50) ? FILL_FEW : FILL_ANY, keys->data, keys->bound);
    run_offsets_draw(c, k);
    for (int64_t r = 0; r + 1 < c->sequences[k].bound && !c->broken; r++)
        order_sort(&c->by, of, keys->data + (size_t)offset_of(c, r) * of->type->size,
                   offset_of(c, r + 1) - offset_of(c, r), NULL);
    sequence_finish(c, 0);
    if (has_values) input_carried(c, 1, value, 0);
    sequence_finish(c, k);
    output_new(c, 0, of, draw_room(c, keys->bound), -1);
    if (has_values) output_new(c, 1, value, draw_room(c, keys->bound), -1);
}

static void merge_runs_draw(call *c)
{
    merge_runs_any_draw(c, 0);
}

static void merge_runs_pairs_draw(call *c)
{
    merge_runs_any_draw(c, 1);
}

static mcl_status merge_runs_run(mcl_queue *queue, call *c)
{
    return mcl_merge_runs(queue, c->in[0], c->in[1], c->out[0], c->op_given[0], c->options_given);
}

static mcl_status merge_runs_pairs_run(mcl_queue *queue, call *c)
{
    return mcl_merge_runs_pairs(queue, c->in[0], c->in[1], c->in[2], c->out[0], c->out[1], c->op_given[0],
                                c->options_given);
}

/* Expects the stable sort of all keys that belong to a run. */
static void merge_runs_reference(call *c)
{
    const sequence *keys = &c->sequences[0];
    const size_t size = keys->of->type->size;
    const int64_t first = offset_of(c, 0), count = offset_of(c, c->sequences[c->numbers[OFFSETS_AT]].bound - 1) - first;
    int64_t *const places = malloc((size_t)(count + 1) * sizeof *places);
    unsigned char *const sorted = malloc((size_t)(count + 1) * size);

    memcpy(sorted, keys->data + (size_t)first * size, (size_t)count * size);
    order_sort(&c->by, keys->of, sorted, count, places);
    for (int64_t k = 0; k < count; k++) {
        output_expect_at(c, 0, k, sorted + (size_t)k * size);
        if (c->numbers[OFFSETS_AT] == 2) output_expect_at(c, 1, k, element_at(&c->sequences[1], first + places[k]));
    }
    free(places);
    free(sorted);
}

/* ---- sorts ---------------------------------------------------------------------------------------------- */

/* Returns 1 for a built-in order, or a copy of one. */
static int is_built_in(const mcl_op *op)
{
    return op && op->expression && !op->binding_count &&
           (strcmp(op->expression, MCL_LESS->expression) == 0 || strcmp(op->expression, MCL_GREATER->expression) == 0);
}

static void method_draw(call *c, const kind *of)
{
    const int bits = (int)of->type->size * 8;
    const int is_radix = is_built_in(c->op_given[0]);

    c->options.sort_method = (mcl_sort_method)draw_below(&c->shape, 3);
    if (c->options.sort_method == MCL_SORT_RADIX && !is_radix) {
        if (draw_chance(&c->shape, 80))
            c->options.sort_method = MCL_SORT_MERGE;
        else
            refuse(c, "radix sort by an order of one's own");
    }
    if (c->options.sort_method != MCL_SORT_RADIX || !draw_chance(&c->shape, 30) || !(of->traits & KIND_INTEGER)) return;
    c->options.first_bit = (int)draw_below(&c->shape, bits);
    c->options.end_bit = (int)draw_between(&c->shape, c->options.first_bit + 1, bits);
}

static uint64_t radix_key(const call *c, const kind *of, const void *element)
{
    const int last = (int)of->type->size * 8 - 1;
    uint64_t bits = (uint64_t)integer_of(of, element);

    if (!(of->traits & KIND_UNSIGNED)) bits ^= UINT64_C(1) << last;
    bits >>= c->options.first_bit;
    const int width = c->options.end_bit - c->options.first_bit;
    return width < 64 ? bits & ((UINT64_C(1) << width) - 1) : bits;
}

/* Returns the indices of the keys in their order, by the bits that the options name. */
static int64_t *sorted_places(call *c)
{
    const sequence *keys = &c->sequences[0];
    const size_t size = keys->of->type->size;
    int64_t *places = malloc((size_t)(keys->count + 1) * sizeof *places);
    unsigned char *copy = malloc((size_t)(keys->count + 1) * 8 + (size_t)keys->count * size);

    if (!places || !copy) abort();
    if (c->options.end_bit) {
        const order by = { .of = &kind_uint64, .mode = c->by.mode };
        for (int64_t k = 0; k < keys->count; k++) {
            const uint64_t bits = radix_key(c, keys->of, element_at(keys, k));
            memcpy(copy + 8 * k, &bits, 8);
        }
        order_sort(&by, &kind_uint64, copy, keys->count, places);
    } else {
        if (keys->count) memcpy(copy, keys->data, (size_t)keys->count * size);
        order_sort(&c->by, keys->of, copy, keys->count, places);
    }
    free(copy);
    return places;
}

static void sort_any_draw(call *c, int pairs)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *value = draw_kind(&c->shape, KINDS_ANY);
    const int in_place = draw_chance(&c->shape, 30);
    const int64_t n = draw_size(c);

    c->by = order_new(c, 0, of);
    method_draw(c, of);
    input_any(c, 0, of, draw_chance(&c->data, 10) ? 8 * n : n, (fill)draw_below(&c->data, FILL_COUNT));
    if (pairs) input_carried(c, 1, value, 0);
    output_new(c, 0, of, draw_room(c, c->sequences[0].bound), in_place ? 0 : -1);
    if (pairs) output_new(c, 1, value, draw_room(c, c->sequences[0].bound), in_place ? 1 : -1);
}

static void sort_draw(call *c)
{
    sort_any_draw(c, 0);
}

static mcl_status sort_run(mcl_queue *queue, call *c)
{
    return mcl_sort(queue, c->in[0], c->out[0], c->op_given[0], c->options_given);
}

static void sort_reference(call *c)
{
    int64_t *places = sorted_places(c);

    for (int64_t k = 0; k < c->sequences[0].count; k++) {
        output_expect_at(c, 0, k, element_at(&c->sequences[0], places[k]));
        if (c->in_count > 1) output_expect_at(c, 1, k, element_at(&c->sequences[1], places[k]));
    }
    free(places);
}

static void sort_pairs_draw(call *c)
{
    sort_any_draw(c, 1);
}

static mcl_status sort_pairs_run(mcl_queue *queue, call *c)
{
    return mcl_sort_pairs(queue, c->in[0], c->in[1], c->out[0], c->out[1], c->op_given[0], c->options_given);
}

static void sort_indices_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);

    c->by = order_new(c, 0, of);
    method_draw(c, of);
    input_any(c, 0, of, draw_size(c), (fill)draw_below(&c->data, FILL_COUNT));
    output_new(c, 0, index_kind, draw_room(c, c->sequences[0].bound), -1);
}

static mcl_status sort_indices_run(mcl_queue *queue, call *c)
{
    return mcl_sort_indices(queue, c->in[0], c->out[0], c->op_given[0], c->options_given);
}

static void sort_indices_reference(call *c)
{
    int64_t *places = sorted_places(c);
    unsigned char element[8];

    for (int64_t k = 0; k < c->sequences[0].count; k++) {
        integer_to(c->out_kind[0], places[k], element);
        output_expect_at(c, 0, k, element);
    }
    free(places);
}

/* ---- sorts of arrays in host memory --------------------------------------------------------------------- */

static void host_sort_any_draw(call *c, const kind *value)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const int in_place = draw_chance(&c->data, 30);
    const int64_t n = draw_chance(&c->data, 15) ? 8 * draw_size(c) : draw_size(c);

    c->by = order_new(c, 0, of);
    host_keys_draw(c, 0, &c->by, n);
    if (value) host_values_draw(c, 1, value, n);
    output_new(c, 0, of, n, in_place ? 0 : -1);
    if (value) output_new(c, 1, value, n, draw_chance(&c->data, 50) == in_place ? 1 : -1);
    host_room_draw(c, n, of->type->size + (value ? value->type->size : 0));
}

static void host_sort_draw(call *c)
{
    host_sort_any_draw(c, NULL);
}

static void host_sort_pairs_draw(call *c)
{
    host_sort_any_draw(c, draw_kind(&c->shape, KINDS_ANY));
}

static mcl_status host_sort_run(mcl_queue *queue, call *c)
{
    host_call of;
    mcl_status status = host_begin(queue, c, &of);

    if (status != MCL_OK) return status;
    do status = mcl_host_sort(of.given, of.type, of.keys, of.out, of.count, c->op_given[0]);
    while (host_grows(&of, status));
    return host_end(queue, c, status);
}

static mcl_status host_sort_pairs_run(mcl_queue *queue, call *c)
{
    host_call of;
    mcl_status status = host_begin(queue, c, &of);

    if (status != MCL_OK) return status;
    do
        status = mcl_host_sort_pairs(of.given, of.type, of.keys, c->sequences[1].of->type, host_input(c, 1), of.out,
                                     host_output(c, 1), of.count, c->op_given[0]);
    while (host_grows(&of, status));
    return host_end(queue, c, status);
}

const operation host_sort_operations[] = {
    { "mcl_host_sort", ON_HOST | NO_OPTIONS, host_sort_draw, host_sort_run, sort_reference },
    { "mcl_host_sort_pairs", ON_HOST | NO_OPTIONS, host_sort_pairs_draw, host_sort_pairs_run, sort_reference },
    { NULL, 0, NULL, NULL, NULL },
};
const operation merge_operations[] = {
    { "mcl_merge", 0, merge_draw, merge_run, merge_reference },
    { "mcl_merge_pairs", 0, merge_pairs_draw, merge_pairs_run, merge_pairs_reference },
    { "mcl_merge_runs", 0, merge_runs_draw, merge_runs_run, merge_runs_reference },
    { "mcl_merge_runs_pairs", 0, merge_runs_pairs_draw, merge_runs_pairs_run, merge_runs_reference },
    { NULL, 0, NULL, NULL, NULL },
};
const operation sort_operations[] = {
    { "mcl_sort", TAKES_SORT, sort_draw, sort_run, sort_reference },
    { "mcl_sort_pairs", TAKES_SORT, sort_pairs_draw, sort_pairs_run, sort_reference },
    { "mcl_sort_indices", TAKES_SORT, sort_indices_draw, sort_indices_run, sort_indices_reference },
    { NULL, 0, NULL, NULL, NULL },
};
