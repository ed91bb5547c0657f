/* csv.h: reads and writes CSV. Fields are separated by commas and may stand in double quotes, within a line.
 *
 *     char *text = read_file("sales.csv", &length);
 *     for (char *line, *rest = text; (line = next_line(&rest));) count = read_fields(line, fields, &reason); */
#ifndef EXAMPLES_CSV_H
#define EXAMPLES_CSV_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 256, SKIPPED_TOLD = 10 };

/* Reads a whole file, with a 0 at its end. The caller frees it. NULL: errno says why. */
static inline char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0;

    *length = 0;
    if (!file) return NULL;
    for (;;) {
        if (*length + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            char *grown = realloc(text, capacity);
            if (!grown) break;
            text = grown;
        }
        const size_t got = fread(text + *length, 1, capacity - *length - 1, file);
        *length += got;
        if (got > 0) continue;
        text[*length] = '\0';
        const int failed = ferror(file);
        fclose(file);
        if (!failed) return text;
        free(text);
        return NULL;
    }
    fclose(file);
    free(text);
    errno = ENOMEM;
    return NULL;
}

/* Undoes a field's quotes in place; *at comes to stand on what follows it. NULL: it is malformed. */
static inline char *read_quoted(char **at)
{
    char *const start = *at + 1;
    char *to = start;
    char *from = start;

    for (; *from; from++) {
        if (*from == '"' && from[1] == '"')
            from++;
        else if (*from == '"')
            break;
        *to++ = *from;
    }
    if (*from != '"') return NULL;
    *at = from + 1;
    if (to < from)
        *to = '\0';
    else
        *from = '\0';
    return start;
}

/* Cuts a line into its fields. The count, or 0 with the reason. */
static inline int read_fields(char *line, char *fields[FIELDS_MAX], const char **reason)
{
    int count = 0;
    char *at = line;

    for (;;) {
        char *field = at;
        if (count == FIELDS_MAX) return *reason = "too many fields", 0;
        if (*at == '"') {
            field = read_quoted(&at);
            if (!field) return *reason = "a quote without an end", 0;
        } else {
            at += strcspn(at, ",");
        }
        if (*at && *at != ',') return *reason = "text after a quoted field", 0;
        fields[count++] = field;
        if (!*at) return count;
        *at++ = '\0';
    }
}

/* The next line of *rest, without its end; NULL: there is none. */
static inline char *next_line(char **rest)
{
    char *const line = *rest;
    if (!line || !*line) return NULL;
    char *const end = line + strcspn(line, "\n");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    if (end > line && end[-1] == '\r') end[-1] = '\0';
    return line;
}

/* Tells of a row that is left out. skipped: how many are before it; of many each further one would be too much. */
static inline void tell_skipped(const char *path, int number, const char *reason, int skipped)
{
    if (skipped < SKIPPED_TOLD)
        fprintf(stderr, "%s:%d: row skipped: %s\n", path, number, reason);
    else if (skipped == SKIPPED_TOLD)
        fprintf(stderr, "%s: more rows are skipped without a word\n", path);
}

/* Writes a field to stdout, in quotes where it needs them. */
static inline void write_field(const char *field, int is_first)
{
    if (!is_first) putchar(',');
    if (!strpbrk(field, ",\"")) {
        fputs(field, stdout);
        return;
    }
    putchar('"');
    for (; *field; field++) {
        if (*field == '"') putchar('"');
        putchar(*field);
    }
    putchar('"');
}

#endif
