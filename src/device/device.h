/* device.h: contexts, queues, buffers and events inside the library, and the table of functions that a backend fills.
 *
 * src/device checks handles and ranges and counts references; a backend does not check them. The structs of a backend
 * begin with the structs here. */
#ifndef MODERNCL_DEVICE_INTERNAL_H
#define MODERNCL_DEVICE_INTERNAL_H

#include "base/base.h"
#include "facts/paths.h"
#include "moderncl/replay.h"

#include <stdatomic.h>

typedef struct mcl__backend mcl__backend;
typedef struct mcl__program_cache mcl__program_cache; /* defined in program/cache.c */
typedef struct mcl__kernel_cache mcl__kernel_cache;   /* defined in program/cache.c */
typedef struct mcl__tuning mcl__tuning;               /* defined in tuning/rows.h */
typedef struct mcl__block_cache mcl__block_cache;     /* defined in device/block_cache.c */
typedef struct mcl__mark mcl__mark;                   /* defined in device/block_cache.c */

/* The ways in which 64-bit words pass between running groups. The dialects have the code for each. */
typedef enum mcl__word_path {
    MCL__WORDS_NONE = MCL_WORD_PATH_NONE,
    MCL__WORDS_CUDA = MCL_WORD_PATH_CUDA,
    MCL__WORDS_C11 = MCL_WORD_PATH_C11,
    MCL__WORDS_PTX = MCL_WORD_PATH_PTX,
    MCL__WORDS_LEGACY = MCL_WORD_PATH_LEGACY
} mcl__word_path;

typedef enum mcl__sub_group_path {
    MCL__SUB_GROUP_NONE = MCL_SUB_GROUP_PATH_NONE,
    MCL__SUB_GROUP_CUDA = MCL_SUB_GROUP_PATH_CUDA,
    MCL__SUB_GROUP_PTX = MCL_SUB_GROUP_PATH_PTX,
    MCL__SUB_GROUP_KHR = MCL_SUB_GROUP_PATH_KHR
} mcl__sub_group_path;

/* The cases in which intervals are sorted by their targets before they are moved. MCL__ORDER_ALWAYS is for tests. */
enum { MCL__ORDER_NEVER, MCL__ORDER_WHERE_FASTER, MCL__ORDER_ALWAYS /* wherever a sort is possible */ };

/* The properties of a device that planning needs. They are plain numbers, so that plans can be tested without a
 * device. */
typedef struct mcl__limits {
    char tuning_key[64]; /* the device's name in rows of tuning, such as "NVIDIA sm_90" or "POCL cpu" */
    int is_gpu;
    mcl_mapping mapping;
    int compute_units;
    int64_t local_memory;  /* most bytes of work-group memory that a kernel may declare */
    int64_t launch_memory; /* most bytes of work-group memory that a launch may provide (MCL_SHARED_AT_LAUNCH) */
    int max_threads;
    int sub_group_size;     /* work-items of a sub-group, unless sub_group_path is NONE */
    int sub_group_required; /* 1 if kernels must ask for that size */
    mcl__sub_group_path sub_group_path;
    mcl__word_path word_path;
    int loses_barriers; /* 1 if the compiler sometimes generates wrong code for kernels with barriers */
    int look_back;      /* 1 if single-pass algorithms are allowed */
    int poll_limit;     /* number of polls of a predecessor before its sum is recomputed */
    int has_double;
    int has_half;
    int64_t loop_budget; /* most loop iterations of a work-item in total; 0: no limit */
    int64_t cache_bytes;
    int interval_order; /* one of MCL__ORDER_... */
    int mends_seams;    /* 1 if segmented sort merges short segments before its passes; 0 to test the passes */
} mcl__limits;

enum { MCL__LOST_NOT, MCL__LOST_NOW, MCL__LOST_SAID };

