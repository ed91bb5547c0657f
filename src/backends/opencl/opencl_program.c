/* opencl_program.c: builds programs, reads their binaries and creates kernels. */
#include "opencl_internal.h"

#include <stdlib.h>
#include <string.h>

/* Appends the compiler's log of a failed build. */
static void build_log(const opencl_context *context, cl_program program, mcl__text *log)
{
    size_t size = 0;
    const cl_int error = mcl__cl.GetProgramBuildInfo(program, context->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *const text = error == CL_SUCCESS && size > 0 ? calloc(1, size + 1) : NULL;
    if (text &&
        mcl__cl.GetProgramBuildInfo(program, context->device, CL_PROGRAM_BUILD_LOG, size, text, NULL) == CL_SUCCESS)
        mcl__text_append(log, text);
    free(text);
}

/* Returns 1 where the line is blank, or is the line with which POCL ends every log, even one without a cause. */
static int line_is_empty(const char *line, size_t length)
{
    static const char last[] = "failed to build the program";
    const size_t words = sizeof last - 1;
    if (strspn(line, " \t\r") >= length) return 1;
    return length > words && memcmp(line + length - words, last, words) == 0 && strncmp(line, "Device ", 7) == 0;
}

/* Returns 1 where the compiler rejected the text and its log says why. */
static int is_rejected(cl_int error, const mcl__text *log)
{
    if (error == CL_SUCCESS || error == CL_OUT_OF_HOST_MEMORY || error == CL_OUT_OF_RESOURCES || !log->data) return 0;
    for (const char *line = log->data; *line;) {
        const size_t length = strcspn(line, "\n");
        if (!line_is_empty(line, length)) return 1;
        line += length + (line[length] != 0);
    }
    return 0;
}

/* Builds the program once. On failure it releases the program, and log has the compiler's log of this attempt. */
static cl_int program_try(opencl_context *context, cl_program handle, mcl__text *log)
{
    const cl_int error = mcl__cl.BuildProgram(handle, 1, &context->device, context->base.build_options, NULL, NULL);
    mcl__text_clear(log);
    if (error == CL_SUCCESS) return error;
    build_log(context, handle, log);
    (void)mcl__cl.ReleaseProgram(handle);
    return error;
}

/* Fails with the error sentence for a failed build that no log explains. */
static mcl_status build_failed(opencl_context *context, cl_int error, const char *name)
{
    if (error == CL_OUT_OF_HOST_MEMORY || error == CL_OUT_OF_RESOURCES)
        return mcl__opencl_check(&context->base, error, "clBuildProgram");
    return mcl__fail(MCL_ERROR_BUILD,
                     "opencl: clBuildProgram gave %s (%d) for program %s on %s, and no log; expected CL_SUCCESS. The "
                     "cause is not the text: look at free memory, at the room on the disk, and at the driver's own "
                     "folders (POCL: POCL_CACHE_DIR, HOME, TMPDIR)",
                     mcl__opencl_error_name(error), (int)error, name, context->base.info.name);
}

mcl_status mcl__opencl_program_load(mcl_context *context, const void *binary, size_t bytes, void **program)
{
    opencl_context *const own = (opencl_context *)context;
    const unsigned char *start = binary;
    cl_int loaded = CL_SUCCESS;
    cl_int error = CL_SUCCESS;
    const cl_program handle =
        mcl__cl.CreateProgramWithBinary(own->handle, 1, &own->device, &bytes, &start, &loaded, &error);
    if (error != CL_SUCCESS || loaded != CL_SUCCESS || !handle) {
        if (error == CL_SUCCESS && handle) (void)mcl__cl.ReleaseProgram(handle);
        return mcl__fail(MCL_ERROR_BUILD, "opencl: %s does not take a binary of %zu bytes", context->info.name, bytes);
    }
    mcl__text log = { 0 };
    error = program_try(own, handle, &log);
    if (error == CL_SUCCESS) *program = handle;
    mcl_status status = MCL_OK;
    if (is_rejected(error, &log))
        status =
            mcl__fail(MCL_ERROR_BUILD, "opencl: %s does not take a binary of %zu bytes", context->info.name, bytes);
    else if (error != CL_SUCCESS)
        status = build_failed(own, error, "from a binary");
    mcl__text_free(&log);
    return status;
}

/* Returns the index of the context's device among the program's devices, whose binaries come together. Returns -1 where
 * it is not found. */
static int device_place(const opencl_context *context, cl_program program, cl_uint *count)
{
    *count = 0;
    if (mcl__cl.GetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof *count, count, NULL) != CL_SUCCESS) return -1;
    cl_device_id *const devices = calloc(*count + 1u, sizeof *devices);
    int place = -1;
    if (devices &&
        mcl__cl.GetProgramInfo(program, CL_PROGRAM_DEVICES, *count * sizeof *devices, devices, NULL) == CL_SUCCESS) {
        for (cl_uint i = 0; i < *count; ++i) {
            if (devices[i] == context->device) place = (int)i;
        }
    }
    free(devices);
    return place;
}

/* Gets the binary of every device, each in memory that it allocates. Not every driver skips a device whose pointer is
 * NULL. */
static cl_int binaries_get(cl_program program, cl_uint count, size_t *sizes, unsigned char **binaries)
{
    cl_int error = mcl__cl.GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes, sizes, NULL);
    if (error != CL_SUCCESS) return error;
    for (cl_uint i = 0; i < count; ++i) {
        binaries[i] = malloc(sizes[i] + 1);
        if (!binaries[i]) return CL_OUT_OF_HOST_MEMORY;
    }
    return mcl__cl.GetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *binaries, binaries, NULL);
}

