/* group_by.h: what the tables of a grouping leave: numbers of 64 bits. */
#pragma once

#define GROUPS_LISTED 0 /* groups in the list */
#define GROUPS_LEFT 1   /* elements that are still to be grouped */
#define GROUPS_COUNTS 2
