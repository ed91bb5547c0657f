/* device.h: contexts, queues, buffers and events inside the library, and the table a backend fills.
 *
 * src/device checks handles and ranges and keeps references; a backend does not check them. The structs of a backend
 * begin with the structs here. */
#ifndef MODERNCL_DEVICE_INTERNAL_H
#define MODERNCL_DEVICE_INTERNAL_H

#include "base/base.h"
#include "facts/paths.h"
#include "moderncl/replay.h"

#include <stdatomic.h>

typedef struct mcl__backend mcl__backend;
typedef struct mcl__program_cache mcl__program_cache; /* program/cache.c */
typedef struct mcl__kernel_cache mcl__kernel_cache;   /* program/cache.c */
typedef struct mcl__tuning mcl__tuning;               /* tuning/rows.h */
typedef struct mcl__block_cache mcl__block_cache;     /* device/block_cache.c */
typedef struct mcl__mark mcl__mark;                   /* device/block_cache.c */

/* How 64-bit words pass between running groups. The dialects have the code of each path. */
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

/* The cases in which intervals are put in the order of their targets before they are moved. */
enum { MCL__ORDER_NEVER, MCL__ORDER_WHERE_FASTER, MCL__ORDER_ALWAYS /* wherever it is possible, for tests */ };

/* The facts of a device that planning needs. They are numbers only, so that plans can be tested without a device. */
typedef struct mcl__limits {
    char tuning_key[64]; /* "NVIDIA sm_90", "POCL cpu": the device's name in rows of tuning */
    int is_gpu;
    mcl_mapping mapping;
    int compute_units;
    int64_t local_memory;  /* bytes of work-group memory a kernel may declare */
    int64_t launch_memory; /* bytes of work-group memory a launch may give (MCL_SHARED_AT_LAUNCH) */
    int max_threads;
    int sub_group_size;     /* work-items of a sub-group, where sub_group_path is not NONE */
    int sub_group_required; /* 1: kernels must ask for that size */
    mcl__sub_group_path sub_group_path;
    mcl__word_path word_path;
    int loses_barriers; /* 1: the compiler now and then makes wrong code of kernels with barriers */
    int look_back;      /* 1: single-pass algorithms are allowed */
    int poll_limit;     /* polls of a predecessor before its sum is recomputed */
    int has_double;
    int has_half;
    int64_t loop_budget; /* most iterations of a work-item's loops together; 0: no limit */
    int64_t cache_bytes;
    int interval_order; /* MCL__ORDER_... */
    int mends_seams;    /* 1: segmented sort merges short segments before its passes; 0 in tests of the passes */
} mcl__limits;

enum { MCL__LOST_NOT, MCL__LOST_NOW, MCL__LOST_SAID };

struct mcl_context {
    const mcl__backend *backend;
    atomic_int references;
    atomic_int lost;      /* MCL__LOST_...: once lost, the device gets no more commands */
    char lost_cause[160]; /* the driver's words; constant from MCL__LOST_SAID on */
    mcl_device_info info;
    mcl__limits limits;
    const char *dialect;            /* "dialect/opencl.clh" or "dialect/cuda.clh" */
    char build_options[256];        /* options of the compiler, also in the disk cache's key */
    char cache_identity[640];       /* backend, device, driver and compiler versions: the disk cache's key */
    int keeps_binaries;             /* 0: the disk cache is not used, since the driver has one (POCL) */
    int64_t disk_cache_limit;       /* most bytes of all files; 0: the disk cache is off */
    atomic_llong disk_cache_room;   /* bytes that this context may write before it sweeps the folder; none at first */
    atomic_int disk_cache_told;     /* 1: the log function knows that a file was not kept */
    mcl__word_path other_word_path; /* the path that the probe tries where limits.word_path fails */
    atomic_int probed;              /* 1: word_path, look_back ... of limits are final (context/probe.c) */
    mcl__mutex probing;             /* held by the one thread that probes */
    int probe_unsure;               /* 1: a build failed, but not by its text, so the verdict is not kept */
    mcl__mutex lock;                /* guards programs, and the replacement of tuning */
    mcl_build_function build_function; /* guarded by lock, as build_user */
    void *build_user;
    int tells_builds; /* MCL_LOG=build */
    mcl__program_cache *programs;
    _Atomic(mcl__tuning *) tuning; /* read without the lock, so replaced rows stay until the context ends */
    mcl__mutex memory_lock;        /* guards the members below, and each queue's marks */
    mcl_allocator allocator;       /* without functions: cache allocates */
    mcl_memory_statistics memory;
    mcl__block_cache *cache;
    mcl_queue *queues;                    /* list of all open queues */
    int64_t queue_count;                  /* queues that were ever opened */
    void (*forget)(mcl_context *context); /* frees programs and tuning, which layers above make; NULL: nothing */
};

