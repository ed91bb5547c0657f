/* segments.h: where the segments of a sequence begin. */
#ifndef MODERNCL_SEGMENTS_H
#define MODERNCL_SEGMENTS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A plain value; make one with the functions below. The first element of a sequence begins a segment in any case, and
 * each segment reaches to where the next begins. */
typedef struct mcl_segments {
    mcl_input heads;
    int are_flags; /* heads are words of flags, else positions */
} mcl_segments;

/* words: MCL_UINT32 or MCL_INT32; element k begins a segment where bit k % 32 of word k / 32 is set, the least
 * significant bit being bit 0. Words that are not there count as 0, bits past the sequence's end are not looked at. */
MCL_API mcl_segments mcl_segments_from_flags(mcl_input words);

/* starts: MCL_INT32 or MCL_INT64; the positions at which segments begin, in ascending order as a rule, though the order
 * does not matter. 0 may be left out. A position that comes twice is that of an empty segment, as is the sequence's
 * length. Their count may live on the device (mcl_with_count). */
MCL_API mcl_segments mcl_segments_from_indices(mcl_input starts);

#ifdef __cplusplus
}
#endif
#endif
