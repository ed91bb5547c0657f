/* disk_cache.c: keeps compiled programs on disk for later processes.
 *
 * A file holds a header, the context's cache identity, the build options, the source and the binary. A reader compares
 * identity, options and source, since the file's name is only their hash. A file with unexpected content counts as
 * missing. A process that writes files also removes old ones when the folder exceeds its limit. */
#include "program/program.h"

#include <stdio.h>
#include <string.h>

enum { FORMAT_VERSION = 1, KEY_PARTS = 3, PARTS = 4 };

/* The largest file that is read or written. The library's largest programs have a few MiB. */
enum { FILE_BYTES_MAX = 64 << 20 };

/* The number of sweeps per full cache. Reading a folder takes milliseconds, so a context sweeps only at its first
 * write, and then after each 1/64 of the limit. */
enum { SWEPT_PARTS = 64 };

/* The first bytes of a file, as they lie in memory. On a machine with another byte order or word size, the magic number
 * or a size is wrong. */
typedef struct header {
    uint64_t magic;
    uint64_t version;
    uint64_t bytes[PARTS]; /* sizes of identity, options, source and binary */
    uint64_t checksum;     /* hash of these four parts */
} header;

static const uint64_t magic = UINT64_C(0x6d6f6465726e636c);

/* Appends the folder's name. Returns 0 where there is no folder, for example because MCL_CACHE_DIR is empty. */
static int folder_name(mcl__text *text)
{
    const char *const own = mcl__environment("MCL_CACHE_DIR");
    if (own)
        mcl__text_append(text, own);
    else
        mcl__cache_home(text);
    if (!own && text->length) mcl__text_append(text, "/moderncl");
    return !text->failed && text->length > 0;
}

/* Opens the folder, and writes its name to out unless out is NULL. */
static int folder_open(mcl__folder *folder, char *out, size_t capacity)
{
    mcl__text name = { 0 };
    const int usable = folder_name(&name) && (!out || name.length < capacity) && mcl__folder_open(folder, name.data);
    if (usable && out) memcpy(out, name.data, name.length + 1);
    mcl__text_free(&name);
    return usable;
}

int mcl__disk_cache_directory(char *out, size_t capacity)
{
    mcl__folder folder;
    if (!folder_open(&folder, out, capacity)) return 0;
    mcl__folder_close(&folder);
    return 1;
}

void mcl__disk_cache_tell(const mcl_context *context)
{
    mcl__text name = { 0 };
    mcl__folder folder;
    const int is_named = mcl__environment("MCL_CACHE_DIR") != NULL;
    if (context->disk_cache_limit <= 0 || (!is_named && !context->keeps_binaries) || !folder_name(&name)) {
        mcl__text_free(&name);
        return;
    }
    if (mcl__folder_open(&folder, name.data))
        mcl__folder_close(&folder);
    else
        mcl__tell("the folder %s of compiled programs cannot be used%s; expected %s", name.data,
                  context->keeps_binaries ? ", so that programs are compiled anew in each process"
                                          : ", but this device's driver keeps programs itself",
                  "one that this user can make or write, of mode 0700, and no link");
    mcl__text_free(&name);
}

/* Makes a program's key: the key parts in the order of the file. Returns a header with their sizes. */
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

/* ---- names of files: 16 digits and ".bin" -------------------------------------------------------------- */

enum { NAME_DIGITS = 16, NAME_CAPACITY = 32 };
static const char ending[] = ".bin";

static void file_name(const header *known, const mcl__text *key, char *name)
{
    const uint64_t lengths = mcl__hash(known, sizeof *known);
    (void)snprintf(name, NAME_CAPACITY, "%016llx%s", (unsigned long long)(mcl__hash(key->data, key->length) ^ lengths),
                   ending);
}

static size_t own_name(const char *name)
{
    if (strspn(name, "0123456789abcdef") != NAME_DIGITS) return 0;
    const size_t length = sizeof ending - 1;
    return strncmp(name + NAME_DIGITS, ending, length) == 0 ? NAME_DIGITS + length : 0;
}

/* ---- reading and writing ------------------------------------------------------------------------------- */

/* Returns 1 where the file is complete and has this key. Then it appends the file's binary to binary. */
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

/* Makes the key and opens the folder. Returns 0 where there is no cache. The caller frees the key in both cases. */
static int cache_open(const mcl_context *context, const char *source, mcl__text *key, header *known,
                      mcl__folder *folder)
{
    if (context->disk_cache_limit <= 0) return 0;
    *known = key_of(context, source, key);
    return !key->failed && folder_open(folder, NULL, 0);
}

int mcl__disk_cache_read(const mcl_context *context, const char *source, mcl__text *binary)
{
    mcl__text key = { 0 };
    mcl__text file = { 0 };
    mcl__folder folder;
    header known;
    int hit = 0;
    mcl__text_clear(binary);
    if (cache_open(context, source, &key, &known, &folder)) {
        char name[NAME_CAPACITY];
        file_name(&known, &key, name);
        hit = mcl__folder_read(&folder, name, FILE_BYTES_MAX, &file) && file_holds(&file, &known, &key, binary);
        mcl__folder_close(&folder);
    }
    mcl__text_free(&file);
    mcl__text_free(&key);
    return hit;
}

/* Reports to the log function, once for each context, that a file could not be kept. */
static void tell_unkept(mcl_context *context, const mcl__text *file, const char *expected)
{
    mcl__text name = { 0 };
    if (atomic_exchange(&context->disk_cache_told, 1) || !folder_name(&name)) return;
    mcl__tell(
        "the folder %s of compiled programs does not take a file of %zu bytes, so that its program is compiled anew "
        "in each process; expected %s",
        name.data, file->length, expected);
    mcl__text_free(&name);
}

/* Writes a file, and from time to time removes old files. If a file cannot be written, the next process compiles
 * again. */
static void file_write(mcl_context *context, const mcl__folder *folder, const char *name, const mcl__text *file)
{
    const int64_t limit = context->disk_cache_limit;
    if (file->failed || file->length > FILE_BYTES_MAX) return;
    if ((int64_t)file->length > limit) {
        tell_unkept(context, file, "more in MCL_CACHE_BYTES or mcl_context_set_disk_cache");
        return;
    }
    if (!mcl__folder_replace(folder, name, file->data, file->length))
        tell_unkept(context, file, "room on its disk, and leave to write there");
    const long long bytes = (long long)file->length;
    if (atomic_fetch_sub(&context->disk_cache_room, bytes) > bytes) return;
    mcl__folder_sweep(folder, own_name, limit);
    atomic_store(&context->disk_cache_room, limit / SWEPT_PARTS);
}

void mcl__disk_cache_write(mcl_context *context, const char *source, const void *binary, size_t bytes)
{
    mcl__text key = { 0 };
    mcl__text file = { 0 };
    mcl__folder folder;
    header made;
    if (cache_open(context, source, &key, &made, &folder)) {
        char name[NAME_CAPACITY];
        file_name(&made, &key, name);
        made.bytes[KEY_PARTS] = bytes;
        mcl__text_bytes(&key, binary, bytes); /* key now also has the binary: it is the whole file */
        made.checksum = key.failed ? 0 : mcl__hash(key.data, key.length);
        mcl__text_bytes(&file, &made, sizeof made);
        if (!key.failed) mcl__text_bytes(&file, key.data, key.length);
        if (!key.failed) file_write(context, &folder, name, &file);
        mcl__folder_close(&folder);
    }
    mcl__text_free(&file);
    mcl__text_free(&key);
}
