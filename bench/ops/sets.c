/* sets.c: the multiset operations on two sorted halves whose keys lie in [0, n / 2), of keys and of pairs. */
#include "bench.h"

#define BODY "ops/sets_reference.h"
#include "for_each_type.h"

#define TYPE_NAMES "int32 int64 float32 float64 uint32 uint64"

static mcl_status sets_add_half(bench_case *c, int64_t first, int64_t count, uint64_t seed, int pairs)
{
    mcl_status status = bench_add_input(c, c->type->element->type, count);
    if (status == MCL_OK) status = bench_fill_sorted_below(c, c->problem.in_count - 1, seed, c->n / 2);
    if (status == MCL_OK && pairs) status = bench_add_input(c, c->type->value->type, count);
    if (status == MCL_OK && pairs) status = bench_fill_counting(c, c->problem.in_count - 1, first);
    return status;
}

static mcl_status sets_prepare(bench_case *c, int pairs)
{
    const int64_t half = c->n / 2;
    mcl_status status = sets_add_half(c, 0, half, 1, pairs);
    if (status == MCL_OK) status = sets_add_half(c, half, c->n - half, 2, pairs);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n);
    if (status == MCL_OK && pairs) status = bench_add_output(c, c->type->value->type, c->n);
    return status;
}

static mcl_status sets_prepare_keys(bench_case *c)
{
    return sets_prepare(c, 0);
}

static mcl_status sets_prepare_pairs(bench_case *c)
{
    return sets_prepare(c, 1);
}

static void sets_expect(bench_case *c, int kept)
{
    static void (*const reference[])(bench_case *, int) = BENCH_PER_TYPE(sets_reference);
    reference[c->type->index](c, kept);
}

static double sets_bytes(const bench_case *c)
{
    const double key = (double)c->type->element->type->size;
    const double value = c->problem.in_count == 4 ? (double)c->type->value->type->size : 0;
    return ((double)c->n + (double)c->problem.out[0].count) * (key + value);
}

/* Values come from a alone. */
static double sets_bytes_of_a(const bench_case *c)
{
    const double key = (double)c->type->element->type->size;
    const double value = (double)c->type->value->type->size;
    return (double)(c->n / 2) * (2 * key + value) + (double)c->problem.out[0].count * (key + value);
}

/* ---- intersection ---------------------------------------------------------------------------- */

static void intersection_expect(bench_case *c)
{
    sets_expect(c, 4);
}

static mcl_status intersection_run(const bench_case *c, const mcl_options *options)
{
    return mcl_set_intersection(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0),
                                c->type->element->less, mcl_to_nowhere(), options);
}

static mcl_status intersection_pairs_run(const bench_case *c, const mcl_options *options)
{
    return mcl_set_intersection_pairs(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_in(c, 2), bench_in(c, 3),
                                      bench_out(c, 0), bench_out(c, 1), c->type->element->less, mcl_to_nowhere(),
                                      options);
}

const bench_op bench_op_set_intersection = {
    .name = "set_intersection",
    .types = TYPE_NAMES,
    .recorded = "set_intersection multiset_intersection",
    .tuning = "sets",
    .prepare = sets_prepare_keys,
    .reference = intersection_expect,
    .bytes = sets_bytes,
    .run = intersection_run,
};

const bench_op bench_op_set_intersection_pairs = {
    .name = "set_intersection_pairs",
    .types = TYPE_NAMES,
    .recorded = "set_intersection_by_key multiset_intersection_pairs",
    .tuning = "sets_pairs",
    .prepare = sets_prepare_pairs,
    .reference = intersection_expect,
    .bytes = sets_bytes_of_a,
    .run = intersection_pairs_run,
};

/* ---- union ---------------------------------------------------------------------------- */

static void union_expect(bench_case *c)
{
    sets_expect(c, 7);
}

static mcl_status union_run(const bench_case *c, const mcl_options *options)
{
    return mcl_set_union(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), c->type->element->less,
                         mcl_to_nowhere(), options);
}

