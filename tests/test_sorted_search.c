/* test_sorted_search.c */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

START_TEST(sorted_search_equals_the_loop)
{
    run_case_round(&sorted_search_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, sorted_search_equals_the_loop, device, run_case_rounds(&sorted_search_case));
}

int main(void)
{
    return test_main("sorted_search", add);
}
