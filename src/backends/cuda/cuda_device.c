/* cuda_device.c: CUDA devices, contexts and device memory. */
#include "backends/cuda/cuda_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- devices ------------------------------------------------------------------------------------------------- */

mcl_status mcl__cuda_device_count(int *count)
{
    *count = 0;
    if (mcl__cuda_missing() || mcl__cuda.Init(0) != CUDA_SUCCESS) return MCL_OK;
    if (mcl__cuda.DeviceGetCount(count) != CUDA_SUCCESS) *count = 0;
    return MCL_OK;
}

void mcl__cuda_device_missing(mcl__text *out, int is_wanted)
{
    const char *name = NULL;
    int count = 0;
    const char *const missing = mcl__cuda_missing();
    if (missing && is_wanted)
        mcl__text_format(out, "%sCUDA's driver was not found, or is older than CUDA 11 (%s)", out->length ? "; " : "",
                         missing);
    if (missing) return;
    CUresult result = mcl__cuda.Init(0);
    if (result == CUDA_SUCCESS) result = mcl__cuda.DeviceGetCount(&count);
    if (result == CUDA_SUCCESS && count > 0) return;
    if (result != CUDA_SUCCESS) mcl__cuda.GetErrorName(result, &name);
    mcl__text_format(out, "%sCUDA's driver is there and gives no device (%s)", out->length ? "; " : "",
                     result == CUDA_SUCCESS ? "it counts 0"
                     : name                 ? name
                                            : "an error without a name");
}

/* Returns a property of the device, or -1 where the driver does not report it. */
static int device_attribute(CUdevice device, CUdevice_attribute attribute)
{
    int value = 0;
    return mcl__cuda.DeviceGetAttribute(&value, attribute, device) == CUDA_SUCCESS ? value : -1;
}

static int device_mhz(CUdevice device, CUdevice_attribute kilohertz)
{
    const int value = device_attribute(device, kilohertz);
    return value > 0 ? value / 1000 : -1;
}

/* Returns the compute capability, such as 90 for 9.0, or 0 where the driver does not report it. */
static int device_capability(CUdevice device)
{
    const int major = device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    const int minor = device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return major > 0 && minor >= 0 ? 10 * major + minor : 0;
}

static int driver_version(void)
{
    int version = 0;
    mcl__cuda.DriverGetVersion(&version);
    return version;
}

