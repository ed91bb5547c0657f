/* sorted_search.h: finds the keys of one sorted sequence in another one. */
#ifndef MODERNCL_SORTED_SEARCH_H
#define MODERNCL_SORTED_SEARCH_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bound of a key among sorted keys. The lower bound is the first index at which the key could be inserted. The
 * upper bound is the index after all keys equal to this key. */
typedef enum mcl_bounds { MCL_LOWER = 0, MCL_UPPER = 1 } mcl_bounds;

/* The result to store for each key. A match is an equal key in the other sequence: a key that sorts neither before nor
 * after this key. */
typedef enum mcl_find {
    MCL_FIND_NOTHING = 0,
    MCL_FIND_INDEX,      /* bound of the key in the other sequence */
    MCL_FIND_MATCH,      /* 1 where the key has a match, else 0 */
    MCL_FIND_INDEX_MATCH /* bound of the key, with the match in the top bit of the output's type */
} mcl_find;

/* The wanted results, and their destination. For MCL_FIND_INDEX out is MCL_INT32 or MCL_INT64; for MCL_FIND_INDEX_MATCH
 * it may also have their unsigned types. For MCL_FIND_MATCH out has any integer type, such as MCL_UINT8. out has an
 * element for each key. With a type of 4 bytes, bounds must be below 2^31. match_count receives the number of keys with
 * a match (MCL_INT32, MCL_UINT32 or MCL_INT64). MCL_FIND_INDEX has no match_count. With (mcl_output){0} for out,
 * matches are only counted. */
typedef struct mcl_found {
    mcl_find find;
    mcl_output out;
    mcl_result match_count;
} mcl_found;
MCL_API mcl_found mcl_found_nothing(void);
MCL_API mcl_found mcl_found_indices(mcl_output out);
MCL_API mcl_found mcl_found_matches(mcl_output out, mcl_result match_count);
MCL_API mcl_found mcl_found_index_matches(mcl_output out, mcl_result match_count);

/* Finds the keys of two sorted sequences in each other, in one pass over both.
 *
 * MCL_LOWER: a_found receives the lower bound of each key of a in b (the number of keys of b that sort before it).
 * b_found receives the upper bound of each key of b in a (the number of keys of a that do not sort after it).
 * MCL_UPPER: a_found receives upper bounds and b_found lower bounds. Bounds never decrease from one key of a sequence
 * to the next.
 *
 * a, b              sorted inputs of one type
 * a_found, b_found  the results for a and for b; at least one of them asks for an output or a match_count. Neither may
 *                   overlap what is read, with one exception. If no matches are asked for, the index of a key may be
 *                   written over the key. The output is then exactly the range of its input, with elements of the same
 *                   size. The input may be an expression that uses only name[i] (mcl_output)
 * before            strict weak order: nonzero when p sorts before q; MCL_LESS, MCL_GREATER or your own
 *
 * Inputs that are not sorted give unspecified values, never an access outside the operands. With MCL_VALIDATE such
 * inputs are MCL_ERROR_PRECONDITION and nothing is written.
 * Cost: reads each key of both sequences once and writes what is asked for. Scratch: 8 bytes a tile, 16 with match
 * counts. Waits only for match counts on the host.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, an output is too short or overlaps, nothing is asked
 * for). MCL_ERROR_TYPE, MCL_ERROR_PRECONDITION, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE.
 *
 * S. Baxter, Modern GPU (2013), "Vectorized Sorted Search"; merge path as in mcl_merge. */
MCL_API mcl_status mcl_sorted_search(mcl_queue *queue, mcl_input a, mcl_input b, mcl_bounds bounds, mcl_found a_found,
                                     mcl_found b_found, const mcl_op *before, const mcl_options *options);

/* Finds the keys of one sequence in another: out[k] = the lower (or upper) bound of needles[k] in haystack. out may be
 * the needles' own range, as in mcl_sorted_search. */
MCL_API mcl_status mcl_sorted_search_needles(mcl_queue *queue, mcl_input needles, mcl_input haystack, mcl_bounds bounds,
                                             mcl_output out, const mcl_op *before, const mcl_options *options);

/* The operators for mcl_equality_count, which computes a number from both bounds of a key. Each operator is an
 * expression of p, the key's lower bound, and q, its upper bound. Operators of your own may use their bindings. Only
 * expression, source and bindings of an operator are used. */
MCL_API extern const mcl_op mcl_op_equality;
MCL_API extern const mcl_op mcl_op_left_join;
#define MCL_EQUALITY (&mcl_op_equality) /* q - p: the number of equal keys */
/* The number of equal keys, but at least 1. The top bit of p, which marks a match, is ignored. */
#define MCL_LEFT_JOIN (&mcl_op_left_join)

/* Counts the keys in haystack that equal each needle, from lower bounds that are known already.
 *
 * out[k] = count(lower_bounds[k], upper bound of needles[k] in haystack).
 *
 * needles, haystack  sorted inputs of one type
 * lower_bounds       the result of mcl_sorted_search for needles in haystack, as indices or, for MCL_LEFT_JOIN, with
 *                    matches. Their type is MCL_INT32, MCL_INT64 or an unsigned type of the same size (p and q are
 *                    signed). There are as many bounds as needles. needles gives the count; a count slot of
 *                    lower_bounds is ignored
 * out                output of a built-in type, as many as needles. With MCL_EQUALITY and MCL_LEFT_JOIN, an integer
 *                    type must be able to hold the number of keys in haystack (else MCL_ERROR_TYPE). May be exactly the
 *                    range of lower_bounds, with elements of the same size; no other overlap
 * before             the order of the keys
 * count              MCL_EQUALITY, MCL_LEFT_JOIN or your own
 * Cost: one pass over both sequences. Scratch: 8 bytes a tile. Order, errors and MCL_VALIDATE as in mcl_sorted_search.
 * Modern GPU (2013), "Vectorized Sorted Search". */
MCL_API mcl_status mcl_equality_count(mcl_queue *queue, mcl_input needles, mcl_input haystack, mcl_input lower_bounds,
                                      mcl_output out, const mcl_op *before, const mcl_op *count,
                                      const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
