/* sampler_calls.h: what the files of the sampler share. */
#ifndef TEST_SAMPLER_CALLS_H
#define TEST_SAMPLER_CALLS_H

#include "sampler.h"

/* The calls of sampler_selections.c: name, function, memory. */
#define SAMPLER_SELECTIONS(X)                                                                                          \
    X("sort by columns", sort_columns, SAMPLER_ALLOCATES)                                                              \
    X("sort of indices by columns", sort_columns_indices, SAMPLER_ALLOCATES)                                           \
    X("multisplit", multisplit, 0)                                                                                     \
    X("histogram", even_histogram, 0)                                                                                  \
    X("top_k", top_k, 0)                                                                                               \
    X("top_k of many", top_k_many, SAMPLER_ALLOCATES)                                                                  \
    X("nth_element", nth_element, 0)                                                                                   \
    X("quantiles", quantiles, SAMPLER_ALLOCATES)                                                                       \
    X("many quantiles", many_quantiles, SAMPLER_ALLOCATES)                                                             \
    X("find_if", find_first, 0)                                                                                        \
    X("count_if", count_those, 0)                                                                                      \
    X("min_max", least_and_greatest, 0)                                                                                \
    X("run-length decode", decode_runs, SAMPLER_ALLOCATES)                                                             \
    X("group_by", group_by, SAMPLER_ALLOCATES)                                                                         \
    X("group_by of means", group_by_means, SAMPLER_ALLOCATES)                                                          \
    X("distinct", distinct, SAMPLER_ALLOCATES)                                                                         \
    X("segmented top_k", segmented_top_k, 0)                                                                           \
    X("segmented quantiles", segmented_quantiles, 0)                                                                   \
    X("segmented top_k by flags", segmented_top_k_flags, SAMPLER_ALLOCATES)

#define X(name, function, memory)                                                                                      \
    mcl_status sampler_##function(sampler *s, mcl_queue *queue, const mcl_options *options);
SAMPLER_SELECTIONS(X)
#undef X

static inline mcl_input sorted(const sampler *s)
{
    return mcl_from_buffer(MCL_INT32, s->sorted, 0, SAMPLER_COUNT);
}
static inline mcl_output to(mcl_buffer *buffer, int64_t count)
{
    return mcl_to_buffer(MCL_INT32, buffer, 0, count);
}

#endif
