/* replay.c: runs a target over the files of a folder, without libFuzzer, so that every build is tested with past
 * findings. */
#define _POSIX_C_SOURCE 200809L
#include "reader.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { INPUT_BYTES_MAX = 1 << 20 };

static int replay(const char *folder, const char *name)
{
    static uint8_t bytes[INPUT_BYTES_MAX];
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "rb");
    if (!file) return 0;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    const int good = !ferror(file);
    (void)fclose(file);
    /* Prints the name before the target runs, so that a crash has a name. */
    printf("%s, %zu bytes\n", name, size);
    (void)fflush(stdout);
    if (good) (void)LLVMFuzzerTestOneInput(bytes, size);
    return good;
}

int main(int count, char **words)
{
    DIR *const folder = count == 2 ? opendir(words[1]) : NULL;
    int files = 0;
    int unread = 0;
    if (!folder) {
        fputs("usage: read_NAME FOLDER\n", stderr);
        return 2;
    }
    for (const struct dirent *found = readdir(folder); found; found = readdir(folder)) {
        if (found->d_name[0] == '.') continue;
        if (replay(words[1], found->d_name))
            ++files;
        else
            ++unread;
    }
    (void)closedir(folder);
    printf("%d files, %d that could not be read\n", files, unread);
    return files == 0 || unread > 0;
}
