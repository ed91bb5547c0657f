/* source.c: assembles the whole text of a program. Kernel files come from the library, or from the folder
 * MCL_KERNEL_DIR. Their includes are expanded here, since the compilers are given no include folder. */
#include "program/generate.h"

#include <string.h>

/* INCLUDE_DEPTH_MAX limits nested includes: a deeper file probably includes itself. */
enum { INCLUDE_DEPTH_MAX = 16, INCLUDE_NAME_MAX = 128 };

/* ---- kernel files -------------------------------------------------------------------------------------- */

/* Reads a file of the folder MCL_KERNEL_DIR into read. *text is NULL where the folder has no such file. It fails where
 * the file exists but cannot be read. The library's own text would otherwise hide the user's change. */
static mcl_status read_file(const char *folder, const char *name, mcl__text *read, const char **text)
{
    mcl__text path = { 0 };
    mcl_status status = MCL_OK;
    mcl__text_format(&path, "%s/%s", folder, name);
    if (path.failed)
        status = mcl__fail(MCL_ERROR_MEMORY, "host memory for the path of %s is exhausted", name);
    else if (mcl__file_read(path.data, read))
        *text = read->data ? read->data : "";
    else if (mcl__file_exists(path.data))
        status = mcl__fail(MCL_ERROR_BUILD, "%s cannot be read; expected a kernel file that can", path.data);
    mcl__text_free(&path);
    return status;
}

/* Finds the text of a file by its name; *text is NULL where there is none. read owns a text that comes from the folder
 * MCL_KERNEL_DIR. */
static mcl_status find_text(const char *name, mcl__text *read, const char **text)
{
    const char *const folder = mcl__environment("MCL_KERNEL_DIR");
    *text = NULL;
    if (folder) MCL__TRY(read_file(folder, name, read, text));
    if (!*text) *text = mcl__embedded_file(name);
    return MCL_OK;
}

/* Finds the name between the quotes if the line is an #include. Returns the name's length, or 0 for another line. */
static size_t include_name(const char *line, const char *end, const char **name)
{
    while (line < end && (*line == ' ' || *line == '\t')) ++line;
    const size_t word = strlen("#include \"");
    if ((size_t)(end - line) < word || memcmp(line, "#include \"", word) != 0) return 0;
    *name = line + word;
    const char *const quote = memchr(*name, '"', (size_t)(end - *name));
    return quote ? (size_t)(quote - *name) : 0;
}

static int is_pragma_once(const char *line, const char *end)
{
    const size_t length = strlen("#pragma once");
    return (size_t)(end - line) >= length && memcmp(line, "#pragma once", length) == 0;
}

/* Opens the file's include guard. An include may be in a branch that the preprocessor skips, so only the preprocessor
 * knows whether the file has been included. */
static void guard_open(mcl__text *out, const char *name)
{
    char guard[INCLUDE_NAME_MAX];
    size_t length = 0;
    for (; name[length] && length + 1 < sizeof guard; ++length) {
        const char c = name[length];
        const int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        guard[length] = (char)(plain ? c : '_');
    }
    guard[length] = 0;
    mcl__generate_fill(out, "#ifndef ONCE_$1\n#define ONCE_$1\n", guard, NULL, NULL);
}

/* ---- MCL_ENTER, which ends a kernel that is launched to do nothing ---------------------------------------- */

/* Finds the word in the brackets if the line begins with MCL_KERNEL(word) or MCL_FEW_GROUPS_KERNEL(word). Returns the
 * word's length, or 0 for another line. */
static size_t kernel_threads(const char *line, const char *end, const char **word)
{
    static const char *const openings[] = { "MCL_KERNEL(", "MCL_FEW_GROUPS_KERNEL(" };
    while (line < end && (*line == ' ' || *line == '\t')) ++line;
    for (size_t k = 0; k < sizeof openings / sizeof *openings; ++k) {
        const size_t length = strlen(openings[k]);
        if ((size_t)(end - line) < length || memcmp(line, openings[k], length) != 0) continue;
        *word = line + length;
        const char *const bracket = memchr(*word, ')', (size_t)(end - *word));
        return bracket ? (size_t)(bracket - *word) : 0;
    }
    return 0;
}

/* The word in a kernel's text that gives its number of work-items. It is kept until the kernel's opening brace. */
typedef struct declaration {
    const char *threads;
    size_t length; /* 0 where no opening brace is expected */
} declaration;

