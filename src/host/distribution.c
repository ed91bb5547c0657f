/* distribution.c: the passes of a distribution sort. Each sorted chunk is cut at the splitters. A bucket consists of
 * the parts of all chunks between the same two splitters. */
#include "host/host_call.h"

#include <stdlib.h>
#include <string.h>

/* The number of splitters per chunk of elements, and of samples per splitter. A bucket consists of neighbouring parts
 * that together fit a channel, so on average half a part's room stays unused. */
enum { SPLITTERS_A_CHUNK = 16, SAMPLES_A_SPLITTER = 16 };

/* A growing list of ranges. */
typedef struct range_list {
    mcl__range *items;
    int64_t length, room;
    int64_t count;        /* number of elements in all ranges */
    int64_t second_begin; /* the call's second_begin: no range has elements of both sides */
} range_list;

/* Adds a range, or extends the last range where the new one begins at its end. The first least ranges belong to earlier
 * chunks and are never extended. */
static mcl_status add_range(range_list *list, int64_t least, int64_t begin, int64_t count)
{
    mcl__range *const last = list->length > least ? &list->items[list->length - 1] : NULL;
    list->count += count;
    if (last && last->begin + last->count == begin && begin != list->second_begin) {
        last->count += count;
        return MCL_OK;
    }
    if (list->length == list->room) {
        const int64_t room = 2 * list->room + 16;
        mcl__range *const items = realloc(list->items, (size_t)room * sizeof *items);
        if (!items) return mcl__fail(MCL_ERROR_MEMORY, "host memory for the ranges of a bucket is exhausted");
        list->items = items;
        list->room = room;
    }
    list->items[list->length++] = (mcl__range){ begin, count };
    return MCL_OK;
}

/* Adds elements [first, end) of the sequence that consists of ranges. */
static mcl_status add_part(range_list *list, const mcl__range *ranges, int64_t first, int64_t end)
{
    for (int64_t at = 0; at < end; at += ranges++->count) {
        const int64_t from = first > at ? first - at : 0, left = end - at;
        const int64_t to = left < ranges->count ? left : ranges->count;
        if (from < to) MCL__TRY(add_range(list, 0, ranges->begin + from, to - from));
    }
    return MCL_OK;
}

/* ---- splitters ----------------------------------------------------------------------------------------------- */

/* Mixes the bits of a number (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Takes one random key from each of count equal shares of the elements. */
static void take_samples(const mcl__host_call *call, const mcl__host_columns *from, const range_list *elements,
                         int64_t count, unsigned char *samples)
{
    const size_t size = from->types[0]->size;
    const int64_t share = elements->count / count, rest = elements->count % count;
    const mcl__range *range = elements->items;
    int64_t begin = 0; /* position in the sequence at which the range begins */
    for (int64_t k = 0; k < count; ++k) {
        const int64_t at = k * share + k * rest / count + (int64_t)(mix((uint64_t)k + 1) % (uint64_t)share);
        while (at >= begin + range->count) begin += range++->count;
        memcpy(samples + (size_t)k * size, mcl__host_element(call, from, 0, range->begin + at - begin), size);
    }
}

static mcl_status sort_samples(const mcl__host_call *call, int64_t count, unsigned char *samples)
{
    const mcl__channel *const channel = &call->channels[0];
    const mcl_type *const type = call->kept.types[0];
    const size_t bytes = (size_t)count * type->size;
    MCL__TRY(mcl_buffer_write(channel->queue, channel->from[0], 0, bytes, samples));
    MCL__TRY(mcl_sort(channel->queue, mcl_from_buffer(type, channel->from[0], 0, count),
                      mcl_to_buffer(type, channel->from[0], 0, count), call->before, NULL));
    return mcl_buffer_read(channel->queue, channel->from[0], 0, bytes, samples);
}

/* Chooses the splitters, and stores them in every channel. samples has room for sample_count keys. No job may be at
 * work. */
