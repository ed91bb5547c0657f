/* check.h: what the device has found, against plain loops on the host. */
#ifndef RENDERER_CHECK_H
#define RENDERER_CHECK_H

#include "frame.h"
#include "options.h"

/* Returns 0 where all checks pass; else prints a sentence. */
int check_all(device *on, const scene *of, const options *as);

#endif
