/* guarded.c: on a CPU, buffers in host memory between two pages to which access is forbidden. Each ends at the second
 * page. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "fuzz.h"

#include <moderncl/opencl.h>

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

enum { SLOT_BYTES = 2 << 20, PAGE_BYTES = 4096, BASE_ALIGNMENT = 128, SLACK_BYTE = 0x6B };

typedef struct slot {
    unsigned char *memory; /* SLOT_BYTES of memory between two pages */
    size_t slack;          /* bytes between the buffer's end and the page after it */
    cl_mem object;
} slot;
static _Thread_local slot slots[MEMORIES_MAX];

typedef cl_mem(CL_API_CALL *create_function)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
typedef cl_int(CL_API_CALL *release_function)(cl_mem);

/* Stores a function's address that dlsym gives, in a way that ISO C allows. */
static void find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);

    memcpy(function, &address, sizeof address);
}

static int slot_map(slot *at)
{
    if (at->memory) return 1;
    unsigned char *all = mmap(NULL, SLOT_BYTES + 2 * PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + PAGE_BYTES, SLOT_BYTES, PROT_READ | PROT_WRITE)) return 0;
    at->memory = all + PAGE_BYTES;
    return 1;
}

mcl_buffer *guarded_buffer(world *w, size_t bytes, int *host_slot)
{
    create_function create = NULL;
    mcl_buffer *made = NULL;
    slot *at = &slots[*host_slot];
    cl_int status = 0;

    if (!w->wraps || bytes == 0 || bytes > SLOT_BYTES - BASE_ALIGNMENT || !slot_map(at)) return NULL;
    if (!w->opencl) w->opencl = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NODELETE);
    if (!w->opencl) return NULL;
    find(w->opencl, "clCreateBuffer", &create);
    unsigned char *base = at->memory + (SLOT_BYTES - bytes) / BASE_ALIGNMENT * BASE_ALIGNMENT;
    at->slack = (size_t)(at->memory + SLOT_BYTES - (base + bytes));
    memset(base + bytes, SLACK_BYTE, at->slack);
    at->object =
        create ? create(mcl_opencl_context(w->context), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, base, &status)
               : NULL;
    if (!at->object) return NULL;
    if (mcl_opencl_buffer_wrap(w->context, at->object, &made) == MCL_OK) return made;
    return NULL;
}

int guarded_release(world *w, int host_slot)
{
    release_function release = NULL;
    slot *at = &slots[host_slot];
    int clean = 1;

    for (size_t k = 0; k < at->slack; k++) clean &= at->memory[SLOT_BYTES - 1 - k] == SLACK_BYTE;
    find(w->opencl, "clReleaseMemObject", &release);
    if (at->object && release) release(at->object);
    at->object = NULL;
    return clean;
}

void guarded_close(world *w)
{
    for (int k = 0; k < MEMORIES_MAX; k++)
        if (slots[k].memory) munmap(slots[k].memory - PAGE_BYTES, SLOT_BYTES + 2 * PAGE_BYTES);
    if (w->opencl) dlclose(w->opencl);
    w->opencl = NULL;
}
