/* opencl_loader.c: finds OpenCL's functions at run time, and the names of its errors. */
#include "opencl_internal.h"

#include <string.h>

mcl__opencl_functions mcl__cl;

/* The source of functions: the caller's loader, the process itself, or a library that is opened here. The process may
 * already have loaded OpenCL, or a wrapper around it. */
typedef struct function_source {
    mcl_opencl_loader loader;
    void *user;
    void *library;
} function_source;

static function_source callers_source; /* guarded by the process lock, like loaded */
static enum { NOT_LOADED, LOADED, MISSING } loaded;

static const struct {
    const char *name;
    size_t place;
} functions[] = {
#define F(name) { "cl" #name, offsetof(mcl__opencl_functions, name) },
#include "opencl_functions.inc"
#undef F
};

static void *source_function(const function_source *source, const char *name)
{
    if (source->loader) return source->loader(name, source->user);
    if (source->library) return mcl__library_symbol(source->library, name);
    return mcl__library_default_symbol(name);
}

/* Takes all functions from one source. Returns 0 where one is missing. */
static int functions_take(const function_source *source)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
        void *const address = source_function(source, functions[i].name);
        if (!address) return 0;
        /* memcpy copies the pointer, since ISO C has no cast from void * to a function pointer. */
        memcpy((char *)&mcl__cl + functions[i].place, &address, sizeof address);
    }
    return 1;
}

static const char *const library_names[] = {
#if defined(_WIN32)
    "OpenCL.dll",
#elif defined(__APPLE__)
    "/System/Library/Frameworks/OpenCL.framework/OpenCL",
#else
    "libOpenCL.so.1", "libOpenCL.so",
#endif
    NULL
};

static int functions_find(void)
{
    if (callers_source.loader) return functions_take(&callers_source);
    function_source source = { 0 };
    if (functions_take(&source)) return 1;
    source.library = mcl__library_open(library_names);
    return source.library && functions_take(&source);
}

int mcl__opencl_load(void)
{
    mcl__process_lock();
    if (loaded == NOT_LOADED) loaded = functions_find() ? LOADED : MISSING;
    const int good = loaded == LOADED;
    mcl__process_unlock();
    return good;
}

void mcl__opencl_missing(mcl__text *out)
{
#if defined(_WIN32) || defined(__APPLE__)
    const char *const package = "";
#else
    const char *const package = "; Debian: ocl-icd-libopencl1";
#endif
    mcl__process_lock();
    const int is_callers = callers_source.loader != NULL;
    mcl__process_unlock();
    mcl__text_append(out, out->length ? "; " : "");
    if (is_callers)
        mcl__text_append(out, "the function of mcl_opencl_loader_set does not find all of OpenCL 1.2");
    else
        mcl__text_format(out, "OpenCL's loader was not found, or is older than OpenCL 1.2 (%s%s)", library_names[0],
                         package);
}

int mcl__opencl_take(cl_platform_id platform, const char *name, void *out)
{
    void *const address = mcl__cl.GetExtensionFunctionAddressForPlatform(platform, name);
    memcpy(out, &address, sizeof address);
    return address != NULL;
}

mcl_status mcl_opencl_loader_set(mcl_opencl_loader function, void *user)
{
    mcl__function_is("mcl_opencl_loader_set");
    if (!function) return mcl__fail(MCL_ERROR_ARGUMENT, "function is NULL; expected a function");
    MCL__TRY(mcl__process_check());
    mcl__process_lock();
    const int in_time = loaded == NOT_LOADED;
    if (in_time) callers_source = (function_source){ .loader = function, .user = user };
    mcl__process_unlock();
    if (in_time) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "OpenCL has been looked for already; expected this call before any other");
}

