/* segmented_top_k.h: selects the first k elements in an order, or the element of one rank, in each segment of a
 * sequence. */
#ifndef MODERNCL_SEGMENTED_TOP_K_H
#define MODERNCL_SEGMENTED_TOP_K_H

#include "segments.h"
#include "top_k.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Selects the first k keys of each segment, in order. Row s of the output has the keys of segment s. It is elements [s
 * * k, s * k + m), where m is the lower one of k and the segment's length. The rest of the row keeps its content. If k
 * is on the device, rows have as many elements as the bound of k.
 *
 * keys      any input
 * segments  of any kind; mcl_segments_from_rows: the rows of a matrix
 * k         0 or more: mcl_amount_of(k) for all segments, or mcl_amount_of_each with a number per segment
 * out       output of the keys' type with k elements for each segment; may overlap nothing that is read. With indices
 *           and flags the capacities of the outputs limit the segments: nothing is written for later segments
 * counts    receives m of each segment: MCL_INT32 (MCL_ERROR_TYPE where keys.count is above 2147483647) or MCL_INT64;
 *           an element for each segment, or (mcl_output){0}
 * before    strict weak order, as for mcl_sort: MCL_GREATER for the k largest, MCL_LESS for the k smallest, or your own
 *
 * Stable: a row has the first elements of what mcl_segmented_sort would give with MCL_STABLE. Among equal keys, keys
 * with the lowest indices are chosen. With an order that contradicts itself ("p != q") the call still ends. The first m
 * elements of each row are then elements of its segment, and nothing else is written. Offsets and begins that are not
 * sorted give unspecified segments. With MCL_VALIDATE such lists are MCL_ERROR_PRECONDITION, and so is an offset, begin
 * or index outside [0, keys.count].
 *
 * Cost: on GPUs a work-group processes one segment. If k is at most about a thousand (half of the elements that a
 * work-group sorts), the group reads the keys once, and a small sample. For larger k the group selects that many
 * elements at a time, and reads the keys each time. A few segments do not fill a GPU: mcl_top_k of each segment is
 * faster. A few long rows of mcl_segments_from_rows may be cut into parts (tuning parameters
 * segmented_top_k.part_groups and part_length), with scratch for k keys and indices of each part. On CPUs a work-item
 * processes one segment, and keeps its k elements in a heap. Scratch is then k elements with their indices for each
 * work-item of the launch. If segments are short on average, or k is large, all segments are sorted instead, and the
 * first elements of each are copied. Scratch is then the scratch of mcl_segmented_sort, and as much as keys. For values
 * or indices it is the scratch of mcl_segmented_sort_indices, as much as keys, and an index for each key. Tuning
 * parameters of segmented_top_k choose the method: on GPUs sort_length and sort_rounds, on CPUs the parameters that end
 * in _cost. In all other cases there is no scratch. Indices and flags also need an index for each row. Returns once the
 * work is enqueued, and waits for nothing but validation.
 * Errors: MCL_ERROR_ARGUMENT (k is negative, a range does not fit its buffer, out is too short or overlaps).
 * MCL_ERROR_TYPE (segments are not of a type named in segments.h). MCL_ERROR_PRECONDITION, MCL_ERROR_BUILD,
 * MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * A pivot from a sample: R. Floyd, R. Rivest, "Expected time bounds for selection" (1975). The heap: J. Williams,
 * "Algorithm 232: Heapsort" (1964). */
MCL_API mcl_status mcl_segmented_top_k(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_amount k,
                                       mcl_output out, mcl_output counts, const mcl_op *before,
                                       const mcl_options *options);

/* Does the same as mcl_segmented_top_k, and moves the value of each chosen key with it. values is any input with at
 * least as many elements as keys; its count slot is ignored. Only values of chosen keys are read. */
MCL_API mcl_status mcl_segmented_top_k_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_segments segments,
                                             mcl_amount k, mcl_output out_keys, mcl_output out_values,
                                             mcl_output counts, const mcl_op *before, const mcl_options *options);

/* Gives the indices of the keys that mcl_segmented_top_k chooses, where the first key of a segment has index 0. out is
 * MCL_INT32 (MCL_ERROR_TYPE if keys.count is above 2147483647) or MCL_INT64. */
MCL_API mcl_status mcl_segmented_top_k_indices(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_amount k,
                                               mcl_output out, mcl_output counts, const mcl_op *before,
                                               const mcl_options *options);

/* Selects the key of each segment that sorting would put at index rank of the segment.
 *
 * rank      0 or more: mcl_amount_of(rank) for all segments, or mcl_amount_of_each. For a segment without an element of
 *           this rank, out keeps its content.
 * out       output of the keys' type, an element for each segment; may overlap nothing that is read. With indices and
 *           flags its capacity limits the segments: nothing is written for later segments
 *
 * Keys, segments, before, stability, errors and waiting are as in mcl_segmented_top_k; MCL_ERROR_ARGUMENT also where
 * rank is negative or interpolation is no mcl_interpolation. Cost: a segment that a work-group can sort (a few thousand
 * elements) is sorted; on CPUs it is partitioned repeatedly. The keys of a longer segment are read about once, and a
 * few thousand of them are sorted in each of two or three rounds. One work-group (on CPUs one work-item) processes a
 * segment.
 * Scratch: at most five times the elements that a work-group sorts, with their indices, for each of 1024 work-groups.
 * If segments are short on average, all segments are sorted, as in mcl_segmented_top_k and with the same scratch.
 * Parameters of segmented_top_k choose the method: on GPUs rank_sort_length and sort_rounds, on CPUs the parameters
 * that end in _cost. Indices and flags also need an index for each segment. */
MCL_API mcl_status mcl_segmented_nth_element(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_amount rank,
                                             mcl_output out, const mcl_op *before, const mcl_options *options);

/* Selects keys at fractions of each segment's length, as mcl_quantiles does. So the fraction 0.5 gives the medians of
 * rows. Any number of fractions may be given.
 *
 * fractions, interpolation    as in mcl_quantiles
 * out       an element for each fraction and segment: row s has the elements of segment s. Its type is as in
 *           mcl_quantiles. The row of an empty segment keeps its content.
 *
 * Cost: each fraction costs an mcl_segmented_nth_element, or rarely two if keys are interpolated. If that is more than
 * the cost of a sort, all segments are sorted once. */
MCL_API mcl_status mcl_segmented_quantiles(mcl_queue *queue, mcl_input keys, mcl_segments segments, mcl_input fractions,
                                           mcl_output out, const mcl_op *before, mcl_interpolation interpolation,
                                           const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