struct mcl_context {
    const mcl__backend *backend;
    atomic_int references;
    atomic_int lost;      /* one of MCL__LOST_...: a lost device gets no more commands */
    char lost_cause[160]; /* the driver's error text; constant from MCL__LOST_SAID on */
    mcl_device_info info;
    mcl__limits limits;
    const char *dialect;            /* "dialect/opencl.clh" or "dialect/cuda.clh" */
    char build_options[256];        /* compiler options, which the disk cache's key contains too */
    char cache_identity[640];       /* backend, device, driver and compiler versions, for the disk cache's key */
    int keeps_binaries;             /* 0 if the disk cache is not used, since the driver has its own (POCL) */
    int64_t disk_cache_limit;       /* most bytes of all files in the disk cache; 0: it is off */
    atomic_llong disk_cache_room;   /* bytes that this context may write before it sweeps the folder; initially 0 */
    atomic_int disk_cache_told;     /* 1 once the log function has been told that a file was not kept */
    mcl__word_path other_word_path; /* the path that the probe tries where limits.word_path fails */
    atomic_int probed;              /* 1 once the limits' word_path, look_back and so on are final (context/probe.c) */
    mcl__mutex probing;             /* lock of the thread that probes */
    int probe_unsure;               /* 1 if a build failed, but not because of its text; the verdict is then not kept */
    mcl__mutex lock;                /* lock for programs, and for the replacement of tuning */
    mcl_build_function build_function; /* guarded by lock, like build_user */
    void *build_user;
    int tells_builds; /* 1 for MCL_LOG=build */
    mcl__program_cache *programs;
    /* Rows that are read without the lock, so replaced rows stay until the context ends. */
    _Atomic(mcl__tuning *) tuning;
    mcl__mutex memory_lock;  /* lock for the members below, and for each queue's marks */
    mcl_allocator allocator; /* the caller's functions; without them cache allocates */
    mcl_memory_statistics memory;
    mcl__block_cache *cache;
    mcl_queue *queues;   /* list of all open queues */
    int64_t queue_count; /* number of queues ever opened */
    /* Function that frees programs and tuning, which belong to higher layers, or NULL. */
    void (*forget)(mcl_context *context);
};

typedef struct mcl__scratch {
    mcl_buffer *buffer; /* the block in use: the queue's own, or the caller's */
    size_t offset;      /* offset of this call's part in buffer */
    size_t bytes;       /* bytes that this call may use */
    size_t taken;
} mcl__scratch;

enum { MCL__ARGS_MAX = 128 }; /* the most arguments of a launch */

/* One kernel argument: a buffer, or size bytes at value. If both are NULL, it is a null pointer. */
typedef struct mcl__arg {
    mcl_buffer *buffer;
    const void *value;
    size_t size;
} mcl__arg;

/* Arguments in the order of the kernel's parameters. */
typedef struct mcl__args {
    int count;
    int index_bits;
    int number_count;
    int64_t local_bytes; /* bytes of work-group memory that the launch provides; 0: kernels declare theirs */
    mcl__arg list[MCL__ARGS_MAX];
    int64_t numbers[MCL__ARGS_MAX]; /* numbers to which list points */
} mcl__args;

enum { MCL__KINDS_MAX = 256 }; /* number of kinds of calls that a queue remembers */

struct mcl_queue {
    mcl_context *context;
    atomic_int references;
    mcl_queue *next;       /* the next queue in context->queues */
    int64_t number;        /* number of the queue, from 1; unique in the context */
    atomic_llong work;     /* number of commands enqueued so far; a backend counts each one after its enqueue */
    long long marked_work; /* value of work at mark; if mark is NULL, that work is done */
    mcl__mark *mark;
    mcl__mark *oldest_mark; /* oldest of the marks with an event, a list of block_cache.c */
    mcl__mark *newest_mark;
    int profiling;     /* 1 if events have times */
    int only_prepares; /* 1 for a queue of mcl_queue_create_preparing. Constant, since any thread may read it */
    int preparing; /* 0: calls enqueue work; 1: they enqueue nothing; MCL__MEASURES: like 1, while steps are measured */
    int in_steps;  /* number of nested calls of several steps that are running */
    mcl_recording *recording; /* the open recording, which calls on the queue go into, or NULL */
    mcl_buffer *own_scratch;
    mcl_buffer *slots;            /* words that are zero between launches: a launch that uses words clears them again */
    struct mcl__retired *retired; /* replaced scratch blocks, each with the event after which nothing uses it */
    mcl__scratch scratch;
    size_t scratch_held;                    /* bytes at the beginning of the scratch that running steps hold */
    int unmeasured;                         /* 1 if the running call has begun no step, so that steps can be measured */
    const struct mcl_options *step_options; /* options of the running steps */
    uint64_t kind;                          /* hash of types and texts of the call of steps that is being checked */
    uint64_t kinds[MCL__KINDS_MAX];         /* kinds of calls whose programs all exist; a new kind replaces the
                                             * oldest */
    unsigned kind_count;
    size_t scratch_bytes; /* scratch of the last call; during a call of several steps, the most so far */
    size_t scratch_peak;  /* most scratch of any call on the queue */
    mcl__kernel_cache *kernels;
    void (*forget)(mcl_queue *queue); /* function that frees kernels, which belong to a higher layer, or NULL */
    mcl__text key;                    /* spec key of the present call; its memory is reused */
    mcl__args args;                   /* arguments of the present launch: too large for a small stack */
};

