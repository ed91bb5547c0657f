/* read_source.c: reads the text of a user's kernel, with #include lines of the library's files. */
#include "reader.h"

#include "program/program.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "#line 1 \"reader.cl\"\n";

/* Returns the first line from text on that begins with start after blanks; NULL: none. */
static const char *find_line(const char *text, const char *start)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        line += strspn(line, " \t");
        if (strncmp(line, start, strlen(start)) == 0) return line;
        if (!*line) return NULL;
    }
    return NULL;
}

/* Returns 1 where a line begins with start, which ends in a quote, and has a second quote. */
static int has_line(const char *text, const char *start)
{
    for (const char *line = find_line(text, start); line; line = find_line(line + strcspn(line, "\n"), start)) {
        const char *const rest = line + strlen(start);
        if (!strchr(start, '"') || rest[strcspn(rest, "\"\n")] == '"') return 1;
    }
    return 0;
}

/* Returns 1 where an #include has no second quote. The compiler gets such a line, and a kernel on it may get a text
 * with quotes. */
static int has_open_include(const char *text)
{
    static const char start[] = "#include \"";
    for (const char *line = find_line(text, start); line; line = find_line(line + strcspn(line, "\n"), start))
        if (line[strlen(start) + strcspn(line + strlen(start), "\"\n")] != '"') return 1;
    return 0;
}

/* Checks a text without lines that are replaced: it comes at the end, unchanged. */
static void check_plain(const char *text, const char *assembled)
{
    const char *at = assembled;
    for (const char *found = strstr(at, mark); found; found = strstr(at, mark)) {
        at = found + sizeof mark - 1;
        if (strncmp(at, text, strlen(text)) == 0) break;
    }
    const size_t length = strlen(text);
    REQUIRE(at != assembled && strncmp(at, text, length) == 0);
    REQUIRE(length == 0 || text[length - 1] == '\n' ? at[length] == 0 : strcmp(at + length, "\n") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const mcl__limits limits = { .max_threads = 1024 };
    char *const text = reader_text(data, size);
    const mcl__spec spec = { .file = "reader.cl", .text = text, .tile = { 128, 7 }, .index_bits = 64 };
    mcl__text assembled = { 0 };
    mcl__text key = { 0 };
    mcl__spec_key(&spec, &key);
    REQUIRE(!key.failed);
    const mcl_status status = mcl__source_assemble(&limits, "dialect/opencl.clh", &spec, &assembled);
    if (status == MCL_OK) {
        REQUIRE(strlen(assembled.data) == assembled.length);
        REQUIRE(!has_line(assembled.data, "#include \"pieces/") || has_open_include(text));
        const int is_plain = !has_line(text, "#include \"") && !has_line(text, "#pragma once");
        /* not with a kernel, since the library writes an early return where a kernel begins */
        if (is_plain && !strstr(text, "_KERNEL(")) check_plain(text, assembled.data);
    } else {
        REQUIRE(status == MCL_ERROR_BUILD && mcl_last_error()[0]);
        REQUIRE(has_line(text, "#include \""));
    }
    mcl__text_free(&key);
    mcl__text_free(&assembled);
    free(text);
    return 0;
}
