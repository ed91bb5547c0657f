/* false_opencl.c: an OpenCL driver in the host's memory, in which any function may fail. A function that releases
 * something releases it even where it reports a failure. */
#include "false_opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* a driver that runs nothing uses few of its parameters */

false_opencl_state false_opencl_is;
char false_opencl_loaded[FALSE_LOADED];

enum {
#define F(name) FAULT_##name,
#include "backends/opencl/opencl_functions.inc"
#undef F
    FAULT_EnqueueMemcpyINTEL,
    FAULT_EnqueueMemFillINTEL,
    FAULT_SetKernelArgMemPointerINTEL,
    FAULT_CreateCommandBufferKHR,
    FAULT_CommandNDRangeKernelKHR,
    FAULT_FinalizeCommandBufferKHR,
    FAULT_ReleaseCommandBufferKHR,
    FAULT_EnqueueCommandBufferKHR,
    FUNCTION_COUNT
};

/* Begins a function: the function fails here where a test has planned that. */
#define FAIL_IF_PLANNED(name)                                                                                          \
    do {                                                                                                               \
        int planned = 0;                                                                                               \
        if (fault_strikes(FAULT_##name, &planned)) return planned;                                                     \
    } while (0)

/* Begins a function that returns a handle: it returns NULL where a test has planned a failure. */
#define NULL_IF_PLANNED(name, error)                                                                                   \
    do {                                                                                                               \
        int planned = 0;                                                                                               \
        *(error) = CL_SUCCESS;                                                                                         \
        if (!fault_strikes(FAULT_##name, &planned)) break;                                                             \
        *(error) = planned;                                                                                            \
        return NULL;                                                                                                   \
    } while (0)

/* ---- objects ---------------------------------------------------------------------------------------------------- */

/* The object that every handle points to. */
typedef struct object {
    int references;
    cl_context context;
} object;

struct _cl_context {
    object head;
    cl_device_id device;
};
struct _cl_command_queue {
    object head;
    cl_device_id device;
    cl_command_queue_properties properties;
};
struct _cl_mem {
    object head;
    size_t bytes;
    cl_mem_flags flags;
    void *given; /* memory that belongs to the caller */
    unsigned char data[];
};
struct _cl_event {
    object head;
};
struct _cl_program {
    object head;
    char text[];
};
struct _cl_kernel {
    object head;
    cl_program program;
    char name[128];
};
typedef struct command_buffer {
    object head;
} *command_buffer;

static void *object_make(size_t bytes, fault_kind kind, cl_context context)
{
    object *const made = calloc(1, bytes);
    made->references = 1;
    made->context = context;
    fault_gave(kind, made);
    return made;
}

static void object_retain(void *handle, fault_kind kind)
{
    ((object *)handle)->references++;
    fault_gave(kind, handle);
}

static void object_release(void *handle, fault_kind kind)
{
    fault_got_back(kind);
    if (--((object *)handle)->references == 0) free(handle);
}

/* Answers a query as OpenCL does. */
static cl_int answer_is(const void *fact, size_t bytes, size_t room, void *answer, size_t *needed)
{
    if (needed) *needed = bytes;
    if (!answer) return CL_SUCCESS;
    if (room < bytes) return CL_INVALID_VALUE;
    memcpy(answer, fact, bytes);
    return CL_SUCCESS;
}
#define ASKS(type) (type handle, cl_uint what, size_t room, void *answer, size_t *needed)
#define ANSWER(fact) answer_is(&(fact), sizeof(fact), room, answer, needed)

#define STATUS(name, parameters, result)                                                                               \
    static cl_int CL_API_CALL driver_##name parameters                                                                 \
    {                                                                                                                  \
        FAIL_IF_PLANNED(name);                                                                                         \
        return result;                                                                                                 \
    }
#define RELEASE(name, kind, type)                                                                                      \
    static cl_int CL_API_CALL driver_##name(type handle)                                                               \
    {                                                                                                                  \
        object_release(handle, kind);                                                                                  \
        FAIL_IF_PLANNED(name);                                                                                         \
        return CL_SUCCESS;                                                                                             \
    }
#define RETAIN(name, kind, type)                                                                                       \
    static cl_int CL_API_CALL driver_##name(type handle)                                                               \
    {                                                                                                                  \
        FAIL_IF_PLANNED(name);                                                                                         \
        object_retain(handle, kind);                                                                                   \
        return CL_SUCCESS;                                                                                             \
    }

/* ---- platforms and devices -------------------------------------------------------------------------------------- */

static cl_int CL_API_CALL driver_GetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    FAIL_IF_PLANNED(GetPlatformIDs);
    if (false_opencl_is.platform_error) return false_opencl_is.platform_error;
    *count = false_opencl_is.platform_count;
    for (cl_uint k = 0; k < *count && k < room; k++) platforms[k] = (cl_platform_id)&false_opencl_is.platforms[k];
    return *count ? CL_SUCCESS : CL_PLATFORM_NOT_FOUND_KHR;
}

static cl_int CL_API_CALL driver_GetPlatformInfo ASKS(cl_platform_id)
{
    FAIL_IF_PLANNED(GetPlatformInfo);
    const char *const text = what == CL_PLATFORM_NAME ? handle->name : handle->version;
    return text ? answer_is(text, strlen(text) + 1, room, answer, needed) : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL driver_GetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room,
                                              cl_device_id *devices, cl_uint *count)
{
    FAIL_IF_PLANNED(GetDeviceIDs);
    if (platform->error) return platform->error;
    *count = type == CL_DEVICE_TYPE_ALL ? platform->device_count : 0;
    for (cl_uint k = 0; k < *count && k < room; k++) devices[k] = (cl_device_id)&platform->devices[k];
    return *count ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

static const false_fact usual[] = {
    FALSE_TEXT(CL_DEVICE_NAME, "Plain processor"),
    FALSE_TEXT(CL_DEVICE_VENDOR, "Nobody"),
    FALSE_TEXT(CL_DRIVER_VERSION, "1.0"),
    FALSE_TEXT(CL_DEVICE_VERSION, "OpenCL 1.2 false"),
    FALSE_TEXT(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 false"),
    FALSE_TEXT(CL_DEVICE_EXTENSIONS, ""),
    FALSE_ULONG(CL_DEVICE_TYPE, CL_DEVICE_TYPE_CPU),
    FALSE_UINT(CL_DEVICE_AVAILABLE, CL_TRUE),
    FALSE_UINT(CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE),
    FALSE_UINT(CL_DEVICE_MAX_CLOCK_FREQUENCY, 1000),
    FALSE_UINT(CL_DEVICE_MAX_COMPUTE_UNITS, 4),
    FALSE_UINT(CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE),
    FALSE_ULONG(CL_DEVICE_GLOBAL_MEM_SIZE, 1 << 30),
    FALSE_ULONG(CL_DEVICE_MAX_MEM_ALLOC_SIZE, 1 << 28),
    FALSE_ULONG(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 1 << 20),
    FALSE_ULONG(CL_DEVICE_LOCAL_MEM_SIZE, 1 << 16),
    FALSE_ULONG(CL_DEVICE_DOUBLE_FP_CONFIG, 0),
    FALSE_SIZES(CL_DEVICE_MAX_WORK_GROUP_SIZE, 1024),
    FALSE_SIZES(CL_DEVICE_MAX_WORK_ITEM_SIZES, 1024, 1024, 1024),
};

static const false_fact *fact_of(const struct _cl_device_id *device, cl_device_info what)
{
    for (int k = 0; k < FALSE_FACTS && device->facts[k].what; k++)
        if (device->facts[k].what == what) return &device->facts[k];
    for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++)
        if (usual[k].what == what) return &usual[k];
    return NULL;
}

static cl_platform_id platform_of(const struct _cl_device_id *device)
{
    for (cl_uint k = 0; k < false_opencl_is.platform_count; k++) {
        const struct _cl_platform_id *const platform = &false_opencl_is.platforms[k];
        if (device >= platform->devices && device < platform->devices + platform->device_count)
            return (cl_platform_id)platform;
    }
    return NULL;
}

static cl_int CL_API_CALL driver_GetDeviceInfo ASKS(cl_device_id)
{
    FAIL_IF_PLANNED(GetDeviceInfo);
    const false_fact *const fact = fact_of(handle, what);
    const cl_platform_id platform = platform_of(handle);
    if (!fact && what == CL_DEVICE_PLATFORM) return ANSWER(platform);
    if (!fact || !fact->answer) return CL_INVALID_VALUE;
    return answer_is(fact->answer, fact->bytes, room, answer, needed);
}

/* ---- contexts, queues, memory ----------------------------------------------------------------------------------- */

static cl_context CL_API_CALL
driver_CreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                     void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *error)
{
    NULL_IF_PLANNED(CreateContext, error);
    const cl_context made = object_make(sizeof *made, FAULT_CONTEXT, NULL);
    made->device = devices[0];
    return made;
}
RELEASE(ReleaseContext, FAULT_CONTEXT, cl_context)

enum { SHARERS_MAX = 8 };

static cl_int CL_API_CALL driver_GetContextInfo ASKS(cl_context)
{
    FAIL_IF_PLANNED(GetContextInfo);
    cl_device_id devices[SHARERS_MAX + 1] = { NULL };
    devices[false_opencl_is.sharers] = handle->device;
    if (what != CL_CONTEXT_DEVICES) return CL_INVALID_VALUE;
    return answer_is(devices, (false_opencl_is.sharers + 1) * sizeof *devices, room, answer, needed);
}

static cl_command_queue CL_API_CALL driver_CreateCommandQueue(cl_context context, cl_device_id device,
                                                              cl_command_queue_properties properties, cl_int *error)
{
    NULL_IF_PLANNED(CreateCommandQueue, error);
    const cl_command_queue made = object_make(sizeof *made, FAULT_QUEUE, context);
    made->device = device;
    made->properties = properties;
    return made;
}
RETAIN(RetainCommandQueue, FAULT_QUEUE, cl_command_queue)
RELEASE(ReleaseCommandQueue, FAULT_QUEUE, cl_command_queue)

static cl_int CL_API_CALL driver_GetCommandQueueInfo ASKS(cl_command_queue)
{
    FAIL_IF_PLANNED(GetCommandQueueInfo);
    if (what == CL_QUEUE_CONTEXT) return ANSWER(handle->head.context);
    if (what == CL_QUEUE_DEVICE) return ANSWER(handle->device);
    return what == CL_QUEUE_PROPERTIES ? ANSWER(handle->properties) : CL_INVALID_VALUE;
}

STATUS(Flush, (cl_command_queue queue), queue ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE)

STATUS(Finish, (cl_command_queue queue), queue ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE)

static cl_mem CL_API_CALL driver_CreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *given,
                                              cl_int *error)
{
    NULL_IF_PLANNED(CreateBuffer, error);
    const cl_mem made = object_make(sizeof *made + (given ? 0 : size), FAULT_MEMORY, context);
    made->bytes = size;
    made->flags = flags;
    made->given = given;
    return made;
}
RELEASE(ReleaseMemObject, FAULT_MEMORY, cl_mem)

static cl_int CL_API_CALL driver_GetMemObjectInfo ASKS(cl_mem)
{
    FAIL_IF_PLANNED(GetMemObjectInfo);
    const cl_bool is_svm = handle->given != NULL;
    const cl_mem parent = NULL;
    const cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    if (what == CL_MEM_CONTEXT) return ANSWER(handle->head.context);
    if (what == CL_MEM_SIZE) return ANSWER(handle->bytes);
    if (what == CL_MEM_FLAGS) return ANSWER(handle->flags);
    if (what == CL_MEM_TYPE) return ANSWER(type);
    if (what == CL_MEM_ASSOCIATED_MEMOBJECT) return ANSWER(parent);
    if (what == CL_MEM_USES_SVM_POINTER) return ANSWER(is_svm);
    return what == CL_MEM_HOST_PTR ? ANSWER(handle->given) : CL_INVALID_VALUE;
}

/* ---- commands --------------------------------------------------------------------------------------------------- */

#define WAITS cl_uint count, const cl_event *events, cl_event *event
#define DONE command_done(queue, count, events, event)

/* OpenCL refuses a list of waits without a count, and a count without a list. */
static cl_int command_done(cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *event)
{
    if ((count == 0) != (events == NULL)) return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint k = 0; k < count; k++)
        if (events[k]->head.context != queue->head.context) return CL_INVALID_CONTEXT;
    if (event) *event = object_make(sizeof **event, FAULT_EVENT, queue->head.context);
    return CL_SUCCESS;
}

static unsigned char *at(cl_mem buffer, size_t offset)
{
    return (buffer->given ? (unsigned char *)buffer->given : buffer->data) + offset;
}

static void fill(unsigned char *to, size_t size, const void *pattern, size_t bytes)
{
    for (size_t k = 0; k < size; k += bytes) memcpy(to + k, pattern, bytes);
}

static cl_int CL_API_CALL driver_EnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                   size_t offset, size_t size, void *data, WAITS)
{
    FAIL_IF_PLANNED(EnqueueReadBuffer);
    memcpy(data, at(buffer, offset), size);
    return DONE;
}

