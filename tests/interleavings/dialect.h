/* dialect.h: the kernel dialect for a host whose groups run by explore.c. docs/kernel_dialect.md says what the names
 * mean. Words that groups exchange are loaded and stored by word_do; all other memory is plain. A group is one
 * work-item, or 32 work-items with the shuffles of a GPU. */
#ifndef INTERLEAVINGS_DIALECT_H
#define INTERLEAVINGS_DIALECT_H

#include "model.h"
#include "facts/paths.h"

typedef unsigned uint;
typedef uint64_t ulong;
typedef unsigned char uchar;
typedef struct {
    uint x, y, z, w;
} wide_word;

#define __global
#define __local
#define __private
#define UNROLL
#define UNROLL_8
#define ROLLED
#define INLINED inline
#define OUTLINED inline
#define MCL_ENTER(threads)
#define MCL_KERNEL(threads) static void
#define MCL_FEW_GROUPS_KERNEL(threads) static void
#define KERNEL_GROUPS 0
#define RESIDENT_GROUPS(n) (n)
#define MCL_SHARED(type, name) type *const name = work_items_memory(sizeof(type))
#define MCL_OFFSET(type, member) offsetof(type, member)
#define ARRAY_PARAM(type, name) type *name##_data
#define ARRAY(type, name) name##_data
#define BY_CASES(type) 0
#define STRUCTS_BY_WORDS 0
#define FOLDS_FIRST 0
#define MCL_HAS_VECTORS 0
#define MCL_HAS_DOUBLE 0
#define MCL_WORD_PATH MCL_WORD_PATH_C11
#if TILE_THREADS == 32
#define MCL_SUB_GROUP_PATH MCL_SUB_GROUP_PATH_KHR
#define MCL_SUB_GROUP_SIZE TILE_THREADS
#else
#define MCL_SUB_GROUP_PATH MCL_SUB_GROUP_PATH_NONE
#define MCL_SUB_GROUP_SIZE 0
#endif
#if TILE_THREADS > 1
#define GROUP_IF(condition) if (condition)
#define GROUP_LEAVES_IF(condition)                                                                                     \
    if (condition) return
#else
#define GROUP_IF(condition)
#define GROUP_LEAVES_IF(condition)
#endif

#define popcount __builtin_popcount
#define get_local_id(axis) work_item_number()
#define get_group_id(axis) work_group_number()
#define get_num_groups(axis) MODEL_GROUPS

static inline int clz(const uint x)
{
    return x ? __builtin_clz(x) : 32;
}

static inline void group_barrier(void)
{
    if (TILE_THREADS > 1) (void)work_items_meet(0);
}

#define group_barrier_global group_barrier
#define sub_group_fence group_barrier
#define sub_group_lane work_item_number

static inline uint shuffle(const uint x, const int lane)
{
    return work_items_meet(x)[lane];
}

static inline uint shuffle_up(const uint x, const int delta)
{
    const int lane = work_item_number() - delta;
    const uint32_t *const met = work_items_meet(x);
    return lane < 0 ? x : met[lane];
}

static inline uint shuffle_down(const uint x, const int delta)
{
    const int lane = work_item_number() + delta;
    const uint32_t *const met = work_items_meet(x);
    return lane < TILE_THREADS ? met[lane] : x;
}

static inline uint sub_group_vote(const int condition)
{
    const uint32_t *const met = work_items_meet(condition != 0);
    uint votes = 0;
    for (int lane = 0; lane < TILE_THREADS; ++lane) votes |= met[lane] << lane;
    return votes;
}

#define atomic_poll_global(word) (uint) word_do(WORD_LOAD, word, 4, 0, 0)
#define atomic_poll_global_64(word) word_do(WORD_LOAD, word, 8, 0, 0)
#define atomic_publish_global(word, value) (void)word_do(WORD_STORE, word, 4, (uint)(value), 0)
#define atomic_publish_global_64(word, value) (void)word_do(WORD_STORE, word, 8, (ulong)(value), 0)
#define atomic_add_global(word, amount) (uint) word_do(WORD_ADD, word, 4, (uint)(amount), 0)
#define atomic_add_global_64(word, amount) word_do(WORD_ADD, word, 8, (ulong)(amount), 0)
#define atomic_or_global(word, bits) (uint) word_do(WORD_OR, word, 4, (uint)(bits), 0)
#define atomic_max_global(word, bound) (uint) word_do(WORD_MAX, word, 4, (uint)(bound), 0)
/* the work-items run one after the other, so it needs no atomic */
#define atomic_add_local(word, amount) (*(word) += (uint)(amount))
#define atomic_increment_global(word) atomic_add_global(word, 1)
#define atomic_compare_exchange_global(word, expected, value)                                                          \
    (uint) word_do(WORD_COMPARE_EXCHANGE, word, 4, (uint)(value), (uint)(expected))
#define atomic_compare_exchange_global_64(word, expected, value)                                                       \
    word_do(WORD_COMPARE_EXCHANGE, word, 8, (ulong)(value), (ulong)(expected))
#define atomic_load_global atomic_poll_global
#define atomic_load_global_64 atomic_poll_global_64
#define atomic_store_global atomic_publish_global
#define atomic_store_global_64 atomic_publish_global_64
#define SLOTS_BY_PTX 0
#define SLOT_LOADS_ARE_WIDE 0
#define prefetch_load(address) (void)(address)
#define prefetch_store(address) (void)(address)

/* Fences, which the dialect lacks, for copies of texts that are patched to have order between words. */
#define fence_release() (void)word_do(FENCE_RELEASE, NULL, 0, 0, 0)
#define fence_acquire() (void)word_do(FENCE_ACQUIRE, NULL, 0, 0, 0)

#endif
