/* folder.c: makes folders and files for tests, and removes them. */
#define _POSIX_C_SOURCE 200809L
#include "folder.h"

#include "base/platform.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void folder_make(folder *out)
{
    char here[FOLDER_PATH_BYTES - 64];
    int number = 0;

    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    do snprintf(out->path, sizeof out->path, "%s/test_folder_%lld_%d", here, (long long)mcl__process_id(), number++);
    while (mcl__file_is_folder(out->path));
    mcl__platform_folder_make(out->path);
    ck_assert_msg(mcl__file_is_folder(out->path), "cannot make %s", out->path);
}

void folder_file(const folder *f, const char *name, char *out, size_t capacity)
{
    ck_assert_int_lt(snprintf(out, capacity, "%s/%s", f->path, name), (int)capacity);
    for (char *slash = strchr(out + strlen(f->path) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mcl__platform_folder_make(out);
        *slash = '/';
    }
}

int folder_list(const folder *f, char *name, size_t capacity)
{
    DIR *list = opendir(f->path);
    int count = 0;

    if (!list) return 0;
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        if (entry->d_name[0] == '.') continue;
        if (name) snprintf(name, capacity, "%s", entry->d_name);
        count++;
    }
    closedir(list);
    return count;
}

/* Removes a file, a link or an empty folder at once, and other folders after their contents. */
static void path_remove(const char *path)
{
    if (remove(path) == 0) return;
    DIR *list = opendir(path);

    if (!list) return;
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        char below[2 * FOLDER_PATH_BYTES];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        path_remove(below);
    }
    closedir(list);
    rmdir(path);
}

void folder_remove(const folder *f)
{
    path_remove(f->path);
}

void file_write(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");

    ck_assert_msg(file != NULL, "cannot write %s", path);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    ck_assert_int_eq(fclose(file), 0);
}

size_t file_read(const char *path, void *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");

    ck_assert_msg(file != NULL, "cannot read %s", path);
    const size_t count = fread(bytes, 1, capacity, file);
    fclose(file);
    return count;
}
