/* fake_memory.h: a fake device, which counts what is asked of its driver and does its work when a test says so. */
#ifndef TEST_FAKE_MEMORY_H
#define TEST_FAKE_MEMORY_H

#include "devices.h"

#include "device/device.h"

typedef struct fake_driver {
    int64_t bytes; /* out at present */
    int64_t limit; /* most there are */
    int blocks;
    size_t last_bytes; /* of the last allocation */
    int events;
    int waits;
    int contexts;
} fake_driver;

extern fake_driver driver;

typedef struct fake_queue {
    mcl_queue base;
    long long done; /* commands, of base.work */
} fake_queue;

/* memory: what the device says it has. */
mcl_context *fake_context_open(int64_t memory);

#endif
