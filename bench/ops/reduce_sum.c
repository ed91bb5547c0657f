/* reduce_sum.c: sums elements into a slot on the device. */
#include "bench.h"

#define BODY "ops/reduce_reference.h"
#include "for_each_type.h"

static mcl_status reduce_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, 1);
    return status;
}

static void reduce_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(reduce_reference);
    reference[c->type->index](c);
}

static double reduce_bytes(const bench_case *c)
{
    return (double)c->n * (double)c->type->element->type->size;
}

static mcl_status reduce_run(const bench_case *c, const mcl_options *options)
{
    const bench_array *out = &c->problem.out[0];
    return mcl_reduce(c->bench->queue, bench_in(c, 0), c->type->element->sum, mcl_to_slot(out->type, out->device, 0),
                      options);
}

const bench_op bench_op_reduce_sum = {
    .name = "reduce_sum",
    .tuning = "reduce",
    .prepare = reduce_prepare,
    .reference = reduce_expect,
    .bytes = reduce_bytes,
    .run = reduce_run,
};