static mcl_status choose_splitters(mcl__host_call *call, const mcl__host_columns *from, const range_list *elements,
                                   unsigned char *samples, int64_t sample_count)
{
    const size_t size = from->types[0]->size;
    const int64_t count = call->splitter_count;
    take_samples(call, from, elements, sample_count, samples);
    MCL__TRY(sort_samples(call, sample_count, samples));
    for (int64_t k = 0; k < count; ++k)
        memmove(samples + (size_t)k * size, samples + (size_t)((k + 1) * sample_count / (count + 1)) * size, size);
    for (int k = 0; k < call->channel_count; ++k)
        MCL__TRY(
            mcl_buffer_write(call->channels[k].queue, call->channels[k].splitters, 0, (size_t)count * size, samples));
    return MCL_OK;
}

/* Returns the number of samples for count elements, and stores the number of splitters. */
static int64_t plan_splitters(mcl__host_call *call, int64_t count)
{
    const int64_t wanted = SPLITTERS_A_CHUNK * (count / call->capacity + 1);
    int64_t splitters = wanted < call->splitters_most ? wanted : call->splitters_most;
    int64_t samples = splitters * SAMPLES_A_SPLITTER;
    if (samples > call->capacity) samples = call->capacity;
    if (samples > count) samples = count;
    if (splitters > samples / 2) splitters = samples / 2 > 1 ? samples / 2 : 1;
    call->splitter_count = (int)splitters;
    return samples;
}

/* ---- chunks -------------------------------------------------------------------------------------------------- */

/* The chunks of the elements. Each chunk is sorted, then cut. */
typedef struct chunk_list {
    int64_t count;
    range_list ranges; /* ranges of all chunks, in the order of chunks */
    int64_t *first;    /* first range of each chunk */
    int64_t *found;    /* number of elements of each chunk after its job */
    int64_t *cuts;     /* [chunk][2 * splitters]: cuts that the jobs have found */
    int64_t *bounds;   /* [chunk][bound_count]: beginning of each part, and the end of the last. Parts alternate: keys
                        * between two splitters, keys equal to a splitter */
    int64_t bound_count;
} chunk_list;

static void chunks_free(chunk_list *chunks)
{
    free(chunks->ranges.items);
    free(chunks->first);
    free(chunks->found);
    free(chunks->cuts);
    free(chunks->bounds);
}

static mcl_status chunks_make(const mcl__host_call *call, const range_list *elements, chunk_list *chunks)
{
    const size_t sides = call->second_begin < call->count ? 2 : 1;
    const size_t count = (size_t)((elements->count + call->capacity - 1) / call->capacity) + sides - 1;
    const size_t splitters = (size_t)call->splitter_count;
    chunks->count = (int64_t)count;
    chunks->ranges.second_begin = call->second_begin;
    chunks->bound_count = 2 * (int64_t)splitters + 2;
    chunks->first = calloc(count + 1, sizeof *chunks->first);
    chunks->found = calloc(count, sizeof *chunks->found);
    chunks->cuts = calloc(count, 2 * splitters * sizeof *chunks->cuts);
    chunks->bounds = calloc(count, (2 * splitters + 2) * sizeof *chunks->bounds);
    if (chunks->first && chunks->found && chunks->cuts && chunks->bounds) return MCL_OK;
    return mcl__fail(MCL_ERROR_MEMORY, "host memory for the cuts of %zu chunks is exhausted", count);
}

/* Cuts the elements into chunks of the channels' capacity. A chunk has elements of only one side. The last chunk may be
 * empty. */
