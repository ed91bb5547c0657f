/* channels.c: the queues and the device memory of a call, and the jobs that go through them. While one queue copies a
 * chunk to its device, a second one works and a third one copies results back. */
#include "host/host_call.h"

#include <stdlib.h>

/* FIT_TRIES: the most times that a channel's scratch is measured. Each time is for fewer elements, until all of the
 * channel's memory fits. */
enum { FIT_TRIES = 16, SPLITTERS_MOST = 4096, CHUNK_LEAST = 64 };

/* ---- steps of a job ------------------------------------------------------------------------------------------ */

static const mcl__host_columns *source_of(const mcl__host_call *call, mcl__stage stage)
{
    return stage == MCL__STAGE_WHOLE || stage == MCL__STAGE_FIRST ? &call->in : &call->kept;
}

static int is_kept(mcl__stage stage)
{
    return stage == MCL__STAGE_FIRST || stage == MCL__STAGE_AGAIN;
}

unsigned char *mcl__host_element(const mcl__host_call *call, const mcl__host_columns *columns, int c, int64_t index)
{
    const size_t size = columns->types[c]->size;
    if (columns == &call->in && index >= call->second_begin)
        return (unsigned char *)(uintptr_t)call->second + (size_t)(index - call->second_begin) * size;
    return columns->data[c] + (size_t)index * size;
}

static mcl_status upload(const mcl__host_call *call, const mcl__channel *channel, const mcl__host_job *job)
{
    const mcl__host_columns *const from = source_of(call, job->stage);
    for (int c = 0; c < call->column_count; ++c) {
        const size_t size = from->types[c] ? from->types[c]->size : 0;
        size_t at = 0;
        for (int64_t k = 0; k < job->range_count && size > 0; ++k) {
            const mcl__range *const range = &job->ranges[k];
            const size_t bytes = (size_t)range->count * size;
            MCL__TRY(mcl_buffer_write_async(channel->queue, channel->from[c], at, bytes,
                                            mcl__host_element(call, from, c, range->begin), NULL));
            at += bytes;
        }
    }
    return MCL_OK;
}

/* Finds where the splitters cut the sorted elements. */
static mcl_status cut(const mcl__host_call *call, const mcl__channel *channel, int64_t count)
{
    const mcl_type *const type = call->kept.types[0];
    const int64_t splitters = call->splitter_count;
    mcl_input sorted = mcl_from_buffer(type, channel->to[0], 0, count);
    if (call->folds) sorted = mcl_with_count(sorted, channel->found, 0);
    for (int upper = 0; upper < 2; ++upper)
        MCL__TRY(mcl_sorted_search_needles(channel->queue, mcl_from_buffer(type, channel->splitters, 0, splitters),
                                           sorted, upper ? MCL_UPPER : MCL_LOWER,
                                           mcl_to_buffer(MCL_INT64, channel->cuts, upper * splitters, splitters),
                                           call->before, NULL));
    return MCL_OK;
}

/* Copies the first count elements of a job to scratch or to the outputs. */
static mcl_status download(mcl__host_call *call, const mcl__channel *channel, const mcl__host_job *job, int64_t count)
{
    const mcl__host_columns *const to = is_kept(job->stage) ? &call->kept : &call->out;
    const int64_t room = call->out_capacity > call->out_count ? call->out_capacity - call->out_count : 0;
    const mcl__range out = { call->out_count, count < room ? count : room };
    const mcl__range *const ranges = is_kept(job->stage) ? job->ranges : &out;
    const int64_t whole = is_kept(job->stage) ? count : out.count;
    for (int c = 0; c < call->column_count; ++c) {
        const size_t size = to->types[c] ? to->types[c]->size : 0;
        int64_t at = 0;
        for (int64_t k = 0; at < whole && size > 0; ++k) {
            const int64_t left = whole - at, part = ranges[k].count < left ? ranges[k].count : left;
            MCL__TRY(mcl_buffer_read_async(channel->queue, channel->to[c], (size_t)at * size, (size_t)part * size,
                                           to->data[c] + (size_t)ranges[k].begin * size, NULL));
            at += part;
        }
    }
    if (!is_kept(job->stage)) call->out_count += count;
    return MCL_OK;
}

