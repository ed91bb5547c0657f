/* merge_unique.c: two launches of merge_unique.cl with a scan of the library's between them. */
#include "merge_unique.h"

#include "merge_unique.cl.h"

enum { PARTITION, COUNT, STORE };

enum { PARTITION_THREADS = 64 }; /* searches diverge, so small groups spread them */

static const mcl_tile_row rows[] = {
    { .device = "gpu", .element_bytes = 4, .threads = 128, .items = 11 },
    { .device = "gpu", .element_bytes = 8, .threads = 128, .items = 7 },
    { .device = "gpu", .threads = 64, .items = 5 },
    { .device = "cpu", .threads = 64, .items = 5 },
    { .threads = 1, .items = 4096 },
};

static mcl_kernel describe(const mcl_type *key, const mcl_input *a, const mcl_input *b, const mcl_op *before)
{
    return (mcl_kernel){
        .name = "merge_unique.cl",
        .text = merge_unique_cl,
        .operation = "merge_unique",
        .passes = { [PARTITION] = { "unique_partition", "env a b split:array splits:index_type", PARTITION_THREADS },
                    [COUNT] = { "unique_count", "env a b out split:array counts:array" },
                    [STORE] = { "unique_store", "env a b out split:array offsets:array limit:index_type" } },
        .types = { { "key", key } },
        .operators = { { "before", MCL_ROLE_ORDER, before, key }, { "fold", MCL_ROLE_FOLD, MCL_ADD, MCL_INT32 } },
        .inputs = { { .name = "a", .form = a }, { .name = "b", .form = b } },
        .outputs = { { "out", key } },
        .defines = { { "PARTITION_THREADS", PARTITION_THREADS } },
        .rows = rows,
        .row_count = sizeof rows / sizeof rows[0],
        .local_bytes = 32 * key->size,
        .local_bytes_per_thread = sizeof(int32_t),
        .local_bytes_per_item = key->size,
        .index_bits = 32,
    };
}

/* The work of one call: its tiles' cuts, and after them counts, which become offsets. */
typedef struct work {
    mcl_queue *queue;
    mcl_kernel kernel;
    mcl_options options;
    int64_t tiles;
    mcl_buffer *buffer;
} work;

static mcl_status run(const work *w, const mcl_input *a, const mcl_input *b, const mcl_output *out, mcl_result count)
{
    const mcl_argument split = mcl_argument_buffer(w->buffer, 0);
    const mcl_argument counts = mcl_argument_buffer(w->buffer, (w->tiles + 1) * (int64_t)sizeof(int32_t));
    const mcl_input counted = mcl_from_buffer(MCL_INT32, w->buffer, w->tiles + 1, w->tiles);
    const mcl_argument in_a = mcl_argument_input(a), in_b = mcl_argument_input(b), to = mcl_argument_output(out);
    const mcl_launch first[] = {
        { PARTITION,
          (w->tiles + PARTITION_THREADS) / PARTITION_THREADS,
          { in_a, in_b, split, mcl_argument_index(w->tiles + 1) } },
        { COUNT, w->tiles, { in_a, in_b, to, split, counts } },
    };
    const mcl_launch second[] = {
        { STORE, w->tiles, { in_a, in_b, to, split, counts, mcl_argument_index(out->capacity) } },
    };
    mcl_status status = mcl_kernel_launch(w->queue, &w->kernel, first, 2, NULL, 0, &w->options);
    if (status == MCL_OK)
        status = mcl_scan(w->queue, counted, mcl_to_buffer(MCL_INT32, w->buffer, w->tiles + 1, w->tiles), MCL_ADD,
                          MCL_EXCLUSIVE, count, NULL);
    if (status == MCL_OK) status = mcl_kernel_launch(w->queue, &w->kernel, second, 1, NULL, 0, &w->options);
    return status;
}

mcl_status merge_unique(mcl_queue *queue, mcl_input a, mcl_input b, mcl_output out, const mcl_op *before,
                        mcl_result count, int tile_threads)
{
    work w = { .queue = queue, .options = { .tile_threads = tile_threads } };
    mcl_tile tile;
    w.kernel = describe(out.type, &a, &b, before);
    mcl_status status = mcl_kernel_tile(queue, &w.kernel, &w.options, &tile);
    if (status != MCL_OK) return status;
    w.tiles = mcl_tile_groups(&tile, a.count + b.count);
    const size_t bytes = (size_t)(2 * w.tiles + 1) * sizeof(int32_t);
    status = mcl_buffer_create(mcl_queue_context(queue), bytes, NULL, &w.buffer);
    if (status == MCL_OK) status = run(&w, &a, &b, &out, count);
    mcl_buffer_release(w.buffer);
    return status;
}
