/* megakernel.cl: whole paths in one kernel, one work-item a pixel, for comparison. A path draws the
 * numbers that it draws in steps, and light is added in the same order. Needs: wavefront.cl. */

KERNEL whole_paths(SCENE_PARAMETERS, __global const moment *now, __global const node *nodes,
                   __global const triangle *sorted, __global vec *sums, __global uint32_t *pixel_rays)
{
    const int k = ITEM;
    if (k >= set.width * set.height) return;
    const scene_view scene = view_make(set, surfaces, moved, materials, lights);
    const uint32_t key = random_key(now[0], (uint32_t)k);
    path p = camera_path(set, (uint32_t)k, key);
    vec sum = now[0].sample == 0 ? vec_make(0.0f, 0.0f, 0.0f) : sums[k];
    uint32_t rays = 0u;
    for (int depth = 0; depth < set.bounces && p.alive; ++depth) {
        const hit h = trace(nodes, sorted, p.origin, p.direction, FAR_AWAY, 0);
        const bounce b = shade(scene, p, h, key, depth);
        sum = vec_add(sum, b.light);
        rays += 1u;
        if (b.shadow.wanted) {
            rays += 1u;
            if (trace(nodes, sorted, b.shadow.origin, b.shadow.direction, b.shadow.distance, 1).triangle < 0)
                sum = vec_add(sum, b.shadow.light);
        }
        p = b.next;
    }
    sums[k] = sum;
    pixel_rays[k] += rays;
}
