/* interval.c: expands and moves intervals. Inputs: what is moved, offsets, then gather and scatter where there are. */
#include "bench.h"

#include <string.h>

static int64_t interval_end(const bench_case *c, int64_t k)
{
    const int32_t *offsets = c->problem.in[1].host;
    return k + 1 < c->problem.in[1].count ? offsets[k + 1] : c->n;
}

/* Starts of source and target in one of the lists; NULL: the offsets themselves. */
static void interval_copy(bench_case *c, const int32_t *gather, const int32_t *scatter)
{
    const size_t size = c->type->element->type->size;
    const int32_t *offsets = c->problem.in[1].host;
    const char *in = c->problem.in[0].host;
    char *out = c->problem.out[0].host;
    for (int64_t k = 0; k < c->problem.in[1].count; k++) {
        const int64_t from = gather ? gather[k] : offsets[k];
        const int64_t to = scatter ? scatter[k] : offsets[k];
        memcpy(out + (size_t)to * size, in + (size_t)from * size, (size_t)(interval_end(c, k) - offsets[k]) * size);
    }
}

static mcl_status interval_prepare(bench_case *c, int64_t elements, int lists)
{
    const int64_t intervals = bench_object_count(c);
    mcl_status status = bench_add_input(c, c->type->element->type, elements);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = bench_add_input(c, MCL_INT32, intervals);
    if (status == MCL_OK) status = bench_fill_offsets(c, 1, 68);
    for (int k = 0; k < lists && status == MCL_OK; k++) {
        status = bench_add_input(c, MCL_INT32, intervals);
        if (status == MCL_OK) status = bench_fill_starts(c, 2 + k, 1, 69 + (uint64_t)k);
    }
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n);
    return status;
}

/* ---- expand ---------------------------------------------------------------------------- */

static mcl_status expand_prepare(bench_case *c)
{
    return interval_prepare(c, bench_object_count(c), 0);
}

static void expand_expect(bench_case *c)
{
    const size_t size = c->type->element->type->size;
    const int32_t *offsets = c->problem.in[1].host;
    const char *values = c->problem.in[0].host;
    char *out = c->problem.out[0].host;
    for (int64_t k = 0; k < c->problem.in[1].count; k++)
        for (int64_t i = offsets[k]; i < interval_end(c, k); i++)
            memcpy(out + (size_t)i * size, values + (size_t)k * size, size);
}

static double expand_bytes(const bench_case *c)
{
    const double size = (double)c->type->element->type->size;
    return (double)c->problem.in[1].count * (size + 4) + (double)c->n * size;
}

static mcl_status expand_run(const bench_case *c, const mcl_options *options)
{
    return mcl_interval_expand(c->bench->queue, mcl_work_items(c->n), bench_in(c, 0), bench_in(c, 1), bench_out(c, 0),
                               options);
}

/* ---- expand without load balancing, to compare with ------------------------------------------------- */

static mcl_status expand_by_scan_prepare(bench_case *c)
{
    mcl_status status = expand_prepare(c);
    if (status == MCL_OK) status = bench_add_input(c, MCL_INT32, c->n); /* the item's interval: written by each run */
    return status;
}

/* Each interval that has items marks its first one; the largest mark so far is the item's interval. */
static mcl_status expand_by_scan_run(const bench_case *c, const mcl_options *options)
{
    const int32_t zero = 0;
    const int64_t intervals = c->problem.in[1].count;
    mcl_queue *const queue = c->bench->queue;
    const mcl_output marks = mcl_to_buffer(MCL_INT32, c->problem.in[2].device, 0, c->n);
    const mcl_input marked = mcl_from_buffer(MCL_INT32, c->problem.in[2].device, 0, c->n);
    const mcl_binding of_offsets[] = { mcl_binding_buffer("offsets", MCL_INT32, c->problem.in[1].device, 0),
                                       mcl_binding_value("intervals", MCL_INT64, &intervals),
                                       mcl_binding_value("items", MCL_INT64, &c->n) };
    const mcl_binding of_values[] = { mcl_binding_buffer("values", c->type->element->type, c->problem.in[0].device, 0),
                                      mcl_binding_buffer("marks", MCL_INT32, c->problem.in[2].device, 0) };
    const mcl_input has_items = mcl_from_expression(
        MCL_INT32, "offsets[i] < (i + 1 < intervals ? offsets[i + 1] : items)", NULL, of_offsets, 3, intervals);
    mcl_status status = mcl_transform(queue, mcl_from_constant(MCL_INT32, &zero, c->n), marks, NULL);
    if (status == MCL_OK)
        status = mcl_scatter_flagged(queue, mcl_from_counting(MCL_INT32, &zero, intervals), bench_in(c, 1), has_items,
                                     marks, NULL);
    if (status == MCL_OK) status = mcl_scan(queue, marked, marks, MCL_MAX, MCL_INCLUSIVE, mcl_to_nowhere(), NULL);
    if (status == MCL_OK)
        status = mcl_transform(
            queue, mcl_from_expression(c->type->element->type, "values[marks[i]]", NULL, of_values, 2, c->n),
            bench_out(c, 0), options);
    return status;
}

