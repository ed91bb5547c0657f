/* read_tuning.c: reads files of tuning rows. */
#include "reader.h"

#include "tuning/rows.h"

#include <string.h>

static const mcl__limits devices[] = {
    { .tuning_key = "POCL cpu", .mapping = MCL_MAPPING_SERIAL, .local_memory = 1 << 20, .max_threads = 4096 },
    { .tuning_key = "NVIDIA sm_90", .is_gpu = 1, .local_memory = 48 << 10, .max_threads = 1024 },
    { .tuning_key = "Odd cpu", .local_memory = 100, .max_threads = 3, .loop_budget = 1000 },
    { .tuning_key = "", .local_memory = 0, .max_threads = 1 },
};

static const mcl_tile_row kernel_rows[] = {
    { .device = "", .threads = 128, .items = 7, .parameters = { { "STEP", 4 }, { "WIDE", 1 } } },
};

static void check_tile(const mcl__limits *limits, mcl__tile_need need, int threads, int items)
{
    REQUIRE(threads >= 1 && items >= 1 && threads <= limits->max_threads);
    REQUIRE(items <= (threads == 1 ? 1 << 24 : 31));
    const uint64_t bytes = (uint64_t)threads * (uint64_t)items * need.local_bytes_per_item +
                           (uint64_t)threads * need.local_bytes_per_thread;
    REQUIRE(threads == 1 || bytes <= (uint64_t)limits->local_memory);
}

static void check_operations(const mcl__tuning *tuning, const mcl__limits *limits)
{
    const mcl__tile_need need = { .element_bytes = 8, .local_bytes_per_item = 16, .local_bytes_per_thread = 4 };
    for (int k = 0; k < MCL__OPERATION_COUNT; ++k) {
        const mcl__tile tile = mcl__tile_for((mcl__operation)k, limits, tuning, need, NULL);
        check_tile(limits, need, tile.threads, tile.items);
    }
}

static void check_kernel(const mcl__tuning *tuning, const mcl__limits *limits, const char *operation)
{
    const mcl_kernel kernel = {
        .name = "merge_unique.cl", .operation = operation, .rows = kernel_rows, .row_count = 1
    };
    const mcl__tile_need need = { 0 };
    mcl_tile tile;
    if (mcl__kernel_tile_for(&kernel, limits, tuning, 4, NULL, &tile) != MCL_OK) {
        REQUIRE(strncmp(mcl_last_error(), "mcl_context_load_tuning: ", 25) == 0);
        return;
    }
    check_tile(limits, need, tile.threads, tile.items);
    REQUIRE(tile.parameter_count == 2);
    REQUIRE(strcmp(tile.parameters[0].name, "STEP") == 0 && strcmp(tile.parameters[1].name, "WIDE") == 0);
}

static void check_parameters(const mcl__tuning *tuning)
{
    for (int k = 0; k < MCL__PARAMETER_COUNT; ++k) {
        REQUIRE(tuning->parameters[k] >= mcl__parameter_ranges[k].least);
        REQUIRE(tuning->parameters[k] <= mcl__parameter_ranges[k].most);
    }
}

static void check_kernel_rows(const mcl__tuning *tuning, const char *operation)
{
    for (size_t k = 0; k < mcl__tuning_row_count(tuning); ++k) {
        const mcl_tile_row *const row = mcl__tuning_row(tuning, k, operation);
        if (!row) continue;
        REQUIRE(row->threads >= 1 && row->threads <= 1024 && row->items >= 1 && row->element_bytes >= 1);
        REQUIRE(strlen(row->device) < 64);
        for (int p = 0; p < MCL_PARAMETERS_MAX && row->parameters[p].name; ++p)
            REQUIRE(reader_is_identifier(row->parameters[p].name));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mcl__tuning *tuning = NULL;
    const char *const path = reader_file(data, size);
    mcl__function_is("mcl_context_load_tuning");
    const mcl_status status = mcl__tuning_load(path, &devices[0], &tuning);
    REQUIRE((status == MCL_OK) == (tuning != NULL));
    if (status != MCL_OK) REQUIRE(strncmp(mcl_last_error(), "mcl_context_load_tuning: ", 25) == 0);
    if (status == MCL_OK && size > 0) REQUIRE(!memchr(data, 0, size)); /* the reader must not stop at a 0 */
    for (size_t k = 0; tuning && k < sizeof devices / sizeof devices[0]; ++k) {
        REQUIRE(mcl__tuning_load(path, &devices[k], &tuning) == MCL_OK);
        check_parameters(tuning);
        check_operations(tuning, &devices[k]);
        check_kernel(tuning, &devices[k], "merge_unique");
        check_kernel(tuning, &devices[k], "merge");
    }
    if (tuning) check_kernel_rows(tuning, "merge_unique");
    mcl__tuning_free(tuning);
    return 0;
}
