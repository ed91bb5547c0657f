/* device.h: contexts, queues, buffers and events inside the library, and the table a backend fills.
 *
 * src/device checks handles and ranges and keeps references; a backend does what it is told. A backend's own structs
 * begin with the ones here. */
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

/* The way of 64-bit words between running groups; the dialects spell each. */
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
enum { MCL__ORDER_NEVER, MCL__ORDER_WHERE_FASTER, MCL__ORDER_ALWAYS /* where it can be: for tests */ };

/* The facts that planning needs of a device: numbers only, so that plans can be tested without one. */
typedef struct mcl__limits {
    char tuning_key[64]; /* "NVIDIA sm_90", "POCL cpu": what rows of the tuning table are matched with */
    int is_gpu;
    mcl_mapping mapping;
    int compute_units;
    int64_t local_memory;  /* bytes of work-group memory a kernel may declare */
    int64_t launch_memory; /* and that a launch may give it (MCL_SHARED_AT_LAUNCH in the dialect) */
    int max_threads;
    int sub_group_size;     /* where sub_group_path is not NONE */
    int sub_group_required; /* 1: kernels must ask for that size */
    mcl__sub_group_path sub_group_path;
    mcl__word_path word_path;
    int loses_barriers; /* 1: the compiler now and then makes wrong code of kernels with barriers */
    int look_back;      /* single-pass algorithms allowed */
    int poll_limit;     /* polls of a predecessor before its sum is recomputed */
    int has_double;
    int has_half;
    int64_t loop_budget; /* 0: no limit */
    int64_t cache_bytes;
    int interval_order; /* MCL__ORDER_... */
    int mends_seams;    /* segmented sort merges short segments ahead of its passes; 0 for tests of these */
} mcl__limits;

enum { MCL__LOST_NOT, MCL__LOST_NOW, MCL__LOST_SAID };

struct mcl_context {
    const mcl__backend *backend;
    atomic_int references;
    atomic_int lost;      /* MCL__LOST_...: nothing more is asked of the device */
    char lost_cause[160]; /* the driver's words; constant from MCL__LOST_SAID on */
    mcl_device_info info;
    mcl__limits limits;
    const char *dialect;            /* "dialect/opencl.clh" or "dialect/cuda.clh" */
    char build_options[256];        /* for the compiler, also in the disk cache's key */
    char cache_identity[640];       /* backend, device, driver and compiler versions: the disk cache's key */
    int keeps_binaries;             /* 0: the driver has its own cache (POCL), ours is not used */
    int64_t disk_cache_limit;       /* most bytes of all its files; 0: it is off */
    atomic_llong disk_cache_room;   /* bytes that this context may write before it sweeps the folder; none at first */
    atomic_int disk_cache_told;     /* 1: the log function knows that a file was not kept */
    mcl__word_path other_word_path; /* the path that the probe tries where limits.word_path fails */
    atomic_int probed;              /* limits' word_path, look_back ... are final: context/probe.c */
    mcl__mutex probing;             /* held by the one thread that probes */
    int probe_unsure;               /* a litmus program failed for no fault of its text: the verdict is not kept */
    mcl__mutex lock;                /* guards programs, and the replacement of tuning */
    mcl_build_function build_function; /* guarded by lock, as its user */
    void *build_user;
    int tells_builds; /* MCL_LOG=build */
    mcl__program_cache *programs;
    _Atomic(mcl__tuning *) tuning; /* read without the lock: rows that are replaced stay until the context goes */
    mcl__mutex memory_lock;        /* guards what follows, and each queue's marks */
    mcl_allocator allocator;       /* without functions: the cache */
    mcl_memory_statistics memory;
    mcl__block_cache *cache;
    mcl_queue *queues;                    /* all that are open */
    int64_t queue_count;                  /* that were ever open */
    void (*forget)(mcl_context *context); /* frees programs and tuning, which layers above make; NULL: there are none */
};

typedef struct mcl__scratch {
    mcl_buffer *buffer; /* the block in use: the queue's own or the caller's */
    size_t offset;      /* first byte of this call's part */
    size_t bytes;       /* that this call may use */
    size_t taken;
} mcl__scratch;

