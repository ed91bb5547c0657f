/* shared.h: the texts that the host's compiler shares with the device's. */
#ifndef RENDERER_SHARED_H
#define RENDERER_SHARED_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define __global
#include "geometry.cl"
#include "shading.cl"

#endif
