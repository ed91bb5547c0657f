#include "device.hpp"
#include <Bullet3OpenCL/Initialize/b3OpenCLUtils.h>
#include <chrono>
#include <moderncl/moderncl.h>
#include <moderncl/opencl.h>
#include <stdexcept>

Device open_device(const char *name)
{
    mcl_context *found = nullptr;
    mcl_device_info info;
    if (mcl_context_create(name, &found) != MCL_OK || mcl_context_info(found, &info) != MCL_OK)
        throw std::runtime_error(mcl_last_error());
    Device device{ mcl_opencl_device(found), nullptr, nullptr, info.name };
    cl_int status = CL_SUCCESS;
    if (device.id) device.context = clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &status);
    if (device.context) device.queue = clCreateCommandQueue(device.context, device.id, 0, &status);
    mcl_context_release(found);
    if (!device.queue) throw std::runtime_error(std::string(name) + ": no OpenCL context or queue");
    b3OpenCLUtils_getNumPlatforms(&status); // loads Bullet's own table of OpenCL's functions
    return device;
}

unsigned long long now()
{
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<unsigned long long>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}
