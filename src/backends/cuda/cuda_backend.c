/* cuda_backend.c: the CUDA backend's table of functions. The backend uses the driver API and NVRTC, and opens both at
 * run time. */
#include "backends/cuda/cuda_internal.h"

const mcl__backend mcl__cuda_backend = {
    .name = "cuda",

    .device_count = mcl__cuda_device_count,
    .device_info = mcl__cuda_device_info,
    .device_missing = mcl__cuda_device_missing,
    .context_open = mcl__cuda_context_open,
    .context_close = mcl__cuda_context_close,

    .memory_allocate = mcl__cuda_memory_allocate,
    .memory_release = mcl__cuda_memory_release,
    .memory_place = mcl__cuda_memory_place,

    .queue_open = mcl__cuda_queue_open,
    .queue_close = mcl__cuda_queue_close,
    .queue_finish = mcl__cuda_queue_finish,
    .queue_flush = mcl__cuda_queue_flush,
    .queue_wait = mcl__cuda_queue_wait,
    .queue_wait_driver = mcl__cuda_queue_wait_driver,
    .queue_mark = mcl__cuda_queue_mark,

    .read = mcl__cuda_read,
    .write = mcl__cuda_write,
    .fill = mcl__cuda_fill,
    .copy = mcl__cuda_copy,
    .launch = mcl__cuda_launch,

    .recording_make = mcl__cuda_recording_make,
    .recording_replay = mcl__cuda_recording_replay,
    .recording_close = mcl__cuda_recording_close,

    .call_begin = mcl__cuda_call_begin,
    .call_end = mcl__cuda_call_end,
    .call_end_driver = mcl__cuda_call_end_driver,
    .records_given_event = 1,
    .event_wait = mcl__cuda_event_wait,
    .event_done = mcl__cuda_event_done,
    .event_milliseconds = mcl__cuda_event_milliseconds,
    .event_close = mcl__cuda_event_close,

    .program_build = mcl__cuda_program_build,
    .program_load = mcl__cuda_program_load,
    .program_binary = mcl__cuda_program_binary,
    .program_release = mcl__cuda_program_release,
    .kernel_create = mcl__cuda_kernel_create,
    .kernel_release = mcl__cuda_kernel_release,
    .kernel_max_threads = mcl__cuda_kernel_max_threads,
    .kernel_warm = mcl__cuda_kernel_warm,
};
