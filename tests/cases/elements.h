/* elements.h: the element types on which tests and benches run, each with its functions on the host. */
#ifndef TEST_ELEMENTS_H
#define TEST_ELEMENTS_H

#include <moderncl/moderncl.h>

#include <string.h>

/* An element type. Functions take elements by address, and may write results over their arguments. */
typedef struct element {
    const char *name;
    const mcl_type *type;
    int is_number;    /* 1 for a built-in type, which has counting and step inputs */
    int needs_double; /* 1 where the device needs 64-bit floating-point arithmetic */
    int64_t span;     /* bound of numbers: from_integer of [0, span) gives distinct values in increasing order */
    int64_t zero;     /* for number types: from_integer(zero) is 0 */
    void (*from_integer)(int64_t number, void *out);
    void (*add)(const void *p, const void *q, void *out);
    int (*before)(const void *p, const void *q);
    const mcl_type *ordered_by;                /* type of a struct's first number, if before looks at it alone */
    int (*same)(const void *p, const void *q); /* test of equality; NULL: equal bytes */
    void (*print)(const void *p, char *text, size_t capacity);
    const char *shifted; /* expression of an input: the sum of the bound names table[i] and shift */
    const mcl_op *less;  /* the order before, for the device */
    const mcl_op *sum;   /* the operator add, for the device */
} element;

/* Functions of the numbers, visible to loops that are compiled for one of the types. Sums of integers wrap round. */
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
extern const element element_half;  /* stored as half; a float in the device's expressions */
extern const element element_point; /* 12 bytes: two floats and an int32 */
extern const element element_wide;  /* 64 bytes */

/* The pairs that max-index and min-index store: a value and its index. */
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

/* Returns number k of a seed's sequence. All test data comes from this mixing function. */
uint64_t test_random(uint64_t seed, uint64_t k);

float half_value(uint16_t bits);
uint16_t half_bits_of(float value); /* takes numbers that a half holds exactly */

#endif
