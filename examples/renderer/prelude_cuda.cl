/* prelude_cuda.cl: what the renderer's kernels are written with, for CUDA C++ under NVRTC with -default-device. */
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
#define __global
#define KERNEL extern "C" __global__ void __launch_bounds__(GROUP_ITEMS)
#define clz(x) __clz((int)(x))
#define ITEM ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define ITEMS ((int)(gridDim.x * blockDim.x))

/* Adds to a counter that all groups share; returns what it held before. */
#define counter_add(counter, amount) atomicAdd(counter, amount)

/* What this work-item has stored before is seen by those that see what it stores after. */
#define fence() __threadfence()
