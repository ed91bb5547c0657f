/* merge.c: merges two sorted halves, of keys and of pairs. */
#include "bench.h"

#define BODY "ops/merge_reference.h"
#include "for_each_type.h"

static mcl_status merge_add_half(bench_case *c, int64_t first, int64_t count, uint64_t seed, int pairs)
{
    mcl_status status = bench_add_input(c, c->type->type, count);
    if (status == MCL_OK) status = bench_fill_sorted(c, c->problem.in_count - 1, seed);
    if (status == MCL_OK && pairs) status = bench_add_input(c, c->type->value, count);
    if (status == MCL_OK && pairs) status = bench_fill_counting(c, c->problem.in_count - 1, first);
    return status;
}

static mcl_status merge_prepare(bench_case *c, int pairs)
{
    const int64_t half = c->n / 2;
    mcl_status status = merge_add_half(c, 0, half, 1, pairs);
    if (status == MCL_OK) status = merge_add_half(c, half, c->n - half, 2, pairs);
    if (status == MCL_OK) status = bench_add_output(c, c->type->type, c->n);
    if (status == MCL_OK && pairs) status = bench_add_output(c, c->type->value, c->n);
    return status;
}

static void merge_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(merge_reference);
    reference[c->type->index](c);
}

static mcl_status merge_keys_prepare(bench_case *c)
{
    return merge_prepare(c, 0);
}

static double merge_keys_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)c->type->type->size;
}

static mcl_status merge_keys_run(const bench_case *c, const mcl_options *options)
{
    return mcl_merge(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), c->type->less, options);
}

const bench_op bench_op_merge_keys = {
    .name = "merge_keys",
    .tuning = "merge",
    .prepare = merge_keys_prepare,
    .reference = merge_expect,
    .bytes = merge_keys_bytes,
    .run = merge_keys_run,
};

static mcl_status merge_pairs_prepare(bench_case *c)
{
    return merge_prepare(c, 1);
}

static double merge_pairs_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)(c->type->type->size + c->type->value->size);
}

static mcl_status merge_pairs_run(const bench_case *c, const mcl_options *options)
{
    return mcl_merge_pairs(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_in(c, 2), bench_in(c, 3),
                           bench_out(c, 0), bench_out(c, 1), c->type->less, options);
}

const bench_op bench_op_merge_pairs = {
    .name = "merge_pairs",
    .tuning = "merge_pairs",
    .prepare = merge_pairs_prepare,
    .reference = merge_expect,
    .bytes = merge_pairs_bytes,
    .run = merge_pairs_run,
};
