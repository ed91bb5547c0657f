/* frame.c: the order of a frame's launches and calls. No number comes back to the host: counts stay on the device,
 * where the next call and the next launch find them. */
#include "frame.h"

#include "geometry.cl.h"
#include "types.h"

#define SCENE(of)                                                                                                      \
    VALUE((of)->set), BUFFER((of)->tree.surfaces), BUFFER((of)->tree.moved), BUFFER((of)->materials),                  \
        BUFFER((of)->lights)
#define TREE(of) BUFFER((of)->tree.nodes), BUFFER((of)->tree.sorted)

enum {
    QUADS = 3,               /* of a path, and of a shadow ray */
    ITEMS_AT_LEAST = 1 << 19 /* more than a GPU has in flight */
};

static int64_t pixels_of(const frame *of)
{
    return (int64_t)of->set.width * of->set.height;
}

/* ---- calls of the library ------------------------------------------------------------------------------------- */

/* Pixels whose paths have met the same kind of material come to stand together, and those whose paths had ended before
 * at the end. The offsets of the buckets tell the next steps how many there are. Keys need not move along. */
static int split_by_material(const frame *of, int depth)
{
    static const mcl_op kind = { .role = MCL_ROLE_INDEX, .expression = "x" };
    const int64_t row = (int64_t)depth * STARTS;
    const mcl_input keys = mcl_from_buffer(MCL_UINT8, of->keys.view, 0, pixels_of(of));
    const mcl_output nothing = { 0 };
    mcl_options options = { 0 };
    return device_called(
        of->on, mcl_multisplit_pairs(device_calls(of->on), mcl_with_count(keys, of->starts.view, row + EMISSIVE),
                                     mcl_from_buffer(MCL_INT32, of->lists[depth % 2].view, 0, pixels_of(of)), nothing,
                                     mcl_to_buffer(MCL_INT32, of->lists[1 - depth % 2].view, 0, pixels_of(of)), &kind,
                                     BUCKETS, mcl_to_buffer(MCL_INT64, of->starts.view, row + STARTS, STARTS), nothing,
                                     device_options(of->on, &options)));
}

static int sum_logarithms(const frame *of, int samples)
{
    const float scale = 1.0f / (float)samples;
    const mcl_binding bindings[] = { mcl_binding_buffer("sums", &vec_type, of->sums.view, 0),
                                     mcl_binding_value("scale", MCL_FLOAT, &scale) };
    mcl_options options = { 0 };
    return device_called(
        of->on, mcl_reduce(device_calls(of->on),
                           mcl_from_expression(MCL_FLOAT,
                                               "log(1e-3f + scale * (0.21f * sums[i].x + 0.72f * sums[i].y + "
                                               "0.07f * sums[i].z))",
                                               NULL, bindings, 2, pixels_of(of)),
                           MCL_ADD, mcl_to_slot(MCL_FLOAT, of->log_sum.view, 0), device_options(of->on, &options)));
}

/* ---- a frame -------------------------------------------------------------------------------------------------- */

static int build_tree(const frame *of)
{
    return lbvh_build(&of->tree, of->on, &of->now);
}

int frame_begin(const frame *of, int number, float time)
{
    const uint32_t seed = (uint32_t)number;
    of->on->now = PART_BUILD;
    if (LAUNCH(of->on, begin_frame, 1, BUFFER(of->now), VALUE(time), VALUE(seed))) return -1;
    return of->replays ? device_replay(of->on, of->build) : build_tree(of);
}

/* Work-items of a bounce's steps. They go through all rays that there are, but with a ray each the device itself deals
 * them out, and long rays do not hold up others. So there are as many as rays may be left in a scene with a sky. */
static int64_t items_of(const frame *of, int depth)
{
    const int64_t pixels = pixels_of(of), halved = pixels >> depth / 2;
    const int64_t least = pixels < ITEMS_AT_LEAST ? pixels : ITEMS_AT_LEAST;
    if (of->items_at_once > 0) return of->items_at_once;
    return halved > least ? halved : least;
}

static int bounce_paths(const frame *of, int depth)
{
    device *const on = of->on;
    const int64_t items = items_of(of, depth);
    return LAUNCH(on, trace_rays, items, SCENE(of), TREE(of), BUFFER(of->paths), BUFFER(of->shadows),
                  BUFFER(of->lists[depth % 2]), BUFFER(of->starts), VALUE(depth), BUFFER(of->hits), BUFFER(of->keys),
                  BUFFER(of->sums)) ||
                   split_by_material(of, depth) ||
                   LAUNCH(on, shade_paths, items, SCENE(of), BUFFER(of->now), VALUE(depth),
                          BUFFER(of->lists[1 - depth % 2]), BUFFER(of->starts), BUFFER(of->hits), BUFFER(of->paths),
                          BUFFER(of->shadows), BUFFER(of->sums), BUFFER(of->pixel_rays))
               ? -1
               : 0;
}

static int sample_paths(const frame *of)
{
    if (LAUNCH(of->on, next_sample, 1, BUFFER(of->now))) return -1;
    if (of->has_megakernel)
        return LAUNCH(of->on, whole_paths, pixels_of(of), SCENE(of), BUFFER(of->now), TREE(of), BUFFER(of->sums),
                      BUFFER(of->pixel_rays));
    int failed = LAUNCH(of->on, begin_paths, pixels_of(of), VALUE(of->set), BUFFER(of->now), BUFFER(of->paths),
                        BUFFER(of->lists[0]), BUFFER(of->starts), BUFFER(of->sums));
    for (int depth = 0; depth < of->set.bounces && !failed; ++depth) failed = bounce_paths(of, depth);
    return failed;
}

