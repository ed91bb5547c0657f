/* golden.c: reads files of known results. */
#include "golden.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 1 << 20 };

typedef struct reader {
    golden *out;
    golden_section *section; /* section that is being filled; NULL before the first */
    int filled;
    const char *problem;
} reader;

static int fail(reader *at, const char *problem)
{
    at->problem = problem;
    return 0;
}

static int is_type(const char *type)
{
    static const char *const types[] = { "i32", "u32", "u8", "f32", "f64" };

    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
        if (strcmp(type, types[k]) == 0) return 1;
    return 0;
}

static int section_end(reader *at)
{
    if (at->section && at->filled != at->section->count)
        return fail(at, "the section before this line has fewer numbers than its head says");
    return 1;
}

static int section_begin(reader *at, const char *line)
{
    golden_section head = { 0 };
    char bracket;

    if (!section_end(at)) return 0;
    if (at->out->section_count == GOLDEN_SECTIONS_MAX) return fail(at, "too many sections");
    if (sscanf(line, "[%15s %63s %7s %d%c", head.kind, head.label, head.type, &head.count, &bracket) != 5 ||
        bracket != ']' || head.count < 0 || head.count > NUMBERS_MAX)
        return fail(at, "a section's head is [kind label type count]");
    if (!is_type(head.type)) return fail(at, "the type is none of i32, u32, u8, f32, f64");
    if (golden_find(at->out, head.label)) return fail(at, "the label stands twice");
    head.values = calloc((size_t)head.count + 1, sizeof *head.values);
    head.ints = calloc((size_t)head.count + 1, sizeof *head.ints);
    at->section = &at->out->sections[at->out->section_count++];
    *at->section = head;
    at->filled = 0;
    return head.values && head.ints ? 1 : fail(at, "out of memory");
}

static int number_add(reader *at, const char *text)
{
    char *end;

    if (!at->section) return fail(at, "a number before the first section");
    if (at->filled == at->section->count) return fail(at, "the section has more numbers than its head says");
    const double value = strtod(text, &end);
    if (end == text || *end) return fail(at, "not a number");
    at->section->values[at->filled] = value;
    if (at->section->type[0] != 'f') {
        if (value < INT32_MIN || value > UINT32_MAX) return fail(at, "the number does not fit in 32 bits");
        const uint32_t bits = (uint32_t)(int64_t)value;
        memcpy(&at->section->ints[at->filled], &bits, sizeof bits);
    }
    at->filled++;
    return 1;
}

static int read_line(reader *at, char *line)
{
    if (line[0] == '#') return 1;
    if (line[0] == '[') return section_begin(at, line);
    for (char *word = strtok(line, " \t\r\n"); word; word = strtok(NULL, " \t\r\n"))
        if (!number_add(at, word)) return 0;
    return 1;
}

int golden_read(const char *path, golden *out, char *error, size_t error_capacity)
{
    char line[4096];
    reader at = { .out = out };
    FILE *file = fopen(path, "r");
    int number = 0;
    int going = 1;

    memset(out, 0, sizeof *out);
    if (!file) {
        snprintf(error, error_capacity, "%s: %s", path, strerror(errno));
        return 0;
    }
    while (going && fgets(line, sizeof line, file)) {
        number++;
        going = strchr(line, '\n') || feof(file) ? read_line(&at, line) : fail(&at, "the line is too long");
    }
    if (going) going = section_end(&at);
    if (!going) snprintf(error, error_capacity, "%s:%d: %s", path, number, at.problem);
    fclose(file);
    return going;
}

void golden_free(golden *freed)
{
    for (int k = 0; k < freed->section_count; k++) {
        free(freed->sections[k].values);
        free(freed->sections[k].ints);
    }
    freed->section_count = 0;
}

const golden_section *golden_find(const golden *in, const char *label)
{
    for (int k = 0; k < in->section_count; k++)
        if (strcmp(in->sections[k].label, label) == 0) return &in->sections[k];
    return NULL;
}
