/* test_join.c: mcl_join. */
#include "support/arrays.h"
#include "support/run_case.h"

START_TEST(joins_equal_the_loops)
{
    run_case_round(&join_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, joins_equal_the_loops, device, run_case_rounds(&join_case));
}

int main(void)
{
    return test_main("join", add);
}
