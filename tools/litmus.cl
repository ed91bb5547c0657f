/* litmus.cl: tests what groups see of words that other groups change at the same time. Needs: numbers of the tests,
 * LINE (words between two words of a pair) and PAIR (words of a pair), which the host defines.
 *
 * A work-item and its partner, distance groups away, are a pair. Both change or read words of the pair, round after
 * round. The numbers in them only grow, from launch to launch too, so that no word is ever cleared: a number up to base
 * was stored by an earlier launch. */

#if MCL_WORD_PATH
#define MASK(test) (1u << (test))
#if MCL_WORD_PATH == MCL_WORD_PATH_CUDA || MCL_WORD_PATH == MCL_WORD_PATH_PTX
#define HAS_FENCES 1
#define HAS_TOTAL_FENCES 1
#define FENCE(order) asm volatile("fence.acq_rel.gpu;" : : : "memory")
#define FENCE_TOTAL() asm volatile("fence.sc.gpu;" : : : "memory")

static inline void store_release(__global ulong *word, const ulong value)
{
    asm volatile("st.release.gpu.global.u64 [%0], %1;" : : "l"(PTX_ADDRESS(word)), "l"(value) : "memory");
}

static inline ulong load_acquire(__global ulong *word)
{
    ulong value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(PTX_ADDRESS(word)) : "memory");
    return value;
}
#elif MCL_WORD_PATH == MCL_WORD_PATH_C11
/* From OpenCL C 3.0 on these memory orders are optional. */
#if __OPENCL_C_VERSION__ < 300 || defined(__opencl_c_atomic_order_acq_rel)
#define HAS_FENCES 1
#define FENCE(order) atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_##order, memory_scope_device)
#define store_release(word, value) \
    atomic_store_explicit(MCL_ATOMIC(ulong, word), (ulong)(value), memory_order_release, memory_scope_device)
#define load_acquire(word) \
    atomic_load_explicit(MCL_ATOMIC(ulong, word), memory_order_acquire, memory_scope_device)
#endif
#if __OPENCL_C_VERSION__ < 300 || defined(__opencl_c_atomic_order_seq_cst)
#define HAS_TOTAL_FENCES 1
#define FENCE_TOTAL() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device)
#endif
#endif

/* Masks of tests: those that the language can express, and those in which the weak outcome is forbidden. */
#ifdef HAS_FENCES
#define FENCED (MASK(MESSAGE_FENCES) | MASK(MESSAGE_RELEASE))
#else
#define FENCED 0u
#define FENCE(order) (void)0
#define store_release atomic_publish_global_64
#define load_acquire atomic_poll_global_64
#endif
#ifdef HAS_TOTAL_FENCES
#define TOTAL MASK(STORES_FENCES)
#else
#define TOTAL 0u
#define FENCE_TOTAL() (void)0
#endif
#define FORBIDDEN (MASK(ONE_WORD) | FENCED | TOTAL)
#define SAID (MASK(MESSAGE_RELAXED) | MASK(STORES_RELAXED) | FORBIDDEN)

/* The counts of one work-item, and their indices in counts. After them come the met pairs, and the masks SAID and
 * FORBIDDEN. */
typedef struct { uint tried, meanwhile, weak; } seen_type;
enum { SEEN_TRIED, SEEN_MEANWHILE, SEEN_WEAK, PAIRS_MET, TESTS_SAID, TESTS_FORBIDDEN };

static inline void send(const int test, __global ulong *data, __global ulong *flag, const ulong value)
{
    if (test == ONE_WORD) {
#ifdef LITMUS_LATE_HALF /* a fault that a test plants, like LITMUS_LATE_DATA */
        atomic_publish_global_64(data, value << 32 | (value - 1));
#else
        atomic_publish_global_64(data, value << 32 | value);
#endif
        return;
    }
#ifdef LITMUS_LATE_DATA
    atomic_publish_global_64(data, value - 1);
#else
    atomic_publish_global_64(data, value);
#endif
    if (test == MESSAGE_FENCES) FENCE(release);
    if (test == MESSAGE_RELEASE)
        store_release(flag, value);
    else
        atomic_publish_global_64(flag, value);
}

