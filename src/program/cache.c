/* cache.c: keeps the programs of a context and the kernel objects of a queue. Both are found by the bytes of a spec. A
 * call whose program exists looks only into its queue's own table, which needs no lock. */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- a table of keyed entries: open addressing, entries stay where they were allocated ----------------- */

typedef struct entry {
    uint64_t hash;
    size_t key_bytes;
    char *key;
} entry;

typedef struct table {
    entry **slots; /* capacity is a power of two, and at most half of the slots are used */
    size_t capacity;
    size_t count;
} table;

static entry *table_find(const table *searched, uint64_t hash, const mcl__text *key)
{
    if (searched->capacity == 0) return NULL;
    const size_t mask = searched->capacity - 1;
    for (size_t k = (size_t)hash & mask; searched->slots[k]; k = (k + 1) & mask) {
        entry *const found = searched->slots[k];
        if (found->hash == hash && found->key_bytes == key->length && memcmp(found->key, key->data, key->length) == 0)
            return found;
    }
    return NULL;
}

static void table_place(table *filled, entry *added)
{
    const size_t mask = filled->capacity - 1;
    size_t k = (size_t)added->hash & mask;
    while (filled->slots[k]) k = (k + 1) & mask;
    filled->slots[k] = added;
}

/* Enlarges the table where half of it is used. Returns 1 where there is room for one more entry. */
static int table_grow(table *grown)
{
    if (grown->capacity >= 2 * (grown->count + 1)) return 1;
    const size_t capacity = grown->capacity ? 2 * grown->capacity : 16;
    table larger = { calloc(capacity, sizeof *larger.slots), capacity, grown->count };
    if (!larger.slots) return 0;
    for (size_t k = 0; k < grown->capacity; ++k)
        if (grown->slots[k]) table_place(&larger, grown->slots[k]);
    free(grown->slots);
    *grown = larger;
    return 1;
}

/* Adds an item of size bytes, which begins with an entry; its other bytes are 0. Returns NULL where memory is
 * exhausted. */
static entry *table_add(table *grown, uint64_t hash, const mcl__text *key, size_t size)
{
    entry *const added = table_grow(grown) ? calloc(1, size) : NULL;
    char *const copy = added ? malloc(key->length + 1) : NULL;
    if (!copy) {
        free(added);
        return NULL;
    }
    memcpy(copy, key->data, key->length);
    *added = (entry){ hash, key->length, copy };
    table_place(grown, added);
    ++grown->count;
    return added;
}

static void table_remove_all(table *emptied)
{
    for (size_t k = 0; k < emptied->capacity; ++k) {
        if (!emptied->slots[k]) continue;
        free(emptied->slots[k]->key);
        free(emptied->slots[k]);
    }
    free(emptied->slots);
    *emptied = (table){ 0 };
}

/* ---- programs of a context, kernels of a queue --------------------------------------------------------- */

typedef struct program {
    entry base;
    mcl__mutex building; /* locked by the thread that builds; guards the members below */
    int has_mutex;
    void *handle; /* the driver's program; NULL until it is built */
    mcl__tile tile;
    int threads[MCL__KERNELS_MAX]; /* threads and enters: the members of mcl__kernels */
    unsigned enters;
    mcl__kernels *spare; /* kernel objects that no queue uses at present */
    int spare_count;
    int spare_capacity;
    char *failure; /* sentence of a failed build that would fail again, or NULL */
} program;

typedef struct queue_kernels {
    entry base;
    program *from;
    mcl__kernels kernels;
} queue_kernels;

struct mcl__program_cache {
    table programs; /* guarded by the context's lock */
    int built;
};

struct mcl__kernel_cache {
    table kernels;
};

static mcl_status no_memory(const mcl__spec *spec)
{
    return mcl__fail(MCL_ERROR_MEMORY, "host memory for the program of %s is exhausted", spec->file);
}

static void kernels_release(mcl_context *context, mcl__kernels *kernels)
{
    for (int k = 0; k < MCL__KERNELS_MAX; ++k)
        if (kernels->kernel[k]) context->backend->kernel_release(context, kernels->kernel[k]);
    memset(kernels->kernel, 0, sizeof kernels->kernel);
}

