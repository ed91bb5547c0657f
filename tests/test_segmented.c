/* test_segmented.c: mcl_segmented_reduce and mcl_segmented_scan, segments given by offsets and by flags. */
#include "support/arrays.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(segmented_reduce_equals_the_loop)
{
    run_case_round(&segmented_reduce_case, _i);
}
END_TEST

START_TEST(segmented_scan_equals_the_loop)
{
    run_case_round(&segmented_scan_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, segmented_reduce_equals_the_loop, device, run_case_rounds(&segmented_reduce_case));
    test_add_loop(tcase, segmented_scan_equals_the_loop, device, run_case_rounds(&segmented_scan_case));
}

int main(void)
{
    return test_main("segmented", add);
}
