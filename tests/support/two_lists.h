/* two_lists.h: what tests of merges, sets and joins have in common: calls on two sorted lists of int32. */
#ifndef TEST_TWO_LISTS_H
#define TEST_TWO_LISTS_H

#include "cases/case.h"

enum { TWO_LISTS_COUNT = 1000 };

/* Calls on bad keys: these as a, a third of them as b. Values are unspecified, but memory is not: each output has this
 * room. shift varies where arrays begin. */
void two_lists_stay_inside(int device, const mcl_case *of, const case_variant *variant, const int32_t *keys,
                           int outputs, int64_t room, int shift, const mcl_options *options);

/* Validates: the call of this name tells the first unsorted key of either list, and writes nothing. */
void two_lists_name_unsorted_keys(int device, const mcl_case *of, const case_variant *variant, int outputs,
                                  const char *name);

#endif
