/* sort_columns.c: random calls of mcl_sort_columns and mcl_sort_columns_indices. */
#include "fuzz.h"

#include <stdlib.h>

enum { KEYS, VALUES }; /* numbers: columns of keys, then columns of values, which come after them */
enum { VALUES_MAX = 4 };

/* Draws keys. The first column repeats its keys most often. */
static void keys_draw(call *c)
{
    const int64_t n = draw_size(c);

    c->numbers[KEYS] = 1 + draw_below(&c->shape, OPS_MAX);
    for (int k = 0; k < c->numbers[KEYS]; k++) {
        const kind *of = draw_kind(&c->shape, KINDS_ANY);
        c->columns[k] = order_new(c, k, of);
        if (k == 0)
            input_any(c, k, of, n, draw_chance(&c->data, 60) ? FILL_FEW : FILL_ANY);
        else
            input_carried(c, k, of, 0);
    }
}

static void indices_draw(call *c)
{
    const kind *index_kind = draw_kind(&c->shape, KINDS_INDEX);

    keys_draw(c);
    output_new(c, 0, index_kind, draw_room(c, c->sequences[0].bound), -1);
}

static void values_draw(call *c)
{
    keys_draw(c);
    c->numbers[VALUES] = draw_below(&c->shape, VALUES_MAX + 1);
    for (int k = 0; k < c->numbers[VALUES]; k++) {
        const kind *of = draw_kind(&c->shape, KINDS_ANY);
        const int at = (int)c->numbers[KEYS] + k;
        input_carried(c, at, of, 0);
        output_new(c, k, of, draw_room(c, c->sequences[0].bound), draw_chance(&c->shape, 30) ? at : -1);
    }
}

static const mcl_key_column *keys_of(const call *c, mcl_key_column *list)
{
    for (int k = 0; k < c->numbers[KEYS]; k++) list[k] = (mcl_key_column){ c->in[k], c->op_given[k] };
    return list;
}

static mcl_status indices_run(mcl_queue *queue, call *c)
{
    mcl_key_column keys[OPS_MAX];

    return mcl_sort_columns_indices(queue, keys_of(c, keys), (int)c->numbers[KEYS], c->out[0], c->options_given);
}

static mcl_status values_run(mcl_queue *queue, call *c)
{
    mcl_key_column keys[OPS_MAX];
    mcl_column columns[VALUES_MAX];

    for (int k = 0; k < c->numbers[VALUES]; k++) columns[k] = (mcl_column){ c->in[c->numbers[KEYS] + k], c->out[k] };
    return mcl_sort_columns(queue, keys_of(c, keys), (int)c->numbers[KEYS], columns, (int)c->numbers[VALUES],
                            c->options_given);
}

static int row_before(const call *c, int64_t p, int64_t q)
{
    for (int k = 0; k < c->numbers[KEYS]; k++) {
        const unsigned char *x = element_at(&c->sequences[k], p);
        const unsigned char *y = element_at(&c->sequences[k], q);
        if (order_before(&c->columns[k], x, y)) return 1;
        if (order_before(&c->columns[k], y, x)) return 0;
    }
    return 0;
}

/* Returns the order of rows by insertion: each row is inserted after all rows that do not come after it. */
static int64_t *sorted_rows(const call *c)
{
    const int64_t n = c->sequences[0].count;
    int64_t *rows = malloc((size_t)(n + 1) * sizeof *rows);

    if (!rows) abort();
    for (int64_t k = 0; k < n; k++) {
        int64_t low = 0;
        for (int64_t high = k; low < high;) {
            const int64_t middle = (low + high) / 2;
            if (row_before(c, k, rows[middle]))
                high = middle;
            else
                low = middle + 1;
        }
        for (int64_t at = k; at > low; at--) rows[at] = rows[at - 1];
        rows[low] = k;
    }
    return rows;
}

static void indices_reference(call *c)
{
    int64_t *rows = sorted_rows(c);
    unsigned char element[8];

    for (int64_t k = 0; k < c->sequences[0].count; k++) {
        integer_to(c->out_kind[0], rows[k], element);
        output_expect_at(c, 0, k, element);
    }
    free(rows);
}

static void values_reference(call *c)
{
    int64_t *rows = sorted_rows(c);

    for (int o = 0; o < c->numbers[VALUES]; o++)
        for (int64_t k = 0; k < c->sequences[0].count; k++)
            output_expect_at(c, o, k, element_at(&c->sequences[c->numbers[KEYS] + o], rows[k]));
    free(rows);
}

const operation sort_columns_operations[] = {
    { "mcl_sort_columns_indices", 0, indices_draw, indices_run, indices_reference },
    { "mcl_sort_columns", 0, values_draw, values_run, values_reference },
    { NULL, 0, NULL, NULL, NULL },
};