/* Reads a pair's words as their receiver. base: numbers up to base were there before the launch. last: the last number
 * of the launch. *before: the number that was seen last. */
static inline void receive(const int test, __global ulong *data, __global ulong *flag, const ulong base,
                           const ulong last, ulong *before, seen_type *seen)
{
    ulong first, second;
    int weak;
    if (test == ONE_WORD) {
        const ulong word = atomic_poll_global_64(data);
        first = word >> 32;
        second = (uint)word;
        weak = first != second || first < *before;
        *before = first;
    } else {
        first = test == MESSAGE_RELEASE ? load_acquire(flag) : atomic_poll_global_64(flag);
        if (test == MESSAGE_FENCES) FENCE(acquire);
        second = atomic_poll_global_64(data);
        weak = second < first;
    }
    seen->tried += 1;
    seen->meanwhile += first > base && first < last;
    seen->weak += weak;
}

/* Makes partners begin together where both run. The first of them waits for at most polls polls. It returns 1 where the
 * other has come; the other returns 0. */
static inline int partners_meet(__global uint *arrived, const uint both, const int polls)
{
    int met = 0;
    if (atomic_add_global(arrived, 1u) + 1 == both) return met;
    for (int k = 0; k < polls && !met; ++k) met = atomic_load_global(arrived) >= both;
    return met;
}

/* Runs one test. The number of groups is a power of two, and so is distance, which is at most half of it. both: a
 * pair's count of arrivals when both partners are there. log: for tests of stores, the numbers that each work-item has
 * seen of its partner in each round, less base. Work-items of role 0 come first in it. */
MCL_KERNEL(TILE_THREADS) litmus_pairs(__global ulong *words, __global uint *counts, __global uint *log, int32_t test,
                                      int32_t distance, int32_t rounds, int32_t polls, int32_t both, int64_t base)
{
    const int group = (int)get_group_id(0);
    const int role = (group & distance) != 0;
    const int pair_group = group / (2 * distance) * distance + (group & (distance - 1));
    const int pair = pair_group * TILE_THREADS + (int)get_local_id(0);
    const int pairs = (int)get_num_groups(0) / 2 * TILE_THREADS;
    __global ulong *const x = words + (size_t)pair * PAIR;
    __global ulong *const y = x + LINE;
    const ulong start = (ulong)base, last = start + (ulong)rounds;
    seen_type seen = { 0, 0, 0 };
    ulong before = 0;
    if (partners_meet((__global uint *)(y + LINE), (uint)both, polls)) atomic_add_global(counts + PAIRS_MET, 1u);
    for (int round = 1; round <= rounds; ++round) {
        const ulong value = start + (ulong)round;
        if (test == STORES_RELAXED || test == STORES_FENCES) {
            atomic_publish_global_64(role ? y : x, value);
            if (test == STORES_FENCES) FENCE_TOTAL();
            const ulong other = atomic_poll_global_64(role ? x : y);
            log[((size_t)role * (size_t)pairs + (size_t)pair) * (size_t)rounds + (size_t)(round - 1)] =
                other > start ? (uint)(other - start) : 0u;
        } else if (role == 0) {
            send(test, x, y, value);
        } else {
            receive(test, x, y, start, last, &before, &seen);
        }
    }
    if (seen.tried > 0) atomic_add_global(counts + SEEN_TRIED, seen.tried);
    if (seen.meanwhile > 0) atomic_add_global(counts + SEEN_MEANWHILE, seen.meanwhile);
    if (seen.weak > 0) atomic_add_global(counts + SEEN_WEAK, seen.weak);
    if (group == 0 && get_local_id(0) == 0) {
        counts[TESTS_SAID] = SAID;
        counts[TESTS_FORBIDDEN] = FORBIDDEN;
    }
}
#endif
