/* demo_sort.c: the demonstrations of the sorts. */
#include "demo.h"

#include <stdio.h>

enum { COUNT = 100 };

/* Makes COUNT random numbers, from number position of the stream on. */
static mcl_status random_input(demo *at, int position, mcl_buffer **out)
{
    mcl_twister twister;
    int32_t numbers[COUNT];

    demo_stream(&twister, position);
    demo_random_ints(&twister, numbers, COUNT, 0, 99);
    return demo_buffer(at, sizeof numbers, numbers, out);
}

mcl_status demo_sort_keys(demo *at)
{
    mcl_buffer *data;

    DEMO_TRY(random_input(at, 600, &data));
    printf("\n\nSORT KEYS DEMONSTRATION:\n\nInput:\n");
    DEMO_TRY(demo_print_ints(at, data, COUNT, 4));

    /* The sort works in place. */
    DEMO_TRY(mcl_sort(at->queue, mcl_from_buffer(MCL_INT32, data, 0, COUNT), mcl_to_buffer(MCL_INT32, data, 0, COUNT),
                      MCL_LESS, NULL));
    printf("\nSorted output:\n");
    return demo_print_ints(at, data, COUNT, 4);
}

mcl_status demo_sort_pairs(demo *at)
{
    const int32_t zero = 0;
    mcl_buffer *keys;
    mcl_buffer *values;

    DEMO_TRY(random_input(at, 700, &keys));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * COUNT, NULL, &values));
    printf("\n\nSORT PAIRS DEMONSTRATION:\n\nInput keys:\n");
    DEMO_TRY(demo_print_ints(at, keys, COUNT, 4));

    /* The values are the keys' indices, which are stored nowhere. */
    const mcl_input in = mcl_from_buffer(MCL_INT32, keys, 0, COUNT);
    DEMO_TRY(mcl_sort_pairs(at->queue, in, mcl_from_counting(MCL_INT32, &zero, COUNT),
                            mcl_to_buffer(MCL_INT32, keys, 0, COUNT), mcl_to_buffer(MCL_INT32, values, 0, COUNT),
                            MCL_LESS, NULL));
    printf("\nSorted keys:\n");
    DEMO_TRY(demo_print_ints(at, keys, COUNT, 4));
    printf("\nSorted values:\n");
    return demo_print_ints(at, values, COUNT, 4);
}
