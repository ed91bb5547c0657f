/* elements.c: the table of element types. Floats hold small integers, so that sums are exact. */
#include "elements.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int element_same(const element *kind, const void *p, const void *q)
{
    return kind->same ? kind->same(p, q) : memcmp(p, q, kind->type->size) == 0;
}

uint64_t test_random(uint64_t seed, uint64_t k)
{
    uint64_t z = seed + (k + 1) * UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* ---- numbers ------------------------------------------------------------------------------------------------ */

/* from_integer gives signed types numbers around zero, so that both signs occur. */
#define NUMBER(lower, upper, text, format, cast, zero_at, width, double_needed)                                        \
    static void lower##_from_integer(int64_t number, void *out)                                                        \
    {                                                                                                                  \
        const text value = (text)(number - (zero_at));                                                                 \
        memcpy(out, &value, sizeof value);                                                                             \
    }                                                                                                                  \
    static void lower##_print(const void *p, char *out, size_t capacity)                                               \
    {                                                                                                                  \
        text a;                                                                                                        \
        memcpy(&a, p, sizeof a);                                                                                       \
        snprintf(out, capacity, "%" format, (cast)a);                                                                  \
    }                                                                                                                  \
    const element element_##lower = {                                                                                  \
        .name = #lower,                                                                                                \
        .type = MCL_##upper,                                                                                           \
        .is_number = 1,                                                                                                \
        .needs_double = (double_needed),                                                                               \
        .span = (width),                                                                                               \
        .zero = (zero_at),                                                                                             \
        .from_integer = lower##_from_integer,                                                                          \
        .add = add_##lower,                                                                                            \
        .before = before_##lower,                                                                                      \
        .print = lower##_print,                                                                                        \
        .shifted = "(" #text ")(table[i] + shift)",                                                                    \
        .less = MCL_LESS,                                                                                              \
        .sum = MCL_ADD,                                                                                                \
    };

NUMBER(int8, INT8, int8_t, "d", int, 50, 100, 0)
NUMBER(int16, INT16, int16_t, "d", int, 1000, 2000, 0)
NUMBER(int32, INT32, int32_t, PRId32, int32_t, 1000, 2001, 0)
NUMBER(int64, INT64, int64_t, PRId64, int64_t, INT64_C(3000000000), INT64_C(6000000000), 0)
NUMBER(uint8, UINT8, uint8_t, "u", unsigned, 0, 100, 0)
NUMBER(uint32, UINT32, uint32_t, PRIu32, uint32_t, 0, INT64_C(4000000000), 0)
NUMBER(uint64, UINT64, uint64_t, PRIu64, uint64_t, 0, INT64_C(1) << 61, 0)
NUMBER(float, FLOAT, float, "g", double, 7, 15, 0)
NUMBER(double, DOUBLE, double, "g", double, 1000000, 2000001, 1)

/* ---- half: small whole numbers, converted here since C has no such type --------------------------------------- */

float half_value(uint16_t bits)
{
    const int exponent = (bits >> 10) & 31;
    float value = exponent ? 1.0f + (float)(bits & 1023) / 1024.0f : 0.0f;

    for (int i = 15; exponent && i < exponent; i++) value *= 2.0f;
    for (int i = exponent; exponent && i < 15; i++) value *= 0.5f;
    return bits & 0x8000 ? -value : value;
}

uint16_t half_bits_of(float value)
{
    const unsigned sign = value < 0 ? 0x8000u : 0u;
    float rest = value < 0 ? -value : value;
    unsigned exponent = 15;

    if (rest == 0.0f) return 0;
    for (; rest >= 2.0f; exponent++) rest *= 0.5f;
    for (; rest < 1.0f; exponent--) rest *= 2.0f;
    return (uint16_t)(sign | exponent << 10 | (unsigned)((rest - 1.0f) * 1024.0f));
}

static void half_from_integer(int64_t number, void *out)
{
    const uint16_t bits = half_bits_of((float)(number - 400));

    memcpy(out, &bits, sizeof bits);
}

static float half_read(const void *p)
{
    uint16_t bits;

    memcpy(&bits, p, sizeof bits);
    return half_value(bits);
}

static void half_add(const void *p, const void *q, void *out)
{
    const uint16_t bits = half_bits_of(half_read(p) + half_read(q));

    memcpy(out, &bits, sizeof bits);
}

static int half_before(const void *p, const void *q)
{
    return half_read(p) < half_read(q);
}

static void half_print(const void *p, char *out, size_t capacity)
{
    snprintf(out, capacity, "%g", half_read(p));
}

const element element_half = {
    .name = "half",
    .type = MCL_HALF,
    .span = 801,
    .from_integer = half_from_integer,
    .add = half_add,
    .before = half_before,
    .print = half_print,
    .shifted = "half_to_float(table[i]) + shift",
    .less = MCL_LESS,
    .sum = MCL_ADD,
};

/* ---- structs ------------------------------------------------------------------------------------------------ */

/* clang-format off */
MCL_SOURCE(point_source,
typedef struct point { float x; float y; int32_t id; } point;
static inline int point_before(const point p, const point q)
{
    return p.x < q.x || (p.x == q.x && (p.y < q.y || (p.y == q.y && p.id < q.id)));
}
static inline point point_add(const point p, const point q)
{
    point sum;
    sum.x = p.x + q.x;
    sum.y = p.y + q.y;
    sum.id = p.id + q.id;
    return sum;
}
static inline point point_zero(void)
{
    point zero;
    zero.x = 0;
    zero.y = 0;
    zero.id = 0;
    return zero;
}
)

