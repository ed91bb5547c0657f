#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Addresses of the words, in the order in which groups first use them. */
static const volatile void *addresses[WORDS_MOST];
static uint64_t first_values[WORDS_MOST];
static int address_count;

void memory_forget_words(void)
{
    address_count = 0;
    memset(first_values, 0, sizeof first_values);
}

int memory_word_count(void)
{
    return address_count;
}

static int word_index(const volatile void *word)
{
    for (int k = 0; k < address_count; k++)
        if (addresses[k] == word) return k;
    if (address_count == WORDS_MOST) {
        fputs("interleavings: a model has more words than WORDS_MOST\n", stderr);
        exit(1);
    }
    addresses[address_count] = word;
    return address_count++;
}

void word_begins(const volatile void *word, uint64_t value)
{
    first_values[word_index(word)] = value;
}

void memory_start(memory *to, memory_model kind)
{
    memset(to, 0, sizeof *to);
    to->kind = kind;
    for (int k = 0; k < WORDS_MOST; k++) to->words[k] = (memory_word){ .values = { first_values[k] }, .count = 1 };
}

void memory_copy(memory *to, const memory *from, int threads)
{
    to->kind = from->kind;
    to->has_fences = from->has_fences;
    memcpy(to->words, from->words, (size_t)address_count * sizeof to->words[0]);
    memcpy(to->threads, from->threads, (size_t)threads * sizeof to->threads[0]);
    if (from->has_fences) memcpy(to->views, from->views, sizeof to->views);
    for (int k = address_count; k < WORDS_MOST; k++) to->words[k] = (memory_word){ .count = 1 };
}

/* Returns the bits of a word that an access reads or writes. */
static uint64_t part_of(const wish *w, uint64_t word)
{
    return w->bytes == 4 ? word >> w->shift & 0xffffffffu : word;
}

/* Returns the word after a store to it, or to its part. */
static uint64_t value_after(const wish *w, uint64_t word)
{
    const uint64_t held = part_of(w, word);
    uint64_t value = w->operand;
    if (w->access == WORD_ADD) value = held + w->operand;
    if (w->access == WORD_OR) value = held | w->operand;
    if (w->access == WORD_MAX && held > value) value = held;
    if (w->bytes == 8) return value;
    const uint64_t mask = (uint64_t)0xffffffffu << w->shift;
    return (word & ~mask) | (value << w->shift & mask);
}

/* Returns 1 where a store may be inserted before store number place of a word. */
static int has_place(const memory_word *word, int place)
{
    return place == word->count || !(word->atomics >> place & 1);
}

int memory_outcomes(const memory *now, int thread, const wish *w, memory_outcome outcomes[STORES_MOST])
{
    if (w->access == FENCE_RELEASE || w->access == FENCE_ACQUIRE) {
        outcomes[0] = (memory_outcome){ .read = -1, .place = -1 };
        return 1;
    }
    const int index = word_index(w->word);
    const memory_word *const word = &now->words[index];
    const memory_thread *const own = &now->threads[thread];
    const int last = word->count - 1, first = own->seen.at[index];
    const int fresh = own->stale[index] < STALE_MOST ? first : last;
    int count = 0;
    for (int k = first; k <= last; k++) {
        const uint64_t held = part_of(w, word->values[k]);
        const int stores = w->access != WORD_LOAD && (w->access != WORD_COMPARE_EXCHANGE || held == w->expected);
        if (stores && !has_place(word, k + 1)) continue;
        if (!stores && k < fresh) continue;
        outcomes[count++] = (memory_outcome){ .held = w->access == WORD_STORE ? 0 : held,
                                              .read = w->access == WORD_STORE ? -1 : k,
                                              .place = stores ? k + 1 : -1 };
    }
    return count;
}

static void view_join(memory_view *to, const memory_view *from)
{
    for (int k = 0; k < address_count; k++)
        if (to->at[k] < from->at[k]) to->at[k] = from->at[k];
}

static void view_make_place(memory_view *view, int index, int place)
{
    if (view->at[index] >= place) view->at[index]++;
}

