/* device.h: devices, contexts, queues, buffers, events, memory.
 *
 * A context is one device with its compiled programs. A queue is an ordered sequence of work on a context's device,
 * with scratch memory. A buffer is device memory; an event is a point on a queue. All four count references: *_create
 * and *_wrap give one reference, *_retain adds one, *_release removes one. *_release of NULL does nothing. A queue,
 * buffer or event keeps its context alive.
 *
 * Any number of threads may use a context at the same time. Only one thread at a time may use a queue.
 *
 * Drivers do not survive a fork. mcl_device_list, mcl_context_create and mcl_*_context_wrap load them, and the library
 * remembers the process of the first such call. In a forked child of that process every call on devices, contexts and
 * what belongs to them returns MCL_ERROR_DEVICE. This holds even where another thread was inside a call during the
 * fork. *_release does nothing in such a child. A child that was forked before the first such call can use devices.
 *
 * The context is lost when the driver reports that a device has failed permanently. Causes are a kernel's wrong memory
 * access, an error of the device's memory, or a device that was removed. Every later call on the context, its queues,
 * buffers and events returns MCL_ERROR_DEVICE at once, without the driver. The error sentence names the first failure.
 * Only *_retain and *_release work as before; releases then wait for nothing. A new context can be made, if the driver
 * allows it. */
#ifndef MODERNCL_DEVICE_H
#define MODERNCL_DEVICE_H

#include "status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mcl_context mcl_context;
typedef struct mcl_queue mcl_queue;
typedef struct mcl_buffer mcl_buffer;
typedef struct mcl_event mcl_event;

/* ---- devices -------------------------------------------------------------------------------------------- */

/* The mapping of an operation's work to work-items. MCL_MAPPING_GROUP: a work-group does a tile together (GPUs).
 * MCL_MAPPING_SERIAL: one work-item does a whole tile (CPUs). */
typedef enum mcl_mapping { MCL_MAPPING_GROUP = 0, MCL_MAPPING_SERIAL = 1 } mcl_mapping;

/* Properties of a device. Texts are "" and numbers are -1 where the driver does not report them. The members after
 * mapping need a context, since tests on the device find them; mcl_device_list leaves them at "" and -1. */
typedef struct mcl_device_info {
    char name[128];        /* "NVIDIA H200" */
    char id[64];           /* name that mcl_context_create takes: "opencl:0:0", "cuda:0" */
    char backend[16];      /* "opencl" or "cuda" */
    char platform[128];    /* "Portable Computing Language", "NVIDIA CUDA" */
    char vendor[64];       /* "NVIDIA", "AMD", "Intel", "POCL", "Mesa", "Oclgrind" or the driver's own word */
    char architecture[32]; /* "sm_90", "gfx1100", "cpu" */
    char driver[128];      /* driver version */
    char language[64];     /* "OpenCL C 3.0", "CUDA 13.0, NVRTC 13.0" */
    int is_gpu;            /* 1 for a GPU, 0 for a CPU or other device */
    int clock_mhz;
    int compute_units;
    int64_t memory_total;      /* bytes */
    int64_t memory_free;       /* bytes */
    int64_t memory_max_buffer; /* largest single allocation, bytes */
    int memory_clock_mhz;
    int memory_bus_bits;
    int ecc;              /* 1 on, 0 off */
    int64_t cache_bytes;  /* last-level cache */
    int64_t local_memory; /* work-group memory, bytes */
    int max_threads;      /* work-items in a work-group */
    int sub_group_size;   /* lanes of a sub-group; 1: no sub-groups */
    int has_double;       /* 64-bit floating-point arithmetic */
    int has_half;         /* 16-bit floating-point arithmetic (all devices store halves) */
    int64_t loop_budget;  /* most loop iterations of one work-item; 0: no limit */

    mcl_mapping mapping;       /* mapping of calls whose options choose none */
    char sub_group_path[16];   /* functions of sub-groups: "cuda", "ptx", "khr" or "none" */
    char status_word_path[16]; /* way to access 64-bit words that groups share: "cuda", "c11", "ptx", "legacy",
                                * "none" */
    int look_back;             /* 1: single-pass algorithms are used; 0: two passes are used */
    char look_back_reason[96]; /* reason for look_back: "probe passed", "driver not on the list", "MCL_FEATURES" ... */
    char cache_directory[256]; /* folder of the disk cache of programs; "": off, or the driver has its own */
} mcl_device_info;

