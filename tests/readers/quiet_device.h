/* quiet_device.h: devices that do not exist, in place of the drivers: names to choose from, and contexts that open and
 * do nothing. They are linked before the library's archive, and replace its two backends. */
#ifndef TEST_QUIET_DEVICE_H
#define TEST_QUIET_DEVICE_H

#include "device/device.h"

enum { QUIET_DEVICES = 5 };
extern const char *const quiet_ids[QUIET_DEVICES];
extern int quiet_fails; /* 1 where no device gives its facts */

/* Makes a context of the first device. */
mcl_context *quiet_context(void);

#endif
