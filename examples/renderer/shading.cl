/* shading.cl: what light does: cameras, intersections, materials, the sky. The host's compiler has this text too: the
 * plain tracer of reference.c shades by it. Needs: geometry.cl, and C's names of functions of floats. */

enum { DIFFUSE, METAL, GLASS, EMISSIVE, SKY, KINDS }; /* what a ray meets: a kind of material, or nothing */

/* The steps of wavefront.cl split paths into these kinds and one bucket more, for paths that had ended before. Paths
 * from EMISSIVE on end there. STARTS: the buckets' offsets, and the end of the last. */
enum { ENDED = KINDS, BUCKETS, STARTS };

#define NO_TRIANGLE (-1)
#define FAR_AWAY 1e30f
#define PI 3.14159265f
#define NUMBERS_A_BOUNCE 8u /* random numbers that a bounce may use */
#define ROULETTE_BOUNCE 3   /* from it on dim paths end early, and the others weigh more */

/* A triangle of the scene at rest, with the normals of its corners. */
typedef struct __attribute__((aligned(16))) surface {
    vec normal[3]; /* first, so that they are aligned where light is worked out */
    vec corner[3];
    int32_t material;
    int32_t object;
} surface;

typedef struct __attribute__((aligned(16))) material {
    vec colour;
    int32_t kind;
    vec emission;
    float roughness; /* of metal: 0 is a mirror; of glass: its index of refraction */
} material;

/* How an object moves: to and fro, by reach at most; speed is in radians a second. */
typedef struct motion {
    vec reach;
    float speed;
} motion;

/* One triangle that emits light; share: the area of those up to it, of all of them. */
typedef struct light {
    int32_t triangle;
    float share;
} light;

typedef struct settings {
    vec eye, right, up, forward; /* right and up reach to the edges of the picture, at the distance of forward's tip */
    vec zenith, horizon, glow, glow_direction;
    float exposure; /* of the mean */
    float lens; /* radius; 0: everything is sharp */
    float light_area;
    int32_t width, height;
    int32_t triangle_count, light_count;
    int32_t bounces;
    int32_t light_sampling; /* 0: light is found by chance alone */
    int32_t hides_lights;   /* 1: the camera does not see lamps */
} settings;

/* What changes from frame to frame and from sample to sample. The device has it, since a recording keeps the values
 * that it was made with. */
typedef struct moment {
    float time; /* seconds */
    uint32_t seed;
    int32_t sample;
} moment;

/* What a kernel or the host reads of a scene. moved has the triangles in the order of the scene. */
typedef struct scene_view {
    settings set;
    __global const surface *surfaces;
    __global const triangle *moved;
    __global const material *materials;
    __global const light *lights;
} scene_view;

typedef struct path {
    vec origin;
    uint32_t pixel;
    vec direction;
    int32_t sees_lights; /* 1: the last bounce has not looked for lights itself */
    vec weight;
    int32_t alive;
} path;

typedef struct __attribute__((aligned(16))) hit {
    float distance, u, v;
    int32_t triangle;
} hit;

/* What the steps of wavefront.cl keep of paths and shadow rays: arrays of such parts. */
typedef struct __attribute__((aligned(16))) quad {
    vec v;
    float number;
} quad;

/* Light that reaches a pixel unless something is in between. */
typedef struct shadow_ray {
    vec origin;
    float distance;
    vec direction;
    uint32_t pixel;
    vec light;
    int32_t wanted;
} shadow_ray;

/* What a bounce makes of a path. */
typedef struct bounce {
    path next;
    vec light; /* that the path has met */
    shadow_ray shadow;
} bounce;

/* ---- vectors -------------------------------------------------------------------------------------------- */

static inline vec vec_scale(const vec p, const float by)
{
    return vec_make(p.x * by, p.y * by, p.z * by);
}

static inline vec vec_multiply(const vec p, const vec q)
{
    return vec_make(p.x * q.x, p.y * q.y, p.z * q.z);
}

static inline vec vec_along(const vec p, const vec direction, const float distance)
{
    return vec_make(p.x + direction.x * distance, p.y + direction.y * distance, p.z + direction.z * distance);
}

static inline float vec_dot(const vec p, const vec q)
{
    return p.x * q.x + p.y * q.y + p.z * q.z;
}

