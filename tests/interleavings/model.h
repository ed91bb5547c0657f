/* model.h: a model of tests/interleavings: a kernel of cl whose groups share words, with claims about it. explore.c
 * runs its groups in every order, and work_items.c runs the work-items of a group. */
#ifndef INTERLEAVINGS_MODEL_H
#define INTERLEAVINGS_MODEL_H

#include <stddef.h>
#include <stdint.h>

typedef struct model {
    const char *name;
    const char *claims;  /* text about what holds in every interleaving */
    int groups, lanes;   /* number of groups, and of work-items in a group */
    int sharers;         /* number of a group's first work-items, which alone use words that groups share */
    int are_alike;       /* 1 where groups do not know their number, so that they are interchangeable */
    int has_cells;       /* 1 where 32-bit words are halves of 64-bit words, which are also exchanged as a whole */
    void (*start)(void); /* function that sets words which do not begin with 0, by word_begins; NULL: none */
    void (*run)(void);   /* function of a work-item */
    void (*clear)(void); /* function that clears plain memory before the groups' last run; NULL: it has no claims */
    void (*check)(void); /* function that makes the claims about memory when all groups have ended; NULL: none */
} model;

/* The accesses of a work-item to a word that groups share. A fence has no word. */
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

/* Accesses a word, and returns the value that it held. Another group may run before it. All accesses are relaxed. */
uint64_t word_do(word_access access, const volatile void *word, int bytes, uint64_t operand, uint64_t expected);
void word_begins(const volatile void *word, uint64_t value);
/* Returns the last value of a word, or with has_cells of its 64-bit cell. Only check may call it. */
uint64_t word_at_end(const volatile void *word);

/* Claims that a condition holds. The sentence is reported where it does not. */
void claim(int holds, const char *sentence);

/* Waits until all work-items of the group meet here. Returns the value that each of them gave. */
const uint32_t *work_items_meet(uint32_t given);
void *work_items_memory(size_t bytes); /* returns memory of the group, the same for all its work-items */
int work_item_number(void);
int work_group_number(void);

#endif
