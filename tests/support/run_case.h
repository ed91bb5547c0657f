/* run_case.h: runs a case's variants on a device and checks everything that they must and must not write. */
#ifndef TEST_RUN_CASE_H
#define TEST_RUN_CASE_H

#include "cases/case.h"
#include "devices.h"

/* How many rounds of run_case_round a device takes: the variants, or with MCL_TEST_FULL=1 the product. */
int run_case_rounds(const mcl_case *c);

/* For a loop test: variant _i of its device, over all sizes, with counts on host and device, totals everywhere,
 * initial values and shifts taking turns. */
void run_case_round(const mcl_case *c, int round);

/* One problem; turn says which of the alternatives above are taken. */
void run_problem(const mcl_case *c, const case_variant *variant, int device, int64_t n, int turn);

/* 1 (and says so) where the device lacks a type of the variant. */
int run_case_skips(const mcl_case *c, const case_variant *variant, int device);

#endif
