/* reference.h: a scene traced on the host by plain loops, for the checks. It shares the text of the materials with the
 * device; its tree, its traversal and how it finds lights are its own. */
#ifndef RENDERER_REFERENCE_H
#define RENDERER_REFERENCE_H

#include "scene.h"

typedef struct reference reference;

/* The scene at a time; NULL where there is no memory. */
reference *reference_open(const scene *of, float time);
void reference_close(reference *closed);

/* The nearest triangle, by looking at all of them. */
hit reference_nearest(const reference *in, vec origin, vec direction);

/* The mean of red, green and blue over a picture of samples, with materials instead of the scene's. With
 * set.light_sampling 0 paths find lamps by chance alone: what the device finds by shadow rays must be as much. */
double reference_mean(const reference *in, const material *materials, settings set, uint32_t seed, int samples);

#endif
