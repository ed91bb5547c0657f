/* join.c: relational joins of two sorted halves whose keys lie in [0, n / 2). */
#include "bench.h"

#define BODY "ops/join_reference.h"
#include "for_each_type.h"

static mcl_status join_prepare(bench_case *c)
{
    const int64_t half = c->n / 2;
    const int64_t room = c->n + c->n / 4 + 1000; /* outer joins have about 0.87 n rows */
    mcl_status status = bench_add_input(c, c->type->element->type, half);
    if (status == MCL_OK) status = bench_fill_sorted_below(c, 0, 1, half);
    if (status == MCL_OK) status = bench_add_input(c, c->type->element->type, c->n - half);
    if (status == MCL_OK) status = bench_fill_sorted_below(c, 1, 2, half);
    if (status == MCL_OK) status = bench_add_output(c, MCL_INT32, room);
    if (status == MCL_OK) status = bench_add_output(c, MCL_INT32, room);
    return status;
}

static void join_expect(bench_case *c, int keeps)
{
    static void (*const reference[])(bench_case *, int) = BENCH_PER_TYPE(join_reference);
    reference[c->type->index](c, keeps);
}

static double join_bytes(const bench_case *c)
{
    return (double)c->n * (double)c->type->element->type->size + 8.0 * (double)c->problem.out[0].count;
}

/* Floats below n / 2 are too few: keys would repeat more often than those of other types. */
#define JOIN_OP(ending, kind, keeps, rows)                                                                             \
    static void join_##ending##_expect(bench_case *c)                                                                  \
    {                                                                                                                  \
        join_expect(c, keeps);                                                                                         \
    }                                                                                                                  \
    static mcl_status join_##ending##_run(const bench_case *c, const mcl_options *options)                             \
    {                                                                                                                  \
        return mcl_join(c->bench->queue, kind, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), bench_out(c, 1),       \
                        c->type->element->less, mcl_to_nowhere(), options);                                            \
    }                                                                                                                  \
    const bench_op bench_op_join_##ending = {                                                                          \
        .name = "join_" #ending,                                                                                       \
        .types = "int32 int64 float64 uint32 uint64",                                                                  \
        .recorded = rows,                                                                                              \
        .tuning = "join",                                                                                              \
        .prepare = join_prepare,                                                                                       \
        .reference = join_##ending##_expect,                                                                           \
        .bytes = join_bytes,                                                                                           \
        .run = join_##ending##_run,                                                                                    \
    };

JOIN_OP(inner, MCL_JOIN_INNER, 0, "join_inner inner_join inner_join_idiom")
JOIN_OP(left, MCL_JOIN_LEFT, 1, "join_left")
JOIN_OP(right, MCL_JOIN_RIGHT, 2, "join_right")
JOIN_OP(outer, MCL_JOIN_OUTER, 3, "join_outer")
