/* base.h: the parts that need no device: errors, text, hashes, files, environment, locks. */
#ifndef MODERNCL_BASE_H
#define MODERNCL_BASE_H

#include "moderncl/status.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__MINGW32__)
#include <stdio.h> /* which says whose printf it has */
#define MCL__PRINTF(format_at, arguments_at) __attribute__((format(__MINGW_PRINTF_FORMAT, format_at, arguments_at)))
#elif defined(__GNUC__)
#define MCL__PRINTF(format_at, arguments_at) __attribute__((format(printf, format_at, arguments_at)))
#else
#define MCL__PRINTF(format_at, arguments_at)
#endif

/* ---- error.c: the one way to fail, and the one way to pass a failure on -------------------------------------- */

mcl_status mcl__fail(mcl_status status, const char *format, ...) MCL__PRINTF(2, 3);

/* Names the public function at work in this thread: mcl__fail puts its name before every sentence. mcl__check_context
 * and mcl__check_queue say it; a public function that calls neither does itself. */
void mcl__function_is(const char *function);
/* mcl__failures returns how many sentences this thread has written. mcl__fail_of_caller reports that a function of the
 * caller's has failed; what: its name. The function's sentence stays if the library has given it one since before, with
 * the same status. Else it gets one. */
int64_t mcl__failures(void);
mcl_status mcl__fail_of_caller(mcl_status status, int64_t before, const char *what);
/* Between these two, public functions are parts of the one at work, which sentences go on to name. They nest. */
void mcl__function_hold(void);
void mcl__function_let_go(void);
/* mcl_last_error without that name, to fail with the same sentence in another function. */
const char *mcl__last_error_unnamed(void);

/* Tells the log function, with MCL_OK, what is passed over and is no failure of the call. */
void mcl__tell(const char *format, ...) MCL__PRINTF(1, 2);
/* The same for what the user asks for by MCL_LOG: without a log function stderr has it. */
void mcl__tell_or_print(const char *format, ...) MCL__PRINTF(1, 2);
/* Returns the name of the public function at work, "" before the first. */
const char *mcl__function_name(void);

/* 1: this thread's last failure, also a quiet one, has a compiler's log on further lines. */
int mcl__failed_with_log(void);

/* 1: from now on this thread's MCL_ERROR_BUILD and MCL_ERROR_UNSUPPORTED are neither kept as its last error nor logged.
 * The caller has another way then. 0: as usual again. */
int mcl__fail_quietly(int quietly); /* returns the earlier value */

#define MCL__TRY(expression)                                                                                           \
    do {                                                                                                               \
        const mcl_status mcl__try_status = (expression);                                                               \
        if (mcl__try_status != MCL_OK) return mcl__try_status;                                                         \
    } while (0)

/* ---- text.c: a growing string. A failed allocation is remembered: check failed once, at the end ------------- */

typedef struct mcl__text {
    char *data; /* always ends in 0 when not NULL */
    size_t length;
    size_t capacity;
    int failed;
} mcl__text;

void mcl__text_clear(mcl__text *text); /* keeps the memory */
void mcl__text_free(mcl__text *text);
void mcl__text_bytes(mcl__text *text, const void *bytes, size_t count);
void mcl__text_append(mcl__text *text, const char *string);
void mcl__text_format(mcl__text *text, const char *format, ...) MCL__PRINTF(2, 3);
/* 1: the first length characters are the same, whatever the case of their letters. Only ASCII's letters have a case:
 * names of devices must not depend on the program's locale. In a Turkish one 'I' and 'i' are unlike letters. */
int mcl__text_same_letters(const char *a, const char *b, size_t length);
/* 1: a text of C has the name of one letter, which is not that of a member. NULL has none. */
int mcl__text_names(const char *text, char name);

/* ---- hash.c ------------------------------------------------------------------------------------------------- */

uint64_t mcl__hash(const void *bytes, size_t count);

/* ---- files.c, platform_*.c: paths are in the encoding that fopen takes --------------------------------------- */

int mcl__file_read(const char *path, mcl__text *out); /* 1: read whole; 0: not there, unreadable */
int mcl__file_is_folder(const char *path);
int mcl__file_replace(const char *path, const void *bytes, size_t count); /* temporary name, then rename; 1: done */

/* A folder of this user alone, open: all is done in this one, whatever its path leads to later. A file in it is
 * examined once it is open. It must be a regular one of this user's, of one name, that nobody else may write. */
typedef struct mcl__folder {
    int64_t handle;
} mcl__folder;

/* Makes it (and its parents) where missing. 1: it is ours, of mode 0700 (on Windows: no other user may write there),
 * and no link. */
