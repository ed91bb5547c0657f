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
    int has_megakernel;    /* 1: whole paths in one kernel */
    int64_t items_at_once; /* work-items of a step; 0: as frame.c thinks */
    int replays;           /* 1: builds and samples are replayed, once frame_record has recorded them */
    mcl_recording *build, *sample;
    lbvh tree;
    memory now; /* a moment */
    memory materials, lights;
    memory paths, shadows; /* three quads of 16 bytes for each pixel (wavefront.cl) */
    memory hits;
    memory lists[2];   /* int32: pixels whose paths go on, and the same by material: they take turns */
    memory keys;       /* uint8: kinds of material */
    memory starts;     /* int64: offsets of the buckets, a row for each bounce */
    memory sums;       /* light of each pixel */
    memory log_sum;    /* float: of the logarithms of their light */
    memory picture;    /* uint32: four bytes a pixel */
    memory pixel_rays; /* uint32: how many rays each pixel has had */
} frame;

/* Begins frame number: things have moved for time seconds, and the tree is built. */
int frame_begin(const frame *of, int number, float time);
/* One more sample. */
int frame_sample(const frame *of);
/* Makes the picture of the samples. */
int frame_end(const frame *of, int samples);

/* Compiles and allocates all that a frame needs, and has the library do so. */
int frame_open(frame *opened, device *on, const scene *of, int has_megakernel);
/* Records the build of the tree and a sample. From now on each of them is one replay. */
int frame_record(frame *of);
void frame_close(frame *closed);

/* These wait. */
int frame_picture(const frame *of, uint32_t *picture);
int frame_sums(const frame *of, vec *sums);
int frame_rays(const frame *of, int64_t *rays);
int frame_first_hits(const frame *of, hit *hits);

#endif