/* Appends the line. MCL_ENTER follows the brace that opens a kernel. It is on the same line, so that lines keep their
 * numbers. */
static void append_line(mcl__text *out, const char *line, const char *end, declaration *opened)
{
    const char *threads = NULL;
    const size_t length = kernel_threads(line, end, &threads);
    if (length > 0) *opened = (declaration){ threads, length };
    const char *const semicolon = opened->length ? memchr(line, ';', (size_t)(end - line)) : NULL;
    const char *const brace = opened->length ? memchr(line, '{', (size_t)(end - line)) : NULL;
    if (brace && !(semicolon && semicolon < brace)) {
        mcl__text_bytes(out, line, (size_t)(brace + 1 - line));
        mcl__text_append(out, " MCL_ENTER(");
        mcl__text_bytes(out, opened->threads, opened->length);
        mcl__text_append(out, ")");
        line = brace + 1;
    }
    if (brace || semicolon) opened->length = 0;
    mcl__text_bytes(out, line, (size_t)(end - line));
}

/* ---- includes -------------------------------------------------------------------------------------------- */

static mcl_status expand(mcl__text *out, const char *asked, const char *from, int line, int depth);

/* Appends a file's lines. Each #include is replaced by the lines of the included file. */
static mcl_status expand_lines(mcl__text *out, const char *name, const char *text, int depth)
{
    int guarded = 0;
    int number = 1;
    declaration opened = { NULL, 0 };
    for (const char *line = text; *line; ++number) {
        const char *const newline = strchr(line, '\n');
        const char *const end = newline ? newline : line + strlen(line);
        const char *included = NULL;
        const size_t length = include_name(line, end, &included);
        if (length >= INCLUDE_NAME_MAX)
            return mcl__fail(MCL_ERROR_BUILD, "line %d of %s includes a name of %d bytes or more", number, name,
                             INCLUDE_NAME_MAX);
        if (length) {
            char copy[INCLUDE_NAME_MAX];
            memcpy(copy, included, length);
            copy[length] = 0;
            MCL__TRY(expand(out, copy, name, number, depth + 1));
            mcl__text_format(out, "#line %d \"%s\"", number + 1, name);
        } else if (is_pragma_once(line, end) && !guarded) {
            guarded = 1;
            guard_open(out, name);
            mcl__text_format(out, "#line %d \"%s\"", number + 1, name);
        } else {
            append_line(out, line, end, &opened);
        }
        mcl__text_append(out, "\n");
        line = newline ? newline + 1 : end;
    }
    if (guarded) mcl__text_append(out, "#endif\n");
    return MCL_OK;
}

static mcl_status fail_missing(const char *name, const char *from, int line)
{
    if (line == 0)
        return mcl__fail(MCL_ERROR_BUILD, "%s needs the kernel file %s; the library has none of this name", from, name);
    return mcl__fail(MCL_ERROR_BUILD, "line %d of %s needs the kernel file %s; the library has none of this name", line,
                     from, name);
}

/* Appends the lines of the file asked. from and line are the including file and line; line is 0 where no file includes
 * it. */
static mcl_status expand(mcl__text *out, const char *asked, const char *from, int line, int depth)
{
    if (depth > INCLUDE_DEPTH_MAX)
        return mcl__fail(MCL_ERROR_BUILD,
                         "line %d of %s includes %s at a depth of more than %d files; does it include "
                         "itself?",
                         line, from, asked, INCLUDE_DEPTH_MAX);
    mcl__text read = { 0 };
    const char *name = asked, *text = NULL;
    mcl_status status = find_text(name, &read, &text);
    if (status == MCL_OK && !text) {
        name = mcl__embedded_name(asked);
        status = find_text(name, &read, &text);
    }
    if (status == MCL_OK && text) {
        mcl__generate_fill(out, "#line 1 \"$1\"\n", name, NULL, NULL);
        status = expand_lines(out, name, text, depth);
    } else if (status == MCL_OK) {
        status = fail_missing(name, from, line);
    }
    mcl__text_free(&read);
    return status;
}