static cl_int CL_API_CALL driver_EnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t size, const void *data, WAITS)
{
    FAIL_IF_PLANNED(EnqueueWriteBuffer);
    memcpy(at(buffer, offset), data, size);
    return DONE;
}

static cl_int CL_API_CALL driver_EnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                                   size_t bytes, size_t offset, size_t size, WAITS)
{
    FAIL_IF_PLANNED(EnqueueFillBuffer);
    fill(at(buffer, offset), size, pattern, bytes);
    return DONE;
}

static cl_int CL_API_CALL driver_EnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                                   size_t to_offset, size_t size, WAITS)
{
    FAIL_IF_PLANNED(EnqueueCopyBuffer);
    memcpy(at(to, to_offset), at(from, from_offset), size);
    return DONE;
}

STATUS(EnqueueNDRangeKernel,
       (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
        const size_t *local, WAITS),
       local[0] > 0 && global[0] % local[0] == 0 ? DONE : CL_INVALID_WORK_GROUP_SIZE)

static cl_int CL_API_CALL driver_EnqueueMarkerWithWaitList(cl_command_queue queue, WAITS)
{
    if (event) *event = NULL;
    FAIL_IF_PLANNED(EnqueueMarkerWithWaitList);
    return DONE;
}

STATUS(EnqueueBarrierWithWaitList, (cl_command_queue queue, WAITS), DONE)