#define OPENCL_ERROR_LIST(X)                                                                                           \
    X(CL_DEVICE_NOT_FOUND)                                                                                             \
    X(CL_DEVICE_NOT_AVAILABLE)                                                                                         \
    X(CL_COMPILER_NOT_AVAILABLE)                                                                                       \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                                                \
    X(CL_OUT_OF_RESOURCES)                                                                                             \
    X(CL_OUT_OF_HOST_MEMORY)                                                                                           \
    X(CL_PROFILING_INFO_NOT_AVAILABLE)                                                                                 \
    X(CL_MEM_COPY_OVERLAP)                                                                                             \
    X(CL_BUILD_PROGRAM_FAILURE)                                                                                        \
    X(CL_MAP_FAILURE)                                                                                                  \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                                                                 \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                                                    \
    X(CL_COMPILE_PROGRAM_FAILURE)                                                                                      \
    X(CL_LINKER_NOT_AVAILABLE)                                                                                         \
    X(CL_LINK_PROGRAM_FAILURE)                                                                                         \
    X(CL_DEVICE_PARTITION_FAILED)                                                                                      \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)                                                                                \
    X(CL_INVALID_VALUE)                                                                                                \
    X(CL_INVALID_DEVICE_TYPE)                                                                                          \
    X(CL_INVALID_PLATFORM)                                                                                             \
    X(CL_INVALID_DEVICE)                                                                                               \
    X(CL_INVALID_CONTEXT)                                                                                              \
    X(CL_INVALID_QUEUE_PROPERTIES)                                                                                     \
    X(CL_INVALID_COMMAND_QUEUE)                                                                                        \
    X(CL_INVALID_HOST_PTR)                                                                                             \
    X(CL_INVALID_MEM_OBJECT)                                                                                           \
    X(CL_INVALID_BINARY)                                                                                               \
    X(CL_INVALID_BUILD_OPTIONS)                                                                                        \
    X(CL_INVALID_PROGRAM)                                                                                              \
    X(CL_INVALID_PROGRAM_EXECUTABLE)                                                                                   \
    X(CL_INVALID_KERNEL_NAME)                                                                                          \
    X(CL_INVALID_KERNEL_DEFINITION)                                                                                    \
    X(CL_INVALID_KERNEL)                                                                                               \
    X(CL_INVALID_ARG_INDEX)                                                                                            \
    X(CL_INVALID_ARG_VALUE)                                                                                            \
    X(CL_INVALID_ARG_SIZE)                                                                                             \
    X(CL_INVALID_KERNEL_ARGS)                                                                                          \
    X(CL_INVALID_WORK_DIMENSION)                                                                                       \
    X(CL_INVALID_WORK_GROUP_SIZE)                                                                                      \
    X(CL_INVALID_WORK_ITEM_SIZE)                                                                                       \
    X(CL_INVALID_GLOBAL_OFFSET)                                                                                        \
    X(CL_INVALID_EVENT_WAIT_LIST)                                                                                      \
    X(CL_INVALID_EVENT)                                                                                                \
    X(CL_INVALID_OPERATION)                                                                                            \
    X(CL_INVALID_BUFFER_SIZE)                                                                                          \
    X(CL_INVALID_GLOBAL_WORK_SIZE)                                                                                     \
    X(CL_INVALID_PROPERTY)                                                                                             \
    X(CL_INVALID_COMPILER_OPTIONS)                                                                                     \
    X(CL_INVALID_LINKER_OPTIONS)                                                                                       \
    X(CL_PLATFORM_NOT_FOUND_KHR)

const char *mcl__opencl_error_name(cl_int error)
{
    switch (error) {
#define X(name)                                                                                                        \
    case name:                                                                                                         \
        return #name;
        OPENCL_ERROR_LIST(X)
#undef X
    default:
        return "an error of the driver's own";
    }
}

/* Returns 1 for an error after which no command of the context can succeed. After a device failure, NVIDIA's driver
 * gives CL_INVALID_COMMAND_QUEUE, or -9999 where a kernel has accessed memory outside its buffers. A queue of the
 * library is never invalid for another reason, since it is released only later. */
static int is_lasting(cl_int error)
{
    const cl_int nvidia_illegal_access = -9999;
    return error == CL_DEVICE_NOT_AVAILABLE || error == CL_INVALID_COMMAND_QUEUE || error == nvidia_illegal_access;
}

mcl_status mcl__opencl_check(mcl_context *context, cl_int error, const char *function)
{
    if (error == CL_SUCCESS) return MCL_OK;
    const int memory =
        error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_HOST_MEMORY || error == CL_INVALID_BUFFER_SIZE;
    if (context && is_lasting(error)) mcl__context_lose(context, function, mcl__opencl_error_name(error));
    return mcl__fail(memory ? MCL_ERROR_MEMORY : MCL_ERROR_DEVICE, "opencl: %s gave %s (%d); expected CL_SUCCESS",
                     function, mcl__opencl_error_name(error), (int)error);
}

mcl_status mcl__opencl_check_made(mcl_context *context, const void *handle, cl_int error, const char *function)
{
    if (error != CL_SUCCESS || handle) return mcl__opencl_check(context, error, function);
    return mcl__fail(MCL_ERROR_DEVICE, "opencl: %s gave CL_SUCCESS and no handle; expected one", function);
}
