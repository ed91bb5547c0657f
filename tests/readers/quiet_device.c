/* quiet_device.c: a backend of devices that do not exist. */
#include "quiet_device.h"

#include "moderncl/moderncl.h"
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const quiet_ids[QUIET_DEVICES] = { "cuda:0", "opencl:0:0", "opencl:0:1", "opencl:1:0", "opencl:12:3" };

int quiet_fails;

static const mcl_device_info facts[QUIET_DEVICES] = {
    { .platform = "NVIDIA CUDA", .name = "NVIDIA H200", .vendor = "NVIDIA", .architecture = "sm_90", .is_gpu = 1 },
    { .platform = "Portable Computing Language", .name = "pthread-x86", .vendor = "POCL", .architecture = "cpu" },
    { .platform = "Portable Computing Language", .name = "basic", .vendor = "POCL", .architecture = "cpu" },
    { .platform = "rusticl", .name = "llvmpipe (LLVM 15.0.6, 256 bits)", .vendor = "Mesa", .architecture = "cpu" },
    { .platform = "", .name = "", .vendor = "", .architecture = "", .is_gpu = 1 },
};

/* ---- devices -------------------------------------------------------------------------------------------- */

static mcl_status cuda_count(int *count)
{
    *count = 1;
    return MCL_OK;
}

static mcl_status opencl_count(int *count)
{
    *count = QUIET_DEVICES - 1;
    return MCL_OK;
}

static mcl_status info_of(int number, mcl_device_info *info)
{
    if (quiet_fails) return mcl__fail(MCL_ERROR_DEVICE, "quiet device: %s gives no facts", quiet_ids[number]);
    *info = facts[number];
    (void)snprintf(info->id, sizeof info->id, "%s", quiet_ids[number]);
    info->compute_units = 4;
    info->local_memory = 48 << 10;
    info->max_threads = 1024;
    info->cache_bytes = 1 << 20;
    info->has_double = 1;
    return MCL_OK;
}

static void none_missing(mcl__text *out, int is_wanted)
{
    (void)out;
    (void)is_wanted;
}

static mcl_status cuda_info(int device, mcl_device_info *info)
{
    return info_of(device, info);
}

static mcl_status opencl_info(int device, mcl_device_info *info)
{
    return info_of(device + 1, info);
}

/* ---- contexts ------------------------------------------------------------------------------------------- */

static mcl_status open_number(int number, mcl_context **out)
{
    mcl_context *const context = calloc(1, sizeof *context);
    REQUIRE(context);
    context->backend = number == 0 ? &mcl__cuda_backend : &mcl__opencl_backend;
    context->dialect = number == 0 ? "dialect/cuda.clh" : "dialect/opencl.clh";
    *out = context;
    return info_of(number, &context->info);
}

static mcl_status cuda_open(int device, mcl_context **out)
{
    return open_number(device, out);
}

static mcl_status opencl_open(int device, mcl_context **out)
{
    return open_number(device + 1, out);
}

static void context_close(mcl_context *context)
{
    free(context);
}

static mcl_status program_build(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                void **program)
{
    (void)context;
    (void)source;
    (void)log;
    *program = NULL;
    return mcl__fail(MCL_ERROR_BUILD, "quiet device: %s is not compiled", name);
}

const mcl__backend mcl__cuda_backend = { .name = "cuda",
                                         .device_count = cuda_count,
                                         .device_info = cuda_info,
                                         .device_missing = none_missing,
                                         .context_open = cuda_open,
                                         .context_close = context_close,
                                         .program_build = program_build };
const mcl__backend mcl__opencl_backend = { .name = "opencl",
                                           .device_count = opencl_count,
                                           .device_info = opencl_info,
                                           .device_missing = none_missing,
                                           .context_open = opencl_open,
                                           .context_close = context_close,
                                           .program_build = program_build };

mcl_context *quiet_context(void)
{
    mcl_context *context = NULL;
    REQUIRE(mcl_context_create(quiet_ids[0], &context) == MCL_OK);
    return context;
}
