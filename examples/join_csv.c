/* join_csv.c: joins two CSV files on a column that both have, on a device.
 *
 *     join_csv [--left|--right|--outer] [--strings] [--strict] A.csv B.csv COLUMN
 *
 * Writes CSV: A's fields, then B's without the column; of rows without a partner the other side's fields are empty.
 * Keys are whole numbers, or with --strings any text: texts are joined by their hashes, and what is joined is compared.
 * Fields are separated by commas and may stand in double quotes, within a line. Malformed rows are named by line and
 * skipped, or, with --strict, refused. */
#include "csv.h"
#include "progress.h"

#include <moderncl/moderncl.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(expression)                                                                                                \
    do {                                                                                                               \
        const mcl_status try_status = (expression);                                                                    \
        if (try_status != MCL_OK) return try_status;                                                                   \
    } while (0)

/* A file's rows: fields as they stand there, one row after the other, and the key of each row. */
typedef struct table {
    const char *path;
    char *text; /* the whole file, in which fields are cut off by 0 */
    int columns;
    int key;       /* the column */
    char **fields; /* of the header, then of each row */
    int64_t rows;
    int64_t *keys;
    int skipped;
} table;

typedef struct settings {
    mcl_join_kind kind;
    int strings;
    int strict;
    const char *column;
} settings;

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* FNV-1a. */
static int64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (int64_t)(hash >> 1);
}

/* 1: text is a key. */
static int read_key(const char *text, int strings, int64_t *key)
{
    char *end;

    if (strings) {
        *key = hash_of(text);
        return 1;
    }
    errno = 0;
    *key = strtoll(text, &end, 10);
    return end != text && !*end && !errno;
}

static int find_column(table *read, const char *column)
{
    for (int k = 0; k < read->columns; k++)
        if (strcmp(read->fields[k], column) == 0) {
            read->key = k;
            return 1;
        }
    fprintf(stderr, "%s:1: there is no column %s\n", read->path, column);
    return 0;
}

/* Takes in the line of a row. 1: it is one; otherwise the reason. */
static int add_row(table *read, char *line, const settings *wanted, const char **reason)
{
    char *fields[FIELDS_MAX];
    const int count = read_fields(line, fields, reason);

    if (count == 0) return 0;
    if (count != read->columns) return *reason = "not as many fields as the header has", 0;
    if (!read_key(fields[read->key], wanted->strings, &read->keys[read->rows]))
        return *reason = "a key that is no whole number; --strings joins any text", 0;
    memcpy(read->fields + (read->rows + 1) * read->columns, fields, sizeof *fields * (size_t)count);
    read->rows++;
    return 1;
}

static int table_header(table *read, char *line, int64_t lines)
{
    char *fields[FIELDS_MAX];
    const char *reason = "it is empty";

    read->columns = line ? read_fields(line, fields, &reason) : 0;
    if (read->columns == 0) {
        fprintf(stderr, "%s:1: %s\n", read->path, reason);
        return 0;
    }
    read->fields = malloc(sizeof *read->fields * (size_t)read->columns * (size_t)(lines + 1));
    read->keys = malloc(sizeof *read->keys * (size_t)(lines + 1));
    if (!read->fields || !read->keys) {
        fprintf(stderr, "%s: out of memory\n", read->path);
        return 0;
    }
    memcpy(read->fields, fields, sizeof *fields * (size_t)read->columns);
    return 1;
}

static int table_read(table *read, const settings *wanted)
{
    size_t length;
    int64_t lines = 1;

    read->text = read_file(read->path, &length);
    if (!read->text) {
        fprintf(stderr, "%s: %s\n", read->path, strerror(errno));
        return 0;
    }
    for (const char *at = read->text; (at = strchr(at, '\n')); at++) lines++;
    char *rest = read->text;
    if (!table_header(read, next_line(&rest), lines) || !find_column(read, wanted->column)) return 0;
    int number = 2;
    for (char *line; (line = next_line(&rest)); number++) {
        const char *reason = NULL;
        if (add_row(read, line, wanted, &reason)) continue;
        if (wanted->strict) return fprintf(stderr, "%s:%d: row refused: %s\n", read->path, number, reason), 0;
        tell_skipped(read->path, number, reason, read->skipped++);
    }
    if (rest == read->text + length) return 1;
    fprintf(stderr, "%s:%d: a zero byte\n", read->path, number);
    return 0;
}

static void table_free(table *freed)
{
    free(freed->text);
    free(freed->fields);
    free(freed->keys);
}

/* ---- joining ----------------------------------------------------------------------------------------------------- */

typedef struct joined {
    int64_t count;
    int32_t *a;
    int32_t *b;
} joined;

