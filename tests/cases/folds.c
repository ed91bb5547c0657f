/* folds.c: the table of fold operators on the host and the device. */
#include "folds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what the loops do with them ------------------------------------------------------------------------------- */

/* Copies a value. Sizes of numbers have their own branches, since a copy of variable size is slow. */
static void copy_value(void *to, const void *from, size_t size)
{
    if (size == sizeof(int32_t))
        memcpy(to, from, sizeof(int32_t));
    else if (size == sizeof(int64_t))
        memcpy(to, from, sizeof(int64_t));
    else
        memcpy(to, from, size);
}

int fold_start(const fold *by, const unsigned char *initial, unsigned char *sum)
{
    if (initial)
        memcpy(sum, initial, MCL_VALUE_BYTES_MAX);
    else if (by->identity)
        by->identity(sum);
    return initial != NULL;
}

void fold_step(const fold *by, const unsigned char *x, int64_t i, unsigned char *sum, int *defined)
{
    unsigned char extracted[MCL_VALUE_BYTES_MAX];
    const unsigned char *value = by->extract ? extracted : x;

    if (by->extract) by->extract(x, i, extracted);
    if (*defined)
        by->plus(sum, value, sum);
    else
        copy_value(sum, value, by->value->type->size);
    *defined = 1;
}

void fold_combine(const fold *by, const unsigned char *x, const unsigned char *sum, unsigned char *out)
{
    if (by->combine)
        by->combine(x, sum, out);
    else if (by->store)
        by->store(sum, out);
    else
        copy_value(out, sum, by->value->type->size);
}

const element *fold_total_element(const fold *by)
{
    return by->total ? by->total : by->stored;
}

void fold_total(const fold *by, const unsigned char *sum, unsigned char *out)
{
    if (by->store_total)
        by->store_total(sum, out);
    else if (by->store)
        by->store(sum, out);
    else
        copy_value(out, sum, by->value->type->size);
}

/* ---- sums and extremes --------------------------------------------------------------------------------------- */

static void zero_bytes_8(void *v)
{
    memset(v, 0, 8);
}
static void zero_bytes_4(void *v)
{
    memset(v, 0, 4);
}
static void zero_bytes_1(void *v)
{
    memset(v, 0, 1);
}
static void zero_bytes_12(void *v)
{
    memset(v, 0, 12);
}
static void zero_bytes_64(void *v)
{
    memset(v, 0, 64);
}

#define NUMBER_SUM(lower, bytes)                                                                                       \
    const fold fold_add_##lower = { .name = "sums of " #lower,                                                         \
                                    .op = MCL_ADD,                                                                     \
                                    .in = &element_##lower,                                                            \
                                    .value = &element_##lower,                                                         \
                                    .stored = &element_##lower,                                                        \
                                    .plus = add_##lower,                                                               \
                                    .identity = zero_bytes_##bytes,                                                    \
                                    .takes_initial = 1 };

NUMBER_SUM(int8, 1)
NUMBER_SUM(int32, 4)
NUMBER_SUM(int64, 8)
NUMBER_SUM(uint32, 4)
NUMBER_SUM(uint64, 8)
NUMBER_SUM(float, 4)
NUMBER_SUM(double, 8)

static void float_to_double(const void *x, int64_t i, void *v)
{
    float narrow;
    double wide;

    (void)i;
    memcpy(&narrow, x, sizeof narrow);
    wide = (double)narrow;
    memcpy(v, &wide, sizeof wide);
}

static void double_to_float(const void *v, void *out)
{
    double wide;
    float narrow;

    memcpy(&wide, v, sizeof wide);
    narrow = (float)wide;
    memcpy(out, &narrow, sizeof narrow);
}

const fold fold_add_many_floats = { .name = "sums of float, wider on the host",
                                    .op = MCL_ADD,
                                    .in = &element_float,
                                    .value = &element_double,
                                    .stored = &element_float,
                                    .extract = float_to_double,
                                    .plus = add_double,
                                    .identity = zero_bytes_8,
                                    .store = double_to_float };

static void sum_point(const void *p, const void *q, void *out)
{
    element_point.add(p, q, out);
}
static void sum_wide(const void *p, const void *q, void *out)
{
    element_wide.add(p, q, out);
}

const fold fold_add_point = { .name = "sums of 12-byte structs",
                              .op = &op_point_add,
                              .in = &element_point,
                              .value = &element_point,
                              .stored = &element_point,
                              .plus = sum_point,
                              .identity = zero_bytes_12,
                              .takes_initial = 1 };
