/* application.h: an OpenCL application with objects of its own, and these wrapped for the library. */
#ifndef TEST_APPLICATION_H
#define TEST_APPLICATION_H

#include "arrays.h"

#include <moderncl/opencl.h>

enum { APPLICATION_COUNT = 4000, APPLICATION_BYTES = APPLICATION_COUNT * (int)sizeof(int32_t) };

/* What an application has before it knows of this library. */
typedef struct application {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem data; /* APPLICATION_BYTES: 0, 1, 2 ... */
} application;

/* The application's objects, wrapped. */
typedef struct wrapped {
    mcl_context *context;
    mcl_queue *queue;
    mcl_buffer *data;
} wrapped;

void opencl_worked(cl_int error, const char *what);
/* 1: the device is not of OpenCL, and the test is skipped by this name. */
int opencl_skips(int device, const char *what);
cl_context opencl_open(cl_uint count, const cl_device_id *devices);
application opencl_start(int device, cl_command_queue_properties properties);
void opencl_stop(application *app);
int opencl_has_out_of_order(int device);
wrapped opencl_wrap(const application *app);
void opencl_unwrap(wrapped *w);

#endif
