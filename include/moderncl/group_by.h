/* group_by.h: folds of the values of equal keys, and the distinct keys, of data in any order. */
#ifndef MODERNCL_GROUP_BY_H
#define MODERNCL_GROUP_BY_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One fold of the values of each group.
 *
 * values    any input with as many elements as keys or more, of any type; its count slot is not looked at
 * op        the fold, as mcl_reduce_by_key takes it, or MCL_MEAN, the mean of values of a built-in type. An extract
 *           that names i, and the accumulator MCL_INDEXED, are MCL_ERROR_UNSUPPORTED. The fold is in the type of
 *           mcl_op_accumulator: as wide as out, where op names no accumulator
 * out       of the accumulator's type, or a built-in type that it converts to; (mcl_output){0}: not wanted. Of a mean:
 *           MCL_FLOAT or MCL_DOUBLE, else MCL_ERROR_TYPE
 *
 * A mean is the sum of the values divided by their count. Integers are summed in 64 bits, where a sum may wrap. Floats
 * are summed in MCL_DOUBLE where values or out are MCL_DOUBLE, else in MCL_FLOAT. Sum and count are converted to out's
 * type, or to MCL_DOUBLE where the sum has that type, and then divided. MCL_REPRODUCIBLE fixes the sums alone, since
 * devices divide floats with different last bits. */
typedef struct mcl_aggregate {
    mcl_input values;
    const mcl_op *op;
    mcl_output out;
} mcl_aggregate;

/* Folds the values of each group of equal keys, wherever they are.
 *
 * keys            any input of a type of 1 to 16 bytes, your own too. Keys are equal where their bits are: the floats
 *                 -0 and 0 differ, and a NaN equals a NaN of the same bits. Padding bytes count too: let them be 0.
 * out_keys        one key of each group; of the keys' type; (mcl_output){0}: not wanted
 * aggregates      any number of folds; a fold that does not commute takes the group's elements in the order of their
 *                 indices
 * count           the number of groups: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or nowhere. A type that
 *                 cannot hold keys.count is MCL_ERROR_TYPE
 *
 * Order of the groups: integer keys ascend. Other keys ascend by their bytes, read as one unsigned number with the
 * lowest byte first.
 *
 * Each output's capacity is its limit: nothing is stored past it, and with capacity 0 nothing is stored. count is the
 * number needed in any case. Where count goes to the host and is above a capacity other than 0, the call fails with
 * MCL_ERROR_CAPACITY. No output may overlap what is read, or another.
 *
 * Elements of few groups are folded in hash tables, and only the groups are sorted. Where a table is too small, which
 * shows early, the keys are sorted with their indices, and the runs of equal keys are folded. The device decides.
 * Tables are tried where keys are of a built-in type, in a buffer and many (parameters group_by.table_least and
 * table_least_serial), and every fold commutes. The group mapping has a table of up to 2^21 slots, with room for two
 * thirds as many groups. Each work-group has another table in its memory. For this mapping folds must have an identity
 * and an accumulator of at most 8 bytes. A fold begins with a group's first element, so NaN and -0 are folded as by
 * mcl_reduce. The serial mapping has tables for each part of the elements. Where a part has many groups, this mapping
 * first splits the elements into shares by the hashes of their keys, and each share has a table. Many means 6144 groups
 * or more where there are few elements, up to 49152 or more where there are many. Where groups are more than a quarter
 * of the keys, keys are sorted; with several aggregates, where groups are more than half of the keys. Sums of floats
 * may differ in the last bits between runs. With MCL_DETERMINISTIC there are no tables.
 * Cost of tables: one reading of keys and values for up to three aggregates, and another reading for each three more.
 * With shares, two readings of the keys, and a copy of keys and values is written and read besides.
 * Cost of sorting: a radix sort of the keys, and for each aggregate a gather of its values and a reduction. The values
 * of a single aggregate of built-in keys go through the sort instead. Keys of your own type are sorted as one or two
 * unsigned numbers.
 * A mean costs the aggregate of its sum and an mcl_transform. All means of a call share one more aggregate, the count.
 * Scratch: that of the sort, and the tables. For each key also a key, an index, and one or two of the widest values.
 * The serial mapping's tables take a key and its values once more. Keys of 9 bytes and more take another index. Each
 * mean takes sums of 4 or 8 bytes, and all means together take counts: one for each output element or key, whichever
 * are fewer.
 * Waits only for a count on the host.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, too few values, overlaps). MCL_ERROR_TYPE (keys are too
 * wide, an output's type does not fit). MCL_ERROR_CAPACITY, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_group_by(mcl_queue *queue, mcl_input keys, mcl_output out_keys, const mcl_aggregate *aggregates,
                                int aggregate_count, mcl_result count, const mcl_options *options);

/* Finds the distinct keys: mcl_group_by without aggregates. Where out is (mcl_output){0}, it only counts them. */
MCL_API mcl_status mcl_distinct(mcl_queue *queue, mcl_input keys, mcl_output out, mcl_result count,
                                const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
