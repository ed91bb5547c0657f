/* values.h: the values that calls take as arguments: element types, operators, operands, options. All are plain values:
 * nothing is created or freed. Texts that they point to need to live only during the call. */
#ifndef MODERNCL_VALUES_H
#define MODERNCL_VALUES_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types ---------------------------------------------------------------------------------------------- */

typedef enum mcl_kind { MCL_KIND_STRUCT = 0, MCL_KIND_SIGNED, MCL_KIND_UNSIGNED, MCL_KIND_FLOAT } mcl_kind;

typedef struct mcl_member {
    const char *name;
    size_t offset;
} mcl_member;

/* An element type of at most 64 bytes. Built-in types are MCL_INT32 and so on. A type of your own is a struct, given by
 * its name and the C text that defines it. When a program is built, the device's compiler checks size, alignment and
 * the offsets of the listed members. A difference is MCL_ERROR_BUILD with the message layout_of_NAME_differs_from_host.
 *
 * The text must be both C and C++. It may have fixed-width integers, float, double, and arrays and structs of these. It
 * may not have bool, long, size_t, pointers, bit-fields, vectors or # lines. Padding bytes are unspecified: a store on
 * the device may leave them unchanged. Maps, mcl_group_by and mcl_distinct compare the padding of keys too, so avoid
 * padding there by additional members. */
typedef struct mcl_type {
    const char *name;   /* a C identifier, the same on host and device; not a reserved name (below) */
    size_t size;        /* sizeof on the host */
    size_t alignment;   /* alignment on the host; 0: not checked */
    const char *source; /* C text that defines the type; NULL for built-in types */
    int member_count;   /* number of members to check, or 0 */
    const mcl_member *members;
    mcl_kind kind; /* kind; MCL_KIND_STRUCT for your own types */
} mcl_type;

#define MCL_TYPE_LIST(X)                                                                                               \
    X(INT8, int8, "int8_t", 1, MCL_KIND_SIGNED)                                                                        \
    X(INT16, int16, "int16_t", 2, MCL_KIND_SIGNED)                                                                     \
    X(INT32, int32, "int32_t", 4, MCL_KIND_SIGNED)                                                                     \
    X(INT64, int64, "int64_t", 8, MCL_KIND_SIGNED)                                                                     \
    X(UINT8, uint8, "uint8_t", 1, MCL_KIND_UNSIGNED)                                                                   \
    X(UINT16, uint16, "uint16_t", 2, MCL_KIND_UNSIGNED)                                                                \
    X(UINT32, uint32, "uint32_t", 4, MCL_KIND_UNSIGNED)                                                                \
    X(UINT64, uint64, "uint64_t", 8, MCL_KIND_UNSIGNED)                                                                \
    X(HALF, half, "half", 2, MCL_KIND_FLOAT)                                                                           \
    X(FLOAT, float, "float", 4, MCL_KIND_FLOAT)                                                                        \
    X(DOUBLE, double, "double", 8, MCL_KIND_FLOAT)
#define X(upper, lower, text, size, kind) MCL_API extern const mcl_type mcl_type_##lower;
MCL_TYPE_LIST(X)
#undef X

/* The built-in types are addresses, so that static initialisers can use them. MCL_HALF elements are 16-bit floats in
 * memory and float in operators and expressions. In an array that an expression binds, each element is its 16 bits
 * (mcl_binding). */
#define MCL_INT8 (&mcl_type_int8)
#define MCL_INT16 (&mcl_type_int16)
#define MCL_INT32 (&mcl_type_int32)
#define MCL_INT64 (&mcl_type_int64)
#define MCL_UINT8 (&mcl_type_uint8)
#define MCL_UINT16 (&mcl_type_uint16)
#define MCL_UINT32 (&mcl_type_uint32)
#define MCL_UINT64 (&mcl_type_uint64)
#define MCL_HALF (&mcl_type_half)
#define MCL_FLOAT (&mcl_type_float)
#define MCL_DOUBLE (&mcl_type_double)

/* Types of an extreme value with its index, for results of MCL_MAX_INDEX and MCL_MIN_INDEX. The type in the name is the
 * elements' type. The index has 32 bits with values of up to 4 bytes, and 64 bits with values of 8 bytes. */
