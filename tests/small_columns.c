/* small_columns.c: walks through numbers of columns and of aggregates. */
#include "cases/elements.h"
#include "small_walks.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 16, ROWS = 2501, GROUPED_ROWS = 20001, GROUPED_KEYS = 300 };
static const mcl_output none = { 0 };

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* A table of small whole numbers. Column k has type number k. */
static int64_t table[COLUMNS][ROWS];

static const mcl_type *type_of(int64_t column)
{
    const mcl_type *const types[] = { MCL_INT32, MCL_UINT8, MCL_INT64, MCL_FLOAT };
    return types[column % 4];
}

/* Returns rows of a column, in the given order or all rows. The caller frees them. */
static void *stored(int64_t column, const int32_t *order, int64_t rows)
{
    const size_t size = type_of(column)->size;
    unsigned char *const out = small_memory((size_t)rows * size + 1);

    for (int64_t row = 0; row < rows; row++) {
        const int64_t number = table[column][order ? order[row] : row];
        const int32_t narrow = (int32_t)number;
        const uint8_t byte = (uint8_t)number;
        const float real = (float)number;
        const void *const sources[] = { &narrow, &byte, &number, &real };
        memcpy(out + (size_t)row * size, sources[column % 4], size);
    }
    return out;
}

static mcl_buffer *column_of(const small_turn *turn, int64_t column, int64_t rows)
{
    void *const data = stored(column, NULL, rows);
    mcl_buffer *const buffer = array_of(turn->device, data, (size_t)rows * type_of(column)->size);

    free(data);
    return buffer;
}

static void table_fill(int64_t span)
{
    for (int64_t column = 0; column < COLUMNS; column++)
        for (int64_t row = 0; row < ROWS; row++)
            table[column][row] = (int64_t)(test_random((uint64_t)column + 20, (uint64_t)row) % (uint64_t)span);
}

typedef struct columns {
    mcl_buffer *in[COLUMNS], *out[COLUMNS], *rejected[COLUMNS];
} columns;

static columns columns_make(const small_turn *turn, int64_t out_rows)
{
    columns made = { .in = { NULL } };

    for (int64_t k = 0; k < turn->number; k++) {
        const size_t bytes = (size_t)(out_rows + 1) * type_of(k)->size;
        made.in[k] = column_of(turn, k, ROWS);
        made.out[k] = array_empty(turn->device, bytes);
        made.rejected[k] = array_empty(turn->device, bytes);
    }
    return made;
}

/* Checks that each column of out has the rows of order, and releases the columns. */
static void columns_expect(const small_turn *turn, mcl_buffer **out, const int32_t *order, int64_t rows,
                           const char *what)
{
    for (int64_t k = 0; k < turn->number; k++) {
        void *const wanted = stored(k, order, rows);
        small_expect(turn, out[k], wanted, (size_t)rows * type_of(k)->size, what);
        free(wanted);
        out[k] = NULL;
    }
}

static void columns_free(columns *c)
{
    for (int k = 0; k < COLUMNS; k++) {
        mcl_buffer_release(c->in[k]);
        mcl_buffer_release(c->out[k]);
        mcl_buffer_release(c->rejected[k]);
    }
}

/* ---- sorts ------------------------------------------------------------------------------------------------------- */

static int64_t compared_columns;

/* Compares rows for qsort. Odd columns descend. */
static int compare_rows(const void *p, const void *q)
{
    const int32_t a = *(const int32_t *)p, b = *(const int32_t *)q;

    for (int64_t k = 0; k < compared_columns; k++)
        if (table[k][a] != table[k][b]) return (table[k][a] < table[k][b]) == (k % 2 == 0) ? -1 : 1;
    return (a > b) - (a < b);
}

static void sort_columns(const small_turn *turn)
{
    static int32_t order[ROWS];
    mcl_key_column keys[COLUMNS];
    mcl_column moved[COLUMNS];

    table_fill(3);
    compared_columns = turn->number;
    for (int32_t row = 0; row < ROWS; row++) order[row] = row;
    qsort(order, ROWS, sizeof order[0], compare_rows);
    columns c = columns_make(turn, ROWS);
    for (int64_t k = 0; k < turn->number; k++) {
        const mcl_input in = mcl_from_buffer(type_of(k), c.in[k], 0, ROWS);
        keys[k] = (mcl_key_column){ in, k % 2 ? MCL_GREATER : MCL_LESS };
        moved[k] = (mcl_column){ in, mcl_to_buffer(type_of(k), c.out[k], 0, ROWS) };
    }
    mcl_buffer *const indices = array_empty(turn->device, sizeof order);
    const int n = (int)turn->number;
    small_ok(turn, mcl_sort_columns_indices(turn->queue, keys, n, ints_out(indices, ROWS), turn->options), "indices");
    small_expect(turn, indices, order, sizeof order, "indices");
    small_ok(turn, mcl_sort_columns(turn->queue, keys, n, moved, n, turn->options), "columns");
    columns_expect(turn, c.out, order, ROWS, "a sorted column");
    columns_free(&c);
}

