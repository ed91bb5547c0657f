/* behaviours.h: all behaviours that groups of a model can have, as a tree. A branch is the value that a word held. Each
 * behaviour runs once, although many interleavings lead to it. */
#ifndef INTERLEAVINGS_BEHAVIOURS_H
#define INTERLEAVINGS_BEHAVIOURS_H

#include "work_items.h"

enum { STEPS_MOST = 400 }; /* largest number of steps of a group; more count as an endless run */

typedef struct behaviour {
    int before, lane, steps; /* predecessor, the work-item that went on, and steps so far */
    uint64_t held;
    int wish_count; /* number of words that work-items want; 0: the group has ended */
    wish *wishes;
    const char *broken; /* sentence of a claim that does not hold; NULL: none */
} behaviour;

void behaviours_start(const model *m);
void behaviours_free(void);
int behaviours_count(void);
const behaviour *behaviour_at(int index);
int behaviour_first(int group);
/* Returns the behaviour that follows after one of the work-items has read the value held from its word. */
int behaviour_after(int index, int lane, uint64_t held);
/* Runs a group again up to a behaviour, so that it stores to plain memory. */
void behaviour_run(int index, int group);

#endif
