/* packages_relations.c: who needs whom among the installed packages.
 *
 * Three relations: packages; providers, a row for each name that a package has or provides; and wishes, a row for each
 * alternative of a dependency: "gpgv | gpgv2" is one dependency and two wishes. Wishes join providers on the name's
 * hash; what is joined tells the packages that are wanted and the dependencies that are met, and two anti-joins the
 * packages and dependencies that are not among these. */
#include "packages_relations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8, BUFFERS_MAX = 24 };

#define TRY(expression)                                                                                                \
    do {                                                                                                               \
        const mcl_status try_status = (expression);                                                                    \
        if (try_status != MCL_OK) return try_status;                                                                   \
    } while (0)

/* A name that lies in a longer text. */
typedef struct name {
    const char *text;
    int length;
} name;

/* Rows of names: hash and number of what each belongs to. */
typedef struct relation {
    int count;
    int capacity;
    name *names;
    uint64_t *hashes;
    int32_t *owners;
} relation;

typedef struct dependency {
    name text; /* with all its alternatives */
    int32_t package;
} dependency;

typedef struct relations {
    const package_list *packages;
    relation providers; /* owners: packages */
    relation wishes;    /* owners: dependencies */
    dependency *dependencies;
    int dependency_count;
    int dependency_capacity;
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffers[BUFFERS_MAX];
    int buffer_count;
} relations;

/* ---- from the fields' texts to relations ------------------------------------------------------------------------- */

static uint64_t hash_of(name hashed)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (int k = 0; k < hashed.length; k++) hash = (hash ^ (unsigned char)hashed.text[k]) * UINT64_C(1099511628211);
    return hash;
}

static int same_name(name a, name b)
{
    return a.length == b.length && memcmp(a.text, b.text, (size_t)a.length) == 0;
}

static int relation_add(relation *to, name added, int32_t owner)
{
    if (to->count == to->capacity) {
        const int capacity = to->capacity ? 2 * to->capacity : 1024;
        name *names = realloc(to->names, sizeof *names * (size_t)capacity);
        if (names) to->names = names;
        uint64_t *hashes = realloc(to->hashes, sizeof *hashes * (size_t)capacity);
        if (hashes) to->hashes = hashes;
        int32_t *owners = realloc(to->owners, sizeof *owners * (size_t)capacity);
        if (owners) to->owners = owners;
        if (!names || !hashes || !owners) return 0;
        to->capacity = capacity;
    }
    to->names[to->count] = added;
    to->hashes[to->count] = hash_of(added);
    to->owners[to->count++] = owner;
    return 1;
}

static void relation_free(relation *freed)
{
    free(freed->names);
    free(freed->hashes);
    free(freed->owners);
}

/* The next piece of text up to the separator, without blanks around it; *rest: what follows. */
static name next_piece(const char **rest, const char *end, char separator)
{
    const char *start = *rest;
    const char *stop = memchr(start, separator, (size_t)(end - start));
    if (!stop) stop = end;
    *rest = stop < end ? stop + 1 : end;
    while (start < stop && *start == ' ') start++;
    while (start < stop && stop[-1] == ' ') stop--;
    return (name){ start, (int)(stop - start) };
}

/* "libc6:any (>= 2.34)" without what follows the name. */
static name bare_name(name piece)
{
    int length = 0;
    while (length < piece.length && !strchr(" (:", piece.text[length])) length++;
    return (name){ piece.text, length };
}

static int add_provided(relations *at, const char *text, int32_t owner)
{
    const char *const end = text ? text + strlen(text) : NULL;
    for (const char *rest = text; rest < end;) {
        const name provided = bare_name(next_piece(&rest, end, ','));
        if (provided.length > 0 && !relation_add(&at->providers, provided, owner)) return 0;
    }
    return 1;
}

static int add_dependencies(relations *at, const char *text, int32_t owner)
{
    const char *const end = text ? text + strlen(text) : NULL;
    for (const char *rest = text; rest < end;) {
        const name whole = next_piece(&rest, end, ',');
        if (whole.length == 0) continue;
        if (at->dependency_count == at->dependency_capacity) {
            const int capacity = at->dependency_capacity ? 2 * at->dependency_capacity : 1024;
            dependency *grown = realloc(at->dependencies, sizeof *grown * (size_t)capacity);
            if (!grown) return 0;
            at->dependencies = grown;
            at->dependency_capacity = capacity;
        }
        at->dependencies[at->dependency_count] = (dependency){ whole, owner };
        for (const char *from = whole.text; from < whole.text + whole.length;) {
            const name wish = bare_name(next_piece(&from, whole.text + whole.length, '|'));
            if (wish.length > 0 && !relation_add(&at->wishes, wish, at->dependency_count)) return 0;
        }
        at->dependency_count++;
    }
    return 1;
}

