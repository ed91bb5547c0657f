/* context.c: lists all devices in order, opens a device by name, and creates and releases contexts. */
#include "context/context.h"
#include "context/probe.h"

#include "moderncl/moderncl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The backends, in order of preference. Where two of them offer devices of the same kind, the default device is from
 * the first. */
static const mcl__backend *const backends[] = { &mcl__cuda_backend, &mcl__opencl_backend };
enum { BACKEND_COUNT = sizeof backends / sizeof *backends };

typedef struct device_entry {
    const mcl__backend *backend;
    int index;
    int rank;
    mcl_device_info info;
} device_entry;

typedef struct device_list {
    device_entry *entries;
    int count;
} device_list;

const char *mcl_version(void)
{
#define VERSION_TEXT(x) #x
#define VERSION(major, minor, patch) VERSION_TEXT(major) "." VERSION_TEXT(minor) "." VERSION_TEXT(patch)
    return VERSION(MCL_VERSION_MAJOR, MCL_VERSION_MINOR, MCL_VERSION_PATCH);
#undef VERSION
#undef VERSION_TEXT
}

/* ---- the list of devices ------------------------------------------------------------------------------------ */

/* Returns the order of a device in the list: GPUs first, then CPUs, then programs that imitate a device for tests. */
static int device_rank(const mcl_device_info *info)
{
    if (info->is_gpu == 1) return 0;
    return strcmp(info->vendor, "Mesa") == 0 || strcmp(info->vendor, "Oclgrind") == 0 ? 2 : 1;
}

static mcl_status list_append(device_list *list, const mcl__backend *backend)
{
    int count = 0;
    MCL__TRY(backend->device_count(&count));
    if (count == 0) return MCL_OK;
    const size_t entries = (size_t)list->count + (size_t)count;
    device_entry *const grown = realloc(list->entries, entries * sizeof *grown);
    if (!grown) return mcl__fail(MCL_ERROR_MEMORY, "host memory for a list of %d devices is exhausted", count);
    list->entries = grown;
    for (int i = 0; i < count; ++i) {
        device_entry *const entry = &grown[list->count];
        *entry = (device_entry){ .backend = backend, .index = i };
        MCL__TRY(backend->device_info(i, &entry->info));
        entry->info.mapping = entry->info.is_gpu == 1 ? MCL_MAPPING_GROUP : MCL_MAPPING_SERIAL;
        entry->info.look_back = -1;
        entry->rank = device_rank(&entry->info);
        ++list->count;
    }
    return MCL_OK;
}

/* Sorts the list by rank. The sort is stable, so it keeps the order of backends and of each driver's devices. */
static void list_sort(device_list *list)
{
    for (int i = 1; i < list->count; ++i) {
        const device_entry entry = list->entries[i];
        int place = i;
        for (; place > 0 && list->entries[place - 1].rank > entry.rank; --place)
            list->entries[place] = list->entries[place - 1];
        list->entries[place] = entry;
    }
}

/* Lists the devices of the backend with this name; NULL means all backends. A driver that fails adds no devices, and
 * its status is returned only where no driver has a device. */
static mcl_status list_make(const char *backend_name, device_list *list)
{
    *list = (device_list){ 0 };
    mcl_status status = MCL_OK;
    for (int i = 0; i < BACKEND_COUNT; ++i) {
        if (backend_name && strcmp(backends[i]->name, backend_name) != 0) continue;
        const mcl_status part = list_append(list, backends[i]);
        if (part != MCL_OK) status = part;
    }
    list_sort(list);
    if (list->count > 0) return MCL_OK;
    free(list->entries); /* devices may have been counted, but none could be described */
    list->entries = NULL;
    return status;
}

mcl_status mcl_device_list(mcl_device_info *infos, int capacity, int *count)
{
    mcl__function_is("mcl_device_list");
    if (!count) return mcl__fail(MCL_ERROR_ARGUMENT, "count is NULL; expected where to put a number");
    if (capacity < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "capacity is %d; expected 0 or more", capacity);
    if (capacity > 0 && !infos)
        return mcl__fail(MCL_ERROR_ARGUMENT, "infos is NULL; expected room for %d entries", capacity);
    MCL__TRY(mcl__process_claim());
    device_list list;
    const mcl_status status = list_make(NULL, &list);
    for (int i = 0; i < list.count && i < capacity; ++i) infos[i] = list.entries[i].info;
    *count = list.count;
    free(list.entries);
    return status;
}

