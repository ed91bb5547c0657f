/* error.c: statuses, each thread's last failure, and the log function. */
#include "base/base.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Room for a build log's first errors; what is longer is cut at the end. */
enum { SENTENCE_CAPACITY = 8192 };

static _Thread_local char last_sentence[SENTENCE_CAPACITY];
static _Thread_local int quiet;

/* The lock is held for two loads or stores, so spinning is short; it needs no initialisation that could fail. */
static atomic_flag log_lock = ATOMIC_FLAG_INIT;
static mcl_log_function log_function;
static void *log_user;

static void log_acquire(void)
{
    while (atomic_flag_test_and_set_explicit(&log_lock, memory_order_acquire)) {
    }
}

static void log_drop(void)
{
    atomic_flag_clear_explicit(&log_lock, memory_order_release);
}

const char *mcl_status_name(mcl_status status)
{
    switch (status) {
#define X(name, value, text) \
    case name:               \
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

void mcl_set_log(mcl_log_function function, void *user)
{
    log_acquire();
    log_function = function;
    log_user = user;
    log_drop();
}

void mcl__fail_quietly(int quietly)
{
    quiet = quietly;
}

static void log_tell(mcl_status status)
{
    log_acquire();
    const mcl_log_function function = log_function;
    void *const user = log_user;
    log_drop();
    if (function) function(status, last_sentence, user);
}

mcl_status mcl__fail(mcl_status status, const char *format, ...)
{
    if (quiet && (status == MCL_ERROR_BUILD || status == MCL_ERROR_UNSUPPORTED)) return status;
    /* By way of a second array, since an argument may be part of the last sentence. */
    char sentence[SENTENCE_CAPACITY];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (length < 0) sentence[0] = 0;
    if (length >= SENTENCE_CAPACITY) memcpy(sentence + SENTENCE_CAPACITY - 5, "\n...", 5);
    memcpy(last_sentence, sentence, strlen(sentence) + 1);
    log_tell(status);
    return status;
}
