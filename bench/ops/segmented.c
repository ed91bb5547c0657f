/* segmented.c: sums and prefix sums of segments and of runs of equal keys, of a mean length that the operation's name
 * ends in; a sparse matrix times a vector. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BODY "ops/segmented_reference.h"
#include "for_each_type.h"

#define NUMBERS "int32 int64 float32 float64 uint32 uint64"

/* ---- data made on the host ---------------------------------------------------------------------------- */

/* SplitMix64: number k of a seed's sequence. */
static uint64_t random_at(uint64_t seed, uint64_t k)
{
    uint64_t z = (k + seed * 0x632BE59BD9B4E019u) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double uniform_at(uint64_t seed, uint64_t k)
{
    return ((double)(random_at(seed, k) >> 11) + 0.5) * 0x1p-53;
}

static mcl_status upload(bench_case *c, int index)
{
    const bench_array *in = &c->problem.in[index];
    return mcl_buffer_write(c->bench->queue, in->device, 0, (size_t)in->count * in->type->size, in->host);
}

/* segments + 1 uniform places in [0, n], sorted: their gaps are exponential. */
static void make_offsets(int32_t *offsets, int64_t segments, int64_t n, uint64_t seed)
{
    double all = 0, sum = 0;
    for (int64_t s = 0; s < segments; s++) all -= log(uniform_at(seed, (uint64_t)s));
    for (int64_t s = 0; s < segments; s++) {
        offsets[s] = (int32_t)(sum / all * (double)n);
        sum -= log(uniform_at(seed, (uint64_t)s));
    }
    offsets[segments] = (int32_t)n;
}

static int64_t mean_length(const bench_case *c)
{
    return strtoll(strstr(c->op->name, "_avg") + 4, NULL, 10);
}

/* ---- sums of segments ---------------------------------------------------------------------------- */

static mcl_status segreduce_prepare(bench_case *c)
{
    const int64_t segments = c->n / mean_length(c) > 0 ? c->n / mean_length(c) : 1;
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 12);
    if (status == MCL_OK) status = bench_add_input(c, MCL_INT32, segments + 1);
    if (status != MCL_OK) return status;
    make_offsets(c->problem.in[1].host, segments, c->n, 13);
    status = upload(c, 1);
    return status == MCL_OK ? bench_add_output(c, c->type->element->type, segments) : status;
}

static void segreduce_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(segreduce_reference);
    reference[c->type->index](c);
}

static double segreduce_bytes(const bench_case *c)
{
    const double segments = (double)c->problem.out[0].count;
    return (double)c->n * (double)c->type->element->type->size +
           segments * (4.0 + (double)c->type->element->type->size);
}

static mcl_status segreduce_run(const bench_case *c, const mcl_options *options)
{
    return mcl_segmented_reduce(c->bench->queue, bench_in(c, 0), mcl_segments_from_offsets(bench_in(c, 1)),
                                bench_out(c, 0), c->type->sum->op, mcl_to_nowhere(), options);
}

#define SEGREDUCE(length)                                                                                              \
    const bench_op bench_op_segreduce_sum_avg##length = {                                                              \
        .name = "segreduce_sum_avg" #length,                                                                           \
        .types = NUMBERS " struct12",                                                                                  \
        .tuning = "segmented_reduce",                                                                                  \
        .prepare = segreduce_prepare,                                                                                  \
        .reference = segreduce_expect,                                                                                 \
        .bytes = segreduce_bytes,                                                                                      \
        .run = segreduce_run,                                                                                          \
    }
SEGREDUCE(10);
SEGREDUCE(100);
SEGREDUCE(1000);
SEGREDUCE(100000);

/* ---- prefix sums of segments ---------------------------------------------------------------------------- */

static mcl_status segscan_prepare(bench_case *c)
{
    const int64_t segments = c->n / mean_length(c) > 0 ? c->n / mean_length(c) : 1;
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 14);
    if (status == MCL_OK) status = bench_add_input(c, MCL_INT32, segments + 1);
    if (status != MCL_OK) return status;
    make_offsets(c->problem.in[1].host, segments, c->n, 15);
    status = upload(c, 1);
    return status == MCL_OK ? bench_add_output(c, c->type->element->type, c->n) : status;
}

static void segscan_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(segscan_reference);
    reference[c->type->index](c);
}

static double segscan_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)c->type->element->type->size + 4.0 * (double)c->problem.in[1].count;
}

