/* idle_device.c: a backend that checks its arguments and does no work. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "guided/idle_device.h"

#include "context/context.h"
#include "readers/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int64_t idle_work;
int idle_fails_after = -1;
int idle_rejects;
int idle_kernel_halvings;

typedef struct idle_program {
    char *text;
} idle_program;

/* Returns 1 where this call of the driver must fail. */
static int fails_now(void)
{
    if (idle_fails_after < 0) return 0;
    return idle_fails_after-- == 0;
}

static mcl_status may_fail(mcl_status status, const char *what)
{
    return fails_now() ? mcl__fail(status, "idle device: %s fails", what) : MCL_OK;
}

/* ---- contexts and memory ------------------------------------------------------------------------------------ */

static void context_close(mcl_context *context)
{
    free(context);
}

/* Large blocks take no memory until they are touched. */
enum { LARGE_BYTES = 1 << 20 };
static const size_t bytes_most = (size_t)1 << 36;

/* Alignment of blocks, as on a real device. */
enum { BLOCK_ALIGNMENT = 256 };
typedef struct block_head {
    _Alignas(BLOCK_ALIGNMENT) size_t bytes;
} block_head;

static mcl_status memory_allocate(mcl_context *context, size_t bytes, uintptr_t *block)
{
    (void)context;
    REQUIRE(bytes > 0);
    MCL__TRY(may_fail(MCL_ERROR_MEMORY, "an allocation"));
    if (bytes > bytes_most) return mcl__fail(MCL_ERROR_MEMORY, "idle device: %zu bytes are not there", bytes);
    const size_t all = bytes + sizeof(block_head);
    block_head *head = NULL;
    if (bytes > LARGE_BYTES) {
        void *const mapped =
            mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        head = mapped == MAP_FAILED ? NULL : mapped;
    } else {
        head = aligned_alloc(BLOCK_ALIGNMENT, (all + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT);
        if (head) memset(head, 0, all);
    }
    if (!head) return mcl__fail(MCL_ERROR_MEMORY, "idle device: there is no memory for %zu bytes", bytes);
    head->bytes = bytes;
    *block = (uintptr_t)(head + 1);
    return MCL_OK;
}

static void memory_release(mcl_context *context, uintptr_t block)
{
    block_head *const head = (block_head *)block - 1;
    (void)context;
    if (head->bytes > LARGE_BYTES)
        (void)munmap(head, head->bytes + sizeof *head);
    else
        free(head);
}

static void memory_place(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin)
{
    (void)context;
    *root = 0;
    *origin = block;
}

/* ---- queues --------------------------------------------------------------------------------------------------- */

static mcl_status queue_open(mcl_context *context, int flags, mcl_queue **out)
{
    (void)context;
    (void)flags;
    *out = calloc(1, sizeof **out);
    return *out ? MCL_OK : mcl__fail(MCL_ERROR_MEMORY, "idle device: there is no memory for a queue");
}

static void queue_close(mcl_queue *queue)
{
    free(queue);
}

static mcl_status queue_finish(mcl_queue *queue)
{
    (void)queue;
    return may_fail(MCL_ERROR_DEVICE, "finishing a queue");
}

static mcl_status queue_wait(mcl_queue *queue, mcl_event *const *events, int count)
{
    REQUIRE(!queue->only_prepares && events && count > 0);
    return may_fail(MCL_ERROR_DEVICE, "a wait");
}

static mcl_status queue_wait_driver(mcl_queue *queue, void *const *events, int count)
{
    (void)queue;
    REQUIRE(events && count > 0);
    return may_fail(MCL_ERROR_DEVICE, "a wait");
}

static mcl_status event_make(mcl_event **out)
{
    MCL__TRY(may_fail(MCL_ERROR_DEVICE, "an event"));
    *out = calloc(1, sizeof **out);
    return *out ? MCL_OK : mcl__fail(MCL_ERROR_MEMORY, "idle device: there is no memory for an event");
}

static mcl_status queue_mark(mcl_queue *queue, mcl_event **out)
{
    (void)queue;
    return event_make(out);
}

/* Returns a range of a buffer, which must belong to the queue's context. */
static unsigned char *range_of(const mcl_queue *queue, const mcl_buffer *buffer, size_t offset, size_t bytes)
{
    REQUIRE(!queue->only_prepares && buffer->context == queue->context && buffer->references > 0);
    REQUIRE(offset <= buffer->bytes && bytes <= buffer->bytes - offset);
    const mcl_buffer *const whole = buffer->whole ? buffer->whole : buffer;
    REQUIRE(buffer->begin <= whole->bytes && buffer->bytes <= whole->bytes - buffer->begin);
    return (unsigned char *)whole->block + buffer->begin + offset;
}

static void work_done(mcl_queue *queue)
{
    atomic_fetch_add(&queue->work, 1);
    ++idle_work;
}

static mcl_status read_bytes(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data, int blocking)
{
    const unsigned char *const at = range_of(queue, from, offset, bytes);
    (void)blocking;
    MCL__TRY(may_fail(MCL_ERROR_DEVICE, "a read"));
    if (bytes > 0) memcpy(data, at, bytes);
    atomic_fetch_add(&queue->work, 1);
    return MCL_OK;
}

static mcl_status write_bytes(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data,
                              int blocking)
{
    unsigned char *const at = range_of(queue, to, offset, bytes);
    (void)blocking;
    MCL__TRY(may_fail(MCL_ERROR_DEVICE, "a write"));
    if (bytes > 0) memcpy(at, data, bytes);
    work_done(queue);
    return MCL_OK;
}

static mcl_status fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                       size_t pattern_bytes)
{
    unsigned char *const at = range_of(queue, to, offset, bytes);
    REQUIRE(pattern_bytes > 0 && pattern_bytes <= MCL__PATTERN_MAX && bytes % pattern_bytes == 0);
    REQUIRE(bytes > 0);
    MCL__TRY(may_fail(MCL_ERROR_DEVICE, "a fill"));
    for (size_t k = 0; k < bytes && bytes <= LARGE_BYTES; k += pattern_bytes) memcpy(at + k, pattern, pattern_bytes);
    work_done(queue);
    return MCL_OK;
}

