/* scene.h: a scene on the host: triangles, materials, lights, a camera and a sky. */
#ifndef RENDERER_SCENE_H
#define RENDERER_SCENE_H

#include "shared.h"

enum { OBJECTS_MAX = 8 };

typedef struct scene {
    surface *surfaces;
    int32_t count, capacity;
    material *materials;
    int32_t material_count;
    motion motions[OBJECTS_MAX]; /* the first is rest */
    light *lights;
    settings set;
} scene;

/* All return 0, or -1 after a sentence on stderr. */

/* The built-in scene, of about as many triangles as asked for: a lake at dusk. */
int scene_make(scene *made, int32_t triangles);

/* The number of a new material. */
int scene_material(scene *of, vec colour, int kind, vec emission, float roughness);

/* One more triangle, with a normal for each corner; NULL: its own. look: its material. */
int scene_add(scene *to, const vec *corners, const vec *normals, int look, int object);

/* Finds the lights and their areas. */
int scene_finish(scene *of);
void scene_free(scene *freed);

/* Where from and where to; tall: the height that is seen at a distance of 1, of either side of the middle. */
void scene_camera(scene *of, vec eye, vec target, float tall);

/* The size of the picture in pixels. */
void scene_size(scene *of, int width, int height);

#endif
