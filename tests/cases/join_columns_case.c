/* join_columns_case.c: compares joined columns of two unsorted tables with a radix sort of both and a loop over them.
 * Keys are int32. kind is the mcl_join_kind; form says whether row numbers are made first, by which columns are
 * fetched. */
#include "case.h"

#include "moderncl/join.h"

#include <stdlib.h>

enum { A, B, COLUMNS, OF_A = COLUMNS, OF_B = COLUMNS + 2, INPUTS = COLUMNS + 4 }; /* inputs */
/* approximate largest number of rows of a test */
enum { ROWS_MAX = 1 << 21 };

/* A key with its index. The image is a number that sorts as the key does. */
typedef struct keyed {
    uint32_t image;
    int32_t index;
} keyed;

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static void join_columns_make(case_problem *problem)
{
    const int64_t n = problem->n, splits[] = { n / 2, n - n / 7, n, 0, n / 3 };
    const int64_t a_count = splits[problem->seed % 5];
    const int64_t least = n * n / 4 / ROWS_MAX + 1, wanted = problem->seed % 2 ? n / 2 + 2 : n / 20 + 1;
    const int64_t span = wanted > least ? wanted : least;
    static const element *const kinds[] = { &element_int32, &element_float, &element_int32, &element_point };

    case_add_input(problem, &element_int32, problem->variant->source, a_count, span, ORDER_RANDOM);
    case_add_input(problem, &element_int32, FROM_BUFFER, n - a_count, span, ORDER_RANDOM);
    for (int k = 0; k < 4; k++)
        case_add_input(problem, kinds[k], FROM_BUFFER, k < 2 ? a_count : n - a_count, 0, ORDER_RANDOM);
}

/* ---- the rows ---------------------------------------------------------------------------------------------------- */

static keyed *keyed_new(int64_t count)
{
    keyed *made = malloc((size_t)(count + 1) * sizeof *made);

    if (!made) abort();
    return made;
}

/* Does one pass of the sort, by the byte that begins at bit shift. */
static void sort_pass(const keyed *from, keyed *to, int64_t count, int shift)
{
    int64_t starts[257] = { 0 };

    for (int64_t k = 0; k < count; k++) starts[(from[k].image >> shift & 255) + 1]++;
    for (int digit = 0; digit < 256; digit++) starts[digit + 1] += starts[digit];
    for (int64_t k = 0; k < count; k++) to[starts[from[k].image >> shift & 255]++] = from[k];
}

