/* model.h: what a model of tests/interleavings is: a kernel of cl whose groups share words, and claims about it.
 * explore.c runs its groups in every order; work_items.c runs the work-items of a group. */
#ifndef INTERLEAVINGS_MODEL_H
#define INTERLEAVINGS_MODEL_H

#include <stddef.h>
#include <stdint.h>

typedef struct model {
    const char *name;
    const char *claims;  /* what holds in every interleaving */
    int groups, lanes;   /* lanes: work-items of a group */
    int sharers;         /* the first work-items of a group, which alone come to words that groups share */
    int are_alike;       /* 1: groups do not know their number, so they may change places */
    int has_cells;       /* 1: words of 32 bits are halves of words of 64, which are exchanged as a whole, too */
    void (*start)(void); /* says by word_begins what words hold that are not 0 at first; NULL: none */
    void (*run)(void);   /* what a work-item does */
    void (*clear)(void); /* clears plain memory, before the groups' last run; NULL: it has no claims */
    void (*check)(void); /* makes the claims about memory when all groups have ended; NULL: none */
} model;

/* What a work-item does to a word that groups share. A fence has no word. */
typedef enum word_access {
    WORD_LOAD,
    WORD_STORE,
    WORD_ADD,
    WORD_OR,
    WORD_MAX,
    WORD_COMPARE_EXCHANGE,
    FENCE_RELEASE,
    FENCE_ACQUIRE
} word_access;

/* Another group may run before it. Returns what the word held. All accesses are relaxed. */
uint64_t word_do(word_access access, const volatile void *word, int bytes, uint64_t operand, uint64_t expected);
void word_begins(const volatile void *word, uint64_t value);
/* The value that a word, or with has_cells its cell of 64 bits, ends with: for check alone. */
uint64_t word_at_end(const volatile void *word);

/* Says that something holds; the sentence is told where it does not. */
void claim(int holds, const char *sentence);

/* Work-items of a group, which meet here. Returns the value that each of them gave. */
const uint32_t *work_items_meet(uint32_t given);
void *work_items_memory(size_t bytes); /* the group's own, the same for all */
int work_item_number(void);
int work_group_number(void);

#endif
