/* opencl_usm.c: unified shared memory as operands: commands and kernel arguments take addresses instead of cl_mem. The
 * extension is cl_intel_unified_shared_memory, which POCL and Mesa's rusticl have too. */
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
