/* files.c: reads whole files, makes private folders, writes files there, and keeps a folder within its limit of
 * bytes. */
#include "base/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int mcl__file_read(const char *path, mcl__text *out)
{
    mcl__text_clear(out);
    FILE *const file = fopen(path, "rb");
    if (!file) return 0;
    char block[4096];
    size_t count;
    do {
        count = fread(block, 1, sizeof block, file);
        mcl__text_bytes(out, block, count);
    } while (count == sizeof block);
    const int good = !ferror(file) && !out->failed;
    (void)fclose(file);
    return good;
}

/* Replaces a file: writes a temporary file NAME.PROCESS-NUMBER, whose name no other writer has, and renames it. Returns
 * 1 on success. */
static int replace(const mcl__folder *folder, const char *name, const void *bytes, size_t count)
{
    const int numbers = 1000;
    mcl__text temporary = { 0 };
    int done = -1;
    for (int number = 0; number < numbers && done < 0; ++number) {
        mcl__text_clear(&temporary);
        mcl__text_format(&temporary, "%s.%lld-%d", name, (long long)mcl__process_id(), number);
        if (temporary.failed) break;
        done = mcl__platform_replace(folder, temporary.data, name, bytes, count);
    }
    mcl__text_free(&temporary);
    return done == 1;
}

int mcl__file_replace(const char *path, const void *bytes, size_t count)
{
    return replace(NULL, path, bytes, count);
}

int mcl__folder_replace(const mcl__folder *folder, const char *name, const void *bytes, size_t count)
{
    return replace(folder, name, bytes, count);
}

/* ---- folders of one user --------------------------------------------------------------------------------------- */

/* Makes the folder and its parents where they are missing. A failure shows later, when the folder cannot be opened. */
static void folders_make(char *path)
{
    const char separators[] = { '/', mcl__platform_separator, 0 };
    for (char *next = path + 1 + strcspn(path + 1, separators); *next; next += 1 + strcspn(next + 1, separators)) {
        const char separator = *next;
        *next = 0;
        mcl__platform_folder_make(path);
        *next = separator;
    }
    mcl__platform_folder_make(path);
}

int mcl__folder_open(mcl__folder *folder, const char *path)
{
    if (!path[0]) return 0;
    mcl__text copy = { 0 };
    mcl__text_append(&copy, path);
    if (copy.failed) return 0;
    folders_make(copy.data);
    mcl__text_free(&copy);
    return mcl__platform_folder_open(folder, path);
}

/* ---- sweeping ------------------------------------------------------------------------------------------------ */

enum { LISTED_NAME_MAX = 64 };

typedef struct listed_file {
    char name[LISTED_NAME_MAX];
    mcl__file_facts facts;
} listed_file;

typedef struct file_list {
    mcl__folder_name *own_name;
    listed_file *files;
    size_t count;
    size_t capacity;
} file_list;

static void list_add(const mcl__folder *folder, const char *name, file_list *list)
{
    mcl__file_facts facts;
    if (strlen(name) >= LISTED_NAME_MAX || !mcl__platform_facts(folder, name, &facts)) return;
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        listed_file *const grown = realloc(list->files, capacity * sizeof *grown);
        if (!grown) return;
        list->files = grown;
        list->capacity = capacity;
    }
    listed_file *const added = &list->files[list->count++];
    memcpy(added->name, name, strlen(name) + 1);
    added->facts = facts;
}

static void name_see(const mcl__folder *folder, const char *name, void *user)
{
    file_list *const list = user;
    const size_t length = list->own_name(name);
    if (length && !name[length]) list_add(folder, name, list);
    if (length && name[length] == '.') mcl__platform_remove_left(folder, name);
}

static int used_earlier(const void *p, const void *q)
{
    const listed_file *const a = p;
    const listed_file *const b = q;
    return (a->facts.used > b->facts.used) - (a->facts.used < b->facts.used);
}

static void list_limit(const mcl__folder *folder, file_list *list, int64_t limit)
{
    int64_t bytes = 0;
    for (size_t k = 0; k < list->count; ++k) bytes += list->files[k].facts.bytes;
    if (bytes <= limit) return;
    qsort(list->files, list->count, sizeof *list->files, used_earlier);
    for (size_t k = 0; k < list->count && bytes > limit; ++k) {
        bytes -= list->files[k].facts.bytes;
        mcl__platform_remove(folder, list->files[k].name);
    }
}

void mcl__folder_sweep(const mcl__folder *folder, mcl__folder_name *own_name, int64_t limit)
{
    file_list list = { .own_name = own_name };
    mcl__platform_list(folder, name_see, &list);
    list_limit(folder, &list, limit);
    free(list.files);
}
