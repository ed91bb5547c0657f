/* fake_calls.h: the operands and types with which kernel_texts makes its calls. */
#ifndef TEST_FAKE_CALLS_H
#define TEST_FAKE_CALLS_H

#include "call/enqueue.h"

#include <moderncl/moderncl.h>

enum { COUNT = 100000, BUFFERS = 6 };

typedef struct fake_element {
    const char *name;
    const mcl_type *type;
    const mcl_op *before;
    const mcl_op *add;
    const mcl_op *keep; /* test of one element */
    const mcl_op *same; /* test of two neighbours */
} fake_element;

typedef struct bench {
    mcl_queue *queue;
    const fake_element *element;
    const mcl_options *options;
    mcl_buffer *buffers[BUFFERS];
    mcl_buffer *wide; /* sixteen columns, for parameter_texts alone */
} bench;

typedef struct fake_call {
    const char *name;
    mcl_status (*run)(const bench *at);
} fake_call;

/* Return operands of the calls: the elements of a buffer, and numbers. */
static inline mcl_input from(const bench *at, int buffer)
{
    return mcl_from_buffer(at->element->type, at->buffers[buffer], 0, COUNT);
}
static inline mcl_output to(const bench *at, int buffer, int64_t count)
{
    return mcl_to_buffer(at->element->type, at->buffers[buffer], 0, count);
}
static inline mcl_input integers(const bench *at, int buffer)
{
    return mcl_from_buffer(MCL_INT32, at->buffers[buffer], 0, COUNT);
}
static inline mcl_output integers_to(const bench *at, int buffer)
{
    return mcl_to_buffer(MCL_INT32, at->buffers[buffer], 0, COUNT);
}

/* The element types of fake_elements.c. kernel_texts uses the first of them. */
extern const fake_element fake_elements[];
extern const int fake_element_count;

/* fake_cases.c */
extern const fake_call fake_calls[];
extern const int fake_call_count;

/* fake_map.c */
mcl_status call_map_insert(const bench *at);
mcl_status call_map_set(const bench *at);
mcl_status call_map_assign(const bench *at);
mcl_status call_map_apply(const bench *at);
mcl_status call_map_find(const bench *at);
mcl_status call_map_erase(const bench *at);
mcl_status call_map_retrieve(const bench *at);
mcl_status call_multimap(const bench *at);

/* fake_sorts.c */
mcl_status call_sort(const bench *at);
mcl_status call_top_k(const bench *at);
mcl_status call_segmented_top_k(const bench *at);
mcl_status call_sort_columns(const bench *at);
mcl_status call_segmented_sort_unstable(const bench *at);
mcl_status call_segmented_sort_rows(const bench *at);
mcl_status call_group_by(const bench *at);

/* fake_digits.c */
mcl_status call_radix_sort_keys(const bench *at);
mcl_status call_radix_sort_pairs(const bench *at);
mcl_status call_multisplit_8(const bench *at);
mcl_status call_multisplit_256(const bench *at);
mcl_status call_multisplit_pairs_8(const bench *at);
mcl_status call_multisplit_pairs_256(const bench *at);
mcl_status call_samples(const bench *at);
mcl_status call_splitters(const bench *at);
mcl_status call_splitters_7(const bench *at);
mcl_status call_splitters_255(const bench *at);

/* fake_histogram.c */
mcl_status call_histogram(const bench *at);

/* fake_examples.c */
mcl_status call_bfs(const bench *at);
mcl_status call_filter_scan(const bench *at);
mcl_status call_merge_unique(const bench *at);

/* fake_ranks.c */
mcl_status call_bounds(const bench *at);
mcl_status call_key_regions(const bench *at);
mcl_status call_splitter_ranks(const bench *at);

#endif
