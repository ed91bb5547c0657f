/* demo_segments.c: the demonstrations of segmented sort and locality sort. */
#include "demo.h"

#include <stdio.h>

enum { COUNT = 100, HEADS = 10 };

/* The begins of all segments but the first, which begins at 0. */
static const int32_t heads[HEADS] = { 4, 19, 22, 56, 61, 78, 81, 84, 94, 97 };

/* Makes and prints keys, from number position of the stream on, and the heads. */
static mcl_status keys_and_heads(demo *at, int position, mcl_buffer **keys, mcl_segments *segments)
{
    mcl_twister twister;
    int32_t numbers[COUNT];
    mcl_buffer *starts;

    demo_stream(&twister, position);
    demo_random_ints(&twister, numbers, COUNT, 0, 99);
    DEMO_TRY(demo_buffer(at, sizeof numbers, numbers, keys));
    DEMO_TRY(demo_buffer(at, sizeof heads, heads, &starts));
    *segments = mcl_segments_from_indices(mcl_from_buffer(MCL_INT32, starts, 0, HEADS));
    printf("Input keys:\n");
    DEMO_TRY(demo_print_ints(at, *keys, COUNT, 4));
    printf("\nSegment heads:\n");
    return demo_print_ints(at, starts, HEADS, 4);
}

mcl_status demo_segsort_keys(demo *at)
{
    mcl_segments segments;
    mcl_buffer *keys;

    printf("\n\nSEG-SORT KEYS DEMONSTRATION:\n\n");
    DEMO_TRY(keys_and_heads(at, 800, &keys, &segments));
    /* The sort works in place: the sorted keys replace the keys. */
    DEMO_TRY(mcl_segmented_sort(at->queue, mcl_from_buffer(MCL_INT32, keys, 0, COUNT), segments,
                                mcl_to_buffer(MCL_INT32, keys, 0, COUNT), MCL_LESS, 1, NULL, NULL));
    printf("\nSorted data (segment heads are marked by *):\n");
    return demo_print_marked(at, keys, COUNT, heads, HEADS);
}

mcl_status demo_segsort_pairs(demo *at)
{
    const int32_t first = 0;
    mcl_segments segments;
    mcl_buffer *keys;
    mcl_buffer *places;

    printf("\n\nSEG-SORT PAIRS DEMONSTRATION:\n\n");
    DEMO_TRY(keys_and_heads(at, 900, &keys, &segments));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * COUNT, NULL, &places));
    /* The values are a sequence that is stored nowhere. */
    DEMO_TRY(mcl_segmented_sort_pairs(
        at->queue, mcl_from_buffer(MCL_INT32, keys, 0, COUNT), mcl_from_counting(MCL_INT32, &first, COUNT), segments,
        mcl_to_buffer(MCL_INT32, keys, 0, COUNT), mcl_to_buffer(MCL_INT32, places, 0, COUNT), MCL_LESS, 1, NULL, NULL));
    printf("\nSorted data (segment heads are marked by *):\n");
    DEMO_TRY(demo_print_marked(at, keys, COUNT, heads, HEADS));
    printf("\nSorted indices (segment heads are marked by *):\n");
    return demo_print_marked(at, places, COUNT, heads, HEADS);
}

/* Makes and prints nearly sorted numbers, from number position of the stream on. */
static mcl_status nearly_sorted(demo *at, int position, mcl_buffer **keys)
{
    mcl_twister twister;
    int32_t numbers[COUNT];

    demo_stream(&twister, position);
    demo_random_ints(&twister, numbers, COUNT, 0, 25);
    for (int k = 0; k < COUNT; k++) numbers[k] += k;
    DEMO_TRY(demo_buffer(at, sizeof numbers, numbers, keys));
    printf("Input keys:\n");
    return demo_print_ints(at, *keys, COUNT, 4);
}

mcl_status demo_locality_sort_keys(demo *at)
{
    mcl_buffer *keys;

    printf("\n\nLOCALITY SORT KEYS DEMONSTRATION:\n\n");
    DEMO_TRY(nearly_sorted(at, 1000, &keys));
    DEMO_TRY(mcl_locality_sort(at->queue, mcl_from_buffer(MCL_INT32, keys, 0, COUNT),
                               mcl_to_buffer(MCL_INT32, keys, 0, COUNT), MCL_LESS, NULL, NULL));
    printf("\nSorted data:\n");
    return demo_print_ints(at, keys, COUNT, 4);
}

mcl_status demo_locality_sort_pairs(demo *at)
{
    const int32_t first = 0;
    mcl_buffer *keys;
    mcl_buffer *places;

    printf("\n\nLOCALITY SORT PAIRS DEMONSTRATION:\n\n");
    DEMO_TRY(nearly_sorted(at, 1100, &keys));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * COUNT, NULL, &places));
    DEMO_TRY(mcl_locality_sort_pairs(
        at->queue, mcl_from_buffer(MCL_INT32, keys, 0, COUNT), mcl_from_counting(MCL_INT32, &first, COUNT),
        mcl_to_buffer(MCL_INT32, keys, 0, COUNT), mcl_to_buffer(MCL_INT32, places, 0, COUNT), MCL_LESS, NULL, NULL));
    printf("\nSorted data:\n");
    DEMO_TRY(demo_print_ints(at, keys, COUNT, 4));
    printf("\nSorted indices:\n");
    return demo_print_ints(at, places, COUNT, 4);
}