static mcl_status copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                       size_t bytes)
{
    const unsigned char *const source = range_of(queue, from, from_offset, bytes);
    unsigned char *const at = range_of(queue, to, to_offset, bytes);
    REQUIRE(bytes > 0 && (source + bytes <= at || at + bytes <= source));
    MCL__TRY(may_fail(MCL_ERROR_DEVICE, "a copy"));
    if (bytes <= LARGE_BYTES) memcpy(at, source, bytes);
    work_done(queue);
    return MCL_OK;
}

/* Checks the argument of a buffer, and the argument after it, which is an offset in bytes. */
static void argument_check(const mcl_queue *queue, const mcl__arg *arg, const mcl__arg *next)
{
    int64_t offset = 0;
    if (!arg->buffer) {
        REQUIRE(arg->value ? arg->size > 0 && arg->size <= MCL_VALUE_BYTES_MAX : 1);
        return;
    }
    (void)range_of(queue, arg->buffer, 0, 0);
    REQUIRE(next && next->value && next->size == sizeof offset);
    memcpy(&offset, next->value, sizeof offset);
    const mcl_buffer *const whole = arg->buffer->whole ? arg->buffer->whole : arg->buffer;
    REQUIRE(offset >= 0 && (size_t)offset <= whole->bytes);
}

static mcl_status launch(mcl_queue *queue, const mcl__launch *launched)
{
    const mcl__limits *const limits = &queue->context->limits;
    REQUIRE(!queue->only_prepares && launched->kernel);
    REQUIRE(launched->groups > 0 && launched->groups <= INT32_MAX);
    REQUIRE(launched->threads > 0 && launched->threads <= limits->max_threads);
    REQUIRE(launched->local_bytes >= 0 && launched->local_bytes <= limits->launch_memory);
    REQUIRE(launched->arg_count >= 0 && launched->arg_count <= MCL__ARGS_MAX);
    for (int k = 0; k < launched->arg_count; ++k)
        argument_check(queue, &launched->args[k], k + 1 < launched->arg_count ? &launched->args[k + 1] : NULL);
    MCL__TRY(may_fail(MCL_ERROR_DEVICE, "a launch"));
    work_done(queue);
    return MCL_OK;
}

/* ---- recordings and events ------------------------------------------------------------------------------------ */

static mcl_status recording_make(mcl_queue *queue, mcl_recording *recording)
{
    (void)queue;
    REQUIRE(recording->count > 0);
    MCL__TRY(may_fail(MCL_ERROR_DEVICE, "a recording"));
    recording->made = recording;
    return MCL_OK;
}

static mcl_status recording_replay(mcl_queue *queue, const mcl_recording *recording)
{
    REQUIRE(recording->made);
    for (int k = 0; k < recording->count; ++k) MCL__TRY(mcl__command_enqueue(queue, &recording->commands[k]));
    return MCL_OK;
}

