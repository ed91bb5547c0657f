/* prebuild.c: builds programs from texts that an earlier process has written. It only fills the caches: no call needs
 * these programs yet. */
#include "context/context.h"
#include "context/probe.h"

#include <string.h>

enum { NAME_CAPACITY = 128, LARGE_LAUNCH = 65535 };

/* Finds the name of the kernel that contains leave, an MCL_ENTER. The name stands between the brackets of MCL_KERNEL or
 * MCL_FEW_GROUPS_KERNEL and the brackets of the parameters. Returns 0 where there is no name, or where it is too
 * long. */
static int kernel_name(const char *source, const char *leave, char *name)
{
    static const char opening[] = "KERNEL(";
    const char *begin = leave;
    while (begin > source && strncmp(begin, opening, sizeof opening - 1) != 0) --begin;
    begin += strcspn(begin, ")");
    begin += strspn(begin, ") \n");
    const size_t length = strcspn(begin, "( \n");
    if (length == 0 || length >= NAME_CAPACITY || begin + length > leave) return 0;
    memcpy(name, begin, length);
    name[length] = 0;
    return 1;
}

/* Makes the driver generate a kernel's code. If the text's #if leaves this kernel out, the function does nothing. */
static void kernel_warm(mcl_queue *queue, void *handle, const char *name, int is_large)
{
    mcl_context *const context = queue->context;
    void *kernel = NULL;
    const int earlier = mcl__fail_quietly(1);
    const mcl_status status = context->backend->kernel_create(context, handle, name, &kernel);
    (void)mcl__fail_quietly(earlier);
    if (status != MCL_OK) return;
    context->backend->kernel_warm(queue, kernel, 1);
    if (is_large) context->backend->kernel_warm(queue, kernel, LARGE_LAUNCH);
    context->backend->kernel_release(context, kernel);
}

/* Makes the driver generate the code of each kernel with MCL_ENTER. Without this the driver would do so at the kernel's
 * first launch. */
static void kernels_warm(mcl_queue *queue, void *handle, const char *source, int is_large)
{
    static const char way_out[] = "{ MCL_ENTER(";
    char name[NAME_CAPACITY];
    if (queue->context->limits.is_gpu) return;
    for (const char *at = strstr(source, way_out); at; at = strstr(at + 1, way_out))
        if (kernel_name(source, at, name)) kernel_warm(queue, handle, name, is_large);
}

/* Loads this text's program from the disk cache. Returns 1 where the cache has it and the driver accepts it. */
static int is_cached(mcl_context *context, const char *source, void **handle)
{
    mcl__text binary = { 0 };
    int found = context->keeps_binaries && mcl__disk_cache_read(context, source, &binary);
    if (found) {
        const int earlier = mcl__fail_quietly(1);
        found = context->backend->program_load(context, binary.data, binary.length, handle) == MCL_OK;
        (void)mcl__fail_quietly(earlier);
    }
    mcl__text_free(&binary);
    return found;
}

static mcl_status keep(mcl_context *context, void *handle, const char *name, const char *source)
{
    mcl__text binary = { 0 };
    mcl_status status = context->backend->program_binary(context, handle, &binary);
    if (status == MCL_OK && !binary.failed) mcl__disk_cache_write(context, source, binary.data, binary.length);
    if (status == MCL_OK && !mcl__disk_cache_read(context, source, &binary))
        status = mcl__fail(MCL_ERROR_ARGUMENT, "the program %s is built, but the cache does not take its file", name);
    mcl__text_free(&binary);
    return status;
}

mcl_status mcl__prebuild(mcl_queue *preparing, const char *name, const char *source, int is_large, int *was_there)
{
    mcl_context *const context = preparing->context;
    void *handle = NULL;
    int is_for = 0;
    *was_there = 0;
    MCL__TRY(mcl__context_probe(context)); /* chooses the paths first: the text begins with their macros */
    MCL__TRY(mcl__source_is_for(context, source, &is_for));
    if (!is_for)
        return mcl__fail(
            MCL_ERROR_ARGUMENT,
            "%s is not for %s: expected a text that MCL_DUMP_SOURCE wrote with this version of the library "
            "on such a device",
            name, context->info.name);
    *was_there = is_cached(context, source, &handle);
    if (!*was_there) MCL__TRY(mcl__program_build(context, NULL, source, name, &handle));
    kernels_warm(preparing, handle, source, is_large);
    const mcl_status status = !*was_there && context->keeps_binaries ? keep(context, handle, name, source) : MCL_OK;
    context->backend->program_release(context, handle);
    return status;
}
