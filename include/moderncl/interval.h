/* interval.h: moves many intervals of elements at once, and repeats elements. */
#ifndef MODERNCL_INTERVAL_H
#define MODERNCL_INTERVAL_H

#include "load_balance.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Intervals are the objects of load_balance.h. Interval k has offsets[k + 1] - offsets[k] elements, and the last
 * interval has all elements up to the end of the work. work is the number of elements in all intervals. Each group
 * moves an equal share of elements. If an interval is long, and has the same alignment in in and in out, a group moves
 * 16 bytes at once.
 *
 * In all four functions, in (or values) and out have the same type, and gather and scatter have any integer type.
 * gather, scatter and values have at least as many elements as offsets. The count of offsets is the number of
 * intervals; count slots of gather, scatter and values are ignored. out may not overlap what is read. Elements of out
 * that no interval covers keep their content. Intervals may overlap where they are read. Where intervals overlap in
 * out, one of the elements is stored, and it is unspecified which one. An element from outside in, or for a position
 * outside out, is skipped. With MCL_VALIDATE an interval that reaches outside is MCL_ERROR_PRECONDITION; so are offsets
 * that decrease or do not begin with 0. Then nothing is written.
 * Cost: reads each offset and start once and each element once, writes each element. Scratch: 8 bytes a tile. On GPUs
 * move and scatter may first sort intervals roughly by their targets in out. This is done for a quarter of a million
 * intervals or more, with more elements than the cache holds. All lists must be arrays with counts on the host. The
 * sort reads and writes the lists once more, and needs some 24 bytes of scratch per interval. Returns once the work is
 * enqueued. Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, a list is too short, an output too short or
 * overlapping). MCL_ERROR_TYPE, MCL_ERROR_PRECONDITION, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE.
 * S. Baxter, Modern GPU (2013), "IntervalExpand and IntervalMove". */

/* Repeats every element: out[i] = values[k] for each work unit i of interval k. out has at least work.count
 * elements. */
MCL_API mcl_status mcl_interval_expand(mcl_queue *queue, mcl_work work, mcl_input values, mcl_input offsets,
                                       mcl_output out, const mcl_options *options);

/* Moves the elements of each interval k: from in[gather[k]] on to out[scatter[k]] on. */
MCL_API mcl_status mcl_interval_move(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input gather, mcl_input scatter,
                                     mcl_input offsets, mcl_output out, const mcl_options *options);

/* Gathers the intervals one after another, like mcl_interval_move with the offsets as scatter. out has at least
 * work.count elements. */
MCL_API mcl_status mcl_interval_gather(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input gather,
                                       mcl_input offsets, mcl_output out, const mcl_options *options);

/* Scatters intervals that are stored one after another, like mcl_interval_move with the offsets as gather. in has at
 * least work.count elements. */
MCL_API mcl_status mcl_interval_scatter(mcl_queue *queue, mcl_work work, mcl_input in, mcl_input scatter,
                                        mcl_input offsets, mcl_output out, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
