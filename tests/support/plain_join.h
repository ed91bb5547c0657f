/* plain_join.h: the rows of a join of int32 keys by looking at every pair. */
#ifndef TEST_PLAIN_JOIN_H
#define TEST_PLAIN_JOIN_H

#include <moderncl/join.h>

/* The plain way to join, of one kind: row numbers of all rows, and how many there are. */
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

#endif
