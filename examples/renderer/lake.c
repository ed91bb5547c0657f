/* lake.c: the built-in scene: spheres on the shore of a lake at dusk, firs, and mountains on the other side. */
#include "shapes.h"

enum { REST, GLASS_BALL, LANTERN, OBJECTS };
enum { SHADES = 3, SIDES = 7, TREES = 90, TREE_TRIANGLES = 3 * SIDES, BALLS = 7, LANTERN_ROWS = 8 };

/* The numbers of materials; those of the ground in shades from the first on. */
typedef struct looks {
    int grass, rock, snow, sand, fir, water, gold, glass, coral, teal, cream, violet, lantern;
} looks;

static float step_up(float low, float high, float x)
{
    const float part = fminf(fmaxf((x - low) / (high - low), 0), 1);
    return part * part * (3 - 2 * part);
}

/* The ground: a flat shore at the origin, a basin after it (z below -5), mountains after that. */
static float ground_height(float x, float z)
{
    const float far = step_up(-16, -44, z), aside = step_up(5, 20, fabsf(x + 0.1f * z));
    const float rough = smooth_noise(x * 0.21f + 9, z * 0.21f) + 0.5f * smooth_noise(x * 0.47f, z * 0.47f + 3) +
                        0.22f * smooth_noise(x * 1.3f, z * 1.3f);
    const float peaks = 1 - fabsf(smooth_noise(x * 0.055f + 2.7f, z * 0.055f + 1.3f));
    const float basin = step_up(-2.6f, -5.6f, z) * (1 - far) * (1 - 0.75f * aside);
    const float shore = 0.27f + 0.04f * smooth_noise(x * 1.7f, z * 1.7f);
    const float hills = shore + aside * (1.6f + 1.2f * rough) - 1.5f * basin;
    return hills + far * (10.5f * peaks * peaks + 1.5f * rough);
}

static vec ground_point(int column, int columns, int row, int rows)
{
    const float depth = (float)row / (float)rows, away = powf(depth, 1.7f);
    const float jitter = 0.6f * (random_at(column + 1000, row) - 0.5f);
    const float across = 2 * ((float)column + (row > 0 ? jitter : 0)) / (float)columns - 1;
    const float x = across * (7 + 52 * away), z = 9 - 75 * away;
    return vec_make(x, ground_height(x, z), z);
}

static int ground_look(const looks *of, const vec *corners, int shade)
{
    const vec n = vec_unit(vec_cross(vec_subtract(corners[1], corners[0]), vec_subtract(corners[2], corners[0])));
    const float height = (corners[0].y + corners[1].y + corners[2].y) / 3;
    if (height < 0.14f) return of->sand + shade;
    if (height > 6.2f && n.y > 0.45f) return of->snow + shade;
    return n.y < 0.72f || height > 5.5f ? of->rock + shade : of->grass + shade;
}

static int add_ground(scene *to, const looks *of, int columns, int rows)
{
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const vec near_left = ground_point(column, columns, row, rows);
            const vec near_right = ground_point(column + 1, columns, row, rows);
            const vec far_left = ground_point(column, columns, row + 1, rows);
            const vec far_right = ground_point(column + 1, columns, row + 1, rows);
            const vec first[3] = { near_left, near_right, far_right }, second[3] = { near_left, far_right, far_left };
            const int shade = (int)(random_at(column + 7, row + 5) * SHADES);
            if (scene_add(to, first, NULL, ground_look(of, first, shade), REST) ||
                scene_add(to, second, NULL,
                          ground_look(of, second, (shade + (int)(random_at(column, row) * 2)) % SHADES), REST))
                return -1;
        }
    return 0;
}

static int add_tree(scene *to, const looks *of, vec foot, float size, int shade)
{
    const look as = { of->fir + shade, REST };
    for (int k = 0; k < 3; ++k) {
        const float low = size * (0.25f + 0.55f * (float)k), radius = size * (0.62f - 0.15f * (float)k);
        if (add_cone(to, vec_add(foot, vec_make(0, low, 0)), radius, size * 1.05f, SIDES, as)) return -1;
    }
    return 0;
}

/* Firs where hash numbers put them, on ground that is dry and not too high, and not among the balls. */
static int add_trees(scene *to, const looks *of)
{
    int found = 0;
    for (int k = 0; k < 40 * TREES && found < TREES; ++k) {
        const float away = random_at(k, 101), z = 1 - 34 * away, x = (2 * random_at(k, 102) - 1) * (9 + 30 * away);
        const float height = ground_height(x, z), dense = smooth_noise(x * 0.3f, z * 0.3f);
        if (height < 0.4f || height > 4.5f || dense < -0.25f || (fabsf(x) < 5.5f && z > -6)) continue;
        const float size = 0.75f + 0.75f * random_at(k, 103);
        if (add_tree(to, of, vec_make(x, height - 0.1f, z), size, (int)(random_at(k, 104) * SHADES))) return -1;
        ++found;
    }
    return 0;
}

