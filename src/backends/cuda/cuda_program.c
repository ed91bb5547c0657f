/* cuda_program.c: compiles a program's text and gets its kernels. NVRTC makes machine code for the device, or PTX for a
 * device that is too new for NVRTC. The driver loads both. */
#include "backends/cuda/cuda_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A module with the image that it was loaded from: a cubin, or PTX with the final 0 that the driver needs. */
typedef struct cuda_program {
    CUmodule module;
    mcl__text image;
} cuda_program;

/* The compiler's options apart from the architecture. Fast math is off. Multiply-add may be contracted, as is the
 * default in OpenCL C. Warnings are off: many warnings of unused dialect functions would hide the error in a log. */
static const char *const fixed_options[] = { "--device-as-default-execution-space", "--std=c++17",
                                             "--disable-warnings" };
enum { FIXED_OPTION_COUNT = sizeof fixed_options / sizeof *fixed_options };

/* ---- the compiler -------------------------------------------------------------------------------------------- */

/* Returns NVRTC's version, such as 1300 for 13.0, or 0 where NVRTC is missing. */
static int compiler_version(void)
{
    int major = 0;
    int minor = 0;
    if (mcl__nvrtc_missing() || mcl__nvrtc.Version(&major, &minor) != NVRTC_SUCCESS) return 0;
    return 100 * major + minor;
}

void mcl__cuda_language(char *out, size_t capacity)
{
    const int compiler = compiler_version();
    int driver = 0;
    mcl__cuda.DriverGetVersion(&driver);
    if (compiler == 0) {
        snprintf(out, capacity, "CUDA %d.%d, no NVRTC", driver / 1000, driver % 1000 / 10);
    } else {
        snprintf(out, capacity, "CUDA %d.%d, NVRTC %d.%d", driver / 1000, driver % 1000 / 10, compiler / 100,
                 compiler % 100);
    }
}

/* Finds the newest architecture that the compiler knows and the device can run: the device's own, or an older one with
 * PTX. *best is 0 where there is none, or no compiler. Programs from the disk cache run even then. */
static mcl_status compiler_target(int capability, int *best)
{
    int known[128];
    int count = 0;
    *best = 0;
    if (mcl__nvrtc_missing()) return MCL_OK;
    if (mcl__nvrtc.GetNumSupportedArchs(&count) != NVRTC_SUCCESS || count < 0 ||
        count > (int)(sizeof known / sizeof *known) || mcl__nvrtc.GetSupportedArchs(known) != NVRTC_SUCCESS)
        return mcl__fail(MCL_ERROR_DEVICE, "cuda: nvrtcGetSupportedArchs does not tell what NVRTC compiles for");
    for (int i = 0; i < count; ++i) {
        if (known[i] <= capability && known[i] > *best) *best = known[i];
    }
    return MCL_OK;
}

/* Returns 1 where launches may overlap. Kernels for sm_90 and later themselves wait for the previous launch (MCL_ENTER
 * in the dialect). Drivers of CUDA 12.3 and later can capture such launches into graphs. */
static int can_overlap(const cuda_context *context)
{
    int version = 0;
    mcl__cuda.DriverGetVersion(&version);
    return context->target >= 90 && version >= 12030 && mcl__cuda.LaunchKernelEx;
}

mcl_status mcl__cuda_compiler_describe(cuda_context *context)
{
    mcl_context *const base = &context->base;
    mcl__cuda_language(base->info.language, sizeof base->info.language);
    MCL__TRY(compiler_target(context->capability, &context->target));
    context->overlaps = can_overlap(context);
    size_t length = (size_t)snprintf(base->build_options, sizeof base->build_options, "--gpu-architecture=%s_%d",
                                     context->target == context->capability ? "sm" : "compute", context->target);
    for (int i = 0; i < FIXED_OPTION_COUNT; ++i) {
        length += (size_t)snprintf(base->build_options + length, sizeof base->build_options - length, " %s",
                                   fixed_options[i]);
    }
    snprintf(base->cache_identity, sizeof base->cache_identity, "cuda; %s; %s; %s", base->info.name,
             base->info.architecture, base->info.language);
    return MCL_OK;
}

/* ---- compiling ----------------------------------------------------------------------------------------------- */