/* ---- choosing a device by name ------------------------------------------------------------------------------ */

/* Takes the part of a device name up to ':' or the end, and moves *next past it. Returns 0 where no part is left. */
static int name_part(const char **next, const char **part, size_t *length)
{
    if (!*next) return 0;
    *part = *next;
    *length = strcspn(*next, ":");
    *next = (*next)[*length] ? *next + *length + 1 : NULL;
    return 1;
}

static int text_contains(const char *text, const char *part, size_t length)
{
    const size_t text_length = strlen(text);
    for (size_t i = 0; i + length <= text_length; ++i) {
        if (mcl__text_same_letters(text + i, part, length)) return 1;
    }
    return 0;
}

/* Returns 1 where part is the same number as index. A part that is no number must occur in text instead. */
static int part_matches(const char *part, size_t length, const char *index, size_t index_length, const char *text)
{
    size_t digits = 0;
    while (digits < length && part[digits] >= '0' && part[digits] <= '9') ++digits;
    if (digits < length || length == 0) return text_contains(text, part, length);
    return length == index_length && memcmp(part, index, length) == 0;
}

/* Returns 1 where name fits info->id, which is "backend:platform:device" or "backend:device". Each part after the
 * backend is an index, or a text that occurs in the platform's or device's name. */
static int device_matches(const char *name, const mcl_device_info *info)
{
    const char *id = info->id;
    const char *part, *index;
    size_t length, index_length;
    (void)name_part(&name, &part, &length);
    (void)name_part(&id, &index, &index_length);
    while (name_part(&name, &part, &length)) {
        if (!name_part(&id, &index, &index_length)) return 0;
        if (!part_matches(part, length, index, index_length, id ? info->platform : info->name)) return 0;
    }
    return 1;
}

/* Returns the name of the backend at the start of a device name, or NULL where there is none. */
static const char *name_backend(const char *name)
{
    const size_t length = name ? strcspn(name, ":") : 0;
    for (int i = 0; i < BACKEND_COUNT; ++i) {
        const char *const known = backends[i]->name;
        if (length == strlen(known) && mcl__text_same_letters(name, known, length)) return known;
    }
    return NULL;
}

static mcl_status fail_no_device(const char *name)
{
    mcl__text known = { 0 };
    device_list list;
    (void)list_make(NULL, &list);
    for (int i = 0; i < list.count; ++i)
        mcl__text_format(&known, "%s%s (%s, %s)", i ? ", " : "", list.entries[i].info.id, list.entries[i].info.platform,
                         list.entries[i].info.name);
    mcl__text missing = { 0 };
    const char *const wanted = name_backend(name);
    const int is_static = mcl__program_is_static(); /* a static program finds no installed driver */
    for (int i = 0; i < BACKEND_COUNT; ++i)
        backends[i]->device_missing(&missing, !is_static && (list.count == 0 || wanted == backends[i]->name));
    const char *const nothing = is_static
                                    ? "the program is linked by -static, so it can load no driver; expected one that "
                                      "is linked with the shared C library (libmoderncl.a may stay)"
                                    : "no OpenCL or CUDA driver was found that has one";
    mcl_status status;
    if (list.count == 0)
        status = mcl__fail(MCL_ERROR_DEVICE, "device is %s, but there is no device: %s", name ? name : "NULL",
                           missing.data ? missing.data : nothing);
    else
        status = mcl__fail(MCL_ERROR_ARGUMENT,
                           "device is \"%s\"; expected one of: %s, or a part of a name in place of its index, as in "
                           "opencl:portable%s%s",
                           name ? name : "", known.data ? known.data : "", missing.data ? "; " : "",
                           missing.data ? missing.data : "");
    free(list.entries);
    mcl__text_free(&known);
    mcl__text_free(&missing);
    return status;
}

/* ---- a context's life --------------------------------------------------------------------------------------- */

