/* spmv.c: a sparse matrix times a vector, as sums of segments. */
#include "bench.h"

#include <string.h>

static mcl_status upload(bench_case *c, int index)
{
    const bench_array *in = &c->problem.in[index];
    return mcl_buffer_write(c->bench->queue, in->device, 0, (size_t)in->count * in->type->size, in->host);
}

/* Makes edge k of n edges between n / 16 vertices, by R-MAT (D. Chakrabarti, Y. Zhan, C. Faloutsos, 2004) with the odds
 * of Graph500. */
static void rmat_edge(uint64_t k, int levels, int32_t *row, int32_t *column)
{
    *row = *column = 0;
    for (int level = 0; level < levels; level++) {
        const double u = bench_uniform_at(77 + (uint64_t)level, k);
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

/* Makes the rows by counting. offsets first has the number of edges of each row, then the index where the row is filled
 * next. */
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

/* Makes the inputs: row offsets, columns, values, the vector. */
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

/* Returns element k of an array of floats or doubles. */
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