static mcl_status job_begin(mcl__host_call *call, mcl__channel *channel, const mcl__host_job *job)
{
    channel->job = *job;
    channel->is_busy = 1;
    channel->first_count = 0;
    for (int64_t r = 0; r < job->range_count && job->ranges[r].begin < call->second_begin; ++r)
        channel->first_count += job->ranges[r].count;
    MCL__TRY(upload(call, channel, job));
    if (!job->is_copied) MCL__TRY(call->work(call, channel, job->stage, job->count));
    if (job->cuts) MCL__TRY(cut(call, channel, job->count));
    return mcl_queue_flush(channel->queue);
}

static mcl_status job_end(mcl__host_call *call, mcl__channel *channel)
{
    const mcl__host_job *const job = &channel->job;
    int64_t count = job->count;
    if (!channel->is_busy) return MCL_OK;
    channel->is_busy = 0;
    const int64_t room = call->out_capacity - call->out_count;
    const int is_counted = call->folds || (call->large && !is_kept(job->stage));
    if (is_counted) MCL__TRY(mcl_buffer_read(channel->queue, channel->found, 0, sizeof count, &count));
    if (job->found) *job->found = count;
    if (count > channel->capacity && room > channel->capacity) return call->large(call, channel, count);
    MCL__TRY(download(call, channel, job, count));
    if (job->cuts)
        MCL__TRY(mcl_buffer_read_async(channel->queue, channel->cuts, 0,
                                       2 * (size_t)call->splitter_count * sizeof(int64_t), job->cuts, NULL));
    return mcl_queue_flush(channel->queue);
}

mcl_status mcl__channels_give(mcl__host_call *call, const mcl__host_job *job)
{
    mcl__channel *const channel = &call->channels[call->next_channel];
    MCL__TRY(job_end(call, channel));
    call->next_channel = (call->next_channel + 1) % call->channel_count;
    return job_begin(call, channel, job);
}

mcl_status mcl__channels_wait(mcl__host_call *call)
{
    for (int k = 0; k < call->channel_count; ++k)
        MCL__TRY(job_end(call, &call->channels[(call->next_channel + k) % call->channel_count]));
    for (int k = 0; k < call->channel_count; ++k) MCL__TRY(mcl_queue_finish(call->channels[k].queue));
    return MCL_OK;
}

/* ---- memory of a channel ------------------------------------------------------------------------------------- */

static size_t size_at(const mcl__host_columns *columns, int c)
{
    return columns->types[c] ? columns->types[c]->size : 0;
}

