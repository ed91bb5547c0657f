/* demo.h: the shared parts of the demonstrations. A demonstration is one function that prints its text to stdout. */
#ifndef MODERNCL_DEMO_H
#define MODERNCL_DEMO_H

#include <moderncl/moderncl.h>

enum { DEMO_BUFFERS_MAX = 32 };

/* The device of a demonstration. A buffer that the demonstration makes is released when it returns. */
typedef struct demo {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *buffers[DEMO_BUFFERS_MAX];
    int buffer_count;
    int device_given; /* 1 where the user named the device */
} demo;

/* Returns the status of expression where it is a failure. */
#define DEMO_TRY(expression)                                                                                           \
    do {                                                                                                               \
        const mcl_status demo_try_status = (expression);                                                               \
        if (demo_try_status != MCL_OK) return demo_try_status;                                                         \
    } while (0)

/* Makes a device buffer with a copy of data. Where data is NULL its content is unspecified. */
mcl_status demo_buffer(demo *at, size_t bytes, const void *data, mcl_buffer **out);

/* ---- random inputs: each demonstration takes its own part of one stream ---------------------- */

enum { DEMO_SEED = 5489 };

/* Sets the generator to its state after `position` numbers. */
void demo_stream(mcl_twister *twister, int position);
void demo_random_ints(mcl_twister *twister, int32_t *values, int count, int32_t low, int32_t high);
void demo_sorted_ints(mcl_twister *twister, int32_t *values, int count, int32_t low, int32_t high);
void demo_random_floats(mcl_twister *twister, float *values, int count, double low, double high);
void demo_sorted_doubles(mcl_twister *twister, double *values, int count, double low, double high);

/* ---- printing: rows of ten, the index of the first, then the numbers -------------------------------------------- */

mcl_status demo_print_ints(demo *at, mcl_buffer *array, int count, int width);
/* Prints indices that have a match in the top bit. A match is printed as a star before the number. */
mcl_status demo_print_matches(demo *at, mcl_buffer *array, int count);
/* Prints numbers in width 4. A star marks the numbers whose indices are listed in places, in ascending order. */
mcl_status demo_print_marked(demo *at, mcl_buffer *array, int count, const int32_t *places, int place_count);
mcl_status demo_print_floats(demo *at, mcl_buffer *array, int count, int width, int decimals);
mcl_status demo_print_doubles(demo *at, mcl_buffer *array, int count, int width, int decimals);

/* ---- the demonstrations, one file for each family --------------------------------------------------------------- */

/* demo_basic.c */
mcl_status demo_scan(demo *at);
mcl_status demo_max_index(demo *at);
mcl_status demo_merge_keys(demo *at);
mcl_status demo_merge_pairs(demo *at);
mcl_status demo_library_fill_sort(demo *at);

/* demo_search.c */
mcl_status demo_sorted_search(demo *at);
mcl_status demo_sorted_search_2(demo *at);
mcl_status demo_load_balance(demo *at);
mcl_status demo_interval_expand(demo *at);
mcl_status demo_interval_move(demo *at);
/* demo_join.c */
mcl_status demo_join(demo *at);
/* demo_sets.c */
mcl_status demo_sets_keys(demo *at);
mcl_status demo_sets_pairs(demo *at);
/* demo_sort.c */
mcl_status demo_sort_keys(demo *at);
mcl_status demo_sort_pairs(demo *at);
/* demo_bulk.c */
mcl_status demo_bulk_remove(demo *at);
mcl_status demo_bulk_insert(demo *at);
/* demo_segments.c */
mcl_status demo_segsort_keys(demo *at);
mcl_status demo_segsort_pairs(demo *at);
mcl_status demo_locality_sort_keys(demo *at);
mcl_status demo_locality_sort_pairs(demo *at);
/* demo_launchbox.c */
mcl_status demo_launchbox(demo *at);

#endif