enum { MCL__ARGS_MAX = 128 }; /* of a launch */

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
    int64_t local_bytes; /* of work-group memory that the launch gives; 0: kernels declare all */
    mcl__arg list[MCL__ARGS_MAX];
    int64_t numbers[MCL__ARGS_MAX]; /* values that list points to */
} mcl__args;

enum { MCL__KINDS_MAX = 256 }; /* that a queue remembers */

struct mcl_queue {
    mcl_context *context;
    atomic_int references;
    mcl_queue *next;       /* in context->queues */
    int64_t number;        /* of this queue alone in its context, from 1 */
    atomic_llong work;     /* commands enqueued so far: a backend adds each after it is enqueued */
    long long marked_work; /* work after mark (NULL: done) */
    mcl__mark *mark;
    mcl__mark *oldest_mark; /* of those with an event; the list is block_cache.c's */
    mcl__mark *newest_mark;
    int profiling;     /* events carry times */
    int only_prepares; /* made by mcl_queue_create_preparing. Constant: threads of other queues ask for it too */
    int preparing; /* the same for the queue's own calls: nothing is enqueued; MCL__MEASURES: for a moment, see there */
    int in_steps;  /* calls made of steps that are at work, one in a step of the other */
    mcl_recording *recording; /* the recording that calls on the queue go into; NULL: none is open */
    mcl_buffer *own_scratch;
    mcl_buffer *slots;            /* words that are zero between launches: each launch that uses them leaves them so */
    struct mcl__retired *retired; /* replaced scratch blocks, each with the event after which it is free */
    mcl__scratch scratch;
    size_t scratch_held;                    /* bytes at the begin of the scratch that the steps at work hold */
    int unmeasured;                         /* 1: of the steps at work none has begun, so that they can be measured */
    const struct mcl_options *step_options; /* of the steps at work */
    uint64_t kind;                          /* hash of the types and texts of the call of steps that is being checked */
    uint64_t kinds[MCL__KINDS_MAX];         /* of calls of steps whose programs were all found; in turn */
    unsigned kind_count;
    size_t scratch_bytes; /* of the last call; in steps the most of them so far */
    size_t scratch_peak;  /* most of them since the queue was made */
    mcl__kernel_cache *kernels;
    void (*forget)(mcl_queue *queue); /* frees kernels, which a layer above makes; NULL: there are none */
    mcl__text key;                    /* spec key of the call being made; its memory is reused */
    mcl__args args;                   /* of the launch being made: a small stack has no room for them */
};

/* queue->preparing: 1, or this, where a call finds out what it needs before its first step: no kernel is warmed. */
enum { MCL__MEASURES = 2 };

enum { MCL__PATTERN_MAX = 16 /* bytes that a fill repeats */ };

/* The use that kernels make of a buffer. */
typedef enum mcl__access { MCL__ACCESS_READ = 1, MCL__ACCESS_WRITE = 2 } mcl__access;

struct mcl_buffer {
    mcl_context *context;
    atomic_int references;
    size_t bytes;
    uintptr_t block;    /* cl_mem, CUdeviceptr or address; 0 where bytes is 0 */
    uintptr_t root;     /* two buffers share memory where root is the same and [origin, origin + bytes) meet: */
    size_t origin;      /* OpenCL: the outermost parent and the offset in it; CUDA: 0 and the address */
    mcl_buffer *whole;  /* of a part of scratch: the buffer that has the block */
    size_t begin;       /* where the part begins in it */
    int owned;          /* from the context's allocator: goes back to it */
    int is_address;     /* OpenCL: block is an address of unified shared memory, not a cl_mem */
    int made_by_wrap;   /* the driver's object is the wrapper's own, and goes with it */
    int is_far;         /* wrapped by mcl_cuda_peer_buffer_wrap */
    size_t block_bytes; /* of the block, which may be larger than asked for */
    int64_t only_queue; /* number of the only queue that uses it; 0: any may */
    unsigned refused;   /* mcl__access that its maker denies to kernels: of wrapped buffers */
    atomic_int exposed; /* the driver's handle has been given out */
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
    int64_t local_bytes; /* of work-group memory, besides what the kernel declares; OpenCL's kernels declare all */
} mcl__launch;

