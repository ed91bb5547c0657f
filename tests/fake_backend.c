/* fake_backend.c: a backend that writes programs to files. */
#include "fake_backend.h"

#include "backends/cuda/cuda_internal.h"
#include "context/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *fake_folder;
char fake_label[96];
const char *fake_wanted;
int fake_part;
int fake_parts = 1;
int fake_checks_only;
int fake_default_tiles;
int fake_program_count;
int fake_failed_count;

static void fake_context_close(mcl_context *context)
{
    free(context);
}

static mcl_status fake_memory_allocate(mcl_context *context, size_t bytes, uintptr_t *block)
{
    static uintptr_t next = 1 << 20;
    (void)context;
    *block = next;
    next += (bytes + 4095) / 4096 * 4096;
    return MCL_OK;
}

static void fake_memory_release(mcl_context *context, uintptr_t block)
{
    (void)context;
    (void)block;
}

static void fake_memory_place(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin)
{
    (void)context;
    *root = 0;
    *origin = block;
}

static mcl_status fake_queue_open(mcl_context *context, int flags, mcl_queue **out)
{
    (void)context;
    (void)flags;
    *out = calloc(1, sizeof **out);
    return *out ? MCL_OK : mcl__fail(MCL_ERROR_MEMORY, "kernel_texts: no memory for a queue");
}

static void fake_queue_close(mcl_queue *queue)
{
    free(queue);
}

static mcl_status fake_queue_finish(mcl_queue *queue)
{
    (void)queue;
    return MCL_OK;
}

static mcl_status write_bytes(const char *ending, const void *content, size_t bytes)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s-%d.%s", fake_folder, fake_label, fake_program_count, ending);
    FILE *file = fopen(path, "wb");
    if (!file) return mcl__fail(MCL_ERROR_DEVICE, "kernel_texts: %s cannot be opened for writing", path);
    const int failed = fwrite(content, 1, bytes, file) != bytes;
    if (fclose(file) != 0 || failed) return mcl__fail(MCL_ERROR_DEVICE, "kernel_texts: %s cannot be written", path);
    return MCL_OK;
}

static mcl_status write_file(const char *ending, const char *content)
{
    return write_bytes(ending, content, strlen(content));
}

/* Writes the machine code to a file, for disassemblers. */
static mcl_status write_image(nvrtcProgram program)
{
    size_t bytes = 0;
    if (mcl__nvrtc.GetCUBINSize(program, &bytes) != NVRTC_SUCCESS) return MCL_OK;
    char *const image = malloc(bytes + 1);
    if (!image) return mcl__fail(MCL_ERROR_MEMORY, "kernel_texts: host memory for %s is exhausted", fake_label);
    mcl_status status = MCL_OK;
    if (mcl__nvrtc.GetCUBIN(program, image) == NVRTC_SUCCESS) status = write_bytes("cubin", image, bytes);
    free(image);
    return status;
}

/* Compiles a text with the backend's own options, and asks for the assembler's report. A text that is only checked
 * becomes PTX without optimising, which takes an eighth of the time. */
static mcl_status compile(const char *build_options, const char *source)
{
    char words[256];
    const char *options[16] = { fake_checks_only ? "--device-debug" : "--ptxas-options=-v" };
    int count = 1;
    nvrtcProgram program = NULL;
    size_t bytes = 0;
    (void)snprintf(words, sizeof words, "%s", build_options);
    for (char *word = strtok(words, " "); word && count < 16; word = strtok(NULL, " "))
        options[count++] = fake_checks_only && strstr(word, "=sm_90") ? "--gpu-architecture=compute_90" : word;

    mcl__nvrtc.CreateProgram(&program, source, fake_label, 0, NULL, NULL);
    const nvrtcResult result = mcl__nvrtc.CompileProgram(program, count, options);
    mcl__nvrtc.GetProgramLogSize(program, &bytes);
    char *log = calloc(1, bytes + 1);
    if (log) mcl__nvrtc.GetProgramLog(program, log);
    mcl_status status = result == NVRTC_SUCCESS && !fake_checks_only ? write_image(program) : MCL_OK;
    mcl__nvrtc.DestroyProgram(&program);
    if (result == NVRTC_SUCCESS && log) {
        if (status == MCL_OK) status = write_file("log", log);
        free(log);
        return status;
    }
    fprintf(stderr, "%s-%d.cu: NVRTC: %s\n%s\n", fake_label, fake_program_count, mcl__nvrtc.GetErrorString(result),
            log ? log : "");
    ++fake_failed_count;
    free(log);
    return MCL_OK;
}

