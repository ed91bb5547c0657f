/* demo_sets.c: the demonstrations of the multiset operations. */
#include "demo.h"

#include <stdio.h>

enum { COUNT = 100, RESULTS = 2 * COUNT };

/* Makes and prints two sorted arrays of random numbers, from number position of the stream on. */
static mcl_status sorted_inputs(demo *at, int position, mcl_buffer **a, mcl_buffer **b)
{
    mcl_twister twister;
    int32_t numbers[COUNT];

    demo_stream(&twister, position);
    demo_sorted_ints(&twister, numbers, COUNT, 0, 99);
    DEMO_TRY(demo_buffer(at, sizeof numbers, numbers, a));
    demo_sorted_ints(&twister, numbers, COUNT, 0, 99);
    DEMO_TRY(demo_buffer(at, sizeof numbers, numbers, b));
    printf("A:\n");
    DEMO_TRY(demo_print_ints(at, *a, COUNT, 4));
    printf("\nB:\n\n");
    return demo_print_ints(at, *b, COUNT, 4);
}

mcl_status demo_sets_keys(demo *at)
{
    mcl_buffer *a;
    mcl_buffer *b;
    mcl_buffer *results;
    int64_t count;

    printf("\n\nMULTISET-KEYS DEMONSTRATION:\n\n");
    DEMO_TRY(sorted_inputs(at, 1750, &a, &b));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * RESULTS, NULL, &results));
    const mcl_input first = mcl_from_buffer(MCL_INT32, a, 0, COUNT);
    const mcl_input second = mcl_from_buffer(MCL_INT32, b, 0, COUNT);
    const mcl_output out = mcl_to_buffer(MCL_INT32, results, 0, RESULTS);

    DEMO_TRY(mcl_set_intersection(at->queue, first, second, out, MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
    printf("\nIntersection:\n");
    DEMO_TRY(demo_print_ints(at, results, (int)count, 4));

    DEMO_TRY(
        mcl_set_symmetric_difference(at->queue, first, second, out, MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
    printf("\nSymmetric difference:\n");
    return demo_print_ints(at, results, (int)count, 4);
}

mcl_status demo_sets_pairs(demo *at)
{
    const int32_t a_first = 0;
    const int32_t b_first = COUNT;
    mcl_buffer *a;
    mcl_buffer *b;
    mcl_buffer *keys;
    mcl_buffer *values;
    int64_t count;

    printf("\n\nMULTISET-PAIRS DEMONSTRATION:\n\n");
    DEMO_TRY(sorted_inputs(at, 1950, &a, &b));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * RESULTS, NULL, &keys));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * RESULTS, NULL, &values));
    const mcl_input first = mcl_from_buffer(MCL_INT32, a, 0, COUNT);
    const mcl_input second = mcl_from_buffer(MCL_INT32, b, 0, COUNT);
    const mcl_output out_keys = mcl_to_buffer(MCL_INT32, keys, 0, RESULTS);
    const mcl_output out_values = mcl_to_buffer(MCL_INT32, values, 0, RESULTS);
    /* The values are sequences that are stored nowhere: they count from 0 on in A, and from 100 on in B. */
    const mcl_input places = mcl_from_counting(MCL_INT32, &a_first, COUNT);
    const mcl_input other_places = mcl_from_counting(MCL_INT32, &b_first, COUNT);

    DEMO_TRY(mcl_set_intersection_pairs(at->queue, first, places, second, other_places, out_keys, out_values, MCL_LESS,
                                        mcl_to_host(MCL_INT64, &count), NULL));
    printf("\nIntersection keys:\n");
    DEMO_TRY(demo_print_ints(at, keys, (int)count, 4));
    printf("\nIntersection indices:\n");
    DEMO_TRY(demo_print_ints(at, values, (int)count, 4));

    DEMO_TRY(mcl_set_symmetric_difference_pairs(at->queue, first, places, second, other_places, out_keys, out_values,
                                                MCL_LESS, mcl_to_host(MCL_INT64, &count), NULL));
    printf("\nSymmetric difference keys:\n");
    DEMO_TRY(demo_print_ints(at, keys, (int)count, 4));
    printf("\nSymmetric difference indices:\n");
    return demo_print_ints(at, values, (int)count, 4);
}