/* A command of a recording, one for each enqueue. Its buffers are retained. */
typedef struct mcl__command {
    mcl__launch launch; /* args and their values are in one block of the recording's; no kernel: a fill or a copy */
    mcl_buffer *to;
    size_t to_offset;
    mcl_buffer *from; /* NULL: a fill */
    size_t from_offset;
    size_t bytes;
    size_t pattern_bytes;
    unsigned char pattern[MCL__PATTERN_MAX];
} mcl__command;

/* The calls that were made between mcl_record_begin and mcl_record_end. While it is open the queue has scratch and
 * slots for it alone; its own wait here. */
struct mcl_recording {
    mcl_context *context;
    atomic_int references;
    mcl__command *commands;
    int count; /* of whole calls: commands past it are those of a call that has not ended */
    int added;
    int capacity;
    mcl_buffer *queue_scratch;
    mcl_buffer *queue_slots;
    void *made; /* the backend's, from recording_make */
};

/* All of a backend: one const table in its own folder. Every entry is required. Entries check nothing but the
 * driver's answers and fail with a sentence. Where nothing else is said they may be called from any thread. */
struct mcl__backend {
    const char *name; /* "opencl" */

    /* Devices, in the driver's order, numbered through all platforms. A missing driver is MCL_OK and 0 devices. */
    mcl_status (*device_count)(int *count);
    mcl_status (*device_info)(int device, mcl_device_info *info); /* all but the block that needs a context */
    /* Appends, as a part of a sentence, what is there of the driver and gives no device, and what may help. is_wanted:
     * also that the driver itself is missing, which is no news to those who use another backend. */
    void (*device_missing)(mcl__text *out, int is_wanted);

    /* Allocates its own struct, fills info, dialect, build_options, cache_identity, keeps_binaries and the
     * limits that the driver tells. Of these word_path and sub_group_path are candidates for the probe.
     * context/context.c does the rest. */
    mcl_status (*context_open)(int device, mcl_context **out);
    void (*context_close)(mcl_context *context);

    mcl_status (*memory_allocate)(mcl_context *context, size_t bytes, uintptr_t *block);
    void (*memory_release)(mcl_context *context, uintptr_t block); /* waits where the driver would not by itself */
    void (*memory_place)(mcl_context *context, uintptr_t block, uintptr_t *root, size_t *origin);

    /* Allocate their own struct; device/queue.c fills the base, except profiling where a foreign queue is wrapped.
     * The rest of the queue entries: one thread a queue, but queue_finish and queue_mark, which any thread may call. */
    mcl_status (*queue_open)(mcl_context *context, int flags, mcl_queue **out);
    void (*queue_close)(mcl_queue *queue);
    mcl_status (*queue_finish)(mcl_queue *queue);
    mcl_status (*queue_flush)(mcl_queue *queue);
    mcl_status (*queue_wait)(mcl_queue *queue, mcl_event *const *events, int count);
    mcl_status (*queue_wait_driver)(mcl_queue *queue, void *const *events, int count); /* the driver's own */
    /* An event, not adopted, of all enqueued so far, which is also handed to the device; nothing waits for it. */
    mcl_status (*queue_mark)(mcl_queue *queue, mcl_event **out);

    /* blocking: the data may be used on return. In an out-of-order queue each enqueue waits for the one before. */
    mcl_status (*read)(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data, int blocking);
    mcl_status (*write)(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data, int blocking);
    mcl_status (*fill)(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                       size_t pattern_bytes);
    mcl_status (*copy)(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                       size_t bytes);
    mcl_status (*launch)(mcl_queue *queue, const mcl__launch *launch);

    /* Makes of a recording's commands, 1 at least, what can be enqueued with less than they take: recording->made.
     * queue: the one that was recorded. Nothing runs. */
    mcl_status (*recording_make)(mcl_queue *queue, mcl_recording *recording);
    mcl_status (*recording_replay)(mcl_queue *queue, const mcl_recording *recording);
    void (*recording_close)(mcl_recording *recording); /* where made is set; what it enqueued may still run */