const fold fold_add_wide = { .name = "sums of 64-byte structs",
                             .op = &op_wide_add,
                             .in = &element_wide,
                             .value = &element_wide,
                             .stored = &element_wide,
                             .plus = sum_wide,
                             .identity = zero_bytes_64,
                             .takes_initial = 1 };

static void later_max_int32(const void *p, const void *q, void *out)
{
    memmove(out, element_int32.before(p, q) ? q : p, 4);
}

static void lowest_int32(void *v)
{
    const int32_t lowest = INT32_MIN;

    memcpy(v, &lowest, sizeof lowest);
}

const fold fold_max_int32 = { .name = "largest of int32",
                              .op = MCL_MAX,
                              .in = &element_int32,
                              .value = &element_int32,
                              .stored = &element_int32,
                              .plus = later_max_int32,
                              .identity = lowest_int32,
                              .takes_initial = 1 };

static void smaller_float(const void *p, const void *q, void *out)
{
    memmove(out, element_float.before(q, p) ? q : p, 4);
}

static void highest_float(void *v)
{
    const float highest = INFINITY;

    memcpy(v, &highest, sizeof highest);
}

const fold fold_min_float = { .name = "smallest of float",
                              .op = MCL_MIN,
                              .in = &element_float,
                              .value = &element_float,
                              .stored = &element_float,
                              .plus = smaller_float,
                              .identity = highest_float,
                              .takes_initial = 1 };

static void xor_uint64(const void *p, const void *q, void *out)
{
    uint64_t a;
    uint64_t b;

    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    a ^= b;
    memcpy(out, &a, sizeof a);
}

const fold fold_xor_uint64 = { .name = "exclusive or of uint64",
                               .op = MCL_XOR,
                               .in = &element_uint64,
                               .value = &element_uint64,
                               .stored = &element_uint64,
                               .plus = xor_uint64,
                               .identity = zero_bytes_8,
                               .takes_initial = 1 };

static void larger_half(const void *p, const void *q, void *out)
{
    memmove(out, element_half.before(p, q) ? q : p, 2);
}

static void lowest_half(void *v)
{
    const uint16_t minus_infinity = 0xFC00;

    memcpy(v, &minus_infinity, sizeof minus_infinity);
}

const fold fold_max_half = { .name = "largest of half",
                             .op = MCL_MAX,
                             .in = &element_half,
                             .value = &element_half,
                             .stored = &element_half,
                             .plus = larger_half,
                             .identity = lowest_half };

/* ---- accumulators of another type ---------------------------------------------------------------------------- */

static const mcl_op op_widened = {
    .role = MCL_ROLE_FOLD, .expression = "p + q", .identity = "0", .value = MCL_INT64, .commutative = 1
};
#define WIDENED(name_, from)                                                                                           \
    static void widen_##from(const void *x, int64_t i, void *v)                                                        \
    {                                                                                                                  \
        from##_t narrow;                                                                                               \
        memcpy(&narrow, x, sizeof narrow);                                                                             \
        const int64_t wide = narrow;                                                                                   \
        (void)i;                                                                                                       \
        memcpy(v, &wide, sizeof wide);                                                                                 \
    }                                                                                                                  \
    const fold name_ = { .name = "int64 sums of " #from,                                                               \
                         .op = &op_widened,                                                                            \
                         .in = &element_##from,                                                                        \
                         .value = &element_int64,                                                                      \
                         .stored = &element_int64,                                                                     \
                         .extract = widen_##from,                                                                      \
                         .plus = add_int64,                                                                            \
                         .identity = zero_bytes_8,                                                                     \
                         .takes_initial = 1 };
WIDENED(fold_widened, int8)
WIDENED(fold_widened_int32, int32)

/* ---- operators of users -------------------------------------------------------------------------------------- */

/* clang-format off */
MCL_SOURCE(affine_source,
typedef struct affine { uint32_t factor; uint32_t term; } affine;
static inline affine affine_then(const affine p, const affine q)
{
    affine both;
    both.factor = p.factor * q.factor;
    both.term = p.term * q.factor + q.term;
    return both;
}
static inline affine affine_of(const uint32_t x)
{
    affine map;
    map.factor = 2 * x + 1;
    map.term = x + 3;
    return map;
}
static inline affine affine_nothing(void)
{
    affine map;
    map.factor = 1;
    map.term = 0;
    return map;
}
)

