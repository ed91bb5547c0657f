/* packages.c: how the installed size of a Debian system adds up, worked out on a device: the total, the largest
 * packages, the size of each section, each section's packages by size, cumulative sizes, the sizes of two sections
 * merged with the packages they belong to, and who needs whom.
 *
 *     packages [STATUS_FILE [SECTION SECTION]]
 *
 * STATUS_FILE is a dpkg status file: the system's where none is given, else the sample in examples/data. SECTIONs: the
 * two with the most packages. MCL_DEVICE chooses the device. Every result is compared with a plain loop in C. Built
 * from packages.c, packages_sections.c, packages_relations.c and packages_status.c. */
#include "packages_relations.h"
#include "packages_work.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TENTHS = 10, MERGED_SHOWN = 10, LARGEST_SHOWN = 10, SMALLEST_SHOWN = 3 };

mcl_status make_buffer(work *at, size_t bytes, const void *data, mcl_buffer **out)
{
    TRY(mcl_buffer_create(at->context, bytes, data, out));
    at->buffers[at->buffer_count++] = *out;
    return MCL_OK;
}

/* ---- what a call takes: its programs, and their run on the device ----------------------------------------------- */

static double now(void)
{
    struct timespec time;
    (void)timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void exchange_queues(work *at)
{
    mcl_queue *const other = at->preparing;
    at->preparing = at->queue;
    at->queue = other;
}

void timing_start(work *at)
{
    exchange_queues(at);
    at->options = (mcl_options){ 0 };
    at->start = now();
}

void timing_built(work *at)
{
    at->built = now() - at->start;
    exchange_queues(at);
    at->options.done = &at->done;
}

mcl_status timing_show(work *at, const char *what)
{
    double milliseconds;
    const mcl_status status = mcl_event_milliseconds(at->done, &milliseconds);

    mcl_event_release(at->done);
    if (status == MCL_OK) printf("\n%s: runs in %.3f ms, built in %.1f ms\n", what, milliseconds, at->built);
    return status;
}

void show_check(work *at, int same)
{
    printf("  a plain C loop gives %s\n", same ? "the same" : "SOMETHING ELSE");
    if (!same) at->differences++;
}

/* ---- total and largest: reduce -------------------------------------------------------------------------------- */

static mcl_status show_total(work *at)
{
    const int count = at->packages->count;
    const mcl_input sizes = mcl_from_buffer(MCL_INT32, at->device_sizes, 0, count);
    int64_t total = 0;
    mcl_int32_at largest = { 0 };

    TIMED(at, "Total (reduce)", mcl_reduce(at->queue, sizes, &at->add, mcl_to_host(MCL_INT64, &total), &at->options));
    printf("  %lld KiB in %d packages\n", (long long)total, count);
    show_check(at, total == at->sums[count - 1]);

    TIMED(at, "Largest package (reduce with max-index)",
          mcl_reduce(at->queue, sizes, MCL_MAX_INDEX, mcl_to_host(MCL_INT32_AT, &largest), &at->options));
    int expected = 0;
    for (int k = 1; k < count; k++)
        if (at->sizes[k] > at->sizes[expected]) expected = k;
    const int same = largest.index == expected && largest.value == at->sizes[expected];
    if (same) printf("  %s, %d KiB\n", at->packages->items[expected].name, largest.value);
    show_check(at, same);
    return MCL_OK;
}

/* ---- packages by size: sort ------------------------------------------------------------------------------------- */

static void show_smallest(work *at, const int32_t *places)
{
    const int count = at->packages->count;
    int same = 1;

    /* Each place stands before the next, by size and then by number: so all are there, and in order. */
    for (int k = 0; same && k < count; k++) {
        const int place = places[k];
        const int last = k > 0 ? places[k - 1] : -1;
        same = place >= 0 && place < count;
        if (same && k > 0)
            same = at->sizes[last] > at->sizes[place] || (at->sizes[last] == at->sizes[place] && last < place);
    }
    for (int k = count < SMALLEST_SHOWN ? 0 : count - SMALLEST_SHOWN; same && k < count; k++)
        printf("  %10d KiB  %s\n", at->sizes[places[k]], at->packages->items[places[k]].name);
    show_check(at, same);
}

static mcl_status show_by_size(work *at)
{
    const int count = at->packages->count;
    const size_t bytes = sizeof(int32_t) * (size_t)count;
    mcl_buffer *device_places;

    TRY(make_buffer(at, bytes, NULL, &device_places));
    TIMED(at, "Packages by size, the last of them (sort of indices)",
          mcl_sort_indices(at->queue, mcl_from_buffer(MCL_INT32, at->device_sizes, 0, count),
                           mcl_to_buffer(MCL_INT32, device_places, 0, count), MCL_GREATER, &at->options));
    int32_t *places = malloc(bytes);
    if (!places) return MCL_ERROR_MEMORY;
    const mcl_status status = mcl_buffer_read(at->queue, device_places, 0, bytes, places);
    if (status == MCL_OK) show_smallest(at, places);
    free(places);
    return status;
}

/* ---- the largest packages: top-k -------------------------------------------------------------------------------- */

/* How many packages are larger, or as large and before it. */
static int rank_of(const work *at, int place)
{
    int rank = 0;

    for (int k = 0; k < at->packages->count; k++)
        rank += at->sizes[k] > at->sizes[place] || (at->sizes[k] == at->sizes[place] && k < place);
    return rank;
}

static mcl_status show_top(work *at)
{
    const int count = at->packages->count;
    const int shown = count < LARGEST_SHOWN ? count : LARGEST_SHOWN;
    int32_t places[LARGEST_SHOWN];
    mcl_buffer *device_places;
    int same = 1;

    TRY(make_buffer(at, sizeof places, NULL, &device_places));
    TIMED(at, "The largest packages (top-k of indices)",
          mcl_top_k_indices(at->queue, mcl_from_buffer(MCL_INT32, at->device_sizes, 0, count), mcl_amount_of(shown),
                            mcl_to_buffer(MCL_INT32, device_places, 0, LARGEST_SHOWN), MCL_GREATER, mcl_to_nowhere(),
                            &at->options));
    TRY(mcl_buffer_read(at->queue, device_places, 0, sizeof *places * (size_t)shown, places));
    for (int k = 0; k < shown; k++) {
        const int place = places[k];
        same = same && place >= 0 && place < count && rank_of(at, place) == k;
        if (same) printf("  %10d KiB  %s\n", at->sizes[place], at->packages->items[place].name);
    }
    show_check(at, same);
    return MCL_OK;
}

/* ---- cumulative sizes: scan, and a search for each tenth -------------------------------------------------------- */

/* The packages in which the sum passes 10 %, 20 % ... of the total: a search of equally spaced numbers in the sums. */
static mcl_status show_tenths(work *at, mcl_buffer *sums)
{
    const int count = at->packages->count;
    const int64_t total = at->sums[count - 1];
    const int64_t step = (total + TENTHS - 1) / TENTHS;
    int32_t places[TENTHS + 1];
    mcl_buffer *device_places;

    if (total == 0) return MCL_OK;
    const int64_t steps = (total + step - 1) / step;
    const size_t bytes = sizeof *places * (size_t)(steps + 1);
    TRY(make_buffer(at, bytes, NULL, &device_places));
    TIMED(at, "Where each tenth of the total is reached (binary search)",
          mcl_cut_search(at->queue, mcl_from_buffer(MCL_INT64, sums, 0, count), total, step, MCL_LOWER,
                         mcl_to_buffer(MCL_INT32, device_places, 0, steps + 1), &at->options));
    TRY(mcl_buffer_read(at->queue, device_places, 0, bytes, places));
    int same = 1;
    int expected = 0;
    for (int k = 0; k <= steps; k++) {
        const int64_t sum = k * step < total ? k * step : total;
        while (at->sums[expected] < sum) expected++;
        same = same && places[k] == expected;
        if (k > 0 && places[k] == expected)
            printf("  %4lld %% %12lld KiB  %s\n", (long long)(sum * 100 / total), (long long)at->sums[expected],
                   at->packages->items[expected].name);
    }
    show_check(at, same);
    return MCL_OK;
}

static mcl_status show_sums(work *at)
{
    const int count = at->packages->count;
    const size_t bytes = sizeof(int64_t) * (size_t)count;
    mcl_buffer *device_sums;

    TRY(make_buffer(at, bytes, NULL, &device_sums));
    TIMED(at, "Cumulative sizes (scan)",
          mcl_scan(at->queue, mcl_from_buffer(MCL_INT32, at->device_sizes, 0, count),
                   mcl_to_buffer(MCL_INT64, device_sums, 0, count), &at->add, MCL_INCLUSIVE, mcl_to_nowhere(),
                   &at->options));
    int64_t *sums = malloc(bytes);
    if (!sums) return MCL_ERROR_MEMORY;
    const mcl_status status = mcl_buffer_read(at->queue, device_sums, 0, bytes, sums);
    if (status == MCL_OK) show_check(at, memcmp(sums, at->sums, bytes) == 0);
    free(sums);
    return status == MCL_OK ? show_tenths(at, device_sums) : status;
}

/* ---- two sections, each sorted by size, merged with the packages they belong to --------------------------------- */

typedef struct pair {
    int32_t size;
    int32_t package;
} pair;

/* One list of pairs, as two arrays. */
typedef struct pairs {
    int count;
    int32_t *sizes;
    int32_t *packages;
} pairs;

static int compare_pairs(const void *p, const void *q)
{
    const pair *a = p;
    const pair *b = q;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return a->package < b->package ? -1 : 1;
}

static int pairs_create(pairs *made, int count)
{
    made->count = count;
    made->sizes = calloc((size_t)count + 1, sizeof *made->sizes);
    made->packages = calloc((size_t)count + 1, sizeof *made->packages);
    return made->sizes && made->packages;
}

static void pairs_free(pairs *freed)
{
    free(freed->sizes);
    free(freed->packages);
}

/* The packages of a section in order of size. 0: out of memory. */
static int pairs_of_section(const package_list *packages, const char *section, pairs *out)
{
    pair *found = calloc((size_t)packages->count + 1, sizeof *found);
    int count = 0;

    if (!found) return 0;
    for (int k = 0; k < packages->count; k++)
        if (strcmp(packages->items[k].section, section) == 0)
            found[count++] = (pair){ packages->items[k].kibibytes, k };
    qsort(found, (size_t)count, sizeof *found, compare_pairs);
    const int made = pairs_create(out, count);
    for (int k = 0; made && k < count; k++) {
        out->sizes[k] = found[k].size;
        out->packages[k] = found[k].package;
    }
    free(found);
    return made;
}

static void merge_by_loop(const pairs *a, const pairs *b, pairs *out)
{
    int i = 0;
    int j = 0;

    for (int k = 0; k < out->count; k++) {
        const int takes_a = j == b->count || (i < a->count && a->sizes[i] <= b->sizes[j]);
        const pairs *from = takes_a ? a : b;
        const int place = takes_a ? i++ : j++;
        out->sizes[k] = from->sizes[place];
        out->packages[k] = from->packages[place];
    }
}

static mcl_status merge_on_device(work *at, const pairs *a, const pairs *b, pairs *out)
{
    const size_t a_bytes = sizeof(int32_t) * (size_t)a->count;
    const size_t b_bytes = sizeof(int32_t) * (size_t)b->count;
    mcl_buffer *a_sizes;
    mcl_buffer *a_packages;
    mcl_buffer *b_sizes;
    mcl_buffer *b_packages;
    mcl_buffer *sizes;
    mcl_buffer *packages;

    TRY(make_buffer(at, a_bytes, a->sizes, &a_sizes));
    TRY(make_buffer(at, a_bytes, a->packages, &a_packages));
    TRY(make_buffer(at, b_bytes, b->sizes, &b_sizes));
    TRY(make_buffer(at, b_bytes, b->packages, &b_packages));
    TRY(make_buffer(at, a_bytes + b_bytes, NULL, &sizes));
    TRY(make_buffer(at, a_bytes + b_bytes, NULL, &packages));
    TIMED(at, "Two sections by size (merge of pairs)",
          mcl_merge_pairs(
              at->queue, mcl_from_buffer(MCL_INT32, a_sizes, 0, a->count),
              mcl_from_buffer(MCL_INT32, a_packages, 0, a->count), mcl_from_buffer(MCL_INT32, b_sizes, 0, b->count),
              mcl_from_buffer(MCL_INT32, b_packages, 0, b->count), mcl_to_buffer(MCL_INT32, sizes, 0, out->count),
              mcl_to_buffer(MCL_INT32, packages, 0, out->count), MCL_LESS, &at->options));
    TRY(mcl_buffer_read(at->queue, sizes, 0, a_bytes + b_bytes, out->sizes));
    return mcl_buffer_read(at->queue, packages, 0, a_bytes + b_bytes, out->packages);
}

static void show_merged(work *at, const char *const sections[2], const pairs *a, const pairs *b, const pairs *merged,
                        const pairs *expected)
{
    const size_t bytes = sizeof(int32_t) * (size_t)merged->count;
    const int same =
        memcmp(merged->sizes, expected->sizes, bytes) == 0 && memcmp(merged->packages, expected->packages, bytes) == 0;

    printf("  %s (%d packages) and %s (%d), the largest of both:\n", sections[0], a->count, sections[1], b->count);
    for (int k = merged->count - 1; same && k >= 0 && k >= merged->count - MERGED_SHOWN; k--) {
        const package *shown = &at->packages->items[merged->packages[k]];
        printf("  %10d KiB  %-32s %s\n", merged->sizes[k], shown->name, shown->section);
    }
    show_check(at, same);
}

static mcl_status show_sections(work *at, const char *const sections[2])
{
    pairs a = { 0 };
    pairs b = { 0 };
    pairs merged = { 0 };
    pairs expected = { 0 };
    mcl_status status = MCL_ERROR_MEMORY;

    if (pairs_of_section(at->packages, sections[0], &a) && pairs_of_section(at->packages, sections[1], &b) &&
        pairs_create(&merged, a.count + b.count) && pairs_create(&expected, a.count + b.count)) {
        merge_by_loop(&a, &b, &expected);
        status = merge_on_device(at, &a, &b, &merged);
        if (status == MCL_OK) show_merged(at, sections, &a, &b, &merged, &expected);
    }
    pairs_free(&a);
    pairs_free(&b);
    pairs_free(&merged);
    pairs_free(&expected);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

static int section_count(const package_list *packages, const char *section)
{
    int count = 0;

    for (int k = 0; k < packages->count; k++) count += strcmp(packages->items[k].section, section) == 0;
    return count;
}

/* The two sections with the most packages; twice the same where there is only one. */
static void choose_sections(const package_list *packages, const char *sections[2])
{
    int most[2] = { 0, 0 };

    sections[0] = sections[1] = packages->items[0].section;
    for (int k = 0; k < packages->count; k++) {
        const char *section = packages->items[k].section;
        if (strcmp(section, sections[0]) == 0 && most[0]) continue;
        if (strcmp(section, sections[1]) == 0 && most[1]) continue;
        const int count = section_count(packages, section);
        if (count > most[0]) {
            sections[1] = sections[0];
            most[1] = most[0];
            sections[0] = section;
            most[0] = count;
        } else if (count > most[1]) {
            sections[1] = section;
            most[1] = count;
        }
    }
}

static mcl_status run(work *at, const char *const sections[2])
{
    const int count = at->packages->count;
    mcl_device_info info;

    TRY(mcl_context_create(NULL, &at->context));
    progress_show(at->context);
    TRY(mcl_context_info(at->context, &info));
    printf("Runs on %s (%s), %s mapping\n", info.name, info.id, info.mapping == MCL_MAPPING_GROUP ? "group" : "serial");
    TRY(mcl_queue_create(at->context, MCL_QUEUE_PROFILING, &at->queue));
    TRY(mcl_queue_create_preparing(at->context, &at->preparing));

    at->sizes = malloc(sizeof *at->sizes * (size_t)count);
    at->sums = malloc(sizeof *at->sums * (size_t)count);
    if (!at->sizes || !at->sums) return MCL_ERROR_MEMORY;
    int64_t sum = 0;
    for (int k = 0; k < count; k++) {
        at->sizes[k] = at->packages->items[k].kibibytes;
        at->sums[k] = sum += at->sizes[k];
    }
    at->add = *MCL_ADD;
    at->add.value = MCL_INT64;
    TRY(make_buffer(at, sizeof *at->sizes * (size_t)count, at->sizes, &at->device_sizes));
    TRY(show_total(at));
    TRY(show_top(at));
    TRY(show_by_size(at));
    TRY(show_by_section(at));
    TRY(show_groups(at));
    TRY(show_sums(at));
    TRY(show_sections(at, sections));
    int same = 0;
    TRY(relations_show(at->context, at->queue, at->packages, &same));
    show_check(at, same);
    return MCL_OK;
}

/* 0 where everything went well. */
static int run_and_report(const package_list *packages, const char *const sections[2])
{
    work at = { .packages = packages };
    const mcl_status status = run(&at, sections);

    if (status != MCL_OK)
        fprintf(stderr, "packages: %s: %s\n", mcl_status_name(status), mcl_last_error());
    else if (at.differences > 0)
        printf("\n%d results differ from those of plain C loops.\n", at.differences);
    else
        puts("\nEvery result is that of a plain C loop.");
    for (int k = 0; k < at.buffer_count; k++) mcl_buffer_release(at.buffers[k]);
    mcl_queue_release(at.queue);
    mcl_queue_release(at.preparing);
    mcl_context_release(at.context);
    free(at.sizes);
    free(at.sums);
    return status != MCL_OK || at.differences > 0;
}

static const char *default_path(void)
{
    static const char system_path[] = "/var/lib/dpkg/status";
    FILE *file = fopen(system_path, "r");

    if (!file) return "examples/data/status";
    fclose(file);
    return system_path;
}

int main(int argument_count, char **arguments)
{
    const char *path = argument_count > 1 ? arguments[1] : default_path();
    const char *sections[2];
    package_list packages = { 0 };
    int failed = 1;

    if (argument_count > 4 || argument_count == 3 || path[0] == '-') {
        fputs("usage: packages [STATUS_FILE [SECTION SECTION]]\n", stderr);
        return 2;
    }
    if (packages_read(path, &packages)) {
        printf("%s: %d packages installed, %d not installed, %d malformed records skipped\n", path, packages.count,
               packages.absent, packages.skipped);
        failed = 0;
        if (packages.count > 0) {
            choose_sections(&packages, sections);
            for (int k = 0; k < 2 && argument_count == 4; k++) {
                sections[k] = arguments[2 + k];
                if (section_count(&packages, sections[k]) > 0) continue;
                fprintf(stderr, "packages: no installed package is of section %s\n", sections[k]);
                failed = 1;
            }
            if (!failed) failed = run_and_report(&packages, sections);
        }
    }
    packages_free(&packages);
    return failed;
}