    /* Bracket one call's enqueues. call_begin forgets an unfinished bracket; wants_event is 0 where call_end will not
     * be asked for an event (nothing need then be recorded). call_end gives an event of all enqueued since (a marker
     * where that is nothing): the backend allocates its own struct and passes it to mcl__event_adopt. */
    mcl_status (*call_begin)(mcl_queue *queue, int wants_event);
    mcl_status (*call_end)(mcl_queue *queue, mcl_event **out);
    /* Before call_end, if there is one: the same as an event of the driver's own. */
    mcl_status (*call_end_driver)(mcl_queue *queue, void **event);
    int records_given_event; /* 1: *event is the caller's and is recorded. 0: it receives one */
    mcl_status (*event_wait)(mcl_event *event);
    int (*event_done)(mcl_event *event); /* 1: complete (or failed), 0: not yet; does not wait */
    mcl_status (*event_milliseconds)(mcl_event *event, double *milliseconds);
    void (*event_close)(mcl_event *event);

    /* A program is the driver's: cl_program or CUmodule. A build that the compiler rejects is MCL_ERROR_BUILD, and
     * the compiler's words are in log: the caller makes the sentence (program/build.c). With an empty log the backend
     * has made it; the cause is not the text then, and may pass. */
    mcl_status (*program_build)(mcl_context *context, const char *source, const char *name, mcl__text *log,
                                void **program);
    mcl_status (*program_load)(mcl_context *context, const void *binary, size_t bytes, void **program);
    mcl_status (*program_binary)(mcl_context *context, void *program, mcl__text *out);
    void (*program_release)(mcl_context *context, void *program);
    mcl_status (*kernel_create)(mcl_context *context, void *program, const char *name, void **kernel);
    void (*kernel_release)(mcl_context *context, void *kernel);
    mcl_status (*kernel_max_threads)(mcl_context *context, void *kernel, int *threads);
    /* Makes a driver generate code for launches of that size, if it does so at a kernel's first launch. The launch for
     * it does nothing (MCL_ENTER in the dialect). A failure is left to the first real launch. Waits. */
    void (*kernel_warm)(mcl_queue *queue, void *kernel, int64_t work_items);
};

extern const mcl__backend mcl__opencl_backend;
extern const mcl__backend mcl__cuda_backend;

/* ---- check.c ------------------------------------------------------------------------------------------------ */

/* Context given, of this process, its device not lost; function is the public function's name for the sentence. */
mcl_status mcl__check_context(const char *function, const mcl_context *context);
/* Checks the same, but not the device: for calls that only count references. */
mcl_status mcl__check_reference(const char *function, const mcl_context *context);
mcl_status mcl__check_queue(const char *function, const mcl_queue *queue);
/* Refuses what cannot be recorded, with MCL_ERROR_UNSUPPORTED while the queue is being recorded. what: "a call that
 * waits". */
mcl_status mcl__check_unrecorded(const mcl_queue *queue, const char *what, const char *expected);

/* Loses the context: a driver's function has failed in a way that lasts. From now on every call on the context is
 * MCL_ERROR_DEVICE before it reaches the driver, and releases wait for nothing. */
void mcl__context_lose(mcl_context *context, const char *function, const char *error);
static inline int mcl__context_lost(mcl_context *context)
{
    return atomic_load(&context->lost) != MCL__LOST_NOT;
}

/* references.c. Ends a context, also one that was not quite made. */
void mcl__context_destroy(mcl_context *context);

/* ---- allocator.c -------------------------------------------------------------------------------------------- */

/* Allocate and release the block of a buffer that has bytes, and none yet. */
mcl_status mcl__block_allocate(mcl_context *context, mcl_buffer *buffer);
void mcl__block_release(mcl_context *context, mcl_buffer *buffer);

/* ---- block_cache.c ------------------------------------------------------------------------------------------ */

mcl_status mcl__cache_open(mcl_context *context);
void mcl__cache_close(mcl_context *context); /* gives all blocks back to the driver */
mcl_status mcl__cache_allocate(mcl_context *context, mcl_buffer *buffer);
void mcl__cache_release(mcl_context *context, mcl_buffer *buffer);
void mcl__cache_trim(mcl_context *context, int64_t bytes); /* to at most bytes */
/* The first work commands of the queue are done. */
void mcl__queue_idle(mcl_queue *queue, long long work);
/* A queue that is finished is about to go: no block waits for it. */
void mcl__queue_forget(mcl_queue *queue);

/* ---- queue.c, buffer.c, event.c ------------------------------------------------------------------------------- */