static int add_balls(scene *to, const looks *of, int rows)
{
    const struct {
        float x, z, radius;
        int material, object;
    } balls[BALLS] = {
        { 1.75f, -0.9f, 1.05f, of->gold, REST },   { -0.15f, 0.75f, 0.8f, of->glass, GLASS_BALL },
        { -2.2f, -0.7f, 0.75f, of->coral, REST },  { -1.75f, 1.75f, 0.36f, of->teal, REST },
        { 1.15f, 2.05f, 0.3f, of->cream, REST },   { 2.55f, 1.35f, 0.45f, of->violet, REST },
        { -3.65f, 0.55f, 0.42f, of->cream, REST },
    };
    const vec lantern = { -0.95f, 2.75f, 0.9f };
    for (int k = 0; k < BALLS; ++k) {
        const float height = ground_height(balls[k].x, balls[k].z) + balls[k].radius - 0.03f;
        const look as = { balls[k].material, balls[k].object };
        if (add_sphere(to, vec_make(balls[k].x, height, balls[k].z), balls[k].radius, rows, as)) return -1;
    }
    return add_sphere(to, lantern, 0.36f, LANTERN_ROWS, (look){ of->lantern, LANTERN });
}

static int add_water(scene *to, const looks *of)
{
    const vec corners[4] = { { -60, 0, 0 }, { 60, 0, 0 }, { 60, 0, -66 }, { -60, 0, -66 } };
    return add_quad(to, corners, (look){ of->water, REST });
}

/* A material in three shades; the number of the first. */
static int shades(scene *of, float red, float green, float blue)
{
    const vec none = { 0, 0, 0 };
    int first = -1;
    for (int k = SHADES - 1; k >= 0; --k) {
        const int made =
            scene_material(of, vec_scale(vec_make(red, green, blue), 1 - 0.14f * (float)k), DIFFUSE, none, 0);
        if (made < 0) return -1;
        if (first < 0) first = made;
    }
    return first;
}

static looks make_looks(scene *of)
{
    const vec none = { 0, 0, 0 };
    looks made;
    made.grass = shades(of, 0.24f, 0.4f, 0.13f);
    made.rock = shades(of, 0.36f, 0.32f, 0.32f);
    made.snow = shades(of, 0.88f, 0.9f, 0.95f);
    made.sand = shades(of, 0.62f, 0.5f, 0.34f);
    made.fir = shades(of, 0.1f, 0.27f, 0.15f);
    made.water = scene_material(of, vec_make(0.5f, 0.62f, 0.68f), METAL, none, 0.012f);
    made.gold = scene_material(of, vec_make(0.98f, 0.72f, 0.33f), METAL, none, 0.04f);
    made.glass = scene_material(of, vec_make(0.97f, 0.99f, 0.98f), GLASS, none, 1.5f);
    made.coral = scene_material(of, vec_make(0.85f, 0.22f, 0.16f), DIFFUSE, none, 0);
    made.teal = scene_material(of, vec_make(0.08f, 0.5f, 0.52f), DIFFUSE, none, 0);
    made.cream = scene_material(of, vec_make(0.86f, 0.8f, 0.68f), DIFFUSE, none, 0);
    made.violet = scene_material(of, vec_make(0.4f, 0.22f, 0.6f), DIFFUSE, none, 0);
    made.lantern = scene_material(of, none, EMISSIVE, vec_make(21, 13.5f, 7), 0);
    return made;
}

int scene_make(scene *made, int32_t triangles)
{
    *made = (scene){ 0 };
    const looks of = make_looks(made);
    if (made->material_count != 5 * SHADES + 8) return -1;
    /* balls get two fifths of the triangles, the ground what is left */
    const int rows = (int)fmaxf(8, sqrtf((float)triangles * 0.4f / (4 * BALLS)));
    const int others = BALLS * sphere_triangles(rows) + sphere_triangles(LANTERN_ROWS) + TREES * TREE_TRIANGLES + 2;
    const int left = triangles > others + 800 ? triangles - others : 800;
    const int columns = (int)sqrtf((float)left * 0.5f);
    made->motions[GLASS_BALL] = (motion){ .reach = vec_make(0, 0.6f, 0), .speed = 1.5f };
    made->motions[LANTERN] = (motion){ .reach = vec_make(1.6f, 0.2f, 0.5f), .speed = 1 };
    made->set.zenith = vec_make(0.018f, 0.045f, 0.15f);
    made->set.horizon = vec_make(0.3f, 0.13f, 0.1f);
    made->set.glow = vec_make(1.5f, 0.62f, 0.16f);
    made->set.glow_direction = vec_unit(vec_make(-0.42f, 0.16f, -0.9f));
    made->set.lens = 0.02f;
    made->set.exposure = 0.16f;
    scene_camera(made, vec_make(0.25f, 2.3f, 8.3f), vec_make(0.05f, 1.42f, 0), 0.36f);
    return add_ground(made, &of, columns, left / 2 / columns) || add_water(made, &of) || add_trees(made, &of) ||
           add_balls(made, &of, rows) || scene_finish(made);
}
