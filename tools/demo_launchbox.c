/* demo_launchbox.c: two kernels whose tiles depend on the device; one has more parameters that do. For every device it
 * prints the numbers that the host gets before the launch, and those that the kernels were built with. */
#include "demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHED_INPUTS = 1000000, NUMBERS = 5 };

/* The kernel stores the numbers that its first work-item sees. T1 is a type that depends on the device. */
static const char text[] = "#if T1_BYTES == 2\n"
                           "typedef int16_t t1;\n"
                           "#elif T1_BYTES == 4\n"
                           "typedef float t1;\n"
                           "#else\n"
                           "typedef int64_t t1;\n"
                           "#endif\n"
                           "#undef KERNEL_GROUPS\n"
                           "#define KERNEL_GROUPS OCC\n"
                           "MCL_KERNEL(TILE_THREADS) launch_box(PARAMS_out)\n"
                           "{\n"
                           "    const output_out out = MAKE_out;\n"
                           "    if (get_global_id(0) != 0) return;\n"
                           "    store_out(out, 0, TILE_THREADS);\n"
                           "    store_out(out, 1, TILE_ITEMS);\n"
                           "    store_out(out, 2, OCC);\n"
                           "    store_out(out, 3, P1);\n"
                           "    store_out(out, 4, (int32_t)sizeof(t1));\n"
                           "}\n";

/* A device takes the first row that it fits; its architecture must be at least the row's. Fields that a row leaves out
 * come from a row below. */
static const mcl_tile_row foo_rows[] = {
    { .device = "NVIDIA sm_35", .threads = 256, .items = 15, .parameters = { { "OCC", 3 } } },
    { .device = "NVIDIA sm_30", .threads = 256, .items = 9, .parameters = { { "OCC", 5 } } },
    { .device = "gpu", .threads = 128, .items = 7, .parameters = { { "OCC", 4 } } },
    { .threads = 1, .items = 1000 },
    { .parameters = { { "OCC", 1 }, { "P1", 0 }, { "T1_BYTES", 2 } } },
};
static const mcl_tile_row bar_rows[] = {
    { .device = "NVIDIA sm_35",
      .threads = 256,
      .items = 15,
      .parameters = { { "OCC", 3 }, { "P1", 35 }, { "T1_BYTES", 8 } } },
    { .device = "NVIDIA sm_30",
      .threads = 256,
      .items = 9,
      .parameters = { { "OCC", 5 }, { "P1", 30 }, { "T1_BYTES", 4 } } },
    { .device = "gpu", .threads = 128, .items = 7, .parameters = { { "OCC", 4 } } },
    { .threads = 1, .items = 1000, .parameters = { { "OCC", 1 } } },
    { .parameters = { { "OCC", 1 }, { "P1", 20 }, { "T1_BYTES", 2 } } },
};

static mcl_status launch(mcl_queue *queue, const char *name, const mcl_tile_row *rows, int row_count, int has_more)
{
    int32_t told[NUMBERS] = { 0 };
    mcl_buffer *buffer = NULL;
    mcl_tile tile;
    const mcl_kernel kernel = {
        .name = "launch_box.cl",
        .text = text,
        .passes = { { "launch_box", "out" } },
        .outputs = { { "out", MCL_INT32 } },
        .rows = rows,
        .row_count = row_count,
    };
    mcl_status status = mcl_kernel_tile(queue, &kernel, NULL, &tile);
    if (status == MCL_OK) status = mcl_buffer_create(mcl_queue_context(queue), sizeof told, NULL, &buffer);
    if (status != MCL_OK) return status;
    const mcl_output out = mcl_to_buffer(MCL_INT32, buffer, 0, NUMBERS);
    const mcl_launch all = { .groups = mcl_tile_groups(&tile, LAUNCHED_INPUTS),
                             .arguments = { mcl_argument_output(&out) } };
    status = mcl_kernel_launch(queue, &kernel, &all, 1, NULL, 0, NULL);
    if (status == MCL_OK) status = mcl_buffer_read(queue, buffer, 0, sizeof told, told);
    mcl_buffer_release(buffer);
    if (status != MCL_OK) return status;
    printf("Launching %s with %d inputs:\n", name, LAUNCHED_INPUTS);
    printf("Launch %s<<<%d, %d>>> with NT=%d VT=%d OCC=%d\n", name, (int)all.groups, tile.threads, (int)told[0],
           (int)told[1], (int)told[2]);
    if (has_more) printf("\t\tP1 = %d  sizeof(TT1) = %d\n", (int)told[3], (int)told[4]);
    return MCL_OK;
}

static mcl_status launch_both(const char *device)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_device_info info;
    mcl_status status = mcl_context_create(device, &context);
    if (status == MCL_OK) status = mcl_queue_create(context, 0, &queue);
    if (status == MCL_OK) status = mcl_context_info(context, &info);
    if (status == MCL_OK) {
        printf("%s (%s), %s %s\n\n", info.name, info.id, info.vendor, info.architecture);
        status = launch(queue, "Foo", foo_rows, sizeof foo_rows / sizeof foo_rows[0], 0);
    }
    printf("\n");
    if (status == MCL_OK) status = launch(queue, "Bar", bar_rows, sizeof bar_rows / sizeof bar_rows[0], 1);
    printf("\n");
    mcl_queue_release(queue);
    mcl_context_release(context);
    return status;
}

/* Demonstrates the requested device, or each device where none is requested. */
mcl_status demo_launchbox(demo *at)
{
    int count = 0;
    if (at->device_given) {
        mcl_device_info info;
        DEMO_TRY(mcl_context_info(at->context, &info));
        return launch_both(info.id);
    }
    DEMO_TRY(mcl_device_list(NULL, 0, &count));
    mcl_device_info *const infos = calloc((size_t)count + 1, sizeof *infos);
    mcl_status status = infos ? mcl_device_list(infos, count, &count) : MCL_ERROR_MEMORY;
    for (int k = 0; k < count && status == MCL_OK; ++k) status = launch_both(infos[k].id);
    free(infos);
    return status;
}