static mcl_status kernels_create(mcl_context *context, void *handle, const mcl__spec *spec, mcl__kernels *kernels)
{
    mcl_status status = MCL_OK;
    memset(kernels->kernel, 0, sizeof kernels->kernel);
    for (int k = 0; k < MCL__KERNELS_MAX && status == MCL_OK; ++k)
        if (spec->kernels[k])
            status = context->backend->kernel_create(context, handle, spec->kernels[k], &kernels->kernel[k]);
    if (status != MCL_OK) kernels_release(context, kernels);
    return status;
}

/* ---- building ------------------------------------------------------------------------------------------ */

/* Writes the text to a file in the folder MCL_DUMP_SOURCE, so that people can read it. */
static mcl_status dump_source(const mcl__spec *spec, const mcl__text *source)
{
    const char *const folder = mcl__environment("MCL_DUMP_SOURCE");
    if (!folder) return MCL_OK;
    const char *const slash = strrchr(spec->file, '/');
    const char *const file = slash ? slash + 1 : spec->file;
    const int stem = (int)strcspn(file, ".");
    mcl__text path = { 0 };
    mcl__text_format(&path, "%s/%.*s_%016llx.cl", folder, stem, file,
                     (unsigned long long)mcl__hash(source->data, source->length));
    mcl_status status = MCL_OK;
    if (path.failed || !mcl__file_replace(path.data, source->data, source->length))
        status = mcl__fail(MCL_ERROR_ARGUMENT, "MCL_DUMP_SOURCE is %s, where the text of %s cannot be written", folder,
                           spec->file);
    mcl__text_free(&path);
    return status;
}

/* Returns the program from the disk cache, or NULL where the cache has none that the driver accepts. */
static void *load(mcl_context *context, const mcl__spec *spec, const char *source)
{
    mcl__text binary = { 0 };
    mcl__kernels kernels;
    void *handle = NULL;
    if (!mcl__disk_cache_read(context, source, &binary)) {
        mcl__text_free(&binary);
        return NULL;
    }
    const int earlier = mcl__fail_quietly(1); /* a program that fails to load is built again */
    mcl_status status = context->backend->program_load(context, binary.data, binary.length, &handle);
    if (status != MCL_OK) handle = NULL;
    if (status == MCL_OK) status = kernels_create(context, handle, spec, &kernels);
    (void)mcl__fail_quietly(earlier);
    mcl__text_free(&binary);
    if (status == MCL_OK) {
        kernels_release(context, &kernels);
        return handle;
    }
    if (handle) context->backend->program_release(context, handle);
    return NULL;
}

static mcl_status build_once(mcl_context *context, const mcl__spec *spec, mcl__text *source, void **handle)
{
    MCL__TRY(mcl__source_assemble(&context->limits, context->dialect, spec, source));
    MCL__TRY(dump_source(spec, source));
    const double began = mcl__milliseconds();
    *handle = context->keeps_binaries ? load(context, spec, source->data) : NULL;
    if (*handle) {
        mcl__program_tell(context, MCL_BUILD_LOADED, MCL_OK, began, spec->file);
        return MCL_OK;
    }
    MCL__TRY(mcl__program_build(context, spec, source->data, spec->file, handle));
    if (!context->keeps_binaries) return MCL_OK;
    mcl__text binary = { 0 };
    /* If the driver gives no binary, the program still runs, and the next process builds it again. */
    if (context->backend->program_binary(context, *handle, &binary) == MCL_OK && !binary.failed)
        mcl__disk_cache_write(context, source->data, binary.data, binary.length);
    mcl__text_free(&binary);
    return MCL_OK;
}

/* Halves the work-items of the spec's tile, or the kernel's own number of them, since the compiled kernel allows
 * fewer. */
