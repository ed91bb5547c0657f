/* fold.h: shared parts of calls that fold: the checks and sizes of an operator, and the number of parts that groups
 * fold. */
#ifndef MODERNCL_FOLD_H
#define MODERNCL_FOLD_H

#include "call/enqueue.h"

/* One value of the accumulator's type to start from, in the form a kernel takes. */
typedef struct mcl__initial {
    int given;
    size_t size;
    union {
        uint64_t alignment;
        unsigned char bytes[MCL_VALUE_BYTES_MAX];
    } value;
} mcl__initial;

/* Checks the options that a fold needs. An operator that tracks an index takes no initial value. Where the fold of no
 * elements is wanted, there must be an identity or an initial value. needs_identity: what wants that fold; NULL:
 * nothing does. */
mcl_status mcl__check_fold(const mcl_op *op, const mcl_options *options, const char *needs_identity);
/* In the next functions value is the accumulator's type: of a call's fold mcl__call_accumulator. */

/* Checks that the accumulator converts to the type: both are one struct, or both are numbers. MCL_INDEXED converts to
 * an integer or to an mcl_*_at of the element. */
mcl_status mcl__check_fold_result(const char *parameter, const mcl_op *op, const mcl_type *value, const mcl_type *type);

/* 1: an accumulator has the index of an element. */
int mcl__fold_is_indexed(const mcl_op *op);

/* 1: accumulators are floats, whose sums are rounded, or structs, which may have some. value may be NULL. */
int mcl__fold_rounds(const mcl_type *value);

/* Returns the bytes of one accumulator on the device. */
size_t mcl__fold_bytes(const mcl_type *value, const mcl_type *element, int index_bits);

/* Returns the number of parts for a fold of tiles in order: wanted, but at least one, and at most one for each tile.
 * steps: loop iterations for each element of a tile. A device that limits a work-item's loops gets more parts. */
int64_t mcl__fold_parts(const mcl__limits *limits, mcl__tile tile, int64_t tiles, int64_t wanted, int steps);

/* Returns the number of groups that share the parts; tiles: those of all parts. Under the serial mapping a group takes
 * part after part, and a CPU has one group for each core. A core that begins late or has other things to do takes fewer
 * parts. Elsewhere each part has a group of its own. */
int64_t mcl__fold_groups(const mcl_context *context, mcl__tile tile, int64_t tiles, int64_t parts);

/* Half values are floats in kernels. */
float mcl__half_to_float(uint16_t bits);
/* options->initial, which has the operator's own accumulator type or the elements', as an accumulator. */
mcl__initial mcl__fold_initial(const mcl_op *op, const mcl_type *element, const mcl_type *value,
                               const mcl_options *options);

#endif
