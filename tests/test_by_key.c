/* test_by_key.c: mcl_reduce_by_key and mcl_scan_by_key. */
#include "support/arrays.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(reduce_by_key_equals_the_loop)
{
    run_case_round(&reduce_by_key_case, _i);
}
END_TEST

START_TEST(scan_by_key_equals_the_loop)
{
    run_case_round(&scan_by_key_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, reduce_by_key_equals_the_loop, device, run_case_rounds(&reduce_by_key_case));
    test_add_loop(tcase, scan_by_key_equals_the_loop, device, run_case_rounds(&scan_by_key_case));
}

int main(void)
{
    return test_main("by_key", add);
}
