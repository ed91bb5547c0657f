#pragma once
/* compact.h: the values of COMPACT_TEST, which says how an element is tested. */
#define TEST_KEEP 0  /* the operator keep tests it */
#define TEST_FLAG 1  /* the element is a flag itself, and passes where it is not 0 */
#define TEST_HEADS 2 /* it passes where it begins a run of elements that the operator same joins */