STATUS(WaitForEvents, (cl_uint count, const cl_event *events), count > 0 && events ? CL_SUCCESS : CL_INVALID_VALUE)
RETAIN(RetainEvent, FAULT_EVENT, cl_event)
RELEASE(ReleaseEvent, FAULT_EVENT, cl_event)

static cl_int CL_API_CALL driver_GetEventInfo ASKS(cl_event)
{
    FAIL_IF_PLANNED(GetEventInfo);
    const cl_int state = false_opencl_is.is_pending ? CL_RUNNING : CL_COMPLETE;
    if (what == CL_EVENT_CONTEXT) return ANSWER(handle->head.context);
    return what == CL_EVENT_COMMAND_EXECUTION_STATUS ? ANSWER(state) : CL_INVALID_VALUE;
}

STATUS(GetEventProfilingInfo, ASKS(cl_event),
       what == CL_PROFILING_COMMAND_START ? ANSWER(false_opencl_is.begin) : ANSWER(false_opencl_is.end))

/* ---- programs and kernels --------------------------------------------------------------------------------------- */

static cl_program program_make(cl_context context, const void *text, size_t length)
{
    const cl_program made = object_make(sizeof *made + length + 1, FAULT_PROGRAM, context);
    memcpy(made->text, text, length);
    return made;
}

