/* run_case.h: runs a case's variants on a device. It checks everything that they must write and must not write. */
#ifndef TEST_RUN_CASE_H
#define TEST_RUN_CASE_H

#include "cases/case.h"
#include "devices.h"

/* Returns the number of rounds of run_case_round for a device: the variants, or with MCL_TEST_FULL=1 the product. */
int run_case_rounds(const mcl_case *c);

/* Runs variant number round of its device, for a loop test. It takes all sizes, and alternates counts on host and
 * device, totals in all places, initial values and shifts. */
void run_case_round(const mcl_case *c, int round);

/* Returns 1, after a line that says so, where the device lacks a type of the variant. */
int run_case_skips(const mcl_case *c, const case_variant *variant, int device);

#endif