#define MCL_AT_LIST(X)                                                                                                 \
    X(INT8, int8, int8_t, int32_t)                                                                                     \
    X(INT16, int16, int16_t, int32_t)                                                                                  \
    X(INT32, int32, int32_t, int32_t)                                                                                  \
    X(INT64, int64, int64_t, int64_t)                                                                                  \
    X(UINT8, uint8, uint8_t, int32_t)                                                                                  \
    X(UINT16, uint16, uint16_t, int32_t)                                                                               \
    X(UINT32, uint32, uint32_t, int32_t)                                                                               \
    X(UINT64, uint64, uint64_t, int64_t)                                                                               \
    X(FLOAT, float, float, int32_t)                                                                                    \
    X(DOUBLE, double, double, int64_t)
#define X(upper, lower, value_text, index_text)                                                                        \
    typedef struct mcl_##lower##_at {                                                                                  \
        value_text value;                                                                                              \
        index_text index;                                                                                              \
    } mcl_##lower##_at;                                                                                                \
    MCL_API extern const mcl_type mcl_type_##lower##_at;
MCL_AT_LIST(X)
#undef X
#define MCL_INT8_AT (&mcl_type_int8_at)
#define MCL_INT16_AT (&mcl_type_int16_at)
#define MCL_INT32_AT (&mcl_type_int32_at)
#define MCL_INT64_AT (&mcl_type_int64_at)
#define MCL_UINT8_AT (&mcl_type_uint8_at)
#define MCL_UINT16_AT (&mcl_type_uint16_at)
#define MCL_UINT32_AT (&mcl_type_uint32_at)
#define MCL_UINT64_AT (&mcl_type_uint64_at)
#define MCL_FLOAT_AT (&mcl_type_float_at)
#define MCL_DOUBLE_AT (&mcl_type_double_at)

/* The least and the greatest element of a sequence (mcl_min_max). */
#define X(upper, lower, value_text, index_text)                                                                        \
    typedef struct mcl_##lower##_range {                                                                               \
        value_text least, greatest;                                                                                    \
    } mcl_##lower##_range;                                                                                             \
    MCL_API extern const mcl_type mcl_type_##lower##_range;
MCL_AT_LIST(X)
#undef X
#define MCL_INT8_RANGE (&mcl_type_int8_range)
#define MCL_INT16_RANGE (&mcl_type_int16_range)
#define MCL_INT32_RANGE (&mcl_type_int32_range)
#define MCL_INT64_RANGE (&mcl_type_int64_range)
#define MCL_UINT8_RANGE (&mcl_type_uint8_range)
#define MCL_UINT16_RANGE (&mcl_type_uint16_range)
#define MCL_UINT32_RANGE (&mcl_type_uint32_range)
#define MCL_UINT64_RANGE (&mcl_type_uint64_range)
#define MCL_FLOAT_RANGE (&mcl_type_float_range)
#define MCL_DOUBLE_RANGE (&mcl_type_double_range)

/* Vectors of 2, 3 or 4 numbers: structs with members x, y, z and w, laid out alike on the host and in kernels. A vector
 * of 3 floats has 12 bytes, as in C and in vertex buffers; OpenCL's own float3 has 16. Expressions can use four
 * functions for each of these types T, such as mcl_float3:
 *
 *   T_of(x, y ...)           the vector with these members
 *   T_add(p, q)              the sum, member by member
 *   T_min(p, q), T_max(p, q) the lower and the higher number of each member
 *
 * So a fold over points that gives a corner of their bounds has the expression "mcl_float3_min(p, q)". */
#define MCL_VECTOR_LIST(X)                                                                                             \
    X(FLOAT, float, float)                                                                                             \
    X(INT, int, int32_t)                                                                                               \
    X(UINT, uint, uint32_t)
#define X(upper, lower, number)                                                                                        \
    typedef struct mcl_##lower##2                                                                                      \
    {                                                                                                                  \
        number x, y;                                                                                                   \
    }                                                                                                                  \
    mcl_##lower##2;                                                                                                    \
    typedef struct mcl_##lower##3                                                                                      \
    {                                                                                                                  \
        number x, y, z;                                                                                                \
    }                                                                                                                  \
    mcl_##lower##3;                                                                                                    \
    typedef struct mcl_##lower##4                                                                                      \
    {                                                                                                                  \
        number x, y, z, w;                                                                                             \
    }                                                                                                                  \
    mcl_##lower##4;                                                                                                    \
    MCL_API extern const mcl_type mcl_type_##lower##2, mcl_type_##lower##3, mcl_type_##lower##4;
