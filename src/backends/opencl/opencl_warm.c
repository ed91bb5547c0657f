/* opencl_warm.c: launches that do nothing. They make a driver generate code that it would generate at a kernel's first
 * launch. */
#include "opencl_internal.h"

/* Sets an argument to zeros, which mean a null pointer for memory. The kernel returns before it reads any argument. The
 * driver refuses a wrong size, so all sizes are tried. Returns 0 where the driver accepts none. */
static int argument_fill(cl_kernel kernel, cl_uint place)
{
    enum { VALUE_MAX = 64 }; /* bytes of the largest argument to try */
    static const unsigned char zeros[VALUE_MAX];
    static const size_t likely[] = { sizeof(cl_mem), 4, 2, 1, 8, 16 };
    for (size_t k = 0; k < sizeof likely / sizeof *likely; ++k)
        if (mcl__cl.SetKernelArg(kernel, place, likely[k], zeros) == CL_SUCCESS) return 1;
    for (size_t size = 3; size <= sizeof zeros; ++size)
        if (mcl__cl.SetKernelArg(kernel, place, size, zeros) == CL_SUCCESS) return 1;
    return 0;
}

static int arguments_fill(cl_kernel kernel)
{
    cl_uint count = 0;
    if (mcl__cl.GetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL) != CL_SUCCESS) return 0;
    for (cl_uint place = 0; place < count; ++place)
        if (!argument_fill(kernel, place)) return 0;
    return 1;
}

void mcl__opencl_kernel_warm(mcl_queue *queue, void *kernel, int64_t work_items)
{
    /* POCL generates separate code for launches of 65535 work-items or more (USHRT_MAX in its device descriptions). */
    const int64_t many = 65535;
    const opencl_context *const context = (const opencl_context *)queue->context;
    const cl_command_queue handle = ((opencl_queue *)queue)->handle;
    const size_t global[2] = { work_items < many ? 1 : (size_t)many, 1 };
    const size_t local[2] = { 1, 1 };
    size_t compiled[3] = { 0, 0, 0 };
    const cl_int error = mcl__cl.GetKernelWorkGroupInfo(kernel, context->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                                        sizeof compiled, compiled, NULL);
    if (error != CL_SUCCESS || compiled[0] != 1 || !arguments_fill(kernel)) return;
    if (mcl__cl.EnqueueNDRangeKernel(handle, kernel, 2, NULL, global, local, 0, NULL, NULL) == CL_SUCCESS)
        (void)mcl__cl.Finish(handle);
}
