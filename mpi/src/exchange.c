/* exchange.c: functions that all calls share: the order of queues, phases, checks, scratch buffers, small exchanges. */
#define _POSIX_C_SOURCE 200809L /* needed for clock_gettime */

#include "ranks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the order of queues ----------------------------------------------------------------------------------- */

mcl_status mcl__follow(mcl_queue *queue, mcl_queue *other)
{
    mcl_event *before = NULL;
    mcl_status status = mcl_event_record(other, &before);
    MCL__THEN(status, mcl_queue_wait(queue, &before, 1));
    mcl_event_release(before);
    return status;
}

mcl_status mcl__exchange_begin(mcl_mpi *mpi)
{
    return mpi->exchange_queue ? mcl__follow(mpi->exchange_queue, mpi->queue) : MCL_OK;
}

mcl_status mcl__exchange_end(mcl_mpi *mpi)
{
    return mpi->exchange_queue ? mcl__follow(mpi->queue, mpi->exchange_queue) : MCL_OK;
}

/* ---- phases ------------------------------------------------------------------------------------------------ */

mcl_status mcl_mpi_time_phases(mcl_mpi *mpi, int on)
{
    if (!mpi) return mcl__fail_alone(MCL_ERROR_ARGUMENT, "mcl_mpi_time_phases: mpi is NULL");
    mpi->times_phases = on != 0;
    return MCL_OK;
}

static double seconds_now(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

void mcl__phases_begin(mcl_mpi *mpi)
{
    if (!mpi->times_phases) return;
    mcl_queue_finish(mpi->queue);
    for (int k = 0; k < MCL_MPI_PHASES; ++k) mpi->milliseconds[k] = 0;
    mpi->phase_start = seconds_now();
}

void mcl__phase_end(mcl_mpi *mpi, mcl_mpi_phase phase)
{
    if (!mpi->times_phases) return;
    mcl_queue_finish(mpi->queue);
    const double now = seconds_now();
    mpi->milliseconds[phase] += (now - mpi->phase_start) * 1000;
    mpi->phase_start = now;
}

mcl_status mcl__leave(mcl_mpi *mpi, mcl_status status)
{
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    return status;
}

/* ---- checks ------------------------------------------------------------------------------------------------ */

mcl_status mcl__check_options(mcl_mpi *mpi, const mcl_options *options)
{
    if (!options) return MCL_OK;
    const int has_events = options->wait || options->wait_count || options->done || options->driver_wait ||
                           options->driver_wait_count || options->driver_done;
    if (has_events) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "options have events; expected none");
    if (options->scratch) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "options->scratch is given; expected NULL");
    if (options->first_bit || options->end_bit)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "options->first_bit or end_bit is given; expected 0");
    return MCL_OK;
}

mcl_options mcl__own_options(const mcl_options *options)
{
    if (!options) return (mcl_options){ 0 };
    return (mcl_options){ .flags = options->flags & ~(unsigned)MCL_UNORDERED,
                          .tile_threads = options->tile_threads,
                          .tile_items = options->tile_items,
                          .sort_method = options->sort_method };
}

static int64_t number_in(const mcl_type *type, const void *bytes)
{
    int32_t narrow;
    uint32_t natural;
    int64_t wide;
    memcpy(&narrow, bytes, sizeof narrow);
    memcpy(&natural, bytes, sizeof natural);
    memcpy(&wide, bytes, sizeof wide);
    if (type->size == 8) return wide;
    return type->kind == MCL_KIND_SIGNED ? (int64_t)narrow : (int64_t)natural;
}

mcl_status mcl__settle_count(mcl_mpi *mpi, mcl_input *in)
{
    if (in->count < 0)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "an input's count is %lld; expected 0 or more",
                           (long long)in->count);
    if (!in->type) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "an input's type is NULL");
    if (!in->count_slot) return MCL_OK;
    const mcl_type *const type = in->count_slot_type ? in->count_slot_type : MCL_INT64;
    if (type->kind == MCL_KIND_STRUCT || type->kind == MCL_KIND_FLOAT || type->size < 4)
        return mcl__refuse(mpi, MCL_ERROR_TYPE,
                           "an input's count slot is %s; expected MCL_INT32, MCL_UINT32 or MCL_INT64", type->name);
    if (in->count_slot_index < 0)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "an input's count slot has a negative index");
    unsigned char bytes[8] = { 0 };
    const mcl_status status =
        mcl_buffer_read(mpi->queue, in->count_slot, (size_t)in->count_slot_index * type->size, type->size, bytes);
    if (status != MCL_OK) return status;
    const int64_t count = number_in(type, bytes);
    if (count < in->count) in->count = count < 0 ? 0 : count;
    in->count_slot = NULL;
    return MCL_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

mcl_status mcl__room_of(mcl_mpi *mpi, mcl__room room, int64_t bytes, mcl_buffer **out)
{
    mcl_buffer **const at = &mpi->rooms[room];
    *out = *at;
    if (*at && mcl_buffer_bytes(*at) >= (size_t)bytes) return MCL_OK;
    mcl_buffer_release(*at);
    *at = *out = NULL;
    const mcl_status status = mcl_buffer_create(mpi->context, bytes > 0 ? (size_t)bytes : 1, NULL, at);
    *out = *at;
    return status;
}

mcl_status mcl__array(mcl_mpi *mpi, int64_t count, size_t bytes, void *out)
{
    void *const made = calloc((size_t)(count > 0 ? count : 1), bytes);
    memcpy(out, &made, sizeof made);
    if (made) return MCL_OK;
    return mcl__refuse(mpi, MCL_ERROR_MEMORY, "no host memory for %lld bytes", (long long)count * (long long)bytes);
}