MCL_VECTOR_LIST(X)
#undef X
#define MCL_FLOAT2 (&mcl_type_float2)
#define MCL_FLOAT3 (&mcl_type_float3)
#define MCL_FLOAT4 (&mcl_type_float4)
#define MCL_INT2 (&mcl_type_int2)
#define MCL_INT3 (&mcl_type_int3)
#define MCL_INT4 (&mcl_type_int4)
#define MCL_UINT2 (&mcl_type_uint2)
#define MCL_UINT3 (&mcl_type_uint3)
#define MCL_UINT4 (&mcl_type_uint4)

/* Defines C text once for both compilers: as code here, and as the string NAME for the device. */
#ifdef __clang__ /* clang warns of functions that only the device uses */
#define MCL_SOURCE(name, ...)                                                                                          \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunused-function\"")                         \
        __VA_ARGS__ _Pragma("clang diagnostic pop") static const char name[] = #__VA_ARGS__;
#else
#define MCL_SOURCE(name, ...) __VA_ARGS__ static const char name[] = #__VA_ARGS__;
#endif

#if defined(__cplusplus)
#define MCL_ALIGNOF(type) alignof(type)
#elif defined(__GNUC__)
#define MCL_ALIGNOF(type) __alignof__(type)
#else
#define MCL_ALIGNOF(type) _Alignof(type)
#endif