static mcl_status union_pairs_run(const bench_case *c, const mcl_options *options)
{
    return mcl_set_union_pairs(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_in(c, 2), bench_in(c, 3),
                               bench_out(c, 0), bench_out(c, 1), c->type->element->less, mcl_to_nowhere(), options);
}

const bench_op bench_op_set_union = {
    .name = "set_union",
    .types = TYPE_NAMES,
    .recorded = "set_union multiset_union",
    .tuning = "sets",
    .prepare = sets_prepare_keys,
    .reference = union_expect,
    .bytes = sets_bytes,
    .run = union_run,
};

const bench_op bench_op_set_union_pairs = {
    .name = "set_union_pairs",
    .types = TYPE_NAMES,
    .recorded = "set_union_by_key multiset_union_pairs",
    .tuning = "sets_pairs",
    .prepare = sets_prepare_pairs,
    .reference = union_expect,
    .bytes = sets_bytes,
    .run = union_pairs_run,
};

/* ---- difference ---------------------------------------------------------------------------- */

static void difference_expect(bench_case *c)
{
    sets_expect(c, 1);
}

static mcl_status difference_run(const bench_case *c, const mcl_options *options)
{
    return mcl_set_difference(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), c->type->element->less,
                              mcl_to_nowhere(), options);
}

static mcl_status difference_pairs_run(const bench_case *c, const mcl_options *options)
{
    return mcl_set_difference_pairs(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_in(c, 2), bench_in(c, 3),
                                    bench_out(c, 0), bench_out(c, 1), c->type->element->less, mcl_to_nowhere(),
                                    options);
}

const bench_op bench_op_set_difference = {
    .name = "set_difference",
    .types = TYPE_NAMES,
    .recorded = "set_difference multiset_difference",
    .tuning = "sets",
    .prepare = sets_prepare_keys,
    .reference = difference_expect,
    .bytes = sets_bytes,
    .run = difference_run,
};

const bench_op bench_op_set_difference_pairs = {
    .name = "set_difference_pairs",
    .types = TYPE_NAMES,
    .recorded = "set_difference_by_key multiset_difference_pairs",
    .tuning = "sets_pairs",
    .prepare = sets_prepare_pairs,
    .reference = difference_expect,
    .bytes = sets_bytes,
    .run = difference_pairs_run,
};

/* ---- symmetric difference ---------------------------------------------------------------------------- */

static void symmetric_difference_expect(bench_case *c)
{
    sets_expect(c, 3);
}

static mcl_status symmetric_difference_run(const bench_case *c, const mcl_options *options)
{
    return mcl_set_symmetric_difference(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0),
                                        c->type->element->less, mcl_to_nowhere(), options);
}

static mcl_status symmetric_difference_pairs_run(const bench_case *c, const mcl_options *options)
{
    return mcl_set_symmetric_difference_pairs(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_in(c, 2),
                                              bench_in(c, 3), bench_out(c, 0), bench_out(c, 1), c->type->element->less,
                                              mcl_to_nowhere(), options);
}

const bench_op bench_op_set_symmetric_difference = {
    .name = "set_symmetric_difference",
    .types = TYPE_NAMES,
    .recorded = "set_symmetric_difference multiset_symmetric_difference",
    .tuning = "sets",
    .prepare = sets_prepare_keys,
    .reference = symmetric_difference_expect,
    .bytes = sets_bytes,
    .run = symmetric_difference_run,
};

const bench_op bench_op_set_symmetric_difference_pairs = {
    .name = "set_symmetric_difference_pairs",
    .types = TYPE_NAMES,
    .recorded = "set_symmetric_difference_by_key multiset_symmetric_difference_pairs",
    .tuning = "sets_pairs",
    .prepare = sets_prepare_pairs,
    .reference = symmetric_difference_expect,
    .bytes = sets_bytes,
    .run = symmetric_difference_pairs_run,
};