static mcl_status halve(mcl__spec *spec, int kernel, int allowed)
{
    const int needed = mcl__spec_threads(spec, kernel);
    const char *const name = spec->threads_named[kernel];
    if (spec->threads[kernel] > 0 && !name)
        return mcl__fail(MCL_ERROR_UNSUPPORTED,
                         "kernel %s has work-groups of %d work-items; expected at most %d, as the device allows it",
                         spec->kernels[kernel], needed, allowed);
    if (!name) spec->tile.threads /= 2;
    for (int k = 0; k < MCL__KERNELS_MAX; ++k) {
        int *const threads = &spec->threads[k];
        if (!spec->threads_named[k]) continue;
        if (name && strcmp(spec->threads_named[k], name) == 0) *threads = needed / 2;
        if (*threads > spec->tile.threads) *threads = spec->tile.threads;
    }
    return MCL_OK;
}

/* Asks how many work-items each compiled kernel allows. If a kernel has more, it halves the tile's work-items, or the
 * kernel's own number. */
static mcl_status fit_threads(mcl_context *context, mcl__spec *spec, void *handle)
{
    mcl__kernels kernels;
    const mcl__spec asked = *spec;
    MCL__TRY(kernels_create(context, handle, spec, &kernels));
    mcl_status status = MCL_OK;
    for (int k = 0; k < MCL__KERNELS_MAX && status == MCL_OK; ++k) {
        const int needed = spec->kernels[k] ? mcl__spec_threads(&asked, k) : 1;
        /* Halving for another kernel has reduced kernel k too. */
        if (needed == 1 || mcl__spec_threads(spec, k) < needed) continue;
        int allowed = needed;
        status = context->backend->kernel_max_threads(context, kernels.kernel[k], &allowed);
        if (status == MCL_OK && allowed < needed) status = halve(spec, k, allowed);
    }
    kernels_release(context, &kernels);
    return status;
}

static int same_threads(const mcl__spec *a, const mcl__spec *b)
{
    return a->tile.threads == b->tile.threads && memcmp(a->threads, b->threads, sizeof a->threads) == 0;
}

/* Returns 1 where the kernel's text begins with MCL_ENTER (source.c). A user's own __kernel has no MCL_ENTER. */
static int has_enter(const char *source, const char *kernel)
{
    static const char enter[] = "{ MCL_ENTER(";
    const size_t length = strlen(kernel);
    for (const char *at = strstr(source, kernel); at; at = strstr(at, kernel)) {
        at += length;
        if (*at != '(') continue;
        const char *const next = at + strcspn(at, "{;");
        if (strncmp(next, enter, sizeof enter - 1) == 0) return 1;
    }
    return 0;
}

static unsigned kernels_that_enter(const mcl__spec *spec, const char *source)
{
    unsigned enters = 0;
    for (int k = 0; k < MCL__KERNELS_MAX; ++k)
        if (spec->kernels[k] && has_enter(source, spec->kernels[k])) enters |= 1u << k;
    return enters;
}

/* Builds the spec. If a compiled kernel does not allow its work-items, halves them and builds again, until all kernels
 * do. The text of such a retry asserts no limit of work-group memory: groups that are not whole sub-groups may need
 * more. */
static mcl_status build(mcl_context *context, const mcl__spec *wanted, program *built)
{
    mcl__spec spec = *wanted;
    mcl__text source = { 0 };
    void *handle = NULL;
    mcl_status status = build_once(context, &spec, &source, &handle);
    while (status == MCL_OK && spec.tile.threads > 1) {
        const mcl__spec asked = spec;
        status = fit_threads(context, &spec, handle);
        if (status != MCL_OK || same_threads(&spec, &asked)) break;
        context->backend->program_release(context, handle);
        handle = NULL;
        spec.local_bytes = 0;
        status = build_once(context, &spec, &source, &handle);
    }
    if (status != MCL_OK && handle) context->backend->program_release(context, handle);
    if (status == MCL_OK) built->enters = kernels_that_enter(&spec, source.data);
    mcl__text_free(&source);
    if (status != MCL_OK) return status;
    built->handle = handle;
    built->tile = spec.tile;
    for (int k = 0; k < MCL__KERNELS_MAX; ++k) built->threads[k] = mcl__spec_threads(&spec, k);
    return MCL_OK;
}

/* Keeps the error sentence of a text that the compiler rejected, since it would reject the text again. Other failures
 * are not kept: memory, for example, may be free next time. */
