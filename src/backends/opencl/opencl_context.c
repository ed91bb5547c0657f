/* opencl_context.c: contexts with one device each, and their memory. */
#include "opencl_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the word paths and the sub-group path that the probe tries. context/probe.c decides. */
static void context_candidates(mcl_context *context, const mcl__opencl_facts *facts)
{
    mcl__limits *const limits = &context->limits;
    const int c11 = facts->language_version >= 200;
    const mcl__word_path legacy = facts->has_int64_atomics ? MCL__WORDS_LEGACY : MCL__WORDS_NONE;
    limits->sub_group_size = context->info.sub_group_size;
    limits->sub_group_required = facts->sub_group_required;
    if (facts->is_limited) return;
    if (strcmp(context->info.vendor, "NVIDIA") == 0) {
        limits->word_path = c11 ? MCL__WORDS_C11 : MCL__WORDS_PTX;
        context->other_word_path = c11 ? MCL__WORDS_PTX : MCL__WORDS_NONE;
        limits->sub_group_path = MCL__SUB_GROUP_PTX;
        return;
    }
    limits->word_path = c11 ? MCL__WORDS_C11 : legacy;
    context->other_word_path = c11 ? legacy : MCL__WORDS_NONE;
    if (facts->has_subgroup_shuffle && limits->sub_group_size > 1) limits->sub_group_path = MCL__SUB_GROUP_KHR;
}

/* Returns the major version of POCL; 0 for other drivers. */
static int pocl_version(const mcl_device_info *info)
{
    int version = 0;
    return strcmp(info->vendor, "POCL") == 0 && sscanf(info->driver, "%d", &version) == 1 ? version : 0;
}

static const char *language_option(int version)
{
    if (version >= 300) return "-cl-std=CL3.0";
    return version >= 200 ? "-cl-std=CL2.0" : "-cl-std=CL1.2";
}

static void context_describe(mcl_context *context, const mcl__opencl_facts *facts)
{
    /* NVIDIA's OpenCL lets a kernel declare at most this much work-group memory, even where the driver reports more. */
    const int64_t nvidia_local_memory = 49152;
    mcl_device_info *const info = &context->info;
    context->dialect = "dialect/opencl.clh";
    context->limits.local_memory = info->local_memory;
    if (strcmp(info->vendor, "NVIDIA") == 0 && info->local_memory > nvidia_local_memory)
        context->limits.local_memory = nvidia_local_memory;
    /* oclgrind interprets clang's code, but does not know the aliasing marks that inlining adds. So for oclgrind
     * nothing is inlined. */
    const char *const inlining = strcmp(info->vendor, "Oclgrind") == 0 ? " -cl-opt-disable -DINLINED=inline" : "";
    (void)snprintf(context->build_options, sizeof context->build_options, "%s%s",
                   language_option(facts->language_version), inlining);
    (void)snprintf(context->cache_identity, sizeof context->cache_identity, "opencl|%s|%s|%s|%s|%s", info->platform,
                   facts->platform_version, info->name, info->driver, info->language);
    context->keeps_binaries = strcmp(info->vendor, "POCL") != 0;
    context_candidates(context, facts);
    /* Each time that POCL 5.0 (Ubuntu 24.04) compiles a kernel with barriers, it generates different code. In one of
     * ten builds, the last tile of a join had wrong rows. With POCL 6.0 (Debian 13), a reduction of one struct after an
     * initial value gave zero. */
    context->limits.loses_barriers = pocl_version(info) == 5 || pocl_version(info) == 6;
}

/* Checks that POCL can find a linker. POCL links each kernel with the system's linker, and ends the process where there
 * is none. From version 7 on it may have its own linker. */
static mcl_status check_linker(const mcl_device_info *info)
{
    const int linker_versions = 7;
    if (strcmp(info->vendor, "POCL") != 0 || mcl__environment_has("PATH")) return MCL_OK;
    if (pocl_version(info) >= linker_versions) return MCL_OK;
    return mcl__fail(MCL_ERROR_DEVICE,
                     "opencl: %s of POCL %s cannot link kernels, since PATH is not set; expected the folder of the "
                     "linker ld in PATH",
                     info->name, info->driver);
}

/* Refuses cbs, a method by which POCL turns a work-group into loops. With POCL 6.0 it makes kernels with barriers lose
 * values: empty compactions left their count unwritten, multisplits stored wrong keys, and segmented folds ended the
 * process. POCL 7.1 compiled compactions and segmented folds correctly. POCL never chooses cbs itself. */
