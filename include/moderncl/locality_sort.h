/* locality_sort.h: sorts a sequence whose elements are nearly in order already. */
#ifndef MODERNCL_LOCALITY_SORT_H
#define MODERNCL_LOCALITY_SORT_H

#include "segmented_sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts keys as mcl_sort does: stable, and in place where out is the same range as keys. Elements that are in order
 * after the first passes are not moved by later passes. If each key is at most d elements from its sorted position,
 * only the passes that merge lists shorter than about d move everything. Keys in random order take somewhat longer than
 * with mcl_sort.
 *
 * keys, out, before, report and errors as in mcl_segmented_sort. Scratch: as much as out, and about 60 bytes a tile.
 *
 * S. Baxter, Modern GPU (2013), "Segmented Sort and Locality Sort". */
MCL_API mcl_status mcl_locality_sort(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                                     mcl_sort_report *report, const mcl_options *options);

/* Does the same as mcl_locality_sort, and moves the value of each key with it. values has any type, and as many
 * elements as keys; its count slot is ignored. Neither output can be left out: mcl_locality_sort sorts keys without
 * values. */
MCL_API mcl_status mcl_locality_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                           mcl_output out_values, const mcl_op *before, mcl_sort_report *report,
                                           const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
