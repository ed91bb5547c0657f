/* check_options.c: checks a call's options. */
#include "call/check/check.h"

/* The largest number of elements per work-item, under the serial and under the group mapping. Where mcl__index_bits
 * returns 32, positions up to a tile past the end must fit 32 bits. */
enum { TILE_ITEMS_MAX = 1 << 24, GROUP_ITEMS_MAX = 31 };

static mcl_status check_tile(const mcl__limits *limits, const mcl_options *options)
{
    const int threads = options->tile_threads;
    const int items = options->tile_items;
    const int is_group = threads > 1 || (threads == 0 && limits->mapping == MCL_MAPPING_GROUP);
    const int items_max = is_group ? GROUP_ITEMS_MAX : TILE_ITEMS_MAX;
    if (threads < 0 || threads > limits->max_threads)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->tile_threads is %d; expected 0 to %d, the device's largest work-group", threads,
                         limits->max_threads);
    if (is_group && limits->loses_barriers)
        return mcl__fail(
            MCL_ERROR_UNSUPPORTED,
            "options->tile_threads is %d; expected 0 or 1, since the device's compiler makes wrong code of "
            "kernels with barriers now and then",
            threads);
    if (items < 0 || items > items_max)
        return mcl__fail(MCL_ERROR_ARGUMENT, "options->tile_items is %d; expected 0 to %d under the %s mapping", items,
                         items_max, is_group ? "group" : "serial");
    return MCL_OK;
}

static mcl_status check_wait_list(const mcl_context *context, const mcl_options *options)
{
    if (options->wait_count < 0 || (options->wait_count > 0 && !options->wait))
        return mcl__fail(
            MCL_ERROR_ARGUMENT,
            "options->wait_count is %d and options->wait is %s; expected as many events as wait_count says",
            options->wait_count, options->wait ? "given" : "NULL");
    for (int k = 0; k < options->wait_count; ++k) {
        const mcl_event *event = options->wait[k];
        if (!event) return mcl__fail(MCL_ERROR_ARGUMENT, "options->wait[%d] is NULL; expected an event", k);
        if (event->context != context)
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "options->wait[%d] is an event of another context; expected one of the queue's context",
                             k);
    }
    return MCL_OK;
}

static mcl_status check_driver_events(const mcl_context *context, const mcl_options *options)
{
    if (options->driver_wait_count < 0 || (options->driver_wait_count > 0 && !options->driver_wait))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->driver_wait_count is %d and options->driver_wait is %s; expected as many events as "
                         "driver_wait_count says",
                         options->driver_wait_count, options->driver_wait ? "given" : "NULL");
    for (int k = 0; k < options->driver_wait_count; ++k)
        if (!options->driver_wait[k])
            return mcl__fail(MCL_ERROR_ARGUMENT, "options->driver_wait[%d] is NULL; expected an event", k);
    if (options->driver_done && context->backend->records_given_event && !*options->driver_done)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->driver_done points to NULL; expected a CUevent, which the call records");
    return MCL_OK;
}

static mcl_status check_scratch(const mcl_context *context, const mcl_options *options)
{
    const mcl_buffer *buffer = options->scratch;
    if (!buffer && options->scratch_bytes == 0) return MCL_OK;
    if (!buffer)
        return mcl__fail(MCL_ERROR_ARGUMENT, "options->scratch is NULL with scratch_bytes %zu; expected a buffer",
                         options->scratch_bytes);
    if (buffer->context != context)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->scratch is a buffer of another context; expected one of the queue's context");
    if (buffer->refused)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->scratch is a buffer that kernels may not both read and write; expected a buffer "
                         "with CL_MEM_READ_WRITE");
    if (buffer->origin % MCL_VALUE_BYTES_MAX) /* MCL_VALUE_BYTES_MAX is the largest alignment of an element */
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->scratch is a buffer at an address that is no multiple of %d; expected a "
                         "multiple",
                         MCL_VALUE_BYTES_MAX);
    if (options->scratch_offset % MCL__SCRATCH_ALIGNMENT)
        return mcl__fail(MCL_ERROR_ARGUMENT, "options->scratch_offset is %zu; expected a multiple of %d",
                         options->scratch_offset, MCL__SCRATCH_ALIGNMENT);
    if (!mcl__buffer_holds(buffer, options->scratch_offset, options->scratch_bytes))
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "options->scratch_offset is %zu and scratch_bytes %zu; expected a range inside the "
                         "scratch buffer of %zu bytes",
                         options->scratch_offset, options->scratch_bytes, buffer->bytes);
    return MCL_OK;
}