mcl_status mcl_context_create(const char *device, mcl_context **out)
{
    mcl__function_is("mcl_context_create");
    if (!out) return mcl__fail(MCL_ERROR_ARGUMENT, "out is NULL; expected where to put a context");
    MCL__TRY(mcl__process_claim());
    const char *const name = device ? device : mcl__environment("MCL_DEVICE");
    const char *const backend_name = name_backend(name);
    if (name && !backend_name) return fail_no_device(name);
    device_list list;
    MCL__TRY(list_make(backend_name, &list));
    int chosen = 0;
    while (chosen < list.count && name && !device_matches(name, &list.entries[chosen].info)) ++chosen;
    if (chosen == list.count) {
        free(list.entries);
        return fail_no_device(name);
    }
    mcl_context *context = NULL;
    const mcl__backend *const backend = list.entries[chosen].backend;
    const mcl_status status = backend->context_open(list.entries[chosen].index, &context);
    free(list.entries);
    return status == MCL_OK ? mcl__context_adopt(backend, context, out) : status;
}

/* Returns a number of MCL_FEATURES, limited to the range from least to most. */
static int64_t feature_between(const char *name, int64_t value, int64_t least, int64_t most)
{
    const int64_t number = mcl__feature_number(name, value);
    return number < least ? least : number > most ? most : number;
}

static void limits_override(mcl__limits *limits)
{
    char mapping[16];
    char key[sizeof limits->tuning_key] = "";
    if (mcl__feature("tuning_key", key, sizeof key)) memcpy(limits->tuning_key, key, sizeof key);
    if (mcl__feature("mapping", mapping, sizeof mapping)) {
        if (strcmp(mapping, "group") == 0) limits->mapping = MCL_MAPPING_GROUP;
        if (strcmp(mapping, "serial") == 0) limits->mapping = MCL_MAPPING_SERIAL;
    }
    limits->has_double = mcl__feature_number("double", limits->has_double) != 0;
    limits->has_half = mcl__feature_number("half", limits->has_half) != 0;
    limits->poll_limit = (int)feature_between("poll_limit", limits->poll_limit, 0, INT32_MAX);
    limits->loop_budget = feature_between("loop_budget", limits->loop_budget, 0, INT64_MAX);
    limits->cache_bytes = feature_between("cache_bytes", limits->cache_bytes, 0, INT64_MAX);
    limits->local_memory = feature_between("local_memory", limits->local_memory, 0, INT64_MAX);
    limits->launch_memory = feature_between("local_memory", limits->launch_memory, 0, INT64_MAX);
    limits->max_threads = (int)feature_between("max_threads", limits->max_threads, 1, INT32_MAX);
    limits->interval_order =
        (int)feature_between("interval_order", limits->interval_order, MCL__ORDER_NEVER, MCL__ORDER_ALWAYS);
    limits->mends_seams = mcl__feature_number("mends_seams", limits->mends_seams) != 0;
    limits->loses_barriers = mcl__feature_number("barriers", !limits->loses_barriers) == 0;
}

/* Fills the limits that planning needs, from what the driver has reported. Limits that the backend has set stay. */
static void limits_settle(mcl__limits *limits, mcl_device_info *info)
{
    /* The largest number of polls of a predecessor before its sum is recomputed. A GPU does not deschedule a waiting
     * group, so the sum always arrives. On a CPU the predecessor's thread may have lost its core, and recomputing is
     * faster than waiting. */
    const int gpu_polls = 1 << 20;
    const int cpu_polls = 1 << 12;
    (void)snprintf(limits->tuning_key, sizeof limits->tuning_key, "%.30s %.31s", info->vendor, info->architecture);
    limits->is_gpu = info->is_gpu == 1;
    limits->mapping = limits->is_gpu ? MCL_MAPPING_GROUP : MCL_MAPPING_SERIAL;
    if (limits->compute_units <= 0) limits->compute_units = info->compute_units > 0 ? info->compute_units : 1;
    if (limits->local_memory <= 0) limits->local_memory = info->local_memory > 0 ? info->local_memory : 0;
    if (limits->launch_memory < limits->local_memory) limits->launch_memory = limits->local_memory;
    if (limits->max_threads <= 0) limits->max_threads = info->max_threads > 0 ? info->max_threads : 1;
    if (limits->cache_bytes <= 0) limits->cache_bytes = info->cache_bytes > 0 ? info->cache_bytes : 0;
    if (limits->loop_budget <= 0) limits->loop_budget = info->loop_budget > 0 ? info->loop_budget : 0;
    limits->has_double = info->has_double == 1;
    limits->has_half = info->has_half == 1;
    limits->interval_order = MCL__ORDER_WHERE_FASTER;
    limits->mends_seams = 1;
    if (limits->poll_limit <= 0) limits->poll_limit = limits->is_gpu ? gpu_polls : cpu_polls;
    if (limits->loop_budget > 0 && limits->poll_limit > limits->loop_budget)
        limits->poll_limit = (int)limits->loop_budget;
    limits_override(limits);
    info->mapping = limits->mapping;
    info->look_back = -1;
    info->has_double = limits->has_double;
    info->has_half = limits->has_half;
    info->loop_budget = limits->loop_budget;
}

