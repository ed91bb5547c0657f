/* recording.c: keeps the commands of recorded calls, with their buffers and values. Every enqueue comes through here,
 * and goes to the backend or into the open recording. */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* ---- a list of commands ------------------------------------------------------------------------------------- */

static void command_free(mcl__command *command)
{
    for (int k = 0; k < command->launch.arg_count; ++k) mcl_buffer_release(command->launch.args[k].buffer);
    free((void *)(uintptr_t)command->launch.args);
    mcl_buffer_release(command->to);
    mcl_buffer_release(command->from);
    *command = (mcl__command){ 0 };
}

static mcl_status no_memory(void)
{
    return mcl__fail(MCL_ERROR_MEMORY, "host memory for a recording is exhausted");
}

/* Adds an empty command to the call that is being recorded. */
static mcl_status command_add(mcl_recording *recording, mcl__command **out)
{
    if (recording->added == recording->capacity) {
        const int capacity = recording->capacity ? 2 * recording->capacity : 64;
        mcl__command *const grown = realloc(recording->commands, (size_t)capacity * sizeof *grown);
        if (!grown) return no_memory();
        recording->commands = grown;
        recording->capacity = capacity;
    }
    *out = &recording->commands[recording->added++];
    **out = (mcl__command){ 0 };
    return MCL_OK;
}

static mcl_buffer *kept(mcl_buffer *buffer)
{
    if (buffer) atomic_fetch_add(&buffer->references, 1);
    return buffer;
}

/* Returns the bytes for an argument's value. Values lie after the arguments, each at a multiple of
 * MCL_VALUE_BYTES_MAX. */
static size_t value_room(const mcl__arg *arg)
{
    return arg->value ? (arg->size + MCL_VALUE_BYTES_MAX - 1) / MCL_VALUE_BYTES_MAX * MCL_VALUE_BYTES_MAX : 0;
}

static mcl__arg *args_copy(const mcl__launch *launch)
{
    const size_t list_bytes = (size_t)launch->arg_count * sizeof(mcl__arg);
    size_t bytes = list_bytes;
    for (int k = 0; k < launch->arg_count; ++k) bytes += value_room(&launch->args[k]);
    mcl__arg *const copies = malloc(bytes);
    unsigned char *value = (unsigned char *)copies + list_bytes;
    if (!copies) return NULL;
    for (int k = 0; k < launch->arg_count; ++k) {
        const mcl__arg *const arg = &launch->args[k];
        copies[k] = (mcl__arg){ .buffer = kept(arg->buffer), .value = arg->value ? value : NULL, .size = arg->size };
        if (arg->value) memcpy(value, arg->value, arg->size);
        value += value_room(arg);
    }
    return copies;
}

static mcl_status launch_record(mcl_recording *recording, const mcl__launch *launch)
{
    mcl__arg *const args = args_copy(launch);
    mcl__command *command = NULL;
    if (!args) return no_memory();
    mcl__command added = { .launch = *launch };
    added.launch.args = args;
    const mcl_status status = command_add(recording, &command);
    if (status != MCL_OK)
        command_free(&added);
    else
        *command = added;
    return status;
}

/* ---- the way of an enqueue ---------------------------------------------------------------------------------- */

mcl_status mcl__enqueue_launch(mcl_queue *queue, const mcl__launch *launch)
{
    if (queue->recording) return launch_record(queue->recording, launch);
    return queue->context->backend->launch(queue, launch);
}

mcl_status mcl__enqueue_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                             size_t pattern_bytes)
{
    mcl__command *command = NULL;
    if (!queue->recording) return queue->context->backend->fill(queue, to, offset, bytes, pattern, pattern_bytes);
    MCL__TRY(command_add(queue->recording, &command));
    *command = (mcl__command){ .to = kept(to), .to_offset = offset, .bytes = bytes, .pattern_bytes = pattern_bytes };
    memcpy(command->pattern, pattern, pattern_bytes);
    return MCL_OK;
}

mcl_status mcl__enqueue_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                             size_t bytes)
{
    mcl__command *command = NULL;
    if (!queue->recording) return queue->context->backend->copy(queue, from, from_offset, to, to_offset, bytes);
    MCL__TRY(command_add(queue->recording, &command));
    *command = (mcl__command){
        .to = kept(to), .to_offset = to_offset, .from = kept(from), .from_offset = from_offset, .bytes = bytes
    };
    return MCL_OK;
}

mcl_status mcl__command_enqueue(mcl_queue *queue, const mcl__command *command)
{
    const mcl__backend *const backend = queue->context->backend;
    if (command->launch.kernel) return backend->launch(queue, &command->launch);
    if (command->from)
        return backend->copy(queue, command->from, command->from_offset, command->to, command->to_offset,
                             command->bytes);
    return backend->fill(queue, command->to, command->to_offset, command->bytes, command->pattern,
                         command->pattern_bytes);
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

void mcl__recording_call_begin(mcl_recording *recording)
{
    while (recording->added > recording->count) command_free(&recording->commands[--recording->added]);
}

void mcl__recording_call_end(mcl_recording *recording)
{
    recording->count = recording->added;
}

mcl_status mcl__command_begin(mcl_queue *queue)
{
    if (!queue->recording) return queue->context->backend->call_begin(queue, 0);
    mcl__recording_call_begin(queue->recording);
    return MCL_OK;
}

mcl_status mcl__command_end(mcl_queue *queue, mcl_status status)
{
    if (queue->recording && status == MCL_OK) mcl__recording_call_end(queue->recording);
    return status;
}

/* ---- a recording's life ------------------------------------------------------------------------------------- */

mcl_status mcl__recording_open(mcl_queue *queue)
{
    mcl_recording *const recording = calloc(1, sizeof *recording);
    if (!recording) return no_memory();
    recording->context = queue->context;
    atomic_init(&recording->references, 1);
    atomic_fetch_add(&queue->context->references, 1);
    recording->queue_scratch = queue->own_scratch;
    recording->queue_slots = queue->slots;
    queue->own_scratch = queue->slots = NULL;
    queue->recording = recording;
    return MCL_OK;
}

/* Takes the recording off its queue. The commands keep the scratch and slots that they use. */
void mcl__recording_take(mcl_queue *queue, mcl_recording **out)
{
    mcl_recording *const recording = queue->recording;
    mcl_buffer_release(queue->own_scratch);
    mcl_buffer_release(queue->slots);
    queue->own_scratch = recording->queue_scratch;
    queue->slots = recording->queue_slots;
    recording->queue_scratch = recording->queue_slots = NULL;
    queue->recording = NULL;
    mcl__recording_call_begin(recording);
    *out = recording;
}

void mcl__recording_free(mcl_recording *recording)
{
    mcl_context *const context = recording->context;
    if (recording->made) context->backend->recording_close(recording);
    recording->count = 0;
    mcl__recording_call_begin(recording);
    free(recording->commands);
    free(recording);
    mcl_context_release(context);
}
