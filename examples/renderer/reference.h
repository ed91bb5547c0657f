/* reference.h: the same scene traced on the host by plain loops. */
#ifndef RENDERER_REFERENCE_H
#define RENDERER_REFERENCE_H

#include "scene.h"

/* The nearest triangle, by looking at all of them. */
hit reference_nearest(const scene *of, float time, vec origin, vec direction);

#endif