typedef struct mcl__scratch {
    mcl_buffer *buffer; /* the block in use: the queue's own or the caller's */
    size_t offset;      /* offset of this call's part in buffer */
    size_t bytes;       /* bytes that this call may use */
    size_t taken;
} mcl__scratch;

enum { MCL__ARGS_MAX = 128 }; /* most arguments of a launch */

/* One kernel argument: a buffer, or size bytes at value; both NULL is a null pointer. */
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
    int64_t local_bytes; /* bytes of work-group memory that the launch gives; 0: kernels declare all */
    mcl__arg list[MCL__ARGS_MAX];
    int64_t numbers[MCL__ARGS_MAX]; /* values that list points to */
} mcl__args;

enum { MCL__KINDS_MAX = 256 }; /* kinds of calls that a queue remembers */

struct mcl_queue {
    mcl_context *context;
    atomic_int references;
    mcl_queue *next;       /* the next one in context->queues */
    int64_t number;        /* from 1; no other queue of the context ever has it */
    atomic_llong work;     /* commands enqueued so far: a backend adds each after it is enqueued */
    long long marked_work; /* value of work at mark; mark NULL: that work is done */
    mcl__mark *mark;
    mcl__mark *oldest_mark; /* list of the marks with an event, kept by block_cache.c */
    mcl__mark *newest_mark;
    int profiling;     /* 1: events have times */
    int only_prepares; /* 1: made by mcl_queue_create_preparing. Constant, since any thread may read it */
    int preparing; /* 0: calls enqueue work; 1: they enqueue nothing; MCL__MEASURES: as 1, while steps are measured */
    int in_steps;  /* number of calls made of steps that are at work, each in a step of another */
    mcl_recording *recording; /* the recording that calls on the queue go into; NULL: none is open */
    mcl_buffer *own_scratch;
    mcl_buffer *slots;            /* words that are zero between launches: a launch that uses words clears them */
    struct mcl__retired *retired; /* replaced scratch blocks, each with the event after which it is free */
    mcl__scratch scratch;
    size_t scratch_held;                    /* bytes that the steps at work hold at the begin of the scratch */
    int unmeasured;                         /* 1: no step of the call at work has begun, so the steps can be measured */
    const struct mcl_options *step_options; /* options of the steps at work */
    uint64_t kind;                          /* hash of the types and texts of the call of steps that is checked now */
    uint64_t kinds[MCL__KINDS_MAX];         /* kinds whose steps' programs were all found; the oldest is replaced */
    unsigned kind_count;
    size_t scratch_bytes; /* scratch of the last call; in a call of steps, the most so far */
    size_t scratch_peak;  /* most scratch of any call since the queue was made */
    mcl__kernel_cache *kernels;
    void (*forget)(mcl_queue *queue); /* frees kernels, which a layer above makes; NULL: nothing */
    mcl__text key;                    /* spec key of the call being made; its memory is reused */
    mcl__args args;                   /* arguments of the launch being made: a small stack has no room for them */
};

/* queue->preparing has this value while a call measures what its steps need, before the first. No kernel is warmed. */
enum { MCL__MEASURES = 2 };

enum { MCL__PATTERN_MAX = 16 /* bytes that a fill repeats */ };

/* The use that kernels make of a buffer. */
typedef enum mcl__access { MCL__ACCESS_READ = 1, MCL__ACCESS_WRITE = 2 } mcl__access;

struct mcl_buffer {
    mcl_context *context;
    atomic_int references;
    size_t bytes;
    uintptr_t block;    /* cl_mem, CUdeviceptr or address; 0 where bytes is 0 */
    uintptr_t root;     /* two buffers share memory where roots are equal and [origin, origin + bytes) overlap. */
    size_t origin;      /* OpenCL: outermost parent, and offset in the parent; CUDA: 0 and the address */
    mcl_buffer *whole;  /* the buffer that has the block, where this one is a part of scratch; else NULL */
    size_t begin;       /* offset of the part in whole */
    int owned;          /* 1: the block is the context's allocator's, and goes back to it */
    int is_address;     /* 1: block is an address of OpenCL's unified shared memory, not a cl_mem */
    int made_by_wrap;   /* 1: the wrapper made the driver's object, and releases it */
    int is_far;         /* 1: the memory is of another device (mcl_cuda_peer_buffer_wrap) */
    size_t block_bytes; /* size of the block, which may be larger than asked for */
    int64_t only_queue; /* number of the only queue that uses the buffer; 0: any queue may */
    unsigned refused;   /* mcl__access that the maker of a wrapped buffer denies to kernels */
    atomic_int exposed; /* 1: the caller has got the driver's handle */
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
    int waits;           /* 1: the kernel itself waits for the launch before it (MCL_ENTER in the dialect) */
    int64_t local_bytes; /* bytes of work-group memory besides those declared; OpenCL's kernels declare all */
} mcl__launch;

