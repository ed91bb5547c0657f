/* segmented_sort.c: mcl_segmented_sort, its variants for pairs and indices, and the text of reports. tiled_sort.c
 * sorts. */
#include "operations/segmented_sort/tiled_operands.h"

#include <stdarg.h>
#include <stdio.h>

mcl_status mcl_segmented_sort(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_output out,
                              const mcl_op *before, mcl_stability stability, mcl_sort_report *report,
                              const mcl_options *options)
{
    const mcl__tiled_sort plan = { .function = "mcl_segmented_sort",
                                   .keys = keys,
                                   .out = out,
                                   .before = before,
                                   .segmented = 1,
                                   .segments = segments,
                                   .stability = stability,
                                   .report = report };
    return mcl__tiled_sort_run(queue, &plan, options);
}

mcl_status mcl_segmented_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_segments segments,
                                    mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                    mcl_stability stability, mcl_sort_report *report, const mcl_options *options)
{
    const mcl__tiled_sort plan = { .function = "mcl_segmented_sort_pairs",
                                   .keys = keys,
                                   .values = values,
                                   .out = out_keys,
                                   .out_values = out_values,
                                   .before = before,
                                   .has_values = 1,
                                   .segmented = 1,
                                   .segments = segments,
                                   .stability = stability,
                                   .report = report };
    return mcl__tiled_sort_run(queue, &plan, options);
}

mcl_status mcl_segmented_sort_indices(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_output out_keys,
                                      mcl_output out_indices, mcl_index_origin origin, const mcl_op *before,
                                      mcl_stability stability, mcl_sort_report *report, const mcl_options *options)
{
    const mcl__tiled_sort plan = { .function = "mcl_segmented_sort_indices",
                                   .keys = keys,
                                   .out = out_keys,
                                   .out_values = out_indices,
                                   .before = before,
                                   .has_values = 1,
                                   .makes_indices = 1,
                                   .origin = origin,
                                   .segmented = 1,
                                   .segments = segments,
                                   .stability = stability,
                                   .report = report };
    return mcl__tiled_sort_run(queue, &plan, options);
}

/* ---- reports ------------------------------------------------------------------------------------------------ */

typedef struct report_text {
    char *text;
    size_t capacity;
    size_t length; /* length of the whole text, even where it does not fit */
} report_text;

static void report_append(report_text *out, const char *format, ...)
{
    const size_t room = out->length < out->capacity ? out->capacity - out->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int added = vsnprintf(room ? out->text + out->length : NULL, room, format, arguments);
    va_end(arguments);
    if (added > 0) out->length += (size_t)added;
}

/* Appends a line of counts with their shares of the tiles, in percent. The counts are averages rounded down to whole
 * tiles, but the shares are exact. */
static void report_line(report_text *out, const mcl_sort_report *report, const char *label, int64_t merges,
                        int64_t copies, int64_t divisor)
{
    const double share = report->tiles > 0 ? 100.0 / (double)report->tiles / (double)divisor : 0;
    report_append(out, "%s %9lld (%6.2f%%)   %9lld (%6.2f%%)\n", label, (long long)(merges / divisor),
                  (double)merges * share, (long long)(copies / divisor), (double)copies * share);
}

int mcl_sort_report_format(const mcl_sort_report *report, char *text, size_t capacity)
{
    report_text out = { text, capacity, 0 };
    int64_t merges = 0;
    int64_t copies = 0;
    if (capacity > 0) text[0] = 0;
    report_append(&out, "                Merge tiles            Copy tiles\n");
    for (int pass = 0; pass < report->pass_count && pass < MCL_SORT_PASSES_MAX; ++pass) {
        char label[24];
        (void)snprintf(label, sizeof label, "pass %2d:", pass);
        report_line(&out, report, label, report->merge_tiles[pass], report->copy_tiles[pass], 1);
        merges += report->merge_tiles[pass];
        copies += report->copy_tiles[pass];
    }
    report_line(&out, report, "average:", merges, copies, report->pass_count > 0 ? report->pass_count : 1);
    report_line(&out, report, "total  :", merges, copies, 1);
    if (report->mended > 0) report_append(&out, "mended : %9lld segments in place\n", (long long)report->mended);
    return (int)out.length;
}
