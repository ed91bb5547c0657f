/* demo_basic.c: the demonstrations of fill, reduce, scan and merge. */
#include "demo.h"

#include <stdio.h>

enum { COUNT = 100, MERGED = 2 * COUNT, LIBRARY_COUNT = 50 };

mcl_status demo_scan(demo *at)
{
    mcl_twister twister;
    int32_t numbers[COUNT];
    int32_t total;
    mcl_buffer *data;

    demo_stream(&twister, 0);
    demo_random_ints(&twister, numbers, COUNT, 0, 9);
    DEMO_TRY(demo_buffer(at, sizeof numbers, numbers, &data));
    const mcl_input in = mcl_from_buffer(MCL_INT32, data, 0, COUNT);

    printf("\n\nREDUCTION AND SCAN DEMONSTRATION:\n\nInput array:\n");
    DEMO_TRY(demo_print_ints(at, data, COUNT, 4));
    DEMO_TRY(mcl_reduce(at->queue, in, MCL_ADD, mcl_to_host(MCL_INT32, &total), NULL));
    printf("Reduction total: %d\n\n", total);

    /* The scan works in place: its results replace its input. */
    DEMO_TRY(mcl_scan(at->queue, in, mcl_to_buffer(MCL_INT32, data, 0, COUNT), MCL_ADD, MCL_EXCLUSIVE,
                      mcl_to_host(MCL_INT32, &total), NULL));
    printf("Exclusive scan:\n");
    DEMO_TRY(demo_print_ints(at, data, COUNT, 4));
    printf("Scan total: %d\n", total);
    return MCL_OK;
}

mcl_status demo_max_index(demo *at)
{
    mcl_twister twister;
    int32_t numbers[COUNT];
    mcl_int32_at largest;
    mcl_buffer *data;

    demo_stream(&twister, 100);
    demo_random_ints(&twister, numbers, COUNT, 0, 100);
    DEMO_TRY(demo_buffer(at, sizeof numbers, numbers, &data));
    const mcl_input in = mcl_from_buffer(MCL_INT32, data, 0, COUNT);

    printf("\n\nMAX-INDEX DEMONSTRATION:\n\nInput array:\n");
    DEMO_TRY(demo_print_ints(at, data, COUNT, 4));
    DEMO_TRY(mcl_reduce(at->queue, in, MCL_MAX_INDEX, mcl_to_host(MCL_INT32_AT, &largest), NULL));
    printf("Max-index reduction: %d at position %d\n\n", largest.value, largest.index);

    /* This scan works in place too: numbers go in, and indices of the largest so far come out. */
    DEMO_TRY(mcl_scan(at->queue, in, mcl_to_buffer(MCL_INT32, data, 0, COUNT), MCL_MAX_INDEX, MCL_EXCLUSIVE,
                      mcl_to_host(MCL_INT32_AT, &largest), NULL));
    printf("Max-index exclusive scan:\n");
    DEMO_TRY(demo_print_ints(at, data, COUNT, 4));
    printf("Scan total: %d at position %d\n", largest.value, largest.index);
    return MCL_OK;
}

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
    printf("\nB:\n");
    DEMO_TRY(demo_print_ints(at, *b, COUNT, 4));
    return MCL_OK;
}

mcl_status demo_merge_keys(demo *at)
{
    mcl_buffer *a;
    mcl_buffer *b;
    mcl_buffer *merged;

    printf("\n\nMERGE KEYS DEMONSTRATION:\n\n");
    DEMO_TRY(sorted_inputs(at, 200, &a, &b));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * MERGED, NULL, &merged));
    DEMO_TRY(mcl_merge(at->queue, mcl_from_buffer(MCL_INT32, a, 0, COUNT), mcl_from_buffer(MCL_INT32, b, 0, COUNT),
                       mcl_to_buffer(MCL_INT32, merged, 0, MERGED), MCL_LESS, NULL));
    printf("\nMerged array:\n");
    return demo_print_ints(at, merged, MERGED, 4);
}

mcl_status demo_merge_pairs(demo *at)
{
    const int32_t a_first = 0;
    const int32_t b_first = COUNT;
    mcl_buffer *a;
    mcl_buffer *b;
    mcl_buffer *keys;
    mcl_buffer *values;

    printf("\n\nMERGE PAIRS DEMONSTRATION:\n\n");
    DEMO_TRY(sorted_inputs(at, 400, &a, &b));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * MERGED, NULL, &keys));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * MERGED, NULL, &values));
    /* The values are sequences that are stored nowhere. */
    DEMO_TRY(mcl_merge_pairs(at->queue, mcl_from_buffer(MCL_INT32, a, 0, COUNT),
                             mcl_from_counting(MCL_INT32, &a_first, COUNT), mcl_from_buffer(MCL_INT32, b, 0, COUNT),
                             mcl_from_counting(MCL_INT32, &b_first, COUNT), mcl_to_buffer(MCL_INT32, keys, 0, MERGED),
                             mcl_to_buffer(MCL_INT32, values, 0, MERGED), MCL_LESS, NULL));
    printf("\nMerged keys:\n");
    DEMO_TRY(demo_print_ints(at, keys, MERGED, 4));
    printf("\nMerged values (0-99 are A indices, 100-199 are B indices).\n");
    return demo_print_ints(at, values, MERGED, 4);
}

mcl_status demo_library_fill_sort(demo *at)
{
    const int32_t first = 0;
    const int32_t step = 5;
    mcl_twister twister;
    float random[LIBRARY_COUNT];
    double sorted[LIBRARY_COUNT];
    mcl_buffer *a;
    mcl_buffer *b;
    mcl_buffer *c;

    demo_stream(&twister, 0);
    demo_random_floats(&twister, random, LIBRARY_COUNT, 0, 10);
    demo_sorted_doubles(&twister, sorted, LIBRARY_COUNT, 0, 20);
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * LIBRARY_COUNT, NULL, &a));
    DEMO_TRY(demo_buffer(at, sizeof random, random, &b));
    DEMO_TRY(demo_buffer(at, sizeof sorted, sorted, &c));
    DEMO_TRY(mcl_transform(at->queue, mcl_from_step(MCL_INT32, &first, &step, LIBRARY_COUNT),
                           mcl_to_buffer(MCL_INT32, a, 0, LIBRARY_COUNT), NULL));

    printf("A:\n");
    DEMO_TRY(demo_print_ints(at, a, LIBRARY_COUNT, 6));
    printf("\nB:\n");
    DEMO_TRY(demo_print_floats(at, b, LIBRARY_COUNT, 6, 2));
    printf("\nC:\n");
    return demo_print_doubles(at, c, LIBRARY_COUNT, 6, 2);
}
