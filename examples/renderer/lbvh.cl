/* lbvh.cl: a tree of boxes over sorted triangles. T. Karras, "Maximizing Parallelism in the Construction of BVHs,
 * Octrees, and k-d Trees" (2012). Kernels: move_triangles, build_tree, fit_boxes. Needs: geometry.cl, shading.cl.
 *
 * There are count - 1 inner nodes, 0 being the root, and count leaves, one a triangle. A child below 0 is leaf ~child.
 * Each node has the boxes of its two children, so that a ray loads one node to choose between them, 16 bytes at
 * once. */

typedef struct __attribute__((aligned(16))) node {
    box left_box, right_box;
    int32_t left, right;
    int32_t padding[2];
} node;

KERNEL move_triangles(__global const surface *surfaces, __global const motion *motions, __global triangle *moved,
                      __global const moment *now, const int32_t count)
{
    const int k = ITEM;
    if (k >= count) return;
    moved[k] = triangle_at(surfaces[k], motions[surfaces[k].object], k, now[0].time);
}

/* Leading bits that the keys of two leaves have in common; -1 where there is no leaf j. Equal codes are told apart by
 * their indices, so that no two keys are equal. */
static inline int common_bits(__global const uint32_t *codes, const int32_t count, const int i, const int j)
{
    if (j < 0 || j >= count) return -1;
    const uint32_t apart = codes[i] ^ codes[j];
    return apart != 0u ? (int)clz(apart) : 32 + (int)clz((uint32_t)(i ^ j));
}

/* Makes inner node i: the range of leaves that begins or ends at i, cut where its keys' first bits differ. The loops
 * double and halve a distance of at most 2^31. */
KERNEL build_tree(__global const uint32_t *codes, __global node *nodes, __global int32_t *parents,
                  __global uint32_t *arrived, const int32_t count)
{
    const int i = ITEM;
    if (i >= count - 1) return;
    const int step = common_bits(codes, count, i, i + 1) > common_bits(codes, count, i, i - 1) ? 1 : -1;
    const int outside = common_bits(codes, count, i, i - step);
    int limit = 2, length = 0, split = 0;
    while (limit < count && common_bits(codes, count, i, i + limit * step) > outside) limit *= 2;
    for (int reach = limit / 2; reach > 0; reach /= 2)
        if (common_bits(codes, count, i, i + (length + reach) * step) > outside) length += reach;
    const int last = i + length * step, same = common_bits(codes, count, i, last);
    for (int reach = limit; reach > 0; reach /= 2)
        if (split + reach < length && common_bits(codes, count, i, i + (split + reach) * step) > same) split += reach;
    const int middle = step > 0 ? i + split : i - split - 1;
    const int begin = step > 0 ? i : last, end = step > 0 ? last : i;
    nodes[i].left = begin == middle ? ~middle : middle;
    nodes[i].right = end == middle + 1 ? ~(middle + 1) : middle + 1;
    parents[begin == middle ? count - 1 + middle : middle] = i;
    parents[end == middle + 1 ? count + middle : middle + 1] = i;
    arrived[i] = 0u;
}

static inline box box_load(volatile __global const box *from)
{
    return box_make(vec_make(from->low.x, from->low.y, from->low.z),
                    vec_make(from->high.x, from->high.y, from->high.z));
}

static inline void box_store(volatile __global box *to, const box b)
{
    to->low.x = b.low.x;
    to->low.y = b.low.y;
    to->low.z = b.low.z;
    to->high.x = b.high.x;
    to->high.y = b.high.y;
    to->high.z = b.high.z;
}

/* Goes up from each leaf. The first to arrive at a node leaves its box there; the second finds both and goes on. No way
 * up has more than 62 nodes: each has more of 32 bits of code and 30 of index in common than its parent. */
KERNEL fit_boxes(__global const triangle *sorted, __global node *nodes, __global const int32_t *parents,
                 __global uint32_t *arrived, const int32_t count)
{
    const int k = ITEM;
    if (k >= count) return;
    box own = box_of_triangle(sorted[k]);
    int child = ~k, parent = parents[count - 1 + k], goes_on = 1;
    while (goes_on) {
        const int is_left = nodes[parent].left == child;
        volatile __global box *const mine = is_left ? &nodes[parent].left_box : &nodes[parent].right_box;
        volatile __global box *const other = is_left ? &nodes[parent].right_box : &nodes[parent].left_box;
        box_store(mine, own);
        fence();
        goes_on = counter_add(&arrived[parent], 1u) == 1u && parent != 0;
        fence();
        if (goes_on) {
            own = box_join(own, box_load(other));
            child = parent;
            parent = parents[child];
        }
    }
}