static mcl_status expand_file(mcl__text *out, const mcl__spec *spec)
{
    if (!spec->text) return expand(out, spec->file, "the library", 0, 0);
    mcl__generate_fill(out, "#line 1 \"$1\"\n", spec->file, NULL, NULL);
    return expand_lines(out, spec->file, spec->text, 0);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static void define(mcl__text *out, const char *name, int value)
{
    mcl__text_format(out, "#define %s %d\n", name, value);
}

/* Defines the macros at the beginning of every text for the device. */
static void device_defines(mcl__text *out, const mcl__limits *limits)
{
    define(out, "MCL_SUB_GROUP_PATH", (int)limits->sub_group_path);
    define(out, "MCL_SUB_GROUP_SIZE", limits->sub_group_path == MCL__SUB_GROUP_NONE ? 0 : limits->sub_group_size);
    define(out, "MCL_SUB_GROUP_REQUIRED", limits->sub_group_path != MCL__SUB_GROUP_NONE && limits->sub_group_required);
    define(out, "MCL_WORD_PATH", (int)limits->word_path);
    define(out, "MCL_POLL_LIMIT", limits->poll_limit);
    define(out, "MCL_HAS_DOUBLE", limits->has_double != 0);
    define(out, "MCL_HAS_HALF", limits->has_half != 0);
    define(out, "MCL_IS_GPU", limits->is_gpu != 0);
}

static void defines(mcl__text *out, const mcl__limits *limits, const mcl__spec *spec)
{
    device_defines(out, limits);
    define(out, "TILE_THREADS", spec->tile.threads);
    define(out, "TILE_ITEMS", spec->tile.items);
    for (int k = 0; k < MCL__KERNELS_MAX; ++k)
        if (spec->threads_named[k]) define(out, spec->threads_named[k], spec->threads[k]);
    if (spec->local_bytes > 0) define(out, "LOCAL_BYTES_MAX", (int)spec->local_bytes);
    define(out, "INDEX_BITS", spec->index_bits);
    if (spec->uncontracted) define(out, "MCL_UNCONTRACTED", 1);
}

mcl_status mcl__source_dialect(const mcl_context *context, int threads, mcl__text *out)
{
    const mcl__spec spec = { .tile = { .threads = threads, .items = 1 }, .index_bits = 64 };
    mcl__text_clear(out);
    defines(out, &context->limits, &spec);
    MCL__TRY(expand(out, context->dialect, "the library", 0, 0));
    if (out->failed) return mcl__fail(MCL_ERROR_MEMORY, "host memory for the dialect's text is exhausted");
    return MCL_OK;
}

mcl_status mcl__source_is_for(const mcl_context *context, const char *source, int *is_for)
{
    mcl__text begin = { 0 };
    mcl__text dialect = { 0 };
    device_defines(&begin, &context->limits);
    mcl_status status = expand(&dialect, context->dialect, "the library", 0, 0);
    if (status == MCL_OK && (begin.failed || dialect.failed))
        status = mcl__fail(MCL_ERROR_MEMORY, "host memory for the dialect's text is exhausted");
    if (status == MCL_OK)
        *is_for = strncmp(source, begin.data, begin.length) == 0 && strstr(source + begin.length, dialect.data) != NULL;
    mcl__text_free(&begin);
    mcl__text_free(&dialect);
    return status;
}

/* Appends the generated part, what the call declares, and the kernel file. A kernel text of a user's own may use names
 * of an operator's source. */
static void append_parts(mcl__text *out, const mcl__spec *spec, const mcl__text *file)
{
    const size_t begin = out->length;
    mcl__generate_spec(spec, out);
    if (!spec->text && file->data) mcl__own_names(out, begin, file->data);
    /* The declaration's macros come after all texts of users, so that they rewrite none of these. */
    if (spec->declared.write) spec->declared.write(spec->declared.call, out);
    for (int k = 0; k < MCL__DEFINES_MAX; ++k)
        if (spec->defines[k].name) define(out, spec->defines[k].name, spec->defines[k].value);
    mcl__text_bytes(out, file->data, file->length);
    out->failed |= file->failed;
}

mcl_status mcl__source_assemble(const mcl__limits *limits, const char *dialect, const mcl__spec *spec, mcl__text *out)
{
    mcl__text_clear(out);
    MCL__TRY(mcl__environment_folder("MCL_KERNEL_DIR", "one with kernel files"));
    defines(out, limits, spec);
    MCL__TRY(expand(out, dialect, "the library", 0, 0));
    mcl__text file = { 0 };
    const mcl_status status = expand_file(&file, spec);
    if (status == MCL_OK) append_parts(out, spec, &file);
    mcl__text_free(&file);
    MCL__TRY(status);
    if (out->failed) return mcl__fail(MCL_ERROR_MEMORY, "host memory for the text of %s is exhausted", spec->file);
    return MCL_OK;
}
