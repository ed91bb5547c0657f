/* bucket_call.h: calls a radix sort, and tells whether buckets have sorted the keys. */
#ifndef TEST_BUCKET_CALL_H
#define TEST_BUCKET_CALL_H

#include "operations/sort/sort_operands.h"
#include "support/arrays.h"

#include <stdlib.h>

enum { BUCKET_PLAN = 7 }; /* index of radix_sort.c's scratch that says whether the usual passes sort */

/* Sorts. Returns 0 where buckets have sorted the keys, 1 where the device left the keys to the usual passes, -1 where
 * buckets were not tried. */
static inline int sort_by_buckets(mcl_queue *queue, const mcl__sort_operands *given, const mcl_options *options)
{
    mcl_output out = given->out, out_values = given->has_values ? given->out_values : given->out;
    uint32_t unsorted = 0;
    mcl__radix *sort = calloc(1, sizeof *sort);

    if (!sort) abort();
    mcl__function_is("mcl_sort");
    test_ok(mcl__context_probe(queue->context));
    test_ok(mcl__radix_plan(queue, given, options, sort));
    test_ok(mcl__enqueue_begin(queue, sort->first.scratch_bytes, options));
    test_ok(mcl__radix_launch(sort, &out, &out_values));
    const mcl__span head = sort->first.scratch[BUCKET_PLAN].span;
    const int is_tried = sort->buckets.range_bits > 0;
    test_ok(mcl__call_end(&sort->first));
    if (is_tried) test_ok(mcl_buffer_read(queue, head.buffer, head.offset, sizeof unsorted, &unsorted));
    free(sort);
    return is_tried ? (int)unsorted : -1;
}

#endif
