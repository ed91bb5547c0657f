#pragma once
/* compact.h: the values of COMPACT_TEST: how the input is tested. */
#define TEST_KEEP 0  /* by keep */
#define TEST_FLAG 1  /* an element is a flag: not 0 passes */
#define TEST_HEADS 2 /* by same: the first element of each run passes */
