/* platform_posix.c: the code for Linux, macOS and other POSIX systems: environment, locks, shared libraries, files and
 * folders. */
#define _GNU_SOURCE /* declares flock, secure_getenv and RTLD_DEFAULT, which POSIX lacks */

#include "base/platform.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#ifdef __linux__
#include <link.h>
#endif
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- environment --------------------------------------------------------------------------------------------- */

/* Returns the value of an environment variable. Returns NULL in a program with more rights than its caller: the
 * caller's variables must not lead such a program to files that the caller chooses. */
const char *mcl__platform_variable(const char *name)
{
#if defined(MCL_HAS_SECURE_GETENV)
    return secure_getenv(name);
#else
    return geteuid() == getuid() && getegid() == getgid() ? getenv(name) : NULL;
#endif
}

double mcl__milliseconds(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec : 0;
}

#if !defined(__linux__) /* Linux declares environ in unistd.h */
extern char **environ;
#endif

void mcl__platform_variables(mcl__platform_see_variable *see)
{
    if (geteuid() != getuid() || getegid() != getgid()) return;
    for (char *const *entry = environ; entry && *entry; ++entry) see(*entry);
}

void mcl__cache_home(mcl__text *text)
{
    const char *const cache = mcl__platform_variable("XDG_CACHE_HOME");
    const char *const home = mcl__platform_variable("HOME");
    if (cache && cache[0] == '/')
        mcl__text_append(text, cache);
    else if (home && home[0])
        mcl__text_format(text, "%s/.cache", home);
}

/* ---- locks, and the process ---------------------------------------------------------------------------------- */

static pthread_mutex_t process_mutex = PTHREAD_MUTEX_INITIALIZER;

int mcl__mutex_create(mcl__mutex *mutex)
{
    pthread_mutex_t *const handle = malloc(sizeof *handle);
    if (!handle || pthread_mutex_init(handle, NULL) != 0) {
        free(handle);
        return 0;
    }
    mutex->handle = handle;
    return 1;
}

void mcl__mutex_destroy(mcl__mutex *mutex)
{
    if (!mutex->handle) return;
    (void)pthread_mutex_destroy(mutex->handle);
    free(mutex->handle);
    mutex->handle = NULL;
}

void mcl__mutex_lock(mcl__mutex *mutex)
{
    (void)pthread_mutex_lock(mutex->handle);
}

void mcl__mutex_unlock(mcl__mutex *mutex)
{
    (void)pthread_mutex_unlock(mutex->handle);
}

void mcl__process_lock(void)
{
    (void)pthread_mutex_lock(&process_mutex);
}

void mcl__process_unlock(void)
{
    (void)pthread_mutex_unlock(&process_mutex);
}

int64_t mcl__process_id(void)
{
    return (int64_t)getpid();
}

/* ---- shared libraries ---------------------------------------------------------------------------------------- */

#ifdef __linux__
/* Stores whether the program is static. The first object listed is the program. A program that can load libraries has a
 * PT_INTERP segment, however it was started. */
static int see_program(struct dl_phdr_info *object, size_t bytes, void *is_static)
{
    (void)bytes;
    *(int *)is_static = object->dlpi_phnum > 0;
    for (int k = 0; k < object->dlpi_phnum; ++k)
        if (object->dlpi_phdr[k].p_type == PT_INTERP) *(int *)is_static = 0;
    return 1;
}

/* Returns 1 for a static program. In such a program glibc's dlopen loads a second C library, and the first call of it
 * ends the process by a signal. */
int mcl__program_is_static(void)
{
    int is_static = 0;
    (void)dl_iterate_phdr(see_program, &is_static);
    return is_static;
}
#else
int mcl__program_is_static(void)
{
    return 0;
}
#endif

void *mcl__library_default_symbol(const char *name)
{
    if (mcl__program_is_static()) return NULL;
    return dlsym(RTLD_DEFAULT, name);
}