int frame_sample(const frame *of)
{
    of->on->now = PART_PATHS;
    return of->replays ? device_replay(of->on, of->sample) : sample_paths(of);
}

int frame_end(const frame *of, int samples)
{
    return sum_logarithms(of, samples) || LAUNCH(of->on, develop, pixels_of(of), VALUE(of->set), VALUE(samples),
                                                 BUFFER(of->log_sum), BUFFER(of->sums), BUFFER(of->picture))
               ? -1
               : 0;
}

/* ---- opening -------------------------------------------------------------------------------------------------- */

static int clear(const frame *of, const memory *cleared, size_t bytes)
{
    const uint32_t zero = 0;
    return device_called(of->on, mcl_buffer_fill(of->on->queue, cleared->view, 0, bytes, &zero, sizeof zero));
}

static int make_memory(frame *of, const scene *in)
{
    const size_t n = (size_t)pixels_of(of), starts = ((size_t)of->set.bounces + 1) * STARTS;
    const struct {
        memory *made;
        size_t bytes;
        const void *data;
    } all[] = {
        { &of->materials, (size_t)in->material_count * sizeof(material), in->materials },
        { &of->lights, ((size_t)in->set.light_count + 1) * sizeof(light), in->lights },
        { &of->now, sizeof(moment), NULL },
        { &of->paths, n * QUADS * sizeof(quad), NULL },
        { &of->shadows, n * QUADS * sizeof(quad), NULL },
        { &of->hits, n * sizeof(hit), NULL },
        { &of->lists[0], n * sizeof(int32_t), NULL },
        { &of->lists[1], n * sizeof(int32_t), NULL },
        { &of->keys, n, NULL },
        { &of->starts, starts * sizeof(int64_t), NULL },
        { &of->sums, n * sizeof(vec), NULL },
        { &of->log_sum, sizeof(float), NULL },
        { &of->picture, n * sizeof(uint32_t), NULL },
        { &of->pixel_rays, n * sizeof(uint32_t), NULL },
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        if (device_memory(of->on, all[k].bytes, all[k].data, all[k].made)) return -1;
    return clear(of, &of->pixel_rays, n * sizeof(uint32_t)) || clear(of, &of->starts, starts * sizeof(int64_t)) ? -1
                                                                                                                : 0;
}

/* Goes through a frame on the queue that runs nothing, so that no later frame compiles or allocates. */
static int prepare(frame *of)
{
    of->on->is_preparing = 1;
    const int failed = frame_begin(of, 0, 0) || frame_sample(of) || frame_end(of, 1);
    of->on->is_preparing = 0;
    return failed || device_called(of->on, mcl_queue_reserve(of->on->queue, of->on->scratch_bytes)) ||
                   device_finish(of->on)
               ? -1
               : 0;
}

int frame_open(frame *opened, device *on, const scene *of, int has_megakernel)
{
    *opened = (frame){ .on = on, .set = of->set, .has_megakernel = has_megakernel };
    if (lbvh_open(&opened->tree, on, of->surfaces, of->count, of->motions, OBJECTS_MAX) || make_memory(opened, of) ||
        prepare(opened)) {
        frame_close(opened);
        return -1;
    }
    return 0;
}

static int record(const frame *of, int (*enqueue)(const frame *of), mcl_recording **made)
{
    if (device_record(of->on)) return -1;
    const int failed = enqueue(of);
    return device_recorded(of->on, made) || failed ? -1 : 0;
}

int frame_record(frame *of)
{
    if (record(of, build_tree, &of->build) || record(of, sample_paths, &of->sample)) return -1;
    of->replays = 1;
    return 0;
}

void frame_close(frame *closed)
{
    mcl_recording_release(closed->build);
    mcl_recording_release(closed->sample);
    memory *const all[] = { &closed->materials, &closed->lights,   &closed->paths,   &closed->shadows,   &closed->hits,
                            &closed->lists[0],  &closed->lists[1], &closed->keys,    &closed->starts,    &closed->sums,
                            &closed->log_sum,   &closed->now,      &closed->picture, &closed->pixel_rays };
    lbvh_close(&closed->tree);
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) device_memory_release(all[k]);
}

/* ---- results -------------------------------------------------------------------------------------------------- */

int frame_picture(const frame *of, uint32_t *picture)
{
    return device_read(of->on, &of->picture, (size_t)pixels_of(of) * sizeof *picture, picture);
}

int frame_sums(const frame *of, vec *sums)
{
    return device_read(of->on, &of->sums, (size_t)pixels_of(of) * sizeof *sums, sums);
}

int frame_rays(const frame *of, int64_t *rays)
{
    const mcl_op sum = {
        .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_INT64, .commutative = 1
    };
    return device_called(of->on,
                         mcl_reduce(of->on->queue, mcl_from_buffer(MCL_UINT32, of->pixel_rays.view, 0, pixels_of(of)),
                                    &sum, mcl_to_host(MCL_INT64, rays), NULL));
}

int frame_first_hits(const frame *of, hit *hits)
{
    if (LAUNCH(of->on, next_sample, 1, BUFFER(of->now)) ||
        LAUNCH(of->on, first_hits, pixels_of(of), VALUE(of->set), BUFFER(of->now), TREE(of), BUFFER(of->hits)))
        return -1;
    return device_read(of->on, &of->hits, (size_t)pixels_of(of) * sizeof *hits, hits);
}