static cl_int binary_copy(cl_program program, cl_uint count, int place, mcl__text *out)
{
    size_t *const sizes = calloc(count, sizeof *sizes);
    unsigned char **const binaries = calloc(count, sizeof *binaries);
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    if (sizes && binaries) error = binaries_get(program, count, sizes, binaries);
    if (error == CL_SUCCESS) mcl__text_bytes(out, binaries[place], sizes[place]);
    for (cl_uint i = 0; binaries && i < count; ++i) free(binaries[i]);
    free(binaries);
    free(sizes);
    return out->failed ? CL_OUT_OF_HOST_MEMORY : error;
}

mcl_status mcl__opencl_program_binary(mcl_context *context, void *program, mcl__text *out)
{
    cl_uint count;
    mcl__text_clear(out);
    const int place = device_place((const opencl_context *)context, program, &count);
    if (place < 0)
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "opencl: the driver of %s does not give binaries", context->info.name);
    return mcl__opencl_check(context, binary_copy(program, count, place, out), "clGetProgramInfo");
}

/* Replaces a program by one with the launch bounds that its kernels ask for. If a step fails, the program stays. */
static void program_bound(mcl_context *context, void **program)
{
    mcl__text ptx = { 0 };
    mcl__text bounded = { 0 };
    void *better = NULL;
    if (mcl__opencl_program_binary(context, *program, &ptx) == MCL_OK && mcl__opencl_ptx_bounds(&ptx, &bounded) &&
        mcl__opencl_program_load(context, bounded.data, bounded.length, &better) == MCL_OK) {
        mcl__opencl_program_release(context, *program);
        *program = better;
    }
    mcl__text_free(&ptx);
    mcl__text_free(&bounded);
}

/* Compiles a program. If it fails for another reason than the text, compiles it once more. In the meantime memory may
 * have become free. Or several processes started together on a driver's empty cache, and disturbed each other. */
static mcl_status program_compile(opencl_context *context, const char *source, const char *name, mcl__text *log,
                                  cl_program *program)
{
    enum { TRIES = 2 };
    mcl_status status = MCL_OK;
    cl_int built = CL_SUCCESS;
    for (int k = 0; k < TRIES; ++k) {
        cl_int error = CL_SUCCESS;
        *program = mcl__cl.CreateProgramWithSource(context->handle, 1, &source, NULL, &error);
        status = mcl__opencl_check_made(&context->base, *program, error, "clCreateProgramWithSource");
        if (status != MCL_OK) break;
        built = program_try(context, *program, log);
        if (built == CL_SUCCESS || is_rejected(built, log)) break;
    }
    if (status != MCL_OK || built == CL_SUCCESS) return status;
    if (is_rejected(built, log)) return MCL_ERROR_BUILD;
    mcl__text_clear(log);
    return build_failed(context, built, name);
}

mcl_status mcl__opencl_program_build(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                     void **program)
{
    cl_program handle = NULL;
    MCL__TRY(program_compile((opencl_context *)context, source, name, log, &handle));
    *program = handle;
    if (strcmp(context->info.vendor, "NVIDIA") == 0) program_bound(context, program);
    return MCL_OK;
}

void mcl__opencl_program_release(mcl_context *context, void *program)
{
    (void)context;
    (void)mcl__cl.ReleaseProgram(program);
}

mcl_status mcl__opencl_kernel_create(mcl_context *context, void *program, const char *name, void **kernel)
{
    cl_int error = CL_SUCCESS;
    const cl_kernel handle = mcl__cl.CreateKernel(program, name, &error);
    if (error == CL_INVALID_KERNEL_NAME)
        return mcl__fail(MCL_ERROR_BUILD, "opencl: the program has no kernel %s", name);
    MCL__TRY(mcl__opencl_check_made(context, handle, error, "clCreateKernel"));
    *kernel = handle;
    return MCL_OK;
}

void mcl__opencl_kernel_release(mcl_context *context, void *kernel)
{
    (void)context;
    (void)mcl__cl.ReleaseKernel(kernel);
}

/* Returns 1 for two drivers that report a smaller group size than the one that a kernel was compiled for and runs with.
 * NVIDIA's rounds down to a power of two, and Mesa's (22.3, llvmpipe) always reports 32. */
static int understates(const mcl_context *context)
{
    return strcmp(context->info.vendor, "NVIDIA") == 0 || strcmp(context->info.vendor, "Mesa") == 0;
}

static size_t compiled_threads(const opencl_context *context, cl_kernel kernel)
{
    size_t size[3] = { 0, 0, 0 };
    const cl_int error = mcl__cl.GetKernelWorkGroupInfo(kernel, context->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                                        sizeof size, size, NULL);
    return error == CL_SUCCESS ? size[0] : 0;
}

mcl_status mcl__opencl_kernel_max_threads(mcl_context *context, void *kernel, int *threads)
{
    const opencl_context *const own = (const opencl_context *)context;
    size_t size = 0;
    const cl_int error =
        mcl__cl.GetKernelWorkGroupInfo(kernel, own->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL);
    MCL__TRY(mcl__opencl_check(context, error, "clGetKernelWorkGroupInfo"));
    if (understates(context)) {
        const size_t compiled = compiled_threads(own, kernel);
        if (compiled > size) size = compiled;
    }
    *threads = size > INT32_MAX ? INT32_MAX : (int)size;
    return MCL_OK;
}
