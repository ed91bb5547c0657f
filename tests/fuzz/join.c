/* join.c: random calls of join.h. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { A, B };
/* Indices in numbers. The counts of columns are -1 where rows are joined. */
enum { FORM, SORTED, COLUMNS_A, COLUMNS_B, HAS_NULL, CAPACITY };
enum { COLUMNS_MAX = 3 };

static mcl_join_kind keys_draw(call *c, int sorted)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const mcl_join_kind kind_of_join = (mcl_join_kind)draw_below(&c->shape, 6);

    c->by = order_new(c, 0, of);
    c->numbers[FORM] = kind_of_join;
    c->numbers[SORTED] = sorted;
    c->numbers[COLUMNS_A] = c->numbers[COLUMNS_B] = -1;
    for (int k = A; k <= B; k++) {
        int64_t size = draw_size(c);
        if (size > 500) size = 500 + size % 100;
        sequence_begin(c, k, of, size, 1);
        if (sorted)
            sequence_sorted(c, k, &c->by, 0);
        else
            fill_elements(&c->data, of, draw_chance(&c->data, 50) ? FILL_ANY : FILL_FEW, c->sequences[k].data, size);
        sequence_finish(c, k);
    }
    return kind_of_join;
}

static void join_any_draw(call *c, int sorted)
{
    int64_t most = draw_chance(&c->data, 70) ? 4000 : draw_below(&c->data, 300);
    const int has_b = keys_draw(c, sorted) < MCL_JOIN_SEMI;

    output_new(c, 0, draw_kind(&c->shape, KINDS_INDEX), draw_chance(&c->data, 5) ? 0 : most, -1);
    if (draw_chance(&c->data, 20)) most = draw_below(&c->data, 300);
    if (has_b) output_new(c, 1, draw_kind(&c->shape, KINDS_INDEX), most, -1);
    count_new(c, 0, 1);
}

/* ---- by the obvious loops ------------------------------------------------------------------------------- */

typedef struct side {
    sequence sorted;
    int64_t *places;
} side;

static void side_of(call *c, int k, side *out)
{
    const sequence *of = &c->sequences[k];
    const size_t bytes = (size_t)of->count * of->of->type->size;

    out->sorted = *of;
    out->sorted.data = malloc(bytes + 1);
    out->places = malloc((size_t)(of->count + 1) * sizeof *out->places);
    if (!out->sorted.data || !out->places) abort();
    if (bytes) memcpy(out->sorted.data, of->data, bytes);
    order_sort(&c->by, of->of, out->sorted.data, of->count, out->places);
}

/* Expects a row of joined columns: the key, then the values of both sides. */
static void columns_row(call *c, int64_t index, int64_t a, int64_t b)
{
    static const unsigned char zeros[MCL_VALUE_BYTES_MAX];
    const int first_b = (int)c->numbers[COLUMNS_A];

    for (int k = 0; k < c->out_count; k++)
        if (index >= c->out[k].capacity) return;
    output_expect_at(c, 0, index, a < 0 ? element_at(&c->sequences[B], b) : element_at(&c->sequences[A], a));
    for (int k = 0; k < c->out_count - 1; k++) {
        const int64_t from = k < first_b ? a : b;
        const unsigned char *const null_value = c->numbers[HAS_NULL] ? c->values[0] : zeros;
        output_expect_at(c, 1 + k, index, from < 0 ? null_value : element_at(&c->sequences[2 + k], from));
    }
}

static void row(call *c, int64_t *count, int64_t a, int64_t b)
{
    const int64_t index = (*count)++;
    unsigned char element[8];

    if (c->numbers[COLUMNS_A] >= 0) {
        columns_row(c, index, a, b);
        return;
    }
    if (c->out_count > 1 && (index >= c->out[1].capacity || index >= c->out[0].capacity)) return;
    integer_to(c->out_kind[0], a, element);
    output_expect_at(c, 0, index, element);
    if (c->out_count < 2) return;
    integer_to(c->out_kind[1], b, element);
    output_expect_at(c, 1, index, element);
}

static int64_t rows_of_a(call *c, const side *a, const side *b, int64_t count)
{
    const mcl_join_kind form = (mcl_join_kind)c->numbers[0];

    for (int64_t i = 0; i < a->sorted.count; i++) {
        const void *key = element_at(&a->sorted, i);
        int64_t from = 0;
        while (from < b->sorted.count && order_before(&c->by, element_at(&b->sorted, from), key)) from++;
        int64_t end = from;
        while (end < b->sorted.count && !order_before(&c->by, key, element_at(&b->sorted, end))) end++;
        for (int64_t j = from; j < end && form < MCL_JOIN_SEMI; j++) row(c, &count, a->places[i], b->places[j]);
        if (from == end && (form == MCL_JOIN_LEFT || form == MCL_JOIN_OUTER)) row(c, &count, a->places[i], -1);
        if (form == MCL_JOIN_SEMI && from < end) row(c, &count, a->places[i], 0);
        if (form == MCL_JOIN_ANTI && from == end) row(c, &count, a->places[i], 0);
    }
    return count;
}