mcl_status mcl__store_input(mcl_mpi *mpi, mcl__room room, mcl_input *in)
{
    const int64_t size = (int64_t)in->type->size;
    if (in->buffer) {
        const int64_t bytes = (int64_t)mcl_buffer_bytes(in->buffer);
        if (in->offset < 0 || in->offset > bytes / size || in->count > bytes / size - in->offset)
            return mcl__refuse(mpi, MCL_ERROR_ARGUMENT,
                               "an input is elements %lld to %lld of a buffer; expected a range of its %lld bytes",
                               (long long)in->offset, (long long)(in->offset + in->count), (long long)bytes);
        return MCL_OK;
    }
    mcl_buffer *stored = NULL;
    mcl_status status = mcl__room_of(mpi, room, in->count * size, &stored);
    MCL__THEN(status, mcl_transform(mpi->queue, *in, mcl_to_buffer(in->type, stored, 0, in->count), NULL));
    *in = mcl_from_buffer(in->type, stored, 0, in->count);
    return status;
}

mcl_status mcl__fetch(mcl_mpi *mpi, const mcl_input *in, const int64_t *at, int64_t count, mcl_buffer *out)
{
    mcl_buffer *numbers = NULL;
    if (count == 0) return MCL_OK;
    mcl_status status = mcl__room_of(mpi, ROOM_NUMBERS, count * 8, &numbers);
    MCL__THEN(status, mcl_buffer_write(mpi->queue, numbers, 0, (size_t)count * 8, at));
    MCL__THEN(status, mcl_join_gather(mpi->queue, mcl_from_buffer(MCL_INT64, numbers, 0, count), *in, NULL,
                                      mcl_to_buffer(in->type, out, 0, count), NULL));
    return status;
}

/* Returns the remainder of a hash. The hash is the finaliser of SplitMix64 (S. Vigna, 2015). */
int64_t mcl__hashed_below(uint64_t x, int64_t limit)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (int64_t)((x ^ x >> 31) % (uint64_t)limit);
}

mcl_status mcl__check_output(mcl_mpi *mpi, mcl_output out, const mcl_type *type, int64_t count, const char *name)
{
    if (count == 0) return MCL_OK;
    if (!out.type || !out.buffer) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "%s is not given", name);
    if (!out.type->name || !type->name || strcmp(out.type->name, type->name) != 0 || out.type->size != type->size)
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "%s is of %s; expected %s", name,
                           out.type->name ? out.type->name : "no type", type->name ? type->name : "a type");
    if (out.capacity < count)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "%s has room for %lld elements; expected %lld, the rank's share",
                           name, (long long)out.capacity, (long long)count);
    const int64_t size = (int64_t)type->size, room = (int64_t)mcl_buffer_bytes(out.buffer) / size;
    if (out.offset < 0 || out.offset > room || count > room - out.offset)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT,
                           "%s begins at element %lld of a buffer; expected %lld elements there", name,
                           (long long)out.offset, (long long)count);
    return MCL_OK;
}

mcl_status mcl__check_apart(mcl_mpi *mpi, const mcl_input *in, mcl_output out, int64_t count)
{
    const int apart = in->buffer != out.buffer || in->count == 0 || count == 0 ||
                      in->offset + in->count <= out.offset || out.offset + count <= in->offset;
    if (apart) return MCL_OK;
    return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "out overlaps what is read");
}

/* ---- small exchanges --------------------------------------------------------------------------------------- */

mcl_status mcl__gather_edges(mcl_mpi *mpi, const void *mine, void *all, size_t bytes)
{
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    const mcl_status status = mcl__gather_all(mpi, mine, all, bytes);
    mcl__phase_end(mpi, MCL_MPI_EXCHANGE);
    return status;
}

mcl_status mcl__count_whole(mcl_mpi *mpi, int64_t count, mcl__whole *out)
{
    *out = (mcl__whole){ NULL, 0, 0 };
    mcl_status status = mcl__array(mpi, mpi->size, sizeof count, &out->counts);
    status = mcl__agree(mpi, status);
    MCL__THEN(status, mcl__gather_all(mpi, &count, out->counts, sizeof count));
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        if (r < mpi->rank) out->first += out->counts[r];
        out->total += out->counts[r];
    }
    return status;
}

mcl_status mcl__store_number(mcl_mpi *mpi, int64_t number, mcl_result result)
{
    if (!result.host && !result.buffer) return MCL_OK;
    const mcl_type *const type = result.type;
    if (type != MCL_INT32 && type != MCL_UINT32 && type != MCL_INT64)
        return mcl__refuse(mpi, MCL_ERROR_TYPE, "count is %s; expected MCL_INT32, MCL_UINT32 or MCL_INT64",
                           type && type->name ? type->name : "of no type");
    const int64_t most = type == MCL_INT64 ? INT64_MAX : type == MCL_INT32 ? (int64_t)INT32_MAX : (int64_t)UINT32_MAX;
    const int64_t wide = number < most ? number : most;
    const uint32_t narrow = (uint32_t)wide;
    const void *const bytes = type == MCL_INT64 ? (const void *)&wide : (const void *)&narrow;
    if (result.host) memcpy(result.host, bytes, type->size);
    if (!result.buffer) return MCL_OK;
    return mcl_transform(mpi->queue, mcl_from_constant(type, bytes, 1),
                         mcl_to_buffer(type, result.buffer, result.offset, 1), NULL);
}

mcl_status mcl__store_counts(mcl_mpi *mpi, int64_t kept, mcl_result count, mcl_result whole)
{
    int64_t all = kept;
    mcl_status status = mcl__add_all(mpi, &all, 1);
    MCL__THEN(status, mcl__store_number(mpi, kept, count));
    MCL__THEN(status, mcl__store_number(mpi, all, whole));
    return status;
}
