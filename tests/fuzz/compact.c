/* compact.c: random calls of compact.h. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { FORM_TEST, FORM_FLAGS, FORM_STENCIL, WHICH = 0, SPLIT = 1 };

static int64_t draw_limit(call *c, int64_t most)
{
    return draw_chance(&c->data, 75) ? most : draw_below(&c->data, most + 1);
}

/* Returns the input that an output may replace; -1: none. */
static int in_place_of(call *c, int input)
{
    return draw_chance(&c->shape, 15) ? input : -1;
}

/* Draws a call. split: it has two outputs. */
static void compact_any_draw(call *c, int form, int split)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *other = form == FORM_FLAGS ? draw_kind(&c->shape, KINDS_INTEGER) : draw_kind(&c->shape, KINDS_ANY);

    c->numbers[WHICH] = form;
    c->numbers[SPLIT] = split;
    input_any(c, 0, of, draw_size(c), FILL_ANY);
    if (form == FORM_STENCIL) input_carried(c, 1, other, 0);
    if (form == FORM_FLAGS) {
        sequence *flags = sequence_follow(c, 1, other, 0);
        fill_elements(&c->data, other, FILL_FEW, flags->data, flags->bound);
        sequence_finish(c, 1);
    }
    if (form != FORM_FLAGS) c->tests[0] = test_new(c, 0, form == FORM_STENCIL ? other : of);
    output_new(c, 0, of, draw_limit(c, c->sequences[0].bound), in_place_of(c, 0));
    if (split) output_new(c, 1, of, draw_limit(c, c->sequences[0].bound), -1);
    count_new(c, 0, split ? 2 : 1);
}

static int is_kept(const call *c, int64_t k)
{
    const sequence *tested = &c->sequences[c->numbers[WHICH] == FORM_STENCIL];

    if (c->numbers[WHICH] == FORM_FLAGS) return integer_of(c->sequences[1].of, element_at(&c->sequences[1], k)) != 0;
    return test_passes(&c->tests[0], element_at(tested, k), k);
}

/* Returns 1 where order is open: each output's part is a multiset, and only its count is known here. */
static int is_unordered(const call *c)
{
    const unsigned in_order = MCL_DETERMINISTIC | MCL_REPRODUCIBLE;
    return c->options_given && c->options.flags & MCL_UNORDERED && !(c->options.flags & in_order);
}

static void compact_reference(call *c)
{
    const sequence *in = &c->sequences[0];
    int64_t counts[3] = { 0 };

    for (int64_t k = 0; k < in->count; k++) {
        const int to = !is_kept(c, k);
        if (to < c->out_count) output_expect_at(c, to, counts[to], element_at(in, k));
        counts[to]++;
    }
    for (int k = 0; k < c->out_count && is_unordered(c); k++)
        output_any_at(c, k, 0, counts[k] < c->out[k].capacity ? counts[k] : c->out[k].capacity);
    counts_expect(c, 0, counts);
    for (int k = 0; k < c->out_count; k++) expect_capacity(c, 0, counts[k], c->out[k].capacity);
}

#define COMPACT(lower, form, ...)                                                                                      \
    static void lower##_draw(call *c)                                                                                  \
    {                                                                                                                  \
        compact_any_draw(c, form, 0);                                                                                  \
    }                                                                                                                  \
    static mcl_status lower##_run(mcl_queue *queue, call *c)                                                           \
    {                                                                                                                  \
        return mcl_##lower(queue, __VA_ARGS__, c->result[0], c->options_given);                                        \
    }
#define PARTITION(lower, form, ...)                                                                                    \
    static void lower##_draw(call *c)                                                                                  \
    {                                                                                                                  \
        compact_any_draw(c, form, 1);                                                                                  \
    }                                                                                                                  \
    static mcl_status lower##_run(mcl_queue *queue, call *c)                                                           \
    {                                                                                                                  \
        return mcl_##lower(queue, __VA_ARGS__, c->result[0], c->options_given);                                        \
    }