/* Frees the context's programs and tuning rows. */
static void forget(mcl_context *context)
{
    if (context->lock.handle) mcl__program_cache_free(context);
    mcl__tuning_free(context->tuning);
}

/* Appends MCL_BUILD_OPTIONS: compiler options for people who edit kernels. */
static mcl_status add_build_options(mcl_context *context)
{
    const char *const more = mcl__environment("MCL_BUILD_OPTIONS");
    const size_t length = strlen(context->build_options);
    const size_t room = sizeof context->build_options - length;
    if (!more || (size_t)snprintf(context->build_options + length, room, "%s%s", length ? " " : "", more) < room)
        return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "MCL_BUILD_OPTIONS has %zu characters; expected at most %zu", strlen(more),
                     room - 2);
}

/* Sets the disk cache's limit to MCL_CACHE_BYTES. The default is 1 GiB, for which disks usually have room. */
static mcl_status set_disk_cache(mcl_context *context)
{
    const int64_t usual = (int64_t)1 << 30;
    const char *const text = mcl__environment("MCL_CACHE_BYTES");
    const size_t digits = text ? strspn(text, "0123456789") : 0;
    /* Strtoll gives INT64_MAX for a larger number. */
    context->disk_cache_limit = text ? strtoll(text, NULL, 10) : usual;
    if (!text || (digits > 0 && !text[digits])) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "MCL_CACHE_BYTES is \"%s\"; expected a number of bytes", text);
}

mcl_status mcl_context_set_disk_cache(mcl_context *context, int64_t bytes)
{
    MCL__TRY(mcl__check_context("mcl_context_set_disk_cache", context));
    if (bytes < 0) return mcl__fail(MCL_ERROR_ARGUMENT, "bytes is %lld; expected 0 or more", (long long)bytes);
    context->disk_cache_limit = bytes;
    atomic_store(&context->disk_cache_room, 0);
    return MCL_OK;
}

mcl_status mcl_context_set_build_function(mcl_context *context, mcl_build_function function, void *user)
{
    MCL__TRY(mcl__check_context("mcl_context_set_build_function", context));
    mcl__mutex_lock(&context->lock);
    context->build_function = function;
    context->build_user = user;
    mcl__mutex_unlock(&context->lock);
    return MCL_OK;
}

/* Refuses the group mapping where the compiler generates wrong code for barriers, since results would be wrong without
 * an error. check_tile in check_options.c does the same for calls that choose a tile. */
static mcl_status check_mapping(const mcl_context *context)
{
    if (context->limits.mapping == MCL_MAPPING_SERIAL || !context->limits.loses_barriers) return MCL_OK;
    return mcl__fail(MCL_ERROR_DEVICE,
                     "%s of %s %s compiles kernels with barriers wrongly now and then; expected the serial mapping, or "
                     "MCL_FEATURES with barriers=1 to take it all the same",
                     context->info.name, context->info.vendor, context->info.driver);
}