void *mcl__library_open(const char *const *names)
{
    if (mcl__program_is_static()) return NULL;
#ifdef RTLD_NOLOAD
    for (const char *const *name = names; *name; ++name) {
        void *const library = dlopen(*name, RTLD_NOW | RTLD_NOLOAD);
        if (library) return library;
    }
#endif
    for (const char *const *name = names; *name; ++name) {
        void *const library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

void *mcl__library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

/* ---- files --------------------------------------------------------------------------------------------------- */

int mcl__file_exists(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0;
}

int mcl__file_is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static int descriptor_write(int descriptor, const char *next, size_t count)
{
    while (count) {
        const ssize_t written = write(descriptor, next, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return 0;
        next += written;
        count -= (size_t)written;
    }
    return 1;
}

int mcl__platform_replace(const mcl__folder *folder, const char *temporary, const char *name, const void *bytes,
                          size_t count)
{
    const int at = folder ? (int)folder->handle : AT_FDCWD;
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int descriptor = openat(at, temporary, flags, S_IRUSR | S_IWUSR);
    if (descriptor < 0) return errno == EEXIST ? -1 : 0;
    /* If another process takes the lock first, it believes that the writer has ended, and removes the file. The rename
     * then fails. */
    (void)flock(descriptor, LOCK_EX | LOCK_NB);
    int good = descriptor_write(descriptor, bytes, count) && renameat(at, temporary, at, name) == 0;
    if (!good) (void)unlinkat(at, temporary, 0);
    good = close(descriptor) == 0 && good;
    return good;
}

/* ---- folders of one user ------------------------------------------------------------------------------------- */

const char mcl__platform_separator = '/';

void mcl__platform_folder_make(const char *path)
{
    (void)mkdir(path, 0700);
}

/* Returns 1 where the folder open at descriptor belongs to this user alone and can be written. */
static int folder_is_private(int descriptor)
{
    struct stat facts;
    if (fstat(descriptor, &facts) != 0 || !S_ISDIR(facts.st_mode)) return 0;
    if (facts.st_uid != geteuid() || (facts.st_mode & 0777) != 0700) return 0;
    return faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

int mcl__platform_folder_open(mcl__folder *folder, const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return 0;
    if (!folder_is_private(descriptor)) {
        (void)close(descriptor);
        return 0;
    }
    folder->handle = descriptor;
    return 1;
}

void mcl__folder_close(mcl__folder *folder)
{
    (void)close((int)folder->handle);
}

/* Returns 1 for a regular file that only this user can have written and that has no second name. It may have no name at
 * all: a writer that replaces the file removes its name. */
static int file_is_own(const struct stat *facts)
{
    return S_ISREG(facts->st_mode) && facts->st_uid == geteuid() && facts->st_nlink <= 1 &&
           (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens a file that passes file_is_own; returns -1 for any other. It does not follow links, and does not wait for the
 * writer of a pipe. */
static int file_open(const mcl__folder *folder, const char *name, struct stat *facts)
{
    const int descriptor = openat((int)folder->handle, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    if (fstat(descriptor, facts) == 0 && file_is_own(facts)) return descriptor;
    (void)close(descriptor);
    return -1;
}

/* Reads count bytes. Returns 1 if the file had all of them. */
static int descriptor_read(int descriptor, size_t count, mcl__text *out)
{
    char block[4096];
    while (count && !out->failed) {
        const ssize_t got = read(descriptor, block, count < sizeof block ? count : sizeof block);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        mcl__text_bytes(out, block, (size_t)got);
        count -= (size_t)got;
    }
    return !out->failed;
}

int mcl__folder_read(const mcl__folder *folder, const char *name, size_t most, mcl__text *out)
{
    struct stat facts;
    mcl__text_clear(out);
    const int descriptor = file_open(folder, name, &facts);
    if (descriptor < 0) return 0;
    const int fits = (uintmax_t)facts.st_size <= most;
    const int good = fits && descriptor_read(descriptor, (size_t)facts.st_size, out);
    if (good) (void)futimens(descriptor, NULL); /* sets the time of last use */
    (void)close(descriptor);
    return good;
}

void mcl__platform_list(const mcl__folder *folder, mcl__platform_see *see, void *user)
{
    const int descriptor = openat((int)folder->handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const opened = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (!opened && descriptor >= 0) (void)close(descriptor);
    if (!opened) return;
    for (const struct dirent *entry = readdir(opened); entry; entry = readdir(opened)) see(folder, entry->d_name, user);
    (void)closedir(opened);
}

int mcl__platform_facts(const mcl__folder *folder, const char *name, mcl__file_facts *facts)
{
    struct stat found;
    if (fstatat((int)folder->handle, name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode)) return 0;
#ifdef __APPLE__
    const struct timespec used = found.st_mtimespec;
#else
    const struct timespec used = found.st_mtim;
#endif
    facts->bytes = (int64_t)found.st_size;
    facts->used = (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
    return 1;
}

void mcl__platform_remove(const mcl__folder *folder, const char *name)
{
    (void)unlinkat((int)folder->handle, name, 0);
}

void mcl__platform_remove_left(const mcl__folder *folder, const char *name)
{
    struct stat opened;
    struct stat named;
    const int at = (int)folder->handle;
    const int descriptor = file_open(folder, name, &opened);
    if (descriptor < 0) return;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstatat(at, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        named.st_ino == opened.st_ino && named.st_dev == opened.st_dev)
        (void)unlinkat(at, name, 0);
    (void)close(descriptor);
}
