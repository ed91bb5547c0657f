/* numbers.c: numbers that are drawn from a seed; kinds of elements and their contents. */
#include "fuzz.h"

#include <string.h>

stream stream_of(uint64_t seed, uint64_t first, uint64_t second)
{
    stream made = { seed };

    made.state = draw(&made) ^ (first * UINT64_C(0xD1342543DE82EF95));
    made.state = draw(&made) ^ (second * UINT64_C(0x9E6C63D0876A9A47));
    draw(&made);
    return made;
}

uint64_t draw(stream *from)
{
    uint64_t z = from->state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The input of a thread. Threads of one fuzzer draw at the same time. */
static _Thread_local struct {
    const uint8_t *next;
    const uint8_t *end;
} input;

void draw_from_input(const uint8_t *bytes, size_t count)
{
    input.next = bytes;
    input.end = bytes ? bytes + count : NULL;
}

/* Pauses the input, so that elements' contents do not use it up. */
static const uint8_t *input_pause(void)
{
    const uint8_t *const next = input.next;

    input.next = input.end;
    return next;
}

/* Draws a number from as many bytes as the limit needs, or from the rest of the input. */
static int input_draw(int64_t limit, uint64_t *number)
{
    if (input.next == input.end) return 0;
    *number = 0;
    for (uint64_t last = (uint64_t)limit - 1; last > 0 && input.next != input.end; last >>= 8)
        *number = *number << 8 | *input.next++;
    return 1;
}

int64_t draw_below(stream *from, int64_t limit)
{
    uint64_t number = 0;

    if (limit <= 1) return 0;
    if (!input_draw(limit, &number)) number = draw(from);
    return (int64_t)(number % (uint64_t)limit);
}

int64_t draw_between(stream *from, int64_t low, int64_t high)
{
    return low + draw_below(from, high - low + 1);
}

int draw_chance(stream *from, int percent)
{
    return draw_below(from, 100) < percent;
}

/* ---- kinds ---------------------------------------------------------------------------------------------- */

#define NUMBER(lower, upper, traits_of) const kind kind_##lower = { #lower, MCL_##upper, traits_of, 0 };
NUMBER(int8, INT8, KIND_INTEGER)
NUMBER(int16, INT16, KIND_INTEGER)
NUMBER(int32, INT32, KIND_INTEGER)
NUMBER(int64, INT64, KIND_INTEGER)
NUMBER(uint8, UINT8, KIND_INTEGER | KIND_UNSIGNED)
NUMBER(uint16, UINT16, KIND_INTEGER | KIND_UNSIGNED)
NUMBER(uint32, UINT32, KIND_INTEGER | KIND_UNSIGNED)
NUMBER(uint64, UINT64, KIND_INTEGER | KIND_UNSIGNED)
NUMBER(half, HALF, KIND_FLOAT | KIND_HALF)
NUMBER(float, FLOAT, KIND_FLOAT)
NUMBER(double, DOUBLE, KIND_FLOAT)

/* Structs without padding. The first member is the key. */
#define STRUCT(text_name, bytes, key, rest)                                                                            \
    static const mcl_type type_##text_name = {                                                                         \
        #text_name, bytes,          0, "typedef struct " #text_name " { " key " key; " rest " } " #text_name ";", 0,   \
        NULL,       MCL_KIND_STRUCT                                                                                    \
    };
STRUCT(fuzz_1, 1, "int8_t", "")
STRUCT(fuzz_3, 3, "int8_t", "uint8_t rest[2];")
STRUCT(fuzz_6, 6, "int16_t", "uint16_t rest[2];")
STRUCT(fuzz_12, 12, "int32_t", "float rest[2];")
STRUCT(fuzz_16, 16, "int64_t", "uint64_t rest;")
STRUCT(fuzz_20, 20, "int32_t", "uint16_t rest[8];")
STRUCT(fuzz_40, 40, "int64_t", "uint32_t rest[8];")
STRUCT(fuzz_63, 63, "int8_t", "uint8_t rest[62];")
STRUCT(fuzz_64, 64, "int64_t", "uint32_t rest[14];")
STRUCT(fuzz_affine, 8, "int32_t", "uint32_t term;")

