/* fake_elements.c: element types of all sizes, for programs that only make texts. Types of odd sizes come last. */
#include "fake_calls.h"

/* Members are added one by one. Intel's compiler for GPUs would keep a struct in memory if a loop indexed its array. A
 * reduce-by-key then has 188 copies of it. */
/* clang-format off */
#define SUM(k) p.n[k] += q.n[k];
#define FOUR_SUMS(k) SUM(k) SUM(k + 1) SUM(k + 2) SUM(k + 3)
#define STRUCT_ELEMENT(name, number, length, sums)                                                                     \
    MCL_SOURCE(name##_source, typedef struct name { number n[length]; } name;                                          \
        static inline int name##_before(name p, name q) { return p.n[0] < q.n[0]; }                                    \
        static inline name name##_add(name p, name q) { sums return p; }                                               \
        static inline name name##_zero(void) { name p = { { 0 } }; return p; })                                        \
    static const mcl_type name##_type = MCL_TYPE(name, name##_source);                                                 \
    static const mcl_op name##_before_op = { MCL_ROLE_ORDER, #name "_before(p, q)", .source = name##_source };         \
    static const mcl_op name##_add_op = {                                                                              \
        MCL_ROLE_FOLD, #name "_add(p, q)", .source = name##_source, .identity = #name "_zero()" };                     \
    static const mcl_op name##_same_op = { MCL_ROLE_EQUALITY, "p.n[0] == q.n[0]", .source = name##_source };
/* clang-format on */
STRUCT_ELEMENT(element12, int32_t, 3, SUM(0) SUM(1) SUM(2))
STRUCT_ELEMENT(element16, int32_t, 4, FOUR_SUMS(0))
STRUCT_ELEMENT(element64, int32_t, 16, FOUR_SUMS(0) FOUR_SUMS(4) FOUR_SUMS(8) FOUR_SUMS(12))
STRUCT_ELEMENT(element3, uint8_t, 3, SUM(0) SUM(1) SUM(2))
STRUCT_ELEMENT(element20, int32_t, 5, FOUR_SUMS(0) SUM(4))

static const mcl_op keep_number = { .role = MCL_ROLE_TEST, .expression = "x < 7" };
static const mcl_op keep_struct = { .role = MCL_ROLE_TEST, .expression = "x.n[0] < 7" };

const fake_element fake_elements[] = {
    { "int32", MCL_INT32, MCL_LESS, MCL_ADD, &keep_number, MCL_EQUAL },
    { "int64", MCL_INT64, MCL_LESS, MCL_ADD, &keep_number, MCL_EQUAL },
    { "double", MCL_DOUBLE, MCL_GREATER, MCL_MAX_INDEX, &keep_number, MCL_EQUAL },
    { "element12", &element12_type, &element12_before_op, &element12_add_op, &keep_struct, &element12_same_op },
    { "element16", &element16_type, &element16_before_op, &element16_add_op, &keep_struct, &element16_same_op },
    { "element64", &element64_type, &element64_before_op, &element64_add_op, &keep_struct, &element64_same_op },
    { "int8", MCL_INT8, MCL_LESS, MCL_ADD, &keep_number, MCL_EQUAL },
    { "uint16", MCL_UINT16, MCL_GREATER, MCL_MAX, &keep_number, MCL_EQUAL },
    { "float", MCL_FLOAT, MCL_LESS, MCL_ADD, &keep_number, MCL_EQUAL },
    { "element3", &element3_type, &element3_before_op, &element3_add_op, &keep_struct, &element3_same_op },
    { "element20", &element20_type, &element20_before_op, &element20_add_op, &keep_struct, &element20_same_op },
};
const int fake_element_count = sizeof fake_elements / sizeof fake_elements[0];
