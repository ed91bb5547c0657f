/* disk_cache.c: compiled programs kept between processes.
 *
 * A file holds a header, the context's cache identity, the build options, the source and the binary. The first three
 * are compared when it is read: a file name is only a hash of them. Anything unexpected is a miss. */
#include "program/program.h"

#include <string.h>

enum { FORMAT_VERSION = 1, KEY_PARTS = 3, PARTS = 4 };

/* Written as it lies in memory: a machine of another byte order or width reads a wrong magic number or size. */
typedef struct header {
    uint64_t magic;
    uint64_t version;
    uint64_t bytes[PARTS]; /* of identity, options, source, binary */
    uint64_t checksum;     /* of the parts */
} header;

static const uint64_t magic = UINT64_C(0x6d6f6465726e636c);

/* Writes the folder to text; 1: the user wants one. */
static int folder_name(mcl__text *text)
{
    const char *const own = mcl__environment("MCL_CACHE_DIR");
    const char *const cache = mcl__environment("XDG_CACHE_HOME");
    const char *const home = mcl__environment("HOME");
    if (own)
        mcl__text_append(text, own);
    else if (cache && cache[0] == '/')
        mcl__text_format(text, "%s/moderncl", cache);
    else if (home)
        mcl__text_format(text, "%s/.cache/moderncl", home);
    return !text->failed && text->length > 0;
}

int mcl__disk_cache_directory(char *out, size_t capacity)
{
    mcl__text name = { 0 };
    const int usable = folder_name(&name) && name.length < capacity && mcl__directory_private(name.data);
    if (usable) memcpy(out, name.data, name.length + 1);
    mcl__text_free(&name);
    return usable;
}

/* What a program is known by, in the order of the file. */
static header key_of(const mcl_context *context, const char *source, mcl__text *key)
{
    const char *const parts[KEY_PARTS] = { context->cache_identity, context->build_options, source };
    header made = { .magic = magic, .version = FORMAT_VERSION };
    for (int k = 0; k < KEY_PARTS; ++k) {
        made.bytes[k] = strlen(parts[k]);
        mcl__text_append(key, parts[k]);
    }
    return made;
}

/* The file's path, or 0 where there is no folder. */
static int path_of(const header *known, const mcl__text *key, mcl__text *path)
{
    char folder[1024];
    if (key->failed || !mcl__disk_cache_directory(folder, sizeof folder)) return 0;
    const uint64_t lengths = mcl__hash(known, sizeof *known);
    mcl__text_format(path, "%s/%016llx.bin", folder, (unsigned long long)(mcl__hash(key->data, key->length) ^ lengths));
    return !path->failed;
}

/* The file is whole, and of this key; its binary is appended to binary. */
static int file_holds(const mcl__text *file, const header *known, const mcl__text *key, mcl__text *binary)
{
    header found;
    if (file->length < sizeof found) return 0;
    memcpy(&found, file->data, sizeof found);
    const char *const parts = file->data + sizeof found;
    const size_t bytes = file->length - sizeof found;
    const size_t key_bytes = key->length;
    if (found.magic != known->magic || found.version != known->version) return 0;
    if (memcmp(found.bytes, known->bytes, KEY_PARTS * sizeof found.bytes[0]) != 0) return 0;
    if (bytes <= key_bytes || found.bytes[KEY_PARTS] != bytes - key_bytes) return 0;
    if (memcmp(parts, key->data, key_bytes) != 0 || found.checksum != mcl__hash(parts, bytes)) return 0;
    mcl__text_bytes(binary, parts + key_bytes, bytes - key_bytes);
    return !binary->failed;
}

int mcl__disk_cache_read(const mcl_context *context, const char *source, mcl__text *binary)
{
    mcl__text key = { 0 };
    mcl__text path = { 0 };
    mcl__text file = { 0 };
    mcl__text_clear(binary);
    const header known = key_of(context, source, &key);
    const int hit =
        path_of(&known, &key, &path) && mcl__file_read(path.data, &file) && file_holds(&file, &known, &key, binary);
    mcl__text_free(&file);
    mcl__text_free(&path);
    mcl__text_free(&key);
    return hit;
}

void mcl__disk_cache_write(const mcl_context *context, const char *source, const void *binary, size_t bytes)
{
    mcl__text key = { 0 };
    mcl__text path = { 0 };
    mcl__text file = { 0 };
    header made = key_of(context, source, &key);
    if (path_of(&made, &key, &path)) {
        made.bytes[KEY_PARTS] = bytes;
        mcl__text_bytes(&key, binary, bytes); /* now all parts */
        made.checksum = key.failed ? 0 : mcl__hash(key.data, key.length);
        mcl__text_bytes(&file, &made, sizeof made);
        mcl__text_bytes(&file, key.data, key.length);
        /* A file that cannot be written is a miss next time. */
        if (!key.failed && !file.failed) (void)mcl__file_replace(path.data, file.data, file.length);
    }
    mcl__text_free(&file);
    mcl__text_free(&path);
    mcl__text_free(&key);
}
