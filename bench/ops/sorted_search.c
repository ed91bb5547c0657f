/* sorted_search.c: lower bounds of sorted needles; both directions with matches. */
#include "bench.h"

#define BODY "ops/sorted_search_reference.h"
#include "for_each_type.h"

static mcl_status search_prepare(bench_case *c, int64_t needles, int64_t haystack)
{
    mcl_status status = bench_add_input(c, c->type->element->type, needles);
    if (status == MCL_OK) status = bench_fill_sorted(c, 0, 1);
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, haystack);
    if (status == MCL_OK) status = bench_fill_sorted(c, 1, 2);
    if (status == MCL_OK) status = bench_add_output(c, MCL_INT32, needles);
    return status;
}

static mcl_status search_prepare_25_75(bench_case *c)
{
    return search_prepare(c, c->n / 4, c->n - c->n / 4);
}

static mcl_status search_prepare_50_50(bench_case *c)
{
    return search_prepare(c, c->n / 2, c->n - c->n / 2);
}

static mcl_status search_prepare_n_n(bench_case *c)
{
    return search_prepare(c, c->n, c->n);
}

static mcl_status search_prepare_complete(bench_case *c)
{
    mcl_status status = search_prepare_50_50(c);
    if (status == MCL_OK) status = bench_add_output(c, MCL_INT32, c->problem.in[1].count);
    return status;
}

static void search_expect(bench_case *c)
{
    static void (*const reference[])(const bench_case *) = BENCH_PER_TYPE(sorted_search_reference);
    reference[c->type->index](c);
}

static double search_bytes(const bench_case *c)
{
    double bytes = 0;
    for (int k = 0; k < 2; k++) bytes += (double)c->problem.in[k].count * (double)c->type->element->type->size;
    for (int k = 0; k < c->problem.out_count; k++) bytes += 4.0 * (double)c->problem.out[k].count;
    return bytes;
}

static mcl_status search_run(const bench_case *c, const mcl_options *options)
{
    return mcl_sorted_search_needles(c->bench->queue, bench_in(c, 0), bench_in(c, 1), MCL_LOWER, bench_out(c, 0),
                                     c->type->element->less, options);
}

static mcl_status search_run_complete(const bench_case *c, const mcl_options *options)
{
    return mcl_sorted_search(c->bench->queue, bench_in(c, 0), bench_in(c, 1), MCL_LOWER,
                             mcl_found_index_matches(bench_out(c, 0), mcl_to_nowhere()),
                             mcl_found_index_matches(bench_out(c, 1), mcl_to_nowhere()), c->type->element->less,
                             options);
}

#define SEARCH_OP(ending, make, call)                                                                                  \
    const bench_op bench_op_sorted_search_##ending = {                                                                 \
        .name = "sorted_search_" #ending,                                                                              \
        .tuning = "sorted_search",                                                                                     \
        .prepare = (make),                                                                                             \
        .reference = search_expect,                                                                                    \
        .bytes = search_bytes,                                                                                         \
        .run = (call),                                                                                                 \
    };
SEARCH_OP(lower_25_75, search_prepare_25_75, search_run)
SEARCH_OP(lower_50_50, search_prepare_50_50, search_run)
SEARCH_OP(lower_n_n, search_prepare_n_n, search_run)
SEARCH_OP(complete_50_50, search_prepare_complete, search_run_complete)