mcl_status mcl__queue_adopt(mcl_context *context, mcl_queue *opened, mcl_queue **out);
/* Makes a buffer that work on this queue alone will use: its block may still be in use by earlier work there. */
mcl_status mcl__buffer_create_for(mcl_queue *queue, size_t bytes, mcl_buffer **out);
static inline void mcl__buffer_drop(mcl_buffer **owned)
{
    mcl_buffer_release(*owned);
    *owned = NULL;
}
/* Makes a buffer of bytes of another one, which it keeps; whole: NULL on a preparing queue, where it has no memory. */
mcl_status mcl__buffer_part(mcl_context *context, mcl_buffer *whole, size_t begin, size_t bytes, mcl_buffer **out);
mcl_status mcl__buffer_adopt(mcl_context *context, uintptr_t block, size_t bytes, mcl_buffer **out); /* not owned */
/* 1: the byte ranges share memory. */
int mcl__buffers_overlap(const mcl_buffer *a, size_t a_offset, size_t a_bytes, const mcl_buffer *b, size_t b_offset,
                         size_t b_bytes);
/* Fills the base of an event that a backend has made: one reference, which keeps the context. Cannot fail. */
void mcl__event_adopt(mcl_context *context, mcl_event *opened);
/* Byte range [offset, offset + bytes) lies in the buffer. */
int mcl__buffer_holds(const mcl_buffer *buffer, size_t offset, size_t bytes);

/* ---- driver_launch.c ---------------------------------------------------------------------------------------- */

/* Does the work of mcl_opencl_launch and mcl_cuda_launch once they have looked at the handle. */
mcl_status mcl__driver_launch(mcl_queue *queue, void *kernel, int64_t groups, int group_items,
                              const mcl_driver_argument *arguments, int argument_count);

/* ---- recording.c -------------------------------------------------------------------------------------------- */

/* Enqueue for calls: by the backend, or into the recording that is open on the queue. */
mcl_status mcl__enqueue_launch(mcl_queue *queue, const mcl__launch *launch);
mcl_status mcl__enqueue_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                             size_t pattern_bytes);
mcl_status mcl__enqueue_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to, size_t to_offset,
                             size_t bytes);
/* One command of a recording, on a queue that is not being recorded. */
mcl_status mcl__command_enqueue(mcl_queue *queue, const mcl__command *command);

/* A call begins: what one before it has left unended is forgotten. It ends: all of it is kept. */
void mcl__recording_call_begin(mcl_recording *recording);
void mcl__recording_call_end(mcl_recording *recording);
/* Around the enqueue of a call that is one command, with no options; status: the enqueue's. */
mcl_status mcl__command_begin(mcl_queue *queue);
mcl_status mcl__command_end(mcl_queue *queue, mcl_status status);

mcl_status mcl__recording_open(mcl_queue *queue);
/* The queue has its own scratch again; *out has the calls. */
void mcl__recording_take(mcl_queue *queue, mcl_recording **out);
/* Frees one that nobody has a reference to. */
void mcl__recording_free(mcl_recording *recording);

/* ---- scratch.c ---------------------------------------------------------------------------------------------- */

/* Makes queue->scratch a block of bytes. The caller's block is taken if options give one (MCL_ERROR_ARGUMENT when too
 * small), else the queue's own, grown when needed. The replaced block is retired after a mark of what the queue has
 * been given. On a preparing queue only scratch_bytes is set. Of steps that can still be measured it may return
 * MCL__UNMEASURED. */
mcl_status mcl__scratch_reserve(mcl_queue *queue, size_t bytes, const mcl_options *options);
/* Makes a buffer of scratch that the steps at work hold until they end. The caller releases it. */
mcl_status mcl__scratch_hold(mcl_queue *queue, size_t bytes, mcl_buffer **out);
/* Makes the queue's own block as large. */
mcl_status mcl__scratch_grow(mcl_queue *queue, size_t bytes);
/* Frees retired blocks whose event is done (all: waits for them). */
void mcl__scratch_collect(mcl_queue *queue, int all);

/* Makes queue->slots; not inside a call's bracket. A no-op once it is there, and on a preparing queue. */
mcl_status mcl__slots_reserve(mcl_queue *queue);

/* A status of steps: the queue's block is too small for them, and nothing is enqueued yet. */
enum { MCL__UNMEASURED = 1000 };
enum { MCL__SCRATCH_ALIGNMENT = 256, MCL__SLOTS = 16384 /* 64-bit words in queue->slots */ };

#endif