static mcl_status fake_program_build(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                     void **program)
{
    const int cuda = strcmp(context->dialect, "dialect/cuda.clh") == 0;
    (void)name;
    (void)log;
    *program = &fake_program_count;
    if (fake_wanted && !strstr(fake_label, fake_wanted)) return MCL_OK;
    if (fake_program_count % fake_parts == fake_part) {
        MCL__TRY(write_file(cuda ? "cu" : "cl", source));
        if (cuda && !mcl__nvrtc_missing()) MCL__TRY(compile(context->build_options, source));
    }
    ++fake_program_count;
    return MCL_OK;
}

static void fake_release(mcl_context *context, void *object)
{
    (void)context;
    (void)object;
}

static mcl_status fake_kernel_create(mcl_context *context, void *program, const char *name, void **kernel)
{
    (void)context;
    (void)name;
    *kernel = program;
    return MCL_OK;
}

static mcl_status fake_kernel_max_threads(mcl_context *context, void *kernel, int *threads)
{
    (void)kernel;
    *threads = context->limits.max_threads;
    return MCL_OK;
}

/* Does nothing: a queue that only prepares writes nothing. Functions that such a queue does not use are absent. */
static mcl_status fake_write(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data,
                             int blocking)
{
    (void)queue;
    (void)to;
    (void)offset;
    (void)bytes;
    (void)data;
    (void)blocking;
    return MCL_OK;
}

static const mcl__backend fake_backend = {
    .name = "fake",
    .context_close = fake_context_close,
    .memory_allocate = fake_memory_allocate,
    .memory_release = fake_memory_release,
    .memory_place = fake_memory_place,
    .queue_open = fake_queue_open,
    .queue_close = fake_queue_close,
    .queue_finish = fake_queue_finish,
    .queue_flush = fake_queue_finish,
    .write = fake_write,
    .program_build = fake_program_build,
    .program_release = fake_release,
    .kernel_create = fake_kernel_create,
    .kernel_release = fake_release,
    .kernel_max_threads = fake_kernel_max_threads,
};

static CUresult fake_driver_version(int *version)
{
    *version = 0;
    return CUDA_SUCCESS;
}

/* The GPUs of other vendors, with the numbers that their OpenCL drivers tell. Texts for them are compiled and not
 * run. */
static const struct {
    const char *name;
    const char *vendor;
    const char *architecture;
    int compute_units;
    int max_threads;
    int64_t cache_bytes;
    int sub_group_size; /* lanes of a sub-group; 0: the driver has no shuffles (AMD's of ROCm) */
    int has_double;
} gpus[] = {
    { "gen9", "Intel", "gpu", 24, 256, 512 << 10, 16, 1 },   { "gen12lp", "Intel", "gpu", 96, 512, 3840 << 10, 16, 0 },
    { "dg2", "Intel", "gpu", 512, 1024, 16 << 20, 16, 0 },   { "pvc", "Intel", "gpu", 512, 1024, 204 << 20, 16, 1 },
    { "gfx906", "AMD", "gfx906", 60, 256, 4 << 20, 0, 1 },   { "gfx90a", "AMD", "gfx90a", 104, 256, 8 << 20, 0, 1 },
    { "gfx1030", "AMD", "gfx1030", 40, 256, 4 << 20, 0, 1 }, { "gfx1100", "AMD", "gfx1100", 48, 256, 6 << 20, 0, 1 },
};
enum { GPU_COUNT = sizeof gpus / sizeof gpus[0] };

/* Returns 1 where device names one of these GPUs. All have 64 KiB of work-group memory, and the atomics of OpenCL C
 * 2.0. */
