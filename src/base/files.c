/* files.c: reading a whole file, replacing one at once, and folders that only their owner can use. */
#define _POSIX_C_SOURCE 200809L

#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    mcl__text temporary = {0};
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

/* Makes the folders above path that are missing; what fails is noticed when the folder itself cannot be made. */
static void parents_make(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

int mcl__directory_private(const char *path)
{
    if (!path[0]) return 0;
    mcl__text copy = {0};
    mcl__text_append(&copy, path);
    if (copy.failed) return 0;
    parents_make(copy.data);
    mcl__text_free(&copy);
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return 0;
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode)) return 0;
    return facts.st_uid == geteuid() && (facts.st_mode & 0777) == 0700 && access(path, W_OK | X_OK) == 0;
}
