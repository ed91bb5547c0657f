/* transform.h: element-wise work: fill, sequence, copy, gather, any expression; scatter; random numbers. */
#ifndef MODERNCL_TRANSFORM_H
#define MODERNCL_TRANSFORM_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stores each element of an input.
 *
 * out[k] = in[k] for k in [0, in.count). The kind of input decides the result: mcl_from_constant fills,
 * mcl_from_counting and mcl_from_step make sequences, and a buffer is copied. An expression with bindings can compute
 * anything else: "table[rows[i]]" gathers, "x[i] * x[i] + y[i]" computes. If in and out have different built-in types,
 * numbers convert as in C.
 *
 * in        any input
 * out       at least in.count elements. May be exactly the buffer range that in reads (in place). For that, in may also
 *           be an expression that reads an array only as name[i] (see mcl_output). No other overlap.
 * Cost: reads and writes each element once. Scratch: none.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, or overlaps). MCL_ERROR_TYPE (a struct to another type).
 * MCL_ERROR_BUILD (the expression does not compile). MCL_ERROR_UNSUPPORTED (double where the device has none).
 * MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_transform(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options);

/* Stores elements at given indices.
 *
 * out[indices[k]] = values[k]. An index outside [0, out.capacity) is skipped. If an index occurs several times, one of
 * its values is stored, and it is unspecified which. The other elements of out keep their content.
 *
 * values    any input
 * indices   any input of an integer type, as many as values
 * out       output of the values' type; may not overlap what is read
 * Cost: reads each value and index once, writes each value. Scratch: none. With MCL_VALIDATE an index out of range is
 * MCL_ERROR_PRECONDITION. Errors: as in mcl_transform. */
MCL_API mcl_status mcl_scatter(mcl_queue *queue, mcl_input values, mcl_input indices, mcl_output out,
                               const mcl_options *options);

/* Does the same as mcl_scatter, but only for each k with nonzero flags[k]. flags is any input of an integer type, with
 * as many elements as values. MCL_VALIDATE checks all indices, even those without a flag. */
MCL_API mcl_status mcl_scatter_flagged(mcl_queue *queue, mcl_input values, mcl_input indices, mcl_input flags,
                                       mcl_output out, const mcl_options *options);

/* Fills out with capacity uniform random numbers, made on the device from (seed, position) alone. The numbers are the
 * same on every device. Choose first to make any part of a sequence separately.
 *
 * out        a built-in type other than half
 * seed       any number. Seeds are mixed: sequences of neighbouring seeds have nothing in common
 * first      position of out's first element in the seed's sequence; positions wrap at 2^64
 * low, high  one value each, of out's type. Integers are from low to high, both included, up to the type's whole range.
 *            Floats are from low (included) to high (excluded), or always low if both are equal. Bounds of floats are
 *            finite, and their distance may exceed the type's range
 * Method: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Each seed has its own
 * start and step; number k is the finaliser's mix of start + (k + 1) * step. The method is not cryptographic.
 * Cost: writes each element once. Scratch: none.
 * Errors: MCL_ERROR_ARGUMENT (out's range does not fit its buffer; high is below low; a bound is NULL, infinite or
 * NaN). MCL_ERROR_TYPE. MCL_ERROR_UNSUPPORTED (double where the device has none). MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_random(mcl_queue *queue, mcl_output out, uint64_t seed, int64_t first, const void *low,
                              const void *high, const mcl_options *options);

/* The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) on the host. Its default seed 5489 gives the numbers
 * that Modern GPU's demonstrations print. */
typedef struct mcl_twister {
    uint32_t state[624];
    int next;
} mcl_twister;
MCL_API void mcl_twister_seed(mcl_twister *twister, uint32_t seed);
MCL_API uint32_t mcl_twister_next(mcl_twister *twister);
/* Returns low + floor((high - low + 1) * r / 2^32), both ends included, where r is the next number. */
MCL_API int32_t mcl_twister_int(mcl_twister *twister, int32_t low, int32_t high);
/* Returns low + (high - low) * r / 2^32, where r is the next number. */
MCL_API double mcl_twister_real(mcl_twister *twister, double low, double high);

#ifdef __cplusplus
}
#endif
#endif
