/* host_overhead.c: the cost of a warm call on the host, without the time that the driver takes to enqueue it. */
#include "bench.h"
#include "overhead.h"

enum { ELEMENTS = 1000, CALLS = 2000 };

typedef struct overhead_data {
    mcl_queue *queue;
    mcl_buffer *in;
    mcl_buffer *out;
} overhead_data;

typedef mcl_status (*overhead_call)(const overhead_data *data);

static mcl_input elements(const overhead_data *data, int64_t first, int64_t count)
{
    return mcl_from_buffer(MCL_INT32, data->in, first, count);
}

static mcl_output everything(const overhead_data *data)
{
    return mcl_to_buffer(MCL_INT32, data->out, 0, ELEMENTS);
}

static mcl_status call_transform(const overhead_data *data)
{
    return mcl_transform(data->queue, elements(data, 0, ELEMENTS), everything(data), NULL);
}

static mcl_status call_reduce(const overhead_data *data)
{
    return mcl_reduce(data->queue, elements(data, 0, ELEMENTS), MCL_ADD, mcl_to_slot(MCL_INT32, data->out, 0), NULL);
}

static mcl_status call_scan(const overhead_data *data)
{
    return mcl_scan(data->queue, elements(data, 0, ELEMENTS), everything(data), MCL_ADD, MCL_EXCLUSIVE,
                    mcl_to_nowhere(), NULL);
}

static mcl_status call_merge(const overhead_data *data)
{
    return mcl_merge(data->queue, elements(data, 0, ELEMENTS / 2), elements(data, ELEMENTS / 2, ELEMENTS / 2),
                     everything(data), MCL_LESS, NULL);
}

static const struct {
    const char *name;
    overhead_call call;
} calls[] = {
    { "host_overhead_transform", call_transform },
    { "host_overhead_reduce", call_reduce },
    { "host_overhead_scan", call_scan },
    { "host_overhead_merge", call_merge },
};

/* Times a warm call. own receives the time of the call without the driver's part, driver the driver's part. */
static mcl_status time_call(overhead_call call, const overhead_data *data, bench_samples *own, bench_samples *driver)
{
    enum { WARM_UPS = 100, BETWEEN_WAITS = 16 };
    for (int k = -WARM_UPS; k < CALLS; k++) {
        overhead_reset();
        const double start = bench_now();
        mcl_status status = call(data);
        const double whole = bench_now() - start;
        if (status == MCL_OK && k % BETWEEN_WAITS == 0) status = mcl_queue_finish(data->queue);
        if (status != MCL_OK) return status;
        if (k < 0 || k % (CALLS / BENCH_REPS_MAX) != 0) continue;
        const double inside = overhead_driver_ms();
        bench_samples_add(own, whole - inside);
        bench_samples_add(driver, inside);
    }
    return MCL_OK;
}

static mcl_status overhead_rows(bench *b, const overhead_data *data)
{
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        bench_samples own = { .count = 0 };
        bench_samples driver = { .count = 0 };
        const mcl_status status = time_call(calls[k].call, data, &own, &driver);
        if (status != MCL_OK) return status;
        bench_row row = { .op = calls[k].name, .type = "int32", .n = ELEMENTS, .gbps = -1, .copy_ratio = -1 };
        row.median_ms = bench_median(&own);
        row.min_ms = bench_minimum(&own);
        row.peer = "driver";
        row.peer_ms = bench_median(&driver);
        row.peer_source = "same-run";
        bench_report_row(b->report, &row);
    }
    return MCL_OK;
}

/* Times the making and release of a buffer, as for a temporary. With cache_bytes 0 each call asks the driver. */
static mcl_status time_buffers(bench *b, int64_t cache_bytes, bench_samples *samples)
{
    enum { PAIRS = 16, BYTES = 1 << 20 };
    mcl_status status = mcl_context_set_memory_cache(b->context, cache_bytes);
    for (int sample = -1; sample < BENCH_REPS_MAX && status == MCL_OK; sample++) {
        const double start = bench_now();
        for (int k = 0; k < PAIRS && status == MCL_OK; k++) {
            mcl_buffer *buffer = NULL;
            status = mcl_buffer_create(b->context, BYTES, NULL, &buffer);
            mcl_buffer_release(buffer);
        }
        if (sample >= 0) bench_samples_add(samples, (bench_now() - start) / PAIRS);
    }
    return status;
}

static mcl_status buffer_row(bench *b)
{
    bench_samples cached = { .count = 0 };
    bench_samples direct = { .count = 0 };
    mcl_memory_statistics memory;
    mcl_status status = mcl_context_memory(b->context, &memory);
    if (status == MCL_OK) status = time_buffers(b, (int64_t)1 << 24, &cached);
    if (status == MCL_OK) status = time_buffers(b, 0, &direct);
    if (status == MCL_OK) status = mcl_context_set_memory_cache(b->context, memory.cache_capacity);
    if (status != MCL_OK) return status;
    bench_row row = { .op = "host_overhead_buffer", .type = "int32", .n = 1, .gbps = -1, .copy_ratio = -1 };
    row.median_ms = bench_median(&cached);
    row.min_ms = bench_minimum(&cached);
    row.peer = "driver";
    row.peer_ms = bench_median(&direct);
    row.peer_source = "same-run";
    bench_report_row(b->report, &row);
    return MCL_OK;
}

static int overhead_measure(bench *b, const bench_op *op)
{
    overhead_data data = { NULL, NULL, NULL };
    const size_t bytes = ELEMENTS * sizeof(int32_t);
    const int32_t zero = 0;
    mcl_status status = mcl_queue_create(b->context, 0, &data.queue);
    if (status == MCL_OK) status = mcl_buffer_create(b->context, bytes, NULL, &data.in);
    if (status == MCL_OK) status = mcl_buffer_create(b->context, bytes, NULL, &data.out);
    if (status == MCL_OK) status = mcl_buffer_fill(data.queue, data.in, 0, bytes, &zero, sizeof zero);
    if (status == MCL_OK) status = overhead_rows(b, &data);
    if (status == MCL_OK) status = buffer_row(b);
    mcl_buffer_release(data.in);
    mcl_buffer_release(data.out);
    mcl_queue_release(data.queue);
    return status == MCL_OK ? 0 : bench_failed(op->name);
}

const bench_op bench_op_host_overhead = { .name = "host_overhead", .measure = overhead_measure };
