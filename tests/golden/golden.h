/* golden.h: reads files of known results: numbers that books print, beside the numbers they come from.
 *
 * A file has lines of '#' comments, section heads "[kind label type count]", each followed by count numbers in lines of
 * any length, and nothing else. kind: input, output (printed in the book) or derived (follows from the description).
 * type: i32, u32, u8, f32 or f64. */
#ifndef TEST_GOLDEN_H
#define TEST_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

enum { GOLDEN_SECTIONS_MAX = 64 };

typedef struct golden_section {
    char kind[16];
    char label[64];
    char type[8];
    int count;
    double *values; /* exact for every type */
    int32_t *ints;  /* the same numbers, for i32 and u8; u32 as their bits */
} golden_section;

typedef struct golden {
    int section_count;
    golden_section sections[GOLDEN_SECTIONS_MAX];
} golden;

/* 1: read. 0: error says where the file is not as it should be. Either way golden_free frees what was made. */
int golden_read(const char *path, golden *out, char *error, size_t error_capacity);
void golden_free(golden *freed);

/* NULL where there is none of that label. */
const golden_section *golden_find(const golden *in, const char *label);

#endif
