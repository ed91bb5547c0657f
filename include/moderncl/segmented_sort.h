/* segmented_sort.h: sorts each segment of a sequence by itself. */
#ifndef MODERNCL_SEGMENTED_SORT_H
#define MODERNCL_SEGMENTED_SORT_H

#include "segments.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MCL_SORT_PASSES_MAX = 48 };

/* The order of equal keys: any, or as in the input. */
typedef enum mcl_stability { MCL_UNSTABLE = 0, MCL_STABLE = 1 } mcl_stability;

/* The key that an index of mcl_segmented_sort_indices counts from: the first key, or the first key of its segment. */
typedef enum mcl_index_origin { MCL_INDEX_IN_SEQUENCE = 0, MCL_INDEX_IN_SEGMENT = 1 } mcl_index_origin;

/* Figures of the elements that a sort moved, in tiles. Tiles are sorted first. Then passes merge lists of 1, 2, 4 ...
 * tiles, two at a time. A tile is merged, or copied between the two arrays that hold the lists by turns, or left
 * alone. */
typedef struct mcl_sort_report {
    int64_t tile;   /* elements of a tile */
    int64_t tiles;  /* tiles that were sorted */
    int64_t mended; /* segments across the seam of two tiles that were merged in place, before the passes */
    int pass_count;
    int64_t merge_tiles[MCL_SORT_PASSES_MAX]; /* tiles that each pass merged */
    int64_t copy_tiles[MCL_SORT_PASSES_MAX];  /* tiles that each pass copied */
} mcl_sort_report;

/* Writes a report to text as a table, a line for each pass, at most capacity bytes with the final 0. Returns the length
 * of the whole text without the 0, as snprintf does. */
MCL_API int mcl_sort_report_format(const mcl_sort_report *report, char *text, size_t capacity);

/* Sorts each segment of keys. out[0 .. keys.count) gets the keys, each segment at its old indices, with its keys in the
 * order of before.
 *
 * keys      any input
 * segments  of any kind, number and lengths, in memory that out does not touch. Elements outside all segments stay
 *           where they are. Missing flag words count as 0.
 * out       of the keys' type, at least keys.count elements. In place where it is the range that keys are; any other
 *           overlap is an error.
 * before    strict weak order: nonzero when p sorts before q; MCL_LESS, MCL_GREATER or your own. mcl_sort says what
 *           other orders give: at least, at every index one of the keys.
 * stability MCL_STABLE: equal keys (neither sorts before the other) keep their order. MCL_UNSTABLE: they may come in
 *           any order, which is faster on GPUs.
 * report    NULL, or receives figures of the work done; the call then waits
 *
 * Rows (mcl_segments_from_rows) that fit a tile, some 4000 numbers, are sorted in one launch, which on GPUs takes no
 * scratch. GPUs sort long rows of built-in keys all at once by digits, as a radix sort does. GPUs do so for MCL_LESS
 * and MCL_GREATER, in calls without a report. Then the cost does not grow with the length. Scratch: as much as a radix
 * sort, and 1 KiB for each byte of a key in each row.
 *
 * Offsets and begins that are not sorted give unspecified segments. With MCL_VALIDATE such lists are
 * MCL_ERROR_PRECONDITION, and so is an offset, begin or index outside [0, keys.count].
 * Cost: reads and writes each key once, and once more for each doubling of a tile up to the length of its longest
 * segment. Segments up to a tile's length take only that first reading and writing. Scratch: as much as out, and about
 * 60 bytes a tile (with 64-bit indices 100). Segments other than flags take a bit an element besides. Waits only for a
 * report or validation.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, out is too short or overlaps). MCL_ERROR_TYPE (out is
 * not of the keys' type, segments are not of a type named in segments.h). MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED,
 * MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * Method: a mergesort whose merges touch only the segment that lies across the seam of two lists. A queue lists the
 * tiles that have to move. See S. Baxter, Modern GPU (2013), "Segmented Sort and Locality Sort". Segments across the
 * seam of two tiles only are merged in place. */
MCL_API mcl_status mcl_segmented_sort(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_output out,
                                      const mcl_op *before, mcl_stability stability, mcl_sort_report *report,
                                      const mcl_options *options);

/* Does the same as mcl_segmented_sort with keys that take their values with them. values has as many elements as keys,
 * of any type; its count slot is not looked at. out_values is in place where it is the range that values are. Neither
 * output can be left out: mcl_segmented_sort sorts keys without values. */
MCL_API mcl_status mcl_segmented_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_segments segments,
                                            mcl_output out_keys, mcl_output out_values, const mcl_op *before,
                                            mcl_stability stability, mcl_sort_report *report,
                                            const mcl_options *options);

/* Gives the order of each segment's keys as indices (argsort of rows): out_indices[i] = the index of the key that
 * mcl_segmented_sort stores at i. No values are read: the kernels make the indices.
 *
 * out_keys    gets the sorted keys, in place where it is the range that keys are. (mcl_output){ 0 }: they are not
 *             wanted, and the keys stay as they are.
 * out_indices MCL_INT32 (MCL_ERROR_TYPE where keys.count is above 2147483647) or MCL_INT64; may not overlap what is
 *             read, nor out_keys
 * origin      MCL_INDEX_IN_SEQUENCE: the index in keys. MCL_INDEX_IN_SEGMENT: the index in its segment, whose first
 *             key has 0; a key outside all segments has 0 too. MCL_INDEX_IN_SEGMENT reads and writes each index once
 *             more, except for rows on GPUs.
 *
 * keys, segments, before, stability, report, cost and errors as in mcl_segmented_sort. Scratch: that of
 * mcl_segmented_sort, as much again as out_indices, and as much as keys where out_keys is not wanted. */
MCL_API mcl_status mcl_segmented_sort_indices(mcl_queue *queue, mcl_input keys, mcl_segments segments,
                                              mcl_output out_keys, mcl_output out_indices, mcl_index_origin origin,
                                              const mcl_op *before, mcl_stability stability, mcl_sort_report *report,
                                              const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
