/* plain_join.h: finds the rows of a join of int32 keys by comparing every pair. */
#ifndef TEST_PLAIN_JOIN_H
#define TEST_PLAIN_JOIN_H

#include <moderncl/join.h>

/* Joins in the plain way, for one kind of join. It stores the row numbers of all rows and returns the number of
 * rows. */
static inline int64_t plain_join(int kind, const int32_t *a, int m, const int32_t *b, int n, int32_t *rows_a,
                                 int32_t *rows_b)
{
    int64_t count = 0;
    for (int i = 0; i < m; i++) {
        const int64_t first = count;
        for (int j = 0; j < n && kind < MCL_JOIN_SEMI; j++) {
            if (a[i] != b[j]) continue;
            rows_a[count] = i;
            rows_b[count++] = j;
        }
        if (count == first && (kind == MCL_JOIN_LEFT || kind == MCL_JOIN_OUTER)) {
            rows_a[count] = i;
            rows_b[count++] = -1;
        }
    }
    for (int j = 0; j < n && (kind == MCL_JOIN_RIGHT || kind == MCL_JOIN_OUTER); j++) {
        int has_match = 0;
        for (int i = 0; i < m; i++) has_match |= a[i] == b[j];
        if (has_match) continue;
        rows_a[count] = -1;
        rows_b[count++] = j;
    }
    return count;
}

typedef struct join_row {
    int32_t key, a, b;
} join_row;

/* Compares rows for qsort: in the order of keys, then of a, then of b. Rows of b alone come last. */
static inline int compare_join_rows(const void *p, const void *q)
{
    const join_row *x = p;
    const join_row *y = q;
    if ((x->a < 0) != (y->a < 0)) return x->a < 0 ? 1 : -1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

#endif
