/* words.c: reads a part of a file and finds the words that begin in it. */
#include "words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_word(char c)
{
    return isalnum((unsigned char)c);
}

static int grow(words *of)
{
    if (of->count < of->capacity) return 1;
    const size_t capacity = of->capacity ? of->capacity * 2 : 1024;
    uint64_t *const hashes = realloc(of->hashes, capacity * sizeof *hashes);
    if (hashes) of->hashes = hashes;
    size_t *const texts = realloc(of->texts, capacity * sizeof *texts);
    if (texts) of->texts = texts;
    if (!hashes || !texts) return 0;
    of->capacity = capacity;
    return 1;
}

/* FNV-1a of the word at text[at]; the index after it. */
static size_t hash_word(char *text, size_t at, size_t end, uint64_t *hash)
{
    *hash = 14695981039346656037u;
    for (; at < end && is_word(text[at]); ++at) {
        text[at] = (char)tolower((unsigned char)text[at]);
        *hash = (*hash ^ (unsigned char)text[at]) * 1099511628211u;
    }
    return at;
}

/* Words that begin in text[begin .. end); the last of them may go on to stop. */
static const char *add_words(words *of, size_t begin, size_t end, size_t stop)
{
    size_t at = begin;
    /* one that began before belongs to the part before */
    if (begin > 0)
        while (at < end && is_word(of->text[at - 1]) && is_word(of->text[at])) ++at;
    while (at < end) {
        if (!is_word(of->text[at])) {
            ++at;
            continue;
        }
        if (!grow(of)) return "no memory";
        of->texts[of->count] = at;
        at = hash_word(of->text, at, stop, &of->hashes[of->count]);
        ++of->count;
    }
    return NULL;
}

/* Bytes [from, to) of a file, after what is there. */
static const char *read_range(words *of, FILE *file, long from, long to)
{
    const size_t bytes = (size_t)(to - from);
    char *const text = realloc(of->text, of->text_bytes + bytes + 1);
    if (!text) return "no memory";
    of->text = text;
    if (fseek(file, from, SEEK_SET) != 0 || fread(text + of->text_bytes, 1, bytes, file) != bytes)
        return "cannot be read";
    of->text_bytes += bytes;
    of->text[of->text_bytes] = 0;
    return NULL;
}

/* With a byte before the part, and enough after it for the word that it ends in. */
static const char *read_part(words *of, FILE *file, int part, int parts)
{
    enum { AFTER = 4096 };
    if (fseek(file, 0, SEEK_END) != 0) return "cannot be read";
    const long bytes = ftell(file);
    if (bytes < 0) return "has no size";
    const long begin = (long)((long long)bytes * part / parts), end = (long)((long long)bytes * (part + 1) / parts);
    const long from = begin > 0 ? begin - 1 : 0, stop = bytes - end < AFTER ? bytes : end + AFTER;
    if (begin == end) return NULL;
    if (!read_range(of, file, 0, 0)) of->text[of->text_bytes++] = ' '; /* parts the files */
    const size_t at = of->text_bytes;
    const char *const problem = read_range(of, file, from, stop);
    if (problem) return problem;
    return add_words(of, at + (size_t)(begin - from), at + (size_t)(end - from), of->text_bytes);
}

const char *words_read(words *out, const char *path, int part, int parts)
{
    FILE *const file = fopen(path, "rb");
    if (!file) return "cannot be opened";
    const char *const problem = read_part(out, file, part, parts);
    fclose(file);
    return problem;
}

void words_find(const words *of, uint64_t hash, char out[WORD_BYTES])
{
    memset(out, 0, WORD_BYTES);
    for (size_t k = 0; k < of->count; ++k) {
        if (of->hashes[k] != hash) continue;
        for (size_t c = 0; c < WORD_BYTES - 1 && is_word(of->text[of->texts[k] + c]); ++c)
            out[c] = of->text[of->texts[k] + c];
        return;
    }
}

void words_free(words *of)
{
    free(of->text);
    free(of->hashes);
    free(of->texts);
}
