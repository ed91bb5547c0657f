/* read_cache.c: reads files of a cache that others may have changed. The first byte says whether the input is a whole
 * file, or replaces a part of a valid one. */
#define _GNU_SOURCE /* memmem */
#include "reader.h"

#include "moderncl/moderncl.h"
#include "program/program.h"
#include "quiet_device.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char source[] = "kernel void twice() {}";
static const char binary[] = "the binary of twice, as a driver gives it";

static mcl_context *context;
static char folder[] = "/tmp/moderncl-cache-XXXXXX";
static char path[4096];
static uint8_t valid[4096];
static size_t valid_bytes;

static void remove_all(void)
{
    (void)unlink(path);
    (void)rmdir(folder);
    mcl_context_release(context);
}

/* Finds the only file that a write leaves. */
static void find_file(void)
{
    DIR *const listed = opendir(folder);
    REQUIRE(listed);
    for (const struct dirent *found = readdir(listed); found; found = readdir(listed))
        if (strstr(found->d_name, ".bin")) (void)snprintf(path, sizeof path, "%s/%s", folder, found->d_name);
    (void)closedir(listed);
    REQUIRE(path[0]);
}

static void start(void)
{
    REQUIRE(mkdtemp(folder));
    REQUIRE(setenv("MCL_CACHE_DIR", folder, 1) == 0);
    context = quiet_context();
    (void)snprintf(context->cache_identity, sizeof context->cache_identity, "quiet 1.0");
    (void)atexit(remove_all);
    mcl__disk_cache_write(context, source, binary, sizeof binary);
    find_file();
    FILE *const file = fopen(path, "rb");
    REQUIRE(file);
    valid_bytes = fread(valid, 1, sizeof valid, file);
    (void)fclose(file);
    REQUIRE(valid_bytes > sizeof source + sizeof binary && valid_bytes < sizeof valid);
}

static void file_put(const uint8_t *bytes, size_t size)
{
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(descriptor >= 0);
    REQUIRE(write(descriptor, bytes, size) == (ssize_t)size);
    REQUIRE(close(descriptor) == 0);
}

/* Checks a file. A file that is accepted holds the key and, at its end, the binary that it gives. */
static void check(const uint8_t *bytes, size_t size)
{
    mcl__text found = { 0 };
    const int hit = mcl__disk_cache_read(context, source, &found);
    if (size == valid_bytes && memcmp(bytes, valid, size) == 0) REQUIRE(hit);
    if (hit) {
        REQUIRE(found.length > 0 && found.length < size && !found.failed);
        REQUIRE(memmem(bytes, size, source, sizeof source - 1) != NULL);
        REQUIRE(memmem(bytes, size, found.data, found.length) != NULL);
    }
    mcl__text_free(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t changed[2 * sizeof valid];
    if (!context) start();
    if (size > 3 && size < sizeof valid && data[0] % 2 == 1) {
        /* two bytes give an index, where the rest of the input is put */
        const size_t place = ((size_t)data[1] * 256 + data[2]) % (valid_bytes + 1);
        const size_t end = place + size - 3;
        memcpy(changed, valid, valid_bytes);
        memcpy(changed + place, data + 3, size - 3);
        const size_t bytes = end > valid_bytes ? end : valid_bytes;
        file_put(changed, bytes);
        check(changed, bytes);
    } else if (size > 0) {
        file_put(data + 1, size - 1);
        check(data + 1, size - 1);
    }
    return 0;
}
