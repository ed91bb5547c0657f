/* explore.h: runs the groups of a model in every order. */
#ifndef INTERLEAVINGS_EXPLORE_H
#define INTERLEAVINGS_EXPLORE_H

#include "memory.h"

typedef struct exploration {
    double interleavings; /* ways to the end; in a relaxed memory also by what loads see */
    long states;          /* that differ */
    int steps_most;       /* of a group */
    const char *broken;   /* the first claim that does not hold; NULL: none */
    int is_too_large;     /* 1: not all states were gone through */
    int starved_ends;     /* 1: some end was reached with a group that had stopped */
} exploration;

/* starves: a scheduler may stop one group for ever, wherever it is. prints: the way to a broken claim is printed. */
exploration explore(const model *m, memory_model kind, int starves, int prints);

#endif