/* The value of queue->preparing while a call measures what its steps need. This is before its first step, and no kernel
 * is warmed. */
enum { MCL__MEASURES = 2 };

enum { MCL__PATTERN_MAX = 16 /* most bytes of the pattern that a fill repeats */ };

/* The ways in which kernels use a buffer. */
typedef enum mcl__access { MCL__ACCESS_READ = 1, MCL__ACCESS_WRITE = 2 } mcl__access;

struct mcl_buffer {
    mcl_context *context;
    atomic_int references;
    size_t bytes;
    uintptr_t block;    /* a cl_mem, a CUdeviceptr or an address; 0 where bytes is 0 */
    uintptr_t root;     /* identity of the memory: two buffers share memory where roots are equal and [origin, origin +
                         * bytes) overlap */
    size_t origin;      /* OpenCL: outermost parent, with the offset in it as origin; CUDA: 0, with the address as
                         * origin */
    mcl_buffer *whole;  /* the buffer that owns the block if this one is a part of scratch, else NULL */
    size_t begin;       /* offset of the part in whole */
    int owned;          /* 1 if the block belongs to the context's allocator, and goes back to it */
    int is_address;     /* 1 if block is an address of OpenCL's unified shared memory, not a cl_mem */
    int made_by_wrap;   /* 1 if a wrapping function made the driver's object, and must release it */
    int is_far;         /* 1 if the memory is on another device (mcl_cuda_peer_buffer_wrap) */
    size_t block_bytes; /* size of the block, which may be larger than bytes */
    int64_t only_queue; /* number of the only queue that uses the buffer; 0: any queue */
    unsigned refused;   /* uses (mcl__access) that are forbidden for a wrapped buffer */
    atomic_int exposed; /* 1 once the caller has got the driver's handle */
};

struct mcl_event {
    mcl_context *context;
    atomic_int references;
};

typedef struct mcl__launch {
    void *kernel;
    int64_t groups;
    int threads;
    const mcl__arg *args;
    int arg_count;
    int waits;           /* 1 if the kernel itself waits for the launch before it (MCL_ENTER in the dialect) */
    int64_t local_bytes; /* bytes of work-group memory in addition to what the kernel declares; 0 for OpenCL, whose
                          * kernels declare all */
} mcl__launch;

/* A command of a recording. Each enqueue is one command, which retains its buffers. */
typedef struct mcl__command {
    mcl__launch launch; /* the launch; one allocation of the command holds args and their values. If kernel is NULL, it
                         * is a fill or a copy */
    mcl_buffer *to;
    size_t to_offset;
    mcl_buffer *from; /* source of a copy; NULL for a fill */
    size_t from_offset;
    size_t bytes;
    size_t pattern_bytes;
    unsigned char pattern[MCL__PATTERN_MAX];
} mcl__command;

/* The calls between mcl_record_begin and mcl_record_end. While the recording is open, its queue has scratch and slots
 * for these calls alone. The queue's usual scratch and slots are kept here meanwhile. */
struct mcl_recording {
    mcl_context *context;
    atomic_int references;
    mcl__command *commands;
    int count; /* number of commands of complete calls; later commands belong to a call that has not ended */
    int added;
    int capacity;
    mcl_buffer *queue_scratch;
    mcl_buffer *queue_slots;
    void *made; /* data of the backend, made by recording_make */
};

/* A backend: one constant table in its own folder. Every entry is required. Entries check only what the driver returns,
 * and fail with a sentence. Any thread may call an entry, unless its comment says otherwise. */