static int64_t rows_of_b(call *c, const side *a, const side *b, int64_t count)
{
    for (int64_t j = 0; j < b->sorted.count; j++) {
        const void *key = element_at(&b->sorted, j);
        int64_t i = 0;
        while (i < a->sorted.count && order_before(&c->by, element_at(&a->sorted, i), key)) i++;
        if (i == a->sorted.count || order_before(&c->by, key, element_at(&a->sorted, i)))
            row(c, &count, -1, b->places[j]);
    }
    return count;
}

/* Expects all rows, and returns their number. */
static int64_t rows_of_both(call *c)
{
    const mcl_join_kind form = (mcl_join_kind)c->numbers[FORM];
    side a;
    side b;

    side_of(c, A, &a);
    side_of(c, B, &b);
    int64_t count = rows_of_a(c, &a, &b, 0);
    if (form == MCL_JOIN_RIGHT || form == MCL_JOIN_OUTER) count = rows_of_b(c, &a, &b, count);
    free(a.sorted.data);
    free(a.places);
    free(b.sorted.data);
    free(b.places);
    result_expect_count(c, 0, count);
    return count;
}

/* Returns 1 where rows may have any order. Then only their number is known here. */
static int is_unordered(const call *c)
{
    const unsigned in_order = MCL_DETERMINISTIC | MCL_REPRODUCIBLE;
    return c->options_given && c->options.flags & MCL_UNORDERED && !(c->options.flags & in_order);
}

static void join_reference(call *c)
{
    const int64_t count = rows_of_both(c);
    int64_t capacity = c->out[0].capacity;

    for (int k = 1; k < c->out_count; k++)
        if (c->out[k].capacity < capacity) capacity = c->out[k].capacity;
    for (int k = 0; k < c->out_count && is_unordered(c); k++)
        output_any_at(c, k, 0, count < capacity ? count : capacity);
    expect_capacity(c, 0, count, capacity);
}

static void join_draw(call *c)
{
    join_any_draw(c, 1);
}

static mcl_status join_run(mcl_queue *queue, call *c)
{
    return mcl_join(queue, (mcl_join_kind)c->numbers[0], c->in[A], c->in[B], c->out[0], c->out[1], c->op_given[0],
                    c->result[0], c->options_given);
}

static void join_unsorted_draw(call *c)
{
    join_any_draw(c, 0);
}

static mcl_status join_unsorted_run(mcl_queue *queue, call *c)
{
    return mcl_join_unsorted(queue, (mcl_join_kind)c->numbers[0], c->in[A], c->in[B], c->out[0], c->out[1],
                             c->op_given[0], c->result[0], c->options_given);
}

/* ---- mcl_join_columns ----------------------------------------------------------------------------------- */

/* Draws a call on columns. Any bytes serve as null value for all kinds. */
static void join_columns_draw(call *c)
{
    const int has_b = keys_draw(c, 0) < MCL_JOIN_SEMI;
    const kind *key = c->sequences[A].of;
    int64_t most = draw_chance(&c->data, 70) ? 4000 : draw_below(&c->data, 300);

    c->numbers[COLUMNS_A] = draw_below(&c->shape, COLUMNS_MAX + 1);
    c->numbers[COLUMNS_B] = has_b ? draw_below(&c->shape, COLUMNS_MAX + 1) : 0;
    c->numbers[HAS_NULL] = draw_chance(&c->data, 50);
    fill_elements(&c->data, &kind_int64, FILL_ANY, c->values[0], MCL_VALUE_BYTES_MAX / 8);
    output_new(c, 0, key, draw_chance(&c->data, 5) ? 0 : most, -1);
    for (int k = 0; k < c->numbers[COLUMNS_A] + c->numbers[COLUMNS_B]; k++) {
        const kind *of = draw_kind(&c->shape, KINDS_ANY);
        sequence *column = sequence_follow(c, 2 + k, of, k < c->numbers[COLUMNS_A] ? A : B);
        fill_elements(&c->data, of, FILL_ANY, column->data, column->bound);
        sequence_finish_array(c, 2 + k);
        if (draw_chance(&c->data, 10)) most = draw_below(&c->data, 300);
        output_new(c, 1 + k, of, most, -1);
    }
    count_new(c, 0, 1);
}

static mcl_status join_columns_run(mcl_queue *queue, call *c)
{
    mcl_join_column list[2 * COLUMNS_MAX];
    const int of_a = (int)c->numbers[COLUMNS_A];
    const int of_b = (int)c->numbers[COLUMNS_B];

    for (int k = 0; k < of_a + of_b; k++)
        list[k] = (mcl_join_column){ c->in[2 + k], c->out[1 + k], c->numbers[HAS_NULL] ? c->values[0] : NULL };
    return mcl_join_columns(queue, (mcl_join_kind)c->numbers[FORM], c->in[A], c->in[B], list, of_a, list + of_a, of_b,
                            c->out[0], c->op_given[0], c->result[0], c->options_given);
}