/* Lists the devices of every backend, in the order of the default choice.
 *
 * Writes at most capacity entries to infos (may be NULL when capacity is 0) and the number of devices to *count. A
 * missing driver has no devices, which is no error. */
MCL_API mcl_status mcl_device_list(mcl_device_info *infos, int capacity, int *count);

/* ---- contexts ------------------------------------------------------------------------------------------- */

/* Opens a device.
 *
 * device   "opencl:PLATFORM[:DEVICE]", each an index or part of the name, in upper or lower case ("opencl:portable",
 *          "opencl:nvidia:0"). "cuda:N". "opencl" or "cuda" for that backend's best. NULL: the environment's
 *          MCL_DEVICE, else the best GPU, else a CPU.
 * Errors: MCL_ERROR_ARGUMENT (no such device: the sentence lists the devices that exist), MCL_ERROR_DEVICE (the driver
 * is missing or fails), MCL_ERROR_MEMORY. */
MCL_API mcl_status mcl_context_create(const char *device, mcl_context **out);
MCL_API mcl_status mcl_context_retain(mcl_context *context);
MCL_API void mcl_context_release(mcl_context *context);

/* Stores the properties of the context's device in *info, including results of tests on the device. These tests run
 * when a call first needs them. */
MCL_API mcl_status mcl_context_info(mcl_context *context, mcl_device_info *info);

/* Reads rows of tuning (docs/tuning.md) from a file. Later calls use these rows before the built-in rows. The rows
 * replace the rows of a file loaded before. The memory of replaced rows is kept until the context ends. Load a file
 * before the first call on the context, since a call with another tile builds its program anew.
 * MCL_TUNING_FILE in the environment loads a file for every context.
 * Errors: MCL_ERROR_ARGUMENT (a file that cannot be read, a line that is no row), MCL_ERROR_MEMORY. */
MCL_API mcl_status mcl_context_load_tuning(mcl_context *context, const char *path);

/* Gives the tile for an operation on elements of this size, for calls whose options choose no tile. The tile has
 * *threads work-items with *items elements each; *threads is 1 in the serial mapping. operation is a name in rows of
 * tuning, such as "merge". If a compiled kernel allows fewer work-items than this, it runs with a smaller tile. */
MCL_API mcl_status mcl_context_tile(mcl_context *context, const char *operation, size_t element_bytes, int *threads,
                                    int *items);

/* Returns the name of operation number index, from 0 on, or NULL past the last. */
MCL_API const char *mcl_operation_name(int index);

/* Returns the name of tuning parameter number index, from 0 on, or NULL past the last. Tuning parameters are numbers by
 * which calls choose a method (docs/tuning.md). Tiles are not among them. */
MCL_API const char *mcl_tuning_parameter_name(int index);

/* Gives the value of a tuning parameter on the context's device.
 * Errors: MCL_ERROR_ARGUMENT (an unknown name, NULL). */
MCL_API mcl_status mcl_context_tuning_parameter(mcl_context *context, const char *name, int *value);

/* The disk cache keeps compiled programs for later processes. It is in the folder MCL_CACHE_DIR, else in a folder of
 * XDG_CACHE_HOME or HOME, or on Windows of LOCALAPPDATA. If the driver has its own cache (POCL), the library keeps
 * none. The folder must belong to this user, have mode 0700 and be no link. A file in the folder must belong to this
 * user, be regular, and be writable by nobody else. (Windows has no modes. On Windows no user other than administrators
 * may write to the folder or a file.) A folder or file that fails these conditions is not read. All files together have
 * at most MCL_CACHE_BYTES bytes (by default 1 GiB), and 1/64 more for each context that writes. Contexts that write
 * remove the least recently used files, and unfinished files of killed processes. */

/* Limits all files of the disk cache to bytes. The limit applies when this context writes a file. With 0 the context
 * neither reads nor writes files. Call it before the first operation runs on the context. */
