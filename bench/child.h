/* child.h: child processes of moderncl-bench, which are this program again with --child. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include "bench.h"

/* Runs this program on the bench's device with further arguments, which NULL ends, and reads count numbers from its
 * output. Returns 0, or -1 where it does not print count numbers. */
int bench_child_run(const bench *b, const char *const *arguments, double *numbers, int count);

/* Do this process's work where options->child is set, and return the exit status. */
int first_result_child(const bench_options *options);
int cold_child(const bench_options *options);

#endif