struct mcl__backend {
    const char *name; /* name, such as "opencl" */

    /* Give the devices, in the driver's order and numbered over all platforms. A missing driver gives MCL_OK and 0
     * devices. */
    mcl_status (*device_count)(int *count);
    mcl_status (*device_info)(int device, mcl_device_info *info); /* fills all properties that need no context */
    /* Appends a part of a sentence: why an installed driver has no device, and what may help. With is_wanted it also
     * reports a missing driver. Users of another backend need not know that the driver is missing. */
    void (*device_missing)(mcl__text *out, int is_wanted);

    /* Allocates the backend's own struct. It fills info, dialect, build_options, cache_identity, keeps_binaries, and
     * the limits that the driver reports. The probe may still replace word_path and sub_group_path. context/context.c
     * does the rest. */
    mcl_status (*context_open)(int device, mcl_context **out);
    void (*context_close)(mcl_context *context);

    mcl_status (*memory_allocate)(mcl_context *context, size_t bytes, uintptr_t *block);
    /* Waits for the block's work where the driver does not. */
    void (*memory_release)(mcl_context *context, uintptr_t block);
    void (*memory_place)(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin);

    /* Opens a queue: allocates the backend's struct. device/queue.c fills the base, except profiling of a wrapped
     * queue. Only one thread at a time may use a queue, but any thread may call queue_finish and queue_mark. */
    mcl_status (*queue_open)(mcl_context *context, int flags, mcl_queue **out);
    void (*queue_close)(mcl_queue *queue);
    mcl_status (*queue_finish)(mcl_queue *queue);
    mcl_status (*queue_flush)(mcl_queue *queue);
    mcl_status (*queue_wait)(mcl_queue *queue, mcl_event *const *events, int count);
    /* Waits for events of the driver. */
    mcl_status (*queue_wait_driver)(mcl_queue *queue, void *const *events, int count);
    /* Makes an event of all work enqueued so far, and hands this work to the device. It does not wait. The caller
     * passes the event to mcl__event_adopt. */
    mcl_status (*queue_mark)(mcl_queue *queue, mcl_event **out);

    /* Enqueue a command. If blocking is 1, data may be reused on return. In an out-of-order queue each command waits
     * for the previous one. */
    mcl_status (*read)(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data, int blocking);
    mcl_status (*write)(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data, int blocking);
    mcl_status (*fill)(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                       size_t pattern_bytes);
    mcl_status (*copy)(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                       size_t bytes);
    mcl_status (*launch)(mcl_queue *queue, const mcl__launch *launch);

    /* Makes recording->made: the recording's commands (at least 1) in a form that takes less time to enqueue. queue is
     * the queue that was recorded. Nothing runs. */
    mcl_status (*recording_make)(mcl_queue *queue, mcl_recording *recording);
    mcl_status (*recording_replay)(mcl_queue *queue, const mcl_recording *recording);
    void (*recording_close)(mcl_recording *recording); /* frees made, which is not NULL; replays may still run */

    /* Enclose the enqueues of one call. call_begin drops a call that has not ended. wants_event is 0 where call_end
     * will not be called, so that no event needs recording. call_end gives an event of all commands since call_begin;
     * if there are none, of a marker. The backend allocates its struct and passes it to mcl__event_adopt. */
    mcl_status (*call_begin)(mcl_queue *queue, int wants_event);
    mcl_status (*call_end)(mcl_queue *queue, mcl_event **out);
    /* Gives an event of the driver for the same work. If a call needs both events, this entry is called before
     * call_end. */
    mcl_status (*call_end_driver)(mcl_queue *queue, void **event);
    int records_given_event; /* 1: *event is the caller's event, which is recorded; 0: *event receives an event */
    mcl_status (*event_wait)(mcl_event *event);
    /* Returns 1 where the event is complete or has failed, else 0; does not wait. */
    int (*event_done)(mcl_event *event);
    mcl_status (*event_milliseconds)(mcl_event *event, double *milliseconds);
    void (*event_close)(mcl_event *event);