/* A struct that exists on the host alone: the key of a value, and its index. */
static const mcl_type type_indexed_here = { "fuzz_indexed", 16, 0, "", 0, NULL, MCL_KIND_STRUCT };
const kind kind_indexed = { "indexed", &type_indexed_here, KIND_STRUCT, 8 };
const kind kind_affine = { "affine", &type_fuzz_affine, KIND_STRUCT, 4 };
static const kind struct_kinds[] = {
    { "1 byte", &type_fuzz_1, KIND_STRUCT, 1 },    { "3 bytes", &type_fuzz_3, KIND_STRUCT, 1 },
    { "6 bytes", &type_fuzz_6, KIND_STRUCT, 2 },   { "12 bytes", &type_fuzz_12, KIND_STRUCT, 4 },
    { "16 bytes", &type_fuzz_16, KIND_STRUCT, 8 }, { "20 bytes", &type_fuzz_20, KIND_STRUCT, 4 },
    { "40 bytes", &type_fuzz_40, KIND_STRUCT, 8 }, { "63 bytes", &type_fuzz_63, KIND_STRUCT, 1 },
    { "64 bytes", &type_fuzz_64, KIND_STRUCT, 8 },
};
enum { STRUCT_KINDS = sizeof struct_kinds / sizeof struct_kinds[0], INTEGER_KINDS = 8, NUMBER_KINDS = 11 };
static const kind *const number_kinds[NUMBER_KINDS] = { &kind_int32, &kind_uint32, &kind_int8,  &kind_int16,
                                                        &kind_uint8, &kind_uint16, &kind_int64, &kind_uint64,
                                                        &kind_float, &kind_double, &kind_half };

const kind *draw_kind(stream *from, int which)
{
    if (which == KINDS_INDEX) return draw_chance(from, 60) ? &kind_int32 : &kind_int64;
    if (which == KINDS_INTEGER) return number_kinds[draw_below(from, INTEGER_KINDS)];
    if (which == KINDS_NUMBER || draw_chance(from, 55)) return number_kinds[draw_below(from, NUMBER_KINDS)];
    return &struct_kinds[draw_below(from, STRUCT_KINDS)];
}

int64_t integer_of(const kind *of, const void *element)
{
    const size_t bytes = of->traits & KIND_STRUCT ? of->key_bytes : of->type->size;
    uint64_t bits = 0;

    for (size_t k = bytes; k > 0; k--) bits = bits << 8 | ((const unsigned char *)element)[k - 1];
    if (!(of->traits & KIND_UNSIGNED) && bytes < 8 && bits >> (8 * bytes - 1)) bits |= ~UINT64_C(0) << (8 * bytes);
    return (int64_t)bits;
}

void integer_to(const kind *of, int64_t number, void *element)
{
    const size_t bytes = of->traits & KIND_STRUCT ? of->key_bytes : of->type->size;

    for (size_t k = 0; k < bytes; k++) ((unsigned char *)element)[k] = (unsigned char)((uint64_t)number >> (8 * k));
}

