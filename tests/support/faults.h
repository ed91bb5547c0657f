/* faults.h: drivers that fail: one function fails at its n-th call, once or for ever. The handles that drivers give and
 * get back are counted. */
#ifndef TEST_FAULTS_H
#define TEST_FAULTS_H

/* The kinds of handles that a driver gives. */
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

/* The table of a driver, which lists its functions by number. For a function that gives a handle, code 0 means success
 * without one. */
typedef struct fault_driver {
    const char *const *names;
    int function_count;
    const int *codes; /* codes of failures that pass: the next call succeeds */
    int code_count;
    const int *lasting_codes; /* codes after which the device is lost */
    int lasting_code_count;
    int (*gives_handle)(int function);
    int (*can_block)(int function);
} fault_driver;

/* Lets function number function fail at its call number at, counted from now and from 1. With lasts all later calls
 * fail too. */
void fault_arm(int function, int at, int lasts, int code);
void fault_disarm(void); /* ends the failures, and starts all counts at 0 */
int fault_struck(void);  /* returns the number of failures since fault_arm */
int fault_calls(int function);

/* Returns the number of a driver's function, which must exist; and the number of its calls since the last
 * fault_disarm. */
int fault_function(const fault_driver *driver, const char *name);
int fault_calls_of(const fault_driver *driver, const char *name);

/* Counts a call, for the tables. Returns 1 where the call must fail with *code. */
int fault_strikes(int function, int *code);
void fault_gave(fault_kind kind, const void *handle); /* counts a given handle; NULL is not counted */
void fault_got_back(fault_kind kind);

long fault_live(fault_kind kind); /* returns the number of references given and not returned */

/* Returns "" where all handles have come back, else a text about the missing ones. */
const char *fault_balance(void);

/* Tell, for the tables of OpenCL, what the function of this name may do. A release does not wait, since OpenCL keeps
 * objects that a command still uses. */
int fault_opencl_gives_handle(const char *name);
int fault_opencl_can_block(const char *name);

/* The process's OpenCL loader with faults, for mcl_opencl_loader_set. */
extern const fault_driver fault_opencl;
void *fault_opencl_load(const char *name, void *user);

/* Returns "" where no queue has waited for a command that the command's queue had not flushed. Else it returns a text
 * about the last such wait. */
const char *fault_unflushed(void);

/* Lets the OpenCL device report, from now on, at most these numbers of work-items, in each dimension of a group and for
 * each kernel. It refuses larger groups. 0 restores the device's number. */
void fault_opencl_allow(int items_of_dimension, int items_of_kernel);
/* Lets the OpenCL device report this version of its driver from now on. NULL restores the device's version. */
void fault_opencl_version(const char *version);

/* A CUDA driver and an NVRTC without a device, for mcl_cuda_loader_set. Copies and fills are made, and launches do
 * nothing. */
extern const fault_driver fault_cuda;
void *fault_cuda_load(const char *name, void *user);

/* The state of the CUDA driver and of NVRTC. */
typedef struct fault_cuda_state {
    int driver_version;
    int device_count;
    int current;           /* device of the current context */
    int capability;        /* 90: 9.0 */
    int lanes;             /* lanes of a sub-group */
    int known[2];          /* architectures that the compiler knows */
    int known_count;       /* number of known architectures that the compiler reports */
    unsigned compiled;     /* result of the compilation of each program */
    const char *log;       /* compiler's log of each program */
    unsigned is_capturing; /* answer of a stream about its capture */
    /* number of resets of the device, as by cudaDeviceReset; each one replaces the primary context */
    int resets;
    const char *lacks; /* name of a function that is missing */
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
