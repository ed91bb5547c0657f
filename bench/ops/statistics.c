/* statistics.c: the least and the greatest element together, the quartiles, and a shuffled sequence. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define REALS "int32 float32"

static int is_real(const bench_case *c)
{
    return c->type->element->type->kind == MCL_KIND_FLOAT;
}

static double input_bytes(const bench_case *c)
{
    return (double)c->n * (double)c->type->element->type->size;
}

static int32_t integer_at(const bench_case *c, int64_t k)
{
    return ((const int32_t *)c->problem.in[0].host)[k];
}

static float real_at(const bench_case *c, int64_t k)
{
    return ((const float *)c->problem.in[0].host)[k];
}

static mcl_status add_data(bench_case *c, int64_t results)
{
    const uint64_t seed = 21;
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, seed);
    return status == MCL_OK ? bench_add_output(c, c->type->element->type, results) : status;
}

/* ---- least and greatest --------------------------------------------------------------------------------------- */

static mcl_status min_max_prepare(bench_case *c)
{
    return add_data(c, 2);
}

static void min_max_expect(bench_case *c)
{
    int32_t *integers = c->problem.out[0].host;
    float *reals = c->problem.out[0].host;
    if (is_real(c)) {
        reals[0] = reals[1] = real_at(c, 0);
        for (int64_t k = 0; k < c->n; k++) reals[0] = real_at(c, k) < reals[0] ? real_at(c, k) : reals[0];
        for (int64_t k = 0; k < c->n; k++) reals[1] = real_at(c, k) > reals[1] ? real_at(c, k) : reals[1];
    } else {
        integers[0] = integers[1] = integer_at(c, 0);
        for (int64_t k = 0; k < c->n; k++)
            integers[0] = integer_at(c, k) < integers[0] ? integer_at(c, k) : integers[0];
        for (int64_t k = 0; k < c->n; k++)
            integers[1] = integer_at(c, k) > integers[1] ? integer_at(c, k) : integers[1];
    }
}

static mcl_status min_max_run(const bench_case *c, const mcl_options *options)
{
    return mcl_min_max(c->bench->queue, bench_in(c, 0),
                       mcl_to_slot(is_real(c) ? MCL_FLOAT_RANGE : MCL_INT32_RANGE, c->problem.out[0].device, 0),
                       options);
}

const bench_op bench_op_min_max = {
    .name = "min_max",
    .types = REALS,
    .tuning = "reduce",
    .prepare = min_max_prepare,
    .reference = min_max_expect,
    .bytes = input_bytes,
    .run = min_max_run,
};

/* ---- quartiles ------------------------------------------------------------------------------------------------ */

enum { QUARTILES = 3 };

/* Prepares the quartiles. Fractions are doubles where the device has doubles, since a float rounds an index above
 * 2^24. */
static mcl_status quartiles_prepare(bench_case *c)
{
    const double quarters[QUARTILES] = { 0.25, 0.5, 0.75 };
    const float rounded[QUARTILES] = { 0.25f, 0.5f, 0.75f };
    const int doubles = c->bench->info.has_double;
    mcl_status status = add_data(c, QUARTILES);
    if (status == MCL_OK) status = bench_add_input(c, doubles ? MCL_DOUBLE : MCL_FLOAT, QUARTILES);
    if (status != MCL_OK) return status;
    return mcl_buffer_write(c->bench->queue, c->problem.in[1].device, 0, doubles ? sizeof quarters : sizeof rounded,
                            doubles ? (const void *)quarters : rounded);
}

static int integers_ascend(const void *p, const void *q)
{
    const int32_t a = *(const int32_t *)p, b = *(const int32_t *)q;
    return (a > b) - (a < b);
}

static int reals_ascend(const void *p, const void *q)
{
    const float a = *(const float *)p, b = *(const float *)q;
    return (a > b) - (a < b);
}

/* Returns the index, among n sorted keys, of fraction (q + 1) / 4. */
static int64_t rank_of(const bench_case *c, int q)
{
    return (c->n - 1) * (q + 1) / 4;
}

static void quartiles_expect(bench_case *c)
{
    const size_t size = c->type->element->type->size;
    char *sorted = malloc((size_t)c->n * size);
    if (!sorted) abort();
    memcpy(sorted, c->problem.in[0].host, (size_t)c->n * size);
    qsort(sorted, (size_t)c->n, size, is_real(c) ? reals_ascend : integers_ascend);
    for (int q = 0; q < QUARTILES; q++)
        memcpy((char *)c->problem.out[0].host + (size_t)q * size, sorted + (size_t)rank_of(c, q) * size, size);
    free(sorted);
}

static mcl_status quartiles_run(const bench_case *c, const mcl_options *options)
{
    return mcl_quantiles(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), MCL_LESS,
                         MCL_INTERPOLATION_LOWER, options);
}

const bench_op bench_op_quartiles = {
    .name = "quartiles",
    .types = REALS,
    .tuning = "top_k",
    .by_clock = 1,
    .prepare = quartiles_prepare,
    .reference = quartiles_expect,
    .bytes = input_bytes,
    .run = quartiles_run,
};

/* ---- shuffle -------------------------------------------------------------------------------------------------- */

/* Prepares a shuffle of the numbers 0, 1, 2 and so on. Any order is right, so the check puts each number at its own
 * index. */
static mcl_status shuffle_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, MCL_INT32, c->n);
    if (status == MCL_OK) status = bench_fill_counting(c, 0, 0);
    for (int k = 0; k < 2 && status == MCL_OK; k++) status = bench_add_output(c, MCL_INT32, c->n);
    return status;
}

static void shuffle_expect(bench_case *c)
{
    int32_t *out = c->problem.out[1].host;
    c->problem.out[0].count = 0; /* its order is random, so it is not compared */
    for (int64_t k = 0; k < c->n; k++) out[k] = (int32_t)k;
}

static double shuffle_bytes(const bench_case *c)
{
    return 2.0 * input_bytes(c);
}

static mcl_status shuffle_run(const bench_case *c, const mcl_options *options)
{
    return mcl_transform(c->bench->queue, mcl_from_shuffled(MCL_INT32, c->problem.in[0].device, 0, c->n, 7),
                         mcl_to_buffer(MCL_INT32, c->problem.out[0].device, 0, c->n), options);
}

static mcl_status shuffle_finish(bench_case *c)
{
    const mcl_input shuffled = mcl_from_buffer(MCL_INT32, c->problem.out[0].device, 0, c->n);
    return mcl_scatter(c->bench->queue, shuffled, shuffled, bench_out(c, 1), NULL);
}

const bench_op bench_op_shuffled = {
    .name = "shuffled",
    .types = "int32",
    .tuning = "transform",
    .prepare = shuffle_prepare,
    .reference = shuffle_expect,
    .bytes = shuffle_bytes,
    .run = shuffle_run,
    .finish = shuffle_finish,
};
