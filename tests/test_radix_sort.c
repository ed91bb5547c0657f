/* test_radix_sort.c: radix sort. */
#include "support/run_case.h"

START_TEST(radix_sort_equals_the_hosts)
{
    run_case_round(&radix_sort_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, radix_sort_equals_the_hosts, device, run_case_rounds(&radix_sort_case));
}

int main(void)
{
    return test_main("radix_sort", add);
}
