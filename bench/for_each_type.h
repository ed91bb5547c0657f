/* for_each_type.h: includes the file BODY once for each measured type, in which
 *   T              is the element, VALUE a pair's value,
 *   SUM            a type that sums of T are exact enough in, with ADD(sum, element), ZERO and TO_T(sum),
 *   LESS(p, q)     the order,
 *   NAME(function) the function's name with the type's after it.
 * References are written this way. */

#define ADD(sum, element) ((SUM)((sum) + (SUM)(element)))
#define TO_T(sum) ((T)(sum))
#define ZERO 0
#define LESS(p, q) ((p) < (q))

#define T int32_t
#define SUM uint32_t
#define VALUE int32_t
#define NAME(function) function##_int32
#include BODY
#undef T
#undef SUM
#undef VALUE
#undef NAME

#define T int64_t
#define SUM uint64_t
#define VALUE int64_t
#define NAME(function) function##_int64
#include BODY
#undef T
#undef SUM
#undef VALUE
#undef NAME

#define T float
#define SUM double
#define VALUE int32_t
#define NAME(function) function##_float32
#include BODY
#undef T
#undef SUM
#undef VALUE
#undef NAME

#define T double
#define SUM double
#define VALUE int64_t
#define NAME(function) function##_float64
#include BODY
#undef T
#undef SUM
#undef VALUE
#undef NAME

#define T uint32_t
#define SUM uint32_t
#define VALUE int32_t
#define NAME(function) function##_uint32
#include BODY
#undef T
#undef SUM
#undef VALUE
#undef NAME

#define T uint64_t
#define SUM uint64_t
#define VALUE int64_t
#define NAME(function) function##_uint64
#include BODY
#undef T
#undef SUM
#undef VALUE
#undef NAME

#define T int8_t
#define SUM int64_t
#define VALUE int32_t
#define NAME(function) function##_int8
#include BODY
#undef T
#undef SUM
#undef VALUE
#undef NAME
#undef ADD
#undef TO_T
#undef LESS
#undef ZERO

#define T struct12
#define SUM struct12
#define VALUE int32_t
#define NAME(function) function##_struct12
#define ADD(sum, element) bench_struct12_add(sum, element)
#define TO_T(sum) (sum)
#define ZERO { 0, 0, 0 }
#define LESS(p, q) ((p).x < (q).x)
#include BODY
#undef T
#undef SUM
#undef VALUE
#undef NAME
#undef ADD
#undef TO_T
#undef LESS
#undef ZERO

#undef BODY