/* A command of a recording, one for each enqueue. Its buffers are retained. */
typedef struct mcl__command {
    mcl__launch launch; /* args and their values are one allocation of the command; kernel NULL: a fill or a copy */
    mcl_buffer *to;
    size_t to_offset;
    mcl_buffer *from; /* NULL: the command is a fill */
    size_t from_offset;
    size_t bytes;
    size_t pattern_bytes;
    unsigned char pattern[MCL__PATTERN_MAX];
} mcl__command;

/* The calls that were made between mcl_record_begin and mcl_record_end. While the recording is open, its queue has
 * scratch and slots for these calls alone. The queue's usual scratch and slots wait here. */
struct mcl_recording {
    mcl_context *context;
    atomic_int references;
    mcl__command *commands;
    int count; /* commands of whole calls; those after them are of a call that has not ended */
    int added;
    int capacity;
    mcl_buffer *queue_scratch;
    mcl_buffer *queue_slots;
    void *made; /* the backend's data, made by recording_make */
};

/* All of a backend: one const table in its own folder. Every entry is required. Entries check only the driver's answers
 * and fail with a sentence. Any thread may call an entry, unless its comment says otherwise. */
struct mcl__backend {
    const char *name; /* "opencl" */

    /* Devices, in the driver's order, numbered through all platforms. A missing driver is MCL_OK and 0 devices. */
    mcl_status (*device_count)(int *count);
    mcl_status (*device_info)(int device, mcl_device_info *info); /* all but the facts that need a context */
    /* Appends, as a part of a sentence, why a driver that is there gives no device, and what may help. With is_wanted
     * it also tells that the driver is missing, which users of another backend need not know. */
    void (*device_missing)(mcl__text *out, int is_wanted);

    /* Allocates its own struct, fills info, dialect, build_options, cache_identity, keeps_binaries and the
     * limits that the driver tells. The probe may still replace word_path and sub_group_path.
     * context/context.c does the rest. */
    mcl_status (*context_open)(int device, mcl_context **out);
    void (*context_close)(mcl_context *context);

    mcl_status (*memory_allocate)(mcl_context *context, size_t bytes, uintptr_t *block);
    void (*memory_release)(mcl_context *context, uintptr_t block); /* waits for its work where the driver does not */
    void (*memory_place)(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin);

    /* Opens a queue: allocates the backend's struct. device/queue.c fills the base, but not profiling of a wrapped
     * queue. The other queue entries take one thread a queue, but any thread may call queue_finish and queue_mark. */
    mcl_status (*queue_open)(mcl_context *context, int flags, mcl_queue **out);
    void (*queue_close)(mcl_queue *queue);
    mcl_status (*queue_finish)(mcl_queue *queue);
    mcl_status (*queue_flush)(mcl_queue *queue);
    mcl_status (*queue_wait)(mcl_queue *queue, mcl_event *const *events, int count);
    mcl_status (*queue_wait_driver)(mcl_queue *queue, void *const *events, int count); /* the driver's events */
    /* Makes an event, not adopted, of all work enqueued so far, and hands this work to the device. Does not wait. */
    mcl_status (*queue_mark)(mcl_queue *queue, mcl_event **out);

    /* Enqueue a command. blocking: data may be used on return. In an out-of-order queue each command waits for the one
     * before. */
    mcl_status (*read)(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data, int blocking);
    mcl_status (*write)(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data, int blocking);
    mcl_status (*fill)(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                       size_t pattern_bytes);
    mcl_status (*copy)(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                       size_t bytes);
    mcl_status (*launch)(mcl_queue *queue, const mcl__launch *launch);

    /* Makes recording->made, a form of the recording's commands (1 at least) that takes less time to enqueue. queue is
     * the queue that was recorded. Nothing runs. */
    mcl_status (*recording_make)(mcl_queue *queue, mcl_recording *recording);
    mcl_status (*recording_replay)(mcl_queue *queue, const mcl_recording *recording);
    void (*recording_close)(mcl_recording *recording); /* made is not NULL; replays may still run */

