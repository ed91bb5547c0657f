/* check.c: compares first hits, light and, of whole paths in one kernel, the picture. */
#include "check.h"

#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 48,               /* of the checks' pictures */
    ITEMS_AT_ONCE = 448,      /* fewer than there are paths, so that each goes through several */
    BATCHES = 16,             /* pictures of one kind, whose means differ by noise */
    BATCH_SAMPLES = 6,        /* of each of them on the device; */
    REFERENCE_SAMPLES = 10,   /* and on the host, whose noise is larger */
    TESTS_MAX = 60000000,     /* of rays with triangles by brute force */
    RAYS_FOR_A_FAULT = 500,   /* one ray in as many may pass along an edge here and meet it there */
    PIXELS_FOR_A_FAULT = 100, /* and one pixel's path in as many may take another way by rounding */
    FIRST_SEED = 1000         /* of the host; the device's seeds are below it */
};
static const double sigmas = 4;
static const float check_time = 0.5f; /* when things are not where they are at rest */

static int fail(const char *sentence)
{
    fprintf(stderr, "renderer: %s\n", sentence);
    return -1;
}

/* ---- first hits ----------------------------------------------------------------------------------------------- */

static int same_distance(hit found, hit expected)
{
    if ((found.triangle < 0) != (expected.triangle < 0)) return 0;
    return expected.triangle < 0 || fabsf(found.distance - expected.distance) <= 1e-4f * (1 + expected.distance);
}

static int check_hits(const frame *at, const reference *in, hit *hits)
{
    const int64_t pixels = (int64_t)at->set.width * at->set.height;
    const int64_t step = 1 + pixels * at->set.triangle_count / TESTS_MAX;
    int64_t rays = 0, met = 0, other_triangles = 0, wrong = 0;
    if (frame_first_hits(at, hits)) return -1;
    for (int64_t k = 0; k < pixels; k += step) {
        const path p = camera_path(at->set, (uint32_t)k, random_key((moment){ 0 }, (uint32_t)k));
        const hit expected = reference_nearest(in, p.origin, p.direction);
        ++rays;
        met += expected.triangle >= 0;
        wrong += !same_distance(hits[k], expected);
        other_triangles += hits[k].triangle != expected.triangle;
    }
    printf("check: first hits: %lld rays, %lld meet a triangle; another triangle: %lld, another distance: %lld\n",
           (long long)rays, (long long)met, (long long)other_triangles, (long long)wrong);
    if (wrong * RAYS_FOR_A_FAULT <= rays && other_triangles * RAYS_FOR_A_FAULT <= rays) return 0;
    return fail("the tree gives other first hits than brute force does");
}

/* ---- light ---------------------------------------------------------------------------------------------------- */

/* The mean of batches, and the standard error of it. */
typedef struct estimate {
    double mean, error;
} estimate;

static estimate estimate_of(const double *means)
{
    double sum = 0, squares = 0;
    for (int k = 0; k < BATCHES; ++k) sum += means[k];
    for (int k = 0; k < BATCHES; ++k) squares += (means[k] - sum / BATCHES) * (means[k] - sum / BATCHES);
    return (estimate){ sum / BATCHES, sqrt(squares / (BATCHES - 1) / BATCHES) };
}

static int render(const frame *of, int number, int samples, vec *sums)
{
    int failed = frame_begin(of, number, check_time);
    for (int sample = 0; sample < samples && !failed; ++sample) failed = frame_sample(of);
    return failed || frame_end(of, samples) || frame_sums(of, sums) ? -1 : 0;
}

static double mean_of(const settings *set, const vec *sums, int samples)
{
    const int pixels = set->width * set->height;
    double sum = 0;
    for (int k = 0; k < pixels; ++k) sum += ((double)sums[k].x + sums[k].y + sums[k].z) / 3;
    return sum / pixels / samples;
}

static int64_t allocations_of(const frame *at)
{
    mcl_memory_statistics taken = { 0 };
    return mcl_context_memory(at->on->context, &taken) == MCL_OK ? taken.allocations : -1;
}

static int check_light(const frame *at, const reference *in, const material *materials, vec *sums, const char *what)
{
    double device_means[BATCHES], host_means[BATCHES];
    int64_t allocations = 0;
    for (int k = 0; k < BATCHES; ++k) {
        if (render(at, k, BATCH_SAMPLES, sums)) return -1;
        if (k == 0) allocations = allocations_of(at);
        settings set = at->set;
        set.light_sampling = 0;
        device_means[k] = mean_of(&at->set, sums, BATCH_SAMPLES);
        host_means[k] = reference_mean(in, materials, set, (uint32_t)(FIRST_SEED + k), REFERENCE_SAMPLES);
    }
    const estimate found = estimate_of(device_means), expected = estimate_of(host_means);
    const double bound = sigmas * sqrt(found.error * found.error + expected.error * expected.error);
    printf("check: %s: %.5f +- %.5f on the device, %.5f +- %.5f on the host; may differ by %.5f\n", what, found.mean,
           found.error, expected.mean, expected.error, bound);
    if (!(fabs(found.mean - expected.mean) <= bound))
        return fail("the picture has another mean than the plain tracer's");
    return allocations_of(at) == allocations ? 0 : fail("a frame after the first one has allocated memory");
}