MCL_API mcl_status mcl_context_set_disk_cache(mcl_context *context, int64_t bytes);

typedef enum mcl_build_step {
    MCL_BUILD_BEGINS = 1,
    MCL_BUILD_ENDS,
    MCL_BUILD_LOADED /* the program comes from the disk and is not compiled */
} mcl_build_step;

/* A step in the build of a program, as an mcl_build_function gets it. */
typedef struct mcl_build {
    mcl_build_step step;
    mcl_status status;    /* result of the compilation, with MCL_BUILD_ENDS */
    double milliseconds;  /* time of the compilation or the loading; 0 with MCL_BUILD_BEGINS */
    const char *function; /* public function that needs the program, such as "mcl_sort" */
    const char *program;  /* "kernels/sort/sort.cl", or the name of a kernel of your own */
} mcl_build;
typedef void (*mcl_build_function)(const mcl_build *build, void *user);

/* Sets a function that is called before and after a program is compiled, and after one is loaded from the disk (NULL:
 * none). The texts in build are valid only during that call. The first run of an operation compiles for tenths of a
 * second up to seconds, and the function can show this. It is called in any thread that makes calls on the context, and
 * may not make calls on the context itself. Some drivers (POCL) generate code at a kernel's first launch, which is
 * after MCL_BUILD_ENDS.
 *
 * With MCL_LOG=build in the environment, the function of mcl_log_set gets these steps as sentences, with MCL_OK.
 * Without such a function they go to stderr. */
MCL_API mcl_status mcl_context_set_build_function(mcl_context *context, mcl_build_function function, void *user);

/* Gives the kernel dialect (docs/kernel_dialect.md) as a text. An application puts it before kernels that it compiles
 * itself with OpenCL or NVRTC. So texts that the application shares with the library compile without changes. The text
 * defines int64_t, MCL_KERNEL(threads), MCL_SHARED(type, name), group_barrier() and all other names that this device
 * supports. (The same text is dialect/dialect.clh among the installed texts.)
 *
 * threads   work-items of the kernels' work-groups: with 1, barriers do nothing
 * text      receives the text, capacity bytes at most, with a 0 at the end; NULL: nothing
 * needed    receives the size of the whole text in bytes, the 0 included; may be NULL
 *
 * Errors: MCL_ERROR_ARGUMENT (context is NULL, threads below 1, text is given and its capacity is too small: text then
 * stays as it was). MCL_ERROR_BUILD (MCL_KERNEL_DIR has no such file). MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_dialect_text(mcl_context *context, int threads, char *text, size_t capacity, size_t *needed);

/* ---- memory --------------------------------------------------------------------------------------------- */

/* A context keeps released blocks of device memory. A released block stays in the context's cache until the queues have
 * completed all work enqueued before its release. Then it serves the next request of a similar size. So requests for
 * buffers and scratch seldom reach the driver. There are eight block sizes from each power of two to the next.
 *
 * Kept blocks are limited to an eighth of the device's memory, or to what mcl_context_set_memory_cache says. If a
 * request and the kept blocks would exceed this limit, blocks go back to the driver. Blocks also go back if a request,
 * kept blocks and memory in use would exceed the device's memory. The least recently released blocks go first, large
 * ones before small ones. All blocks go back when the context ends, and when the driver has no memory left. In the
 * latter case the request waits for the work that uses these blocks, and is then made again. A buffer whose handle was
 * requested (mcl_opencl_buffer, mcl_cuda_buffer) is not kept, since other work than the library's may use it.
 *
 * For each size, the blocks in use and kept are never more than the application and the device needed at one time. The
 * driver's events for which blocks wait are released once they are complete: at the next release of a buffer, or when
 * the queue is finished. */

/* Limits the cache to bytes. With 0 nothing is kept, and blocks are exactly as large as requested. */
MCL_API mcl_status mcl_context_set_memory_cache(mcl_context *context, int64_t bytes);

/* Gives kept blocks back to the driver until at most bytes of them are left. */
MCL_API mcl_status mcl_context_trim_memory(mcl_context *context, int64_t bytes);

