/* demo_search.c: the demonstrations of sorted search, load-balancing search and intervals. */
#include "demo.h"

#include <stdio.h>

enum { COUNT = 100, HAYSTACK = 200, OBJECTS = 50, INTERVALS = 20, ITEMS_MAX = 256 };

mcl_status demo_sorted_search(demo *at)
{
    mcl_twister twister;
    int32_t haystack[HAYSTACK];
    int32_t needles[COUNT];
    mcl_buffer *haystack_data;
    mcl_buffer *needles_data;

    demo_stream(&twister, 1200);
    demo_sorted_ints(&twister, haystack, HAYSTACK, 0, 299);
    demo_sorted_ints(&twister, needles, COUNT, 0, 299);
    DEMO_TRY(demo_buffer(at, sizeof haystack, haystack, &haystack_data));
    DEMO_TRY(demo_buffer(at, sizeof needles, needles, &needles_data));
    printf("\n\nSORTED SEARCH DEMONSTRATION:\n\nHaystack array:\n");
    DEMO_TRY(demo_print_ints(at, haystack_data, HAYSTACK, 4));
    printf("\nNeedles array:\n");
    DEMO_TRY(demo_print_ints(at, needles_data, COUNT, 4));

    /* The bounds replace the needles in memory. */
    DEMO_TRY(mcl_sorted_search_needles(at->queue, mcl_from_buffer(MCL_INT32, needles_data, 0, COUNT),
                                       mcl_from_buffer(MCL_INT32, haystack_data, 0, HAYSTACK), MCL_LOWER,
                                       mcl_to_buffer(MCL_INT32, needles_data, 0, COUNT), MCL_LESS, NULL));
    printf("\nLower bound array:\n");
    return demo_print_ints(at, needles_data, COUNT, 4);
}

/* Makes and prints a sorted array of random numbers from the stream. */
static mcl_status search_input(demo *at, mcl_twister *twister, const char *title, mcl_buffer **out)
{
    int32_t numbers[COUNT];

    demo_sorted_ints(twister, numbers, COUNT, 0, 299);
    DEMO_TRY(demo_buffer(at, sizeof numbers, numbers, out));
    printf("%s:\n", title);
    DEMO_TRY(demo_print_ints(at, *out, COUNT, 4));
    putchar('\n');
    return MCL_OK;
}

mcl_status demo_sorted_search_2(demo *at)
{
    mcl_twister twister;
    mcl_buffer *a;
    mcl_buffer *b;
    mcl_buffer *a_found;
    mcl_buffer *b_found;

    printf("\n\nSORTED SEARCH DEMONSTRATION (2):\n\n");
    demo_stream(&twister, 1500);
    DEMO_TRY(search_input(at, &twister, "A array", &a));
    DEMO_TRY(search_input(at, &twister, "B array", &b));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * COUNT, NULL, &a_found));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * COUNT, NULL, &b_found));
    DEMO_TRY(mcl_sorted_search(
        at->queue, mcl_from_buffer(MCL_INT32, a, 0, COUNT), mcl_from_buffer(MCL_INT32, b, 0, COUNT), MCL_LOWER,
        mcl_found_index_matches(mcl_to_buffer(MCL_INT32, a_found, 0, COUNT), mcl_to_nowhere()),
        mcl_found_index_matches(mcl_to_buffer(MCL_INT32, b_found, 0, COUNT), mcl_to_nowhere()), MCL_LESS, NULL));
    printf("Lower bound of A into B (* for match):\n");
    DEMO_TRY(demo_print_matches(at, a_found, COUNT));
    printf("\nUpper bound of B into A (* for match):\n");
    return demo_print_matches(at, b_found, COUNT);
}

mcl_status demo_load_balance(demo *at)
{
    mcl_twister twister;
    int32_t counts[OBJECTS];
    int32_t total;
    mcl_buffer *data;
    mcl_buffer *objects;

    demo_stream(&twister, 1700);
    demo_random_ints(&twister, counts, OBJECTS, 0, 5);
    DEMO_TRY(demo_buffer(at, sizeof counts, counts, &data));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * ITEMS_MAX, NULL, &objects));
    const mcl_input offsets = mcl_from_buffer(MCL_INT32, data, 0, OBJECTS);

    printf("\n\nLOAD-BALANCING SEARCH DEMONSTRATION:\n\nObject counts\n");
    DEMO_TRY(demo_print_ints(at, data, OBJECTS, 4));
    DEMO_TRY(mcl_scan(at->queue, offsets, mcl_to_buffer(MCL_INT32, data, 0, OBJECTS), MCL_ADD, MCL_EXCLUSIVE,
                      mcl_to_host(MCL_INT32, &total), NULL));
    printf("\nScan of object counts:\n");
    DEMO_TRY(demo_print_ints(at, data, OBJECTS, 4));
    printf("Total: %4d\n", total);
    DEMO_TRY(mcl_load_balance_search(at->queue, mcl_work_items(total), offsets,
                                     mcl_to_buffer(MCL_INT32, objects, 0, total), (mcl_output){ 0 }, NULL));
    printf("\nObject references:\n");
    return demo_print_ints(at, objects, total, 4);
}

