/* fold.h: shared parts of calls that fold: the checks and sizes of an operator, and the number of parts that groups
 * fold. */
#ifndef MODERNCL_FOLD_H
#define MODERNCL_FOLD_H

#include "call/enqueue.h"

/* The initial value of a fold, in the accumulator's type and in the form that a kernel takes. */
typedef struct mcl__initial {
    int given;
    size_t size;
    union {
        uint64_t alignment;
        unsigned char bytes[MCL_VALUE_BYTES_MAX];
    } value;
} mcl__initial;

/* Checks the options that a fold needs. An operator that tracks an index takes no initial value. Where the fold of no
 * elements is needed, there must be an identity or an initial value. needs_identity: what needs that fold, for the
 * error sentence; NULL: nothing needs it. */
mcl_status mcl__check_fold(const mcl_op *op, const mcl_options *options, const char *needs_identity);
/* In the next functions value is the accumulator's type, which mcl__call_accumulator returns for a call's fold. */

/* Checks that the accumulator converts to the type: both are one struct, or both are numbers. MCL_INDEXED converts to
 * an integer or to an mcl_*_at of the element. combined: 1 where the operator's combine converts it. */
mcl_status mcl__check_fold_result(const char *parameter, const mcl_op *op, int combined, const mcl_type *value,
                                  const mcl_type *type);

/* Returns 1 where the operator's accumulators have the index of an element. */
int mcl__fold_is_indexed(const mcl_op *op);

/* Returns 1 where accumulators are floats, whose sums are rounded, or structs, which may have float members. Returns 0
 * for MCL_INDEXED and NULL. */
int mcl__fold_rounds(const mcl_type *value);

/* Returns the bytes of one accumulator on the device. */
size_t mcl__fold_bytes(const mcl_type *value, const mcl_type *element, int index_bits);

/* Returns the number of parts for a fold of tiles in order: wanted, but at least one, and at most one for each tile.
 * steps: loop iterations for each element of a tile. A device that limits a work-item's loops gets more parts. */
int64_t mcl__fold_parts(const mcl__limits *limits, mcl__tile tile, int64_t tiles, int64_t wanted, int steps);

/* Returns the number of groups that share the parts. tiles: number of tiles in all parts. Under the serial mapping a
 * group takes part after part, and a CPU has one group for each core. A core that begins late or has other things to do
 * takes fewer parts. Elsewhere each part has a group of its own. */
int64_t mcl__fold_groups(const mcl_context *context, mcl__tile tile, int64_t tiles, int64_t parts);

/* Converts a half, given by its bits, to the float that kernels make of it. */
float mcl__half_to_float(uint16_t bits);
/* Converts options->initial to the accumulator's type. It is given in the operator's own accumulator type or, where
 * that is NULL, in the elements' type. */
mcl__initial mcl__fold_initial(const mcl_op *op, const mcl_type *element, const mcl_type *value,
                               const mcl_options *options);

#endif