/* Makes room for a store at number place of a word. Later stores move on by one. */
static void make_place(memory *now, int threads, int index, int place)
{
    memory_word *const word = &now->words[index];
    if (word->count == STORES_MOST) {
        fputs("interleavings: a word has more stores than STORES_MOST\n", stderr);
        exit(1);
    }
    for (int k = word->count++; k > place; k--) {
        word->values[k] = word->values[k - 1];
        now->views[index][k] = now->views[index][k - 1];
    }
    const uint16_t below = (uint16_t)((1u << place) - 1u);
    word->atomics = (uint16_t)((word->atomics & below) | (word->atomics & ~below) << 1);
    for (int t = 0; t < threads; t++) {
        memory_thread *const thread = &now->threads[t];
        view_make_place(&thread->seen, index, place);
        view_make_place(&thread->acquired, index, place);
        view_make_place(&thread->released, index, place);
    }
    if (!now->has_fences) return;
    for (int w = 0; w < address_count; w++)
        for (int k = 0; k < now->words[w].count; k++) view_make_place(&now->views[w][k], index, place);
}

void memory_apply(memory *now, int threads, int thread, const wish *w, const memory_outcome *outcome)
{
    memory_thread *const own = &now->threads[thread];
    if (w->access == FENCE_RELEASE || w->access == FENCE_ACQUIRE) {
        now->has_fences = 1;
        if (w->access == FENCE_RELEASE)
            own->released = own->seen;
        else
            view_join(&own->seen, &own->acquired);
        return;
    }
    const int index = word_index(w->word), is_relaxed = now->kind == MEMORY_RELAXED;
    memory_word *const word = &now->words[index];
    memory_view brought = { { 0 } };
    if (outcome->read >= 0) {
        own->stale[index] = (uint8_t)(outcome->read < word->count - 1 ? own->stale[index] + 1 : 0);
        own->seen.at[index] = (uint8_t)outcome->read;
        brought = now->views[index][outcome->read];
        if (now->has_fences) view_join(&own->acquired, &brought);
    }
    if (outcome->place < 0) return;
    /* a store of one half keeps the other half of the store before it */
    const uint64_t value = value_after(w, word->values[outcome->place > 0 && is_relaxed ? outcome->place - 1 : 0]);
    if (!is_relaxed) {
        word->values[0] = value;
        return;
    }
    make_place(now, threads, index, outcome->place);
    word->values[outcome->place] = value;
    word->atomics |= (uint16_t)((outcome->read >= 0) << outcome->place);
    own->seen.at[index] = (uint8_t)outcome->place;
    own->stale[index] = 0;
    if (!now->has_fences) return;
    view_join(&brought, &own->released);
    now->views[index][outcome->place] = brought;
}

static void view_drop(memory_view *view, int index, int count)
{
    view->at[index] = (uint8_t)(view->at[index] > count ? view->at[index] - count : 0);
}

void memory_trim(memory *now, int threads, const uint8_t *has_ended)
{
    for (int index = 0; index < address_count; index++) {
        memory_word *const word = &now->words[index];
        int least = word->count - 1;
        for (int t = 0; t < threads; t++)
            if (!has_ended[t] && now->threads[t].seen.at[index] < least) least = now->threads[t].seen.at[index];
        if (least == 0) continue;
        word->count = (uint8_t)(word->count - least);
        memmove(word->values, word->values + least, word->count * sizeof word->values[0]);
        memset(word->values + word->count, 0, (size_t)least * sizeof word->values[0]);
        memmove(now->views[index], now->views[index] + least, word->count * sizeof now->views[0][0]);
        word->atomics = (uint16_t)(word->atomics >> least & ~1u);
        for (int t = 0; t < threads; t++) {
            view_drop(&now->threads[t].seen, index, least);
            view_drop(&now->threads[t].acquired, index, least);
            view_drop(&now->threads[t].released, index, least);
        }
        if (!now->has_fences) continue;
        for (int w = 0; w < address_count; w++)
            for (int k = 0; k < now->words[w].count; k++) view_drop(&now->views[w][k], index, least);
    }
}

uint64_t memory_last(const memory *now, const volatile void *word)
{
    const memory_word *const found = &now->words[word_index(word)];
    return found->values[found->count - 1];
}
