/* text.c: a growing string that remembers a failed allocation. */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mcl__text_clear(mcl__text *text)
{
    text->length = 0;
    text->failed = 0;
    if (text->data) text->data[0] = 0;
}

void mcl__text_free(mcl__text *text)
{
    free(text->data);
    *text = (mcl__text){ 0 };
}

/* Makes room for count more bytes and the final 0. Returns 1 on success. */
static int text_reserve(mcl__text *text, size_t count)
{
    if (text->failed) return 0;
    if (text->data && count < text->capacity - text->length) return 1;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity - text->length <= count && capacity <= SIZE_MAX / 2) capacity *= 2;
    char *const data = capacity - text->length > count ? realloc(text->data, capacity) : NULL;
    if (!data) {
        text->failed = 1;
        return 0;
    }
    text->data = data;
    text->capacity = capacity;
    return 1;
}

void mcl__text_bytes(mcl__text *text, const void *bytes, size_t count)
{
    if (!text_reserve(text, count)) return;
    if (count) memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = 0;
}

void mcl__text_append(mcl__text *text, const char *string)
{
    mcl__text_bytes(text, string, strlen(string));
}

void mcl__text_format(mcl__text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->failed = 1;
    } else if (text_reserve(text, (size_t)length)) {
        (void)vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

static int small_letter(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int mcl__text_same_letters(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (small_letter(a[i]) != small_letter(b[i])) return 0;
    return 1;
}

static int is_word_letter(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int mcl__text_names(const char *text, char name)
{
    char before = ' ', last = ' '; /* before: the last character that is no blank; last: the character before *text */
    for (; text && *text; ++text) {
        const int is_whole = !is_word_letter(last) && !is_word_letter(text[1]);
        if (*text == name && is_whole && before != '.') return 1;
        if (*text != ' ') before = *text;
        last = *text;
    }
    return 0;
}