/* Initialises the mcl_type of a struct: static const mcl_type POINT = MCL_TYPE(point, point_source); */
#define MCL_TYPE(type_name, text)                                                                                      \
    { #type_name, sizeof(type_name), MCL_ALIGNOF(type_name), text, 0, NULL, MCL_KIND_STRUCT }

/* ---- bindings ------------------------------------------------------------------------------------------- */

enum { MCL_BINDINGS_MAX = 16, MCL_VALUE_BYTES_MAX = 64 };

/* Some names are reserved: words of OpenCL C and of CUDA C++ (half, global, or, float4, int32_t, NULL). So are macros
 * and types of the dialect (LESS, index_type), and names that begin with MCL_, __, or _ and a capital. Bindings, struct
 * types, their members, and names in a kernel's declaration (kernel.h) may not have reserved names, on any device.
 * Otherwise a call returns MCL_ERROR_ARGUMENT, with a sentence that names the reserved name. */

/* A name that an expression may use. It stands for an array on the device, or for one value, which is copied when the
 * binding is made. An array can only be read, as name[k], and k is not checked. An array of MCL_HALF has the bits of
 * its elements: half_to_float(name[k]) is the number. A value of MCL_HALF is a float. */
typedef struct mcl_binding {
    const char *name;
    const mcl_type *type;
    mcl_buffer *buffer; /* NULL for a value */
    int64_t offset;     /* offset from the start of buffer, in elements */
    union {
        uint64_t alignment;
        int64_t count; /* number of elements that an array's buffer must have from offset on; 0: not checked */
        unsigned char bytes[MCL_VALUE_BYTES_MAX];
    } value;
} mcl_binding;

MCL_API mcl_binding mcl_binding_buffer(const char *name, const mcl_type *type, mcl_buffer *buffer, int64_t offset);
MCL_API mcl_binding mcl_binding_value(const char *name, const mcl_type *type, const void *value);

/* ---- operators ------------------------------------------------------------------------------------------ */

/* The role of an operator. Each parameter takes operators of one role, so that a wrong operator is refused. Role 0
 * means no role: the operator then gets the role that the call needs. */
typedef enum mcl_role {
    MCL_ROLE_FOLD = 1, /* a value of the accumulator's type, from p and q */
    MCL_ROLE_ORDER,    /* nonzero: p sorts before q */
    MCL_ROLE_EQUALITY, /* nonzero: p equals q */
    MCL_ROLE_TEST,     /* nonzero: element x with index i passes */
    MCL_ROLE_FUNCTION, /* any function of p and q (mcl_equality_count, which takes a fold too) */
    MCL_ROLE_INDEX,    /* a whole number (int64_t) computed from element x with index i */
    MCL_ROLE_MEAN      /* only MCL_MEAN, which mcl_group_by takes instead of a fold */
} mcl_role;

/* A function of elements, written as C expressions. An order, an equality, a test, a function and an index need only
 * role and expression. A fold (reduce, scan) has an accumulator of type value. It may also have expressions that
 * convert elements to accumulators and folds to results:
 *
 *   v(i)   = extract   in x, the element, and i, its index (int64_t)             default: x
 *   fold   = expression in p and q, both accumulators, p from earlier elements
 *   result = combine   in x, the element at the result's index, and v            default: v
 *
 * An order, an equality, a test and an index have none of these parts: for them identity, value, extract, result,
 * combine and commutative are MCL_ERROR_ARGUMENT. An operator of another role than the call takes is MCL_ERROR_ARGUMENT
 * too. The library's operators are for numbers (MCL_AND, MCL_OR, MCL_XOR: for integers); on other elements they are
 * MCL_ERROR_TYPE. A copy of a library's operator is the same as the original.
 *
 * The fold must be associative; it need not commute. Folds of floats and of structs begin with an element, and the
 * identity is only the result without elements. In folds of integers the identity may be folded on the right of
 * elements, where it must change no bit. No operator ever gets padding or uninitialised values. */
typedef struct mcl_op {
    mcl_role role;
    const char *expression;
    const char *source;    /* C text that the expressions use; NULL for none */
    const char *identity;  /* an expression of type value; NULL: none */
    const mcl_type *value; /* accumulator's type. NULL: see mcl_op_accumulator; MCL_INDEXED: value and index */
    const char *extract;
    const mcl_type *result; /* type that combine gives; NULL: the output's type */
    const char *combine;
    int commutative; /* nonzero allows any order of folding, which can be faster */
    int binding_count;
    mcl_binding bindings[MCL_BINDINGS_MAX];
} mcl_op;

/* Accumulator type of an operator that tracks an element's index: a struct of value (with the elements' type) and
 * index. Stored in an integer type, this accumulator gives its index. Stored in a struct type with members value and
 * index (MCL_INT32_AT ...), it gives both. The index of each element must fit the integer, or the struct's index. If
 * there are more elements (with a count slot: if the bound is higher), the call is MCL_ERROR_TYPE. The index of a
 * struct of your own is int64_t where its text says "int64_t index"; else it counts as 32 bits. If the operator has
 * combine, its text makes the result, and the size of the index is not checked. */
MCL_API extern const mcl_type mcl_type_indexed;
#define MCL_INDEXED (&mcl_type_indexed)

/* Returns the accumulator type of a fold of elements, if a call asks for its results in the types of results. NULL in
 * results means no type, as for an output that is left out.
 *
 * An operator with value always folds in that type. Any other operator folds in the elements' type or in a wider type,
 * so that the accumulator does not overflow before the result's type would:
 *
 *   integers, results that are integers    the elements' kind, signed or unsigned, with the bytes of the widest result
 *   integers, results that are floats      the widest result's type (of MCL_HALF: MCL_FLOAT)
 *   integers, results of both kinds        64 bits of the elements' kind
 *   floats                                 the wider type of elements and results
 *
 * A result of fewer bytes does not make the accumulator narrower: only the last value is converted. So four MCL_INT32
 * of 2000000000 are 8000000000 in an MCL_INT64 or an MCL_DOUBLE. The minimum of -1 and 5 in an MCL_UINT64 is 2^64 - 1.
 * Where elements are integers and results are floats, an operator folds in 64 bits of the elements' kind if its text
 * may need integers. Such a text has one of & | ^ ~ % << >> [, or a call of a function other than LESS, in expression
 * or identity. An operator with combine counts as such a text too. Results of type op->result, which combine gives, do
 * not count. Structs are folded in their own type.
 *
 * x in extract and combine, LOWEST and HIGHEST are of the elements' type. So MCL_MIN of no elements of type MCL_INT8 is
 * 127 in a result of any type. */
MCL_API const mcl_type *mcl_op_accumulator(const mcl_op *op, const mcl_type *element, const mcl_type *const *results,
                                           int result_count);

#define MCL_OP_LIST(X)                                                                                                 \
    X(add) X(multiply) X(min) X(max) X(and) X(or) X(xor) X(max_index) X(min_index) X(mean) X(less) X(greater) X(equal)
#define X(name) MCL_API extern const mcl_op mcl_op_##name;
MCL_OP_LIST(X)
#undef X

/* Floats: for these operators NaN is greater than every number. So the least of 1 and NaN is 1 and the greatest is NaN,
 * in either order. If all elements are NaN, both are NaN. Of -0 and 0, and of NaNs with different bits, either may be
 * the result. If all elements are -0, the sum is -0. */
#define MCL_ADD (&mcl_op_add)           /* identity 0 */
#define MCL_MULTIPLY (&mcl_op_multiply) /* identity 1 */
#define MCL_MIN (&mcl_op_min)           /* identity: the type's highest value (floats: infinity) */
#define MCL_MAX (&mcl_op_max)           /* identity: the type's lowest value (floats: -infinity) */
#define MCL_AND (&mcl_op_and)           /* identity: all bits set */
#define MCL_OR (&mcl_op_or)             /* identity 0 */
#define MCL_XOR (&mcl_op_xor)           /* identity 0 */
/* The first of the largest elements; identity: the lowest value at index -1. */
#define MCL_MAX_INDEX (&mcl_op_max_index)
/* The first of the smallest elements; identity: the highest value at index -1. */
#define MCL_MIN_INDEX (&mcl_op_min_index)
/* The mean of the values of a group. mcl_group_by says in which type the values are summed. MCL_MEAN is no fold, so no
 * other call takes it. */
#define MCL_MEAN (&mcl_op_mean)
/* Orders of numbers. Floats: NaN is after every number (first with MCL_GREATER), and -0 equals +0. */
#define MCL_LESS (&mcl_op_less)
#define MCL_GREATER (&mcl_op_greater)
/* Equality of two neighbours, for runs. Floats: NaN equals nothing, and -0 equals +0. */
#define MCL_EQUAL (&mcl_op_equal)

/* ---- operands ------------------------------------------------------------------------------------------- */

/* A read-only sequence of count elements, at most 2^48. Element k is buffer[offset + k], or, where buffer is NULL,
 * expression in i (int64_t, = k) and the bound names. With a count slot, the count is read on the device when the call
 * runs, and limited to [0, count]. Make an input with the functions below. */
typedef struct mcl_input {
    const mcl_type *type;
    mcl_buffer *buffer;
    int64_t offset;                  /* first element, counted from the start of buffer */
    int64_t count;                   /* number of elements; with a slot: its bound */
    mcl_buffer *count_slot;          /* buffer with the count; NULL: the member count is the count */
    int64_t count_slot_index;        /* index in elements of count_slot_type */
    const mcl_type *count_slot_type; /* MCL_INT32, MCL_UINT32 or MCL_INT64; NULL: MCL_INT64 */
    const char *expression;
    const char *source;
    int binding_count;
    mcl_binding bindings[MCL_BINDINGS_MAX];
} mcl_input;

MCL_API mcl_input mcl_from_buffer(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t count);
/* Makes an input whose element i is start + i. */
MCL_API mcl_input mcl_from_counting(const mcl_type *type, const void *start, int64_t count);
/* Makes an input whose element i is start + i * step. */
MCL_API mcl_input mcl_from_step(const mcl_type *type, const void *start, const void *step, int64_t count);
/* Makes an input whose elements all are value. */
MCL_API mcl_input mcl_from_constant(const mcl_type *type, const void *value, int64_t count);
MCL_API mcl_input mcl_from_expression(const mcl_type *type, const char *expression, const char *source,
                                      const mcl_binding *bindings, int binding_count, int64_t count);
/* Return the input with a count on the device; its own count becomes the bound. The count is slot[slot_index], of
 * MCL_INT32, MCL_UINT32 or MCL_INT64 as type says, or of MCL_INT64 for mcl_with_count. A negative count counts as 0,
 * and a count above the bound as the bound. Another type is MCL_ERROR_TYPE in the call that takes the input. */
MCL_API mcl_input mcl_with_count(mcl_input input, mcl_buffer *slot, int64_t slot_index);
MCL_API mcl_input mcl_with_count_of(mcl_input input, const mcl_type *type, mcl_buffer *slot, int64_t slot_index);

/* A number that a call takes from the host or from the device, such as k of mcl_top_k. On the device the number is read
 * when the call runs, from a slot, or from the first element of an input. A call with segments takes one number per
 * segment from an input. If the input has fewer numbers, its last number is used for the other segments. A negative
 * number counts as 0, and a number above the bound as the bound. Numbers on the device are MCL_INT32, MCL_UINT32 or
 * MCL_INT64. */
typedef struct mcl_amount {
    int64_t number;    /* the number; for a number on the device, its bound */
    mcl_input numbers; /* numbers on the device, or all zero: the call then takes number. A count slot is ignored */
} mcl_amount;
MCL_API mcl_amount mcl_amount_of(int64_t number);
MCL_API mcl_amount mcl_amount_in_slot(int64_t bound, const mcl_type *type, mcl_buffer *slot, int64_t slot_index);
MCL_API mcl_amount mcl_amount_of_each(int64_t bound, mcl_input numbers);

/* The destination of a sequence: at most capacity elements from buffer[offset] on. An output that is all zero,
 * (mcl_output){0}, means not wanted. If a call has several outputs or results, its comment says which outputs may be
 * left out; the other results do not change. Leaving out any other output is MCL_ERROR_ARGUMENT.
 *
 * In place: an output may not overlap what its call reads, unless the call says that the output may replace an input.
 * The output then begins exactly where that input's array begins, and has elements of the same size. If the call says
 * so (mcl_transform, the sorted searches), the input may also be an expression. The expression may use the array's name
 * only as name[i], for example "2 * x[i]". Refused are views, x[i + 0], &x[i], macros, comments in the text, the name
 * in source and the name as an argument. The library cannot tell which elements these read. Any other overlap is
 * MCL_ERROR_ARGUMENT. */
typedef struct mcl_output {
    const mcl_type *type;
    mcl_buffer *buffer;
    int64_t offset;
    int64_t capacity;
} mcl_output;
MCL_API mcl_output mcl_to_buffer(const mcl_type *type, mcl_buffer *buffer, int64_t offset, int64_t capacity);

/* A column of values for the elements that a call tests or sorts. */
typedef struct mcl_column {
    mcl_input in;   /* values, at least as many as the call's elements; a count slot of in is ignored */
    mcl_output out; /* values, of in's type */
} mcl_column;

/* The destination of a number: the host (the call then waits), buffer[offset] on the device (the call does not wait),
 * both, or nowhere. Counts are MCL_INT32, MCL_UINT32 or MCL_INT64. A count that does not fit is stored as the type's
 * highest value. A call that compares a count with a capacity uses the stored value. This is not done for indices:
 * their type must be able to hold the indices, offsets or lengths of all elements, or of the bound of a count slot.
 * Otherwise the call is MCL_ERROR_TYPE and nothing is written. */
typedef struct mcl_result {
    const mcl_type *type;
    void *host;
    mcl_buffer *buffer;
    int64_t offset; /* offset in elements of type */
} mcl_result;
MCL_API mcl_result mcl_to_host(const mcl_type *type, void *host);
MCL_API mcl_result mcl_to_slot(const mcl_type *type, mcl_buffer *buffer, int64_t offset);
MCL_API mcl_result mcl_to_host_and_slot(const mcl_type *type, void *host, mcl_buffer *buffer, int64_t offset);
MCL_API mcl_result mcl_to_nowhere(void);

/* ---- options -------------------------------------------------------------------------------------------- */

enum {
    MCL_DETERMINISTIC = 1, /* gives floats the same bits on every run with one device, for every tile. Reductions and
                            * scans, also segmented and by key, then combine sums in one tree over indices
                            * (docs/concepts.md, "Accuracy and the same bits") */
    MCL_VALIDATE = 2,      /* checks preconditions on the device first, and waits: MCL_ERROR_PRECONDITION names the
                            * first wrong position, and nothing is written. MCL_VALIDATE=1 in the environment sets it
                            * for every call */
    MCL_INDEX_64 = 4,      /* uses 64-bit indices even where 32 bits are enough; for tests */
    MCL_UNIQUE_KEYS = 8,   /* says that neither input of set operations or a balanced path repeats a key */
    MCL_UNORDERED = 16,    /* lets mcl_compact, _flagged, _stencil, mcl_top_k, _pairs, _indices, mcl_join_unsorted,
                            * _columns and mcl_mpi_join_unsorted give results in any order */
    MCL_REPRODUCIBLE = 32  /* like MCL_DETERMINISTIC, and gives the same bits on every device, mapping and backend: no
                            * product is contracted with a sum. The caller's own texts must then give the same results
                            * everywhere. Integers, comparisons, and + - * of floats and doubles do so. Division, square
                            * roots and functions may differ */
};

/* The method of a sort. Radix sort is only for built-in types in their built-in orders. */
typedef enum mcl_sort_method { MCL_SORT_AUTO = 0, MCL_SORT_MERGE = 1, MCL_SORT_RADIX = 2 } mcl_sort_method;

/* The method by which work-items that run at the same time get indices in a list whose order does not matter.
 * mcl_map_retrieve_all takes a method, and so does mcl_compact with MCL_UNORDERED. In the serial mapping all methods
 * except MCL_APPEND_GLOBAL_ATOMIC are equal: a tile takes all its indices at once. */
typedef enum mcl_append {
    MCL_APPEND_AUTO = 0,
    MCL_APPEND_GLOBAL_ATOMIC = 1,    /* each element takes its index from one counter of the device */
    MCL_APPEND_GROUP_ATOMIC = 2,     /* ranks from a counter of the work-group, which then takes indices for all its
                                      * elements */
    MCL_APPEND_GROUP_SCAN = 3,       /* ranks by a scan over the work-group */
    MCL_APPEND_SUB_GROUP_ATOMIC = 4, /* ranks by a vote of the sub-group, with one atomic per sub-group on the group's
                                      * counter */
    MCL_APPEND_SUB_GROUP_TILE = 5    /* like MCL_APPEND_SUB_GROUP_ATOMIC, but for tiles of append_width work-items */
} mcl_append;

/* Settings of a call, rarely needed; NULL or all zero is the default. Every call takes MCL_DETERMINISTIC, MCL_VALIDATE,
 * MCL_INDEX_64, the tile, the events and the scratch. The comment of each other option says which calls take it; other
 * calls return MCL_ERROR_ARGUMENT.
 *
 * Later versions add members at the end, and size says which of them a program knows. So a program compiled against an
 * earlier version still works. */
typedef struct mcl_options {
    unsigned flags;
    unsigned size;          /* 0: only the members up to driver_done; otherwise sizeof(mcl_options) */
    int tile_threads;       /* work-items in a group; 1: serial mapping; 0: chosen by the tuning table */
    int tile_items;         /* elements per work-item; 0: chosen by the tuning table */
    const void *initial;    /* value with which reductions and scans start, also segmented and by key: of type
                             * op->value, or of the elements' type if op has none */
    mcl_event *const *wait; /* events that the call's work waits for */
    int wait_count;
    mcl_event **done;      /* receives an event of the call's completion, which the caller releases */
    mcl_buffer *scratch;   /* the caller's scratch instead of the queue's; many calls then need one more launch, unless
                            * mcl_queue_reserve was called for the queue */
    size_t scratch_offset; /* offset in bytes, a multiple of 256 */
    size_t scratch_bytes;  /* size; mcl_queue_scratch_bytes on a preparing queue returns the bytes needed */
    mcl_sort_method sort_method; /* method of mcl_sort, _pairs, _indices, mcl_join_unsorted, _columns; 0: the faster
                                  * one */
    int first_bit, end_bit;      /* bits [first_bit, end_bit) of keys by which radix sort sorts in mcl_sort, _pairs,
                                  * _indices; 0, 0: all bits */
    int passes;                  /* readings of keys in set operations and joins, 1 or 2; 0: the library chooses */
    mcl_append append;           /* method for MCL_UNORDERED (but for joins) and mcl_map_retrieve_all; 0: the fastest */
    int append_width;            /* width for MCL_APPEND_SUB_GROUP_TILE: 1, 2, 4, 8, 16 or 32; 0: 32 */
    void *const *driver_wait;    /* the driver's own events (cl_event or CUevent) that the call's work also waits for */
    int driver_wait_count;       /* number of these events. Flush the queue that made a cl_event before the call */
    void **driver_done; /* the driver's own event of the call's completion. OpenCL: receives a cl_event, whose reference
                         * belongs to the caller; NULL on a preparing queue. CUDA: points to a CUevent, which the call
                         * records */
} mcl_options;

#ifdef __cplusplus
}
#endif
#endif
