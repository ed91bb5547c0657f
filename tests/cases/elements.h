/* elements.h: the element types that tests and benches run over, each with what the host does with it. */
#ifndef TEST_ELEMENTS_H
#define TEST_ELEMENTS_H

#include <moderncl/moderncl.h>

#include <string.h>

/* One element type. Functions take elements by address; results may be written over their arguments. */
typedef struct element {
    const char *name;
    const mcl_type *type;
    int is_number;    /* of a built-in type: counting and step inputs exist */
    int needs_double; /* 64-bit floating-point arithmetic on the device */
    int64_t span;     /* from_integer of [0, span) gives distinct values in increasing order */
    int64_t zero;     /* numbers: from_integer(zero) is 0 */
    void (*from_integer)(int64_t number, void *out);
    void (*add)(const void *p, const void *q, void *out);
    int (*before)(const void *p, const void *q);
    const mcl_type *ordered_by;                /* a struct's first number, where before looks at it alone */
    int (*same)(const void *p, const void *q); /* NULL: equal bytes */
    void (*print)(const void *p, char *text, size_t capacity);
    const char *shifted; /* the sum of bound names table[i] and shift, as an input's expression */
    const mcl_op *less;  /* before, for the device */
    const mcl_op *sum;   /* add, for the device */
} element;

/* What the numbers do, in sight of loops that are compiled for one of them. Sums of integers wrap round. */
#define ELEMENT_NUMBER(lower, text, arithmetic)                                                                        \
    static inline int before_##lower(const void *p, const void *q)                                                     \
    {                                                                                                                  \
        text a;                                                                                                        \
        text b;                                                                                                        \
        memcpy(&a, p, sizeof a);                                                                                       \
        memcpy(&b, q, sizeof b);                                                                                       \
        return a < b;                                                                                                  \
    }                                                                                                                  \
    static inline void add_##lower(const void *p, const void *q, void *out)                                            \
    {                                                                                                                  \
        text a;                                                                                                        \
        text b;                                                                                                        \
        memcpy(&a, p, sizeof a);                                                                                       \
        memcpy(&b, q, sizeof b);                                                                                       \
        a = (text)((arithmetic)a + (arithmetic)b);                                                                     \
        memcpy(out, &a, sizeof a);                                                                                     \
    }
ELEMENT_NUMBER(int8, int8_t, uint64_t)
ELEMENT_NUMBER(int16, int16_t, uint64_t)
ELEMENT_NUMBER(int32, int32_t, uint64_t)
ELEMENT_NUMBER(int64, int64_t, uint64_t)
ELEMENT_NUMBER(uint8, uint8_t, uint64_t)
ELEMENT_NUMBER(uint32, uint32_t, uint64_t)
ELEMENT_NUMBER(uint64, uint64_t, uint64_t)
ELEMENT_NUMBER(float, float, float)
ELEMENT_NUMBER(double, double, double)

extern const element element_int8;
extern const element element_int16;
extern const element element_int32;
extern const element element_int64;
extern const element element_uint8;
extern const element element_uint32;
extern const element element_uint64;
extern const element element_float;
extern const element element_double;
extern const element element_half;  /* storage only: float on the device */
extern const element element_point; /* 12 bytes: two floats and a number */
extern const element element_wide;  /* 64 bytes */

/* What max-index and min-index give with both members stored. */
extern const element element_int8_at;
extern const element element_int32_at;
extern const element element_int64_at;
extern const element element_uint32_at;
extern const element element_uint64_at;
extern const element element_float_at;
extern const element element_double_at;

extern const mcl_op op_point_add;
extern const mcl_op op_wide_add;

int element_same(const element *kind, const void *p, const void *q);

/* The mixing function that all test data comes from: number k of a seed's sequence. */
uint64_t test_random(uint64_t seed, uint64_t k);

float half_value(uint16_t bits);
uint16_t half_bits_of(float value); /* of numbers that a half holds exactly */

#endif
