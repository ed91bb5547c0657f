/* fake_parameters.h: calls with a small number that parameter_texts walks whole. */
#ifndef TEST_FAKE_PARAMETERS_H
#define TEST_FAKE_PARAMETERS_H

#include "fake_calls.h"
#include "support/numbers.h"

enum { MANY = 1 << 24, COLUMN_BYTES = 65 }; /* elements of a call; of an element */

typedef struct walk {
    const char *name;
    mcl_status (*run)(const bench *at, int64_t number);
    void (*list)(const bench *at, numbers *out); /* the numbers: all, or those about every border */
} walk;

extern const walk walks[];
extern const int walk_count;

#endif
