/* small_walks.h: calls with a small number, each with a loop that gives the right result. test_small_parameters walks
 * through the numbers. */
#ifndef TEST_SMALL_WALKS_H
#define TEST_SMALL_WALKS_H

#include "support/arrays.h"
#include "support/numbers.h"

typedef struct small_turn {
    int device;
    mcl_queue *queue;
    const mcl_options *options;
    int64_t number;
} small_turn;

typedef struct small_walk {
    const char *name;
    void (*run)(const small_turn *turn);
    void (*list)(const mcl_context *context, numbers *out);
} small_walk;

extern const small_walk digit_walks[], selection_walks[], column_walks[];
extern const int digit_walk_count, selection_walk_count, column_walk_count;

extern char small_label[96]; /* name of the present walk, for sentences */

/* Returns the number of elements of a call, which is smaller with MCL_TEST_SMALL=1. */
int64_t small_count(int64_t count);
void small_ok(const small_turn *turn, mcl_status status, const char *what);
/* Checks that the buffer begins with these bytes, and releases it. */
void small_expect(const small_turn *turn, mcl_buffer *buffer, const void *wanted, size_t bytes, const char *what);
void *small_memory(size_t bytes);

#endif