#define expand_by_scan_expect expand_expect

/* ---- move, gather, scatter ---------------------------------------------------------------------------- */

static double move_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)c->type->element->type->size + 12.0 * (double)c->problem.in[1].count;
}

static mcl_status move_prepare(bench_case *c)
{
    return interval_prepare(c, c->n, 2);
}

static void move_expect(bench_case *c)
{
    interval_copy(c, c->problem.in[2].host, c->problem.in[3].host);
}

static mcl_status move_run(const bench_case *c, const mcl_options *options)
{
    return mcl_interval_move(c->bench->queue, mcl_work_items(c->n), bench_in(c, 0), bench_in(c, 2), bench_in(c, 3),
                             bench_in(c, 1), bench_out(c, 0), options);
}

static mcl_status gather_prepare(bench_case *c)
{
    return interval_prepare(c, c->n, 1);
}

static void gather_expect(bench_case *c)
{
    interval_copy(c, c->problem.in[2].host, NULL);
}

static mcl_status gather_run(const bench_case *c, const mcl_options *options)
{
    return mcl_interval_gather(c->bench->queue, mcl_work_items(c->n), bench_in(c, 0), bench_in(c, 2), bench_in(c, 1),
                               bench_out(c, 0), options);
}

static mcl_status scatter_prepare(bench_case *c)
{
    return interval_prepare(c, c->n, 1);
}

static void scatter_expect(bench_case *c)
{
    interval_copy(c, NULL, c->problem.in[2].host);
}

static mcl_status scatter_run(const bench_case *c, const mcl_options *options)
{
    return mcl_interval_scatter(c->bench->queue, mcl_work_items(c->n), bench_in(c, 0), bench_in(c, 2), bench_in(c, 1),
                                bench_out(c, 0), options);
}

#define INTERVAL_OP(kind, ending, moved, peers)                                                                        \
    const bench_op bench_op_interval_##kind##_##ending = {                                                             \
        .name = "interval_" #kind "_" #ending,                                                                         \
        .recorded = (peers),                                                                                           \
        .tuning = "interval",                                                                                          \
        .prepare = kind##_prepare,                                                                                     \
        .reference = kind##_expect,                                                                                    \
        .bytes = (moved),                                                                                              \
        .run = kind##_run,                                                                                             \
    };
#define EXPAND_OP(ending)                                                                                              \
    INTERVAL_OP(expand, ending, expand_bytes, "interval_expand_" #ending " expand_copy_batched_" #ending)
#define MOVE_OP(kind, ending)                                                                                          \
    INTERVAL_OP(kind, ending, move_bytes, "interval_move_" #ending " copy_batched_" #ending " memcpy_batched_" #ending)
EXPAND_OP(avg25)
EXPAND_OP(avg100)
EXPAND_OP(avg1000)
EXPAND_OP(half)
INTERVAL_OP(expand_by_scan, avg25, expand_bytes, "")
INTERVAL_OP(expand_by_scan, avg1000, expand_bytes, "")
MOVE_OP(move, avg25)
MOVE_OP(move, avg100)
MOVE_OP(move, avg1000)
MOVE_OP(move, half)
MOVE_OP(gather, avg25)
MOVE_OP(gather, avg100)
MOVE_OP(gather, avg1000)
MOVE_OP(scatter, avg25)
MOVE_OP(scatter, avg100)
MOVE_OP(scatter, avg1000)