static int relations_make(relations *at)
{
    int made = 1;
    for (int32_t k = 0; made && k < at->packages->count; k++) {
        const package *item = &at->packages->items[k];
        const name own = { item->name, (int)strlen(item->name) };
        made = relation_add(&at->providers, own, k) && add_provided(at, item->provides, k) &&
               add_dependencies(at, item->pre_depends, k) && add_dependencies(at, item->depends, k);
    }
    return made;
}

/* ---- on the device ----------------------------------------------------------------------------------------------- */

static mcl_status make_buffer(relations *at, size_t bytes, const void *data, mcl_buffer **out)
{
    const uint64_t nothing = 0;
    TRY(mcl_buffer_create(at->context, bytes > 0 ? bytes : sizeof nothing, bytes > 0 ? data : &nothing, out));
    at->buffers[at->buffer_count++] = *out;
    return MCL_OK;
}

/* Numbers 0 to count - 1 that are not among those of listed, whose first are as many as the slot says. */
static mcl_status numbers_missing(relations *at, int count, mcl_buffer *listed, int64_t bound, mcl_buffer *slot,
                                  int32_t *out, int64_t *out_count)
{
    const int32_t zero = 0;
    mcl_buffer *found;
    const mcl_output none = { .type = NULL };
    TRY(make_buffer(at, sizeof *out * (size_t)count, NULL, &found));
    TRY(mcl_join_unsorted(at->queue, MCL_JOIN_ANTI, mcl_from_counting(MCL_INT32, &zero, count),
                          mcl_with_count(mcl_from_buffer(MCL_INT32, listed, 0, bound), slot, 0),
                          mcl_to_buffer(MCL_INT32, found, 0, count), none, MCL_LESS, mcl_to_host(MCL_INT64, out_count),
                          NULL));
    return mcl_buffer_read(at->queue, found, 0, sizeof *out * (size_t)*out_count, out);
}

/* The join of wishes with providers: how many rows, and on the device their places in both; the slot gets the number
 * too. */
typedef struct matches {
    int64_t rows;
    mcl_buffer *wish_rows;
    mcl_buffer *provider_rows;
    mcl_buffer *slot;
} matches;

static mcl_status relations_match(relations *at, matches *out)
{
    mcl_buffer *wishes;
    mcl_buffer *providers;
    const size_t size = sizeof(uint64_t);
    const mcl_output nowhere = mcl_to_buffer(MCL_INT32, NULL, 0, 0);

    TRY(make_buffer(at, size * (size_t)at->wishes.count, at->wishes.hashes, &wishes));
    TRY(make_buffer(at, size * (size_t)at->providers.count, at->providers.hashes, &providers));
    TRY(make_buffer(at, sizeof(int64_t), NULL, &out->slot));
    const mcl_input a = mcl_from_buffer(MCL_UINT64, wishes, 0, at->wishes.count);
    const mcl_input b = mcl_from_buffer(MCL_UINT64, providers, 0, at->providers.count);
    TRY(mcl_join_unsorted(at->queue, MCL_JOIN_INNER, a, b, nowhere, nowhere, MCL_LESS,
                          mcl_to_host(MCL_INT64, &out->rows), NULL)); /* only counts */
    TRY(make_buffer(at, sizeof(int32_t) * (size_t)out->rows, NULL, &out->wish_rows));
    TRY(make_buffer(at, sizeof(int32_t) * (size_t)out->rows, NULL, &out->provider_rows));
    return mcl_join_unsorted(at->queue, MCL_JOIN_INNER, a, b, mcl_to_buffer(MCL_INT32, out->wish_rows, 0, out->rows),
                             mcl_to_buffer(MCL_INT32, out->provider_rows, 0, out->rows), MCL_LESS,
                             mcl_to_slot(MCL_INT64, out->slot, 0), NULL);
}

/* For each row the number that a column of numbers has for it. */
static mcl_status fetch(relations *at, mcl_buffer *rows, int64_t row_count, const int32_t *column, int count,
                        mcl_buffer **out)
{
    mcl_buffer *device_column;
    TRY(make_buffer(at, sizeof *column * (size_t)count, column, &device_column));
    TRY(make_buffer(at, sizeof *column * (size_t)row_count, NULL, out));
    return mcl_join_gather(at->queue, mcl_from_buffer(MCL_INT32, rows, 0, row_count),
                           mcl_from_buffer(MCL_INT32, device_column, 0, count), NULL,
                           mcl_to_buffer(MCL_INT32, *out, 0, row_count), NULL);
}

