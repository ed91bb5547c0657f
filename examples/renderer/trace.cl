/* trace.cl: rays through the tree of lbvh.cl. Needs: shading.cl, lbvh.cl. */

#define STACK_NODES 64 /* no way down has more than 62 nodes (lbvh.cl), and each leaves one child for later */

/* One over each part of a direction, and no infinity. */
static inline float inverse_of(const float x)
{
    return fabsf(x) > 1e-12f ? 1.0f / x : x < 0.0f ? -1e12f : 1e12f;
}

/* The distance at which a ray enters a box; FAR_AWAY where it does not before limit. */
static inline float box_distance(const box b, const vec origin, const vec inverse, const float limit)
{
    const float x0 = (b.low.x - origin.x) * inverse.x, x1 = (b.high.x - origin.x) * inverse.x;
    const float y0 = (b.low.y - origin.y) * inverse.y, y1 = (b.high.y - origin.y) * inverse.y;
    const float z0 = (b.low.z - origin.z) * inverse.z, z1 = (b.high.z - origin.z) * inverse.z;
    float enters = x0 < x1 ? x0 : x1, leaves = x0 < x1 ? x1 : x0;
    const float enters_y = y0 < y1 ? y0 : y1, leaves_y = y0 < y1 ? y1 : y0;
    const float enters_z = z0 < z1 ? z0 : z1, leaves_z = z0 < z1 ? z1 : z0;
    enters = enters_y > enters ? enters_y : enters;
    enters = enters_z > enters ? enters_z : enters;
    enters = enters > 0.0f ? enters : 0.0f;
    leaves = leaves_y < leaves ? leaves_y : leaves;
    leaves = leaves_z < leaves ? leaves_z : leaves;
    return enters <= leaves * 1.000001f && enters < limit ? enters : FAR_AWAY;
}

/* The nearest triangle before a distance; any: one is enough. */
static inline hit trace(__global const node *nodes, __global const triangle *sorted, const vec origin,
                        const vec direction, const float distance, const int any)
{
    int stack[STACK_NODES];
    int top = 0, next = 0, goes_on = 1;
    const vec inverse = vec_make(inverse_of(direction.x), inverse_of(direction.y), inverse_of(direction.z));
    hit best = no_hit(distance);
    while (goes_on) {
        int has_next = 0;
        if (next < 0) {
            best = triangle_hit(sorted[~next], origin, direction, best);
        } else {
            const node at = nodes[next];
            const int left = at.left, right = at.right;
            const float to_left = box_distance(at.left_box, origin, inverse, best.distance);
            const float to_right = box_distance(at.right_box, origin, inverse, best.distance);
            const int left_first = to_left <= to_right;
            if (to_left < FAR_AWAY && to_right < FAR_AWAY) stack[top++] = left_first ? right : left;
            has_next = to_left < FAR_AWAY || to_right < FAR_AWAY;
            next = left_first ? left : right;
        }
        goes_on = !(any && best.triangle >= 0) && (has_next || top > 0);
        if (goes_on && !has_next) next = stack[--top];
    }
    return best;
}

/* What the rays of a sample meet first, for the checks. */
KERNEL first_hits(const settings set, __global const moment *now, __global const node *nodes,
                  __global const triangle *sorted, __global hit *hits)
{
    const int k = ITEM;
    if (k >= set.width * set.height) return;
    const path p = camera_path(set, (uint32_t)k, random_key(now[0], (uint32_t)k));
    hits[k] = trace(nodes, sorted, p.origin, p.direction, FAR_AWAY, 0);
}
