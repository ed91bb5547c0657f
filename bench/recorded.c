/* recorded.c: reads peers' times from a file in the form of h200_peers.csv: op,type,n,best_peer,ms and more. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct recorded_row {
    char op[64];
    char type[16];
    int64_t n;
    char peer[32];
    double ms;
} recorded_row;

struct bench_recorded {
    recorded_row *rows;
    int count;
    int capacity;
};

static int recorded_add(bench_recorded *recorded, const recorded_row *row)
{
    if (recorded->count == recorded->capacity) {
        const int capacity = recorded->capacity ? 2 * recorded->capacity : 1024;
        recorded_row *rows = realloc(recorded->rows, (size_t)capacity * sizeof *rows);
        if (!rows) return -1;
        recorded->rows = rows;
        recorded->capacity = capacity;
    }
    recorded->rows[recorded->count++] = *row;
    return 0;
}

/* Reads a line. A comment and the line of titles are recognised by their missing numbers. */
static int recorded_line(bench_recorded *recorded, const char *line)
{
    recorded_row row;
    long long n = 0;
    if (line[0] == '#') return 0;
    if (sscanf(line, "%63[^,],%15[^,],%lld,%31[^,],%lf", row.op, row.type, &n, row.peer, &row.ms) != 5) return 0;
    row.n = n;
    return recorded_add(recorded, &row);
}

bench_recorded *bench_recorded_read(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        bench_note("--recorded %s: %s", path, strerror(errno));
        return NULL;
    }
    bench_recorded *recorded = calloc(1, sizeof *recorded);
    char line[1024];
    int failed = recorded == NULL;
    while (!failed && fgets(line, sizeof line, file)) failed = recorded_line(recorded, line) != 0;
    (void)fclose(file);
    if (!failed && recorded->count > 0) return recorded;
    bench_note("--recorded %s: %s", path, failed ? "out of memory" : "it has no rows op,type,n,peer,ms");
    bench_recorded_free(recorded);
    return NULL;
}

void bench_recorded_free(bench_recorded *recorded)
{
    if (recorded) free(recorded->rows);
    free(recorded);
}

/* Returns 1 where name is one of the words of list. */
static int word_of(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return 1;
    return 0;
}

int bench_recorded_find(const bench_recorded *recorded, const bench_op *op, const char *type, int64_t n,
                        bench_record *record)
{
    const char *names = op->recorded ? op->recorded : op->name;
    record->peer = NULL;
    for (int k = 0; k < recorded->count; k++) {
        const recorded_row *row = &recorded->rows[k];
        if (row->n != n || strcmp(row->type, type) != 0 || !word_of(names, row->op)) continue;
        if (record->peer && record->ms <= row->ms) continue;
        record->peer = row->peer;
        record->ms = row->ms;
    }
    return record->peer != NULL;
}
