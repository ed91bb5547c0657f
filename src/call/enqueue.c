/* enqueue.c: begins and ends calls with their scratch and events, and collects the arguments of launches. */
#include "call/enqueue.h"

int mcl__validates(const mcl_options *options)
{
    if (mcl__wants(options, MCL_VALIDATE)) return 1;
    const char *text = mcl__environment("MCL_VALIDATE");
    return text && text[0] && strcmp(text, "0") != 0;
}

int mcl__index_bits(int64_t bound, const mcl_options *options)
{
    static const int64_t tile_room = 1 << 24; /* kernels use indices up to less than a tile past the end */
    return bound <= INT32_MAX - tile_room && !mcl__wants(options, MCL_INDEX_64) ? 32 : 64;
}

/* ---- the frame ------------------------------------------------------------------------------------------ */

static mcl_status events_begin(mcl_queue *queue, const mcl_options *options)
{
    const mcl__backend *backend = queue->context->backend;
    if (queue->preparing || queue->in_steps) return MCL_OK;
    if (queue->recording) {
        mcl__recording_call_begin(queue->recording);
        return MCL_OK;
    }
    if (!options) return backend->call_begin(queue, 0);
    if (options->wait_count > 0) MCL__TRY(backend->queue_wait(queue, options->wait, options->wait_count));
    if (options->driver_wait_count > 0)
        MCL__TRY(backend->queue_wait_driver(queue, options->driver_wait, options->driver_wait_count));
    return backend->call_begin(queue, options->done || options->driver_done);
}

mcl_status mcl__enqueue_begin(mcl_queue *queue, size_t scratch_bytes, const mcl_options *options)
{
    MCL__TRY(mcl__scratch_reserve(queue, scratch_bytes, options));
    return events_begin(queue, options);
}

mcl_status mcl__enqueue_end(mcl_queue *queue, const mcl_options *options)
{
    if (!queue->in_steps) queue->kind = 0;
    if (queue->recording && !queue->in_steps && !queue->preparing) mcl__recording_call_end(queue->recording);
    if (options && options->driver_done)
        MCL__TRY(queue->context->backend->call_end_driver(queue, options->driver_done));
    if (!options || !options->done) return MCL_OK;
    if (!queue->preparing) return queue->context->backend->call_end(queue, options->done);
    *options->done = NULL;
    return MCL_OK;
}

mcl_status mcl__enqueue_nothing(mcl_queue *queue, const mcl_options *options)
{
    MCL__TRY(mcl__enqueue_begin(queue, 0, options));
    return mcl__enqueue_end(queue, options);
}

mcl_options mcl__wait_options(const mcl_options *options)
{
    if (!options) return (mcl_options){ 0 };
    return (mcl_options){ .wait = options->wait,
                          .wait_count = options->wait_count,
                          .driver_wait = options->driver_wait,
                          .driver_wait_count = options->driver_wait_count };
}

/* ---- steps ---------------------------------------------------------------------------------------------- */

static mcl_options step_options(const mcl_options *options)
{
    mcl_options own = options ? *options : (mcl_options){ 0 };
    own.flags &= ~(unsigned)MCL_VALIDATE;
    own.wait = NULL;
    own.wait_count = 0;
    own.done = NULL;
    own.driver_wait = NULL;
    own.driver_wait_count = 0;
    own.driver_done = NULL;
    return own;
}

mcl_options mcl__beside_options(const mcl_options *options)
{
    mcl_options own = *options;
    own.tile_threads = own.tile_items = 0;
    return own;
}

static mcl_status steps_make(mcl_queue *queue, const mcl_options *options, mcl__steps steps, void *plan)
{
    const size_t held = queue->scratch_held;
    const mcl_options *const outer = queue->step_options;
    if (queue->in_steps++ == 0) queue->scratch_bytes = 0;
    queue->step_options = options;
    mcl__function_hold();
    const mcl_status status = steps(plan, options);
    mcl__function_let_go();
    queue->step_options = outer;
    queue->scratch_held = held;
    --queue->in_steps;
    return status;
}

/* Measures the steps: sets queue->scratch_bytes to the scratch that they need. */
static mcl_status steps_measure(mcl_queue *queue, mcl_options own, mcl__steps steps, void (*release)(void *plan),
                                void *plan)
{
    own.scratch = NULL;
    own.scratch_offset = own.scratch_bytes = 0;
    queue->preparing = MCL__MEASURES;
    const mcl_status status = steps_make(queue, &own, steps, plan);
    queue->preparing = 0;
    release(plan);
    return status;
}

