#pragma once
/* append.h: the values of APPEND_WAY: how the elements of a tile get their indices in a list that has no order. They
 * are those of mcl_append. */
#define APPEND_GLOBAL_ATOMIC 1
#define APPEND_GROUP_ATOMIC 2
#define APPEND_GROUP_SCAN 3
#define APPEND_SUB_GROUP_ATOMIC 4
#define APPEND_SUB_GROUP_TILE 5
