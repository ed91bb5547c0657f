/* test_bulk.c: mcl_bulk_remove and mcl_bulk_insert. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(bulk_equals_the_loop)
{
    run_case_round(&bulk_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, bulk_equals_the_loop, device, run_case_rounds(&bulk_case));
}

int main(void)
{
    return test_main("bulk", add);
}
