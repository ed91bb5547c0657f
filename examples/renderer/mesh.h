/* mesh.h: scenes from files. */
#ifndef RENDERER_MESH_H
#define RENDERER_MESH_H

#include "scene.h"

/* The triangles of a file that assimp reads, on a floor, below a lamp that moves, in front of a camera. Colours without
 * textures; metal, glass and lamps as the file says. Returns 0, or -1 after a sentence on stderr. */
int mesh_load(scene *made, const char *file);

#endif
