/* segments.h: describes the segments of a sequence, in four ways. Every segmented operation takes all four kinds. */
#ifndef MODERNCL_SEGMENTS_H
#define MODERNCL_SEGMENTS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mcl_segment_kind {
    MCL_SEGMENT_OFFSETS = 0,
    MCL_SEGMENT_BEGINS = 1,
    MCL_SEGMENT_INDICES = 2,
    MCL_SEGMENT_FLAGS = 3
} mcl_segment_kind;

/* A plain value that says which elements form segments; make it with the functions below. input is a buffer or an
 * expression, and its count may be on the device (mcl_with_count). Offsets, begins and indices may have any integer
 * type. */
typedef struct mcl_segments {
    mcl_input input;
    mcl_segment_kind kind;
    int64_t row_length; /* length of rows, else 0 */
} mcl_segments;

/* Makes segments from offsets: one offset more than segments, in ascending order. Segment s is elements [offsets[s],
 * offsets[s + 1]). Equal neighbours make an empty segment. The first offset need not be 0, and the last one need not be
 * the number of elements: elements outside all segments are ignored. (The row pointers of a sparse matrix in CSR form
 * are such offsets.) */
MCL_API mcl_segments mcl_segments_from_offsets(mcl_input offsets);

/* Makes segments from the rows of a matrix, which have equal length. The first row begins at element 0. The offsets are
 * 0, length, 2 * length ... rows * length, and need no memory. A sort of rows that fit a tile (some 4000 numbers) is
 * one launch. If only the device knows the number of rows, use mcl_with_count, with that number plus one in the slot:
 * segments.input = mcl_with_count(segments.input, slot, 0). A number or a length below 0, and rows of 2^63 or more
 * elements in total, are MCL_ERROR_ARGUMENT in the call that gets them. */
MCL_API mcl_segments mcl_segments_from_rows(int64_t rows, int64_t length);

/* Makes segments from begins: offsets without the last one, as many as segments. The last segment ends with the
 * elements. Elements before the first begin are outside all segments. */
MCL_API mcl_segments mcl_segments_from_begins(mcl_input begins);

/* Makes segments from the indices of heads, in any order. A head is an element that begins a segment. The segment ends
 * before the next head. Element 0 is always a head. A repeated index counts once. An index outside the elements is
 * ignored. No segment is empty. */
MCL_API mcl_segments mcl_segments_from_indices(mcl_input heads);

/* Makes segments from head flags: words of MCL_UINT32 or MCL_INT32. Element k is a head where bit k % 32 of word k / 32
 * is set; bit 0 is the least significant. Element 0 is always a head. No segment is empty. Bits past the elements are
 * ignored. */
MCL_API mcl_segments mcl_segments_from_flags(mcl_input words);

#ifdef __cplusplus
}
#endif
#endif
