/* folder.h: a separate folder for a test, and files in it. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

#include <stddef.h>

enum { FOLDER_PATH_BYTES = 512 };

typedef struct folder {
    char path[FOLDER_PATH_BYTES];
} folder;

/* Makes an empty folder below the working directory of the test, with mode 0700. */
void folder_make(folder *out);
/* Removes a folder with all that is in it. */
void folder_remove(const folder *f);

/* Stores the path folder/name to out. Where name has a folder, this folder is made. */
void folder_file(const folder *f, const char *name, char *out, size_t capacity);
/* Returns the number of files. name, which may be NULL, receives the name of the last file. */
int folder_list(const folder *f, char *name, size_t capacity);

void file_write(const char *path, const void *bytes, size_t count);
/* Reads at most capacity bytes, and returns their number. */
size_t file_read(const char *path, void *bytes, size_t capacity);

#endif