static int fake_gpu(const char *device, mcl_device_info *info, mcl__limits *limits)
{
    int k = 0;
    while (k < GPU_COUNT && strcmp(device, gpus[k].name) != 0) ++k;
    if (k == GPU_COUNT) return 0;
    (void)snprintf(info->vendor, sizeof info->vendor, "%s", gpus[k].vendor);
    (void)snprintf(info->architecture, sizeof info->architecture, "%s", gpus[k].architecture);
    info->compute_units = gpus[k].compute_units;
    info->local_memory = 64 << 10;
    info->max_threads = gpus[k].max_threads;
    info->cache_bytes = gpus[k].cache_bytes;
    info->has_double = gpus[k].has_double;
    *limits = (mcl__limits){ .sub_group_size = gpus[k].sub_group_size ? gpus[k].sub_group_size : 1,
                             .sub_group_required = gpus[k].sub_group_size > 0,
                             .sub_group_path = gpus[k].sub_group_size ? MCL__SUB_GROUP_KHR : MCL__SUB_GROUP_NONE,
                             .word_path = MCL__WORDS_C11,
                             .look_back = 1 };
    return 1;
}

/* Gives the limits of a device: its sub-groups, and the words that groups share. */
static mcl_status fake_limits(const char *device, mcl__limits *limits)
{
    static const char sub_groups[] = "sub_groups_";
    const int cuda = strcmp(device, "cuda") == 0;
    *limits = (mcl__limits){ .sub_group_size = 1, .word_path = MCL__WORDS_LEGACY, .look_back = 1 };
    if (strcmp(device, "processor") == 0) return MCL_OK;
    limits->sub_group_size = 32;
    limits->sub_group_path = MCL__SUB_GROUP_KHR;
    if (strncmp(device, sub_groups, sizeof sub_groups - 1) == 0) {
        limits->sub_group_size = atoi(device + sizeof sub_groups - 1);
        return MCL_OK;
    }
    limits->sub_group_path = cuda ? MCL__SUB_GROUP_CUDA : MCL__SUB_GROUP_PTX;
    limits->word_path = cuda ? MCL__WORDS_CUDA : MCL__WORDS_PTX;
    if (cuda || strcmp(device, "opencl") == 0) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "there is no device %s", device);
}

/* Makes a context. All devices but those of fake_gpu have an H200's numbers. Its OpenCL has 48 KiB of work-group
 * memory. */
mcl_status fake_context(const char *device, mcl_context **out)
{
    const int cuda = strcmp(device, "cuda") == 0;
    mcl__limits limits;
    mcl_device_info info = { .vendor = "NVIDIA",
                             .architecture = "sm_90",
                             .is_gpu = 1,
                             .compute_units = 132,
                             .local_memory = 48 << 10,
                             .max_threads = 1024,
                             .cache_bytes = 50 << 20,
                             .sub_group_size = 32,
                             .has_double = 1,
                             .has_half = 1 };
    fake_default_tiles = fake_gpu(device, &info, &limits);
    if (!fake_default_tiles) MCL__TRY(fake_limits(device, &limits));
    if (cuda) limits.launch_memory = 227 << 10;
    cuda_context *own = calloc(1, sizeof *own);
    if (!own) return mcl__fail(MCL_ERROR_MEMORY, "no memory for a context");
    mcl_context *context = &own->base;
    own->capability = 90;
    context->dialect = cuda ? "dialect/cuda.clh" : "dialect/opencl.clh";
    context->probed = 1;
    context->info = info;
    context->limits = limits;
    if (cuda && !mcl__nvrtc_missing()) {
        mcl__cuda.DriverGetVersion = fake_driver_version;
        mcl__cuda_compiler_describe(own);
    }
    return mcl__context_adopt(&fake_backend, context, out);
}

mcl_status fake_texts_write(int count, char **arguments, mcl_status (*write_all)(mcl_context *context))
{
    mcl_context *context = NULL;
    fake_folder = arguments[2];
    fake_wanted = count > 3 && arguments[3][0] ? arguments[3] : NULL;
    if (count == 6) fake_part = atoi(arguments[4]);
    if (count == 6 && atoi(arguments[5]) > 0) fake_parts = atoi(arguments[5]);
    mcl_status status = fake_context(arguments[1], &context);
    if (status == MCL_OK) status = write_all(context);
    if (status != MCL_OK) fprintf(stderr, "%s: %s\n", fake_label, mcl_last_error());
    mcl_context_release(context);
    return status;
}
