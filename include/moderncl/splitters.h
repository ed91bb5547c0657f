/* splitters.h: chooses the splitters of a sequence that is spread over several memories, from samples of its parts. */
#ifndef MODERNCL_SPLITTERS_H
#define MODERNCL_SPLITTERS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sort over several devices with the caller's own transport has these steps. A rank is a process or a thread with a
 * queue.
 *
 *   sample     mcl_splitters_sample               on each rank: samples of its elements
 *   gather     the caller's transport             all samples to all ranks, in the order of ranks
 *   choose     mcl_sort_pairs, mcl_splitters_choose    the same splitters on each rank
 *   partition  mcl_multisplit_by_splitters        on each rank: its elements by the rank that they go to, and counts
 *   exchange   the caller's transport             parts to their ranks
 *   finish     mcl_sort, or mcl_merge_runs        parts that arrive in the order of ranks
 *
 * With positions the sort is stable over all ranks, and equal keys are spread over ranks like other keys. docs/mpi.md,
 * "Without moderncl_mpi", has a complete program. If each rank sorts first, mcl_sorted_search_needles finds the
 * splitters' indices in the sorted elements, and the received parts are merged as runs.
 *
 * With a thousand samples per rank, parts differ from their shares by some percent. Exact shares need rounds of
 * counting, as in moderncl_mpi (P. J. Varman and others, "Merging Multiple Lists on Hierarchical-Memory
 * Multiprocessors", 1991). W. D. Frazer, A. C. McKellar, "Samplesort: A Sampling Approach to Minimal Storage Tree
 * Sorting" (1970). */

/* Takes samples of a sequence: one from each section of stride elements, at a hashed index. The last section may have
 * fewer elements.
 *
 * in         any input, of any type
 * stride     number of elements that a sample represents, at least 1. Must be the same on all ranks
 * first      position of in's first element in the whole sequence: the number of elements of earlier ranks, 0 to 2^48
 * out        output of in's type: the samples, in the order of in. At least ceil(in.count / stride) elements
 * positions  MCL_INT32 or MCL_INT64: the samples' positions in the whole sequence, ascending, as many as samples. May
 *            be left out
 *
 * A count slot of in is used: no sample is stored for a section without elements. The indices depend only on first and
 * stride, so they are the same on every device.
 * Overlap: no output may overlap another, or what is read. Cost: reads one element per sample. Scratch: none. Returns
 * once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (stride or first; a range does not fit its buffer, an output is too short or overlaps).
 * MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_splitters_sample(mcl_queue *queue, mcl_input in, int64_t stride, int64_t first, mcl_output out,
                                        mcl_output positions, const mcl_options *options);

/* Chooses splitters from sorted samples. The samples before splitter b are the shares of parts 0 to b.
 *
 * samples        all samples of all ranks, sorted; of any type. Each sample represents the same number of elements
 * positions      (mcl_input){0}, or the samples' positions: MCL_INT32 or MCL_INT64, as many as samples. mcl_sort_pairs
 *                of samples, in the order of ranks, moves them with the samples. They then ascend where samples are
 *                equal
 * shares         MCL_INT32, MCL_UINT32 or MCL_INT64: the share of each part, in any unit, for 1 to 32768 parts.
 *                mcl_from_constant gives equal shares. A share below 0 counts as 0, and a share above 2^48 as 2^48.
 *                Shares are rounded to 31 bits of their sum. A count slot of shares is ignored
 * out            output of the samples' type: the splitters, one less than shares
 * out_positions  output of the positions' type: the positions of the splitters. May be left out, and must be left out
 *                without positions
 *
 * A part whose share is 0 may still get the elements from the last sample on. Without samples (a count of 0 on the
 * device), or if no share is above 0, nothing is stored.
 * Overlap: no output may overlap another, or what is read. Cost: a sum of the shares for each splitter. Scratch: none.
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
