/* reference.c: traces on the host, by a tree that is cut at the middle triangle. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF_TRIANGLES = 4, DEPTH_MAX = 64 };

/* Children are the next node and that at right; a leaf has right 0 and triangles [begin, end) of the order. */
typedef struct reference_node {
    box bounds;
    int32_t right, begin, end;
} reference_node;

struct reference {
    const scene *of;
    triangle *triangles; /* in the order of the scene */
    int32_t *order;
    reference_node *nodes;
    int32_t node_count;
};

/* ---- the tree ------------------------------------------------------------------------------------------------- */

static float middle_of(const triangle *t, int axis)
{
    const box b = box_of_triangle(*t);
    const vec sum = vec_add(b.low, b.high);
    return axis == 0 ? sum.x : axis == 1 ? sum.y : sum.z;
}

static void swap(int32_t *p, int32_t *q)
{
    const int32_t kept = *p;
    *p = *q;
    *q = kept;
}

/* Orders [begin, end) so that what is before the middle is not above what follows. C. Hoare's quickselect. */
static void cut_at(const reference *in, int32_t begin, int32_t middle, int32_t end, int axis)
{
    int32_t low = begin, high = end - 1;
    while (low < high) {
        const float pivot = middle_of(&in->triangles[in->order[low + (high - low) / 2]], axis);
        int32_t i = low, j = high;
        while (i <= j) {
            while (middle_of(&in->triangles[in->order[i]], axis) < pivot) ++i;
            while (middle_of(&in->triangles[in->order[j]], axis) > pivot) --j;
            if (i <= j) swap(&in->order[i++], &in->order[j--]);
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static int widest_axis(box b)
{
    const vec size = vec_subtract(b.high, b.low);
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

/* Depth is the logarithm of the triangles, since each cut halves them. */
static void make_node(reference *in, int32_t begin, int32_t end)
{
    reference_node *const made = &in->nodes[in->node_count++];
    *made = (reference_node){ .bounds = box_of_nothing(), .begin = begin, .end = end };
    for (int32_t k = begin; k < end; ++k)
        made->bounds = box_join(made->bounds, box_of_triangle(in->triangles[in->order[k]]));
    if (end - begin <= LEAF_TRIANGLES) return;
    const int32_t middle = begin + (end - begin) / 2;
    cut_at(in, begin, middle, end, widest_axis(made->bounds));
    make_node(in, begin, middle);
    made->right = in->node_count;
    make_node(in, middle, end);
}

reference *reference_open(const scene *of, float time)
{
    const size_t n = (size_t)of->count;
    reference *const made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->of = of;
    made->triangles = calloc(n, sizeof *made->triangles);
    made->order = calloc(n, sizeof *made->order);
    made->nodes = calloc(2 * n, sizeof *made->nodes);
    if (!made->triangles || !made->order || !made->nodes) {
        reference_close(made);
        return NULL;
    }
    for (int32_t k = 0; k < of->count; ++k) {
        const surface *const s = &of->surfaces[k];
        made->triangles[k] = triangle_at(*s, of->motions[s->object], k, time);
        made->order[k] = k;
    }
    make_node(made, 0, of->count);
    return made;
}

void reference_close(reference *closed)
{
    if (!closed) return;
    free(closed->triangles);
    free(closed->order);
    free(closed->nodes);
    free(closed);
}

/* ---- rays ----------------------------------------------------------------------------------------------------- */

hit reference_nearest(const reference *in, vec origin, vec direction)
{
    hit best = no_hit(FAR_AWAY);
    for (int32_t k = 0; k < in->of->count; ++k) best = triangle_hit(in->triangles[k], origin, direction, best);
    return best;
}

/* Narrows [*enters, *leaves] to where a ray is between two planes. */
static void between(float low, float high, float from, float along, double *enters, double *leaves)
{
    if (along == 0 && (from < low || from > high)) *leaves = -1;
    if (along == 0) return;
    const double first = ((double)low - from) / along, second = ((double)high - from) / along;
    *enters = fmax(*enters, fmin(first, second));
    *leaves = fmin(*leaves, fmax(first, second));
}

static int meets_box(box b, vec origin, vec direction, float limit)
{
    double enters = 0, leaves = limit;
    between(b.low.x, b.high.x, origin.x, direction.x, &enters, &leaves);
    between(b.low.y, b.high.y, origin.y, direction.y, &enters, &leaves);
    between(b.low.z, b.high.z, origin.z, direction.z, &enters, &leaves);
    return enters <= leaves * (1 + 1e-6);
}

static hit nearest_in(const reference *in, vec origin, vec direction)
{
    int32_t stack[DEPTH_MAX] = { 0 };
    int top = 1;
    hit best = no_hit(FAR_AWAY);
    while (top > 0) {
        const int32_t index = stack[--top];
        const reference_node *const at = &in->nodes[index];
        if (!meets_box(at->bounds, origin, direction, best.distance)) continue;
        if (at->right > 0) {
            stack[top++] = at->right;
            stack[top++] = index + 1;
            continue;
        }
        for (int32_t k = at->begin; k < at->end; ++k)
            best = triangle_hit(in->triangles[in->order[k]], origin, direction, best);
    }
    return best;
}

static double path_light(const reference *in, const scene_view *view, uint32_t pixel, moment now)
{
    const uint32_t key = random_key(now, pixel);
    path p = camera_path(view->set, pixel, key);
    double sum = 0;
    for (int depth = 0; depth < view->set.bounces && p.alive; ++depth) {
        const bounce b = shade(*view, p, nearest_in(in, p.origin, p.direction), key, depth);
        sum += ((double)b.light.x + b.light.y + b.light.z) / 3;
        p = b.next;
    }
    return sum;
}

double reference_mean(const reference *in, const material *materials, settings set, uint32_t seed, int samples)
{
    const scene_view view = { .set = set,
                              .surfaces = in->of->surfaces,
                              .moved = in->triangles,
                              .materials = materials,
                              .lights = in->of->lights };
    const uint32_t pixels = (uint32_t)(set.width * set.height);
    double sum = 0;
    for (int sample = 0; sample < samples; ++sample)
        for (uint32_t pixel = 0; pixel < pixels; ++pixel)
            sum += path_light(in, &view, pixel, (moment){ .seed = seed, .sample = sample });
    return sum / pixels / samples;
}