/* Refuses an option that is set but that the call does not take. */
static mcl_status check_taken(const mcl_options *options, unsigned takes)
{
    const struct {
        unsigned taken_by;
        int is_set;
        const char *name;
    } list[] = {
        { MCL__TAKES_UNIQUE_KEYS, mcl__wants(options, MCL_UNIQUE_KEYS), "flags has MCL_UNIQUE_KEYS" },
        { MCL__TAKES_UNORDERED | MCL__TAKES_ANY_ORDER, mcl__wants(options, MCL_UNORDERED), "flags has MCL_UNORDERED" },
        { MCL__TAKES_INITIAL, options->initial != NULL, "initial is given" },
        { MCL__TAKES_SORT_METHOD, options->sort_method != MCL_SORT_AUTO, "sort_method is given" },
        { MCL__TAKES_SORT_BITS, options->first_bit != 0 || options->end_bit != 0, "first_bit or end_bit is given" },
        { MCL__TAKES_PASSES, options->passes != 0, "passes is given" },
        { MCL__TAKES_APPEND, options->append != MCL_APPEND_AUTO || options->append_width != 0,
          "append or append_width is given" },
    };
    /* With MCL_UNORDERED these calls append to lists. So they take append and append_width. */
    const int fills = (takes & MCL__TAKES_UNORDERED) && mcl__wants(options, MCL_UNORDERED);
    const unsigned taken = fills ? takes | MCL__TAKES_APPEND : takes;
    for (size_t k = 0; k < sizeof list / sizeof list[0]; ++k)
        if (list[k].is_set && !(taken & list[k].taken_by))
            return mcl__fail(MCL_ERROR_ARGUMENT,
                             "options->%s; expected none, since this call does not take that option", list[k].name);
    return MCL_OK;
}

/* Refuses options that a recorded call may not have. */
static mcl_status check_recorded(const mcl_queue *queue, const mcl_options *options)
{
    if (options->wait_count > 0)
        return mcl__check_unrecorded(queue, "options->wait", "none: mcl_replay takes events to wait for");
    if (options->done) return mcl__check_unrecorded(queue, "options->done", "none: mcl_replay gives an event");
    if (options->driver_wait_count > 0 || options->driver_done)
        return mcl__check_unrecorded(queue, "an event of the driver's own", "none: mcl_replay takes and gives them");
    if (mcl__wants(options, MCL_VALIDATE))
        return mcl__check_unrecorded(queue, "MCL_VALIDATE, which waits,", "options->flags without it");
    return MCL_OK;
}

mcl_status mcl__check_options(const mcl_queue *queue, const mcl_options *options, unsigned takes)
{
    static const unsigned known_flags =
        MCL_DETERMINISTIC | MCL_VALIDATE | MCL_INDEX_64 | MCL_UNIQUE_KEYS | MCL_UNORDERED | MCL_REPRODUCIBLE;
    if (!options) return MCL_OK;
    if (options->size != 0 && options->size != sizeof *options)
        return mcl__fail(MCL_ERROR_ARGUMENT, "options->size is %u; expected 0, or %zu in this version of the library",
                         options->size, sizeof *options);
    if (options->flags & ~known_flags)
        return mcl__fail(
            MCL_ERROR_ARGUMENT,
            "options->flags is 0x%x; expected a combination of MCL_DETERMINISTIC, MCL_VALIDATE, MCL_INDEX_64, "
            "MCL_UNIQUE_KEYS, MCL_UNORDERED and MCL_REPRODUCIBLE",
            options->flags);
    MCL__TRY(check_taken(options, takes));
    if (options->passes < 0 || options->passes > 2)
        return mcl__fail(MCL_ERROR_ARGUMENT, "options->passes is %d; expected 0, 1 or 2", options->passes);
    MCL__TRY(check_tile(&queue->context->limits, options));
    MCL__TRY(check_wait_list(queue->context, options));
    MCL__TRY(check_driver_events(queue->context, options));
    MCL__TRY(check_recorded(queue, options));
    return check_scratch(queue->context, options);
}
