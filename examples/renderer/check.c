/* check.c: compares first hits with brute force. */
#include "check.h"

#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

static const int64_t tests_max = 200000000; /* of rays with triangles */

/* The same triangle at the same distance; or another one as near, where triangles meet. */
static int same_hit(hit found, hit expected)
{
    if ((found.triangle < 0) != (expected.triangle < 0)) return 0;
    return expected.triangle < 0 || fabsf(found.distance - expected.distance) <= 1e-4f * (1 + expected.distance);
}

/* Rays along edges may pass a triangle here and meet it there; a ray in 500 may. */
static int check_hits(const frame *at, const scene *of)
{
    const int64_t pixels = (int64_t)of->set.width * of->set.height;
    const int64_t step = 1 + pixels * of->count / tests_max;
    int64_t rays = 0, other_triangles = 0, wrong = 0;
    hit *const hits = calloc((size_t)pixels, sizeof *hits);
    if (!hits || frame_first_hits(at, hits)) {
        free(hits);
        return -1;
    }
    for (int64_t k = 0; k < pixels; k += step) {
        const path p = camera_path(at->set, (uint32_t)k, random_key(at->set, (uint32_t)k, 0));
        const hit expected = reference_nearest(of, at->set.time, p.origin, p.direction);
        ++rays;
        wrong += !same_hit(hits[k], expected);
        other_triangles += hits[k].triangle != expected.triangle;
    }
    free(hits);
    printf("check: first hits: %lld rays, %lld of another triangle, %lld wrong\n", (long long)rays,
           (long long)other_triangles, (long long)wrong);
    if (wrong * 500 <= rays && other_triangles * 500 <= rays) return 0;
    fprintf(stderr, "renderer: the tree gives other first hits than brute force does\n");
    return -1;
}

int check_all(device *on, const scene *of, const options *as)
{
    frame made;
    if (frame_open(&made, on, of, as->has_megakernel)) return -1;
    const int failed = frame_begin(&made, 0, 0.5f) || check_hits(&made, of);
    frame_close(&made);
    return failed ? -1 : 0;
}
