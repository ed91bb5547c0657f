/* fake_memory.h: a fake device that counts the requests to its driver, and does its work when a test asks for it. */
#ifndef TEST_FAKE_MEMORY_H
#define TEST_FAKE_MEMORY_H

#include "devices.h"

#include "device/device.h"

typedef struct fake_driver {
    int64_t bytes; /* bytes that are allocated now */
    int64_t limit; /* largest number of bytes that can be allocated */
    int blocks;
    size_t last_bytes; /* bytes of the last allocation */
    int events;
    int waits;
    int contexts;
} fake_driver;

extern fake_driver driver;

typedef struct fake_queue {
    mcl_queue base;
    long long done; /* number of commands of base.work that are done */
} fake_queue;

/* Opens a context. memory: the amount of memory that the device reports. */
mcl_context *fake_context_open(int64_t memory);

#endif
