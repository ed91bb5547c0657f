/* copy.c: copies elements. */
#include "bench.h"

#include <string.h>

static mcl_status copy_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n);
    return status;
}

static void copy_reference(bench_case *c)
{
    memcpy(c->problem.out[0].host, c->problem.in[0].host, (size_t)c->n * c->type->element->type->size);
}

static double copy_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)c->type->element->type->size;
}

static mcl_status copy_run(const bench_case *c, const mcl_options *options)
{
    return mcl_transform(c->bench->queue, bench_in(c, 0), bench_out(c, 0), options);
}

const bench_op bench_op_copy = {
    .name = "copy",
    .recorded = "memcpy_d2d",
    .tuning = "transform",
    .prepare = copy_prepare,
    .reference = copy_reference,
    .bytes = copy_bytes,
    .run = copy_run,
};