/* Checks that there is a compiler, and that it can compile for the device. */
static mcl_status compiler_check(const cuda_context *context)
{
    const char *const missing = mcl__nvrtc_missing();
    if (missing) {
        return mcl__fail(MCL_ERROR_DEVICE,
                         "cuda: %s was not found: programs are compiled by NVRTC 11.2 or later, which comes with the "
                         "CUDA toolkit and must be in the loader's path (LD_LIBRARY_PATH)",
                         missing);
    }
    if (context->target == 0) {
        const int version = compiler_version();
        return mcl__fail(MCL_ERROR_DEVICE,
                         "cuda: NVRTC %d.%d does not compile for the device %s of architecture sm_%d: it needs another "
                         "version of NVRTC",
                         version / 100, version % 100, context->base.info.name, context->capability);
    }
    return MCL_OK;
}

/* Two functions of NVRTC. The first returns the size of a text or image, including a text's final 0; the second writes
 * it. */
typedef nvrtcResult compiler_size(nvrtcProgram program, size_t *bytes);
typedef nvrtcResult compiler_bytes(nvrtcProgram program, char *bytes);

static nvrtcResult compiler_take(nvrtcProgram program, compiler_size *size, compiler_bytes *take, mcl__text *out)
{
    size_t bytes = 0;
    const nvrtcResult sized = size(program, &bytes);
    if (sized != NVRTC_SUCCESS) return sized;
    char *const copy = malloc(bytes + 1);
    if (!copy) return NVRTC_ERROR_OUT_OF_MEMORY;
    const nvrtcResult taken = take(program, copy);
    if (taken == NVRTC_SUCCESS) mcl__text_bytes(out, copy, bytes);
    free(copy);
    return out->failed ? NVRTC_ERROR_OUT_OF_MEMORY : taken;
}

static mcl_status compile_failed(nvrtcResult result, const char *name, const mcl__text *log)
{
    if (result == NVRTC_ERROR_COMPILATION && log->data && log->data[0]) return MCL_ERROR_BUILD;
    const mcl_status status = result == NVRTC_ERROR_COMPILATION     ? MCL_ERROR_BUILD
                              : result == NVRTC_ERROR_OUT_OF_MEMORY ? MCL_ERROR_MEMORY
                                                                    : MCL_ERROR_DEVICE;
    const int version = compiler_version();
    const char *const text = mcl__nvrtc.GetErrorString(result);
    return mcl__fail(status, "cuda: NVRTC %d.%d did not compile the program %s: %s", version / 100, version % 100, name,
                     text ? text : "it has no text for its error");
}

static mcl_status compile(const cuda_context *context, const char *source, const char *name, mcl__text *log,
                          mcl__text *image)
{
    char words[sizeof context->base.build_options];
    const char *options[sizeof words + 1];
    int option_count = 0;
    nvrtcProgram program = NULL;
    memcpy(words, context->base.build_options, sizeof words);
    for (char *word = words; word; ++option_count) {
        options[option_count] = word;
        word = strchr(word, ' ');
        if (word) *word++ = 0;
    }
    if (strstr(source, "#define MCL_UNCONTRACTED 1\n")) options[option_count++] = "--fmad=false";

    nvrtcResult result = mcl__nvrtc.CreateProgram(&program, source, name, 0, NULL, NULL);
    if (result == NVRTC_SUCCESS && !program) result = NVRTC_ERROR_INVALID_PROGRAM;
    if (result == NVRTC_SUCCESS) {
        result = mcl__nvrtc.CompileProgram(program, option_count, options);
        if (result != NVRTC_SUCCESS) {
            (void)compiler_take(program, mcl__nvrtc.GetProgramLogSize, mcl__nvrtc.GetProgramLog, log);
        } else if (context->target == context->capability) {
            result = compiler_take(program, mcl__nvrtc.GetCUBINSize, mcl__nvrtc.GetCUBIN, image);
        } else {
            result = compiler_take(program, mcl__nvrtc.GetPTXSize, mcl__nvrtc.GetPTX, image);
        }
        mcl__nvrtc.DestroyProgram(&program);
    }
    return result == NVRTC_SUCCESS ? MCL_OK : compile_failed(result, name, log);
}

/* ---- programs ------------------------------------------------------------------------------------------------ */

static void program_free(cuda_program *program)
{
    mcl__text_free(&program->image);
    free(program);
}

