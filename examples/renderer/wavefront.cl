/* wavefront.cl: one bounce of all paths in two steps, and in between the library moves paths of one material together.
 * Kernels: begin_frame, next_sample, begin_paths, trace_rays, shade_paths. Needs: trace.cl.
 *
 * A path stays where it is, at its pixel's index; lists of indices are moved. Counts are on the device, in rows of
 * starts: row 0 for the camera's rays, and row depth + 1 has the offsets of the buckets after bounce depth. A step is
 * launched with some number of work-items, and they go through all paths that there are.
 *
 * Paths and shadow rays are structures of arrays, so that a step loads only what it needs: part p of path k is element
 * p * pixels + k. */

static inline quad quad_make(const vec v, const float number)
{
    quad made;
    made.v = v;
    made.number = number;
    return made;
}

/* The parts are: origin and reach, which is 0 for a path that has ended; direction, and whether it sees lights;
 * weight. */
static inline path path_load(__global const quad *paths, const int pixels, const int k)
{
    const quad start = paths[k], way = paths[pixels + k];
    path made;
    made.origin = start.v;
    made.pixel = (uint32_t)k;
    made.direction = way.v;
    made.sees_lights = way.number > 0.0f;
    made.weight = paths[2 * pixels + k].v;
    made.alive = start.number > 0.0f;
    return made;
}

static inline void path_store(__global quad *paths, const int pixels, const int k, const path p)
{
    paths[k] = quad_make(p.origin, p.alive ? FAR_AWAY : 0.0f);
    if (!p.alive) return;
    paths[pixels + k] = quad_make(p.direction, p.sees_lights ? 1.0f : 0.0f);
    paths[2 * pixels + k] = quad_make(p.weight, 0.0f);
}

/* The parts are: origin and reach, which is 0 where no ray is wanted; direction; light. */
static inline void shadow_store(__global quad *shadows, const int pixels, const int k, const shadow_ray s)
{
    shadows[k] = quad_make(s.origin, s.wanted ? s.distance : 0.0f);
    if (!s.wanted) return;
    shadows[pixels + k] = quad_make(s.direction, 0.0f);
    shadows[2 * pixels + k] = quad_make(s.light, 0.0f);
}

#define SCENE_PARAMETERS \
    const settings set, __global const surface *surfaces, __global const triangle *moved, \
        __global const material *materials, __global const light *lights

static inline scene_view view_make(SCENE_PARAMETERS)
{
    scene_view made;
    made.set = set;
    made.surfaces = surfaces;
    made.moved = moved;
    made.materials = materials;
    made.lights = lights;
    return made;
}

/* The first launch of a frame; the first of a sample follows. */
KERNEL begin_frame(__global moment *now, const float time, const uint32_t seed)
{
    if (ITEM != 0) return;
    now[0].time = time;
    now[0].seed = seed;
    now[0].sample = -1;
}

KERNEL next_sample(__global moment *now)
{
    if (ITEM == 0) now[0].sample += 1;
}

/* Each pixel's path, and all of them in a list; no shadow rays. The first sample begins the picture. */
KERNEL begin_paths(const settings set, __global const moment *now, __global quad *paths, __global int32_t *list,
                   __global int64_t *starts, __global vec *sums)
{
    const int k = ITEM, pixels = set.width * set.height;
    if (k == 0) {
        starts[METAL] = 0;
        starts[EMISSIVE] = pixels;
    }
    if (k >= pixels) return;
    if (now[0].sample == 0) sums[k] = vec_make(0.0f, 0.0f, 0.0f);
    path_store(paths, pixels, k, camera_path(set, (uint32_t)k, random_key(now[0], (uint32_t)k)));
    list[k] = k;
}

/* Rays of a bounce: those of the paths that the bounce before has left, and then its shadow rays. A path gets the
 * nearest triangle, and its kind of material as a key. Light that nothing hides is added to the picture.
 * The list begins with the paths on diffuse surfaces, which alone have shadow rays, and has each pixel once. */
KERNEL trace_rays(SCENE_PARAMETERS, __global const node *nodes, __global const triangle *sorted,
                  __global const quad *paths, __global const quad *shadows, __global const int32_t *list,
                  __global const int64_t *starts, const int32_t depth, __global hit *hits, __global uint8_t *keys,
                  __global vec *sums)
{
    const scene_view scene = view_make(set, surfaces, moved, materials, lights);
    const int pixels = set.width * set.height;
    const int path_count = (int)starts[depth * STARTS + EMISSIVE];
    const int ray_count = path_count + (int)starts[depth * STARTS + METAL];
    for (int k = ITEM; k < ray_count; k += ITEMS) {
        const int is_shadow = k >= path_count, pixel = list[is_shadow ? k - path_count : k];
        __global const quad *const from = is_shadow ? shadows : paths;
        const quad start = from[pixel], way = from[pixels + pixel];
        const int goes = start.number > 0.0f;
        hit h = no_hit(0.0f);
        if (goes) h = trace(nodes, sorted, start.v, way.v, start.number, is_shadow);
        if (is_shadow) {
            if (goes && h.triangle < 0) sums[pixel] = vec_add(sums[pixel], from[2 * pixels + pixel].v);
        } else {
            hits[pixel] = h;
            keys[k] = (uint8_t)(goes ? material_kind(scene, h) : ENDED);
        }
    }
}

/* What the paths of a list meet: their light is added to the picture, and they go on or not. */
KERNEL shade_paths(SCENE_PARAMETERS, __global const moment *now, const int32_t depth, __global const int32_t *list,
                   __global const int64_t *starts, __global const hit *hits, __global quad *paths,
                   __global quad *shadows, __global vec *sums, __global uint32_t *pixel_rays)
{
    const scene_view scene = view_make(set, surfaces, moved, materials, lights);
    const int pixels = set.width * set.height;
    __global const int64_t *const row = starts + (depth + 1) * STARTS;
    for (int k = ITEM; k < (int)row[ENDED]; k += ITEMS) {
        const int pixel = list[k];
        const path p = path_load(paths, pixels, pixel);
        const bounce b = shade(scene, p, hits[pixel], random_key(now[0], p.pixel), depth);
        sums[pixel] = vec_add(sums[pixel], b.light);
        pixel_rays[pixel] += 1u + (uint32_t)b.shadow.wanted;
        if (k < (int)row[EMISSIVE]) path_store(paths, pixels, pixel, b.next);
        if (k < (int)row[METAL]) shadow_store(shadows, pixels, pixel, b.shadow);
    }
}