static mcl_status join_on(mcl_queue *queue, mcl_buffer *buffers[4], const settings *wanted, const table *a,
                          const table *b, joined *out)
{
    const mcl_input left = mcl_from_buffer(MCL_INT64, buffers[0], 0, a->rows);
    const mcl_input right = mcl_from_buffer(MCL_INT64, buffers[1], 0, b->rows);
    const mcl_output nowhere = mcl_to_buffer(MCL_INT32, NULL, 0, 0);
    const mcl_result count = mcl_to_host(MCL_INT64, &out->count);
    mcl_context *const context = mcl_queue_context(queue);

    TRY(mcl_join_unsorted(queue, wanted->kind, left, right, nowhere, nowhere, MCL_LESS, count, NULL));
    const size_t bytes = sizeof(int32_t) * (size_t)(out->count + 1);
    out->a = malloc(bytes);
    out->b = malloc(bytes);
    if (!out->a || !out->b) return MCL_ERROR_MEMORY;
    TRY(mcl_buffer_create(context, bytes, NULL, &buffers[2]));
    TRY(mcl_buffer_create(context, bytes, NULL, &buffers[3]));
    TRY(mcl_join_unsorted(queue, wanted->kind, left, right, mcl_to_buffer(MCL_INT32, buffers[2], 0, out->count),
                          mcl_to_buffer(MCL_INT32, buffers[3], 0, out->count), MCL_LESS, count, NULL));
    TRY(mcl_buffer_read(queue, buffers[2], 0, sizeof(int32_t) * (size_t)out->count, out->a));
    return mcl_buffer_read(queue, buffers[3], 0, sizeof(int32_t) * (size_t)out->count, out->b);
}

static mcl_status join_tables(const settings *wanted, const table *a, const table *b, joined *out)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffers[4] = { NULL };
    const size_t size = sizeof(int64_t);
    mcl_status status = mcl_context_create(NULL, &context);
    if (status == MCL_OK) progress_show(context);
    if (status == MCL_OK) status = mcl_queue_create(context, 0, &queue);
    if (status == MCL_OK) status = mcl_buffer_create(context, size * (size_t)(a->rows + 1), NULL, &buffers[0]);
    if (status == MCL_OK) status = mcl_buffer_create(context, size * (size_t)(b->rows + 1), NULL, &buffers[1]);
    if (status == MCL_OK) status = mcl_buffer_write(queue, buffers[0], 0, size * (size_t)a->rows, a->keys);
    if (status == MCL_OK) status = mcl_buffer_write(queue, buffers[1], 0, size * (size_t)b->rows, b->keys);
    if (status == MCL_OK) status = join_on(queue, buffers, wanted, a, b, out);
    if (status != MCL_OK) fprintf(stderr, "join_csv: %s: %s\n", mcl_status_name(status), mcl_last_error());
    for (int k = 0; k < 4; k++) mcl_buffer_release(buffers[k]);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return status;
}

/* 0: texts that differ have one hash. */
static int join_verify(const table *a, const table *b, const joined *rows)
{
    for (int64_t k = 0; k < rows->count; k++) {
        if (rows->a[k] < 0 || rows->b[k] < 0) continue;
        const char *p = a->fields[(int64_t)(rows->a[k] + 1) * a->columns + a->key];
        const char *q = b->fields[(int64_t)(rows->b[k] + 1) * b->columns + b->key];
        if (strcmp(p, q) == 0) continue;
        fprintf(stderr, "join_csv: the keys %s and %s have the same hash\n", p, q);
        return 0;
    }
    return 1;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Rows are counted from the header on; row 0 of a table that is left out has no fields, but the key is the other's. */
static void write_row(const table *a, const table *b, int64_t a_row, int64_t b_row)
{
    for (int k = 0; k < a->columns; k++) {
        const char *field = a_row >= 0 ? a->fields[a_row * a->columns + k] : "";
        if (a_row < 0 && k == a->key) field = b->fields[b_row * b->columns + b->key];
        write_field(field, k == 0);
    }
    for (int k = 0; k < b->columns; k++)
        if (k != b->key) write_field(b_row >= 0 ? b->fields[b_row * b->columns + k] : "", 0);
    putchar('\n');
}

static int run(const settings *wanted, table *a, table *b)
{
    joined rows = { 0 };
    int failed = !table_read(a, wanted) || !table_read(b, wanted);

    if (!failed) failed = join_tables(wanted, a, b, &rows) != MCL_OK;
    if (!failed && wanted->strings) failed = !join_verify(a, b, &rows);
    if (!failed) {
        write_row(a, b, 0, 0);
        for (int64_t k = 0; k < rows.count; k++)
            write_row(a, b, rows.a[k] < 0 ? -1 : rows.a[k] + 1, rows.b[k] < 0 ? -1 : rows.b[k] + 1);
        failed = fflush(stdout) != 0;
    }
    free(rows.a);
    free(rows.b);
    return failed;
}

int main(int argument_count, char **arguments)
{
    settings wanted = { .kind = MCL_JOIN_INNER };
    int next = 1;

    for (; next < argument_count && strncmp(arguments[next], "--", 2) == 0; next++) {
        const char *option = arguments[next] + 2;
        if (strcmp(option, "left") == 0)
            wanted.kind = MCL_JOIN_LEFT;
        else if (strcmp(option, "right") == 0)
            wanted.kind = MCL_JOIN_RIGHT;
        else if (strcmp(option, "outer") == 0)
            wanted.kind = MCL_JOIN_OUTER;
        else if (strcmp(option, "strings") == 0)
            wanted.strings = 1;
        else if (strcmp(option, "strict") == 0)
            wanted.strict = 1;
        else
            next = argument_count;
    }
    if (argument_count - next != 3) {
        fputs("usage: join_csv [--left|--right|--outer] [--strings] [--strict] A.csv B.csv COLUMN\n", stderr);
        return 2;
    }
    wanted.column = arguments[next + 2];
    table a = { .path = arguments[next] };
    table b = { .path = arguments[next + 1] };
    const int failed = run(&wanted, &a, &b);
    table_free(&a);
    table_free(&b);
    return failed;
}
