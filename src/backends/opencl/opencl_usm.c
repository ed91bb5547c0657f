/* opencl_usm.c: unified shared memory as operands: commands and kernel arguments that are addresses, not cl_mem.
 * (cl_intel_unified_shared_memory, which POCL and Mesa's rusticl have too.) */
#include "opencl_internal.h"

void mcl__opencl_usm_find(cl_device_id device, mcl__opencl_usm *out)
{
    cl_platform_id platform = NULL;
    if (!mcl__opencl_has_extension(device, "cl_intel_unified_shared_memory")) return;
    if (mcl__cl.GetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS) return;
    out->is_there = mcl__opencl_take(platform, "clSetKernelArgMemPointerINTEL", &out->set_argument) &&
                    mcl__opencl_take(platform, "clEnqueueMemcpyINTEL", &out->copy) &&
                    mcl__opencl_take(platform, "clEnqueueMemFillINTEL", &out->fill);
}

mcl_status mcl_opencl_usm_wrap(mcl_context *context, void *memory, size_t bytes, mcl_buffer **out)
{
    MCL__TRY(mcl__opencl_check_owner("mcl_opencl_usm_wrap", context, memory, out));
    if (bytes == 0) return mcl__fail(MCL_ERROR_ARGUMENT, "bytes is 0; expected 1 or more");
    if (!((const opencl_context *)context)->usm.is_there)
        return mcl__fail(MCL_ERROR_UNSUPPORTED, "%s has no unified shared memory (cl_intel_unified_shared_memory)",
                         context->info.name);
    mcl_buffer *buffer = NULL;
    MCL__TRY(mcl__buffer_adopt(context, 0, bytes, &buffer));
    buffer->block = (uintptr_t)memory;
    buffer->is_address = 1;
    buffer->root = MCL__OPENCL_ADDRESSES;
    buffer->origin = (uintptr_t)memory;
    *out = buffer;
    return MCL_OK;
}
