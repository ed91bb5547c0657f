/* gather.c: fetches elements by their indices, for primitives that move indices instead of wide elements; and copies
 * elements from scratch to where they belong. Kernels: cl/kernels/gather.cl. */
#include "call/run.h"

enum { IN = 1, INDICES, STAGED, OUT }; /* operands */
enum { BY_INDICES, BACK };             /* passes */

static const mcl__declaration gather_passes = {
    .file = "kernels/gather.cl",
    .operands = { [IN] = { "in", .kind = MCL__INPUT },
                  [INDICES] = { "indices", .kind = MCL__INPUT },
                  [STAGED] = { "staged", .kind = MCL__INPUT },
                  [OUT] = { "out", .kind = MCL__SCRATCH } },
    .passes = { [BY_INDICES] = { "gather_indices", .words = { MCL__OF + IN, MCL__OF + INDICES, MCL__OF + OUT } },
                [BACK] = { "gather_back", .words = { MCL__OF + STAGED, MCL__OF + OUT } } },
};

size_t mcl__gather_staging(const mcl__gather *gather)
{
    return gather->in_place ? (size_t)gather->in.count * gather->in.type->size : 0;
}

/* Returns an array of the type, with as many elements as in. */
static mcl_input array_like(const mcl_input *in, const mcl_type *type)
{
    mcl_input array = { .type = type };
    mcl__adopt_count(&array, in);
    return array;
}

mcl_status mcl__gather_plan(mcl_queue *queue, const mcl_options *options, mcl__gather *gather)
{
    const mcl__tile_need need = { .element_bytes = gather->in.type->size };
    mcl__run *const run = &gather->run;
    mcl__run_init(run, &gather_passes, NULL, queue, options);
    gather->indices = array_like(&gather->in, gather->index_type);
    gather->staged = array_like(&gather->in, gather->in.type);
    run->given[IN].input = &gather->in;
    run->given[INDICES].input = &gather->indices;
    run->given[STAGED].input = &gather->staged;
    run->given[OUT].scratch = gather->in.type;
    return mcl__run_program(run, mcl__run_choose_tile(run, MCL__OPERATION_transform, need),
                            mcl__index_bits(gather->in.count, options));
}

mcl_status mcl__gather_launch(mcl__gather *gather, mcl__span indices, mcl__span out, mcl__span staging)
{
    mcl__run *const run = &gather->run;
    const int64_t groups = mcl__run_tiles(run, gather->in.count);
    mcl__run_put(run, INDICES, indices);
    mcl__run_put(run, STAGED, staging);
    mcl__run_put(run, OUT, gather->in_place ? staging : out);
    MCL__TRY(mcl__run_launch(run, BY_INDICES, groups));
    if (!gather->in_place) return MCL_OK;
    mcl__run_put(run, OUT, out);
    return mcl__run_launch(run, BACK, groups);
}

/* ---- copies ------------------------------------------------------------------------------------------------- */

mcl_status mcl__copy_plan(mcl_queue *queue, const mcl_options *options, const mcl_type *type, int64_t most,
                          mcl__span count, mcl__copy *copy)
{
    const mcl__tile_need need = { .element_bytes = type->size };
    mcl__run *const run = &copy->run;
    mcl__run_init(run, &gather_passes, NULL, queue, options);
    copy->staged = (mcl_input){ .type = type, .count = most };
    copy->staged.count_slot = count.buffer;
    copy->staged.count_slot_index = (int64_t)(count.offset / sizeof(int64_t));
    run->passes = MCL__BIT(BACK);
    run->given[STAGED].input = &copy->staged;
    run->given[OUT].scratch = type;
    return mcl__run_program(run, mcl__run_choose_tile(run, MCL__OPERATION_transform, need),
                            mcl__index_bits(most, options));
}

mcl_status mcl__copy_launch(mcl__copy *copy, mcl__span from, mcl__span out)
{
    mcl__run_put(&copy->run, STAGED, from);
    mcl__run_put(&copy->run, OUT, out);
    return copy->staged.count > 0 ? mcl__run_launch_tiles(&copy->run, BACK, copy->staged.count) : MCL_OK;
}
