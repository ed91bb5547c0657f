/* fake_histogram.c: calls of kernel_texts of the histograms. Elements of every type are counted by the number of their
 * bin; numbers are counted in all ways. */
#include "fake_backend.h"
#include "fake_calls.h"

#include <stdio.h>
#include <string.h>

static mcl_input of_type(const bench *at, int buffer, const mcl_type *type)
{
    return mcl_from_buffer(type, at->buffers[buffer], 0, COUNT);
}

static mcl_output bins_of(const bench *at, const mcl_type *type, int64_t bins)
{
    return mcl_to_buffer(type, at->buffers[1], 0, bins);
}

/* Counts in even bins, under a label of its own. */
static mcl_status even(const bench *at, const char *label, const mcl_type *weights, const mcl_type *bins, int64_t count)
{
    const mcl_input weight = of_type(at, 2, weights ? weights : bins);
    mcl_options options = *at->options;
    const size_t length = strlen(fake_label);
    if (bins->kind == MCL_KIND_FLOAT) options.flags &= (unsigned)~MCL_DETERMINISTIC;
    (void)snprintf(fake_label + length, sizeof fake_label - length, "-%s", label);
    const mcl_status status =
        mcl_histogram_even(at->queue, of_type(at, 0, at->element->type), 0, at->element->type->size < 4 ? 100 : 100000,
                           weights ? &weight : NULL, bins_of(at, bins, count), &options);
    fake_label[length] = 0;
    return status;
}

mcl_status call_histogram(const bench *at)
{
    static const mcl_op bin = { .role = MCL_ROLE_INDEX, .expression = "i % 1000" };
    const mcl_type *const type = at->element->type;
    MCL__TRY(mcl_histogram(at->queue, of_type(at, 0, type), &bin, NULL, bins_of(at, MCL_INT32, 1000), at->options));
    if (type->kind == MCL_KIND_STRUCT) return MCL_OK;
    MCL__TRY(even(at, "few", NULL, MCL_INT32, 256));
    MCL__TRY(even(at, "thousands", NULL, MCL_INT32, 4096));
    MCL__TRY(even(at, "many", NULL, MCL_INT32, 1 << 16));
    MCL__TRY(even(at, "sums", MCL_INT64, MCL_INT64, 256));
    MCL__TRY(even(at, "many-sums", MCL_INT64, MCL_INT64, 1 << 16));
    MCL__TRY(even(at, "float-sums", MCL_FLOAT, MCL_FLOAT, 256));
    if (at->queue->context->limits.has_double) MCL__TRY(even(at, "double-sums", MCL_FLOAT, MCL_DOUBLE, 256));
    return mcl_histogram_range(at->queue, of_type(at, 0, type), of_type(at, 2, type), NULL,
                               bins_of(at, MCL_INT64, COUNT - 1), at->options);
}