    /* Builds a program, which is a cl_program or a CUmodule. If the compiler rejects the text, it returns
     * MCL_ERROR_BUILD with the compiler's messages in log, and the caller (program/build.c) writes the error sentence.
     * If log is empty, the backend has written the sentence. Then the text is not the cause, and a later build may
     * succeed. */
    mcl_status (*program_build)(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                void **program);
    mcl_status (*program_load)(mcl_context *context, const void *binary, size_t bytes, void **program);
    mcl_status (*program_binary)(mcl_context *context, void *program, mcl__text *out);
    void (*program_release)(mcl_context *context, void *program);
    mcl_status (*kernel_create)(mcl_context *context, void *program, const char *name, void **kernel);
    void (*kernel_release)(mcl_context *context, void *kernel);
    mcl_status (*kernel_max_threads)(mcl_context *context, void *kernel, int *threads);
    /* Makes a driver generate a kernel's code for launches of work_items, if the driver would do so only at the first
     * launch. It launches a kernel that does nothing (MCL_ENTER in the dialect), and waits. Errors are ignored: the
     * first real launch reports them. */
    void (*kernel_warm)(mcl_queue *queue, void *kernel, int64_t work_items);
};

extern const mcl__backend mcl__opencl_backend;
extern const mcl__backend mcl__cuda_backend;

/* ---- check.c ------------------------------------------------------------------------------------------------ */

/* Checks that context is not NULL, that this process may use it, and that its device is not lost. function is the
 * public function's name, for the error sentence. */
mcl_status mcl__check_context(const char *function, const mcl_context *context);
/* Checks the same, but not whether the device is lost. It is for calls that only count references. */
mcl_status mcl__check_reference(const char *function, const mcl_context *context);
mcl_status mcl__check_queue(const char *function, const mcl_queue *queue);
/* Fails with MCL_ERROR_UNSUPPORTED while the queue is being recorded. what names what cannot be recorded, such as "a
 * call that waits". */
mcl_status mcl__check_unrecorded(const mcl_queue *queue, const char *what, const char *expected);

/* Marks a context's device as lost, after a function of the driver has failed with a lasting error. From now on every
 * call on the context fails with MCL_ERROR_DEVICE before it reaches the driver, and releases do not wait. */
void mcl__context_lose(mcl_context *context, const char *function, const char *error);
static inline int mcl__context_lost(mcl_context *context)
{
    return atomic_load(&context->lost) != MCL__LOST_NOT;
}

/* references.c. Ends a context, even one whose creation has failed. */
void mcl__context_destroy(mcl_context *context);

/* ---- allocator.c -------------------------------------------------------------------------------------------- */

/* Allocate and release the block of a buffer. Before the allocation, the buffer has bytes but no block. */
mcl_status mcl__block_allocate(mcl_context *context, mcl_buffer *buffer);
void mcl__block_release(mcl_context *context, mcl_buffer *buffer);

/* ---- block_cache.c ------------------------------------------------------------------------------------------ */

mcl_status mcl__cache_open(mcl_context *context);
void mcl__cache_close(mcl_context *context); /* gives all blocks back to the driver */
mcl_status mcl__cache_allocate(mcl_context *context, mcl_buffer *buffer);
void mcl__cache_release(mcl_context *context, mcl_buffer *buffer);
void mcl__cache_trim(mcl_context *context, int64_t bytes); /* frees cached blocks until at most bytes are left */
/* Notes that the first work commands of the queue are complete. */
void mcl__queue_idle(mcl_queue *queue, long long work);
/* Forgets a finished queue before it ends, so that no block waits for it any more. */
void mcl__queue_forget(mcl_queue *queue);

/* ---- queue.c, buffer.c, event.c ------------------------------------------------------------------------------- */

mcl_status mcl__queue_adopt(mcl_context *context, mcl_queue *opened, mcl_queue **out);
/* Makes a buffer that only work on this queue will use. So its block may still be in use by earlier work of this
 * queue. */
mcl_status mcl__buffer_create_for(mcl_queue *queue, size_t bytes, mcl_buffer **out);
static inline void mcl__buffer_drop(mcl_buffer **owned)
{
    mcl_buffer_release(*owned);
    *owned = NULL;
}
/* Makes a buffer that is a range of whole, and retains whole. On a preparing queue whole is NULL, and the new buffer
 * has no memory. */
