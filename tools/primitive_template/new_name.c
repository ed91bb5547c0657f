/* new_name.c: mcl_new_name. Kernels: cl/kernels/new_name/new_name.cl, one pass. */
#include "call/run.h"

#include "moderncl/new_name.h"

enum { IN = 1, OUT };  /* operands */
enum { ELEMENT = 1 };  /* groups of types */
enum { PASS };         /* passes */

static const mcl__declaration new_name = {
    .file = "kernels/new_name/new_name.cl",
    .operands = { [IN] = { "in", .kind = MCL__INPUT, .types = MCL__BUILT_INS, .group = ELEMENT },
                  [OUT] = { "out", .kind = MCL__OUTPUT, .group = ELEMENT } },
    .passes = { [PASS] = { "new_name", .words = { MCL__ENV, MCL__OF + IN, MCL__OF + OUT } } },
};

/* What a tile needs of work-group memory: its elements, and the one before them. A half is a float there. */
static mcl__tile_need tile_need(const mcl_type *element)
{
    const size_t bytes = element->size < sizeof(float) ? sizeof(float) : element->size;
    return (mcl__tile_need){ .element_bytes = element->size,
                             .local_bytes_per_item = bytes,
                             .local_bytes_fixed = bytes };
}

mcl_status mcl_new_name(mcl_queue *queue, mcl_input in, mcl_output out, const mcl_options *options)
{
    mcl__run run;
    mcl__run_init(&run, &new_name, "mcl_new_name", queue, options);
    run.given[IN].input = &in;
    run.given[OUT].output = &out;
    MCL__TRY(mcl__run_check(&run));
    run.room[OUT] = in.count;
    MCL__TRY(mcl__run_ready(&run));
    MCL__TRY(mcl__run_program(&run, mcl__run_choose_tile(&run, MCL__OPERATION_new_name, tile_need(in.type)),
                              mcl__index_bits(in.count, options)));
    MCL__TRY(mcl__run_begin(&run));
    MCL__TRY(mcl__run_launch(&run, PASS, mcl__divide_up(in.count, mcl__tile_size(mcl__run_tile(&run)))));
    return mcl__run_end(&run);
}
