/* numbers.h: the values of a small parameter that tests walk through. Few values are all taken. Of many values, the
 * ones near every border of the library are taken. They serve texts of programs (fake_parameters.c) and results
 * (test_small_parameters.c). */
#ifndef TEST_NUMBERS_H
#define TEST_NUMBERS_H

#include "device/device.h"

enum { NUMBERS_MAX = 512 };

typedef struct numbers {
    int64_t list[NUMBERS_MAX];
    int count;
} numbers;

/* Add numbers from 1 to most that the list does not have yet. */
void numbers_all(numbers *out, int64_t most);
/* adds powers of two, and the numbers 1 below and 1 above them */
void numbers_powers(numbers *out, int64_t most);
/* adds numbers of bins of a histogram */
void numbers_of_bins(numbers *out, int64_t most);
void numbers_of_amounts(const mcl_context *context, numbers *out, int64_t most); /* adds numbers k of selections */

#endif
