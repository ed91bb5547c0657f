/* views.h: inputs that read a buffer in another order, or neighbours together. Nothing is copied: a call reads the
 * elements from the buffer. With mcl_transform a view becomes a sequence of its own. */
#ifndef MODERNCL_VIEWS_H
#define MODERNCL_VIEWS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first four functions have this in common.
 *
 * type, buffer, offset, count  x = buffer[offset .. offset + count), as in mcl_from_buffer
 * Element k of a view reads elements of x other than x[k]. So a call cannot store to the range that its view reads, not
 * in place either: that is MCL_ERROR_ARGUMENT (mcl_output). A count slot (mcl_with_count) takes the first elements of
 * the view. The makers cannot fail: a range that does not fit the buffer is MCL_ERROR_ARGUMENT in the call that gets
 * the view. */

/* Returns a view whose element k = x[count - 1 - k]. */
MCL_API mcl_input mcl_from_reversed(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count);

/* Returns a view whose element k = x[(k + by) mod count]. by: any number; by 1 the second element becomes the first
 * one, by -1 the last. */
MCL_API mcl_input mcl_from_rotated(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count, int64_t by);

/* Returns a view whose element k = x[p(k)], where p is a permutation of 0 .. count - 1 that follows from seed and count
 * alone. So p is the same on every device, and sequences of one length are shuffled alike by one seed. Seeds are mixed:
 * permutations of neighbouring seeds have nothing in common.
 *
 * Up to 64 elements the index is followed through a Fisher-Yates shuffle, so all orders are equally likely (R.
 * Durstenfeld, "Algorithm 235", 1964). More elements take a Feistel network over the parts of the index, walked until
 * the index is below count. So each element is equally likely to get each index. (J. Black and P. Rogaway, "Ciphers
 * with Arbitrary Finite Domains", 2002.) There are at most 2^64 permutations of each length. The shuffle is no cipher.
 * Cost: reads each element once, from anywhere. Ten rounds of hashing an element, rarely twenty; up to 64 elements
 * one round for each other element. */
MCL_API mcl_input mcl_from_shuffled(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count,
                                    uint64_t seed);

/* Returns a view of adjacent differences. Element 0 = x[0], element k = x[k] - x[k - 1]. type: a built-in one. Integers
 * wrap. The inclusive scan with MCL_ADD gives x again, integers exactly. */
MCL_API mcl_input mcl_from_differences(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count);

/* Returns a view of any function of neighbours. Element k = expression in p[i] = x[k] and q[i] = x[k + 1]. The view has
 * count - 1 elements, and none for a count of 0.
 *
 * type        type of the expression's value
 * expression  C text, such as "q[i] - p[i]" or "p[i] < q[i]"
 * source      C text that the expression uses; NULL for none
 * of          type of the elements in buffer; of MCL_HALF p and q have bits, as half_to_float(p[i]) takes them */
MCL_API mcl_input mcl_from_neighbours(const mcl_type *type, const char *expression, const char *source,
                                      const mcl_type *of, mcl_buffer *buffer, int64_t offset, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
