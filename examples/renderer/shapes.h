/* shapes.h: adds shapes to a scene. All return 0, or -1 after a sentence on stderr. */
#ifndef RENDERER_SHAPES_H
#define RENDERER_SHAPES_H

#include "scene.h"

/* Which material and object the triangles of a shape get. */
typedef struct look {
    int material, object;
} look;

int add_quad(scene *to, const vec *corners, look as);

/* A sphere of rows * 2 * (2 * rows) triangles less those at the poles, with smooth normals. */
int add_sphere(scene *to, vec middle, float radius, int rows, look as);
int sphere_triangles(int rows);

/* A cone without a bottom, of sides triangles. */
int add_cone(scene *to, vec middle, float radius, float height, int sides, look as);

/* 0 to below 1, a hash of two numbers; and noise of about -1 to 1 with features as long as 1. */
float random_at(int x, int z);
float smooth_noise(float x, float z);

#endif
