/* lbvh.c: three kernels of the renderer's and four calls of the library make the tree of a frame. */
#include "lbvh.h"

#include "geometry.cl.h"
#include "shared.h"
#include "types.h"

enum { NODE_BYTES = 64, CODE_BITS = 30 };

int lbvh_open(lbvh *opened, device *on, const void *surfaces, int32_t count, const void *motions, int motion_count)
{
    const size_t n = (size_t)count;
    *opened = (lbvh){ .count = count };
    return device_memory(on, n * sizeof(surface), surfaces, &opened->surfaces) ||
                   device_memory(on, (size_t)motion_count * sizeof(motion), motions, &opened->motions) ||
                   device_memory(on, n * sizeof(triangle), NULL, &opened->moved) ||
                   device_memory(on, n * sizeof(triangle), NULL, &opened->sorted) ||
                   device_memory(on, sizeof(box), NULL, &opened->bounds) ||
                   device_memory(on, n * sizeof(uint32_t), NULL, &opened->codes[0]) ||
                   device_memory(on, n * sizeof(uint32_t), NULL, &opened->codes[1]) ||
                   device_memory(on, n * sizeof(int32_t), NULL, &opened->order) ||
                   device_memory(on, n * NODE_BYTES, NULL, &opened->nodes) ||
                   device_memory(on, 2 * n * sizeof(int32_t), NULL, &opened->parents) ||
                   device_memory(on, n * sizeof(uint32_t), NULL, &opened->arrived)
               ? -1
               : 0;
}

void lbvh_close(lbvh *closed)
{
    memory *const all[] = { &closed->surfaces, &closed->motions,  &closed->moved,    &closed->sorted,
                            &closed->bounds,   &closed->codes[0], &closed->codes[1], &closed->order,
                            &closed->nodes,    &closed->parents,  &closed->arrived };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) device_memory_release(all[k]);
}

/* ---- calls of the library ------------------------------------------------------------------------------------- */

/* The box of all triangles. */
static int find_bounds(const lbvh *tree, device *on)
{
    static const mcl_op join = { .role = MCL_ROLE_FOLD,
                                 .expression = "box_join(p, q)",
                                 .source = geometry_cl,
                                 .identity = "box_of_nothing()",
                                 .value = &box_type,
                                 .extract = "box_of_triangle(x)",
                                 .commutative = 1 };
    mcl_options options = { 0 };
    return device_called(on,
                         mcl_reduce(device_calls(on), mcl_from_buffer(&triangle_type, tree->moved.view, 0, tree->count),
                                    &join, mcl_to_slot(&box_type, tree->bounds.view, 0), device_options(on, &options)));
}

static int find_codes(const lbvh *tree, device *on)
{
    const mcl_binding bindings[] = { mcl_binding_buffer("moved", &triangle_type, tree->moved.view, 0),
                                     mcl_binding_buffer("bounds", &box_type, tree->bounds.view, 0) };
    mcl_options options = { 0 };
    return device_called(on, mcl_transform(device_calls(on),
                                           mcl_from_expression(MCL_UINT32, "morton_code(moved[i], bounds[0])",
                                                               geometry_cl, bindings, 2, tree->count),
                                           mcl_to_buffer(MCL_UINT32, tree->codes[0].view, 0, tree->count),
                                           device_options(on, &options)));
}

static int sort_codes(const lbvh *tree, device *on)
{
    const int32_t first = 0;
    mcl_options options = { .first_bit = 0, .end_bit = CODE_BITS };
    return device_called(on, mcl_sort_pairs(device_calls(on),
                                            mcl_from_buffer(MCL_UINT32, tree->codes[0].view, 0, tree->count),
                                            mcl_from_counting(MCL_INT32, &first, tree->count),
                                            mcl_to_buffer(MCL_UINT32, tree->codes[1].view, 0, tree->count),
                                            mcl_to_buffer(MCL_INT32, tree->order.view, 0, tree->count), MCL_LESS,
                                            device_options(on, &options)));
}

static int gather_triangles(const lbvh *tree, device *on)
{
    const mcl_binding bindings[] = { mcl_binding_buffer("moved", &triangle_type, tree->moved.view, 0),
                                     mcl_binding_buffer("order", MCL_INT32, tree->order.view, 0) };
    mcl_options options = { 0 };
    return device_called(
        on,
        mcl_transform(device_calls(on),
                      mcl_from_expression(&triangle_type, "moved[order[i]]", NULL, bindings, 2, tree->count),
                      mcl_to_buffer(&triangle_type, tree->sorted.view, 0, tree->count), device_options(on, &options)));
}

int lbvh_build(const lbvh *tree, device *on, const memory *now)
{
    const int32_t n = tree->count;
    on->now = PART_BUILD;
    return LAUNCH(on, move_triangles, n, BUFFER(tree->surfaces), BUFFER(tree->motions), BUFFER(tree->moved),
                  BUFFER(*now), VALUE(n)) ||
                   find_bounds(tree, on) || find_codes(tree, on) || sort_codes(tree, on) ||
                   gather_triangles(tree, on) ||
                   LAUNCH(on, build_tree, n - 1, BUFFER(tree->codes[1]), BUFFER(tree->nodes), BUFFER(tree->parents),
                          BUFFER(tree->arrived), VALUE(n)) ||
                   LAUNCH(on, fit_boxes, n, BUFFER(tree->sorted), BUFFER(tree->nodes), BUFFER(tree->parents),
                          BUFFER(tree->arrived), VALUE(n))
               ? -1
               : 0;
}
