/* ops.c: the list of operations. */
#include "bench.h"

const bench_op *const bench_ops[] = {
#define X(name) &bench_op_##name,
    BENCH_OP_LIST(X)
#undef X
};
const int bench_op_count = sizeof bench_ops / sizeof *bench_ops;
