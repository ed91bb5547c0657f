#pragma once
/* append.h: the values of APPEND_WAY, which says how the elements of a tile get their indices in a list without an
 * order. They equal the values of mcl_append. */
#define APPEND_GLOBAL_ATOMIC 1
#define APPEND_GROUP_ATOMIC 2
#define APPEND_GROUP_SCAN 3
#define APPEND_SUB_GROUP_ATOMIC 4
#define APPEND_SUB_GROUP_TILE 5
