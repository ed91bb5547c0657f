/* segmented_sort.h: sorts each segment of a sequence separately. */
#ifndef MODERNCL_SEGMENTED_SORT_H
#define MODERNCL_SEGMENTED_SORT_H

#include "segments.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MCL_SORT_PASSES_MAX = 48 };

/* The order of equal keys: any order, or as in the input. */
typedef enum mcl_stability { MCL_UNSTABLE = 0, MCL_STABLE = 1 } mcl_stability;

/* The key with index 0 in mcl_segmented_sort_indices: the first key of the sequence, or the first key of each
 * segment. */
typedef enum mcl_index_origin { MCL_INDEX_IN_SEQUENCE = 0, MCL_INDEX_IN_SEGMENT = 1 } mcl_index_origin;

/* Figures on the elements that a sort moved, in tiles. First tiles are sorted. Then passes merge lists of 1, 2, 4 ...
 * tiles, two at a time. Two arrays hold the lists in turn. A pass merges a tile, or copies it between the arrays, or
 * does not touch it. */
typedef struct mcl_sort_report {
    int64_t tile;   /* number of elements in a tile */
    int64_t tiles;  /* number of sorted tiles */
    int64_t mended; /* number of segments across two tiles that were merged in place, before the passes */
    int pass_count;
    int64_t merge_tiles[MCL_SORT_PASSES_MAX]; /* number of tiles that each pass merged */
    int64_t copy_tiles[MCL_SORT_PASSES_MAX];  /* number of tiles that each pass copied */
} mcl_sort_report;

/* Writes a report to text as a table with a line for each pass, at most capacity bytes including the final 0. Returns
 * the length of the whole text without the 0, as snprintf does. */
MCL_API int mcl_sort_report_format(const mcl_sort_report *report, char *text, size_t capacity);

/* Sorts each segment of keys. out[0 .. keys.count) receives the keys. Each segment keeps its range of indices, and its
 * keys are in the order of before.
 *
 * keys      any input
 * segments  of any kind, number and lengths, in memory that out does not overlap. Elements outside all segments keep
 *           their indices. Missing flag words count as 0.
 * out       output of the keys' type, at least keys.count elements. May be exactly the range of keys (in place); any
 *           other overlap is an error.
 * before    strict weak order: nonzero when p sorts before q; MCL_LESS, MCL_GREATER or your own. mcl_sort describes the
 *           effect of other orders: in any case every index receives one of the keys.
 * stability MCL_STABLE: equal keys (neither sorts before the other) keep their order. MCL_UNSTABLE: they may have any
 * order, which is faster on GPUs.
 * report    NULL, or receives figures on the work; the call then waits
 *
 * Rows (mcl_segments_from_rows) that fit a tile, some 4000 numbers, are sorted in one launch, which needs no scratch on
 * GPUs. In calls without a report, GPUs sort long rows of built-in keys all at once by digits, as a radix sort does.
 * This needs MCL_LESS or MCL_GREATER. The cost then does not grow with the length. Scratch: as much as a radix sort,
 * and 1 KiB for each byte of a key in each row.
 *
 * Offsets and begins that are not sorted give unspecified segments. With MCL_VALIDATE such lists are
 * MCL_ERROR_PRECONDITION, and so is an offset, begin or index outside [0, keys.count].
 * Cost: reads and writes each key once, and once more for each doubling of a tile up to the length of its longest
 * segment. Segments up to a tile's length need only the first reading and writing. Scratch: as much as out, and about
 * 60 bytes per tile (100 with 64-bit indices). Segments other than flags also need one bit per element. Waits only for
 * a report or validation.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, out is too short or overlaps). MCL_ERROR_TYPE (out is
 * not of the keys' type, segments are not of a type named in segments.h). MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED,
 * MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * Method: a mergesort whose merges touch only the segment that crosses the boundary of two lists. A queue lists the
 * tiles that must move. See S. Baxter, Modern GPU (2013), "Segmented Sort and Locality Sort". Segments that cross the
 * boundary of only two tiles are merged in place. */
MCL_API mcl_status mcl_segmented_sort(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_output out,
                                      const mcl_op *before, mcl_stability stability, mcl_sort_report *report,
                                      const mcl_options *options);

/* Does the same as mcl_segmented_sort, and moves the value of each key with it. values has any type, and as many
 * elements as keys; its count slot is ignored. out_values may be exactly the range of values (in place). Neither output
 * can be left out: mcl_segmented_sort sorts keys without values. */
MCL_API mcl_status mcl_segmented_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_segments segments,
                                            mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                            mcl_stability stability, mcl_sort_report *report,
                                            const mcl_options *options);

/* Gives the order of each segment's keys as indices (argsort of rows): out_indices[i] = the index of the key that
 * mcl_segmented_sort stores at i. No values are read: the kernels make the indices.
 *
 * out_keys    receives the sorted keys; may be exactly the range of keys (in place). With (mcl_output){0} the sorted
 *             keys are not stored, and the keys do not change
 * out_indices MCL_INT32 (MCL_ERROR_TYPE where keys.count is above 2147483647) or MCL_INT64; may not overlap what is
 *             read, nor out_keys
 * origin      MCL_INDEX_IN_SEQUENCE: the index in keys. MCL_INDEX_IN_SEGMENT: the index in the key's segment, whose
 *             first key has index 0; a key outside all segments also has 0. MCL_INDEX_IN_SEGMENT reads and writes each
 *             index once more, except for rows on GPUs
 *
 * keys, segments, before, stability, report, cost and errors as in mcl_segmented_sort. Scratch: the scratch of
 * mcl_segmented_sort, as much as out_indices, and as much as keys if out_keys is left out. */
MCL_API mcl_status mcl_segmented_sort_indices(mcl_queue *queue, mcl_input keys, mcl_segments segments,
                                              mcl_output out_keys, mcl_output out_indices, mcl_index_origin origin,
                                              const mcl_op *before, mcl_stability stability, mcl_sort_report *report,
                                              const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
