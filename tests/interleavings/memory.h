/* memory.h: the words that groups share, and what work-items see of them under a memory model.
 *
 * MEMORY_IN_ORDER: each access sees the last access's result, so only interleavings differ. MEMORY_RELAXED: relaxed
 * accesses of C11 and OpenCL. Each word has its own order of stores. A load may read any store, but none older than the
 * last one that its work-item has seen. So loads and stores of different words are reordered. A store may be inserted
 * anywhere after that last store. An atomic comes right after the store that it read. Fences of device scope order the
 * accesses before and after them. There are two bounds. A store is never seen before loads that precede it (load
 * buffering). After STALE_MOST loads of old values a work-item sees the word's last store. */
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

/* For each word, the index of one of its stores. */
typedef struct memory_view {
    uint8_t at[WORDS_MOST];
} memory_view;

typedef struct memory_word {
    uint64_t values[STORES_MOST]; /* values of the word's stores, in their order */
    uint16_t atomics;             /* bit k is set where store k is an atomic's, right after store k - 1 */
    uint8_t count;
} memory_word;

typedef struct memory_thread {
    memory_view seen;               /* last store of each word that the work-item has seen */
    memory_view acquired, released; /* view that its next fence acquires; view that its last fence has released */
    uint8_t stale[WORDS_MOST];      /* number of successive loads of each word that saw an old store */
} memory_thread;

typedef struct memory {
    memory_model kind;
    int has_fences;
    memory_word words[WORDS_MOST];
    memory_view views[WORDS_MOST][STORES_MOST]; /* view that each store passes on */
    memory_thread threads[THREADS_MOST];
} memory;

/* One possible outcome of an access. */
typedef struct memory_outcome {
    uint64_t held;
    int read, place; /* index of the store that it reads, and index of its own store; -1: none */
} memory_outcome;

void memory_forget_words(void);
int memory_word_count(void);
void memory_start(memory *to, memory_model kind);
void memory_copy(memory *to, const memory *from, int threads);
/* Returns the number of outcomes. */
int memory_outcomes(const memory *now, int thread, const wish *w, memory_outcome outcomes[STORES_MOST]);
void memory_apply(memory *now, int threads, int thread, const wish *w, const memory_outcome *outcome);
/* Drops stores that no thread can see any more. has_ended[k] is 1 where thread k has ended. */
void memory_trim(memory *now, int threads, const uint8_t *has_ended);
uint64_t memory_last(const memory *now, const volatile void *word);

#endif
