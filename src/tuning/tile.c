/* tile.c: chooses a tile from the rows of a file, else from the built-in rows, and reduces it until it fits the
 * device. */
#include "tuning/rows.h"

#include "facts/digits.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUDGET_ITEMS_MAX = 1024, /* the most elements of a serial tile on devices that limit loops */
    BUDGET_SHARE = 16        /* a loop over a tile may take 1 / BUDGET_SHARE of the device's limit */
};

static const mcl__row built_in[] = {
#define ANY_BYTES MCL__ANY_BYTES
#define ROW(operation, device, element_bytes, threads, items)                                                          \
    { MCL__OPERATION_##operation, device, element_bytes, { threads, items } },
#include "tuning/tuning_table.inc"
#undef ROW
#undef ANY_BYTES
};
enum { BUILT_IN_ROWS = sizeof built_in / sizeof built_in[0] };
typedef char rows_have_numbers_of_a_byte[BUILT_IN_ROWS < UCHAR_MAX ? 1 : -1];

size_t mcl__tuning_row_count(const mcl__tuning *tuning)
{
    return tuning ? tuning->kernel_row_count : 0;
}

const mcl_tile_row *mcl__tuning_row(const mcl__tuning *tuning, size_t place, const char *operation)
{
    const mcl__kernel_row *const found = &tuning->kernel_rows[place];
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

static int is_of(const mcl__row *row, mcl__operation operation)
{
    return row->operation == (int)operation || row->operation == MCL__OPERATION_any;
}

static int is_for(const mcl__row *row, const mcl__limits *limits, size_t element_bytes, wanted_mapping wanted)
{
    const int is_serial = row->tile.threads == 1;
    if (wanted != WANT_ANY && is_serial != (wanted == WANT_SERIAL)) return 0;
    return element_bytes <= (size_t)row->element_bytes && mcl__device_fits(row->device, limits);
}

static const mcl__row *row_find(const mcl__tuning *tuning, mcl__operation operation, const mcl__limits *limits,
                                size_t element_bytes, wanted_mapping wanted)
{
    for (size_t k = 0; k < tuning->count; ++k) {
        const mcl__row *const row = &tuning->rows[k];
        if (is_of(row, operation) && is_for(row, limits, element_bytes, wanted)) return row;
    }
    return NULL;
}

/* Returns the first built-in row of an operation from row k on, or BUILT_IN_ROWS. Every call needs it, and most rows
 * are for other operations, so results are kept. kept has the row plus 1, or 0 where no result is kept yet. */
static int built_in_next(mcl__operation operation, int k)
{
    static atomic_uchar kept[MCL__OPERATION_any + 1][BUILT_IN_ROWS + 1]; /* users' kernels use MCL__OPERATION_any */
    atomic_uchar *const own = &kept[operation][k];
    int found = atomic_load_explicit(own, memory_order_relaxed);
    if (found > 0) return found - 1;
    for (found = k; found < BUILT_IN_ROWS && !is_of(&built_in[found], operation);) ++found;
    atomic_store_explicit(own, (unsigned char)(found + 1), memory_order_relaxed);
    return found;
}

static const mcl__row *built_in_find(mcl__operation operation, const mcl__limits *limits, size_t element_bytes,
                                     wanted_mapping wanted)
{
    int k = built_in_next(operation, 0);
    while (k < BUILT_IN_ROWS && !is_for(&built_in[k], limits, element_bytes, wanted))
        k = built_in_next(operation, k + 1);
    return k < BUILT_IN_ROWS ? &built_in[k] : NULL;
}

int mcl__sub_group_size(const mcl__limits *limits)
{
    return limits->sub_group_path != MCL__SUB_GROUP_NONE ? limits->sub_group_size : 0;
}

int mcl__whole_sub_groups(const mcl__limits *limits, int threads)
{
    const int size = mcl__sub_group_size(limits);
    return size > 0 && threads % size == 0;
}

/* local_bytes_fixed has room for sums and votes of this many sub-groups. Groups with more sub-groups need at most the
 * lone_ bytes. */
enum { SUB_GROUPS_MAX = 32 };

/* Returns the bytes of a digit_store. It contains one sum per sub-group, or per work-item. */
static uint64_t digit_store_bytes(const mcl__limits *limits, mcl__tile_need need, int threads)
{
    const int size = mcl__sub_group_size(limits);
    const uint64_t sums = (uint64_t)(mcl__whole_sub_groups(limits, threads) ? threads / size : threads);
    const int ranks = size > 0 && SUB_GROUPS_RANK(threads, size);
    if (ranks) return DIGIT_STORE_BYTES(sums, need.digits, sums, need.index_bytes);
    return DIGIT_STORE_BYTES((uint64_t)threads, need.lone_digits, sums, need.index_bytes);
}

int64_t mcl__tile_bytes(const mcl__limits *limits, mcl__tile_need need, mcl__tile tile)
{
    if (tile.threads == 1) return tile.items * (int64_t)need.serial_bytes_per_item + (int64_t)need.serial_bytes_fixed;
    uint64_t bytes = (uint64_t)mcl__tile_size(tile) * need.local_bytes_per_item +
                     (uint64_t)tile.threads * need.local_bytes_per_thread + need.local_bytes_fixed;
    if (!mcl__whole_sub_groups(limits, tile.threads) || tile.threads > SUB_GROUPS_MAX * limits->sub_group_size)
        bytes += (uint64_t)mcl__tile_size(tile) * need.lone_bytes_per_item +
                 (uint64_t)tile.threads * need.lone_bytes_per_thread;
    if (need.digits > 0) bytes += digit_store_bytes(limits, need, tile.threads);
    return (int64_t)bytes;
}

static int is_held(const mcl__limits *limits, mcl__tile_need need, mcl__tile tile)
{
    return mcl__tile_bytes(limits, need, tile) <= (need.at_launch ? limits->launch_memory : limits->local_memory);
}

static mcl__tile serial_fit(const mcl__limits *limits, mcl__tile_need need, mcl__tile tile)
{
    int64_t most = MCL__SERIAL_ITEMS_MAX;
    if (limits->loop_budget > 0) {
        most = BUDGET_ITEMS_MAX;
        while (most > 1 && most > limits->loop_budget / BUDGET_SHARE) most /= 2;
    }
    if (tile.items > most) tile.items = (int)most;
    while (tile.items > 1 && !is_held(limits, need, tile)) tile.items /= 2;
    return tile;
}

/* Reduces the items of a tile until it fits. A tile that is a little too large loses a few of them. Any other loses
 * half of them, again and again, so that more than one group has room. */
static int items_that_fit(const mcl__limits *limits, mcl__tile_need need, mcl__tile tile)
{
    const int given = tile.items;
    while (tile.items > given - given / 4 && !is_held(limits, need, tile)) --tile.items;
    if (is_held(limits, need, tile)) return tile.items;
    tile.items = given;
    while (tile.items > 1 && !is_held(limits, need, tile)) tile.items /= 2;
    return tile.items;
}

static mcl__tile group_fit(const mcl__limits *limits, mcl__tile_need need, mcl__tile tile)
{
    if (tile.items > MCL__GROUP_ITEMS_MAX) tile.items = MCL__GROUP_ITEMS_MAX;
    while (tile.threads > 1 && tile.threads > limits->max_threads) tile.threads /= 2;
    tile.items = items_that_fit(limits, need, tile);
    while (tile.threads > 1 && !is_held(limits, need, tile)) tile.threads /= 2;
    return tile;
}

mcl__tile mcl__tile_for(mcl__operation operation, const mcl__limits *limits, const mcl__tuning *tuning,
                        mcl__tile_need need, const mcl_options *options)
{
    const int threads = options ? options->tile_threads : 0;
    const int items = options ? options->tile_items : 0;
    wanted_mapping wanted = threads == 0 ? WANT_ANY : threads == 1 ? WANT_SERIAL : WANT_GROUP;
    const mcl__row *found = NULL;
    if (tuning) found = row_find(tuning, operation, limits, need.element_bytes, wanted);
    if (wanted == WANT_ANY) wanted = limits->mapping == MCL_MAPPING_SERIAL ? WANT_SERIAL : WANT_GROUP;
    if (!found) found = built_in_find(operation, limits, need.element_bytes, wanted);

    /* A built-in row fits every case. The fallback of one element would be correct too. */
    mcl__tile tile = found ? found->tile : (mcl__tile){ 1, 1 };
    if (threads > 0) tile.threads = threads;
    if (items > 0) tile.items = items;
    return tile.threads > 1 ? group_fit(limits, need, tile) : serial_fit(limits, need, tile);
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
