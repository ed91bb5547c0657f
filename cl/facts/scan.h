#pragma once
/* scan.h: flags of a scan's launch: where the total goes. */
#define TOTAL_TO_SLOT 1 /* the total goes to total[0] */
#define TOTAL_AT_END 2  /* the total goes to out[count] */
