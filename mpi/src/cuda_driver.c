/* cuda_driver.c: opens the CUDA driver at run time, so that the library also loads without it. */
#include "cuda_driver.h"

#include <dlfcn.h>
#include <string.h>

static const mcl__symbol driver_symbols[] = {
    { "cuCtxPushCurrent_v2", offsetof(mcl__cuda_driver, push) },
    { "cuCtxPopCurrent_v2", offsetof(mcl__cuda_driver, pop) },
    { "cuCtxGetDevice", offsetof(mcl__cuda_driver, device) },
    { "cuDeviceGetCount", offsetof(mcl__cuda_driver, device_count) },
    { "cuDeviceGet", offsetof(mcl__cuda_driver, device_get) },
    { "cuDeviceGetUuid", offsetof(mcl__cuda_driver, uuid) },
    { "cuDeviceGetP2PAttribute", offsetof(mcl__cuda_driver, p2p_attribute) },
    { "cuMemGetAddressRange_v2", offsetof(mcl__cuda_driver, address_range) },
    { "cuIpcGetMemHandle", offsetof(mcl__cuda_driver, handle_get) },
    { "cuIpcOpenMemHandle_v2", offsetof(mcl__cuda_driver, handle_open) },
    { "cuIpcCloseMemHandle", offsetof(mcl__cuda_driver, handle_close) },
    { "cuMemHostRegister_v2", offsetof(mcl__cuda_driver, host_register) },
    { "cuMemHostUnregister", offsetof(mcl__cuda_driver, host_unregister) },
    { "cuCtxGetStreamPriorityRange", offsetof(mcl__cuda_driver, priorities) },
    { "cuStreamCreateWithPriority", offsetof(mcl__cuda_driver, stream_create) },
    { "cuStreamDestroy_v2", offsetof(mcl__cuda_driver, stream_destroy) },
    { NULL, 0 },
};

const char *mcl__library_load(const char *library, const mcl__symbol *symbols, void *out)
{
    void *const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return library;
    for (; symbols->name; ++symbols) {
        void *const address = dlsym(handle, symbols->name);
        if (!address) return symbols->name;
        /* standard C cannot cast a data pointer to a function pointer, so the bytes are copied */
        memcpy((char *)out + symbols->offset, &address, sizeof address);
    }
    return NULL;
}

const char *mcl__cuda_driver_load(mcl__cuda_driver *out)
{
    return mcl__library_load("libcuda.so.1", driver_symbols, out);
}

mcl_status mcl__cuda_enter(const mcl__cuda_driver *driver, mcl_mpi *mpi)
{
    const int result = driver->push(mcl_cuda_context(mpi->context));
    if (result == 0) return MCL_OK;
    return mcl__refuse(mpi, MCL_ERROR_DEVICE, "cuCtxPushCurrent failed (%d)", result);
}

void mcl__cuda_leave(const mcl__cuda_driver *driver)
{
    CUcontext context = NULL;
    driver->pop(&context);
}