/* Lamps alone, on matte surfaces, not seen by the camera: what is left are shadow rays and what they light. */
static int check_lamps(device *on, const scene *of, const reference *in, vec *sums)
{
    frame made;
    scene matte = *of;
    matte.materials = calloc((size_t)of->material_count, sizeof *matte.materials);
    if (!matte.materials) return fail("no memory for the checks");
    matte.set.zenith = matte.set.horizon = matte.set.glow = vec_make(0, 0, 0);
    matte.set.hides_lights = 1;
    for (int32_t k = 0; k < of->material_count; ++k) {
        matte.materials[k] = of->materials[k];
        if (matte.materials[k].kind != EMISSIVE) matte.materials[k].kind = DIFFUSE;
    }
    int failed = frame_open(&made, on, &matte, 0);
    if (!failed) {
        failed = check_light(&made, in, matte.materials, sums, "lamps alone");
        frame_close(&made);
    }
    free(matte.materials);
    return failed;
}

/* ---- whole paths in one kernel -------------------------------------------------------------------------------- */

static int compare_pictures(const settings *set, const vec *steps, const vec *whole)
{
    const int pixels = set->width * set->height;
    const double mean = mean_of(set, steps, BATCH_SAMPLES), other = mean_of(set, whole, BATCH_SAMPLES);
    int unlike = 0;
    for (int k = 0; k < pixels; ++k) {
        const vec apart = vec_subtract(steps[k], whole[k]);
        unlike += !(vec_dot(apart, apart) <= 1e-4f * (1e-4f + vec_dot(steps[k], steps[k])));
    }
    printf("check: megakernel: %d of %d pixels differ by more than 1 %%; means %.6f and %.6f\n", unlike, pixels, mean,
           other);
    return unlike * PIXELS_FOR_A_FAULT <= pixels ? 0 : fail("the megakernel gives another picture than the steps do");
}

static int check_megakernel(device *on, const scene *of, const vec *whole, vec *sums)
{
    frame steps;
    if (frame_open(&steps, on, of, 0)) return -1;
    const int failed = render(&steps, BATCHES - 1, BATCH_SAMPLES, sums) || compare_pictures(&of->set, sums, whole);
    frame_close(&steps);
    return failed ? -1 : 0;
}

/* ---- replay --------------------------------------------------------------------------------------------------- */

/* The last picture of check_light, which was replayed, by launches and calls: bit by bit the same. */
static int check_replay(frame *at, const vec *replayed, vec *sums)
{
    const size_t pixels = (size_t)at->set.width * (size_t)at->set.height;
    at->replays = 0;
    const int failed = render(at, BATCHES - 1, BATCH_SAMPLES, sums);
    at->replays = 1;
    if (failed) return -1;
    if (memcmp(sums, replayed, pixels * sizeof *sums) != 0)
        return fail("a replay gives another picture than the calls");
    printf("check: replay: the same picture, bit by bit\n");
    return 0;
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

static int check_frame(frame *at, const scene *of, const reference *in, vec *sums, vec *others, hit *hits)
{
    return frame_begin(at, 0, check_time) || check_hits(at, in, hits) ||
           check_light(at, in, of->materials, sums, "light") ||
           (at->has_megakernel && check_megakernel(at->on, of, sums, others)) ||
           (at->replays && check_replay(at, sums, others)) || check_lamps(at->on, of, in, others);
}

int check_all(device *on, const scene *of, const options *as)
{
    scene small = *of;
    frame made;
    small.set.height = small.set.height * WIDTH / small.set.width;
    if (small.set.height < 1) small.set.height = 1;
    small.set.width = WIDTH;
    const size_t pixels = (size_t)small.set.width * (size_t)small.set.height;
    reference *const in = reference_open(&small, check_time);
    vec *const sums = calloc(pixels, sizeof *sums), *const others = calloc(pixels, sizeof *others);
    hit *const hits = calloc(pixels, sizeof *hits);
    int failed = -1;
    if (!in || !sums || !others || !hits) {
        (void)fail("no memory for the checks");
    } else if (frame_open(&made, on, &small, as->has_megakernel) == 0) {
        made.items_at_once = ITEMS_AT_ONCE;
        failed = (as->wants_replay && frame_record(&made)) || check_frame(&made, &small, in, sums, others, hits);
        frame_close(&made);
    }
    reference_close(in);
    free(sums);
    free(others);
    free(hits);
    return failed ? -1 : 0;
}
