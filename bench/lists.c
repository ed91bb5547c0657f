/* lists.c: reads lists on command lines and in files of calls: parts between commas, rows, types, sizes. */
#include "bench.h"
#include "command_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int bench_list_read(char *text, void *to, int (*add)(void *to, const char *item))
{
    for (char *item = text, *next = NULL; item; item = next) {
        next = strchr(item, ',');
        if (next) *next++ = '\0';
        if (add(to, item) != 0) return -1; /* an empty item is passed on too */
    }
    return 0;
}

int bench_list_is_full(int count, const char *option)
{
    if (count < BENCH_LIST_MAX) return 0;
    bench_note("%s: more than %d entries", option, BENCH_LIST_MAX);
    return 1;
}

static int is_named(const bench_op *op, const char *item)
{
    return strcmp(op->name, item) == 0;
}

static int measures(const bench_op *op, const char *item)
{
    return op->tuning && strcmp(op->tuning, item) == 0;
}

/* Returns 1 where item is the row's name, or its first words up to an underscore. */
static int begins_with(const bench_op *op, const char *item)
{
    const size_t length = strlen(item);
    return strncmp(op->name, item, length) == 0 && op->name[length] == '_';
}

/* Adds the rows that item names. It tries three meanings, and takes the first that fits any row: a row's own name, an
 * operation of moderncl-tune, the first words of rows' names. */
int bench_list_add_op(const bench_op **ops, int *count, const char *item)
{
    static int (*const fits[])(const bench_op *op, const char *item) = { is_named, measures, begins_with };
    int found = 0;
    for (size_t way = 0; way < sizeof fits / sizeof *fits && !found; way++) {
        for (int k = 0; k < bench_op_count; k++) {
            if (!fits[way](bench_ops[k], item)) continue;
            if (bench_list_is_full(*count, "--op")) return -1;
            ops[(*count)++] = bench_ops[k];
            found = 1;
        }
    }
    if (!found) bench_note("%s: there is no such operation; --list names them", item);
    return found ? 0 : -1;
}

void bench_list_print(const bench_op *const *ops, int count)
{
    const int width = column_width(bench_op_name);
    printf("  %-*s  %-21s  types\n", width, "row", "operation of tuning");
    for (int k = 0; k < count; k++) {
        const bench_op *const op = ops[k];
        printf("  %-*s  %-21s  %s\n", width, op->name, op->tuning ? op->tuning : "-",
               op->measure ? "once a device"
               : op->types ? op->types
                           : "all");
    }
    fputs("types:", stdout);
    for (int k = 0; k < bench_type_count; k++) printf(" %s", bench_types[k].name);
    putchar('\n');
}

int bench_list_add_type(const bench_type **types, int *count, const char *item)
{
    const bench_type *const type = bench_type_find(item);
    if (!type) {
        bench_note("--type %s: there is no such type; it must be one of", item);
        for (int k = 0; k < bench_type_count; k++) bench_note("  %s", bench_types[k].name);
    }
    if (!type || bench_list_is_full(*count, "--type")) return -1;
    types[(*count)++] = type;
    return 0;
}

int bench_file_check(const char *option, const char *path)
{
    FILE *const file = path ? fopen(path, "a") : NULL;
    if (!path || (file && fclose(file) == 0)) return 0;
    bench_note("%s %s: cannot be written", option, path);
    return -1;
}

int bench_size_read(const char *text, int64_t *n)
{
    char *end = NULL;
    const double number = strtod(text, &end);
    if (*end == '\0' && number == floor(number) && number >= 2 && number <= 9e15) {
        *n = (int64_t)number;
        return 0;
    }
    bench_note("--n %s: must be a whole number from 2 on, as 1000000 or 1e6", text);
    return -1;
}
