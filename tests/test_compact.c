/* test_compact.c: mcl_compact, mcl_partition, mcl_unique and their kin. */
#include "support/arrays.h"
#include "support/guard.h"
#include "support/run_case.h"

#include <string.h>

START_TEST(compact_equals_the_loop)
{
    run_case_round(&compact_case, _i);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, compact_equals_the_loop, device, run_case_rounds(&compact_case));
}

int main(void)
{
    return test_main("compact", add);
}
