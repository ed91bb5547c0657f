/* status.h: the status that a call returns, and the sentence about it. */
#ifndef MODERNCL_STATUS_H
#define MODERNCL_STATUS_H

#if defined(_WIN32)
#if defined(MCL_BUILDING_SHARED)
#define MCL_API __declspec(dllexport)
#elif defined(MCL_USING_SHARED)
#define MCL_API __declspec(dllimport)
#else
#define MCL_API
#endif
#elif defined(__GNUC__) && !defined(MCL_BUILDING_STATIC)
#define MCL_API __attribute__((visibility("default")))
#else
#define MCL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The statuses that functions return; mcl_last_error() returns the sentence about a failure.
 *
 * All but the last four are found before anything is enqueued: nothing has run, and nothing has changed. CAPACITY and
 * PRECONDITION come only from calls that wait for the device (a count asked for on the host, or validation).
 * After DEVICE, and after MEMORY reported by an enqueue, the outputs are undefined. After a temporary failure of the
 * driver all objects stay usable, and the next call works if the driver does. After a permanent failure every later
 * call on the context returns DEVICE (device.h). */
#define MCL_STATUS_LIST(X)                                                                                             \
    X(MCL_OK, 0, "success")                                                                                            \
    X(MCL_ERROR_ARGUMENT, -1, "an argument is missing, out of range or overlaps another")                              \
    X(MCL_ERROR_TYPE, -2, "the element types of the operands do not fit together")                                     \
    X(MCL_ERROR_BUILD, -3, "the device compiler rejected the program")                                                 \
    X(MCL_ERROR_UNSUPPORTED, -4, "this device or driver cannot do what was asked")                                     \
    X(MCL_ERROR_MEMORY, -5, "host or device memory is exhausted")                                                      \
    X(MCL_ERROR_DEVICE, -6, "the driver is missing or reported an error")                                              \
    X(MCL_ERROR_CAPACITY, -7, "the output is too short for the result")                                                \
    X(MCL_ERROR_PRECONDITION, -8, "the data on the device breaks the function's precondition")

typedef enum mcl_status {
#define X(name, value, text) name = value,
    MCL_STATUS_LIST(X)
#undef X
} mcl_status;

/* Returns the name of a status, such as "MCL_ERROR_TYPE" for MCL_ERROR_TYPE, and "unknown status" for a number that is
 * no status. The result is never NULL. */
MCL_API const char *mcl_status_name(mcl_status status);

/* Returns this thread's last failure in one sentence that names function, parameter, value and expectation. For
 * MCL_ERROR_BUILD the compiler's log, if there is one, follows on further lines. The sentence is "" if nothing has
 * failed in this thread yet. The text is valid until this thread's next failing call. */
MCL_API const char *mcl_last_error(void);

/* Sets a function that is called with every failure sentence of the process (NULL: none, the default). With MCL_OK the
 * function also gets problems that make no call fail, such as an unusable folder of MCL_CACHE_DIR, once for each
 * context. The function may be called from any thread. The library itself prints nothing, except with MCL_LOG in the
 * environment and no function. */
typedef void (*mcl_log_function)(mcl_status status, const char *sentence, void *user);
MCL_API void mcl_log_set(mcl_log_function function, void *user);

#ifdef __cplusplus
}
#endif
#endif