    /* Bracket one call's enqueues. call_begin drops an unfinished bracket. wants_event is 0 where call_end will not be
     * called, so that no event must be recorded. call_end gives an event of all commands since call_begin, or of a
     * marker where there are none. The backend allocates its struct and passes it to mcl__event_adopt. */
    mcl_status (*call_begin)(mcl_queue *queue, int wants_event);
    mcl_status (*call_end)(mcl_queue *queue, mcl_event **out);
    /* Gives an event of the driver for the same work. It comes before call_end, if a call has both. */
    mcl_status (*call_end_driver)(mcl_queue *queue, void **event);
    int records_given_event; /* 1: *event is the caller's event and is recorded. 0: *event receives an event */
    mcl_status (*event_wait)(mcl_event *event);
    int (*event_done)(mcl_event *event); /* returns 1 where it is complete or failed, else 0; does not wait */
    mcl_status (*event_milliseconds)(mcl_event *event, double *milliseconds);
    void (*event_close)(mcl_event *event);

    /* A program is the driver's: cl_program or CUmodule. Where the compiler rejects a text, status is
     * MCL_ERROR_BUILD and log has its words; the caller (program/build.c) makes the error sentence. Where log is empty,
     * the backend has made it. Then the text is not the cause, and a later build may work. */
    mcl_status (*program_build)(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                void **program);
    mcl_status (*program_load)(mcl_context *context, const void *binary, size_t bytes, void **program);
    mcl_status (*program_binary)(mcl_context *context, void *program, mcl__text *out);
    void (*program_release)(mcl_context *context, void *program);
    mcl_status (*kernel_create)(mcl_context *context, void *program, const char *name, void **kernel);
    void (*kernel_release)(mcl_context *context, void *kernel);
    mcl_status (*kernel_max_threads)(mcl_context *context, void *kernel, int *threads);
    /* Makes a driver that generates code at a kernel's first launch generate it, for launches of work_items. The launch
     * for this does nothing (MCL_ENTER in the dialect). Errors are ignored: the first real launch tells them. Waits. */
    void (*kernel_warm)(mcl_queue *queue, void *kernel, int64_t work_items);
};

extern const mcl__backend mcl__opencl_backend;
extern const mcl__backend mcl__cuda_backend;

/* ---- check.c ------------------------------------------------------------------------------------------------ */

/* Checks that context is not NULL, the process may use it, and its device is not lost. function is the public
 * function's name, for the sentence. */
mcl_status mcl__check_context(const char *function, const mcl_context *context);
/* Checks the same, except whether the device is lost. It is for calls that only count references. */
mcl_status mcl__check_reference(const char *function, const mcl_context *context);
mcl_status mcl__check_queue(const char *function, const mcl_queue *queue);
/* Refuses what cannot be recorded, with MCL_ERROR_UNSUPPORTED while the queue is being recorded. what: "a call that
 * waits". */
mcl_status mcl__check_unrecorded(const mcl_queue *queue, const char *what, const char *expected);

/* Marks the device of a context as lost, since a driver's function has failed with an error that lasts. From now on
 * every call on the context fails with MCL_ERROR_DEVICE before it reaches the driver, and releases do not wait. */
void mcl__context_lose(mcl_context *context, const char *function, const char *error);
static inline int mcl__context_lost(mcl_context *context)
{
    return atomic_load(&context->lost) != MCL__LOST_NOT;
}

/* references.c. Ends a context, also one whose making has failed. */
void mcl__context_destroy(mcl_context *context);

/* ---- allocator.c -------------------------------------------------------------------------------------------- */

/* Allocate the block of a buffer, which has bytes and no block yet; release it. */
mcl_status mcl__block_allocate(mcl_context *context, mcl_buffer *buffer);
void mcl__block_release(mcl_context *context, mcl_buffer *buffer);

/* ---- block_cache.c ------------------------------------------------------------------------------------------ */

mcl_status mcl__cache_open(mcl_context *context);
void mcl__cache_close(mcl_context *context); /* gives all blocks back to the driver */
mcl_status mcl__cache_allocate(mcl_context *context, mcl_buffer *buffer);
void mcl__cache_release(mcl_context *context, mcl_buffer *buffer);
void mcl__cache_trim(mcl_context *context, int64_t bytes); /* frees blocks until at most bytes are left */
/* Notes that the queue's first work commands have completed. */
void mcl__queue_idle(mcl_queue *queue, long long work);
/* Forgets a finished queue before its end: no block waits for it any more. */
void mcl__queue_forget(mcl_queue *queue);

/* ---- queue.c, buffer.c, event.c ------------------------------------------------------------------------------- */

