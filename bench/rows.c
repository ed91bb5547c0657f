/* rows.c: what is measured of the operations that the tests know too: an operation, and how its inputs are spread. */
#include "bench.h"

#define ROW(row, operation_, ...)                                                                                      \
    const bench_op bench_op_##row = { .name = #row,                                                                    \
                                      .operation = &operation_##_case,                                                 \
                                      .reference = bench_operation_expect,                                             \
                                      .bytes = bench_operation_bytes,                                                  \
                                      .run = bench_operation_run,                                                      \
                                      __VA_ARGS__ };

/* ---- two sorted inputs ---- */

ROW(merge_keys, merge, .tuning = "merge", .prepare = bench_sorted_parts)
ROW(merge_pairs, merge, .tuning = "merge_pairs", .has_values = 1, .prepare = bench_sorted_parts)
