/* cost.h: estimates what the algorithms for a call cost: on processors in picoseconds of one core, on GPUs in
 * picoseconds. A call takes the cheapest of its algorithms, so it changes to another where their times are equal. The
 * numbers are parameters (parameter_table.inc). */
#ifndef MODERNCL_TUNING_COST_H
#define MODERNCL_TUNING_COST_H

#include "tuning/tuning.h"

/* Returns the cost of sorting one segment. by_rows: all segments have this length, and the host knows it. */
double mcl__cost_sort_segment(const mcl_context *context, int64_t length, int by_rows, int moves_indices);

/* Returns the cost of finding the first wanted elements of one segment in order, by a heap. */
double mcl__cost_heap(const mcl_context *context, int64_t length, int64_t wanted);

/* Returns the cost of finding the element of one rank of one segment. */
double mcl__cost_rank(const mcl_context *context, int64_t length);

/* Return the cost of sorting count keys, without or with values: by merges, and by a pass for each of key_bytes. */
double mcl__cost_sort_by_merges(const mcl_context *context, int64_t count, size_t key_bytes, int has_values);
double mcl__cost_sort_by_digits(const mcl_context *context, int64_t count, size_t key_bytes, int has_values);

/* Returns the cost of the cheaper of these two sorts, without values. by_digits: keys may be sorted by digits. */
double mcl__cost_sort(const mcl_context *context, int64_t count, size_t key_bytes, int by_digits);

/* Returns the cost of finding the key of one rank, by rounds of a search. */
double mcl__cost_select(const mcl_context *context, int64_t count, size_t key_bytes);

#endif