mcl_status mcl__queue_adopt(mcl_context *context, mcl_queue *opened, mcl_queue **out);
/* Makes a buffer that only work on this queue will use, so earlier work of the queue may still use the block. */
mcl_status mcl__buffer_create_for(mcl_queue *queue, size_t bytes, mcl_buffer **out);
static inline void mcl__buffer_drop(mcl_buffer **owned)
{
    mcl_buffer_release(*owned);
    *owned = NULL;
}
/* Makes a buffer that is a range of whole, and retains whole. On a preparing queue whole is NULL, and the new buffer
 * has no memory. */
mcl_status mcl__buffer_part(mcl_context *context, mcl_buffer *whole, size_t begin, size_t bytes, mcl_buffer **out);
mcl_status mcl__buffer_adopt(mcl_context *context, uintptr_t block, size_t bytes, mcl_buffer **out); /* not owned */
/* Returns 1 where the byte ranges share memory. */
int mcl__buffers_overlap(const mcl_buffer *a, size_t a_offset, size_t a_bytes, const mcl_buffer *b, size_t b_offset,
                         size_t b_bytes);
/* Fills the base of an event that a backend has made: one reference, which keeps the context. Cannot fail. */
void mcl__event_adopt(mcl_context *context, mcl_event *opened);
/* Returns 1 where the byte range [offset, offset + bytes) lies in the buffer. */
int mcl__buffer_holds(const mcl_buffer *buffer, size_t offset, size_t bytes);

/* ---- driver_launch.c ---------------------------------------------------------------------------------------- */

/* Does the work of mcl_opencl_launch and mcl_cuda_launch after they have checked the kernel's handle. */
mcl_status mcl__driver_launch(mcl_queue *queue, void *kernel, int64_t groups, int group_items,
                              const mcl_driver_argument *arguments, int argument_count);

/* ---- recording.c -------------------------------------------------------------------------------------------- */

/* Enqueue a call's command: by the backend, or into the recording that is open on the queue. */
mcl_status mcl__enqueue_launch(mcl_queue *queue, const mcl__launch *launch);
mcl_status mcl__enqueue_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                             size_t pattern_bytes);
mcl_status mcl__enqueue_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                             size_t bytes);
/* Enqueues one command of a recording, on a queue that is not being recorded. */
mcl_status mcl__command_enqueue(mcl_queue *queue, const mcl__command *command);

/* Mark where a call begins and where it ends. Commands of an earlier call that has not ended are dropped at the begin.
 * The commands of the call are kept from its end on. */
void mcl__recording_call_begin(mcl_recording *recording);
void mcl__recording_call_end(mcl_recording *recording);
/* Mark the begin and the end of a call that is one command, without options. status is that of its enqueue, and is
 * returned. */
mcl_status mcl__command_begin(mcl_queue *queue);
mcl_status mcl__command_end(mcl_queue *queue, mcl_status status);

mcl_status mcl__recording_open(mcl_queue *queue);
/* Takes the recording off its queue, which gets its own scratch and slots back. *out has the whole calls. */
void mcl__recording_take(mcl_queue *queue, mcl_recording **out);
/* Frees a recording that has no reference left. */
void mcl__recording_free(mcl_recording *recording);

/* ---- scratch.c ---------------------------------------------------------------------------------------------- */

/* Makes queue->scratch a block of bytes. The caller's block is taken if options give one (MCL_ERROR_ARGUMENT when too
 * small), else the queue's own, grown when needed. A replaced block is kept until the queue's work so far is done.
 * On a preparing queue only scratch_bytes is set. For steps that can still be measured the result may be
 * MCL__UNMEASURED. */
mcl_status mcl__scratch_reserve(mcl_queue *queue, size_t bytes, const mcl_options *options);
/* Makes a buffer of scratch that the steps at work hold until they end. The caller releases it. */
mcl_status mcl__scratch_hold(mcl_queue *queue, size_t bytes, mcl_buffer **out);
/* Makes the queue's own scratch block at least as large as bytes. */
mcl_status mcl__scratch_grow(mcl_queue *queue, size_t bytes);
/* Frees the replaced blocks that no work uses any more. With all it waits for that work, and frees all of them. */
void mcl__scratch_collect(mcl_queue *queue, int all);

/* Makes queue->slots, before call_begin. Does nothing where they are there already, or on a preparing queue. */
mcl_status mcl__slots_reserve(mcl_queue *queue);

/* A status of steps: the queue's scratch is too small for the steps, and nothing is enqueued yet. */
enum { MCL__UNMEASURED = 1000 };
enum { MCL__SCRATCH_ALIGNMENT = 256, MCL__SLOTS = 16384 /* 64-bit words in queue->slots */ };

#endif
