/* test_segmented_sort.c: mcl_segmented_sort, mcl_segmented_sort_pairs and reports. */
#include "support/run_case.h"

START_TEST(segmented_sort_equals_the_loop)
{
    run_case_round(&segmented_sort_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, segmented_sort_equals_the_loop, device, run_case_rounds(&segmented_sort_case));
}

int main(void)
{
    return test_main("segmented_sort", add);
}
