/* validate.c: looks for the first element that breaks a precondition. Its kernel is in cl/kernels/device/validate.cl.
 * Every work-item tests its own elements and stores the index of the first wrong one. The host takes the least
 * index. */
#include "call/call.h"

#include <stdlib.h>

enum { GROUP_THREADS = 256 };
enum { A = 1, BEFORE, OFFSETS, WORK }; /* operands */
enum { FOUND };                        /* the scratch array: the index that each work-item found */
enum { LOW, HIGH };                    /* scalars */

static const mcl__declaration validation = {
    .file = "kernels/device/validate.cl",
    .operands =
        (mcl__operands){
            [A] = { "a", .kind = MCL__INPUT },
            [BEFORE] = { "before", .kind = MCL__OPERATOR, .use = MCL_ROLE_ORDER, .of = A },
            [OFFSETS] = { "offsets", .kind = MCL__INPUT },
            [WORK] = { "work", .kind = MCL__INPUT, .count_alone = 1 },
        },
    .scratch = { [FOUND] = { "found", "int64_t" } },
    .scalars = { [LOW] = "low", [HIGH] = "high" },
    .passes =
        (mcl__passes){ { "first_offender", .arguments = { MCL__ENVIRONMENT, OPERAND(A), OPERAND(OFFSETS), OPERAND(WORK),
                                                          AS_LONG(LOW), AS_LONG(HIGH), SCRATCH(FOUND) } } },
};

/* Returns the number of groups. It fills the device, and keeps each work-item's loop below the device's limit. Every
 * group has at least one element. */
static int64_t group_count(const mcl_context *context, int64_t count, int threads)
{
    const int64_t useful = mcl__divide_up(count, threads);
    const mcl__limits *const limits = &context->limits;
    int64_t groups = mcl__tuned_a_unit(context, MCL__PARAMETER_any_validate_groups);
    if (limits->loop_budget > 0 && groups < mcl__divide_up(useful, limits->loop_budget))
        groups = mcl__divide_up(useful, limits->loop_budget);
    return groups < useful ? groups : useful;
}

/* Reads the indices that the work-items found. Stores the least of them in *first, or -1 if they found none. */
static mcl_status read_first(mcl_queue *queue, mcl__span found, int64_t count, int64_t *first)
{
    const size_t bytes = (size_t)count * sizeof(int64_t);
    int64_t *positions = malloc(bytes);
    if (!positions)
        return mcl__fail(MCL_ERROR_MEMORY, "validation needs %zu bytes of host memory; expected them to be free",
                         bytes);
    const mcl_status status = queue->context->backend->read(queue, found.buffer, found.offset, bytes, positions, 1);
    *first = -1;
    for (int64_t k = 0; status == MCL_OK && k < count; ++k)
        if (positions[k] >= 0 && (*first < 0 || positions[k] < *first)) *first = positions[k];
    free(positions);
    return status;
}

static mcl_status find_first(mcl__call *call, int64_t *first)
{
    const mcl_options *const options = call->options;
    const mcl_context *const context = call->queue->context;
    const int64_t count = call->operands[A].input->count;
    mcl__tile tile = { .threads = 1, .items = 1 };
    if (context->limits.mapping != MCL_MAPPING_SERIAL)
        tile.threads = context->limits.max_threads < GROUP_THREADS ? context->limits.max_threads : GROUP_THREADS;
    *first = -1;
    if (call->queue->recording) return MCL_OK; /* a replay gets its data only later, so nothing can be checked now */
    MCL__TRY(mcl__call_program(call, tile, mcl__index_bits(count, options)));
    if (call->queue->preparing || count == 0) return MCL_OK;

    /* The validating call takes only the events to wait for. The caller's scratch, and the event of completion, are for
     * the validated call. */
    const mcl_options own = mcl__wait_options(options);
    const int threads = mcl__call_tile(call).threads;
    const int64_t groups = group_count(context, count, threads);
    call->options = &own;
    mcl__call_scratch(call, FOUND, (size_t)(groups * threads) * sizeof(int64_t));
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(mcl__call_launch(call, 0, groups)); /* mcl__call_end is left out, since the validated call continues */
    return read_first(call->queue, call->scratch[FOUND].span, groups * threads, first);
}

