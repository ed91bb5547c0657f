/* test_sets.c: mcl_set_intersection, _union, _difference, _symmetric_difference and their _pairs. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(sets_equal_the_loops)
{
    run_case_round(&sets_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, sets_equal_the_loops, device, run_case_rounds(&sets_case));
}

int main(void)
{
    return test_main("sets", add);
}
