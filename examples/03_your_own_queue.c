/* 03_your_own_queue.c: moderncl inside an application that has its own OpenCL context, queue and buffers. Nothing is
 * copied and nothing is waited for in between: the application's event starts the library's work, and the library's
 * event starts the application's read. The only example that links OpenCL itself. */
#include <moderncl/moderncl.h>
#include <moderncl/opencl.h>

#include <stdio.h>

enum { COUNT = 8 };

/* The application's own objects, as any OpenCL program makes them. */
typedef struct application {
    cl_context context;
    cl_command_queue queue;
    cl_mem numbers;
} application;

/* The first device of the first platform that has one. */
static int device_find(cl_device_id *device)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;

    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) return 0;
    for (cl_uint k = 0; k < count && k < 16; k++)
        if (clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, 1, device, NULL) == CL_SUCCESS) return 1;
    return 0;
}

static int application_open(application *own)
{
    cl_device_id device;
    cl_int error;

    if (!device_find(&device)) return 0;
    own->context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error != CL_SUCCESS) return 0;
    /* Out of order: only events order this application's commands. */
    own->queue = clCreateCommandQueue(own->context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (error != CL_SUCCESS) own->queue = clCreateCommandQueue(own->context, device, 0, &error);
    if (error != CL_SUCCESS) return 0;
    own->numbers = clCreateBuffer(own->context, CL_MEM_READ_WRITE, sizeof(cl_int) * COUNT, NULL, &error);
    return error == CL_SUCCESS;
}

static void application_close(application *own)
{
    if (own->numbers) clReleaseMemObject(own->numbers);
    if (own->queue) clReleaseCommandQueue(own->queue);
    if (own->context) clReleaseContext(own->context);
}

/* Replaces the numbers by their running sums once `written` has happened; *summed is the library's event. */
static mcl_status running_sums(const application *own, cl_event written, mcl_event **summed)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *numbers = NULL;
    mcl_event *start = NULL;

    mcl_status status = mcl_opencl_context_wrap(own->context, NULL, &context);
    if (status == MCL_OK) status = mcl_opencl_queue_wrap(context, own->queue, &queue);
    if (status == MCL_OK) status = mcl_opencl_buffer_wrap(context, own->numbers, &numbers);
    if (status == MCL_OK) status = mcl_opencl_event_wrap(context, written, &start);
    if (status == MCL_OK) {
        const mcl_options options = { .wait = &start, .wait_count = 1, .done = summed };
        status =
            mcl_scan(queue, mcl_from_buffer(MCL_INT32, numbers, 0, COUNT), mcl_to_buffer(MCL_INT32, numbers, 0, COUNT),
                     MCL_ADD, MCL_INCLUSIVE, mcl_to_nowhere(), &options);
    }
    mcl_event_release(start);
    mcl_buffer_release(numbers);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return status;
}

static int run(const application *own)
{
    const cl_int numbers[COUNT] = { 3, 1, 4, 1, 5, 9, 2, 6 };
    cl_int sums[COUNT];
    cl_event written;
    mcl_event *summed = NULL;

    if (clEnqueueWriteBuffer(own->queue, own->numbers, CL_FALSE, 0, sizeof numbers, numbers, 0, NULL, &written) !=
        CL_SUCCESS)
        return 0;
    if (running_sums(own, written, &summed) != MCL_OK) {
        fprintf(stderr, "%s\n", mcl_last_error());
        clWaitForEvents(1, &written);
        clReleaseEvent(written);
        return 0;
    }
    const cl_event after = mcl_opencl_event(summed);
    const cl_int error = clEnqueueReadBuffer(own->queue, own->numbers, CL_TRUE, 0, sizeof sums, sums, 1, &after, NULL);
    mcl_event_release(summed);
    clReleaseEvent(written);
    if (error != CL_SUCCESS) return 0;
    for (int k = 0; k < COUNT; k++) printf("%d%c", sums[k], k == COUNT - 1 ? '\n' : ' ');
    return sums[COUNT - 1] == 31;
}

int main(void)
{
    application own = { 0 };
    const int works = application_open(&own) && run(&own);

    if (!works) fputs("03_your_own_queue: no OpenCL device, or it failed\n", stderr);
    application_close(&own);
    return !works;
}
