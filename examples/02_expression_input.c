/* 02_expression_input.c: your own type and function, written once for host and device, and an input that is nowhere
 * stored: the largest distance of points from a centre, and which point it is. */
#include <moderncl/moderncl.h>
#include <stdio.h>

/* Compiled here, and kept as the text point_source for the device. */
MCL_SOURCE(point_source,
    typedef struct point { float x; float y; } point;
    static inline float distance_squared(point p, point q)
    {
        const float dx = p.x - q.x;
        const float dy = p.y - q.y;
        return dx * dx + dy * dy;
    }
)

enum { COUNT = 1000 };

/* Four points of a spiral for each number, by integers alone so that every machine has the same. */
static point spiral(int k)
{
    const float radius = (float)(k * 37 % COUNT);
    const point places[4] = { { radius, 0 }, { 0, radius }, { -radius, 0 }, { 0, -radius } };
    return places[k % 4];
}

static mcl_status farthest(mcl_queue *queue, mcl_buffer *points, point centre, mcl_float_at *result)
{
    const mcl_type type = MCL_TYPE(point, point_source);
    const mcl_binding bindings[] = {
        mcl_binding_buffer("points", &type, points, 0),
        mcl_binding_value("centre", &type, &centre),
    };
    const mcl_input distances =
        mcl_from_expression(MCL_FLOAT, "distance_squared(points[i], centre)", point_source, bindings, 2, COUNT);
    return mcl_reduce(queue, distances, MCL_MAX_INDEX, mcl_to_host(MCL_FLOAT_AT, result), NULL);
}

int main(void)
{
    const point centre = { 3, -5 };
    point points[COUNT];
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    mcl_float_at found = { 0, 0 };

    for (int k = 0; k < COUNT; k++) points[k] = spiral(k);
    const int failed = mcl_context_create(NULL, &context) || mcl_queue_create(context, 0, &queue) ||
                       mcl_buffer_create(context, sizeof points, points, &buffer) ||
                       farthest(queue, buffer, centre, &found);
    mcl_float_at expected = { -1, 0 };
    for (int k = 0; k < COUNT; k++) {
        const float here = distance_squared(points[k], centre);
        if (here > expected.value) expected = (mcl_float_at){ here, k };
    }
    if (failed)
        fprintf(stderr, "%s\n", mcl_last_error());
    else
        printf("point %d is the farthest, its squared distance is %g (the host says %d and %g)\n", found.index,
               (double)found.value, expected.index, (double)expected.value);
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return failed || found.index != expected.index || found.value < expected.value || found.value > expected.value;
}
