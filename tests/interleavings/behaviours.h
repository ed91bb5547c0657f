/* behaviours.h: all that groups of a model may do: a tree, whose branches are what a word held. Each behaviour is run
 * once, however many interleavings lead to it. */
#ifndef INTERLEAVINGS_BEHAVIOURS_H
#define INTERLEAVINGS_BEHAVIOURS_H

#include "work_items.h"

enum { STEPS_MOST = 400 }; /* of a group: more count as no end */

typedef struct behaviour {
    int before, lane, steps; /* where it comes from, and how */
    uint64_t held;
    int wish_count; /* 0: the group has ended */
    wish *wishes;
    const char *broken; /* a claim that does not hold; NULL: none */
} behaviour;

void behaviours_start(const model *m);
void behaviours_free(void);
int behaviours_count(void);
const behaviour *behaviour_at(int index);
int behaviour_first(int group);
/* The behaviour after one of its work-items has got what its word held. */
int behaviour_after(int index, int lane, uint64_t held);
/* Runs a group once more, up to a behaviour, so that it stores to plain memory. */
void behaviour_run(int index, int group);

#endif
