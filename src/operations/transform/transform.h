/* transform.h: transforms and gathers as steps of other operations. Inputs are passed by address. A copy of an input
 * takes 1.6 KiB, and threads that make calls may have stacks of only 64 KiB. */
#ifndef MODERNCL_TRANSFORM_STEPS_H
#define MODERNCL_TRANSFORM_STEPS_H

#include "moderncl/values.h"

/* Makes a call of mcl_transform (transform.c). */
mcl_status mcl__transform(mcl_queue *queue, mcl_input *in, mcl_output out, const mcl_options *options);
/* Makes a call of mcl_join_gather with checked arrays (gather.c). A null_value of NULL stands for zeros. */
mcl_status mcl__gather_rows(mcl_queue *queue, const mcl_input *rows, const mcl_input *column, const void *null_value,
                            mcl_output out, const mcl_options *options);

#endif
