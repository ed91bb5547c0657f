/* inputs.c: how the inputs of rows are spread. */
#include "bench.h"

static mcl_status add_values(bench_case *c, int64_t first, int64_t count)
{
    const mcl_status status = bench_add_elements(c, c->variant.value, count);
    return status == MCL_OK ? bench_fill_counting(c, c->problem.in_count - 1, first) : status;
}

/* bound: of the numbers; 0: all of the type's. */
static mcl_status add_sorted(bench_case *c, int64_t count, uint64_t seed, int64_t bound)
{
    const int index = c->problem.in_count;
    const mcl_status status = bench_add_elements(c, c->variant.element, count);
    if (status != MCL_OK) return status;
    return bound ? bench_fill_sorted_below(c, index, seed, bound) : bench_fill_sorted(c, index, seed);
}

static mcl_status sorted_parts(bench_case *c, int64_t bound)
{
    const int64_t first = c->op->share ? c->n * c->op->share / 100 : c->n / 2;
    mcl_status status = add_sorted(c, first, 1, bound);
    if (status == MCL_OK) status = add_sorted(c, c->n - first, 2, bound);
    if (status == MCL_OK && c->op->has_values) status = add_values(c, 0, first);
    if (status == MCL_OK && c->op->has_values) status = add_values(c, first, c->n - first);
    return status;
}

mcl_status bench_sorted_wholes(bench_case *c)
{
    const mcl_status status = add_sorted(c, c->n, 1, 0);
    return status == MCL_OK ? add_sorted(c, c->n, 2, 0) : status;
}

mcl_status bench_sorted_parts(bench_case *c)
{
    return sorted_parts(c, 0);
}

mcl_status bench_sorted_parts_half(bench_case *c)
{
    return sorted_parts(c, c->n / 2);
}