MCL_SOURCE(matrix_source,
typedef struct matrix { uint32_t m[4]; } matrix;
static inline matrix matrix_product(const matrix p, const matrix q)
{
    matrix product;
    product.m[0] = p.m[0] * q.m[0] + p.m[1] * q.m[2];
    product.m[1] = p.m[0] * q.m[1] + p.m[1] * q.m[3];
    product.m[2] = p.m[2] * q.m[0] + p.m[3] * q.m[2];
    product.m[3] = p.m[2] * q.m[1] + p.m[3] * q.m[3];
    return product;
}
)

MCL_SOURCE(tagged_source,
typedef struct tagged { int32_t value; uint32_t tag; } tagged;
static inline tagged tagged_add(const tagged p, const tagged q)
{
    tagged sum;
    sum.value = p.value + q.value;
    sum.tag = p.tag == 0x5AFE5AFEu && q.tag == 0x5AFE5AFEu ? 0x5AFE5AFEu : 0xBADu;
    return sum;
}
static inline tagged tagged_nothing(void)
{
    tagged nothing;
    nothing.value = -7;
    nothing.tag = 0x1DEu;
    return nothing;
}
)
/* clang-format on */

#define PAIR_ELEMENT(name_, first, second, bytes)                                                                      \
    static const mcl_type type_##name_ = MCL_TYPE(name_, name_##_source);                                              \
    static void name_##_print(const void *p, char *text, size_t capacity)                                              \
    {                                                                                                                  \
        name_ value;                                                                                                   \
        memcpy(&value, p, sizeof value);                                                                               \
        snprintf(text, capacity, "(%#llx, %#llx)", (unsigned long long)value.first, (unsigned long long)value.second); \
    }

PAIR_ELEMENT(affine, factor, term, 8)
PAIR_ELEMENT(matrix, m[0], m[3], 16)
PAIR_ELEMENT(tagged, value, tag, 8)

static const element element_affine = { .name = "affine", .type = &type_affine, .print = affine_print };

static void affine_extract(const void *x, int64_t i, void *v)
{
    uint32_t number;
    affine map;

    (void)i;
    memcpy(&number, x, sizeof number);
    map = affine_of(number);
    memcpy(v, &map, sizeof map);
}

static void affine_plus(const void *p, const void *q, void *out)
{
    affine a;
    affine b;

    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    a = affine_then(a, b);
    memcpy(out, &a, sizeof a);
}

static void affine_identity(void *v)
{
    const affine nothing = affine_nothing();

    memcpy(v, &nothing, sizeof nothing);
}

static const mcl_op op_affine = { .role = MCL_ROLE_FOLD,
                                  .expression = "affine_then(p, q)",
                                  .source = affine_source,
                                  .identity = "affine_nothing()",
                                  .value = &type_affine,
                                  .extract = "affine_of(x)" };
const fold fold_affine = { .name = "affine maps composed",
                           .op = &op_affine,
                           .in = &element_uint32,
                           .value = &element_affine,
                           .stored = &element_affine,
                           .extract = affine_extract,
                           .plus = affine_plus,
                           .identity = affine_identity,
                           .takes_initial = 1 };

static void matrix_from_integer(int64_t number, void *out)
{
    const uint32_t x = (uint32_t)number;
    const matrix value = { { x, 1 + x % 5, x % 3, 1 } };

    memcpy(out, &value, sizeof value);
}

static void matrix_plus(const void *p, const void *q, void *out)
{
    matrix a;
    matrix b;

    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    a = matrix_product(a, b);
    memcpy(out, &a, sizeof a);
}

static const mcl_op op_matrix = { .role = MCL_ROLE_FOLD, .expression = "matrix_product(p, q)" };
static const element element_matrix = { .name = "matrix",
                                        .type = &type_matrix,
                                        .span = 1000,
                                        .from_integer = matrix_from_integer,
                                        .add = matrix_plus,
                                        .print = matrix_print,
                                        .shifted = "matrix_product(table[i], shift)" };
const fold fold_matrix = { .name = "matrix products",
                           .op = &op_matrix,
                           .in = &element_matrix,
                           .value = &element_matrix,
                           .stored = &element_matrix,
                           .plus = matrix_plus,
                           .takes_initial = 1 };

static void tagged_from_integer(int64_t number, void *out)
{
    const tagged value = { (int32_t)(number - 100), 0x5AFE5AFEu };

    memcpy(out, &value, sizeof value);
}

static void tagged_plus(const void *p, const void *q, void *out)
{
    tagged a;
    tagged b;

    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    a = tagged_add(a, b);
    memcpy(out, &a, sizeof a);
}

