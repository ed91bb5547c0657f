/* new_name.c: mcl_new_name. Kernels: cl/kernels/new_name/new_name.cl, one pass. */
#include "call/call.h"

#include "moderncl/new_name.h"

enum { IN = 1, OUT };  /* operands */
enum { ELEMENT = 1 };  /* groups of operands with one type */
enum { PASS };         /* passes */

static const mcl__declaration new_name = {
    .file = "kernels/new_name/new_name.cl",
    .operands = (mcl__operands){ [IN] = { "in", .kind = MCL__INPUT, .types = MCL__BUILT_INS, .group = ELEMENT },
                  [OUT] = { "out", .kind = MCL__OUTPUT, .group = ELEMENT } },
    .passes = (mcl__passes){ [PASS] = { "new_name",
                                        .arguments = { MCL__ENVIRONMENT, OPERAND(IN), OPERAND(OUT) } } },
};

/* Returns the work-group memory of a tile: its elements, and the element before them. In it a half is a float. */
static mcl__tile_need tile_need(const mcl_type *element)
{
    const size_t bytes = element->size < sizeof(float) ? sizeof(float) : element->size;
    return (mcl__tile_need){ .element_bytes = element->size,
                             .local_bytes_per_item = bytes,
                             .local_bytes_fixed = bytes };
}

mcl_status mcl_new_name(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    mcl__call call;
    mcl__call_init(&call, &new_name, "mcl_new_name", queue, options);
    call.operands[IN].input = &in;
    call.operands[OUT].output = &out;
    MCL__TRY(mcl__call_check(&call));
    call.room[OUT] = in.count;
    MCL__TRY(mcl__call_ready(&call));
    MCL__TRY(mcl__call_program(&call, mcl__call_choose_tile(&call, MCL__OPERATION_transform, tile_need(in.type)),
                              mcl__index_bits(in.count, options)));
    MCL__TRY(mcl__call_begin(&call));
    MCL__TRY(mcl__call_launch(&call, PASS, mcl__divide_up(in.count, mcl__tile_size(mcl__call_tile(&call)))));
    return mcl__call_end(&call);
}
