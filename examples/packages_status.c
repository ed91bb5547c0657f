/* packages_status.c: reads dpkg's status file: records of "Field: value" lines, blank lines between them, lines that
 * begin with a blank continue the field before. */
#define _POSIX_C_SOURCE 200809L

#include "packages_status.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORTS_MAX = 10 };

typedef enum field { PACKAGE, STATUS, SECTION, SIZE, DEPENDS, PRE_DEPENDS, PROVIDES, FIELD_COUNT } field;
static const char *const field_names[FIELD_COUNT] = { "Package", "Status",      "Section", "Installed-Size",
                                                      "Depends", "Pre-Depends", "Provides" };

/* The record being read. */
typedef struct record {
    long first_line; /* 0: none begun */
    char *values[FIELD_COUNT];
    long bad_line; /* 0: all well so far */
    const char *reason;
} record;

static void record_reject(record *current, long line, const char *reason)
{
    if (current->bad_line) return;
    current->bad_line = line;
    current->reason = reason;
}

static void record_clear(record *current)
{
    for (int k = 0; k < FIELD_COUNT; k++) free(current->values[k]);
    *current = (record){ 0 };
}

/* Takes in one line, which ends in 0 instead of a line feed. 0: out of memory. */
static int record_line(record *current, char *line, size_t length, long number)
{
    if (!current->first_line) current->first_line = number;
    if (strlen(line) != length) {
        record_reject(current, number, "a zero byte");
        return 1;
    }
    if (isblank((unsigned char)line[0])) {
        if (current->first_line == number) record_reject(current, number, "it begins with a continuation line");
        return 1;
    }
    char *colon = strchr(line, ':');
    if (!colon || colon == line || strcspn(line, " \t") < (size_t)(colon - line)) {
        record_reject(current, number, "a line without a field's name");
        return 1;
    }
    *colon = '\0';
    for (int k = 0; k < FIELD_COUNT; k++) {
        if (strcmp(line, field_names[k]) != 0) continue;
        if (current->values[k]) {
            record_reject(current, number, "a field that stands twice");
            return 1;
        }
        current->values[k] = strdup(colon + 1 + strspn(colon + 1, " \t"));
        return current->values[k] != NULL;
    }
    return 1;
}

/* 1: text is a number of KiB. */
static int read_size(const char *text, int32_t *kibibytes)
{
    char *end;

    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || number < 0 || number > INT32_MAX) return 0;
    *kibibytes = (int32_t)number;
    return 1;
}

static int list_add(package_list *list, record *complete, int32_t kibibytes)
{
    if (list->count == list->capacity) {
        const int capacity = list->capacity ? list->capacity * 2 : 256;
        package *items = realloc(list->items, sizeof *items * (size_t)capacity);
        if (!items) return 0;
        list->items = items;
        list->capacity = capacity;
    }
    char *section = complete->values[SECTION] ? complete->values[SECTION] : strdup("(none)");
    if (!section) return 0;
    list->items[list->count++] = (package){ .name = complete->values[PACKAGE],
                                            .section = section,
                                            .kibibytes = kibibytes,
                                            .depends = complete->values[DEPENDS],
                                            .pre_depends = complete->values[PRE_DEPENDS],
                                            .provides = complete->values[PROVIDES] };
    const field kept[] = { PACKAGE, SECTION, DEPENDS, PRE_DEPENDS, PROVIDES };
    for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) complete->values[kept[k]] = NULL;
    return 1;
}

static int is_installed(const char *status)
{
    const char *last = strrchr(status, ' ');
    return last && strcmp(last + 1, "installed") == 0;
}

/* Adds the record to the list, or tells why not. 0: out of memory. */
static int record_end(record *current, package_list *list, const char *path)
{
    int32_t kibibytes = 0;
    int added = 1;

    if (!current->first_line) return 1;
    const int complete = current->values[PACKAGE] && current->values[PACKAGE][0] && current->values[STATUS];
    if (!complete) record_reject(current, current->first_line, "no Package or no Status");
    if (complete && !current->bad_line && !is_installed(current->values[STATUS])) {
        list->absent++;
    } else {
        if (!current->values[SIZE] || !read_size(current->values[SIZE], &kibibytes))
            record_reject(current, current->first_line, "no Installed-Size in KiB");
        if (!current->bad_line) {
            added = list_add(list, current, kibibytes);
        } else {
            if (list->skipped++ < REPORTS_MAX)
                fprintf(stderr, "%s:%ld: record skipped: %s\n", path, current->bad_line, current->reason);
            else if (list->skipped == REPORTS_MAX + 1)
                fprintf(stderr, "%s: more malformed records are skipped without a word\n", path);
        }
    }
    record_clear(current);
    return added;
}

int packages_read(const char *path, package_list *list)
{
    FILE *file = fopen(path, "r");
    record current = { 0 };
    char *line = NULL;
    size_t capacity = 0;
    long number = 0;
    int going = 1;
    ssize_t length;

    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 0;
    }
    while (going && (length = getline(&line, &capacity, file)) >= 0) {
        number++;
        while (length > 0 && isspace((unsigned char)line[length - 1])) line[--length] = '\0';
        going = length == 0 ? record_end(&current, list, path) : record_line(&current, line, (size_t)length, number);
    }
    if (going) going = record_end(&current, list, path);
    if (!going) {
        fprintf(stderr, "%s: out of memory\n", path);
    } else if (ferror(file)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        going = 0;
    }
    record_clear(&current);
    free(line);
    fclose(file);
    return going;
}

void packages_free(package_list *list)
{
    for (int k = 0; k < list->count; k++) {
        free(list->items[k].name);
        free(list->items[k].section);
        free(list->items[k].depends);
        free(list->items[k].pre_depends);
        free(list->items[k].provides);
    }
    free(list->items);
    *list = (package_list){ 0 };
}
