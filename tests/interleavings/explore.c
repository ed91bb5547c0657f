/* explore.c: a depth-first search over the states of a model. Two paths to one state continue in the same way, so each
 * state is visited once, and the paths from it are counted. Groups of one kind are interchangeable in a state. A hash
 * of 128 bits identifies a state. No group ever waits: each has its next step or has ended. So the search ends, and
 * every state has a path to an end. */
#include "explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "behaviours.h"
#include "table.h"

enum { DEPTH_MOST = GROUPS_MOST * STEPS_MOST, STATES_MOST = 12000000, STOPPED_NONE = -1 };
enum { SEED_STATE = 3, SEED_THREAD = 4, SEED_GROUP = 5 };

typedef struct state {
    int behaviours[GROUPS_MOST];
    int stopped; /* index of the group that never runs again */
    memory words;
} state;

typedef struct way_step {
    int group;
    wish w;
    memory_outcome outcome;
} way_step;

static struct {
    const model *m;
    int threads, starves;
    table known;
    state *states[DEPTH_MOST + 1]; /* states on the path to here */
    way_step way[DEPTH_MOST];
    int depth, broken_depth;
    exploration found;
} search;
static const state *ended; /* state that word_at_end reads */

uint64_t word_at_end(const volatile void *word)
{
    return memory_last(&ended->words, word);
}

/* ---- states ----------------------------------------------------------------------------------------------------- */

static table_key thread_key(const memory_thread *thread, int lane, int has_fences)
{
    uint64_t words[4 * WORDS_MOST / 8] = { 0 };
    const int bytes = memory_word_count();
    unsigned char *to = (unsigned char *)words;
    memcpy(to, thread->seen.at, (size_t)bytes);
    memcpy(to + WORDS_MOST, thread->stale, (size_t)bytes);
    if (has_fences) memcpy(to + 2 * WORDS_MOST, thread->acquired.at, (size_t)bytes);
    if (has_fences) memcpy(to + 3 * WORDS_MOST, thread->released.at, (size_t)bytes);
    return table_key_of(SEED_THREAD + 8 * (uint64_t)lane, words, (has_fences ? 4 : 2) * WORDS_MOST / 8);
}

/* Returns the key of a group: its behaviour, and what its work-items have seen. */
static table_key group_key(const state *s, int group)
{
    uint64_t sum[4] = { (uint64_t)s->behaviours[group], (uint64_t)(s->stopped == group) };
    const int lanes = search.m->sharers;
    if (s->words.kind == MEMORY_RELAXED && behaviour_at(s->behaviours[group])->wish_count > 0) {
        for (int lane = 0; lane < lanes; lane++) {
            const table_key key = thread_key(&s->words.threads[group * lanes + lane], lane, s->words.has_fences);
            sum[2] += key.low;
            sum[3] += key.high;
        }
    }
    return table_key_of(SEED_GROUP, sum, 4);
}

static table_key state_key(const state *s)
{
    uint64_t words[2 + WORDS_MOST * (STORES_MOST + 1)];
    size_t count = 2;
    words[0] = words[1] = 0;
    for (int group = 0; group < search.m->groups; group++) {
        const table_key key = group_key(s, group);
        words[0] += key.low;
        words[1] += key.high;
    }
    for (int w = 0; w < memory_word_count(); w++) {
        const memory_word *const word = &s->words.words[w];
        words[count++] = (uint64_t)word->atomics << 8 | word->count;
        for (int k = 0; k < word->count; k++) words[count++] = word->values[k];
    }
    table_key key = table_key_of(SEED_STATE, words, count);
    for (int w = 0; s->words.has_fences && w < memory_word_count(); w++) {
        for (int k = 0; k < s->words.words[w].count; k++) {
            uint64_t view[WORDS_MOST / 8];
            memcpy(view, s->words.views[w][k].at, sizeof view);
            const table_key own = table_key_of((uint64_t)(w * STORES_MOST + k), view, WORDS_MOST / 8);
            key.low += own.low;
            key.high += own.high;
        }
    }
    return key;
}

static state *state_at(int depth)
{
    if (!search.states[depth]) search.states[depth] = calloc(1, sizeof(state));
    if (!search.states[depth]) {
        fputs("interleavings: memory is exhausted\n", stderr);
        exit(1);
    }
    return search.states[depth];
}

/* ---- the search ------------------------------------------------------------------------------------------------- */

static void break_claim(const char *sentence)
{
    if (search.found.broken) return;
    search.found.broken = sentence;
    search.broken_depth = search.depth;
}

static int is_over(void)
{
    return search.found.broken || search.found.is_too_large;
}

/* Checks the claims about memory in a state where all groups have ended. */
static void check_end(const state *s)
{
    if (s->stopped != STOPPED_NONE) {
        search.found.starved_ends = 1;
        return;
    }
    if (search.m->clear) {
        search.m->clear();
        for (int group = 0; group < search.m->groups; group++) behaviour_run(s->behaviours[group], group);
    }
    ended = s;
    const char *broken = NULL;
    claims_begin(&broken);
    if (search.m->check) search.m->check();
    claims_begin(NULL);
    if (broken) break_claim(broken);
}

