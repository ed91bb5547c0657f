/* child.h: child processes of moderncl-bench, which are this program again with --child. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include "bench.h"

/* Runs this program on the bench's device with further arguments (NULL ends them), and reads the numbers that it
 * prints. Returns 0, or -1 where it does not print as many. */
int bench_child_run(const bench *b, const char *const *arguments, double *numbers, int count);

/* Does this process's work when options->child is set; returns its exit status. */
int first_result_child(const bench_options *options);
int cold_child(const bench_options *options);

#endif
