/* golden_run.c: shared parts of tests of known results on devices. */
#include "golden_run.h"

static const struct {
    int threads;
    int items;
} tiles[RUN_TILES] = { { 0, 0 }, { 32, 3 }, { 1, 7 } };

run run_begin(int round, const char *name)
{
    const test_device *device = test_device_at(round / RUN_TILES);
    const int tile = round % RUN_TILES;

    return (run){
        .context = device->context,
        .queue = device->queue,
        .options = { .tile_threads = tiles[tile].threads, .tile_items = tiles[tile].items },
        .file = golden_open(name),
    };
}

void run_end(run *at)
{
    for (int k = 0; k < at->buffer_count; k++) mcl_buffer_release(at->buffers[k]);
    golden_free(&at->file);
}

mcl_buffer *run_buffer(run *at, const void *data, int count)
{
    ck_assert_int_lt(at->buffer_count, RUN_BUFFERS);
    mcl_buffer **made = &at->buffers[at->buffer_count++];
    test_ok(mcl_buffer_create(at->context, sizeof(int32_t) * (size_t)count, data, made));
    return *made;
}

mcl_input run_input(run *at, const char *label)
{
    const golden_section *section = golden_need(&at->file, label);

    return mcl_from_buffer(MCL_INT32, run_buffer(at, section->ints, section->count), 0, section->count);
}

mcl_output run_output(run *at, int count)
{
    return mcl_to_buffer(MCL_INT32, run_buffer(at, NULL, count), 0, count);
}

void run_read(run *at, mcl_output from, int count, int32_t *numbers)
{
    test_ok(mcl_buffer_read(at->queue, from.buffer, 0, sizeof *numbers * (size_t)count, numbers));
}

void run_expect(run *at, const char *label, mcl_output out)
{
    int32_t numbers[RUN_NUMBERS];
    const int count = (int)out.capacity;

    ck_assert_int_le(count, RUN_NUMBERS);
    run_read(at, out, count, numbers);
    golden_same(&at->file, label, numbers, count);
}
