/* explore.h: runs the groups of a model in every order. */
#ifndef INTERLEAVINGS_EXPLORE_H
#define INTERLEAVINGS_EXPLORE_H

#include "memory.h"

typedef struct exploration {
    double interleavings; /* number of paths to an end; in a relaxed memory paths also differ by what loads see */
    long states;          /* that differ */
    int steps_most;       /* largest number of steps of a group */
    const char *broken;   /* sentence of the first claim that does not hold; NULL: none */
    int is_too_large;     /* 1 where some states were not visited */
    int starved_ends;     /* number of ends that were reached with a stopped group */
} exploration;

/* Explores a model. starves: a scheduler may stop one group for ever, at any step. prints: the path to a broken claim
 * is printed. */
exploration explore(const model *m, memory_model kind, int starves, int prints);

#endif
