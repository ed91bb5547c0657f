/* load_balance.h: finds the object of each work unit, where objects have very different amounts of work. */
#ifndef MODERNCL_LOAD_BALANCE_H
#define MODERNCL_LOAD_BALANCE_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of work units: on the host, or in a device slot, for example the total of the scan that made the offsets.
 * A slot is read when the call runs, and limited to [0, bound]. The slot has type MCL_INT32, MCL_UINT32 or MCL_INT64
 * (mcl_work_in_slot). */
typedef struct mcl_work {
    int64_t count;                   /* number of work units; with a slot: the bound */
    mcl_buffer *count_slot;          /* NULL: the number is count */
    int64_t count_slot_index;        /* index in elements of count_slot_type */
    const mcl_type *count_slot_type; /* NULL: MCL_INT64 */
} mcl_work;
MCL_API mcl_work mcl_work_items(int64_t count);
MCL_API mcl_work mcl_work_in_slot(int64_t bound, mcl_buffer *slot, int64_t slot_index);
MCL_API mcl_work mcl_work_in_slot_of(int64_t bound, const mcl_type *type, mcl_buffer *slot, int64_t slot_index);

/* Offsets mean the same in all functions. Object k has the work units [offsets[k], offsets[k + 1]), and the last object
 * has all units up to the end of the work. The offsets are the exclusive scan of the objects' numbers of units. offsets
 * is an input of any integer type that begins with 0 and never decreases. Its count is the number of objects. Objects
 * may have no work units, and a single object may have nearly all: the work is always cut into equal tiles. Without
 * objects nothing is stored. Other offsets give unspecified values, never an access outside the operands. With
 * MCL_VALIDATE such offsets are MCL_ERROR_PRECONDITION and nothing is written. */

/* Finds the object of every work unit.
 *
 * objects[i] = the last k with offsets[k] <= i; ranks[i] = i - offsets[objects[i]], the rank of work unit i in its
 * object.
 *
 * work            the number of work units; if the objects have more in total, the last ones are left out
 * offsets         as above
 * objects, ranks  MCL_INT32 or MCL_INT64, as many as work units. One of them may be (mcl_output){0} if not wanted;
 *                 leaving out both is MCL_ERROR_ARGUMENT. Neither may overlap what is read, nor the other output.
 *
 * A type of 4 bytes must be able to number all objects, or for ranks all work units.
 * Cost: reads each offset once and writes a number for each work unit once. Scratch: 8 bytes a tile. Returns once the
 * work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, an output is too short or overlaps), MCL_ERROR_TYPE,
 * MCL_ERROR_PRECONDITION, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 * S. Baxter, Modern GPU (2013), "Load-Balancing Search". */
MCL_API mcl_status mcl_load_balance_search(mcl_queue *queue, mcl_work work, mcl_input offsets, mcl_output objects,
                                           mcl_output ranks, const mcl_options *options);

/* Does the same as mcl_transform with one element per work unit. The expression may also use the unit's object and
 * rank, which are found by the same search but not stored.
 *
 * out[i] = the expression in i (the work unit), object and rank (as above, all three int64_t) and the bound names, for
 * i in [0, item.count). So a call can process the edges of a graph. The products of a sparse matrix with a vector are
 *
 *     mcl_from_expression(MCL_FLOAT, "value[i] * x[column[i]] * scale[object]", NULL, bindings, 4, nonzeros)
 *
 * item     an input made by mcl_from_expression, whose count, or count slot, is the number of work units
 * offsets  as above
 * out      output of item's type, or both have built-in types, which convert as in C. At least item.count elements; may
 *          not overlap what is read
 * Cost: reads each offset once and what the expression reads, writes each element once. Scratch: 8 bytes a tile.
 * Errors: see above. */
MCL_API mcl_status mcl_transform_load_balanced(mcl_queue *queue, mcl_input item, mcl_input offsets, mcl_output out,
                                               const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
