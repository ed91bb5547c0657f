/* work_items.h: one group of a model, from its start to where it wants a word that the log does not have. */
#ifndef INTERLEAVINGS_WORK_ITEMS_H
#define INTERLEAVINGS_WORK_ITEMS_H

#include "model.h"

enum { LANES_MOST = 32, LOG_MOST = 512 };

/* A word that a work-item wants next. */
typedef struct wish {
    uint8_t lane;
    uint8_t access; /* word_access */
    uint8_t bytes;
    uint8_t shift; /* of its bits in the word */
    const volatile void *word;
    uint64_t operand, expected;
} wish;

/* What the words held that a work-item has taken, in its order. */
typedef struct work_item_log {
    int count;
    uint64_t held[LOG_MOST];
} work_item_log;

typedef struct group_run {
    int wish_count; /* 0: the group has ended */
    wish wishes[LANES_MOST];
    const char *broken; /* a claim that does not hold; NULL: none */
} group_run;

/* Runs the group. What it does follows from the logs alone. */
void group_run_from_start(const model *m, int group, const work_item_log *logs, group_run *run);

/* From here on the first claim that does not hold is stored to *broken. NULL: claims are not looked at. */
void claims_begin(const char **broken);

#endif