/* A source of a context's device memory other than its cache. allocate returns a block of at least bytes (with CUDA at
 * an address that is a multiple of 256), and release takes the block back. Both may be called from any thread and must
 * outlive the context. A block is a cl_mem or a CUdeviceptr as an integer. The library releases a block only when the
 * device no longer uses it: mcl_buffer_release waits. If allocate returns a status other than MCL_OK, the call that
 * needed the block returns that status, with a sentence about the allocator. MCL_OK with a block of 0, or a number that
 * is no mcl_status, counts as MCL_ERROR_MEMORY. */
typedef struct mcl_allocator {
    void *user;
    mcl_status (*allocate)(void *user, mcl_context *context, size_t bytes, uintptr_t *block);
    void (*release)(void *user, mcl_context *context, uintptr_t block, size_t bytes);
} mcl_allocator;

/* Replaces the context's cache by an allocator of the caller; NULL brings the cache back. As long as the context has
 * memory from the old source, the call is MCL_ERROR_ARGUMENT. */
MCL_API mcl_status mcl_context_set_allocator(mcl_context *context, const mcl_allocator *allocator);

/* Returns an allocator that requests each block from the driver and gives it back at once. */
MCL_API const mcl_allocator *mcl_allocator_simple(void);

/* Allocate and release the driver's own memory. Allocators of your own can use them. */
MCL_API mcl_status mcl_block_create(mcl_context *context, size_t bytes, uintptr_t *block);
MCL_API void mcl_block_release(mcl_context *context, uintptr_t block);

typedef struct mcl_memory_statistics {
    int64_t bytes_in_use; /* bytes requested from the allocator and not yet released */
    int64_t bytes_peak;   /* the highest value of bytes_in_use */
    int64_t blocks_in_use;
    int64_t allocations;     /* calls of the allocator since the context was created */
    int64_t driver_calls;    /* allocations that reached the driver */
    int64_t driver_releases; /* blocks given back to the driver */
    int64_t cache_hits;      /* allocations served by a kept block */
    int64_t blocks_cached;   /* blocks kept at present */
    int64_t bytes_cached;
    int64_t cache_capacity; /* the most bytes that may be kept */
} mcl_memory_statistics;
MCL_API mcl_status mcl_context_memory(mcl_context *context, mcl_memory_statistics *statistics);

/* ---- queues --------------------------------------------------------------------------------------------- */

enum { MCL_QUEUE_PROFILING = 1 }; /* makes events carry times */

/* Makes a queue. flags: 0 or MCL_QUEUE_PROFILING. */
MCL_API mcl_status mcl_queue_create(mcl_context *context, int flags, mcl_queue **out);
MCL_API mcl_status mcl_queue_retain(mcl_queue *queue);
MCL_API void mcl_queue_release(mcl_queue *queue);      /* waits for the queue's work when this is the last reference */
MCL_API mcl_status mcl_queue_finish(mcl_queue *queue); /* waits until all work of the queue is done */
MCL_API mcl_status mcl_queue_flush(mcl_queue *queue);  /* hands the queue's work to the device without waiting */
MCL_API mcl_context *mcl_queue_context(mcl_queue *queue);

/* Makes a preparing queue, which runs nothing. Each call on it checks its arguments, builds (or loads) its programs,
 * makes kernel objects and computes its scratch. If a driver generates code at a kernel's first launch (POCL), the call
 * launches kernels that return at once and access no operand. The calls may come from any thread, and wait for the
 * driver.
 *
 * After a call on a preparing queue the same call on another queue of the context compiles and loads nothing and makes
 * no kernel object. If the scratch exists (mcl_queue_reserve, options->scratch), that call allocates nothing, unless
 * its own page says that it does. This holds for as many queues as were open at the time of the prepared call, but at
 * least one. A released queue leaves its kernel objects to the next queue. Exceptions: in the group mapping a driver of
 * a CPU still generates code at the first launch. POCL generates separate code for launches of 65535 work-items or
 * more, so prepare with the largest counts. On a preparing queue a result on the host keeps its old value. */
MCL_API mcl_status mcl_queue_create_preparing(mcl_context *context, mcl_queue **out);

