/* segmented_sort.c: sorts inside random segments of several mean lengths, and sorts of uniform and of nearly sorted
 * keys by locality; keys and pairs. What an operation does stands in its name. */
#include "bench.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BODY "ops/sort_reference.h"
#include "for_each_type.h"

static int has_pairs(const bench_case *c)
{
    return strstr(c->op->name, "_pairs") != NULL;
}

static mcl_status add_pairs_and_outputs(bench_case *c)
{
    mcl_status status = MCL_OK;
    if (has_pairs(c)) status = bench_add_input(c, c->type->value->type, c->n);
    if (status == MCL_OK && has_pairs(c)) status = bench_fill_counting(c, 1, 0);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n);
    if (status == MCL_OK && has_pairs(c)) status = bench_add_output(c, c->type->value->type, c->n);
    return status;
}

/* Threads share the segments: of 1e8 keys one alone would take longer than all else. */
enum { REFERENCE_THREADS = 16 };

typedef struct reference_share {
    const bench_case *c;
    int64_t *places;
    int64_t first, last; /* segments */
} reference_share;

static void *reference_run(void *argument)
{
    static void (*const reference[])(const bench_case *, int64_t *, int64_t, int64_t) = BENCH_PER_TYPE(sort_reference);
    const reference_share *share = argument;
    reference[share->c->type->index](share->c, share->places, share->first, share->last);
    return NULL;
}

static void segsort_expect(bench_case *c)
{
    const int64_t segments = c->problem.in[c->problem.in_count - 1].count + 1;
    int64_t *places = malloc((size_t)c->n * 2 * sizeof *places + 1);
    reference_share shares[REFERENCE_THREADS];
    pthread_t threads[REFERENCE_THREADS];
    int started[REFERENCE_THREADS];
    if (!places) {
        bench_note("%s: no host memory for the reference", c->op->name);
        return;
    }
    for (int k = 0; k < REFERENCE_THREADS; k++) {
        shares[k] =
            (reference_share){ c, places, segments * k / REFERENCE_THREADS, segments * (k + 1) / REFERENCE_THREADS };
        started[k] = pthread_create(&threads[k], NULL, reference_run, &shares[k]) == 0;
        if (!started[k]) (void)reference_run(&shares[k]);
    }
    for (int k = 0; k < REFERENCE_THREADS; k++)
        if (started[k]) (void)pthread_join(threads[k], NULL);
    free(places);
}

/* Keys and values, read and written. */
static double sort_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n *
           (double)(c->type->element->type->size + (has_pairs(c) ? c->type->value->type->size : 0));
}

/* ---- segments -------------------------------------------------------------------------------------- */

/* The mean length of segments: the name tells it. */
static int64_t mean_length(const bench_case *c)
{
    return strtoll(strstr(c->op->name, "avg") + 3, NULL, 10);
}

static int64_t segment_count(const bench_case *c)
{
    return c->n / mean_length(c) > 0 ? c->n / mean_length(c) : 1;
}

static mcl_status segsort_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = add_pairs_and_outputs(c);
    if (status == MCL_OK) status = bench_add_input(c, MCL_INT32, segment_count(c));
    if (status == MCL_OK) status = bench_fill_positions(c, c->problem.in_count - 1, c->n, 3);
    return status;
}

static double segsort_bytes(const bench_case *c)
{
    return sort_bytes(c) + 4.0 * (double)segment_count(c);
}

static mcl_status segsort_run(const bench_case *c, const mcl_options *options)
{
    mcl_queue *queue = c->bench->queue;
    const mcl_segments segments = mcl_segments_from_indices(bench_in(c, c->problem.in_count - 1));
    if (!has_pairs(c))
        return mcl_segmented_sort(queue, bench_in(c, 0), segments, bench_out(c, 0), c->type->element->less, MCL_STABLE,
                                  NULL, options);
    return mcl_segmented_sort_pairs(queue, bench_in(c, 0), bench_in(c, 1), segments, bench_out(c, 0), bench_out(c, 1),
                                    c->type->element->less, MCL_STABLE, NULL, options);
}

