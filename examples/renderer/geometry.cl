/* geometry.cl: vectors, boxes and triangles, for the host, for the renderer's kernels and for the library, which takes
 * this text with its operators. No line of it begins with a number sign. */

typedef struct vec {
    float x, y, z;
} vec;

typedef struct box {
    vec low, high;
} box;

/* A triangle of the scene at the time of a frame; number: its index in the scene. Devices load 16 bytes at once where
 * they are aligned, else 4. */
typedef struct __attribute__((aligned(16))) triangle {
    vec corner;
    int32_t number;
    vec edge1;
    int32_t object;
    vec edge2;
    int32_t material;
} triangle;

static inline vec vec_make(const float x, const float y, const float z)
{
    vec made;
    made.x = x;
    made.y = y;
    made.z = z;
    return made;
}

static inline vec vec_add(const vec p, const vec q)
{
    return vec_make(p.x + q.x, p.y + q.y, p.z + q.z);
}

static inline vec vec_subtract(const vec p, const vec q)
{
    return vec_make(p.x - q.x, p.y - q.y, p.z - q.z);
}

static inline vec vec_low(const vec p, const vec q)
{
    return vec_make(p.x < q.x ? p.x : q.x, p.y < q.y ? p.y : q.y, p.z < q.z ? p.z : q.z);
}

static inline vec vec_high(const vec p, const vec q)
{
    return vec_make(p.x > q.x ? p.x : q.x, p.y > q.y ? p.y : q.y, p.z > q.z ? p.z : q.z);
}

static inline box box_make(const vec low, const vec high)
{
    box made;
    made.low = low;
    made.high = high;
    return made;
}

static inline box box_join(const box p, const box q)
{
    return box_make(vec_low(p.low, q.low), vec_high(p.high, q.high));
}

static inline box box_of_nothing(void)
{
    return box_make(vec_make(1e30f, 1e30f, 1e30f), vec_make(-1e30f, -1e30f, -1e30f));
}

static inline box box_of_triangle(const triangle t)
{
    const vec second = vec_add(t.corner, t.edge1), third = vec_add(t.corner, t.edge2);
    return box_make(vec_low(t.corner, vec_low(second, third)), vec_high(t.corner, vec_high(second, third)));
}

/* Ten bits, with two zeros before each. */
static inline uint32_t bits_apart(const uint32_t number)
{
    uint32_t bits = number & 0x3ffu;
    bits = (bits | bits << 16) & 0x030000ffu;
    bits = (bits | bits << 8) & 0x0300f00fu;
    bits = (bits | bits << 4) & 0x030c30c3u;
    return (bits | bits << 2) & 0x09249249u;
}

static inline uint32_t step_between(const float x, const float low, const float high)
{
    const float step = high > low ? (x - low) / (high - low) * 1024.0f : 0.0f;
    return step < 0.0f ? 0u : step > 1023.0f ? 1023u : (uint32_t)step;
}

/* The Morton code of a triangle's middle in the box of all triangles: 30 bits. */
static inline uint32_t morton_code(const triangle t, const box all)
{
    const box own = box_of_triangle(t);
    const uint32_t x = step_between(0.5f * (own.low.x + own.high.x), all.low.x, all.high.x);
    const uint32_t y = step_between(0.5f * (own.low.y + own.high.y), all.low.y, all.high.y);
    const uint32_t z = step_between(0.5f * (own.low.z + own.high.z), all.low.z, all.high.z);
    return bits_apart(x) << 2 | bits_apart(y) << 1 | bits_apart(z);
}
