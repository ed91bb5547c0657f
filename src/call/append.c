/* append.c: how tiles of a list in any order get the indices of their elements. */
#include "call/append.h"
#include "call/rank.h"
#include "facts/append.h"

_Static_assert((int)MCL_APPEND_GLOBAL_ATOMIC == APPEND_GLOBAL_ATOMIC &&
                   (int)MCL_APPEND_GROUP_ATOMIC == APPEND_GROUP_ATOMIC &&
                   (int)MCL_APPEND_GROUP_SCAN == APPEND_GROUP_SCAN &&
                   (int)MCL_APPEND_SUB_GROUP_ATOMIC == APPEND_SUB_GROUP_ATOMIC &&
                   (int)MCL_APPEND_SUB_GROUP_TILE == APPEND_SUB_GROUP_TILE,
               "kernels know the ways of mcl_append by these numbers");

/* The fastest way, as measured (docs/studies.md). Where sub-groups are wide enough to keep atomics few, a sub-group
 * votes and makes one atomic. Else a scan is faster. */
static mcl__append fastest(const mcl__limits *limits)
{
    enum { WIDEST = 32 };
    const int votes = limits->sub_group_path && limits->sub_group_size == WIDEST;
    return (mcl__append){ votes ? MCL_APPEND_SUB_GROUP_TILE : MCL_APPEND_GROUP_SCAN, WIDEST };
}

mcl_status mcl__append_choose(const char *function, const mcl_context *context, const mcl_options *options,
                              mcl__append *out)
{
    const int way = options ? (int)options->append : 0, width = options ? options->append_width : 0;
    *out = fastest(&context->limits);
    if (way < 0 || way > MCL_APPEND_SUB_GROUP_TILE)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: options->append is %d; expected a value of mcl_append", function,
                         way);
    if (width < 0 || width > 32 || (width & (width - 1)) != 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s: options->append_width is %d; expected 0, 1, 2, 4, 8, 16 or 32",
                         function, width);
    if (way != MCL_APPEND_AUTO) out->way = way;
    if (way == MCL_APPEND_SUB_GROUP_TILE && width > 0) out->width = width;
    return MCL_OK;
}

/* Ranks and votes without sub-groups take the most memory: the other ways fit where these do. */
mcl__tile mcl__append_tile(const mcl_context *context, size_t element_bytes, const mcl_options *options)
{
    const mcl__tile_need need = {
        .element_bytes = element_bytes,
        .local_bytes_per_item = sizeof(uint32_t),
        .local_bytes_fixed = 32 * sizeof(uint32_t) + 64,
        .local_bytes_per_thread = 2 * sizeof(uint32_t),
    };
    return mcl__tile_for(MCL__OPERATION_append, &context->limits, context->tuning, need, options);
}
