/* fault_opencl.c: a layer before the process's OpenCL loader, in which any function may fail. A function that releases
 * something releases it even where it reports a failure, since the driver below would leak otherwise. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "faults.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
#define F(name) FAULT_##name,
#include "backends/opencl/opencl_functions.inc"
#undef F
    FUNCTION_COUNT
};

static const char *const names[FUNCTION_COUNT] = {
#define F(name) "cl" #name,
#include "backends/opencl/opencl_functions.inc"
#undef F
};

/* ---- flushes ----------------------------------------------------------------------------------------------------  */

/* Records of flushes. A queue may wait for another queue's event only once that other queue has been flushed (OpenCL
 * 1.2, 5.13). POCL runs without the flush. */
enum { QUEUES_MAX = 4096, EVENTS_MAX = 4096 };

static struct queue_record {
    cl_command_queue queue;
    int64_t enqueued, flushed; /* commands */
} queues[QUEUES_MAX];
static struct event_record {
    cl_event event;
    struct queue_record *queue;
    int64_t number; /* number of the event's command in the queue */
} events_made[EVENTS_MAX];
static int event_turn;
static char unflushed[200];

/* Returns the record of a queue. Records of released queues stay, so a handle that comes again goes on with its
 * numbers. */
static struct queue_record *queue_record_of(cl_command_queue queue)
{
    for (int k = 0; k < QUEUES_MAX; k++) {
        if (!queues[k].queue) queues[k].queue = queue;
        if (queues[k].queue == queue) return &queues[k];
    }
    (void)snprintf(unflushed, sizeof unflushed, "more than %d queues: the rest is not looked at", QUEUES_MAX);
    return &queues[0];
}

static void note_flush(cl_command_queue queue)
{
    struct queue_record *const record = queue_record_of(queue);
    record->flushed = record->enqueued;
}

/* Returns the record of the last event with this handle, since handles come again. */
static const struct event_record *event_record_of(cl_event event)
{
    for (int k = 1; k <= EVENTS_MAX; k++) {
        const struct event_record *const record = &events_made[(event_turn + EVENTS_MAX - k) % EVENTS_MAX];
        if (record->event == event) return record;
    }
    return NULL;
}

static void note_waits(const char *function, cl_command_queue queue, cl_uint count, const cl_event *events)
{
    for (cl_uint k = 0; k < count; k++) {
        const struct event_record *const record = event_record_of(events[k]);
        if (!record || record->queue->queue == queue || record->number <= record->queue->flushed) continue;
        (void)snprintf(unflushed, sizeof unflushed, "%s waits for command %lld of another queue, flushed up to %lld",
                       function, (long long)record->number, (long long)record->queue->flushed);
    }
}

static void note_command(cl_command_queue queue, const cl_event *event, int blocks)
{
    struct queue_record *const record = queue_record_of(queue);
    record->enqueued++;
    if (event) events_made[event_turn++ % EVENTS_MAX] = (struct event_record){ *event, record, record->enqueued };
    if (blocks) note_flush(queue);
}

const char *fault_unflushed(void)
{
    return unflushed;
}

/* ---- functions --------------------------------------------------------------------------------------------------  */

