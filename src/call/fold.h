/* fold.h: functions for calls that fold: checks and sizes of an operator, and the numbers of parts and groups. */
#ifndef MODERNCL_FOLD_H
#define MODERNCL_FOLD_H

#include "call/enqueue.h"

/* The initial value of a fold, in the accumulator's type and with the bytes that a kernel takes. */
typedef struct mcl__initial {
    int given;
    size_t size;
    union {
        uint64_t alignment;
        unsigned char bytes[MCL_VALUE_BYTES_MAX];
    } value;
} mcl__initial;

/* Checks the options that a fold needs. An operator that tracks an index takes no initial value. If needs_identity is
 * not NULL, the fold of no elements must exist: by an identity or an initial value. needs_identity then says for the
 * error sentence what needs it. */
mcl_status mcl__check_fold(const mcl_op *op, const mcl_options *options, const char *needs_identity);
/* In the next functions, value is the accumulator's type, which mcl__call_accumulator returns for a call's fold. */

/* Checks that the accumulator converts to the type of a result. Both must be the same struct, or both numbers.
 * MCL_INDEXED converts to an integer or to an mcl_*_at of the element. combined is 1 where the operator's combine
 * converts it. */
mcl_status mcl__check_fold_result(const char *parameter, const mcl_op *op, int combined, const mcl_type *value,
                                  const mcl_type *type);

/* Returns 1 where the operator's accumulators contain the index of an element. */
int mcl__fold_is_indexed(const mcl_op *op);

/* Returns 1 where accumulators are floats, whose sums are rounded, or structs, which may contain floats. Returns 0 for
 * MCL_INDEXED and NULL. */
int mcl__fold_rounds(const mcl_type *value);

/* Returns the bytes of one accumulator on the device. */
size_t mcl__fold_bytes(const mcl_type *value, const mcl_type *element, int index_bits);

/* Returns the number of parts for a fold of tiles in order: wanted, but at least 1 and at most tiles. steps: loop
 * iterations for each element of a tile. A device that limits a work-item's loops gets more parts. */
int64_t mcl__fold_parts(const mcl__limits *limits, mcl__tile tile, int64_t tiles, int64_t wanted, int steps);

/* Returns the number of groups that share the parts. tiles: number of tiles in all parts. In the serial mapping on a
 * CPU there is one group per core, and a group takes one part after another. A core that begins late or is busy takes
 * fewer parts. Elsewhere each part has its own group. */
int64_t mcl__fold_groups(const mcl_context *context, mcl__tile tile, int64_t tiles, int64_t parts);

/* Converts a half, given by its bits, to the float that kernels would make. */
float mcl__half_to_float(uint16_t bits);
/* Converts options->initial to the accumulator's type. It is given in the operator's own accumulator type or, if that
 * is NULL, in the elements' type. */
mcl__initial mcl__fold_initial(const mcl_op *op, const mcl_type *element, const mcl_type *value,
                               const mcl_options *options);

#endif
