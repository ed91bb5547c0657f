/* test_locality_sort.c: mcl_locality_sort and mcl_locality_sort_pairs. */
#include "support/run_case.h"

START_TEST(locality_sort_equals_the_loop)
{
    run_case_round(&locality_sort_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, locality_sort_equals_the_loop, device, run_case_rounds(&locality_sort_case));
}

int main(void)
{
    return test_main("locality_sort", add);
}