/* Functions that return a status. Some also give an event, and others return a handle. */
#define STATUS(name, parameters, arguments)                                                                            \
    static cl_int CL_API_CALL layer_##name parameters                                                                  \
    {                                                                                                                  \
        int code = 0;                                                                                                  \
        return fault_strikes(FAULT_##name, &code) ? code : cl##name arguments;                                         \
    }
#define COMMAND(name, parameters, arguments, blocks)                                                                   \
    static cl_int CL_API_CALL layer_##name parameters                                                                  \
    {                                                                                                                  \
        int code = 0;                                                                                                  \
        if (fault_strikes(FAULT_##name, &code)) return code;                                                           \
        note_waits("cl" #name, queue, count, events);                                                                  \
        code = cl##name arguments;                                                                                     \
        if (event && code == CL_SUCCESS) fault_gave(FAULT_EVENT, *event);                                              \
        if (code == CL_SUCCESS) note_command(queue, event, blocks);                                                    \
        return code;                                                                                                   \
    }
#define FLUSH(name)                                                                                                    \
    static cl_int CL_API_CALL layer_##name(cl_command_queue queue)                                                     \
    {                                                                                                                  \
        int code = 0;                                                                                                  \
        if (fault_strikes(FAULT_##name, &code)) return code;                                                           \
        note_flush(queue);                                                                                             \
        return cl##name(queue);                                                                                        \
    }
#define HANDLE(type, kind, name, parameters, arguments)                                                                \
    static type CL_API_CALL layer_##name parameters                                                                    \
    {                                                                                                                  \
        int code = 0;                                                                                                  \
        if (fault_strikes(FAULT_##name, &code)) {                                                                      \
            *error = code;                                                                                             \
            return NULL;                                                                                               \
        }                                                                                                              \
        const type made = cl##name arguments;                                                                          \
        fault_gave(kind, made);                                                                                        \
        return made;                                                                                                   \
    }
#define RELEASE(name, kind, type)                                                                                      \
    static cl_int CL_API_CALL layer_##name(type handle)                                                                \
    {                                                                                                                  \
        int code = 0;                                                                                                  \
        const int strikes = fault_strikes(FAULT_##name, &code);                                                        \
        const cl_int released = cl##name(handle);                                                                      \
        fault_got_back(kind);                                                                                          \
        return strikes ? code : released;                                                                              \
    }
#define RETAIN(name, kind, type)                                                                                       \
    static cl_int CL_API_CALL layer_##name(type handle)                                                                \
    {                                                                                                                  \
        int code = 0;                                                                                                  \
        if (fault_strikes(FAULT_##name, &code)) return code;                                                           \
        fault_gave(kind, handle);                                                                                      \
        return cl##name(handle);                                                                                       \
    }

#define WAITS cl_uint count, const cl_event *events, cl_event *event
#define WAITING count, events, event
#define ASKS(type) (type handle, cl_uint what, size_t size, void *answer, size_t *bytes)
#define ASKING (handle, what, size, answer, bytes)

STATUS(GetPlatformIDs, (cl_uint room, cl_platform_id *platforms, cl_uint *count), (room, platforms, count))
STATUS(GetPlatformInfo, ASKS(cl_platform_id), ASKING)
static void *CL_API_CALL layer_GetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    int code = 0;
    if (fault_strikes(FAULT_GetExtensionFunctionAddressForPlatform, &code)) return NULL;
    return clGetExtensionFunctionAddressForPlatform(platform, name);
}
STATUS(GetDeviceIDs,
       (cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *count),
       (platform, type, room, devices, count))
static size_t items_allowed;
static size_t kernel_allowed;
static const char *version_told;

void fault_opencl_allow(int items_of_dimension, int items_of_kernel)
{
    items_allowed = (size_t)items_of_dimension;
    kernel_allowed = (size_t)items_of_kernel;
}

void fault_opencl_version(const char *version)
{
    version_told = version;
}

static cl_int CL_API_CALL layer_GetDeviceInfo ASKS(cl_device_id)
{
    int code = 0;
    if (fault_strikes(FAULT_GetDeviceInfo, &code)) return code;
    code = clGetDeviceInfo ASKING;
    if (code == CL_SUCCESS && answer && items_allowed && what == CL_DEVICE_MAX_WORK_ITEM_SIZES)
        memcpy(answer, &items_allowed, sizeof items_allowed);
    if (code == CL_SUCCESS && answer && version_told && what == CL_DRIVER_VERSION)
        (void)snprintf(answer, size, "%s", version_told);
    return code;
}
HANDLE(cl_context, FAULT_CONTEXT, CreateContext,
       (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *error),
       (properties, count, devices, notify, user, error))
RELEASE(ReleaseContext, FAULT_CONTEXT, cl_context)
STATUS(GetContextInfo, ASKS(cl_context), ASKING)
HANDLE(cl_command_queue, FAULT_QUEUE, CreateCommandQueue,
       (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error),
       (context, device, properties, error))
RETAIN(RetainCommandQueue, FAULT_QUEUE, cl_command_queue)
RELEASE(ReleaseCommandQueue, FAULT_QUEUE, cl_command_queue)
STATUS(GetCommandQueueInfo, ASKS(cl_command_queue), ASKING)
FLUSH(Flush)
FLUSH(Finish)
HANDLE(cl_mem, FAULT_MEMORY, CreateBuffer,
       (cl_context context, cl_mem_flags flags, size_t size, void *data, cl_int *error),
       (context, flags, size, data, error))
RELEASE(ReleaseMemObject, FAULT_MEMORY, cl_mem)
STATUS(GetMemObjectInfo, ASKS(cl_mem), ASKING)
COMMAND(EnqueueReadBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *data, WAITS),
        (queue, buffer, blocking, offset, size, data, WAITING), blocking == CL_TRUE)
COMMAND(EnqueueWriteBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *data, WAITS),
        (queue, buffer, blocking, offset, size, data, WAITING), blocking == CL_TRUE)
COMMAND(EnqueueFillBuffer,
        (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t bytes, size_t offset, size_t size, WAITS),
        (queue, buffer, pattern, bytes, offset, size, WAITING), 0)
COMMAND(EnqueueCopyBuffer,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size, WAITS),
        (queue, from, to, from_offset, to_offset, size, WAITING), 0)
static cl_int CL_API_CALL layer_EnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                     const size_t *offset, const size_t *global, const size_t *local,
                                                     WAITS)
{
    int code = 0;
    if (fault_strikes(FAULT_EnqueueNDRangeKernel, &code)) return code;
    if (local && items_allowed && local[0] > items_allowed) return CL_INVALID_WORK_ITEM_SIZE;
    if (local && kernel_allowed && local[0] > kernel_allowed) return CL_INVALID_WORK_GROUP_SIZE;
    note_waits("clEnqueueNDRangeKernel", queue, count, events);
    code = clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, WAITING);
    if (event && code == CL_SUCCESS) fault_gave(FAULT_EVENT, *event);
    if (code == CL_SUCCESS) note_command(queue, event, 0);
    return code;
}
COMMAND(EnqueueMarkerWithWaitList, (cl_command_queue queue, WAITS), (queue, WAITING), 0)
COMMAND(EnqueueBarrierWithWaitList, (cl_command_queue queue, WAITS), (queue, WAITING), 0)
static cl_int CL_API_CALL layer_WaitForEvents(cl_uint count, const cl_event *events)
{
    int code = 0;
    if (fault_strikes(FAULT_WaitForEvents, &code)) return code;
    for (cl_uint k = 0; k < count; k++) {
        const struct event_record *const record = event_record_of(events[k]);
        if (record) note_flush(record->queue->queue);
    }
    return clWaitForEvents(count, events);
}
RETAIN(RetainEvent, FAULT_EVENT, cl_event)
RELEASE(ReleaseEvent, FAULT_EVENT, cl_event)
STATUS(GetEventInfo, ASKS(cl_event), ASKING)
STATUS(GetEventProfilingInfo, ASKS(cl_event), ASKING)
HANDLE(cl_program, FAULT_PROGRAM, CreateProgramWithSource,
       (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *error),
       (context, count, texts, lengths, error))
HANDLE(cl_program, FAULT_PROGRAM, CreateProgramWithBinary,
       (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
        const unsigned char **binaries, cl_int *loaded, cl_int *error),
       (context, count, devices, lengths, binaries, loaded, error))
STATUS(BuildProgram,
       (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
        void(CL_CALLBACK *notify)(cl_program, void *), void *user),
       (program, count, devices, options, notify, user))
RELEASE(ReleaseProgram, FAULT_PROGRAM, cl_program)
STATUS(GetProgramInfo, ASKS(cl_program), ASKING)
STATUS(GetProgramBuildInfo,
       (cl_program handle, cl_device_id device, cl_uint what, size_t size, void *answer, size_t *bytes),
       (handle, device, what, size, answer, bytes))
HANDLE(cl_kernel, FAULT_KERNEL, CreateKernel, (cl_program program, const char *name, cl_int *error),
       (program, name, error))
RELEASE(ReleaseKernel, FAULT_KERNEL, cl_kernel)
STATUS(SetKernelArg, (cl_kernel kernel, cl_uint place, size_t size, const void *value), (kernel, place, size, value))
STATUS(GetKernelInfo, ASKS(cl_kernel), ASKING)
static cl_int CL_API_CALL layer_GetKernelWorkGroupInfo(cl_kernel handle, cl_device_id device, cl_uint what, size_t size,
                                                       void *answer, size_t *bytes)
{
    int code = 0;
    if (fault_strikes(FAULT_GetKernelWorkGroupInfo, &code)) return code;
    code = clGetKernelWorkGroupInfo(handle, device, what, size, answer, bytes);
    if (code == CL_SUCCESS && answer && kernel_allowed && what == CL_KERNEL_WORK_GROUP_SIZE)
        memcpy(answer, &kernel_allowed, sizeof kernel_allowed);
    return code;
}

/* Any function pointer may be stored as a pointer to a function of another type; programs with dlsym rely on this
 * too. */
static void (*const layer[FUNCTION_COUNT])(void) = {
#define F(name) (void (*)(void)) layer_##name,
#include "backends/opencl/opencl_functions.inc"
#undef F
};

void *fault_opencl_load(const char *name, void *user)
{
    void *address = NULL;

    (void)user;
    for (int k = 0; k < FUNCTION_COUNT; k++) {
        if (strcmp(name, names[k]) != 0) continue;
        memcpy(&address, &layer[k], sizeof address);
        return address;
    }
    return dlsym(RTLD_DEFAULT, name);
}

static int gives_handle(int function)
{
    return fault_opencl_gives_handle(names[function]);
}

static int can_block(int function)
{
    return fault_opencl_can_block(names[function]);
}

static const int codes[] = { CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                             CL_INVALID_OPERATION, -1234 };
static const int lasting_codes[] = { CL_DEVICE_NOT_AVAILABLE, CL_INVALID_COMMAND_QUEUE, -9999 };

const fault_driver fault_opencl = {
    .names = names,
    .function_count = FUNCTION_COUNT,
    .codes = codes,
    .code_count = sizeof codes / sizeof codes[0],
    .lasting_codes = lasting_codes,
    .lasting_code_count = sizeof lasting_codes / sizeof lasting_codes[0],
    .gives_handle = gives_handle,
    .can_block = can_block,
};
