/* error.c: statuses, each thread's last failure, and the log function. */
#include "base/base.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of sentences in bytes. SENTENCE_CAPACITY has room for a build log's first errors. A longer sentence is cut at
 * its end. */
enum { SENTENCE_CAPACITY = 8192, SHORT_CAPACITY = 512, TOLD_CAPACITY = 1024 };

static _Thread_local char last_sentence[SENTENCE_CAPACITY];
static _Thread_local size_t last_name_length; /* length of the name and colon before last_sentence's text */
static _Thread_local int quiet;
static _Thread_local int failed_with_log;
static _Thread_local int64_t failures; /* number of sentences written */
static _Thread_local mcl_status last_status;

/* The public function at work, and the number of open calls of mcl__function_hold. */
static _Thread_local const char *function_name;
static _Thread_local int function_holds;

/* A spin lock that is held only for two loads or stores, and needs no initialisation that could fail. Its value is the
 * id of the process that holds it, or 0. In a forked child the parent's id means that the lock is free: the thread that
 * held it does not exist there. */
static _Atomic int64_t log_lock;
static _Atomic(mcl_log_function) log_function;
static void *log_user;

static void log_acquire(void)
{
    const int64_t process = mcl__process_id();
    int64_t holder = 0;
    while (!atomic_compare_exchange_weak_explicit(&log_lock, &holder, process, memory_order_acquire,
                                                  memory_order_relaxed)) {
        if (holder == process) holder = 0;
    }
}

static void log_drop(void)
{
    atomic_store_explicit(&log_lock, 0, memory_order_release);
}

const char *mcl_status_name(mcl_status status)
{
    switch (status) {
#define X(name, value, text)                                                                                           \
    case name:                                                                                                         \
        return #name;
        MCL_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}

const char *mcl_last_error(void)
{
    return last_sentence;
}

const char *mcl__last_error_unnamed(void)
{
    return last_sentence + last_name_length;
}

int mcl__failed_with_log(void)
{
    return failed_with_log;
}

void mcl__function_is(const char *function)
{
    if (function_holds == 0) function_name = function;
}

void mcl__function_hold(void)
{
    ++function_holds;
}

void mcl__function_let_go(void)
{
    --function_holds;
}

void mcl_log_set(mcl_log_function function, void *user)
{
    log_acquire();
    atomic_store(&log_function, NULL); /* a child process forked at this moment sees no function */
    log_user = user;
    atomic_store(&log_function, function);
    log_drop();
}

int mcl__fail_quietly(int quietly)
{
    const int earlier = quiet;
    quiet = quietly;
    return earlier;
}

/* Gives the log function a sentence. Returns 1 if there is a log function. */
static int log_tell(mcl_status status, const char *sentence)
{
    log_acquire();
    const mcl_log_function function = atomic_load(&log_function);
    void *const user = log_user;
    log_drop();
    if (function) function(status, sentence, user);
    return function != NULL;
}

/* Returns 1 if the sentence has further lines with text: a compiler's log. */
static int has_log(const char *sentence)
{
    const char *const log = strchr(sentence, '\n');
    return log && log[strspn(log, " \t\r\n")];
}

/* Writes the start of every error sentence: the running public function's name and a colon. Returns its length. */
static size_t name_write(char *out, size_t capacity)
{
    out[0] = 0;
    if (!function_name) return 0;
    const int length = snprintf(out, capacity, "%s: ", function_name);
    return (size_t)length < capacity ? (size_t)length : 0;
}

mcl_status mcl__fail(mcl_status status, const char *format, ...)
{
    /* The sentence is made in a second array, since an argument may be part of the last sentence. That array is on the
     * heap, since a small stack has no room for it. */
    char short_one[SHORT_CAPACITY];
    char *const long_one = malloc(SENTENCE_CAPACITY);
    char *const sentence = long_one ? long_one : short_one;
    const size_t capacity = long_one ? SENTENCE_CAPACITY : SHORT_CAPACITY;
    const size_t start = name_write(sentence, capacity);
    const size_t room = capacity - start;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(sentence + start, room, format, arguments);
    va_end(arguments);
    if (length < 0)
        sentence[start] = 0;
    else if ((size_t)length >= room)
        memcpy(sentence + capacity - 5, "\n...", 5);
    failed_with_log = has_log(sentence + start);
    if (!quiet || (status != MCL_ERROR_BUILD && status != MCL_ERROR_UNSUPPORTED)) {
        last_name_length = start;
        ++failures;
        last_status = status;
        memcpy(last_sentence, sentence, strlen(sentence) + 1);
        (void)log_tell(status, last_sentence);
    }
    free(long_one);
    return status;
}

int64_t mcl__failures(void)
{
    return failures;
}

mcl_status mcl__fail_of_caller(mcl_status status, int64_t before, const char *what)
{
    if (failures != before && last_status == status) return status;
    switch (status) {
#define X(name, value, text)                                                                                           \
    case name:                                                                                                         \
        return mcl__fail(name, "%s returned " #name, what);
        MCL_STATUS_LIST(X)
#undef X
    }
    return mcl__fail(MCL_ERROR_MEMORY, "%s returned %d; expected an mcl_status", what, (int)status);
}

const char *mcl__function_name(void)
{
    return function_name ? function_name : "";
}

static int tell(const char *format, va_list arguments, char *sentence, size_t capacity)
{
    const size_t start = name_write(sentence, capacity);
    if (vsnprintf(sentence + start, capacity - start, format, arguments) < 0) return 1;
    return log_tell(MCL_OK, sentence);
}

void mcl__tell(const char *format, ...)
{
    char sentence[TOLD_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    (void)tell(format, arguments, sentence, sizeof sentence);
    va_end(arguments);
}

void mcl__tell_or_print(const char *format, ...)
{
    char sentence[TOLD_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    if (!tell(format, arguments, sentence, sizeof sentence)) (void)fprintf(stderr, "%s\n", sentence);
    va_end(arguments);
}
