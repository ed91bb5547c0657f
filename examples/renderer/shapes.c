/* shapes.c: spheres, cones, quads and noise. */
#include "shapes.h"

int add_quad(scene *to, const vec *corners, look as)
{
    const vec second[3] = { corners[0], corners[2], corners[3] };
    return scene_add(to, corners, NULL, as.material, as.object) || scene_add(to, second, NULL, as.material, as.object);
}

static vec on_sphere(int row, int rows, int column)
{
    const float tilt = PI * (float)row / (float)rows, turn = PI * (float)column / (float)rows;
    return vec_make(sinf(tilt) * cosf(turn), cosf(tilt), sinf(tilt) * sinf(turn));
}

int sphere_triangles(int rows)
{
    return 4 * rows * (rows - 1);
}

int add_sphere(scene *to, vec middle, float radius, int rows, look as)
{
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < 2 * rows; ++column) {
            const vec n[4] = { on_sphere(row, rows, column), on_sphere(row, rows, column + 1),
                               on_sphere(row + 1, rows, column + 1), on_sphere(row + 1, rows, column) };
            vec p[4];
            for (int k = 0; k < 4; ++k) p[k] = vec_along(middle, n[k], radius);
            const vec first[3] = { p[0], p[1], p[2] }, first_n[3] = { n[0], n[1], n[2] };
            const vec second[3] = { p[0], p[2], p[3] }, second_n[3] = { n[0], n[2], n[3] };
            if (row > 0 && scene_add(to, first, first_n, as.material, as.object)) return -1;
            if (row < rows - 1 && scene_add(to, second, second_n, as.material, as.object)) return -1;
        }
    return 0;
}

int add_cone(scene *to, vec middle, float radius, float height, int sides, look as)
{
    const vec top = vec_add(middle, vec_make(0, height, 0));
    for (int side = 0; side < sides; ++side) {
        const float begin = 2 * PI * (float)side / (float)sides, end = 2 * PI * (float)(side + 1) / (float)sides;
        const vec corners[3] = { vec_add(middle, vec_make(radius * cosf(begin), 0, radius * sinf(begin))), top,
                                 vec_add(middle, vec_make(radius * cosf(end), 0, radius * sinf(end))) };
        if (scene_add(to, corners, NULL, as.material, as.object)) return -1;
    }
    return 0;
}

float random_at(int x, int z)
{
    return random_number(mix_bits((uint32_t)x * 0x9e3779b9u + 17u), (uint32_t)z);
}

float smooth_noise(float x, float z)
{
    const float column = floorf(x), row = floorf(z), u = x - column, v = z - row;
    const float across = u * u * (3 - 2 * u), along = v * v * (3 - 2 * v);
    const int i = (int)column, j = (int)row;
    const float near_row = random_at(i, j) * (1 - across) + random_at(i + 1, j) * across;
    const float far_row = random_at(i, j + 1) * (1 - across) + random_at(i + 1, j + 1) * across;
    return 2 * (near_row * (1 - along) + far_row * along) - 1;
}