static cl_program CL_API_CALL driver_CreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                                             const size_t *lengths, cl_int *error)
{
    NULL_IF_PLANNED(CreateProgramWithSource, error);
    const char *const text = false_opencl_is.binary ? false_opencl_is.binary : texts[0];
    return program_make(context, text, strlen(text));
}

static cl_program CL_API_CALL driver_CreateProgramWithBinary(cl_context context, cl_uint count,
                                                             const cl_device_id *devices, const size_t *lengths,
                                                             const unsigned char **binaries, cl_int *loaded,
                                                             cl_int *error)
{
    NULL_IF_PLANNED(CreateProgramWithBinary, error);
    *loaded = false_opencl_is.load_error;
    (void)snprintf(false_opencl_loaded, sizeof false_opencl_loaded, "%.*s", (int)lengths[0], (const char *)binaries[0]);
    return program_make(context, binaries[0], lengths[0]);
}
RELEASE(ReleaseProgram, FAULT_PROGRAM, cl_program)

STATUS(BuildProgram,
       (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
        void(CL_CALLBACK *notify)(cl_program, void *), void *user),
       false_opencl_is.build_error)

/* Answers a query of a program. Its devices are those that share the program, then the devices of the context. Only the
 * context's device has a binary. */
static cl_int CL_API_CALL driver_GetProgramInfo ASKS(cl_program)
{
    FAIL_IF_PLANNED(GetProgramInfo);
    const cl_uint count = false_opencl_is.sharers + 1;
    cl_device_id devices[SHARERS_MAX + 1] = { NULL };
    size_t sizes[SHARERS_MAX + 1] = { 0 };
    devices[count - 1] = handle->head.context->device;
    sizes[count - 1] = strlen(handle->text);
    if (what == CL_PROGRAM_NUM_DEVICES) return ANSWER(count);
    if (what == CL_PROGRAM_DEVICES) return answer_is(devices, count * sizeof *devices, room, answer, needed);
    if (what == CL_PROGRAM_BINARY_SIZES) return answer_is(sizes, count * sizeof *sizes, room, answer, needed);
    if (what != CL_PROGRAM_BINARIES) return CL_INVALID_VALUE;
    memcpy(((unsigned char **)answer)[count - 1], handle->text, sizes[count - 1]);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL driver_GetProgramBuildInfo(cl_program handle, cl_device_id device, cl_uint what, size_t room,
                                                     void *answer, size_t *needed)
{
    FAIL_IF_PLANNED(GetProgramBuildInfo);
    const char *const log = false_opencl_is.log ? false_opencl_is.log : "";
    return what == CL_PROGRAM_BUILD_LOG ? answer_is(log, strlen(log) + 1, room, answer, needed) : CL_INVALID_VALUE;
}

static cl_kernel CL_API_CALL driver_CreateKernel(cl_program program, const char *name, cl_int *error)
{
    NULL_IF_PLANNED(CreateKernel, error);
    const cl_kernel made = object_make(sizeof *made, FAULT_KERNEL, program->head.context);
    made->program = program;
    strncpy(made->name, name, sizeof made->name - 1);
    return made;
}
RELEASE(ReleaseKernel, FAULT_KERNEL, cl_kernel)

STATUS(SetKernelArg, (cl_kernel kernel, cl_uint place, size_t size, const void *value),
       !false_opencl_is.argument_bytes || size == false_opencl_is.argument_bytes ? CL_SUCCESS : CL_INVALID_ARG_SIZE)

static cl_int CL_API_CALL driver_GetKernelInfo ASKS(cl_kernel)
{
    FAIL_IF_PLANNED(GetKernelInfo);
    const cl_uint parameters = false_opencl_is.parameters;
    if (what == CL_KERNEL_CONTEXT) return ANSWER(handle->head.context);
    if (what == CL_KERNEL_PROGRAM) return ANSWER(handle->program);
    if (what == CL_KERNEL_NUM_ARGS) return ANSWER(parameters);
    if (what != CL_KERNEL_FUNCTION_NAME) return CL_INVALID_VALUE;
    return answer_is(handle->name, strlen(handle->name) + 1, room, answer, needed);
}

static cl_int CL_API_CALL driver_GetKernelWorkGroupInfo(cl_kernel handle, cl_device_id device, cl_uint what,
                                                        size_t room, void *answer, size_t *needed)
{
    FAIL_IF_PLANNED(GetKernelWorkGroupInfo);
    const size_t most = false_opencl_is.kernel_items ? false_opencl_is.kernel_items : 1024;
    const size_t compiled[3] = { false_opencl_is.compiled_items, 1, 1 };
    if (what == CL_KERNEL_WORK_GROUP_SIZE) return ANSWER(most);
    return what == CL_KERNEL_COMPILE_WORK_GROUP_SIZE ? ANSWER(compiled) : CL_INVALID_VALUE;
}

/* ---- extensions ------------------------------------------------------------------------------------------------- */

static cl_int CL_API_CALL driver_EnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *to,
                                                    const void *from, size_t size, WAITS)
{
    FAIL_IF_PLANNED(EnqueueMemcpyINTEL);
    memcpy(to, from, size);
    return DONE;
}