/* ---- selections -------------------------------------------------------------------------------------------------- */

/* Separates the rows that pass from the others. Returns the number of rows that pass. */
static int64_t parted(int32_t *kept, int32_t *rejected)
{
    int64_t count = 0;

    for (int32_t row = 0; row < ROWS; row++)
        if (row % 3 == 1)
            kept[count++] = row;
        else
            rejected[row - count] = row;
    return count;
}

static void compact_columns(const small_turn *turn)
{
    static int32_t kept[ROWS], rejected[ROWS];
    static const int32_t zero = 0;
    static const mcl_op keep = { .role = MCL_ROLE_TEST, .expression = "x % 3 == 1" };
    const int64_t count = parted(kept, rejected);
    const int n = (int)turn->number;
    mcl_column moved[COLUMNS];
    mcl_partition_column parts[COLUMNS];
    int64_t counts[2] = { 0 };

    table_fill(200);
    for (int way = 0; way < 2; way++) {
        columns c = columns_make(turn, ROWS);
        for (int k = 0; k < n; k++) {
            const mcl_type *const type = type_of(k);
            moved[k] = (mcl_column){ mcl_from_buffer(type, c.in[k], 0, ROWS), mcl_to_buffer(type, c.out[k], 0, ROWS) };
            parts[k] = (mcl_partition_column){ moved[k].in, moved[k].out, mcl_to_buffer(type, c.rejected[k], 0, ROWS) };
        }
        const mcl_input rows = mcl_from_counting(MCL_INT32, &zero, ROWS);
        mcl_buffer *const out = array_empty(turn->device, sizeof kept), *const rest =
                                                                            array_empty(turn->device, 4 * ROWS);
        const mcl_result result = mcl_to_host(MCL_INT64, counts);
        small_ok(
            turn,
            way ? mcl_partition_columns(turn->queue, rows, ints_out(out, ROWS), ints_out(rest, ROWS), parts, n, &keep,
                                        result, turn->options)
                : mcl_compact_columns(turn->queue, rows, ints_out(out, ROWS), moved, n, &keep, result, turn->options),
            way ? "partition" : "compact");
        ck_assert_int_eq(counts[0], count);
        small_expect(turn, out, kept, (size_t)count * 4, "rows");
        columns_expect(turn, c.out, kept, count, "a column of kept rows");
        if (way) columns_expect(turn, c.rejected, rejected, ROWS - count, "a column of rejected rows");
        mcl_buffer_release(rest);
        columns_free(&c);
    }
}

/* ---- joins ------------------------------------------------------------------------------------------------------- */

/* Joins columns. The expected rows are those of mcl_join_unsorted, which has a separate test. */
static void join_columns(const small_turn *turn)
{
    enum { OTHERS = 700, JOINED = 8 * ROWS };
    static int32_t a[ROWS], b[OTHERS], rows[JOINED], rows_b[JOINED];
    const int n = (int)turn->number;
    mcl_join_column of_a[COLUMNS], of_b[COLUMNS];
    int64_t count = 0, again = 0;

    table_fill(200);
    random_ints(a, ROWS, 600, 41, 0);
    random_ints(b, OTHERS, 600, 42, 0);
    mcl_buffer *const in_a = ARRAY_OF(turn->device, a), *const in_b = ARRAY_OF(turn->device, b);
    mcl_buffer *const out_a = array_empty(turn->device, sizeof rows), *const out_b =
                                                                          array_empty(turn->device, sizeof rows);
    small_ok(turn,
             mcl_join_unsorted(turn->queue, MCL_JOIN_INNER, ints(in_a, ROWS), ints(in_b, OTHERS),
                               ints_out(out_a, JOINED), ints_out(out_b, JOINED), MCL_LESS,
                               mcl_to_host(MCL_INT64, &count), turn->options),
             "rows");
    ARRAY_READ(turn->device, out_a, rows);
    ARRAY_READ(turn->device, out_b, rows_b);
    columns c = columns_make(turn, JOINED);
    for (int k = 0; k < n; k++) {
        const mcl_input in = mcl_from_buffer(type_of(k), c.in[k], 0, ROWS);
        of_a[k] = (mcl_join_column){ in, mcl_to_buffer(type_of(k), c.out[k], 0, JOINED), NULL };
        of_b[k] = (mcl_join_column){ in, mcl_to_buffer(type_of(k), c.rejected[k], 0, JOINED), NULL };
    }
    small_ok(turn,
             mcl_join_columns(turn->queue, MCL_JOIN_INNER, ints(in_a, ROWS), ints(in_b, OTHERS), of_a, n, of_b, n, none,
                              MCL_LESS, mcl_to_host(MCL_INT64, &again), turn->options),
             "columns");
    ck_assert_int_eq(count, again);
    columns_expect(turn, c.out, rows, count, "a column of a");
    columns_expect(turn, c.rejected, rows_b, count, "a column of b");
    columns_free(&c);
    mcl_buffer_release(in_a);
    mcl_buffer_release(in_b);
    mcl_buffer_release(out_a);
    mcl_buffer_release(out_b);
}