mcl_status mcl__buffer_part(mcl_context *context, mcl_buffer *whole, size_t begin, size_t bytes, mcl_buffer **out);
/* Makes a buffer that does not own its block. */
mcl_status mcl__buffer_adopt(mcl_context *context, uintptr_t block, size_t bytes, mcl_buffer **out);
/* Returns 1 where the byte ranges share memory. */
int mcl__buffers_overlap(const mcl_buffer *a, size_t a_offset, size_t a_bytes, const mcl_buffer *b, size_t b_offset,
                         size_t b_bytes);
/* Fills the base of an event that a backend has made: one reference, which keeps the context. It cannot fail. */
void mcl__event_adopt(mcl_context *context, mcl_event *opened);
/* Returns 1 where the byte range [offset, offset + bytes) lies in the buffer. */
int mcl__buffer_holds(const mcl_buffer *buffer, size_t offset, size_t bytes);

/* ---- driver_launch.c ---------------------------------------------------------------------------------------- */

/* Launches a kernel of the driver for mcl_opencl_launch and mcl_cuda_launch, which have checked its handle. */
mcl_status mcl__driver_launch(mcl_queue *queue, void *kernel, int64_t groups, int group_items,
                              const mcl_driver_argument *arguments, int argument_count);

/* ---- recording.c -------------------------------------------------------------------------------------------- */

/* Enqueue a command of a call: on the backend, or into the recording that is open on the queue. */
mcl_status mcl__enqueue_launch(mcl_queue *queue, const mcl__launch *launch);
mcl_status mcl__enqueue_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                             size_t pattern_bytes);
mcl_status mcl__enqueue_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                             size_t bytes);
/* Enqueues one command of a recording, on a queue that is not being recorded. */
mcl_status mcl__command_enqueue(mcl_queue *queue, const mcl__command *command);

/* Mark the beginning and the end of a call. At the beginning, commands of an earlier unfinished call are dropped. At
 * the end, the call's commands become part of the recording. */
void mcl__recording_call_begin(mcl_recording *recording);
void mcl__recording_call_end(mcl_recording *recording);
/* Mark the beginning and the end of a call that is one command and has no options. status is the result of that
 * command's enqueue, and is returned. */
mcl_status mcl__command_begin(mcl_queue *queue);
mcl_status mcl__command_end(mcl_queue *queue, mcl_status status);

mcl_status mcl__recording_open(mcl_queue *queue);
/* Takes the recording off its queue, which gets its own scratch and slots back. *out receives the recording with the
 * complete calls. */
void mcl__recording_take(mcl_queue *queue, mcl_recording **out);
/* Frees a recording that has no references left. */
void mcl__recording_free(mcl_recording *recording);

/* ---- scratch.c ---------------------------------------------------------------------------------------------- */

/* Sets queue->scratch to a block of bytes. It is the caller's block if the options give one, and MCL_ERROR_ARGUMENT if
 * that is too small. Otherwise it is the queue's own block, enlarged if necessary. A replaced block is kept until the
 * queue's earlier work is done. On a preparing queue only scratch_bytes is set. For steps that can still be measured,
 * the result may be MCL__UNMEASURED. */
mcl_status mcl__scratch_reserve(mcl_queue *queue, size_t bytes, const mcl_options *options);
/* Makes a buffer in the scratch that the running steps hold until they end. The caller releases it. */
mcl_status mcl__scratch_hold(mcl_queue *queue, size_t bytes, mcl_buffer **out);
/* Enlarges the queue's own scratch block to at least bytes. */
mcl_status mcl__scratch_grow(mcl_queue *queue, size_t bytes);
/* Frees the replaced blocks that no work uses any more. With all it waits for that work, and frees all replaced
 * blocks. */
void mcl__scratch_collect(mcl_queue *queue, int all);

/* Makes queue->slots; call it before call_begin. It does nothing where the slots exist, or on a preparing queue. */
mcl_status mcl__slots_reserve(mcl_queue *queue);

/* A status of steps: the queue's scratch is too small for them, and nothing is enqueued yet. */
enum { MCL__UNMEASURED = 1000 };
enum { MCL__SCRATCH_ALIGNMENT = 256, MCL__SLOTS = 16384 /* number of 64-bit words in queue->slots */ };

#endif
