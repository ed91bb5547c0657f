/* fake_parameters.h: calls that take a small number. parameter_texts tries the values of the number. */
#ifndef TEST_FAKE_PARAMETERS_H
#define TEST_FAKE_PARAMETERS_H

#include "fake_calls.h"
#include "support/numbers.h"

enum { MANY = 1 << 24, COLUMN_BYTES = 65 }; /* elements of a call; bytes of an element */

typedef struct walk {
    const char *name;
    mcl_status (*run)(const bench *at, int64_t number);
    void (*list)(const bench *at, numbers *out); /* function that lists the numbers: all, or those near every border */
} walk;

extern const walk walks[];
extern const int walk_count;

#endif