static double ways_from(const state *s);

/* Returns the number of paths after one outcome of a step. */
static double ways_after(const state *s, int group, const wish *w, const memory_outcome *outcome)
{
    const int lanes = search.m->sharers;
    uint8_t has_ended[THREADS_MOST] = { 0 };
    state *const next = state_at(search.depth + 1);
    memcpy(next->behaviours, s->behaviours, sizeof s->behaviours);
    next->stopped = s->stopped;
    memory_copy(&next->words, &s->words, search.threads);
    memory_apply(&next->words, search.threads, group * lanes + w->lane, w, outcome);
    next->behaviours[group] = behaviour_after(s->behaviours[group], w->lane, outcome->held);
    search.way[search.depth++] = (way_step){ group, *w, *outcome };
    const behaviour *const b = behaviour_at(next->behaviours[group]);
    if (b->steps > search.found.steps_most) search.found.steps_most = b->steps;
    if (b->broken) break_claim(b->broken);
    for (int t = 0; t < search.threads; t++)
        has_ended[t] = behaviour_at(next->behaviours[t / lanes])->wish_count == 0 || t / lanes == next->stopped;
    memory_trim(&next->words, search.threads, has_ended);
    const double ways = is_over() ? 0 : ways_from(next);
    --search.depth;
    return ways;
}

/* Returns the number of paths that begin with a step of one group. */
static double ways_of_group(const state *s, int group)
{
    double ways = 0;
    /* by number, since the array of behaviours moves when it grows */
    const int wishes = behaviour_at(s->behaviours[group])->wish_count;
    for (int k = 0; k < wishes && !is_over(); k++) {
        const wish w = behaviour_at(s->behaviours[group])->wishes[k];
        memory_outcome outcomes[STORES_MOST];
        const int count = memory_outcomes(&s->words, group * search.m->sharers + w.lane, &w, outcomes);
        for (int j = 0; j < count && !is_over(); j++) ways += ways_after(s, group, &w, &outcomes[j]);
    }
    return ways;
}

/* Returns the number of paths after a group has stopped for ever. */
static double ways_without(const state *s, int group)
{
    state *const next = state_at(search.depth + 1);
    memcpy(next->behaviours, s->behaviours, sizeof s->behaviours);
    memory_copy(&next->words, &s->words, search.threads);
    next->stopped = group;
    search.way[search.depth++] = (way_step){ .group = group, .w = { .bytes = 0 } };
    const double ways = ways_from(next);
    --search.depth;
    return ways;
}

/* Returns the number of paths from a state to an end. */
static double ways_from(const state *s)
{
    const table_key key = state_key(s);
    const double *const known = table_find(&search.known, key);
    if (known) return *known;
    double ways = 0;
    int running = 0;
    for (int group = 0; group < search.m->groups && !is_over(); group++) {
        if (group == s->stopped || behaviour_at(s->behaviours[group])->wish_count == 0) continue;
        running++;
        ways += ways_of_group(s, group);
        if (search.starves && s->stopped == STOPPED_NONE && !is_over()) ways += ways_without(s, group);
    }
    if (running == 0) {
        check_end(s);
        ways = 1;
    }
    table_put(&search.known, key, ways);
    search.found.is_too_large |= search.known.count > STATES_MOST;
    return ways;
}

/* ---- reports ---------------------------------------------------------------------------------------------------- */

static void print_way(void)
{
    static const char *const names[] = { "loads",     "stores",   "adds",    "ors", "takes the maximum",
                                         "exchanges", "releases", "acquires" };
    for (int k = 0; k < search.broken_depth; k++) {
        const way_step *const step = &search.way[k];
        if (step->w.bytes == 0 && step->w.word == NULL && step->w.access == WORD_LOAD) {
            printf("    group %d stops\n", step->group);
            continue;
        }
        printf("    group %d.%d %s word %p: operand 0x%llx, held 0x%llx%s\n", step->group, step->w.lane,
               names[step->w.access], (const void *)step->w.word, (unsigned long long)step->w.operand,
               (unsigned long long)step->outcome.held, step->outcome.place == 0 ? " (first)" : "");
    }
}

exploration explore(const model *m, memory_model kind, int starves, int prints)
{
    memset(&search.found, 0, sizeof search.found);
    search.m = m;
    search.threads = m->groups * m->sharers;
    search.starves = starves;
    search.depth = 0;
    memory_forget_words();
    if (m->start) m->start();
    behaviours_start(m);
    state *const first = state_at(0);
    memory_start(&first->words, kind);
    first->stopped = STOPPED_NONE;
    for (int group = 0; group < m->groups; group++) {
        first->behaviours[group] = behaviour_first(group);
        if (behaviour_at(first->behaviours[group])->broken) break_claim(behaviour_at(first->behaviours[group])->broken);
    }
    if (!search.found.broken) search.found.interleavings = ways_from(first);
    search.found.states = (long)search.known.count;
    if (prints && search.found.broken) print_way();
    table_free(&search.known);
    behaviours_free();
    for (int k = 0; k <= DEPTH_MOST; k++) {
        free(search.states[k]);
        search.states[k] = NULL;
    }
    return search.found;
}