static cl_int CL_API_CALL driver_EnqueueMemFillINTEL(cl_command_queue queue, void *to, const void *pattern,
                                                     size_t bytes, size_t size, WAITS)
{
    FAIL_IF_PLANNED(EnqueueMemFillINTEL);
    fill(to, size, pattern, bytes);
    return DONE;
}

STATUS(SetKernelArgMemPointerINTEL, (cl_kernel kernel, cl_uint place, const void *memory),
       memory ? CL_SUCCESS : CL_INVALID_ARG_VALUE)

static command_buffer CL_API_CALL driver_CreateCommandBufferKHR(cl_uint count, const cl_command_queue *queues,
                                                                const cl_ulong *properties, cl_int *error)
{
    NULL_IF_PLANNED(CreateCommandBufferKHR, error);
    return object_make(sizeof(struct command_buffer), FAULT_GRAPH, queues[0]->head.context);
}

STATUS(CommandNDRangeKernelKHR,
       (command_buffer buffer, cl_command_queue queue, const cl_ulong *properties, cl_kernel kernel, cl_uint dimensions,
        const size_t *offset, const size_t *global, const size_t *local, cl_uint count, const cl_uint *points,
        cl_uint *point, void *handle),
       CL_SUCCESS)

STATUS(FinalizeCommandBufferKHR, (command_buffer buffer), buffer ? CL_SUCCESS : CL_INVALID_VALUE)
RELEASE(ReleaseCommandBufferKHR, FAULT_GRAPH, command_buffer)

