/* select.c: keeps one half of uniform elements, by a test or by flags; and keeps both halves apart. */
#include "bench.h"

#include <stdlib.h>

#define BODY "ops/select_reference.h"

/* The lower half of a type's uniform data: as device text, and what it lies below. */
static const int64_t zero_64 = 0;
static const struct12 zero_12 = { 0, 0, 0 };
static const float half_32 = 0.5f;
static const double half_64 = 0.5;
static const uint32_t middle_32 = UINT32_C(1) << 31;
static const uint64_t middle_64 = UINT64_C(1) << 63;
static const struct {
    const char *text;
    const void *middle;
} lower_half[] = {
    { "x < 0", &zero_64 },
    { "x < 0", &zero_64 },
    { "x < 0.5f", &half_32 },
    { "x < 0.5", &half_64 },
    { "x < 0x80000000u", &middle_32 },
    { "x < 0x8000000000000000u", &middle_64 },
    { "x < 0", &zero_64 },
    { "x.x < 0", &zero_12 },
};
#include "for_each_type.h"

static mcl_op keep_lower(const bench_case *c)
{
    return (mcl_op){ .role = MCL_ROLE_TEST, .expression = lower_half[c->type->index].text };
}

/* Outputs have room for everything until the reference says what belongs there. The last one takes the counts. */
static mcl_status select_prepare(bench_case *c, int outputs)
{
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    for (int k = 0; k < outputs && status == MCL_OK; k++) status = bench_add_output(c, c->type->element->type, c->n);
    return status == MCL_OK ? bench_add_output(c, MCL_INT64, outputs) : status;
}

static mcl_result select_counts(const bench_case *c)
{
    const bench_array *out = &c->problem.out[c->problem.out_count - 1];
    return mcl_to_slot(MCL_INT64, out->device, 0);
}

/* Bytes of n elements read and of those written. */
static double select_bytes(const bench_case *c)
{
    double count = (double)c->n;
    for (int k = 0; k < c->problem.out_count - 1; k++) count += (double)c->problem.out[k].count;
    return count * (double)c->type->element->type->size;
}

/* ---- a test -------------------------------------------------------------------------------------------------- */

static mcl_status select_if_prepare(bench_case *c)
{
    return select_prepare(c, 1);
}

static void select_if_expect(bench_case *c)
{
    static void (*const reference[])(bench_case *) = BENCH_PER_TYPE(select_if_reference);
    reference[c->type->index](c);
}

static mcl_status select_if_run(const bench_case *c, const mcl_options *options)
{
    const mcl_op keep = keep_lower(c);
    return mcl_compact(c->bench->queue, bench_in(c, 0), bench_out(c, 0), &keep, select_counts(c), options);
}

const bench_op bench_op_select_if_50 = {
    .name = "select_if_50",
    .recorded = "select_if_50 copy_if_50 transform_compact_50",
    .tuning = "compact",
    .prepare = select_if_prepare,
    .reference = select_if_expect,
    .bytes = select_bytes,
    .run = select_if_run,
};

/* ---- flags --------------------------------------------------------------------------------------------------- */

static mcl_status select_flagged_prepare(bench_case *c)
{
    static const char text[] = "(uint8_t)(((uint64_t)i * 0x9E3779B97F4A7C15 ^ (uint64_t)i >> 7) * "
                               "0xBF58476D1CE4E5B9 >> 63)";
    mcl_status status = select_prepare(c, 1);
    if (status == MCL_OK) status = bench_add_input(c, MCL_UINT8, c->n);
    if (status != MCL_OK) return status;
    return mcl_transform(c->bench->queue, mcl_from_expression(MCL_UINT8, text, NULL, NULL, 0, c->n),
                         mcl_to_buffer(MCL_UINT8, c->problem.in[1].device, 0, c->n), NULL);
}

static void select_flagged_expect(bench_case *c)
{
    static void (*const reference[])(bench_case *) = BENCH_PER_TYPE(select_flagged_reference);
    reference[c->type->index](c);
}

static double select_flagged_bytes(const bench_case *c)
{
    return select_bytes(c) + (double)c->n;
}

static mcl_status select_flagged_run(const bench_case *c, const mcl_options *options)
{
    return mcl_compact_flagged(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), select_counts(c),
                               options);
}

const bench_op bench_op_select_flagged_50 = {
    .name = "select_flagged_50",
    .tuning = "compact",
    .prepare = select_flagged_prepare,
    .reference = select_flagged_expect,
    .bytes = select_flagged_bytes,
    .run = select_flagged_run,
};

/* ---- both halves --------------------------------------------------------------------------------------------- */

static mcl_status partition_if_prepare(bench_case *c)
{
    return select_prepare(c, 2);
}

static void partition_if_expect(bench_case *c)
{
    static void (*const reference[])(bench_case *) = BENCH_PER_TYPE(partition_if_reference);
    reference[c->type->index](c);
}

static mcl_status partition_if_run(const bench_case *c, const mcl_options *options)
{
    const mcl_op keep = keep_lower(c);
    return mcl_partition(c->bench->queue, bench_in(c, 0), bench_out(c, 0), bench_out(c, 1), &keep, select_counts(c),
                         options);
}

const bench_op bench_op_partition_if_50 = {
    .name = "partition_if_50",
    .tuning = "compact",
    .prepare = partition_if_prepare,
    .reference = partition_if_expect,
    .bytes = select_bytes,
    .run = partition_if_run,
};
