/* reader.c: gives texts and files to the targets of libFuzzer. */
#define _POSIX_C_SOURCE 200809L
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void reader_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: error: this does not hold: %s\n", file, line, condition);
    abort();
}

char *reader_text(const uint8_t *data, size_t size)
{
    char *const text = malloc(size + 1);
    REQUIRE(text);
    if (size > 0) memcpy(text, data, size);
    text[size] = 0;
    return text;
}

char *reader_line(char **next)
{
    char *const line = *next;
    char *const end = strchr(line, '\n');
    *next = end ? end + 1 : line + strlen(line);
    if (end) *end = 0;
    return line;
}

int reader_is_identifier(const char *text)
{
    for (size_t k = 0; text[k]; ++k) {
        const char c = text[k];
        const int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (k == 0 || c < '0' || c > '9')) return 0;
    }
    return text[0] != 0;
}

static char file_path[] = "/tmp/moderncl-reader-XXXXXX";

static void file_remove(void)
{
    (void)unlink(file_path);
}

const char *reader_file(const uint8_t *data, size_t size)
{
    static int descriptor = -1;
    if (descriptor < 0) {
        descriptor = mkstemp(file_path);
        REQUIRE(descriptor >= 0);
        (void)atexit(file_remove);
    }
    REQUIRE(ftruncate(descriptor, 0) == 0);
    REQUIRE(pwrite(descriptor, data, size, 0) == (ssize_t)size);
    return file_path;
}
