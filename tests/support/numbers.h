/* numbers.h: which values of a small parameter are walked: all of few, and of many those about every border that the
 * library tells. For texts of programs (fake_parameters.c) and for results (test_small_parameters.c). */
#ifndef TEST_NUMBERS_H
#define TEST_NUMBERS_H

#include "device/device.h"

enum { NUMBERS_MAX = 512 };

typedef struct numbers {
    int64_t list[NUMBERS_MAX];
    int count;
} numbers;

/* Each adds numbers from 1 to most that are not there yet. */
void numbers_all(numbers *out, int64_t most);
void numbers_powers(numbers *out, int64_t most);                                 /* powers of two, 1 less, 1 more */
void numbers_of_bins(numbers *out, int64_t most);                                /* of a histogram */
void numbers_of_amounts(const mcl_context *context, numbers *out, int64_t most); /* k of selections */

#endif
