/* test_bounds_selections.c: selections by orders that contradict themselves, of segments whose number a slot says.
 * Every operand ends where its memory ends. Other memory must not be read or written, and every call must end. */
#include "support/fence.h"

#include <stdio.h>
#include <string.h>

enum { SEGMENTS = 700, LENGTH = 7, KEYS = SEGMENTS * LENGTH, EACH = 3, ORDERS = 5 };
static const mcl_op orders[ORDERS] = {
    { .role = MCL_ROLE_ORDER, .expression = "1" },
    { .role = MCL_ROLE_ORDER, .expression = "0" },
    { .role = MCL_ROLE_ORDER, .expression = "p != q" },
    { .role = MCL_ROLE_ORDER, .expression = "p <= q" },
    { .role = MCL_ROLE_ORDER, .expression = "((uint32_t)p * 2654435761u ^ (uint32_t)q * 40503u) >> 9 & 1u" },
};

typedef struct selection {
    int variant, order;
    mcl_input keys, offsets, fractions, ranks;
    mcl_output narrow, wide, indices; /* outputs of int16, float and int32, with EACH elements for each segment */
} selection;
enum { VARIANTS = 7 };

static mcl_status call_selection(void *user, mcl_queue *queue, const mcl_options *options)
{
    const selection *const s = user;
    const mcl_op *const before = &orders[s->order];
    const mcl_segments segments = mcl_segments_from_offsets(s->offsets);
    const mcl_output none = { .type = NULL };
    switch (s->variant) {
    case 0:
        return mcl_segmented_quantiles(queue, s->keys, segments, s->fractions, s->narrow, before,
                                       MCL_INTERPOLATION_LOWER, options);
    case 1:
        return mcl_segmented_quantiles(queue, s->keys, segments, s->fractions, s->wide, before,
                                       MCL_INTERPOLATION_LINEAR, options);
    case 2:
        return mcl_segmented_nth_element(queue, s->keys, segments, mcl_amount_of_each(LENGTH, s->ranks), s->narrow,
                                         before, options);
    case 3:
        return mcl_segmented_top_k_indices(queue, s->keys, segments, mcl_amount_of_each(EACH, s->ranks), s->indices,
                                           none, before, options);
    case 4:
        return mcl_quantiles(queue, s->keys, s->fractions, s->wide, before, MCL_INTERPOLATION_LINEAR, options);
    case 5:
        return mcl_nth_elements(queue, s->keys, s->ranks, s->narrow, before, options);
    default:
        return mcl_top_k(queue, s->keys, mcl_amount_of(KEYS / 3), s->narrow, before, mcl_to_nowhere(), options);
    }
}

/* Makes one call. slots: index 0 has the number of offsets, index 1 the number of keys. */
static void select_one(int device, int variant, int order, const mcl_options *options, const int64_t *slots)
{
    static int16_t keys[KEYS];
    static int32_t offsets[SEGMENTS + 1], ranks[SEGMENTS];
    static const float fractions[EACH] = { 0.0f, 0.5f, 0.9f };
    enum { IN = 5, OUT = 3 };
    fence in[IN], out[OUT];
    char what[160];
    (void)snprintf(what, sizeof what, "selection %d, order %s, tile %d x %d, %lld offsets of %lld keys", variant,
                   orders[order].expression, options->tile_threads, options->tile_items, (long long)slots[0],
                   (long long)slots[1]);
    for (int k = 0; k < KEYS; k++) keys[k] = (int16_t)(k * 40503 % 701 - 300);
    for (int k = 0; k <= SEGMENTS; k++) offsets[k] = k * LENGTH;
    for (int k = 0; k < SEGMENTS; k++) ranks[k] = k % (LENGTH + 2) - 1;
    fence_create(device, sizeof keys, keys, &in[0]);
    fence_create(device, sizeof offsets, offsets, &in[1]);
    fence_create(device, sizeof fractions, fractions, &in[2]);
    fence_create(device, sizeof ranks, ranks, &in[3]);
    fence_create(device, 2 * sizeof *slots, slots, &in[4]);
    fence_create(device, sizeof(int16_t) * EACH * SEGMENTS, NULL, &out[0]);
    fence_create(device, sizeof(float) * EACH * SEGMENTS, NULL, &out[1]);
    fence_create(device, sizeof(int32_t) * EACH * SEGMENTS, NULL, &out[2]);
    const int64_t slot = (int64_t)(in[4].lead / sizeof *slots);
    selection call = {
        .variant = variant,
        .order = order,
        .keys = mcl_with_count(fence_input(&in[0], MCL_INT16, KEYS), in[4].buffer, slot + 1),
        .offsets = mcl_with_count(fence_input(&in[1], MCL_INT32, SEGMENTS + 1), in[4].buffer, slot),
        .fractions = fence_input(&in[2], MCL_FLOAT, EACH),
        .ranks = fence_input(&in[3], MCL_INT32, SEGMENTS),
        .narrow = fence_output(&out[0], MCL_INT16, (int64_t)EACH * SEGMENTS),
        .wide = fence_output(&out[1], MCL_FLOAT, (int64_t)EACH * SEGMENTS),
        .indices = fence_output(&out[2], MCL_INT32, (int64_t)EACH * SEGMENTS),
    };
    fence_run(device, call_selection, &call, options, what);
    for (int k = 0; k < IN; k++) fence_check(device, &in[k], 0, what);
    for (int k = 0; k < OUT; k++) fence_check(device, &out[k], 1, what);
    for (int k = 0; k < IN; k++) fence_free(&in[k]);
    for (int k = 0; k < OUT; k++) fence_free(&out[k]);
}

/* Makes each call by the order "1", and by another order. */
static void select_all(int device, const mcl_options *tile)
{
    static const int64_t slots[][2] = { { 2, KEYS }, { 0, KEYS }, { SEGMENTS + 1, KEYS }, { 17, 90 }, { 5, 0 } };
    const int step = test_is_full() ? 1 : test_sample_step();
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int k = 0; k < 10; k++)
            if (k % 5 == 0 || (variant + k) % step == 0)
                select_one(device, variant, k < 5 ? 0 : 1 + variant % (ORDERS - 1), tile, slots[k % 5]);
}

/* If no segment has a work-item's rank, the work-item reads no fraction. */
START_TEST(selections_stay_inside)
{
    static const mcl_options tiles[] = { { .tile_threads = 32, .tile_items = 5 },
                                         { .tile_threads = 1, .tile_items = 64 } };
    for (int k = 0; k < 2; k++) select_all(_i, &tiles[k]);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, selections_stay_inside, device);
}

int main(void)
{
    return test_main("bounds_selections", add);
}