static void remember_failure(program *failed)
{
    /* Without the function's name, since another function may ask for this program. */
    const char *const sentence = mcl__last_error_unnamed();
    const size_t size = strlen(sentence) + 1;
    failed->failure = malloc(size);
    if (failed->failure) memcpy(failed->failure, sentence, size);
}

/* ---- finding ------------------------------------------------------------------------------------------- */

/* Returns the context's entry for a spec, and creates a missing one. Returns NULL where memory is exhausted. The caller
 * holds the context's lock. */
static program *program_entry(mcl_context *context, uint64_t hash, const mcl__text *key)
{
    if (!context->programs) context->programs = calloc(1, sizeof *context->programs);
    if (!context->programs) return NULL;
    entry *const found = table_find(&context->programs->programs, hash, key);
    if (found) return (program *)found;
    return (program *)table_add(&context->programs->programs, hash, key, sizeof(program));
}

/* Finds the program of a spec, or builds it. If two threads ask for the same new program, the second waits for the
 * first. Other programs can be built meanwhile. */
static mcl_status program_find(mcl_context *context, uint64_t hash, const mcl__text *key, const mcl__spec *spec,
                               program **out)
{
    mcl__mutex_lock(&context->lock);
    program *const found = program_entry(context, hash, key);
    mcl_status status = found ? MCL_OK : no_memory(spec);
    if (found && !found->has_mutex) {
        found->has_mutex = mcl__mutex_create(&found->building);
        if (!found->has_mutex) status = mcl__fail(MCL_ERROR_MEMORY, "host memory for a lock is exhausted");
    }
    mcl__mutex_unlock(&context->lock);
    if (status != MCL_OK) return status;

    int is_new = 0;
    mcl__mutex_lock(&found->building);
    if (found->failure) {
        status = mcl__fail(MCL_ERROR_BUILD, "%s", found->failure);
    } else if (!found->handle) {
        status = build(context, spec, found);
        is_new = status == MCL_OK;
        if (status == MCL_ERROR_BUILD && mcl__failed_with_log()) remember_failure(found);
    }
    mcl__mutex_unlock(&found->building);
    if (is_new) {
        mcl__mutex_lock(&context->lock);
        ++context->programs->built;
        mcl__mutex_unlock(&context->lock);
    }
    *out = found;
    return status;
}

/* ---- kernel objects that wait for a queue ---------------------------------------------------------------- */

/* Keeps kernel objects for the next queue. Returns 0 where memory is exhausted. */
static int spare_keep(program *owner, const mcl__kernels *kernels)
{
    mcl__mutex_lock(&owner->building);
    if (owner->spare_count == owner->spare_capacity) {
        const int capacity = owner->spare_capacity ? 2 * owner->spare_capacity : 2;
        mcl__kernels *const grown = realloc(owner->spare, (size_t)capacity * sizeof *grown);
        if (grown) owner->spare = grown;
        if (grown) owner->spare_capacity = capacity;
    }
    const int room = owner->spare_count < owner->spare_capacity;
    if (room) owner->spare[owner->spare_count++] = *kernels;
    mcl__mutex_unlock(&owner->building);
    return room;
}

static int spare_take(program *owner, mcl__kernels *out)
{
    mcl__mutex_lock(&owner->building);
    const int found = owner->spare_count > 0;
    if (found) *out = owner->spare[--owner->spare_count];
    mcl__mutex_unlock(&owner->building);
    return found;
}

/* Makes kernel objects for each open queue, at least for one. If that fails, a queue makes its objects later. */
static void spare_fill(mcl_context *context, program *owner, const mcl__spec *spec, const mcl__kernels *like)
{
    int open = 0;
    mcl__mutex_lock(&context->memory_lock);
    for (const mcl_queue *queue = context->queues; queue; queue = queue->next) open += !queue->only_prepares;
    mcl__mutex_unlock(&context->memory_lock);
    mcl__mutex_lock(&owner->building);
    const int wanted = (open > 0 ? open : 1) - owner->spare_count;
    mcl__mutex_unlock(&owner->building);
    for (int k = 0; k < wanted; ++k) {
        mcl__kernels made = *like;
        if (kernels_create(context, owner->handle, spec, &made) != MCL_OK) return;
        if (!spare_keep(owner, &made)) kernels_release(context, &made);
    }
}

