/* columns.c: reads columns from files to the device. */
#define _POSIX_C_SOURCE 200809L
#include "columns.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, PART_BYTES = 16 << 20, BAR = 40 };

const mcl_type text20_type = MCL_TYPE(text20, "typedef struct text20 { uint8_t bytes[20]; } text20;");
const mcl_type text56_type = MCL_TYPE(text56, "typedef struct text56 { uint8_t bytes[56]; } text56;");

mcl_input column_input(const column *of)
{
    return mcl_from_buffer(of->type, of->buffer, 0, of->count);
}

mcl_output column_output(const column *of)
{
    return mcl_to_buffer(of->type, of->buffer, 0, of->count);
}

mcl_binding column_binding(const char *name, const column *of)
{
    return mcl_binding_buffer(name, of->type, of->buffer, 0);
}

int words_find(const word_list *list, const char *word)
{
    for (int k = 0; k < list->count; ++k)
        if (strcmp(list->text[k], word) == 0) return k;
    return -1;
}

/* ---- the files ------------------------------------------------------------------------------------------------- */

typedef struct file {
    const char *name; /* of the column */
    const char *file_type;
    const mcl_type *type;
    column *to;
    int64_t bytes;
} file;

static int complain(const char *path, const char *what)
{
    fprintf(stderr, "tpch: %s: %s\n", path, what);
    return -1;
}

/* The whole text of a small file. Returns 0, or -1 after a sentence. */
static int text_read(const char *folder, const char *name, char *text, size_t room)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const from = fopen(path, "r");
    if (!from) return complain(path, strerror(errno));
    const size_t length = fread(text, 1, room - 1, from);
    text[length] = '\0';
    fclose(from);
    return length < room - 1 ? 0 : complain(path, "too long");
}

/* A word on each line. */
static int words_read(word_list *list, const char *folder, const char *name)
{
    char text[WORDS_MOST * WORD_BYTES], *rest = text;
    if (text_read(folder, name, text, sizeof text)) return -1;
    list->count = 0;
    for (const char *word = strtok_r(text, "\n", &rest); word; word = strtok_r(NULL, "\n", &rest)) {
        if (list->count == WORDS_MOST || strlen(word) >= WORD_BYTES)
            return complain(name, "too many words, or too long");
        strcpy(list->text[list->count++], word);
    }
    return 0;
}

static int nations_read(columns *loaded, const char *folder)
{
    char text[NATIONS * 8], *rest = text;
    int count = 0;
    if (text_read(folder, "n_regionkey.words", text, sizeof text)) return -1;
    for (const char *word = strtok_r(text, "\n", &rest); word && count < NATIONS; word = strtok_r(NULL, "\n", &rest))
        loaded->region_of_nation[count++] = atoi(word);
    return count == NATIONS && loaded->nations.count == NATIONS ? 0 : complain(folder, "expected 25 nations");
}

static void show_bar(int64_t done, int64_t all)
{
    const int full = (int)(all > 0 ? done * BAR / all : BAR);
    if (!isatty(STDERR_FILENO)) return;
    fputs("\rload [", stderr);
    for (int k = 0; k < BAR; ++k) fputc(k < full ? '#' : '.', stderr);
    fprintf(stderr, "] %" PRId64 " of %" PRId64 " MB%s", done / 1000000, all / 1000000, done == all ? "\n" : " ");
}

/* Copies a file to the device in parts, so that the host needs little memory. */
static int file_copy(const file *of, const char *path, mcl_queue *queue, void *part, int64_t *done, int64_t all)
{
    FILE *const from = fopen(path, "rb");
    int failed = from ? 0 : complain(path, strerror(errno));
    for (int64_t at = 0; !failed && at < of->bytes; at += PART_BYTES) {
        const size_t bytes = (size_t)(of->bytes - at < PART_BYTES ? of->bytes - at : PART_BYTES);
        if (fread(part, 1, bytes, from) != bytes)
            failed = complain(path, "shorter than its size");
        else if (mcl_buffer_write(queue, of->to->buffer, (size_t)at, bytes, part) != MCL_OK)
            failed = complain(path, mcl_last_error());
        *done += (int64_t)bytes;
        show_bar(*done, all);
    }
    if (from) fclose(from);
    return failed;
}

static int file_size(file *of, const char *folder, char *path, int64_t *all)
{
    struct stat known;
    snprintf(path, PATH_BYTES, "%s/%s.%s", folder, of->name, of->file_type);
    if (stat(path, &known)) return complain(path, strerror(errno));
    of->bytes = (int64_t)known.st_size;
    *all += of->bytes;
    if (of->bytes % (int64_t)of->type->size) return complain(path, "no whole number of elements");
    *of->to = (column){ .type = of->type, .count = of->bytes / (int64_t)of->type->size };
    return 0;
}

int columns_load(columns *loaded, mcl_context *context, mcl_queue *queue, const char *folder)
{
    char path[PATH_BYTES];
    file files[] = {
#define X(name, file_type, type) { #name, #file_type, type, &loaded->name, 0 },
        COLUMN_LIST(X)
#undef X
    };
    const int count = (int)(sizeof files / sizeof files[0]);
    int64_t all = 0, done = 0;
    *loaded = (columns){ 0 };
    if (words_read(&loaded->segments, folder, "c_mktsegment.words") ||
        words_read(&loaded->nations, folder, "n_name.words") || words_read(&loaded->regions, folder, "r_name.words") ||
        nations_read(loaded, folder))
        return -1;
    for (int k = 0; k < count; ++k)
        if (file_size(&files[k], folder, path, &all)) return -1;
    void *const part = malloc(PART_BYTES);
    int failed = part ? 0 : complain(folder, "no memory");
    for (int k = 0; !failed && k < count; ++k) {
        snprintf(path, sizeof path, "%s/%s.%s", folder, files[k].name, files[k].file_type);
        if (mcl_buffer_create(context, (size_t)files[k].bytes, NULL, &files[k].to->buffer) != MCL_OK)
            failed = complain(path, mcl_last_error());
        else
            failed = file_copy(&files[k], path, queue, part, &done, all);
    }
    free(part);
    return failed ? failed : columns_check(loaded, queue);
}

void columns_release(columns *released)
{
#define X(name, file_type, type) mcl_buffer_release(released->name.buffer);
    COLUMN_LIST(X)
#undef X
}