/* ---- aggregates -------------------------------------------------------------------------------------------------- */

/* Folds a value. The aggregates are sums, highest and lowest values in turn. Each aggregate has other values. */
static int64_t folded(int aggregate, int64_t fold, int64_t value, int is_first)
{
    if (is_first) return value;
    if (aggregate % 3 == 0) return fold + value;
    if (aggregate % 3 == 1) return fold > value ? fold : value;
    return fold < value ? fold : value;
}

static int64_t value_of(int aggregate, int64_t k)
{
    return (int64_t)(test_random((uint64_t)aggregate + 60, (uint64_t)k) % 251);
}

/* Makes the values of an aggregate, in its type. */
static mcl_buffer *values_of(const small_turn *turn, int aggregate, int64_t count)
{
    const size_t size = aggregate % 2 ? 4 : 1;
    unsigned char *const data = small_memory((size_t)count * size);

    for (int64_t k = 0; k < count; k++) {
        const int32_t number = (int32_t)value_of(aggregate, k);
        const uint8_t byte = (uint8_t)number;
        memcpy(data + (size_t)k * size, size == 1 ? (const void *)&byte : (const void *)&number, size);
    }
    mcl_buffer *const buffer = array_of(turn->device, data, (size_t)count * size);
    free(data);
    return buffer;
}

static void group_by_with(const small_turn *turn, const mcl_options *options, const char *what)
{
    static int64_t wanted[COLUMNS][GROUPED_KEYS];
    static int32_t keys[GROUPED_ROWS];
    const mcl_op *const folds[] = { MCL_ADD, MCL_MAX, MCL_MIN };
    const int64_t count = small_count(GROUPED_ROWS);
    const int n = (int)turn->number;
    mcl_aggregate aggregates[COLUMNS];
    mcl_buffer *in[COLUMNS], *out[COLUMNS];
    int64_t groups = 0;

    random_ints(keys, count, GROUPED_KEYS, 50, 0);
    for (int k = 0; k < n; k++) {
        int met[GROUPED_KEYS] = { 0 };
        for (int64_t row = 0; row < count; row++) {
            int64_t *const fold = &wanted[k][keys[row]];
            *fold = folded(k, *fold, value_of(k, row), met[keys[row]]++ == 0);
        }
        in[k] = values_of(turn, k, count);
        out[k] = array_empty(turn->device, GROUPED_KEYS * 8);
        aggregates[k] = (mcl_aggregate){ mcl_from_buffer(k % 2 ? MCL_INT32 : MCL_UINT8, in[k], 0, count), folds[k % 3],
                                         mcl_to_buffer(MCL_INT64, out[k], 0, GROUPED_KEYS) };
    }
    mcl_buffer *const of_keys = array_of(turn->device, keys, (size_t)count * 4);
    small_ok(
        turn,
        mcl_group_by(turn->queue, ints(of_keys, count), none, aggregates, n, mcl_to_host(MCL_INT64, &groups), options),
        what);
    ck_assert_int_eq(groups, GROUPED_KEYS);
    for (int k = 0; k < n; k++) {
        small_expect(turn, out[k], wanted[k], GROUPED_KEYS * 8, what);
        mcl_buffer_release(in[k]);
    }
    mcl_buffer_release(of_keys);
}

static void group_by(const small_turn *turn)
{
    mcl_options same_bits = *turn->options;

    same_bits.flags |= MCL_DETERMINISTIC;
    group_by_with(turn, turn->options, "tables");
    group_by_with(turn, &same_bits, "sorted groups");
}

static void one_to_16(const mcl_context *context, numbers *out)
{
    (void)context;
    numbers_all(out, COLUMNS);
}

const small_walk column_walks[] = {
    { "sort-columns", sort_columns, one_to_16 },
    { "compact-columns", compact_columns, one_to_16 },
    { "join-columns", join_columns, one_to_16 },
    { "group-by", group_by, one_to_16 },
};
const int column_walk_count = sizeof column_walks / sizeof column_walks[0];
