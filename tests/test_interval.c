/* test_interval.c */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

START_TEST(interval_equals_the_loop)
{
    run_case_round(&interval_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, interval_equals_the_loop, device, run_case_rounds(&interval_case));
}

int main(void)
{
    return test_main("interval", add);
}