static mcl_status check_method(const mcl_device_info *info)
{
    const int wrong_version = 6;
    if (pocl_version(info) != wrong_version || !mcl__environment_is("POCL_WORK_GROUP_METHOD", "cbs")) return MCL_OK;
    return mcl__fail(MCL_ERROR_DEVICE,
                     "opencl: %s of POCL %s compiles kernels wrongly, since POCL_WORK_GROUP_METHOD is cbs; expected "
                     "loopvec, or the variable not to be set",
                     info->name, info->driver);
}

mcl_status mcl__opencl_context_make(cl_context handle, cl_device_id device, int owned, mcl_context **out)
{
    opencl_context *const context = calloc(1, sizeof *context);
    if (!context) {
        if (owned) (void)mcl__cl.ReleaseContext(handle);
        return mcl__fail(MCL_ERROR_MEMORY, "opencl: host memory for a context is exhausted");
    }
    mcl__opencl_facts facts;
    context->handle = handle;
    context->device = device;
    context->owned = owned;
    mcl_status status = mcl__opencl_describe(device, &context->base.info, &facts);
    context->is_limited = facts.is_limited;
    if (!facts.is_limited) mcl__opencl_usm_find(device, &context->usm);
    context_describe(&context->base, &facts);
    if (status == MCL_OK) status = check_linker(&context->base.info);
    if (status == MCL_OK) status = check_method(&context->base.info);
    if (status != MCL_OK) {
        mcl__opencl_context_close(&context->base);
        return status;
    }
    *out = &context->base;
    return MCL_OK;
}

mcl_status mcl__opencl_context_open(int device, mcl_context **out)
{
    const cl_device_id device_handle = mcl__opencl_device_handle(device);
    cl_int error = CL_SUCCESS;
    const cl_context handle = mcl__cl.CreateContext(NULL, 1, &device_handle, NULL, NULL, &error);
    MCL__TRY(mcl__opencl_check_made(NULL, handle, error, "clCreateContext"));
    return mcl__opencl_context_make(handle, device_handle, 1, out);
}

void mcl__opencl_context_close(mcl_context *context)
{
    opencl_context *const own = (opencl_context *)context;
    if (own->owned) (void)mcl__cl.ReleaseContext(own->handle);
    free(own);
}

mcl_status mcl__opencl_memory_allocate(mcl_context *context, size_t bytes, uintptr_t *block)
{
    const opencl_context *const own = (const opencl_context *)context;
    const int64_t total = context->info.memory_total;
    cl_int error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    cl_mem handle = NULL;
    /* A request above the device's memory is refused here: drivers allocate at first use, and would report the failure
     * only then. */
    if (total <= 0 || bytes <= (size_t)total)
        handle = mcl__cl.CreateBuffer(own->handle, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (error == CL_SUCCESS && handle) {
        *block = (uintptr_t)handle;
        return MCL_OK;
    }
    const int memory = error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_INVALID_BUFFER_SIZE ||
                       error == CL_OUT_OF_RESOURCES || error == CL_OUT_OF_HOST_MEMORY;
    if (!memory) return mcl__opencl_check_made(context, handle, error, "clCreateBuffer");
    return mcl__fail(
        MCL_ERROR_MEMORY,
        "opencl: clCreateBuffer has no buffer of %zu bytes from %s, which has %lld bytes, and %lld at most in "
        "one buffer",
        bytes, context->info.name, (long long)total, (long long)context->info.memory_max_buffer);
}

void mcl__opencl_memory_release(mcl_context *context, uintptr_t block)
{
    (void)context;
    (void)mcl__cl.ReleaseMemObject((cl_mem)block);
}

/* Replaces root and origin for a buffer around shared virtual memory. Such buffers have addresses, so they are ranges
 * of one common root. A driver of OpenCL 1.2 does not know the query, and has no such memory. */
static void place_by_address(cl_mem buffer, uintptr_t *root, size_t *origin)
{
    cl_bool is_svm = CL_FALSE;
    void *address = NULL;
    if (mcl__cl.GetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof is_svm, &is_svm, NULL) != CL_SUCCESS) return;
    if (!is_svm) return;
    if (mcl__cl.GetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof address, &address, NULL) != CL_SUCCESS) return;
    *root = MCL__OPENCL_ADDRESSES;
    *origin += (uintptr_t)address;
}

void mcl__opencl_memory_place(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin)
{
    (void)context;
    cl_mem place = (cl_mem)block;
    *origin = 0;
    for (;;) {
        cl_mem parent = NULL;
        size_t offset = 0;
        if (mcl__cl.GetMemObjectInfo(place, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL) != CL_SUCCESS)
            break;
        if (!parent) break;
        (void)mcl__cl.GetMemObjectInfo(place, CL_MEM_OFFSET, sizeof offset, &offset, NULL);
        *origin += offset;
        place = parent;
    }
    *root = (uintptr_t)place;
    place_by_address(place, root, origin);
}
