/* load_balance.c: the object of every work unit. */
#include "bench.h"

static mcl_status balance_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, MCL_INT32, bench_object_count(c));
    if (status == MCL_OK) status = bench_fill_offsets(c, 0, 13);
    if (status == MCL_OK) status = bench_add_output(c, MCL_INT32, c->n);
    return status;
}

static void balance_expect(bench_case *c)
{
    const int32_t *offsets = c->problem.in[0].host;
    const int64_t count = c->problem.in[0].count;
    int32_t *out = c->problem.out[0].host;
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = offsets[k]; i < (k + 1 < count ? offsets[k + 1] : c->n); i++) out[i] = (int32_t)k;
}

static double balance_bytes(const bench_case *c)
{
    return 4.0 * (double)(c->problem.in[0].count + c->n);
}

static mcl_status balance_run(const bench_case *c, const mcl_options *options)
{
    const mcl_output none = { 0 };
    return mcl_load_balance_search(c->bench->queue, mcl_work_items(c->n), bench_in(c, 0), bench_out(c, 0), none,
                                   options);
}

#define BALANCE_OP(ending)                                                                                             \
    const bench_op bench_op_load_balance_search_##ending = {                                                           \
        .name = "load_balance_search_" #ending,                                                                        \
        .types = "int32",                                                                                              \
        .tuning = "load_balance",                                                                                      \
        .prepare = balance_prepare,                                                                                    \
        .reference = balance_expect,                                                                                   \
        .bytes = balance_bytes,                                                                                        \
        .run = balance_run,                                                                                            \
    };
BALANCE_OP(avg10)
BALANCE_OP(avg25)
BALANCE_OP(avg100)
BALANCE_OP(avg1000)
BALANCE_OP(half)