#define SEGSORT(label, tuning_label)                                                                                   \
    const bench_op bench_op_segsort_##label = {                                                                        \
        .name = "segsort_" #label,                                                                                     \
        .tuning = tuning_label,                                                                                        \
        .prepare = segsort_prepare,                                                                                    \
        .reference = segsort_expect,                                                                                   \
        .bytes = segsort_bytes,                                                                                        \
        .run = segsort_run,                                                                                            \
    };
SEGSORT(keys_avg10, "segmented_sort")
SEGSORT(keys_avg100, "segmented_sort")
SEGSORT(keys_avg1000, "segmented_sort")
SEGSORT(keys_avg100000, "segmented_sort")
SEGSORT(pairs_avg10, "segmented_sort_pairs")
SEGSORT(pairs_avg100, "segmented_sort_pairs")
SEGSORT(pairs_avg1000, "segmented_sort_pairs")
SEGSORT(pairs_avg100000, "segmented_sort_pairs")

/* ---- locality -------------------------------------------------------------------------------------- */

/* A key's index plus a random number below a thousandth of n. */
static mcl_status fill_local(bench_case *c)
{
    static const char source[] = "static inline int64_t bench_near(const int64_t i, const int64_t span)\n"
                                 "{\n"
                                 "    uint64_t r = (uint64_t)i * 0x9E3779B97F4A7C15;\n"
                                 "    r = (r ^ (r >> 30)) * 0xBF58476D1CE4E5B9;\n"
                                 "    r = (r ^ (r >> 27)) * 0x94D049BB133111EB;\n"
                                 "    return i + (int64_t)((r >> 1) % (uint64_t)span);\n"
                                 "}\n";
    const bench_array *array = &c->problem.in[0];
    const int64_t span = c->n / 1000 > 0 ? c->n / 1000 : 1;
    const mcl_binding binding = mcl_binding_value("span", MCL_INT64, &span);
    char text[64];
    (void)snprintf(text, sizeof text, "(%s)bench_near(i, span)", array->type->name);
    return mcl_transform(c->bench->queue, mcl_from_expression(array->type, text, source, &binding, 1, array->count),
                         mcl_to_buffer(array->type, array->device, 0, array->count), NULL);
}

static mcl_status localitysort_prepare(bench_case *c)
{
    const int local = strstr(c->op->name, "_local") != NULL;
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = local ? fill_local(c) : bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = add_pairs_and_outputs(c);
    return status;
}

static mcl_status localitysort_run(const bench_case *c, const mcl_options *options)
{
    mcl_queue *queue = c->bench->queue;
    if (!has_pairs(c))
        return mcl_locality_sort(queue, bench_in(c, 0), bench_out(c, 0), c->type->element->less, NULL, options);
    return mcl_locality_sort_pairs(queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), bench_out(c, 1),
                                   c->type->element->less, NULL, options);
}

#define LOCALITYSORT(label, tuning_label, type_names)                                                                  \
    const bench_op bench_op_localitysort_##label = {                                                                   \
        .name = "localitysort_" #label,                                                                                \
        .types = type_names,                                                                                           \
        .tuning = tuning_label,                                                                                        \
        .prepare = localitysort_prepare,                                                                               \
        .reference = bench_sort_expect,                                                                                \
        .bytes = sort_bytes,                                                                                           \
        .run = localitysort_run,                                                                                       \
    };
LOCALITYSORT(keys, "locality_sort", NULL)
LOCALITYSORT(pairs, "locality_sort_pairs", NULL)
LOCALITYSORT(keys_local, "locality_sort", "int32 int64 float32 float64 uint32 uint64")
LOCALITYSORT(pairs_local, "locality_sort_pairs", "int32 int64 float32 float64 uint32 uint64")