static mcl_status program_create(cuda_program **out)
{
    cuda_program *const program = calloc(1, sizeof *program);
    if (!program) {
        return mcl__fail(MCL_ERROR_MEMORY, "cuda: host memory for a program of %zu bytes is exhausted",
                         sizeof *program);
    }
    *out = program;
    return MCL_OK;
}

/* Loads the program's image into the driver. On failure it frees the program. */
static mcl_status program_finish(mcl_context *context, cuda_program *program, const char *what, void **out)
{
    mcl_status status = MCL_OK;
    if (program->image.failed || !program->image.data) {
        status = mcl__fail(MCL_ERROR_MEMORY, "cuda: host memory for the image of %s is exhausted", what);
    }
    if (status == MCL_OK) status = mcl__cuda_enter(context);
    if (status == MCL_OK) {
        const CUresult result = mcl__cuda.ModuleLoadData(&program->module, program->image.data);
        mcl__cuda_leave();
        status = mcl__cuda_check_made(context, program->module, result, "cuModuleLoadData of %s", what);
    }
    if (status != MCL_OK) {
        program_free(program);
        return status;
    }
    *out = program;
    return MCL_OK;
}

mcl_status mcl__cuda_program_build(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                   void **program)
{
    const cuda_context *const own = mcl__cuda_context_of(context);
    cuda_program *made = NULL;
    MCL__TRY(compiler_check(own));
    MCL__TRY(program_create(&made));
    const mcl_status status = compile(own, source, name, log, &made->image);
    if (status != MCL_OK) {
        program_free(made);
        return status;
    }
    return program_finish(context, made, name, program);
}

mcl_status mcl__cuda_program_load(mcl_context *context, const void *binary, size_t bytes, void **program)
{
    cuda_program *made = NULL;
    MCL__TRY(program_create(&made));
    mcl__text_bytes(&made->image, binary, bytes);
    return program_finish(context, made, "a program from the disk cache", program);
}

mcl_status mcl__cuda_program_binary(mcl_context *context, void *program, mcl__text *out)
{
    const cuda_program *const own = program;
    (void)context;
    mcl__text_bytes(out, own->image.data, own->image.length);
    if (out->failed) {
        return mcl__fail(MCL_ERROR_MEMORY, "cuda: host memory for a program image of %zu bytes is exhausted",
                         own->image.length);
    }
    return MCL_OK;
}

void mcl__cuda_program_release(mcl_context *context, void *program)
{
    cuda_program *const own = program;
    if (!own) return;
    int entered;
    if (mcl__cuda_enter_quietly(context, &entered)) {
        mcl__cuda.ModuleUnload(own->module);
        if (entered) mcl__cuda_leave();
    }
    program_free(own);
}

/* ---- kernels: handles that live and die with their module ------------------------------------------------------- */

mcl_status mcl__cuda_kernel_create(mcl_context *context, void *program, const char *name, void **kernel)
{
    CUfunction function = NULL;
    MCL__TRY(mcl__cuda_enter(context));
    const CUresult result = mcl__cuda.ModuleGetFunction(&function, ((cuda_program *)program)->module, name);
    mcl__cuda_leave();
    if (result == CUDA_ERROR_NOT_FOUND) return mcl__fail(MCL_ERROR_BUILD, "cuda: the program has no kernel %s", name);
    MCL__TRY(mcl__cuda_check_made(context, function, result, "cuModuleGetFunction of the kernel %s", name));
    *kernel = function;
    return MCL_OK;
}

void mcl__cuda_kernel_release(mcl_context *context, void *kernel)
{
    (void)context;
    (void)kernel;
}

mcl_status mcl__cuda_kernel_max_threads(mcl_context *context, void *kernel, int *threads)
{
    int value = 0;
    MCL__TRY(mcl__cuda_enter(context));
    const CUresult result = mcl__cuda.FuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel);
    mcl__cuda_leave();
    MCL__TRY(mcl__cuda_check(context, result, "cuFuncGetAttribute"));
    *threads = value;
    return MCL_OK;
}

/* Does nothing. A driver that loads code lazily does so when the kernel is looked up in its module, which has happened
 * before. */
void mcl__cuda_kernel_warm(mcl_queue *queue, void *kernel, int64_t work_items)
{
    (void)queue;
    (void)kernel;
    (void)work_items;
}
