/* lbvh.h: the tree of boxes over a scene's triangles, made anew on the device for each frame. */
#ifndef RENDERER_LBVH_H
#define RENDERER_LBVH_H

#include "device.h"

typedef struct lbvh {
    int32_t count;   /* triangles, 2 or more */
    memory surfaces; /* at rest */
    memory motions;  /* of objects */
    memory moved;    /* triangles, in the order of the scene */
    memory sorted;   /* triangles, in the order of their codes */
    memory bounds;   /* the box of all */
    memory codes[2]; /* uint32: Morton codes, and sorted */
    memory order;    /* int32: the triangles by their codes */
    memory nodes;
    memory parents; /* int32: of count - 1 inner nodes and count leaves */
    memory arrived; /* uint32: children whose boxes are known */
} lbvh;

int lbvh_open(lbvh *opened, device *on, const void *surfaces, int32_t count, const void *motions, int motion_count);
void lbvh_close(lbvh *closed);

/* Enqueues the build for the time of a moment; does not wait. */
int lbvh_build(const lbvh *tree, device *on, const memory *now);

#endif
