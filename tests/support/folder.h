/* folder.h: a folder of a test's own, and files in it. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

#include <stddef.h>

enum { FOLDER_PATH_BYTES = 512 };

typedef struct folder {
    char path[FOLDER_PATH_BYTES];
} folder;

/* Below the working directory of the test, mode 0700, empty. */
void folder_make(folder *out);
/* Removes it with all that is in it. */
void folder_remove(const folder *f);

/* folder/name in out; a folder in name is made. */
void folder_file(const folder *f, const char *name, char *out, size_t capacity);
/* How many files; the name of the last one listed in name (may be NULL). */
int folder_list(const folder *f, char *name, size_t capacity);

void file_write(const char *path, const void *bytes, size_t count);
/* Reads at most capacity bytes; their number. */
size_t file_read(const char *path, void *bytes, size_t capacity);

#endif
