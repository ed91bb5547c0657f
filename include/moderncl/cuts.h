/* cuts.h: searches that cut work into equal tiles, for kernels of your own. */
#ifndef MODERNCL_CUTS_H
#define MODERNCL_CUTS_H

#include "sorted_search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finds the start of each tile in a sorted list of positions.
 *
 * out[k] = lower (or upper) bound of min(k * tile, count) in data, for k in [0, ceil(count / tile)]. So out receives
 * ceil(count / tile) + 1 numbers. data[out[k]] is the first position at or past (for upper bounds: past) the start of
 * tile k.
 *
 * data    sorted input of an integer type
 * count   number of elements of the sequence that data's positions refer to; 0 or more
 * tile    elements a tile; 1 or more
 * out     MCL_INT32 or MCL_INT64
 * With MCL_VALIDATE data that is not sorted is MCL_ERROR_PRECONDITION.
 * Cost: a binary search for each tile. Scratch: none. S. Baxter, Modern GPU (2013), "Bulk Remove and Bulk Insert". */
MCL_API mcl_status mcl_cut_search(mcl_queue *queue, mcl_input data, int64_t count, int64_t tile, mcl_bounds bounds,
                                  mcl_output out, const mcl_options *options);

/* Finds where the diagonals k * tile cross the merge path of two sorted sequences.
 *
 * out[k] = the number of elements of a among the first min(k * tile, a.count + b.count) elements of the merge. k is in
 * [0, ceil((a.count + b.count) / tile)]. Among equal keys, MCL_LOWER takes those of a first (as mcl_merge does), and
 * MCL_UPPER those of b.
 *
 * pair_tiles  0: two inputs. A power of two from 2 on: mergesort mode. Then a is one array of sorted lists, merged in
 *             pairs. Each list has tile * pair_tiles / 2 elements (the last one may have fewer). b is ignored. out[k]
 *             is then the crossing in the pair of tile k, counted from the start of the pair's first list. The last
 *             tile of a pair stores the start of the next pair.
 * out         MCL_INT32 or MCL_INT64
 * before      strict weak order
 * With MCL_VALIDATE inputs that are not sorted are MCL_ERROR_PRECONDITION (not in mergesort mode).
 * Cost: a binary search for each tile. Scratch: none. Modern GPU (2013), "Mergesort"; merge path as in mcl_merge. */
MCL_API mcl_status mcl_cut_merge_path(mcl_queue *queue, mcl_input a, mcl_input b, int64_t tile, int pair_tiles,
                                      mcl_bounds bounds, mcl_output out, const mcl_op *before,
                                      const mcl_options *options);

/* Finds where the diagonals k * tile cross the balanced path of two sorted sequences. The balanced path is the merge
 * path, except that the j-th copy of a key in b directly follows the j-th copy in a. No cut separates such a pair.
 *
 * For k in [0, ceil((a.count + b.count) / tile)], with d = min(k * tile, a.count + b.count), let i be out[k] without
 * its top bit. The elements before the cut are the first i of a and the first d - i of b. A set top bit is called a
 * star: the cut includes one more element of b, since the diagonal would have cut a pair. So between two cuts there are
 * tile elements, or one more or less. Multiset operations (sets.h) on the elements between cuts give the parts of the
 * result, in order.
 *
 * out     MCL_INT32 or MCL_INT64
 * before  strict weak order
 * MCL_UNIQUE_KEYS in options->flags says that neither input repeats a key, and saves searches. With MCL_VALIDATE inputs
 * that are not sorted are MCL_ERROR_PRECONDITION.
 * Cost: four binary searches for each tile, three of them short where keys repeat little. Scratch: none.
 * S. Baxter, Modern GPU (2013), "Multisets". */
MCL_API mcl_status mcl_cut_balanced_path(mcl_queue *queue, mcl_input a, mcl_input b, int64_t tile, mcl_output out,
                                         const mcl_op *before, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
