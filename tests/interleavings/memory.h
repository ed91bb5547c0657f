/* memory.h: the words that groups share, as a memory model lets work-items see them.
 *
 * MEMORY_IN_ORDER: each access sees what the last one left; interleavings alone.
 * MEMORY_RELAXED: relaxed accesses of C11 and OpenCL. A word has the stores to it in an order of its own. A load may
 * take any of them from the last on that its work-item has seen, so loads and stores of different words change places.
 * A store may come into the word's order anywhere after that one. An atomic comes right after the store that it read.
 * Fences of a device's scope order what stands before and after them. Two bounds: a store is never seen before the
 * loads that stand before it (load buffering), and a word that STALE_MOST loads have seen too old is then seen as it
 * is. */
#ifndef INTERLEAVINGS_MEMORY_H
#define INTERLEAVINGS_MEMORY_H

#include "work_items.h"

enum {
    GROUPS_MOST = 4,
    SHARERS_MOST = 4,
    THREADS_MOST = GROUPS_MOST * SHARERS_MOST,
    WORDS_MOST = 40,
    STORES_MOST = 10,
    STALE_MOST = 3
};

typedef enum memory_model { MEMORY_IN_ORDER, MEMORY_RELAXED } memory_model;

/* For each word, the index of a store of it. */
typedef struct memory_view {
    uint8_t at[WORDS_MOST];
} memory_view;

typedef struct memory_word {
    uint64_t values[STORES_MOST]; /* of its stores, in their order */
    uint16_t atomics;             /* bit k: store k is an atomic's, right after store k - 1 */
    uint8_t count;
} memory_word;

typedef struct memory_thread {
    memory_view seen;               /* the last store of each word that it has seen */
    memory_view acquired, released; /* what its next fence acquires; what its last one has released */
    uint8_t stale[WORDS_MOST];      /* loads in a row that saw an old store */
} memory_thread;

typedef struct memory {
    memory_model kind;
    int has_fences;
    memory_word words[WORDS_MOST];
    memory_view views[WORDS_MOST][STORES_MOST]; /* what each store brings along */
    memory_thread threads[THREADS_MOST];
} memory;

/* One of the ways in which an access may go. */
typedef struct memory_outcome {
    uint64_t held;
    int read, place; /* the store that it reads, and the index of its own; -1: none */
} memory_outcome;

void memory_forget_words(void);
int memory_word_count(void);
void memory_start(memory *to, memory_model kind);
void memory_copy(memory *to, const memory *from, int threads);
/* Returns the number of ways. */
int memory_outcomes(const memory *now, int thread, const wish *w, memory_outcome outcomes[STORES_MOST]);
void memory_apply(memory *now, int threads, int thread, const wish *w, const memory_outcome *outcome);
/* Drops what none of the threads can see any more; has_ended[k] says it of thread k. */
void memory_trim(memory *now, int threads, const uint8_t *has_ended);
uint64_t memory_last(const memory *now, const volatile void *word);

#endif
