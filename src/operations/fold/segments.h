/* segments.h: common steps of the operations on segments: head bits from offsets, begins or indices, and the number of
 * segments on the device. */
#ifndef MCL_SEGMENTS_H
#define MCL_SEGMENTS_H

#include "call/call.h"

#include "moderncl/segments.h"

/* Checks that the kind is one of the four, and that the number of elements in all rows does not overflow. */
mcl_status mcl__segments_check(const mcl_segments *segments);

/* Leaves out rows that a call with a result per element does not need. These are all rows without elements but one, and
 * all rows after the elements but one. The one after the elements stays so that MCL_VALIDATE finds it. */
void mcl__segments_leave_out_rows(mcl_segments *segments, int64_t elements);

/* Returns the number of 32-bit words that hold a head bit per element. */
static inline int64_t mcl__head_words(int64_t elements)
{
    return elements / 32 + 1;
}

/* Plan and launch a part of another call that makes head bits: mcl__head_words(elements) words in scratch. Segments by
 * flags are not allowed. *segments must keep its address until the launch. An element outside all segments is a head
 * too, as if it were a segment of its own. */
mcl_status mcl__heads_plan(mcl_queue *queue, mcl_segments *segments, int64_t elements, const mcl_options *options,
                           mcl__call *part);
mcl_status mcl__heads_launch(mcl__call *part, mcl_input *words);

/* Plan and launch a part of another call that stores the number of segments at to, in count's type. The segments are
 * given by offsets or begins. */
mcl_status mcl__segments_count_plan(mcl_queue *queue, mcl_segments *segments, const mcl_result *count,
                                    const mcl_options *options, mcl__call *part);
mcl_status mcl__segments_count_launch(mcl__call *part, mcl__span to);

#endif
