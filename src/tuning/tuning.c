/* tuning.c: chooses tiles: rows of a file, then the built-in ones, then what the device's limits leave of them. */
#include "tuning/tuning.h"

#include <stdlib.h>
#include <string.h>

enum {
    ANY_BYTES = INT32_MAX,
    GROUP_ITEMS_MAX = 31, /* decisions of a work-item's elements are bits of a 32-bit word */
    SERIAL_ITEMS_MAX = 1 << 24,
    BUDGET_ITEMS_MAX = 1024, /* where loops have a budget */
    BUDGET_SHARE = 16,       /* of the budget, one step over a tile's elements */
    QUOTED_BYTES = 64        /* a device, a user's operation, a parameter's name */
};

typedef struct row {
    int operation;
    char device[QUOTED_BYTES];
    int element_bytes; /* up to */
    mcl__tile tile;
} row;

static const row built_in[] = {
#define ROW(operation, device, element_bytes, threads, items)                                                          \
    { MCL__OPERATION_##operation, device, element_bytes, { threads, items } },
#include "tuning/tuning_table.inc"
#undef ROW
};

/* Of a user's kernel: row points to the texts beside it. */
typedef struct kernel_row {
    char operation[QUOTED_BYTES];
    char device[QUOTED_BYTES];
    char names[MCL_PARAMETERS_MAX][QUOTED_BYTES];
    mcl_tile_row row;
} kernel_row;

struct mcl__tuning {
    row *rows;
    size_t count;
    kernel_row *kernel_rows;
    size_t kernel_row_count;
    mcl__tuning *older; /* which calls in other threads may still read */
};

size_t mcl__tuning_row_count(const mcl__tuning *tuning)
{
    return tuning ? tuning->kernel_row_count : 0;
}

const mcl_tile_row *mcl__tuning_row(const mcl__tuning *tuning, size_t place, const char *operation)
{
    const kernel_row *const found = &tuning->kernel_rows[place];
    return strcmp(found->operation, operation) == 0 ? &found->row : NULL;
}

/* ---- choosing ------------------------------------------------------------------------------------------ */

typedef enum wanted_mapping { WANT_ANY, WANT_GROUP, WANT_SERIAL } wanted_mapping;

int mcl__device_fits(const char *device, const mcl__limits *limits)
{
    if (strcmp(device, "cpu") == 0) return !limits->is_gpu;
    if (strcmp(device, "gpu") == 0) return limits->is_gpu;
    return strncmp(limits->tuning_key, device, strlen(device)) == 0;
}

static const row *row_find(const row *rows, size_t count, mcl__operation operation, const mcl__limits *limits,
                           size_t element_bytes, wanted_mapping wanted)
{
    for (size_t k = 0; k < count; ++k) {
        const row *const tried = &rows[k];
        const int is_serial = tried->tile.threads == 1;
        if (tried->operation != (int)operation && tried->operation != MCL__OPERATION_any) continue;
        if (wanted != WANT_ANY && is_serial != (wanted == WANT_SERIAL)) continue;
        if (element_bytes <= (size_t)tried->element_bytes && mcl__device_fits(tried->device, limits)) return tried;
    }
    return NULL;
}

static mcl__tile serial_fit(const mcl__limits *limits, mcl__tile tile)
{
    int64_t most = SERIAL_ITEMS_MAX;
    if (limits->loop_budget > 0) {
        most = BUDGET_ITEMS_MAX;
        while (most > 1 && most > limits->loop_budget / BUDGET_SHARE) most /= 2;
    }
    if (tile.items > most) tile.items = (int)most;
    return tile;
}

int mcl__whole_sub_groups(const mcl__limits *limits, int threads)
{
    const int size = limits->sub_group_path != MCL__SUB_GROUP_NONE ? limits->sub_group_size : 0;
    return size > 0 && threads % size == 0;
}

static int group_holds(const mcl__limits *limits, mcl__tile_need need, mcl__tile tile)
{
    uint64_t bytes = (uint64_t)mcl__tile_size(tile) * need.local_bytes_per_item +
                     (uint64_t)tile.threads * need.local_bytes_per_thread + need.local_bytes_fixed;
    if (!mcl__whole_sub_groups(limits, tile.threads))
        bytes += (uint64_t)mcl__tile_size(tile) * need.lone_bytes_per_item +
                 (uint64_t)tile.threads * need.lone_bytes_per_thread;
    return bytes <= (uint64_t)limits->local_memory;
}

static mcl__tile group_fit(const mcl__limits *limits, mcl__tile_need need, mcl__tile tile)
{
    if (tile.items > GROUP_ITEMS_MAX) tile.items = GROUP_ITEMS_MAX;
    while (tile.threads > 1 && tile.threads > limits->max_threads) tile.threads /= 2;
    while (tile.items > 1 && !group_holds(limits, need, tile)) tile.items /= 2;
    while (tile.threads > 1 && !group_holds(limits, need, tile)) tile.threads /= 2;
    return tile;
}

mcl__tile mcl__tile_for(mcl__operation operation, const mcl__limits *limits, const mcl__tuning *tuning,
                        mcl__tile_need need, const mcl_options *options)
{
    const int threads = options ? options->tile_threads : 0;
    const int items = options ? options->tile_items : 0;
    wanted_mapping wanted = threads == 0 ? WANT_ANY : threads == 1 ? WANT_SERIAL : WANT_GROUP;
    const row *found = NULL;
    if (tuning) found = row_find(tuning->rows, tuning->count, operation, limits, need.element_bytes, wanted);
    if (wanted == WANT_ANY) wanted = limits->mapping == MCL_MAPPING_SERIAL ? WANT_SERIAL : WANT_GROUP;
    if (!found)
        found = row_find(built_in, sizeof built_in / sizeof built_in[0], operation, limits, need.element_bytes, wanted);

    /* The built-in rows leave no case out; one element each would be right too. */
    mcl__tile tile = found ? found->tile : (mcl__tile){ 1, 1 };
    if (threads > 0) tile.threads = threads;
    if (items > 0) tile.items = items;
    return tile.threads > 1 ? group_fit(limits, need, tile) : serial_fit(limits, tile);
}

/* ---- files --------------------------------------------------------------------------------------------- */

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
} line;

