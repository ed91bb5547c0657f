/* quiet_device.h: devices that are not there, in place of the drivers: names to choose from, and contexts that open and
 * do nothing. Linked before the library's archive, they stand for its two backends. */
#ifndef TEST_QUIET_DEVICE_H
#define TEST_QUIET_DEVICE_H

#include "device/device.h"

enum { QUIET_DEVICES = 5 };
extern const char *const quiet_ids[QUIET_DEVICES];
extern int quiet_fails; /* 1: no device gives its facts */

/* A context of the first device. */
mcl_context *quiet_context(void);

#endif