static mcl_status segscan_run(const bench_case *c, const mcl_options *options)
{
    return mcl_segmented_scan(c->bench->queue, bench_in(c, 0), mcl_segments_from_offsets(bench_in(c, 1)),
                              bench_out(c, 0), c->type->sum->op, MCL_INCLUSIVE, options);
}

const bench_op bench_op_segscan_sum_avg100 = {
    .name = "segscan_sum_avg100",
    .types = NUMBERS,
    .tuning = "segmented_scan",
    .prepare = segscan_prepare,
    .reference = segscan_expect,
    .bytes = segscan_bytes,
    .run = segscan_run,
};

/* ---- sums of runs ---------------------------------------------------------------------------- */

/* A key begins a run with odds of one in the mean length; keys are the runs' numbers. */
static int64_t make_runs(bench_case *c, uint64_t seed)
{
    const uint64_t threshold = (uint64_t)(ldexp(1, 32) / (double)mean_length(c));
    int64_t run = 0;
    for (int64_t k = 0; k < c->n; k++) {
        run += k > 0 && random_at(seed, (uint64_t)k) >> 32 < threshold;
        if (c->type->value->type == MCL_INT64)
            ((int64_t *)c->problem.in[0].host)[k] = run;
        else
            ((int32_t *)c->problem.in[0].host)[k] = (int32_t)run;
    }
    return run + 1;
}

static mcl_status by_key_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->value->type, c->n);
    if (status != MCL_OK) return status;
    const int64_t runs = make_runs(c, 10);
    status = upload(c, 0);
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 1, 11);
    if (status == MCL_OK) status = bench_add_output(c, c->type->value->type, runs);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, runs);
    return status == MCL_OK ? bench_add_output(c, MCL_INT64, 1) : status;
}

static void by_key_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(by_key_reference);
    reference[c->type->index](c);
}

static double by_key_bytes(const bench_case *c)
{
    const double pair = (double)(c->type->element->type->size + c->type->value->type->size);
    return pair * ((double)c->n + (double)c->problem.out[0].count);
}

static mcl_status by_key_run(const bench_case *c, const mcl_options *options)
{
    return mcl_reduce_by_key(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), bench_out(c, 1),
                             c->type->sum->op, NULL, mcl_to_slot(MCL_INT64, c->problem.out[2].device, 0), options);
}

#define BY_KEY(length)                                                                                                 \
    const bench_op bench_op_reduce_by_key_avg##length = {                                                              \
        .name = "reduce_by_key_avg" #length,                                                                           \
        .types = NUMBERS " struct12",                                                                                  \
        .tuning = "reduce_by_key",                                                                                     \
        .prepare = by_key_prepare,                                                                                     \
        .reference = by_key_expect,                                                                                    \
        .bytes = by_key_bytes,                                                                                         \
        .run = by_key_run,                                                                                             \
    }
BY_KEY(10);
BY_KEY(1000);

static mcl_status scan_by_key_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->value->type, c->n);
    if (status != MCL_OK) return status;
    (void)make_runs(c, 16);
    status = upload(c, 0);
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 1, 17);
    return status == MCL_OK ? bench_add_output(c, c->type->element->type, c->n) : status;
}

static void scan_by_key_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(scan_by_key_reference);
    reference[c->type->index](c);
}

static double scan_by_key_bytes(const bench_case *c)
{
    return (double)c->n * (double)(2 * c->type->element->type->size + c->type->value->type->size);
}

static mcl_status scan_by_key_run(const bench_case *c, const mcl_options *options)
{
    return mcl_scan_by_key(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), c->type->sum->op, NULL,
                           MCL_INCLUSIVE, options);
}

const bench_op bench_op_scan_by_key_avg100 = {
    .name = "scan_by_key_avg100",
    .types = NUMBERS,
    .tuning = "scan_by_key",
    .prepare = scan_by_key_prepare,
    .reference = scan_by_key_expect,
    .bytes = scan_by_key_bytes,
    .run = scan_by_key_run,
};

/* ---- sparse matrix times vector ---------------------------------------------------------------------------- */

/* R-MAT (D. Chakrabarti, Y. Zhan, C. Faloutsos, 2004) with the odds of Graph500: n edges between n / 16 vertices. */
static void rmat_edge(uint64_t k, int levels, int32_t *row, int32_t *column)
{
    *row = *column = 0;
    for (int level = 0; level < levels; level++) {
        const double u = uniform_at(77 + (uint64_t)level, k);
        *row = *row * 2 + (u >= 0.57 + 0.19);
        *column = *column * 2 + ((u >= 0.57 && u < 0.57 + 0.19) || u >= 0.57 + 0.19 + 0.19);
    }
}

