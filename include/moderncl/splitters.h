/* splitters.h: the splitters of a sequence that lies in several memories, from samples of its parts. */
#ifndef MODERNCL_SPLITTERS_H
#define MODERNCL_SPLITTERS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sort over several devices by a transport of the caller's own takes these steps. A rank is a process or a thread
 * with a queue.
 *
 *   sample     mcl_splitters_sample               on each rank: samples of its elements
 *   gather     the caller's transport             all samples to all ranks, in the order of ranks
 *   choose     mcl_sort_pairs, mcl_splitters_choose    the same splitters on each rank
 *   partition  mcl_multisplit_by_splitters        on each rank: its elements by the rank that they go to, and counts
 *   exchange   the caller's transport             parts to their ranks
 *   finish     mcl_sort, or mcl_merge_runs        parts that arrive in the order of ranks
 *
 * With positions the sort is stable over all ranks, and equal keys are spread over ranks as other keys are.
 * docs/mpi.md, "Without moderncl_mpi", has a whole program. Where each rank first sorts, mcl_sorted_search_needles
 * finds the splitters' indices in the sorted elements, and the arriving parts are merged as runs.
 *
 * How even the parts are: with a thousand samples a rank, parts are within some percent of their shares. Exact shares
 * take rounds of counting, which moderncl_mpi does (P. J. Varman and others, "Merging Multiple Lists on
 * Hierarchical-Memory Multiprocessors", 1991). W. D. Frazer, A. C. McKellar, "Samplesort: A Sampling Approach to
 * Minimal Storage Tree Sorting" (1970). */

/* Takes samples of a sequence, one from each stretch, at a hashed index. A stretch has stride elements; the last may
 * have fewer.
 *
 * in         any input, of any type
 * stride     how many elements a sample stands for; 1 or more. The same on all ranks
 * first      the position of in's first element in the whole: the number of elements of earlier ranks. 0 to 2^48
 * out        of in's type: the samples, in the order of in. At least ceil(in.count / stride) elements
 * positions  MCL_INT32 or MCL_INT64: the samples' positions in the whole, which ascend. As many as samples. May be left
 *            out
 *
 * A count slot of in is respected: no sample is stored of a stretch without elements. The indices follow from first and
 * stride alone, so they are the same on every device.
 * Overlap: no output may overlap another, or what is read. Cost: reads one element a sample. Scratch: none. Returns
 * once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (stride or first; a range does not fit its buffer, an output is too short or overlaps).
 * MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_splitters_sample(mcl_queue *queue, mcl_input in, int64_t stride, int64_t first, mcl_output out,
                                        mcl_output positions, const mcl_options *options);

/* Chooses splitters from sorted samples: splitter b is the sample before which the shares of parts 0 to b lie.
 *
 * samples        all samples of all ranks, sorted; of any type. Each sample stands for the same number of elements
 * positions      (mcl_input){0}, or the samples' positions: MCL_INT32 or MCL_INT64, as many as samples. mcl_sort_pairs
 *                of samples in the order of ranks brings them along. They then ascend where samples are equal
 * shares         MCL_INT32, MCL_UINT32 or MCL_INT64: how much each part is to get, in any unit. Equal shares:
 *                mcl_from_constant. One for each part, 1 to 32768. A share below 0 counts as 0, and a share above 2^48
 *                as 2^48; shares are taken to 31 bits of their sum. A count slot of shares is not looked at
 * out            of the samples' type: the splitters, one less than shares
 * out_positions  of the positions' type: the positions of the splitters. May be left out, and must be left out without
 *                positions
 *
 * A part whose share is 0 may get the elements from the last sample on. Without samples (a count on the device of 0),
 * or where no share is above 0, nothing is stored.
 * Overlap: no output may overlap another, or what is read. Cost: each splitter adds up the shares. Scratch: none.
 * Returns once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (the number of shares; out_positions without positions; a range does not fit its buffer,
 * an output is too short or overlaps). MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_splitters_choose(mcl_queue *queue, mcl_input samples, mcl_input positions, mcl_input shares,
                                        mcl_output out, mcl_output out_positions, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