static void device_describe(CUdevice device, int ordinal, mcl_device_info *info)
{
    size_t memory = 0;
    const int version = driver_version();

    if (mcl__cuda.DeviceGetName(info->name, (int)sizeof info->name, device) != CUDA_SUCCESS) info->name[0] = 0;
    snprintf(info->id, sizeof info->id, "cuda:%d", ordinal);
    snprintf(info->backend, sizeof info->backend, "cuda");
    snprintf(info->platform, sizeof info->platform, "NVIDIA CUDA");
    snprintf(info->vendor, sizeof info->vendor, "NVIDIA");
    snprintf(info->architecture, sizeof info->architecture, "sm_%d", device_capability(device));
    snprintf(info->driver, sizeof info->driver, "CUDA %d.%d", version / 1000, version % 1000 / 10);

    info->is_gpu = 1;
    info->clock_mhz = device_mhz(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    info->compute_units = device_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->memory_total = -1;
    if (mcl__cuda.DeviceTotalMem(&memory, device) == CUDA_SUCCESS) info->memory_total = (int64_t)memory;
    info->memory_free = -1;
    info->memory_max_buffer = info->memory_total;
    info->memory_clock_mhz = device_mhz(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    info->memory_bus_bits = device_attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    info->ecc = device_attribute(device, CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
    info->cache_bytes = device_attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    info->local_memory = device_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    info->max_threads = device_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    info->sub_group_size = device_attribute(device, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    info->has_double = 1;
    info->has_half = 1;
    info->loop_budget = 0;
}

mcl_status mcl__cuda_device_info(int device, mcl_device_info *info)
{
    CUdevice handle = 0;
    MCL__TRY(mcl__cuda_require());
    MCL__TRY(mcl__cuda_check(NULL, mcl__cuda.DeviceGet(&handle, device), "cuDeviceGet of device %d", device));
    device_describe(handle, device, info);
    mcl__cuda_language(info->language, sizeof info->language);
    return MCL_OK;
}

/* ---- contexts ------------------------------------------------------------------------------------------------ */

/* Fills the limits that device_describe leaves out. From sm_70 on there are relaxed loads and stores of device scope,
 * and running groups make progress, which look-back needs. The probe decides whether both are used. */
static void context_limits(CUdevice device, const mcl_device_info *info, int capability, mcl__limits *limits)
{
    limits->launch_memory = device_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    limits->sub_group_size = info->sub_group_size;
    limits->sub_group_path = info->sub_group_size == 32 ? MCL__SUB_GROUP_CUDA : MCL__SUB_GROUP_NONE;
    limits->word_path = capability >= 70 ? MCL__WORDS_CUDA : MCL__WORDS_NONE;
    limits->look_back = capability >= 70;
}

static void context_free_memory(mcl_context *context)
{
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    if (mcl__cuda.CtxPushCurrent(mcl__cuda_context_of(context)->handle) != CUDA_SUCCESS) return;
    if (mcl__cuda.MemGetInfo(&free_bytes, &total_bytes) == CUDA_SUCCESS) {
        context->info.memory_free = (int64_t)free_bytes;
    }
    mcl__cuda_leave();
}

/* Returns the number under which a device is opened. */
static int device_ordinal(CUdevice device)
{
    int count = 0;
    mcl__cuda.DeviceGetCount(&count);
    for (int i = 0; i < count; ++i) {
        CUdevice candidate = 0;
        if (mcl__cuda.DeviceGet(&candidate, i) == CUDA_SUCCESS && candidate == device) return i;
    }
    return 0;
}

mcl_status mcl__cuda_context_open_around(CUcontext handle, CUdevice device, int owned, mcl_context **out)
{
    cuda_context *const context = calloc(1, sizeof *context);
    if (!context) {
        return mcl__fail(MCL_ERROR_MEMORY, "cuda: host memory for a context of %zu bytes is exhausted",
                         sizeof *context);
    }

    context->handle = handle;
    context->device = device;
    context->owned = owned;
    if (mcl__cuda.CtxGetId && mcl__cuda.CtxGetId(handle, &context->number) != CUDA_SUCCESS) context->number = 0;
    context->capability = device_capability(device);
    context->base.dialect = "dialect/cuda.clh";
    context->base.keeps_binaries = 1;
    device_describe(device, device_ordinal(device), &context->base.info);
    context_free_memory(&context->base);
    context_limits(device, &context->base.info, context->capability, &context->base.limits);
    const mcl_status status =
        context->capability > 0
            ? mcl__cuda_compiler_describe(context)
            : mcl__fail(MCL_ERROR_DEVICE, "cuda: cuDeviceGetAttribute does not tell the device's compute capability");
    if (status != MCL_OK) {
        free(context);
        return status;
    }
    *out = &context->base;
    return MCL_OK;
}

mcl_status mcl__cuda_context_open(int device, mcl_context **out)
{
    CUdevice handle = 0;
    CUcontext primary = NULL;
    MCL__TRY(mcl__cuda_require());
    MCL__TRY(mcl__cuda_check(NULL, mcl__cuda.DeviceGet(&handle, device), "cuDeviceGet of device %d", device));
    const CUresult result = mcl__cuda.DevicePrimaryCtxRetain(&primary, handle);
    MCL__TRY(mcl__cuda_check_made(NULL, primary, result, "cuDevicePrimaryCtxRetain of device %d", device));
    const mcl_status status = mcl__cuda_context_open_around(primary, handle, 1, out);
    if (status != MCL_OK) mcl__cuda.DevicePrimaryCtxRelease(handle);
    return status;
}

void mcl__cuda_context_close(mcl_context *context)
{
    const cuda_context *const own = mcl__cuda_context_of(context);
    if (own->owned) mcl__cuda.DevicePrimaryCtxRelease(own->device);
    free(context);
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

mcl_status mcl__cuda_memory_allocate(mcl_context *context, size_t bytes, uintptr_t *block)
{
    CUdeviceptr address = 0;
    MCL__TRY(mcl__cuda_enter(context));
    const CUresult result = mcl__cuda.MemAlloc(&address, bytes);
    mcl__cuda_leave();
    MCL__TRY(mcl__cuda_check_made(context, (const void *)(uintptr_t)address, result, "cuMemAlloc of %zu bytes", bytes));
    *block = (uintptr_t)address;
    return MCL_OK;
}

void mcl__cuda_memory_release(mcl_context *context, uintptr_t block)
{
    int entered;
    if (!mcl__cuda_enter_quietly(context, &entered)) return;
    mcl__cuda.MemFree((CUdeviceptr)block); /* cuMemFree waits for work that uses the block */
    if (entered) mcl__cuda_leave();
}

void mcl__cuda_memory_place(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin)
{
    (void)context;
    *root = 0;
    *origin = block;
}