/* ---- mcl_join_gather ------------------------------------------------------------------------------------ */

static void gather_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);
    const int64_t n = draw_size(c);

    sequence_begin(c, 1, of, n, 0);
    fill_elements(&c->data, of, FILL_ANY, c->sequences[1].data, n);
    sequence_finish_array(c, 1);
    sequence *rows = sequence_begin(c, 0, index_kind, draw_size(c), 1);
    for (int64_t k = 0; k < rows->bound; k++)
        integer_to(index_kind, draw_chance(&c->data, 95) ? draw_between(&c->data, -1, n) : (int64_t)draw(&c->data),
                   rows->data + (size_t)k * index_kind->type->size);
    sequence_finish_array(c, 0);
    c->numbers[0] = draw_chance(&c->data, 50);
    if (c->numbers[0]) fill_elements(&c->data, of, FILL_ANY, c->values[0], 1);
    output_new(c, 0, of, draw_room(c, rows->bound), -1);
}

static mcl_status gather_run(mcl_queue *queue, call *c)
{
    return mcl_join_gather(queue, c->in[0], c->in[1], c->numbers[0] ? c->values[0] : NULL, c->out[0], c->options_given);
}

static void gather_reference(call *c)
{
    const sequence *rows = &c->sequences[0];

    for (int64_t k = 0; k < rows->count; k++) {
        const int64_t at = integer_of(rows->of, element_at(rows, k));
        const int inside = at >= 0 && at < c->sequences[1].count;
        output_expect_at(c, 0, k, inside ? element_at(&c->sequences[1], at) : c->values[0]);
    }
}

/* ---- mcl_host_join -------------------------------------------------------------------------------------- */

static void host_join_draw(call *c)
{
    const kind *of = draw_kind(&c->shape, KINDS_ANY);
    const int64_t form = draw_below(&c->shape, 6);
    const int64_t capacity = draw_chance(&c->data, 5)    ? 0
                             : draw_chance(&c->data, 70) ? draw_between(&c->data, 1000, 20000)
                                                         : draw_between(&c->data, 1, 300);
    int64_t keys = 0;

    c->by = order_new(c, 0, of);
    c->numbers[FORM] = form;
    c->numbers[CAPACITY] = capacity;
    c->numbers[COLUMNS_A] = c->numbers[COLUMNS_B] = -1;
    for (int k = A; k <= B; k++) {
        const int64_t size = draw_size(c);
        host_keys_draw(c, k, &c->by, size > 700 ? 700 + size % 100 : size);
        keys += c->sequences[k].count;
    }
    output_new(c, 0, &kind_int64, capacity, -1);
    if (form < MCL_JOIN_SEMI) output_new(c, 1, &kind_int64, capacity, -1);
    host_count_new(c);
    host_room_draw(c, keys, of->type->size + sizeof(int64_t));
}

static mcl_status host_join_run(mcl_queue *queue, call *c)
{
    host_call of;
    mcl_status status = host_begin(queue, c, &of);

    if (status != MCL_OK) return status;
    do
        status = mcl_host_join(of.given, (mcl_join_kind)c->numbers[FORM], of.type, of.keys, of.count, host_input(c, B),
                               c->sequences[B].count, c->op_given[0], of.out, host_output(c, 1), c->numbers[CAPACITY],
                               host_count(c));
    while (host_grows(&of, status));
    return host_end(queue, c, status);
}

static void host_join_reference(call *c)
{
    const int64_t count = rows_of_both(c);
    const int is_stored = !c->left_out[0] || (c->out_count > 1 && !c->left_out[1]);

    if (is_stored && c->numbers[CAPACITY] > 0 && count > c->numbers[CAPACITY]) c->expect = EXPECT_CAPACITY;
}

const operation host_join_operations[] = {
    { "mcl_host_join", ON_HOST | NO_OPTIONS | MAY_LACK_OUTPUTS, host_join_draw, host_join_run, host_join_reference },
    { NULL, 0, NULL, NULL, NULL },
};
const operation join_operations[] = {
    { "mcl_join", TAKES_PASSES | MAY_LACK_OUTPUTS, join_draw, join_run, join_reference },
    { "mcl_join_unsorted", TAKES_PASSES | TAKES_UNORDERED | MAY_LACK_OUTPUTS, join_unsorted_draw, join_unsorted_run,
      join_reference },
    { "mcl_join_columns", TAKES_PASSES | TAKES_UNORDERED | MAY_LACK_OUTPUTS, join_columns_draw, join_columns_run,
      join_reference },
    { "mcl_join_gather", 0, gather_draw, gather_run, gather_reference },
    { NULL, 0, NULL, NULL, NULL },
};