static size_t wider(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Return the bytes of an element of column c in a channel's buffers: from_bytes in from, to_bytes in to. to_bytes
 * returns 0 where to is from. */
static size_t from_bytes(const mcl__host_call *call, int c)
{
    const size_t size = wider(size_at(&call->in, c), size_at(&call->kept, c));
    return call->folds ? size : wider(size, size_at(&call->out, c));
}

static size_t to_bytes(const mcl__host_call *call, int c)
{
    return call->folds ? wider(size_at(&call->kept, c), size_at(&call->out, c)) : 0;
}

static void buffers_close(mcl__channel *channel)
{
    for (int c = 0; c < MCL__HOST_COLUMNS_MAX; ++c) {
        if (channel->to[c] != channel->from[c]) mcl_buffer_release(channel->to[c]);
        mcl_buffer_release(channel->from[c]);
        channel->from[c] = channel->to[c] = NULL;
    }
    mcl_buffer_release(channel->splitters);
    mcl_buffer_release(channel->cuts);
    mcl_buffer_release(channel->found);
    channel->splitters = channel->cuts = channel->found = NULL;
}

static mcl_status buffers_open(const mcl__host_call *call, mcl_context *context, int64_t capacity,
                               mcl__channel *channel)
{
    const size_t splitters = (size_t)call->splitters_most;
    channel->capacity = capacity;
    MCL__TRY(mcl_buffer_create(context, splitters * size_at(&call->kept, 0), NULL, &channel->splitters));
    MCL__TRY(mcl_buffer_create(context, splitters * 2 * sizeof(int64_t), NULL, &channel->cuts));
    MCL__TRY(mcl_buffer_create(context, sizeof(int64_t), NULL, &channel->found));
    for (int c = 0; c < call->column_count; ++c) {
        MCL__TRY(mcl_buffer_create(context, (size_t)capacity * from_bytes(call, c), NULL, &channel->from[c]));
        channel->to[c] = channel->from[c];
        if (!call->folds) continue;
        channel->to[c] = NULL;
        MCL__TRY(mcl_buffer_create(context, (size_t)capacity * to_bytes(call, c), NULL, &channel->to[c]));
    }
    return MCL_OK;
}

/* Builds the programs of the jobs, and stores the scratch of the largest job in channel->scratch_bytes. */
static mcl_status prepare(mcl__host_call *call, mcl__channel *channel, mcl_context *context, int is_whole)
{
    mcl__channel preparing = *channel;
    preparing.first_count = channel->capacity / 2;
    MCL__TRY(mcl_queue_create_preparing(context, &preparing.queue));
    const int first = is_whole ? MCL__STAGE_WHOLE : MCL__STAGE_FIRST;
    const int end = is_whole ? MCL__STAGE_WHOLE + 1 : MCL__STAGES;
    mcl_status status = MCL_OK;
    for (int stage = first; stage < end && status == MCL_OK; ++stage)
        status = call->work(call, &preparing, (mcl__stage)stage, channel->capacity);
    call->splitter_count = (int)call->splitters_most;
    if (status == MCL_OK && !is_whole) status = cut(call, &preparing, channel->capacity);
    channel->scratch_bytes = mcl_queue_scratch_peak(preparing.queue);
    mcl_queue_release(preparing.queue);
    return status;
}

/* ---- how many elements fit ----------------------------------------------------------------------------------- */

static size_t row_bytes(const mcl__host_call *call)
{
    size_t bytes = 0;
    for (int c = 0; c < call->column_count; ++c) bytes += from_bytes(call, c) + to_bytes(call, c);
    return bytes;
}

/* Returns the most elements for which every column fits in one buffer of the device. */
static int64_t buffer_most(const mcl__host_call *call, int64_t buffer_bytes)
{
    size_t widest = 1;
    for (int c = 0; c < call->column_count; ++c) widest = wider(widest, wider(from_bytes(call, c), to_bytes(call, c)));
    return buffer_bytes > 0 ? buffer_bytes / (int64_t)widest : call->count;
}

/* The device memory that a channel may use. */
typedef struct limits {
    mcl_context *context;
    int64_t bytes, buffer_bytes;
    int device; /* index of the device in room */
} limits;

/* Makes the buffers of a channel with the largest capacity that fits, together with the scratch of the work. With
 * is_whole the channel must take all elements as one job; a capacity of 0 then means that they do not fit. */
static mcl_status fit(mcl__host_call *call, const limits *of, int is_whole, mcl__channel *channel)
{
    const int64_t row = (int64_t)row_bytes(call), splitter = (int64_t)size_at(&call->kept, 0) + 16;
    const int64_t fixed = call->splitters_most * splitter, most = buffer_most(call, of->buffer_bytes);
    const int64_t wanted = call->count > 1 ? call->count : 1, least = wanted < CHUNK_LEAST ? wanted : CHUNK_LEAST;
    int64_t capacity = (of->bytes - fixed) / 32 * 15 / row, needed = 0;
    if (capacity > most) capacity = most;
    if (capacity > wanted) capacity = wanted;
    for (int tries = 0; tries < FIT_TRIES && capacity >= (is_whole ? wanted : least); ++tries) {
        MCL__TRY(buffers_open(call, of->context, capacity, channel));
        MCL__TRY(prepare(call, channel, of->context, is_whole));
        needed = fixed + capacity * row + (int64_t)channel->scratch_bytes;
        if (needed <= of->bytes && (of->buffer_bytes <= 0 || (int64_t)channel->scratch_bytes <= of->buffer_bytes))
            return MCL_OK;
        buffers_close(channel);
        const double share = (double)of->bytes / (double)needed;
        capacity = (int64_t)((double)capacity * (share < 0.95 ? share * 0.98 : 0.95));
    }
    channel->capacity = 0;
    if (is_whole) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT,
                     "room->devices[%d] has %lld bytes for each of its queues; expected enough for a chunk of %lld "
                     "elements, which take %lld bytes without scratch",
                     of->device, (long long)of->bytes, (long long)least, (long long)(fixed + least * row));
}

/* ---- devices ------------------------------------------------------------------------------------------------- */