static int kind_is_known(const mcl_queue *queue, uint64_t kind)
{
    const unsigned count = queue->kind_count < MCL__KINDS_MAX ? queue->kind_count : MCL__KINDS_MAX;
    for (unsigned k = 0; k < count; ++k)
        if (queue->kinds[k] == kind) return 1;
    return 0;
}

/* Measures a whole call before any of its work is enqueued. This is needed where the caller gives the scratch, or where
 * the queue has not seen the call's types and texts. Measuring builds the programs of all steps, so a text that does
 * not compile is found before the first step runs. */
static mcl_status steps_look_ahead(mcl_queue *queue, const mcl_options *own, mcl__steps steps,
                                   void (*release)(void *plan), void *plan)
{
    const uint64_t kind = queue->kind;
    const int is_known = kind != 0 && kind_is_known(queue, kind); /* kind is 0 where no call has noted its types */
    queue->kind = 0;
    if (is_known && !own->scratch) return MCL_OK;
    MCL__TRY(steps_measure(queue, *own, steps, release, plan));
    if (kind != 0 && !is_known) queue->kinds[queue->kind_count++ % MCL__KINDS_MAX] = kind;
    if (!own->scratch) return mcl__scratch_grow(queue, queue->scratch_bytes);
    if (queue->scratch_bytes <= own->scratch_bytes) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "options->scratch_bytes is %zu; expected %zu or more", own->scratch_bytes,
                     queue->scratch_bytes);
}

/* Makes the steps of a public call. Where the queue's scratch is too small, it measures the steps, enlarges the
 * scratch, and makes the steps again. */
static mcl_status steps_make_whole(mcl_queue *queue, const mcl_options *own, mcl__steps steps,
                                   void (*release)(void *plan), void *plan)
{
    queue->unmeasured = !own->scratch;
    const mcl_status status = steps_make(queue, own, steps, plan);
    queue->unmeasured = 0;
    if (status != (mcl_status)MCL__UNMEASURED) return status;
    release(plan);
    MCL__TRY(steps_measure(queue, *own, steps, release, plan));
    MCL__TRY(mcl__scratch_grow(queue, queue->scratch_bytes));
    return steps_make(queue, own, steps, plan);
}

mcl_status mcl__steps_run(mcl_queue *queue, const mcl_options *options, mcl__steps steps, void (*release)(void *plan),
                          void *plan)
{
    const mcl_options own = step_options(options);
    const int is_whole = !queue->preparing && !queue->in_steps; /* a step was measured with its whole call */
    if (is_whole) MCL__TRY(steps_look_ahead(queue, &own, steps, release, plan));
    mcl_status status = events_begin(queue, options);
    if (status == MCL_OK)
        status = is_whole ? steps_make_whole(queue, &own, steps, release, plan) : steps_make(queue, &own, steps, plan);
    release(plan);
    return status == MCL_OK ? mcl__enqueue_end(queue, options) : status;
}

mcl__span mcl__scratch_take(mcl_queue *queue, size_t bytes)
{
    mcl__scratch *scratch = &queue->scratch;
    const mcl__span span = { scratch->buffer, scratch->offset + scratch->taken };
    scratch->taken += mcl__scratch_round(bytes);
    return span;
}

int mcl__uses_slots(const mcl_queue *queue, const mcl_options *options)
{
    const int given = options && options->scratch; /* with given scratch nothing is allocated; slots may exist */
    return !queue->preparing && (queue->slots || !given);
}

/* ---- arguments ------------------------------------------------------------------------------------------ */

/* Adds an argument. Past MCL__ARGS_MAX, arguments are counted but not kept, and mcl__launch_groups reports the
 * error. */
static void args_push(mcl__args *args, mcl__arg arg)
{
    if (args->count < MCL__ARGS_MAX) args->list[args->count] = arg;
    args->count += 1;
}

void mcl__args_buffer(mcl__args *args, mcl_buffer *buffer)
{
    args_push(args, (mcl__arg){ .buffer = buffer });
}

void mcl__args_value(mcl__args *args, const void *value, size_t size)
{
    args_push(args, (mcl__arg){ .value = value, .size = size });
}

