/* base.h: the parts that need no device: errors, text, hashes, files, environment, locks. */
#ifndef MODERNCL_BASE_H
#define MODERNCL_BASE_H

#include "moderncl/status.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__MINGW32__)
#include <stdio.h> /* defines __MINGW_PRINTF_FORMAT */
#define MCL__PRINTF(format_at, arguments_at) __attribute__((format(__MINGW_PRINTF_FORMAT, format_at, arguments_at)))
#elif defined(__GNUC__)
#define MCL__PRINTF(format_at, arguments_at) __attribute__((format(printf, format_at, arguments_at)))
#else
#define MCL__PRINTF(format_at, arguments_at)
#endif

/* ---- error.c: the one way to fail, and the one way to pass a failure on -------------------------------------- */

mcl_status mcl__fail(mcl_status status, const char *format, ...) MCL__PRINTF(2, 3);

/* Names the public function at work in this thread: mcl__fail puts its name before every sentence. mcl__check_context
 * and mcl__check_queue call this function. A public function that calls neither calls it itself. */
void mcl__function_is(const char *function);
/* mcl__failures returns how many sentences this thread has written. mcl__fail_of_caller reports that a function of the
 * caller's has failed; what is that function's name, before the value of mcl__failures before it was called. If the
 * library has failed with the same status since then, that failure's sentence stays. Otherwise mcl__fail_of_caller
 * writes a sentence. */
int64_t mcl__failures(void);
mcl_status mcl__fail_of_caller(mcl_status status, int64_t before, const char *what);
/* Hold the name of the public function at work, and release it. Between the two calls the library may call other public
 * functions as parts of that one, and error sentences still have its name. Pairs of these calls nest. */
void mcl__function_hold(void);
void mcl__function_let_go(void);
/* Returns mcl_last_error without the function's name, so that another function can fail with the same sentence. */
const char *mcl__last_error_unnamed(void);

/* Tells the log function of a problem that is no failure of the call. The status is MCL_OK. */
void mcl__tell(const char *format, ...) MCL__PRINTF(1, 2);
/* Tells the log function, with status MCL_OK, what the user has asked for by MCL_LOG. Without a log function the text
 * goes to stderr. */
void mcl__tell_or_print(const char *format, ...) MCL__PRINTF(1, 2);
/* Returns the name of the public function at work. It is "" before the first public call. */
const char *mcl__function_name(void);

/* Returns 1 where this thread's last failure, also a quiet one, has a compiler's log on further lines. */
int mcl__failed_with_log(void);

/* Makes this thread's MCL_ERROR_BUILD and MCL_ERROR_UNSUPPORTED quiet (1), or ends that (0). Quiet failures are neither
 * kept as the last error nor logged: the caller then tries something else. Returns the earlier value. */
int mcl__fail_quietly(int quietly);

#define MCL__TRY(expression)                                                                                           \
    do {                                                                                                               \
        const mcl_status mcl__try_status = (expression);                                                               \
        if (mcl__try_status != MCL_OK) return mcl__try_status;                                                         \
    } while (0)

/* ---- text.c: a growing string. A failed allocation is remembered: check failed once, at the end ------------- */

typedef struct mcl__text {
    char *data; /* ends with a 0 byte when not NULL */
    size_t length;
    size_t capacity;
    int failed;
} mcl__text;

void mcl__text_clear(mcl__text *text); /* makes the text empty, but keeps its memory */
void mcl__text_free(mcl__text *text);
void mcl__text_bytes(mcl__text *text, const void *bytes, size_t count);
void mcl__text_append(mcl__text *text, const char *string);
void mcl__text_format(mcl__text *text, const char *format, ...) MCL__PRINTF(2, 3);
/* Returns 1 where the first length characters are equal, apart from the case of ASCII letters. C's own functions use
 * the program's locale, and in a Turkish locale 'I' and 'i' are different letters. */
int mcl__text_same_letters(const char *a, const char *b, size_t length);
/* Returns 1 where a C text uses the one-letter name, unless all its uses are names of members. text may be NULL. */
int mcl__text_names(const char *text, char name);

/* ---- hash.c ------------------------------------------------------------------------------------------------- */

uint64_t mcl__hash(const void *bytes, size_t count);

/* ---- files.c, platform_*.c: paths are in the encoding that fopen takes --------------------------------------- */

/* Returns 1 if the whole file was read, 0 if it is missing or unreadable. */
int mcl__file_read(const char *path, mcl__text *out);
int mcl__file_exists(const char *path); /* returns 1 if the path names something, readable or not */
int mcl__file_is_folder(const char *path);
/* Replaces a file: writes a temporary file, then renames it. Returns 1 on success. */
int mcl__file_replace(const char *path, const void *bytes, size_t count);

/* An open folder that belongs to this user alone. Access goes through the handle, so a later change of the path has no
 * effect. A file in the folder is checked after it is opened: it must be a regular file of this user with one name, and
 * nobody else may write it. */
typedef struct mcl__folder {
    int64_t handle;
} mcl__folder;

/* Opens a folder, after making it and its parents where they are missing. Returns 1 where the folder is this user's,
 * has mode 0700 (on Windows: no other user may write there), and is no link. */
