/* test_load_balance.c */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

START_TEST(load_balance_equals_the_loop)
{
    run_case_round(&load_balance_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, load_balance_equals_the_loop, device, run_case_rounds(&load_balance_case));
}

int main(void)
{
    return test_main("load_balance", add);
}