static void tagged_identity(void *v)
{
    const tagged nothing = tagged_nothing();

    memcpy(v, &nothing, sizeof nothing);
}

static const mcl_op op_tagged = { .role = MCL_ROLE_FOLD,
                                  .expression = "tagged_add(p, q)",
                                  .identity = "tagged_nothing()" };
static const element element_tagged = { .name = "tagged",
                                        .type = &type_tagged,
                                        .span = 201,
                                        .from_integer = tagged_from_integer,
                                        .add = tagged_plus,
                                        .print = tagged_print,
                                        .shifted = "tagged_add(table[i], shift)" };
const fold fold_tagged = { .name = "sums that notice padding",
                           .op = &op_tagged,
                           .in = &element_tagged,
                           .value = &element_tagged,
                           .stored = &element_tagged,
                           .plus = tagged_plus,
                           .identity = tagged_identity,
                           .takes_initial = 1 };

/* ---- results that use the element ---------------------------------------------------------------------------- */

static void flag_strip(const void *x, int64_t i, void *v)
{
    uint32_t number;

    (void)i;
    memcpy(&number, x, sizeof number);
    number &= 0xFFFu;
    memcpy(v, &number, sizeof number);
}

static void flag_put_back(const void *x, const void *v, void *out)
{
    uint32_t number;
    uint32_t sum;

    memcpy(&number, x, sizeof number);
    memcpy(&sum, v, sizeof sum);
    sum = (sum & 0x7FFFFFFFu) | (number & 0x80000000u);
    memcpy(out, &sum, sizeof sum);
}

static const mcl_op op_flagged = { .role = MCL_ROLE_FOLD,
                                   .expression = "p + q",
                                   .identity = "0",
                                   .extract = "x & 0xFFFu",
                                   .combine = "(v & 0x7FFFFFFFu) | (x & 0x80000000u)",
                                   .commutative = 1 };
const fold fold_flagged = { .name = "sums beside flag bits",
                            .op = &op_flagged,
                            .in = &element_uint32,
                            .value = &element_uint32,
                            .stored = &element_uint32,
                            .extract = flag_strip,
                            .plus = add_uint32,
                            .identity = zero_bytes_4,
                            .combine = flag_put_back,
                            .takes_initial = 1 };

static void halve(const void *x, const void *v, void *out)
{
    int32_t number;
    int32_t sum;
    float result;

    memcpy(&number, x, sizeof number);
    memcpy(&sum, v, sizeof sum);
    result = (float)sum * 0.5f + (float)number;
    memcpy(out, &result, sizeof result);
}

static void to_float(const void *v, void *out)
{
    int32_t sum;
    float result;

    memcpy(&sum, v, sizeof sum);
    result = (float)sum;
    memcpy(out, &result, sizeof result);
}

static void copy_int32(const void *v, void *out)
{
    memmove(out, v, 4);
}

static const mcl_op op_halved = { .role = MCL_ROLE_FOLD,
                                  .expression = "p + q",
                                  .identity = "0",
                                  .value = MCL_INT32,
                                  .result = MCL_FLOAT,
                                  .combine = "(float)v * 0.5f + (float)x",
                                  .commutative = 1 };
const fold fold_halved = { .name = "float results of int32 sums",
                           .op = &op_halved,
                           .in = &element_int32,
                           .value = &element_int32,
                           .stored = &element_float,
                           .total = &element_int32,
                           .plus = add_int32,
                           .identity = zero_bytes_4,
                           .combine = halve,
                           .store = to_float,
                           .store_total = copy_int32,
                           .takes_initial = 1 };

static void modular_sum(const void *p, const void *q, void *out)
{
    uint32_t a;
    uint32_t b;

    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    a = (a % 10007u + b % 10007u) % 10007u;
    memcpy(out, &a, sizeof a);
}

/* On a little-endian host, the union's first member gives the bytes of a uint32. */
static const mcl_op op_modular = { .role = MCL_ROLE_FOLD,
                                   .expression = "(p % modulus + q % modulus) % modulus",
                                   .identity = "0",
                                   .commutative = 1,
                                   .binding_count = 1,
                                   .bindings = {
                                       { .name = "modulus", .type = MCL_UINT32, .value = { .alignment = 10007 } } } };
const fold fold_modular = { .name = "sums modulo a bound value",
                            .op = &op_modular,
                            .in = &element_uint32,
                            .value = &element_uint32,
                            .stored = &element_uint32,
                            .plus = modular_sum,
                            .identity = zero_bytes_4 };