static void skip_spaces(line *read)
{
    read->next += strspn(read->next, " \t\r");
}

static mcl_status bad_line(const line *read, const char *part, const char *expectation)
{
    return mcl__fail(MCL_ERROR_ARGUMENT, "mcl_context_load_tuning: path is \"%s\"; in line %d %s must be %s",
                     read->path, read->number, part, expectation);
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

/* A text between quotes of less than QUOTED_BYTES. */
static mcl_status read_quoted(line *read, const char *part, char *text)
{
    skip_spaces(read);
    const size_t length = read->next[0] == '"' ? strcspn(read->next + 1, "\"") : QUOTED_BYTES;
    if (length >= QUOTED_BYTES || read->next[length + 1] != '"')
        return bad_line(read, part, "at most 63 characters between quotes");
    memcpy(text, read->next + 1, length);
    text[length] = 0;
    read->next += length + 2;
    return MCL_OK;
}

static mcl_status read_number(line *read, const char *part, int most, int *number)
{
    skip_spaces(read);
    char *end = NULL;
    const long value = strtol(read->next, &end, 10);
    if (end == read->next || value < 1 || value > most)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "mcl_context_load_tuning: path is \"%s\"; in line %d %s must be a number from 1 to %d",
                         read->path, read->number, part, most);
    read->next = end;
    *number = (int)value;
    return MCL_OK;
}

static mcl_status read_bytes(line *read, int *bytes)
{
    skip_spaces(read);
    if (strncmp(read->next, "any", 3) != 0) return read_number(read, "the element's bytes, or any,", ANY_BYTES, bytes);
    read->next += 3;
    *bytes = ANY_BYTES;
    return MCL_OK;
}

/* What follows a row's operation. */
static mcl_status read_tile(line *read, char *device, int *element_bytes, mcl__tile *tile)
{
    MCL__TRY(read_quoted(read, "the device", device));
    MCL__TRY(read_bytes(read, element_bytes));
    MCL__TRY(read_number(read, "threads", 1024, &tile->threads));
    const int most = tile->threads == 1 ? SERIAL_ITEMS_MAX : GROUP_ITEMS_MAX;
    return read_number(read, "items", most, &tile->items);
}