COMPACT(compact, FORM_TEST, c->in[0], c->out[0], c->op_given[0])
COMPACT(compact_flagged, FORM_FLAGS, c->in[0], c->in[1], c->out[0])
COMPACT(compact_stencil, FORM_STENCIL, c->in[0], c->in[1], c->out[0], c->op_given[0])
PARTITION(partition, FORM_TEST, c->in[0], c->out[0], c->out[1], c->op_given[0])
PARTITION(partition_flagged, FORM_FLAGS, c->in[0], c->in[1], c->out[0], c->out[1])
PARTITION(partition_stencil, FORM_STENCIL, c->in[0], c->in[1], c->out[0], c->out[1], c->op_given[0])

static void three_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    input_any(c, 0, of, draw_size(c), FILL_ANY);
    for (int k = 0; k < 2; k++) c->tests[k] = test_new(c, k, of);
    for (int k = 0; k < 3; k++) output_new(c, k, of, draw_limit(c, c->sequences[0].bound), -1);
    count_new(c, 0, 3);
}

static mcl_status three_run(mcl_queue *queue, call *c)
{
    return mcl_partition_three(queue, c->in[0], c->out[0], c->out[1], c->out[2], c->op_given[0], c->op_given[1],
                               c->result[0], c->options_given);
}

static void three_reference(call *c)
{
    const sequence *in = &c->sequences[0];
    int64_t counts[3] = { 0 };

    for (int64_t k = 0; k < in->count; k++) {
        const void *x = element_at(in, k);
        const int to = test_passes(&c->tests[0], x, k) ? 0 : test_passes(&c->tests[1], x, k) ? 1 : 2;
        output_expect_at(c, to, counts[to]++, x);
    }
    counts_expect(c, 0, counts);
    for (int k = 0; k < 3; k++) expect_capacity(c, 0, counts[k], c->out[k].capacity);
}

/* ---- runs ----------------------------------------------------------------------------------------------- */

static void unique_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);

    c->same = equality_new(c, 0, of, 0);
    input_any(c, 0, of, draw_size(c), FILL_FEW);
    output_new(c, 0, of, draw_limit(c, c->sequences[0].bound), in_place_of(c, 0));
    count_new(c, 0, 1);
}

static mcl_status unique_run(mcl_queue *queue, call *c)
{
    return mcl_unique(queue, c->in[0], c->out[0], c->op_given[0], c->result[0], c->options_given);
}

/* Leaves results past the lower capacity open: where the capacities of two outputs differ, they may be stored in the
 * larger one or not. */
static void leave_past_lower(call *c, int64_t count)
{
    const int64_t lower = c->out[0].capacity < c->out[1].capacity ? c->out[0].capacity : c->out[1].capacity;

    for (int k = 0; k < 2; k++)
        for (int64_t i = lower; i < count && i < c->out[k].capacity; i++) output_any_at(c, k, i, 1);
}

static void runs_reference(call *c)
{
    const sequence *in = &c->sequences[0];
    const int has_lengths = c->numbers[0] == 1;
    const int has_values = c->numbers[0] == 2;
    int64_t runs = 0;
    int64_t length = 0;
    int64_t capacity = c->out[0].capacity;
    unsigned char number[8];

    if (has_lengths && c->out[1].capacity < capacity) capacity = c->out[1].capacity;
    for (int64_t k = 0; k < in->count; k++) {
        const int begins = k == 0 || !equality_same(&c->same, element_at(in, k - 1), element_at(in, k));
        length = begins ? 1 : length + 1;
        runs += begins;
        if (begins && has_values) output_expect_at(c, 1, runs - 1, element_at(&c->sequences[1], k));
        if (runs > capacity) continue;
        if (begins) output_expect_at(c, 0, runs - 1, element_at(in, k));
        integer_to(&kind_int64, length, number);
        if (has_lengths) output_expect_at(c, 1, runs - 1, number);
    }
    result_expect_count(c, 0, runs);
    for (int k = 0; k < c->out_count; k++) expect_capacity(c, 0, runs, c->out[k].capacity);
    if (!has_values) return;
    expect_capacity(c, 0, runs, c->out[1].capacity);
    leave_past_lower(c, runs);
}

static void unique_by_key_draw(call *c)
{
    const kind *value = draw_kind(&c->shape, KINDS_ANY);

    unique_draw(c);
    c->numbers[0] = 2;
    input_carried(c, 1, value, 0);
    output_new(c, 1, value, draw_limit(c, c->sequences[0].bound), in_place_of(c, 1));
}