static mcl_status cut_into_chunks(const mcl__host_call *call, const range_list *elements, chunk_list *chunks)
{
    const mcl__range *range = elements->items, *const end = range + elements->length;
    int64_t used = 0; /* number of elements of range that chunks have already */
    for (int64_t chunk = 0; chunk < chunks->count; ++chunk) {
        int64_t left = call->capacity;
        chunks->first[chunk] = chunks->ranges.length;
        const int is_second = range < end && range->begin >= call->second_begin;
        while (left > 0 && range < end && (range->begin >= call->second_begin) == is_second) {
            const int64_t rest = range->count - used, part = rest < left ? rest : left;
            MCL__TRY(add_range(&chunks->ranges, chunks->first[chunk], range->begin + used, part));
            left -= part;
            used = part == rest ? 0 : used + part;
            range += part == rest;
        }
    }
    chunks->first[chunks->count] = chunks->ranges.length;
    return MCL_OK;
}

/* Makes bounds from the cuts. If the caller's order contradicts itself, cuts may cross, so bounds are forced to
 * ascend. */
static void find_bounds(const mcl__host_call *call, chunk_list *chunks)
{
    const int64_t splitters = call->splitter_count;
    for (int64_t chunk = 0; chunk < chunks->count; ++chunk) {
        const int64_t *const lower = chunks->cuts + chunk * 2 * splitters, *const upper = lower + splitters;
        int64_t *const bounds = chunks->bounds + chunk * chunks->bound_count, found = chunks->found[chunk], last = 0;
        for (int64_t k = 0; k < 2 * splitters; ++k) {
            const int64_t low = lower[k / 2] < upper[k / 2] ? lower[k / 2] : upper[k / 2];
            const int64_t high = lower[k / 2] < upper[k / 2] ? upper[k / 2] : lower[k / 2];
            const int64_t bound = k % 2 == 0 ? low : high;
            if (bound > last) last = bound < found ? bound : found;
            bounds[k + 1] = last;
        }
        bounds[chunks->bound_count - 1] = found;
    }
}

/* Sorts the elements in chunks, and cuts each chunk. Afterwards all chunks are in scratch. */
static mcl_status sort_chunks(mcl__host_call *call, mcl__stage stage, const range_list *elements, chunk_list *chunks)
{
    const int64_t sample_count = plan_splitters(call, elements->count);
    const mcl__host_columns *const from = stage == MCL__STAGE_FIRST ? &call->in : &call->kept;
    MCL__TRY(mcl__channels_wait(call));
    unsigned char *const samples = malloc((size_t)sample_count * from->types[0]->size);
    if (!samples) return mcl__fail(MCL_ERROR_MEMORY, "host memory for samples is exhausted");
    mcl_status status = choose_splitters(call, from, elements, samples, sample_count);
    free(samples);
    if (status == MCL_OK) status = chunks_make(call, elements, chunks);
    if (status == MCL_OK) status = cut_into_chunks(call, elements, chunks);
    for (int64_t k = 0; k < chunks->count && status == MCL_OK; ++k) {
        mcl__host_job job = { .stage = stage,
                              .ranges = chunks->ranges.items + chunks->first[k],
                              .range_count = chunks->first[k + 1] - chunks->first[k],
                              .cuts = chunks->cuts + k * 2 * call->splitter_count,
                              .found = &chunks->found[k] };
        for (int64_t r = 0; r < job.range_count; ++r) job.count += job.ranges[r].count;
        if (job.count > 0) status = mcl__channels_give(call, &job);
    }
    if (status == MCL_OK) status = mcl__channels_wait(call);
    if (status == MCL_OK) find_bounds(call, chunks);
    return status;
}

/* ---- buckets ------------------------------------------------------------------------------------------------- */

/* Lists the ranges of parts [first, end) of all chunks as one bucket. */
static mcl_status gather_bucket(const chunk_list *chunks, int64_t first, int64_t end, range_list *bucket)
{
    bucket->length = bucket->count = 0;
    for (int64_t chunk = 0; chunk < chunks->count; ++chunk) {
        const int64_t *const bounds = chunks->bounds + chunk * chunks->bound_count;
        MCL__TRY(add_part(bucket, chunks->ranges.items + chunks->first[chunk], bounds[first], bounds[end]));
    }
    return MCL_OK;
}