/* name=value words to the end of the line or a comment. */
static mcl_status read_parameters(line *read, kernel_row *found)
{
    static const char letters[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    skip_spaces(read);
    for (int k = 0; *read->next && *read->next != '#'; ++k) {
        const size_t length = strspn(read->next, letters);
        const int numeric = *read->next >= '0' && *read->next <= '9';
        if (k == MCL_PARAMETERS_MAX || length == 0 || length >= QUOTED_BYTES || numeric || read->next[length] != '=')
            return bad_line(read, "what follows the items", "at most 8 words name=value, or a # comment");
        char *end = NULL;
        const char *const value = read->next + length + 1;
        const long number = strtol(value, &end, 10);
        if (end == value || number < INT32_MIN || number > INT32_MAX || !strchr(" \t\r#", *end))
            return bad_line(read, "a parameter's value", "an integer of 32 bits");
        memcpy(found->names[k], read->next, length);
        found->row.parameters[k] = (mcl_parameter){ found->names[k], (int)number };
        read->next = end;
        skip_spaces(read);
    }
    return MCL_OK;
}

/* A row whose operation is in quotes: of a user's kernel. */
static mcl_status read_kernel_row(line *read, kernel_row *found)
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

static mcl_status read_row(line *read, row *found)
{
    MCL__TRY(read_operation(read, &found->operation));
    MCL__TRY(read_tile(read, found->device, &found->element_bytes, &found->tile));
    skip_spaces(read);
    if (*read->next && *read->next != '#') return bad_line(read, "what follows the items", "nothing or a # comment");
    return MCL_OK;
}

/* Lines of the text are cut apart in place. */
static mcl_status read_rows(const char *path, char *text, mcl__tuning *tuning)
{
    line read = { .path = path, .number = 1 };
    for (char *start = text; start; ++read.number) {
        char *const newline = strchr(start, '\n');
        if (newline) *newline = 0;
        read.next = start;
        skip_spaces(&read);
        if (*read.next == '"')
            MCL__TRY(read_kernel_row(&read, &tuning->kernel_rows[tuning->kernel_row_count++]));
        else if (*read.next && *read.next != '#')
            MCL__TRY(read_row(&read, &tuning->rows[tuning->count++]));
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

static mcl_status rows_create(const char *path, char *text, mcl__tuning **out)
{
    mcl__tuning *const made = calloc(1, sizeof *made);
    const size_t lines = line_count(text);
    if (made) made->rows = calloc(lines, sizeof *made->rows);
    if (made) made->kernel_rows = calloc(lines, sizeof *made->kernel_rows);
    mcl_status status = MCL_OK;
    if (!made || !made->rows || !made->kernel_rows)
        status = mcl__fail(MCL_ERROR_MEMORY, "mcl_context_load_tuning: no host memory for the rows of \"%s\"", path);
    else
        status = read_rows(path, text, made);
    if (status == MCL_OK)
        *out = made;
    else
        mcl__tuning_free(made);
    return status;
}

mcl_status mcl__tuning_load(const char *path, mcl__tuning **tuning)
{
    mcl__text text = { 0 };
    mcl__tuning *made = NULL;
    mcl_status status = MCL_OK;
    if (!mcl__file_read(path, &text))
        status = mcl__fail(MCL_ERROR_ARGUMENT,
                           "mcl_context_load_tuning: path is \"%s\"; expected a file that can be read", path);
    else if (text.data && strlen(text.data) != text.length)
        status =
            mcl__fail(MCL_ERROR_ARGUMENT, "mcl_context_load_tuning: path is \"%s\"; byte %zu is 0, expected a text",
                      path, strlen(text.data));
    else
        status = rows_create(path, text.data ? text.data : (char[1]){ 0 }, &made);
    mcl__text_free(&text);
    if (status != MCL_OK) return status;
    mcl__tuning_free(*tuning);
    *tuning = made;
    return MCL_OK;
}

void mcl__tuning_keep(mcl__tuning *tuning, mcl__tuning *older)
{
    tuning->older = older;
}

void mcl__tuning_free(mcl__tuning *tuning)
{
    while (tuning) {
        mcl__tuning *const freed = tuning;
        tuning = freed->older;
        free(freed->rows);
        free(freed->kernel_rows);
        free(freed);
    }
}
