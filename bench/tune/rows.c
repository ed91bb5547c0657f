/* rows.c: the rows that have been found, written as a file of tuning. */
#define _POSIX_C_SOURCE 200809L
#include "command_line.h"
#include "tune.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void write_row(FILE *file, const char *device, const tune_row *row)
{
    (void)fprintf(file, "%-*s \"%s\" %-4zu %-5d %d", column_width(mcl_operation_name), row->operation, device,
                  row->bytes, row->tile.threads, row->tile.items);
    if (row->gain > 0)
        (void)fprintf(file, "   # %.2f times the speed of the library's own tile, whose runs spread by %.0f %%",
                      row->gain, 100 * row->spread);
    (void)fputc('\n', file);
}

static void write_parameter(FILE *file, const tuner *t)
{
    const tune_value *const row = &t->parameter;
    if (!row->name) return;
    (void)fprintf(file, "%-*s \"%s\" %d", column_width(mcl_tuning_parameter_name), row->name, t->device, row->value);
    if (row->gain > 0) (void)fprintf(file, "   # %.2f times the speed of the library's own value", row->gain);
    (void)fputc('\n', file);
}

mcl_status tune_rows_load(tuner *t, const tune_row *candidate)
{
    FILE *const file = fopen(t->rows_path, "w");
    if (file && candidate) write_row(file, t->device, candidate);
    for (int k = 0; file && k < t->row_count; k++) write_row(file, t->device, &t->rows[k]);
    if (file) write_parameter(file, t);
    if (!file || fclose(file) != 0) {
        bench_note("%s: cannot be written, and has the rows that are tried", t->rows_path);
        return MCL_ERROR_ARGUMENT;
    }
    return mcl_context_load_tuning(t->bench.context, t->rows_path);
}

/* Compares rows for sorting. Narrow rows of an operation come first, as the library uses the first row that fits. */
static int compare_rows(const void *p, const void *q)
{
    const tune_row *const a = p;
    const tune_row *const b = q;
    const int names = strcmp(a->operation, b->operation);
    return names ? names : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

void tune_rows_write(const tuner *t, FILE *file)
{
    const mcl_device_info *const info = &t->bench.info;
    static tune_row rows[TUNE_UNITS_MAX];
    memcpy(rows, t->rows, sizeof rows);
    qsort(rows, (size_t)t->row_count, sizeof *rows, compare_rows);
    (void)fprintf(file, "# Made by moderncl-tune on %s (%s, driver %s) with n = %lld.\n", info->name, info->id,
                  info->driver, (long long)t->n);
    (void)fprintf(file, t->parameter.name ? "# parameter, device, value\n"
                                          : "# operation, device, largest element in bytes, threads, items\n");
    for (int k = 0; k < t->row_count; k++) write_row(file, t->device, &rows[k]);
    write_parameter(file, t);
    for (int k = 0; k < t->note_count; k++) (void)fprintf(file, "# %s\n", t->notes[k]);
}

void tune_note(tuner *t, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (t->note_count < TUNE_NOTES_MAX && (t->notes[t->note_count] = strdup(text))) t->note_count++;
}

void tune_rows_free(tuner *t)
{
    for (int k = 0; k < t->note_count; k++) free(t->notes[k]);
    free(t->units);
}
