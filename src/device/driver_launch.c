/* driver_launch.c: launches an application's own kernels, given by the driver's handles. */
#include "device/device.h"

static mcl_status check_argument(const mcl_queue *queue, const mcl_driver_argument *argument, int k)
{
    if (argument->buffer && argument->value)
        return mcl__fail(MCL_ERROR_ARGUMENT, "arguments[%d] has a buffer and a value; expected one of them", k);
    if (argument->buffer && argument->buffer->context != queue->context)
        return mcl__fail(MCL_ERROR_ARGUMENT, "arguments[%d].buffer is of another context than queue; expected the same",
                         k);
    if ((argument->bytes == 0) == (argument->value == NULL)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "arguments[%d].bytes is %zu; expected the size of a value, and 0 without one",
                     k, argument->bytes);
}

static mcl_status check_size(const mcl_queue *queue, void *kernel, int64_t groups, int group_items)
{
    int most = 0;
    if (groups < 0 || groups > INT32_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "groups is %lld; expected 0 to %d", (long long)groups, INT32_MAX);
    MCL__TRY(queue->context->backend->kernel_max_threads(queue->context, kernel, &most));
    if (group_items >= 1 && group_items <= most) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "group_items is %d; expected 1 to the %d work-items that kernel allows",
                     group_items, most);
}

mcl_status mcl__driver_launch(mcl_queue *queue, void *kernel, int64_t groups, int group_items,
                              const mcl_driver_argument *arguments, int argument_count)
{
    mcl__arg args[MCL__ARGS_MAX];
    if (argument_count < 0 || argument_count > MCL__ARGS_MAX)
        return mcl__fail(MCL_ERROR_ARGUMENT, "argument_count is %d; expected 0 to %d", argument_count, MCL__ARGS_MAX);
    if (!arguments && argument_count > 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "arguments is NULL; expected %d arguments", argument_count);
    MCL__TRY(check_size(queue, kernel, groups, group_items));
    for (int k = 0; k < argument_count; ++k) {
        MCL__TRY(check_argument(queue, &arguments[k], k));
        args[k] = (mcl__arg){ arguments[k].buffer, arguments[k].value, arguments[k].bytes };
    }
    const mcl__launch launch = {
        .kernel = kernel, .groups = groups, .threads = group_items, .args = args, .arg_count = argument_count
    };
    if (queue->preparing || groups == 0) return MCL_OK;
    MCL__TRY(mcl__command_begin(queue));
    return mcl__command_end(queue, mcl__enqueue_launch(queue, &launch));
}
