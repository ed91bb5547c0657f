/* cuda_driver.h: the functions of the CUDA driver that transports need, opened at run time. */
#ifndef MCL_MPI_CUDA_DRIVER_H
#define MCL_MPI_CUDA_DRIVER_H

#include "ranks.h"

#define MCL_CUDA_TYPES_DECLARED
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;
#include "moderncl/cuda.h"

typedef struct mcl__cuda_uuid {
    unsigned char bytes[16];
} mcl__cuda_uuid;

typedef struct mcl__cuda_handle {
    unsigned char bytes[64];
} mcl__cuda_handle;

/* Functions as cuda.h declares them, with int instead of its enums; the result 0 is success. */
typedef struct mcl__cuda_driver {
    int (*push)(CUcontext context);
    int (*pop)(CUcontext *context);
    int (*device)(int *device);
    int (*device_count)(int *count);
    int (*device_get)(int *device, int number);
    int (*uuid)(mcl__cuda_uuid *uuid, int device);
    int (*p2p_attribute)(int *value, int attribute, int device, int peer);
    int (*address_range)(CUdeviceptr *base, size_t *bytes, CUdeviceptr address);
    int (*handle_get)(mcl__cuda_handle *handle, CUdeviceptr base);
    int (*handle_open)(CUdeviceptr *address, mcl__cuda_handle handle, unsigned flags);
    int (*handle_close)(CUdeviceptr address);
    int (*host_register)(void *memory, size_t bytes, unsigned flags);
    int (*host_unregister)(void *memory);
    int (*priorities)(int *least, int *greatest);
    int (*stream_create)(CUstream *stream, unsigned flags, int priority);
    int (*stream_destroy)(CUstream stream);
} mcl__cuda_driver;

/* A function of a library, and the offset of its address in a struct. The last symbol of a list has no name. */
typedef struct mcl__symbol {
    const char *name;
    size_t offset;
} mcl__symbol;

/* Load functions of a library into a struct. They return NULL, or the name of the library or function that is missing.
 * The library stays open, since it may have started threads. */
const char *mcl__library_load(const char *library, const mcl__symbol *symbols, void *out);
const char *mcl__cuda_driver_load(mcl__cuda_driver *out);

/* Make the queue's CUDA context current (mcl__cuda_enter), and restore the thread's earlier context
 * (mcl__cuda_leave). */
mcl_status mcl__cuda_enter(const mcl__cuda_driver *driver, mcl_mpi *mpi);
void mcl__cuda_leave(const mcl__cuda_driver *driver);

#endif