/* Returns the bytes of scratch that the last call on the queue used (or, on a preparing queue, would use). */
MCL_API size_t mcl_queue_scratch_bytes(mcl_queue *queue);

/* Returns the most bytes of scratch that one call on the queue has used (or would use) since the queue was made. Pass
 * this number to mcl_queue_reserve after making the calls of a frame on a preparing queue. It is also the size of one
 * scratch that these calls can use one after another. */
MCL_API size_t mcl_queue_scratch_peak(mcl_queue *queue);

/* Makes the queue's own scratch at least bytes large. Later calls that need at most this much allocate nothing. The
 * function also allocates 128 KiB of words that some calls use. Otherwise the first such call would allocate them. */
MCL_API mcl_status mcl_queue_reserve(mcl_queue *queue, size_t bytes);

/* ---- buffers -------------------------------------------------------------------------------------------- */

/* Makes a buffer in device memory from the context's allocator. bytes may be 0. If data is NULL the content is
 * unspecified. Otherwise bytes of host data are copied into the buffer, and the call waits for the copy. */
MCL_API mcl_status mcl_buffer_create(mcl_context *context, size_t bytes, const void *data, mcl_buffer **out);
MCL_API mcl_status mcl_buffer_retain(mcl_buffer *buffer);
MCL_API void mcl_buffer_release(mcl_buffer *buffer); /* the memory is reused once all work enqueued so far is done */
MCL_API size_t mcl_buffer_bytes(mcl_buffer *buffer);

/* Copy between host and device, with offsets and sizes in bytes. Both functions wait: data may be used when they
 * return. */
MCL_API mcl_status mcl_buffer_read(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data);
MCL_API mcl_status mcl_buffer_write(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *data);

/* Copy in the same way, but do not wait. data must stay valid until *done or the queue has completed. done may be
 * NULL. */
MCL_API mcl_status mcl_buffer_read_async(mcl_queue *queue, mcl_buffer *from, size_t offset, size_t bytes, void *data,
                                         mcl_event **done);
MCL_API mcl_status mcl_buffer_write_async(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes,
                                          const void *data, mcl_event **done);

/* Fills a range of a buffer with a pattern of 1, 2, 4, 8 or 16 bytes. offset and bytes must be multiples of
 * pattern_bytes. The call does not wait. */
MCL_API mcl_status mcl_buffer_fill(mcl_queue *queue, mcl_buffer *to, size_t offset, size_t bytes, const void *pattern,
                                   size_t pattern_bytes);

/* Copies between buffers on the device. The ranges may not overlap. The call does not wait. */
MCL_API mcl_status mcl_buffer_copy(mcl_queue *queue, mcl_buffer *from, size_t from_offset, mcl_buffer *to,
                                   size_t to_offset, size_t bytes);

/* ---- launches by the driver's handles --------------------------------------------------------------------- */

/* The value of a parameter for mcl_opencl_launch and mcl_cuda_launch: a buffer from its first byte on, or bytes bytes
 * at value. If buffer and value are NULL, the parameter gets a null pointer. */
typedef struct mcl_driver_argument {
    mcl_buffer *buffer;
    const void *value;
    size_t bytes; /* size of value */
} mcl_driver_argument;

/* ---- events --------------------------------------------------------------------------------------------- */

/* Makes an event that completes when all work enqueued on the queue so far has completed. */
MCL_API mcl_status mcl_event_record(mcl_queue *queue, mcl_event **out);
MCL_API mcl_status mcl_event_retain(mcl_event *event);
MCL_API void mcl_event_release(mcl_event *event);
MCL_API mcl_status mcl_event_wait(mcl_event *event);

/* Gives the time of the call that made the event, in milliseconds: from the start of its first launch to the end of its
 * last launch. The function waits for the event. If the queue was created (or wrapped) without profiling, it returns
 * MCL_ERROR_UNSUPPORTED. */
MCL_API mcl_status mcl_event_milliseconds(mcl_event *event, double *milliseconds);

/* Makes work that is enqueued on the queue from now on wait for the events. The call itself does not wait. */
MCL_API mcl_status mcl_queue_wait(mcl_queue *queue, mcl_event *const *events, int count);

#ifdef __cplusplus
}
#endif
#endif