static mcl_status unique_by_key_run(mcl_queue *queue, call *c)
{
    return mcl_unique_by_key(queue, c->in[0], c->in[1], c->out[0], c->out[1], c->op_given[0], c->result[0],
                             c->options_given);
}

static void lengths_draw(call *c)
{
    unique_draw(c);
    c->numbers[0] = 1;
    output_new(c, 1, draw_kind(&c->shape, KINDS_INDEX), draw_limit(c, c->sequences[0].bound), -1);
}

static mcl_status lengths_run(mcl_queue *queue, call *c)
{
    return mcl_run_length_encode(queue, c->in[0], c->out[0], c->out[1], c->op_given[0], c->result[0], c->options_given);
}

/* ---- columns: inputs from 1 on; their outputs follow the elements' outputs, each column's together -- */

enum { COLUMNS = 2, COLUMNS_MAX = INPUTS_MAX - 1 };

static int ways_of(const call *c)
{
    return c->numbers[SPLIT] ? 2 : 1;
}

static void columns_draw(call *c)
{
    const int ways = ways_of(c);

    c->numbers[COLUMNS] = draw_below(&c->shape, OUTPUTS_MAX / ways < INPUTS_MAX ? OUTPUTS_MAX / ways : INPUTS_MAX);
    for (int k = 1; k <= c->numbers[COLUMNS]; k++) {
        const kind *value = draw_kind(&c->shape, KINDS_ANY);
        input_carried(c, k, value, 0);
        for (int w = 0; w < ways; w++) output_new(c, ways * k + w, value, draw_limit(c, c->sequences[0].bound), -1);
    }
}

static void compact_columns_draw(call *c)
{
    compact_any_draw(c, FORM_TEST, 0);
    columns_draw(c);
}

static void partition_columns_draw(call *c)
{
    compact_any_draw(c, FORM_TEST, 1);
    columns_draw(c);
}

static void unique_columns_draw(call *c)
{
    unique_draw(c);
    c->numbers[SPLIT] = 0;
    columns_draw(c);
}

static const mcl_column *columns_of(const call *c, mcl_column *list)
{
    for (int k = 0; k < c->numbers[COLUMNS]; k++) list[k] = (mcl_column){ c->in[1 + k], c->out[1 + k] };
    return list;
}

static mcl_status compact_columns_run(mcl_queue *queue, call *c)
{
    mcl_column list[COLUMNS_MAX];
    return mcl_compact_columns(queue, c->in[0], c->out[0], columns_of(c, list), (int)c->numbers[COLUMNS],
                               c->op_given[0], c->result[0], c->options_given);
}

static mcl_status unique_columns_run(mcl_queue *queue, call *c)
{
    mcl_column list[COLUMNS_MAX];
    return mcl_unique_columns(queue, c->in[0], c->out[0], columns_of(c, list), (int)c->numbers[COLUMNS], c->op_given[0],
                              c->result[0], c->options_given);
}

static mcl_status partition_columns_run(mcl_queue *queue, call *c)
{
    mcl_partition_column list[COLUMNS_MAX];

    for (int k = 0; k < c->numbers[COLUMNS]; k++)
        list[k] = (mcl_partition_column){ c->in[1 + k], c->out[2 + 2 * k], c->out[3 + 2 * k] };
    return mcl_partition_columns(queue, c->in[0], c->out[0], c->out[1], list, (int)c->numbers[COLUMNS], c->op_given[0],
                                 c->result[0], c->options_given);
}

/* Expects columns. The lowest capacity of an element's outputs that exist limits all of its outputs. */
static void columns_reference(call *c, int is_unique)
{
    const sequence *in = &c->sequences[0];
    const int ways = ways_of(c);
    int64_t limits[2] = { in->bound, in->bound }, counts[3] = { 0 };

    for (int o = 0; o < c->out_count; o++)
        if (!c->left_out[o] && c->out[o].capacity < limits[o % ways]) limits[o % ways] = c->out[o].capacity;
    for (int64_t k = 0; k < in->count; k++) {
        const int is_head = is_unique && (k == 0 || !equality_same(&c->same, element_at(in, k - 1), element_at(in, k)));
        const int way = !(is_unique ? is_head : is_kept(c, k));
        if (way >= ways) continue;
        for (int o = way; o < c->out_count && counts[way] < limits[way]; o += ways)
            output_expect_at(c, o, counts[way], element_at(&c->sequences[o / ways], k));
        counts[way]++;
    }
    counts_expect(c, 0, counts);
    for (int o = 0; o < c->out_count; o++) expect_capacity(c, 0, counts[o % ways], c->out[o].capacity);
}

