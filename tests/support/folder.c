/* folder.c: folders and files of tests. */
#define _XOPEN_SOURCE 700
#include "folder.h"

#include <check.h>
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void folder_make(folder *out)
{
    char here[FOLDER_PATH_BYTES - 32];

    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    snprintf(out->path, sizeof out->path, "%s/test_folder_XXXXXX", here);
    ck_assert_ptr_nonnull(mkdtemp(out->path));
}

void folder_file(const folder *f, const char *name, char *out, size_t capacity)
{
    ck_assert_int_lt(snprintf(out, capacity, "%s/%s", f->path, name), (int)capacity);
    char *const slash = strrchr(name, '/') ? strrchr(out, '/') : NULL;
    if (!slash) return;
    *slash = 0;
    mkdir(out, 0700);
    *slash = '/';
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

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about, (void)kind, (void)at;
    return remove(path);
}

void folder_remove(const folder *f)
{
    nftw(f->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
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