mcl_status mcl__context_adopt(const mcl__backend *backend, mcl_context *opened, mcl_context **out)
{
    opened->backend = backend;
    atomic_init(&opened->disk_cache_room, 0);
    atomic_init(&opened->disk_cache_told, 0);
    atomic_init(&opened->references, 1);
    opened->forget = forget;
    limits_settle(&opened->limits, &opened->info);
    mcl_status status = mcl__process_claim(); /* for backends that load no driver */
    if (status == MCL_OK) status = mcl__environment_check();
    if (status == MCL_OK) status = check_mapping(opened);
    if (status == MCL_OK && !(mcl__mutex_create(&opened->lock) && mcl__mutex_create(&opened->memory_lock) &&
                              mcl__mutex_create(&opened->probing)))
        status = mcl__fail(MCL_ERROR_MEMORY, "host memory for a lock is exhausted");
    if (status == MCL_OK) status = add_build_options(opened);
    if (status == MCL_OK) status = set_disk_cache(opened);
    if (status == MCL_OK) status = mcl__cache_open(opened);
    mcl__tuning *loaded = NULL;
    if (status == MCL_OK) status = mcl__tuning_load(mcl__environment("MCL_TUNING_FILE"), &opened->limits, &loaded);
    opened->tuning = loaded;
    if (status != MCL_OK) {
        mcl__context_destroy(opened);
        return status;
    }
    opened->tells_builds = mcl__environment("MCL_LOG") != NULL;
    mcl__environment_tell();
    mcl__disk_cache_tell(opened);
    *out = opened;
    return MCL_OK;
}

static const char *sub_group_path_name(mcl__sub_group_path path)
{
    static const char *const names[] = { "none", "cuda", "ptx", "khr" };
    return names[path];
}

static const char *word_path_name(mcl__word_path path)
{
    static const char *const names[] = { "none", "cuda", "c11", "ptx", "legacy" };
    return names[path];
}

mcl_status mcl_context_info(mcl_context *context, mcl_device_info *info)
{
    MCL__TRY(mcl__check_context("mcl_context_info", context));
    if (!info) return mcl__fail(MCL_ERROR_ARGUMENT, "info is NULL; expected where to put the facts");
    MCL__TRY(mcl__context_probe(context));
    *info = context->info;
    const mcl__limits *const limits = &context->limits;
    info->sub_group_size = limits->sub_group_path == MCL__SUB_GROUP_NONE ? 1 : limits->sub_group_size;
    info->look_back = limits->look_back;
    (void)snprintf(info->sub_group_path, sizeof info->sub_group_path, "%s",
                   sub_group_path_name(limits->sub_group_path));
    (void)snprintf(info->status_word_path, sizeof info->status_word_path, "%s", word_path_name(limits->word_path));
    const int kept = context->keeps_binaries && context->disk_cache_limit > 0;
    if (!kept || !mcl__disk_cache_directory(info->cache_directory, sizeof info->cache_directory))
        info->cache_directory[0] = 0;
    return MCL_OK;
}

mcl_status mcl_context_load_tuning(mcl_context *context, const char *path)
{
    MCL__TRY(mcl__check_context("mcl_context_load_tuning", context));
    if (!path) return mcl__fail(MCL_ERROR_ARGUMENT, "path is NULL; expected the name of a file");
    mcl__tuning *loaded = NULL;
    MCL__TRY(mcl__tuning_load(path, &context->limits, &loaded));
    mcl__mutex_lock(&context->lock);
    mcl__tuning_keep(loaded, context->tuning);
    context->tuning = loaded;
    mcl__mutex_unlock(&context->lock);
    return MCL_OK;
}

/* ---- the dialect ------------------------------------------------------------------------------------------- */

static mcl_status dialect_copy(const mcl__text *whole, char *text, size_t capacity, size_t *needed)
{
    const size_t bytes = whole->length + 1;
    if (needed) *needed = bytes;
    if (!text) return MCL_OK;
    if (capacity < bytes)
        return mcl__fail(MCL_ERROR_ARGUMENT, "capacity is %zu; expected %zu or more", capacity, bytes);
    memcpy(text, whole->data, bytes);
    return MCL_OK;
}

mcl_status mcl_dialect_text(mcl_context *context, int threads, char *text, size_t capacity, size_t *needed)
{
    mcl__text whole = { 0 };
    MCL__TRY(mcl__check_context("mcl_dialect_text", context));
    if (threads < 1) return mcl__fail(MCL_ERROR_ARGUMENT, "threads is %d; expected 1 or more", threads);
    mcl_status status = mcl__context_probe(context); /* chooses the paths of the device, which the dialect depends on */
    if (status == MCL_OK) status = mcl__source_dialect(context, threads, &whole);
    if (status == MCL_OK) status = dialect_copy(&whole, text, capacity, needed);
    mcl__text_free(&whole);
    return status;
}
