/* fence.c: arrays that end at a page to which access is forbidden. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, sigaction */
#include "fence.h"

#include <moderncl/opencl.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, SECONDS = 60 };

typedef cl_mem(CL_API_CALL *create_buffer_function)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
typedef cl_int(CL_API_CALL *release_buffer_function)(cl_mem);

/* Stores a function's address through an object pointer, since ISO C has no conversion between the two. */
static void find_function(void *loader, const char *name, void *function)
{
    void *const address = dlsym(loader, name);
    memcpy(function, &address, sizeof address);
}

static create_buffer_function create_buffer;
static release_buffer_function release_buffer;

static int finds_functions(void)
{
    void *const loader = create_buffer ? NULL : dlopen("libOpenCL.so.1", RTLD_NOW);

    if (loader) find_function(loader, "clCreateBuffer", &create_buffer);
    if (loader) find_function(loader, "clReleaseMemObject", &release_buffer);
    return create_buffer && release_buffer;
}

/* Makes a buffer of pages of this process. POCL's kernels work on them in place. */
static void wrap_pages(int device, void *pages, size_t bytes, fence *out)
{
    mcl_context *const context = test_device_at(device)->context;
    cl_int error = CL_SUCCESS;

    out->memory =
        create_buffer(mcl_opencl_context(context), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, pages, &error);
    ck_assert_int_eq(error, CL_SUCCESS);
    test_ok(mcl_opencl_buffer_wrap(context, (cl_mem)out->memory, &out->buffer));
}

static int has_pages(int device)
{
    return strcmp(test_device_at(device)->info.vendor, "POCL") == 0 && finds_functions();
}

void fence_create(int device, size_t bytes, const void *data, fence *out)
{
    const size_t used = (bytes + PAGE - 1) / PAGE * PAGE + (bytes % PAGE == 0 ? PAGE : 0);

    memset(out, 0, sizeof *out);
    out->lead = used - bytes;
    out->bytes = bytes;
    out->made = malloc(used);
    ck_assert_ptr_nonnull(out->made);
    for (size_t k = 0; k < used; k++) out->made[k] = (unsigned char)(0xA5u ^ (k * 29u));
    if (data && bytes > 0) memcpy(out->made + out->lead, data, bytes);
    if (has_pages(device)) {
        out->map_bytes = used + 2 * PAGE;
        out->map = mmap(NULL, out->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ck_assert_ptr_ne(out->map, MAP_FAILED);
        unsigned char *const pages = (unsigned char *)out->map + PAGE;
        ck_assert_int_eq(mprotect(pages, used, PROT_READ | PROT_WRITE), 0);
        memcpy(pages, out->made, used);
        wrap_pages(device, pages, used, out);
        return;
    }
    test_ok(mcl_buffer_create(test_device_at(device)->context, used, out->made, &out->buffer));
}

void fence_free(fence *array)
{
    mcl_buffer_release(array->buffer);
    if (array->memory) release_buffer((cl_mem)array->memory);
    if (array->map) munmap(array->map, array->map_bytes);
    free(array->made);
    memset(array, 0, sizeof *array);
}

mcl_input fence_input(const fence *array, const mcl_type *type, int64_t count)
{
    return mcl_from_buffer(type, array->buffer, (int64_t)(array->lead / type->size), count);
}

mcl_output fence_output(const fence *array, const mcl_type *type, int64_t capacity)
{
    return mcl_to_buffer(type, array->buffer, (int64_t)(array->lead / type->size), capacity);
}

void fence_check(int device, const fence *array, int may_change, const char *what)
{
    const size_t bytes = array->lead + (may_change ? 0 : array->bytes);
    unsigned char *got = malloc(bytes);

    ck_assert_ptr_nonnull(got);
    test_ok(mcl_buffer_read(test_device_at(device)->queue, array->buffer, 0, bytes, got));
    for (size_t k = 0; k < bytes; k++)
        ck_assert_msg(got[k] == array->made[k], "%s: byte %lld of an array of %zu was written", what,
                      (long long)k - (long long)array->lead, array->bytes);
    free(got);
}

void fence_read(int device, const fence *array, void *data)
{
    if (array->bytes > 0)
        test_ok(mcl_buffer_read(test_device_at(device)->queue, array->buffer, array->lead, array->bytes, data));
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static const char *running = "";

/* Handles a signal: prints which call ran, and ends the program. */
static void end_test(int number)
{
    static const char hangs[] = "\ndoes not end: ", faults[] = "\naccesses memory outside: ";
    const char *const text = number == SIGALRM ? hangs : faults;
    if (write(STDERR_FILENO, text, strlen(text)) > 0 && write(STDERR_FILENO, running, strlen(running)) > 0)
        (void)!write(STDERR_FILENO, "\n", 1);
    _exit(1);
}

static void watch_signals(void)
{
    static int is_watching;
    struct sigaction action;

    if (is_watching) return;
    is_watching = 1;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_test;
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

/* Returns the bytes of scratch that the call needs. */
static size_t scratch_bytes(int device, fenced_call call, void *user, const mcl_options *options)
{
    mcl_queue *prepare = NULL;

    test_ok(mcl_queue_create_preparing(test_device_at(device)->context, &prepare));
    const mcl_status status = call(user, prepare, options);
    ck_assert_msg(status == MCL_OK || status == MCL_ERROR_CAPACITY, "%s: %s", running, mcl_last_error());
    const size_t bytes = mcl_queue_scratch_bytes(prepare);
    mcl_queue_release(prepare);
    return bytes;
}

void fence_run(int device, fenced_call call, void *user, const mcl_options *options, const char *what)
{
    mcl_queue *queue = test_device_at(device)->queue;
    mcl_options own = *options;
    fence scratch;

    running = what;
    watch_signals();
    fence_create(device, scratch_bytes(device, call, user, options), NULL, &scratch);
    if (scratch.bytes > 0) {
        own.scratch = scratch.buffer;
        own.scratch_offset = scratch.lead;
        own.scratch_bytes = scratch.bytes;
    }
    (void)alarm(SECONDS);
    const mcl_status status = call(user, queue, &own);
    ck_assert_msg(status != MCL_ERROR_DEVICE && status != MCL_ERROR_BUILD && status != MCL_ERROR_MEMORY, "%s: %s", what,
                  mcl_last_error());
    test_ok(mcl_queue_finish(queue));
    (void)alarm(0);
    fence_check(device, &scratch, 1, what);
    fence_free(&scratch);
}
