/* expand_by_scan.c: expands intervals without load balancing, by scatter, scan and gather, for comparison. */
#include "bench.h"

mcl_status bench_expand_by_scan_prepare(bench_case *c)
{
    const mcl_status status = bench_intervals(c);
    return status == MCL_OK ? bench_add_input(c, MCL_INT32, c->n)
                            : status; /* the interval of each item, which each run writes */
}

/* Expands by scatter, scan and gather. Each interval that has items marks its first item, and the largest mark so far
 * is an item's interval. */
mcl_status bench_expand_by_scan(const bench_case *c, const mcl_options *options)
{
    const int32_t zero = 0;
    const int64_t intervals = c->problem.in[0].count;
    mcl_queue *const queue = c->bench->queue;
    const mcl_output marks = mcl_to_buffer(MCL_INT32, c->problem.in[2].device, 0, c->n);
    const mcl_input marked = mcl_from_buffer(MCL_INT32, c->problem.in[2].device, 0, c->n);
    const mcl_binding of_offsets[] = { mcl_binding_buffer("offsets", MCL_INT32, c->problem.in[0].device, 0),
                                       mcl_binding_value("intervals", MCL_INT64, &intervals),
                                       mcl_binding_value("items", MCL_INT64, &c->n) };
    const mcl_binding of_values[] = { mcl_binding_buffer("values", c->type->element->type, c->problem.in[1].device, 0),
                                      mcl_binding_buffer("marks", MCL_INT32, c->problem.in[2].device, 0) };
    const mcl_input has_items = mcl_from_expression(
        MCL_INT32, "offsets[i] < (i + 1 < intervals ? offsets[i + 1] : items)", NULL, of_offsets, 3, intervals);
    mcl_status status = mcl_transform(queue, mcl_from_constant(MCL_INT32, &zero, c->n), marks, NULL);
    if (status == MCL_OK)
        status = mcl_scatter_flagged(queue, mcl_from_counting(MCL_INT32, &zero, intervals), bench_in(c, 0), has_items,
                                     marks, NULL);
    if (status == MCL_OK) status = mcl_scan(queue, marked, marks, MCL_MAX, MCL_INCLUSIVE, mcl_to_nowhere(), NULL);
    if (status == MCL_OK)
        status = mcl_transform(
            queue, mcl_from_expression(c->type->element->type, "values[marks[i]]", NULL, of_values, 2, c->n),
            bench_out(c, 0), options);
    return status;
}
