/* false_opencl.h: an OpenCL driver in the host's memory. A test defines its platforms and devices, and any function may
 * fail (faults.h). Copies and fills are made at once, and launches do nothing. */
#ifndef TEST_FALSE_OPENCL_H
#define TEST_FALSE_OPENCL_H

#include "faults.h"

#include "backends/opencl/opencl_internal.h"

/* A query of a device and its answer. With NULL the device does not know the query. */
typedef struct false_fact {
    cl_device_info what;
    const void *answer;
    size_t bytes;
} false_fact;

/* Facts for static lists. */
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

/* The facts that a device tells, up to the first fact of query 0. All other answers are those of an ordinary processor
 * of OpenCL 1.2. */
struct _cl_device_id {
    false_fact facts[FALSE_FACTS];
};

struct _cl_platform_id {
    const char *name; /* name of the platform; NULL: the platform tells no name */
    const char *version;
    cl_int error; /* of clGetDeviceIDs */
    cl_uint device_count;
    const struct _cl_device_id *devices;
};

/* The state of the driver. The initial members suit a driver that works. */
typedef struct false_opencl_state {
    const struct _cl_platform_id *platforms;
    cl_uint platform_count;
    cl_int platform_error; /* of clGetPlatformIDs */
    cl_int build_error;    /* of clBuildProgram */
    cl_int load_error;     /* status of clCreateProgramWithBinary for the device */
    const char *lacks;     /* name of an extension's function that the driver lacks */
    const char *log;       /* log of every build; NULL: none */
    const char *binary;    /* binary of every program made from a text; NULL: the text */
    cl_uint sharers;       /* number of devices in each context and program before the device that is used */
    size_t kernel_items;   /* largest number of work-items that a kernel allows in a group; 0: 1024 */
    size_t compiled_items; /* work-items of a group for which a kernel says it was compiled */
    cl_uint parameters;    /* number of parameters of every kernel */
    size_t argument_bytes; /* only size that arguments may have; 0: any size */
    cl_ulong begin, end;   /* begin and end time of commands */
    cl_int is_pending;     /* 1 where events are not complete until they are waited for */
} false_opencl_state;

extern false_opencl_state false_opencl_is;

/* The first bytes of the last binary that was loaded. */
enum { FALSE_LOADED = 4096 };
extern char false_opencl_loaded[FALSE_LOADED];

/* For mcl_opencl_loader_set. */
extern const fault_driver false_opencl;
void *false_opencl_load(const char *name, void *user);

#endif
