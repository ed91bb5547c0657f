/* views.h: inputs that read a buffer in another order, or read neighbours together. They copy nothing: a call reads the
 * elements from the buffer. mcl_transform stores a view as a sequence of its own. */
#ifndef MODERNCL_VIEWS_H
#define MODERNCL_VIEWS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The following holds for the first four functions.
 *
 * type, buffer, offset, count  x = buffer[offset .. offset + count), as in mcl_from_buffer
 * Element k of a view reads elements of x other than x[k]. So a call cannot store to the range that its view reads, not
 * even in place: that is MCL_ERROR_ARGUMENT (mcl_output). A count slot (mcl_with_count) selects the first elements of
 * the view. These functions cannot fail: a range that does not fit the buffer is MCL_ERROR_ARGUMENT in the call that
 * gets the view. */

/* Returns a view with element k = x[count - 1 - k]. */
MCL_API mcl_input mcl_from_reversed(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count);

/* Returns a view with element k = x[(k + by) mod count]. by is any number. With 1 the second element becomes the first,
 * with -1 the last element becomes the first. */
MCL_API mcl_input mcl_from_rotated(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count, int64_t by);

/* Returns a view with element k = x[p(k)], where p is a permutation of 0 .. count - 1 that depends only on seed and
 * count. So p is the same on every device, and one seed shuffles all sequences of equal length in the same way. Seeds
 * are mixed: permutations of neighbouring seeds have nothing in common.
 *
 * For up to 64 elements, the index is followed through a Fisher-Yates shuffle, so all orders are equally likely (R.
 * Durstenfeld, "Algorithm 235", 1964). For more elements, a Feistel network over the parts of the index is repeated
 * until the result is below count. So each element is equally likely to get each index. (J. Black and P. Rogaway,
 * "Ciphers with Arbitrary Finite Domains", 2002.) There are at most 2^64 permutations of each length. The shuffle is
 * not cryptographic. Cost: reads each element once, in random order. Each element needs ten rounds of hashing, rarely
 * twenty. With up to 64 elements it needs one round for each other element. */
MCL_API mcl_input mcl_from_shuffled(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count,
                                    uint64_t seed);

/* Returns a view of adjacent differences: element 0 is x[0], and element k is x[k] - x[k - 1]. type must be built in.
 * Integers wrap around. The inclusive scan with MCL_ADD gives x again, exactly for integers. */
MCL_API mcl_input mcl_from_differences(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count);

/* Returns a view of any function of neighbours. Element k is the value of expression with p[i] = x[k] and q[i] = x[k +
 * 1]. The view has count - 1 elements, and none for a count of 0.
 *
 * type        type of the expression's value
 * expression  C text, such as "q[i] - p[i]" or "p[i] < q[i]"
 * source      C text that the expression uses; NULL for none
 * of          type of the elements in buffer. With MCL_HALF, p and q have the elements' bits: half_to_float(p[i]) is
 *             the number */
MCL_API mcl_input mcl_from_neighbours(const mcl_type *type, const char *expression, const char *source,
                                      const mcl_type *of, mcl_buffer *buffer, int64_t offset, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