int mcl__folder_open(mcl__folder *folder, const char *path);
void mcl__folder_close(mcl__folder *folder);
/* 1: read whole, and used last now; 0: there is none, or none that counts, or it has more than most bytes. */
int mcl__folder_read(const mcl__folder *folder, const char *name, size_t most, mcl__text *out);
/* Replaces a file: writes a temporary file NAME.X, then renames it. 1: done. */
int mcl__folder_replace(const mcl__folder *folder, const char *name, const void *bytes, size_t count);
/* Bytes of a file's own name at the start of name, 0 where it is none. NAME.X is then a temporary file. */
typedef size_t mcl__folder_name(const char *name);
/* Removes temporary files whose writers are gone, and the files not used for longest where all have more than limit
 * bytes. Other names stay. Any number of processes may do so at once. */
void mcl__folder_sweep(const mcl__folder *folder, mcl__folder_name *own_name, int64_t limit);

/* ---- environment.c: the only reader of environment variables -------------------------------------------------- */

/* NULL where unset or empty. The variables: MCL_DEVICE, MCL_CACHE_DIR (an empty one is "", to turn the cache off),
 * MCL_CACHE_BYTES, MCL_TUNING_FILE, MCL_KERNEL_DIR, MCL_DUMP_SOURCE, MCL_BUILD_OPTIONS, MCL_VALIDATE, MCL_LOG,
 * MCL_FEATURES. None is read in a program that runs with more rights than its caller has. */
const char *mcl__environment(const char *name);

/* 1: set, and not empty; also for others' variables, which a driver reads whatever the program's rights are. */
int mcl__environment_has(const char *name);
/* 1: set to this value; as above. */
int mcl__environment_is(const char *name, const char *value);

/* MCL_FEATURES is "name=value,name=value": writes the value of one name to out, 1 if it is there. */
int mcl__feature(const char *name, char *out, size_t capacity);
/* Returns an integer of MCL_FEATURES; value where name has none. */
int64_t mcl__feature_number(const char *name, int64_t value);

/* Fails where MCL_FEATURES has a name or a value that nothing knows, MCL_VALIDATE another word than 0 or 1, MCL_LOG
 * another than build, and where MCL_KERNEL_DIR or MCL_DUMP_SOURCE is no folder. If such
 * a word were passed over, its writer would believe that it holds. Variables with one reader are checked by that
 * reader. */
mcl_status mcl__environment_check(void);
/* Fails where the variable is set, and is no folder. It may lack files, but that it is not there is a slip of the
 * pen. */
mcl_status mcl__environment_folder(const char *variable, const char *expected);
/* Tells the log function of variables whose names are nearly those of the library's: nobody reads them. */
void mcl__environment_tell(void);

/* ---- platform_posix.c, platform_windows.c -------------------------------------------------------------------- */

/* Returns milliseconds since some moment, from a clock that nobody sets. */
double mcl__milliseconds(void);

/* Appends the folder where this user's programs keep caches; nothing where the environment names none. */
void mcl__cache_home(mcl__text *text);

typedef struct mcl__mutex {
    void *handle;
} mcl__mutex;
int mcl__mutex_create(mcl__mutex *mutex); /* 0: host memory is exhausted */
void mcl__mutex_destroy(mcl__mutex *mutex);
void mcl__mutex_lock(mcl__mutex *mutex);
void mcl__mutex_unlock(mcl__mutex *mutex);

/* One lock for the whole process, for the driver loaders. */
void mcl__process_lock(void);
void mcl__process_unlock(void);

/* Identity of this process, to notice a fork. */
int64_t mcl__process_id(void);

/* ---- process.c: which process uses drivers --------------------------------------------------------------------- */

/* Remembers this process as the one that uses drivers, where none is remembered; fails in a forked child of the one
 * that is. It comes before a driver is loaded, and before the first lock. */
mcl_status mcl__process_claim(void);
/* Fails in a forked child of the process that uses drivers. */
mcl_status mcl__process_check(void);
/* 1: it would fail. A release then does nothing. */
int mcl__process_is_forked(void);

/* ---- platform_posix.c, platform_windows.c: shared libraries ----------------------------------------------------- */

/* 1: the program is linked statically. Loading a library would end it, so the three functions below find nothing. */
int mcl__program_is_static(void);
/* Returns the address of name in the program or in a library that is linked with it; NULL: there is none. */
void *mcl__library_default_symbol(const char *name);
/* Opens the first of names (NULL-terminated) that is already loaded, else the first that can be loaded; NULL: none. */
void *mcl__library_open(const char *const *names);
void *mcl__library_symbol(void *library, const char *name);

#endif