/* Warms all of the program's kernels, also those that this call does not launch. */
static void kernels_warm(mcl_queue *queue, const mcl__kernels *kernels)
{
    for (int k = 0; k < MCL__KERNELS_MAX; ++k)
        if (kernels->kernel[k]) mcl__program_warm(queue, kernels, k, 1);
}

void mcl__program_warm(mcl_queue *queue, const mcl__kernels *kernels, int kernel, int64_t work_items)
{
    if (!queue->context->limits.is_gpu && kernels->enters & 1u << kernel)
        queue->context->backend->kernel_warm(queue, kernels->kernel[kernel], work_items);
}

static mcl_status kernels_add(mcl_queue *queue, uint64_t hash, const mcl__spec *spec, const mcl__kernels **out)
{
    program *found = NULL;
    MCL__TRY(program_find(queue->context, hash, &queue->key, spec, &found));
    mcl__kernels kernels = { .tile = found->tile, .index_bits = spec->index_bits, .enters = found->enters };
    memcpy(kernels.threads, found->threads, sizeof kernels.threads);
    if (!spare_take(found, &kernels)) MCL__TRY(kernels_create(queue->context, found->handle, spec, &kernels));
    queue_kernels *const added = (queue_kernels *)table_add(&queue->kernels->kernels, hash, &queue->key, sizeof *added);
    if (!added) {
        kernels_release(queue->context, &kernels);
        return no_memory(spec);
    }
    added->from = found;
    added->kernels = kernels;
    *out = &added->kernels;
    if (!queue->preparing || queue->preparing == MCL__MEASURES) return MCL_OK;
    kernels_warm(queue, &kernels);
    spare_fill(queue->context, found, spec, &kernels);
    return MCL_OK;
}

mcl_status mcl__program_get(mcl_queue *queue, const mcl__spec *spec, const mcl__kernels **out)
{
    mcl__spec_key(spec, &queue->key);
    if (!queue->kernels) {
        queue->kernels = calloc(1, sizeof *queue->kernels);
        queue->forget = mcl__kernel_cache_free;
    }
    if (queue->key.failed || !queue->kernels) return no_memory(spec);
    const uint64_t hash = mcl__hash(queue->key.data, queue->key.length);
    const entry *const found = table_find(&queue->kernels->kernels, hash, &queue->key);
    if (!found) return kernels_add(queue, hash, spec, out);
    *out = &((const queue_kernels *)found)->kernels;
    return MCL_OK;
}

/* ---- freeing ------------------------------------------------------------------------------------------- */

void mcl__kernel_cache_free(mcl_queue *queue)
{
    if (!queue->kernels) return;
    table *const kernels = &queue->kernels->kernels;
    for (size_t k = 0; k < kernels->capacity; ++k) {
        queue_kernels *const left = (queue_kernels *)kernels->slots[k];
        if (left && !spare_keep(left->from, &left->kernels)) kernels_release(queue->context, &left->kernels);
    }
    table_remove_all(kernels);
    free(queue->kernels);
    queue->kernels = NULL;
}

void mcl__program_cache_free(mcl_context *context)
{
    if (!context->programs) return;
    table *const programs = &context->programs->programs;
    for (size_t k = 0; k < programs->capacity; ++k) {
        program *const freed = (program *)programs->slots[k];
        if (!freed) continue;
        while (freed->spare_count > 0) kernels_release(context, &freed->spare[--freed->spare_count]);
        free(freed->spare);
        if (freed->handle) context->backend->program_release(context, freed->handle);
        if (freed->has_mutex) mcl__mutex_destroy(&freed->building);
        free(freed->failure);
    }
    table_remove_all(programs);
    free(context->programs);
    context->programs = NULL;
}

int mcl__program_count(mcl_context *context)
{
    mcl__mutex_lock(&context->lock);
    const int count = context->programs ? context->programs->built : 0;
    mcl__mutex_unlock(&context->lock);
    return count;
}