/* Returns an integer with the order of floats: NaN comes last, and both zeros are equal. */
static int64_t float_key(const kind *of, const void *element)
{
    const int bits = (int)of->type->size * 8;
    const int mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    const int64_t value = integer_of(of, element);
    const uint64_t magnitude = (uint64_t)value & ((UINT64_C(1) << (bits - 1)) - 1);
    const uint64_t infinity = ((UINT64_C(1) << (bits - 1)) - 1) >> mantissa << mantissa;

    if (magnitude > infinity) return INT64_MAX;
    return value < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

int64_t order_key(const kind *of, const void *element)
{
    if (of->traits & KIND_FLOAT) return float_key(of, element);
    const int64_t value = integer_of(of, element);
    return of->type == MCL_UINT64 ? (int64_t)((uint64_t)value ^ (UINT64_C(1) << 63)) : value;
}

/* ---- what elements hold --------------------------------------------------------------------------------- */

static uint16_t half_of(int small) /* 0 to 2047 */
{
    int exponent = 25;

    if (!small) return 0;
    for (; small < 1024; exponent--) small *= 2;
    return (uint16_t)(exponent << 10 | (small & 1023));
}

static void fill_small(const kind *of, int64_t number, unsigned char *out)
{
    if (of->type == MCL_DOUBLE) {
        const double value = (double)number;
        memcpy(out, &value, sizeof value);
    } else if (of->type == MCL_FLOAT) {
        const float value = (float)number;
        memcpy(out, &value, sizeof value);
    } else if (of->type == MCL_HALF) {
        const uint16_t bits = half_of((int)number);
        memcpy(out, &bits, sizeof bits);
    } else {
        integer_to(of, number, out);
    }
}

static int is_half_nan(const kind *of, const unsigned char *element)
{
    return of->type == MCL_HALF && order_key(of, element) == INT64_MAX;
}

/* Fills with any bits. Some floats are NaN with payloads, infinite, zero or subnormal. */
static void fill_bits(stream *from, const kind *of, unsigned char *out)
{
    const size_t bytes = of->type->size;
    uint64_t bits = 0;

    for (size_t k = 0; k < bytes; k++, bits >>= 8) {
        if (k % 8 == 0) bits = draw(from);
        out[k] = (unsigned char)bits;
    }
    if (!(of->traits & KIND_FLOAT)) return;
    const int64_t special = draw_below(from, 12);
    if (special == 0) memset(out, 0, bytes);
    if (special == 1) memset(out, 0, bytes), out[bytes - 1] = 0x80;
    if (special == 2) out[bytes - 1] |= 0x7f, out[bytes - 2] |= 0xf8; /* NaN */
    if (is_half_nan(of, out) && is_skipped("half-nan")) memset(out, 0, bytes);
}

/* Fills floats for FILL_ENDS. It leaves out the highest infinity, which is the identity of MCL_MIN. */
static void fill_end(stream *from, const kind *of, int negative, unsigned char *out)
{
    const size_t bytes = of->type->size;
    const int64_t which = draw_below(from, 8);
    const unsigned char sign = negative ? 0x80 : 0;

    fill_small(of, draw_below(from, 8) + 1, out);
    if (which > 5) out[bytes - 1] |= 0x80;
    if (which > 4) return;
    memset(out, 0, bytes);
    if (which == 4) out[bytes - 1] = 0xff, out[bytes - 2] = of->type == MCL_DOUBLE ? 0xf0 : 0x80;
    if (which == 2 || which == 3) out[bytes - 1] = sign;
    if (which < 2) out[bytes - 1] = sign | 0x7f, out[bytes - 2] = 0xf8, out[0] = negative ? 5 : 0;
}

void fill_elements(stream *from, const kind *of, fill how, unsigned char *out, int64_t count)
{
    const size_t bytes = of->type->size;
    const int64_t distinct = draw_between(from, 1, 9);
    const uint8_t *const next = input_pause();

    for (int64_t k = 0; k < count; k++, out += bytes) {
        if (how < FILL_SMALL || how == FILL_COUNT || of->traits & KIND_STRUCT) fill_bits(from, of, out);
        if (how == FILL_FEW) fill_small(of, draw_below(from, distinct), out);
        if (how == FILL_EQUAL) fill_small(of, 5, out);
        if (how == FILL_SMALL) fill_small(of, draw_below(from, 8), out);
        if (how >= FILL_ENDS) fill_end(from, of, how == FILL_ENDS_NEGATIVE, out);
        if (how == FILL_LARGE) fill_small(of, draw_chance(from, 30) ? 1 << 24 : draw_below(from, 8), out);
        if (how == FILL_COUNT) fill_small(of, k, out);
    }
    input.next = next;
}
