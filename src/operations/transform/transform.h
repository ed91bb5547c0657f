/* transform.h: transforms and gathers that other operations take as steps of their calls. Inputs go by their address,
 * since a copy of an input takes 1.6 KiB, and threads that make calls may have stacks of 64 KiB. */
#ifndef MODERNCL_TRANSFORM_STEPS_H
#define MODERNCL_TRANSFORM_STEPS_H

#include "moderncl/values.h"

/* Makes an mcl_transform (transform.c). */
mcl_status mcl__transform(mcl_queue *queue, mcl_input *in, mcl_output out, const mcl_options *options);
/* Makes an mcl_join_gather of arrays that are checked (gather.c). null_value: NULL stands for zeros. */
mcl_status mcl__gather_rows(mcl_queue *queue, const mcl_input *rows, const mcl_input *column, const void *null_value,
                            mcl_output out, const mcl_options *options);

#endif
