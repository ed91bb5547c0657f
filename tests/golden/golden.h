/* golden.h: reads files of known results: numbers that books print, with the numbers from which they follow.
 *  A file has lines of '#' comments and section heads "[kind label type count]", each followed by count numbers in
 *  lines of any length. It has nothing else. kind: input, output (printed in the book) or derived (follows from the
 *  description).
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
    double *values; /* the numbers, exact for every type */
    int32_t *ints;  /* for i32 and u8 the numbers themselves; for u32 their bits */
} golden_section;

typedef struct golden {
    int section_count;
    golden_section sections[GOLDEN_SECTIONS_MAX];
} golden;

/* Reads a file. Returns 1, or 0 where the file has a fault, which error describes. golden_free must follow in both
 * cases. */
int golden_read(const char *path, golden *out, char *error, size_t error_capacity);
void golden_free(golden *freed);

/* Finds a section by its label. Returns NULL where there is none. */
const golden_section *golden_find(const golden *in, const char *label);

#endif
