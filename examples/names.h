/* names.h: codes of texts, and back. So a column of text becomes a column of whole numbers, which a device groups,
 * sorts and joins.
 *
 *     names products = { 0 };
 *     int32_t code = names_code(&products, "tea");
 *     const char *text = products.texts[code];
 *     names_free(&products);
 *
 * The first text has the code 0, each further text that is new the next one. So codes are dense, and fit a table by
 * code. Their order is that of the column, not of the alphabet. */
#ifndef EXAMPLES_NAMES_H
#define EXAMPLES_NAMES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct names {
    char **texts; /* by code */
    int32_t count;
    int32_t *slots;     /* a hash table of codes, -1: none */
    int32_t slot_count; /* 0 or a power of two, at least twice count */
} names;

/* Finds the slot of a text: the one that has its code, or an empty one. */
static inline int32_t *names_slot(const names *known, const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (const char *at = text; *at; at++) hash = (hash ^ (unsigned char)*at) * 16777619u;
    for (;; hash++) {
        int32_t *const slot = known->slots + (hash & (uint32_t)(known->slot_count - 1));
        if (*slot < 0 || strcmp(known->texts[*slot], text) == 0) return slot;
    }
}

/* Doubles the room. 0: out of memory. */
static inline int names_grow(names *known)
{
    const int32_t slot_count = known->slot_count ? 2 * known->slot_count : 64;
    int32_t *const slots = malloc(sizeof *slots * (size_t)slot_count);
    char **const texts = realloc(known->texts, sizeof *texts * (size_t)slot_count / 2);

    if (texts) known->texts = texts;
    if (!slots || !texts) {
        free(slots);
        return 0;
    }
    free(known->slots);
    known->slots = slots;
    known->slot_count = slot_count;
    for (int32_t k = 0; k < slot_count; k++) slots[k] = -1;
    for (int32_t k = 0; k < known->count; k++) *names_slot(known, texts[k]) = k;
    return 1;
}

/* Gives the code of a text; a new text gets a new one, and is copied. -1: out of memory. */
static inline int32_t names_code(names *known, const char *text)
{
    if (2 * known->count >= known->slot_count && !names_grow(known)) return -1;
    int32_t *const slot = names_slot(known, text);
    if (*slot >= 0) return *slot;
    const size_t bytes = strlen(text) + 1;
    char *const copy = malloc(bytes);
    if (!copy) return -1;
    memcpy(copy, text, bytes);
    known->texts[known->count] = copy;
    *slot = known->count;
    return known->count++;
}

static inline void names_free(names *known)
{
    for (int32_t k = 0; k < known->count; k++) free(known->texts[k]);
    free(known->texts);
    free(known->slots);
    *known = (names){ 0 };
}

#endif