/* Copies a list of numbers to a new array, and prints it. */
static mcl_status interval_list(demo *at, const char *title, const int32_t *numbers, mcl_buffer **out)
{
    DEMO_TRY(demo_buffer(at, sizeof *numbers * INTERVALS, numbers, out));
    printf("%s:\n", title);
    DEMO_TRY(demo_print_ints(at, *out, INTERVALS, 4));
    putchar('\n');
    return MCL_OK;
}

/* Scans counts in place, which gives the offsets of intervals. */
static mcl_status interval_offsets(demo *at, mcl_buffer *counts, mcl_input *offsets, int32_t *total)
{
    *offsets = mcl_from_buffer(MCL_INT32, counts, 0, INTERVALS);
    return mcl_scan(at->queue, *offsets, mcl_to_buffer(MCL_INT32, counts, 0, INTERVALS), MCL_ADD, MCL_EXCLUSIVE,
                    mcl_to_host(MCL_INT32, total), NULL);
}

mcl_status demo_interval_expand(demo *at)
{
    static const int32_t counts[INTERVALS] = { 2, 5, 7, 16, 0, 1, 0, 0, 14, 10, 3, 14, 2, 1, 11, 2, 1, 0, 5, 6 };
    static const int32_t values[INTERVALS] = { 1,  1,   2,   3,   5,   8,   13,   21,   34,   55,
                                               89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765 };
    int32_t total;
    mcl_input offsets;
    mcl_buffer *data;
    mcl_buffer *repeated;
    mcl_buffer *out;

    printf("\n\nINTERVAL-EXPAND DEMONSTRATION:\n\n");
    DEMO_TRY(interval_list(at, "Expand counts", counts, &data));
    DEMO_TRY(interval_list(at, "Expand values", values, &repeated));
    DEMO_TRY(interval_offsets(at, data, &offsets, &total));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * (size_t)total, NULL, &out));
    DEMO_TRY(mcl_interval_expand(at->queue, mcl_work_items(total), mcl_from_buffer(MCL_INT32, repeated, 0, INTERVALS),
                                 offsets, mcl_to_buffer(MCL_INT32, out, 0, total), NULL));
    printf("Expanded data:\n");
    return demo_print_ints(at, out, total, 4);
}

mcl_status demo_interval_move(demo *at)
{
    static const int32_t counts[INTERVALS] = { 3, 9, 1, 9, 8, 5, 10, 2, 5, 2, 8, 6, 5, 2, 4, 0, 8, 2, 5, 6 };
    static const int32_t gather[INTERVALS] = { 75, 86, 17, 2, 67, 24, 37, 11, 95, 35,
                                               52, 18, 47, 0, 13, 75, 78, 60, 62, 29 };
    static const int32_t scatter[INTERVALS] = { 10, 80, 99, 27, 41, 71, 15, 0,  36, 13,
                                                89, 49, 66, 97, 76, 76, 2,  25, 61, 55 };
    const int32_t zero = 0;
    int32_t total;
    mcl_input offsets;
    mcl_buffer *data;
    mcl_buffer *from;
    mcl_buffer *to;
    mcl_buffer *out;

    printf("\n\nINTERVAL-MOVE DEMONSTRATION:\n\n");
    DEMO_TRY(interval_list(at, "Interval counts", counts, &data));
    DEMO_TRY(interval_list(at, "Interval gather", gather, &from));
    DEMO_TRY(interval_list(at, "Interval scatter", scatter, &to));
    DEMO_TRY(interval_offsets(at, data, &offsets, &total));
    DEMO_TRY(demo_buffer(at, sizeof(int32_t) * (size_t)total, NULL, &out));
    /* The source is a sequence that is stored nowhere. */
    DEMO_TRY(mcl_interval_move(at->queue, mcl_work_items(total), mcl_from_counting(MCL_INT32, &zero, total),
                               mcl_from_buffer(MCL_INT32, from, 0, INTERVALS),
                               mcl_from_buffer(MCL_INT32, to, 0, INTERVALS), offsets,
                               mcl_to_buffer(MCL_INT32, out, 0, total), NULL));
    printf("Moved data:\n");
    return demo_print_ints(at, out, total, 4);
}
