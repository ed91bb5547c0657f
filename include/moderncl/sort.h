/* sort.h: sorts a sequence. */
#ifndef MODERNCL_SORT_H
#define MODERNCL_SORT_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts keys: out[0 .. keys.count) gets the keys in the order of before, stable (keys of which neither sorts before
 * the other keep their order). Sorts in place where out is the range that keys are; any other overlap of the two is
 * an error. */
MCL_API mcl_status mcl_sort(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                            const mcl_options *options);

/* mcl_sort of keys, in which every key takes its value with it. values has as many elements as keys, of any type. */
MCL_API mcl_status mcl_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                  mcl_output out_values, const mcl_op *before, const mcl_options *options);

/* out[k] = the position in keys of the key that mcl_sort puts in place k. The keys stay as they are. out is MCL_INT32
 * or MCL_INT64. */
MCL_API mcl_status mcl_sort_indices(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                                    const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
