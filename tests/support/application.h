/* application.h: an OpenCL application with objects of its own, which the library wraps. */
#ifndef TEST_APPLICATION_H
#define TEST_APPLICATION_H

#include "arrays.h"

#include <moderncl/opencl.h>

enum { APPLICATION_COUNT = 4000, APPLICATION_BYTES = APPLICATION_COUNT * (int)sizeof(int32_t) };

/* The objects of an application that does not use this library yet. */
typedef struct application {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem data; /* buffer of APPLICATION_BYTES bytes: 0, 1, 2 ... */
} application;

/* The application's objects, wrapped by the library. */
typedef struct wrapped {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *data;
} wrapped;

void opencl_worked(cl_int error, const char *what);
/* Returns 1, after a line with the name what, where the device is no device of OpenCL and a test must be skipped. */
int opencl_skips(int device, const char *what);
cl_context opencl_open(cl_uint count, const cl_device_id *devices);
application opencl_start(int device, cl_command_queue_properties properties);
void opencl_stop(application *app);
int opencl_has_out_of_order(int device);
wrapped opencl_wrap(const application *app);
void opencl_unwrap(wrapped *w);

#endif
