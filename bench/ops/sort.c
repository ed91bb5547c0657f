/* sort.c: sorts uniform keys, alone and with values, out of place: by merging, by radix sort and the library's way. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS "int32 int64 float32 float64 uint32 uint64 int8"

/* ---- reference: radix sort of the keys' images, whose order as unsigned numbers is that of the keys -------------- */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

typedef struct placed_key {
    uint64_t image;
    int64_t place;
} placed_key;

/* Floats of a bench are neither NaN nor -0. */
static uint64_t image_of(const bench_type *type, const unsigned char *key)
{
    const int is_struct = type->element->type->kind == MCL_KIND_STRUCT; /* sorted by its first member, an int32 */
    const size_t size = is_struct ? sizeof(int32_t) : type->element->type->size;
    const uint64_t sign = (uint64_t)1 << (8 * size - 1);
    uint64_t bits = 0;
    memcpy(&bits, key, size); /* little-endian, as all hosts of a bench */
    if (type->element->type->kind == MCL_KIND_UNSIGNED) return bits;
    if (type->element->type->kind == MCL_KIND_FLOAT && (bits & sign)) return ~bits & (2 * sign - 1);
    return bits ^ sign;
}

static void radix_pass(const placed_key *from, placed_key *to, int64_t n, int shift)
{
    int64_t starts[DIGITS] = { 0 };
    int64_t sum = 0;
    for (int64_t k = 0; k < n; k++) starts[from[k].image >> shift & (DIGITS - 1)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        const int64_t count = starts[digit];
        starts[digit] = sum;
        sum += count;
    }
    for (int64_t k = 0; k < n; k++) to[starts[from[k].image >> shift & (DIGITS - 1)]++] = from[k];
}

void bench_sort_expect(bench_case *c)
{
    const bench_array *keys = &c->problem.in[0];
    const int is_struct = keys->type->kind == MCL_KIND_STRUCT;
    const int bits = 8 * (int)(is_struct ? sizeof(int32_t) : keys->type->size);
    placed_key *from = malloc((size_t)c->n * sizeof *from + 1);
    placed_key *to = malloc((size_t)c->n * sizeof *to + 1);
    if (from && to) {
        for (int64_t k = 0; k < c->n; k++)
            from[k] = (placed_key){ image_of(c->type, (unsigned char *)keys->host + (size_t)k * keys->type->size), k };
        for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
            radix_pass(from, to, c->n, shift);
            placed_key *last = from;
            from = to;
            to = last;
        }
        for (int a = 0; a < c->problem.in_count; a++) {
            const size_t size = c->problem.in[a].type->size;
            const char *in = c->problem.in[a].host;
            char *out = c->problem.out[a].host;
            for (int64_t k = 0; k < c->n; k++) memcpy(out + (size_t)k * size, in + (size_t)from[k].place * size, size);
        }
    } else {
        bench_note("%s: no host memory for the reference", c->op->name);
    }
    free(from);
    free(to);
}

/* ---- operations --------------------------------------------------------------------------------------------- */

static mcl_status sort_keys_prepare(bench_case *c)
{
    mcl_status status = bench_add_input(c, c->type->element->type, c->n);
    if (status == MCL_OK) status = bench_fill_uniform(c, 0, 1);
    if (status == MCL_OK) status = bench_add_output(c, c->type->element->type, c->n);
    return status;
}

static mcl_status sort_pairs_prepare(bench_case *c)
{
    mcl_status status = sort_keys_prepare(c);
    if (status == MCL_OK) status = bench_add_input(c, c->type->value->type, c->n);
    if (status == MCL_OK) status = bench_fill_counting(c, 1, 0);
    if (status == MCL_OK) status = bench_add_output(c, c->type->value->type, c->n);
    return status;
}

static double sort_keys_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)c->type->element->type->size;
}

static double sort_pairs_bytes(const bench_case *c)
{
    return 2.0 * (double)c->n * (double)(c->type->element->type->size + c->type->value->type->size);
}

static mcl_status run_by(const bench_case *c, const mcl_options *options, mcl_sort_method method)
{
    mcl_options by = options ? *options : (mcl_options){ 0 };
    by.sort_method = method;
    if (c->problem.in_count == 1)
        return mcl_sort(c->bench->queue, bench_in(c, 0), bench_out(c, 0), c->type->element->less, &by);
    return mcl_sort_pairs(c->bench->queue, bench_in(c, 0), bench_in(c, 1), bench_out(c, 0), bench_out(c, 1),
                          c->type->element->less, &by);
}

static mcl_status merge_run(const bench_case *c, const mcl_options *options)
{
    return run_by(c, options, MCL_SORT_MERGE);
}

static mcl_status radix_run(const bench_case *c, const mcl_options *options)
{
    return run_by(c, options, MCL_SORT_RADIX);
}

static mcl_status auto_run(const bench_case *c, const mcl_options *options)
{
    return run_by(c, options, options ? options->sort_method : MCL_SORT_AUTO);
}

static size_t wider_bytes(const bench_type *type)
{
    return type->element->type->size > type->value->type->size ? type->element->type->size : type->value->type->size;
}

const bench_op bench_op_mergesort_keys = {
    .name = "mergesort_keys",
    .tuning = "sort",
    .prepare = sort_keys_prepare,
    .reference = bench_sort_expect,
    .bytes = sort_keys_bytes,
    .run = merge_run,
};

const bench_op bench_op_mergesort_pairs = {
    .name = "mergesort_pairs",
    .tuning = "sort_pairs",
    .prepare = sort_pairs_prepare,
    .reference = bench_sort_expect,
    .bytes = sort_pairs_bytes,
    .run = merge_run,
};

const bench_op bench_op_radixsort_keys = {
    .name = "radixsort_keys",
    .types = NUMBERS,
    .tuning = "radix_sort",
    .prepare = sort_keys_prepare,
    .reference = bench_sort_expect,
    .bytes = sort_keys_bytes,
    .run = radix_run,
};

const bench_op bench_op_radixsort_pairs = {
    .name = "radixsort_pairs",
    .types = NUMBERS,
    .tuning = "radix_sort_pairs",
    .tile_bytes = wider_bytes,
    .prepare = sort_pairs_prepare,
    .reference = bench_sort_expect,
    .bytes = sort_pairs_bytes,
    .run = radix_run,
};

/* Recorded peers have no rows of their own for the library's choice: the fastest of them sort by digits. */
const bench_op bench_op_sort_keys = {
    .name = "sort_keys",
    .recorded = "radixsort_keys",
    .tuning = "sort",
    .prepare = sort_keys_prepare,
    .reference = bench_sort_expect,
    .bytes = sort_keys_bytes,
    .run = auto_run,
};

const bench_op bench_op_sort_pairs = {
    .name = "sort_pairs",
    .recorded = "radixsort_pairs",
    .tuning = "sort_pairs",
    .prepare = sort_pairs_prepare,
    .reference = bench_sort_expect,
    .bytes = sort_pairs_bytes,
    .run = auto_run,
};
