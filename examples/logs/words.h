/* words.h: the words of a rank's part of text files. */
#ifndef LOGS_WORDS_H
#define LOGS_WORDS_H

#include <stddef.h>
#include <stdint.h>

enum { WORD_BYTES = 32 }; /* of a word's text; what is longer is cut when it is shown */

/* A word is a run of letters and digits, in lower case. hashes[k] is that of word k, whose text begins at texts[k]. */
typedef struct words {
    char *text;
    size_t text_bytes;
    uint64_t *hashes;
    size_t *texts;
    size_t count, capacity;
} words;

/* Adds the words that begin in part of parts of a file, cut at equal numbers of bytes. 0, or what failed. */
const char *words_read(words *out, const char *path, int part, int parts);

/* The text of a word with this hash, or "" where there is none here. */
void words_find(const words *of, uint64_t hash, char out[WORD_BYTES]);

void words_free(words *of);

#endif