static cl_int CL_API_CALL driver_EnqueueCommandBufferKHR(cl_uint queue_count, cl_command_queue *queues,
                                                         command_buffer buffer, WAITS)
{
    const cl_command_queue queue = queues[0];
    FAIL_IF_PLANNED(EnqueueCommandBufferKHR);
    return queue_count == 1 && buffer ? DONE : CL_INVALID_VALUE;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static void *CL_API_CALL driver_GetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    int code = 0;
    if (!platform || fault_strikes(FAULT_GetExtensionFunctionAddressForPlatform, &code)) return NULL;
    if (false_opencl_is.lacks && strcmp(name, false_opencl_is.lacks) == 0) return NULL;
    return false_opencl_load(name, NULL);
}

#define EXTENSIONS(X)                                                                                                  \
    X(EnqueueMemcpyINTEL)                                                                                              \
    X(EnqueueMemFillINTEL)                                                                                             \
    X(SetKernelArgMemPointerINTEL)                                                                                     \
    X(CreateCommandBufferKHR)                                                                                          \
    X(CommandNDRangeKernelKHR)                                                                                         \
    X(FinalizeCommandBufferKHR)                                                                                        \
    X(ReleaseCommandBufferKHR)                                                                                         \
    X(EnqueueCommandBufferKHR)

static const char *const names[FUNCTION_COUNT] = {
#define F(name) "cl" #name,
#include "backends/opencl/opencl_functions.inc"
    EXTENSIONS(F)
#undef F
};

/* Any function pointer may be stored as a pointer to a function of another type. */
static void (*const table[FUNCTION_COUNT])(void) = {
#define F(name) (void (*)(void)) driver_##name,
#include "backends/opencl/opencl_functions.inc"
    EXTENSIONS(F)
#undef F
};

void *false_opencl_load(const char *name, void *user)
{
    void *address = NULL;
    for (int k = 0; k < FUNCTION_COUNT; k++)
        if (strcmp(name, names[k]) == 0) memcpy(&address, &table[k], sizeof address);
    return address;
}

static int gives_handle(int function)
{
    return fault_opencl_gives_handle(names[function]);
}

static int can_block(int function)
{
    return fault_opencl_can_block(names[function]);
}

static const int codes[] = { CL_OUT_OF_RESOURCES,    CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                             CL_INVALID_BUFFER_SIZE, CL_INVALID_OPERATION,  -1234 };
static const int lasting_codes[] = { CL_DEVICE_NOT_AVAILABLE, CL_INVALID_COMMAND_QUEUE, -9999 };

const fault_driver false_opencl = {
    .names = names,
    .function_count = FUNCTION_COUNT,
    .codes = codes,
    .code_count = sizeof codes / sizeof codes[0],
    .lasting_codes = lasting_codes,
    .lasting_code_count = sizeof lasting_codes / sizeof lasting_codes[0],
    .gives_handle = gives_handle,
    .can_block = can_block,
};