static inline vec vec_cross(const vec p, const vec q)
{
    return vec_make(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x);
}

static inline vec vec_unit(const vec p)
{
    const float square = vec_dot(p, p);
    return vec_scale(p, square > 0.0f ? 1.0f / sqrtf(square) : 0.0f);
}

static inline float vec_most(const vec p)
{
    return fmaxf(p.x, fmaxf(p.y, p.z));
}

static inline vec vec_mix(const vec p, const vec q, const float part)
{
    return vec_add(vec_scale(p, 1.0f - part), vec_scale(q, part));
}

/* ---- random numbers by counter ------------------------------------------------------------------------------- */

/* The finaliser of MurmurHash3 (A. Appleby). */
static inline uint32_t mix_bits(const uint32_t number)
{
    uint32_t x = number;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* What numbers of one pixel and sample depend on. */
static inline uint32_t random_key(const moment now, const uint32_t pixel)
{
    return mix_bits(pixel + 0x9e3779b9u * mix_bits((uint32_t)now.sample + 0x7f4a7c15u * mix_bits(now.seed + 1u)));
}

/* Number index of them, from 0 to below 1. */
static inline float random_number(const uint32_t key, const uint32_t index)
{
    return (float)(mix_bits(key ^ mix_bits(index * 0x9e3779b9u + 0x51ed270bu)) >> 8) * (1.0f / 16777216.0f);
}

/* ---- rays ---------------------------------------------------------------------------------------------------- */

static inline path camera_path(const settings set, const uint32_t pixel, const uint32_t key)
{
    path made;
    const float column = (float)(pixel % (uint32_t)set.width) + random_number(key, 0u);
    const float row = (float)(pixel / (uint32_t)set.width) + random_number(key, 1u);
    const float x = 2.0f * column / (float)set.width - 1.0f, y = 1.0f - 2.0f * row / (float)set.height;
    const vec aim = vec_add(set.forward, vec_add(vec_scale(set.right, x), vec_scale(set.up, y)));
    const float radius = set.lens * sqrtf(random_number(key, 2u)), angle = 2.0f * PI * random_number(key, 3u);
    const vec aside = vec_add(vec_scale(vec_unit(set.right), radius * cosf(angle)),
                              vec_scale(vec_unit(set.up), radius * sinf(angle)));
    made.origin = vec_add(set.eye, aside);
    made.pixel = pixel;
    made.direction = vec_unit(vec_subtract(aim, aside));
    made.sees_lights = !set.hides_lights;
    made.weight = vec_make(1.0f, 1.0f, 1.0f);
    made.alive = 1;
    return made;
}

static inline hit no_hit(const float distance)
{
    hit made;
    made.distance = distance;
    made.u = made.v = 0.0f;
    made.triangle = NO_TRIANGLE;
    return made;
}

/* Where a ray meets a triangle nearer than best; best where it does not. T. Moeller, B. Trumbore (1997). */
static inline hit triangle_hit(const triangle t, const vec origin, const vec direction, const hit best)
{
    hit found;
    const vec across = vec_cross(direction, t.edge2);
    const float volume = vec_dot(t.edge1, across);
    if (volume == 0.0f) return best;
    const float inverse = 1.0f / volume;
    const vec from = vec_subtract(origin, t.corner);
    const vec other = vec_cross(from, t.edge1);
    found.u = vec_dot(from, across) * inverse;
    found.v = vec_dot(direction, other) * inverse;
    found.distance = vec_dot(t.edge2, other) * inverse;
    found.triangle = t.number;
    if (found.u < 0.0f || found.v < 0.0f || found.u + found.v > 1.0f) return best;
    return found.distance > 0.0f && found.distance < best.distance ? found : best;
}

static inline triangle triangle_at(const surface s, const motion m, const int32_t number, const float time)
{
    triangle made;
    const vec shift = vec_scale(m.reach, sinf(m.speed * time));
    made.corner = vec_add(s.corner[0], shift);
    made.edge1 = vec_subtract(s.corner[1], s.corner[0]);
    made.edge2 = vec_subtract(s.corner[2], s.corner[0]);
    made.number = number;
    made.object = s.object;
    made.material = s.material;
    return made;
}

/* ---- light --------------------------------------------------------------------------------------------------- */

static inline vec sky_light(const settings set, const vec direction)
{
    const float height = fmaxf(direction.y, 0.0f), near_glow = fmaxf(vec_dot(direction, set.glow_direction), 0.0f);
    const vec gradient = vec_mix(set.horizon, set.zenith, sqrtf(height));
    return vec_add(gradient, vec_scale(set.glow, powf(near_glow, 24.0f)));
}

static inline int material_kind(const scene_view scene, const hit h)
{
    return h.triangle < 0 ? SKY : scene.materials[scene.moved[h.triangle].material].kind;
}

/* The first light whose share is above a number; a binary search. */
static inline int light_index(const scene_view scene, const float number)
{
    int begin = 0, end = scene.set.light_count - 1;
    while (begin < end) {
        const int middle = (begin + end) / 2;
        if (scene.lights[middle].share > number)
            end = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

/* The way from a diffuse point to a random point of a light. reflected: what share of light the point gives on, for
 * each colour. Lights shine to both sides. */
static inline shadow_ray light_ray(const scene_view scene, const vec from, const vec normal, const vec reflected,
                                   const uint32_t pixel, const uint32_t key, const uint32_t first_number)
{
    shadow_ray made;
    const int chosen = light_index(scene, random_number(key, first_number));
    const triangle t = scene.moved[scene.lights[chosen].triangle];
    const float root = sqrtf(random_number(key, first_number + 1u)), part = random_number(key, first_number + 2u);
    const vec to = vec_along(vec_along(t.corner, t.edge1, 1.0f - root), t.edge2, root * part);
    const vec way = vec_subtract(to, from);
    const float square = fmaxf(vec_dot(way, way), 1e-8f), distance = sqrtf(square);
    const float of_light = fabsf(vec_dot(vec_unit(vec_cross(t.edge1, t.edge2)), way)) / distance;
    made.origin = from;
    made.direction = vec_scale(way, 1.0f / distance);
    made.distance = distance * 0.9995f;
    made.pixel = pixel;
    const float cosine = vec_dot(normal, made.direction);
    made.wanted = cosine > 0.0f && of_light > 0.0f;
    made.light = vec_scale(vec_multiply(reflected, scene.materials[t.material].emission),
                           cosine * of_light / square * scene.set.light_area * (1.0f / PI));
    return made;
}

/* ---- materials ----------------------------------------------------------------------------------------------- */

/* A direction round an axis, by the cosine to it. */
static inline vec cosine_direction(const vec axis, const float first, const float second)
{
    const float angle = 2.0f * PI * first, height = 1.0f - 2.0f * second;
    const float radius = sqrtf(fmaxf(0.0f, 1.0f - height * height));
    const vec on_sphere = vec_make(radius * cosf(angle), radius * sinf(angle), height);
    const vec sum = vec_add(axis, on_sphere);
    return vec_dot(sum, sum) > 1e-8f ? vec_unit(sum) : axis;
}

static inline vec mirrored(const vec direction, const vec normal)
{
    return vec_along(direction, normal, -2.0f * vec_dot(direction, normal));
}

static inline vec metal_direction(const material m, const vec direction, const vec normal, const vec face,
                                  const float first, const float second)
{
    const vec straight = mirrored(direction, normal);
    const vec rough = vec_unit(vec_along(straight, cosine_direction(straight, first, second), m.roughness));
    return vec_dot(rough, face) > 0.0f ? rough : mirrored(direction, face);
}

/* Mirrored or refracted, by chance as Fresnel's share says (C. Schlick, 1994). */
static inline vec glass_direction(const material m, const vec direction, const vec normal, const int enters,
                                  const float number)
{
    const float ratio = enters ? 1.0f / m.roughness : m.roughness, cosine = fminf(-vec_dot(direction, normal), 1.0f);
    const float rest = 1.0f - ratio * ratio * (1.0f - cosine * cosine);
    if (rest <= 0.0f) return vec_unit(mirrored(direction, normal));
    const float straight = (1.0f - m.roughness) / (1.0f + m.roughness), least = straight * straight;
    const float slope = 1.0f - (enters ? cosine : sqrtf(rest));
    const float share = least + (1.0f - least) * slope * slope * slope * slope * slope;
    if (number < share) return vec_unit(mirrored(direction, normal));
    return vec_unit(vec_add(vec_scale(direction, ratio), vec_scale(normal, ratio * cosine - sqrtf(rest))));
}

/* The normal that the corners' normals give, on the side that the ray comes from, where face is. */
static inline vec smooth_normal(const surface s, const hit h, const vec face, const vec direction)
{
    const vec sum = vec_add(vec_scale(s.normal[0], 1.0f - h.u - h.v),
                            vec_add(vec_scale(s.normal[1], h.u), vec_scale(s.normal[2], h.v)));
    const vec unit = vec_unit(sum), normal = vec_dot(unit, face) < 0.0f ? vec_scale(unit, -1.0f) : unit;
    return vec_dot(normal, direction) < 0.0f ? normal : face;
}

/* Paths that are dim end by chance; the others carry their light too. */
static inline path roulette(const path p, const int depth, const float number)
{
    path next = p;
    const float stays = fminf(vec_most(p.weight), 0.95f);
    if (depth < ROULETTE_BOUNCE) return next;
    next.alive = p.alive && number < stays;
    next.weight = vec_scale(p.weight, 1.0f / fmaxf(stays, 1e-6f));
    return next;
}

/* Where a path meets a surface. */
typedef struct meeting {
    vec at, normal, face; /* both on the side that the path comes from; face is the triangle's own */
    int enters;           /* 1: from the outside */
    float lift;           /* how far from the surface the next ray begins */
    material of;
} meeting;

static inline meeting meeting_at(const scene_view scene, const path p, const hit h)
{
    meeting made;
    const triangle t = scene.moved[h.triangle];
    const vec out = vec_unit(vec_cross(t.edge1, t.edge2));
    made.enters = vec_dot(out, p.direction) < 0.0f;
    made.face = made.enters ? out : vec_scale(out, -1.0f);
    made.normal = smooth_normal(scene.surfaces[h.triangle], h, made.face, p.direction);
    made.at = vec_along(p.origin, p.direction, h.distance);
    made.lift = 1e-4f * (1.0f + h.distance);
    made.of = scene.materials[t.material];
    return made;
}

/* How a path goes on from a surface. */
static inline path scattered(const meeting m, const path p, const float first, const float second)
{
    path next = p;
    next.weight = vec_multiply(p.weight, m.of.colour);
    next.sees_lights = 1;
    if (m.of.kind == METAL)
        next.direction = metal_direction(m.of, p.direction, m.normal, m.face, first, second);
    else if (m.of.kind == GLASS)
        next.direction = glass_direction(m.of, p.direction, m.normal, m.enters, first);
    else
        next.direction = cosine_direction(m.normal, first, second);
    const int stays_outside = vec_dot(next.direction, m.face) > 0.0f;
    next.origin = vec_along(m.at, m.face, stays_outside ? m.lift : -m.lift);
    next.alive = m.of.kind == GLASS || stays_outside;
    return next;
}

/* A path that has met h, or nothing. depth: how often it has bounced before. */
static inline bounce shade(const scene_view scene, const path p, const hit h, const uint32_t key, const int depth)
{
    const uint32_t numbers = ((uint32_t)depth + 1u) * NUMBERS_A_BOUNCE;
    bounce made;
    made.next = p;
    made.next.alive = 0;
    made.light = vec_make(0.0f, 0.0f, 0.0f);
    made.shadow.wanted = 0;
    if (h.triangle < 0) {
        made.light = vec_multiply(p.weight, sky_light(scene.set, p.direction));
        return made;
    }
    const meeting m = meeting_at(scene, p, h);
    if (m.of.kind == EMISSIVE) {
        if (p.sees_lights) made.light = vec_multiply(p.weight, m.of.emission);
        return made;
    }
    if (depth + 1 >= scene.set.bounces) return made;
    path next = scattered(m, p, random_number(key, numbers), random_number(key, numbers + 1u));
    if (m.of.kind == DIFFUSE && scene.set.light_sampling && scene.set.light_count > 0) {
        next.sees_lights = 0;
        made.shadow = light_ray(scene, vec_along(m.at, m.face, m.lift), m.normal, next.weight, p.pixel, key,
                                numbers + 2u);
        made.shadow.wanted = made.shadow.wanted && vec_dot(made.shadow.direction, m.face) > 0.0f;
    }
    made.next = roulette(next, depth, random_number(key, numbers + 5u));
    return made;
}
