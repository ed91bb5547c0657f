/* top_k.h: selects the first k elements of a sequence in an order, elements of ranks, and quantiles, without sorting
 * all elements. */
#ifndef MODERNCL_TOP_K_H
#define MODERNCL_TOP_K_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The following holds for all functions here.
 *
 * before    strict weak order, as for mcl_sort: MCL_GREATER for the k largest, MCL_LESS for the k smallest, or your own
 * Stable: the chosen elements, in their order, are the first elements of the result of mcl_sort. Among equal keys, keys
 *   with the lowest indices are chosen. This also holds for a before that is true for equal keys ("p <= q"). With a
 *   before that contradicts itself ("p != q") the calls still end. Every index of an output below the count then
 *   receives an element of the input, and nothing else is written.
 * Cost: the keys are read once, or twice if k is large. Neither their distribution nor the number of equal keys makes a
 *   difference. Rounds use samples at hashed indices, so only an input made against these indices is slow. Scratch: a
 *   seventh of the keys with indices of 32 or 64 bits, and a block. If more elements than a work-group sorts (a few
 *   thousand) are wanted in order, scratch is the scratch of sorting them, and twice their size. With MCL_LESS or
 *   MCL_GREATER, keys of built-in types are all sorted where sorting is faster. On GPUs sorting is faster up to about a
 *   million keys, where a search would take several rounds. The tuning parameters top_k.sort_bytes,
 *   top_k.rank_sort_bytes and top_k.sort_percent decide. Scratch is then the scratch of the sort, and the sorted keys
 *   or their indices.
 * Returns once the work is enqueued, unless a result goes to the host.
 * Errors: MCL_ERROR_ARGUMENT (k or rank is out of range, a range does not fit its buffer, an output is too short or
 *   overlaps). MCL_ERROR_TYPE, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * R. Floyd, R. Rivest, "Expected time bounds for selection" (1975). */

/* Selects the first k keys.
 *
 * keys      any input
 * k         mcl_amount_of(k), or a number on the device with its bound. The bound decides the outputs' room and the
 *           launches. k is 0 or more; if k is above keys.count, or above the count of keys on the device, all keys are
 *           chosen. More than 4294967295 chosen keys are MCL_ERROR_UNSUPPORTED
 * out       output of the keys' type, at least min(k or its bound, keys.count) elements; may overlap nothing that is
 *           read. Keys are in order. With MCL_UNORDERED and without MCL_DETERMINISTIC they have any order, which
 *           differs from run to run; the call is then faster if k is large
 * count     the number of chosen keys: the lower one of k and the count of keys. MCL_INT32, MCL_UINT32 or MCL_INT64, to
 *           host, slot, both or mcl_to_nowhere() */
MCL_API mcl_status mcl_top_k(mcl_queue *queue, mcl_input keys, mcl_amount k, mcl_output out, const mcl_op *before,
                             mcl_result count, const mcl_options *options);

/* Does the same as mcl_top_k, and moves the value of each chosen key with it. values is any input with at least as many
 * elements as keys; its count slot is ignored. Only values of chosen keys are read. */
MCL_API mcl_status mcl_top_k_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_amount k,
                                   mcl_output out_keys, mcl_output out_values, const mcl_op *before, mcl_result count,
                                   const mcl_options *options);

/* Gives the indices in keys of the keys that mcl_top_k chooses. out is MCL_INT32 (MCL_ERROR_TYPE where keys.count is
 * above 2147483647) or MCL_INT64. */
MCL_API mcl_status mcl_top_k_indices(mcl_queue *queue, mcl_input keys, mcl_amount k, mcl_output out,
                                     const mcl_op *before, mcl_result count, const mcl_options *options);

/* Selects the key that sorting would put at index rank (std::nth_element).
 *
 * rank      mcl_amount_of(rank), or a number on the device with its bound. It is 0 or more, and less than keys.count.
 *           If the count of keys on the device is not above rank, a slot keeps its content, and the key on the host is
 *           unspecified
 * result    host, device slot, both or neither; it has the keys' type */
MCL_API mcl_status mcl_nth_element(mcl_queue *queue, mcl_input keys, mcl_amount rank, mcl_result result,
                                   const mcl_op *before, const mcl_options *options);

/* Selects the keys of many ranks: out[j] is the key that sorting would put at index ranks[j].
 *
 * ranks     any input of MCL_INT32, MCL_UINT32 or MCL_INT64, in any order, repeats allowed. Its count slot is ignored.
 *           A negative rank counts as 0. A rank past the keys counts as the last rank. If the count of keys on the
 *           device is 0, out keeps its content
 * out       output of the keys' type, as many elements as ranks; may overlap nothing that is read
 *
 * Cost: an mcl_nth_element for each rank, or an mcl_sort where that costs less. The sort takes scratch for the sorted
 * keys, and the scratch of mcl_sort. Tuning parameters have the cost of a rank (top_k.select_call_cost,
 * select_word_cost). On GPUs up to three ranks of 3e7 keys, and one rank of 3e6 keys, are selected; for more ranks the
 * keys are sorted. */
MCL_API mcl_status mcl_nth_elements(mcl_queue *queue, mcl_input keys, mcl_input ranks, mcl_output out,
                                    const mcl_op *before, const mcl_options *options);

/* The value of a quantile, if its position is between two keys. */
typedef enum mcl_interpolation {
    MCL_INTERPOLATION_LOWER,    /* the key before the position */
    MCL_INTERPOLATION_HIGHER,   /* the key after the position */
    MCL_INTERPOLATION_NEAREST,  /* the nearer one of these two keys; in the middle, the lower one */
    MCL_INTERPOLATION_MIDPOINT, /* half of the sum of these two keys */
    MCL_INTERPOLATION_LINEAR    /* lower + (higher - lower) * the position's distance from lower */
} mcl_interpolation;
/* MIDPOINT and LINEAR do not overflow for any keys, and their result is never outside both keys. A position on a key
 * gives that key. Between an infinity and a finite key the result is the infinity. Between both infinities, and next to
 * a NaN, it is NaN. */

/* Selects any number of quantiles: out[j] is the key at position fractions[j] * (count - 1) of the sorted keys. So
 * fractions 0, 0.5 and 1 give the first key, the median and the last key.
 *
 * fractions      any input of MCL_FLOAT or MCL_DOUBLE; the position is computed in this type. With more than 2^24 keys,
 *                MCL_FLOAT rounds the position: the result for the median of 1e8 keys may be a few keys away. The count
 *                slot is ignored. A fraction below 0, or NaN, counts as 0, and a fraction above 1 as 1.
 * out            as many elements as fractions; may overlap nothing that is read. It has the keys' type. With
 *                MCL_INTERPOLATION_MIDPOINT and _LINEAR its type is MCL_FLOAT or MCL_DOUBLE. The keys are converted to
 *                this type, and must be numbers
 * interpolation  see above
 *
 * Everything else is as in mcl_nth_elements: without keys, out keeps its content. Cost: for each fraction the cost of
 * one rank, or of two ranks if keys are interpolated. */
MCL_API mcl_status mcl_quantiles(mcl_queue *queue, mcl_input keys, mcl_input fractions, mcl_output out,
                                 const mcl_op *before, mcl_interpolation interpolation, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
