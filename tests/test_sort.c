/* test_sort.c: mcl_sort, mcl_sort_pairs and mcl_sort_indices by merging. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <math.h>
#include <string.h>

START_TEST(sort_equals_the_loop)
{
    run_case_round(&sort_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, sort_equals_the_loop, device, run_case_rounds(&sort_case));
}

int main(void)
{
    return test_main("sort", add);
}
