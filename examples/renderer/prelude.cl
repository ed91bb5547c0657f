/* prelude.cl: names of C and of this renderer, for OpenCL C. */
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef uchar uint8_t;
#define KERNEL __kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) void
#define ITEM ((int)get_global_id(0))
#define ITEMS ((int)get_global_size(0))
#define sqrtf sqrt
#define sinf sin
#define cosf cos
#define powf pow
#define fabsf fabs
#define expf exp
#define fminf fmin
#define fmaxf fmax

/* Adds to a counter that all groups share; returns what it held before. */
#define counter_add(counter, amount) atomic_add(counter, amount)

/* What this work-item has stored before is seen by those that see what it stores after. */
#if defined(__NV_CL_C_VERSION)
#define fence() asm volatile("membar.gl;" : : : "memory")
#elif defined(__opencl_c_atomic_order_acq_rel) && defined(__opencl_c_atomic_scope_device)
#define fence() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#else
#define fence() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
