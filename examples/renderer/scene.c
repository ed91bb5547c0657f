/* scene.c: triangles, materials and lights of a scene, one after the other. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    fputs("renderer: no memory for the scene\n", stderr);
    return -1;
}

int scene_material(scene *of, vec colour, int kind, vec emission, float roughness)
{
    material *const grown = realloc(of->materials, ((size_t)of->material_count + 1) * sizeof *grown);
    if (!grown) return no_memory();
    of->materials = grown;
    grown[of->material_count] =
        (material){ .colour = colour, .kind = kind, .emission = emission, .roughness = roughness };
    return of->material_count++;
}

int scene_add(scene *to, const vec *corners, const vec *normals, int look, int object)
{
    if (to->count == to->capacity) {
        if (to->capacity > INT32_MAX / 4) return no_memory();
        const int32_t capacity = to->capacity > 0 ? to->capacity * 2 : 4096;
        surface *const grown = realloc(to->surfaces, (size_t)capacity * sizeof *grown);
        if (!grown) return no_memory();
        to->surfaces = grown;
        to->capacity = capacity;
    }
    surface *const added = &to->surfaces[to->count++];
    const vec own = vec_unit(vec_cross(vec_subtract(corners[1], corners[0]), vec_subtract(corners[2], corners[0])));
    *added = (surface){ .material = look, .object = object };
    for (int k = 0; k < 3; ++k) {
        added->corner[k] = corners[k];
        added->normal[k] = normals ? normals[k] : own;
    }
    return 0;
}

static float area_of(const surface *s)
{
    const vec across = vec_cross(vec_subtract(s->corner[1], s->corner[0]), vec_subtract(s->corner[2], s->corner[0]));
    return 0.5f * sqrtf(vec_dot(across, across));
}

int scene_finish(scene *of)
{
    double area = 0;
    of->set.triangle_count = of->count;
    for (int32_t k = 0; k < of->count; ++k)
        of->set.light_count += of->materials[of->surfaces[k].material].kind == EMISSIVE;
    of->lights = calloc((size_t)of->set.light_count + 1, sizeof *of->lights);
    if (!of->lights) return no_memory();
    for (int32_t k = 0, next = 0; k < of->count; ++k) {
        if (of->materials[of->surfaces[k].material].kind != EMISSIVE) continue;
        area += area_of(&of->surfaces[k]);
        of->lights[next++] = (light){ .triangle = k, .share = (float)area };
    }
    for (int32_t k = 0; k < of->set.light_count; ++k) of->lights[k].share /= (float)area;
    of->set.light_area = (float)area;
    return 0;
}

void scene_free(scene *freed)
{
    free(freed->surfaces);
    free(freed->materials);
    free(freed->lights);
    *freed = (scene){ 0 };
}

void scene_camera(scene *of, vec eye, vec target, float tall)
{
    const vec way = vec_subtract(target, eye), ahead = vec_unit(way);
    const vec right = vec_unit(vec_cross(ahead, vec_make(0, 1, 0)));
    const float distance = sqrtf(vec_dot(way, way));
    of->set.eye = eye;
    of->set.forward = way;
    of->set.up = vec_scale(vec_cross(right, ahead), tall * distance);
    of->set.right = vec_scale(right, tall * distance);
}

void scene_size(scene *of, int width, int height)
{
    of->set.right = vec_scale(of->set.right, (float)width / (float)height);
    of->set.width = width;
    of->set.height = height;
}
