/* files.c: reading a whole file, replacing one at once, and folders that only their owner can use. */
#define _GNU_SOURCE /* flock, which is older than POSIX */

#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int mcl__file_read(const char *path, mcl__text *out)
{
    mcl__text_clear(out);
    FILE *const file = fopen(path, "rb");
    if (!file) return 0;
    char block[16384];
    size_t count;
    do {
        count = fread(block, 1, sizeof block, file);
        mcl__text_bytes(out, block, count);
    } while (count == sizeof block);
    const int good = !ferror(file) && !out->failed;
    (void)fclose(file);
    return good;
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

int mcl__file_replace(const char *path, const void *bytes, size_t count)
{
    mcl__text temporary = { 0 };
    mcl__text_format(&temporary, "%s.XXXXXX", path);
    /* mkstemp gives each writer a name of its own and mode 0600. */
    const int descriptor = temporary.failed ? -1 : mkstemp(temporary.data);
    int good = 0;
    if (descriptor >= 0) {
        good = descriptor_write(descriptor, bytes, count);
        good = close(descriptor) == 0 && good;
        good = good && rename(temporary.data, path) == 0;
        if (!good) (void)unlink(temporary.data);
    }
    mcl__text_free(&temporary);
    return good;
}

/* ---- folders of one user --------------------------------------------------------------------------------------- */

/* Makes the folders above path that are missing; what fails is noticed when the folder itself cannot be made. */
static void parents_make(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

/* The folder open at descriptor is ours alone, and takes files. */
static int folder_is_private(int descriptor)
{
    struct stat facts;
    if (fstat(descriptor, &facts) != 0 || !S_ISDIR(facts.st_mode)) return 0;
    if (facts.st_uid != geteuid() || (facts.st_mode & 0777) != 0700) return 0;
    return faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

int mcl__folder_open(mcl__folder *folder, const char *path)
{
    if (!path[0]) return 0;
    mcl__text copy = { 0 };
    mcl__text_append(&copy, path);
    if (copy.failed) return 0;
    parents_make(copy.data);
    mcl__text_free(&copy);
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return 0;
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

/* A file that its name alone leads to, that this user alone can have written. While a writer puts another in its place
 * it has no name. */
static int file_is_own(const struct stat *facts)
{
    return S_ISREG(facts->st_mode) && facts->st_uid == geteuid() && facts->st_nlink <= 1 &&
           (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Neither a link nor a pipe that nobody writes can hold up the one who opens it. */
static int file_open(const mcl__folder *folder, const char *name, struct stat *facts)
{
    const int descriptor = openat((int)folder->handle, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    if (fstat(descriptor, facts) == 0 && file_is_own(facts)) return descriptor;
    (void)close(descriptor);
    return -1;
}

/* 1: count bytes were there. */
static int descriptor_read(int descriptor, size_t count, mcl__text *out)
{
    char block[16384];
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
    const int fits = facts.st_size >= 0 && (uintmax_t)facts.st_size <= most;
    const int good = fits && descriptor_read(descriptor, (size_t)facts.st_size, out);
    if (good) (void)futimens(descriptor, NULL); /* the time of its last use */
    (void)close(descriptor);
    return good;
}

/* ---- writing there ------------------------------------------------------------------------------------------- */

/* Opens a new file NAME.PROCESS-NUMBER and holds a lock on it, by which others know that its writer lives. */
static int temporary_open(const mcl__folder *folder, const char *name, mcl__text *temporary)
{
    const int numbers = 1000;
    for (int number = 0; number < numbers; ++number) {
        mcl__text_clear(temporary);
        mcl__text_format(temporary, "%s.%lld-%d", name, (long long)getpid(), number);
        if (temporary->failed) return -1;
        const int descriptor = openat((int)folder->handle, temporary->data,
                                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
        /* Who takes the lock first takes this file for a dead one's, and the rename that follows fails. */
        if (descriptor >= 0) (void)flock(descriptor, LOCK_EX | LOCK_NB);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

int mcl__folder_replace(const mcl__folder *folder, const char *name, const void *bytes, size_t count)
{
    mcl__text temporary = { 0 };
    const int at = (int)folder->handle;
    const int descriptor = temporary_open(folder, name, &temporary);
    int good = 0;
    if (descriptor >= 0) {
        good = descriptor_write(descriptor, bytes, count) && renameat(at, temporary.data, at, name) == 0;
        if (!good) (void)unlinkat(at, temporary.data, 0);
        good = close(descriptor) == 0 && good;
    }
    mcl__text_free(&temporary);
    return good;
}

/* ---- sweeping ------------------------------------------------------------------------------------------------ */

/* Removes a temporary file unless its writer lives. */
static void temporary_remove(const mcl__folder *folder, const char *name)
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

enum { LISTED_NAME_MAX = 64 };

typedef struct listed_file {
    char name[LISTED_NAME_MAX];
    int64_t bytes;
    struct timespec used;
} listed_file;

typedef struct file_list {
    listed_file *files;
    size_t count;
    size_t capacity;
} file_list;

static void list_add(const mcl__folder *folder, const char *name, file_list *list)
{
    struct stat facts;
    if (strlen(name) >= LISTED_NAME_MAX) return;
    if (fstatat((int)folder->handle, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode)) return;
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        listed_file *const grown = realloc(list->files, capacity * sizeof *grown);
        if (!grown) return;
        list->files = grown;
        list->capacity = capacity;
    }
    listed_file *const added = &list->files[list->count++];
    memcpy(added->name, name, strlen(name) + 1);
    added->bytes = (int64_t)facts.st_size;
    added->used = facts.st_mtim;
}

static int used_earlier(const void *p, const void *q)
{
    const listed_file *const a = p;
    const listed_file *const b = q;
    if (a->used.tv_sec != b->used.tv_sec) return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

static void list_limit(const mcl__folder *folder, file_list *list, int64_t limit)
{
    int64_t bytes = 0;
    for (size_t k = 0; k < list->count; ++k) bytes += list->files[k].bytes;
    if (bytes <= limit) return;
    qsort(list->files, list->count, sizeof *list->files, used_earlier);
    for (size_t k = 0; k < list->count && bytes > limit; ++k) {
        bytes -= list->files[k].bytes;
        (void)unlinkat((int)folder->handle, list->files[k].name, 0);
    }
}

void mcl__folder_sweep(const mcl__folder *folder, mcl__folder_name *own_name, int64_t limit)
{
    file_list list = { 0 };
    const int descriptor = openat((int)folder->handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const opened = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (!opened && descriptor >= 0) (void)close(descriptor);
    if (!opened) return;
    for (const struct dirent *entry = readdir(opened); entry; entry = readdir(opened)) {
        const size_t length = own_name(entry->d_name);
        if (length && !entry->d_name[length]) list_add(folder, entry->d_name, &list);
        if (length && entry->d_name[length] == '.') temporary_remove(folder, entry->d_name);
    }
    (void)closedir(opened);
    list_limit(folder, &list, limit);
    free(list.files);
}
