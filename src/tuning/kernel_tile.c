/* kernel_tile.c: finds the tile and parameters of a user's kernel. It looks first in the rows of a file, then in the
 * kernel's own rows, then in the library's rows. A value that a row leaves out comes from the next row that fits. */
#include "tuning/tuning.h"

#include <stdlib.h>
#include <string.h>

typedef struct chooser {
    const mcl_kernel *kernel;
    const mcl__limits *limits;
    const mcl__tuning *tuning;
    size_t element_bytes;
} chooser;

/* ---- rows that fit -------------------------------------------------------------------------------------- */

/* Returns 1 where key equals device, apart from an equal or larger number at its end. So a row for "NVIDIA sm_80" fits
 * "NVIDIA sm_90". */
static int is_later(const char *device, const char *key)
{
    size_t stem = strlen(device);
    while (stem > 0 && device[stem - 1] >= '0' && device[stem - 1] <= '9') --stem;
    if (!device[stem] || strncmp(device, key, stem) != 0 || key[stem] < '0' || key[stem] > '9') return 0;
    return strtol(key + stem, NULL, 10) >= strtol(device + stem, NULL, 10);
}

static int row_fits(const chooser *chooses, const mcl_tile_row *row)
{
    const char *const device = row->device ? row->device : "";
    if (row->element_bytes > 0 && chooses->element_bytes > (size_t)row->element_bytes) return 0;
    return mcl__device_fits(device, chooses->limits) || is_later(device, chooses->limits->tuning_key);
}

static int is_of_mapping(const mcl_tile_row *row, mcl_mapping mapping)
{
    return row->threads == 0 || (row->threads == 1) == (mapping == MCL_MAPPING_SERIAL);
}

/* Returns the next row that fits, from row *next on, or NULL. Rows of a file come first. */
static const mcl_tile_row *next_row(const chooser *chooses, size_t *next)
{
    const char *const operation = chooses->kernel->operation;
    const size_t in_file = operation ? mcl__tuning_row_count(chooses->tuning) : 0;
    while (*next < in_file + (size_t)chooses->kernel->row_count) {
        const size_t k = (*next)++;
        const mcl_tile_row *const row =
            k < in_file ? mcl__tuning_row(chooses->tuning, k, operation) : &chooses->kernel->rows[k - in_file];
        if (row && row_fits(chooses, row)) return row;
    }
    return NULL;
}

/* Returns the mapping of the tile in the options, else of the first row of a file that fits. Without both it is the
 * device's usual mapping, unless all rows that fit have the other one. */
static mcl_mapping mapping_of(const chooser *chooses, const mcl_options *options)
{
    const size_t in_file = chooses->kernel->operation ? mcl__tuning_row_count(chooses->tuning) : 0;
    const mcl_mapping usual = chooses->limits->mapping;
    int others = 0;
    if (options && options->tile_threads > 0)
        return options->tile_threads == 1 ? MCL_MAPPING_SERIAL : MCL_MAPPING_GROUP;
    size_t next = 0;
    for (const mcl_tile_row *row = next_row(chooses, &next); row; row = next_row(chooses, &next)) {
        if (row->threads == 0) continue;
        if (next <= in_file) return row->threads == 1 ? MCL_MAPPING_SERIAL : MCL_MAPPING_GROUP;
        if (is_of_mapping(row, usual)) return usual;
        others = 1;
    }
    if (!others) return usual;
    return usual == MCL_MAPPING_SERIAL ? MCL_MAPPING_GROUP : MCL_MAPPING_SERIAL;
}

/* ---- parameters ----------------------------------------------------------------------------------------- */

static int parameter_find(const mcl_tile *tile, const char *name)
{
    for (int k = 0; k < tile->parameter_count; ++k)
        if (strcmp(tile->parameters[k].name, name) == 0) return k;
    return -1;
}

/* Collects the names of the kernel's parameters: the names in the kernel's own rows. */
static mcl_status collect_names(const chooser *chooses, mcl_tile *out)
{
    for (int r = 0; r < chooses->kernel->row_count; ++r) {
        const mcl_parameter *const named = chooses->kernel->rows[r].parameters;
        for (int k = 0; k < MCL_PARAMETERS_MAX && named[k].name; ++k) {
            if (parameter_find(out, named[k].name) >= 0) continue;
            if (out->parameter_count == MCL_PARAMETERS_MAX)
                return mcl__fail(MCL_ERROR_ARGUMENT,
                                 "the rows of kernel %s name more than %d parameters; expected none like %s besides",
                                 chooses->kernel->name, MCL_PARAMETERS_MAX, named[k].name);
            out->parameters[out->parameter_count++].name = named[k].name;
        }
    }
    return MCL_OK;
}

static mcl_status take_parameters(const chooser *chooses, const mcl_tile_row *row, int *known, mcl_tile *out)
{
    for (int k = 0; k < MCL_PARAMETERS_MAX && row->parameters[k].name; ++k) {
        const int place = parameter_find(out, row->parameters[k].name);
        if (place < 0)
            return mcl__fail(
                MCL_ERROR_ARGUMENT,
                "a tuning row of \"%s\" has the parameter %s; expected one that the rows of kernel %s name",
                chooses->kernel->operation, row->parameters[k].name, chooses->kernel->name);
        if (!(*known >> place & 1)) out->parameters[place].value = row->parameters[k].value;
        *known |= 1 << place;
    }
    return MCL_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static mcl__tile library_tile(const chooser *chooses, const mcl_tile *found, const mcl_options *given)
{
    const mcl_kernel *const kernel = chooses->kernel;
    const mcl__tile_need need = {
        .element_bytes = chooses->element_bytes,
        .local_bytes_per_item = kernel->local_bytes_per_item,
        .local_bytes_per_thread = kernel->local_bytes_per_thread,
        .local_bytes_fixed = kernel->local_bytes,
    };
    mcl_options options = { .tile_threads = found->threads, .tile_items = found->items };
    if (given && given->tile_threads > 0) options.tile_threads = given->tile_threads;
    if (given && given->tile_items > 0) options.tile_items = given->tile_items;
    const int known = kernel->operation ? mcl__operation_find(kernel->operation) : -1;
    const mcl__operation operation = known < 0 ? MCL__OPERATION_any : (mcl__operation)known;
    return mcl__tile_for(operation, chooses->limits, chooses->tuning, need, &options);
}

mcl_status mcl__kernel_tile_for(const mcl_kernel *kernel, const mcl__limits *limits, const mcl__tuning *tuning,
                                size_t element_bytes, const mcl_options *options, mcl_tile *out)
{
    const chooser chooses = { kernel, limits, tuning, element_bytes };
    mcl_tile found = { 0 };
    int known = 0;
    MCL__TRY(collect_names(&chooses, &found));
    const mcl_mapping mapping = mapping_of(&chooses, options);
    size_t next = 0;
    for (const mcl_tile_row *row = next_row(&chooses, &next); row; row = next_row(&chooses, &next)) {
        if (!is_of_mapping(row, mapping)) continue;
        if (found.threads == 0) found.threads = row->threads;
        if (found.items == 0) found.items = row->items;
        MCL__TRY(take_parameters(&chooses, row, &known, &found));
    }
    for (int k = 0; k < found.parameter_count; ++k)
        if (!(known >> k & 1))
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "no row of kernel %s that fits \"%s\" has the parameter %s; expected a last row that "
                             "fits every device",
                             kernel->name, limits->tuning_key, found.parameters[k].name);
    const mcl__tile fitted = library_tile(&chooses, &found, options);
    found.threads = fitted.threads;
    found.items = fitted.items;
    *out = found;
    return MCL_OK;
}
