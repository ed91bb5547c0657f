/* false_opencl.h: an OpenCL driver in the host's memory. Its platforms and devices are what a test says that they are,
 * and any function may fail (faults.h). Copies and fills are made at once, launches do nothing. */
#ifndef TEST_FALSE_OPENCL_H
#define TEST_FALSE_OPENCL_H

#include "faults.h"

#include "backends/opencl/opencl_internal.h"

/* A query of a device and its answer. NULL: the device does not know the query. */
typedef struct false_fact {
    cl_device_info what;
    const void *answer;
    size_t bytes;
} false_fact;

/* Facts of static lists. */
#define FALSE_TEXT(what, text) { what, text, sizeof text }
#define FALSE_UINT(what, ...)                                                                                          \
    {                                                                                                                  \
        what, (const cl_uint[]){ __VA_ARGS__ }, sizeof(const cl_uint[])                                                \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define FALSE_ULONG(what, ...)                                                                                         \
    {                                                                                                                  \
        what, (const cl_ulong[]){ __VA_ARGS__ }, sizeof(const cl_ulong[])                                              \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define FALSE_SIZES(what, ...)                                                                                         \
    {                                                                                                                  \
        what, (const size_t[]){ __VA_ARGS__ }, sizeof(const size_t[])                                                  \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define FALSE_UNKNOWN(what) { what, NULL, 0 }

enum { FALSE_FACTS = 20, FALSE_DEVICES = 80, FALSE_PLATFORMS = 80 };

/* What a device tells, up to the first fact of query 0. All else is an ordinary processor's of OpenCL 1.2. */
struct _cl_device_id {
    false_fact facts[FALSE_FACTS];
};

struct _cl_platform_id {
    const char *name; /* NULL: it does not tell */
    const char *version;
    cl_int error; /* of clGetDeviceIDs */
    cl_uint device_count;
    const struct _cl_device_id *devices;
};

/* What the driver is like. The first members suit a driver that works. */
typedef struct false_opencl_state {
    const struct _cl_platform_id *platforms;
    cl_uint platform_count;
    cl_int platform_error; /* of clGetPlatformIDs */
    cl_int build_error;    /* of clBuildProgram */
    cl_int load_error;     /* of clCreateProgramWithBinary, for the device */
    const char *lacks;     /* a function of an extension that it does not have */
    const char *log;       /* of every build; NULL: none */
    const char *binary;    /* of every program made of a text; NULL: the text */
    cl_uint sharers;       /* devices that each context and program has, before the one that is used */
    size_t kernel_items;   /* the most that a kernel says that it allows in a group; 0: 1024 */
    size_t compiled_items; /* in a group that a kernel says that it was compiled for */
    cl_uint parameters;    /* of every kernel */
    size_t argument_bytes; /* the one size that arguments may have; 0: any */
    cl_ulong begin, end;   /* times of commands */
    cl_int is_pending;     /* 1: events are not complete before they are waited for */
} false_opencl_state;

extern false_opencl_state false_opencl_is;

/* The beginning of the last binary that was loaded. */
enum { FALSE_LOADED = 4096 };
extern char false_opencl_loaded[FALSE_LOADED];

/* For mcl_opencl_loader_set. */
extern const fault_driver false_opencl;
void *false_opencl_load(const char *name, void *user);

#endif
