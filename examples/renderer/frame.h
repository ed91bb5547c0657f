/* frame.h: a frame on the device: the tree, the paths, the picture.
 *
 * All functions return 0, or -1 after a sentence on stderr. The first three enqueue and do not wait. */
#ifndef RENDERER_FRAME_H
#define RENDERER_FRAME_H

#include "lbvh.h"
#include "scene.h"

typedef struct frame {
    device *on;
    settings set;
    int has_megakernel; /* 1: whole paths in one kernel */
    lbvh tree;
    memory materials, lights;
    memory paths, hits, shadows; /* one of each for each pixel */
    memory lists[2];             /* int32: pixels whose paths go on; and by material */
    memory keys;                 /* uint8: kinds of material */
    memory alive, wanted;        /* uint8: whether a path goes on, and has a shadow ray */
    memory shadow_list;          /* int32 */
    memory counts;               /* int64: paths of each bounce; and shadow rays of each */
    memory shadow_counts;
    memory sums;       /* light of each pixel */
    memory log_sum;    /* float: of the logarithms of their light */
    memory picture;    /* uint32: four bytes a pixel */
    memory rays;       /* int64: all rays so far; */
    memory pixel_rays; /* uint32: those of the megakernel for each pixel */
} frame;

/* Begins frame number: things have moved for time seconds, and the tree is built. */
int frame_begin(frame *of, int number, float time);
int frame_sample(const frame *of, int sample);
/* Makes the picture of the samples. */
int frame_end(const frame *of, int samples);

/* Compiles and allocates all that a frame needs, and has the library do so. */
int frame_open(frame *opened, device *on, const scene *of, int has_megakernel);
void frame_close(frame *closed);

/* These wait. */
int frame_picture(const frame *of, uint32_t *picture);
int frame_sums(const frame *of, vec *sums);
int frame_rays(const frame *of, int64_t *rays);
int frame_first_hits(const frame *of, hit *hits);

#endif