/* Returns the end of the bucket that begins with part first. The bucket has as many parts as fit, but at least one. */
static int64_t end_of_bucket(const mcl__host_call *call, const chunk_list *chunks, int64_t first)
{
    int64_t end = first, count = 0;
    for (;;) {
        for (int64_t chunk = 0; chunk < chunks->count; ++chunk) {
            const int64_t *const bounds = chunks->bounds + chunk * chunks->bound_count;
            count += bounds[end + 1] - bounds[end];
        }
        if (end > first && count > call->capacity) return end;
        if (++end == chunks->bound_count - 1) return end;
    }
}

/* Copies sorted elements to the outputs. */
static mcl_status copy_bucket(mcl__host_call *call, const range_list *bucket)
{
    for (int64_t r = 0; r < bucket->length; ++r) {
        const int64_t end = bucket->items[r].begin + bucket->items[r].count;
        for (int64_t at = bucket->items[r].begin; at < end; at += call->capacity) {
            const mcl__range range = { at, end - at < call->capacity ? end - at : call->capacity };
            const mcl__host_job job = {
                .stage = MCL__STAGE_LAST, .ranges = &range, .range_count = 1, .count = range.count, .is_copied = 1
            };
            MCL__TRY(mcl__channels_give(call, &job));
        }
    }
    return MCL_OK;
}

static mcl_status sort_bucket(mcl__host_call *call, const range_list *bucket)
{
    const mcl__host_job job = {
        .stage = MCL__STAGE_LAST, .ranges = bucket->items, .range_count = bucket->length, .count = bucket->count
    };
    return mcl__channels_give(call, &job);
}

static mcl_status give_equal(mcl__host_call *call, const range_list *bucket)
{
    MCL__TRY(mcl__channels_wait(call));
    return call->equal(call, bucket->items, bucket->length);
}

/* Brings elements to the outputs through scratch, one bucket at a time. If a bucket has all distributed elements, the
 * order contradicts itself, and the bucket is treated like equal keys. */
static mcl_status distribute(mcl__host_call *call, mcl__stage stage, const range_list *elements)
{
    chunk_list chunks = { 0 };
    range_list bucket = { .second_begin = call->second_begin };
    mcl_status status = sort_chunks(call, stage, elements, &chunks);
    for (int64_t first = 0, end; first < chunks.bound_count - 1 && status == MCL_OK; first = end) {
        end = end_of_bucket(call, &chunks, first);
        status = gather_bucket(&chunks, first, end, &bucket);
        if (status != MCL_OK || bucket.count == 0) continue;
        const int is_equal = first % 2 == 1 && end == first + 1;
        if (bucket.count <= call->capacity)
            status = sort_bucket(call, &bucket);
        else if (!call->folds && (is_equal || bucket.count == elements->count))
            status = call->equal ? give_equal(call, &bucket) : copy_bucket(call, &bucket);
        else
            status = distribute(call, MCL__STAGE_AGAIN, &bucket);
    }
    if (status != MCL_OK) mcl__channels_close(call); /* copies to chunks.cuts may still be running */
    free(bucket.items);
    chunks_free(&chunks);
    return status;
}

mcl_status mcl__distribute(mcl__host_call *call)
{
    mcl__range sides[2] = { { 0, call->second_begin }, { call->second_begin, call->count - call->second_begin } };
    const int first = sides[0].count == 0, length = first || sides[1].count == 0 ? 1 : 2;
    const range_list elements = { .items = sides + first, .length = length, .count = call->count };
    const mcl__host_job whole = {
        .stage = MCL__STAGE_WHOLE, .ranges = elements.items, .range_count = length, .count = call->count
    };
    if (call->count == 0) return MCL_OK;
    MCL__TRY(call->count <= call->capacity ? mcl__channels_give(call, &whole)
                                           : distribute(call, MCL__STAGE_FIRST, &elements));
    return mcl__channels_wait(call);
}
