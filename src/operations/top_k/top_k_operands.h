/* top_k_operands.h: operands of the calls that select in one sequence (selection.c, top_k.c, top_k_few.c,
 * top_k_sorted.c, top_k_by_sort.c). */
#ifndef MODERNCL_TOP_K_OPERANDS_H
#define MODERNCL_TOP_K_OPERANDS_H

/* Operands. ORDER has the indices of the keys in sorted order, which an earlier step has made. */
enum { IN = 1, IN_VALUES, BEFORE, OUT, OUT_VALUES, OUT_INDICES, RESULT, CHOSEN, AMOUNTS, ORDER };

#endif
