/* fake_parameters.h: calls with a small number that parameter_texts walks whole. */
#ifndef TEST_FAKE_PARAMETERS_H
#define TEST_FAKE_PARAMETERS_H

#include "fake_calls.h"

enum {
    MANY = 1 << 24,
    NUMBERS_MAX = 512,
    COLUMN_BYTES = 65
}; /* elements of a call; numbers of a walk; of an element */

typedef struct numbers {
    int64_t list[NUMBERS_MAX];
    int count;
} numbers;

typedef struct walk {
    const char *name;
    mcl_status (*run)(const bench *at, int64_t number);
    void (*list)(const bench *at, numbers *out); /* the numbers: all, or those about every border */
} walk;

extern const walk walks[];
extern const int walk_count;

#endif
