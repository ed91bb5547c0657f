/* segments.h: shared parts of the operations on segments: head bits made of offsets, begins or indices, and the number
 * of segments on the device. */
#ifndef MCL_SEGMENTS_H
#define MCL_SEGMENTS_H

#include "call/call.h"

#include "moderncl/segments.h"

/* Checks that the kind is one of the four. */
mcl_status mcl__segments_check(const mcl_segments *segments);

/* Returns the number of words of head bits for elements. */
static inline int64_t mcl__head_words(int64_t elements)
{
    return elements / 32 + 1;
}

/* Head bits as a part of another call: mcl__head_words(elements) words in scratch. Segments are no flags, and stay
 * where they are until the launch. Elements outside all segments are heads too: each is a segment of its own. */
mcl_status mcl__heads_plan(mcl_queue *queue, mcl_segments *segments, int64_t elements, const mcl_options *options,
                           mcl__call *part);
mcl_status mcl__heads_launch(mcl__call *part, mcl_input *words);

/* The number of segments by offsets or begins, of count's type, as a part of another call. */
mcl_status mcl__segments_count_plan(mcl_queue *queue, mcl_segments *segments, const mcl_result *count,
                                    const mcl_options *options, mcl__call *part);
mcl_status mcl__segments_count_launch(mcl__call *part, mcl__span to);

#endif
