/* replay.c: the host's cost of a frame of calls when the frame is replayed, and when its calls are made. */
#include "bench.h"

enum { ELEMENTS = 1000, CALLS = 30, WARM_UPS = 20 };

typedef struct replay_data {
    mcl_queue *queue;
    mcl_buffer *in;
    mcl_buffer *out;
    mcl_buffer *slots; /* int64 slots: ELEMENTS, and the counts that the calls store */
    mcl_recording *recording;
} replay_data;

static mcl_input counted(const replay_data *data, mcl_buffer *buffer, int slot)
{
    return mcl_with_count(mcl_from_buffer(MCL_INT32, buffer, 0, ELEMENTS), data->slots, slot);
}

/* Makes call number k of a frame. Six kinds of calls take turns, and their counts are on the device. */
static mcl_status frame_call(const replay_data *data, int k)
{
    static const mcl_op odd = { .role = MCL_ROLE_TEST, .expression = "x & 1" };
    const mcl_input in = counted(data, data->in, 0);
    const mcl_output out = mcl_to_buffer(MCL_INT32, data->out, 0, 2 * ELEMENTS);
    switch (k % 6) {
    case 0:
        return mcl_transform(data->queue, in, out, NULL);
    case 1:
        return mcl_compact(data->queue, in, out, &odd, mcl_to_slot(MCL_INT64, data->slots, 1), NULL);
    case 2:
        return mcl_sort(data->queue, counted(data, data->out, 1), out, MCL_LESS, NULL);
    case 3:
        return mcl_scan(data->queue, in, out, MCL_ADD, MCL_EXCLUSIVE, mcl_to_slot(MCL_INT64, data->slots, 2), NULL);
    case 4:
        return mcl_merge(data->queue, in, in, out, MCL_LESS, NULL);
    default:
        return mcl_reduce(data->queue, in, MCL_ADD, mcl_to_slot(MCL_INT64, data->slots, 3), NULL);
    }
}

static mcl_status frame_calls(const replay_data *data)
{
    mcl_status status = MCL_OK;
    for (int k = 0; k < CALLS && status == MCL_OK; k++) status = frame_call(data, k);
    return status;
}

static mcl_status frame_replay(const replay_data *data)
{
    return mcl_replay(data->queue, data->recording, NULL);
}

/* Times a frame until its last enqueue has returned, on a queue without work. */
static mcl_status time_frame(const replay_data *data, mcl_status (*frame)(const replay_data *), bench_samples *samples)
{
    mcl_status status = MCL_OK;
    for (int k = -WARM_UPS; k < BENCH_REPS_MAX && status == MCL_OK; k++) {
        const double start = bench_now();
        status = frame(data);
        const double taken = bench_now() - start;
        if (status == MCL_OK) status = mcl_queue_finish(data->queue);
        if (k >= 0) bench_samples_add(samples, taken);
    }
    return status;
}

static mcl_status replay_row(bench *b, const replay_data *data)
{
    bench_samples replayed = { .count = 0 };
    bench_samples called = { .count = 0 };
    mcl_status status = time_frame(data, frame_calls, &called);
    if (status == MCL_OK) status = time_frame(data, frame_replay, &replayed);
    if (status != MCL_OK) return status;
    bench_row row = { .op = "replay_30", .type = "int32", .n = ELEMENTS, .gbps = -1, .copy_ratio = -1 };
    row.median_ms = bench_median(&replayed);
    row.min_ms = bench_minimum(&replayed);
    row.peer = "calls";
    row.peer_ms = bench_median(&called);
    row.peer_source = "same-run";
    bench_report_row(b->report, &row);
    return MCL_OK;
}

static mcl_status replay_make(bench *b, replay_data *data)
{
    const int64_t counts[4] = { ELEMENTS };
    int32_t numbers[ELEMENTS];
    mcl_status status = mcl_queue_create(b->context, 0, &data->queue);
    for (int k = 0; k < ELEMENTS; k++) numbers[k] = k;
    if (status == MCL_OK) status = mcl_buffer_create(b->context, sizeof numbers, numbers, &data->in);
    if (status == MCL_OK) status = mcl_buffer_create(b->context, 2 * sizeof numbers, NULL, &data->out);
    if (status == MCL_OK) status = mcl_buffer_create(b->context, sizeof counts, counts, &data->slots);
    if (status == MCL_OK) status = mcl_record_begin(data->queue);
    if (status == MCL_OK) status = frame_calls(data);
    return status == MCL_OK ? mcl_record_end(data->queue, &data->recording) : status;
}

static int replay_measure(bench *b, const bench_op *op)
{
    replay_data data = { NULL, NULL, NULL, NULL, NULL };
    mcl_status status = replay_make(b, &data);
    if (status == MCL_OK) status = replay_row(b, &data);
    mcl_recording_release(data.recording);
    mcl_buffer_release(data.in);
    mcl_buffer_release(data.out);
    mcl_buffer_release(data.slots);
    mcl_queue_release(data.queue);
    return status == MCL_OK ? 0 : bench_failed(op->name);
}

const bench_op bench_op_replay = { .name = "replay_30", .measure = replay_measure };
