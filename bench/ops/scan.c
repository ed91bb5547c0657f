/* scan.c: prefix sums; the place of the largest element so far, from elements and from pairs of element and index. */
#include "bench.h"

#include <stdio.h>

#define BODY "ops/scan_reference.h"
#include "for_each_type.h"

#define ELEMENT_NAMES "int32 int64 float32 float64 uint32 uint64"

/* ---- sums ---------------------------------------------------------------------------- */

static mcl_status scan_sum_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n);
    return status;
}

static void scan_sum_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(scan_sum_reference);
    reference[c->type->index](c);
}

static double scan_sum_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)c->type->element->type->size;
}

static mcl_status scan_sum_run(const bench_case *c, const mcl_options *options)
{
    return mcl_scan(c->bench->queue, bench_in(c, 0), bench_out(c, 0), c->type->element->sum, MCL_EXCLUSIVE,
                    mcl_to_nowhere(), options);
}

const bench_op bench_op_exclusive_scan_sum = {
    .name = "exclusive_scan_sum",
    .tuning = "scan",
    .prepare = scan_sum_prepare,
    .reference = scan_sum_expect,
    .bytes = scan_sum_bytes,
    .run = scan_sum_run,
};

/* Tiles are chosen by the accumulator: an element with its index. */
static size_t scan_at_bytes(const bench_type *type)
{
    return type->at->size;
}

/* ---- elements in, places of the largest out -------------------------------------------------------- */

static mcl_status scan_maxindex_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = bench_add_output(c, MCL_INT32, c->n);
    return status;
}

static void scan_maxindex_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(scan_maxindex_reference);
    reference[c->type->index](c);
}

static double scan_maxindex_bytes(const bench_case *c)
{
    return (double)c->n * (double)(c->type->element->type->size + sizeof(int32_t));
}

static mcl_status scan_maxindex_run(const bench_case *c, const mcl_options *options)
{
    return mcl_scan(c->bench->queue, bench_in(c, 0), bench_out(c, 0), MCL_MAX_INDEX, MCL_INCLUSIVE, mcl_to_nowhere(),
                    options);
}

const bench_op bench_op_scan_maxindex = {
    .name = "scan_maxindex",
    .types = ELEMENT_NAMES " int8",
    .recorded = "", /* the recorded scan_maxindex moves pairs both ways: it belongs to scan_maxpair */
    .tuning = "scan",
    .tile_bytes = scan_at_bytes,
    .prepare = scan_maxindex_prepare,
    .reference = scan_maxindex_expect,
    .bytes = scan_maxindex_bytes,
    .run = scan_maxindex_run,
};

/* ---- pairs in, pairs out ---------------------------------------------------------------------------- */

static mcl_status scan_maxpair_fill(bench_case *c, mcl_buffer *keys)
{
    char source[512];
    (void)snprintf(source, sizeof source,
                   "static inline %s bench_pair(const %s key, const int64_t i)\n"
                   "{ %s pair; pair.value = key; pair.index = i; return pair; }",
                   c->type->at_text, c->type->element->type->name, c->type->at_text);
    const mcl_binding key = mcl_binding_buffer("keys", c->type->element->type, keys, 0);
    const mcl_input pairs = mcl_from_expression(c->type->at, "bench_pair(keys[i], i)", source, &key, 1, c->n);
    const bench_array *in = &c->problem.in[0];
    return mcl_transform(c->bench->queue, pairs, mcl_to_buffer(in->type, in->device, 0, in->count), NULL);
}

/* The keys are made as the first input and leave with it. */
static mcl_status scan_maxpair_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status != MCL_OK) return status;
    const bench_array keys = c->problem.in[0];
    c->problem.in_count = 0;
    status = bench_add_input(c, c->type->at, c->n);
    if (status == MCL_OK) status = scan_maxpair_fill(c, keys.device);
    if (status == MCL_OK) status = bench_add_output(c, c->type->at, c->n);
    bench_array_free(&keys);
    return status;
}

static void scan_maxpair_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(scan_maxpair_reference);
    reference[c->type->index](c);
}

static double scan_maxpair_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)c->type->at->size;
}

static mcl_status scan_maxpair_run(const bench_case *c, const mcl_options *options)
{
    static const mcl_op larger = { .role = MCL_ROLE_FOLD, .expression = "q.value > p.value ? q : p" };
    return mcl_scan(c->bench->queue, bench_in(c, 0), bench_out(c, 0), &larger, MCL_INCLUSIVE, mcl_to_nowhere(),
                    options);
}

const bench_op bench_op_scan_maxpair = {
    .name = "scan_maxpair",
    .types = ELEMENT_NAMES,
    .recorded = "scan_maxindex",
    .tuning = "scan",
    .tile_bytes = scan_at_bytes,
    .prepare = scan_maxpair_prepare,
    .reference = scan_maxpair_expect,
    .bytes = scan_maxpair_bytes,
    .run = scan_maxpair_run,
};
