/* validate.c: looks for the first element that breaks a precondition.  Kernels: cl/kernels/validate.cl.
 * Every work-item looks through its own elements and reports the first offender; the host takes the least. */
#include "call/call.h"

#include <stdlib.h>

enum { GROUP_THREADS = 256 };

typedef struct validation {
    const char *function;
    const mcl_input *input;
    mcl__spec spec;
    const mcl_input *offsets; /* intervals: NULL for other searches */
    const mcl_input *work;
    int64_t low;  /* used where the spec has no order; keys: the bits of the two sentinels */
    int64_t high; /* intervals: the room that they have */
} validation;

static mcl__spec describe(const mcl__limits *limits, const mcl_input *input, const mcl_op *before,
                          const mcl_options *options)
{
    const int threads = limits->mapping == MCL_MAPPING_SERIAL ? 1
                        : limits->max_threads < GROUP_THREADS ? limits->max_threads
                                                              : GROUP_THREADS;
    mcl__spec spec = {
        .file = "kernels/validate.cl",
        .kernels = { before ? "first_unsorted" : "first_out_of_range" },
        .tile = { .threads = threads, .items = 1 },
        .index_bits = mcl__index_bits(input->count, options),
        .inputs = { { "a", input } },
        .defines = { { "HAS_ORDER", before != NULL } },
    };
    if (before) {
        spec.ops[0].name = "before";
        spec.ops[0].op = before;
        spec.ops[0].role = MCL__OP_COMPARE;
        spec.ops[0].element = input->type;
    }
    return spec;
}

/* Enough groups to fill the device and to keep each work-item's loop below the device's limit, none without work. */
static int64_t group_count(const mcl_context *context, int64_t count, int threads)
{
    const int64_t useful = mcl__divide_up(count, threads);
    const mcl__limits *const limits = &context->limits;
    int64_t groups = mcl__tuned_a_unit(context, MCL__PARAMETER_any_validate_groups);
    if (limits->loop_budget > 0 && groups < mcl__divide_up(useful, limits->loop_budget))
        groups = mcl__divide_up(useful, limits->loop_budget);
    return groups < useful ? groups : useful;
}

/* The least of what the work-items found; -1 where none found anything. */
static mcl_status read_first(mcl_queue *queue, const char *function, mcl__span found, int64_t count, int64_t *first)
{
    const size_t bytes = (size_t)count * sizeof(int64_t);
    int64_t *positions = malloc(bytes);
    if (!positions)
        return mcl__fail(MCL_ERROR_MEMORY, "%s: validation needs %zu bytes of host memory; expected them to be free",
                         function, bytes);
    const mcl_status status = queue->context->backend->read(queue, found.buffer, found.offset, bytes, positions, 1);
    *first = -1;
    for (int64_t k = 0; status == MCL_OK && k < count; ++k)
        if (positions[k] >= 0 && (*first < 0 || positions[k] < *first)) *first = positions[k];
    free(positions);
    return status;
}

static mcl_status find_first(mcl_queue *queue, const validation *search, const mcl_options *options, int64_t *first)
{
    const mcl__kernels *kernels;
    mcl__args args;
    *first = -1;
    MCL__TRY(mcl__program_get(queue, &search->spec, &kernels));
    if (queue->preparing || search->input->count == 0) return MCL_OK;

    /* The caller's scratch is as large as the call itself needs, and the event is the call's own. */
    const mcl_options own = { .wait = options ? options->wait : NULL, .wait_count = options ? options->wait_count : 0 };
    const int threads = kernels->tile.threads;
    const int64_t groups = group_count(queue->context, search->input->count, threads);
    const size_t bytes = (size_t)(groups * threads) * sizeof(int64_t);
    MCL__TRY(mcl__call_begin(queue, search->function, mcl__scratch_round(bytes), &own));
    const mcl__span found = mcl__scratch_take(queue, bytes);
    mcl__args_start(&args, &search->spec);
    mcl__args_input(&args, search->input);
    if (search->offsets) {
        mcl__args_input(&args, search->offsets);
        mcl__args_input(&args, search->work);
    }
    if (!search->spec.ops[0].op) {
        mcl__args_long(&args, search->low);
        mcl__args_long(&args, search->high);
    }
    mcl__args_span(&args, found);
    MCL__TRY(mcl__launch_groups(queue, kernels, 0, groups, threads, &args));
    MCL__TRY(mcl__call_end(queue, &own));
    return read_first(queue, search->function, found, groups * threads, first);
}

