/* test_vast_plans.c: calls of few elements and of billions, on devices that run nothing (guided/idle_device.c). The
 * devices check that each launch, copy and fill fits the device and its buffers. A preparing queue tells the scratch.
 * With it a call allocates and compiles nothing, and does the same work each time. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/devices.h"

#include "device/device.h"
#include "guided/idle_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- devices that count ----------------------------------------------------------------------------------------- */

static const mcl__backend *idle;
static mcl__backend counting;
static int builds, allocations;
static const char *looked_for; /* words that programs' texts are searched for */
static int texts_with_words;

static mcl_status build(mcl_context *context, const char *source, const char *name, mcl__text *log, void **program)
{
    builds++;
    texts_with_words += looked_for && strstr(source, looked_for);
    return idle->program_build(context, source, name, log, program);
}

static mcl_status allocate(mcl_context *context, size_t bytes, uintptr_t *block)
{
    allocations++;
    return idle->memory_allocate(context, bytes, block);
}

typedef struct world {
    mcl_context *context;
    mcl_queue *queue, *preparing;
    mcl_buffer *in, *more, *out, *out_values, *slots;
} world;

enum { VAST_BYTES_SHIFT = 35, SLOTS = 8 };

static world start(int device)
{
    world w = { 0 };
    const size_t bytes = (size_t)1 << VAST_BYTES_SHIFT;
    test_ok(idle_context(device, &w.context));
    idle = w.context->backend;
    counting = *idle;
    counting.program_build = build;
    counting.memory_allocate = allocate;
    w.context->backend = &counting;
    test_ok(mcl_queue_create(w.context, 0, &w.queue));
    test_ok(mcl_queue_create_preparing(w.context, &w.preparing));
    test_ok(mcl_buffer_create(w.context, bytes, NULL, &w.in));
    test_ok(mcl_buffer_create(w.context, bytes, NULL, &w.more));
    test_ok(mcl_buffer_create(w.context, bytes, NULL, &w.out));
    test_ok(mcl_buffer_create(w.context, bytes, NULL, &w.out_values));
    test_ok(mcl_buffer_create(w.context, SLOTS * sizeof(int64_t), NULL, &w.slots));
    return w;
}

