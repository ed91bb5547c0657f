/* idle_device.h: devices that run no kernel. Their memory is the host's; each launch, fill and copy is checked. */
#ifndef TEST_IDLE_DEVICE_H
#define TEST_IDLE_DEVICE_H

#include "moderncl/moderncl.h"

enum { IDLE_DEVICES = 8 };

/* A context of device 0 to IDLE_DEVICES - 1. */
mcl_status idle_context(int device, mcl_context **out);

/* Work that devices were given so far: launches, fills, copies. */
extern int64_t idle_work;
/* The driver's call after that many fails, once: allocations, builds, enqueues, events. -1: none does. */
extern int idle_fails_after;
/* 1: the compiler rejects each program, and names a line of it. */
extern int idle_rejects;
/* Kernels allow the device's most work-items by that many halvings. */
extern int idle_kernel_halvings;

#endif