/* Finds how much of a device's memory the call may use. */
static mcl_status device_limits(const mcl_host_room *room, int device, limits *out)
{
    const mcl_host_device *const of = &room->devices[device];
    mcl_device_info info;
    mcl_memory_statistics memory;
    int entries = 0;
    MCL__TRY(mcl_context_info(of->context, &info));
    MCL__TRY(mcl_context_memory(of->context, &memory));
    for (int d = 0; d < room->device_count; ++d) entries += room->devices[d].context == of->context;
    /* memory_free was measured when the context was made, so the context's own buffers are subtracted. */
    const int64_t left = info.memory_free - memory.bytes_in_use;
    const int64_t own = info.memory_free < 0 ? info.memory_total / 2 : left > 0 ? left / 4 * 3 : 0;
    *out = (limits){ of->context, of->bytes > 0 ? of->bytes : own / entries, info.memory_max_buffer, device };
    return MCL_OK;
}

/* Adds a channel whose buffers exist already, and makes its queue. Even on failure, mcl__channels_close releases the
 * buffers. */
static mcl_status add_channel(mcl__host_call *call, mcl__channel *made, mcl_context *context)
{
    mcl__channel *const channel = &call->channels[call->channel_count++];
    *channel = *made;
    if (call->capacity == 0 || made->capacity < call->capacity) call->capacity = made->capacity;
    MCL__TRY(mcl_queue_create(context, 0, &channel->queue));
    return mcl_queue_reserve(channel->queue, channel->scratch_bytes);
}

/* Makes the first channel of a device. With is_whole it makes the channel only where all elements fit. */
static mcl_status open_first(mcl__host_call *call, int device, int is_whole)
{
    limits of;
    mcl__channel channel = { 0 };
    MCL__TRY(device_limits(call->room, device, &of));
    if (!is_whole) of.bytes /= MCL__HOST_CHANNELS_A_DEVICE;
    const mcl_status status = fit(call, &of, is_whole, &channel);
    if (status == MCL_OK && channel.capacity > 0) return add_channel(call, &channel, of.context);
    buffers_close(&channel);
    return status;
}

/* Makes another channel of a device, equal to its first. */
static mcl_status open_another(mcl__host_call *call, int device)
{
    mcl_context *const context = call->room->devices[device].context;
    mcl__channel channel = { .scratch_bytes = call->channels[device].scratch_bytes };
    const mcl_status status = buffers_open(call, context, call->channels[device].capacity, &channel);
    if (status == MCL_OK) return add_channel(call, &channel, context);
    buffers_close(&channel);
    return status;
}

/* Stores the number of splitters for which every channel has room in an eighth of its memory. */
static mcl_status find_splitters_most(mcl__host_call *call)
{
    const int64_t bytes = (int64_t)size_at(&call->kept, 0) + 2 * (int64_t)sizeof(int64_t);
    call->splitters_most = SPLITTERS_MOST;
    for (int d = 0; d < call->room->device_count; ++d) {
        limits of;
        MCL__TRY(device_limits(call->room, d, &of));
        const int64_t most = of.bytes / MCL__HOST_CHANNELS_A_DEVICE / 8 / bytes;
        if (most < call->splitters_most) call->splitters_most = most > 1 ? most : 1;
    }
    return MCL_OK;
}

mcl_status mcl__channels_open(mcl__host_call *call)
{
    const int device_count = call->room->device_count;
    call->channels = calloc((size_t)device_count * MCL__HOST_CHANNELS_A_DEVICE, sizeof *call->channels);
    if (!call->channels) return mcl__fail(MCL_ERROR_MEMORY, "host memory for queues is exhausted");
    call->splitters_most = 1;
    MCL__TRY(open_first(call, 0, 1));
    if (call->channel_count > 0) return MCL_OK;
    MCL__TRY(find_splitters_most(call));
    for (int d = 0; d < device_count; ++d) MCL__TRY(open_first(call, d, 0));
    for (int k = device_count; k < device_count * MCL__HOST_CHANNELS_A_DEVICE; ++k)
        MCL__TRY(open_another(call, k % device_count));
    return MCL_OK;
}

void mcl__channels_close(mcl__host_call *call)
{
    for (int k = 0; k < call->channel_count; ++k) {
        mcl_queue_release(call->channels[k].queue); /* waits for the queue's work */
        buffers_close(&call->channels[k]);
    }
    free(call->channels);
    call->channels = NULL;
    call->channel_count = 0;
}
