/* group_by.h: folds the values of equal keys, and finds the distinct keys, in data of any order. */
#ifndef MODERNCL_GROUP_BY_H
#define MODERNCL_GROUP_BY_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One fold of the values of each group.
 *
 * values    any input of any type, with at least as many elements as keys; its count slot is ignored
 * op        the fold, as mcl_reduce_by_key takes it, or MCL_MEAN, the mean of values of a built-in type. An extract
 *           that names i, and the accumulator MCL_INDEXED, are MCL_ERROR_UNSUPPORTED. The fold is in the type of
 *           mcl_op_accumulator: as wide as out, where op names no accumulator
 * out       output of the accumulator's type, or a built-in type that it converts to; (mcl_output){0} if not wanted.
 *           For a mean it must be MCL_FLOAT or MCL_DOUBLE (else MCL_ERROR_TYPE)
 *
 * A mean is the sum of the values divided by their count. Integers are summed in 64 bits, where a sum may wrap. Floats
 * are summed in MCL_DOUBLE where values or out are MCL_DOUBLE, else in MCL_FLOAT. Sum and count are converted to out's
 * type, or to MCL_DOUBLE where the sum has that type, and then divided. MCL_REPRODUCIBLE fixes only the sums: the last
 * bits of a division differ from device to device. */
typedef struct mcl_aggregate {
    mcl_input values;
    const mcl_op *op;
    mcl_output out;
} mcl_aggregate;

/* Folds the values of each group of equal keys. Equal keys need not be neighbours.
 *
 * keys            any input of a type of 1 to 16 bytes, your own too. Keys are equal where their bits are equal: the
 *                 floats -0 and 0 differ, and a NaN equals a NaN with the same bits. Padding bytes count too, so set
 *                 them to 0.
 * out_keys        output of the keys' type: one key of each group; (mcl_output){0} if not wanted
 * aggregates      any number of folds. A fold that does not commute gets the group's elements in the order of their
 *                 indices
 * count           the number of groups: MCL_INT32, MCL_UINT32 or MCL_INT64, to host, slot, both or nowhere. A type that
 *                 cannot hold keys.count is MCL_ERROR_TYPE
 *
 * Order of the groups: integer keys ascend. Other keys ascend by their bytes, read as one unsigned number with the
 * lowest byte first.
 *
 * Each output's capacity is its limit: nothing is stored past it, and with capacity 0 nothing is stored. count always
 * receives the number needed. Where count goes to the host and is above a capacity other than 0, the call fails with
 * MCL_ERROR_CAPACITY. No output may overlap what is read, or another.
 *
 * If groups are few, elements are folded in hash tables, and only the groups are sorted. If a table turns out to be too
 * small, the keys are sorted with their indices, and the runs of equal keys are folded. The device decides early in the
 * call. Tables are tried if keys have a built-in type, are in a buffer and are many (parameters group_by.table_least
 * and table_least_serial), and every fold commutes. The group mapping has a table of up to 2^21 slots, with room for
 * two thirds as many groups. Each work-group has another table in its own memory. For this mapping folds must have an
 * identity and an accumulator of at most 8 bytes. A fold begins with a group's first element, so NaN and -0 are folded
 * as in mcl_reduce. The serial mapping has tables for each part of the elements. If a part has many groups, elements
 * are first split into shares by the hashes of their keys. Each share then has a table. Many means 6144 groups or more
 * for few elements, and 49152 or more for many elements. If groups are more than a quarter of the keys (with several
 * aggregates: more than half), keys are sorted. Sums of floats may differ in the last bits between runs. With
 * MCL_DETERMINISTIC there are no tables.
 * Cost of tables: keys and values are read once for every three aggregates. With shares, keys are read twice more, and
 * a copy of keys and values is written and read.
 * Cost of sorting: a radix sort of the keys, and for each aggregate a gather of its values and a reduction. With
 * built-in keys and a single aggregate, the sort moves the values instead. Keys of your own type are sorted as one or
 * two unsigned numbers. A mean costs an aggregate for its sum and an mcl_transform. All means of a call share one
 * further aggregate, the count.
 * Scratch: the scratch of the sort, the tables, and for each key a key, an index, and one or two of the widest values.
 * Tables of the serial mapping need a key and its values once more. Keys of 9 bytes and more need another index. Each
 * mean needs sums of 4 or 8 bytes, and all means together need counts: one per output element or per key, whichever are
 * fewer. Waits only for a count on the host.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, too few values, overlaps). MCL_ERROR_TYPE (keys are too
 * wide, an output's type does not fit). MCL_ERROR_CAPACITY, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_group_by(mcl_queue *queue, mcl_input keys, mcl_output out_keys, const mcl_aggregate *aggregates,
                                int aggregate_count, mcl_result count, const mcl_options *options);

/* Finds the distinct keys, like mcl_group_by without aggregates. If out is (mcl_output){0}, it only counts them. */
MCL_API mcl_status mcl_distinct(mcl_queue *queue, mcl_input keys, mcl_output out, mcl_result count,
                                const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