static void recording_close(mcl_recording *recording)
{
    recording->made = NULL;
}

static mcl_status call_begin(mcl_queue *queue, int wants_event)
{
    (void)wants_event;
    REQUIRE(!queue->only_prepares);
    return may_fail(MCL_ERROR_DEVICE, "the begin of a call");
}

static mcl_status call_end(mcl_queue *queue, mcl_event **out)
{
    MCL__TRY(event_make(out));
    mcl__event_adopt(queue->context, *out);
    return MCL_OK;
}

static mcl_status call_end_driver(mcl_queue *queue, void **event)
{
    (void)queue;
    *event = &idle_work;
    return may_fail(MCL_ERROR_DEVICE, "an event");
}

static mcl_status event_wait(mcl_event *event)
{
    (void)event;
    return may_fail(MCL_ERROR_DEVICE, "a wait");
}

/* Tells that an event is done every other time, so that released blocks wait for it. */
static int event_done(mcl_event *event)
{
    static int turn;
    (void)event;
    return ++turn % 2;
}

static mcl_status event_milliseconds(mcl_event *event, double *milliseconds)
{
    (void)event;
    *milliseconds = 0;
    return MCL_OK;
}

static void event_close(mcl_event *event)
{
    free(event);
}

/* ---- programs ----------------------------------------------------------------------------------------------- */

static mcl_status program_build(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                void **program)
{
    static int turn;
    (void)context;
    (void)name;
    (void)log;
    if (idle_rejects) {
        mcl__text_append(log, "error: <before: expression>:1:13: use of undeclared identifier 'a'\n");
        return log->failed ? mcl__fail(MCL_ERROR_MEMORY, "idle device: there is no memory for a log") : MCL_ERROR_BUILD;
    }
    if (fails_now()) {
        /* a driver that fails, then a compiler that rejects some line */
        ++turn;
        if (turn % 2) return mcl__fail(MCL_ERROR_DEVICE, "idle device: a build fails");
        mcl__text_format(log, "<source>:%d:5: error: this cannot be\n", turn % 4000);
        return MCL_ERROR_BUILD;
    }
    idle_program *const made = calloc(1, sizeof *made);
    if (made) made->text = malloc(strlen(source) + 1);
    if (!made || !made->text) {
        free(made);
        return mcl__fail(MCL_ERROR_MEMORY, "idle device: there is no memory for a program");
    }
    memcpy(made->text, source, strlen(source) + 1);
    *program = made;
    return MCL_OK;
}

static mcl_status program_binary(mcl_context *context, void *program, mcl__text *out)
{
    (void)context;
    (void)program;
    (void)out;
    return MCL_OK;
}

static void program_release(mcl_context *context, void *program)
{
    idle_program *const made = program;
    (void)context;
    free(made->text);
    free(made);
}

static mcl_status kernel_create(mcl_context *context, void *program, const char *name, void **kernel)
{
    const idle_program *const made = program;
    char begin[128];
    (void)context;
    MCL__TRY(may_fail(MCL_ERROR_DEVICE, "a kernel"));
    (void)snprintf(begin, sizeof begin, " %s(", name);
    REQUIRE(strstr(made->text, begin));
    *kernel = program;
    return MCL_OK;
}

static void kernel_release(mcl_context *context, void *kernel)
{
    (void)context;
    REQUIRE(kernel);
}

static mcl_status kernel_max_threads(mcl_context *context, void *kernel, int *threads)
{
    REQUIRE(kernel);
    MCL__TRY(may_fail(MCL_ERROR_DEVICE, "a kernel's facts"));
    *threads = context->limits.max_threads >> idle_kernel_halvings;
    if (*threads < 1) *threads = 1;
    return MCL_OK;
}

static void kernel_warm(mcl_queue *queue, void *kernel, int64_t work_items)
{
    REQUIRE(queue->preparing && kernel && work_items > 0);
}