/* Adds a number as an argument. args keeps a copy of the number, to which the argument points. */
static void args_number(mcl__args *args, const void *number, size_t size)
{
    if (args->number_count == MCL__ARGS_MAX) {
        args->count = MCL__ARGS_MAX + 1;
        return;
    }
    int64_t *kept = &args->numbers[args->number_count++];
    memcpy(kept, number, size);
    mcl__args_value(args, kept, size);
}

void mcl__args_int(mcl__args *args, int value)
{
    const int32_t number = value;
    args_number(args, &number, sizeof number);
}

void mcl__args_long(mcl__args *args, int64_t value)
{
    args_number(args, &value, sizeof value);
}

void mcl__args_index(mcl__args *args, int64_t value)
{
    if (args->index_bits == 32)
        mcl__args_int(args, (int)value);
    else
        mcl__args_long(args, value);
}

static void args_bindings(mcl__args *args, const mcl_binding *bindings, int count)
{
    for (int k = 0; k < count; ++k) {
        const mcl_binding *binding = &bindings[k];
        if (!binding->buffer) {
            mcl__args_value(args, binding->value.bytes, binding->type->size);
            continue;
        }
        mcl__args_span(args, (mcl__span){ binding->buffer, (size_t)binding->offset * binding->type->size });
    }
}

void mcl__args_start(mcl__args *args, const mcl__spec *spec)
{
    args->count = 0;
    args->number_count = 0;
    args->index_bits = spec->index_bits;
    for (int k = 0; k < MCL__OPS_MAX; ++k)
        if (spec->ops[k].op) args_bindings(args, spec->ops[k].op->bindings, spec->ops[k].op->binding_count);
}

/* Adds an input's count and count slot as arguments. If there is no count slot, its index is ignored, since no check
 * has tested it. */
static void args_count(mcl__args *args, const mcl_input *input)
{
    mcl__args_long(args, input->count);
    const size_t at = input->count_slot ? (size_t)input->count_slot_index * mcl__slot_type(input)->size : 0;
    mcl__args_span(args, (mcl__span){ input->count_slot, at });
}

void mcl__args_input(mcl__args *args, const mcl_input *input)
{
    if (input->expression) {
        args_bindings(args, input->bindings, input->binding_count);
    } else {
        mcl__args_span(args, (mcl__span){ input->buffer, (size_t)input->offset * input->type->size });
    }
    args_count(args, input);
}

void mcl__args_array(mcl__args *args, mcl__span span, const mcl_input *input)
{
    mcl__args_span(args, span);
    args_count(args, input);
}

void mcl__args_output(mcl__args *args, const mcl_output *output)
{
    mcl__args_span(args, (mcl__span){ output->buffer, (size_t)output->offset * output->type->size });
}

void mcl__args_span(mcl__args *args, mcl__span span)
{
    mcl__args_buffer(args, span.buffer);
    mcl__args_long(args, (int64_t)(span.offset + (span.buffer ? span.buffer->begin : 0)));
}

mcl_status mcl__check_tiles(int64_t count, int64_t size)
{
    if (mcl__divide_up(count, size) <= MCL__GROUPS_MAX) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT,
                     "%lld elements in tiles of %lld are too many for one launch; expected at most %lld tiles",
                     (long long)count, (long long)size, (long long)MCL__GROUPS_MAX);
}

mcl_status mcl__launch_groups(mcl_queue *queue, const mcl__kernels *kernels, int kernel, int64_t groups, int threads,
                              const mcl__args *args)
{
    if (args->count > MCL__ARGS_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "the operands and bindings of this call make more than %d kernel "
                         "arguments; expected fewer bindings",
                         MCL__ARGS_MAX);
    if (groups > MCL__GROUPS_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "a launch of this call has %lld work-groups; expected at most %lld: fewer elements, "
                         "or a larger tile",
                         (long long)groups, (long long)MCL__GROUPS_MAX);
    if (groups <= 0) return MCL_OK;
    if (queue->preparing) {
        if (queue->preparing != MCL__MEASURES) mcl__program_warm(queue, kernels, kernel, groups * threads);
        return MCL_OK;
    }
    const mcl__launch launch = {
        .kernel = kernels->kernel[kernel],
        .groups = groups,
        .threads = threads,
        .args = args->list,
        .arg_count = args->count,
        .waits = (int)(kernels->enters >> kernel & 1u),
        .local_bytes = args->local_bytes,
    };
    return mcl__enqueue_launch(queue, &launch);
}
