/* merge.c: times a textbook's merges and a naive merge beside merge path, on the same data. */
#include "study/study.h"

#include <stdlib.h>
#include <string.h>

typedef struct merge_data {
    mcl_buffer *a, *b, *c, *counts;
    int32_t *expected; /* result of the merge by the host */
    int32_t *got;
    int a_count, b_count;
} merge_data;

static void data_free(merge_data *data)
{
    mcl_buffer_release(data->a);
    mcl_buffer_release(data->b);
    mcl_buffer_release(data->c);
    mcl_buffer_release(data->counts);
    free(data->expected);
    free(data->got);
}

/* Fills two sorted halves of n numbers. Steps between numbers are random, 0 to 7, so that the halves take turns
 * unevenly. */
static void fill(int32_t *numbers, int count, uint32_t seed)
{
    int32_t x = 0;
    for (int k = 0; k < count; k++) {
        seed = seed * 1664525u + 1013904223u;
        x += (int32_t)(seed >> 29);
        numbers[k] = x;
    }
}

static mcl_status data_make(study *at, merge_data *data)
{
    const size_t bytes = (size_t)at->n * sizeof(int32_t);
    const uint32_t zeros[2] = { 0, 0 };
    int i = 0, j = 0;
    data->a_count = (int)(at->n / 2);
    data->b_count = (int)at->n - data->a_count;
    data->expected = malloc(bytes + 1);
    data->got = malloc(bytes + 1);
    if (!data->expected || !data->got) return MCL_ERROR_MEMORY;
    int32_t *const a = data->got, *const b = data->got + data->a_count;
    fill(a, data->a_count, 1);
    fill(b, data->b_count, 2);
    for (int64_t k = 0; k < at->n; k++)
        data->expected[k] = i < data->a_count && (j == data->b_count || a[i] <= b[j]) ? a[i++] : b[j++];
    mcl_status status = mcl_buffer_create(at->context, (size_t)data->a_count * sizeof *a, a, &data->a);
    if (status == MCL_OK) status = mcl_buffer_create(at->context, (size_t)data->b_count * sizeof *b, b, &data->b);
    if (status == MCL_OK) status = mcl_buffer_create(at->context, bytes, NULL, &data->c);
    return status == MCL_OK ? mcl_buffer_create(at->context, sizeof zeros, zeros, &data->counts) : status;
}

static mcl_status wipe(study *at, merge_data *data)
{
    const uint32_t pattern = 0xA5A5A5A5u;
    return mcl_buffer_fill(at->queue, data->c, 0, (size_t)at->n * sizeof(int32_t), &pattern, sizeof pattern);
}

static mcl_status check(study *at, merge_data *data, study_row *row)
{
    const size_t bytes = (size_t)at->n * sizeof(int32_t);
    const mcl_status status = mcl_buffer_read(at->queue, data->c, 0, bytes, data->got);
    row->is_right = status == MCL_OK && memcmp(data->got, data->expected, bytes) == 0;
    return status;
}

/* ---- the textbook's ---------------------------------------------------------------------------- */

static mcl_status run_kernel(study *at, void *call, const mcl_options *options)
{
    return study_merge_run(at->queue, call, options);
}

/* Measures one kernel. Searches and reads are counted in a separate run, since counting slows kernels down. */
static mcl_status measure_kernel(study *at, merge_data *data, study_merge_call *call, const char *name)
{
    study_row *const row = study_add_row(at, name);
    const uint32_t zeros[2] = { 0, 0 };
    uint32_t counts[2];
    row->bytes = 2.0 * (double)at->n * sizeof(int32_t);
    call->a = data->a;
    call->b = data->b;
    call->c = data->c;
    call->counts = data->counts;
    call->a_count = data->a_count;
    call->b_count = data->b_count;
    mcl_status status = mcl_buffer_write(at->queue, data->counts, 0, sizeof zeros, zeros);
    call->counts_too = 1;
    if (status == MCL_OK) status = study_merge_run(at->queue, call, NULL);
    if (status == MCL_OK) status = mcl_buffer_read(at->queue, data->counts, 0, sizeof counts, counts);
    if (status != MCL_OK) return status;
    row->searches = counts[0];
    row->bytes_read = (double)counts[1] * sizeof(int32_t);
    call->counts_too = 0;
    status = wipe(at, data);
    if (status == MCL_OK) status = study_merge_run(at->queue, call, NULL);
    if (status == MCL_OK) status = check(at, data, row);
    return status == MCL_OK ? study_time(at, run_kernel, call, &row->milliseconds) : status;
}

/* ---- the library's ---------------------------------------------------------------------------- */

static mcl_status run_library(study *at, void *call, const mcl_options *options)
{
    const merge_data *const data = call;
    return mcl_merge(at->queue, mcl_from_buffer(MCL_INT32, data->a, 0, data->a_count),
                     mcl_from_buffer(MCL_INT32, data->b, 0, data->b_count), mcl_to_buffer(MCL_INT32, data->c, 0, at->n),
                     MCL_LESS, options);
}

static mcl_status measure_library(study *at, merge_data *data)
{
    study_row *const row = study_add_row(at, "merge path (mcl_merge)");
    int threads = 0, items = 0;
    row->bytes = 2.0 * (double)at->n * sizeof(int32_t);
    row->bytes_read = row->bytes / 2;
    if (mcl_context_tile(at->context, "merge", sizeof(int32_t), &threads, &items) == MCL_OK)
        row->searches = (double)(at->n / ((int64_t)threads * items) + 1);
    mcl_status status = wipe(at, data);
    if (status == MCL_OK) status = run_library(at, data, NULL);
    if (status == MCL_OK) status = check(at, data, row);
    return status == MCL_OK ? study_time(at, run_library, data, &row->milliseconds) : status;
}

/* Measures all contenders. Tiles: 256 x 8 on GPUs; one work-item with 1024 elements on CPUs. Groups of the tiled kinds
 * get 16 tiles. */
static mcl_status measure_all(study *at, merge_data *data)
{
    static const struct {
        const char *name;
        int kind;
        int share; /* basic: elements of a work-item; tiled: tiles of a group */
    } list[] = {
        { "a search for each element", MERGE_NAIVE, 1 },
        { "basic, 1 a work-item", MERGE_BASIC, 1 },
        { "basic, 8 a work-item", MERGE_BASIC, 8 },
        { "basic, 64 a work-item", MERGE_BASIC, 64 },
        { "tiled", MERGE_TILED, 16 },
        { "circular buffer", MERGE_CIRCULAR, 16 },
        { "tiled, one co-rank a tile", MERGE_ONE_SEARCH, 16 },
    };
    const int is_serial = at->info.mapping == MCL_MAPPING_SERIAL;
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        study_merge_call call = {
            .kind = list[k].kind, .threads = is_serial ? 1 : 256, .items = is_serial ? 1024 : 8, .share = list[k].share
        };
        if (call.kind >= MERGE_TILED) call.share *= call.threads * call.items;
        const mcl_status status = measure_kernel(at, data, &call, list[k].name);
        if (status != MCL_OK) return status;
    }
    return measure_library(at, data);
}

mcl_status study_merge(study *at)
{
    merge_data data = { 0 };
    mcl_status status = data_make(at, &data);
    if (status == MCL_OK) status = measure_all(at, &data);
    data_free(&data);
    return status;
}
