/* demo_bulk.c: the demonstrations of bulk remove and bulk insert. */
#include "demo.h"

#include <stdio.h>

enum { COUNT = 100, REMOVED = 34, INSERTED = 20 };

/* Makes and prints a buffer of the numbers 0 to 99. */
static mcl_status numbers(demo *at, mcl_buffer **data)
{
    const int32_t zero = 0;

    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * COUNT, NULL, data));
    DEMO_TRY(mcl_transform(at->queue, mcl_from_counting(MCL_INT32, &zero, COUNT),
                           mcl_to_buffer(MCL_INT32, *data, 0, COUNT), NULL));
    printf("Input array:\n");
    return demo_print_ints(at, *data, COUNT, 4);
}

mcl_status demo_bulk_remove(demo *at)
{
    const int32_t first = 0;
    const int32_t step = 3;
    mcl_buffer *data;
    mcl_buffer *left;

    printf("\n\nBULK REMOVE DEMONSTRATION:\n\n");
    DEMO_TRY(numbers(at, &data));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * (COUNT - REMOVED), NULL, &left));
    /* The positions are a sequence that is stored nowhere. */
    DEMO_TRY(mcl_bulk_remove(at->queue, mcl_from_buffer(MCL_INT32, data, 0, COUNT),
                             mcl_from_step(MCL_INT32, &first, &step, REMOVED),
                             mcl_to_buffer(MCL_INT32, left, 0, COUNT - REMOVED), NULL));
    printf("\nRemoving every 3rd element:\n");
    return demo_print_ints(at, left, COUNT - REMOVED, 4);
}

mcl_status demo_bulk_insert(demo *at)
{
    const int32_t first = 1000;
    const int32_t step = 10;
    const int32_t first_place = 2;
    const int32_t place_step = 5;
    mcl_buffer *data;
    mcl_buffer *longer;

    printf("\n\nBULK INSERT DEMONSTRATION:\n\n");
    DEMO_TRY(numbers(at, &data));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * (COUNT + INSERTED), NULL, &longer));
    DEMO_TRY(mcl_bulk_insert(at->queue, mcl_from_step(MCL_INT32, &first, &step, INSERTED),
                             mcl_from_step(MCL_INT32, &first_place, &place_step, INSERTED),
                             mcl_from_buffer(MCL_INT32, data, 0, COUNT),
                             mcl_to_buffer(MCL_INT32, longer, 0, COUNT + INSERTED), NULL));
    printf("\nInserting before every 5th element starting at item 2:\n");
    return demo_print_ints(at, longer, COUNT + INSERTED, 4);
}
