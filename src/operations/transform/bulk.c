/* bulk.c: mcl_bulk_remove and mcl_bulk_insert. Kernels: cl/kernels/transform/bulk.cl, one pass each. A binary search
 * gives each tile its part of the sorted indices. From these indices the tile knows for each of its elements whether it
 * is kept, or from which input it comes. */
#include "call/rank.h"
#include "call/call.h"

#include "moderncl/bulk.h"

enum { INDICES = 1, IN, OUT, A }; /* operands; in an insertion IN is the input b */
enum { MOVED = 1 };               /* groups of operands with one type */
enum { ROOM };                    /* scalars */

static const mcl__declaration bulk_remove = {
    .file = "kernels/transform/bulk.cl",
    .operands = (mcl__operands){ [INDICES] = { "indices", .kind = MCL__INPUT, .types = MCL__INTEGERS },
                                 [IN] = { "in", .kind = MCL__INPUT, .group = MOVED },
                                 [OUT] = { "out", .kind = MCL__OUTPUT, .group = MOVED } },
    .scalars = { [ROOM] = "limit" },
    .passes = (mcl__passes){ { "bulk_remove", .arguments = { MCL__ENVIRONMENT, OPERAND(IN), OPERAND(INDICES),
                                                             OPERAND(OUT), AS_INDEX(ROOM) } } },
};

static const mcl__declaration bulk_insert = {
    .file = "kernels/transform/bulk.cl",
    .operands = (mcl__operands){ [INDICES] = { "indices", .kind = MCL__INPUT, .types = MCL__INTEGERS, .as_many = A },
                                 [IN] = { "b", .kind = MCL__INPUT, .group = MOVED },
                                 [OUT] = { "out", .kind = MCL__OUTPUT, .group = MOVED },
                                 [A] = { "a", .kind = MCL__INPUT, .group = MOVED } },
    .scalars = { [ROOM] = "limit" },
    .passes = (mcl__passes){ { "bulk_insert", .arguments = { MCL__ENVIRONMENT, OPERAND(IN), OPERAND(INDICES),
                                                             OPERAND(A), OPERAND(OUT), AS_INDEX(ROOM) } } },
};

/* Launches the only pass. count: number of elements that are cut into tiles. resident: the first of the four parameters
 * for mcl__resident. */
static mcl_status bulk_launch(mcl__call *call, mcl__operation operation, mcl__parameter resident, int64_t count)
{
    const mcl_input *const indices = call->operands[INDICES].input;
    const size_t element = call->types[MOVED]->size;
    const int index_bits = mcl__index_bits(count > indices->count ? count : indices->count, call->options);
    mcl__tile_need need = { .element_bytes = element, .local_bytes_per_item = 1 };
    mcl__rank_need(&need, &call->queue->context->limits, 0);
    call->scalars[ROOM] = call->room[OUT];
    mcl__call_define(call, "RESIDENT", (int)mcl__resident(call->queue->context, resident, element, index_bits));
    MCL__TRY(mcl__call_program(call, mcl__call_choose_tile(call, operation, need), index_bits));
    MCL__TRY(mcl__call_begin(call));
    MCL__TRY(mcl__call_launch_tiles(call, 0, count));
    return mcl__call_end(call);
}

mcl_status mcl_bulk_remove(mcl_queue *queue, mcl_input in, mcl_input indices, mcl_output out,
                           const mcl_options *options)
{
    mcl__call call = { &bulk_remove, "mcl_bulk_remove", queue, options,
                       .operands = { [INDICES].input = &indices, [IN].input = &in, [OUT].output = &out } };
    MCL__TRY(mcl__call_check(&call));
    if (!indices.count_slot && indices.count > in.count)
        return mcl__fail(MCL_ERROR_ARGUMENT, "indices has %lld elements; expected at most %lld, as in has",
                         (long long)indices.count, (long long)in.count);
    /* The count on the device may be lower than indices.count. More elements then stay. */
    call.room[OUT] = indices.count_slot ? in.count : in.count - indices.count;
    MCL__TRY(mcl__call_ready(&call));
    if (mcl__validates(options)) { /* the range is checked first, since its error says more */
        MCL__TRY(mcl__validate_range(queue, "indices", &indices, 0, in.count - 1, options));
        MCL__TRY(mcl__validate_increasing(queue, "indices", &indices, options));
    }
    mcl__call_define(&call, "BULK_INSERT", 0);
    return bulk_launch(&call, MCL__OPERATION_bulk_remove, MCL__PARAMETER_bulk_remove_resident_4, in.count);
}

mcl_status mcl_bulk_insert(mcl_queue *queue, mcl_input a, mcl_input indices, mcl_input b, mcl_output out,
                           const mcl_options *options)
{
    mcl__call call = { &bulk_insert, "mcl_bulk_insert", queue, options,
                       .operands = {
                           [INDICES].input = &indices, [IN].input = &b, [OUT].output = &out, [A].input = &a } };
    MCL__TRY(mcl__call_check(&call));
    mcl__adopt_count(&indices, &a);
    call.room[OUT] = a.count + b.count;
    MCL__TRY(mcl__call_ready(&call));
    if (mcl__validates(options)) {
        MCL__TRY(mcl__validate_range(queue, "indices", &indices, 0, b.count, options));
        MCL__TRY(mcl__validate_sorted(queue, "indices", &indices, MCL_LESS, options));
    }
    mcl__call_define(&call, "BULK_INSERT", 1);
    return bulk_launch(&call, MCL__OPERATION_bulk_insert, MCL__PARAMETER_bulk_insert_resident_4, call.room[OUT]);
}
