/* segments.c: makes inputs on the host: elements in segments or in runs of equal keys, and indices of removed or
 * inserted elements. */
#include "bench.h"

#include <math.h>

static uint64_t random_at(uint64_t seed, uint64_t k)
{
    const uint64_t golden = 0x9E3779B97F4A7C15u;
    return test_random((seed * 0x632BE59BD9B4E019u - 1) * golden, k);
}

double bench_uniform_at(uint64_t seed, uint64_t k)
{
    return ((double)(random_at(seed, k) >> 11) + 0.5) * 0x1p-53;
}

static mcl_status upload(bench_case *c, int index)
{
    const bench_array *in = &c->problem.in[index];
    return mcl_buffer_write(c->bench->queue, in->device, 0, (size_t)in->count * in->type->size, in->host);
}

/* Makes segments + 1 sorted uniform indices in [0, n]. Their gaps are exponential. */
static void make_offsets(int32_t *offsets, int64_t segments, int64_t n, uint64_t seed)
{
    double all = 0;
    double sum = 0;
    for (int64_t s = 0; s < segments; s++) all -= log(bench_uniform_at(seed, (uint64_t)s));
    for (int64_t s = 0; s < segments; s++) {
        offsets[s] = (int32_t)(sum / all * (double)n);
        sum -= log(bench_uniform_at(seed, (uint64_t)s));
    }
    offsets[segments] = (int32_t)n;
}

mcl_status bench_uniform_in_offsets(bench_case *c)
{
    const int64_t segments = c->n / c->variant.length > 0 ? c->n / c->variant.length : 1;
    mcl_status status = bench_add_uniform(c, c->variant.fold->in, c->n, c->op->seed);
    if (status == MCL_OK) status = bench_add_elements(c, &element_int32, segments + 1);
    if (status != MCL_OK) return status;
    make_offsets(c->problem.in[1].host, segments, c->n, c->op->seed + 1);
    return upload(c, 1);
}

mcl_status bench_uniform_rows(bench_case *c)
{
    const int64_t columns = c->variant.length < c->n ? c->variant.length : c->n;
    const int64_t rows = columns > 0 ? c->n / columns : 0;
    mcl_status status = bench_add_uniform(c, c->variant.element, c->n, 1);
    if (status == MCL_OK) status = bench_add_elements(c, &element_int32, rows + 1);
    if (status != MCL_OK) return status;
    int32_t *const offsets = c->problem.in[1].host;
    for (int64_t r = 0; r <= rows; r++) offsets[r] = (int32_t)(r * columns);
    return upload(c, 1);
}

/* Makes sorted runs: keys, perhaps values 0, 1, 2 and so on, and offsets. The number of runs is the variant's
 * length. */
mcl_status bench_sorted_runs(bench_case *c)
{
    const int64_t runs = c->variant.length;
    mcl_status status = bench_uniform(c);
    if (status == MCL_OK) status = bench_add_elements(c, &element_int32, runs + 1);
    if (status != MCL_OK) return status;
    const int index = c->problem.in_count - 1;
    for (int64_t r = 0; r <= runs; r++) bench_store_integer(&c->problem.in[index], r, r * c->n / runs);
    status = upload(c, index);
    if (status != MCL_OK || c->bench->shapes_only) return status;
    const mcl_segments segments = mcl_segments_from_offsets(bench_in(c, index));
    return mcl_segmented_sort(c->bench->queue, bench_in(c, 0), segments, bench_out_in_place(c, 0),
                              c->variant.element->less, MCL_UNSTABLE, NULL, NULL);
}

mcl_status bench_rows_with_half(bench_case *c)
{
    mcl_status status = bench_uniform_rows(c);
    if (status == MCL_OK) status = bench_add_elements(c, &element_float, 1);
    if (status != MCL_OK) return status;
    *(float *)c->problem.in[2].host = 0.5F;
    return upload(c, 2);
}

/* Makes runs. A key begins a run with odds of one in the mean length. A key equals its run's number. */
static void make_runs(const bench_case *c, uint64_t seed)
{
    const uint64_t threshold = (uint64_t)(ldexp(1, 32) / (double)c->variant.length);
    const bench_array *keys = &c->problem.in[0];
    int64_t run = 0;
    for (int64_t k = 0; k < c->n; k++) {
        run += k > 0 && random_at(seed, (uint64_t)k) >> 32 < threshold;
        if (keys->type == MCL_INT64)
            ((int64_t *)keys->host)[k] = run;
        else
            ((int32_t *)keys->host)[k] = (int32_t)run;
    }
}

mcl_status bench_runs(bench_case *c)
{
    const mcl_status status = bench_add_elements(c, c->variant.element, c->n);
    if (status != MCL_OK) return status;
    make_runs(c, c->op->seed);
    return upload(c, 0);
}

mcl_status bench_uniform_in_runs(bench_case *c)
{
    c->variant.element = c->type->value; /* element of the keys */
    const mcl_status status = bench_runs(c);
    return status == MCL_OK ? bench_add_uniform(c, c->variant.fold->in, c->n, c->op->seed + 1) : status;
}

/* Chooses indices among n, as many as the input has, each with equal chance. Elements with these indices are removed,
 * or elements are inserted before the elements with these indices. */
static mcl_status fill_chosen(bench_case *c, int input, int inserts)
{
    const bench_array *array = &c->problem.in[input];
    int32_t *indices = array->host;
    int64_t chosen = 0;
    for (int64_t k = 0; k < c->n && chosen < array->count; k++) {
        const uint64_t random = test_random(0, (uint64_t)k) >> 32;
        if ((random * (uint64_t)(c->n - k)) >> 32 < (uint64_t)(array->count - chosen)) {
            indices[chosen] = (int32_t)(inserts ? k - chosen : k);
            chosen++;
        }
    }
    return upload(c, input);
}

mcl_status bench_removed(bench_case *c)
{
    mcl_status status = bench_add_uniform(c, c->variant.element, c->n, 1);
    if (status == MCL_OK) status = bench_add_elements(c, c->variant.value, c->n * c->op->share / 100);
    return status == MCL_OK ? fill_chosen(c, 1, 0) : status;
}

mcl_status bench_inserted(bench_case *c)
{
    const int64_t inserted = c->n * c->op->share / 100;
    mcl_status status = bench_add_uniform(c, c->variant.element, inserted, 1);
    if (status == MCL_OK) status = bench_add_uniform(c, c->variant.element, c->n - inserted, 2);
    if (status == MCL_OK) status = bench_add_elements(c, c->variant.value, inserted);
    return status == MCL_OK ? fill_chosen(c, 2, 1) : status;
}
