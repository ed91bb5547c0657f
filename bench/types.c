/* types.c: the element types on which the bench measures. */
#include "bench.h"

#include <string.h>

typedef struct struct12 {
    int32_t x;
    int32_t y;
    int32_t z;
} struct12;

static const char struct12_source[] = "typedef struct struct12 { int32_t x; int32_t y; int32_t z; } struct12;";
static const mcl_type struct12_type = MCL_TYPE(struct12, struct12_source);

static const mcl_op struct12_add = {
    .role = MCL_ROLE_FOLD,
    .expression = "struct12_add(p, q)",
    .source = "static inline struct12 struct12_add(const struct12 p, const struct12 q)\n"
              "{ struct12 r; r.x = (int32_t)((uint32_t)p.x + (uint32_t)q.x); r.y = (int32_t)((uint32_t)p.y +"
              " (uint32_t)q.y); r.z = (int32_t)((uint32_t)p.z + (uint32_t)q.z); return r; }\n"
              "static inline struct12 struct12_zero(void) { struct12 r; r.x = 0; r.y = 0; r.z = 0; return r; }",
    .identity = "struct12_zero()",
    .commutative = 1,
};
static const char struct12_key[] = "static inline struct12 struct12_key(const int32_t x, const int64_t i)\n"
                                   "{ struct12 r; r.x = x; r.y = (int32_t)i; r.z = -x; return r; }";
static const mcl_op struct12_less = { .role = MCL_ROLE_ORDER, .expression = "p.x < q.x" };

static int struct12_before(const void *p, const void *q)
{
    return ((const struct12 *)p)->x < ((const struct12 *)q)->x;
}

static const element element_struct12 = { .name = "struct12",
                                          .type = &struct12_type,
                                          .before = struct12_before,
                                          .ordered_by = MCL_INT32,
                                          .less = &struct12_less,
                                          .sum = &struct12_add };

static void struct12_plus(const void *p, const void *q, void *out)
{
    const struct12 a = *(const struct12 *)p;
    const struct12 b = *(const struct12 *)q;
    *(struct12 *)out = (struct12){ (int32_t)((uint32_t)a.x + (uint32_t)b.x), (int32_t)((uint32_t)a.y + (uint32_t)b.y),
                                   (int32_t)((uint32_t)a.z + (uint32_t)b.z) };
}

static void struct12_zero(void *v)
{
    *(struct12 *)v = (struct12){ 0, 0, 0 };
}

static const fold fold_add_struct12 = { .name = "sums of struct12",
                                        .op = &struct12_add,
                                        .in = &element_struct12,
                                        .value = &element_struct12,
                                        .stored = &element_struct12,
                                        .plus = struct12_plus,
                                        .identity = struct12_zero };

/* Defines the test for the lower half of uniform elements. */
#define LOWER(name, text, lower)                                                                                       \
    static int lower_##name(const void *p)                                                                             \
    {                                                                                                                  \
        text x;                                                                                                        \
        memcpy(&x, p, sizeof x);                                                                                       \
        return lower;                                                                                                  \
    }                                                                                                                  \
    static const case_test test_##name = { { .role = MCL_ROLE_TEST, .expression = #lower }, lower_##name };
LOWER(int32, int32_t, x < 0)
LOWER(int64, int64_t, x < 0)
LOWER(float32, float, x < 0.5f)
LOWER(float64, double, x < 0.5)
LOWER(uint32, uint32_t, x < 0x80000000u)
LOWER(uint64, uint64_t, x < 0x8000000000000000u)
LOWER(int8, int8_t, x < 0)
LOWER(int16, int16_t, x < 0)
LOWER(struct12, struct12, x.x < 0)

/* The bytes of a limit in the machine's order, which device and host share. */
#define BYTES8(value)                                                                                                  \
    { (value) & 255,       (value) >> 8 & 255,  (value) >> 16 & 255, (value) >> 24 & 255,                              \
      (value) >> 32 & 255, (value) >> 40 & 255, (value) >> 48 & 255, (value) >> 56 & 255 }
#define ONES 0xFFFFFFFFFFFFFFFFULL

const bench_type bench_types[] = {
    { "int32", &element_int32, &element_int32, &test_int32, &fold_add_int32, &fold_max_index_int32,
      &fold_max_pair_int32, BYTES8(0x80000000ULL), BYTES8(0x7FFFFFFFULL), 0,
      "(int32_t)((uint32_t)(sum >> 31) ^ 0x80000000u)", NULL },
    { "int64", &element_int64, &element_int64, &test_int64, &fold_add_int64, &fold_max_index_int64,
      &fold_max_pair_int64, BYTES8(1ULL << 63), BYTES8(ONES >> 1), 0, "(int64_t)((sum << 1) ^ 0x8000000000000000)",
      NULL },
    { "float32", &element_float, &element_int32, &test_float32, &fold_add_many_floats, &fold_max_index_float,
      &fold_max_pair_float, BYTES8(0ULL), BYTES8(0x3F800000ULL), 1e-3, "(float)(sum >> 39) * 5.9604645e-8f", NULL },
    { "float64", &element_double, &element_int64, &test_float64, &fold_add_double, &fold_max_index_double,
      &fold_max_pair_double, BYTES8(0ULL), BYTES8(0x3FF0000000000000ULL), 1e-9,
      "(double)(sum >> 10) * 1.1102230246251565e-16", NULL },
    { "uint32", &element_uint32, &element_int32, &test_uint32, &fold_add_uint32, &fold_max_index_uint32,
      &fold_max_pair_uint32, BYTES8(0ULL), BYTES8(ONES), 0, "(uint32_t)(sum >> 31)", NULL },
    { "uint64", &element_uint64, &element_int64, &test_uint64, &fold_add_uint64, &fold_max_index_uint64,
      &fold_max_pair_uint64, BYTES8(0ULL), BYTES8(ONES), 0, "sum << 1", NULL },
    { "int8", &element_int8, &element_int32, &test_int8, &fold_add_int8, &fold_max_index_int8, NULL, BYTES8(0x80ULL),
      BYTES8(0x7FULL), 0, "(int8_t)((uint32_t)(sum >> 55) ^ 0x80u)", NULL },
    { "int16", &element_int16, &element_int32, &test_int16, NULL, NULL, NULL, BYTES8(0x8000ULL), BYTES8(0x7FFFULL), 0,
      "(int16_t)((uint32_t)(sum >> 47) ^ 0x8000u)", NULL },
    { "struct12", &element_struct12, &element_int32, &test_struct12, &fold_add_struct12, NULL, NULL,
      BYTES8(0x80000000ULL), BYTES8(0x7FFFFFFFULL), 0,
      "struct12_key((int32_t)((uint32_t)(sum >> 31) ^ 0x80000000u), i)", struct12_key },
};
const int bench_type_count = sizeof bench_types / sizeof *bench_types;

const bench_type *bench_type_find(const char *name)
{
    for (int k = 0; k < bench_type_count; k++)
        if (strcmp(bench_types[k].name, name) == 0) return &bench_types[k];
    return NULL;
}
