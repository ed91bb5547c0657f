/* work_items.h: runs one group of a model from its start until it needs a word that the log does not have. */
#ifndef INTERLEAVINGS_WORK_ITEMS_H
#define INTERLEAVINGS_WORK_ITEMS_H

#include "model.h"

enum { LANES_MOST = 32, LOG_MOST = 512 };

/* The next word that a work-item wants. */
typedef struct wish {
    uint8_t lane;
    uint8_t access; /* word_access */
    uint8_t bytes;
    uint8_t shift; /* shift of its bits in the word */
    const volatile void *word;
    uint64_t operand, expected;
} wish;

/* The values of the words that a work-item has accessed, in its order. */
typedef struct work_item_log {
    int count;
    uint64_t held[LOG_MOST];
} work_item_log;

typedef struct group_run {
    int wish_count; /* number of words that work-items want; 0: the group has ended */
    wish wishes[LANES_MOST];
    const char *broken; /* sentence of a claim that does not hold; NULL: none */
} group_run;

/* Runs the group. Its actions depend on the logs alone. */
void group_run_from_start(const model *m, int group, const work_item_log *logs, group_run *run);

/* Stores the first claim that does not hold to *broken from now on. With NULL claims are not checked. */
void claims_begin(const char **broken);

#endif
