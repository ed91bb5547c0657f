#pragma once
/* search.h: the values of A_SEARCH and B_SEARCH: what a sorted search finds for each key of a and of b. All values but
 * the last equal those of mcl_find. */
#define SEARCH_NOTHING 0
#define SEARCH_INDEX 1       /* the key's bound in the other input */
#define SEARCH_MATCH 2       /* 1 where the other input has an equal key, else 0 */
#define SEARCH_INDEX_MATCH 3 /* the bound and the match */
#define SEARCH_MATCHED 4     /* the bound, for keys of b alone; put_b is called once for each key */
