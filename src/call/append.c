/* append.c: chooses how tiles append elements to a list in any order: one mcl_append for each device. */
#include "call/append.h"
#include "facts/append.h"

_Static_assert((int)MCL_APPEND_GLOBAL_ATOMIC == APPEND_GLOBAL_ATOMIC &&
                   (int)MCL_APPEND_GROUP_ATOMIC == APPEND_GROUP_ATOMIC &&
                   (int)MCL_APPEND_GROUP_SCAN == APPEND_GROUP_SCAN &&
                   (int)MCL_APPEND_SUB_GROUP_ATOMIC == APPEND_SUB_GROUP_ATOMIC &&
                   (int)MCL_APPEND_SUB_GROUP_TILE == APPEND_SUB_GROUP_TILE,
               "kernels know the ways of mcl_append by these numbers");

enum { WIDTH_MAX = 32 };

/* Returns the mcl_append that was fastest in measurements (docs/studies.md). Where sub-groups have WIDTH_MAX lanes, a
 * sub-group votes and makes one atomic addition for all its lanes. With narrower sub-groups a scan is faster. */
static mcl_append fastest(const mcl__limits *limits)
{
    const int votes = limits->sub_group_path && limits->sub_group_size == WIDTH_MAX;
    return votes ? MCL_APPEND_SUB_GROUP_TILE : MCL_APPEND_GROUP_SCAN;
}

void mcl__append_define(mcl__call *call)
{
    mcl__call_define(call, "APPEND_WAY", (int)fastest(&call->queue->context->limits));
    mcl__call_define(call, "APPEND_WIDTH", WIDTH_MAX);
}

mcl__tile_need mcl__append_need(size_t element_bytes)
{
    /* A tile that ranks and votes without sub-groups takes the most memory. So this need suffices for every
     * mcl_append. */
    return (mcl__tile_need){
        .element_bytes = element_bytes,
        .local_bytes_per_item = sizeof(uint32_t),
        .local_bytes_fixed = 32 * sizeof(uint32_t) + 64,
        .local_bytes_per_thread = 2 * sizeof(uint32_t),
    };
}

mcl_status mcl__append_program(mcl__call *call, size_t element_bytes, int64_t count)
{
    const mcl__tile_need need = mcl__append_need(element_bytes);
    const mcl_options *const options = call->options;
    const int asked = options ? (int)options->append : MCL_APPEND_AUTO, width = options ? options->append_width : 0;
    const int way = asked == MCL_APPEND_AUTO ? (int)fastest(&call->queue->context->limits) : asked;
    if (way < 0 || way > MCL_APPEND_SUB_GROUP_TILE)
        return mcl__fail(MCL_ERROR_ARGUMENT, "options->append is %d; expected a value of mcl_append", way);
    if (width < 0 || width > WIDTH_MAX || (width & (width - 1)) != 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "options->append_width is %d; expected 0, 1, 2, 4, 8, 16 or %d", width,
                         WIDTH_MAX);
    mcl__call_define(call, "APPEND_WAY", way);
    mcl__call_define(call, "APPEND_WIDTH", way == MCL_APPEND_SUB_GROUP_TILE && width > 0 ? width : WIDTH_MAX);
    return mcl__call_program(call, mcl__call_choose_tile(call, MCL__OPERATION_append, need),
                             mcl__index_bits(count, options));
}