/* Finds the first element of input that sorts before its predecessor, or -1. */
static mcl_status find_unsorted(mcl_queue *queue, mcl_input input, const mcl_op *before, const mcl_options *options,
                                int64_t *first)
{
    mcl__call call;
    mcl__call_init(&call, &validation, NULL, queue, options);
    call.operands[A].input = &input;
    call.operands[BEFORE].op = before;
    return find_first(&call, first);
}

mcl_status mcl__validate_sorted(mcl_queue *queue, const char *parameter, const mcl_input *input, const mcl_op *before,
                                const mcl_options *options)
{
    int64_t first;
    MCL__TRY(find_unsorted(queue, *input, before, options, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION, "%s[%lld] sorts before %s[%lld]; expected %s to be sorted", parameter,
                     (long long)first, parameter, (long long)first - 1, parameter);
}

mcl_status mcl__validate_increasing(mcl_queue *queue, const char *parameter, const mcl_input *input,
                                    const mcl_options *options)
{
    static const mcl_op not_above = { .role = MCL_ROLE_ORDER, .expression = "p <= q" };
    int64_t first;
    MCL__TRY(find_unsorted(queue, *input, &not_above, options, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION,
                     "%s[%lld] is not above %s[%lld]; expected %s to be sorted and without repeats", parameter,
                     (long long)first, parameter, (long long)first - 1, parameter);
}

mcl_status mcl__validate_range(mcl_queue *queue, const char *parameter, const mcl_input *input, int64_t low,
                               int64_t high, const mcl_options *options)
{
    /* Elements are compared as int64_t. Unsigned elements from 2^63 on become negative, and must not count as inside
     * the range. */
    const int is_unsigned = input->type->kind == MCL_KIND_UNSIGNED;
    mcl_input checked = *input;
    mcl__call call;
    mcl__call_init(&call, &validation, NULL, queue, options);
    int64_t first;
    call.operands[A].input = &checked;
    call.scalars[LOW] = is_unsigned && low < 0 ? 0 : low;
    call.scalars[HIGH] = high;
    MCL__TRY(find_first(&call, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION, "%s[%lld] is out of range; expected %s to be from %lld to %lld", parameter,
                     (long long)first, parameter, (long long)low, (long long)high);
}

mcl_status mcl__validate_intervals(mcl_queue *queue, const char *parameter, const mcl_input *starts,
                                   const mcl_input *offsets, const mcl_input *work, const char *target, int64_t room,
                                   const mcl_options *options)
{
    mcl_input listed = *starts, cuts = *offsets, all = *work;
    mcl__call call;
    mcl__call_init(&call, &validation, NULL, queue, options);
    int64_t first;
    listed.count = offsets->count;
    call.operands[A].input = &listed;
    call.operands[OFFSETS].input = &cuts;
    call.operands[WORK].input = &all;
    call.scalars[HIGH] = room;
    MCL__TRY(find_first(&call, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION,
                     "%s[%lld] starts an interval that is not inside %s; expected all inside the %lld elements",
                     parameter, (long long)first, target, (long long)room);
}

mcl_status mcl__validate_keys(mcl_queue *queue, const char *parameter, const mcl_input *input, const void *empty,
                              const void *erased, const mcl_options *options)
{
    mcl_input keys = *input;
    mcl__call call;
    mcl__call_init(&call, &validation, NULL, queue, options);
    int64_t first;
    call.operands[A].input = &keys;
    memcpy(&call.scalars[LOW], empty, input->type->size);
    memcpy(&call.scalars[HIGH], erased, input->type->size);
    mcl__call_define(&call, "KEY_BYTES", (int)input->type->size);
    MCL__TRY(find_first(&call, &first));
    if (first < 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_PRECONDITION,
                     "%s[%lld] is a sentinel; expected keys other than the map's empty and erased keys", parameter,
                     (long long)first);
}