MCL_SOURCE(wide_source,
typedef struct wide { int64_t key; int32_t words[14]; } wide;
static inline int wide_before(const wide p, const wide q) { return p.key < q.key; }
static inline wide wide_add(const wide p, const wide q)
{
    wide sum = p;
    int k;
    sum.key += q.key;
    for (k = 0; k < 14; k++) sum.words[k] += q.words[k];
    return sum;
}
static inline wide wide_zero(void)
{
    wide zero;
    int k;
    zero.key = 0;
    for (k = 0; k < 14; k++) zero.words[k] = 0;
    return zero;
}
)
/* clang-format on */

static const mcl_member point_members[] = { { "x", offsetof(point, x) },
                                            { "y", offsetof(point, y) },
                                            { "id", offsetof(point, id) } };
const mcl_type type_point = { .name = "point",
                              .size = sizeof(point),
                              .alignment = MCL_ALIGNOF(point),
                              .source = point_source,
                              .member_count = 3,
                              .members = point_members };
static const mcl_type type_wide = MCL_TYPE(wide, wide_source);
const mcl_op op_point_before = { .role = MCL_ROLE_ORDER, .expression = "point_before(p, q)" };
const mcl_op op_point_add = {
    .role = MCL_ROLE_FOLD, .expression = "point_add(p, q)", .identity = "point_zero()", .commutative = 1
};
const mcl_op op_wide_before = { .role = MCL_ROLE_ORDER, .expression = "wide_before(p, q)" };
const mcl_op op_wide_add = {
    .role = MCL_ROLE_FOLD, .expression = "wide_add(p, q)", .identity = "wide_zero()", .commutative = 1
};

static void point_from_integer(int64_t number, void *out)
{
    const point value = { (float)(number / 9 % 9 - 4), (float)(number % 9 - 4), 5 };

    memcpy(out, &value, sizeof value);
}

static point point_at(const void *p)
{
    point value;

    memcpy(&value, p, sizeof value);
    return value;
}

static void point_sum(const void *p, const void *q, void *out)
{
    const point value = point_add(point_at(p), point_at(q));

    memcpy(out, &value, sizeof value);
}

static int point_precedes(const void *p, const void *q)
{
    return point_before(point_at(p), point_at(q));
}

static void point_print(const void *p, char *out, size_t capacity)
{
    const point value = point_at(p);

    snprintf(out, capacity, "(%g, %g, %" PRId32 ")", (double)value.x, (double)value.y, value.id);
}

const element element_point = {
    .name = "point",
    .type = &type_point,
    .span = 81,
    .from_integer = point_from_integer,
    .add = point_sum,
    .before = point_precedes,
    .print = point_print,
    .shifted = "point_add(table[i], shift)",
    .less = &op_point_before,
    .sum = &op_point_add,
};

static void wide_from_integer(int64_t number, void *out)
{
    wide value;

    value.key = number - 500;
    for (int k = 0; k < 14; k++) value.words[k] = k;
    memcpy(out, &value, sizeof value);
}

static wide wide_at(const void *p)
{
    wide value;

    memcpy(&value, p, sizeof value);
    return value;
}

static void wide_sum(const void *p, const void *q, void *out)
{
    const wide value = wide_add(wide_at(p), wide_at(q));

    memcpy(out, &value, sizeof value);
}

static int wide_precedes(const void *p, const void *q)
{
    return wide_before(wide_at(p), wide_at(q));
}

static void wide_print(const void *p, char *out, size_t capacity)
{
    const wide value = wide_at(p);

    snprintf(out, capacity, "(%" PRId64 ", %" PRId32 "..%" PRId32 ")", value.key, value.words[0], value.words[13]);
}

const element element_wide = {
    .name = "wide",
    .type = &type_wide,
    .span = 1000,
    .from_integer = wide_from_integer,
    .add = wide_sum,
    .before = wide_precedes,
    .ordered_by = MCL_INT64,
    .print = wide_print,
    .shifted = "wide_add(table[i], shift)",
    .less = &op_wide_before,
    .sum = &op_wide_add,
};

/* ---- values with their index ---------------------------------------------------------------------------------- */

#define AT(lower, upper)                                                                                               \
    static int lower##_at_same(const void *p, const void *q)                                                           \
    {                                                                                                                  \
        mcl_##lower##_at a;                                                                                            \
        mcl_##lower##_at b;                                                                                            \
        memcpy(&a, p, sizeof a);                                                                                       \
        memcpy(&b, q, sizeof b);                                                                                       \
        return a.value == b.value && a.index == b.index;                                                               \
    }                                                                                                                  \
    static void lower##_at_print(const void *p, char *out, size_t capacity)                                            \
    {                                                                                                                  \
        mcl_##lower##_at a;                                                                                            \
        memcpy(&a, p, sizeof a);                                                                                       \
        snprintf(out, capacity, "%g at %lld", (double)a.value, (long long)a.index);                                    \
    }                                                                                                                  \
    const element element_##lower##_at = {                                                                             \
        .name = #lower "_at", .type = MCL_##upper##_AT, .same = lower##_at_same, .print = lower##_at_print             \
    };

AT(int8, INT8)
AT(int32, INT32)
AT(int64, INT64)
AT(uint32, UINT32)
AT(uint64, UINT64)
AT(float, FLOAT)
AT(double, DOUBLE)
