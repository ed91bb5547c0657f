/* first_result.h: the child processes of the first_result row. */
#ifndef BENCH_FIRST_RESULT_H
#define BENCH_FIRST_RESULT_H

#include "bench.h"

/* What this process does when options->child is set; its exit status. */
int first_result_child(const bench_options *options);

#endif