mcl_status mcl__validate_sorted(mcl_queue *queue, const char *function, const char *parameter, const mcl_input *input,
                                const mcl_op *before, const mcl_options *options)
{
    const validation search = { .function = function,
                                .input = input,
                                .spec = describe(&queue->context->limits, input, before, options) };
    int64_t first;
    MCL__TRY(find_first(queue, &search, options, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION, "%s: %s[%lld] sorts before %s[%lld]; expected %s to be sorted", function,
                     parameter, (long long)first, parameter, (long long)first - 1, parameter);
}

mcl_status mcl__validate_increasing(mcl_queue *queue, const char *function, const char *parameter,
                                    const mcl_input *input, const mcl_options *options)
{
    static const mcl_op not_above = { .role = MCL_ROLE_ORDER, .expression = "p <= q" };
    const validation search = { .function = function,
                                .input = input,
                                .spec = describe(&queue->context->limits, input, &not_above, options) };
    int64_t first;
    MCL__TRY(find_first(queue, &search, options, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION,
                     "%s: %s[%lld] is not above %s[%lld]; expected %s to be sorted and without repeats", function,
                     parameter, (long long)first, parameter, (long long)first - 1, parameter);
}

mcl_status mcl__validate_range(mcl_queue *queue, const char *function, const char *parameter, const mcl_input *input,
                               int64_t low, int64_t high, const mcl_options *options)
{
    /* Elements are compared as int64_t: from 2^63 on, unsigned ones are negative and must not fall into the range. */
    const int is_unsigned = input->type->kind == MCL_KIND_UNSIGNED;
    const validation search = { .function = function,
                                .input = input,
                                .spec = describe(&queue->context->limits, input, NULL, options),
                                .low = is_unsigned && low < 0 ? 0 : low,
                                .high = high };
    int64_t first;
    MCL__TRY(find_first(queue, &search, options, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION, "%s: %s[%lld] is out of range; expected %s to be from %lld to %lld",
                     function, parameter, (long long)first, parameter, (long long)low, (long long)high);
}

mcl_status mcl__validate_intervals(mcl_queue *queue, const char *function, const char *parameter,
                                   const mcl_input *starts, const mcl_input *offsets, const mcl_input *work,
                                   const char *target, int64_t room, const mcl_options *options)
{
    mcl_input listed = *starts;
    listed.count = offsets->count;
    validation search = { .function = function,
                          .input = &listed,
                          .spec = describe(&queue->context->limits, &listed, NULL, options),
                          .offsets = offsets,
                          .work = work,
                          .high = room };
    int64_t first;
    search.spec.kernels[0] = "first_outside";
    search.spec.inputs[1].name = "offsets";
    search.spec.inputs[1].input = offsets;
    search.spec.inputs[2].name = "work";
    search.spec.inputs[2].input = work;
    search.spec.defines[1].name = "HAS_INTERVALS";
    search.spec.defines[1].value = 1;
    MCL__TRY(find_first(queue, &search, options, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION,
                     "%s: %s[%lld] starts an interval that is not inside %s; expected all inside the %lld elements",
                     function, parameter, (long long)first, target, (long long)room);
}

mcl_status mcl__validate_keys(mcl_queue *queue, const char *function, const char *parameter, const mcl_input *input,
                              const void *empty, const void *erased, const mcl_options *options)
{
    validation search = { .function = function,
                          .input = input,
                          .spec = describe(&queue->context->limits, input, NULL, options) };
    int64_t first;
    memcpy(&search.low, empty, input->type->size);
    memcpy(&search.high, erased, input->type->size);
    search.spec.kernels[0] = "first_sentinel";
    search.spec.defines[1].name = "KEY_BYTES";
    search.spec.defines[1].value = (int)input->type->size;
    MCL__TRY(find_first(queue, &search, options, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION,
                     "%s: %s[%lld] is a sentinel; expected keys other than the map's empty and erased keys", function,
                     parameter, (long long)first);
}
