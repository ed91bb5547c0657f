/* idle_device.h: devices that run no kernel. Their memory is the host's, and each launch, fill and copy is checked. */
#ifndef TEST_IDLE_DEVICE_H
#define TEST_IDLE_DEVICE_H

#include "moderncl/moderncl.h"

enum { IDLE_DEVICES = 8 };

/* Makes a context of device 0 to IDLE_DEVICES - 1. */
mcl_status idle_context(int device, mcl_context **out);

/* Number of launches, fills and copies so far. */
extern int64_t idle_work;
/* Number of driver's calls (allocations, builds, enqueues, events) before the one that fails; -1: none fails. */
extern int idle_fails_after;
/* 1 where the compiler rejects each program, and names a line of it. */
extern int idle_rejects;
/* Number of times that a kernel halves the device's most work-items. */
extern int idle_kernel_halvings;

#endif
