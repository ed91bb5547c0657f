#include "application.h"

#include <string.h>

enum { COUNT = APPLICATION_COUNT, BYTES = APPLICATION_BYTES };

void opencl_worked(cl_int error, const char *what)
{
    ck_assert_msg(error == CL_SUCCESS, "%s gave %d", what, error);
}

int opencl_skips(int device, const char *what)
{
    if (strcmp(test_device_at(device)->info.backend, "opencl") == 0) return 0;
    return test_skip(device, what, "not an OpenCL device");
}

cl_context opencl_open(cl_uint count, const cl_device_id *devices)
{
    cl_platform_id platform;
    cl_int error;

    opencl_worked(clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), "clGetDeviceInfo");
    const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0 };
    const cl_context context = clCreateContext(properties, count, devices, NULL, NULL, &error);
    opencl_worked(error, "clCreateContext");
    return context;
}

application opencl_start(int device, cl_command_queue_properties properties)
{
    application app = { .device = mcl_opencl_device(test_device_at(device)->context) };
    int32_t data[COUNT];
    cl_int error;

    ck_assert_ptr_nonnull(app.device);
    for (int k = 0; k < COUNT; k++) data[k] = k;
    app.context = opencl_open(1, &app.device);
    app.queue = clCreateCommandQueue(app.context, app.device, properties, &error);
    opencl_worked(error, "clCreateCommandQueue");
    app.data = clCreateBuffer(app.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, data, &error);
    opencl_worked(error, "clCreateBuffer");
    return app;
}

void opencl_stop(application *app)
{
    opencl_worked(clFinish(app->queue), "clFinish");
    clReleaseMemObject(app->data);
    clReleaseCommandQueue(app->queue);
    clReleaseContext(app->context);
}

int opencl_has_out_of_order(int device)
{
    cl_command_queue_properties properties = 0;
    const cl_device_id id = mcl_opencl_device(test_device_at(device)->context);

    clGetDeviceInfo(id, CL_DEVICE_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

wrapped opencl_wrap(const application *app)
{
    wrapped w = { 0 };

    test_ok(mcl_opencl_context_wrap(app->context, NULL, &w.context));
    test_ok(mcl_opencl_queue_wrap(w.context, app->queue, &w.queue));
    test_ok(mcl_opencl_buffer_wrap(w.context, app->data, &w.data));
    return w;
}

void opencl_unwrap(wrapped *w)
{
    mcl_buffer_release(w->data);
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
}
