/* tuning.c: chooses tiles: rows of a file, then the built-in ones, then what the device's limits leave of them. */
#include "tuning/tuning.h"

#include <stdlib.h>
#include <string.h>

enum {
    MCL__OPERATION_any = MCL__OPERATION_COUNT,
    ANY_BYTES = INT32_MAX,
    GROUP_ITEMS_MAX = 31, /* decisions of a work-item's elements are bits of a 32-bit word */
    SERIAL_ITEMS_MAX = 1 << 24,
    BUDGET_ITEMS_MAX = 1024, /* where loops have a budget */
    BUDGET_SHARE = 16,       /* of the budget, one step over a tile's elements */
    DEVICE_BYTES = 64
};

typedef struct row {
    int operation;
    char device[DEVICE_BYTES];
    int element_bytes; /* up to */
    mcl__tile tile;
} row;

static const row built_in[] = {
#define ROW(operation, device, element_bytes, threads, items)                                                          \
    { MCL__OPERATION_##operation, device, element_bytes, { threads, items } },
#include "tuning/tuning_table.inc"
#undef ROW
};

struct mcl__tuning {
    row *rows;
    size_t count;
};

/* ---- choosing ------------------------------------------------------------------------------------------ */

typedef enum wanted_mapping { WANT_ANY, WANT_GROUP, WANT_SERIAL } wanted_mapping;

static int device_fits(const char *device, const mcl__limits *limits)
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
        if (element_bytes <= (size_t)tried->element_bytes && device_fits(tried->device, limits)) return tried;
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

static int group_holds(const mcl__limits *limits, mcl__tile_need need, mcl__tile tile)
{
    const uint64_t bytes = (uint64_t)mcl__tile_size(tile) * need.local_bytes_per_item +
                           (uint64_t)tile.threads * need.local_bytes_per_thread + need.local_bytes_fixed;
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
    return bad_line(read, "the operation", MCL__OPERATION_LIST(X) "or any");
#undef X
}

static mcl_status read_device(line *read, char *device)
{
    skip_spaces(read);
    const size_t length = read->next[0] == '"' ? strcspn(read->next + 1, "\"") : DEVICE_BYTES;
    if (length >= DEVICE_BYTES || read->next[length + 1] != '"')
        return bad_line(read, "the device", "at most 63 characters between quotes");
    memcpy(device, read->next + 1, length);
    device[length] = 0;
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

static mcl_status read_row(line *read, row *found)
{
    MCL__TRY(read_operation(read, &found->operation));
    MCL__TRY(read_device(read, found->device));
    MCL__TRY(read_bytes(read, &found->element_bytes));
    MCL__TRY(read_number(read, "threads", 1024, &found->tile.threads));
    const int most = found->tile.threads == 1 ? SERIAL_ITEMS_MAX : GROUP_ITEMS_MAX;
    MCL__TRY(read_number(read, "items", most, &found->tile.items));
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
        if (*read.next && *read.next != '#') MCL__TRY(read_row(&read, &tuning->rows[tuning->count++]));
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
    if (made) made->rows = calloc(line_count(text), sizeof *made->rows);
    mcl_status status = MCL_OK;
    if (!made || !made->rows)
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
    else
        status = rows_create(path, text.data ? text.data : (char[1]){ 0 }, &made);
    mcl__text_free(&text);
    if (status != MCL_OK) return status;
    mcl__tuning_free(*tuning);
    *tuning = made;
    return MCL_OK;
}

void mcl__tuning_free(mcl__tuning *tuning)
{
    if (!tuning) return;
    free(tuning->rows);
    free(tuning);
}
