/* faults.h: drivers that fail: one function, at its n-th call, once or for ever. What drivers gave out and got back is
 * counted. */
#ifndef TEST_FAULTS_H
#define TEST_FAULTS_H

/* The kinds of things that a driver gives out. */
typedef enum fault_kind {
    FAULT_CONTEXT,
    FAULT_QUEUE,
    FAULT_MEMORY,
    FAULT_PROGRAM,
    FAULT_KERNEL,
    FAULT_EVENT,
    FAULT_GRAPH,
    FAULT_KIND_COUNT
} fault_kind;

enum { FAULT_FUNCTIONS_MAX = 96 };

/* A driver's table: functions by number. Code 0 is success without a handle, for functions that give one. */
typedef struct fault_driver {
    const char *const *names;
    int function_count;
    const int *codes; /* that pass; the next call knows nothing of them */
    int code_count;
    const int *lasting_codes; /* after which the device is lost */
    int lasting_code_count;
    int (*gives_handle)(int function);
    int (*can_block)(int function);
} fault_driver;

/* From now on function number fails at its call of this number (from 1, counted anew), and where lasts is set at all
 * that follow. */
void fault_arm(int function, int at, int lasts, int code);
void fault_disarm(void); /* counts anew, too */
int fault_struck(void);  /* how often since fault_arm */
int fault_calls(int function);

/* Returns the number of a driver's function, which it must have; and how often it was called since the last
 * fault_disarm. */
int fault_function(const fault_driver *driver, const char *name);
int fault_calls_of(const fault_driver *driver, const char *name);

/* For the tables: counts the call; 1: it is to fail with *code. */
int fault_strikes(int function, int *code);
void fault_gave(fault_kind kind, const void *handle); /* NULL is not counted */
void fault_got_back(fault_kind kind);

long fault_live(fault_kind kind); /* given out and not back, each reference counted */

/* "" where as much came back as was given out, else what did not. */
const char *fault_balance(void);

/* For the tables of OpenCL: what a function of this name may do. A release does not wait: OpenCL keeps what a command
 * still uses. */
int fault_opencl_gives_handle(const char *name);
int fault_opencl_can_block(const char *name);

/* The OpenCL loader of the process with faults, for mcl_opencl_loader_set. */
extern const fault_driver fault_opencl;
void *fault_opencl_load(const char *name, void *user);

/* "" where no queue has waited for a command that its own queue had not flushed, else the last such wait. */
const char *fault_unflushed(void);

/* From now on the OpenCL device tells of at most these work-items of a work-group in a dimension, and in each kernel,
 * and refuses larger ones. 0: as it is. */
void fault_opencl_allow(int items_of_dimension, int items_of_kernel);
/* From now on the OpenCL device says that its driver has this version. NULL: as it is. */
void fault_opencl_version(const char *version);

/* A CUDA driver and an NVRTC that do without a device: copies and fills are made, launches do nothing. For
 * mcl_cuda_loader_set. */
extern const fault_driver fault_cuda;
void *fault_cuda_load(const char *name, void *user);

/* What they are like. */
typedef struct fault_cuda_state {
    int driver_version;
    int device_count;
    int current;           /* device of the current context */
    int capability;        /* 90: 9.0 */
    int lanes;             /* of a sub-group */
    int known[2];          /* architectures that the compiler knows */
    int known_count;       /* which it says */
    unsigned compiled;     /* what it says of each program */
    const char *log;       /* of each program */
    unsigned is_capturing; /* what a stream says of itself */
    int resets;            /* of the device, as by cudaDeviceReset: after each, the primary context is another one */
    const char *lacks;     /* a function that is not there */
} fault_cuda_state;
#define FAULT_CUDA_USUAL                                                                                               \
    { .driver_version = 12040,                                                                                         \
      .device_count = 1,                                                                                               \
      .capability = 90,                                                                                                \
      .lanes = 32,                                                                                                     \
      .known = { 80, 90 },                                                                                             \
      .known_count = 2,                                                                                                \
      .log = "image" }
extern fault_cuda_state fault_cuda_is;

#endif