static const mcl__backend idle_backend = {
    .name = "idle",
    .context_close = context_close,
    .memory_allocate = memory_allocate,
    .memory_release = memory_release,
    .memory_place = memory_place,
    .queue_open = queue_open,
    .queue_close = queue_close,
    .queue_finish = queue_finish,
    .queue_flush = queue_finish,
    .queue_wait = queue_wait,
    .queue_wait_driver = queue_wait_driver,
    .queue_mark = queue_mark,
    .read = read_bytes,
    .write = write_bytes,
    .fill = fill,
    .copy = copy,
    .launch = launch,
    .recording_make = recording_make,
    .recording_replay = recording_replay,
    .recording_close = recording_close,
    .call_begin = call_begin,
    .call_end = call_end,
    .call_end_driver = call_end_driver,
    .event_wait = event_wait,
    .event_done = event_done,
    .event_milliseconds = event_milliseconds,
    .event_close = event_close,
    .program_build = program_build,
    .program_binary = program_binary,
    .program_release = program_release,
    .kernel_create = kernel_create,
    .kernel_release = kernel_release,
    .kernel_max_threads = kernel_max_threads,
    .kernel_warm = kernel_warm,
};

/* ---- devices ------------------------------------------------------------------------------------------------ */

typedef struct facts {
    const char *vendor;
    const char *architecture;
    int is_gpu;
    int group; /* 1 where groups do tiles */
    int compute_units;
    int local_memory;
    int launch_memory;
    int max_threads;
    int sub_group_size; /* 1: none */
    mcl__sub_group_path sub_group_path;
    mcl__word_path word_path;
    int look_back;
    int has_double;
    int loop_budget;
    int cache_bytes;
} facts;

static const facts devices[IDLE_DEVICES] = {
    { "POCL", "cpu", 0, 0, 4, 256 << 10, 0, 4096, 1, MCL__SUB_GROUP_NONE, MCL__WORDS_LEGACY, 1, 1, 0, 8 << 20 },
    { "POCL", "cpu", 0, 1, 4, 256 << 10, 0, 1024, 1, MCL__SUB_GROUP_NONE, MCL__WORDS_NONE, 0, 1, 0, 1 },
    { "NVIDIA", "sm_90", 1, 1, 132, 48 << 10, 227 << 10, 1024, 32, MCL__SUB_GROUP_CUDA, MCL__WORDS_CUDA, 1, 1, 0,
      50 << 20 },
    { "NVIDIA", "sm_70", 1, 1, 80, 48 << 10, 0, 1024, 32, MCL__SUB_GROUP_PTX, MCL__WORDS_PTX, 1, 1, 0, 6 << 20 },
    { "Intel", "gpu", 1, 1, 512, 64 << 10, 0, 1024, 16, MCL__SUB_GROUP_KHR, MCL__WORDS_C11, 1, 0, 0, 16 << 20 },
    { "AMD", "gfx1100", 1, 1, 48, 64 << 10, 0, 256, 1, MCL__SUB_GROUP_NONE, MCL__WORDS_C11, 0, 1, 0, 6 << 20 },
    { "Mesa", "cpu", 0, 0, 2, 32 << 10, 0, 64, 1, MCL__SUB_GROUP_NONE, MCL__WORDS_NONE, 0, 0, 1 << 16, 1 << 20 },
    { "nobody", "gpu", 1, 1, 1, 16 << 10, 0, 32, 1, MCL__SUB_GROUP_NONE, MCL__WORDS_NONE, 0, 0, 0, 0 },
};

mcl_status idle_context(int device, mcl_context **out)
{
    const facts *const of = &devices[device];
    mcl_context *const context = calloc(1, sizeof *context);
    REQUIRE(context);
    context->dialect = of->word_path == MCL__WORDS_CUDA ? "dialect/cuda.clh" : "dialect/opencl.clh";
    context->keeps_binaries = 0;
    context->probed = 1;
    context->info = (mcl_device_info){ .is_gpu = of->is_gpu,
                                       .compute_units = of->compute_units,
                                       .local_memory = of->local_memory,
                                       .max_threads = of->max_threads,
                                       .cache_bytes = of->cache_bytes,
                                       .sub_group_size = of->sub_group_size,
                                       .has_double = of->has_double,
                                       .loop_budget = of->loop_budget };
    (void)snprintf(context->info.name, sizeof context->info.name, "idle device %d", device);
    (void)snprintf(context->info.vendor, sizeof context->info.vendor, "%s", of->vendor);
    (void)snprintf(context->info.architecture, sizeof context->info.architecture, "%s", of->architecture);
    context->limits = (mcl__limits){ .launch_memory = of->launch_memory,
                                     .sub_group_size = of->sub_group_size,
                                     .sub_group_path = of->sub_group_path,
                                     .word_path = of->word_path,
                                     .look_back = of->look_back };
    MCL__TRY(mcl__context_adopt(&idle_backend, context, out));
    if (of->group) context->limits.mapping = MCL_MAPPING_GROUP;
    context->info.mapping = context->limits.mapping;
    return MCL_OK;
}
