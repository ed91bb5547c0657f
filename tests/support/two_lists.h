/* two_lists.h: shared tests of merges, sets and joins, which make calls on two sorted lists of int32. */
#ifndef TEST_TWO_LISTS_H
#define TEST_TWO_LISTS_H

#include "cases/case.h"

enum { TWO_LISTS_COUNT = 1000 };

/* Makes calls on bad keys: all as a, and a third of them as b. Values are then unspecified, but no call may write past
 * the room of an output. shift varies the index where arrays begin. */
void two_lists_stay_inside(int device, const mcl_case *of, const case_variant *variant, const int32_t *keys,
                           int outputs, int64_t room, int shift, const mcl_options *options);

/* Makes calls with MCL_VALIDATE. The function with this name must report the first unsorted key of either list, and
 * write nothing. */
void two_lists_name_unsorted_keys(int device, const mcl_case *of, const case_variant *variant, int outputs,
                                  const char *name);

#endif
