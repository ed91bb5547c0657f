/* cost.h: estimates the costs of the algorithms for a call in picoseconds: of one core on processors, of the whole
 * device on GPUs. A call takes its cheapest algorithm, so it changes to another one where their times are equal. The
 * cost of each step is a parameter (parameter_table.inc). */
#ifndef MODERNCL_TUNING_COST_H
#define MODERNCL_TUNING_COST_H

#include "tuning/tuning.h"

/* Returns the cost of sorting one segment of this length. by_rows is 1 where all segments have this length and the host
 * knows it. */
double mcl__cost_sort_segment(const mcl_context *context, int64_t length, int by_rows, int moves_indices);

/* Returns the cost of finding the first wanted elements of one segment, in order, with a heap. */
double mcl__cost_heap(const mcl_context *context, int64_t length, int64_t wanted);

/* Returns the cost of finding the element of one rank in one segment. */
double mcl__cost_rank(const mcl_context *context, int64_t length);

/* Return the cost of sorting count keys, with or without values. The first function is for merges, the second for one
 * pass per byte of a key. */
double mcl__cost_sort_by_merges(const mcl_context *context, int64_t count, size_t key_bytes, int has_values);
double mcl__cost_sort_by_digits(const mcl_context *context, int64_t count, size_t key_bytes, int has_values);

/* Returns the cost of the cheaper of these two sorts, without values. by_digits is 1 where the keys may be sorted by
 * digits. */
double mcl__cost_sort(const mcl_context *context, int64_t count, size_t key_bytes, int by_digits);

/* Returns the cost of finding the key of one rank by rounds of selection. */
double mcl__cost_select(const mcl_context *context, int64_t count, size_t key_bytes);

#endif
