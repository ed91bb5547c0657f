/* token.h: cuts a caller's C text into words, numbers and signs. */
#ifndef MODERNCL_TOKEN_H
#define MODERNCL_TOKEN_H

#include <string.h>

/* A word, a number, or one other character. size is 0 at the end of the text. */
typedef struct mcl__token {
    const char *at;
    size_t size;
} mcl__token;

#define MCL__WORD_LETTERS "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static inline int mcl__is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static inline mcl__token mcl__token_from(const char *from)
{
    mcl__token next = { from + strspn(from, " \t\n\r\v\f"), 0 };
    if (mcl__is_digit(next.at[0]) || (next.at[0] == '.' && mcl__is_digit(next.at[1])))
        next.size = strspn(next.at, MCL__WORD_LETTERS ".");
    else
        next.size = strspn(next.at, MCL__WORD_LETTERS);
    if (next.size == 0 && next.at[0]) next.size = 1;
    return next;
}

static inline mcl__token mcl__token_after(mcl__token of)
{
    return mcl__token_from(of.at + of.size);
}

static inline int mcl__token_is(mcl__token of, const char *text)
{
    return of.size == strlen(text) && memcmp(of.at, text, of.size) == 0;
}

static inline int mcl__token_is_word(mcl__token of)
{
    return of.size > 0 && !mcl__is_digit(of.at[0]) && strchr(MCL__WORD_LETTERS, of.at[0]) != NULL;
}

#endif