static void compact_columns_reference(call *c)
{
    columns_reference(c, 0);
}

static void unique_columns_reference(call *c)
{
    columns_reference(c, 1);
}

#define KEEPS (TAKES_UNORDERED | TAKES_APPEND | MAY_LACK_OUTPUTS)
/* ---- mcl_run_length_decode ------------------------------------------------------------------------------ */

/* Returns length k. FILL_SMALL makes lengths short. */
static int64_t length_at(const call *c, int64_t k)
{
    const int64_t length = integer_of(c->sequences[1].of, element_at(&c->sequences[1], k));
    return length > 0 ? length : 0;
}

static void decode_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY), *counted = draw_kind(&c->shape, KINDS_INTEGER);
    int64_t total = 0;

    input_any(c, 0, of, draw_size(c) / 8, FILL_ANY);
    sequence *lengths = sequence_follow(c, 1, counted, 0);
    fill_elements(&c->data, counted, FILL_SMALL, lengths->data, lengths->bound);
    sequence_finish(c, 1);
    for (int64_t k = 0; k < c->sequences[0].bound; k++) total += length_at(c, k);
    output_new(c, 0, of, draw_limit(c, total), -1);
    count_new(c, 0, 1);
}

static mcl_status decode_run(mcl_queue *queue, call *c)
{
    return mcl_run_length_decode(queue, c->in[0], c->in[1], c->out[0], c->result[0], c->options_given);
}

static void decode_reference(call *c)
{
    int64_t total = 0;

    for (int64_t k = 0; k < c->sequences[0].count; k++)
        for (int64_t rank = length_at(c, k); rank > 0; rank--)
            output_expect_at(c, 0, total++, element_at(&c->sequences[0], k));
    counts_expect(c, 0, &total);
    expect_capacity(c, 0, total, c->out[0].capacity);
}

const operation compact_operations[] = {
    { "mcl_compact", KEEPS, compact_draw, compact_run, compact_reference },
    { "mcl_compact_flagged", KEEPS, compact_flagged_draw, compact_flagged_run, compact_reference },
    { "mcl_compact_stencil", KEEPS, compact_stencil_draw, compact_stencil_run, compact_reference },
    { "mcl_partition", MAY_LACK_OUTPUTS, partition_draw, partition_run, compact_reference },
    { "mcl_partition_flagged", MAY_LACK_OUTPUTS, partition_flagged_draw, partition_flagged_run, compact_reference },
    { "mcl_partition_stencil", MAY_LACK_OUTPUTS, partition_stencil_draw, partition_stencil_run, compact_reference },
    { "mcl_partition_three", MAY_LACK_OUTPUTS, three_draw, three_run, three_reference },
    { "mcl_unique", MAY_LACK_OUTPUTS, unique_draw, unique_run, runs_reference },
    { "mcl_compact_columns", MAY_LACK_OUTPUTS, compact_columns_draw, compact_columns_run, compact_columns_reference },
    { "mcl_partition_columns", MAY_LACK_OUTPUTS, partition_columns_draw, partition_columns_run,
      compact_columns_reference },
    { "mcl_unique_columns", MAY_LACK_OUTPUTS, unique_columns_draw, unique_columns_run, unique_columns_reference },
    { "mcl_unique_by_key", MAY_LACK_OUTPUTS, unique_by_key_draw, unique_by_key_run, runs_reference },
    { "mcl_run_length_decode", MAY_LACK_OUTPUTS, decode_draw, decode_run, decode_reference },
    { "mcl_run_length_encode", MAY_LACK_OUTPUTS, lengths_draw, lengths_run, runs_reference },
    { NULL, 0, NULL, NULL, NULL },
};
