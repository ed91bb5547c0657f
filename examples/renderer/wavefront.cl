/* wavefront.cl: one bounce of all paths in steps, and in between the library sorts and compacts. Kernels: begin_paths,
 * extend_paths, shade_paths, shadow_rays. Needs: trace.cl.
 *
 * A path stays where it is, at its pixel's index; lists of indices are sorted and compacted. Launches cover the most
 * paths that there can be; counts are on the device, and work-items past them leave. */

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

/* Each pixel's path, and all of them in a list. The first sample begins the picture. */
KERNEL begin_paths(const settings set, const int32_t sample, __global path *paths, __global int32_t *list,
                   __global int64_t *counts, __global vec *sums)
{
    const int k = ITEM, pixels = set.width * set.height;
    if (k == 0) counts[0] = pixels;
    if (k >= pixels) return;
    if (sample == 0) sums[k] = vec_make(0.0f, 0.0f, 0.0f);
    paths[k] = camera_path(set, (uint32_t)k, random_key(set, (uint32_t)k, sample));
    list[k] = k;
}

/* The nearest triangle of each path of a list, and its kind of material as a key. */
KERNEL extend_paths(SCENE_PARAMETERS, __global const node *nodes, __global const triangle *sorted,
                    __global const path *paths, __global const int32_t *list, __global const int64_t *counts,
                    const int32_t depth, __global hit *hits, __global uint8_t *keys, __global int64_t *rays)
{
    const int k = ITEM;
    if (k == 0) rays[0] += counts[depth];
    if (k >= counts[depth]) return;
    const path p = paths[list[k]];
    const hit h = trace(nodes, sorted, p.origin, p.direction, FAR_AWAY, 0);
    hits[p.pixel] = h;
    keys[k] = (uint8_t)material_kind(view_make(set, surfaces, moved, materials, lights), h);
}

/* What the paths of a list meet: their light is added to the picture, and they go on or not. */
KERNEL shade_paths(SCENE_PARAMETERS, const int32_t sample, const int32_t depth, __global const int32_t *list,
                   __global const int64_t *counts, __global const hit *hits, __global path *paths,
                   __global uint8_t *alive, __global shadow_ray *shadows, __global uint8_t *wanted, __global vec *sums)
{
    const int k = ITEM;
    if (k >= counts[depth]) return;
    const path p = paths[list[k]];
    const uint32_t key = random_key(set, p.pixel, sample);
    const bounce b = shade(view_make(set, surfaces, moved, materials, lights), p, hits[p.pixel], key, depth);
    sums[p.pixel] = vec_add(sums[p.pixel], b.light);
    paths[p.pixel] = b.next;
    alive[k] = (uint8_t)b.next.alive;
    wanted[k] = (uint8_t)b.shadow.wanted;
    if (b.shadow.wanted) shadows[k] = b.shadow;
}

/* Lights that nothing hides add to the picture. A list has each pixel once at most. */
KERNEL shadow_rays(__global const node *nodes, __global const triangle *sorted, __global const shadow_ray *shadows,
                   __global const int32_t *list, __global const int64_t *shadow_counts, const int32_t depth,
                   __global vec *sums, __global int64_t *rays)
{
    const int k = ITEM;
    if (k == 0) rays[0] += shadow_counts[depth];
    if (k >= shadow_counts[depth]) return;
    const shadow_ray s = shadows[list[k]];
    const hit h = trace(nodes, sorted, s.origin, s.direction, s.distance, 1);
    if (h.triangle < 0) sums[s.pixel] = vec_add(sums[s.pixel], s.light);
}
