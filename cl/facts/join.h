#pragma once
/* join.h: the values of JOIN_KIND, which are those of mcl_join_kind, and the rows of a window. */
#define JOIN_INNER 0
#define JOIN_LEFT 1
#define JOIN_RIGHT 2
#define JOIN_OUTER 3
#define JOIN_SEMI 4
#define JOIN_ANTI 5

/* Of fewer keys the hash table of a join in any order has twice as many slots in the serial mapping: a core's second
 * cache holds it then, too. */
#define JOIN_SPARSE_KEYS (1 << 14)

/* Number of rows of a window. A tile's own group stores the tile's first window. Groups of the second launch store the
 * other rows, a window at a time. */
#define JOIN_WINDOW_ROWS(threads, items) ((threads) > 1 ? (threads) * (items) : 8 * (items))
