/* folds_at.c: the folds for the largest and the smallest so far, with their indices. */
#include "folds.h"

#include <math.h>
#include <string.h>

/* Folds whose accumulator is a value with its index. Among equal values the first one stays. */
#define EXTREME_AT(what, lower, index_text, comparison, start_value)                                                   \
    static void what##_##lower##_extract(const void *x, int64_t i, void *v)                                            \
    {                                                                                                                  \
        mcl_##lower##_at at;                                                                                           \
        memset(&at, 0, sizeof at);                                                                                     \
        memcpy(&at.value, x, sizeof at.value);                                                                         \
        at.index = (index_text)i;                                                                                      \
        memcpy(v, &at, sizeof at);                                                                                     \
    }                                                                                                                  \
    static void what##_##lower##_plus(const void *p, const void *q, void *out)                                         \
    {                                                                                                                  \
        mcl_##lower##_at a;                                                                                            \
        mcl_##lower##_at b;                                                                                            \
        memcpy(&a, p, sizeof a);                                                                                       \
        memcpy(&b, q, sizeof b);                                                                                       \
        memmove(out, b.value comparison a.value ? q : p, sizeof a);                                                    \
    }                                                                                                                  \
    static void what##_##lower##_identity(void *v)                                                                     \
    {                                                                                                                  \
        mcl_##lower##_at at;                                                                                           \
        memset(&at, 0, sizeof at);                                                                                     \
        at.value = (start_value);                                                                                      \
        at.index = -1;                                                                                                 \
        memcpy(v, &at, sizeof at);                                                                                     \
    }                                                                                                                  \
    static void what##_##lower##_index(const void *v, void *out)                                                       \
    {                                                                                                                  \
        mcl_##lower##_at at;                                                                                           \
        int32_t index;                                                                                                 \
        memcpy(&at, v, sizeof at);                                                                                     \
        index = (int32_t)at.index;                                                                                     \
        memcpy(out, &index, sizeof index);                                                                             \
    }

#define FOLD_INDEX(what, upper, lower)                                                                                 \
    const fold fold_##what##_index_##lower = { .name = #what "-index of " #lower,                                      \
                                               .op = MCL_##upper##_INDEX,                                              \
                                               .in = &element_##lower,                                                 \
                                               .value = &element_##lower##_at,                                         \
                                               .stored = &element_int32,                                               \
                                               .extract = what##_##lower##_extract,                                    \
                                               .plus = what##_##lower##_plus,                                          \
                                               .identity = what##_##lower##_identity,                                  \
                                               .store = what##_##lower##_index };

#define FOLD_AT(lower)                                                                                                 \
    const fold fold_max_at_##lower = { .name = "max-index of " #lower " with its value",                               \
                                       .op = MCL_MAX_INDEX,                                                            \
                                       .in = &element_##lower,                                                         \
                                       .value = &element_##lower##_at,                                                 \
                                       .stored = &element_##lower##_at,                                                \
                                       .extract = max_##lower##_extract,                                               \
                                       .plus = max_##lower##_plus,                                                     \
                                       .identity = max_##lower##_identity };

/* Folds of elements that are already pairs of value and index. */
static const mcl_op op_larger_pair = { .role = MCL_ROLE_FOLD, .expression = "q.value > p.value ? q : p" };
#define FOLD_PAIR(lower)                                                                                               \
    const fold fold_max_pair_##lower = { .name = "larger pairs of " #lower,                                            \
                                         .op = &op_larger_pair,                                                        \
                                         .in = &element_##lower##_at,                                                  \
                                         .value = &element_##lower##_at,                                               \
                                         .stored = &element_##lower##_at,                                              \
                                         .plus = max_##lower##_plus };

EXTREME_AT(max, int8, int32_t, >, INT8_MIN)
EXTREME_AT(max, int32, int32_t, >, INT32_MIN)
EXTREME_AT(max, int64, int64_t, >, INT64_MIN)
EXTREME_AT(max, uint32, int32_t, >, 0)
EXTREME_AT(max, uint64, int64_t, >, 0)
EXTREME_AT(max, float, int32_t, >, -INFINITY)
EXTREME_AT(max, double, int64_t, >, -INFINITY)
EXTREME_AT(min, float, int32_t, <, INFINITY)

FOLD_INDEX(max, MAX, int8)
FOLD_INDEX(max, MAX, int64)
FOLD_INDEX(max, MAX, uint32)
FOLD_INDEX(max, MAX, uint64)
FOLD_INDEX(max, MAX, float)
FOLD_INDEX(max, MAX, double)
FOLD_INDEX(min, MIN, float)

static void copy_int32_at(const void *v, void *out)
{
    memmove(out, v, sizeof(mcl_int32_at));
}

/* The fold of int32 whose total is the pair. */
const fold fold_max_index_int32 = { .name = "max-index of int32",
                                    .op = MCL_MAX_INDEX,
                                    .in = &element_int32,
                                    .value = &element_int32_at,
                                    .stored = &element_int32,
                                    .total = &element_int32_at,
                                    .extract = max_int32_extract,
                                    .plus = max_int32_plus,
                                    .identity = max_int32_identity,
                                    .store = max_int32_index,
                                    .store_total = copy_int32_at };

FOLD_AT(int32)
FOLD_AT(double)

FOLD_PAIR(int32)
FOLD_PAIR(int64)
FOLD_PAIR(uint32)
FOLD_PAIR(uint64)
FOLD_PAIR(float)
FOLD_PAIR(double)
