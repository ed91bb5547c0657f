/* order.c: the stable order of keys, alone and inside segments, with which all sorts are compared. A whole array of
 * numbers is sorted by the digits of its ranks. Segments, and types without ranks, are sorted by merging. */
#define _POSIX_C_SOURCE 200809L
#include "case.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *allocate(int64_t count, size_t size)
{
    void *memory = malloc((size_t)count * size + 1);

    if (!memory) {
        fprintf(stderr, "out of host memory\n");
        exit(2);
    }
    return memory;
}

/* ---- by ranks --------------------------------------------------------------------------------------------------- */

/* Returns the low bytes of a key as a number. Hosts of the tests are little-endian. */
static uint64_t low_bytes(const unsigned char *key, size_t size)
{
    uint64_t x = 0;

    if (size == sizeof(uint32_t))
        memcpy(&x, key, sizeof(uint32_t));
    else if (size == sizeof x)
        memcpy(&x, key, sizeof x);
    else
        memcpy(&x, key, size);
    return x;
}

uint64_t case_rank(const mcl_type *type, const unsigned char *key)
{
    static const int exponent_bits[] = { 0, 0, 5, 0, 8, 0, 0, 0, 11 };
    const int bits = 8 * (int)type->size;
    const uint64_t top = (uint64_t)1 << (bits - 1);
    const uint64_t all = top | (top - 1);
    const uint64_t x = low_bytes(key, type->size);

    if (type->kind == MCL_KIND_UNSIGNED) return x;
    if (type->kind == MCL_KIND_SIGNED) return x ^ top;
    const int fraction_bits = bits - 1 - exponent_bits[type->size];
    const uint64_t infinity = (top - 1) >> fraction_bits << fraction_bits;
    if ((x & ~top) > infinity) return all;
    if ((x & ~top) == 0) return top;
    return x & top ? x ^ all : x | top;
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static void digit_pass(const case_ranked *from, case_ranked *to, int64_t n, int shift)
{
    int64_t starts[DIGITS] = { 0 };
    int64_t sum = 0;

    for (int64_t k = 0; k < n; k++) starts[from[k].rank >> shift & (DIGITS - 1)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        const int64_t count = starts[digit];
        starts[digit] = sum;
        sum += count;
    }
    for (int64_t k = 0; k < n; k++) to[starts[from[k].rank >> shift & (DIGITS - 1)]++] = from[k];
}

case_ranked *case_sort_ranked(case_ranked *ranked, int64_t n, int bits)
{
    case_ranked *spare = allocate(n, sizeof *spare);

    for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
        digit_pass(ranked, spare, n, shift);
        case_ranked *sorted = spare;
        spare = ranked;
        ranked = sorted;
    }
    free(spare);
    return ranked;
}

static void order_by_ranks(const case_problem *problem, const mcl_type *type, int64_t *order)
{
    const case_input *keys = &problem->inputs[0];
    const uint64_t turn = problem->variant->descending ? UINT64_MAX >> (64 - 8 * type->size) : 0;
    case_ranked *ranked = allocate(keys->count, sizeof *ranked);

    for (int64_t k = 0; k < keys->count; k++)
        ranked[k] = (case_ranked){ case_rank(type, case_at(keys->element, keys->data, k)) ^ turn, k };
    ranked = case_sort_ranked(ranked, keys->count, 8 * (int)type->size);
    for (int64_t k = 0; k < keys->count; k++) order[k] = ranked[k].index;
    free(ranked);
}

/* ---- by merging ------------------------------------------------------------------------------------------------- */

/* A thread's work: the segments [first, last) that begin at the entries of starts. spare has as much room as order. */
typedef struct order_share {
    const case_problem *problem;
    const int64_t *starts;
    int64_t start_count;
    int64_t first;
    int64_t last;
    int64_t *order;
    int64_t *spare;
} order_share;

/* Sorts the indices of one segment by merging, beginning with runs of one index. */
CASE_LOOP order_segment(const order_share *share, case_type type, int64_t begin, int64_t end)
{
    const case_variant variant = *share->problem->variant;
    const unsigned char *keys = share->problem->inputs[0].data;
    int64_t *from = share->order;
    int64_t *to = share->spare;

    for (int64_t k = begin; k < end; k++) from[k] = k;
    for (int64_t width = 1; width < end - begin; width *= 2) {
        for (int64_t left = begin; left < end; left += 2 * width) {
            const int64_t middle = left + width < end ? left + width : end;
            const int64_t right = middle + width < end ? middle + width : end;
            int64_t i = left;
            int64_t j = middle;
            for (int64_t k = left; k < right; k++) {
                const int takes_right =
                    i == middle || (j < right && case_before(&variant, type, keys + (size_t)from[j] * type.size,
                                                             keys + (size_t)from[i] * type.size));
                to[k] = from[takes_right ? j++ : i++];
            }
        }
        int64_t *merged = to;
        to = from;
        from = merged;
    }
    if (from != share->order) memcpy(share->order + begin, from + begin, (size_t)(end - begin) * sizeof *from);
}

CASE_LOOP order_segments(const order_share *share, case_type type)
{
    int64_t begin = share->first > 0 ? share->starts[share->first - 1] : 0;

    for (int64_t s = share->first; s < share->last; s++) {
        const int64_t end = s < share->start_count ? share->starts[s] : share->problem->n;
        order_segment(share, type, begin, end);
        begin = end;
    }
}

static void *order_run(void *argument)
{
    const order_share *share = argument;

    CASE_TYPED(order_segments, share, share->problem->inputs[0].element);
    return NULL;
}

/* Sorts all segments by threads. With a hundred million keys one thread would take longer than all other steps. */
static void order_by_merging(const order_share *all)
{
    enum { THREADS = 16, MANY = 1 << 20 };
    const int count = all->problem->n < MANY ? 1 : THREADS;
    order_share shares[THREADS];
    pthread_t threads[THREADS];
    int started[THREADS] = { 0 };

    for (int k = 0; k < count; k++) {
        shares[k] = *all;
        shares[k].first = all->last * k / count;
        shares[k].last = all->last * (k + 1) / count;
        started[k] = k > 0 && pthread_create(&threads[k], NULL, order_run, &shares[k]) == 0;
    }
    for (int k = 0; k < count; k++)
        if (!started[k]) (void)order_run(&shares[k]);
    for (int k = 0; k < count; k++)
        if (started[k]) (void)pthread_join(threads[k], NULL);
}

/* ---- all sorts -------------------------------------------------------------------------------------------------- */

int64_t *case_sorted_indices(const case_problem *problem, const int64_t *starts, int64_t start_count)
{
    const element *kind = problem->inputs[0].element;
    const mcl_type *ranked = kind->is_number ? kind->type : kind->ordered_by;
    int64_t *order = allocate(problem->n, sizeof *order);

    if (start_count == 0 && ranked) {
        order_by_ranks(problem, ranked, order);
        return order;
    }
    int64_t *spare = allocate(problem->n, sizeof *spare);
    order_by_merging(&(order_share){ .problem = problem,
                                     .starts = starts,
                                     .start_count = start_count,
                                     .last = start_count + 1,
                                     .order = order,
                                     .spare = spare });
    free(spare);
    return order;
}

void case_add_ordered(case_problem *problem, const case_input *from, const int64_t *order)
{
    unsigned char *out = case_add_output(problem, from->element, from->count);

    for (int64_t k = 0; k < from->count; k++) case_copy(from, order[k], out, k);
}
