/* tuning_file.c: reads the rows of a tuning file. */
#include "tuning/rows.h"

#include <stdlib.h>
#include <string.h>

static const char *const operation_names[] = {
#define X(name) #name,
    MCL__OPERATION_LIST(X)
#undef X
        "any",
};

int mcl__operation_find(const char *name)
{
    for (int k = 0; k < MCL__OPERATION_COUNT; ++k)
        if (strcmp(operation_names[k], name) == 0) return k;
    return -1;
}

typedef struct line {
    const char *next;
    const char *path;
    int number;
    const mcl__limits *limits;
    char known[MCL__PARAMETER_COUNT]; /* 1 if an earlier line has set this parameter */
} line;

static void skip_spaces(line *read)
{
    read->next += strspn(read->next, " \t\r");
}

static mcl_status bad_line(const line *read, const char *part, const char *expectation)
{
    return mcl__fail(MCL_ERROR_ARGUMENT, "in line %d of \"%s\" %s is wrong; expected %s", read->number, read->path,
                     part, expectation);
}

static mcl_status read_operation(line *read, int *operation)
{
    skip_spaces(read);
    const size_t length = strspn(read->next, "abcdefghijklmnopqrstuvwxyz_");
    for (int k = 0; k <= MCL__OPERATION_any; ++k) {
        if (strlen(operation_names[k]) != length || memcmp(operation_names[k], read->next, length) != 0) continue;
        read->next += length;
        *operation = k;
        return MCL_OK;
    }
#define X(name) #name ", "
    return bad_line(read, "the operation", MCL__OPERATION_LIST(X) "any, or in quotes that of a kernel of your own");
#undef X
}

/* Reads a text in quotes that is shorter than MCL__QUOTED_BYTES. */
static mcl_status read_quoted(line *read, const char *part, char *text)
{
    skip_spaces(read);
    const size_t length = read->next[0] == '"' ? strcspn(read->next + 1, "\"") : MCL__QUOTED_BYTES;
    if (length >= MCL__QUOTED_BYTES || read->next[length + 1] != '"')
        return bad_line(read, part, "at most 63 characters between quotes");
    memcpy(text, read->next + 1, length);
    text[length] = 0;
    read->next += length + 2;
    return MCL_OK;
}

static mcl_status read_number(line *read, const char *part, int least, int most, int *number)
{
    skip_spaces(read);
    char *end = NULL;
    const long long value = strtoll(read->next, &end, 10);
    if (end == read->next || value < least || value > most)
        return mcl__fail(MCL_ERROR_ARGUMENT, "in line %d of \"%s\" %s is wrong; expected a number from %d to %d",
                         read->number, read->path, part, least, most);
    read->next = end;
    *number = (int)value;
    return MCL_OK;
}

static mcl_status read_bytes(line *read, int *bytes)
{
    skip_spaces(read);
    if (strncmp(read->next, "any", 3) != 0)
        return read_number(read, "the element's bytes, or any,", 1, MCL__ANY_BYTES, bytes);
    read->next += 3;
    *bytes = MCL__ANY_BYTES;
    return MCL_OK;
}

/* Reads the part of a row that comes after the operation. */
static mcl_status read_tile(line *read, char *device, int *element_bytes, mcl__tile *tile)
{
    MCL__TRY(read_quoted(read, "the device", device));
    MCL__TRY(read_bytes(read, element_bytes));
    MCL__TRY(read_number(read, "threads", 1, 1024, &tile->threads));
    const int most = tile->threads == 1 ? MCL__SERIAL_ITEMS_MAX : MCL__GROUP_ITEMS_MAX;
    return read_number(read, "items", 1, most, &tile->items);
}

