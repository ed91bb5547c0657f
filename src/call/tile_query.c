/* tile_query.c: tells callers which tile and which parameters an operation would use on a device. */
#include "call/enqueue.h"

static const char *const operation_names[] = {
#define X(name) #name,
    MCL__OPERATION_LIST(X)
#undef X
};

const char *mcl_operation_name(int index)
{
    return index >= 0 && index < MCL__OPERATION_COUNT ? operation_names[index] : NULL;
}

/* Returns the bytes of work-group memory for each element of a tile. A reduction is taken to have a commutative
 * operator. */
static size_t operation_local_bytes(mcl__operation operation, size_t element_bytes)
{
    switch (operation) {
    case MCL__OPERATION_transform:
    case MCL__OPERATION_reduce:
    case MCL__OPERATION_cuts:
        return 0;
    case MCL__OPERATION_load_balance:
    case MCL__OPERATION_interval:
        return 1;
    default:
        return element_bytes;
    }
}

mcl_status mcl_context_tile(mcl_context *context, const char *operation, size_t element_bytes, int *threads, int *items)
{
    MCL__TRY(mcl__check_context("mcl_context_tile", context));
    if (!operation || !threads || !items)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s is NULL; expected %s",
                         !operation ? "operation"
                         : !threads ? "threads"
                                    : "items",
                         !operation ? "the name of an operation" : "where to put a number");
    if (element_bytes == 0) return mcl__fail(MCL_ERROR_ARGUMENT, "element_bytes is 0; expected 1 or more");
    const int found = mcl__operation_find(operation);
    if (found < 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "operation is \"%s\"; expected a name that mcl_operation_name gives",
                         operation);
    MCL__TRY(mcl__context_probe(context));
    const mcl__operation known = (mcl__operation)found;
    const mcl__tile_need need = {
        .element_bytes = element_bytes,
        .local_bytes_per_item = operation_local_bytes(known, element_bytes),
    };
    const mcl__tile tile = mcl__tile_for(known, &context->limits, context->tuning, need, NULL);
    *threads = tile.threads;
    *items = tile.items;
    return MCL_OK;
}

const char *mcl_tuning_parameter_name(int index)
{
    return mcl__parameter_name(index);
}

mcl_status mcl_context_tuning_parameter(mcl_context *context, const char *name, int *value)
{
    MCL__TRY(mcl__check_context("mcl_context_tuning_parameter", context));
    if (!name || !value)
        return mcl__fail(MCL_ERROR_ARGUMENT, "%s is NULL; expected %s", !name ? "name" : "value",
                         !name ? "the name of a parameter" : "where to put a number");
    const int found = mcl__parameter_find(name);
    if (found < 0)
        return mcl__fail(MCL_ERROR_ARGUMENT,
                         "name is \"%s\"; expected a name that "
                         "mcl_tuning_parameter_name gives",
                         name);
    *value = (int)mcl__tuned(context, (mcl__parameter)found);
    return MCL_OK;
}
