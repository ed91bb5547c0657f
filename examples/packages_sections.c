/* packages_sections.c: the sections of a Debian system: their sizes by group by, and their packages by size by a
 * segmented sort. */
#include "packages_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTIONS_SHOWN = 8 };

/* ---- the size of each section: group by ------------------------------------------------------------------------- */

/* A section's number is that of its first package. */
static void number_sections(const package_list *packages, int32_t *numbers)
{
    for (int k = 0; k < packages->count; k++) {
        numbers[k] = 0;
        while (strcmp(packages->items[numbers[k]].section, packages->items[k].section) != 0) numbers[k]++;
    }
}

static void show_section_sizes(work *at, const int32_t *numbers, int64_t sections, const int32_t *found,
                               const int64_t *sums)
{
    int64_t expected = 0;
    int same = 1;

    for (int first = 0; first < at->packages->count; first++) {
        int64_t sum = 0;
        if (numbers[first] != first) continue; /* groups come in the order of their keys */
        for (int k = first; k < at->packages->count; k++) sum += numbers[k] == first ? at->sizes[k] : 0;
        same = same && expected < sections && found[expected] == first && sums[expected] == sum;
        if (same && expected < SECTIONS_SHOWN)
            printf("  %-16s %12lld KiB\n", at->packages->items[first].section, (long long)sum);
        expected++;
    }
    show_check(at, same && expected == sections);
}

static mcl_status group_sections(work *at, const int32_t *numbers, int32_t *found, int64_t *sums, int64_t *sections)
{
    const int count = at->packages->count;
    mcl_buffer *device_numbers;
    mcl_buffer *device_found;
    mcl_buffer *device_sums;

    TRY(make_buffer(at, sizeof *numbers * (size_t)count, numbers, &device_numbers));
    TRY(make_buffer(at, sizeof *found * (size_t)count, NULL, &device_found));
    TRY(make_buffer(at, sizeof *sums * (size_t)count, NULL, &device_sums));
    const mcl_aggregate total = { mcl_from_buffer(MCL_INT32, at->device_sizes, 0, count), &at->add,
                                  mcl_to_buffer(MCL_INT64, device_sums, 0, count) };
    TIMED(at, "Size of each section (group by)",
          mcl_group_by(at->queue, mcl_from_buffer(MCL_INT32, device_numbers, 0, count),
                       mcl_to_buffer(MCL_INT32, device_found, 0, count), &total, 1, mcl_to_host(MCL_INT64, sections),
                       &at->options));
    TRY(mcl_buffer_read(at->queue, device_found, 0, sizeof *found * (size_t)*sections, found));
    return mcl_buffer_read(at->queue, device_sums, 0, sizeof *sums * (size_t)*sections, sums);
}

mcl_status show_by_section(work *at)
{
    const size_t count = (size_t)at->packages->count;
    int32_t *const numbers = calloc(count, sizeof *numbers), *const found = calloc(count, sizeof *found);
    int64_t *const sums = calloc(count, sizeof *sums);
    int64_t sections = 0;
    mcl_status status = MCL_ERROR_MEMORY;

    if (numbers && found && sums) {
        number_sections(at->packages, numbers);
        status = group_sections(at, numbers, found, sums, &sections);
    }
    if (status == MCL_OK) show_section_sizes(at, numbers, sections, found, sums);
    free(numbers);
    free(found);
    free(sums);
    return status;
}

/* ---- each section's packages by size: segmented sort ------------------------------------------------------------- */

/* The packages section by section, in the order in which the status file has them. */
typedef struct grouping {
    int section_count;
    int32_t *members; /* places of packages */
    int32_t *sizes;   /* of the members */
    int32_t *starts;  /* of each section among the members */
} grouping;

static int grouping_create(const work *at, grouping *made)
{
    const int count = at->packages->count;
    const package *const items = at->packages->items;
    char *const is_placed = calloc((size_t)count, 1);
    int placed = 0;

    made->members = calloc((size_t)count, sizeof *made->members);
    made->sizes = calloc((size_t)count, sizeof *made->sizes);
    made->starts = calloc((size_t)count, sizeof *made->starts);
    const int enough = is_placed && made->members && made->sizes && made->starts;
    for (int first = 0; enough && first < count; first++) {
        if (is_placed[first]) continue;
        made->starts[made->section_count++] = placed;
        for (int k = first; k < count; k++) {
            if (is_placed[k] || strcmp(items[k].section, items[first].section) != 0) continue;
            is_placed[k] = 1;
            made->members[placed] = k;
            made->sizes[placed++] = at->sizes[k];
        }
    }
    free(is_placed);
    return enough;
}

static void grouping_free(grouping *freed)
{
    free(freed->members);
    free(freed->sizes);
    free(freed->starts);
}

/* sorted: what the device made of the members. The plain loop puts each package before the smaller ones. */
static void show_grouping(work *at, const grouping *groups, const int32_t *sorted)
{
    const int count = at->packages->count;
    int same = 1;

    for (int section = 0; section < groups->section_count; section++) {
        const int start = groups->starts[section];
        const int end = section + 1 < groups->section_count ? groups->starts[section + 1] : count;
        for (int k = start; k < end; k++) {
            int place = start; /* of member k: after those that are larger, or as large and before it */
            for (int other = start; other < end; other++)
                place +=
                    groups->sizes[other] > groups->sizes[k] || (groups->sizes[other] == groups->sizes[k] && other < k);
            same = same && sorted[place] == groups->members[k];
        }
        if (!same || section >= SECTIONS_SHOWN) continue;
        const package *const largest = &at->packages->items[sorted[start]];
        printf("  %-16s %5d packages, the largest %s, %d KiB\n", largest->section, end - start, largest->name,
               largest->kibibytes);
    }
    show_check(at, same);
}

static mcl_status sort_grouping(work *at, const grouping *groups, int32_t *sorted)
{
    const int count = at->packages->count;
    const size_t bytes = sizeof *sorted * (size_t)count;
    mcl_buffer *sizes;
    mcl_buffer *members;
    mcl_buffer *starts;

    TRY(make_buffer(at, bytes, groups->sizes, &sizes));
    TRY(make_buffer(at, bytes, groups->members, &members));
    TRY(make_buffer(at, bytes, groups->starts, &starts));
    const mcl_segments sections =
        mcl_segments_from_indices(mcl_from_buffer(MCL_INT32, starts, 0, groups->section_count));
    TIMED(at, "Each section by size (segmented sort of pairs)",
          mcl_segmented_sort_pairs(
              at->queue, mcl_from_buffer(MCL_INT32, sizes, 0, count), mcl_from_buffer(MCL_INT32, members, 0, count),
              sections, mcl_to_buffer(MCL_INT32, sizes, 0, count), mcl_to_buffer(MCL_INT32, members, 0, count),
              MCL_GREATER, MCL_STABLE, NULL, &at->options));
    return mcl_buffer_read(at->queue, members, 0, bytes, sorted);
}

mcl_status show_groups(work *at)
{
    grouping groups = { 0 };
    int32_t *const sorted = calloc((size_t)at->packages->count, sizeof *sorted);
    mcl_status status = MCL_ERROR_MEMORY;

    if (grouping_create(at, &groups) && sorted) status = sort_grouping(at, &groups, sorted);
    if (status == MCL_OK) show_grouping(at, &groups, sorted);
    grouping_free(&groups);
    free(sorted);
    return status;
}
