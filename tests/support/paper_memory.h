/* paper_memory.h: a device of paper, which counts what is asked of its driver and does its work when a test says so. */
#ifndef TEST_PAPER_MEMORY_H
#define TEST_PAPER_MEMORY_H

#include "devices.h"

#include "device/device.h"

typedef struct paper_driver {
    int64_t bytes; /* out at present */
    int64_t limit; /* most there are */
    int blocks;
    size_t last_bytes; /* of the last allocation */
    int events;
    int waits;
    int contexts;
} paper_driver;

extern paper_driver driver;

typedef struct paper_queue {
    mcl_queue base;
    long long done; /* commands, of base.work */
} paper_queue;

/* memory: what the device says it has. */
mcl_context *paper_context_open(int64_t memory);

#endif