static void stop(world *w)
{
    mcl_buffer_release(w->in);
    mcl_buffer_release(w->more);
    mcl_buffer_release(w->out);
    mcl_buffer_release(w->out_values);
    mcl_buffer_release(w->slots);
    mcl_queue_release(w->queue);
    mcl_queue_release(w->preparing);
    mcl_context_release(w->context);
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

/* The operands of a call: n elements of a type, and segments or groups of them. */
typedef struct given {
    const world *w;
    const mcl_type *type;
    int64_t n;
    int64_t parts; /* number of segments, wanted elements, bins, or keys of another side */
} given;

typedef mcl_status (*vast_call)(const given *g, mcl_queue *queue, const mcl_options *options);

static mcl_input in(const given *g)
{
    return mcl_from_buffer(g->type, g->w->in, 0, g->n);
}

static mcl_input values(const given *g)
{
    return mcl_from_buffer(MCL_INT32, g->w->more, 0, g->n);
}

static mcl_input parts(const given *g)
{
    return mcl_from_buffer(g->type, g->w->more, 0, g->parts);
}

static mcl_output out(const given *g, int64_t count)
{
    return mcl_to_buffer(g->type, g->w->out, 0, count);
}

static mcl_output out_values(const given *g, const mcl_type *type, int64_t count)
{
    return mcl_to_buffer(type, g->w->out_values, 0, count);
}

static mcl_segments rows(const given *g)
{
    return mcl_segments_from_rows(g->parts, g->n / g->parts);
}

static mcl_segments offsets(const given *g)
{
    return mcl_segments_from_offsets(mcl_from_buffer(MCL_INT64, g->w->more, 0, g->parts + 1));
}

static mcl_result slot(const given *g)
{
    return mcl_to_slot(MCL_INT64, g->w->slots, 1);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#define CALL(name) static mcl_status name(const given *g, mcl_queue *queue, const mcl_options *options)

CALL(sums)
{
    return mcl_reduce(queue, in(g), MCL_ADD, mcl_to_slot(g->type, g->w->slots, 0), options);
}
CALL(scans)
{
    return mcl_scan(queue, in(g), out(g, g->n), MCL_ADD, MCL_INCLUSIVE, mcl_to_slot(g->type, g->w->slots, 0), options);
}
CALL(sorts)
{
    return mcl_sort(queue, in(g), out(g, g->n), MCL_LESS, options);
}
CALL(sorts_in_place)
{
    return mcl_sort(queue, in(g), mcl_to_buffer(g->type, g->w->in, 0, g->n), MCL_GREATER, options);
}
CALL(sorts_pairs)
{
    return mcl_sort_pairs(queue, in(g), values(g), out(g, g->n), out_values(g, MCL_INT32, g->n), MCL_LESS, options);
}
CALL(sorts_indices)
{
    return mcl_sort_indices(queue, in(g), out_values(g, MCL_INT64, g->n), MCL_LESS, options);
}
CALL(merges_sorts)
{
    mcl_options own = options ? *options : (mcl_options){ 0 };
    own.sort_method = MCL_SORT_MERGE;
    return mcl_sort(queue, in(g), out(g, g->n), MCL_LESS, &own);
}
CALL(finds_largest)
{
    return mcl_top_k(queue, in(g), mcl_amount_of(least(g->parts, g->n)), out(g, g->n), MCL_GREATER, slot(g), options);
}
CALL(finds_largest_pairs)
{
    return mcl_top_k_pairs(queue, in(g), values(g), mcl_amount_of(least(g->parts, g->n)), out(g, g->n),
                           out_values(g, MCL_INT32, g->n), MCL_GREATER, slot(g), options);
}
CALL(finds_median)
{
    return mcl_nth_element(queue, in(g), mcl_amount_of(g->n / 2), mcl_to_slot(g->type, g->w->slots, 0), MCL_LESS,
                           options);
}
CALL(finds_largest_of_rows)
{
    return mcl_segmented_top_k(queue, in(g), rows(g), mcl_amount_of(3), out(g, 3 * g->parts), (mcl_output){ 0 },
                               MCL_GREATER, options);
}
CALL(finds_largest_of_segments)
{
    return mcl_segmented_top_k_pairs(queue, in(g), values(g), offsets(g), mcl_amount_of(100), out(g, 100 * g->parts),
                                     out_values(g, MCL_INT32, 100 * g->parts), (mcl_output){ 0 }, MCL_LESS, options);
}
CALL(finds_medians_of_rows)
{
    return mcl_segmented_nth_element(queue, in(g), rows(g), mcl_amount_of(g->n / g->parts / 2), out(g, g->parts),
                                     MCL_LESS, options);
}
CALL(sums_rows)
{
    return mcl_segmented_reduce(queue, in(g), rows(g), out(g, g->parts), MCL_ADD, mcl_to_nowhere(), options);
}
CALL(sums_segments)
{
    return mcl_segmented_reduce(queue, in(g), offsets(g), out(g, g->parts), MCL_ADD, mcl_to_nowhere(), options);
}
CALL(scans_segments)
{
    return mcl_segmented_scan(queue, in(g), offsets(g), out(g, g->n), MCL_ADD, MCL_EXCLUSIVE, options);
}
CALL(sorts_rows)
{
    return mcl_segmented_sort(queue, in(g), rows(g), out(g, g->n), MCL_LESS, MCL_UNSTABLE, NULL, options);
}
CALL(sorts_segments)
{
    return mcl_segmented_sort_pairs(queue, in(g), values(g), offsets(g), out(g, g->n), out_values(g, MCL_INT32, g->n),
                                    MCL_LESS, MCL_STABLE, NULL, options);
}
CALL(counts_bins)
{
    static const mcl_op bin = { .role = MCL_ROLE_INDEX, .expression = "(int64_t)x & 63" };
    return mcl_histogram(queue, in(g), &bin, NULL, out_values(g, MCL_INT64, g->parts), options);
}
CALL(sums_groups)
{
    const mcl_aggregate sum = { in(g), MCL_ADD, out_values(g, g->type, g->n) };
    return mcl_group_by(queue, in(g), out(g, g->n), &sum, 1, slot(g), options);
}
CALL(finds_distinct)
{
    return mcl_distinct(queue, in(g), out(g, g->n), slot(g), options);
}
CALL(merges)
{
    return mcl_merge(queue, in(g), parts(g), out(g, g->n + g->parts), MCL_LESS, options);
}
CALL(merges_runs)
{
    return mcl_merge_runs(queue, in(g), mcl_from_buffer(MCL_INT64, g->w->more, 0, g->parts + 1), out(g, g->n), MCL_LESS,
                          options);
}
CALL(unites)
{
    return mcl_set_union(queue, in(g), parts(g), out(g, g->n + g->parts), MCL_LESS, slot(g), options);
}
CALL(searches)
{
    return mcl_sorted_search_needles(queue, parts(g), in(g), MCL_LOWER, out_values(g, MCL_INT64, g->parts), MCL_LESS,
                                     options);
}
CALL(splits)
{
    static const mcl_op bucket = { .role = MCL_ROLE_INDEX, .expression = "(int64_t)x & 15" };
    return mcl_multisplit(queue, in(g), out(g, g->n), &bucket, 16, out_values(g, MCL_INT64, 17), (mcl_output){ 0 },
                          options);
}
CALL(compacts)
{
    static const mcl_op keep = { .role = MCL_ROLE_TEST, .expression = "x > 0" };
    return mcl_compact(queue, in(g), out(g, g->n), &keep, slot(g), options);
}
CALL(sums_keys)
{
    return mcl_reduce_by_key(queue, in(g), values(g), out(g, g->n), out_values(g, MCL_INT32, g->n), MCL_ADD, MCL_EQUAL,
                             slot(g), options);
}
CALL(joins)
{
    return mcl_join_unsorted(queue, MCL_JOIN_INNER, in(g), parts(g), mcl_to_buffer(MCL_INT64, g->w->out, 0, g->n),
                             mcl_to_buffer(MCL_INT64, g->w->out_values, 0, g->n), MCL_LESS, slot(g), options);
}

static const mcl_type *index_type(const given *g)
{
    return g->n > INT32_MAX ? MCL_INT64 : MCL_INT32;
}

static mcl_input indices(const given *g, mcl_buffer *buffer)
{
    return mcl_from_buffer(index_type(g), buffer, 0, g->parts);
}

static mcl_input numbered(const given *g)
{
    return mcl_from_expression(MCL_INT64, "i", NULL, NULL, 0, g->parts);
}

CALL(moves_intervals)
{
    return mcl_interval_move(queue, mcl_work_items(g->n), in(g), indices(g, g->w->more), indices(g, g->w->more),
                             indices(g, g->w->more), out(g, g->n), options);
}
CALL(moves_counted_intervals)
{
    return mcl_interval_move(queue, mcl_work_items(g->n), in(g), numbered(g), indices(g, g->w->more),
                             indices(g, g->w->more), out(g, g->n), options);
}
CALL(scatters_intervals)
{
    return mcl_interval_scatter(queue, mcl_work_items(g->n), in(g), indices(g, g->w->more), indices(g, g->w->more),
                                out(g, g->n), options);
}
CALL(scatters_intervals_of_a_slot)
{
    return mcl_interval_scatter(queue, mcl_work_in_slot(g->n, g->w->slots, 2), in(g), numbered(g), numbered(g),
                                out(g, g->n), options);
}
CALL(scatters_by_counted_offsets)
{
    return mcl_interval_scatter(queue, mcl_work_items(g->n), in(g), indices(g, g->w->more),
                                mcl_with_count(indices(g, g->w->more), g->w->slots, 3), out(g, g->n), options);
}
CALL(expands_intervals)
{
    return mcl_interval_expand(queue, mcl_work_items(g->n), parts(g), indices(g, g->w->in), out(g, g->n), options);
}
CALL(means_groups)
{
    const mcl_aggregate means[] = { { in(g), MCL_MEAN, out_values(g, MCL_FLOAT, g->n) },
                                    { values(g), MCL_MAX, (mcl_output){ 0 } } };
    return mcl_group_by(queue, in(g), out(g, g->n), means, 2, slot(g), options);
}
CALL(folds_groups)
{
    static const mcl_op own = { .role = MCL_ROLE_FOLD, .expression = "p * 3 + q" };
    const mcl_aggregate fold = { in(g), &own, out_values(g, g->type, g->n) };
    return mcl_group_by(queue, in(g), out(g, g->n), &fold, 1, slot(g), options);
}
CALL(folds_groups_in_any_order)
{
    static const mcl_op own = { .role = MCL_ROLE_FOLD, .expression = "p ^ q", .commutative = 1 };
    const mcl_aggregate fold = { values(g), &own, out_values(g, MCL_INT32, g->n) };
    return mcl_group_by(queue, in(g), out(g, g->n), &fold, 1, slot(g), options);
}
CALL(sorts_of_a_slot)
{
    return mcl_sort(queue, mcl_with_count(in(g), g->w->slots, 2), out(g, g->n), MCL_GREATER, options);
}
CALL(finds_largest_of_a_slot)
{
    return mcl_top_k(queue, in(g), mcl_amount_in_slot(least(g->parts, g->n), MCL_INT64, g->w->slots, 2), out(g, g->n),
                     MCL_GREATER, slot(g), options);
}
CALL(finds_largest_of_counted_rows)
{
    return mcl_segmented_top_k(queue, mcl_with_count(in(g), g->w->slots, 2), rows(g),
                               mcl_amount_of_each(40, mcl_from_buffer(MCL_INT32, g->w->more, 0, g->parts)),
                               out(g, 40 * g->parts), out_values(g, index_type(g), g->parts), MCL_GREATER, options);
}
CALL(finds_quantiles)
{
    const float start = 0, step = 0.125f;
    return mcl_quantiles(queue, in(g), mcl_from_step(MCL_FLOAT, &start, &step, 9), out(g, 9), MCL_LESS,
                         MCL_INTERPOLATION_NEAREST, options);
}
CALL(finds_quantiles_of_rows)
{
    const float half = 0.5f;
    return mcl_segmented_quantiles(queue, in(g), rows(g), mcl_from_constant(MCL_FLOAT, &half, 1), out(g, g->parts),
                                   MCL_LESS, MCL_INTERPOLATION_LOWER, options);
}
CALL(sorts_rows_with_values)
{
    return mcl_segmented_sort_pairs(queue, in(g), values(g), rows(g), out(g, g->n), out_values(g, MCL_INT32, g->n),
                                    MCL_GREATER, MCL_UNSTABLE, NULL, options);
}
CALL(sorts_small_tiles)
{
    mcl_options own = options ? *options : (mcl_options){ 0 };
    own.tile_threads = 32;
    own.tile_items = 1;
    return mcl_sort(queue, in(g), out(g, g->n), MCL_LESS, &own);
}
CALL(bins_evenly)
{
    return mcl_histogram_even(queue, in(g), 0, 200, NULL, out_values(g, MCL_INT64, g->parts), options);
}
CALL(weighs_bins)
{
    static const mcl_op bin = { .role = MCL_ROLE_INDEX, .expression = "(int64_t)x & 63" };
    const mcl_input weights = mcl_from_buffer(MCL_FLOAT, g->w->more, 0, g->n);
    return mcl_histogram(queue, in(g), &bin, &weights, out_values(g, MCL_FLOAT, g->parts), options);
}
CALL(joins_left)
{
    return mcl_join(queue, MCL_JOIN_LEFT, in(g), parts(g), mcl_to_buffer(MCL_INT64, g->w->out, 0, g->n),
                    mcl_to_buffer(MCL_INT64, g->w->out_values, 0, g->n), MCL_LESS, slot(g), options);
}

static const struct {
    const char *name;
    vast_call call;
} calls[] = {
#define X(name) { #name, name }
    X(sums),
    X(scans),
    X(sorts),
    X(sorts_in_place),
    X(sorts_pairs),
    X(sorts_indices),
    X(merges_sorts),
    X(finds_largest),
    X(finds_largest_pairs),
    X(finds_median),
    X(finds_largest_of_rows),
    X(finds_largest_of_segments),
    X(finds_medians_of_rows),
    X(sums_rows),
    X(sums_segments),
    X(scans_segments),
    X(sorts_rows),
    X(sorts_segments),
    X(counts_bins),
    X(sums_groups),
    X(finds_distinct),
    X(merges),
    X(merges_runs),
    X(unites),
    X(searches),
    X(splits),
    X(compacts),
    X(sums_keys),
    X(joins),
    X(moves_intervals),
    X(moves_counted_intervals),
    X(scatters_intervals),
    X(scatters_intervals_of_a_slot),
    X(scatters_by_counted_offsets),
    X(expands_intervals),
    X(means_groups),
    X(folds_groups),
    X(folds_groups_in_any_order),
    X(sorts_of_a_slot),
    X(finds_largest_of_a_slot),
    X(finds_largest_of_counted_rows),
    X(finds_quantiles),
    X(finds_quantiles_of_rows),
    X(sorts_rows_with_values),
    X(sorts_small_tiles),
    X(bins_evenly),
    X(weighs_bins),
    X(joins_left),
#undef X
};

/* ---- what holds for each ---------------------------------------------------------------------------------------- */

static void check(const given *g, int call, int device)
{
    char what[200];
    (void)snprintf(what, sizeof what, "%s, %lld of %s, %lld parts, device %d", calls[call].name, (long long)g->n,
                   g->type->name, (long long)g->parts, device);
    mcl_status status = calls[call].call(g, g->w->preparing, NULL);
    ck_assert_msg(status == MCL_OK, "%s: prepared: %s", what, mcl_last_error());
    const size_t bytes = mcl_queue_scratch_bytes(g->w->preparing);
    if (mcl_queue_reserve(g->w->queue, bytes) != MCL_OK) { /* the device has less memory */
        test_fails(calls[call].call(g, g->w->queue, NULL), MCL_ERROR_MEMORY, "bytes are not there");
        return;
    }
    int64_t done[2];
    builds = allocations = 0;
    for (int k = 0; k < 2; k++) {
        const int64_t before = idle_work;
        status = calls[call].call(g, g->w->queue, NULL);
        ck_assert_msg(status == MCL_OK, "%s: %s", what, mcl_last_error());
        done[k] = idle_work - before;
    }
    ck_assert_msg(builds == 0, "%s: %d programs are compiled after preparing", what, builds);
    ck_assert_msg(allocations == 0, "%s: %d blocks are allocated beside %zu bytes", what, allocations, bytes);
    ck_assert_msg(mcl_queue_scratch_bytes(g->w->queue) <= bytes, "%s: %zu bytes of scratch, prepared were %zu", what,
                  mcl_queue_scratch_bytes(g->w->queue), bytes);
    ck_assert_msg(done[0] == done[1] && done[0] > 0, "%s: works %lld and %lld", what, (long long)done[0],
                  (long long)done[1]);
}

static const int64_t counts[] = { 1, 1000, 70000, 3000000, 300000000, ((int64_t)1 << 31) + 77777 };
static const int64_t part_counts[] = { 1, 60, 5000, 1000000 };

/* Returns the largest number of elements. Where no tile looks back, calls may work block by block as the cache allows.
 * With a small cache billions of elements take too many launches. */
static int64_t count_most(const world *w)
{
    const mcl__limits *const limits = &w->context->limits;
    const int64_t cached = limits->cache_bytes << 10;
    return limits->is_gpu && limits->look_back ? INT64_MAX : cached < 100000 ? 100000 : cached;
}

/* _i is the number of a device's call. The types alternate. */
START_TEST(launches_fit_and_scratch_is_told_for_every_count)
{
    const int device = _i / (int)COUNT_OF(calls), call = _i % (int)COUNT_OF(calls);
    const mcl_type *const types[] = { MCL_UINT8, MCL_INT32, MCL_FLOAT, MCL_UINT64 };
    world w = start(device);
    for (size_t n = 0; n < COUNT_OF(counts) && counts[n] <= count_most(&w); n++)
        for (size_t p = 0; p < COUNT_OF(part_counts) && part_counts[p] <= counts[n]; p++) {
            const given g = { &w, types[(n + p + (size_t)_i) % COUNT_OF(types)], counts[n], part_counts[p] };
            check(&g, call, device);
        }
    stop(&w);
}
END_TEST

/* A radix sort publishes counts of at most 30 bits in words of 32 bits. */
START_TEST(counts_of_31_bits_are_published_in_words_of_64)
{
    const int64_t few = ((int64_t)1 << 30) - 1;
    world w = start(_i);
    if (w.context->limits.is_gpu && w.context->limits.look_back)
        for (int k = 0; k < 2; k++) {
            const given g = { &w, MCL_UINT32, few + k, 1 };
            looked_for = k ? "#define STATE_BITS 64" : "#define STATE_BITS 32";
            texts_with_words = 0;
            test_ok(mcl_sort(w.queue, in(&g), out(&g, g.n), MCL_LESS, NULL));
            ck_assert_int_gt(texts_with_words, 0);
        }
    looked_for = NULL;
    stop(&w);
}
END_TEST

/* A queue that knows the call's types does not measure the call again. Where the first of several steps needs more
 * scratch than the queue has, all steps are measured. So one block is allocated, and not one for each step. */
START_TEST(a_larger_call_takes_its_scratch_at_once)
{
    world w = start(_i);
    given g = { &w, MCL_INT32, 1000, 60 };
    test_ok(mcl_queue_reserve(w.queue, 0)); /* its slots */
    test_ok(means_groups(&g, w.queue, NULL));
    g.n = 70000;
    allocations = 0;
    test_ok(means_groups(&g, w.queue, NULL));
    ck_assert_int_eq(allocations, 1);
    stop(&w);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_loop_test(tcase, counts_of_31_bits_are_published_in_words_of_64, 0, IDLE_DEVICES);
    tcase_add_loop_test(tcase, launches_fit_and_scratch_is_told_for_every_count, 0,
                        IDLE_DEVICES * (int)COUNT_OF(calls));
    tcase_add_loop_test(tcase, a_larger_call_takes_its_scratch_at_once, 0, IDLE_DEVICES);
}

int main(void)
{
    setenv("MCL_CACHE_DIR", "", 1);
    return test_main_host("vast_plans", add);
}