int mcl__folder_open(mcl__folder *folder, const char *path);
void mcl__folder_close(mcl__folder *folder);
/* Reads a whole file, and sets its time of last use. Returns 0 where the file fails the checks of mcl__folder or has
 * more than most bytes. */
int mcl__folder_read(const mcl__folder *folder, const char *name, size_t most, mcl__text *out);
/* Replaces a file: writes a temporary file NAME.X, then renames it. Returns 1 on success. */
int mcl__folder_replace(const mcl__folder *folder, const char *name, const void *bytes, size_t count);
/* Returns the length of the cache file's name NAME with which name begins, else 0. name is either NAME itself or
 * NAME.X, the name of a temporary file. */
typedef size_t mcl__folder_name(const char *name);
/* Removes temporary files whose writers have ended. If the other files have more than limit bytes in total, it also
 * removes the least recently used ones. Files whose names own_name does not accept stay. Several processes may call
 * this at the same time. */
void mcl__folder_sweep(const mcl__folder *folder, mcl__folder_name *own_name, int64_t limit);

/* ---- environment.c: the only reader of environment variables -------------------------------------------------- */

/* Returns the value of one of the library's environment variables, or NULL where it is unset or empty. They are
 * MCL_DEVICE, MCL_CACHE_DIR (an empty value is returned as "" and turns the cache off), MCL_CACHE_BYTES,
 * MCL_TUNING_FILE, MCL_KERNEL_DIR, MCL_DUMP_SOURCE, MCL_BUILD_OPTIONS, MCL_VALIDATE, MCL_LOG and MCL_FEATURES. In a
 * program that has more rights than its caller, none is read. */
const char *mcl__environment(const char *name);

/* Returns 1 where an environment variable is set and not empty. The variable may also be one of a driver: drivers read
 * their variables whatever the program's rights are. */
int mcl__environment_has(const char *name);
/* Returns 1 where an environment variable has this value. The variable may also be one of a driver. */
int mcl__environment_is(const char *name, const char *value);

/* Writes the value of one name of MCL_FEATURES ("name=value,name=value") to out. Returns 1 where the name is there and
 * its value fits. */
int mcl__feature(const char *name, char *out, size_t capacity);
/* Returns an integer of MCL_FEATURES, or value where name is not there. */
int64_t mcl__feature_number(const char *name, int64_t value);

/* Fails where MCL_FEATURES has an unknown name or value, MCL_VALIDATE is neither 0 nor 1, or MCL_LOG is not build.
 * Fails too where MCL_KERNEL_DIR or MCL_DUMP_SOURCE names no folder. Without this check a user would believe that a
 * misspelt word has an effect. A variable that only one file reads is checked there. */
mcl_status mcl__environment_check(void);
/* Fails where the variable is set and names no folder. Files may be missing in the folder, but a missing folder is a
 * typing error. */
mcl_status mcl__environment_folder(const char *variable, const char *expected);
/* Warns, through the log function, of variables whose names differ a little from the library's, since nobody reads
 * them. */
void mcl__environment_tell(void);

/* ---- platform_posix.c, platform_windows.c -------------------------------------------------------------------- */

/* Returns milliseconds from a monotonic clock. */
double mcl__milliseconds(void);

/* Appends the folder where this user's programs keep caches. Appends nothing where the environment names none. */
void mcl__cache_home(mcl__text *text);

typedef struct mcl__mutex {
    void *handle;
} mcl__mutex;
int mcl__mutex_create(mcl__mutex *mutex); /* returns 0 if host memory is exhausted */
void mcl__mutex_destroy(mcl__mutex *mutex);
void mcl__mutex_lock(mcl__mutex *mutex);
void mcl__mutex_unlock(mcl__mutex *mutex);

/* Take and release the single lock of the whole process. The driver loaders use this lock. */
void mcl__process_lock(void);
void mcl__process_unlock(void);

/* Returns the id of this process. The library compares ids to notice a fork. */
int64_t mcl__process_id(void);

/* ---- process.c: which process uses drivers --------------------------------------------------------------------- */

/* Remembers this process as the one that uses drivers, unless one is remembered already. Fails in a forked child of the
 * remembered process. Call it before a driver is loaded, and before the first lock is taken. */
mcl_status mcl__process_claim(void);
/* Fails in a forked child of the process that uses drivers. */
mcl_status mcl__process_check(void);
/* Returns 1 where mcl__process_check would fail. Functions that release something then do nothing. */
int mcl__process_is_forked(void);

/* ---- platform_posix.c, platform_windows.c: shared libraries ----------------------------------------------------- */

/* Returns 1 where the program is linked statically. Loading a library would end such a program, so the three functions
 * below find nothing. */
int mcl__program_is_static(void);
/* Returns the address of name in the program or in a library that is linked with it, or NULL where there is none. */
void *mcl__library_default_symbol(const char *name);
/* Opens the first of names (NULL-terminated) that is already loaded, else the first that can be loaded. Returns NULL
 * where there is none. */
void *mcl__library_open(const char *const *names);
void *mcl__library_symbol(void *library, const char *name);

#endif