static int rmat_levels(int64_t n)
{
    int levels = 1;
    while (((int64_t)16 << (levels + 1)) <= n) levels++;
    return levels;
}

/* Rows by counting: offsets first hold how many edges each row has, then where it is filled. */
static void make_rmat(const bench_case *c, int levels, int32_t *offsets, int32_t *columns)
{
    const int64_t rows = (int64_t)1 << levels;
    int32_t row, column;
    memset(offsets, 0, (size_t)(rows + 1) * sizeof *offsets);
    for (int64_t k = 0; k < c->n; k++) {
        rmat_edge((uint64_t)k, levels, &row, &column);
        offsets[row]++;
    }
    int32_t sum = 0;
    for (int64_t r = 0; r <= rows; r++) {
        const int32_t length = offsets[r];
        offsets[r] = sum;
        sum += length;
    }
    for (int64_t k = 0; k < c->n; k++) {
        rmat_edge((uint64_t)k, levels, &row, &column);
        columns[offsets[row]++] = column;
    }
    for (int64_t r = rows; r > 0; r--) offsets[r] = offsets[r - 1];
    offsets[0] = 0;
}

/* Inputs: row offsets, columns, values, the vector. */
static mcl_status spmv_prepare(bench_case *c)
{
    const int levels = rmat_levels(c->n);
    const int64_t rows = (int64_t)1 << levels;
    mcl_status status = bench_add_input(c, MCL_INT32, rows + 1);
    if (status == MCL_OK) status = bench_add_input(c, MCL_INT32, c->n);
    if (status != MCL_OK) return status;
    make_rmat(c, levels, c->problem.in[0].host, c->problem.in[1].host);
    status = upload(c, 0);
    if (status == MCL_OK) status = upload(c, 1);
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 2, 14);
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, rows);
    if (status == MCL_OK) status = bench_fill_uniform(c, 3, 15);
    return status == MCL_OK ? bench_add_output(c, c->type->element->type, rows) : status;
}

/* Element k of an array of floats or doubles. */
static double real_at(const bench_array *array, int64_t k)
{
    return array->type == MCL_FLOAT ? (double)((const float *)array->host)[k] : ((const double *)array->host)[k];
}

static void spmv_expect(bench_case *c)
{
    const bench_array *in = c->problem.in;
    const bench_array *out = &c->problem.out[0];
    const int32_t *offsets = in[0].host, *columns = in[1].host;
    for (int64_t row = 0; row < out->count; row++) {
        double sum = 0;
        for (int32_t k = offsets[row]; k < offsets[row + 1]; k++)
            sum += real_at(&in[2], k) * real_at(&in[3], columns[k]);
        if (out->type == MCL_FLOAT)
            ((float *)out->host)[row] = (float)sum;
        else
            ((double *)out->host)[row] = sum;
    }
}

static double spmv_bytes(const bench_case *c)
{
    const double size = (double)c->type->element->type->size, rows = (double)c->problem.out[0].count;
    return (double)c->n * (size + 4) + rows * (4 + 2 * size);
}

static mcl_status spmv_run(const bench_case *c, const mcl_options *options)
{
    const mcl_type *type = c->type->element->type;
    const bench_array *in = c->problem.in;
    const mcl_binding bindings[] = { mcl_binding_buffer("columns", MCL_INT32, in[1].device, 0),
                                     mcl_binding_buffer("values", type, in[2].device, 0),
                                     mcl_binding_buffer("x", type, in[3].device, 0) };
    const mcl_input products = mcl_from_expression(type, "values[i] * x[columns[i]]", NULL, bindings, 3, c->n);
    return mcl_segmented_reduce(c->bench->queue, products, mcl_segments_from_offsets(bench_in(c, 0)), bench_out(c, 0),
                                MCL_ADD, mcl_to_nowhere(), options);
}

const bench_op bench_op_spmv_rmat = {
    .name = "spmv_rmat",
    .types = "float32 float64",
    .recorded = "",
    .tuning = "segmented_reduce",
    .prepare = spmv_prepare,
    .reference = spmv_expect,
    .bytes = spmv_bytes,
    .run = spmv_run,
};
