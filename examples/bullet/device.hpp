// device.hpp: an OpenCL device with a context and a queue in order, as an application of Bullet makes them.
#ifndef DEVICE_HPP
#define DEVICE_HPP

#include <CL/cl.h>
#include <string>

struct Device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    std::string name;
};

// name: as mcl_context_create takes it. Throws std::runtime_error.
Device open_device(const char *name);

// Nanoseconds of a clock that does not go back.
unsigned long long now();

#endif