static keyed *sorted_keys(const case_input *in)
{
    keyed *keys = keyed_new(in->count);
    keyed *spare = keyed_new(in->count);

    for (int64_t k = 0; k < in->count; k++) {
        int32_t key;
        memcpy(&key, in->data + (size_t)k * sizeof key, sizeof key);
        keys[k] = (keyed){ (uint32_t)key ^ 0x80000000u, (int32_t)k };
    }
    for (int shift = 0; shift < 32; shift += 8) {
        sort_pass(keys, spare, in->count, shift);
        keyed *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    free(spare);
    return keys;
}

/* The rows of a join. They are counted, and stored where there is memory. */
typedef struct rows {
    int64_t count;
    int32_t *a, *b;
} rows;

static void add_row(rows *to, int32_t a, int32_t b)
{
    if (to->a) {
        to->a[to->count] = a;
        to->b[to->count] = b;
    }
    to->count++;
}

/* Adds the rows of the key at index i of a, whose equals in b are [first, end). */
static void add_key(rows *to, int kind, int32_t i, const keyed *b, int64_t first, int64_t end)
{
    const int has_match = first < end;

    if (kind >= MCL_JOIN_SEMI && has_match == (kind == MCL_JOIN_SEMI)) add_row(to, i, -1);
    if (kind >= MCL_JOIN_SEMI) return;
    for (int64_t j = first; j < end; j++) add_row(to, i, b[j].index);
    if (!has_match && (kind == MCL_JOIN_LEFT || kind == MCL_JOIN_OUTER)) add_row(to, i, -1);
}

static void join_sorted(rows *to, int kind, const keyed *a, int64_t m, const keyed *b, int64_t n)
{
    int64_t first = 0, end = 0;

    for (int64_t i = 0; i < m; i++) {
        while (first < n && b[first].image < a[i].image) first++;
        if (end < first) end = first;
        while (end < n && b[end].image == a[i].image) end++;
        add_key(to, kind, a[i].index, b, first, end);
    }
    for (int64_t j = 0, i = 0; j < n && (kind == MCL_JOIN_RIGHT || kind == MCL_JOIN_OUTER); j++) {
        while (i < m && a[i].image < b[j].image) i++;
        if (i == m || a[i].image != b[j].image) add_row(to, -1, b[j].index);
    }
}

static void add_column(case_problem *problem, int in, const int32_t *index, int64_t count)
{
    const case_input *const column = &problem->inputs[in];
    const size_t size = column->element->type->size;
    unsigned char *const out = case_add_output(problem, column->element, count);

    for (int64_t k = 0; k < count; k++) {
        if (index[k] < 0)
            memset(out + (size_t)k * size, 0, size);
        else
            memcpy(out + (size_t)k * size, column->data + (size_t)index[k] * size, size);
    }
}

static void add_rows(case_problem *problem, const int32_t *index, int64_t count)
{
    unsigned char *const out = case_add_output(problem, &element_int32, count);

    memcpy(out, index, (size_t)count * sizeof *index);
}

static void join_columns_expect(case_problem *problem)
{
    const int kind = problem->variant->kind;
    const int64_t m = problem->inputs[A].count, n = problem->inputs[B].count;
    keyed *a = sorted_keys(&problem->inputs[A]);
    keyed *b = sorted_keys(&problem->inputs[B]);
    rows made = { 0, NULL, NULL };

    join_sorted(&made, kind, a, m, b, n);
    const int64_t count = made.count;
    made = (rows){ 0, malloc((size_t)(count + 1) * sizeof *made.a), malloc((size_t)(count + 1) * sizeof *made.b) };
    if (!made.a || !made.b) abort();
    join_sorted(&made, kind, a, m, b, n);
    for (int k = 0; k < 4; k++) {
        if (k >= 2 && kind >= MCL_JOIN_SEMI) continue;
        add_column(problem, COLUMNS + k, k < 2 ? made.a : made.b, count);
    }
    if (problem->variant->form == JOIN_ROWS_GATHER) add_rows(problem, made.a, count);
    if (problem->variant->form == JOIN_ROWS_GATHER) add_rows(problem, made.b, count);
    memcpy(case_add_result(problem, &element_int64), &count, sizeof count);
    free(a);
    free(b);
    free(made.a);
    free(made.b);
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

/* Makes row numbers, then fetches the columns. The last gather gets the options and their event. */
static mcl_status gather_call(mcl_queue *queue, const case_operands *o, const mcl_options *options)
{
    mcl_options beside = *options;
    beside.done = NULL;
    mcl_status status = mcl_join_unsorted(queue, MCL_JOIN_INNER, o->in[A], o->in[B], o->out[4], o->out[5], MCL_LESS,
                                          o->result, &beside);
    for (int k = 0; k < 4 && status == MCL_OK; k++) {
        const mcl_output *const of = &o->out[k < 2 ? 4 : 5];
        const mcl_input by = mcl_from_buffer(of->type, of->buffer, of->offset, of->capacity);
        status = mcl_join_gather(queue, by, o->in[COLUMNS + k], NULL, o->out[k], k == 3 ? options : &beside);
    }
    return status;
}

static mcl_status join_columns_call(mcl_queue *queue, const case_problem *problem, const case_operands *o,
                                    const mcl_options *options)
{
    const case_variant *const variant = problem->variant;
    const int has_b = variant->kind < MCL_JOIN_SEMI;
    mcl_join_column of_a[2], of_b[2];

    if (variant->form == JOIN_ROWS_GATHER) return gather_call(queue, o, options);
    for (int k = 0; k < 2; k++) {
        of_a[k] = (mcl_join_column){ .in = o->in[OF_A + k], .out = o->out[k] };
        if (has_b) of_b[k] = (mcl_join_column){ .in = o->in[OF_B + k], .out = o->out[2 + k] };
    }
    return mcl_join_columns(queue, (mcl_join_kind)variant->kind, o->in[A], o->in[B], of_a, 2, of_b, has_b ? 2 : 0,
                            (mcl_output){ .type = NULL }, MCL_LESS, o->result, options);
}

#define JOINED(kind_, ...) { .element = &element_int32, .kind = MCL_JOIN_##kind_, __VA_ARGS__ }
static const case_variant variants[] = {
    JOINED(INNER, .threads = 0),
    JOINED(OUTER, .threads = 64, .items = 7),
    JOINED(RIGHT, .threads = 32, .items = 3, .passes = 2),
    JOINED(LEFT, .threads = 1, .items = 100, .source = FROM_STEP, .flags = MCL_INDEX_64),
    JOINED(SEMI, .threads = 32, .items = 4, .source = FROM_EXPRESSION),
    JOINED(ANTI, .threads = 1, .items = 300, .sort_method = MCL_SORT_MERGE),
    JOINED(OUTER, .threads = 1, .items = 31, .flags = MCL_VALIDATE, .sort_method = MCL_SORT_RADIX),
};
static const case_variant all_variants[] = {
    JOINED(INNER, .passes = 1), JOINED(LEFT, .passes = 2), JOINED(RIGHT, .flags = MCL_INDEX_64),
    JOINED(OUTER, .passes = 1), JOINED(SEMI, .passes = 2), JOINED(ANTI, .passes = 1),
};

const mcl_case join_columns_case = {
    .name = "join",
    CASE_VARIANTS(variants),
    CASE_ALL(all_variants),
    .sources = 1,
    .make = join_columns_make,
    .expect = join_columns_expect,
    .call = join_columns_call,
};
