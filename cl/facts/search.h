#pragma once
/* search.h: the values of A_SEARCH and B_SEARCH: what a sorted search wants of the keys of a and of b. All but the last
 * are those of mcl_find. */
#define SEARCH_NOTHING 0
#define SEARCH_INDEX 1       /* their bounds in the other input */
#define SEARCH_MATCH 2       /* 1 where the other input has an equal key, else 0 */
#define SEARCH_INDEX_MATCH 3 /* both */
#define SEARCH_MATCHED 4     /* their bounds, b alone; each key is told of once */