/* unwanted: packages; unmet: dependencies; with room for all of them. owners: the packages of dependencies. */
static mcl_status relations_run(relations *at, const int32_t *owners, int32_t *unwanted, int64_t *unwanted_count,
                                int32_t *unmet, int64_t *unmet_count)
{
    matches found;
    mcl_buffer *met;
    mcl_buffer *wisher;
    mcl_buffer *provider;
    mcl_buffer *wanted;

    TRY(relations_match(at, &found));
    const int64_t rows = found.rows;
    TRY(fetch(at, found.wish_rows, rows, at->wishes.owners, at->wishes.count, &met));
    TRY(fetch(at, met, rows, owners, at->dependency_count, &wisher));
    TRY(fetch(at, found.provider_rows, rows, at->providers.owners, at->providers.count, &provider));
    TRY(numbers_missing(at, at->dependency_count, met, rows, found.slot, unmet, unmet_count));

    /* What a package wants of itself makes nobody want it: such rows name no package. */
    const mcl_binding bound[] = { mcl_binding_buffer("provider", MCL_INT32, provider, 0),
                                  mcl_binding_buffer("wisher", MCL_INT32, wisher, 0) };
    const char *const text = "provider[i] == wisher[i] ? -1 : provider[i]";
    TRY(make_buffer(at, sizeof(int32_t) * (size_t)rows, NULL, &wanted));
    TRY(mcl_transform(at->queue, mcl_from_expression(MCL_INT32, text, NULL, bound, 2, rows),
                      mcl_to_buffer(MCL_INT32, wanted, 0, rows), NULL));
    return numbers_missing(at, at->packages->count, wanted, rows, found.slot, unwanted, unwanted_count);
}

/* ---- by plain loops ---------------------------------------------------------------------------------------------- */

/* 1: what the device has found is what looking at every pair of names finds. */
static int relations_check(const relations *at, const int32_t *unwanted, int64_t unwanted_count, const int32_t *unmet,
                           int64_t unmet_count)
{
    unsigned char *is_wanted = calloc((size_t)at->packages->count + 1, 1);
    unsigned char *is_met = calloc((size_t)at->dependency_count + 1, 1);
    int64_t places[2] = { 0, 0 };
    int same = is_wanted && is_met;

    for (int w = 0; same && w < at->wishes.count; w++) {
        const int32_t wish = at->wishes.owners[w];
        for (int p = 0; p < at->providers.count; p++) {
            const int32_t provider = at->providers.owners[p];
            if (!same_name(at->wishes.names[w], at->providers.names[p])) continue;
            is_met[wish] = 1;
            if (at->dependencies[wish].package != provider) is_wanted[provider] = 1;
        }
    }
    for (int k = 0; same && k < at->packages->count; k++)
        if (!is_wanted[k]) same = places[0] < unwanted_count && unwanted[places[0]++] == k;
    for (int k = 0; same && k < at->dependency_count; k++)
        if (!is_met[k]) same = places[1] < unmet_count && unmet[places[1]++] == k;
    free(is_wanted);
    free(is_met);
    return same && places[0] == unwanted_count && places[1] == unmet_count;
}

static void relations_print(const relations *at, const int32_t *unwanted, int64_t unwanted_count, const int32_t *unmet,
                            int64_t unmet_count)
{
    printf("\nWho needs whom (joins): %d dependencies, %d names provided\n", at->dependency_count, at->providers.count);
    printf("  %lld packages that no other one depends on:", (long long)unwanted_count);
    for (int64_t k = 0; k < unwanted_count && k < SHOWN; k++) printf(" %s", at->packages->items[unwanted[k]].name);
    printf("%s\n  %lld dependencies that no installed package meets:\n", unwanted_count > SHOWN ? " ..." : "",
           (long long)unmet_count);
    for (int64_t k = 0; k < unmet_count && k < SHOWN; k++) {
        const dependency *shown = &at->dependencies[unmet[k]];
        printf("    %s wants %.*s\n", at->packages->items[shown->package].name, shown->text.length, shown->text.text);
    }
}

mcl_status relations_show(mcl_context *context, mcl_queue *queue, const package_list *packages, int *same)
{
    relations at = { .packages = packages, .context = context, .queue = queue };
    mcl_status status = MCL_ERROR_MEMORY;
    int64_t unwanted_count = 0;
    int64_t unmet_count = 0;
    int32_t *unwanted = malloc(sizeof *unwanted * (size_t)(packages->count + 1));
    int32_t *unmet = NULL;
    int32_t *owners = NULL;

    if (unwanted && relations_make(&at)) {
        unmet = malloc(sizeof *unmet * (size_t)(at.dependency_count + 1));
        owners = malloc(sizeof *owners * (size_t)(at.dependency_count + 1));
    }
    for (int k = 0; owners && k < at.dependency_count; k++) owners[k] = at.dependencies[k].package;
    if (unmet && owners) status = relations_run(&at, owners, unwanted, &unwanted_count, unmet, &unmet_count);
    if (status == MCL_OK) {
        *same = relations_check(&at, unwanted, unwanted_count, unmet, unmet_count);
        if (*same) relations_print(&at, unwanted, unwanted_count, unmet, unmet_count);
    }
    for (int k = 0; k < at.buffer_count; k++) mcl_buffer_release(at.buffers[k]);
    relation_free(&at.providers);
    relation_free(&at.wishes);
    free(at.dependencies);
    free(unwanted);
    free(unmet);
    free(owners);
    return status;
}