/* Reads the words name=value up to the end of the line or a comment. */
static mcl_status read_parameters(line *read, mcl__kernel_row *found)
{
    static const char letters[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    skip_spaces(read);
    for (int k = 0; *read->next && *read->next != '#'; ++k) {
        const size_t length = strspn(read->next, letters);
        const int numeric = *read->next >= '0' && *read->next <= '9';
        if (k == MCL_PARAMETERS_MAX || length == 0 || length >= MCL__QUOTED_BYTES || numeric ||
            read->next[length] != '=')
            return bad_line(read, "what follows the items", "at most 8 words name=value, or a # comment");
        char *end = NULL;
        const char *const value = read->next + length + 1;
        const long long number = strtoll(value, &end, 10);
        if (end == value || number < INT32_MIN || number > INT32_MAX || !strchr(" \t\r#", *end))
            return bad_line(read, "a parameter's value", "an integer of 32 bits");
        memcpy(found->names[k], read->next, length);
        found->row.parameters[k] = (mcl_parameter){ found->names[k], (int)number };
        read->next = end;
        skip_spaces(read);
    }
    return MCL_OK;
}

/* Reads a row whose operation is in quotes: a row for a user's kernel. */
static mcl_status read_kernel_row(line *read, mcl__kernel_row *found)
{
    int element_bytes = 0;
    mcl__tile tile = { 0 };
    MCL__TRY(read_quoted(read, "the operation of a kernel", found->operation));
    MCL__TRY(read_tile(read, found->device, &element_bytes, &tile));
    found->row.device = found->device;
    found->row.element_bytes = element_bytes;
    found->row.threads = tile.threads;
    found->row.items = tile.items;
    return read_parameters(read, found);
}

static mcl_status read_end(line *read, const char *part)
{
    skip_spaces(read);
    return !*read->next || *read->next == '#' ? MCL_OK : bad_line(read, part, "nothing or a # comment");
}

static int parameter_find(int operation, const char *name, size_t length)
{
    for (int k = 0; k < MCL__PARAMETER_COUNT; ++k) {
        const mcl__parameter_range *const tried = &mcl__parameter_ranges[k];
        if (tried->operation == operation && strlen(tried->name) == length && memcmp(tried->name, name, length) == 0)
            return k;
    }
    return -1;
}

/* Reads the part of a parameter's line after the operation and the dot. The first value that fits the device is
 * used. */
static mcl_status read_parameter(line *read, int operation, mcl__tuning *tuning)
{
    char device[MCL__QUOTED_BYTES];
    int value = 0;
    const size_t length = strspn(read->next, "abcdefghijklmnopqrstuvwxyz_0123456789");
    const int found = parameter_find(operation, read->next, length);
    if (found < 0) return bad_line(read, "the parameter", "a name that mcl_tuning_parameter_name gives");
    read->next += length;
    MCL__TRY(read_quoted(read, "the device", device));
    const mcl__parameter_range *const range = &mcl__parameter_ranges[found];
    MCL__TRY(read_number(read, range->name, range->least, range->most, &value));
    MCL__TRY(read_end(read, "what follows the value"));
    if (read->known[found] || !mcl__device_fits(device, read->limits)) return MCL_OK;
    read->known[found] = 1;
    tuning->parameters[found] = value;
    return MCL_OK;
}

static mcl_status read_row(line *read, mcl__tuning *tuning)
{
    mcl__row *const found = &tuning->rows[tuning->count];
    MCL__TRY(read_operation(read, &found->operation));
    if (*read->next == '.') {
        ++read->next;
        return read_parameter(read, found->operation, tuning);
    }
    MCL__TRY(read_tile(read, found->device, &found->element_bytes, &found->tile));
    ++tuning->count;
    return read_end(read, "what follows the items");
}

/* Reads all lines of the text. It ends each line in the text by a 0 byte. */
static mcl_status read_rows(const char *path, char *text, const mcl__limits *limits, mcl__tuning *tuning)
{
    line read = { .path = path, .number = 1, .limits = limits };
    for (char *start = text; start; ++read.number) {
        char *const newline = strchr(start, '\n');
        if (newline) *newline = 0;
        read.next = start;
        skip_spaces(&read);
        if (*read.next == '"')
            MCL__TRY(read_kernel_row(&read, &tuning->kernel_rows[tuning->kernel_row_count++]));
        else if (*read.next && *read.next != '#')
            MCL__TRY(read_row(&read, tuning));
        start = newline ? newline + 1 : NULL;
    }
    return MCL_OK;
}

static size_t line_count(const char *text)
{
    size_t count = 1;
    for (; *text; ++text) count += *text == '\n';
    return count;
}

/* Makes the rows and parameters from a file's text. If text is NULL, there are no rows. */
static mcl_status rows_create(const char *path, char *text, const mcl__limits *limits, mcl__tuning **out)
{
    mcl__tuning *const made = calloc(1, sizeof *made);
    const size_t lines = text ? line_count(text) : 1;
    if (made) made->rows = calloc(lines, sizeof *made->rows);
    if (made) made->kernel_rows = calloc(lines, sizeof *made->kernel_rows);
    if (!made || !made->rows || !made->kernel_rows) {
        mcl__tuning_free(made);
        return mcl__fail(MCL_ERROR_MEMORY, "host memory for rows of tuning is exhausted");
    }
    mcl__parameters_start(limits, made->parameters);
    const mcl_status status = text ? read_rows(path, text, limits, made) : MCL_OK;
    if (status == MCL_OK)
        *out = made;
    else
        mcl__tuning_free(made);
    return status;
}

static mcl_status file_load(const char *path, const mcl__limits *limits, mcl__tuning **made)
{
    char none[1] = { 0 };
    mcl__text text = { 0 };
    mcl_status status = MCL_OK;
    const int is_read = mcl__file_read(path, &text);
    if (text.failed)
        status = mcl__fail(MCL_ERROR_MEMORY, "host memory for the tuning file \"%s\" is exhausted", path);
    else if (!is_read)
        status = mcl__fail(MCL_ERROR_ARGUMENT, "the tuning file is \"%s\"; expected one that can be read", path);
    else if (text.data && strlen(text.data) != text.length)
        status = mcl__fail(MCL_ERROR_ARGUMENT, "byte %zu of \"%s\" is 0; expected a text", strlen(text.data), path);
    else
        status = rows_create(path, text.data ? text.data : none, limits, made);
    mcl__text_free(&text);
    return status;
}

mcl_status mcl__tuning_load(const char *path, const mcl__limits *limits, mcl__tuning **tuning)
{
    mcl__tuning *made = NULL;
    MCL__TRY(path ? file_load(path, limits, &made) : rows_create(NULL, NULL, limits, &made));
    mcl__tuning_free(*tuning);
    *tuning = made;
    return MCL_OK;
}
